//! Games that are played all the time through several programs, by players who go from one program to another.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use qiguan_protocol::{
    answer::Guest,
    error::ErrorCode,
    ids::{CommandId, GameId, Seq},
    move_text::MoveText,
    view::GameView,
};
use qiguan_tests::{
    Client, Program, Seats, Setup,
    client::{Closed, command_id},
    game::{command_data, done, fischer},
    history::History,
    http::Http,
    machines::{Addresses, Machines, PATIENCE},
    random::Random,
    record::{self, Database},
    waiting::{eventually, pause},
};
use serde_json::{Value, json};
use tokio::{task::JoinHandle, time::MissedTickBehavior};

use crate::{crash::passes, foreign_rooms::MOVES};

/// So often a position may come back.
const REPETITIONS: usize = 100;
/// What each player has on the clock.
const INITIAL_MS: i64 = 10_800_000;
/// So many moves are played at each table before all have gone on.
const BETWEEN: u64 = 3;

#[expect(
    clippy::disallowed_methods,
    reason = "a story measures how long games stand still"
)]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// How fast is played at each table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// Any legal move, and the opponent looks at the game after each.
    Rests,
    /// The same four moves again and again, one in each span of time, until a position has come back too often.
    Every(Duration),
}

/// One table, as all can see it.
struct Place {
    /// Nothing is played any more.
    ended: AtomicBool,
    moves: AtomicU64,
    /// When its last move was acknowledged.
    moved_at: Mutex<Option<Instant>>,
    /// How long a move took at most, from when it was first sent to its acknowledgement, since this was last asked.
    longest: Mutex<Duration>,
    /// The addresses of the programs at which its players are.
    players_at: Mutex<[String; 2]>,
}

/// What tables have done.
pub(super) struct Shared {
    is_over: AtomicBool,
    places: Vec<Place>,
}

impl Shared {
    /// Of so many tables.
    pub(super) fn new(tables: usize) -> Arc<Self> {
        let place = || Place {
            ended: AtomicBool::default(),
            moves: AtomicU64::default(),
            moved_at: Mutex::default(),
            longest: Mutex::default(),
            players_at: Mutex::default(),
        };
        Arc::new(Self {
            is_over: AtomicBool::default(),
            places: (0..tables).map(|_| place()).collect(),
        })
    }

