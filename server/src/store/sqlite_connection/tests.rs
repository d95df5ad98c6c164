//! What a connection is set to, and what an operator reads when it is not.

use qiguan_protocol::ids::Epoch;
use qiguan_rules::Seat;
use sqlx::{Connection, Executor, Row, migrate::Migrator};

use super::*;
use crate::store::{
    conformance::Place,
    sqlite::{MIGRATIONS, SqliteStore},
    store::{GameFilter, Store},
};

async fn open(place: &Place, max_mib: Option<u64>) -> anyhow::Result<SqliteStore> {
    SqliteStore::open(&place.file(), max_mib, Epoch(7)).await
}

/// Everything that an operator reads of an error.
fn told(error: &anyhow::Error) -> String {
    format!("{error:#}")
}

/// What a pragma reads as.
async fn pragma(connection: &mut SqliteConnection, name: &str) -> String {
    let row = connection
        .fetch_one(sqlx::AssertSqlSafe(format!("pragma {name}")))
        .await
        .unwrap();
    row.try_get::<String, _>(0)
        .unwrap_or_else(|_| row.get::<i64, _>(0).to_string())
}

#[tokio::test]
async fn a4_every_connection_is_durable_and_readers_only_read() {
    let place = Place::new("every_connection_is_durable");
    let store = open(&place, Some(64)).await.unwrap();
    // All of them at once, so that none is asked twice.
    let mut connections = vec![("0", store.writer.acquire().await.unwrap())];
    for _ in 0..READERS {
        connections.push(("1", store.readers.acquire().await.unwrap()));
    }
    for (query_only, connection) in &mut connections {
        for (name, expected) in [
            ("journal_mode", "wal"),
            ("synchronous", "2"),
            ("foreign_keys", "1"),
            ("query_only", *query_only),
            ("temp_store", "2"),
            ("busy_timeout", "5000"),
            ("wal_autocheckpoint", "4000"),
            ("cache_size", "-16384"),
        ] {
            assert_eq!(pragma(connection, name).await, expected, "{name}");
        }
    }
    let (_, writer) = &mut connections[0];
    assert_eq!(pragma(writer, "page_size").await, "4096");
    assert_eq!(pragma(writer, "max_page_count").await, "16384");
    let (_, reader) = &mut connections[1];
    let refused = reader.execute("delete from meta").await.unwrap_err();
    assert!(refused.to_string().contains("readonly"), "{refused}");
}

#[tokio::test]
async fn a_connection_that_is_not_as_it_has_to_be_is_refused_by_the_name_of_the_setting() {
    let place = Place::new("refused_by_the_name");
    for (role, spoilt) in [
        (Role::Writer, "synchronous = normal"),
        (Role::Writer, "foreign_keys = off"),
        (Role::Writer, "query_only = on"),
        (Role::Writer, "temp_store = file"),
        (Role::Reader, "synchronous = off"),
        (Role::Reader, "foreign_keys = off"),
        (Role::Reader, "query_only = off"),
        (Role::Reader, "busy_timeout = 0"),
    ] {
        let mut connection = plain(&place.file(), role).await.unwrap();
        let text = sqlx::AssertSqlSafe(format!("pragma {spoilt}"));
        connection.execute(text).await.unwrap();
        let refused = verify(&mut connection, role).await.unwrap_err().to_string();
        let name = spoilt.split(' ').next().unwrap();
        assert!(refused.contains(name), "{role:?} {spoilt}: {refused}");
    }
}

#[tokio::test]
async fn a_file_without_a_write_ahead_log_is_refused_at_once_and_the_reason_is_told() {
    // In memory there is no such log, as on some network file systems.
    let opening = SqliteStore::open(":memory:".as_ref(), None, Epoch(7));
    let refused = tokio::time::timeout(BUSY, opening)
        .await
        .expect("no pool tries again and again");
    let refused = told(&refused.err().unwrap());
    assert!(refused.contains("write-ahead log"), "{refused}");
}

#[tokio::test]
async fn an_older_program_refuses_tables_that_a_newer_one_has_changed_and_leaves_them() {
    let place = Place::new("an_older_program");
    open(&place, None).await.unwrap().close().await;
    let mut beside = plain(&place.file(), Role::Writer).await.unwrap();
    beside
        .execute(
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
             values (9000, 'from the future', true, x'00', 0)",
        )
        .await
        .unwrap();
    beside.close().await.unwrap();
    let before = std::fs::read(place.file()).unwrap();
    let refused = told(&open(&place, None).await.err().unwrap());
    for part in ["newer program", "change 9000", "a copy of the file"] {
        assert!(refused.contains(part), "{refused}");
    }
    // Whatever was committed beside the file is moved into it before it is looked at.
    let mut beside = plain(&place.file(), Role::Writer).await.unwrap();
    beside
        .execute("pragma wal_checkpoint(truncate)")
        .await
        .unwrap();
    assert!(
        std::fs::read(place.file()).unwrap() == before,
        "the file is left as it was"
    );
}

#[tokio::test]
async fn a_record_of_an_older_program_is_brought_up_to_date_with_its_games() {
    let place = Place::new("a_record_of_an_older_program");
    let first_change = MIGRATIONS.iter().take(1).cloned().collect();
    let mut older = plain(&place.file(), Role::Writer).await.unwrap();
    Migrator::with_migrations(first_change)
        .run(&mut older)
        .await
        .unwrap();
    older
        .execute(
            "insert into meta (key, value) values ('epoch', 3); \
             insert into games (id, ruleset, options, time_control, clock, visibility, status, first_id, first_name, created_at) \
             values (zeroblob(16), 'doushouqi/booklet', '[]', '{\"clock\": {\"type\": \"none\"}}', 'none', 'public', 'open', \
                     zeroblob(16), 'before', 1); \
             insert into games (id, ruleset, options, time_control, clock, visibility, status, winner, reason, plies, created_at, ended_at) \
             values (x'01010101010101010101010101010101', 'doushouqi/booklet', '[]', '{\"clock\": {\"type\": \"none\"}}', 'none', 'public', \
                     'ended', 'first', 'resignation', 3, 1, 2); \
             insert into events (game_id, seq, at, body) values (x'01010101010101010101010101010101', 7, 2, \
                     '{\"t\":\"ended\",\"winner\":1,\"reason\":\"resignation\",\"spent\":345,\"by\":2}')",
        )
        .await
        .unwrap();
    older.close().await.unwrap();
    for _ in 0..2 {
        let store = open(&place, None).await.unwrap();
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

/// What is linked is checked at every start; what else opens the file only the operations page can forbid.
#[tokio::test]
async fn a8_an_sqlite_that_can_lose_commits_is_refused_and_warned_of() {
    for (version, fine) in [
        ("3.51.3", true),
        ("3.52.0", true),
        ("4.0", true),
        ("3.51.2", false),
        ("3.51", false),
        ("3.9.9", false),
        ("", false),
        ("new", false),
    ] {
        assert_eq!(is_new_enough(version), fine, "{version}");
    }
    let place = Place::new("a8_an_sqlite_that_can_lose_commits");
    let store = open(&place, None).await.unwrap();
    let mut connection = store.readers.acquire().await.unwrap();
    check_version(&mut connection).await.unwrap();
    let page = include_str!("../../../../docs/operations.md");
    assert!(page.contains("Do not open it with an SQLite older than 3.51.3"));
}
