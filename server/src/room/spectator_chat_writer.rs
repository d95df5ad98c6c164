//! The spectators' chat in its room: written beside the room's own work, so that no move waits for it, and sent once it is on
//! the disk.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use qiguan_game::{
    audience::{self, Audience},
    people::identity::Identity,
    refusal::Refusal,
    state::State,
};
use qiguan_protocol::{
    error::ApiError,
    event::GameNoticeKind,
    ids::{CommandId, GameId, Millis, PlayerId},
    limits,
    view::SpectatorLine,
};
use qiguan_store::{spectator_chat::UNHEARD_LINES, store::StoreError};
use tokio::sync::oneshot;

use crate::{
    admission::sanctions::ChatReach,
    net::address::Group,
    room::{
        crowd::Crowd,
        message::{Read, Reply, RoomMessage},
        room::Room,
        spectator_chat::SpectatorChat,
    },
    services::Services,
};

/// What has become of a write: the numbers of the lines that were new.
pub(super) type Written = Result<Vec<u32>, StoreError>;

/// Something that a spectator says.
pub struct SpectatorMessage {
    /// Who.
    pub who: Arc<Identity>,
    /// From where.
    pub address: Group,
    /// The client's id for it.
    pub command: CommandId,
    /// What.
    pub text: String,
    /// Who hears it.
    pub reach: ChatReach,
    /// Where the answer goes.
    pub reply: Reply,
}

/// What spectators say at a game, and the write of it that is under way.
#[derive(Default)]
pub(super) struct SpectatorChatWriter {
    chat: SpectatorChat,
    writing: Option<oneshot::Receiver<Written>>,
    /// The game is over, and the players have been shown what spectators said.
    is_shown: bool,
}

impl SpectatorChatWriter {
    /// The game was read: of one that is over, later visitors find in the view what was said.
    pub(super) const fn found(&mut self, is_over: bool) {
        self.is_shown |= is_over;
    }

    /// Forgets what somebody has said, whose account is deleted.
    pub(super) fn forget(&mut self, player: PlayerId) {
        self.chat.forget(player);
    }

    /// What spectators said last, as far as somebody may see it.
    pub(super) fn lines_for(
        &self,
        state: &State,
        audience: Audience,
        player: Option<PlayerId>,
    ) -> Vec<SpectatorLine> {
        if !audience::hears_spectators(state, audience) {
            return Vec::new();
        }
        let said = self.chat.last();
        let said = said.filter(|said| said.line.is_heard_by(player));
        let mut lines: Vec<_> = said.map(audience::spectator_line).collect();
        let shown = limits::SPECTATOR_LINES_SHOWN as usize;
        lines.drain(..lines.len().saturating_sub(shown));
        lines
    }

    /// Reads what was said last, if it is not known.
    pub(super) async fn load(&mut self, services: &Services, game: GameId) {
        if self.chat.is_loaded() || !self.chat.is_quiet() {
            return;
        }
        // Lines that nobody hears may stand between those that everybody does.
        let limit = limits::SPECTATOR_LINES_SHOWN + UNHEARD_LINES;
        match services.store.spectator_lines(game, u32::MAX, limit).await {
            Ok(lines) => self.chat.load(lines),
            Err(error) => {
                tracing::warn!(%game, %error, "could not read spectator chat");
            }
        }
    }

    /// Has what waits written, if it is time for it.
    pub(super) fn write(&mut self, services: &Services) {
        let now = services.clock.now();
        if self.chat.due_at().is_none_or(|at| at > now) {
            return;
        }
        let lines = self.chat.begin();
        let journal = services.journal.clone();
        let (sender, written) = oneshot::channel();
        tokio::spawn(async move {
            // A room that is gone in the meantime has answered by that.
            drop(sender.send(journal.keep_spectator_lines(lines).await));
        });
        self.writing = Some(written);
    }

    /// When the next write is to begin.
    pub(super) fn due_at(&self) -> Option<Millis> {
        self.chat.due_at()
    }

    /// Whether nothing waits or is being written.
    pub(super) const fn is_quiet(&self) -> bool {
        self.chat.is_quiet() && self.writing.is_none()
    }

