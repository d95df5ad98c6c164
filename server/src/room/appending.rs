//! How something happens in a game: it is journaled, then applied, then what follows from it is done, and then everybody sees it.

use qiguan_game::{
    event::{Body, Event},
    opening::{self, Rematch},
    referee::{self, Decision},
    state::Damaged,
};
use qiguan_protocol::{
    error::ApiError,
    ids::{CommandId, Millis},
};
use qiguan_store::{
    failpoints,
    store::{Append, AppendError},
};
use tracing::Instrument;

use crate::{
    admission::limits,
    room::{
        consequences,
        publishing::{Texts, texts_of},
        room::Room,
    },
    traces,
};

/// Events that are stored and applied, ready to be published.
pub(super) struct Appended {
    /// Each event as text.
    pub(super) texts: Vec<Texts>,
    /// Whether a player has come by taking a seat: presence is to be sent after the event.
    pub(super) seated: bool,
}

impl Room {
    /// Journals what happens by itself, and lets it be known.
    pub(super) async fn happens(
        &mut self,
        cause: &'static str,
        bodies: Vec<Body>,
        now: Millis,
    ) -> bool {
        match self.append(cause, None, bodies.into(), now).await {
            Ok(appended) => {
                self.publish(appended);
                true
            }
            Err(error) => {
                self.invalidate(cause, &error, now);
                false
            }
        }
    }

    /// Journals events and, once they are durable, applies them and does what follows.
    ///
    /// # Errors
    /// When they are not stored, or it is not known whether they are.
    pub(super) async fn append(
        &mut self,
        cause: &'static str,
        command: Option<CommandId>,
        Decision {
            bodies,
            mut precomputed,
            audit_entry,
        }: Decision,
        now: Millis,
    ) -> Result<Appended, AppendError> {
        let damaged = |error: Damaged| AppendError::Refused(error.to_string());
        let mut appended = Appended {
            texts: Vec::with_capacity(bodies.len()),
            seated: false,
        };
        let Some(state) = self.record.state() else {
            return Ok(appended);
        };
        let events = referee::number(state.seq(), now, command, bodies);
        let rematch = self.rematch(&events).await;
        let rematch = rematch.map_err(|error| AppendError::Refused(error.to_string()))?;
        let entries = opening::append(state, &events, &rematch, now).map_err(damaged)?;
        let players = opening::entering(state, &events).into_iter();
        let append = Append {
            audit_entry,
            quotas: players
                .filter_map(|player| limits::game(&self.services, player))
                .collect(),
            ..Append::new(cause, entries)
        };
        let stored = self.services.journal.append(append);
        stored.instrument(traces::storing()).await?;
        failpoints::point("apply", cause);
        let visible_at = self.services.clock.now();
        self.services.storage.is_good_at(visible_at);
        for event in events {
            let (precomputed, is_delayed) = (precomputed.take(), self.record.is_delayed());
            let applied = self.record.apply(event, precomputed, visible_at);
            let Some(state) = applied.map_err(damaged)? else {
                break;
            };
            appended.seated |= consequences::follow(&self.services, &mut self.crowd, state, now);
            let [first, second, spectators] = self.crowd.audiences();
            let present = [first, second, spectators && !is_delayed];
            appended.texts.push(texts_of(state, present));
        }
        Ok(appended)
    }

    /// What the game begins with that these events open, if they do.
    async fn rematch(&self, events: &[Event]) -> Result<Rematch, ApiError> {
        let opens = |event: &Event| matches!(event.body, Body::RematchAgreed { .. });
        match self.record.state().filter(|_| events.iter().any(opens)) {
            Some(state) => Ok(Rematch {
                draw: self.record.draw(self.services.random)?,
                ratings: self.ratings_now(state).await,
            }),
            None => Ok(Rematch::default()),
        }
    }
}
