//! Verilog text as tokens, modules and ports: what the emitter and the Verilator harness need of the language.
//!
//! This is no parser: it knows comments, strings, numbers, identifiers and keywords, where a module begins and ends,
//! which names a declaration introduces, and what instantiates what. That is enough to rename and merge modules.

use std::collections::HashSet;
use std::sync::OnceLock;

/// What a piece of Verilog text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name that is no reserved word.
    Identifier,
    /// A reserved word of Verilog or SystemVerilog.
    Keyword,
    /// A sized or plain number, a string, a system task, a directive, or an escaped name: copied as it is.
    Verbatim,
    /// A comment.
    Comment,
    /// Blanks and line ends.
    Space,
    /// One character of anything else.
    Symbol,
}

/// A piece of Verilog text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// The text itself.
    pub text: &'a str,
}

impl Token<'_> {
    /// Whether it counts for the meaning of the text.
    pub fn is_solid(&self) -> bool {
        !matches!(self.kind, Kind::Comment | Kind::Space)
    }
}

/// Splits text into tokens. Concatenated, they are the text again.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(text.len() / 3);
    let mut at = 0;
    let run = |from: usize, test: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|&byte| !test(byte)).map_or(bytes.len(), |length| from + length)
    };
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    while at < bytes.len() {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let (kind, end) = match bytes[at] {
            byte if byte.is_ascii_whitespace() => (Kind::Space, run(at, &|byte| byte.is_ascii_whitespace())),
            b'/' if next == b'/' => (Kind::Comment, run(at, &|byte| byte != b'\n')),
            b'/' if next == b'*' => {
                (Kind::Comment, text[at + 2..].find("*/").map_or(bytes.len(), |length| at + length + 4))
            }
            b'"' => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != b'"' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                (Kind::Verbatim, (end + 1).min(bytes.len()))
            }
            b'\\' => (Kind::Verbatim, run(at, &|byte| !byte.is_ascii_whitespace())),
            b'$' | b'`' => (Kind::Verbatim, run(at + 1, &is_word)),
            b'\'' if next.is_ascii_alphabetic() => (Kind::Verbatim, run(at + 1, &is_word)),
            byte if byte.is_ascii_digit() => {
                let size = run(at, &|byte| byte.is_ascii_digit() || byte == b'_');
                let based = bytes.get(size) == Some(&b'\'') && bytes.get(size + 1).is_some_and(u8::is_ascii_alphabetic);
                (Kind::Verbatim, if based { run(size + 1, &|byte| is_word(byte) || byte == b'?') } else { size })
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let end = run(at, &is_word);
                (if is_keyword(&text[at..end]) { Kind::Keyword } else { Kind::Identifier }, end)
            }
            _ => (Kind::Symbol, at + text[at..].chars().next().map_or(1, char::len_utf8)),
        };
        out.push(Token { kind, text: &text[at..end] });
        at = end;
    }
    out
}

/// A module: its name and all its tokens, from `module` to `endmodule`, with attributes in front.
#[derive(Clone, Debug)]
pub struct Module<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its text.
    pub tokens: Vec<Token<'a>>,
}

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Whether the module reads it.
    pub is_input: bool,
    /// Number of bits.
    pub width: usize,
}

