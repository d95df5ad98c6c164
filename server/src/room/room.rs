//! One game as a task: it waits for messages and for its clock, asks the referee, journals, and only then lets anybody know.
//!
//! **Invariant:** nothing leaves before the journal has said "stored": no answer, no event. **Invariant:** the state in
//! memory is never ahead of the record; after any doubt it is thrown away and folded again.

use std::{collections::BTreeMap, sync::Arc};

use qiguan_game::{
    delay::DelayedState,
    event::{Body, Event},
    opening::{self, Rematch},
    referee::{self, Decision},
    seat_drafts::Drafts,
    setups::Draw,
    state::{Damaged, State},
};
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{CommandId, GameId, Millis, Seq},
    names::{self, Status},
};
use qiguan_rules::Seat;
use qiguan_store::{
    failpoints,
    quotas::Quota,
    store::{Append, AppendError, StoreError},
};
use tokio::sync::oneshot;

use crate::{
    admission::limits,
    aside,
    net::rate_limit::RateLimit,
    room::{
        chat_limit,
        crowd::Crowd,
        draw,
        listing::Listing,
        message::RoomMessage,
        notify_lobby,
        outage::{PROBE_EVERY, StorageDown},
        publishing::{Texts, texts_of},
        spectator_chat::SpectatorChat,
        spectator_chat_writer::Written,
    },
    services::{Services, attendance::noting::Noting, storage::Running},
};

/// One game.
pub struct Room {
    pub(super) id: GameId,
    pub(super) services: Arc<Services>,
    /// None until it has been folded from the record, and again after a doubt.
    pub(super) state: Option<Box<State>>,
    pub(super) crowd: Crowd,
    /// What each player alone may read; read from the record together with the state.
    pub(super) drafts: Drafts,
    pub(super) chat: RateLimit<Seat>,
    /// What spectators know, if they see the game later; together with the state.
    pub(super) later: Option<Box<DelayedState>>,
    /// The players in the crowd have seen the events up to here.
    pub(super) published: Seq,
    /// The spectators in the crowd have.
    pub(super) shown: Seq,
    /// An append may or may not have been stored, and the record has not been read since.
    pub(super) append_outcome_unknown: bool,
    /// Since when the record can't be written.
    pub(super) storage_down: Option<StorageDown>,
    /// When to look at the record again though nobody messages: the state was thrown away, and its clock still counts.
    retry_at: Option<Millis>,
    /// A player has come by taking a seat, and presence is to be sent after the event.
    pub(super) newly_seated: bool,
    /// What the record turned out to be.
    pub(super) record_health: RecordHealth,
    /// What a rated game that has ended has changed, once it was read.
    pub(super) ratings: Option<names::BySeat<names::RatingChange>>,
    /// Whether the game is in the list of those that can be watched.
    pub(super) listing: Listing,
    /// What spectators say to each other.
    pub(super) spectator_chat: SpectatorChat,
    /// The write of it that is under way.
    pub(super) talk_written: Option<oneshot::Receiver<Written>>,
    /// The game is over, and the players have been shown what spectators said.
    pub(super) talk_shown: bool,
    /// Which of the players is there, as it was noted.
    pub(super) noting: Noting,
    /// Counts this game among those whose clocks run.
    pub(super) running: Option<Running>,
    /// When events became visible, kept while the state is folded again.
    visible: BTreeMap<Seq, Millis>,
}

/// What the record of a game turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordHealth {
    /// Nothing is wrong with it, as far as is known.
    Whole,
    /// It makes no sense from some event on; the state is that before it, and nothing changes it.
    Damaged,
    /// There is no such game, or none any more.
    Nothing,
}

/// Why a room can't be opened.
pub enum OpenError {
    /// There is no such game.
    NotFound,
    /// The record can't be read just now.
    Unavailable,
    /// The record makes no sense.
    Damaged,
}

impl Room {
    /// A room that has not looked at its record yet.
    pub fn new(id: GameId, services: Arc<Services>) -> Self {
        let now = services.clock.now();
        Self {
            id,
            services,
            state: None,
            crowd: Crowd::new(now),
            drafts: Drafts::default(),
            chat: RateLimit::new(chat_limit::rate()),
            later: None,
            published: Seq(0),
            shown: Seq(0),
            append_outcome_unknown: false,
            storage_down: None,
            retry_at: None,
            newly_seated: false,
            record_health: RecordHealth::Whole,
            ratings: None,
            listing: Listing::Unknown,
            spectator_chat: SpectatorChat::default(),
            talk_written: None,
            talk_shown: false,
            noting: Noting::default(),
            running: None,
            visible: BTreeMap::new(),
        }
    }

