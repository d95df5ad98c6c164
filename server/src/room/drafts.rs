//! What one player alone may read: the setup while both set up, and notes on the enemy's pieces.
//!
//! Drafts are no events: nobody else is to learn even that there is something new.

use qiguan_game::{referee, refusal::Refusal, seat_drafts::DraftKind, state::State};
use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    event::GameNoticeKind,
    ids::PlayerId,
};
use qiguan_rules::{Seat, luzhanqi::Setup};
use qiguan_store::drafts::Draft;

use crate::room::{message::Keep, room::Room};

impl Room {
    /// Keeps a draft: answered once it is durable, and shown in the player's other windows.
    pub(super) async fn keep(&mut self, keep: Keep) {
        let Keep {
            player,
            kind,
            text,
            peer,
            reply,
        } = keep;
        match self.save(player, kind, text).await {
            Ok((seat, notice)) => {
                let game = self.record.id();
                reply.send(Ok(Answer::Kept { game }));
                self.crowd.notice_to(seat, peer, notice);
            }
            Err(error) => reply.send(Err(error)),
        }
    }

    /// Saves a draft. Returns whose it is, and what the player's other windows receive.
    async fn save(
        &mut self,
        player: PlayerId,
        kind: DraftKind,
        text: String,
    ) -> Result<(Seat, GameNoticeKind), ApiError> {
        if self.outage.is_on() {
            return Err(ApiError::not_stored());
        }
        let state = self.record.state().ok_or_else(ApiError::internal)?;
        let seat = state.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        let (setup, text) = match kind {
            DraftKind::Setup => {
                let setup = setup_of(state, seat, &text)?;
                (Some(setup), setup.text())
            }
            DraftKind::Notes => (None, notes_of(state, text)?),
        };
        let game = state.id;
        let kept = self.services.journal.save_draft(Draft {
            game,
            seat,
            kind,
            text: text.clone(),
        });
        if let Err(error) = kept.await {
            tracing::warn!(%game, %error, "could not store a draft");
            // The answer of the database may be all that was lost.
            match self
                .record
                .has_draft(&self.services, seat, kind, &text)
                .await
            {
                Ok(true) => {}
                Ok(false) => return Err(ApiError::not_stored()),
                Err(_) => {
                    self.forget();
                    return Err(ApiError::not_stored());
                }
            }
        }
        let drafts = self.record.drafts_of(seat);
        Ok((
            seat,
            match kind {
                DraftKind::Setup => {
                    drafts.setup = setup;
                    GameNoticeKind::SetUp { setup: text }
                }
                DraftKind::Notes => {
                    drafts.notes = Some(text.clone());
                    GameNoticeKind::Notes { notes: text }
                }
            },
        ))
    }
}

/// The setup, if it may be changed and is legal.
fn setup_of(state: &State, seat: Seat, text: &str) -> Result<Setup, ApiError> {
    referee::setting_up(state, seat)?;
    Setup::read(seat, text).map_err(|wrong| Refusal::BadSetup { wrong }.into())
}

fn notes_of(state: &State, text: String) -> Result<String, ApiError> {
    if state.created.time_control.setup_ms.is_none() {
        return Err(ApiError::new(
            ErrorCode::BadRequest,
            "notes are only for games with hidden pieces",
        ));
    }
    Ok(text)
}
