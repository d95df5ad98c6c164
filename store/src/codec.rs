//! How events are written into the record and read back: the one place that serialises what rooms know.
//!
//! **Invariant:** what has been written once is read for ever. A new field is optional, a new kind of event a new variant;
//! the table in the tests keeps every text that was ever written.

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
use serde::{Deserialize, Serialize};

/// An event's body as it is stored. Field names are short: there is a row for every move.
#[derive(Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
enum Stored {
    Created(Box<StoredCreated>),
    Joined {
        seat: u8,
        player: PlayerId,
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<Rating>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
    },
    SetupBegan {
        until: Millis,
        setups: (String, String),
        salts: (String, String),
    },
    SetupExtended {
        until: Millis,
    },
    SetupReady {
        seat: u8,
    },
    Started {
        until: Millis,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        setups: Option<(String, String)>,
    },
    #[serde(rename = "m")]
    Moved {
        s: u8,
        p: Ply,
        m: String,
        ms: Millis,
        #[serde(default, skip_serializing_if = "is_zero")]
        lag: Millis,
    },
    DrawOffered {
        seat: u8,
    },
    DrawDeclined {
        seat: u8,
    },
    ClocksHeld {
        reason: HoldReason,
        spent: Millis,
        until: Millis,
    },
    ClocksReleased {},
    Ended {
        winner: Option<u8>,
        reason: String,
        #[serde(default, skip_serializing_if = "is_zero")]
        spent: Millis,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<u8>,
    },
    Revealed {},
    RematchOffered {
        seat: u8,
    },
    RematchAgreed {
        next: GameId,
    },
    Chat {
        seat: u8,
        // The text comes last: an index of the record knows empty ones by that.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unheard: bool,
        text: String,
    },
}

