//! How events are written into the record and read back: the one place that serialises what rooms know.
//!
//! **Invariant:** what has been written once is read for ever. A new field is optional, a new kind of event a new variant;
//! the table in the tests keeps every text that was ever written. **Invariant:** events themselves have no `Serialize`: the types here
//! say how serde writes and reads them, and are private.

use qiguan_game::{
    commitments::{Salt, hex, salt_from_hex},
    event::{Body, Created, Player},
    setups::{Draw, Setups},
};
use qiguan_protocol::{
    delay::SpectatorDelay,
    event::HoldReason,
    ids::{GameId, Millis, PlayerId, Ply},
    names::{Rating, Visibility},
    time_control::TimeControl,
};
use qiguan_rules::{BySeat, EndReason, Move, Outcome, Seat, luzhanqi::Setup};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error},
};

/// An event's body as text.
///
/// # Errors
/// When it can't be written as JSON, which no body that there is can bring about.
pub fn encode(body: &Body) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Written<'a>(#[serde(with = "BodyText")] &'a Body);
    serde_json::to_string(&Written(body))
}

/// Reads an event's body.
///
/// # Errors
/// What is wrong with the text.
pub fn decode(text: &str) -> Result<Body, String> {
    #[derive(Deserialize)]
    struct Read(#[serde(with = "BodyText")] Body);
    let read = serde_json::from_str(text).map_err(|error| damage(text, &error));
    read.map(|Read(body)| body)
}

/// Whether this is a line of chat that may still have its text: what the indexes of the record know it by.
fn is_said(body: &str) -> bool {
    body.starts_with(r#"{"t":"chat","#) && !body.ends_with(r#""text":""}"#)
}

/// Who has said a line of chat that still has its text; none if it is no such line, or damaged.
pub(crate) fn speaker(body: &str) -> Option<Seat> {
    if !is_said(body) {
        return None;
    }
    match decode(body).ok()? {
        Body::Chat { seat, .. } => Some(seat),
        _ => None,
    }
}

/// A line of chat without its text; none if it is damaged.
pub(crate) fn cleared(body: &str) -> Option<String> {
    match decode(body).ok()? {
        Body::Chat {
            seat, shadow_muted, ..
        } => encode(&Body::Chat {
            seat,
            shadow_muted,
            text: String::new(),
        })
        .ok(),
        _ => None,
    }
}

/// What is wrong with a text. It is logged, and serde quotes what it can't read: of setups and salts nothing is quoted.
fn damage(text: &str, error: &serde_json::Error) -> String {
    if ["setups", "salts"].iter().any(|word| text.contains(word)) {
        "an event with setups is invalid".to_owned()
    } else {
        error.to_string()
    }
}

/// An event's body as it is stored. Field names are short: there is a row for every move.
#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Body",
    tag = "t",
    rename_all = "snake_case",
    deny_unknown_fields
)]
enum BodyText {
    Created(#[serde(with = "created")] Box<Created>),
    Joined {
        #[serde(with = "stored")]
        seat: Seat,
        #[serde(flatten, with = "PlayerText")]
        player: Player,
    },
    SetupBegan {
        until: Millis,
        #[serde(flatten, with = "draw")]
        draw: Box<Draw>,
    },
    SetupExtended {
        until: Millis,
    },
    SetupReady {
        #[serde(with = "stored")]
        seat: Seat,
    },
    Started {
        until: Millis,
        #[serde(default, skip_serializing_if = "Option::is_none", with = "stored")]
        setups: Option<Box<Setups>>,
    },
    #[serde(rename = "m")]
    Moved {
        #[serde(rename = "s", with = "stored")]
        seat: Seat,
        #[serde(rename = "p")]
        ply: Ply,
        #[serde(rename = "m", with = "stored")]
        mv: Move,
        #[serde(rename = "ms")]
        spent: Millis,
        #[serde(default, skip_serializing_if = "is_zero")]
        lag: Millis,
    },
    DrawOffered {
        #[serde(with = "stored")]
        seat: Seat,
    },
    DrawDeclined {
        #[serde(with = "stored")]
        seat: Seat,
    },
    TakebackRequested {
        #[serde(with = "stored")]
        seat: Seat,
    },
    TakebackDeclined {
        #[serde(with = "stored")]
        seat: Seat,
    },
    TakenBack {
        #[serde(with = "stored")]
        by: Seat,
        plies: u32,
        #[serde(default, skip_serializing_if = "is_zero")]
        spent: Millis,
    },
    ClocksHeld {
        reason: HoldReason,
        spent: Millis,
        until: Millis,
    },
    ClocksReleased {},
    Ended {
        #[serde(flatten, with = "OutcomeText")]
        outcome: Outcome,
        #[serde(default, skip_serializing_if = "is_zero")]
        spent: Millis,
        #[serde(default, skip_serializing_if = "Option::is_none", with = "stored")]
        by: Option<Seat>,
    },
    Revealed {},
    RematchOffered {
        #[serde(with = "stored")]
        seat: Seat,
    },
    RematchAgreed {
        next: GameId,
    },
    Chat {
        #[serde(with = "stored")]
        seat: Seat,
        // The text comes last: an index of the record knows empty ones by that.
        #[serde(
            default,
            rename = "unheard",
            skip_serializing_if = "std::ops::Not::not"
        )]
        shadow_muted: bool,
        text: String,
    },
}

