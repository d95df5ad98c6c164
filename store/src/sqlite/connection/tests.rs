//! What a connection is set to, and what an operator reads when it is not.

use qiguan_protocol::ids::Epoch;
use qiguan_rules::Seat;
use sqlx::{Connection, Executor, Row, migrate::Migrator};

use super::*;
use crate::{
    opening::{Change, Step, Tables},
    sqlite::{self, MIGRATIONS, files},
    store::{GameFilter, Store},
    testing::Place,
};

/// A record with the first changes of the tables alone.
async fn of_change(place: &Place, count: usize) -> SqliteConnection {
    files::make(&place.file()).unwrap();
    let changes = MIGRATIONS.iter().take(count).cloned().collect();
    let mut older = plain(&place.file(), Role::Writer).await.unwrap();
    Migrator::with_migrations(changes)
        .run(&mut older)
        .await
        .unwrap();
    older
}

async fn open(place: &Place, max_mib: Option<u64>) -> anyhow::Result<Store> {
    sqlite::open(&place.file(), max_mib, Epoch(7), Tables::Make).await
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
    let mut connections = vec![("0", store.writers.of_sqlite().acquire().await.unwrap())];
    for _ in 0..READERS {
        connections.push(("1", store.readers.of_sqlite().acquire().await.unwrap()));
    }
    for (query_only, connection) in &mut connections {
        for (name, expected) in [
            ("journal_mode", "wal"),
            ("synchronous", "2"),
            ("foreign_keys", "1"),
            ("query_only", *query_only),
            ("temp_store", "2"),
            ("trusted_schema", "0"),
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
    files::make(&place.file()).unwrap();
    for (role, spoilt) in [
        (Role::Writer, "synchronous = normal"),
        (Role::Writer, "foreign_keys = off"),
        (Role::Writer, "query_only = on"),
        (Role::Writer, "temp_store = file"),
        (Role::Reader, "trusted_schema = on"),
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
    let opening = plain(":memory:".as_ref(), Role::Writer);
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
             values (9000, 'from the future', true, x'00', 0); \
             update meta set value = 9000 where key = 'compatible_from'",
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
    let mut older = of_change(&place, 1).await;
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
    for expected in [3, 0] {
        let mut steps = 0;
        let mut told = |_: Step<'_>| steps += 1;
        let copy = true;
        let tables = Tables::BringUpToDate {
            copy,
            told: &mut told,
        };
        let store = sqlite::open(&place.file(), None, Epoch(7), tables)
            .await
            .unwrap();
        assert_eq!(steps, expected, "copied, begun, done");
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
    let mut connection = store.readers.of_sqlite().acquire().await.unwrap();
    check_version(&mut connection).await.unwrap();
    let page = include_str!("../../../../docs/operations.md");
    assert!(page.contains("Do not open it with an SQLite older than 3.51.3"));
}

/// Everything in a file that SQLite has made, with each name.
async fn put_in(place: &Place, statement: &str) {
    let mut beside = plain(&place.file(), Role::Writer).await.unwrap();
    let statement = sqlx::AssertSqlSafe(statement.to_owned());
    beside.execute(statement).await.unwrap();
    beside.close().await.unwrap();
}

#[tokio::test]
async fn j10_what_somebody_else_has_put_into_a_record_never_runs() {
    for (name, statement, what) in [
        (
            "trigger",
            "create trigger makes_admins after update on sessions begin update players set role = 'admin'; end",
            "\"trigger\" \"makes_admins\" of table \"sessions\" is not of this program",
        ),
        (
            "view",
            "create view spies as select 1",
            "\"view\" \"spies\"",
        ),
        ("table", "create table hoard (what text)", "\"hoard\""),
        ("index", "create index slow on events (body)", "\"slow\""),
        (
            "no_trigger",
            "drop trigger acts_are_not_changed",
            "trigger acts_are_not_changed is missing",
        ),
        (
            "column",
            "alter table players add column spare text default (upper('x'))",
            "table players differs from what this program makes",
        ),
        (
            "changes",
            "drop table _sqlx_migrations; create view _sqlx_migrations as with recursive n (v) as (select 1 union all select v from n) select v from n",
            "no record of games",
        ),
        (
            "escapes",
            "create table \"\u{1b}[2J\" (what text)",
            "\"\\u{1b}[2J\"",
        ),
    ] {
        let place = Place::new(&format!("j10_{name}"));
        open(&place, None).await.unwrap().close().await;
        put_in(&place, statement).await;
        let found = [
            told(&open(&place, None).await.err().unwrap()),
            told(&crate::open_existing(place.url()).await.err().unwrap()),
            told(
                &crate::serve(place.url(), None, Epoch(7), &mut |_| {})
                    .await
                    .err()
                    .unwrap(),
            ),
            told(
                &crate::restore(&place.file(), &format!("{}.restored", place.url()), || {
                    Epoch(9)
                })
                .await
                .unwrap_err(),
            ),
        ];
        for found in found {
            assert!(found.contains(what), "{name}: {found}");
        }
    }
    // Statistics that an operator has asked for are SQLite's own.
    let place = Place::new("j10_statistics");
    open(&place, None).await.unwrap().close().await;
    put_in(&place, "insert into meta values ('x', 1); analyze").await;
    open(&place, None).await.unwrap().close().await;
}

#[tokio::test]
async fn j9_tables_are_not_changed_for_who_only_reads_and_are_copied_before_a_server_changes_them()
{
    let all = MIGRATIONS.iter().count();
    for count in 1..all {
        let place = Place::new(&format!("j9_{count}"));
        let mut older = of_change(&place, count).await;
        older
            .execute(
                "insert into meta (key, value) values ('epoch', 3), ('heartbeat', 4); \
                 insert into games (id, ruleset, options, time_control, clock, visibility, status, created_at) \
                 values (zeroblob(16), 'doushouqi/booklet', '[]', '{\"clock\": {\"type\": \"none\"}}', 'none', 'public', 'open', 1)",
            )
            .await
            .unwrap();
        older.close().await.unwrap();
        let before = std::fs::read(place.file()).unwrap();
        let has = MIGRATIONS.iter().nth(count - 1).unwrap().version;
        for refused in [
            open(&place, None).await.map(drop),
            crate::open_existing(place.url()).await.map(drop),
        ] {
            let refused = told(&refused.unwrap_err());
            for part in [
                &format!("change {has}")[..],
                "qiguan migrate",
                "qiguan serve",
            ] {
                assert!(refused.contains(part), "{refused}");
            }
        }
        assert!(std::fs::read(place.file()).unwrap() == before);
        let mut steps = Vec::new();
        let mut note = |step: Step<'_>| steps.push(format!("{step:?}"));
        let done = crate::migrate(place.url(), true, &mut note).await.unwrap();
        let newest = MIGRATIONS.iter().last().unwrap().version;
        let change = Change {
            from: Some(has),
            to: newest,
        };
        assert_eq!(done.change, Some(change));
        assert_eq!(steps.len(), 3, "{steps:?}");
        let copy = done.copy.unwrap();
        let name = copy.file_name().unwrap().to_str().unwrap();
        assert_eq!(name, format!("q.db.schema-{has}.backup"));
        let mode = std::os::unix::fs::PermissionsExt::mode(&copy.metadata().unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        // The copy is a record of the older program.
        let mut copied = plain(&copy, Role::Reader).await.unwrap();
        let versions: i64 = sqlx::query_scalar("select count(*) from _sqlx_migrations")
            .fetch_one(&mut copied)
            .await
            .unwrap();
        assert_eq!(versions, count as i64);
        copied.close().await.unwrap();
        open(&place, None).await.unwrap().close().await;
        // Nothing is left to do.
        let again = crate::migrate(place.url(), true, &mut |_| {})
            .await
            .unwrap();
        assert_eq!((again.change, again.copy), (None, None));
    }
}

#[tokio::test]
async fn j9_a_copy_from_before_is_never_overwritten_and_without_one_nothing_is_changed() {
    let place = Place::new("j9_never_overwritten");
    let mut older = of_change(&place, 1).await;
    older
        .execute(
            "insert into meta (key, value) values ('epoch', 3), ('heartbeat', 4); \
             insert into games (id, ruleset, options, time_control, clock, visibility, status, created_at) \
             values (zeroblob(16), 'x', '[]', '{}', 'none', 'public', 'open', 1)",
        )
        .await
        .unwrap();
    older.close().await.unwrap();
    let copies: Vec<_> = ["", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9"]
        .map(|again| files::with_ending(&place.file(), &format!(".schema-1{again}.backup")))
        .into();
    for copy in &copies {
        std::fs::write(copy, "mine").unwrap();
    }
    let full = crate::migrate(place.url(), true, &mut |_| {}).await;
    let full = told(&full.unwrap_err());
    assert!(full.contains("copies"), "{full}");
    assert!(
        open(&place, None).await.is_err(),
        "the tables are as they were"
    );
    std::fs::remove_file(&copies[1]).unwrap();
    let done = crate::migrate(place.url(), true, &mut |_| {})
        .await
        .unwrap();
    assert_eq!(done.copy.as_ref(), Some(&copies[1]));
    assert_eq!(std::fs::read_to_string(&copies[0]).unwrap(), "mine");
}
