//! Two programs on one Postgres, each with its own games: one comes and goes in the middle of the other's.

use qiguan_protocol::{
    error::ErrorCode,
    event::HoldReason,
    ids::{GameId, Millis},
    view::{Clocks, GameView},
};
use qiguan_tests::{
    Cluster, Http, Program, Seats, Setup, Start,
    client::{Client, command_id},
    game::{command_data, done, fischer},
    record::{self, Database},
    waiting::{eventually, in_time, pause},
};
use serde_json::json;
use tokio::{sync::watch, task::JoinHandle};

/// Moves that take nothing, up and down again.
const MOVES: [&str; 4] = ["a3a4", "g7g6", "a4a3", "g6g7"];

fn setup() -> Setup {
    Setup {
        options: json!({"quiet_limit": 0, "repetition_limit": 100}),
        ..Setup::default()
    }
    .time_control(fischer(600_000, 0))
}

/// Games that are played on and on at one program, whatever happens beside it.
struct Busy {
    tables: Vec<JoinHandle<(Seats, u32)>>,
    plies: watch::Sender<u32>,
    is_over: watch::Sender<bool>,
}

impl Busy {
    async fn at(program: &Program, tables: u32) -> Self {
        let (plies, is_over) = (watch::Sender::new(0), watch::Sender::new(false));
        let mut playing = Vec::new();
        for _ in 0..tables {
            let mut seats = Seats::begin_with(program, &setup()).await;
            let (plies, is_over) = (plies.clone(), is_over.subscribe());
            playing.push(tokio::spawn(async move {
                let mut ply = 0;
                while !*is_over.borrow() && ply < 390 {
                    let played = seats.plays(ply + 1, MOVES[ply as usize % 4]).await;
                    played.expect("nothing disturbs the game");
                    ply += 1;
                    plies.send_modify(|plies| *plies += 1);
                    // So that the game lasts for the whole story.
                    for _ in 0..8 {
                        pause().await;
                    }
                }
                (seats, ply)
            }));
        }
        Self {
            tables: playing,
            plies,
            is_over,
        }
    }

    /// Waits until moves were played by everybody after this moment.
    async fn go_on(&self) {
        let mut plies = self.plies.subscribe();
        let more = *plies.borrow() + 2 * self.tables.len() as u32;
        let going_on = plies.wait_for(|plies| *plies >= more);
        drop(in_time("moves", going_on).await);
    }

    /// Ends it: every move is in the record, and no clock was ever held.
    async fn were_never_held(self, database: &Database) {
        self.is_over.send_replace(true);
        for table in self.tables {
            let (seats, plies) = table.await.unwrap();
            let events = record::events(database, seats.game).await;
            assert_eq!(record::moves(&events).len(), plies as usize);
            assert_eq!(holds(&events), 0);
        }
    }
}

fn holds(events: &[record::Stored]) -> usize {
    let held = events.iter().filter(|it| it.body["t"] == "clocks_held");
    held.count()
}

/// Of the slot of a game: when its owner was last alive.
const ALIVE_AT: &str =
    "select alive_at from slots join nodes using (node, incarnation) where slot = $1";
/// Until when its last owner was.
const CHARGED_TO: &str = "select charged_to from slots where slot = $1";

async fn of_slot(database: &Database, query: &'static str, game: GameId) -> Millis {
    let mut session = database.session().await;
    let slot = (game.0.as_u128() % 4_096) as i16;
    let at = sqlx::query_scalar(query).bind(slot);
    Millis(at.fetch_one(&mut session).await.unwrap())
}

async fn is_elsewhere(client: &mut Client, game: GameId, ply: u32) {
    let watched = client.tries_to_watch(game).await;
    assert_eq!(watched.expect_err("a refusal").code, ErrorCode::Elsewhere);
    let mv = json!({"ply": ply, "move": MOVES[(ply as usize + 3) % 4]});
    assert_eq!(
        client.is_refused(game, "move", mv).await,
        ErrorCode::Elsewhere
    );
}

/// Comes to a program for a game, as soon as that is there.
async fn comes(client: &Client, program: &Program, game: GameId) -> (Client, GameView) {
    eventually("the game to have come here", async || {
        let mut again = client.again(program.address()).await;
        match again.tries_to_watch(game).await {
            Ok(view) => Some((again, view)),
            Err(error) => {
                assert_eq!(error.code, ErrorCode::Elsewhere);
                None
            }
        }
    })
    .await
}

/// Both players of a game come to another program, and it goes on there.
async fn both_come(seats: &mut Seats, program: &Program) -> GameView {
    let (first, view) = comes(&seats.first, program, seats.game).await;
    let (second, _) = comes(&seats.second, program, seats.game).await;
    (seats.first, seats.second) = (first, second);
    view
}