    /// All tables stop after their move.
    pub(super) fn is_over(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Moves of all tables.
    pub(super) fn moves(&self) -> u64 {
        self.counts().iter().sum()
    }

    fn counts(&self) -> Vec<u64> {
        let moves = |place: &Place| place.moves.load(Ordering::Relaxed);
        self.places.iter().map(moves).collect()
    }

    fn has_moved(&self, table: usize, since: Instant) {
        let (place, now) = (&self.places[table], now());
        *place.moved_at.lock().unwrap() = Some(now);
        let mut longest = place.longest.lock().unwrap();
        *longest = longest.max(now.saturating_duration_since(since));
        place.moves.fetch_add(1, Ordering::Relaxed);
    }

    /// Where a player of a table is from now on.
    fn is_at(&self, table: usize, player: usize, address: &str) {
        address.clone_into(&mut self.places[table].players_at.lock().unwrap()[player]);
    }

    /// The tables with a player at an address.
    pub(super) fn tables_at(&self, address: &str) -> Vec<usize> {
        let is_there = |table: &usize| {
            let players = self.places[*table].players_at.lock().unwrap();
            players.iter().any(|player| player == address)
        };
        (0..self.places.len()).filter(is_there).collect()
    }

    /// How long a move of each table took at most, from when it was first sent to its acknowledgement, since this was last asked.
    pub(super) fn longest(&self) -> Vec<Duration> {
        let take = |place: &Place| std::mem::take(&mut *place.longest.lock().unwrap());
        self.places.iter().map(take).collect()
    }

    /// Waits until every table has played on, and tells when each did first after this moment.
    pub(super) async fn all_go_on(&self) -> Vec<Option<Duration>> {
        let since = now();
        let before = self.counts();
        let mut first = vec![None; before.len()];
        eventually("every game to go on", async || {
            let counts = self.counts();
            for (table, (now, then)) in counts.iter().zip(&before).enumerate() {
                if now > then && first[table].is_none() {
                    let at = *self.places[table].moved_at.lock().unwrap();
                    first[table] = at.map(|at| at.saturating_duration_since(since));
                }
            }
            let has_ended = |table: usize| self.places[table].ended.load(Ordering::Relaxed);
            let mut all = counts.iter().zip(&before).enumerate();
            all.all(|(table, (now, then))| *now >= then + BETWEEN || has_ended(table))
                .then_some(())
        })
        .await;
        first
    }
}

/// Waits until games can be opened at a program: one that stood still may only now find out that others have taken over from it, and has no share of
/// the games before it has joined again.
async fn opens_games(program: &Program) {
    let mut http = Http::nobody(program);
    let body = Setup::default().create(command_id());
    eventually("a program that opens games", async || {
        if http.token.is_none() {
            let guest = http.post("/api/guest", None).await;
            let is_known = guest.status / 100 == 2;
            http.token = is_known.then(|| guest.parsed::<Guest>().token);
        }
        let opened = http.post("/api/games", Some(&body)).await;
        (opened.status / 100 == 2).then_some(())
    })
    .await;
}

/// Says in the end that nothing more is played at a table, for whatever reason.
struct EndGuard(Arc<Shared>, usize);

impl Drop for EndGuard {
    fn drop(&mut self) {
        self.0.places[self.1].ended.store(true, Ordering::Relaxed);
    }
}

/// A game, and what its players were told.
pub(super) struct Table {
    number: usize,
    pace: Pace,
    game: GameId,
    players: [Client; 2],
    random: Random,
    history: History,
    addresses: Addresses,
    shared: Arc<Shared>,
}

impl Table {
    /// Begins a game that is played from then on.
    pub(super) async fn start(
        number: usize,
        pace: Pace,
        machines: &Machines,
        random: &mut Random,
        shared: &Arc<Shared>,
    ) -> JoinHandle<Self> {
        let mut table = Self::begin(number, pace, machines, random, shared).await;
        let ended = EndGuard(Arc::clone(shared), number);
        shared.places[number].ended.store(false, Ordering::Relaxed);
        tokio::spawn(async move {
            let _ended = ended;
            table.play().await;
            table
        })
    }

    async fn begin(
        number: usize,
        pace: Pace,
        machines: &Machines,
        random: &mut Random,
        shared: &Arc<Shared>,
    ) -> Self {
        let program = random.pick(&machines.programs);
        opens_games(program).await;
        let setup = Setup {
            options: json!({"quiet_limit": 0, "repetition_limit": REPETITIONS}),
            ..Setup::default()
        };
        let setup = setup.time_control(fischer(INITIAL_MS, 0));
        let Seats {
            game,
            first,
            second,
        } = Seats::begin_with(program, &setup).await;
        for player in 0..2 {
            shared.is_at(number, player, program.address());
        }
        Self {
            number,
            pace,
            game,
            players: [first, second],
            random: Random::new(random.next()),
            history: History::default(),
            addresses: machines.addresses.clone(),
            shared: Arc::clone(shared),
        }
    }

    /// How much time has been taken from both players, after so long a game.
    pub(super) async fn charged(&mut self) -> Duration {
        let view = self.snapshot(0).await;
        let left = view.clocks.left.expect("a game with clocks");
        let left = left.first.ms.0 + left.second.ms.0;
        Duration::from_millis((2 * INITIAL_MS - left) as u64)
    }

    /// Compares what the players were told with the record. So many moves were acknowledged.
    pub(super) async fn check(mut self, database: &Database) -> usize {
        for player in &self.players {
            self.history.saw(player, self.game);
        }
        let events = record::events(database, self.game).await;
        self.history.check(&events, "in the end");
        self.history.moves()
    }

    /// Plays on until told, through any program that can be reached, or until the game is over.
    async fn play(&mut self) {
        match self.pace {
            Pace::Rests => self.play_with_rests().await,
            Pace::Every(span) => self.play_every(span).await,
        }
    }

