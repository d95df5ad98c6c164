//! Where a server is, and which game is meant.

use anyhow::Context;
use qiguan_protocol::ids::GameId;

use super::screen::excerpt;

/// A server, and perhaps one of its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// `http://host:port`.
    pub server: String,
    /// The game at the end of the address.
    pub game: Option<GameId>,
}

impl Address {
    /// Reads `http://host:port` or `http://host:port/games/ID`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let rest = text.strip_prefix("http://").with_context(|| {
            format!("{text}: an address is http://HOST:PORT, with /games/ID for a game; this client speaks plain HTTP")
        })?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        anyhow::ensure!(!host.is_empty(), "{text}: the host is missing");
        let game = match path.trim_end_matches('/') {
            "" => None,
            path => {
                let id = path
                    .strip_prefix("games/")
                    .with_context(|| format!("{text}: after the host comes /games/ID"))?;
                Some(game_id(id)?)
            }
        };
        Ok(Self {
            server: format!("http://{host}"),
            game,
        })
    }

    /// The socket's address.
    pub fn socket(&self) -> String {
        format!("ws{}/api/ws", self.server.trim_start_matches("http"))
    }
}

/// Reads a game's id.
///
/// # Errors
/// When it is none.
pub fn game_id(text: &str) -> anyhow::Result<GameId> {
    let game = text.parse().ok();
    game.with_context(|| {
        format!(
            "{:?} is no game's id, which are 32 hexadecimal digits with dashes",
            excerpt(text)
        )
    })
}

/// `GET` of a path on the server, as JSON.
///
/// # Errors
/// When the server does not answer, or answers with an error.
pub async fn get<T: serde::de::DeserializeOwned>(server: &str, path: &str) -> anyhow::Result<T> {
    let url = format!("{server}{path}");
    let response = reqwest::get(&url).await.with_context(|| url.clone())?;
    if !response.status().is_success() {
        let body: serde_json::Value = response.json().await.unwrap_or_default();
        let message = body["error"]["message"]
            .as_str()
            .unwrap_or("the server refuses")
            .to_owned();
        anyhow::bail!("{url}: {}", super::screen::printable(&message));
    }
    response.json().await.with_context(|| url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_and_games_are_told_apart() {
        let server = Address::parse("http://localhost:8080/").unwrap();
        assert_eq!(
            (server.server.as_str(), server.game),
            ("http://localhost:8080", None)
        );
        assert_eq!(server.socket(), "ws://localhost:8080/api/ws");
        let id = "01890000-0000-7000-8000-000000000001";
        let game = Address::parse(&format!("http://h/games/{id}")).unwrap();
        assert_eq!(game.game.map(|game| game.to_string()).as_deref(), Some(id));
        for bad in [
            "localhost:8080",
            "https://h",
            "http://",
            "http://h/games/x",
            "http://h/play",
        ] {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
    }
}
