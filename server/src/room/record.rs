//! What a room knows of its game: the state that the record folds to, and how much of it spectators know by now.
//!
//! **Invariant:** the state in memory is never ahead of the record; after a conflict, an error or a panic it is thrown away and folded again.

use std::collections::BTreeMap;

use qiguan_environment::{
    Random,
    planted::{Fault, is_planted},
};
use qiguan_game::{
    audience::Audience,
    delay::DelayedState,
    event::Event,
    referee::Command,
    repeating,
    seat_drafts::{DraftKind, Drafts, SeatDrafts},
    setups::{Draw, Setups},
    state::{Damaged, PlayedMove, State},
};
use qiguan_protocol::{
    error::ApiError,
    ids::{CommandId, GameId, Millis, PlayerId, Seq},
    names::Status,
};
use qiguan_rules::Seat;
use qiguan_store::store::StoreError;

use crate::{
    aside,
    room::{damage, draw},
    services::Services,
};

/// The game of a room.
pub(super) struct Record {
    id: GameId,
    /// None until it has been folded, and again after an error.
    state: Option<Box<State>>,
    /// What spectators know, if they see the game later; together with the state.
    later: Option<Box<DelayedState>>,
    /// What each player alone may read; read together with the state.
    drafts: Drafts,
    health: RecordHealth,
    /// When events became visible, kept while the state is folded again.
    visible: BTreeMap<Seq, Millis>,
}

/// What the record of a game turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordHealth {
    /// Nothing is wrong with it, as far as is known.
    Whole,
    /// It makes no sense from some event on; the state is that before it, and nothing changes it.
    Damaged,
    /// There is no such game, or none any more.
    Nothing,
}

/// Why a game can't be opened.
pub(super) enum OpenError {
    /// There is no such game.
    NotFound,
    /// The record can't be read just now.
    Unavailable,
    /// The record makes no sense.
    Damaged,
}

impl Record {
    /// Of a game that has not been read yet.
    pub(super) fn new(id: GameId) -> Self {
        Self {
            id,
            state: None,
            later: None,
            drafts: Drafts::default(),
            health: RecordHealth::Whole,
            visible: BTreeMap::new(),
        }
    }

    /// Folds the record if the state is not known for sure. False if it is.
    ///
    /// # Errors
    /// When there is no such game, or its record can't be read or folded.
    pub(super) async fn read(&mut self, services: &Services) -> Result<bool, OpenError> {
        if self.state.is_some() {
            return Ok(false);
        }
        let unreadable = |error: StoreError| {
            tracing::warn!(game = %self.id, %error, "could not read a game");
            OpenError::Unavailable
        };
        let folded = match services.store.game(self.id).await {
            Ok(Some(record)) => fold(services, self.id, record.events).await,
            Ok(None) => {
                self.health = RecordHealth::Nothing;
                return Err(OpenError::NotFound);
            }
            Err(error @ StoreError::Corrupt { .. }) => {
                tracing::error!(game = %self.id, %error, "a stored game is damaged");
                None
            }
            Err(error) => return Err(unreadable(error)),
        };
        let (mut state, mut health) = match folded {
            Some(state) => (state, RecordHealth::Whole),
            None => (
                damage::good_part(services, self.id).await?,
                RecordHealth::Damaged,
            ),
        };
        if state.created.time_control.setup_ms.is_some() {
            self.drafts = match services.store.drafts(self.id).await {
                Ok(drafts) => drafts,
                Err(error @ StoreError::Corrupt { .. }) => {
                    tracing::error!(game = %self.id, %error, "the drafts of a game are damaged");
                    health = RecordHealth::Damaged;
                    Drafts::default()
                }
                Err(error) => return Err(unreadable(error)),
            };
        }
        were_visible(&mut state, std::mem::take(&mut self.visible));
        let later = DelayedState::of(&state, services.clock.now()).map_err(|error| {
            tracing::error!(game = %self.id, %error, "could not build the spectators' view of a game");
            OpenError::Damaged
        })?;
        self.later = later.map(Box::new);
        self.health = health;
        self.state = Some(Box::new(state));
        Ok(true)
    }

    /// Forgets the state: the record alone counts.
    pub(super) fn forget(&mut self) {
        if let Some(state) = self.state.take() {
            self.visible = state.visible;
        }
        self.later = None;
    }

    /// Another program has seen when events became visible.
    pub(super) fn were_visible(&mut self, visible: BTreeMap<Seq, Millis>) {
        if let Some(state) = self.state.as_deref_mut() {
            were_visible(state, visible);
        }
    }

    /// The game was deleted.
    pub(super) const fn is_deleted(&mut self) {
        self.health = RecordHealth::Nothing;
    }

    /// The game's id.
    pub(super) const fn id(&self) -> GameId {
        self.id
    }

    /// The state; none while it is not known.
    pub(super) fn state(&self) -> Option<&State> {
        self.state.as_deref()
    }

    /// The game as an audience may know it by now. Everything that is sent of a game comes from here.
    pub(super) fn seen_by(&self, audience: Audience) -> Option<&State> {
        let state = self.state()?;
        match (audience, state.created.spectator_delay) {
            (Audience::Seat(_), _) | (Audience::Spectators, None) => Some(state),
            (Audience::Spectators, Some(_)) => self.later.as_deref().map(DelayedState::shown),
        }
    }

