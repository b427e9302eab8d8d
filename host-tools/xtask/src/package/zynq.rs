//! A Zynq-7000 system around the core: a script that draws its block design in Vivado, and the overlay by which Linux
//! shows the core as a UIO device. Both speak of the same addresses, which are written once, here.

use rayman_abi::register::APERTURE_BYTES;

use super::component::{version, NAME};

/// Where the processor sees the registers: in the range of its port GP0.
const REGISTERS: u32 = 0x43C0_0000;
/// What the interconnect decodes for them: the least it can.
const REGISTERS_BYTES: u32 = 0x1000;
/// Memory that Linux leaves alone and that the core renders from and into: the last 64 MiB of the first 512.
const MEMORY: u32 = 0x1C00_0000;
const MEMORY_BYTES: u32 = 0x0400_0000;
/// Clock of the core in MHz.
const CLOCK_MHZ: u32 = 50;
/// The interrupt as the controller counts: the first from the fabric to the processors is SPI 29.
const INTERRUPT: u32 = 29;

const _: () = assert!(REGISTERS_BYTES >= APERTURE_BYTES && MEMORY.is_multiple_of(MEMORY_BYTES));

/// The overlay. UIO map 0 is the registers, map 1 the memory.
pub fn overlay() -> String {
    format!(
        r#"// Made by `cargo xtask package`: the core as a UIO device of a Zynq-7000.
//
// Linux needs CONFIG_UIO_PDRV_GENIRQ and, on its command line, uio_pdrv_genirq.of_id=generic-uio. The memory must be kept
// from Linux from the start, which an overlay cannot do: give the kernel mem={memory_start_mib}M, or put the node of the memory
// under /reserved-memory, with no-map, into the base tree.
/dts-v1/;
/plugin/;

&{{/}} {{
	#address-cells = <1>;
	#size-cells = <1>;

	rayman@{REGISTERS:x} {{
		compatible = "generic-uio";
		reg = <{REGISTERS:#x} {REGISTERS_BYTES:#x}>,
		      <{MEMORY:#x} {MEMORY_BYTES:#x}>;
		reg-names = "registers", "memory";
		/* SPI {INTERRUPT}, high while the interrupt is up. */
		interrupts = <0 {INTERRUPT} 4>;
		interrupt-parent = <&intc>;
	}};
}};
"#,
        memory_start_mib = MEMORY >> 20,
    )
}

/// The script. Arguments: part, folder of the project.
pub fn block_design() -> String {
    let version = version();
    format!(
        r#"# Made by `cargo xtask package`: a Zynq-7000 system around the core, as a Vivado project.
#
#   vivado -mode batch -source block_design.tcl -tclargs [PART [FOLDER]]
#
# GP0 of the processors leads to the registers, the core's memory port to HP0, its interrupt to the first of the fabric.
# Nobody takes the pixel stream here: its ready is tied high, the framebuffer has the picture. The DDR settings of the
# board come from its preset: apply it to the block `processors` before the bitstream is made.
set part   [expr {{[llength $argv] > 0 ? [lindex $argv 0] : "xc7z020clg400-1"}}]
set folder [expr {{[llength $argv] > 1 ? [lindex $argv 1] : "rayman_zynq"}}]
set here   [file dirname [file normalize [info script]]]

create_project rayman_zynq $folder -part $part -force
set_property ip_repo_paths [file dirname $here] [current_project]
update_ip_catalog

create_bd_design system
create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7 processors
set_property -dict [list \
    CONFIG.PCW_USE_M_AXI_GP0 1 \
    CONFIG.PCW_USE_S_AXI_HP0 1 \
    CONFIG.PCW_USE_FABRIC_INTERRUPT 1 \
    CONFIG.PCW_IRQ_F2P_INTR 1 \
    CONFIG.PCW_EN_CLK0_PORT 1 \
    CONFIG.PCW_EN_RST0_PORT 1 \
    CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ {CLOCK_MHZ} \
] [get_bd_cells processors]
make_bd_intf_pins_external [get_bd_intf_pins processors/DDR] [get_bd_intf_pins processors/FIXED_IO]

create_bd_cell -type ip -vlnv rayman:rayman:{NAME}:{version} core
create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset reset
create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect to_registers
create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect to_memory
create_bd_cell -type ip -vlnv xilinx.com:ip:xlconstant one
foreach connect {{to_registers to_memory}} {{
    set_property -dict [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1] [get_bd_cells $connect]
}}

connect_bd_net [get_bd_pins processors/FCLK_CLK0] \
    [get_bd_pins core/aclk] [get_bd_pins reset/slowest_sync_clk] \
    [get_bd_pins to_registers/aclk] [get_bd_pins to_memory/aclk] \
    [get_bd_pins processors/M_AXI_GP0_ACLK] [get_bd_pins processors/S_AXI_HP0_ACLK]
connect_bd_net [get_bd_pins processors/FCLK_RESET0_N] [get_bd_pins reset/ext_reset_in]
connect_bd_net [get_bd_pins reset/peripheral_aresetn] \
    [get_bd_pins core/aresetn] [get_bd_pins to_registers/aresetn] [get_bd_pins to_memory/aresetn]
connect_bd_net [get_bd_pins core/irq] [get_bd_pins processors/IRQ_F2P]
connect_bd_net [get_bd_pins one/dout] [get_bd_pins core/m_axis_video_tready]

connect_bd_intf_net [get_bd_intf_pins processors/M_AXI_GP0] [get_bd_intf_pins to_registers/S00_AXI]
connect_bd_intf_net [get_bd_intf_pins to_registers/M00_AXI] [get_bd_intf_pins core/s_axi]
connect_bd_intf_net [get_bd_intf_pins core/m_axi] [get_bd_intf_pins to_memory/S00_AXI]
connect_bd_intf_net [get_bd_intf_pins to_memory/M00_AXI] [get_bd_intf_pins processors/S_AXI_HP0]

assign_bd_address -offset {REGISTERS:#x} -range {REGISTERS_BYTES:#x} \
    -target_address_space [get_bd_addr_spaces processors/Data] [get_bd_addr_segs core/s_axi/registers]
assign_bd_address -target_address_space [get_bd_addr_spaces core/m_axi] \
    [get_bd_addr_segs processors/S_AXI_HP0/HP0_DDR_LOWOCM]

validate_bd_design
save_bd_design
make_wrapper -files [get_files system.bd] -top -import
set_property top system_wrapper [current_fileset]
update_compile_order -fileset sources_1
puts "the project is in $folder; `launch_runs impl_1 -to_step write_bitstream` makes the bitstream"
"#
    )
}

#[cfg(test)]
mod tests {
    use super::super::buses::BUSES;
    use super::*;

    #[test]
    fn every_bus_of_the_core_is_connected_in_the_block_design() {
        let script = block_design();
        for bus in BUSES {
            let pin = format!("core/{}", bus.name);
            let found = script.matches(&format!("{pin}]")).count() + script.matches(&format!("{pin}_tready]")).count();
            assert!(found >= 1, "{pin} is connected to nothing");
        }
    }

    #[test]
    fn script_and_overlay_speak_of_the_same_registers() {
        assert!(block_design().contains(&format!("-offset {REGISTERS:#x}")));
        assert!(overlay().contains(&format!("rayman@{REGISTERS:x}")));
    }
}
