//! How Postgres carries out what is asked of it often, at a size at which it matters; and that both databases have the same
//! tables.

use std::collections::BTreeSet;

use qiguan_protocol::ids::Epoch;
use sqlx::{Executor, PgPool, Row};

use crate::{
    accounts, connection_log,
    db::{Dialect, Statement},
    drafts, game_events, games, list,
    opening::Tables,
    openings, packed_games, postgres, pruning, reviews,
    searching::{self, Span, examples as searched},
    setups, spectator_chat, sql, sqlite,
    store::Store,
    stored_games,
    testing::Place,
};

/// Enough games that going through all of them is the worse plan by far.
const FILL: &str = "insert into games (id, ruleset, options, time_control, clock, visibility, status, first_id, first_name, \
         second_id, second_name, created_by, create_command, winner, reason, plies, created_at) \
     select md5(n::text)::uuid, case n % 3 when 0 then 'doushouqi/booklet' else 'xiangqi/standard' end, '[]', '{}', 'none', \
         case n % 10 when 0 then 'link' else 'public' end, case n % 500 when 0 then 'open' when 1 then 'playing' else 'ended' end, \
         lpad(to_hex(n % 1000), 32, '0')::uuid, 'one', lpad(to_hex((n * 7 + 1) % 1000), 32, '0')::uuid, 'two', \
         lpad(to_hex(n % 1000), 32, '0')::uuid, md5('c' || n)::uuid, \
         case when n % 20 > 1 then 'first' end, \
         case when n % 500 > 1 then case n % 20 when 0 then 'aborted' when 1 then 'repetition' when 2 then 'checkmate' else 'resignation' end end, \
         case when n % 500 > 1 then n % 300 end, n \
     from generate_series(1, 12000) n; \
     insert into events select md5(n::text)::uuid, seq, 0, null, '{}' from generate_series(1, 12000) n, generate_series(1, 2) seq; \
     insert into packed_games select md5('p' || n)::uuid, 2, 0, case when n % 100 = 0 then n end, case when n % 100 = 0 then 1 else 0 end, '' from generate_series(1, 12000) n; \
     insert into opening_games select lpad(to_hex(n % 10), 32, '0')::uuid, n, md5(n::text)::uuid from generate_series(1, 12000) n; \
     insert into opening_moves select md5((n / 10)::text)::uuid, (n % 10)::text, n, 0, 0, 0, 0 from generate_series(1, 12000) n; \
     insert into players (id, name, created_at) select lpad(to_hex(n), 32, '0')::uuid, 'name', 0 from generate_series(0, 999) n; \
     insert into sessions (token_hash, player_id, created_at) select sha256(n::text::bytea), lpad(to_hex(n), 32, '0')::uuid, 0 from generate_series(0, 999) n; \
     insert into names select 'name ' || n, lpad(to_hex(n), 32, '0')::uuid from generate_series(0, 999) n; \
     insert into name_parts select substr(key, n), key from names, generate_series(1, 6) n; \
     insert into papers select md5(n::text)::uuid, 0, 'notes', '{}' from generate_series(1, 12000) n; \
     insert into spectator_chat select md5((n / 10)::text)::uuid, n, n, lpad(to_hex(n % 1000), 32, '0')::uuid, md5(n::text)::uuid, 'x', 0 from generate_series(1, 12000) n; \
     insert into attendance select md5((n / 10)::text)::uuid, n, 'first_connected', n from generate_series(1, 12000) n; \
     insert into setups select lpad(to_hex(n % 1000), 32, '0')::uuid, n::text, 'x' from generate_series(1, 12000) n; \
     insert into blocks select lpad(to_hex(n % 1000), 32, '0')::uuid, lpad(to_hex((n * 3 + n / 1000) % 1000), 32, '0')::uuid, n from generate_series(1, 12000) n on conflict do nothing; \
     insert into reviews select md5(n::text)::uuid, 1, n, 'x' from generate_series(1, 12000) n; \
     analyze";