    /// Whether a write is under way.
    pub(super) const fn is_being_written(&self) -> bool {
        self.writing.is_some()
    }

    /// What has become of the write that is under way.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Written> {
        let Some(writing) = &mut self.writing else {
            return Poll::Pending;
        };
        Pin::new(writing).poll(context).map(|written| {
            self.writing = None;
            written.unwrap_or_else(|gone| Err(StoreError::Unavailable(gone.to_string())))
        })
    }

    /// Shows the players of a game that is over what spectators have said, once.
    pub(super) fn show_players(&mut self, crowd: &Crowd) {
        if std::mem::replace(&mut self.is_shown, true) {
            return;
        }
        let heard = self.chat.last().filter(|said| !said.line.shadow_muted);
        let lines: Vec<_> = heard.map(audience::spectator_line).collect();
        if !lines.is_empty() {
            crowd.notice_to_players(GameNoticeKind::SpectatorChat { lines });
        }
    }
}

impl Room {
    /// Hears a spectator. The answer comes when the line is on the disk.
    pub(super) fn hear(&mut self, say: SpectatorMessage) {
        let Some(state) = self.record.state() else {
            return;
        };
        if state.seat_of(say.who.id).is_some() {
            return say.reply.send(Err(Refusal::AlreadySeated.into()));
        }
        if self.outage.is_on() || !self.spectator_chat.chat.is_loaded() {
            return say.reply.send(Err(ApiError::not_stored()));
        }
        let now = self.services.clock.now();
        let limits = (now, &self.services.chat, &self.services.growth);
        self.spectator_chat.chat.hear(state.id, say, limits);
    }

    /// Whether what was said has to be known for this: for the next message, and for its readers.
    pub(super) fn needs_spectator_chat(&self, message: &RoomMessage) -> bool {
        let hears = |player| {
            let (state, audience) = (self.record.state(), self.record.audience_of(player));
            let known = state.zip(audience);
            known.is_some_and(|(state, audience)| audience::hears_spectators(state, audience))
        };
        match message {
            RoomMessage::SpectatorMessage(_) => true,
            RoomMessage::Watch { player, .. }
            | RoomMessage::Read {
                player,
                read: Read::Snapshot(_),
            } => hears(*player),
            RoomMessage::Command(_)
            | RoomMessage::Unwatch { .. }
            | RoomMessage::Keep(_)
            | RoomMessage::Read { .. }
            | RoomMessage::DeleteIfAbandoned { .. }
            | RoomMessage::Name { .. }
            | RoomMessage::Confirm(_)
            | RoomMessage::Confirmed(_)
            | RoomMessage::Revised(_)
            | RoomMessage::TurnNotices { .. }
            | RoomMessage::Wake(_) => false,
        }
    }

    /// What spectators have said and is not on the disk is not stored.
    pub(super) fn refuse_spectators(&mut self) {
        let now = self.services.clock.now();
        self.spectator_chat.chat.lost(&ApiError::not_stored(), now);
    }

    /// A write has ended: what is on the disk is sent.
    pub(super) fn spectator_chat_was_written(&mut self, written: Written) {
        let (game, now) = (self.record.id(), self.services.clock.now());
        let new = match written {
            Ok(new) => self.spectator_chat.chat.kept(game, &new, now),
            Err(error) => {
                tracing::warn!(%game, %error, "could not store spectator chat");
                return self.spectator_chat.chat.lost(&ApiError::not_stored(), now);
            }
        };
        let (shadow_muted, heard): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|said| said.line.shadow_muted);
        if !heard.is_empty() {
            let lines = heard.iter().map(audience::spectator_line).collect();
            let notice = GameNoticeKind::SpectatorChat { lines };
            if self.record.is_over() {
                self.crowd.notice(notice);
            } else {
                self.crowd.notice_to_spectators(notice);
            }
        }
        for said in shadow_muted {
            let lines = vec![audience::spectator_line(&said)];
            let notice = GameNoticeKind::SpectatorChat { lines };
            self.crowd.notice_to_spectator(said.line.player, notice);
        }
    }
}
