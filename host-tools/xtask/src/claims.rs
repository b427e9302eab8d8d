//! `cargo xtask check-seeds`: a claim is worth its test.
//!
//! Every clause in `seeds/*.md` and every row of `docs/testplan.md` names at least one test, as
//! `` `path/of/file.rs::test_function` ``, the path from the workspace's root. This finds claims that name none, tests
//! that do not exist, functions that no test runner runs, and clauses whose number is used twice or out of order. A test of
//! the cocotb suite is named in the same way, its file ending in `.py`.
//!
//! That much is read from the sources. `--built` also builds the tests and asks them for their lists, which shows a
//! file that no crate includes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{announce, cargo};
use crate::{workspace, CheckFailed};

/// Arguments of `check-seeds`.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Also builds the tests and looks for each named one in their lists.
    #[arg(long)]
    pub built: bool,
}

/// Checks the project's claims.
pub fn run(args: &Args) -> Result<()> {
    let mut checked = check(workspace::root())?;
    if args.built && checked.faults.is_empty() {
        checked.faults = missing_from_lists(&checked.functions, &test_lists()?);
    }
    if !checked.faults.is_empty() {
        let list = checked.faults.join("\n  ");
        let help = "help: name an existing test as `path/of/file.rs::test_function`, or write it";
        return Err(CheckFailed(format!("claims without a test:\n  {list}\n{help}")).into());
    }
    let exist = if args.built { "all of them are built" } else { "all of them exist" };
    println!("{} claims name {} tests, and {exist}", checked.claims, checked.functions.len());
    Ok(())
}

/// What every test binary of the workspace answers to `--list`.
fn test_lists() -> Result<String> {
    let mut list = cargo();
    list.args(["test", "--workspace", "--quiet", "--lib", "--bins", "--tests", "--", "--list", "--format", "terse"]);
    announce("cargo test --workspace -- --list");
    let output = list.output().context("cannot start cargo")?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(CheckFailed(format!("the tests cannot be listed:\n{errors}")).into());
    }
    String::from_utf8(output.stdout).context("a test has a name that is not UTF-8")
}

/// The named tests that are in no list, one line each.
fn missing_from_lists(functions: &BTreeSet<(String, String)>, lists: &str) -> Vec<String> {
    // A line is `module::path::function: test`; a suite's macro puts the device's module before or after the name.
    let listed: BTreeSet<_> =
        lists.lines().filter_map(|line| line.strip_suffix(": test")).flat_map(|path| path.split("::")).collect();
    functions
        .iter()
        .filter(|(file, function)| !is_python(file) && !listed.contains(function.as_str()))
        .map(|(file, function)| format!("{file}::{function}: no test binary has it"))
        .collect()
}

/// What a check found.
#[derive(Debug, Default)]
struct Checked {
    /// Clauses and test plan rows.
    claims: usize,
    /// Tests named: file and function.
    functions: BTreeSet<(String, String)>,
    /// One line a fault, with file and line.
    faults: Vec<String>,
}

fn check(root: &Path) -> Result<Checked> {
    let mut checked = Checked::default();
    let mut sources = Sources { root, read: BTreeMap::new() };
    for page in pages(root)? {
        let text = fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
        let name = page.strip_prefix(root).unwrap_or(&page).display().to_string();
        let kind = if name.starts_with("seeds") { Kind::Seeds } else { Kind::TestPlan };
        check_page(&mut checked, &mut sources, kind, &name, &text)?;
    }
    Ok(checked)
}

/// The pages that make claims, in order.
fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = root.join("seeds");
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages.push(root.join("docs/testplan.md"));
    Ok(pages)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Rows whose first cell is a clause number, such as S1-001.
    Seeds,
    /// All rows of all tables.
    TestPlan,
}

