//! Named setups of Luzhanqi over HTTP.

use qiguan_protocol::saved_setup::SavedSetups;
use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{Http, Response, Transport};

/// The path of a setup; every byte of its name that may mean something in an address is escaped.
pub fn path(name: &str) -> String {
    let escaped = name.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    format!("/api/setups/{}", escaped.collect::<String>())
}

/// Sends a body as the setup of this name.
pub async fn puts<T: Transport>(player: &Http<T>, name: &str, body: &Value) -> Response {
    player
        .send(Method::PUT, &path(name), &[], Some(body.to_string()))
        .await
}

/// Saves a setup.
pub async fn saves<T: Transport>(player: &Http<T>, name: &str, setup: &str) -> Response {
    puts(player, name, &json!({"setup": setup})).await
}

/// Saves a setup, which has to be accepted.
///
/// # Panics
/// When it is refused.
pub async fn has_saved<T: Transport>(player: &Http<T>, name: &str, setup: &str) {
    let saved = saves(player, name, setup).await;
    assert_eq!(
        (saved.status, saved.text.as_str()),
        (204, ""),
        "{name:?}: {saved:?}"
    );
}

/// Deletes a setup.
pub async fn deletes<T: Transport>(player: &Http<T>, name: &str) -> Response {
    player.send(Method::DELETE, &path(name), &[], None).await
}

/// The names and setups that a player has, in the order in which they are listed.
pub async fn list<T: Transport>(player: &Http<T>) -> Vec<(String, String)> {
    let response = player.get("/api/setups").await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.headers["cache-control"], "no-store");
    let SavedSetups { setups } = response.parsed();
    let pairs = setups.into_iter().map(|saved| (saved.name, saved.setup));
    pairs.collect()
}

/// What [`list`] brings if these are saved.
pub fn pairs(saved: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = saved
        .iter()
        .map(|(name, setup)| ((*name).to_owned(), (*setup).to_owned()));
    pairs.collect()
}