    /// Folds the record if the state is not known for sure; whatever the crowd has missed is published.
    ///
    /// # Errors
    /// When there is no such game, or its record can't be read or folded.
    pub async fn refresh(&mut self) -> Result<(), OpenError> {
        if self.state.is_some() {
            return Ok(());
        }
        let record = match self.services.store.game(self.id).await {
            Ok(Some(record)) => Some(record),
            Ok(None) => {
                self.record_health = RecordHealth::Nothing;
                return Err(OpenError::NotFound);
            }
            Err(StoreError::Unavailable(error)) => {
                tracing::warn!(game = %self.id, error, "could not read a game");
                return Err(OpenError::Unavailable);
            }
            Err(error @ StoreError::Corrupt { .. }) => {
                tracing::error!(game = %self.id, %error, "a stored game is damaged");
                None
            }
        };
        let folded = match record {
            Some(record) => self.fold(record.events).await,
            None => None,
        };
        let (state, found) = match folded {
            Some(state) => (state, RecordHealth::Whole),
            None => (self.good_part().await?, RecordHealth::Damaged),
        };
        self.record_health = found;
        if state.created.time_control.setup_ms.is_some() {
            self.drafts = self.services.store.drafts(self.id).await.map_err(|error| {
                tracing::warn!(game = %self.id, %error, "could not read the drafts of a game");
                OpenError::Unavailable
            })?;
        }
        let mut state = state;
        let visible = std::mem::take(&mut self.visible);
        if let Some(at) = visible.get(&state.seq()) {
            state.became_visible(state.seq(), *at);
        }
        state.visible = visible;
        let now = self.services.clock.now();
        let later = DelayedState::of(&state, now).map_err(|error| {
            tracing::error!(game = %self.id, %error, "could not build the spectators' view of a game");
            OpenError::Damaged
        })?;
        self.later = later.map(Box::new);
        notify_lobby::found(&self.services, &state);
        // Later visitors of a finished game find it in the view.
        self.talk_shown |= state.status == Status::Ended;
        // Another program on the record may have noted that nobody is there.
        self.noting.invalidate();
        self.state = Some(Box::new(state));
        self.append_outcome_unknown = false;
        self.retry_at = None;
        self.publish_missed();
        Ok(())
    }

    /// The state after all events of the record; none if they do not follow.
    async fn fold(&self, events: Vec<Event>) -> Option<State> {
        let id = self.id;
        let folded = if events.len() <= aside::SHORT {
            State::fold(id, events)
        } else {
            // Other games are not to wait for a long one.
            let folding = self.services.folds.run(move || State::fold(id, events));
            folding.await?
        };
        let logged = folded.inspect_err(|error| {
            tracing::error!(game = %id, %error, "a stored game does not fold");
        });
        logged.ok()
    }

    /// Deals with one message.
    pub async fn answer(&mut self, message: RoomMessage) {
        if let RoomMessage::Unwatch { peer, reply } = message {
            let gone = self.crowd.leave(peer, self.services.clock.now());
            if let Some(reply) = reply {
                reply.send(Ok(Answer::Unwatched { game: self.id }));
            }
            if gone {
                self.tell_presence();
            }
            return;
        }
        if let Err(error) = self.refresh().await {
            let writes = matches!(
                message,
                RoomMessage::Command(_) | RoomMessage::Keep(_) | RoomMessage::Say(_)
            );
            message.fail(match error {
                OpenError::NotFound => ApiError::no_such_game(),
                OpenError::Unavailable if writes && !self.append_outcome_unknown => {
                    ApiError::not_stored()
                }
                OpenError::Unavailable if writes => ApiError::internal(),
                OpenError::Unavailable => ApiError::record_busy(),
                OpenError::Damaged => ApiError::parked(),
            });
            return;
        }
        self.learn_ratings().await;
        self.note_outage().await;
        if self.record_health == RecordHealth::Damaged
            && matches!(message, RoomMessage::Command(_) | RoomMessage::Keep(_))
        {
            return message.fail(ApiError::parked());
        }
        if self.needs_talk(&message) {
            self.load_talk().await;
        }
        match message {
            RoomMessage::Command(asked) => self.command(asked).await,
            RoomMessage::Keep(keep) if self.storage_down.is_some() => {
                keep.reply.send(Err(ApiError::not_stored()));
            }
            RoomMessage::Keep(keep) => self.keep(*keep).await,
            RoomMessage::Watch {
                peer,
                player,
                since,
                reply,
            } => self.watch(peer, player, since, reply).await,
            RoomMessage::Say(say) => self.hear(*say),
            RoomMessage::Read { player, read } => self.read(player, read),
            RoomMessage::DeleteIfAbandoned {
                before,
                which,
                reply,
            } => drop(reply.send(self.delete_if_abandoned(before, which).await)),
            RoomMessage::Name {
                player,
                naming,
                reply,
            } => drop(reply.send(self.name(player, naming).await)),
            // What it has changed is read again, and sent.
            RoomMessage::Revised => self.ratings = None,
            RoomMessage::Unwatch { .. } | RoomMessage::Wake => {}
        }
        self.settle().await;
    }

