//! What clients send: `{"id": 7, "type": "move", "data": {…}}`.
//!
//! A message is decoded in two steps: first the envelope, then the data by its type. So every field is checked against
//! one closed shape, unknown ones are refused, and nothing is buffered on the way.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, Error as _, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::{
    error::{ApiError, ErrorCode},
    ids::{CommandId, Cursor, GameId, Ply, RequestId, Seq, Token},
    limits,
    names::{SeatChoice, Visibility},
    object::{self, ObjectError},
    time_control::TimeControl,
};

/// An option's value in `create_game`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum OptionValue {
    /// A switch.
    Bool(bool),
    /// A number.
    Number(i64),
    /// One of a list of words.
    Word(String),
}

/// Options that differ from a rule set's, by name, as a client asks for them. None is a value of no option's kind, such as 1.5 or
/// null: what the option takes instead is for the rules to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AskedOptions(pub BTreeMap<String, Option<OptionValue>>);

impl<'de> Deserialize<'de> for AskedOptions {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = AskedOptions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AskedOptions, A::Error> {
                let mut options = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    let value = serde_json::from_str(value.get()).ok();
                    if options.insert(name.clone(), value).is_some() {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                }
                Ok(AskedOptions(options))
            }
        }
        value.deserialize_map(Entries)
    }
}

/// `hello`: who is there. The first message of a connection, within 10 seconds; or `guest`.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The token of an identity. Absent: the identity of the connection's cookie, or none (a spectator).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Token>,
}

/// A request without fields: `guest`, `ping`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// `create_game`: opens a game and sits down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateGame {
    /// The command's id; creating twice with the same id creates once.
    pub command: CommandId,
    /// The rule set, such as `doushouqi/booklet`; `GET /api/catalog` lists them.
    pub ruleset: String,
    /// Options that differ from the rule set's; `GET /api/catalog` lists them.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, OptionValue>)]
    pub options: AskedOptions,
    /// The time control.
    #[serde(deserialize_with = "object::only")]
    pub time_control: TimeControl,
    /// The creator's seat.
    #[serde(default)]
    pub seat: SeatChoice,
    /// Who finds the game.
    #[serde(default)]
    pub visibility: Visibility,
}

/// `watch`: asks for a game as it stands and for everything that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// The game.
    pub game: GameId,
    /// How far the client has seen it; absent: nothing yet.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "object::optional"
    )]
    pub since: Option<Cursor>,
}

/// `unwatch`: no more events of this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Unwatch {
    /// The game.
    pub game: GameId,
}

/// `set_up`: changes the own setup while both set up (Luzhanqi). Nobody else is told.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The game.
    pub game: GameId,
    /// Six ranks, the highest of the board first, such as `DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX` for the first seat.
    pub setup: String,
}

/// `note`: keeps the own notes on a game, in place of those before. Nobody else ever sees them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The game.
    pub game: GameId,
    /// The notes, at most 4,000 bytes; what they mean is the client's affair.
    pub notes: String,
}

/// A command that changes a game: on the socket `{"type": "move", "data": {"game": …, "command": …, "ply": 1, "move": "a3a4"}}`,
/// over HTTP the same `type` and `data` posted to `/api/games/{id}/commands`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum GameCommand {
    /// Takes the free seat; the game starts.
    Join(Plain),
    /// Plays a move.
    Move(Move),
    /// Gives up.
    Resign(Plain),
    /// Offers a draw; the offer stands until it is answered or the opponent moves.
    OfferDraw(Plain),
    /// Accepts the opponent's draw offer.
    AcceptDraw(AnswerDraw),
    /// Declines the opponent's draw offer.
    DeclineDraw(AnswerDraw),
    /// Breaks the game off, as long as not both players have moved.
    Abort(Plain),
    /// Offers another game with the seats changed, or accepts the opponent's offer.
    Rematch(Plain),
    /// Claims the game of an opponent who has been away for longer than the time control's absence.
    ClaimVictory(Plain),
    /// Says that the own setup is finished; play begins when both have (Luzhanqi).
    Ready(Plain),
    /// Says something to the opponent.
    Chat(Chat),
}

