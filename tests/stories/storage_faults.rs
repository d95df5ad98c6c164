//! The disk is full, broken or busy; a room panics. Nobody loses a move or time by it, and other games go on.

use qiguan_protocol::{
    answer::Answer, error::ErrorCode, event::GameEvent, event::GameNoticeKind, event::HoldReason,
    ids::GameId,
};
use qiguan_tests::{
    Client, Seats, Setup, Start,
    client::command_id,
    folder::Folder,
    game::{command_data, done, fischer},
    on_every_database,
    program::executable,
    record::{self, Holder},
    waiting::{eventually, in_time},
};
use serde_json::{Value, json};
use sqlx::{Connection, Executor};

on_every_database! {
    a6_an_io_error_on_one_write_refuses_that_move_and_charges_nobody,
    a6_a_commit_that_fails_without_saying_how_is_read_back_before_anybody_is_answered,
    a6_an_opening_whose_commit_fails_without_saying_how_opens_one_game_or_none,
    a15_a_panic_in_one_room_is_contained_and_the_room_rebuilt,
    a6_an_error_of_one_game_leaves_the_others_alone_that_are_written_with_it,
    a7_a_busy_file_means_a_bounded_wait_and_never_half_a_move,
}

/// Far more time than a test takes, so that what is charged can be told from what is not.
fn with_a_clock() -> Setup {
    Setup::default().time_control(fischer(600_000, 0))
}

#[tokio::test(flavor = "multi_thread")]
async fn a5_a_full_disk_refuses_moves_stops_the_clock_and_recovers_by_itself() {
    // A file that may grow to four MiB, nearly all of them taken by something else.
    let program = Start::default().start_in(Folder::on_disk()).await;
    program.terminate().await;
    let stopped = program.ends().await;
    let mut beside = record::open(&stopped.database()).await;
    while sqlx::query_scalar::<_, i64>("pragma page_count")
        .fetch_one(&mut beside)
        .await
        .unwrap()
        < 1_005
    {
        beside
            .execute("insert into events (game_id, seq, at, body) select x'ff', 1 + count(*), 1, hex(zeroblob(2000)) from events where game_id = x'ff'")
            .await
            .unwrap();
    }
    let start = Start::default()
        .for_machines()
        .with("--database-max-mib", 4)
        .with("--games-per-player", 10_000);
    let program = stopped.restart_as(start).await;
    let for_ever = Setup {
        options: json!({"quiet_limit": 0, "repetition_limit": 100}),
        ..with_a_clock()
    };
    let mut seats = Seats::begin_with(&program, &for_ever).await;
    let game = seats.game;

    // Open games until the disk is full, and move until not even a move finds a place.
    let mut creator = Client::guest(program.address()).await;
    let full = eventually("the disk to be full", async || {
        let created = creator
            .request("create_game", Setup::default().create(command_id()))
            .await;
        created.err().map(|error| error.code)
    })
    .await;
    assert_eq!(full, ErrorCode::NotStored);
    let mut ply = 0;
    let command = loop {
        let mover = seats.mover(ply + 1);
        let command = command_id();
        match mover.plays_as(game, ply + 1, moves(ply), command).await {
            Ok(_) => ply += 1,
            Err(error) => {
                assert_eq!(error.code, ErrorCode::NotStored);
                break command;
            }
        }
    };

    // Both players are notified; watching and reading go on.
    let told = |notice: &GameNoticeKind| matches!(notice, GameNoticeKind::StorageDown {});
    seats.first.notice_where(game, told).await;
    seats.second.notice_where(game, told).await;
    assert_eq!(program.get(&format!("/api/games/{game}")).await.0, 200);
    assert_eq!(
        Client::spectator(program.address())
            .await
            .snapshot(game)
            .await
            .moves
            .len(),
        ply as usize
    );

    // Space returns, and the room notices by itself; nobody was charged.
    beside
        .execute("delete from events where game_id = x'ff'")
        .await
        .unwrap();
    let back = |notice: &GameNoticeKind| matches!(notice, GameNoticeKind::StorageBack {});
    seats.first.notice_where(game, back).await;
    let mover = seats.mover(ply + 1);
    let played = mover.plays_as(game, ply + 1, moves(ply), command).await;
    played.unwrap();
    record::was_held_for_storage(&program.database(), game).await;
    beside.close().await.unwrap();
}

/// Moves that take nothing, up and down again.
fn moves(ply: u32) -> &'static str {
    ["a3a4", "g7g6", "a4a3", "g6g7"][ply as usize % 4]
}