    /// When the room has something to do by itself.
    pub fn next_deadline(&self) -> Option<Millis> {
        let game = self
            .state
            .as_deref()
            .and_then(|state| self.game_deadline(state));
        let storage = self.storage_down.map(|down| down.probe_at);
        let times = [
            game,
            storage,
            self.retry_at,
            self.later.as_ref().and_then(|later| later.due_at()),
            self.crowd.tell_at(),
            self.spectator_chat.due_at(),
        ];
        times.into_iter().flatten().min()
    }

    /// Does what is due by now.
    pub async fn tick(&mut self) {
        let now = self.services.clock.now();
        if self.crowd.tell_at().is_some_and(|at| at <= now) {
            self.tell_presence();
        }
        if self.storage_down.is_some_and(|down| down.probe_at <= now) {
            self.probe_storage().await;
        }
        if self.retry_at.is_some_and(|at| at <= now) {
            self.retry_at = Some(now + PROBE_EVERY);
        }
        if self.refresh().await.is_err() {
            return;
        }
        self.note_outage().await;
        if self.storage_down.is_none()
            && self.times_out(now).is_some()
            && self.is_storage_good().await
            && let Some(bodies) = self.times_out(now)
        {
            self.happens("clock", bodies, now).await;
        }
        self.settle().await;
    }

    /// What the room was given.
    pub const fn services(&self) -> &Arc<Services> {
        &self.services
    }

    /// Forgets what it knew: after a panic the record alone counts.
    pub fn forget(&mut self) {
        if let Some(state) = self.state.take() {
            self.visible = state.visible;
        }
        self.later = None;
        self.retry_at = Some(self.services.clock.now() + PROBE_EVERY);
    }

    /// Brings the crowd up to date if the room had to be rebuilt.
    pub async fn after_rebuild(&mut self, rebuilt: bool) {
        if rebuilt && !self.crowd.is_empty() && self.refresh().await.is_err() {
            tracing::warn!(game = %self.id, "a rebuilt room can't read its record yet");
        }
    }

    /// Whether there turned out to be no such game.
    pub const fn is_missing(&self) -> bool {
        matches!(self.record_health, RecordHealth::Nothing)
    }

    /// Whether nobody needs this room before the given time: it may be closed and opened again.
    pub fn is_idle(&self) -> bool {
        let is_quiet = self.spectator_chat.is_quiet() && self.talk_written.is_none();
        is_quiet && self.crowd.is_empty() && self.storage_down.is_none() && self.retry_at.is_none()
    }

    /// Journals what happens by itself, and lets it be known.
    pub(super) async fn happens(
        &mut self,
        cause: &'static str,
        bodies: Vec<Body>,
        now: Millis,
    ) -> bool {
        match self.append(cause, None, bodies.into(), now).await {
            Ok(texts) => {
                self.publish(texts);
                true
            }
            Err(error) => {
                self.invalidate(cause, &error, now);
                false
            }
        }
    }