/// What a game is opened with, as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredCreated {
    ruleset: String,
    options: Vec<(String, String)>,
    time_control: TimeControl,
    visibility: Visibility,
    seat: u8,
    player: PlayerId,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rating: Option<Rating>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    bot: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    rated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invited: Option<(PlayerId, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spectator_delay: Option<SpectatorDelay>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    bounded: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
const fn is_zero(span: &Millis) -> bool {
    span.0 == 0
}

/// An event's body as text.
///
/// # Errors
/// When it can't be written as JSON, which no body that there is can bring about.
pub fn encode(body: &Body) -> Result<String, serde_json::Error> {
    let stored = match body {
        Body::Created(created) => Stored::Created(Box::new(StoredCreated {
            ruleset: created.ruleset.clone(),
            options: created.options.clone(),
            time_control: created.time_control,
            visibility: created.visibility,
            seat: seat_number(created.seat),
            player: created.player.id,
            name: created.player.name.clone(),
            rating: created.player.rating,
            bot: created.player.bot,
            rated: created.rated,
            invited: created
                .invited
                .as_ref()
                .map(|player| (player.id, player.name.clone())),
            spectator_delay: created.spectator_delay,
            bounded: created.bounded,
        })),
        Body::Joined { seat, player } => Stored::Joined {
            seat: seat_number(*seat),
            player: player.id,
            name: player.name.clone(),
            rating: player.rating,
            bot: player.bot,
        },
        Body::SetupBegan { until, draw } => Stored::SetupBegan {
            until: *until,
            setups: texts(&draw.setups),
            salts: (hex(&draw.salts.first.0), hex(&draw.salts.second.0)),
        },
        Body::SetupExtended { until } => Stored::SetupExtended { until: *until },
        Body::SetupReady { seat } => Stored::SetupReady {
            seat: seat_number(*seat),
        },
        Body::Started { until, setups } => Stored::Started {
            until: *until,
            setups: setups.as_deref().map(texts),
        },
        Body::Moved {
            seat,
            ply,
            mv,
            spent,
            lag,
        } => Stored::Moved {
            s: seat_number(*seat),
            p: *ply,
            m: mv.to_string(),
            ms: *spent,
            lag: *lag,
        },
        Body::DrawOffered { seat } => Stored::DrawOffered {
            seat: seat_number(*seat),
        },
        Body::DrawDeclined { seat } => Stored::DrawDeclined {
            seat: seat_number(*seat),
        },
        Body::ClocksHeld {
            reason,
            spent,
            until,
        } => Stored::ClocksHeld {
            reason: *reason,
            spent: *spent,
            until: *until,
        },
        Body::ClocksReleased => Stored::ClocksReleased {},
        Body::Ended { outcome, spent, by } => Stored::Ended {
            winner: outcome.winner.map(seat_number),
            reason: outcome.reason.as_str().to_owned(),
            spent: *spent,
            by: by.map(seat_number),
        },
        Body::Revealed => Stored::Revealed {},
        Body::RematchOffered { seat } => Stored::RematchOffered {
            seat: seat_number(*seat),
        },
        Body::RematchAgreed { next } => Stored::RematchAgreed { next: *next },
        Body::Chat {
            seat,
            text,
            unheard,
        } => Stored::Chat {
            seat: seat_number(*seat),
            unheard: *unheard,
            text: text.clone(),
        },
    };
    serde_json::to_string(&stored)
}

/// Reads an event's body.
///
/// # Errors
/// What is wrong with the text.
pub fn decode(text: &str) -> Result<Body, String> {
    let stored: Stored = serde_json::from_str(text).map_err(|error| damage(text, &error))?;
    Ok(match stored {
        Stored::Created(created) => Body::Created(Box::new(opened(*created)?)),
        Stored::Joined {
            seat,
            player,
            name,
            rating,
            bot,
        } => Body::Joined {
            seat: seat_of(seat)?,
            player: Player {
                id: player,
                name,
                rating,
                bot,
            },
        },
        Stored::SetupBegan {
            until,
            setups,
            salts: (first, second),
        } => Body::SetupBegan {
            until,
            draw: Box::new(Draw {
                setups: setups_of(&setups)?,
                salts: BySeat {
                    first: salt_of(&first)?,
                    second: salt_of(&second)?,
                },
            }),
        },
        Stored::SetupExtended { until } => Body::SetupExtended { until },
        Stored::SetupReady { seat } => Body::SetupReady {
            seat: seat_of(seat)?,
        },
        Stored::Started { until, setups } => Body::Started {
            until,
            setups: setups.as_ref().map(setups_of).transpose()?.map(Box::new),
        },
        Stored::Moved { s, p, m, ms, lag } => {
            let mv = m
                .parse::<Move>()
                .map_err(|error| format!("{m:?}: {error}"))?;
            Body::Moved {
                seat: seat_of(s)?,
                ply: p,
                mv,
                spent: ms,
                lag,
            }
        }
        Stored::DrawOffered { seat } => Body::DrawOffered {
            seat: seat_of(seat)?,
        },
        Stored::DrawDeclined { seat } => Body::DrawDeclined {
            seat: seat_of(seat)?,
        },
        Stored::ClocksHeld {
            reason,
            spent,
            until,
        } => Body::ClocksHeld {
            reason,
            spent,
            until,
        },
        Stored::ClocksReleased {} => Body::ClocksReleased,
        Stored::Ended {
            winner,
            reason,
            spent,
            by,
        } => {
            let reason = EndReason::from_name(&reason)
                .ok_or_else(|| format!("unknown reason {reason:?}"))?;
            Body::Ended {
                outcome: Outcome {
                    winner: winner.map(seat_of).transpose()?,
                    reason,
                },
                spent,
                by: by.map(seat_of).transpose()?,
            }
        }
        Stored::RematchOffered { seat } => Body::RematchOffered {
            seat: seat_of(seat)?,
        },
        Stored::Revealed {} => Body::Revealed,
        Stored::RematchAgreed { next } => Body::RematchAgreed { next },
        Stored::Chat {
            seat,
            unheard,
            text,
        } => Body::Chat {
            seat: seat_of(seat)?,
            unheard,
            text,
        },
    })
}

/// A line of chat without its text; none if it is damaged.
pub(crate) fn cleared(body: &str) -> Option<String> {
    match decode(body).ok()? {
        Body::Chat { seat, unheard, .. } => encode(&Body::Chat {
            seat,
            unheard,
            text: String::new(),
        })
        .ok(),
        _ => None,
    }
}

fn texts(setups: &Setups) -> (String, String) {
    (setups.0.first.text(), setups.0.second.text())
}

fn opened(stored: StoredCreated) -> Result<Created, String> {
    Ok(Created {
        ruleset: stored.ruleset,
        options: stored.options,
        time_control: stored.time_control,
        visibility: stored.visibility,
        seat: seat_of(stored.seat)?,
        player: Player {
            id: stored.player,
            name: stored.name,
            rating: stored.rating,
            bot: stored.bot,
        },
        rated: stored.rated,
        invited: stored.invited.map(|(id, name)| Player::named(id, name)),
        spectator_delay: stored.spectator_delay,
        bounded: stored.bounded,
    })
}

/// What is wrong with a text. It is logged, and serde quotes what it can't read: of setups and salts nothing is quoted.
fn damage(text: &str, error: &serde_json::Error) -> String {
    if ["setups", "salts"].iter().any(|word| text.contains(word)) {
        "an event with setups is invalid".to_owned()
    } else {
        error.to_string()
    }
}

/// Errors name nothing of what stands there: they are logged.
fn setups_of((first, second): &(String, String)) -> Result<Setups, String> {
    let one =
        |seat, text: &str| Setup::read(seat, text).map_err(|_| "a setup is not legal".to_owned());
    Ok(Setups(BySeat {
        first: one(Seat::First, first)?,
        second: one(Seat::Second, second)?,
    }))
}

fn salt_of(text: &str) -> Result<Salt, String> {
    salt_from_hex(text).ok_or_else(|| "a salt is 64 hexadecimal digits".to_owned())
}

const fn seat_number(seat: Seat) -> u8 {
    match seat {
        Seat::First => 1,
        Seat::Second => 2,
    }
}

fn seat_of(number: u8) -> Result<Seat, String> {
    match number {
        1 => Ok(Seat::First),
        2 => Ok(Seat::Second),
        _ => Err(format!("there is no seat {number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of text that was ever written. Lines are added, never changed.
    const WRITTEN: &[&str] = &[
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
