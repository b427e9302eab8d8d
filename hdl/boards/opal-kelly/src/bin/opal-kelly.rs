//! Writes a board's project into a folder: `opal-kelly BOARD FOLDER`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use rayman_opal_kelly::project::{files, system, File, Model};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [board, folder] = arguments.as_slice() else {
        eprintln!("error: usage: opal-kelly BOARD FOLDER");
        return ExitCode::from(2);
    };
    match write(board, Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn write(board: &str, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let model: Model = board.parse()?;
    fs::create_dir_all(folder).map_err(|error| format!("cannot make folder {}: {error}", folder.display()))?;
    let system = File { name: "system.v", text: system()? };
    for file in files(model)?.into_iter().chain([system]) {
        let path = folder.join(file.name);
        fs::write(&path, file.text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}
