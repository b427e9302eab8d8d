//! Which bus each port belongs to.
//!
//! A table a bus says which logical signals it has, which way each leads, whether it must be there, and how wide it is. A
//! port is a signal's if it is named by the bus and the signal: AWADDR of `s_axi` is `s_axi_awaddr`. [`map`] refuses a port
//! that belongs to no bus, one that leads the wrong way or has another width, and a bus that lacks a signal.
//!
//! Source of the signals: AMBA AXI and ACE protocol specification (AXI4, AXI4-Lite), AMBA AXI4-Stream. The names of the bus
//! definitions are those of AMD's tools.

use anyhow::{ensure, Result};

use super::ports::{Direction, Port};

/// Width of what addresses the core's registers: its aperture has 2^8 bytes.
const REGISTER_ADDRESS: u32 = rayman_abi::register::APERTURE_BYTES.trailing_zeros();

/// A signal of a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Name in the bus definition.
    pub logical: &'static str,
    /// Which way it leads, seen from the core.
    pub direction: Direction,
    /// Bits.
    pub width: u32,
    /// Whether the bus cannot do without.
    pub required: bool,
}

const fn input(logical: &'static str, width: u32) -> Signal {
    Signal { logical, direction: Direction::In, width, required: true }
}

const fn output(logical: &'static str, width: u32) -> Signal {
    Signal { logical, direction: Direction::Out, width, required: true }
}

const fn optional(signal: Signal) -> Signal {
    Signal { required: false, ..signal }
}

/// What a bus is, and how the core takes part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Answers, with this memory map.
    MappedSlave,
    /// Asks, in an address space of its own.
    MappedMaster,
    /// A plain slave: clock, reset.
    Slave,
    /// A plain master: stream, interrupt.
    Master,
}

/// A bus of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bus {
    /// Its name, with which its ports begin; a bus of one signal is named as its port.
    pub name: &'static str,
    /// What a person reads.
    pub doc: &'static str,
    /// Library and name of the bus definition; the abstraction is named NAME_rtl.
    pub definition: (&'static str, &'static str),
    /// How the core takes part.
    pub role: Role,
    /// Its signals.
    pub signals: &'static [Signal],
    /// Parameters that tools look at.
    pub parameters: &'static [(&'static str, &'static str)],
}

/// Every bus of the core.
pub const BUSES: &[Bus] = &[
    Bus {
        name: "s_axi",
        doc: "Registers, AXI4-Lite",
        definition: ("interface", "aximm"),
        role: Role::MappedSlave,
        signals: &[
            input("AWADDR", REGISTER_ADDRESS),
            optional(input("AWPROT", 3)),
            input("AWVALID", 1),
            output("AWREADY", 1),
            input("WDATA", 32),
            input("WSTRB", 4),
            input("WVALID", 1),
            output("WREADY", 1),
            output("BRESP", 2),
            output("BVALID", 1),
            input("BREADY", 1),
            input("ARADDR", REGISTER_ADDRESS),
            optional(input("ARPROT", 3)),
            input("ARVALID", 1),
            output("ARREADY", 1),
            output("RDATA", 32),
            output("RRESP", 2),
            output("RVALID", 1),
            input("RREADY", 1),
        ],
        parameters: &[("PROTOCOL", "AXI4LITE"), ("DATA_WIDTH", "32"), ("ADDR_WIDTH", "8")],
    },
    Bus {
        name: "m_axi",
        doc: "Scene and framebuffer, AXI4",
        definition: ("interface", "aximm"),
        role: Role::MappedMaster,
        signals: &[
            output("AWID", 1),
            output("AWADDR", 32),
            output("AWLEN", 8),
            output("AWSIZE", 3),
            output("AWBURST", 2),
            output("AWLOCK", 1),
            output("AWCACHE", 4),
            output("AWPROT", 3),
            output("AWQOS", 4),
            output("AWVALID", 1),
            input("AWREADY", 1),
            output("WDATA", 32),
            output("WSTRB", 4),
            output("WLAST", 1),
            output("WVALID", 1),
            input("WREADY", 1),
            input("BID", 1),
            input("BRESP", 2),
            input("BVALID", 1),
            output("BREADY", 1),
            output("ARID", 1),
            output("ARADDR", 32),
            output("ARLEN", 8),
            output("ARSIZE", 3),
            output("ARBURST", 2),
            output("ARLOCK", 1),
            output("ARCACHE", 4),
            output("ARPROT", 3),
            output("ARQOS", 4),
            output("ARVALID", 1),
            input("ARREADY", 1),
            input("RID", 1),
            input("RDATA", 32),
            input("RRESP", 2),
            input("RLAST", 1),
            input("RVALID", 1),
            output("RREADY", 1),
        ],
        parameters: &[
            ("PROTOCOL", "AXI4"),
            ("DATA_WIDTH", "32"),
            ("ADDR_WIDTH", "32"),
            ("ID_WIDTH", "1"),
            ("MAX_BURST_LENGTH", "16"),
            ("NUM_READ_OUTSTANDING", "4"),
            ("NUM_WRITE_OUTSTANDING", "8"),
            ("SUPPORTS_NARROW_BURST", "0"),
        ],
    },
    Bus {
        name: "m_axis_video",
        doc: "Pixels, AXI4-Stream video",
        definition: ("interface", "axis"),
        role: Role::Master,
        signals: &[
            output("TDATA", 24),
            output("TUSER", 1),
            output("TLAST", 1),
            output("TVALID", 1),
            input("TREADY", 1),
        ],
        parameters: &[("TDATA_NUM_BYTES", "3"), ("TUSER_WIDTH", "1"), ("HAS_TREADY", "1"), ("HAS_TLAST", "1")],
    },
    Bus {
        name: "aclk",
        doc: "The one clock",
        definition: ("signal", "clock"),
        role: Role::Slave,
        signals: &[input("CLK", 1)],
        parameters: &[("ASSOCIATED_BUSIF", "s_axi:m_axi:m_axis_video"), ("ASSOCIATED_RESET", "aresetn")],
    },
    Bus {
        name: "aresetn",
        doc: "Synchronous reset, active low",
        definition: ("signal", "reset"),
        role: Role::Slave,
        signals: &[input("RST", 1)],
        parameters: &[("POLARITY", "ACTIVE_LOW")],
    },
    Bus {
        name: "irq",
        doc: "A frame ended; high until cleared",
        definition: ("signal", "interrupt"),
        role: Role::Master,
        signals: &[output("INTERRUPT", 1)],
        parameters: &[("SENSITIVITY", "LEVEL_HIGH")],
    },
];

