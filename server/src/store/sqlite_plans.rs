//! How SQLite carries out what is asked of it often: by searching indexes, never by going through a table.

use qiguan_protocol::{
    audit::ActId,
    ids::{Epoch, GameId, Millis, PlayerId},
    names::Status,
    operation::Operation,
};
use sqlx::{Row, SqlitePool};
use uuid::Uuid;

use super::{
    act_rows,
    acts::ActFilter,
    conformance::Place,
    fair_play_rows, list, people, people_changes, rating_rows, sql,
    sqlite::SqliteStore,
    sqlite_archive, sqlite_pruning,
    store::{GameFilter, Store},
};

/// The steps of a statement's plan that touch a table or sort.
async fn steps(readers: &SqlitePool, statement: &str) -> Vec<String> {
    let explain = format!("explain query plan {statement}");
    let plan = sqlx::raw_sql(sqlx::AssertSqlSafe(explain))
        .fetch_all(readers)
        .await
        .unwrap();
    plan.iter()
        .map(|row| row.get::<String, _>("detail"))
        .filter(|step| {
            ["SEARCH ", "SCAN ", "USE "]
                .iter()
                .any(|word| step.starts_with(word))
        })
        .filter(|step| step != "SCAN CONSTANT ROW")
        .collect()
}

async fn check(readers: &SqlitePool, statement: &str, expected: &[&str]) {
    assert_eq!(steps(readers, statement).await, expected, "{statement}");
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of statements")]
async fn what_is_looked_up_often_is_searched_for_in_an_index() {
    let place = Place::new("what_is_looked_up_often");
    let store = SqliteStore::open(&place.file(), None, Epoch(7))
        .await
        .unwrap();
    for (statement, expected) in [
        (
            sql::PLAYING,
            &["SEARCH games USING COVERING INDEX games_playing (status=?)"][..],
        ),
        (
            sql::CREATED_BY,
            &[
                "SEARCH games USING INDEX sqlite_autoindex_games_2 (created_by=? AND create_command=?)",
            ],
        ),
        (
            sql::UNFINISHED,
            &[
                "SEARCH games USING COVERING INDEX games_unfinished_by_first (first_id=?)",
                "SEARCH games USING COVERING INDEX games_unfinished_by_second (second_id=?)",
            ],
        ),
        (
            people::OF_TOKEN,
            &[
                "SEARCH sessions USING PRIMARY KEY (token_hash=?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
            ],
        ),
        (
            people::ACCOUNT_OF_KEY,
            &[
                "SEARCH names USING PRIMARY KEY (key=?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
            ],
        ),
        (
            people_changes::END_ONE,
            &["SEARCH sessions USING INDEX sessions_by_player (player_id=?)"],
        ),
        (
            people_changes::TOKENS,
            &["SEARCH sessions USING INDEX sessions_by_player (player_id=?)"],
        ),
        (
            people::LEAVING,
            &["SCAN players USING INDEX players_withdrawing"],
        ),
        (
            people::NAMING,
            &[
                "SEARCH games USING COVERING INDEX games_by_first (first_id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
                "SEARCH games USING COVERING INDEX games_by_second (second_id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
                "SEARCH games USING COVERING INDEX games_by_invited (invited_id=?)",
            ],
        ),
        (
            sql::EVENTS,
            &["SEARCH events USING PRIMARY KEY (game_id=?)"],
        ),
        (
            sqlite_pruning::FORSAKEN,
            &[
                "SEARCH games USING INDEX games_by_status (visibility=? AND status=?)",
                "SEARCH events USING PRIMARY KEY (game_id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ],
        ),
        (
            sqlite_pruning::OLD_CHAT,
            &[
                "SEARCH events USING INDEX events_chat (at<?)",
                "SEARCH games USING INDEX sqlite_autoindex_games_1 (id=?)",
            ],
        ),
        (
            sqlite_archive::ALL,
            &[
                "SEARCH games USING COVERING INDEX sqlite_autoindex_games_1 (id>?)",
                "SEARCH events USING PRIMARY KEY (game_id>?)",
            ],
        ),
        (
            sql::PAPERS,
            &["SEARCH papers USING PRIMARY KEY (game_id=?)"],
        ),
        (
            sql::SAVE_SETUP,
            &[
                "SEARCH setups USING PRIMARY KEY (player_id=? AND name=?)",
                "SEARCH setups USING PRIMARY KEY (player_id=?)",
            ],
        ),
        (
            sql::SETUPS,
            &["SEARCH setups USING PRIMARY KEY (player_id=?)"],
        ),
        (
            sql::SETUP,
            &["SEARCH setups USING PRIMARY KEY (player_id=? AND name=?)"],
        ),
        (
            sql::DELETE_SETUP,
            &["SEARCH setups USING PRIMARY KEY (player_id=? AND name=?)"],
        ),
    ] {
        check(&store.readers, statement, expected).await;
    }
    // What a plan without an index looks like, so that the checks above mean something.
    let scanned = "select id from games where plies = 1 order by id";
    let steps = steps(&store.readers, scanned).await;
    assert!(steps[0].starts_with("SCAN games"), "{steps:?}");
    store.close().await;
}

#[tokio::test]
async fn a_page_of_the_audit_log_is_searched_for_in_an_index() {
    let place = Place::new("a_page_of_the_audit_log");
    let store = SqliteStore::open(&place.file(), None, Epoch(7))
        .await
        .unwrap();
    let (player, game) = (PlayerId(Uuid::nil()), GameId(Uuid::nil()));
    let all = ActFilter {
        before: Some(ActId(Uuid::nil())),
        limit: 50,
        ..ActFilter::default()
    };
    for (filter, expected) in [
        (all.clone(), "SEARCH acts USING PRIMARY KEY (id<?)"),
        (
            ActFilter {
                by: Some(player),
                ..all.clone()
            },
            "SEARCH acts USING INDEX acts_by_actor (by_id=? AND id<?)",
        ),
        (
            ActFilter {
                player: Some(player),
                ..all.clone()
            },
            "SEARCH acts USING INDEX acts_by_player (player_id=? AND id<?)",
        ),
        (
            ActFilter {
                game: Some(game),
                ..all.clone()
            },
            "SEARCH acts USING INDEX acts_by_game (game_id=? AND id<?)",
        ),
        (
            ActFilter {
                operation: Some(Operation::Ban),
                ..all.clone()
            },
            "SEARCH acts USING INDEX acts_by_operation (operation=? AND id<?)",
        ),
    ] {
        let statement = act_rows::page::<sqlx::Sqlite>(&filter)
            .sql()
            .as_str()
            .to_owned();
        let steps = steps(&store.readers, &statement).await;
        assert_eq!(steps[0], expected, "{steps:?}");
        let rest = steps[1..].iter();
        assert!(
            rest.clone()
                .all(|step| step.contains("USING PRIMARY KEY (id=?)")),
            "{steps:?}"
        );
    }
    store.close().await;
}

#[tokio::test]
async fn what_is_known_of_players_is_searched_for_in_an_index() {
    let place = Place::new("what_is_known_of_players");
    let store = SqliteStore::open(&place.file(), None, Epoch(7))
        .await
        .unwrap();
    for (statement, expected) in [
        // Its two rows are sorted.
        (
            rating_rows::OF_GAME,
            &[
                "SEARCH rating_changes USING INDEX rating_changes_once (game_id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ][..],
        ),
        (
            rating_rows::STANDINGS,
            &["SEARCH ratings USING PRIMARY KEY (player_id=?)"],
        ),
        (
            rating_rows::LEADERS,
            &[
                "SEARCH ratings USING INDEX ratings_by_rank (ruleset=? AND rating<?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
            ],
        ),
        (
            rating_rows::HISTORY,
            &[
                "SEARCH rating_changes USING PRIMARY KEY (player_id=? AND ruleset=? AND number<?)",
                "SEARCH games USING INDEX sqlite_autoindex_games_1 (id=?) LEFT-JOIN",
            ],
        ),
        (
            rating_rows::LEAVES,
            &[
                "SEARCH games USING COVERING INDEX games_ended_by_first (first_id=? AND ended_at>?)",
                "SEARCH games USING COVERING INDEX games_ended_by_second (second_id=? AND ended_at>?)",
            ],
        ),
        (
            fair_play_rows::AVOIDED_BY,
            &[
                "SEARCH blocks USING PRIMARY KEY (player_id=?)",
                "SEARCH blocks USING COVERING INDEX blocks_by_blocked (blocked_id=?)",
            ],
        ),
        (
            fair_play_rows::OPEN_REPORTS,
            &["SEARCH reports USING INDEX reports_open (id>?)"],
        ),
    ] {
        check(&store.readers, statement, expected).await;
    }
    store.close().await;
}

#[tokio::test]
async fn a_page_of_games_is_merged_from_searches_and_never_sorted() {
    let place = Place::new("a_page_of_games_is_merged");
    let store = SqliteStore::open(&place.file(), None, Epoch(7))
        .await
        .unwrap();
    let someone = |number| Some(PlayerId(Uuid::from_u128(number)));
    let everything = GameFilter::default();
    let ruleset = Some("doushouqi/booklet".to_owned());
    let by_seat = [
        "games_by_first (first_id=? AND visibility=?",
        "games_by_second (second_id=? AND visibility=?",
    ];
    for (filter, indexes) in [
        (
            everything.clone(),
            &["games_by_visibility (visibility=?"][..],
        ),
        (
            GameFilter {
                created_from: Some(Millis(1)),
                created_until: Some(Millis(2)),
                ..everything.clone()
            },
            &["games_by_visibility (visibility=?"],
        ),
        (
            GameFilter {
                status: Some(Status::Playing),
                ruleset: ruleset.clone(),
                ..everything.clone()
            },
            &["games_by_status (visibility=? AND status=?"],
        ),
        (
            GameFilter {
                status: Some(Status::Ended),
                ruleset: ruleset.clone(),
                ..everything.clone()
            },
            &["games_by_ruleset (visibility=? AND ruleset=?"],
        ),
        (
            GameFilter {
                status: Some(Status::Open),
                viewer: someone(1),
                ..everything.clone()
            },
            &[
                "games_by_status (visibility=? AND status=?",
                by_seat[0],
                by_seat[1],
            ],
        ),
        (
            GameFilter {
                player: someone(1),
                ruleset: ruleset.clone(),
                ..everything.clone()
            },
            &by_seat,
        ),
        (
            GameFilter {
                player: someone(1),
                viewer: someone(1),
                status: Some(Status::Playing),
                ..everything.clone()
            },
            &[by_seat[0], by_seat[1], by_seat[0], by_seat[1]],
        ),
        (
            GameFilter {
                player: someone(1),
                viewer: someone(2),
                ..everything
            },
            &[by_seat[0], by_seat[1], by_seat[0], by_seat[0]],
        ),
    ] {
        for before in [None, Some(GameId(Uuid::from_u128(9)))] {
            let filter = GameFilter {
                before,
                ..filter.clone()
            };
            let end = if before.is_some() { " AND id<?)" } else { ")" };
            let expected: Vec<_> = indexes
                .iter()
                .map(|index| format!("SEARCH games USING INDEX {index}{end}"))
                .collect();
            let page = list::page::<sqlx::Sqlite>(&filter);
            let steps = steps(&store.readers, page.sql().as_str()).await;
            assert_eq!(steps, expected, "{filter:?}");
        }
    }
    store.close().await;
}
