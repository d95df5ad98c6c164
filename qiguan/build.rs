//! Which commit the program is built from: `QIGUAN_COMMIT` in the environment, or what git says of the folder.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=QIGUAN_COMMIT");
    // It grows with every commit and every change of branch.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let given = std::env::var("QIGUAN_COMMIT").ok();
    let commit = given
        .filter(|commit| !commit.is_empty())
        .or_else(|| git(&["rev-parse", "--short=12", "HEAD"]))
        .unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=QIGUAN_COMMIT={commit}");
}

/// The line that git answers; none without git, or outside of a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
