//! Where a command of `qiguan admin` is carried out: in the record itself, or by a server that runs on it.

use anyhow::Context;
use hyper::Method;
use qiguan_client::{
    address::Address,
    identity::{Identity, WhoArgs},
    server::{Server, answer::Answer, segment},
    tls::TrustArgs,
    unencrypted::UnencryptedArgs,
};
use qiguan_protocol::{ids::Token, profile::Profile};
use serde::{Serialize, de::DeserializeOwned};

use crate::cli::records::RecordsArgs;

/// Where a command is carried out.
#[derive(clap::Args, Debug)]
pub(super) struct PlaceArgs {
    /// Send the command to this server, such as https://HOST, as a moderator or admin, with the token of `qiguan login` or
    /// `QIGUAN_TOKEN` with `QIGUAN_SERVER`. Without URL: `QIGUAN_SERVER`, or else the server on this machine. Without --server
    /// the record is changed directly.
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "")]
    server: Option<String>,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    trust: TrustArgs,
    #[command(flatten)]
    unencrypted: UnencryptedArgs,
    #[command(flatten)]
    pub(super) records: RecordsArgs,
}

impl PlaceArgs {
    /// The server, if one is to be asked.
    ///
    /// # Errors
    /// When this is no server's address, or nobody is known there.
    pub(super) fn server(&self) -> anyhow::Result<Option<Staffed>> {
        let url = self.server.as_deref();
        url.map(|url| self.staffed(Some(url).filter(|url| !url.is_empty())))
            .transpose()
    }

    fn staffed(&self, url: Option<&str>) -> anyhow::Result<Staffed> {
        let Address { server, game } = Address::named(url)?;
        anyhow::ensure!(game.is_none(), "--server: this is the address of a game");
        let identity = Identity::of(&self.who, &server)?;
        let token = identity.token()?.with_context(|| {
            format!("this needs a moderator of {server}: qiguan login {server} NAME, or QIGUAN_TOKEN with QIGUAN_SERVER={server}")
        })?;
        self.unencrypted.allow(&server)?;
        let server = Server::new(server, &self.trust)?;
        Ok(Staffed { server, token })
    }
}

/// A server, and who one is there.
pub(super) struct Staffed {
    server: Server,
    token: Token,
}

impl Staffed {
    /// The account of this name.
    ///
    /// # Errors
    /// When no account has this name, or the server does not answer.
    pub(super) async fn account(&self, name: &str) -> anyhow::Result<Profile> {
        let name = segment(name);
        self.shows(&format!("/api/players?name={name}")).await
    }

    /// Reads what is not for everybody.
    ///
    /// # Errors
    /// When the server does not answer, or what it says when it refuses.
    pub(super) async fn shows<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.server.get(path, Some(&self.token)).await
    }

    /// Asks the server to carry it out.
    ///
    /// # Errors
    /// When the server does not answer, or what it says when it refuses.
    pub(super) async fn does(
        &self,
        method: Method,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<Answer> {
        self.server
            .ask(method, path, Some(&self.token), Some(body))
            .await
    }
}