/// So many games a search looks at here: as few among these as there are among a million.
const EACH: u32 = 100;
/// No step of a plan reads more rows than this.
const MOST: u64 = 200;

/// The plan of a statement that takes any values: what it is carried out as once it is prepared.
async fn plan(pool: &PgPool, statement: &str, types: &str) -> String {
    let mut connection = pool.acquire().await.unwrap();
    let count = types.matches(',').count() + usize::from(!types.is_empty());
    let values = vec!["null"; count].join(", ");
    let (types, values) = if count == 0 {
        (String::new(), String::new())
    } else {
        (format!("({types})"), format!("({values})"))
    };
    let text = format!(
        "set plan_cache_mode = force_generic_plan; prepare asked {types} as {statement}; \
         explain (costs off) execute asked {values}; deallocate asked"
    );
    let rows = connection
        .fetch_all(sqlx::raw_sql(sqlx::AssertSqlSafe(text)))
        .await
        .unwrap();
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    lines.join("\n")
}

async fn filled(place: &Place) -> Store {
    let store = postgres::open(place.url(), Epoch(7), Tables::Make)
        .await
        .unwrap();
    let mut connection = store.writers.of_postgres().acquire().await.unwrap();
    connection
        .execute("set statement_timeout = '60s'")
        .await
        .unwrap();
    connection.execute(sqlx::raw_sql(FILL)).await.unwrap();
    connection.execute("vacuum").await.unwrap();
    connection.execute("reset statement_timeout").await.unwrap();
    drop(connection);
    store
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of statements")]
async fn what_is_asked_often_searches_indexes_and_never_goes_through_a_table() {
    let place = Place::postgres();
    let store = filled(&place).await;
    for (statement, types, indexes) in [
        (games::PLAYING, "", &["games_playing"][..]),
        (games::CREATED_BY, "uuid, uuid", &["games_created_once"]),
        (
            sql::UNFINISHED,
            "uuid",
            &["games_unfinished_by_first", "games_unfinished_by_second"],
        ),
        (accounts::OF_TOKEN, "bytea", &["sessions_pk", "players_pk"]),
        (
            accounts::MAY_BE_SEEN,
            "uuid, uuid",
            &["players_pk", "blocks_by_blocked"],
        ),
        (
            packed_games::unpacked(Dialect::Postgres),
            "uuid, bigint",
            &["events_pk"],
        ),
        (
            pruning::OLD_PACKED_CHAT,
            "bigint, bigint, uuid, bigint",
            &["packed_games_chat"],
        ),
        (drafts::OF_GAME, "uuid", &["papers_pk"]),
        (connection_log::OF_GAME, "uuid", &["attendance_pk"]),
        (
            connection_log::AFTER,
            "uuid, bigint, text, bigint",
            &["attendance_pk"],
        ),
        (
            connection_log::NOTE,
            "uuid, bigint, text, bigint, bigint",
            &["attendance_pk", "games_pk"],
        ),
        (
            connection_log::NOTE_SERVER,
            "bigint, text, bigint, uuid",
            &["games_playing", "attendance_pk"],
        ),
        (
            spectator_chat::LINES,
            "uuid, bigint, bigint",
            &["spectator_chat_pk", "players_pk"],
        ),
        (
            spectator_chat::AFTER,
            "uuid, bigint, bigint",
            &["spectator_chat_pk"],
        ),
        (
            spectator_chat::CLEAR,
            "bigint, bigint",
            &["spectator_chat_by_at", "games_pk", "spectator_chat_pk"],
        ),
        (reviews::REVIEW, "uuid, bigint", &["reviews_pk"]),
        (reviews::PRUNE, "bigint", &["reviews_by_made_at"]),
        (setups::SAVE, "uuid, text, text, bigint", &["setups_pk"]),
        (setups::SETUPS, "uuid", &["setups_pk"]),
        (setups::SETUP, "uuid, text", &["setups_pk"]),
        (setups::DELETE, "uuid, text", &["setups_pk"]),
        (game_events::LAST_SEQ, "uuid", &["events_pk"]),
        (
            openings::to_count(Dialect::Postgres),
            "bigint, bigint",
            &["games_to_count"],
        ),
        (openings::MOVES, "uuid", &["opening_moves_pk"]),
        (
            openings::newest(Dialect::Postgres),
            "uuid, bigint",
            &["opening_games_pk", "games_pk"],
        ),
        (
            pruning::endless(Dialect::Postgres),
            "",
            &["games_by_status", "events_pk"],
        ),
        (
            pruning::old_chat(Dialect::Postgres),
            "bigint, bigint",
            &["events_chat", "games_pk"],
        ),
        (
            accounts::ACCOUNT_OF_KEY,
            "text",
            &["names_pk", "players_pk"],
        ),
        (
            accounts::BEGINNING,
            "text, text, bigint",
            &["names_pk", "players_pk"],
        ),
        (
            accounts::CONTAINING,
            "text, text, bigint",
            &["name_parts_pk", "names_pk", "players_pk"],
        ),
        (accounts::TOKENS, "uuid", &["sessions_by_player"]),
        (accounts::LEAVING, "", &["players_withdrawing"]),
        (accounts::RENAMING, "", &["players_renaming"]),
        (
            accounts::NAMING,
            "uuid",
            &["games_by_first", "games_by_second", "games_by_invited"],
        ),
        (
            stored_games::ALL_IN_POSTGRES,
            "uuid, bigint",
            &["games_pk", "events_pk"],
        ),
    ] {
        let plan = plan(store.readers.of_postgres(), statement, types).await;
        for index in indexes {
            assert!(plan.contains(index), "{statement}: no {index} in\n{plan}");
        }
        assert!(!plan.contains("Seq Scan"), "{statement}\n{plan}");
    }
    // What a plan without an index looks like, so that the checks above mean something.
    let scanned = plan(
        store.readers.of_postgres(),
        "select id from games where plies = 1",
        "",
    )
    .await;
    assert!(scanned.contains("Seq Scan"), "{scanned}");
    store.close().await;
}

/// How a query is carried out, and how many rows each step has read.
async fn carried_out(store: &Store, query: Statement) -> String {
    let explain = query.after("explain (costs off, analyze, timing off, summary off) ");
    let mut db = store.reader().await.unwrap();
    let plan: Vec<String> = db.values(explain).await.unwrap();
    plan.join("\n")
}

// The tables beside the games are empty here, and such are scanned.
#[tokio::test]
async fn games_that_were_aborted_are_searched_for_in_their_index() {
    let place = Place::postgres();
    let store = filled(&place).await;
    let types = "bigint, bigint, bigint, uuid, bigint";
    let plan = plan(
        store.readers.of_postgres(),
        pruning::aborted(Dialect::Postgres),
        types,
    )
    .await;
    let searched = plan.contains("games_aborted") && !plan.contains("Seq Scan on games");
    assert!(searched, "{plan}");
    store.close().await;
}

#[tokio::test]
async fn a_page_of_games_is_merged_from_indexes_and_reads_little_more_than_it_shows() {
    let place = Place::postgres();
    let store = filled(&place).await;
    for (filter, _) in searched::examples() {
        for (span, _) in searched::spans() {
            let searches = searching::searches(&filter);
            let plan = carried_out(
                &store,
                list::lines(Dialect::Postgres, &searches, span, EACH, 20),
            )
            .await;
            assert!(!plan.contains("Seq Scan"), "{filter:?}\n{plan}");
            assert!(rows_read(&plan) <= MOST, "{filter:?}\n{plan}");
        }
    }
    store.close().await;
}

#[tokio::test]
async fn no_combination_goes_through_the_table() {
    let place = Place::postgres();
    let store = filled(&place).await;
    let mut checked = 0;
    for filter in searched::combinations() {
        let searches = searching::searches(&filter);
        if searches.is_empty() {
            continue;
        }
        let span = Span::default();
        let stops = list::stops(Dialect::Postgres, &searches, span, EACH);
        for query in
            stops
                .into_iter()
                .chain([list::lines(Dialect::Postgres, &searches, span, EACH, 20)])
        {
            let plan = carried_out(&store, query).await;
            assert!(!plan.contains("Seq Scan"), "{filter:?}\n{plan}");
            assert!(rows_read(&plan) <= MOST, "{filter:?}\n{plan}");
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
    store.close().await;
}

/// The most rows that any step of a plan has read.
fn rows_read(plan: &str) -> u64 {
    let counts = plan.split("rows=").skip(1);
    let counts = counts.filter_map(|rest| rest.split([' ', '.', ')']).next()?.parse::<u64>().ok());
    counts.max().expect("a plan that was carried out")
}

/// Tables, columns, whether they may be missing, and indexes.
type Shape = (BTreeSet<(String, String, bool)>, BTreeSet<String>);

/// Without the log, which Postgres does not need.
async fn of_sqlite() -> Shape {
    let place = Place::new("of_sqlite");
    let store = sqlite::open(&place.file(), None, Epoch(7), Tables::Make)
        .await
        .unwrap();
    let columns = sqlx::query_as::<_, (String, String, bool)>(
        "select tables.name, columns.name, columns.\"notnull\" = 0 from sqlite_master tables, pragma_table_info(tables.name) columns \
         where tables.type = 'table' and tables.name not like '\\_sqlx%' escape '\\' and tables.name not like 'sqlite%' \
         and tables.name <> 'event_log'",
    );
    let columns = columns.fetch_all(store.readers.of_sqlite()).await.unwrap();
    // Keys have indexes without a name of their own there; their names stand in the text of the table.
    let named = sqlx::query_as::<_, (String, String, String)>(
        "select type, name, sql from sqlite_master where sql is not null and tbl_name not like '\\_sqlx%' escape '\\' \
         and name not like 'sqlite%' and tbl_name <> 'event_log'",
    );
    let mut names = BTreeSet::new();
    for (kind, name, text) in named.fetch_all(store.readers.of_sqlite()).await.unwrap() {
        if kind == "index" {
            names.insert(name);
            continue;
        }
        let constraints = text.split("constraint ").skip(1);
        names.extend(constraints.filter_map(|rest| rest.split(' ').next().map(ToOwned::to_owned)));
    }
    store.close().await;
    (columns.into_iter().collect(), names)
}

async fn of_postgres() -> Shape {
    let place = Place::postgres();
    let store = postgres::open(place.url(), Epoch(7), Tables::Make)
        .await
        .unwrap();
    let columns = sqlx::query_as::<_, (String, String, bool)>(
        "select table_name::text, column_name::text, is_nullable = 'YES' from information_schema.columns \
         where table_schema = 'public' and table_name not like '\\_sqlx%' and table_name not in ('nodes', 'slots')",
    );
    let columns = columns
        .fetch_all(store.readers.of_postgres())
        .await
        .unwrap();
    let names = sqlx::query_scalar::<_, String>(
        "select indexname::text from pg_indexes where schemaname = 'public' and tablename not like '\\_sqlx%' and tablename not in ('nodes', 'slots') \
         union select conname::text from pg_constraint where connamespace = 'public'::regnamespace and conname not like '\\_sqlx%' \
         and conrelid not in ('nodes'::regclass, 'slots'::regclass)",
    );
    let names = names.fetch_all(store.readers.of_postgres()).await.unwrap();
    store.close().await;
    (columns.into_iter().collect(), names.into_iter().collect())
}

/// But for what several programs on one Postgres are to each other: on a file runs one.
#[tokio::test]
async fn both_databases_have_the_same_tables_columns_keys_and_indexes() {
    let (sqlite, postgres) = (of_sqlite().await, of_postgres().await);
    assert!(sqlite.0.len() > 30 && sqlite.1.len() > 15, "{sqlite:?}");
    assert_eq!(sqlite, postgres);
}
