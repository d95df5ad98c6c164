//! `qiguan completions`: what a shell completes after `qiguan`.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;

/// Writes completions for a shell to standard output.
///
/// bash: qiguan completions bash > /etc/bash_completion.d/qiguan
/// zsh: qiguan completions zsh > /usr/local/share/zsh/site-functions/_qiguan
/// fish: qiguan completions fish > ~/.config/fish/completions/qiguan.fish
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Writes them.
///
/// # Errors
/// When standard output is closed.
pub(crate) fn run(args: &CompletionsArgs, mut program: Command) -> anyhow::Result<()> {
    let name = program.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, name, &mut text);
    Ok(std::io::stdout().lock().write_all(&text)?)
}
