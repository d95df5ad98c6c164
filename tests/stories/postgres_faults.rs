//! Postgres is full, slow, killed, restarted or out of reach. Nobody loses a move or time by it, and play goes on.

use std::process::Stdio;

use futures_util::future::join_all;
use qiguan_protocol::{
    error::ErrorCode,
    event::{GameEvent, GameNoticeKind},
};
use qiguan_tests::{
    Client, Cluster, Program, Seats, Setup, Start, Stop,
    client::command_id,
    game::fischer,
    postgres_proxy::{Loss, PostgresProxy},
    program::executable,
    record::{self, Database},
    waiting::{eventually, in_time},
};
use serde_json::json;
use sqlx::{Executor, PgConnection, Row};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
};

/// Far more time than a test takes, so that what is charged can be told from what is not.
fn with_a_clock() -> Setup {
    Setup {
        options: json!({"quiet_limit": 0, "repetition_limit": 100}),
        ..Setup::default()
    }
    .time_control(fischer(600_000, 0))
}

/// Moves that take nothing, up and down again.
fn moves(ply: u32) -> &'static str {
    ["a3a4", "g7g6", "a4a3", "g6g7"][ply as usize % 4]
}

fn is_down(notice: &GameNoticeKind) -> bool {
    matches!(notice, GameNoticeKind::StorageDown {})
}

fn is_back(notice: &GameNoticeKind) -> bool {
    matches!(notice, GameNoticeKind::StorageBack {})
}

async fn run(session: &mut PgConnection, statement: &str) {
    let text = sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned()));
    text.execute(session).await.unwrap();
}

/// The processes that serve the program under test.
async fn sessions_of(program: &Program) -> Vec<u32> {
    let mut beside = program.database().session().await;
    let pids: Vec<i32> = sqlx::query_scalar(
        "select pid from pg_stat_activity where application_name like 'qiguan%' and datname = current_database()",
    )
    .fetch_all(&mut beside)
    .await
    .unwrap();
    pids.into_iter().map(|pid| pid as u32).collect()
}

async fn signal(name: &str, pids: &[u32]) {
    let pids = pids.iter().map(ToString::to_string);
    let sent = Command::new("kill")
        .arg(format!("-{name}"))
        .args(pids)
        .status();
    assert!(sent.await.unwrap().success(), "SIG{name} could not be sent");
}

/// Stops the sessions of a program at a moment at which none holds a lock: nobody could take it from one that stands still.
async fn stopped_sessions_of(program: &Program) -> Vec<u32> {
    let mut beside = program.database().session().await;
    loop {
        let sessions = sessions_of(program).await;
        signal("STOP", &sessions).await;
        let pids: Vec<i32> = sessions.iter().map(|pid| *pid as i32).collect();
        let inside: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity where pid = any($1) and xact_start is not null",
        )
        .bind(pids)
        .fetch_one(&mut beside)
        .await
        .unwrap();
        if inside == 0 {
            return sessions;
        }
        signal("CONT", &sessions).await;
    }
}

async fn moves_stored(program: &Program, seats: &Seats) -> usize {
    record::moves(&record::events(&program.database(), seats.game).await).len()
}

