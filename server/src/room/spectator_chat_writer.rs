//! The spectators' chat in its room: written beside the room's own work, so that no move waits for it, and sent once it is on
//! the disk.

use std::{
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
    ids::{CommandId, PlayerId},
    limits,
    names::Status,
    view::SpectatorLine,
};
use qiguan_store::{spectator_chat::UNHEARD_LINES, store::StoreError};
use tokio::sync::oneshot;

use crate::{
    admission::sanctions::ChatReach,
    net::address::Group,
    room::{
        message::{Read, Reply, RoomMessage},
        room::Room,
        watching::audience_of,
    },
};

/// What has become of a write: the numbers of the lines that were new.
pub(super) type Written = Result<Vec<u32>, StoreError>;

/// Something that a spectator says.
pub struct Say {
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

impl Room {
    /// Hears a spectator. The answer comes when the line is on the disk.
    pub(super) fn hear(&mut self, say: Say) {
        let Say {
            who,
            address,
            command,
            text,
            reach,
            reply,
        } = say;
        let Some(state) = self.state.as_deref() else {
            return;
        };
        if state.seat_of(who.id).is_some() {
            return reply.send(Err(Refusal::AlreadySeated.into()));
        }
        if self.storage_down.is_some() || !self.spectator_chat.is_loaded() {
            return reply.send(Err(ApiError::not_stored()));
        }
        let now = self.services.clock.now();
        let (in_all, growth) = (&self.services.chat, &self.services.growth);
        let speaker = (who.id, who.name.clone(), address);
        self.spectator_chat.hear(
            self.id,
            speaker,
            (command, text, reach),
            (now, in_all, growth),
            reply,
        );
    }

    /// Whether what was said has to be known for this: for the next message, and for its readers.
    pub(super) fn needs_talk(&self, message: &RoomMessage) -> bool {
        match message {
            RoomMessage::Say(_) => true,
            RoomMessage::Watch { player, .. }
            | RoomMessage::Read {
                player,
                read: Read::Snapshot(_),
            } => self.hears_spectators(*player),
            RoomMessage::Command(_)
            | RoomMessage::Unwatch { .. }
            | RoomMessage::Keep(_)
            | RoomMessage::Read { .. }
            | RoomMessage::DeleteIfAbandoned { .. }
            | RoomMessage::Name { .. }
            | RoomMessage::Revised
            | RoomMessage::Wake => false,
        }
    }

    /// What spectators said last, as far as somebody may see it.
    pub(super) fn talk_for(
        &self,
        state: &State,
        audience: Audience,
        player: Option<PlayerId>,
    ) -> Vec<SpectatorLine> {
        let said = self.spectator_chat.last();
        let said = said.filter(|said| said.line.is_heard_by(player));
        if !audience::hears_spectators(state, audience) {
            return Vec::new();
        }
        let mut lines: Vec<_> = said.map(audience::spectator_line).collect();
        let spare = lines
            .len()
            .saturating_sub(limits::SPECTATOR_LINES_SHOWN as usize);
        lines.drain(..spare);
        lines
    }

    /// Reads what was said last, if it is not known.
    pub(super) async fn load_talk(&mut self) {
        if self.spectator_chat.is_loaded() || !self.spectator_chat.is_quiet() {
            return;
        }
        let store = &self.services.store;
        // Lines that nobody hears may stand between those that everybody does.
        let limit = limits::SPECTATOR_LINES_SHOWN + UNHEARD_LINES;
        let lines = store.spectator_lines(self.id, u32::MAX, limit);
        match lines.await {
            Ok(lines) => self.spectator_chat.load(lines),
            Err(error) => {
                tracing::warn!(game = %self.id, %error, "could not read spectator chat");
            }
        }
    }

    /// Has what waits written, if it is time for it.
    pub(super) fn write_talk(&mut self) {
        let now = self.services.clock.now();
        if self.spectator_chat.due_at().is_none_or(|at| at > now) {
            return;
        }
        let lines = self.spectator_chat.begin();
        let store = Arc::clone(&self.services.store);
        let (sender, written) = oneshot::channel();
        tokio::spawn(async move {
            // A room that is gone in the meantime has answered by that.
            drop(sender.send(store.keep_spectator_lines(lines).await));
        });
        self.talk_written = Some(written);
    }

    /// Whether a write is under way.
    pub const fn is_talk_being_written(&self) -> bool {
        self.talk_written.is_some()
    }

    /// What has become of the write that is under way.
    pub(super) fn poll_talk(&mut self, context: &mut Context<'_>) -> Poll<Written> {
        let Some(written) = &mut self.talk_written else {
            return Poll::Pending;
        };
        let written = std::pin::Pin::new(written).poll(context);
        written.map(|written| {
            self.talk_written = None;
            written.unwrap_or_else(|gone| Err(StoreError::Unavailable(gone.to_string())))
        })
    }

    /// A write has ended: what is on the disk is sent.
    pub(super) fn talk_was_written(&mut self, written: Written) {
        let now = self.services.clock.now();
        let new = match written {
            Ok(new) => self.spectator_chat.kept(self.id, &new, now),
            Err(error) => {
                tracing::warn!(game = %self.id, %error, "could not store spectator chat");
                return self.spectator_chat.lost(&ApiError::not_stored(), now);
            }
        };
        if new.is_empty() {
            return;
        }
        let (unheard, heard): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|said| said.line.unheard);
        if !heard.is_empty() {
            let lines = heard.iter().map(audience::spectator_line).collect();
            let notice = GameNoticeKind::SpectatorChat { lines };
            if self.is_over() {
                self.notice(notice);
            } else {
                self.notice_to_spectators(notice);
            }
        }
        for said in unheard {
            let lines = vec![audience::spectator_line(&said)];
            self.notice_to_spectator(said.line.player, GameNoticeKind::SpectatorChat { lines });
        }
    }

    /// Shows the players what spectators have said, once the game is over.
    pub(super) fn show_talk(&mut self) {
        if self.talk_shown || !self.is_over() {
            return;
        }
        self.talk_shown = true;
        let heard = self.spectator_chat.last().filter(|said| !said.line.unheard);
        let lines: Vec<_> = heard.map(audience::spectator_line).collect();
        if !lines.is_empty() {
            self.notice_to_players(GameNoticeKind::SpectatorChat { lines });
        }
    }

    /// Whether somebody may read what spectators say.
    pub(super) fn hears_spectators(&self, player: Option<PlayerId>) -> bool {
        self.state
            .as_deref()
            .is_some_and(|state| audience::hears_spectators(state, audience_of(state, player)))
    }

    fn is_over(&self) -> bool {
        let state = self.state.as_deref();
        state.is_some_and(|state| state.status == Status::Ended)
    }
}