    async fn play_every(&mut self, span: Duration) {
        let mut times = tokio::time::interval(span);
        times.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let all = MOVES.iter().cycle().take(MOVES.len() * (REPETITIONS - 1));
        for (ply, mv) in all.enumerate() {
            times.tick().await;
            if self.shared.is_over.load(Ordering::Relaxed) {
                return;
            }
            self.does_move(ply % 2, ply + 1, mv).await;
        }
    }

    /// Makes a move, however often it has to be sent.
    async fn does_move(&mut self, mover: usize, ply: usize, mv: &str) -> (CommandId, Seq) {
        let (command, since) = (command_id(), now());
        self.history.asks(command, mv);
        let data = command_data(self.game, command, json!({"ply": ply, "move": mv}));
        let seq = self.is_played(mover, &data).await;
        self.history.is_told(command, seq);
        self.shared.has_moved(self.number, since);
        (command, seq)
    }

    async fn play_with_rests(&mut self) {
        while !self.shared.is_over.load(Ordering::Relaxed) {
            let Some((mover, ply, legal)) = self.turn().await else {
                return;
            };
            let mv = *self.random.pick(&legal);
            let (command, seq) = self.does_move(mover, ply, &mv).await;
            // The other one sees it, wherever they are.
            self.sees(1 - mover, command, seq).await;
            if self.random.below(8) == 0 {
                self.comes_again(mover).await;
            }
            for _ in 0..3 {
                pause().await;
            }
        }
    }

    /// Who is on the move with what; none if the game is over.
    async fn turn(&mut self) -> Option<(usize, usize, Vec<MoveText>)> {
        let mut mover = 0;
        loop {
            let view = self.snapshot(mover).await;
            if view.outcome.is_some() {
                return None;
            }
            match view.position.legal {
                Some(legal) if view.moves.len() % 2 == mover => {
                    return Some((mover, view.moves.len() + 1, legal));
                }
                _ => mover = view.moves.len() % 2,
            }
        }
    }

    /// The game as a player sees it now, over one connection after the other.
    async fn snapshot(&mut self, player: usize) -> GameView {
        loop {
            let watched = self.players[player].try_watch(self.game);
            match tokio::time::timeout(PATIENCE, watched).await {
                Ok(Ok(Err(error))) if error.code == ErrorCode::Restarting => {
                    self.comes_again(player).await;
                }
                Ok(Ok(Err(error))) if passes(&error) => pause().await,
                Ok(Ok(watched)) => return watched.expect("players may watch"),
                Ok(Err(Closed { .. })) | Err(_) => self.comes_again(player).await,
            }
        }
    }

    /// Plays a move until there is an answer that stands, over one connection after the other.
    async fn is_played(&mut self, mover: usize, data: &Value) -> Seq {
        loop {
            let asked = self.players[mover].try_request("move", data.clone());
            match tokio::time::timeout(PATIENCE, asked).await {
                Ok(Ok(Err(error))) if error.code == ErrorCode::Restarting => {
                    self.comes_again(mover).await;
                }
                Ok(Ok(Err(error))) if passes(&error) => pause().await,
                Ok(Ok(answered)) => return done(answered).expect("the move is legal"),
                Ok(Err(Closed { .. })) | Err(_) => self.comes_again(mover).await,
            }
        }
    }

    /// Has a player know of an event, over whatever connection.
    async fn sees(&mut self, player: usize, command: CommandId, seq: Seq) {
        let view = self.snapshot(player).await;
        assert!(
            view.cursor.seq >= seq,
            "{command} was acknowledged as {seq}, and {:?} is shown afterwards",
            view.cursor
        );
    }

    /// A player connects to some program.
    async fn comes_again(&mut self, player: usize) {
        self.history.saw(&self.players[player], self.game);
        let client = &mut self.players[player];
        let address = self.addresses.connect_again(client, &mut self.random);
        self.shared.is_at(self.number, player, &address.await);
        if self.pace != Pace::Rests {
            // Without it they would not hear of the other one's moves; if it fails, the next request finds out.
            let watched = self.players[player].try_watch(self.game);
            let _ = tokio::time::timeout(PATIENCE, watched).await;
        }
    }
}
