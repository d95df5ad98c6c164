//! Pulling the plug at random moments under play: the server's, and that of the database under it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    ids::{CommandId, GameId, Seq},
};
use qiguan_tests::{
    Client, Cluster, Folder, Program, Seats, Setup, Start, Stop,
    client::command_id,
    game::{command_data, done, fischer},
    history::History,
    program::Stopped,
    random::Random,
    record::{self, Database},
    waiting::{eventually, pause},
};
use serde_json::{Value, json};

/// Games that are being played when the plug is pulled.
const TABLES: u64 = 6;

/// The fewest moves that are played before each kill, and in all while something goes wrong: less would prove little.
const BEFORE_A_KILL: u64 = 17;
const IN_ALL: u64 = 101;

/// How many moves were acknowledged and how many refused so far, in all games.
#[derive(Clone, Default)]
struct Played {
    moves: Arc<AtomicU64>,
    refused: Arc<AtomicU64>,
}

impl Played {
    fn count(&self) -> u64 {
        self.moves.load(Ordering::Relaxed)
    }

    fn one_more(&self) {
        self.moves.fetch_add(1, Ordering::Relaxed);
    }

    /// How often a move could not be stored.
    fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    fn one_refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits until so many more moves have been played.
    async fn more(&self, moves: u64) {
        let enough = self.count() + moves;
        eventually("moves to be played", async || {
            (self.count() >= enough).then_some(())
        })
        .await;
    }
}

/// A game through many lives of the server, and everything its players received.
struct Table {
    game: GameId,
    players: [Client; 2],
    random: Random,
    /// The move that was sent last and not answered.
    open: Option<(usize, CommandId, Value)>,
    /// What was requested, answered and shown.
    history: History,
}