/// The data of a command that needs no more than the game and its own id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Plain {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
}

/// The data of `move`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
    /// The number that this move will have, from 1: a tab that has missed a move can't play on an old position.
    pub ply: Ply,
    /// From and to, such as `a3a4`.
    #[serde(rename = "move")]
    pub text: String,
}

/// The data of `accept_draw` and `decline_draw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerDraw {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
    /// The number of the event that made the offer.
    pub offer: Seq,
}

/// The data of `chat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Chat {
    /// The game.
    pub game: GameId,
    /// The command's id.
    pub command: CommandId,
    /// The line, 1 to 300 characters, without control characters.
    pub text: String,
}

impl GameCommand {
    /// The words for `type`, in the order of the enum.
    pub const TYPES: &[&str] = &[
        "join",
        "move",
        "resign",
        "offer_draw",
        "accept_draw",
        "decline_draw",
        "abort",
        "rematch",
        "claim_victory",
        "ready",
        "chat",
    ];

    /// The command's word for `type`.
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::Join(_) => "join",
            Self::Move(_) => "move",
            Self::Resign(_) => "resign",
            Self::OfferDraw(_) => "offer_draw",
            Self::AcceptDraw(_) => "accept_draw",
            Self::DeclineDraw(_) => "decline_draw",
            Self::Abort(_) => "abort",
            Self::Rematch(_) => "rematch",
            Self::ClaimVictory(_) => "claim_victory",
            Self::Ready(_) => "ready",
            Self::Chat(_) => "chat",
        }
    }

    /// The game it is about.
    pub const fn game(&self) -> GameId {
        match self {
            Self::Join(plain)
            | Self::Resign(plain)
            | Self::OfferDraw(plain)
            | Self::Abort(plain)
            | Self::Rematch(plain)
            | Self::ClaimVictory(plain)
            | Self::Ready(plain) => plain.game,
            Self::Move(data) => data.game,
            Self::AcceptDraw(answer) | Self::DeclineDraw(answer) => answer.game,
            Self::Chat(chat) => chat.game,
        }
    }

    /// The command's id.
    pub const fn command(&self) -> CommandId {
        match self {
            Self::Join(plain)
            | Self::Resign(plain)
            | Self::OfferDraw(plain)
            | Self::Abort(plain)
            | Self::Rematch(plain)
            | Self::ClaimVictory(plain)
            | Self::Ready(plain) => plain.command,
            Self::Move(data) => data.command,
            Self::AcceptDraw(answer) | Self::DeclineDraw(answer) => answer.command,
            Self::Chat(chat) => chat.command,
        }
    }

    /// Decodes a command from its `type` and `data`.
    ///
    /// # Errors
    /// `unknown_type`, or what [`data_of`] says.
    pub fn decode(kind: &str, data: Option<&RawValue>) -> Result<Self, ApiError> {
        Ok(match kind {
            "join" => Self::Join(data_of(kind, data)?),
            "move" => Self::Move(data_of(kind, data)?),
            "resign" => Self::Resign(data_of(kind, data)?),
            "offer_draw" => Self::OfferDraw(data_of(kind, data)?),
            "accept_draw" => Self::AcceptDraw(data_of(kind, data)?),
            "decline_draw" => Self::DeclineDraw(data_of(kind, data)?),
            "abort" => Self::Abort(data_of(kind, data)?),
            "rematch" => Self::Rematch(data_of(kind, data)?),
            "claim_victory" => Self::ClaimVictory(data_of(kind, data)?),
            "ready" => Self::Ready(data_of(kind, data)?),
            "chat" => {
                let chat: Chat = data_of(kind, data)?;
                limits::check_chat(&chat.text)?;
                Self::Chat(chat)
            }
            _ => return Err(unknown_type(kind)),
        })
    }
}

