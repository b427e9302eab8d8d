//! What an instruction is: its opcode, operands and modifiers, the registers it reads and writes, and where control goes.

mod instruction;
mod opcode;
mod operand;
mod register;

pub use instruction::{Condition, Dpp, Flow, Instruction, Modifiers, Sdwa};
pub use opcode::{Encoding, Family, Implicit, Opcode};
pub(crate) use opcode::{Feature, Row};
pub use operand::{Access, FloatConstant, Kind, Operand, Slot, SourceModifiers, Special, Value};
pub use register::{Register, RegisterRange, RegisterSet, Wave};
