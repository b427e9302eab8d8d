//! A block as one readable Verilog file.
//!
//! rust-hdl writes a module an instance and puts `$` into names. Here the text is put right:
//!
//! ```text
//!  block -> connection, loop and input checks -> rust-hdl's text -> tokens -> modules
//!        -> identical modules merged, modules named after what they are, `a$b` -> `a_b`, top renamed -> text
//! ```
//!
//! What always holds of the result: names are legal in every tool (no `$`, no reserved word), no two names of a module
//! fall together, no module is there twice or unused, and the same block gives the same text. Names of the top's ports
//! are the fields' names joined with `_`. Anything that cannot be put right is an error that names the culprit.

pub mod blocks;
mod inputs;
pub mod registered;
pub mod text;
mod widening;

use self::text::{Kind, Module, Port, Token};
use rust_hdl_core::prelude::{check_all, generate_verilog_unchecked, Block};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// What rust-hdl calls the root.
const ROOT: &str = "top";

/// A block cannot be written as Verilog.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// rust-hdl's own checks found an undriven signal, a loop, or a write to an input.
    #[error("the block fails rust-hdl's checks: {0}")]
    Check(String),
    /// A kernel reads an input of one of its parts, which it drives itself: Verilog reads what is driven, Rust what was taken over.
    #[error("the kernel of `{block}` reads `{input}`, an input of its own part: read what drives it")]
    PartsInput {
        /// Path of the block.
        block: String,
        /// The input.
        input: String,
    },
    /// rust-hdl's generator gave up, such as on an index that it cannot evaluate.
    #[error("rust-hdl cannot write the block as Verilog: {0}")]
    Generation(String),
    /// No such core.
    #[error(transparent)]
    Core(#[from] crate::top::NoSuchCore),
    /// Two names are one once `$` is `_`.
    #[error("in module `{module}` the names `{first}` and `{second}` both become `{legal}`: rename one of the fields")]
    Collision {
        /// Module, as rust-hdl names it.
        module: String,
        /// One name.
        first: String,
        /// The other.
        second: String,
        /// What both become.
        legal: String,
    },
    /// A field is named like a word of the language.
    #[error("in module `{module}` the name `{name}` is a reserved word of Verilog or SystemVerilog: rename the field")]
    Reserved {
        /// Module, as rust-hdl names it.
        module: String,
        /// The name.
        name: String,
    },
    /// A kernel matched on a `Bit`: rust-hdl writes Rust's `true`, which is no Verilog.
    #[error("module `{module}` uses the name `{name}`: a `match` on a Bit has no Verilog, use `if`")]
    BoolLiteral {
        /// Module, as rust-hdl names it.
        module: String,
        /// `true` or `false`.
        name: String,
    },
    /// A cast gives a sum, difference or complement more bits than it has: Verilog computes in those, Rust does not.
    #[error("in module `{module}` the cast `{cast}` widens arithmetic, which Verilog then does in more bits: put it into a local signal of its exact width first")]
    WideningCast {
        /// Module, as rust-hdl names it.
        module: String,
        /// The cast.
        cast: String,
    },
    /// Two different texts for modules of one name.
    #[error("there are two different modules named `{0}`")]
    DifferentModules(String),
    /// The text has no such module.
    #[error("there is no module named `{0}`")]
    NoModule(String),
    /// A port's range is not made of plain numbers.
    #[error("module `{0}` has a port whose width is not a plain number")]
    PortWidth(String),
}

/// Writes a block as Verilog whose root module is named `top`. Connects nothing: call `connect_all` first.
pub fn emit<B: Block>(block: &B, top: &str) -> Result<String, EmitError> {
    check_all(block).map_err(|error| EmitError::Check(format!("{error:?}")))?;
    if let Some((block, input)) = inputs::first(block) {
        return Err(EmitError::PartsInput { block, input });
    }
    let raw = catch_unwind(AssertUnwindSafe(|| generate_verilog_unchecked(block))).map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        EmitError::Generation(text.unwrap_or_else(|| "its generator panicked".to_owned()))
    })?;
    tidy(&raw, top)
}

/// The ports of a module of Verilog text, in the order of their declaration.
pub fn ports(verilog: &str, module: &str) -> Result<Vec<Port>, EmitError> {
    let tokens = text::tokens(verilog);
    let modules = text::modules(&tokens);
    let found = modules
        .iter()
        .find(|candidate| candidate.name == module)
        .ok_or_else(|| EmitError::NoModule(module.to_owned()))?;
    found.ports().ok_or_else(|| EmitError::PortWidth(module.to_owned()))
}

