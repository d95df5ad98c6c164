//! Where an act is done: in the record itself, or by a server that runs on it.

use anyhow::Context;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qiguan_protocol::{ids::Token, profile::Profile};
use reqwest::{Method, Response};
use serde::{Serialize, de::DeserializeOwned};

use crate::cli::{
    client::{
        address::{self, Address},
        identity::Identities,
    },
    records::RecordsArgs,
};

/// Where an act is done.
#[derive(clap::Args, Debug)]
pub(super) struct PlaceArgs {
    /// Ask this server for it, such as http://127.0.0.1:8080, as a moderator or admin: the token is that of `qiguan login`, or
    /// `QIGUAN_TOKEN`. Without it the record is changed itself.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    #[command(flatten)]
    pub(super) records: RecordsArgs,
}

impl PlaceArgs {
    /// The server, if one is to be asked.
    ///
    /// # Errors
    /// When this is no server's address, or nobody is known there.
    pub(super) fn server(&self) -> anyhow::Result<Option<Server>> {
        self.server.as_deref().map(Server::at).transpose()
    }
}

/// A server, and who one is there.
pub(super) struct Server {
    address: String,
    token: Token,
}

impl Server {
    fn at(url: &str) -> anyhow::Result<Self> {
        let Address {
            server: address,
            game,
        } = Address::parse(url)?;
        anyhow::ensure!(game.is_none(), "{url}: this is the address of a game");
        let token = Identities::of_user()?.token(&address)?;
        let token = token.context("this needs a moderator: qiguan login, or QIGUAN_TOKEN")?;
        Ok(Self { address, token })
    }

    /// The account of this name.
    ///
    /// # Errors
    /// When there is none, or the server does not answer.
    pub(super) async fn account(&self, name: &str) -> anyhow::Result<Profile> {
        let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
        self.shows(&format!("/api/players?name={name}")).await
    }

    /// Reads what is not for everybody.
    ///
    /// # Errors
    /// When the server does not answer, or what it says when it refuses.
    pub(super) async fn shows<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        address::get_as(&self.address, path, Some(&self.token)).await
    }

    /// Asks for an act.
    ///
    /// # Errors
    /// When the server does not answer, or what it says when it refuses.
    pub(super) async fn does(
        &self,
        method: Method,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<Response> {
        let body = serde_json::to_value(body)?;
        address::ask(method, &self.address, path, Some(&self.token), Some(&body)).await
    }
}
