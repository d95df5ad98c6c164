//! One game as a task: it waits for messages and for its clock, asks the referee, journals, and only then lets anybody know.
//!
//! **Invariant:** nothing leaves before the journal has said "stored": no answer, no event.

use std::{future::poll_fn, sync::Arc, time::Duration};

use qiguan_environment::planted::{Fault, is_planted};
use qiguan_game::{
    event::Body,
    people::computer::{self, Computer},
};
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    event::GameNoticeKind,
    ids::{GameId, Millis, Seq},
};
use qiguan_rules::{BySeat, Seat};

use crate::{
    alarm::Alarm,
    net::{address::Group, rate_limit::RateLimit},
    room::{
        chat_limit, consequences,
        crowd::Crowd,
        inbox::Inbox,
        listing::Listing,
        message::{Read, RoomMessage},
        outage::{Outage, PROBE_EVERY},
        publishing::Published,
        rating::Ratings,
        record::{OpenError, Record, RecordHealth},
        spectator_chat_writer::SpectatorChatWriter,
        turn_notices::TurnNotices,
        watermark::Watermark,
    },
    services::{
        Services,
        computing::{Call, Owner},
        connection_log::tracker::ConnectionTracker,
        programs::Unstored,
        running_positions::{RunningPosition, RunningPositions},
        storage::Running,
        waking::Due,
    },
};

/// A room whose clock runs out later than this is closed like any other, and opened in time.
const FAR: Millis = Millis(600_000);
/// How often clocks are tried to be held after a start, again each time that somebody else wrote to the game in between.
const HOLDS: u32 = 3;
/// How long a room waits for what spectators have said to be stored when its game is another program's.
const LAST_LINES: Duration = Duration::from_secs(1);

/// Why a room serves no longer.
pub enum Closed {
    /// Nobody needs it; its clock does again at this time, if it does.
    Unneeded(Option<Millis>),
    /// The game is another program's. What was asked too late is asked there, and when devices of players are still to be told, it is told.
    Lost(Option<RoomMessage>, Option<BySeat<Option<Millis>>>),
}

/// One game.
pub struct Room {
    pub(super) services: Arc<Services>,
    pub(super) record: Record,
    /// What a rated game that has ended has changed.
    pub(super) ratings: Ratings,
    pub(super) crowd: Crowd,
    /// What the crowd has received.
    pub(super) published: Published,
    /// Whether the game is in the list of those that can be watched.
    pub(super) listing: Listing,
    /// What spectators say to each other.
    pub(super) spectator_chat: SpectatorChatWriter,
    /// How fast the players may chat.
    pub(super) chat: RateLimit<Seat>,
    pub(super) outage: Outage,
    /// Whether everything has come from other programs that was read before a time was over.
    pub(super) watermark: Watermark,
    /// What the owner of the game knows beside the record, where that is another program.
    pub(super) owner_knows: Option<Unstored>,
    /// Whether the clocks are still to be held for the time that the server was away.
    pub(super) is_unheld: bool,
    /// When to look at the record again though nobody messages: the state was thrown away, and its clock still counts.
    retry_at: Option<Millis>,
    /// The last event at which it was looked whether a computer has something to do.
    computer_called: Seq,
    /// The last event after which both players were told how their game stands.
    pub(super) own_games_told: Seq,
    /// For whom the game waits, and whose devices were told.
    pub(super) turn_notices: TurnNotices,
    /// The position that is known as one of a running game, and whether this room has said so.
    position: Option<RunningPosition>,
    is_position_known: bool,
    /// Where the last command of its opponent came from.
    pub(super) asked_from: Option<Group>,
    /// Which of the players is there, as it was noted.
    noting: ConnectionTracker,
}