async fn a6_an_io_error_on_one_write_refuses_that_move_and_charges_nobody(on: fn() -> Start) {
    let program = on().faults("append/move=error@2").start().await;
    let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
    let game = seats.game;
    seats.play(1, &["a3a4"]).await;
    let command = command_id();
    let refused = seats
        .second
        .plays_as(game, 2, "g7g6", command)
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotStored);
    assert_eq!(
        record::moves(&record::events(&program.database(), game).await),
        ["a3a4"]
    );

    let seq = seats
        .second
        .plays_as(game, 2, "g7g6", command)
        .await
        .unwrap();
    assert_eq!(
        seats.second.plays_as(game, 2, "g7g6", command).await,
        Ok(seq)
    );
    let held = |event: &GameEvent| {
        matches!(
            event,
            GameEvent::ClocksHeld {
                reason: HoldReason::Storage,
                ..
            }
        )
    };
    seats.first.event_where(game, held).await;
    seats
        .first
        .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
        .await;
    let view = seats.first.snapshot(game).await;
    let left = view.clocks.left.unwrap().second.ms;
    assert!(
        left.0 > 590_000,
        "the second player was charged for the trouble: {left} ms are left"
    );
}

async fn a6_a_commit_that_fails_without_saying_how_is_read_back_before_anybody_is_answered(
    on: fn() -> Start,
) {
    for (point, stored) in [("before_commit", false), ("after_commit", true)] {
        let program = on().faults(format!("{point}/move=error@2")).start().await;
        let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
        let game = seats.game;
        seats.play(1, &["a3a4"]).await;
        let command = command_id();
        let answered = seats.second.plays_as(game, 2, "g7g6", command).await;
        assert!(program.log().contains("unknown whether stored"), "{point}");
        let moves = record::moves(&record::events(&program.database(), game).await);
        assert_eq!(moves.len(), 1 + usize::from(stored), "{point}");
        match &answered {
            Ok(_) => assert!(
                stored,
                "{point}: a move that is not stored was acknowledged"
            ),
            Err(error) => {
                assert_eq!(error.code, ErrorCode::NotStored, "{point}");
                assert!(!stored, "{point}: a move that is stored was refused");
            }
        }
        let again = seats.second.plays_until_stored(game, 2, "g7g6", command);
        let again = again.await;
        if stored {
            assert_eq!(again, answered, "{point}");
        } else {
            again.unwrap();
        }
        // Both see it once: the harness refuses a number that is missing or doubled.
        for client in seats.both() {
            client
                .event_where(
                    game,
                    |event| matches!(event, GameEvent::Moved { ply, .. } if ply.0 == 2),
                )
                .await;
        }
        seats.play(3, &["a4a3"]).await;
        assert_eq!(
            record::moves(&record::events(&program.database(), game).await),
            ["a3a4", "g7g6", "a4a3"],
            "{point}"
        );
    }
}

async fn a6_an_opening_whose_commit_fails_without_saying_how_opens_one_game_or_none(
    on: fn() -> Start,
) {
    for (point, stored) in [("before_commit", false), ("after_commit", true)] {
        let program = on()
            .faults(format!("{point}/create_game=error@1"))
            .start()
            .await;
        let mut client = Client::guest(program.address()).await;
        let opening = Setup::default().create(command_id());
        let answered = opens(&mut client, &opening).await;
        let opened = record::games(&program.database()).await;
        assert_eq!(opened.len(), usize::from(stored), "{point}");
        match answered {
            Ok(game) => assert_eq!(opened, [game], "{point}"),
            Err(code) => assert_eq!((code, stored), (ErrorCode::NotStored, false), "{point}"),
        }
        let game = opens(&mut client, &opening).await.unwrap();
        assert_eq!(record::games(&program.database()).await, [game], "{point}");
    }
}

async fn opens(client: &mut Client, opening: &Value) -> Result<GameId, ErrorCode> {
    match client.request("create_game", opening.clone()).await {
        Ok(Answer::Created { game }) => Ok(game),
        Ok(_) => panic!("that is no answer to an opening"),
        Err(error) => Err(error.code),
    }
}