    /// As whom a player looks at the game; none while it is not known.
    pub(super) fn audience_of(&self, player: Option<PlayerId>) -> Option<Audience> {
        let state = self.state()?;
        let seat = player.and_then(|player| state.seat_of(player));
        Some(seat.map_or(Audience::Spectators, Audience::Seat))
    }

    /// The last event's number; 0 while the state is not known.
    pub(super) fn seq(&self) -> Seq {
        self.state().map_or(Seq(0), State::seq)
    }

    /// What the record turned out to be.
    pub(super) const fn health(&self) -> RecordHealth {
        self.health
    }

    /// Whether nothing may change the game, since its record is damaged.
    pub(super) fn is_damaged(&self) -> bool {
        self.health == RecordHealth::Damaged
    }

    /// Whether the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.state()
            .is_some_and(|state| state.status == Status::Ended)
    }

    /// The game, if its clocks count: those of a damaged one do not.
    pub(super) fn counting(&self) -> Option<&State> {
        self.state()
            .filter(|state| !self.is_damaged() && state.status == Status::Playing)
    }

    /// The current setups, while both set up.
    pub(super) fn current_setups(&self) -> Option<Setups> {
        let setup = self.state()?.setting_up()?;
        Some(setup.both_current(&self.drafts))
    }

    /// What each player alone may read.
    pub(super) const fn drafts(&self) -> &Drafts {
        &self.drafts
    }

    /// What one player alone may read, to be changed once it is stored.
    pub(super) const fn drafts_of(&mut self, seat: Seat) -> &mut SeatDrafts {
        self.drafts.get_mut(seat)
    }

    /// What a game with setups begins with; none for other games.
    ///
    /// # Errors
    /// `internal` when there is no randomness to be had.
    pub(super) fn draw(&self, random: Random) -> Result<Option<Draw>, ApiError> {
        let time_control = self.state().map(|state| state.created.time_control);
        let setup_ms = time_control.and_then(|time_control| time_control.setup_ms);
        setup_ms.map(|_| draw::draw(random)).transpose()
    }

    /// The number of the last event of a command that was carried out before; none if it was not.
    ///
    /// # Errors
    /// `conflict` if its id was used for something else.
    pub(super) fn repeated(
        &self,
        command: &Command,
        player: PlayerId,
        id: CommandId,
    ) -> Result<Option<Seq>, ApiError> {
        if is_planted(Fault::DuplicateApplied) {
            return Ok(None);
        }
        let caused = self.state().and_then(|state| {
            let (first, last) = state.caused_by(id)?;
            let seat = state.seat_of(player);
            Some(repeating::repeated(state, command, seat, first).map(|()| last))
        });
        Ok(caused.transpose()?)
    }

    /// Applies an event that has become durable, visible from `at` on. Returns the state after it.
    ///
    /// # Errors
    /// When it does not follow.
    pub(super) fn apply(
        &mut self,
        event: Event,
        precomputed: Option<PlayedMove>,
        at: Millis,
    ) -> Result<Option<&State>, Damaged> {
        let Some(state) = self.state.as_deref_mut() else {
            return Ok(None);
        };
        if let Some(later) = &mut self.later {
            later.happened(event.clone());
        }
        state.apply_precomputed(event, precomputed)?;
        state.became_visible(state.seq(), at);
        Ok(Some(state))
    }

    /// Whether spectators see the game later.
    pub(super) const fn is_delayed(&self) -> bool {
        self.later.is_some()
    }

    /// Shows spectators the next event that is released by now; returns the game as they know it then, none if there is no such event.
    ///
    /// # Errors
    /// When it does not follow.
    pub(super) fn release(&mut self, now: Millis) -> Result<Option<&State>, Damaged> {
        match self.later.as_deref_mut() {
            Some(later) => Ok(later.release(now)?.then(|| later.shown())),
            None => Ok(None),
        }
    }

    /// When something is released to spectators by itself.
    pub(super) fn release_at(&self) -> Option<Millis> {
        self.later.as_ref()?.due_at()
    }

    /// Whether the record, read once more, has this draft.
    pub(super) async fn has_draft(
        &self,
        services: &Services,
        seat: Seat,
        kind: DraftKind,
        text: &str,
    ) -> Result<bool, StoreError> {
        let drafts = services.store.drafts(self.id).await?;
        Ok(drafts.get(seat).text(kind).as_deref() == Some(text))
    }
}

/// Notes when the events of a state became visible.
fn were_visible(state: &mut State, visible: BTreeMap<Seq, Millis>) {
    if let Some(at) = visible.get(&state.seq()) {
        state.became_visible(state.seq(), *at);
    }
    state.visible = visible;
}

/// The state after all events of a record; none if they do not follow.
async fn fold(services: &Services, id: GameId, events: Vec<Event>) -> Option<State> {
    let folded = if events.len() <= aside::SHORT {
        State::fold(id, events)
    } else {
        // Other games are not to wait for a long one.
        let folding = services.folds.run(move || State::fold(id, events));
        folding.await?
    };
    let logged = folded.inspect_err(|error| {
        tracing::error!(game = %id, %error, "a stored game does not fold");
    });
    logged.ok()
}
