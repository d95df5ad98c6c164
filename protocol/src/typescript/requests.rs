//! What can be sent on the socket, and what it is answered with.

use super::Declarations;
use crate::{
    client::{CreateGame, Hello, Note, Nothing, Request, SetUp, SpectatorChat, Unwatch, Watch},
    command::{AnswerDraw, Chat, GameCommand, Move, Plain},
    error::ErrorCode,
    lobby::{AcceptSeek, AskSeek, CancelSeek, LobbyRequest, QuickPair},
};

/// How a type is written, once it is declared.
type Written = fn(&mut Declarations) -> String;

/// The request's word, its data, and the types of its answer.
#[rustfmt::skip]
const REQUESTS: &[(&str, Written, &[&str])] = &[
    ("hello", Declarations::declare::<Hello>, &["welcome"]),
    ("guest", Declarations::declare::<Nothing>, &["guest"]),
    ("ping", Declarations::declare::<Nothing>, &["pong"]),
    ("create_game", Declarations::declare::<CreateGame>, &["created"]),
    ("watch", Declarations::declare::<Watch>, &["snapshot", "missed"]),
    ("unwatch", Declarations::declare::<Unwatch>, &["unwatched"]),
    ("set_up", Declarations::declare::<SetUp>, &["kept"]),
    ("note", Declarations::declare::<Note>, &["kept"]),
    ("spectator_chat", Declarations::declare::<SpectatorChat>, &["kept"]),
    ("enter_lobby", Declarations::declare::<Nothing>, &["lobby"]),
    ("leave_lobby", Declarations::declare::<Nothing>, &["left_lobby"]),
    ("seek", Declarations::declare::<AskSeek>, &["seek"]),
    ("cancel_seek", Declarations::declare::<CancelSeek>, &["seek"]),
    ("accept_seek", Declarations::declare::<AcceptSeek>, &["paired"]),
    ("quick_pair", Declarations::declare::<QuickPair>, &["seek"]),
    ("leave_pools", Declarations::declare::<Nothing>, &["left_pools"]),
    ("join", Declarations::declare::<Plain>, &["done"]),
    ("move", Declarations::declare::<Move>, &["done"]),
    ("resign", Declarations::declare::<Plain>, &["done"]),
    ("offer_draw", Declarations::declare::<Plain>, &["done"]),
    ("accept_draw", Declarations::declare::<AnswerDraw>, &["done"]),
    ("decline_draw", Declarations::declare::<AnswerDraw>, &["done"]),
    ("abort", Declarations::declare::<Plain>, &["done"]),
    ("decline", Declarations::declare::<Plain>, &["done"]),
    ("rematch", Declarations::declare::<Plain>, &["done"]),
    ("claim_victory", Declarations::declare::<Plain>, &["done"]),
    ("ready", Declarations::declare::<Plain>, &["done"]),
    ("chat", Declarations::declare::<Chat>, &["done"]),
];

const REQUEST: &str = "\
/** The word for what is asked. */
export type RequestType = keyof Requests;

/** What belongs to a request of one type. */
export type DataOf<T extends RequestType> = Requests[T][\"data\"];

/** What a request of one type is answered with, if it is not refused. */
export type AnswerTo<T extends RequestType> = Requests[T][\"answer\"];

/** A request as it is sent, of one type or of any. */
export type Request<T extends RequestType = RequestType> = {
  [K in T]: { id: RequestId; type: K; data: DataOf<K> };
}[T];
";

/// `Requests` and what is made of it.
pub(super) fn document(types: &mut Declarations) -> String {
    types.declare::<crate::ids::RequestId>();
    let mut text = "/** What can be sent on the socket, by its type: what belongs to it, and what it is answered with. */\n\
                    export interface Requests {\n"
        .to_owned();
    for (kind, data, answers) in REQUESTS {
        let data = data(types);
        let answers: Vec<_> = answers
            .iter()
            .map(|answer| format!("\"{answer}\""))
            .collect();
        let answers = answers.join(" | ");
        text.push_str(&format!(
            "  {kind}: {{ data: {data}; answer: AnswerOf<{answers}> }};\n"
        ));
    }
    text.push_str("}\n\n");
    text.push_str(REQUEST);
    text
}

#[test]
fn every_request_that_is_decoded_is_in_the_table_and_no_other() {
    let words: Vec<_> = REQUESTS.iter().map(|(kind, ..)| *kind).collect();
    let known = [Request::TYPES, LobbyRequest::TYPES, GameCommand::TYPES].concat();
    assert_eq!(words, known);
    for word in words {
        let (_, request) = Request::decode(&format!(r#"{{"id":1,"type":"{word}"}}"#));
        let refused = request.err().map(|error| error.code);
        assert_ne!(refused, Some(ErrorCode::UnknownType), "{word}");
    }
}