impl Room {
    /// A room that has not looked at its record yet.
    pub fn new(id: GameId, services: Arc<Services>) -> Self {
        let now = services.clock.now();
        let is_unheld = services.unheld.has(id);
        Self {
            services,
            record: Record::new(id),
            ratings: Ratings::default(),
            crowd: Crowd::new(id, now),
            published: Published::default(),
            listing: Listing::default(),
            spectator_chat: SpectatorChatWriter::default(),
            chat: RateLimit::new(chat_limit::rate()),
            outage: Outage::default(),
            watermark: Watermark::default(),
            owner_knows: None,
            is_unheld,
            retry_at: None,
            computer_called: Seq(0),
            own_games_told: Seq(0),
            turn_notices: TurnNotices::default(),
            position: None,
            is_position_known: false,
            asked_from: None,
            noting: ConnectionTracker::default(),
        }
    }

    /// Answers messages and the clock until nobody needs the room, or the game is another program's. `rebuilds` counts how often in a row the
    /// room was rebuilt after a panic.
    pub async fn serve(&mut self, inbox: &mut Inbox, rebuilds: &mut u32) -> Closed {
        let clock = self.services.clock;
        let mut idle_since = clock.now();
        // Whether it is open for anybody, and not only because of its clock.
        let mut is_needed = *rebuilds > 0;
        // The alarm is set again only when something is due before it rings; ringing too early costs less than moving it each time.
        let mut rings_at = clock.now() + self.services.room_idle;
        let mut alarm = Alarm::at(clock.instant(rings_at));
        if *rebuilds > 0 && !self.crowd.is_empty() && self.refresh().await.is_err() {
            tracing::warn!(game = %self.record.id(), "a rebuilt room can't read its record yet");
        }
        loop {
            if self.is_lost() {
                return self.lost(None).await;
            }
            let idle = if is_needed {
                self.services.room_idle
            } else {
                Millis(0)
            };
            let idle_at = self.is_idle().then_some(idle_since + idle);
            let due = [self.next_deadline(), idle_at].into_iter().flatten().min();
            if let Some(due) = due
                && (due < rings_at || alarm.rings())
            {
                rings_at = due;
                alarm.set(clock.instant(due));
            }
            tokio::select! {
                biased;
                message = inbox.recv() => {
                    let Some(mut message) = message else {
                        self.crowd.send_to_all_spectators();
                        return Closed::Unneeded(None);
                    };
                    if self.is_lost() {
                        return self.lost(Some(message)).await;
                    }
                    let turn = message.take_turn();
                    is_needed |= turn.is_none();
                    self.answer(message).await;
                    if self.record.health() == RecordHealth::Nothing {
                        // There is no such game, and nothing to keep open for it.
                        return Closed::Unneeded(None);
                    }
                    self.settle().await;
                    drop(turn);
                    *rebuilds = 0;
                    idle_since = clock.now();
                }
                () = poll_fn(|context| alarm.poll(context)), if due.is_some() => {
                    let now = clock.now();
                    if self.next_deadline().is_some_and(|at| at <= now) {
                        self.tick(now).await;
                        self.settle().await;
                        *rebuilds = 0;
                    } else if self.is_idle() && idle_since + idle <= now {
                        let clock_needs_it = self.game_deadline();
                        if !is_needed || clock_needs_it.is_none_or(|at| at > now + FAR) {
                            return Closed::Unneeded(clock_needs_it);
                        }
                        idle_since = now;
                    }
                }
                written = poll_fn(|context| self.spectator_chat.poll(context)), if self.spectator_chat.is_being_written() => {
                    self.spectator_chat_was_written(written);
                }
                // Tasks woken by what has been sent so far have a turn first.
                () = tokio::task::yield_now(), if self.crowd.has_spectators_pending() => {}
            }
            self.crowd.send_to_spectators();
        }
    }

    /// Whether the game is another program's by now.
    fn is_lost(&self) -> bool {
        !self.services.place.owns(self.record.id())
    }

