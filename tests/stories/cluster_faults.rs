//! Three programs on one Postgres with NATS between them, of which one after the other is killed, frozen or ended under play, and what they share
//! breaks down: nothing acknowledged is lost or doubled, nobody sees what is not stored, and play goes on by itself.

use std::{
    collections::BTreeMap,
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
    Client, Cluster, Nats, Program, Seats, Setup, Stop,
    client::{Closed, command_id},
    game::{command_data, done, fischer},
    history::History,
    http::Http,
    machines::{Addresses, Machines, PATIENCE},
    random::Random,
    record,
    waiting::{eventually, pause},
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{crash::passes, foreign_rooms::on};

/// Games that are played all the time.
const TABLES: usize = 8;
/// Programs.
const NODES: usize = 3;
/// So many moves are played at each table between two faults.
const BETWEEN: u64 = 3;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// A program is killed, and another one started.
    Kill,
    /// A program stands still for longer than its lease, and goes on.
    Freeze,
    /// A program is ended with SIGTERM, and another one started.
    End,
    /// NATS is killed, and started again.
    Nats,
    /// Postgres is stopped at once, and started again.
    Postgres,
}

impl Fault {
    fn drawn(random: &mut Random) -> Self {
        match random.below(20) {
            0..=8 => Self::Kill,
            9..=13 => Self::Freeze,
            14..=16 => Self::End,
            17..=18 => Self::Nats,
            _ => Self::Postgres,
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a story measures how long games stand still"
)]
fn now() -> Instant {
    Instant::now()
}

/// What tables have done.
#[derive(Default)]
struct Shared {
    is_over: AtomicBool,
    /// The tables whose games are over.
    ended: [AtomicBool; TABLES],
    moves: [AtomicU64; TABLES],
    /// When the last move of each table was acknowledged.
    moved_at: [Mutex<Option<Instant>>; TABLES],
    /// The addresses of the programs at which each table's players are.
    players_at: [Mutex<[String; 2]>; TABLES],
}

impl Shared {
    fn has_moved(&self, table: usize) {
        *self.moved_at[table].lock().unwrap() = Some(now());
        self.moves[table].fetch_add(1, Ordering::Relaxed);
    }

    /// Where a player of a table is from now on.
    fn is_at(&self, table: usize, player: usize, address: &str) {
        address.clone_into(&mut self.players_at[table].lock().unwrap()[player]);
    }

    /// The tables with a player at an address.
    fn tables_at(&self, address: &str) -> Vec<usize> {
        let is_there = |table: &usize| {
            let players = self.players_at[*table].lock().unwrap();
            players.iter().any(|player| player == address)
        };
        (0..TABLES).filter(is_there).collect()
    }

    /// Waits until every table has played on, and tells when each did first after this moment.
    async fn all_go_on(&self) -> [Option<Duration>; TABLES] {
        let since = now();
        let counts = || self.moves.iter().map(|moves| moves.load(Ordering::Relaxed));
        let before: Vec<u64> = counts().collect();
        let mut first = [None; TABLES];
        eventually("every game to go on", async || {
            for (table, (now, then)) in counts().zip(&before).enumerate() {
                if now > *then && first[table].is_none() {
                    let at = *self.moved_at[table].lock().unwrap();
                    first[table] = at.map(|at| at.saturating_duration_since(since));
                }
            }
            let has_ended = |table: usize| self.ended[table].load(Ordering::Relaxed);
            let mut all = counts().zip(&before).enumerate();
            all.all(|(table, (now, then))| now >= then + BETWEEN || has_ended(table))
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
        self.0.ended[self.1].store(true, Ordering::Relaxed);
    }
}

/// A game, and what its players were told.
struct Table {
    number: usize,
    game: GameId,
    players: [Client; 2],
    random: Random,
    history: History,
    addresses: Addresses,
    shared: Arc<Shared>,
}

impl Table {
    async fn begin(
        number: usize,
        machines: &Machines,
        random: &mut Random,
        shared: &Arc<Shared>,
    ) -> Self {
        let program = random.pick(&machines.programs);
        opens_games(program).await;
        let setup = Setup {
            options: json!({"quiet_limit": 0, "repetition_limit": 100}),
            ..Setup::default()
        };
        let setup = setup.time_control(fischer(10_800_000, 0));
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
            game,
            players: [first, second],
            random: Random::new(random.next()),
            history: History::default(),
            addresses: machines.addresses.clone(),
            shared: Arc::clone(shared),
        }
    }

    /// Plays on until told, through any program that can be reached, or until the game is over.
    async fn play(&mut self) {
        while !self.shared.is_over.load(Ordering::Relaxed) {
            let Some((mover, ply, legal)) = self.turn().await else {
                return;
            };
            let mv = *self.random.pick(&legal);
            let command = command_id();
            self.history.asks(command, &mv);
            let data = command_data(self.game, command, json!({"ply": ply, "move": mv}));
            let seq = self.is_played(mover, &data).await;
            self.history.is_told(command, seq);
            self.shared.has_moved(self.number);
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
    }
}

/// How long it took until the first move of each game after faults of a kind, of those with a player at the program of the fault by themselves:
/// at a frozen program they wait for as long as they have patience.
#[derive(Default)]
struct Pauses(BTreeMap<(Fault, Players), Vec<Duration>>);

/// Where the players of a game are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Players {
    /// Both are at programs without a fault.
    Elsewhere,
    /// One of them, or both, are at the program of the fault.
    There,
}

impl Pauses {
    #[expect(clippy::print_stdout, reason = "the report of a long run")]
    fn print(&mut self) {
        for ((fault, players), pauses) in &mut self.0 {
            pauses.sort_unstable();
            let at = |share: usize| pauses[(pauses.len() - 1) * share / 100];
            println!(
                "{fault:?}, players {players:?}: {} games, first move after {:?} (p50), {:?} (p90), {:?} (p99), {:?} at most",
                pauses.len(),
                at(50),
                at(90),
                at(99),
                at(100)
            );
        }
    }
}

/// A number from the environment.
pub(super) fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => otherwise,
    }
}

