//! Who may read `/metrics`: the operator's Prometheus, and not the world.

use std::{net::IpAddr, path::Path};

use anyhow::Context;
use axum::http::{HeaderMap, HeaderName, Uri, header};
use qiguan_protocol::error::{ApiError, ErrorCode};
use sha2::{Digest, Sha256};

/// The fewest characters of a token.
const LEAST_TOKEN: usize = 16;
/// Headers that proxies add: a request with one of them comes from somewhere else.
const FORWARDED: [&str; 7] = [
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-server",
    "x-real-ip",
];

/// See the module.
pub struct ScrapeAccess {
    /// The hash of the token that is required, so that a comparison tells nothing of the token by the time that it takes.
    token: Option<[u8; 32]>,
    /// Whether the first listener answers at all.
    on_first: bool,
    /// Whether programs on this machine need no token there.
    for_this_machine: bool,
}

impl ScrapeAccess {
    /// With the token in a file, if there is one. `has_own_listener` is whether metrics have a listener of their own, `is_public` whether the server
    /// has a public address.
    ///
    /// # Errors
    /// When the token can't be read, or is too short.
    pub fn new(
        token_file: Option<&Path>,
        has_own_listener: bool,
        is_public: bool,
    ) -> anyhow::Result<Self> {
        let token = token_file.map(token).transpose()?;
        Ok(Self {
            on_first: !has_own_listener,
            // A proxy in front of a public server can be on this machine, and need not add headers: then everybody seems to be here.
            for_this_machine: token.is_none() && !is_public,
            token,
        })
    }

    /// Whether a request may read, by the token that it brings.
    ///
    /// # Errors
    /// `unauthenticated`, `bad_token`.
    pub fn check_token(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let Some(token) = self.token else {
            return Ok(());
        };
        let given = headers.get(header::AUTHORIZATION);
        let given = given.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        match given {
            Some(given) if <[u8; 32]>::from(Sha256::digest(given)) == token => Ok(()),
            Some(_) => Err(ApiError::new(
                ErrorCode::BadToken,
                "this is not the token for metrics",
            )),
            None => Err(ApiError::new(
                ErrorCode::Unauthenticated,
                "metrics require the token of --metrics-token-file",
            )),
        }
    }

    /// Whether a request to the first listener may read.
    ///
    /// # Errors
    /// `forbidden`, `unauthenticated`, `bad_token`.
    pub fn check(&self, peer: IpAddr, headers: &HeaderMap) -> Result<(), ApiError> {
        let closed = |message| Err(ApiError::new(ErrorCode::Forbidden, message));
        if !self.on_first {
            return closed("metrics are at --metrics-listen alone");
        }
        if self.token.is_some() {
            return self.check_token(headers);
        }
        if self.for_this_machine && is_direct(peer, headers) {
            return Ok(());
        }
        closed("metrics are not public: set --metrics-listen or --metrics-token-file")
    }
}

fn token(file: &Path) -> anyhow::Result<[u8; 32]> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("reading --metrics-token-file {}", file.display()))?;
    let token = text.trim();
    anyhow::ensure!(
        token.len() >= LEAST_TOKEN && token.bytes().all(|byte| byte.is_ascii_graphic()),
        "{}: expected one line with a token of at least {LEAST_TOKEN} visible ASCII characters",
        file.display()
    );
    Ok(Sha256::digest(token).into())
}

/// Whether a program on this machine asks, and no proxy for somebody else, as far as a request shows it.
fn is_direct(peer: IpAddr, headers: &HeaderMap) -> bool {
    let is_forwarded = FORWARDED
        .iter()
        .any(|name| headers.contains_key(HeaderName::from_static(name)));
    let host = headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()?.parse::<Uri>().ok());
    let host = host.as_ref().and_then(|host| host.host());
    peer.to_canonical().is_loopback() && !is_forwarded && host.is_some_and(is_loopback)
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let address = bare.parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
}