    /// Journals events and, once they are durable, applies them. What comes back is ready to be published.
    pub(super) async fn append(
        &mut self,
        cause: &'static str,
        command: Option<CommandId>,
        Decision {
            bodies,
            mut precomputed,
            act,
        }: Decision,
        now: Millis,
    ) -> Result<Vec<Texts>, AppendError> {
        let damaged = |error: Damaged| AppendError::Refused(error.to_string());
        let Some(state) = self.state.as_deref() else {
            return Ok(Vec::new());
        };
        let events = referee::number(state.seq(), now, command, bodies);
        let rematch = if opens_a_game(&events) {
            let draw = self.draw();
            Rematch {
                draw: draw.map_err(|error| AppendError::Refused(error.to_string()))?,
                ratings: self.ratings_now(state).await,
            }
        } else {
            Rematch::default()
        };
        let entries = opening::append(state, &events, &rematch, now).map_err(damaged)?;
        let append = Append {
            act,
            quotas: quotas(&self.services, state, &events),
            ..Append::new(cause, entries)
        };
        self.services.journal.append(append).await?;
        let Some(state) = self.state.as_deref_mut() else {
            return Ok(Vec::new());
        };
        failpoints::point("apply", cause);
        let visible_at = self.services.clock.now();
        self.services.storage.is_good_at(visible_at);
        let mut texts = Vec::with_capacity(events.len());
        let mut later = self.later.as_deref_mut();
        for event in events {
            state
                .apply_precomputed(event, precomputed.take())
                .map_err(damaged)?;
            state.became_visible(state.seq(), visible_at);
            if let Some(Event {
                body: Body::Joined { seat, player },
                ..
            }) = state.log.last()
            {
                // Every window that watched as this player stops being a spectator.
                self.newly_seated |= self.crowd.seated(player.id, *seat, now);
            }
            notify_lobby::happened(&self.services, state);
            let [first, second, spectators] = self.crowd.audiences();
            texts.push(texts_of(
                state,
                [first, second, spectators && later.is_none()],
            ));
            if let (Some(later), Some(event)) = (&mut later, state.log.last()) {
                later.happened(event.clone());
            }
        }
        Ok(texts)
    }

    /// Lets held clocks run as soon as both players are there, or the time for waiting is over.
    async fn settle(&mut self) {
        self.learn_ratings().await;
        self.release();
        self.write_talk();
        self.show_talk();
        if self.storage_down.is_some() {
            return;
        }
        let Some(state) = self.state.as_deref() else {
            return;
        };
        let Some(until) = state.clock.held_until() else {
            return;
        };
        let now = self.services.clock.now();
        if self.is_counting(state) && (self.crowd.both_here() || until <= now) {
            self.happens("release", vec![Body::ClocksReleased], now)
                .await;
        }
    }

    /// What a game with setups begins with; none for other games.
    pub(super) fn draw(&self) -> Result<Option<Draw>, ApiError> {
        let has_setups = self
            .state
            .as_deref()
            .is_some_and(|state| state.created.time_control.setup_ms.is_some());
        if !has_setups {
            return Ok(None);
        }
        draw::draw(self.services.random).map(Some)
    }

    /// The last event's number; 0 while the state is not known.
    pub(super) fn seq(&self) -> Seq {
        self.state.as_deref().map_or(Seq(0), State::seq)
    }
}

/// What players take one more of by these events: a game, by joining it or agreeing to a rematch.
fn quotas(services: &Services, state: &State, events: &[Event]) -> Vec<Quota> {
    let mut players = Vec::new();
    for event in events {
        match &event.body {
            Body::Joined { player, .. } => players.push(player.id),
            Body::RematchAgreed { .. } => {
                let seated = Seat::ALL.map(|seat| state.players.get(seat).as_ref());
                players.extend(seated.into_iter().flatten().map(|player| player.id));
            }
            Body::Created(_)
            | Body::SetupBegan { .. }
            | Body::SetupExtended { .. }
            | Body::SetupReady { .. }
            | Body::Started { .. }
            | Body::Moved { .. }
            | Body::DrawOffered { .. }
            | Body::DrawDeclined { .. }
            | Body::ClocksHeld { .. }
            | Body::ClocksReleased
            | Body::Ended { .. }
            | Body::Revealed
            | Body::RematchOffered { .. }
            | Body::Chat { .. } => {}
        }
    }
    let games = players.into_iter();
    games.map(|player| limits::game(services, player)).collect()
}

/// Whether these events open another game.
fn opens_a_game(events: &[Event]) -> bool {
    events
        .iter()
        .any(|event| matches!(event.body, Body::RematchAgreed { .. }))
}
