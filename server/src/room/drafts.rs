//! What one player alone may read: the setup while both set up, and notes on the enemy's pieces.
//!
//! Drafts are no events: nobody else is to learn even that there is something new.

use qiguan_game::{
    audience, refusal::Refusal, seat_drafts::DraftKind, setups::Setups, state::State,
};
use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    event::GameNoticeKind,
    names::Status,
};
use qiguan_rules::{BySeat, Seat, luzhanqi::Setup};

use crate::room::{message::Keep, room::Room};

impl Room {
    /// Keeps a draft: answered once it is durable, and shown in the player's other windows.
    pub(super) async fn keep(&mut self, keep: Keep) {
        let Some(state) = self.state.as_deref() else {
            return;
        };
        let Some(seat) = state.seat_of(keep.player) else {
            return keep.reply.send(Err(Refusal::NotAPlayer.into()));
        };
        let text = match keep.kind {
            DraftKind::Setup => setup_of(state, seat, &keep.text),
            DraftKind::Notes => notes_of(state, &keep.text),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => return keep.reply.send(Err(error)),
        };
        let store = &self.services.store;
        let kept = store.save_draft(self.id, seat, keep.kind, text.clone());
        if let Err(error) = kept.await {
            tracing::warn!(game = %self.id, %error, "could not store a draft");
            // The answer of the database may be all that was lost.
            let Ok(drafts) = store.drafts(self.id).await else {
                self.forget();
                return keep.reply.send(Err(ApiError::not_stored()));
            };
            if drafts.get(seat).of(keep.kind) != Some(text.as_str()) {
                return keep.reply.send(Err(ApiError::not_stored()));
            }
        }
        let drafts = self.drafts.get_mut(seat);
        let notice = match keep.kind {
            DraftKind::Setup => {
                drafts.setup = Some(text.clone());
                GameNoticeKind::SetUp { setup: text }
            }
            DraftKind::Notes => {
                drafts.notes = Some(text.clone());
                GameNoticeKind::Notes { notes: text }
            }
        };
        keep.reply.send(Ok(Answer::Kept { game: self.id }));
        self.notice_to(seat, keep.peer, notice);
    }

    /// The setups as they stand, while both set up.
    pub(super) fn standing(&self) -> Option<Setups> {
        let setup = self.state.as_deref()?.setting_up()?;
        let one = |seat| audience::standing(setup, &self.drafts, seat);
        Some(Setups(BySeat {
            first: one(Seat::First),
            second: one(Seat::Second),
        }))
    }
}

/// The setup in its canonical form, if it may be changed and is legal.
fn setup_of(state: &State, seat: Seat, text: &str) -> Result<String, ApiError> {
    let has_setups = state.created.time_control.setup_ms.is_some();
    let setup = state.setting_up().ok_or(match state.status {
        Status::Open if has_setups => Refusal::NotStarted,
        Status::Open | Status::Playing | Status::Ended => Refusal::NotSettingUp,
    })?;
    if *setup.ready.get(seat) {
        return Err(Refusal::AlreadyReady.into());
    }
    match Setup::read(seat, text) {
        Ok(setup) => Ok(setup.text()),
        Err(wrong) => Err(Refusal::BadSetup { wrong }.into()),
    }
}

fn notes_of(state: &State, text: &str) -> Result<String, ApiError> {
    if state.created.time_control.setup_ms.is_none() {
        return Err(ApiError::new(
            ErrorCode::BadRequest,
            "notes are only for games with hidden pieces",
        ));
    }
    Ok(text.to_owned())
}