/// What a game is opened with, as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Created", deny_unknown_fields)]
struct CreatedText {
    ruleset: String,
    options: Vec<(String, String)>,
    time_control: TimeControl,
    visibility: Visibility,
    #[serde(with = "stored")]
    seat: Seat,
    #[serde(flatten, with = "PlayerText")]
    player: Player,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    rated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "stored")]
    invited: Option<Player>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spectator_delay: Option<SpectatorDelay>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    practice: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    bounded: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Player")]
struct PlayerText {
    #[serde(rename = "player")]
    id: PlayerId,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rating: Option<Rating>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    bot: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Outcome")]
struct OutcomeText {
    #[serde(default, with = "stored")]
    winner: Option<Seat>,
    #[serde(with = "stored")]
    reason: EndReason,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Draw")]
struct DrawText {
    #[serde(with = "stored")]
    setups: Setups,
    #[serde(with = "stored")]
    salts: BySeat<Salt>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
const fn is_zero(span: &Millis) -> bool {
    span.0 == 0
}

/// A value that is stored as another.
trait Stored: Sized {
    type Text: Serialize + DeserializeOwned;

    fn text(&self) -> Self::Text;

    /// # Errors
    /// What is wrong. It is logged: of a secret it names nothing.
    fn read(text: Self::Text) -> Result<Self, String>;
}

/// For serde's `with`: a value as its [`Stored::Text`].
mod stored {
    use super::{Deserialize, Deserializer, Error, Serialize, Serializer, Stored};

    pub(super) fn serialize<T: Stored, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        value.text().serialize(to)
    }

