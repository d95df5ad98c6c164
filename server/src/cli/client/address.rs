//! Where a server is, and which game is meant.

use std::time::Duration;

use anyhow::Context;
use qiguan_protocol::{
    ids::{GameId, Token},
    saved_setup::{SaveSetup, SavedSetup, SavedSetups},
};
use reqwest::{Method, Response, StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout;

use super::text::{excerpt, printable};

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

/// How long the server may take to answer, in seconds.
const ANSWER_SECONDS: u64 = 30;

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
pub async fn get<T: DeserializeOwned>(server: &str, path: &str) -> anyhow::Result<T> {
    get_as(server, path, None).await
}

/// The same as somebody whom the server knows by a token.
///
/// # Errors
/// When the server does not answer, or answers with an error.
pub async fn get_as<T: DeserializeOwned>(
    server: &str,
    path: &str,
    token: Option<&Token>,
) -> anyhow::Result<T> {
    let url = format!("{server}{path}");
    let answer = send(Method::GET, Url::parse(&url)?, token, None);
    let answer = answer.await.with_context(|| url.clone())?;
    answer.json().await.with_context(|| url)
}

/// `GET` of a path that answers on and on. What the server says when it refuses is the inner error.
///
/// # Errors
/// When the server can't be reached, or can't answer just now: another attempt may go well.
pub async fn stream(server: &str, path: &str) -> anyhow::Result<Result<Response, String>> {
    let client = reqwest::Client::builder().connect_timeout(Duration::from_secs(ANSWER_SECONDS));
    let request = client.build()?.get(format!("{server}{path}")).send();
    let response = timeout(Duration::from_secs(ANSWER_SECONDS), request).await??;
    let status = response.status();
    let is_busy = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    anyhow::ensure!(!is_busy, "{status}");
    if status.is_success() {
        return Ok(Ok(response));
    }
    Ok(Err(refusal(response).await))
}

/// `POST` to a path on the server.
///
/// # Errors
/// When the server does not answer, or what it says when it refuses.
pub async fn post(
    server: &str,
    path: &str,
    token: Option<&Token>,
    body: Option<&Value>,
) -> anyhow::Result<Response> {
    ask(Method::POST, server, path, token, body).await
}

/// A request to a path on the server.
///
/// # Errors
/// When the server does not answer, or what it says when it refuses.
pub async fn ask(
    method: Method,
    server: &str,
    path: &str,
    token: Option<&Token>,
    body: Option<&Value>,
) -> anyhow::Result<Response> {
    let url = Url::parse(&format!("{server}{path}"))?;
    send(method, url, token, body).await
}

/// A player's saved setups.
///
/// # Errors
/// When the server does not answer, or what it says when it refuses.
pub async fn setups(server: &str, token: Option<&Token>) -> anyhow::Result<SavedSetups> {
    let url = setup_url(server, None)?;
    Ok(send(Method::GET, url, token, None).await?.json().await?)
}

/// A player's saved setup of this name.
///
/// # Errors
/// As [`setups`].
pub async fn setup(server: &str, token: Option<&Token>, name: &str) -> anyhow::Result<SavedSetup> {
    let url = setup_url(server, Some(name))?;
    Ok(send(Method::GET, url, token, None).await?.json().await?)
}

/// Saves a setup under a name.
///
/// # Errors
/// As [`setups`].
pub async fn save_setup(
    server: &str,
    token: Option<&Token>,
    name: &str,
    setup: String,
) -> anyhow::Result<()> {
    let body = serde_json::to_value(SaveSetup { setup })?;
    let url = setup_url(server, Some(name))?;
    send(Method::PUT, url, token, Some(&body)).await?;
    Ok(())
}

fn setup_url(server: &str, name: Option<&str>) -> anyhow::Result<Url> {
    let mut url = Url::parse(&format!("{server}/api/setups"))?;
    if let (Some(name), Ok(mut segments)) = (name, url.path_segments_mut()) {
        segments.push(name);
    }
    Ok(url)
}

async fn send(
    method: Method,
    url: Url,
    token: Option<&Token>,
    body: Option<&Value>,
) -> anyhow::Result<Response> {
    let mut request = reqwest::Client::new()
        .request(method, url)
        .timeout(Duration::from_secs(ANSWER_SECONDS));
    if let Some(token) = token {
        request = request.bearer_auth(token.reveal());
    }
    if let Some(body) = body {
        request = request.json(body);
    }
    let response = request.send().await?;
    if !response.status().is_success() {
        anyhow::bail!("{}", refusal(response).await);
    }
    Ok(response)
}

/// Why the server refuses.
async fn refusal(response: Response) -> String {
    let body: Value = response.json().await.unwrap_or_default();
    let message = body["error"]["message"].as_str();
    printable(message.unwrap_or("the server refuses"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_may_have_any_name() {
        let url = |name| setup_url("http://h:1", name).unwrap().to_string();
        assert_eq!(url(None), "http://h:1/api/setups");
        assert_eq!(
            url(Some("a/b ?ü")),
            "http://h:1/api/setups/a%2Fb%20%3F%C3%BC"
        );
    }

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
