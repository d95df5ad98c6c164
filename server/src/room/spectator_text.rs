//! Texts for spectators. Another program gets one for all who watch there, so what may be in such a text is a matter of its type: there is no
//! other way to one than from what spectators may read.

use axum::extract::ws::Utf8Bytes;
use qiguan_game::{
    audience::{self, Audience},
    event::Event,
    state::State,
};
use qiguan_protocol::{
    event::{EventFrame, GameNotice, GameNoticeKind},
    ids::Seq,
    live_text::with_moves,
};
use qiguan_rules::Seat;

use crate::peer;

/// A text that every spectator of a game may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpectatorText(Utf8Bytes);

impl SpectatorText {
    /// An event as spectators see it.
    pub(super) fn event(state: &State, event: &Event) -> Self {
        Self(peer::text(&audience::frame(
            state,
            event,
            Audience::Spectators,
        )))
    }

    /// The events after one as spectators see them, the last with the position.
    pub(super) fn missed(state: &State, since: Seq) -> Vec<Self> {
        let mut frames = audience::missed(state, since, Audience::Spectators);
        if let Some(last) = frames.last_mut() {
            last.position = Some(audience::position(state, Audience::Spectators));
        }
        frames.iter().map(|frame| Self(peer::text(frame))).collect()
    }

    /// A notice; none if it is of a kind that is for one player.
    pub(super) fn notice(notice: &GameNotice) -> Option<Self> {
        match notice.notice {
            GameNoticeKind::SetUp { .. } | GameNoticeKind::Notes { .. } => None,
            GameNoticeKind::Presence { .. }
            | GameNoticeKind::SpectatorChat { .. }
            | GameNoticeKind::Rated { .. }
            | GameNoticeKind::StorageDown {}
            | GameNoticeKind::StorageBack {}
            | GameNoticeKind::Dropped {} => Some(Self(peer::text(notice))),
        }
    }

    /// One that another program has for all who watch here.
    pub fn of_another_program(text: String) -> Self {
        Self(text.into())
    }

    /// As clients receive it.
    pub const fn text(&self) -> &Utf8Bytes {
        &self.0
    }
}

impl From<&'static str> for SpectatorText {
    /// A text that the program holds says nothing of any game.
    fn from(text: &'static str) -> Self {
        Self(text.into())
    }
}

/// An event of which all may know the same, written once.
pub(super) struct OpenEvent {
    frame: EventFrame,
    text: Utf8Bytes,
}

impl OpenEvent {
    /// If it is one.
    pub(super) fn of(state: &State, event: &Event) -> Option<Self> {
        audience::is_open(state, event).then(|| {
            let frame = audience::frame(state, event, Audience::Spectators);
            let text = peer::text(&frame);
            Self { frame, text }
        })
    }

    /// For spectators, who are told no moves.
    pub(super) fn for_spectators(&self) -> SpectatorText {
        SpectatorText(self.text.clone())
    }

    /// For a player, with the moves that they have.
    pub(super) fn for_seat(&self, state: &State, seat: Seat) -> Utf8Bytes {
        audience::moves(state, Audience::Seat(seat))
            .and_then(|(legal, banned)| with_moves(&self.frame, &self.text, legal, &banned))
            .map_or_else(|| self.text.clone(), |more| peer::shared(&more))
    }
}
