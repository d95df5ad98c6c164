//! How a password is asked for: on the terminal without showing it, or as a line of standard input. Never as an argument, which
//! others on the machine can read.

use std::io::{BufRead, IsTerminal};

use anyhow::Context;
use qiguan_protocol::account::Password;

/// Asks for the password that somebody has.
///
/// # Errors
/// When nothing can be read.
pub fn password(prompt: &str) -> anyhow::Result<Password> {
    if std::io::stdin().is_terminal() {
        let text = rpassword::prompt_password(prompt).context("asking for the password")?;
        return Ok(Password::new(text));
    }
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    anyhow::ensure!(
        read.context("reading the password from standard input")? > 0,
        "no password on standard input"
    );
    Ok(Password::new(line.trim_end_matches(['\r', '\n'])))
}

/// Asks for a new password; on a terminal twice.
///
/// # Errors
/// When nothing can be read, or the second is not the first.
pub fn new_password() -> anyhow::Result<Password> {
    let first = password("New password: ")?;
    if std::io::stdin().is_terminal() {
        let second = password("Repeat: ")?;
        anyhow::ensure!(first == second, "the passwords differ");
    }
    Ok(first)
}
