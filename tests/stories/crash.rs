//! Pulling the plug: at random moments under play, and at every named point of every command.

use std::{sync::Arc, time::Duration};

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    ids::{CommandId, GameId},
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    game::{command_data, done, fischer},
    history::History,
    program::{Folder, Stopped},
    random::Random,
    record,
};
use serde_json::{Value, json};

/// Games that are being played when the plug is pulled.
const TABLES: u64 = 6;

/// A game through many lives of the server, and everything its players were told.
struct Table {
    game: GameId,
    players: [Client; 2],
    random: Random,
    /// The move that was sent last and not answered.
    open: Option<(usize, CommandId, Value)>,
    /// What was asked, told and shown.
    history: History,
}

#[tokio::test(flavor = "multi_thread")]
async fn a3_killed_at_random_moments_nothing_acknowledged_is_lost_or_doubled() {
    let cycles = std::env::var("QIGUAN_CRASHES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20_u32);
    let mut random = Random::new(3);
    let start = Start::default()
        .for_machines()
        .with("--restart-grace-ms", 200);
    let mut stopped: Option<Stopped> = None;
    let mut tables: Vec<Table> = Vec::new();
    for cycle in 0..cycles {
        let program = match stopped.take() {
            Some(stopped) => stopped.restart().await,
            None => start.clone().start_in(Folder::new()).await,
        };
        // Games that have ended make room for new ones.
        let mut going = Vec::new();
        for table in tables {
            if !table.is_over(&program).await {
                going.push(table);
            }
        }
        tables = going;
        while (tables.len() as u64) < TABLES {
            tables.push(Table::begin(&program, random.next()).await);
        }
        let address = program.address().to_owned();
        let playing: Vec<_> = tables
            .drain(..)
            .map(|mut table| {
                let address = address.clone();
                tokio::spawn(async move {
                    table.play_until_cut(&address).await;
                    table
                })
            })
            .collect();
        // The moment is what is random here; nothing waits for it.
        tokio::time::sleep(Duration::from_millis(30 + random.below(500))).await;
        let dead = program.kill().await;
        for table in playing {
            tables.push(table.await.unwrap());
        }
        for table in &mut tables {
            table.check(&dead, cycle).await;
        }
        record::is_sound(&dead.database()).await;
        stopped = Some(dead);
    }
    let moves: usize = tables.iter().map(|table| table.history.moves()).sum();
    assert!(
        moves > 100,
        "only {moves} moves were played: this proves little"
    );
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
    async fn play_until_cut(&mut self, address: &str) -> Option<()> {
        let game = self.game;
        for player in &mut self.players {
            *player = player.try_resume(address, game).await?;
        }
        if let Some((mover, command, data)) = self.open.clone() {
            let answered = self.players[mover].try_request("move", data).await.ok()?;
            // Refused it may only be because the game has ended: its ply and position are as they were.
            match done(answered) {
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
            let answered = self.players[mover].try_request("move", data).await.ok()?;
            self.open = None;
            match done(answered) {
                Ok(seq) => self.history.is_told(command, seq),
                Err(error) => panic!("a legal move is refused: {error}"),
            }
        }
    }

    /// What anybody was told or shown is in the record, once, and nothing else is.
    async fn check(&mut self, dead: &Stopped, cycle: u32) {
        for player in &self.players {
            self.history.saw(player, self.game);
        }
        let events = record::events(&dead.database(), self.game).await;
        self.history.check(&events, &format!("cycle {cycle}"));
    }
}

/// The points that every command passes, and whether its events are in the record from there on.
const POINTS: [(&str, bool); 5] = [
    ("after_check", false),
    ("before_commit", false),
    ("after_commit", true),
    ("before_answer", true),
    ("before_publish", true),
];

const COMMANDS: [&str; 12] = [
    "join",
    "move",
    "resign",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "abort",
    "rematch",
    "rematch@2",
    "claim_victory",
    "chat",
    "create_game",
];

#[tokio::test(flavor = "multi_thread")]
async fn a1_a2_killed_at_every_named_point_of_every_command() {
    let places = Arc::new(tokio::sync::Semaphore::new(6));
    let mut cells = Vec::new();
    for command in COMMANDS {
        for (point, stored) in POINTS {
            if command == "create_game" && point == "before_publish" {
                // A game that is being opened has nobody to publish to.
                continue;
            }
            let places = Arc::clone(&places);
            cells.push(tokio::spawn(async move {
                let _place = places.acquire().await.unwrap();
                if command == "create_game" {
                    opening_cell(point, stored).await;
                } else {
                    cell(command, point, stored).await;
                }
            }));
        }
    }
    for cell in cells {
        cell.await.unwrap();
    }
}

/// A game in which a command can be given, and the command.
struct Scene {
    game: GameId,
    actor: Client,
    other: Client,
    extra: Value,
}

async fn cell(command: &str, point: &str, stored: bool) {
    let (kind, pass) = command.split_once('@').unwrap_or((command, "1"));
    let faults = format!("{point}/{kind}=abort@{pass}");
    let program = Start::default()
        .with("--restart-grace-ms", 100)
        .faults(faults)
        .start()
        .await;
    let Scene {
        game,
        mut actor,
        other,
        extra,
    } = scene(&program, command).await;
    let id = command_id();
    actor
        .sends(kind, command_data(game, id, extra.clone()))
        .await;
    let dead = program.dies().await;

    let what = format!("{command} at {point}");
    let events = record::events(&dead.database(), game).await;
    let caused = events
        .iter()
        .filter(|event| event.command == Some(id.0))
        .count();
    assert_eq!(caused > 0, stored, "{what}: the record after the crash");

    let program = dead.restart().await;
    let mut actor = actor
        .try_resume(program.address(), game)
        .await
        .expect("the actor resumes");
    let mut other = other
        .try_resume(program.address(), game)
        .await
        .expect("the other resumes");
    let again = actor.does_as(game, kind, extra.clone(), id).await;
    if command == "claim_victory" && !stored {
        // The opponent has come back in the meantime, so there is nothing left to claim.
        assert!(again.is_err(), "{what}");
        return;
    }
    let seq = done(again).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(
        done(actor.does_as(game, kind, extra, id).await),
        Ok(seq),
        "{what}: a third time"
    );
    other.watches(game).await;
    assert!(other.cursors[&game].seq >= seq, "{what}: the other sees it");

    let events = record::events(&program.database(), game).await;
    let caused: Vec<_> = events
        .iter()
        .filter(|event| event.command == Some(id.0))
        .collect();
    let expected = if command == "join" { 2 } else { 1 };
    assert_eq!(caused.len(), expected, "{what}: once in the record");
    assert_eq!(caused.last().unwrap().seq, seq.0, "{what}");
}

async fn scene(program: &Program, command: &str) -> Scene {
    if command == "join" {
        let mut other = Client::guest(program.address()).await;
        let created = other
            .asks("create_game", Setup::default().create(command_id()))
            .await;
        let Answer::Created { game } = created else {
            panic!("not created")
        };
        other.watches(game).await;
        let mut actor = Client::guest(program.address()).await;
        actor.watches(game).await;
        return Scene {
            game,
            actor,
            other,
            extra: json!({}),
        };
    }
    let absence = json!({"clock": {"type": "fischer", "initial_ms": 600_000, "increment_ms": 0}, "absence_ms": 5_000});
    let mut seats = Seats::begin_with(program, &Setup::default().time_control(absence)).await;
    let game = seats.game;
    let mut extra = json!({});
    match command {
        "move" => extra = json!({"ply": 1, "move": "a3a4"}),
        "chat" => extra = json!({"text": "好棋"}),
        "accept_draw" | "decline_draw" => {
            let offer = done(seats.second.does(game, "offer_draw", json!({})).await).unwrap();
            extra = json!({"offer": offer});
        }
        "rematch" => {
            seats.second.does(game, "resign", json!({})).await.unwrap();
        }
        "rematch@2" => {
            seats.first.does(game, "resign", json!({})).await.unwrap();
            seats.second.does(game, "rematch", json!({})).await.unwrap();
        }
        "claim_victory" => {
            let Seats {
                mut first, second, ..
            } = seats;
            let other = second.again(program.address()).await;
            second.leaves().await;
            let away = first
                .presence_where(game, |presence| !presence.players.second.connected)
                .await;
            let claim_at = away
                .players
                .second
                .claim_at
                .expect("absence can be claimed");
            first.waits_until(claim_at).await;
            return Scene {
                game,
                actor: first,
                other,
                extra,
            };
        }
        _ => {}
    }
    let Seats { first, second, .. } = seats;
    Scene {
        game,
        actor: first,
        other: second,
        extra,
    }
}

async fn opening_cell(point: &str, stored: bool) {
    let faults = format!("{point}/create_game=abort");
    let program = Start::default().faults(faults).start().await;
    let mut creator = Client::guest(program.address()).await;
    let opening = Setup::default().create(command_id());
    creator.sends("create_game", opening.clone()).await;
    let program = program.dies().await.restart().await;
    let mut creator = creator.again(program.address()).await;
    let count = |text: String| {
        serde_json::from_str::<Value>(&text).unwrap()["games"]
            .as_array()
            .unwrap()
            .len()
    };
    let (_, games) = program.get("/api/games").await;
    assert_eq!(
        count(games),
        usize::from(stored),
        "create_game at {point}: the record after the crash"
    );
    let first = creator.asks("create_game", opening.clone()).await;
    let second = creator.asks("create_game", opening).await;
    assert!(first == second, "the same command opens the same game");
    let (_, games) = program.get("/api/games").await;
    assert_eq!(
        count(games),
        1,
        "create_game at {point}: once in the record"
    );
}
