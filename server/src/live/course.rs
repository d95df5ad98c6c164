//! How far a game is, as can be told from its messages. Pure.
//!
//! A stream gets the texts that all spectators share. It looks into them for what concerns itself: the number, the end of the game,
//! and what the server says.

use std::borrow::Cow;

use qiguan_protocol::{
    answer::Answer,
    event::{EventFrame, GameEvent},
    ids::{Cursor, Millis, Seq},
    names::Status,
};
use serde::{Deserialize, de::IgnoredAny};

/// What a message says that concerns a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSummary {
    /// The number of the event, if it is one.
    pub seq: Option<Seq>,
    /// What happened.
    pub what: FrameKind,
}

/// What a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// Play has begun; whether both sides have committed to something that is revealed after the end.
    Started { commitments: bool },
    /// The game is over.
    Ended,
    /// What was committed to is known.
    Revealed,
    /// No more messages of the game come.
    Dropped,
    /// The server is about to restart, and can be asked again after so long.
    Restarting(Millis),
    /// Something of the lobby.
    Lobby,
    /// Something that is the reader's affair alone.
    Other,
}

#[derive(Deserialize)]
struct Shape<'a> {
    #[serde(default)]
    seq: Option<Seq>,
    #[serde(default, borrow)]
    event: Option<TaggedObject<'a>>,
    #[serde(default, borrow)]
    notice: Option<TaggedObject<'a>>,
    #[serde(default)]
    lobby: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct TaggedObject<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default)]
    commitments: Option<IgnoredAny>,
    #[serde(default)]
    retry_in_ms: Option<Millis>,
}

impl FrameSummary {
    /// Looks into a message.
    pub fn in_text(text: &str) -> Self {
        let nothing = Self {
            seq: None,
            what: FrameKind::Other,
        };
        let Ok(shape) = serde_json::from_str::<Shape<'_>>(text) else {
            return nothing;
        };
        let Shape {
            seq,
            event,
            notice,
            lobby,
        } = shape;
        let of_event = event.map(|event| match event.kind.as_ref() {
            "started" => FrameKind::Started {
                commitments: event.commitments.is_some(),
            },
            "ended" => FrameKind::Ended,
            "revealed" => FrameKind::Revealed,
            _ => FrameKind::Other,
        });
        let of_notice = notice.map(|notice| match (notice.kind.as_ref(), notice.retry_in_ms) {
            ("dropped", _) => FrameKind::Dropped,
            ("restarting", Some(retry)) => FrameKind::Restarting(retry),
            _ => FrameKind::Other,
        });
        Self {
            seq,
            what: of_event
                .or(of_notice)
                .or(lobby.map(|_| FrameKind::Lobby))
                .unwrap_or(FrameKind::Other),
        }
    }

    fn of_event(frame: &EventFrame) -> Self {
        let what = match &frame.event {
            GameEvent::Started { commitments, .. } => FrameKind::Started {
                commitments: commitments.is_some(),
            },
            GameEvent::Ended { .. } => FrameKind::Ended,
            GameEvent::Revealed { .. } => FrameKind::Revealed,
            GameEvent::Created { .. }
            | GameEvent::Joined { .. }
            | GameEvent::SetupBegan { .. }
            | GameEvent::SetupExtended { .. }
            | GameEvent::SetupReady { .. }
            | GameEvent::Moved { .. }
            | GameEvent::DrawOffered { .. }
            | GameEvent::DrawDeclined { .. }
            | GameEvent::TakebackRequested { .. }
            | GameEvent::TakebackDeclined { .. }
            | GameEvent::TakenBack { .. }
            | GameEvent::ClocksHeld { .. }
            | GameEvent::ClocksReleased { .. }
            | GameEvent::RematchOffered { .. }
            | GameEvent::RematchAgreed { .. }
            | GameEvent::Chat { .. }
            | GameEvent::Withheld {} => FrameKind::Other,
        };
        Self {
            seq: Some(frame.seq),
            what,
        }
    }
}

/// A game that is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// How far the reader has been brought.
    pub at: Cursor,
    commitments: bool,
    over: bool,
    dropped: bool,
}