/// Everything that a client may send on the socket.
#[derive(Clone, PartialEq, Eq)]
pub enum Request {
    /// Who is there.
    Hello(Hello),
    /// Opens a new identity as a guest.
    Guest,
    /// Asks for the server's time; keeps nothing alive that the protocol's own pings do not.
    Ping,
    /// Opens a game.
    CreateGame(CreateGame),
    /// Asks for a game and its events.
    Watch(Watch),
    /// Ends a `watch`.
    Unwatch(Unwatch),
    /// Changes the own setup.
    SetUp(SetUp),
    /// Keeps the own notes.
    Note(Note),
    /// Changes a game.
    Game(GameCommand),
}

/// The envelope, with the data still as text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    id: RequestId,
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    data: Option<&'a RawValue>,
}

/// Only the id of a message whose envelope is faulty, so that even its refusal can name it.
#[derive(Deserialize)]
struct OnlyId {
    id: RequestId,
}

/// The id of a message that is refused for what else is in it, if it can be read.
pub fn id_of(text: &str) -> Option<RequestId> {
    let only: OnlyId = object::from_str(text).ok()?;
    Some(only.id)
}

impl Request {
    /// Decodes one text message. The id comes back also with an error, if the message has one that can be read.
    ///
    /// # Errors
    /// `bad_request` for anything that is not of the documented shape, `unknown_type`, `bad_value`.
    pub fn decode(text: &str) -> (Option<RequestId>, Result<Self, ApiError>) {
        let envelope: Envelope<'_> = match object::from_str(text) {
            Ok(envelope) => envelope,
            Err(fault) => {
                let message = format!(
                    "{fault}; a message is {{\"id\": number, \"type\": text, \"data\": object}}"
                );
                let mut error = ApiError::new(ErrorCode::BadRequest, message);
                if let Some(path) = fault.path() {
                    error = error.field(path.to_owned());
                }
                return (id_of(text), Err(error));
            }
        };
        let (kind, data) = (envelope.kind.as_ref(), envelope.data);
        let request = match kind {
            "hello" => data_or_default(kind, data).map(Self::Hello),
            "guest" => data_or_default(kind, data).map(|Nothing {}| Self::Guest),
            "ping" => data_or_default(kind, data).map(|Nothing {}| Self::Ping),
            "create_game" => data_of(kind, data).map(Self::CreateGame),
            "watch" => data_of(kind, data).map(Self::Watch),
            "unwatch" => data_of(kind, data).map(Self::Unwatch),
            "set_up" => data_of(kind, data).map(Self::SetUp),
            "note" => data_of(kind, data).and_then(|note: Note| {
                limits::check_notes(&note.notes)?;
                Ok(Self::Note(note))
            }),
            _ => GameCommand::decode(kind, data).map(Self::Game),
        };
        (Some(envelope.id), request)
    }
}

/// Decodes the data of a request that needs some.
///
/// # Errors
/// `bad_request`, naming the field at fault.
pub fn data_of<T: DeserializeOwned>(kind: &str, data: Option<&RawValue>) -> Result<T, ApiError> {
    let Some(data) = data else {
        return Err(
            ApiError::new(ErrorCode::BadRequest, format!("{kind} needs data")).field("data"),
        );
    };
    object::from_str(data.get()).map_err(|fault| bad_data(kind, fault))
}

#[cold]
fn bad_data(kind: &str, fault: ObjectError) -> ApiError {
    let error = fault.refusal("data");
    ApiError {
        message: format!("{kind}: {}", error.message).into(),
        ..error
    }
}

fn data_or_default<T: DeserializeOwned + Default>(
    kind: &str,
    data: Option<&RawValue>,
) -> Result<T, ApiError> {
    if data.is_none() {
        Ok(T::default())
    } else {
        data_of(kind, data)
    }
}

