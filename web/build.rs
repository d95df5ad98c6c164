//! Builds the web client, or takes it from where it was built, and writes the table of its files for `embed.rs`.

mod embedding;

use std::process::ExitCode;

fn main() -> ExitCode {
    match embedding::embed() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            for line in problem.lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}