    /// Ends what is done here for a game that is another program's.
    async fn lost(&mut self, message: Option<RoomMessage>) -> Closed {
        if self.spectator_chat.is_being_written() {
            let written = poll_fn(|context| self.spectator_chat.poll(context));
            if let Ok(written) = tokio::time::timeout(LAST_LINES, written).await {
                self.spectator_chat_was_written(written);
            }
        }
        self.refuse_spectators();
        self.drop_everybody();
        let game = self.record.id();
        self.services.running_positions.goes_on(game, None);
        Closed::Lost(message, self.notices_left())
    }

    /// Answers what can be answered from the record, with what the owner of a running game says of it. Nothing follows from it.
    pub(super) async fn answer_from_record(&mut self, message: RoomMessage) {
        self.is_unheld = false;
        if let Err(error) = self.record.read(&self.services).await {
            return message.fail(self.refused(&error, false));
        }
        self.spectator_chat.found(self.record.is_over());
        if self.needs_spectator_chat(&message) {
            self.spectator_chat
                .load(&self.services, self.record.id())
                .await;
        }
        self.learn_ratings().await;
        if !self.record.is_over()
            && let RoomMessage::Read {
                read: Read::Snapshot(_) | Read::Overseen(..),
                ..
            } = &message
        {
            self.ask_owner().await;
        }
        match message {
            RoomMessage::Read { player, read } => self.read(player, read),
            RoomMessage::Watch {
                player,
                since,
                reply,
                ..
            } if self.record.is_over() => self.show(player, since, reply),
            refused => refused.fail(ApiError::elsewhere()),
        }
    }

    /// Asks the owner of the game for what the record does not say. It was read before, so the owner knows of each of its events when it
    /// became visible.
    async fn ask_owner(&mut self) {
        let game = self.record.id();
        let services = Arc::clone(&self.services);
        let Some(owner) = services.place.owner_of(game) else {
            return;
        };
        let mut known = services.programs.unstored(owner, game).await;
        if let Some(known) = &mut known {
            let visible = std::mem::take(&mut known.visible);
            self.record.were_visible(visible.into_iter().collect());
        }
        self.owner_knows = known;
    }

    /// Forgets what it knew: after a panic or an error the record alone counts.
    pub fn forget(&mut self) {
        self.record.forget();
        self.retry_at = Some(self.services.clock.now() + PROBE_EVERY);
    }

    /// Tells everybody that they get nothing more from here.
    pub fn drop_everybody(&mut self) {
        self.crowd.notice(GameNoticeKind::Dropped {});
        self.crowd.send_to_all_spectators();
        self.unlist();
    }

    /// What watches the clock of a game that needs this room again at a time.
    pub fn due(&mut self, at: Millis) -> Due {
        let running: Option<Running> = self.outage.take_running();
        Due { at, running }
    }

    /// Folds the record if the state is not known for sure, and holds the clocks after a start before anything else happens.
    ///
    /// # Errors
    /// When there is no such game, or its record can't be read or folded.
    pub(super) async fn refresh(&mut self) -> Result<(), OpenError> {
        if let Err(error) = self.read_again().await {
            if self.is_unheld && matches!(error, OpenError::NotFound) {
                self.services.unheld.is_held(self.record.id());
            }
            return Err(error);
        }
        for _ in 0..HOLDS {
            // While nothing can be written, the clocks stand anyway.
            if !self.is_unheld || self.outage.is_on() {
                break;
            }
            self.hold_after_start().await;
            self.read_again().await?;
        }
        Ok(())
    }