    pub(super) fn deserialize<'de, T: Stored, D: Deserializer<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        T::read(T::Text::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// For serde's `with`: what a game is opened with.
mod created {
    use super::{Created, CreatedText, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(created: &Created, to: S) -> Result<S::Ok, S::Error> {
        CreatedText::serialize(created, to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Box<Created>, D::Error> {
        CreatedText::deserialize(from).map(Box::new)
    }
}

/// For serde's `with`: what is drawn for a game with setups.
mod draw {
    use super::{Deserializer, Draw, DrawText, Serializer};

    pub(super) fn serialize<S: Serializer>(draw: &Draw, to: S) -> Result<S::Ok, S::Error> {
        DrawText::serialize(draw, to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Box<Draw>, D::Error> {
        DrawText::deserialize(from).map(Box::new)
    }
}

impl Stored for Seat {
    type Text = u8;

    fn text(&self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }

    fn read(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::First),
            2 => Ok(Self::Second),
            _ => Err(format!("there is no seat {number}")),
        }
    }
}

impl Stored for Move {
    type Text = String;

    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: String) -> Result<Self, String> {
        text.parse().map_err(|error| format!("{text:?}: {error}"))
    }
}

impl Stored for EndReason {
    type Text = String;

    fn text(&self) -> String {
        self.as_str().to_owned()
    }

    fn read(word: String) -> Result<Self, String> {
        Self::from_name(&word).ok_or_else(|| format!("unknown reason {word:?}"))
    }
}

/// An invited player is known by name alone.
impl Stored for Player {
    type Text = (PlayerId, String);

    fn text(&self) -> (PlayerId, String) {
        (self.id, self.name.clone())
    }

    fn read((id, name): (PlayerId, String)) -> Result<Self, String> {
        Ok(Self::named(id, name))
    }
}

impl Stored for Setups {
    type Text = (String, String);

    fn text(&self) -> (String, String) {
        (self.0.first.text(), self.0.second.text())
    }

    fn read((first, second): (String, String)) -> Result<Self, String> {
        let one = |seat, text: &str| {
            Setup::read(seat, text).map_err(|_| "a setup is not legal".to_owned())
        };
        Ok(Self(BySeat {
            first: one(Seat::First, &first)?,
            second: one(Seat::Second, &second)?,
        }))
    }
}

impl Stored for BySeat<Salt> {
    type Text = (String, String);

    fn text(&self) -> (String, String) {
        (hex(&self.first.0), hex(&self.second.0))
    }

    fn read((first, second): (String, String)) -> Result<Self, String> {
        let one = |text: &str| {
            salt_from_hex(text).ok_or_else(|| "a salt is 64 hexadecimal digits".to_owned())
        };
        Ok(Self {
            first: one(&first)?,
            second: one(&second)?,
        })
    }
}

impl<T: Stored> Stored for Option<T> {
    type Text = Option<T::Text>;

    fn text(&self) -> Option<T::Text> {
        self.as_ref().map(T::text)
    }

    fn read(text: Option<T::Text>) -> Result<Self, String> {
        text.map(T::read).transpose()
    }
}

impl<T: Stored> Stored for Box<T> {
    type Text = T::Text;

    fn text(&self) -> T::Text {
        T::text(self)
    }

    fn read(text: T::Text) -> Result<Self, String> {
        T::read(text).map(Self::new)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every kind of text that was ever written. Lines are added, never changed.
    pub(crate) const WRITTEN: &[&str] = &[
        r#"{"t":"created","ruleset":"doushouqi/booklet","options":[["quiet_limit","0"]],"time_control":{"clock":{"type":"fischer","initial_ms":300000,"increment_ms":3000},"absence_ms":42000},"visibility":"public","seat":1,"player":"01890000-0000-7000-8000-000000000001","name":"Sly Pangolin 4071"}"#,
        r#"{"t":"joined","seat":2,"player":"01890000-0000-7000-8000-000000000002","name":"Calm Carp 1000"}"#,
        r#"{"t":"created","ruleset":"xiangqi/standard","options":[],"time_control":{"clock":{"type":"fischer","initial_ms":300000,"increment_ms":3000},"absence_ms":42000},"visibility":"link","seat":2,"player":"01890000-0000-7000-8000-000000000001","name":"Meng","rating":{"value":1723},"rated":true,"invited":["01890000-0000-7000-8000-000000000002","Deep_Carp"]}"#,
        r#"{"t":"created","ruleset":"doushouqi/booklet","options":[],"time_control":{"clock":{"type":"none"}},"visibility":"public","seat":1,"player":"01890000-0000-7000-8000-000000000001","name":"Meng","spectator_delay":{"plies":3}}"#,
        r#"{"t":"joined","seat":1,"player":"01890000-0000-7000-8000-000000000002","name":"Deep_Carp","rating":{"value":1500,"provisional":true},"bot":true}"#,
        r#"{"t":"started","until":1700000030000}"#,
        r#"{"t":"setup_began","until":180000,"setups":["DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX","xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd"],"salts":["0101010101010101010101010101010101010101010101010101010101010101","ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00"]}"#,
        r#"{"t":"setup_extended","until":190000}"#,
        r#"{"t":"setup_ready","seat":2}"#,
        r#"{"t":"started","until":31000,"setups":["DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX","xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd"]}"#,
        r#"{"t":"revealed"}"#,
        r#"{"t":"m","s":1,"p":1,"m":"a3a4","ms":1234}"#,
        r#"{"t":"m","s":2,"p":2,"m":"g7g6","ms":0,"lag":87}"#,
        r#"{"t":"draw_offered","seat":1}"#,
        r#"{"t":"draw_declined","seat":2}"#,
        r#"{"t":"clocks_held","reason":"restart","spent":500,"until":1700000030000}"#,
        r#"{"t":"clocks_released"}"#,
        r#"{"t":"ended","winner":1,"reason":"den"}"#,
        r#"{"t":"ended","winner":null,"reason":"quiet_limit"}"#,
        r#"{"t":"ended","winner":2,"reason":"resignation","spent":345,"by":1}"#,
        r#"{"t":"rematch_offered","seat":2}"#,
        r#"{"t":"rematch_agreed","next":"01890000-0000-7000-8000-000000000003"}"#,
        r#"{"t":"chat","seat":1,"text":"好棋 \"😀\""}"#,
        r#"{"t":"chat","seat":2,"unheard":true,"text":"rude"}"#,
        r#"{"t":"ended","winner":2,"reason":"adjudication","spent":345}"#,
        r#"{"t":"ended","winner":null,"reason":"aborted","spent":345}"#,
        r#"{"t":"created","ruleset":"doushouqi/booklet","options":[],"time_control":{"clock":{"type":"none"}},"visibility":"link","seat":1,"player":"01890000-0000-7000-8000-000000000001","name":"Meng","practice":true,"bounded":true}"#,
        r#"{"t":"created","ruleset":"xiangqi/standard","options":[],"time_control":{"clock":{"type":"none"}},"visibility":"link","seat":1,"player":"01890000-0000-7000-8000-000000000001","name":"Meng","start":"4k4/9/9/9/9/9/9/1R7/R8/3K5 b - - 0 1","bounded":true}"#,
        r#"{"t":"takeback_requested","seat":1}"#,
        r#"{"t":"takeback_declined","seat":2}"#,
        r#"{"t":"taken_back","by":1,"plies":2,"spent":345}"#,
        r#"{"t":"taken_back","by":2,"plies":1}"#,
    ];

    #[test]
    fn every_text_that_was_ever_written_reads_and_is_written_the_same() {
        for text in WRITTEN {
            let body = decode(text).unwrap();
            assert_eq!(encode(&body).unwrap(), *text);
        }
    }

    #[test]
    fn a_damaged_text_is_an_error_that_says_what_is_wrong() {
        for (text, what) in [
            ("", "EOF"),
            (r#"{"t":"m","s":3,"p":1,"m":"a3a4","ms":0}"#, "seat 3"),
            (r#"{"t":"m","s":1,"p":1,"m":"a3","ms":0}"#, "a3"),
            (
                r#"{"t":"ended","winner":null,"reason":"boredom"}"#,
                "boredom",
            ),
            (r#"{"t":"teleported"}"#, "teleported"),
        ] {
            let error = decode(text).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn what_is_wrong_with_setups_and_salts_is_said_without_them() {
        for text in [
            r#"{"t":"setup_began","until":1,"setups":"DKBJC","salts":["0101","ff00"]}"#,
            r#"{"t":"setup_began","until":1,"setups":["DKBJC","xfcxe"],"salts":"0101"}"#,
            r#"{"t":"setup_began","until":1,"setups":["DKBJC","xfcxe"],"salts":["0101","ff00"]}"#,
            r#"{"t":"setup_began","until":1,"DKBJC":["xfcxe"],"salts":["0101","ff00"]}"#,
            r#"{"t":"started","until":1,"setups":"DKBJC"}"#,
            r#"{"t":"started","until":"DKBJC","setups":["DKBJC","xfcxe"]}"#,
            r#"{"t":"DKBJC","until":1,"setups":["DKBJC","xfcxe"]}"#,
        ] {
            let error = decode(text).unwrap_err();
            for secret in ["DKBJC", "xfcxe", "0101", "ff00"] {
                assert!(!error.contains(secret), "{text}: {error}");
            }
        }
    }
}
