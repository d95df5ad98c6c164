//! What a session is set to, what an operator reads when it is not, and sessions that are not to be used again.

use qiguan_protocol::ids::Epoch;
use qiguan_rules::Seat;
use qiguan_tests_postgres::Cluster;
use sqlx::{Connection, migrate::Migrator};

use super::*;
use crate::{
    db::{Failed, sql},
    opening::{Step, Tables},
    postgres::{self, MIGRATIONS},
    store::{GameFilter, Store},
    testing::Place,
};

fn to(place: &Place) -> PgConnectOptions {
    let to: PgConnectOptions = place.url().parse().unwrap();
    to.application_name("qiguan")
}

async fn open(place: &Place) -> anyhow::Result<Store> {
    postgres::open(place.url(), Epoch(7), Tables::Make).await
}

async fn refused(place: &Place) -> String {
    format!("{:#}", open(place).await.err().expect("it is refused"))
}

/// A session beside the store's, set to nothing.
async fn beside(place: &Place) -> PgConnection {
    PgConnection::connect(place.url()).await.unwrap()
}

async fn run(connection: &mut PgConnection, statement: &str) {
    let text = sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned()));
    text.execute(connection).await.unwrap();
}

async fn setting(connection: &mut PgConnection, name: &str) -> String {
    sqlx::query_scalar("select current_setting($1)")
        .bind(name)
        .fetch_one(connection)
        .await
        .unwrap()
}

#[tokio::test]
async fn a4_every_session_is_durable_and_bounded_and_readers_only_read() {
    let place = Place::postgres();
    let store = open(&place).await.unwrap();
    // All of them at once, so that none is asked twice.
    let mut sessions = Vec::new();
    for _ in 0..WRITERS {
        sessions.push(("off", store.writers.of_postgres().acquire().await.unwrap()));
    }
    for _ in 0..READERS {
        sessions.push(("on", store.readers.of_postgres().acquire().await.unwrap()));
    }
    for (read_only, session) in &mut sessions {
        for (name, expected) in [
            ("fsync", "on"),
            ("full_page_writes", "on"),
            ("synchronous_commit", "on"),
            ("statement_timeout", "5s"),
            ("lock_timeout", "3s"),
            ("idle_in_transaction_session_timeout", "5s"),
            ("default_transaction_isolation", "read committed"),
            ("default_transaction_read_only", *read_only),
        ] {
            assert_eq!(setting(session, name).await, expected, "{name}");
        }
    }
    let (_, reader) = sessions.last_mut().unwrap();
    let text = sqlx::query("delete from meta").execute(&mut **reader);
    let refused = text.await.unwrap_err().to_string();
    assert!(refused.contains("read-only"), "{refused}");
}

#[tokio::test]
async fn a_session_that_is_not_as_it_has_to_be_is_refused_by_the_name_of_the_setting() {
    let place = Place::postgres();
    for (role, name, value) in [
        (Role::Writer, "synchronous_commit", "off"),
        (Role::Writer, "synchronous_commit", "local"),
        (Role::Writer, "default_transaction_read_only", "on"),
        (Role::Writer, "statement_timeout", "0"),
        (
            Role::Migrator,
            "default_transaction_isolation",
            "serializable",
        ),
        (Role::Reader, "lock_timeout", "0"),
        (Role::Reader, "default_transaction_read_only", "off"),
        (Role::Reader, "idle_in_transaction_session_timeout", "0"),
    ] {
        let mut connection = plain(&to(&place), role).await.unwrap();
        run(&mut connection, &format!("set {name} = '{value}'")).await;
        let refused = verify(&mut connection, role).await.unwrap_err().to_string();
        assert!(refused.contains(name), "{role:?} {name}: {refused}");
    }
}