fn check_page(checked: &mut Checked, sources: &mut Sources, kind: Kind, name: &str, text: &str) -> Result<()> {
    let mut last_clause = String::new();
    let lines: Vec<_> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let Some(first_cell) = first_cell(line) else { continue };
        let place = format!("{name}:{}", index + 1);
        match kind {
            Kind::Seeds => {
                if !is_clause_number(first_cell) {
                    continue;
                }
                if *first_cell <= *last_clause {
                    checked.faults.push(format!("{place}: {first_cell} does not follow {last_clause}"));
                }
                last_clause = first_cell.to_owned();
            }
            Kind::TestPlan => {
                // The row above a separator is a table's head.
                let is_head = lines.get(index + 1).is_some_and(|next| is_separator(next));
                if is_head || is_separator(line) {
                    continue;
                }
            }
        }
        checked.claims += 1;
        let references = references(line);
        if references.is_empty() {
            checked.faults.push(format!("{place}: {first_cell}: names no test"));
        }
        for (file, function) in references {
            checked.functions.insert((file.to_owned(), function.to_owned()));
            if let Some(fault) = sources.fault(file, function)? {
                checked.faults.push(format!("{place}: {first_cell}: {file}::{function}: {fault}"));
            }
        }
    }
    Ok(())
}

/// The first cell of a table row.
fn first_cell(line: &str) -> Option<&str> {
    line.trim().strip_prefix('|')?.split('|').next().map(str::trim)
}

fn is_separator(line: &str) -> bool {
    first_cell(line).is_some_and(|cell| cell.starts_with("---"))
}

/// Such as S1-001.
fn is_clause_number(cell: &str) -> bool {
    let Some((system, number)) = cell.strip_prefix('S').and_then(|rest| rest.split_once('-')) else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(system) && digits(number)
}

/// The tests that a line names: file and function.
fn references(line: &str) -> Vec<(&str, &str)> {
    line.split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|code| code.rsplit_once("::"))
        .filter(|(file, function)| (file.ends_with(".rs") || is_python(file)) && is_identifier(function))
        .collect()
}

fn is_python(file: &str) -> bool {
    file.ends_with(".py")
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_identifier_byte)
}

fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Source files, each read once. `None` for one that does not exist.
struct Sources<'a> {
    root: &'a Path,
    read: BTreeMap<String, Option<String>>,
}

impl Sources<'_> {
    /// What is wrong with a reference, if anything.
    fn fault(&mut self, file: &str, function: &str) -> Result<Option<&'static str>> {
        let Some(source) = self.text(file)? else { return Ok(Some("there is no such file")) };
        if is_python(file) {
            return Ok(find_in_python(source, function).fault());
        }
        let found = find(source, function);
        if found != Found::Function {
            return Ok(found.fault());
        }
        // A suite in several files is listed in the file that its folder is named after.
        let suite = Path::new(file).parent().map(|folder| folder.with_extension("rs").display().to_string());
        let listed = match suite {
            Some(suite) => self.text(&suite)?.is_some_and(|source| lists(source, function)),
            None => false,
        };
        Ok(if listed { None } else { found.fault() })
    }

    /// The text of a source file, `None` if it does not exist.
    fn text(&mut self, file: &str) -> Result<Option<&str>> {
        if !self.read.contains_key(file) {
            let path = self.root.join(file);
            let text = match path.is_file() {
                true => Some(fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?),
                false => None,
            };
            self.read.insert(file.to_owned(), text);
        }
        Ok(self.read.get(file).and_then(Option::as_deref))
    }
}

/// What a source text has under a function's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    /// A function that is no test in this file.
    Function,
    Ignored,
    Test,
}

impl Found {
    fn fault(self) -> Option<&'static str> {
        match self {
            Found::Nothing => Some("there is no such function in the file"),
            Found::Function => Some("it is a function, but no test runs it"),
            Found::Ignored => Some("it is ignored"),
            Found::Test => None,
        }
    }
}

/// Looks for a test function: one with `#[test]` above it, or one that a suite's macro [lists](lists).
fn find(source: &str, function: &str) -> Found {
    let lines: Vec<_> = source.lines().map(str::trim).collect();
    let Some(definition) = lines.iter().position(|line| defines(line, function)) else {
        return if is_made_by_a_macro(&lines, function) { Found::Test } else { Found::Nothing };
    };
    let attributes: Vec<_> = lines[..definition]
        .iter()
        .rev()
        .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
        .filter(|line| line.starts_with("#["))
        .collect();
    if attributes.iter().any(|line| line.starts_with("#[ignore")) {
        Found::Ignored
    } else if attributes.iter().any(|line| line.starts_with("#[test]")) || lists(source, function) {
        Found::Test
    } else {
        Found::Function
    }
}