/// The second half of [`emit`], on rust-hdl's text.
pub fn tidy(raw: &str, top: &str) -> Result<String, EmitError> {
    let tokens = text::tokens(raw);
    let modules = text::modules(&tokens);
    let mut design = Design::new(&modules)?;
    let root = *design.by_name.get(ROOT).ok_or_else(|| EmitError::NoModule(ROOT.to_owned()))?;
    design.merge(root);
    for &at in &design.order {
        check_names(&modules[at])?;
    }
    let names = design.names(root, top)?;
    let mut order: Vec<usize> = design.kept();
    order.sort_by(|&a, &b| (a != root, &names[&a]).cmp(&(b != root, &names[&b])));
    let mut out = format!(
        "// {top}: {} modules. Made by the emitter of rayman-rtl from blocks written in rust-hdl; `cargo xtask rtl` makes the\n\
         // core's file anew. Do not edit: change the Rust source.\n",
        order.len()
    );
    for at in order {
        out.push('\n');
        design.write(at, &names, &mut out);
        out.push('\n');
    }
    Ok(out)
}

/// `a$b` as a legal name.
fn legal(name: &str) -> String {
    name.replace('$', "_")
}

fn check_names(module: &Module<'_>) -> Result<(), EmitError> {
    if let Some(name) = module.reserved_names().first() {
        return Err(EmitError::Reserved { module: module.name.to_owned(), name: (*name).to_owned() });
    }
    if let Some(cast) = widening::first(module) {
        return Err(EmitError::WideningCast { module: module.name.to_owned(), cast });
    }
    let mut seen: HashMap<String, &str> = HashMap::new();
    let mut after_dot = false;
    for (_, token) in module.solid() {
        if token.kind == Kind::Identifier && !after_dot {
            if matches!(token.text, "true" | "false") {
                return Err(EmitError::BoolLiteral { module: module.name.to_owned(), name: token.text.to_owned() });
            }
            let name = legal(token.text);
            match seen.get(&name) {
                Some(&first) if first != token.text => {
                    return Err(EmitError::Collision {
                        module: module.name.to_owned(),
                        first: first.to_owned(),
                        second: token.text.to_owned(),
                        legal: name,
                    });
                }
                Some(_) => {}
                None if text::is_keyword(&name) => {
                    return Err(EmitError::Reserved { module: module.name.to_owned(), name })
                }
                None => {
                    seen.insert(name, token.text);
                }
            }
        }
        after_dot = token.text == ".";
    }
    Ok(())
}

/// The modules of a text, and which of them are one.
struct Design<'a> {
    modules: &'a [Module<'a>],
    by_name: HashMap<&'a str, usize>,
    /// Reachable modules, children before parents.
    order: Vec<usize>,
    /// Module -> the first one with the same text.
    same_as: HashMap<usize, usize>,
}