#[tokio::test]
async fn a4_a_database_whose_commits_do_not_outlive_a_crash_is_refused() {
    let cluster = Cluster::start();
    let url = cluster.database();
    for name in ["full_page_writes", "fsync"] {
        let mut connection = PgConnection::connect(&url).await.unwrap();
        run(&mut connection, &format!("alter system set {name} = off")).await;
        run(&mut connection, "select pg_reload_conf()").await;
        // The server receives it, and before long every new session.
        while setting(&mut PgConnection::connect(&url).await.unwrap(), name).await == "on" {
            tokio::task::yield_now().await;
        }
        let refused = postgres::open(&url, Epoch(7), Tables::Make)
            .await
            .err()
            .unwrap();
        let refused = format!("{refused:#}");
        assert!(refused.contains(&format!("{name}=off")), "{refused}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_and_a_database_that_is_not_there_are_told_at_once() {
    let url = Cluster::shared().url("missing");
    for (url, told) in [
        (
            "postgres://localhost/q?host=/nowhere",
            "connecting to Postgres",
        ),
        (&url, "\"missing\" does not exist"),
    ] {
        let opening = postgres::open(url, Epoch(7), Tables::Make);
        let refused = tokio::time::timeout(CONNECT, opening)
            .await
            .expect("no pool tries again and again");
        let refused = format!("{:#}", refused.err().unwrap());
        assert!(refused.contains(told), "{refused}");
    }
}

#[tokio::test]
async fn a12_a_session_left_inside_a_transaction_is_not_given_out_again() {
    let place = Place::postgres();
    let pool = sized_pool(&to(&place), Role::Writer, 1).await.unwrap();
    run(
        &mut pool.acquire().await.unwrap(),
        "create table kept (number bigint)",
    )
    .await;
    for number in 0..5_i64 {
        let mut connection = pool.acquire().await.unwrap();
        // Dropped when the server has been told to begin and has not answered, for which it takes its time.
        let slowly = "select pg_sleep(0.05); begin";
        let mut beginning = Box::pin(connection.begin_with(slowly));
        assert!(futures_util::poll!(&mut beginning).is_pending());
        drop(beginning);
        drop(connection);
        let insert = sqlx::query("insert into kept values ($1)").bind(number);
        insert
            .execute(&mut *pool.acquire().await.unwrap())
            .await
            .unwrap();
        let count: i64 = sqlx::query_scalar("select count(*) from kept")
            .fetch_one(&mut beside(&place).await)
            .await
            .unwrap();
        assert_eq!(count, number + 1, "what is written is committed");
    }
}

#[tokio::test]
async fn a12_the_pool_tells_a_session_in_a_transaction_from_one_that_is_not() {
    let place = Place::postgres();
    let mut connection = plain(&to(&place), Role::Writer).await.unwrap();
    for (statement, fresh) in [
        ("select 1", true),
        ("begin", false),
        ("rollback", true),
        ("begin; create table t (id bigint)", false),
        ("commit", true),
    ] {
        run(&mut connection, statement).await;
        assert_eq!(
            is_fresh(&mut connection).await.unwrap().0,
            fresh,
            "{statement}"
        );
    }
    run(&mut connection, "begin").await;
    let _ = connection.execute("select 1 / 0").await;
    assert!(
        is_fresh(&mut connection).await.is_err(),
        "a transaction that has failed"
    );
}

#[tokio::test]
async fn a11_a_session_that_is_killed_is_given_up_and_its_place_taken_by_another() {
    let place = Place::postgres();
    let pool = Pool::Postgres(sized_pool(&to(&place), Role::Writer, 1).await.unwrap());
    let mut db = pool.acquire().await.unwrap();
    let killed = db.execute(sql("select pg_terminate_backend(pg_backend_pid())"));
    assert!(matches!(killed.await, Err(Failed::Unknown(_))));
    drop(db);
    let mut db = pool.acquire().await.unwrap();
    assert!(db.execute(sql("select 1")).await.is_ok());
    drop(db);
    // Killed while nobody uses it: found out before anything is asked.
    let mut beside = beside(&place).await;
    run(
        &mut beside,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'qiguan' and datname = current_database()",
    )
    .await;
    let mut db = pool.acquire().await.unwrap();
    assert!(db.execute(sql("select 1")).await.is_ok());
}

#[tokio::test]
async fn what_the_database_does_too_slowly_it_ends_itself_and_nothing_is_done() {
    let place = Place::postgres();
    let pool = Pool::Postgres(sized_pool(&to(&place), Role::Writer, 1).await.unwrap());
    let mut db = pool.acquire().await.unwrap();
    let late = db.execute(sql("create table t as select pg_sleep(60)::text"));
    let late = late.await.err().unwrap();
    assert!(
        matches!(&late, Failed::Refused(error) if error.to_string().contains("statement timeout")),
        "{late}"
    );
}

#[tokio::test]
async fn an_older_program_refuses_tables_that_a_newer_one_has_changed_and_leaves_them() {
    let place = Place::postgres();
    open(&place).await.unwrap().close().await;
    let mut beside = beside(&place).await;
    run(
        &mut beside,
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
         values (9000, 'from the future', true, '\\x00', 0)",
    )
    .await;
    run(
        &mut beside,
        "update meta set value = 9000 where key = 'compatible_from'",
    )
    .await;
    let refused = refused(&place).await;
    for part in ["newer program", "change 9000", "a dump from before"] {
        assert!(refused.contains(part), "{refused}");
    }
    let changes: i64 = sqlx::query_scalar("select count(*) from _sqlx_migrations")
        .fetch_one(&mut beside)
        .await
        .unwrap();
    assert_eq!(changes, MIGRATIONS.iter().count() as i64 + 1);
}

#[tokio::test]
async fn a_record_of_an_older_program_is_brought_up_to_date_with_its_games() {
    let place = Place::postgres();
    let first_change = MIGRATIONS.iter().take(1).cloned().collect();
    let mut older = beside(&place).await;
    Migrator::with_migrations(first_change)
        .run(&mut older)
        .await
        .unwrap();
    run(
        &mut older,
        "insert into meta (key, value) values ('epoch', 3); \
         insert into games (id, ruleset, options, time_control, clock, visibility, status, first_id, first_name, created_at) \
         values (gen_random_uuid(), 'doushouqi/booklet', '[]', '{\"clock\": {\"type\": \"none\"}}', 'none', 'public', 'open', \
                 gen_random_uuid(), 'before', 1); \
         insert into games (id, ruleset, options, time_control, clock, visibility, status, winner, reason, plies, created_at, ended_at) \
         values ('ffffffff-ffff-7fff-bfff-ffffffffffff', 'doushouqi/booklet', '[]', '{\"clock\": {\"type\": \"none\"}}', 'none', 'public', \
                 'ended', 'first', 'resignation', 3, 1, 2); \
         insert into events (game_id, seq, at, body) values ('ffffffff-ffff-7fff-bfff-ffffffffffff', 7, 2, \
                 '{\"t\":\"ended\",\"winner\":1,\"reason\":\"resignation\",\"spent\":345,\"by\":2}')",
    )
    .await;
    assert!(refused(&place).await.contains("qiguan migrate"));
    for expected in [2, 0] {
        let mut steps = 0;
        let mut told = |_: Step<'_>| steps += 1;
        let copy = true;
        let tables = Tables::BringUpToDate {
            copy,
            told: &mut told,
        };
        let opened = postgres::open(place.url(), Epoch(7), tables).await;
        let store = opened.unwrap();
        assert_eq!(steps, expected, "begun, done");
        assert_eq!(store.epoch(), Epoch(3));
        let filter = GameFilter {
            limit: 10,
            ..GameFilter::default()
        };
        let games = store.games(&filter).await.unwrap().games;
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].ended_by, Some(Seat::Second));
        let seated = games[1].players.first.as_ref().unwrap();
        assert_eq!(store.unfinished_games_of(seated.id).await, Ok(1));
        store.close().await;
    }
}

#[tokio::test]
async fn programs_that_start_at_once_on_an_empty_database_agree_on_its_tables_and_number() {
    let place = Place::postgres();
    let opening = (1..=6).map(|number| postgres::open(place.url(), Epoch(number), Tables::Make));
    let mut epochs = Vec::new();
    for store in futures_util::future::join_all(opening).await {
        let store = store.unwrap();
        epochs.push(store.epoch());
        store.close().await;
    }
    epochs.dedup();
    assert_eq!(epochs.len(), 1, "{epochs:?}");
}