    /// Folds the record if the state is not known for sure; whatever the crowd has missed is published.
    async fn read_again(&mut self) -> Result<(), OpenError> {
        if self.record.read(&self.services).await? {
            self.retry_at = None;
            self.outage.append_outcome_is_known();
            if let Some(state) = self.record.state() {
                consequences::found(&self.services, state);
                // Where no computer plays, it is away like anybody else.
                let plays = self.services.computers.are_playing();
                if let Some(seat) = computer::seat_of(state).filter(|_| plays) {
                    self.crowd.computer_sits(seat);
                }
            }
            // Later visitors of a finished game find it in the view.
            self.spectator_chat.found(self.record.is_over());
            // Another program on the record may have noted that nobody is there.
            self.noting.invalidate();
            self.publish_missed();
            self.found_turns();
            self.learn_ratings().await;
        }
        Ok(())
    }

    /// Deals with one message.
    async fn answer(&mut self, message: RoomMessage) {
        if let RoomMessage::Confirmed(mark) = message {
            return self.watermark.is_answered(mark.program, mark.number);
        }
        if let RoomMessage::Unwatch { peer, reply } = message {
            let gone = self.crowd.leave(peer, self.services.clock.now());
            if let Some(reply) = reply {
                let game = self.record.id();
                reply.send(Ok(Answer::Unwatched { game }));
            }
            if gone {
                self.tell_presence();
            }
            return;
        }
        if let Err(error) = self.refresh().await {
            if matches!(error, OpenError::Unavailable) {
                // Its clock may count though nobody comes again.
                self.retry_at = Some(self.services.clock.now() + PROBE_EVERY);
            }
            let writes = matches!(
                message,
                RoomMessage::Command(_) | RoomMessage::Keep(_) | RoomMessage::SpectatorMessage(_)
            );
            return message.fail(self.refused(&error, writes));
        }
        self.note_outage().await;
        if self.record.is_damaged()
            && matches!(message, RoomMessage::Command(_) | RoomMessage::Keep(_))
        {
            return message.fail(ApiError::parked());
        }
        if self.needs_spectator_chat(&message) {
            self.spectator_chat
                .load(&self.services, self.record.id())
                .await;
        }
        match message {
            RoomMessage::Command(request) => self.command(*request).await,
            RoomMessage::Keep(keep) => self.keep(*keep).await,
            RoomMessage::Watch {
                peer,
                player,
                since,
                preview,
                route,
                reply,
            } => {
                self.watch(peer, player, since, preview, route, reply).await;
            }
            RoomMessage::SpectatorMessage(say) => self.hear(*say),
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
            RoomMessage::TurnNotices { due, reply } => {
                self.takes_over_notices(due);
                // Nobody reads the answer: it says that this has arrived.
                let game = self.record.id();
                reply.send(Ok(Answer::Unwatched { game }));
            }
            // What it has changed is read again, and sent.
            RoomMessage::Revised(reply) => {
                self.ratings = Ratings::default();
                // As above.
                let game = self.record.id();
                reply.send(Ok(Answer::Unwatched { game }));
            }
            RoomMessage::Unwatch { .. }
            | RoomMessage::Confirm(_)
            | RoomMessage::Confirmed(_)
            | RoomMessage::Wake(_) => {}
        }
    }

    /// Why a message is refused while the game can't be opened.
    fn refused(&self, error: &OpenError, writes: bool) -> ApiError {
        match error {
            OpenError::NotFound => ApiError::no_such_game(),
            OpenError::Unavailable if writes => self.outage.not_stored(),
            OpenError::Unavailable => ApiError::record_busy(),
            OpenError::Damaged => ApiError::parked(),
        }
    }

    /// When the room has something to do by itself.
    fn next_deadline(&self) -> Option<Millis> {
        let times = [
            self.game_deadline(),
            self.outage.probe_at(),
            self.retry_at,
            self.record.release_at(),
            self.crowd.tell_at(),
            self.spectator_chat.due_at(),
            self.turn_notice_at(),
        ];
        times.into_iter().flatten().min()
    }

