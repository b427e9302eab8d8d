//! Any emitted block, Verilated: ports by name, clocks one by one or in rows.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let block = rayman_sim::verilated::VerilatedBlock::build("", "adder");
//! let mut adder = block?;          // VerilatedBlock::build(&emit(&block, "adder")?, "adder")?
//! adder.set("a", 3);
//! adder.set("b", 4);
//! adder.clock()?;
//! assert_eq!(adder.get("q"), 7);
//! # Ok(()) }
//! ```
//!
//! A clock is what `rayman_rtl::step::clock` makes of it: low with the inputs as set, settle; high, settle. So a block
//! stepped there and here, with the same inputs, must show the same outputs after every clock.

use super::compile::{is_clock, library, Flavour};
use super::VerilatorError;
use libloading::Library;
use rayman_rtl::emit::{self, text::Port};
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void, CStr};

type Model = *mut c_void;

/// When a row's outputs are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// With the row's inputs applied, before the rising edge: what a neighbour sees at the edge.
    BeforeEdge,
    /// After the rising edge, inputs unchanged: what [`VerilatedBlock::get`] gives after [`VerilatedBlock::clock`].
    AfterEdge,
}

/// A Verilated block.
pub struct VerilatedBlock {
    top: String,
    ports: Vec<Port>,
    numbers: HashMap<String, usize>,
    model: Model,
    api: Api,
    // Last: the functions above are in it.
    _library: Library,
}

// The model is only reached through `&mut self`, and Verilator's run-time is built for threads.
unsafe impl Send for VerilatedBlock {}

#[derive(Clone, Copy)]
struct Api {
    delete: unsafe extern "C" fn(Model),
    failure: unsafe extern "C" fn(Model) -> *const c_char,
    set: unsafe extern "C" fn(Model, u32, u64),
    get: unsafe extern "C" fn(Model, u32) -> u64,
    eval: unsafe extern "C" fn(Model) -> c_int,
    clock: unsafe extern "C" fn(Model) -> c_int,
    run: unsafe extern "C" fn(Model, u64, c_int, *const u64, *mut u64) -> c_int,
}

impl VerilatedBlock {
    /// Builds (or finds built) the module `top` of a text, with assertions and uninitialised state from seed 1.
    pub fn build(verilog: &str, top: &str) -> Result<Self, VerilatorError> {
        Self::build_with(verilog, top, Flavour::Checked, 1)
    }

    /// The same with a choice of flavour, and of the seed (1 to 2^31 - 1) of uninitialised state.
    pub fn build_with(verilog: &str, top: &str, flavour: Flavour, seed: u32) -> Result<Self, VerilatorError> {
        let ports = emit::ports(verilog, top)?;
        if let Some(wide) = ports.iter().find(|port| port.width > 64) {
            return Err(VerilatorError::WidePort { port: wide.name.clone(), width: wide.width });
        }
        let path = library(verilog, top, &ports, flavour)?;
        // SAFETY: the library was built from our shim; its initialisers are those of the C++ run-time.
        let library = unsafe { Library::new(path)? };
        // SAFETY: the types are those of the shim's functions.
        let (api, model) = unsafe {
            let new = library.get::<unsafe extern "C" fn(u32) -> Model>(b"rayman_new\0")?;
            let api = Api {
                delete: *library.get(b"rayman_delete\0")?,
                failure: *library.get(b"rayman_failure\0")?,
                set: *library.get(b"rayman_set\0")?,
                get: *library.get(b"rayman_get\0")?,
                eval: *library.get(b"rayman_eval\0")?,
                clock: *library.get(b"rayman_clock\0")?,
                run: *library.get(b"rayman_run\0")?,
            };
            (api, new(seed))
        };
        if model.is_null() {
            return Err(VerilatorError::Create(top.to_owned()));
        }
        let numbers = ports.iter().enumerate().map(|(number, port)| (port.name.clone(), number)).collect();
        Ok(Self { top: top.to_owned(), ports, numbers, model, api, _library: library })
    }