async fn a6_an_error_of_one_game_leaves_the_others_alone_that_are_written_with_it(
    on: fn() -> Start,
) {
    let program = on().faults("append/resign=error@1").start().await;
    let mut tables = Vec::new();
    for _ in 0..4 {
        tables.push(Seats::begin(&program).await);
    }
    // While the first move waits for the record, whatever else is asked gathers for the next transaction.
    let holder = Holder::holds(&program.database()).await;
    let mut waiting = Vec::new();
    for (number, table) in tables.iter_mut().enumerate() {
        let (kind, extra) = if number == 2 {
            ("resign", json!({}))
        } else {
            ("move", json!({"ply": 1, "move": "a3a4"}))
        };
        let data = command_data(table.game, command_id(), extra);
        waiting.push(table.first.sends(kind, data).await);
        has_been_read(&mut table.first).await;
    }
    holder.lets_go().await;
    for (number, (table, id)) in tables.iter_mut().zip(waiting).enumerate() {
        let answered = done(table.first.answer(id).await).map_err(|error| error.code);
        if number == 2 {
            assert_eq!(answered, Err(ErrorCode::NotStored));
        } else {
            assert!(answered.is_ok(), "game {number}: {answered:?}");
        }
    }
    tables[2].play(1, &["a3a4"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_that_would_do_nothing_keeps_the_program_from_starting() {
    for (faults, told) in [
        ("append/move=eror", "abort, panic, error"),
        (
            "append/move=error;apply/move=error",
            "append, before_commit, after_commit",
        ),
    ] {
        let folder = Folder::new();
        let database = format!("sqlite:{}", folder.path().join("qiguan.db").display());
        let starting = tokio::process::Command::new(executable())
            .args(["serve", "--listen", "127.0.0.1:0", "--database"])
            .arg(database)
            .env("QIGUAN_FAULTS", faults)
            .kill_on_drop(true)
            .output();
        let ended = in_time("the program to end", starting).await.unwrap();
        let why = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success(), "{faults}");
        assert!(why.contains("QIGUAN_FAULTS") && why.contains(told), "{why}");
    }
}

async fn a7_a_busy_file_means_a_bounded_wait_and_never_half_a_move(on: fn() -> Start) {
    let program = on().start().await;
    let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
    let game = seats.game;

    // Held shortly: the move waits and is played.
    let holder = Holder::holds(&program.database()).await;
    let waiting = seats
        .first
        .sends(
            "move",
            json!({"game": game, "command": command_id(), "ply": 1, "move": "a3a4"}),
        )
        .await;
    assert_eq!(program.get("/api/games").await.0, 200, "lists do not wait");
    has_been_read(&mut seats.first).await;
    holder.lets_go().await;
    done(seats.first.answer(waiting).await).unwrap();
    seats
        .second
        .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
        .await;

    // Held for too long: the move is refused, and can be sent again.
    let holder = Holder::holds(&program.database()).await;
    let command = command_id();
    let refused = in_time(
        "a bounded wait",
        seats.second.plays_as(game, 2, "g7g6", command),
    )
    .await
    .unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotStored);
    holder.lets_go().await;
    let back = |notice: &GameNoticeKind| matches!(notice, GameNoticeKind::StorageBack {});
    seats.second.notice_where(game, back).await;
    seats
        .second
        .plays_as(game, 2, "g7g6", command)
        .await
        .unwrap();
    assert_eq!(
        record::moves(&record::events(&program.database(), game).await),
        ["a3a4", "g7g6"]
    );
    let view = seats.first.snapshot(game).await;
    let left = view.clocks.left.unwrap();
    assert!(
        left.first.ms.0 > 590_000 && left.second.ms.0 > 590_000,
        "waiting for the file cost time: {left:?}"
    );
}

/// Waits until the server has read what a client has sent: it takes one message after the other.
async fn has_been_read(client: &mut Client) {
    client.asks("ping", json!({})).await;
}

async fn a15_a_panic_in_one_room_is_contained_and_the_room_rebuilt(on: fn() -> Start) {
    // The seventh move that is applied panics, after it is stored.
    let program = on().faults("apply/move=panic@7").start().await;
    let mut tables = Vec::new();
    for _ in 0..10 {
        tables.push(Seats::begin(&program).await);
    }
    let mut broken = None;
    for (number, seats) in tables.iter_mut().enumerate() {
        let game = seats.game;
        let command = command_id();
        match seats.first.plays_as(game, 1, "a3a4", command).await {
            Ok(_) => {}
            Err(error) => {
                assert_eq!(error.code, ErrorCode::Internal);
                // The same command again: it was stored, so it is not played twice.
                seats
                    .first
                    .plays_as(game, 1, "a3a4", command)
                    .await
                    .unwrap();
                assert!(broken.replace(number).is_none(), "only one room panics");
            }
        }
        seats
            .second
            .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
            .await;
    }
    assert_eq!(broken, Some(6));
    for seats in &mut tables {
        let game = seats.game;
        seats.second.plays(game, 2, "g7g6").await.unwrap();
        assert_eq!(
            record::moves(&record::events(&program.database(), game).await),
            ["a3a4", "g7g6"]
        );
    }
    let (_, metrics) = program.get("/metrics").await;
    assert!(
        metrics.contains("qiguan_room_rebuilds_total 1"),
        "{metrics}"
    );
    assert!(program.log().contains("a room panicked"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a16_a_room_that_panics_again_and_again_is_parked() {
    let program = Start::default()
        .faults("after_check/resign=panic")
        .start()
        .await;
    let mut seats = Seats::begin(&program).await;
    let mut other = Seats::begin(&program).await;
    let game = seats.game;
    let refused = eventually("the room to be parked", async || {
        let mut client = seats.first.again(program.address()).await;
        let refused = client.is_refused(game, "resign", json!({})).await;
        (refused == ErrorCode::Parked).then_some(refused)
    })
    .await;
    assert_eq!(refused, ErrorCode::Parked);
    assert_eq!(
        seats
            .second
            .is_refused(game, "move", json!({"ply": 1, "move": "a3a4"}))
            .await,
        ErrorCode::Parked
    );
    other.play(1, &["a3a4", "g7g6"]).await;
    let (_, metrics) = program.get("/metrics").await;
    assert!(metrics.contains("qiguan_rooms_parked_total 1"), "{metrics}");
}