/// What each player has left is what it was, but for the moves.
async fn nobody_was_charged(seats: &mut Seats) {
    let view = seats.first.snapshot(seats.game).await;
    let left = view.clocks.left.unwrap();
    assert!(
        left.first.ms.0 > 590_000 && left.second.ms.0 > 590_000,
        "the trouble cost time: {left:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a5_a_postgres_that_may_not_grow_refuses_moves_and_recovers_by_itself() {
    const MIB: u64 = 1 << 20;
    let cluster = Cluster::start();
    let start = Start::default()
        .at_database(cluster.database())
        .for_machines();
    let program = start.start().await;
    let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
    let game = seats.game;
    // Events of nobody's game until their table is as large as any file may be: small ones, which leave no gaps for others.
    let mut beside = program.database().session().await;
    while sqlx::query_scalar::<_, i64>("select pg_relation_size('events')")
        .fetch_one(&mut beside)
        .await
        .unwrap()
        < MIB as i64
    {
        run(
            &mut beside,
            "insert into events select gen_random_uuid(), 1, 0, null, '{}' from generate_series(1, 500)",
        )
        .await;
    }
    cluster.limit_files(Some(MIB), &sessions_of(&program).await);

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
    seats.first.notice_where(game, is_down).await;
    seats.second.notice_where(game, is_down).await;
    assert_eq!(program.get(&format!("/api/games/{game}")).await.0, 200);
    let seen = Client::spectator(program.address())
        .await
        .snapshot(game)
        .await;
    assert_eq!(seen.moves.len(), ply as usize);
    assert_eq!(moves_stored(&program, &seats).await, ply as usize);

    cluster.limit_files(None, &sessions_of(&program).await);
    seats.first.notice_where(game, is_back).await;
    let mover = seats.mover(ply + 1);
    let played = mover.plays_as(game, ply + 1, moves(ply), command).await;
    played.unwrap();
    record::was_held_for_storage(&program.database(), game).await;
    nobody_was_charged(&mut seats).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a9_a_connection_that_breaks_during_a_commit_is_read_back_before_anybody_is_answered() {
    for (loss, expected) in [(Loss::Message, false), (Loss::Answer, true)] {
        // A move that shares its transaction with a sign of life is not committed yet when the first answer is lost, and a machine that is
        // busy may need longer for reading it back than a room waits.
        let mut tries = 1;
        loop {
            let stored = breaks_during_a_commit(loss).await;
            if stored == Some(expected) {
                break;
            }
            assert!(
                stored.is_none() || loss == Loss::Answer,
                "a move is stored that never arrived"
            );
            tries += 1;
            assert!(tries < 10, "{loss:?}: never stored as expected");
        }
    }
}

/// A connection breaks while a move is stored; whether it is, if that was known in time. What is answered is the same as what is stored.
async fn breaks_during_a_commit(loss: Loss) -> Option<bool> {
    let cluster = Cluster::shared();
    let proxy = PostgresProxy::before(cluster);
    let direct = cluster.database();
    let start = Start::default().at_database(proxy.url(&direct));
    let program = start.start().await;
    let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
    let game = seats.game;
    seats.play(1, &["a3a4"]).await;
    let command = command_id();
    proxy.loses(loss, r#""m":"g7g6""#);
    let answered = seats.second.plays_as(game, 2, "g7g6", command).await;
    assert!(proxy.has_lost(), "{loss:?}");
    assert!(program.log().contains("unknown whether stored"), "{loss:?}");
    let stored = moves_stored(&program, &seats).await == 2;
    let is_known = match &answered {
        Ok(_) => {
            assert!(stored, "a move that is not stored was acknowledged");
            true
        }
        Err(error) if error.code == ErrorCode::Internal => false,
        Err(error) => {
            assert_eq!(error.code, ErrorCode::NotStored);
            assert!(!stored, "a move that is stored was refused");
            true
        }
    };
    let again = seats.second.plays_until_stored(game, 2, "g7g6", command);
    let again = again.await;
    if stored && is_known {
        assert_eq!(again, answered);
    } else {
        again.unwrap();
    }
    let moved = |event: &GameEvent| matches!(event, GameEvent::Moved { ply, .. } if ply.0 == 2);
    for client in seats.both() {
        client.event_where(game, moved).await;
    }
    seats.play(3, &["a4a3"]).await;
    assert_eq!(moves_stored(&program, &seats).await, 3, "{loss:?}");
    is_known.then_some(stored)
}

#[tokio::test(flavor = "multi_thread")]
async fn a9_while_nobody_can_know_whether_a_move_is_stored_nobody_is_told_that_it_is_not() {
    let cluster = Cluster::shared();
    let proxy = PostgresProxy::before(cluster);
    let start = Start::default().at_database(proxy.url(&cluster.database()));
    let program = start.start().await;
    let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
    let game = seats.game;
    proxy.loses(Loss::Everything, r#""m":"a3a4""#);
    let command = command_id();
    for time in ["first", "second"] {
        let refused = seats.first.plays_as(game, 1, "a3a4", command).await;
        assert_eq!(refused.unwrap_err().code, ErrorCode::Internal, "{time}");
    }
    proxy.lets_go();
    seats.first.notice_where(game, is_back).await;
    let played = seats.first.plays_as(game, 1, "a3a4", command).await;
    played.unwrap();
    assert_eq!(moves_stored(&program, &seats).await, 1);
    nobody_was_charged(&mut seats).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a9_what_was_given_up_is_not_carried_out_when_it_arrives_after_all() {
    let cluster = Cluster::shared();
    let proxy = PostgresProxy::before(cluster);
    let start = Start::default().at_database(proxy.url(&cluster.database()));
    let program = start.start().await;
    let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
    let game = seats.game;
    proxy.loses(Loss::Time, r#""m":"a3a4""#);
    let command = command_id();
    let refused = seats.first.plays_as(game, 1, "a3a4", command).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::NotStored);
    proxy.lets_go();
    seats.first.notice_where(game, is_back).await;
    assert_eq!(moves_stored(&program, &seats).await, 0);
    let played = seats.first.plays_as(game, 1, "a3a4", command).await;
    played.unwrap();
    assert_eq!(moves_stored(&program, &seats).await, 1);
    nobody_was_charged(&mut seats).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a10_while_postgres_restarts_moves_wait_and_nobody_is_charged() {
    let cluster = Cluster::start();
    let program = Start::default()
        .at_database(cluster.database())
        .start()
        .await;
    let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
    let game = seats.game;
    let mut ply = 0;
    for how in [Stop::Immediate, Stop::Fast] {
        cluster.stop(how);
        let command = command_id();
        let refused = seats
            .first
            .plays_as(game, ply + 1, moves(ply), command)
            .await;
        let code = refused.unwrap_err().code;
        assert!(
            matches!(code, ErrorCode::NotStored | ErrorCode::Internal),
            "{how:?}: {code:?}"
        );
        seats.second.notice_where(game, is_down).await;
        assert_eq!(program.get("/api/ready").await.0, 503, "{how:?}");
        assert_eq!(program.get("/api/health").await.0, 200, "{how:?}");
        cluster.start_again();
        let back = seats.second.notice_where(game, is_back);
        in_time("play to go on", back).await;
        let played = seats
            .first
            .plays_as(game, ply + 1, moves(ply), command)
            .await;
        played.unwrap();
        let played = seats.second.plays(game, ply + 2, moves(ply + 1)).await;
        played.unwrap();
        ply += 2;
    }
    assert_eq!(moves_stored(&program, &seats).await, ply as usize);
    nobody_was_charged(&mut seats).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a11_sessions_that_hang_are_given_up_in_time_and_others_take_their_place() {
    let cluster = Cluster::start();
    let program = Start::default()
        .at_database(cluster.database())
        .start()
        .await;
    let mut seats = Seats::begin_with(&program, &with_a_clock()).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let hung = stopped_sessions_of(&program).await;
    assert!(hung.len() >= 2, "{hung:?}");
    let command = command_id();
    let first = &mut seats.first;
    let sent = first.plays_as(game, 3, "a4a3", command);
    let answered = in_time("an answer", sent).await;
    if let Err(error) = answered {
        assert!(
            matches!(error.code, ErrorCode::NotStored | ErrorCode::Internal),
            "{error}"
        );
        eventually("the move to be played", async || {
            let again = seats.first.plays_as(game, 3, "a4a3", command).await;
            again.ok()
        })
        .await;
    }
    signal("CONT", &hung).await;
    // A probe that hung as well may still say that the record is away, and moves are refused until the next one.
    let command = command_id();
    eventually("the next move to be played", async || {
        let again = seats.second.plays_as(game, 4, "g6g7", command).await;
        if let Err(error) = &again {
            assert_eq!(error.code, ErrorCode::NotStored, "{error}");
        }
        again.ok()
    })
    .await;
    assert_eq!(moves_stored(&program, &seats).await, 4);
    nobody_was_charged(&mut seats).await;
}

/// Everything that the tables are.
async fn shape(database: &Database) -> Vec<String> {
    let rows = database
        .session()
        .await
        .fetch_all(
            "select concat_ws(' ', table_name, column_name, data_type, is_nullable) from information_schema.columns where table_schema = 'public' \
             union all select indexdef from pg_indexes where schemaname = 'public' \
             union all select concat_ws(' ', conname, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace \
             union all select concat_ws(' ', version, description, success) from _sqlx_migrations order by 1",
        )
        .await
        .unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a14_killed_at_each_statement_that_changes_the_tables_it_starts_again_with_all_of_them() {
    let whole = Start::on_postgres().start().await;
    let whole = shape(&whole.database()).await;
    let mut statements = 0;
    loop {
        // Each has a database of its own.
        let killed = (1..=AT_ONCE).map(|next| is_killed_at(statements + next, &whole));
        let stopped = join_all(killed).await;
        let stopped = stopped.into_iter().filter(|stopped| *stopped).count() as u32;
        statements += stopped;
        if stopped < AT_ONCE {
            break;
        }
    }
    assert!(
        statements > 20,
        "only {statements} statements: this proves little"
    );
}

/// So many programs are killed at the same time.
const AT_ONCE: u32 = 4;

/// False if there are not so many statements.
async fn is_killed_at(statement: u32, whole: &[String]) -> bool {
    let database = Database::Postgres(Cluster::shared().database());
    let mut beside = database.session().await;
    let stops = format!(
        "create schema watch; create sequence watch.statements; \
         create function watch.stop() returns event_trigger language plpgsql as $$ begin \
             if nextval('watch.statements') = {statement} then perform pg_advisory_lock_shared(42); end if; \
         end $$; \
         create event trigger stop on ddl_command_start execute function watch.stop(); \
         select pg_advisory_lock(42)"
    );
    run(&mut beside, &stops).await;
    let mut program = Command::new(executable())
        .args(["serve", "--listen", "127.0.0.1:0", "--database"])
        .arg(database.url())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let stopped = tokio::select! {
        ready = in_time("the program", lines.next_line()) => {
            assert!(ready.unwrap().is_some(), "it did not start");
            false
        }
        () = waits_for_lock(&database) => true,
    };
    program.kill().await.unwrap();
    run(
        &mut beside,
        "drop event trigger stop; select pg_advisory_unlock_all()",
    )
    .await;
    let again = Start::default().at_database(database.url()).start().await;
    assert_eq!(shape(&database).await, whole, "killed at {statement}");
    again.terminate().await;
    again.ends().await;
    stopped
}

async fn waits_for_lock(database: &Database) {
    let mut looking = database.session().await;
    eventually("the program to be stopped", async || {
        let waiting: bool = sqlx::query_scalar(
            "select exists (select from pg_locks where locktype = 'advisory' and objid = 42 and not granted)",
        )
        .fetch_one(&mut looking)
        .await
        .unwrap();
        waiting.then_some(())
    })
    .await;
}