    /// Its ports, in the order of their declaration, the clock among them.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// The inputs of a row, in order: all but the clock.
    pub fn inputs(&self) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(|port| port.is_input && !is_clock(port))
    }

    /// The outputs of a row, in order.
    pub fn outputs(&self) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(|port| !port.is_input)
    }

    /// The number of a port, for [`Self::set_number`] and [`Self::get_number`].
    pub fn number(&self, port: &str) -> Option<usize> {
        self.numbers.get(port).copied()
    }

    /// Puts a value on an input; it takes effect with the next clock or [`Self::settle`].
    ///
    /// # Panics
    /// If there is no such input, or the value has more bits than it: a slip in the test that calls this.
    pub fn set(&mut self, port: &str, value: u64) {
        let number = self.expect(port);
        self.set_number(number, value);
    }

    /// The value of a port.
    ///
    /// # Panics
    /// If there is no such port: a slip in the test that calls this.
    pub fn get(&self, port: &str) -> u64 {
        self.get_number(self.expect(port))
    }

    /// [`Self::set`] by number.
    ///
    /// # Panics
    /// As [`Self::set`].
    pub fn set_number(&mut self, number: usize, value: u64) {
        let port = &self.ports[number];
        assert!(port.is_input, "port `{}` of `{}` is an output", port.name, self.top);
        assert!(
            port.width == 64 || value >> port.width == 0,
            "{value:#x} has more than the {} bits of port `{}` of `{}`",
            port.width,
            port.name,
            self.top
        );
        // SAFETY: the model lives as long as `self`; the shim ignores numbers that it does not know.
        unsafe { (self.api.set)(self.model, number as u32, value) }
    }

    /// [`Self::get`] by number.
    pub fn get_number(&self, number: usize) -> u64 {
        // SAFETY: as in `set_number`; reading a port changes nothing.
        unsafe { (self.api.get)(self.model, number as u32) }
    }

    /// Lets the outputs follow the inputs, without a clock.
    pub fn settle(&mut self) -> Result<(), VerilatorError> {
        // SAFETY: the model lives as long as `self`.
        let code = unsafe { (self.api.eval)(self.model) };
        self.answer(code)
    }

    /// A full clock with the inputs as set.
    pub fn clock(&mut self) -> Result<(), VerilatorError> {
        // SAFETY: the model lives as long as `self`.
        let code = unsafe { (self.api.clock)(self.model) };
        self.answer(code)
    }

    /// Many clocks in one call. `rows` holds, for each clock, a value for each of [`Self::inputs`] (bits above a port's
    /// width are dropped); the answer, for each clock, a value of each of [`Self::outputs`].
    ///
    /// # Panics
    /// If `rows` is no whole number of rows, or there are no inputs.
    pub fn run(&mut self, rows: &[u64], sample: Sample) -> Result<Vec<u64>, VerilatorError> {
        let width = self.inputs().count();
        assert!(
            width > 0 && rows.len().is_multiple_of(width),
            "{} values are no whole rows of {width} inputs",
            rows.len()
        );
        let clocks = rows.len() / width;
        let mut out = vec![0; clocks * self.outputs().count()];
        self.run_into(clocks, rows, sample, &mut out)?;
        Ok(out)
    }

    /// [`Self::run`] into memory of the caller's, for loops where each clock counts.
    ///
    /// # Panics
    /// If the lengths do not fit the number of clocks.
    pub fn run_into(
        &mut self,
        clocks: usize,
        rows: &[u64],
        sample: Sample,
        out: &mut [u64],
    ) -> Result<(), VerilatorError> {
        assert!(
            rows.len() == clocks * self.inputs().count() && out.len() == clocks * self.outputs().count(),
            "rows do not fit {clocks} clocks"
        );
        let when = c_int::from(sample == Sample::AfterEdge);
        // SAFETY: the shim reads and writes exactly as many values as were just counted.
        let code = unsafe { (self.api.run)(self.model, clocks as u64, when, rows.as_ptr(), out.as_mut_ptr()) };
        self.answer(code)
    }

    fn expect(&self, port: &str) -> usize {
        self.number(port)
            .unwrap_or_else(|| panic!("`{}` has no port `{port}`; it has {:?}", self.top, self.numbers.keys()))
    }

    fn answer(&self, code: c_int) -> Result<(), VerilatorError> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the shim answers a string that lives until its next call.
        let message = unsafe { CStr::from_ptr((self.api.failure)(self.model)) }.to_string_lossy().into_owned();
        Err(VerilatorError::Stopped { top: self.top.clone(), message })
    }
}

impl Drop for VerilatedBlock {
    fn drop(&mut self) {
        // SAFETY: made by `rayman_new`, not used after this; the library is closed later.
        unsafe { (self.api.delete)(self.model) }
    }
}