/// Begins a game that is played from then on.
async fn table(
    number: usize,
    machines: &Machines,
    random: &mut Random,
    shared: &Arc<Shared>,
) -> JoinHandle<Table> {
    let mut table = Table::begin(number, machines, random, shared).await;
    shared.ended[number].store(false, Ordering::Relaxed);
    let ended = EndGuard(Arc::clone(shared), number);
    tokio::spawn(async move {
        let _ended = ended;
        table.play().await;
        table
    })
}

async fn suffer(
    machines: &mut Machines,
    postgres: &mut Cluster,
    fault: Fault,
    which: usize,
    random: &mut Random,
) {
    match fault {
        Fault::Kill => {
            machines.take(which).kill().await;
            machines.add().await;
        }
        Fault::End => {
            let program = machines.take(which);
            program.terminate().await;
            program.ends().await;
            machines.add().await;
        }
        Fault::Freeze => {
            machines.programs[which].signal("STOP").await;
            // That long it stands still: it is the fault, and nothing waits for it.
            tokio::time::sleep(Duration::from_millis(500 + random.below(3_000))).await;
            machines.programs[which].signal("CONT").await;
        }
        Fault::Nats => {
            machines.nats.is_killed();
            tokio::time::sleep(Duration::from_millis(random.below(3_000))).await;
            machines.nats.comes_back().await;
        }
        Fault::Postgres => {
            postgres.stop(Stop::Immediate);
            postgres.start_again();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p7_programs_that_are_killed_frozen_and_ended_under_play_lose_nothing_acknowledged() {
    let faults = number("QIGUAN_CLUSTER_FAULTS", 10);
    let mut random = Random::new(24);
    let shared = Arc::<Shared>::default();
    let (nats, mut postgres) = (Nats::start().await, Cluster::start());
    let start = on(&postgres.database(), &nats).with("--restart-grace-ms", 200);
    let mut machines = Machines::start(NODES, nats, start).await;
    let mut playing = Vec::new();
    for number in 0..TABLES {
        playing.push(table(number, &machines, &mut random, &shared).await);
    }
    shared.all_go_on().await;
    let mut over = Vec::new();
    let mut pauses = Pauses::default();
    for _ in 0..faults {
        let fault = Fault::drawn(&mut random);
        let which = random.below(machines.programs.len() as u64) as usize;
        let there = match fault {
            Fault::Nats | Fault::Postgres => Vec::new(),
            _ => shared.tables_at(machines.programs[which].address()),
        };
        let fails = suffer(&mut machines, &mut postgres, fault, which, &mut random);
        let (first, ()) = tokio::join!(shared.all_go_on(), fails);
        for (table, first) in first.into_iter().enumerate() {
            let players = if there.contains(&table) {
                Players::There
            } else {
                Players::Elsewhere
            };
            pauses.0.entry((fault, players)).or_default().extend(first);
        }
        for (number, table) in playing.iter_mut().enumerate() {
            if table.is_finished() {
                let next = self::table(number, &machines, &mut random, &shared).await;
                let ended = std::mem::replace(table, next);
                over.push(ended.await.expect("a table"));
            }
        }
    }
    shared.is_over.store(true, Ordering::Relaxed);
    let database = machines.programs[0].database();
    let mut acknowledged = 0;
    for table in playing {
        over.push(table.await.expect("a table"));
    }
    for mut table in over {
        for player in &table.players {
            table.history.saw(player, table.game);
        }
        let events = record::events(&database, table.game).await;
        table.history.check(&events, "in the end");
        acknowledged += table.history.moves();
    }
    record::is_sound(&database).await;
    pauses.print();
    println!("{faults} faults, {acknowledged} moves acknowledged and none of them lost or doubled");
    assert!(acknowledged > TABLES, "only {acknowledged} moves");
}