/// Looks for a test function of the cocotb suite, below `@test`, or of its unit tests, `test_` by name.
fn find_in_python(source: &str, function: &str) -> Found {
    let lines: Vec<_> = source.lines().map(str::trim).collect();
    let definition = format!("def {function}(");
    let is_definition = |line: &&str| line.strip_prefix("async ").unwrap_or(line).starts_with(&definition);
    match lines.iter().position(is_definition) {
        None => Found::Nothing,
        Some(at) if function.starts_with("test_") || at > 0 && lines[at - 1].starts_with("@test(") => Found::Test,
        Some(_) => Found::Function,
    }
}

/// Whether the file has a macro that makes tests under the names it is given, and the name is given: `name: what;`.
fn is_made_by_a_macro(lines: &[&str], function: &str) -> bool {
    let makes_tests = lines.windows(2).any(|pair| pair[0] == "#[test]" && pair[1].starts_with("fn $name("));
    makes_tests && lines.iter().any(|line| line.strip_prefix(function).is_some_and(|rest| rest.starts_with(':')))
}

/// Whether a suite's macro lists a function: a line with nothing but its name, and perhaps a comma or semicolon.
fn lists(source: &str, function: &str) -> bool {
    source.lines().any(|line| line.trim().trim_end_matches([',', ';']) == function)
}