impl Bus {
    /// The name that the port of a signal has.
    fn port_of(&self, signal: &Signal) -> String {
        if self.signals.len() == 1 {
            self.name.to_owned()
        } else {
            format!("{}_{}", self.name, signal.logical.to_ascii_lowercase())
        }
    }
}

/// A bus with the ports that are its signals, in the order of the bus's table.
pub struct Mapped<'a> {
    /// The bus.
    pub bus: &'static Bus,
    /// Signals that are there, and the port of each.
    pub ports: Vec<(&'static Signal, &'a Port)>,
}

/// Gives each port to its bus.
pub fn map(ports: &[Port]) -> Result<Vec<Mapped<'_>>> {
    let mut mapped = Vec::new();
    let mut taken = 0;
    for bus in BUSES {
        let mut found = Vec::new();
        for signal in bus.signals {
            let name = bus.port_of(signal);
            let mut of_name = ports.iter().filter(|port| port.name == name);
            let Some(port) = of_name.next() else {
                ensure!(!signal.required, "bus {} lacks {}: there is no port {name}", bus.name, signal.logical);
                continue;
            };
            ensure!(of_name.next().is_none(), "there are two ports {name}");
            ensure!(port.direction == signal.direction, "port {name} leads the wrong way");
            ensure!(
                port.width == signal.width,
                "port {name} has {} bits, {} of bus {} has {}",
                port.width,
                signal.logical,
                bus.name,
                signal.width
            );
            found.push((signal, port));
        }
        taken += found.len();
        mapped.push(Mapped { bus, ports: found });
    }
    // Names of signals are unique, so a port that is counted is counted once.
    if taken != ports.len() {
        let used = |port: &&Port| !mapped.iter().any(|bus| bus.ports.iter().any(|(_, used)| used == port));
        let left: Vec<&str> = ports.iter().filter(used).map(|port| port.name.as_str()).collect();
        anyhow::bail!("ports of no bus: {}", left.join(", "));
    }
    Ok(mapped)
}

/// The ports that the tables describe, all signals among them: what a test takes for a core.
#[cfg(test)]
pub fn described() -> Vec<Port> {
    let port = |bus: &Bus, signal: &Signal| Port {
        name: bus.port_of(signal),
        direction: signal.direction,
        width: signal.width,
        vector: signal.width > 1,
    };
    BUSES.iter().flat_map(|bus| bus.signals.iter().map(|signal| port(bus, signal))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_signals_are_unique() {
        let mut names: Vec<String> = described().into_iter().map(|port| port.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn each_port_is_of_one_bus() {
        let ports = described();
        let mapped = map(&ports).expect("as the tables say");
        assert_eq!(mapped.iter().map(|bus| bus.ports.len()).sum::<usize>(), ports.len());
        let without: Vec<Port> = ports.iter().filter(|port| !port.name.ends_with("prot")).cloned().collect();
        let error = map(&without).map(|_| ()).expect_err("a master has its protection bits");
        assert!(error.to_string().contains("m_axi lacks AWPROT"), "{error}");
    }

    #[test]
    fn every_required_signal_every_width_and_every_direction_counts() {
        let ports = described();
        for at in 0..ports.len() {
            let name = &ports[at].name;
            let required = !["s_axi_awprot", "s_axi_arprot"].contains(&name.as_str());
            let mut fewer = ports.clone();
            fewer.remove(at);
            assert_eq!(map(&fewer).is_err(), required, "without {name}");
            let mut wider = ports.clone();
            wider[at].width += 1;
            assert!(map(&wider).is_err(), "a wider {name}");
            let mut turned = ports.clone();
            turned[at].direction = match turned[at].direction {
                Direction::In => Direction::Out,
                Direction::Out => Direction::In,
            };
            assert!(map(&turned).is_err(), "{name} the other way");
            let mut twice = ports.clone();
            twice.push(ports[at].clone());
            assert!(map(&twice).is_err(), "{name} twice");
        }
        let mut more = ports;
        more.push(Port { name: "debug".into(), direction: Direction::Out, width: 1, vector: false });
        let error = map(&more).map(|_| ()).expect_err("no bus has it");
        assert!(error.to_string().contains("ports of no bus: debug"), "{error}");
    }
}