/// The modules of a text, in its order. A module that does not end is left out.
pub fn modules<'a>(tokens: &[Token<'a>]) -> Vec<Module<'a>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut name = None;
    let mut awaiting = false;
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, token.text) {
            (Kind::Keyword, "module") => awaiting = true,
            (Kind::Identifier, text) if awaiting => {
                name = Some(text);
                awaiting = false;
            }
            (Kind::Keyword, "endmodule") => {
                if let Some(name) = name.take() {
                    // Comments between modules belong to neither; attributes and directives go with what follows.
                    let body = tokens[start..=at].iter();
                    let body = body.copied().skip_while(|token| !token.is_solid()).collect();
                    out.push(Module { name, tokens: body });
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    out
}

/// A name that a declaration introduces, with how it was declared.
struct Declaration<'a> {
    name: &'a str,
    direction: Option<bool>,
    width: Option<usize>,
    is_keyword: bool,
}

impl<'a> Module<'a> {
    /// The tokens that count, with their places in `tokens`.
    pub fn solid(&self) -> impl Iterator<Item = (usize, Token<'a>)> + '_ {
        self.tokens.iter().copied().enumerate().filter(|(_, token)| token.is_solid())
    }

    /// Whether the solid token at a place names the type of an instance: a name that another name or `#` follows.
    pub fn is_instance_type(solid: &[Token<'_>], at: usize) -> bool {
        solid[at].kind == Kind::Identifier
            && solid.get(at + 1).is_some_and(|next| next.kind == Kind::Identifier || next.text == "#")
            && (at == 0 || solid[at - 1].text != ".")
    }

    /// Names of the header `module name(a, b, ...)` that are reserved words, and of every declaration likewise.
    pub fn reserved_names(&self) -> Vec<&'a str> {
        let solid: Vec<_> = self.solid().map(|(_, token)| token).collect();
        let mut bad: Vec<&str> = self
            .declarations(&solid)
            .into_iter()
            .filter(|declaration| declaration.is_keyword)
            .map(|declaration| declaration.name)
            .collect();
        if let Some(open) = solid.iter().position(|token| token.text == "(") {
            let list = solid[open + 1..].iter().take_while(|token| token.text != ")");
            let plain = list.clone().next().is_some_and(|first| !matches!(first.text, "input" | "output" | "inout"));
            if plain {
                bad.extend(list.filter(|token| token.kind == Kind::Keyword).map(|token| token.text));
            }
        }
        bad.sort_unstable();
        bad.dedup();
        bad
    }

    /// The ports in the order of their declaration. A range that is not two plain numbers gives `None`.
    pub fn ports(&self) -> Option<Vec<Port>> {
        let solid: Vec<_> = self.solid().map(|(_, token)| token).collect();
        self.declarations(&solid)
            .into_iter()
            .filter_map(|declaration| declaration.direction.map(|is_input| (declaration, is_input)))
            .map(|(declaration, is_input)| {
                Some(Port { name: declaration.name.to_owned(), is_input, width: declaration.width? })
            })
            .collect()
    }

    /// Declared names with their widths, where the width is two plain numbers.
    pub(super) fn widths(&self, solid: &[Token<'a>]) -> Vec<(&'a str, usize)> {
        let declarations = self.declarations(solid).into_iter();
        declarations.filter_map(|declaration| Some((declaration.name, declaration.width?))).collect()
    }

    fn declarations(&self, solid: &[Token<'a>]) -> Vec<Declaration<'a>> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < solid.len() {
            let opens = solid[at].kind == Kind::Keyword
                && matches!(
                    solid[at].text,
                    "input" | "output" | "inout" | "wire" | "reg" | "integer" | "localparam" | "parameter"
                );
            if !opens {
                at += 1;
                continue;
            }
            let direction = match solid[at].text {
                "input" => Some(true),
                "output" | "inout" => Some(false),
                _ => None,
            };
            at += 1;
            while at < solid.len()
                && matches!(solid[at].text, "wire" | "reg" | "signed" | "integer")
                && !matches!(solid.get(at + 1).map(|token| token.text), Some(";" | "," | "=" | ")"))
            {
                at += 1;
            }
            let mut width = Some(1);
            if solid.get(at).is_some_and(|token| token.text == "[") {
                let end =
                    solid[at..].iter().position(|token| token.text == "]").map_or(solid.len(), |length| at + length);
                width = match &solid[at + 1..end] {
                    [high, colon, low] if colon.text == ":" => {
                        let bounds = (high.text.parse::<usize>().ok(), low.text.parse::<usize>().ok());
                        bounds.0.zip(bounds.1).and_then(|(high, low)| Some(high.checked_sub(low)? + 1))
                    }
                    _ => None,
                };
                at = end + 1;
            }
            // Names of one declaration, commas between them; an initial value or an array range ends the part of interest.
            while let Some(token) = solid.get(at).filter(|token| matches!(token.kind, Kind::Identifier | Kind::Keyword))
            {
                if token.kind == Kind::Keyword
                    && !matches!(solid.get(at + 1).map(|next| next.text), Some(";" | "," | "=" | ")" | "["))
                {
                    break;
                }
                out.push(Declaration { name: token.text, direction, width, is_keyword: token.kind == Kind::Keyword });
                let goes_on = solid.get(at + 1).is_some_and(|next| next.text == ",")
                    && solid.get(at + 2).is_some_and(|next| next.kind == Kind::Identifier);
                at += if goes_on { 2 } else { 1 };
                if !goes_on {
                    break;
                }
            }
        }
        out
    }
}

/// Whether a word is reserved in Verilog-2005 or SystemVerilog-2017 (tools read `.v` files as either).
pub fn is_keyword(word: &str) -> bool {
    static SET: OnceLock<HashSet<&str>> = OnceLock::new();
    SET.get_or_init(|| KEYWORDS.split_ascii_whitespace().collect()).contains(word)
}

/// IEEE 1800-2017, annex B.
const KEYWORDS: &str = "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind \
bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const constraint context \
continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge else end endcase endchecker endclass \
endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram endproperty endsequence \
endspecify endtable endtask enum event eventually expect export extends extern final first_match for force foreach forever fork forkjoin \
function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout \
input inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local localparam logic \
longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output \
package packed parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect \
pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran \
rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small soft \
solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this \
throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until \
until_with untyped use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor";
