//! What a server answers, read with a limit and shown in plain words: any server may answer, and with anything.

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::{Response, StatusCode, body::Incoming};
use qiguan_protocol::error::ApiError;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Server;
use crate::text::cut;

/// The longest answer that is read, in bytes: far more than the longest game takes.
pub const MAX_BYTES: usize = 16 << 20;
/// The longest refusal that is read, in bytes.
const MAX_REFUSAL: usize = 64 << 10;

/// An answer, as a whole.
pub struct Answer {
    server: String,
    body: Bytes,
}

impl Answer {
    /// What it says.
    ///
    /// # Errors
    /// When it is something else.
    pub fn json<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        serde_json::from_slice(&self.body).map_err(|error| {
            let server = &self.server;
            anyhow::anyhow!(
                "{server} sent an unexpected answer ({}): it is not a Qiguan server, or the client and the server have different versions",
                cut(&error.to_string())
            )
        })
    }
}

/// Reads an answer up to a limit.
pub(super) async fn read(
    server: String,
    response: Response<Incoming>,
    limit: usize,
) -> anyhow::Result<Answer> {
    let body = Limited::new(response.into_body(), limit).collect().await;
    match body {
        Ok(body) => Ok(Answer {
            server,
            body: body.to_bytes(),
        }),
        Err(error) if error.is::<LengthLimitError>() => {
            anyhow::bail!("{server} sent an answer longer than {limit} bytes")
        }
        Err(_) => anyhow::bail!("{server} closed the connection in the middle of its answer"),
    }
}

/// Why a server refuses.
pub(super) async fn refusal(server: &Server, response: Response<Incoming>) -> String {
    let status = response.status();
    let said = async {
        let answer = read(server.to_string(), response, MAX_REFUSAL).await.ok()?;
        let body: Value = answer.json().ok()?;
        let text = |key: &str| body["error"][key].as_str();
        Some(sentence(text("field"), text("message")?))
    };
    said.await.unwrap_or_else(|| match status {
        StatusCode::NOT_FOUND => format!("{server} is not a Qiguan server, or has another version"),
        status => format!("{server} refused the request ({status})"),
    })
}

/// A refusal in words.
pub fn refused(error: &ApiError) -> String {
    sentence(error.field.as_deref(), &error.message)
}

/// What is wrong, after what it is about where the sentence does not say so by itself.
fn sentence(field: Option<&str>, message: &str) -> String {
    let message = cut(message);
    let Some(field) = field.map(typed).filter(|field| !message.contains(field)) else {
        return message;
    };
    format!("{field}: {message}")
}

/// What was typed for a field of a request.
fn typed(field: &str) -> String {
    let (first, rest) = field.split_once('.').unwrap_or((field, ""));
    match (first, rest) {
        ("to", _) => "--challenge".to_owned(),
        ("time_control", "setup_ms") => "--setup-time".to_owned(),
        ("time_control" | "time", _) => "--time".to_owned(),
        ("options", option) => format!("--option {}", cut(option)),
        ("spectator_delay", _) => "--spectator-delay".to_owned(),
        ("rated", _) => "--rated".to_owned(),
        ("seat", _) => "--seat".to_owned(),
        _ => cut(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(body: &str) -> Answer {
        Answer {
            server: "http://h".to_owned(),
            body: Bytes::copy_from_slice(body.as_bytes()),
        }
    }

    #[test]
    fn what_does_not_fit_is_quoted_without_what_a_terminal_obeys() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct NoFields {}
        let name = "\\u001b]0;x\\u0007\\r\\u009b2J\\u202e".to_owned() + &"y".repeat(100_000);
        let error = answer(&format!("{{\"{name}\": 1}}"))
            .json::<NoFields>()
            .unwrap_err();
        let shown = format!("{error:#}");
        assert!(shown.contains("unknown field `]0;x2Jyyy"), "{shown}");
        assert!(!shown.contains(char::is_control) && !shown.contains('\u{202e}'));
        assert!(shown.chars().count() < 1_500, "{}", shown.len());
    }

    #[test]
    fn a_refusal_names_what_was_typed_and_no_code() {
        for (field, message, told) in [
            (
                Some("to"),
                "no player has this name",
                "--challenge: no player has this name",
            ),
            (
                Some("options.quiet_limit"),
                "allowed: 0 to 1000",
                "--option quiet_limit: allowed: 0 to 1000",
            ),
            (
                Some("limit"),
                "limit is 0; allowed: 1 to 100",
                "limit is 0; allowed: 1 to 100",
            ),
            (None, "no such game", "no such game"),
        ] {
            assert_eq!(sentence(field, message), told);
        }
    }
}
