//! The address of a server, and the id of a game.

use std::fmt;

use anyhow::Context;
use qiguan_protocol::ids::GameId;
use url::{Host, Url};

use super::text::excerpt;

/// The server where none is named: that of this machine, as `qiguan serve` listens by default.
const DEFAULT_SERVER: &str = "http://127.0.0.1:8080";

/// A server: `http://host:port` or `https://host:port`, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(Url);

impl Origin {
    /// Whether everything on the way is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether nothing leaves this machine.
    pub fn is_here(&self) -> bool {
        match self.0.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }

    /// The host, as a connection is opened to it.
    pub fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        host.trim_start_matches('[')
            .trim_end_matches(']')
            .to_owned()
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(80)
    }

    /// Host and port as a request names them.
    pub fn authority(&self) -> &str {
        self.0.authority()
    }

    /// Under what an identity on this server is kept: the names of this machine's own address are one.
    pub fn key(&self) -> String {
        let own = match self.0.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv6(address)) => address == std::net::Ipv6Addr::LOCALHOST,
            Some(Host::Ipv4(_)) | None => false,
        };
        let mut url = self.0.clone();
        if own && url.set_host(Some("127.0.0.1")).is_err() {
            return self.to_string();
        }
        Self(url).to_string()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

/// A server, and perhaps one of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The server.
    pub server: Origin,
    /// The game at the end of the address.
    pub game: Option<GameId>,
}

impl Address {
    /// Reads `https://host` or `https://host/games/ID`, with `http://` and a port as well.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let shown = excerpt(text);
        let form = || {
            format!(
                "{shown}: expected an address such as https://HOST or http://HOST:PORT, with /games/ID for a game"
            )
        };
        let mut url = Url::parse(text).ok().with_context(form)?;
        anyhow::ensure!(
            matches!(url.scheme(), "http" | "https") && url.has_host() && text.contains("://"),
            form()
        );
        anyhow::ensure!(
            url.username().is_empty() && url.password().is_none(),
            "{shown}: leave the name and password out of the address; qiguan login asks for them"
        );
        let game = match url.path().trim_matches('/') {
            "" => None,
            path => Some(game_id(path.strip_prefix("games/").with_context(form)?)?),
        };
        url.set_path("");
        url.set_query(None);
        url.set_fragment(None);
        Ok(Self {
            server: Origin(url),
            game,
        })
    }

    /// Reads what was typed: an address, a game's id (`games/ID` as well) on the default server, or nothing for that server. The
    /// default is `QIGUAN_SERVER`, or else the server of this machine.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn named(text: Option<&str>) -> anyhow::Result<Self> {
        let Some(text) = text else {
            return default_server();
        };
        let id = text.trim_start_matches('/');
        match id.strip_prefix("games/").unwrap_or(id).parse() {
            Ok(game) => Ok(Self {
                game: Some(game),
                ..default_server()?
            }),
            Err(_) => Self::parse(text),
        }
    }
}

/// What `QIGUAN_SERVER` names, if it is set.
///
/// # Errors
/// When that is no address.
pub fn of_environment() -> anyhow::Result<Option<Address>> {
    let named = std::env::var("QIGUAN_SERVER").ok();
    named
        .filter(|named| !named.is_empty())
        .map(|named| Address::parse(&named).context("QIGUAN_SERVER"))
        .transpose()
}

fn default_server() -> anyhow::Result<Address> {
    of_environment()?.map_or_else(|| Address::parse(DEFAULT_SERVER), Ok)
}

/// Reads a game's id.
///
/// # Errors
/// When it is invalid.
pub fn game_id(text: &str) -> anyhow::Result<GameId> {
    let game = text.parse().ok();
    game.with_context(|| {
        format!(
            "{:?} is not a game id: expected 32 hexadecimal digits with dashes",
            excerpt(text)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    #[test]
    fn servers_and_games_are_told_apart() {
        let server = parsed("http://localhost:8080/");
        assert_eq!(server.server.to_string(), "http://localhost:8080");
        assert_eq!(server.game, None);
        let id = "01890000-0000-7000-8000-000000000001";
        let game = parsed(&format!("https://h/games/{id}?from=mail#12"));
        assert_eq!(game.game.map(|game| game.to_string()).as_deref(), Some(id));
        assert_eq!(game.server.to_string(), "https://h");
        assert_eq!((game.server.host(), game.server.port()), ("h".into(), 443));
        for bad in [
            "localhost:8080",
            "qiguan.example.org",
            "ftp://h",
            "http:h",
            "https://",
            "http://anna:secret@h",
            "http://h/games/x",
            "http://h/play",
        ] {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_server_is_the_same_however_its_address_is_spelled() {
        let key = |text| parsed(text).server.key();
        for (one, other) in [
            ("http://localhost:8080", "http://127.0.0.1:8080/"),
            ("http://localhost:8080", "http://[::1]:8080"),
            ("http://localhost:8080", "HTTP://LocalHost:8080//"),
            (
                "https://qiguan.example.org",
                "https://Qiguan.Example.org:443/",
            ),
            ("http://h", "http://h:80"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        for (one, other) in [
            ("http://h", "https://h"),
            ("http://h:1", "http://h:2"),
            ("http://localhost:8080", "http://127.0.0.2:8080"),
            ("http://localhost:8080", "http://localhost.example.org:8080"),
        ] {
            assert_ne!(key(one), key(other), "{one} {other}");
        }
    }

    #[test]
    fn a_server_of_this_machine_is_told_from_others() {
        for here in [
            "http://localhost",
            "http://127.3.2.1:9",
            "http://[::1]:8080",
        ] {
            assert!(parsed(here).server.is_here(), "{here}");
        }
        for away in [
            "http://10.0.0.1",
            "http://localhost.example.org",
            "https://h",
        ] {
            assert!(!parsed(away).server.is_here(), "{away}");
        }
    }
}
