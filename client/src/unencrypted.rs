//! Unencrypted connections, which others on the way can read: when the client warns or refuses.

use std::io::Write;

use super::address::Origin;

/// Whether a secret may go over a connection that is not encrypted.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct UnencryptedArgs {
    /// Send passwords and tokens to an http:// server on another machine, although others on the network can read them.
    #[arg(long)]
    unencrypted: bool,
}

impl UnencryptedArgs {
    /// Whether what is secret may be sent to a server.
    ///
    /// # Errors
    /// When others could read it, and nobody insists.
    pub fn allow(self, server: &Origin) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.unencrypted || is_safe(server),
            "{server} is another machine, and the connection would not be encrypted: others on the network could read the password or token. Use https://, or allow it with --unencrypted"
        );
        Ok(())
    }
}

/// Says that others can read along, if it is so. A game among friends in one house may go on.
pub fn warn(server: &Origin) {
    if !is_safe(server) {
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(
            std::io::stderr(),
            "qiguan: the connection to {server} is not encrypted: others on the network can read it and play in your name"
        );
    }
}

fn is_safe(server: &Origin) -> bool {
    server.is_encrypted() || server.is_here()
}