impl<'a> Design<'a> {
    fn new(modules: &'a [Module<'a>]) -> Result<Self, EmitError> {
        let mut by_name: HashMap<&str, usize> = HashMap::new();
        for (at, module) in modules.iter().enumerate() {
            if let Some(&first) = by_name.get(module.name) {
                if !modules[first].solid().map(|(_, token)| token.text).eq(module.solid().map(|(_, token)| token.text))
                {
                    return Err(EmitError::DifferentModules(module.name.to_owned()));
                }
            } else {
                by_name.insert(module.name, at);
            }
        }
        Ok(Self { modules, by_name, order: Vec::new(), same_as: HashMap::new() })
    }

    /// The solid tokens, each with the module that it instantiates, if it names an instance's type.
    fn parts(&self, at: usize) -> Vec<(Token<'a>, Option<usize>)> {
        let solid: Vec<Token<'a>> = self.modules[at].solid().map(|(_, token)| token).collect();
        (0..solid.len())
            .map(|place| {
                let child = if Module::is_instance_type(&solid, place) {
                    self.by_name.get(solid[place].text).copied()
                } else {
                    None
                };
                (solid[place], child)
            })
            .collect()
    }

    /// Finds what is reachable from the root and equal, children first (an explicit stack: text decides the depth).
    fn merge(&mut self, root: usize) {
        let mut keys: HashMap<String, usize> = HashMap::new();
        let mut entered: HashSet<usize> = HashSet::new();
        let mut stack = vec![(root, false)];
        while let Some((at, children_done)) = stack.pop() {
            let parts = match children_done {
                false if !entered.insert(at) => continue,
                _ => self.parts(at),
            };
            if !children_done {
                stack.push((at, true));
                stack.extend(parts.iter().filter_map(|(_, child)| child.map(|child| (child, false))));
                continue;
            }
            let mut key = String::with_capacity(parts.len() * 8);
            let mut name_passed = false;
            for (token, child) in &parts {
                match child {
                    Some(child) => key.push_str(&format!("#{}", self.same_as.get(child).copied().unwrap_or(*child))),
                    None if !name_passed && token.text == self.modules[at].name => name_passed = true,
                    None => key.push_str(token.text),
                }
                key.push(' ');
            }
            // Of equal modules the one with a name of its own (a core) stands for all.
            let first = *keys.entry(key).or_insert(at);
            self.same_as.insert(at, first);
            self.order.push(at);
        }
    }

    fn kept(&self) -> Vec<usize> {
        self.order.iter().copied().filter(|at| self.same_as[at] == *at).collect()
    }

    /// A name for each module that is kept: `top` for the root, a core's own name, `top_` and the field's name for the rest.
    fn names(&self, root: usize, top: &str) -> Result<HashMap<usize, String>, EmitError> {
        let mut groups: BTreeMap<usize, Vec<&'a str>> = BTreeMap::new();
        for &at in &self.order {
            groups.entry(self.same_as[&at]).or_default().push(self.modules[at].name);
        }
        let mut names = HashMap::from([(root, top.to_owned())]);
        let mut taken = HashSet::from([top.to_owned()]);
        let is_path = |name: &str| name == ROOT || name.strip_prefix(ROOT).is_some_and(|rest| rest.starts_with('$'));
        for (&kept, members) in groups.iter_mut() {
            members.sort_unstable();
            if let Some(own) = members.iter().find(|name| !is_path(name)) {
                let name = legal(own);
                if !taken.insert(name.clone()) {
                    return Err(EmitError::DifferentModules(name));
                }
                names.insert(kept, name);
            }
        }
        for (&kept, members) in &groups {
            if names.contains_key(&kept) {
                continue;
            }
            let name = self.path_name(kept, members, top, &taken);
            taken.insert(name.clone());
            names.insert(kept, name);
        }
        Ok(names)
    }

    fn path_name(&self, kept: usize, members: &[&str], top: &str, taken: &HashSet<String>) -> String {
        let mut candidates: Vec<String> =
            flip_flop_name(&self.modules[kept]).into_iter().map(|name| format!("{top}_{name}")).collect();
        // The shortest tail of the path that is free, without the numbers of array elements.
        let path: Vec<&str> = members[0].split('$').skip(1).filter(|part| part.parse::<u32>().is_err()).collect();
        candidates.extend((1..=path.len()).map(|length| format!("{top}_{}", path[path.len() - length..].join("_"))));
        let base = candidates.first().cloned().unwrap_or_else(|| format!("{top}_block"));
        candidates.into_iter().find(|name| !taken.contains(name)).unwrap_or_else(|| {
            (2u32..).map(|number| format!("{base}_{number}")).find(|name| !taken.contains(name)).unwrap_or(base.clone())
        })
    }

    fn write(&self, at: usize, names: &HashMap<usize, String>, out: &mut String) {
        let module = &self.modules[at];
        let solid: Vec<(usize, Token<'a>)> = module.solid().collect();
        let plain: Vec<Token<'a>> = solid.iter().map(|(_, token)| *token).collect();
        let mut renamed: HashMap<usize, String> = HashMap::new();
        let mut named = false;
        for (place, (position, token)) in solid.iter().enumerate() {
            let child = if Module::is_instance_type(&plain, place) { self.by_name.get(token.text) } else { None };
            if let Some(child) = child {
                renamed.insert(*position, names[&self.same_as[child]].clone());
            } else if !named && token.kind == Kind::Identifier && token.text == module.name {
                renamed.insert(*position, names[&at].clone());
                named = true;
            } else if token.kind == Kind::Identifier && token.text.contains('$') {
                renamed.insert(*position, legal(token.text));
            }
        }
        let mut blank_lines = 0;
        for (position, token) in module.tokens.iter().enumerate() {
            let text = renamed.get(&position).map_or(token.text, String::as_str);
            if token.kind != Kind::Space {
                blank_lines = 0;
                out.push_str(text.trim_end());
                continue;
            }
            // No blanks at line ends, at most one empty line.
            let mut lines = text.split('\n');
            let first = lines.next().unwrap_or("");
            let rest: Vec<&str> = lines.collect();
            match rest.last() {
                None => out.push_str(first),
                Some(indent) => {
                    for _ in 0..rest.len().min(2usize.saturating_sub(blank_lines)) {
                        out.push('\n');
                        blank_lines += 1;
                    }
                    out.push_str(indent);
                }
            }
        }
    }
}

/// A flip-flop of rust-hdl is found by its text and named by its width and its first value if that is not zero.
fn flip_flop_name(module: &Module<'_>) -> Option<String> {
    let solid: Vec<&str> = module.solid().map(|(_, token)| token.text).collect();
    let tail = ["always", "@", "(", "posedge", "clock", ")", "begin", "q", "<", "=", "d", ";", "end", "endmodule"];
    let initial = ["initial", "begin", "q", "="];
    let at = solid.windows(initial.len()).position(|window| window == initial)? + initial.len();
    let after = solid.get(at + 1..)?.strip_prefix([";", "end"].as_slice())?;
    if after != tail {
        return None;
    }
    let width = module.ports()?.iter().find(|port| port.name == "q")?.width;
    let value = solid[at].split_once('\'').map_or("0", |(_, digits)| digits.trim_start_matches(['h', 'b', 'd']));
    Some(if value.bytes().all(|byte| byte == b'0') {
        format!("dff_{width}")
    } else {
        format!("dff_{width}_init_{value}")
    })
}

#[cfg(test)]
mod tests;
