//! A message on the socket is refused with its reason, or nothing that it says is lost in reading it.

use qiguan_protocol::{client::Request, error::ApiError, ids::RequestId, lobby::LobbyRequest};
use serde_json::{Value, json};

use super::Target;
use crate::json::lost;

/// See the module.
pub const TARGET: Target = Target {
    name: "requests",
    check: |input| holds(Request::decode, input),
    words: &[
        "\"id\":",
        "\"type\":",
        "\"data\":",
        "\"game\":",
        "\"command\":",
        "\"since\":",
        "\"epoch\":",
        "\"seq\":",
        "\"time_control\":",
        "\"clock\":",
        "fischer",
        "byoyomi",
        "per_move",
        "\"options\":",
        "\"rated\":true",
        "\"seat\":\"second\"",
        "\"visibility\":\"link\"",
        "\"spectator_delay\":",
        "null",
        "{}",
        "[]",
        "1e400",
        "\\u0000",
        "-0",
    ],
};

type Decode = fn(&str) -> (Option<RequestId>, Result<Request, ApiError>);

fn holds(decode: Decode, input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let (id, request) = decode(text);
    match request {
        Err(error) => {
            assert!(!error.message.is_empty(), "refused without a reason");
            let most = text.len() * 6 + 1_000;
            assert!(
                error.message.len() <= most,
                "the reason is longer than what it refuses"
            );
        }
        Ok(request) => {
            assert!(id.is_some(), "a request without an id was read");
            let said: Value = match serde_json::from_str(text) {
                Ok(said) => said,
                Err(error) => panic!("what is no JSON was read: {error}"),
            };
            let (kind, data) = written(&request);
            let again = json!({"id": id, "type": kind, "data": data});
            assert_eq!(lost(&said, &again), None, "lost in reading");
            let (id_again, read_again) = decode(&again.to_string());
            assert_eq!(id_again, id);
            assert!(
                read_again == Ok(request),
                "what is written is read otherwise: {again}"
            );
        }
    }
}

/// The type and the data of a request.
fn written(request: &Request) -> (&'static str, Value) {
    match request {
        Request::Hello(hello) => ("hello", json!(hello)),
        Request::Guest => ("guest", json!({})),
        Request::Ping => ("ping", json!({})),
        Request::CreateGame(game) => ("create_game", json!(game)),
        Request::Watch(watch) => ("watch", json!(watch)),
        Request::Unwatch(unwatch) => ("unwatch", json!(unwatch)),
        Request::SetUp(set_up) => ("set_up", json!(set_up)),
        Request::Note(note) => ("note", json!(note)),
        Request::SpectatorChat(said) => ("spectator_chat", json!(said)),
        Request::OwnGames => ("own_games", json!({})),
        Request::Lobby(lobby) => match lobby {
            LobbyRequest::EnterLobby => ("enter_lobby", json!({})),
            LobbyRequest::LeaveLobby => ("leave_lobby", json!({})),
            LobbyRequest::Seek(seek) => ("seek", json!(seek)),
            LobbyRequest::CancelSeek(cancel) => ("cancel_seek", json!(cancel)),
            LobbyRequest::AcceptSeek(accept) => ("accept_seek", json!(accept)),
            LobbyRequest::QuickPair(pair) => ("quick_pair", json!(pair)),
            LobbyRequest::LeavePools => ("leave_pools", json!({})),
        },
        Request::Game(command) => {
            let mut whole = json!(command);
            (command.type_name(), whole["data"].take())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn a_request_that_loses_a_field_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |text| match Request::decode(text) {
                    (id, Ok(Request::CreateGame(mut game))) => {
                        game.rated = false;
                        (id, Ok(Request::CreateGame(game)))
                    }
                    other => other,
                },
                input,
            );
        });
    }
}