impl Course {
    /// What the answer to `watch` tells; none if it is no such answer. `commitments` is whether it is known already that both sides
    /// have committed to something.
    pub fn begun_by(answer: &Answer, commitments: bool) -> Option<Self> {
        if let Answer::Snapshot { view, .. } = answer {
            let setup = view.setup.as_ref();
            let commitments = setup.is_some_and(|setup| setup.commitments.is_some());
            let revealed = setup.is_some_and(|setup| setup.revealed.is_some());
            return Some(Self {
                at: view.cursor,
                commitments,
                over: view.status == Status::Ended && (revealed || !commitments),
                dropped: false,
            });
        }
        let Answer::Missed { cursor, events, .. } = answer else {
            return None;
        };
        let mut course = Self {
            at: *cursor,
            commitments,
            over: false,
            dropped: false,
        };
        for event in events {
            course.hears(FrameSummary::of_event(event));
        }
        course.at = *cursor;
        Some(course)
    }

    /// Notes a message of the game.
    pub fn hears(&mut self, said: FrameSummary) {
        if let Some(seq) = said.seq {
            self.at.seq = seq;
        }
        match said.what {
            FrameKind::Started { commitments } => self.commitments = commitments,
            FrameKind::Ended => self.over = !self.commitments,
            FrameKind::Revealed => self.over = true,
            FrameKind::Dropped => {
                self.over = true;
                self.dropped = true;
            }
            FrameKind::Restarting(_) | FrameKind::Lobby | FrameKind::Other => {}
        }
    }

    /// Whether nothing more of the game is to be passed on.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Whether no more messages of the game come though it may go on: it can be watched again.
    pub const fn is_dropped(&self) -> bool {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::Epoch;

    use super::*;

    fn course() -> Course {
        Course {
            at: Cursor {
                epoch: Epoch(1),
                seq: Seq(2),
            },
            commitments: false,
            over: false,
            dropped: false,
        }
    }

    fn event(seq: u32, event: &str) -> FrameSummary {
        FrameSummary::in_text(&format!(
            r#"{{"game":"g","seq":{seq},"at":1,"event":{{{event}}},"position":{{"fen":"x"}}}}"#
        ))
    }

    #[test]
    fn a_game_is_over_with_its_end_or_with_what_is_revealed_after_it() {
        let mut open = course();
        open.hears(event(3, r#""type":"started","clocks":{}"#));
        open.hears(event(4, r#""type":"moved","move":"a3a4""#));
        assert!(!open.is_over());
        open.hears(event(5, r#""type":"ended","outcome":{}"#));
        assert_eq!((open.is_over(), open.at.seq), (true, Seq(5)));

        let mut secret = course();
        let started = r#""type":"started","commitments":{"first":"a","second":"b"}"#;
        secret.hears(event(3, started));
        secret.hears(event(4, r#""type":"ended","outcome":{}"#));
        assert!(!secret.is_over());
        secret.hears(event(5, r#""type":"revealed","setups":{}"#));
        assert!(secret.is_over());
    }

    #[test]
    fn a_game_of_which_nothing_more_comes_can_be_watched_again() {
        let mut course = course();
        course.hears(event(3, r#""type":"ended","outcome":{}"#));
        assert!(!course.is_dropped());
        let dropped = r#"{"game":"g","notice":{"type":"dropped"}}"#;
        course.hears(FrameSummary::in_text(dropped));
        assert!(course.is_over() && course.is_dropped());
    }

    #[test]
    fn what_the_server_says_is_heard() {
        let said = |notice| FrameSummary::in_text(notice).what;
        let restarting = r#"{"notice":{"type":"restarting","retry_in_ms":700}}"#;
        assert_eq!(said(restarting), FrameKind::Restarting(Millis(700)));
        let dropped = r#"{"game":"g","notice":{"type":"dropped"}}"#;
        assert_eq!(said(dropped), FrameKind::Dropped);
        let presence = r#"{"game":"g","notice":{"type":"presence","presence":{}}}"#;
        assert_eq!(said(presence), FrameKind::Other);
        let challenged = r#"{"lobby":{"type":"challenge_closed","game":"g"}}"#;
        assert_eq!(said(challenged), FrameKind::Lobby);
        assert_eq!(said("no JSON"), FrameKind::Other);
    }
}