fn unknown_type(kind: &str) -> ApiError {
    let shown: String = kind.chars().take(40).collect();
    let message = format!(
        "there is no request of type {shown:?}; known are hello, guest, ping, create_game, watch, unwatch, set_up, note, {}",
        GameCommand::TYPES.join(", ")
    );
    ApiError::new(ErrorCode::UnknownType, message).field("type")
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: &str = r#""game":"01890000-0000-7000-8000-000000000001","command":"01890000-0000-7000-8000-000000000002""#;

    fn refusal(text: &str) -> (Option<RequestId>, ApiError) {
        let (id, request) = Request::decode(text);
        (id, request.err().expect("this message should be refused"))
    }

    #[test]
    fn a_move_is_decoded() {
        let text = format!(r#"{{"id":7,"type":"move","data":{{{IDS},"ply":3,"move":"a3a4"}}}}"#);
        let (id, request) = Request::decode(&text);
        assert_eq!(id, Some(RequestId(7)));
        let Ok(Request::Game(GameCommand::Move(data))) = request else {
            panic!("not a move")
        };
        assert_eq!((data.ply, data.text.as_str()), (Ply(3), "a3a4"));
    }

    #[test]
    fn every_type_of_command_decodes_and_names_itself() {
        for kind in GameCommand::TYPES {
            let extra = match *kind {
                "move" => r#","ply":1,"move":"a3a4""#,
                "accept_draw" | "decline_draw" => r#","offer":9"#,
                "chat" => r#","text":"hello""#,
                _ => "",
            };
            let text = format!(r#"{{"id":1,"type":"{kind}","data":{{{IDS}{extra}}}}}"#);
            let (_, Ok(Request::Game(command))) = Request::decode(&text) else {
                panic!("{kind} is refused")
            };
            assert_eq!(command.type_name(), *kind);
            let again = serde_json::to_value(&command).unwrap();
            assert_eq!(again["type"], *kind);
        }
    }

    #[test]
    fn what_is_not_of_the_documented_shape_is_refused_with_its_id() {
        let unknown_field =
            format!(r#"{{"id":1,"type":"resign","data":{{{IDS},"seat":"first"}}}}"#);
        let wrong_type =
            format!(r#"{{"id":2,"type":"move","data":{{{IDS},"ply":"3","move":"a3a4"}}}}"#);
        for (text, id, code) in [
            ("", None, ErrorCode::BadRequest),
            ("null", None, ErrorCode::BadRequest),
            (r#"{"id":5"#, None, ErrorCode::BadRequest),
            (
                r#"{"id":5,"type":"ping","extra":1}"#,
                Some(5),
                ErrorCode::BadRequest,
            ),
            (
                r#"{"id":5,"id":6,"type":"ping"}"#,
                None,
                ErrorCode::BadRequest,
            ),
            (r#"{"id":-5,"type":"ping"}"#, None, ErrorCode::BadRequest),
            (r#"{"id":5,"type":"fly"}"#, Some(5), ErrorCode::UnknownType),
            (
                r#"{"id":5,"type":"resign"}"#,
                Some(5),
                ErrorCode::BadRequest,
            ),
            (&unknown_field, Some(1), ErrorCode::BadRequest),
            (&wrong_type, Some(2), ErrorCode::BadRequest),
        ] {
            let (found, error) = refusal(text);
            assert_eq!((found, error.code), (id.map(RequestId), code), "{text}");
        }
    }

    /// Every text that comes from another by putting an array, the values of an object in their order, in its place.
    fn with_arrays_for_objects(value: &serde_json::Value) -> Vec<(String, serde_json::Value)> {
        let serde_json::Value::Object(fields) = value else {
            return Vec::new();
        };
        let mut changed = vec![(String::new(), fields.values().cloned().collect())];
        for (name, field) in fields {
            for (path, within) in with_arrays_for_objects(field) {
                let mut whole = value.clone();
                whole[name] = within;
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{name}.{path}")
                };
                changed.push((path, whole));
            }
        }
        changed
    }

    #[test]
    fn an_array_in_place_of_an_object_is_refused_with_its_field() {
        let create = r#""command":"01890000-0000-7000-8000-000000000002","ruleset":"xiangqi/standard","options":{"quiet_limit":0},
            "time_control":{"clock":{"type":"fischer","initial_ms":300000,"increment_ms":3000}}"#;
        let game = r#""game":"01890000-0000-7000-8000-000000000001""#;
        let mut tried = 0;
        for (kind, data) in [
            ("hello", r#""token":"qg_x""#.to_owned()),
            ("guest", String::new()),
            ("ping", String::new()),
            ("create_game", create.to_owned()),
            ("watch", format!(r#"{game},"since":{{"epoch":1,"seq":2}}"#)),
            ("unwatch", game.to_owned()),
            ("set_up", format!(r#"{game},"setup":"""#)),
            ("note", format!(r#"{game},"notes":"""#)),
            ("join", IDS.to_owned()),
            ("move", format!(r#"{IDS},"ply":1,"move":"a3a4""#)),
            ("accept_draw", format!(r#"{IDS},"offer":4"#)),
            ("chat", format!(r#"{IDS},"text":"hello""#)),
        ] {
            let text = format!(r#"{{"id":9,"type":"{kind}","data":{{{data}}}}}"#);
            assert!(Request::decode(&text).1.is_ok(), "{text}");
            let value = serde_json::from_str(&text).unwrap();
            for (path, changed) in with_arrays_for_objects(&value) {
                // The envelope's fields in the order of their names, and in the order of the source.
                let mut texts = vec![changed.to_string()];
                if path.is_empty() {
                    texts.push(format!(r#"[9,"{kind}",{{{data}}}]"#));
                }
                for text in texts {
                    let (id, error) = refusal(&text);
                    let field = path.strip_prefix("data.").unwrap_or(&path);
                    assert_eq!(error.code, ErrorCode::BadRequest, "{text}");
                    assert_eq!(error.field.as_deref().unwrap_or_default(), field, "{text}");
                    assert_eq!(id.is_some(), !path.is_empty(), "{text}");
                    tried += 1;
                }
            }
        }
        assert_eq!(tried, 12 * 3 + 4);
    }

    #[test]
    fn an_option_is_named_once_and_its_value_may_be_of_any_kind_until_the_rules_judge_it() {
        let read = |text: &str| serde_json::from_str::<AskedOptions>(text);
        let AskedOptions(options) =
            read(r#"{"a":true,"b":-7,"c":"both","d":1.5,"e":null,"f":[1],"g":1000000000000000000000000000000,"h":1e999,"i":{}}"#)
                .unwrap();
        let fits: Vec<_> = options.values().map(Option::is_some).collect();
        assert_eq!(
            fits,
            [true, true, true, false, false, false, false, false, false]
        );
        assert_eq!(options["b"], Some(OptionValue::Number(-7)));
        for text in [
            r#"{"a":1,"b":2,"a":1}"#,
            r#"{"a":1,"\u0061":1}"#,
            "[]",
            "null",
            "7",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_takes_no_field_of_another() {
        let create = |clock: &str| {
            format!(
                r#"{{"id":1,"type":"create_game","data":{{"command":"01890000-0000-7000-8000-000000000002",
                "ruleset":"xiangqi/standard","time_control":{{"clock":{clock}}}}}}}"#
            )
        };
        assert!(Request::decode(&create(r#"{"type":"none"}"#)).1.is_ok());
        for clock in [
            r#"{"type":"none","move_ms":10000}"#,
            r#"{"type":"none","type":"none"}"#,
            r#"{"type":"per_move","move_ms":10000,"move_ms":10000}"#,
            r#"{"type":"per_move","move_ms":10000,"periods":1}"#,
        ] {
            let (_, error) = refusal(&create(clock));
            assert_eq!(
                error.field.as_deref(),
                Some("time_control.clock"),
                "{clock}"
            );
        }
    }

    #[test]
    fn chat_lines_are_bounded_in_the_decoder() {
        for (line, fine) in [
            ("x".repeat(300), true),
            ("x".repeat(301), false),
            (String::new(), false),
            ("a\\u0007b".into(), false),
        ] {
            let text = format!(r#"{{"id":1,"type":"chat","data":{{{IDS},"text":"{line}"}}}}"#);
            assert_eq!(Request::decode(&text).1.is_ok(), fine, "{line}");
        }
    }
}