#[tokio::test(flavor = "multi_thread")]
async fn a25_a_second_program_comes_and_goes_in_the_middle_of_games_and_each_has_its_own() {
    let url = Cluster::shared().database();
    let on = || Start::default().at_database(url.clone()).for_machines();
    let one = on().start().await;
    let database = one.database();
    let mut seats = Seats::begin_with(&one, &setup()).await;
    let busy = Busy::at(&one, 3).await;
    busy.go_on().await;

    // The second comes: it has a share, and the games stay where they are.
    let two = on().start().await;
    busy.go_on().await;
    let mut guest = seats.first.again(two.address()).await;
    is_elsewhere(&mut guest, seats.game, 1).await;
    seats.plays(1, MOVES[0]).await.unwrap();
    let here = seats.first.looks(&one, seats.game).await;
    let there = seats.first.looks(&two, seats.game).await;
    assert_eq!((there.cursor, there.position), (here.cursor, here.position));
    let mut theirs = Seats::begin_with(&two, &setup()).await;
    theirs.plays(1, MOVES[0]).await.unwrap();
    let mut guest = theirs.second.again(one.address()).await;
    is_elsewhere(&mut guest, theirs.game, 2).await;
    theirs.plays(2, MOVES[1]).await.unwrap();
    busy.go_on().await;

    // It ends as it should: its game goes on at the first, as soon as both are there.
    two.terminate().await;
    let stopped = two.ends().await;
    both_come(&mut theirs, &one).await;
    theirs.plays(3, MOVES[2]).await.unwrap();
    busy.go_on().await;

    // It comes again, and is killed.
    let two = stopped.restart().await;
    busy.go_on().await;
    theirs.plays(4, MOVES[3]).await.unwrap();
    let mut lost = Seats::begin_with(&two, &setup()).await;
    let left = |clocks: &Clocks| clocks.left.unwrap().second.ms;
    let full = left(&lost.first.looks(&two, lost.game).await.clocks);
    lost.plays(1, MOVES[0]).await.unwrap();
    let turn = lost.first.looks(&two, lost.game).await.clocks;
    // The record knows when the move was made, and not when it was stored, which is when the turn began.
    let path = format!("/api/games/{}/events", lost.game);
    let events = Http::nobody(&two).get(&path).await.json();
    let moved = events["events"].as_array().and_then(|events| events.last());
    let moved_at = Millis(moved.unwrap()["at"].as_i64().unwrap());
    let storing = (turn.at - moved_at) - (full - left(&turn));
    eventually("a beat in this turn", async || {
        let alive_at = of_slot(&database, ALIVE_AT, lost.game).await;
        (alive_at >= turn.at).then_some(())
    })
    .await;
    two.kill().await;
    let view = both_come(&mut lost, &one).await;
    // Charged is at most until it was last alive, and not what it took to notice.
    assert_eq!(view.clocks.held.unwrap().reason, HoldReason::Restart);
    let used = of_slot(&database, CHARGED_TO, lost.game).await - turn.at;
    let off = left(&view.clocks) - (left(&turn) - used) + storing;
    assert!(
        off.0.abs() <= 10,
        "{off} ms off after {used} ms, {storing} of them until the move was stored"
    );
    lost.plays(2, MOVES[1]).await.unwrap();
    busy.go_on().await;

    let games = [&seats, &theirs, &lost].map(|seats| seats.game);
    let held = [0, 1, 1];
    busy.were_never_held(&database).await;
    for (game, times) in games.into_iter().zip(held) {
        let events = record::events(&database, game).await;
        assert_eq!(holds(&events), times, "{game}");
    }
    record::is_sound(&database).await;
}

fn stands_still(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).expect("/proc");
    threads.flatten().all(|thread| {
        let status = std::fs::read_to_string(thread.path().join("status"));
        status.is_ok_and(|status| status.contains("State:\tT"))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a26_a_program_that_stood_still_is_taken_over_and_nothing_of_what_it_writes_then_is_seen() {
    let url = Cluster::shared().database();
    let on = || Start::default().at_database(url.clone()).for_machines();
    let one = on().start().await;
    let two = on().start().await;
    let database = one.database();
    let Seats {
        game,
        mut first,
        mut second,
    } = Seats::begin_with(&one, &setup()).await;
    one.signal("STOP").await;
    eventually("all threads to stand still", async || {
        stands_still(one.pid()).then_some(())
    })
    .await;
    // It finds this when it goes on.
    let late = command_id();
    let mv = |text: &str| json!({"ply": 1, "move": text});
    let asked = first
        .sends("move", command_data(game, late, mv("g3g4")))
        .await;
    let (mut first_there, _) = comes(&first, &two, game).await;
    let (mut second_there, _) = comes(&second, &two, game).await;
    first_there.plays(game, 1, MOVES[0]).await.unwrap();
    second_there.plays(game, 2, MOVES[1]).await.unwrap();
    one.signal("CONT").await;
    let answered = first.try_answer(asked).await;
    if let Ok(answered) = answered {
        let refused = done(answered).unwrap_err();
        let codes = [ErrorCode::NotStored, ErrorCode::Elsewhere, ErrorCode::Stale];
        assert!(codes.contains(&refused.code), "{refused}");
    }
    eventually("the first to have joined again", async || {
        one.log().contains("joins again").then_some(())
    })
    .await;
    eventually(
        "the game to be the other's, as everybody knows",
        async || {
            let watched = second.request("watch", json!({"game": game})).await;
            matches!(watched, Err(error) if error.code == ErrorCode::Elsewhere).then_some(())
        },
    )
    .await;
    first_there.plays(game, 3, MOVES[2]).await.unwrap();
    let events = record::events(&database, game).await;
    assert_eq!(record::moves(&events), &MOVES[..3]);
    assert!(events.iter().all(|event| event.command != Some(late.0)));
    eventually("a new share", async || {
        let log = one.log();
        let (_, since) = log.split_once("joins again")?;
        let is_ready = one.get("/api/ready").await.0 == 200;
        (is_ready && since.contains("owns more games")).then_some(())
    })
    .await;
    let mut seats = Seats::begin_with(&one, &setup()).await;
    seats.plays(1, MOVES[0]).await.unwrap();
    record::is_sound(&database).await;
}