    /// Does what is due by now.
    async fn tick(&mut self, now: Millis) {
        let is_due = |at: Option<Millis>| at.is_some_and(|at| at <= now);
        if is_due(self.crowd.tell_at()) {
            self.tell_presence();
        }
        if is_due(self.outage.probe_at()) {
            self.probe_storage().await;
        }
        if is_due(self.retry_at) {
            self.retry_at = Some(now + PROBE_EVERY);
        }
        if self.refresh().await.is_err() {
            return;
        }
        self.note_outage().await;
        if !self.outage.is_on()
            && self.times_out(now).is_some()
            && (self.has_all_that_was_read(now) || is_planted(Fault::WatermarkIgnored))
            && self.is_storage_good().await
            && let Some(bodies) = self.times_out(now)
        {
            self.happens("clock", bodies, now).await;
        }
        self.release();
    }

    /// Does, after each message and tick, what follows from how things stand now: the one place for all that can be late.
    async fn settle(&mut self) {
        self.learn_ratings().await;
        self.spectator_chat.write(&self.services);
        if self.record.is_over() {
            self.spectator_chat.show_players(&self.crowd);
        }
        self.release_clocks().await;
        self.keep_listed();
        self.tell_own_games();
        self.tell_of_turns();
        self.outage.keep_counted(&self.services, &self.record);
        self.note_connections();
        self.note_position();
        self.call_computer();
    }

    /// Keeps the position known as one of a running game. While the state is not known for sure, the last one stands.
    pub(super) fn note_position(&mut self) {
        let Some(state) = self.record.state() else {
            return;
        };
        let now = RunningPositions::of(state);
        if !self.is_position_known || self.position != now {
            (self.position, self.is_position_known) = (now, true);
            self.services.running_positions.goes_on(state.id, now);
        }
    }

    /// Calls the computer that has something to do, once for each event. One that is called does not give up before it is done or the
    /// game has gone on.
    fn call_computer(&mut self) {
        let seq = self.record.seq();
        let Some(seat) = self.crowd.computer().filter(|_| seq > self.computer_called) else {
            return;
        };
        let Some(state) = self.record.state().filter(|_| !self.record.is_damaged()) else {
            return;
        };
        self.computer_called = seq;
        let seated = |seat| state.players.get(seat).as_ref().map(|player| player.id);
        if let (true, Some(computer), Some(opponent)) = (
            computer::is_due(state, seat),
            seated(seat).and_then(Computer::of),
            seated(seat.other()),
        ) {
            self.services.computers.call(Call {
                game: state.id,
                computer,
                owner: self
                    .asked_from
                    .map_or(Owner::Player(opponent), Owner::Address),
            });
        }
    }

    /// Lets held clocks run as soon as both players are there, or the time for waiting is over.
    async fn release_clocks(&mut self) {
        let held = self.record.counting().filter(|_| !self.outage.is_on());
        let now = self.services.clock.now();
        if let Some(until) = held.and_then(|state| state.clock.held_until())
            && (self.crowd.both_here() || until <= now)
        {
            self.happens("release", vec![Body::ClocksReleased], now)
                .await;
        }
    }

    /// Has it noted which players have come or gone. While the server goes down nobody goes by themselves.
    fn note_connections(&mut self) {
        let services = &self.services;
        if services.is_draining() {
            return;
        }
        if let Some(state) = self.record.state() {
            self.noting.goes_on(state.ply(), self.record.is_over());
        }
        let (game, mut here) = (self.record.id(), self.crowd.here());
        if let Some(seat) = self.crowd.computer() {
            // It has no connection of which anything could be noted.
            *here.get_mut(seat) = false;
        }
        for change in self.noting.changes(game, here, services.clock.now()) {
            services.connection_log.note(change);
        }
    }

    /// Whether nobody needs this room before the given time: it may be closed and opened again.
    fn is_idle(&self) -> bool {
        self.spectator_chat.is_quiet()
            && self.crowd.is_empty()
            && !self.outage.is_on()
            && self.retry_at.is_none()
            && !self.waits_for_others()
            && self.turn_notice_at().is_none()
    }
}
