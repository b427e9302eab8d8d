//! The tops: the vendor's host interface and endpoints, the pins, and the system between them.
//!
//! ```text
//!  hi (pins) <-> okHost --ok1--> okWireIn, okTriggerIn, okPipeIn, okPipeOut --> system --> okWireOut --ok2--> okHost
//! ```
//!
//! Pins and constraints are those of rust-hdl's board crates. The system is a box here, by its ports: its Verilog is a file of its
//! own. What the vendor's cells do is closed, so none of this can be simulated without a model of them: `verilog/frontpanel_model.v`.

use rayman_abi::opal_kelly as abi;
use rust_hdl_core::prelude::*;
use rust_hdl_ok_core::core::prelude::*;

/// Module of the system.
pub const SYSTEM: &str = "rayman_system";

/// Declares the box, its list of ports, and what connects them.
macro_rules! system_box {
    (in: [$($input:ident: $input_ty:ty = $input_bits:literal),*], out: [$($output:ident: $output_ty:ty = $output_bits:literal),*]) => {
        /// The system by its ports, as [`crate::System`] has them.
        #[derive(LogicBlock, Default)]
        pub struct SystemBox {
            $(#[allow(missing_docs)] pub $input: Signal<In, $input_ty>,)*
            $(#[allow(missing_docs)] pub $output: Signal<Out, $output_ty>,)*
        }

        /// Name, whether it is an input, and bits of each port of the system.
        pub const SYSTEM_PORTS: &[(&str, bool, usize)] =
            &[$((stringify!($input), true, $input_bits),)* $((stringify!($output), false, $output_bits),)*];

        impl Logic for SystemBox {
            fn update(&mut self) {}

            fn connect(&mut self) {
                $(self.$output.connect();)*
            }

            fn hdl(&self) -> Verilog {
                let pins: Vec<String> = SYSTEM_PORTS.iter().map(|(name, _, _)| format!(".{name}({name})")).collect();
                Verilog::Wrapper(Wrapper {
                    code: format!("{SYSTEM} system({});\n", pins.join(", ")),
                    cores: system_black_box(),
                })
            }
        }
    };
}
system_box! {
    in: [
        clock: Clock = 1,
        control: Bits<16> = 16,
        offset: Bits<16> = 16,
        data_low: Bits<16> = 16,
        data_high: Bits<16> = 16,
        address_low: Bits<16> = 16,
        address_high: Bits<16> = 16,
        trigger: Bits<16> = 16,
        pipe_in_write: Bit = 1,
        pipe_in_data: Bits<16> = 16,
        pipe_out_read: Bit = 1
    ],
    out: [
        status: Bits<16> = 16,
        value_low: Bits<16> = 16,
        value_high: Bits<16> = 16,
        memory_bits: Bits<16> = 16,
        pipe_out_data: Bits<16> = 16,
        irq: Bit = 1
    ]
}

/// The system's module without contents.
fn system_black_box() -> String {
    let ports: Vec<String> = SYSTEM_PORTS
        .iter()
        .map(|(name, input, bits)| {
            let direction = if *input { "input" } else { "output" };
            let range = if *bits == 1 { String::new() } else { format!(" [{}:0]", bits - 1) };
            format!("    {direction} wire{range} {name}")
        })
        .collect();
    format!("\n(* blackbox *)\nmodule {SYSTEM}(\n{});\nendmodule\n", ports.join(",\n"))
}

/// The top of a board with a host interface by USB 2.
#[derive(LogicBlock)]
pub struct Board {
    /// The host interface.
    pub hi: OpalKellyHostInterface,
    /// Lights, on when low (*assumed*): 0 while the interrupt is up.
    pub led: Signal<Out, Bits<8>>,
    ok_host: OpalKellyHost,
    control: WireIn,
    offset: WireIn,
    data_low: WireIn,
    data_high: WireIn,
    address_low: WireIn,
    address_high: WireIn,
    trigger: TriggerIn,
    status: WireOut,
    value_low: WireOut,
    value_high: WireOut,
    memory_bits: WireOut,
    pipe_in: PipeIn,
    pipe_out: PipeOut,
    system: SystemBox,
}

impl Board {
    /// The top for a board as rust-hdl knows it, connected.
    pub fn new<B: OpalKellyBSP>() -> Self {
        let mut board = Self {
            hi: B::hi(),
            led: B::leds(),
            ok_host: B::ok_host(),
            control: WireIn::new(abi::CONTROL),
            offset: WireIn::new(abi::OFFSET),
            data_low: WireIn::new(abi::DATA),
            data_high: WireIn::new(abi::DATA + 1),
            address_low: WireIn::new(abi::ADDRESS),
            address_high: WireIn::new(abi::ADDRESS + 1),
            trigger: TriggerIn::new(abi::TRIGGER),
            status: WireOut::new(abi::STATUS),
            value_low: WireOut::new(abi::VALUE),
            value_high: WireOut::new(abi::VALUE + 1),
            memory_bits: WireOut::new(abi::MEMORY_BITS),
            pipe_in: PipeIn::new(abi::MEMORY_IN),
            pipe_out: PipeOut::new(abi::MEMORY_OUT),
            system: Default::default(),
        };
        board.hi.link_connect_dest();
        board.connect_all();
        board
    }
}

impl Logic for Board {
    #[hdl_gen]
    fn update(&mut self) {
        OpalKellyHostInterface::link(&mut self.hi, &mut self.ok_host.hi);

        // The vendor's bus to the endpoints, and back.
        self.control.ok1.next = self.ok_host.ok1.val();
        self.offset.ok1.next = self.ok_host.ok1.val();
        self.data_low.ok1.next = self.ok_host.ok1.val();
        self.data_high.ok1.next = self.ok_host.ok1.val();
        self.address_low.ok1.next = self.ok_host.ok1.val();
        self.address_high.ok1.next = self.ok_host.ok1.val();
        self.trigger.ok1.next = self.ok_host.ok1.val();
        self.status.ok1.next = self.ok_host.ok1.val();
        self.value_low.ok1.next = self.ok_host.ok1.val();
        self.value_high.ok1.next = self.ok_host.ok1.val();
        self.memory_bits.ok1.next = self.ok_host.ok1.val();
        self.pipe_in.ok1.next = self.ok_host.ok1.val();
        self.pipe_out.ok1.next = self.ok_host.ok1.val();
        self.ok_host.ok2.next = self.status.ok2.val()
            | self.value_low.ok2.val()
            | self.value_high.ok2.val()
            | self.memory_bits.ok2.val()
            | self.pipe_in.ok2.val()
            | self.pipe_out.ok2.val();

        // The system, in the clock of the host interface.
        self.system.clock.next = self.ok_host.ti_clk.val();
        self.trigger.clk.next = self.ok_host.ti_clk.val();
        self.system.control.next = self.control.dataout.val();
        self.system.offset.next = self.offset.dataout.val();
        self.system.data_low.next = self.data_low.dataout.val();
        self.system.data_high.next = self.data_high.dataout.val();
        self.system.address_low.next = self.address_low.dataout.val();
        self.system.address_high.next = self.address_high.dataout.val();
        self.system.trigger.next = self.trigger.trigger.val();
        self.status.datain.next = self.system.status.val();
        self.value_low.datain.next = self.system.value_low.val();
        self.value_high.datain.next = self.system.value_high.val();
        self.memory_bits.datain.next = self.system.memory_bits.val();
        self.system.pipe_in_write.next = self.pipe_in.write.val();
        self.system.pipe_in_data.next = self.pipe_in.dataout.val();
        self.system.pipe_out_read.next = self.pipe_out.read.val();
        self.pipe_out.datain.next = self.system.pipe_out_data.val();

        self.led.next = 0xFF.into();
        if self.system.irq.val() {
            self.led.next = 0xFE.into();
        }
    }
}