#[tokio::test(flavor = "multi_thread")]
async fn a3_killed_at_random_moments_nothing_acknowledged_is_lost_or_doubled() {
    let cycles = cycles("QIGUAN_CRASHES", 20);
    killed_again_and_again("SQLite", Start::default(), cycles).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a3_killed_at_random_moments_on_postgres_nothing_acknowledged_is_lost_or_doubled() {
    let cycles = cycles("QIGUAN_PG_CRASHES", 6);
    killed_again_and_again("Postgres", Start::on_postgres(), cycles).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a3_killed_at_random_moments_on_one_core_nothing_acknowledged_is_lost_or_doubled() {
    killed_again_and_again("one core", Start::on_one_core(), 6).await;
}

/// How often to pull the plug.
fn cycles(variable: &str, otherwise: u32) -> u32 {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number of cycles"),
        Err(_) => otherwise,
    }
}

/// What was played, for the report of a long run.
#[derive(Default)]
struct Report {
    games: usize,
    acknowledged: usize,
    unknown: usize,
    shown: usize,
}

impl Report {
    /// Adds a game whose history has been held against the record.
    fn add(&mut self, history: &History) {
        self.games += 1;
        self.acknowledged += history.moves();
        self.unknown += history.unknown();
        self.shown += history.shown();
    }

    #[expect(clippy::print_stdout, reason = "the report of a long run")]
    fn print(&self, trouble: &str) {
        println!(
            "{trouble}: {} games, {} moves acknowledged and none of them lost or doubled, {} of which nobody was told, {} events shown \
             and all of them in the record",
            self.games, self.acknowledged, self.unknown, self.shown
        );
    }
}

async fn killed_again_and_again(database: &str, start: Start, cycles: u32) {
    let mut random = Random::new(3);
    // Every game is packed as soon as it is looked at, also in the middle of play.
    let start = start
        .for_machines()
        .with("--restart-grace-ms", 200)
        .with("--pack-after-secs", 0);
    let mut stopped: Option<Stopped> = None;
    let mut tables: Vec<Table> = Vec::new();
    let mut report = Report::default();
    let mut sound = 0;
    for cycle in 0..cycles {
        let program = match stopped.take() {
            Some(stopped) => stopped.restart().await,
            None => start.clone().start_in(Folder::new()).await,
        };
        // Games that have ended make room for new ones.
        let mut going = Vec::new();
        for table in tables {
            if table.is_over(&program).await {
                report.add(&table.history);
            } else {
                going.push(table);
            }
        }
        tables = going;
        while (tables.len() as u64) < TABLES {
            tables.push(Table::begin(&program, random.next()).await);
        }
        let address = program.address().to_owned();
        let played = Played::default();
        let playing: Vec<_> = tables
            .drain(..)
            .map(|mut table| {
                let (address, played) = (address.clone(), played.clone());
                tokio::spawn(async move {
                    table.play_until_cut(&address, &played).await;
                    table
                })
            })
            .collect();
        let enough = BEFORE_A_KILL + random.below(40);
        eventually("moves before the kill", async || {
            let over = playing.iter().all(tokio::task::JoinHandle::is_finished);
            (over || played.count() >= enough).then_some(())
        })
        .await;
        // The moment is what is random here; nothing waits for it.
        tokio::time::sleep(Duration::from_millis(random.below(50))).await;
        let dead = program.kill().await;
        for table in playing {
            tables.push(table.await.unwrap());
        }
        for table in &mut tables {
            table.check(&dead, cycle).await;
        }
        sound = record::is_sound(&dead.database()).await;
        stopped = Some(dead);
    }
    for table in &tables {
        report.add(&table.history);
    }
    assert_eq!(sound, report.games as u64, "games in the record");
    let moves = report.acknowledged;
    assert!(
        moves > 100,
        "only {moves} moves were played: this proves little"
    );
    report.print(&format!("{cycles} kills of the server on {database}"));
}

/// Postgres breaks down again and again under a server that goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a10_postgres_stopped_at_once_under_play_again_and_again_loses_nothing_acknowledged() {
    let cluster = Cluster::start();
    let cycles = cycles("QIGUAN_PG_STOPS", 2);
    let start = Start::default().at_database(cluster.database());
    let report = play_through(start, async |_, played| {
        for _ in 0..cycles {
            played.more(8).await;
            cluster.stop(Stop::Immediate);
            cluster.start_again();
        }
    });
    let report = report.await;
    report.print(&format!("{cycles} immediate stops of Postgres"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a11_sessions_of_postgres_killed_under_play_lose_nothing_acknowledged() {
    play_through(Start::on_postgres(), async |database, played| {
        let mut beside = database.session().await;
        let mut kills = 0;
        // Nobody notices a session that is killed while nothing is written: it is replaced.
        while kills < 20 || played.refused() == 0 {
            kills += 1;
            played.more(3).await;
            let killed = sqlx::query(
                "select pg_terminate_backend(pid) from pg_stat_activity \
                 where application_name like 'qiguan%' and datname = current_database()",
            );
            killed.execute(&mut beside).await.unwrap();
        }
    })
    .await;
}

/// Plays on while something goes wrong, and for a while after it.
async fn play_through(start: Start, trouble: impl AsyncFnOnce(&Database, &Played)) -> Report {
    let program = start.for_machines().start().await;
    let mut random = Random::new(10);
    let over = Arc::new(AtomicBool::new(false));
    let played = Played::default();
    let mut playing = Vec::new();
    for _ in 0..TABLES {
        let mut table = Table::begin(&program, random.next()).await;
        let (over, played) = (Arc::clone(&over), played.clone());
        playing.push(tokio::spawn(async move {
            table.play_until(&over, &played).await;
            table
        }));
    }
    trouble(&program.database(), &played).await;
    eventually("moves enough", async || {
        let over = playing.iter().all(tokio::task::JoinHandle::is_finished);
        (over || played.count() >= IN_ALL).then_some(())
    })
    .await;
    over.store(true, Ordering::Relaxed);
    let mut report = Report::default();
    for table in playing {
        let mut table = table.await.unwrap();
        for player in &table.players {
            table.history.saw(player, table.game);
        }
        let events = record::events(&program.database(), table.game).await;
        table.history.check(&events, "in the end");
        report.add(&table.history);
    }
    let moves = report.acknowledged;
    assert!(moves > 100, "only {moves} moves: this proves little");
    assert!(played.refused() > 0, "nobody has noticed anything");
    report
}

/// Whether a command that is refused so can be sent again: the record could not be written, for whatever reason.
pub(super) const fn passes(error: &ApiError) -> bool {
    matches!(
        error.code,
        ErrorCode::NotStored | ErrorCode::Busy | ErrorCode::Internal
    )
}

/// Sends a move, and again while it is refused for a reason that passes; none if the connection breaks.
async fn is_answered(player: &mut Client, data: Value) -> Option<Result<Seq, ApiError>> {
    loop {
        let answered = player.try_request("move", data.clone()).await.ok()?;
        match done(answered) {
            Err(error) if passes(&error) => pause().await,
            answered => return Some(answered),
        }
    }
}

impl Table {
    async fn begin(program: &Program, seed: u64) -> Self {
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
        Self {
            game,
            players: [first, second],
            random: Random::new(seed),
            open: None,
            history: History::default(),
        }
    }

    async fn is_over(&self, program: &Program) -> bool {
        self.players[0]
            .looks(program, self.game)
            .await
            .outcome
            .is_some()
    }

    /// Both come back, the open move is sent again, and play goes on until the connection breaks.
    async fn play_until_cut(&mut self, address: &str, played: &Played) -> Option<()> {
        let game = self.game;
        for player in &mut self.players {
            *player = player.try_resume(address, game).await?;
        }
        if let Some((mover, command, data)) = self.open.clone() {
            let answered = is_answered(&mut self.players[mover], data).await?;
            // Refused it may only be because the game has ended: its ply and position are as they were.
            match answered {
                Ok(seq) => self.history.is_told(command, seq),
                Err(error) => {
                    assert_eq!(error.code, ErrorCode::GameOver, "{error}");
                    self.history.is_refused(command);
                }
            }
            self.open = None;
        }
        loop {
            let view = self.players[0]
                .try_request("watch", json!({"game": game}))
                .await
                .ok()?
                .ok()?;
            let Answer::Snapshot { view, .. } = view else {
                panic!("no snapshot")
            };
            if view.outcome.is_some() {
                return None;
            }
            let mover = (view.moves.len()) % 2;
            let theirs = self.players[mover]
                .try_request("watch", json!({"game": game}))
                .await
                .ok()?
                .ok()?;
            let Answer::Snapshot { view, .. } = theirs else {
                panic!("no snapshot")
            };
            let legal = view.position.legal?;
            let command = command_id();
            let mv = *self.random.pick(&legal);
            let data = command_data(
                game,
                command,
                json!({"ply": view.moves.len() + 1, "move": mv}),
            );
            self.history.asks(command, &mv);
            self.open = Some((mover, command, data.clone()));
            let answered = is_answered(&mut self.players[mover], data).await?;
            self.open = None;
            played.one_more();
            match answered {
                Ok(seq) => self.history.is_told(command, seq),
                Err(error) => panic!("a legal move is refused: {error}"),
            }
        }
    }

    /// Plays on until told, or the game is over; a move that is not stored is sent again until it is.
    async fn play_until(&mut self, over: &AtomicBool, played: &Played) {
        let game = self.game;
        let mut ply = 0;
        while !over.load(Ordering::Relaxed) {
            let mover = ply % 2;
            let Ok(Answer::Snapshot { view, .. }) = self.players[mover]
                .request("watch", json!({"game": game}))
                .await
            else {
                // The record can't be read just now.
                pause().await;
                continue;
            };
            if view.outcome.is_some() {
                break;
            }
            assert_eq!(view.moves.len(), ply, "an acknowledged move is missing");
            let legal = view.position.legal.expect("it is this player's turn");
            let mv = *self.random.pick(&legal);
            let command = command_id();
            let data = command_data(game, command, json!({"ply": ply + 1, "move": mv}));
            self.history.asks(command, &mv);
            let seq = loop {
                let answered = self.players[mover].request("move", data.clone()).await;
                match done(answered) {
                    Ok(seq) => break seq,
                    Err(error) => assert!(passes(&error), "a legal move is refused: {error}"),
                }
                played.one_refused();
                pause().await;
            };
            self.history.is_told(command, seq);
            played.one_more();
            ply += 1;
        }
    }

    /// What anybody received or saw is in the record, once, and nothing else is.
    async fn check(&mut self, dead: &Stopped, cycle: u32) {
        for player in &self.players {
            self.history.saw(player, self.game);
        }
        let events = record::events(&dead.database(), self.game).await;
        self.history.check(&events, &format!("cycle {cycle}"));
    }
}