/// Whether a line defines the function: `fn name` and then no further letter of a name.
fn defines(line: &str, function: &str) -> bool {
    if line.starts_with("//") {
        return false;
    }
    line.split("fn ").skip(1).any(|rest| {
        rest.strip_prefix(function)
            .is_some_and(|after| after.bytes().next().is_some_and(|byte| !is_identifier_byte(byte)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
#[test]
fn it_works() {}

#[test]
#[should_panic]
/// Says why.
fn it_is_documented() {}

fn a_helper() {}

#[test]
#[ignore]
fn it_sleeps() {}

fn in_the_suite<B: Bench>(bench: &mut B) {}

// fn in_a_comment() {}

suite! {
    in_the_suite,
}

macro_rules! operators {
    ($($name:ident: $operator:ident;)*) => {$(
        #[test]
        fn $name() { check(Operator::$operator) }
    )*};
}

operators! {
    product: Product;
}
";

    const PYTHON: &str = "\
@test(frames=FRAMES)
async def picture(bench, frame):
    pass


async def helper(bench):
    pass


class Rules(unittest.TestCase):
    def test_a_rule(self):
        pass
";

    /// A small project with one seeds page, a test plan and a source file; answers the faults found.
    fn faults(seeds: &str, testplan: &str) -> Vec<String> {
        let root = tempfile::tempdir().expect("a scratch folder");
        for folder in ["seeds", "docs", "src"] {
            fs::create_dir(root.path().join(folder)).expect("a folder");
        }
        fs::write(root.path().join("seeds/S1.md"), seeds).expect("seeds");
        fs::write(root.path().join("docs/testplan.md"), testplan).expect("test plan");
        fs::write(root.path().join("src/lib.rs"), SOURCE).expect("source");
        fs::write(root.path().join("src/suite.py"), PYTHON).expect("source");
        fs::create_dir(root.path().join("src/suite")).expect("a folder");
        fs::write(root.path().join("src/suite.rs"), "suite! {\n    in_a_part\n}\n").expect("a suite");
        let part = "pub fn in_a_part() {}\npub fn not_listed() {}\n";
        fs::write(root.path().join("src/suite/part.rs"), part).expect("a part of the suite");
        check(root.path()).expect("everything can be read").faults
    }

    #[test]
    fn existing_tests_are_found() {
        let seeds = "\
| clause | origin | what | tests |
| --- | --- | --- | --- |
| S1-001 | specified | It works. | `src/lib.rs::it_works` |
| S1-002 | assumed | It is one of two. | `src/lib.rs::it_is_documented` `src/lib.rs::in_the_suite` |
| S1-003 | assumed | It is in a part of a suite. | `src/suite/part.rs::in_a_part` |
| S1-004 | assumed | A macro makes it. | `src/lib.rs::product` |
| S1-005 | assumed | cocotb runs it. | `src/suite.py::picture` `src/suite.py::test_a_rule` |
";
        let testplan = "| feature | tests |\n| --- | --- |\n| all | `src/lib.rs::it_works` |\n";
        assert_eq!(faults(seeds, testplan), [""; 0]);
    }

    #[test]
    fn a_missing_test_is_noticed() {
        let clause = |reference: &str| faults(&format!("| S1-001 | assumed | Text. | {reference} |\n"), "");
        for (reference, fault) in [
            ("`src/lib.rs::it_is_gone`", "no such function"),
            ("`src/lib.rs::quotient`", "no such function"),
            ("`src/suite/part.rs::product`", "no such function"),
            ("`src/lib.rs::it`", "no such function"),
            ("`src/lib.rs::it_works_too`", "no such function"),
            ("`src/lib.rs::in_a_comment`", "no such function"),
            ("`src/gone.rs::it_works`", "no such file"),
            ("`src/lib.rs::a_helper`", "no test runs it"),
            ("`src/suite/part.rs::not_listed`", "no test runs it"),
            ("`src/lib.rs::it_sleeps`", "ignored"),
            ("`src/suite.py::pic`", "no such function"),
            ("`src/suite.py::helper`", "no test runs it"),
            ("`src/gone.py::picture`", "no such file"),
            ("to be written", "names no test"),
        ] {
            let found = clause(reference);
            assert_eq!(found.len(), 1, "{reference}: {found:?}");
            assert!(found[0].starts_with("seeds/S1.md:1: S1-001: ") && found[0].contains(fault), "{found:?}");
        }
    }

    #[test]
    fn a_missing_test_in_the_test_plan_is_noticed() {
        let testplan = "\
| feature | tests |
| --- | --- |
| one | `src/lib.rs::it_works` |
| two | `src/lib.rs::gone` |
| three | none yet |
";
        let found = faults("", testplan);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("docs/testplan.md:4: two: src/lib.rs::gone"), "{found:?}");
        assert!(found[1].starts_with("docs/testplan.md:5: three: names no test"), "{found:?}");
    }

    #[test]
    fn clauses_are_numbered_in_order_and_once() {
        let row = |number: u32| format!("| S1-{number:03} | assumed | Text. | `src/lib.rs::it_works` |\n");
        assert_eq!(faults(&(row(1) + &row(2)), ""), [""; 0]);
        for (first, second) in [(2, 1), (1, 1)] {
            let found = faults(&(row(first) + &row(second)), "");
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains("does not follow"), "{found:?}");
        }
    }

    #[test]
    fn a_test_that_no_binary_has_is_noticed() {
        let functions =
            [("lib.rs", "it_works"), ("lib.rs", "in_the_suite"), ("lib.rs", "forgotten"), ("suite.py", "picture")];
        let functions = functions.map(|(file, name)| (format!("src/{file}"), name.to_owned()));
        let lists = "tests::it_works: test\nin_the_suite::model: test\nforgotten: benchmark\n\n2 tests, 1 benchmark\n";
        let missing = missing_from_lists(&BTreeSet::from(functions), lists);
        assert_eq!(missing, ["src/lib.rs::forgotten: no test binary has it"]);
    }

    #[test]
    fn a_missing_page_is_an_error() {
        let root = tempfile::tempdir().expect("a scratch folder");
        check(root.path()).expect_err("there is no seeds folder");
        fs::create_dir(root.path().join("seeds")).expect("a folder");
        check(root.path()).expect_err("there is no test plan");
    }

    #[test]
    fn the_claims_of_the_repository_hold() {
        let checked = check(workspace::root()).expect("everything can be read");
        assert_eq!(checked.faults, [""; 0]);
        assert!(checked.claims > 0, "a page that claims nothing is no proof");
    }
}
