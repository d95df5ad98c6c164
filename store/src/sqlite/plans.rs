//! How SQLite carries out what is asked of it often: by searching indexes, never by going through a table.

use qiguan_protocol::{
    audit::AuditId,
    ids::{Epoch, GameId, PlayerId},
    operation::Operation,
};
use sqlx::{Row, SqlitePool};
use uuid::Uuid;

use crate::{
    accounts::{self, analyses},
    audit_log::{self, AuditFilter},
    connection_log,
    db::Dialect,
    drafts, fair_play, game_events, games, list,
    opening::Tables,
    openings, packed_games, pruning, push,
    ratings::rows as rating_rows,
    reviews,
    searching::{self, examples as searched},
    setups, spectator_chat, sql, sqlite, stored_games,
    testing::Place,
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
    let store = sqlite::open(&place.file(), None, Epoch(7), Tables::Make)
        .await
        .unwrap();
    for (statement, expected) in [
        (
            games::PLAYING,
            &["SEARCH games USING COVERING INDEX games_playing (status=?)"][..],
        ),
        (
            games::CREATED_BY,
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
            accounts::OF_TOKEN,
            &[
                "SEARCH sessions USING PRIMARY KEY (token_hash=?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
            ],
        ),
        (
            accounts::ACCOUNT_OF_KEY,
            &[
                "SEARCH names USING PRIMARY KEY (key=?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
            ],
        ),
        (
            accounts::BEGINNING,
            &[
                "SEARCH names USING PRIMARY KEY (key>? AND key<?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
            ],
        ),
        (
            accounts::CONTAINING,
            &[
                "SEARCH name_parts USING PRIMARY KEY (part>? AND part<?)",
                "SEARCH names USING PRIMARY KEY (key=?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
            ],
        ),
        (
            accounts::FOLLOWED,
            &[
                "SEARCH follows USING PRIMARY KEY (player_id=?)",
                "SEARCH blocks USING PRIMARY KEY (player_id=? AND blocked_id=?)",
                "SEARCH blocks USING PRIMARY KEY (player_id=? AND blocked_id=?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ],
        ),
        (
            accounts::MAY_BE_SEEN,
            &[
                "SEARCH players USING PRIMARY KEY (id=?)",
                "SEARCH blocks USING PRIMARY KEY (player_id=? AND blocked_id=?)",
                "SEARCH blocks USING PRIMARY KEY (player_id=? AND blocked_id=?)",
            ],
        ),
        (
            accounts::END_ONE,
            &[
                "SEARCH sessions USING INDEX sessions_by_player (player_id=?)",
                "SEARCH push_subscriptions USING PRIMARY KEY (token_hash=?)",
            ],
        ),
        (
            accounts::TOKENS,
            &["SEARCH sessions USING INDEX sessions_by_player (player_id=?)"],
        ),
        (
            accounts::LEAVING,
            &["SCAN players USING INDEX players_withdrawing"],
        ),
        (
            accounts::RENAMING,
            &["SCAN players USING INDEX players_renaming"],
        ),
        (
            accounts::GAMES_TO_LEAVE_IN_SQLITE,
            &[
                "SEARCH games USING INDEX games_by_first (first_id=?)",
                "SEARCH papers USING PRIMARY KEY (game_id=? AND seat=?)",
                "SEARCH events USING INDEX events_chat_by_game (game_id=?)",
                "SEARCH event_log USING INDEX event_log_chat_by_game (game_id=?)",
                "SEARCH packed_games USING INDEX sqlite_autoindex_packed_games_1 (game_id=?)",
                "SEARCH reports USING INDEX reports_by_game (game_id=?)",
                "SEARCH games USING INDEX games_by_second (second_id=?)",
                "SEARCH papers USING PRIMARY KEY (game_id=? AND seat=?)",
                "SEARCH events USING INDEX events_chat_by_game (game_id=?)",
                "SEARCH event_log USING INDEX event_log_chat_by_game (game_id=?)",
                "SEARCH packed_games USING INDEX sqlite_autoindex_packed_games_1 (game_id=?)",
                "SEARCH reports USING INDEX reports_by_game (game_id=?)",
                "SEARCH games USING INDEX games_by_invited (invited_id=?)",
                "SEARCH spectator_chat USING COVERING INDEX spectator_chat_by_player (player_id=?)",
                "SEARCH games EXISTS USING COVERING INDEX sqlite_autoindex_games_1 (id=?)",
            ],
        ),
        (
            accounts::PLAYERS_OF,
            &[
                "SEARCH games USING INDEX sqlite_autoindex_games_1 (id=?)",
                "SEARCH players USING PRIMARY KEY (id=?)",
            ],
        ),
        (
            accounts::NAMING,
            &[
                "SEARCH games USING COVERING INDEX games_by_first (first_id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
                "SEARCH games USING COVERING INDEX games_by_second (second_id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
                "SEARCH games USING COVERING INDEX games_by_invited (invited_id=?)",
            ],
        ),
        (
            packed_games::unpacked(Dialect::Sqlite),
            &[
                "SEARCH events USING PRIMARY KEY (game_id>?)",
                "SCAN walk",
                "SEARCH events USING PRIMARY KEY (game_id>?)",
                "SCAN walk",
                "SEARCH events USING PRIMARY KEY (game_id=?)",
                "SEARCH games USING INDEX sqlite_autoindex_games_1 (id=?)",
            ],
        ),
        (
            game_events::LAST_SEQ,
            &[
                "SEARCH events USING PRIMARY KEY (game_id=?)",
                "SEARCH packed_games USING INDEX sqlite_autoindex_packed_games_1 (game_id=?)",
            ],
        ),
        (
            openings::to_count(Dialect::Sqlite),
            &["SEARCH games USING COVERING INDEX games_to_count (counted<?)"],
        ),
        // The moves of one position are sorted.
        (
            openings::MOVES,
            &[
                "SEARCH opening_moves USING PRIMARY KEY (position=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ],
        ),
        (
            openings::newest(Dialect::Sqlite),
            &[
                "SEARCH opening_games USING PRIMARY KEY (position=?)",
                "SCAN reached",
                "SEARCH games USING INDEX sqlite_autoindex_games_1 (id=?)",
            ],
        ),
        (
            pruning::endless(Dialect::Sqlite),
            &[
                "SEARCH games USING INDEX games_by_status (visibility=? AND status=?)",
                "SEARCH events USING PRIMARY KEY (game_id=?)",
                "SEARCH packed_games USING INDEX sqlite_autoindex_packed_games_1 (game_id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ],
        ),
        (
            pruning::aborted(Dialect::Sqlite),
            &[
                "SEARCH games USING INDEX games_aborted ((ended_at,id)>(?,?) AND ended_at<?)",
                "SEARCH reports USING COVERING INDEX reports_by_game (game_id=?)",
                "SEARCH acts USING COVERING INDEX acts_by_game (game_id=?)",
                "SEARCH rating_changes USING INDEX rating_changes_once (game_id=?)",
                "SEARCH spectator_chat USING COVERING INDEX sqlite_autoindex_spectator_chat_2 (game_id=?)",
                "SEARCH events USING PRIMARY KEY (game_id=?)",
                "SEARCH packed_games USING INDEX sqlite_autoindex_packed_games_1 (game_id=?)",
                "SEARCH event_log USING INDEX event_log_chat_by_game (game_id=?)",
            ],
        ),
        (
            pruning::old_chat(Dialect::Sqlite),
            &[
                "SEARCH events USING INDEX events_chat (at<?)",
                "SEARCH games USING INDEX sqlite_autoindex_games_1 (id=?)",
            ],
        ),
        (
            stored_games::ALL_IN_SQLITE,
            &[
                "SEARCH games USING COVERING INDEX sqlite_autoindex_games_1 (id>?)",
                "SEARCH events USING PRIMARY KEY (game_id>?)",
                "SEARCH packed_games USING COVERING INDEX sqlite_autoindex_packed_games_1 (game_id>?)",
            ],
        ),
        (
            drafts::OF_GAME,
            &["SEARCH papers USING PRIMARY KEY (game_id=?)"],
        ),
        (
            connection_log::OF_GAME,
            &["SEARCH attendance USING PRIMARY KEY (game_id=?)"],
        ),
        (
            connection_log::AFTER,
            &["SEARCH attendance USING PRIMARY KEY ((game_id,at,what)>(?,?,?))"],
        ),
        (
            connection_log::NOTE,
            &[
                "SEARCH attendance USING PRIMARY KEY (game_id=?)",
                "SEARCH attendance USING PRIMARY KEY (game_id=? AND at=? AND what=?)",
                "SEARCH attendance USING PRIMARY KEY (game_id=?)",
                "SCAN so_far",
                "SEARCH attendance USING PRIMARY KEY (game_id=?)",
                "SEARCH attendance USING PRIMARY KEY (game_id=? AND at=? AND what=?)",
                "SEARCH games EXISTS USING COVERING INDEX sqlite_autoindex_games_1 (id=?)",
            ],
        ),
        (
            connection_log::NOTE_SERVER,
            &[
                "SEARCH games USING INDEX sqlite_autoindex_games_1 (id=?)",
                "SEARCH attendance USING PRIMARY KEY (game_id=?)",
                "SEARCH attendance USING PRIMARY KEY (game_id=?)",
                "SEARCH attendance USING PRIMARY KEY (game_id=?)",
                "SEARCH attendance USING PRIMARY KEY (game_id=?)",
            ],
        ),
        (
            spectator_chat::LINES,
            &[
                "SEARCH spectator_chat USING PRIMARY KEY (game_id=? AND number<?)",
                "SEARCH players USING PRIMARY KEY (id=?) LEFT-JOIN",
            ],
        ),
        (
            spectator_chat::AFTER,
            &["SEARCH spectator_chat USING PRIMARY KEY ((game_id,number)>(?,?))"],
        ),
        (
            spectator_chat::CLEAR,
            &[
                "SEARCH spectator_chat USING PRIMARY KEY (game_id=? AND number=?)",
                "SEARCH spectator_chat USING COVERING INDEX spectator_chat_by_at (at<?)",
                "SEARCH games USING INDEX sqlite_autoindex_games_1 (id=?)",
            ],
        ),
        (
            reviews::REVIEW,
            &["SEARCH reviews USING INDEX sqlite_autoindex_reviews_1 (game_id=?)"],
        ),
        (
            reviews::PRUNE,
            &[
                "SEARCH reviews USING COVERING INDEX reviews_by_made_at (made_at<?)",
                "SCAN reviews USING COVERING INDEX reviews_by_made_at",
            ],
        ),
        (
            push::OF_SESSION,
            &["SEARCH push_subscriptions USING INDEX push_subscriptions_by_player (player_id=?)"],
        ),
        (
            push::OF_PLAYER,
            &[
                "SEARCH players USING PRIMARY KEY (id=?)",
                "SEARCH push_subscriptions USING INDEX push_subscriptions_by_player (player_id=?)",
                "SEARCH sessions USING PRIMARY KEY (token_hash=?)",
            ],
        ),
        (
            push::FORGET,
            &[
                "SEARCH push_subscriptions USING COVERING INDEX push_subscriptions_by_endpoint (endpoint=?)",
            ],
        ),
        (
            analyses::SAME,
            &["SEARCH analyses USING INDEX analyses_by_digest (player_id=? AND digest=?)"],
        ),
        (
            analyses::COUNT,
            &["SEARCH analyses USING COVERING INDEX analyses_by_digest (player_id=?)"],
        ),
        (
            analyses::OF_PLAYER,
            &[
                "SEARCH analyses USING INDEX analyses_by_digest (player_id=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ],
        ),
        (
            setups::SAVE,
            &[
                "SEARCH setups USING PRIMARY KEY (player_id=? AND name=?)",
                "SEARCH setups USING PRIMARY KEY (player_id=?)",
            ],
        ),
        (
            setups::SETUPS,
            &["SEARCH setups USING PRIMARY KEY (player_id=?)"],
        ),
        (
            setups::SETUP,
            &["SEARCH setups USING PRIMARY KEY (player_id=? AND name=?)"],
        ),
        (
            setups::DELETE,
            &["SEARCH setups USING PRIMARY KEY (player_id=? AND name=?)"],
        ),
    ] {
        check(store.readers.of_sqlite(), statement, expected).await;
    }
    // What a plan without an index looks like, so that the checks above mean something.
    let scanned = "select id from games where plies = 1 order by id";
    let steps = steps(store.readers.of_sqlite(), scanned).await;
    assert!(steps[0].starts_with("SCAN games"), "{steps:?}");
    store.close().await;
}

#[tokio::test]
async fn a_page_of_the_audit_log_is_searched_for_in_an_index() {
    let place = Place::new("a_page_of_the_audit_log");
    let store = sqlite::open(&place.file(), None, Epoch(7), Tables::Make)
        .await
        .unwrap();
    let (player, game) = (PlayerId(Uuid::nil()), GameId(Uuid::nil()));
    let all = AuditFilter {
        before: Some(AuditId(Uuid::nil())),
        limit: 50,
        ..AuditFilter::default()
    };
    for (filter, expected) in [
        (all.clone(), "SEARCH acts USING PRIMARY KEY (id<?)"),
        (
            AuditFilter {
                by: Some(player),
                ..all.clone()
            },
            "SEARCH acts USING INDEX acts_by_actor (by_id=? AND id<?)",
        ),
        (
            AuditFilter {
                player: Some(player),
                ..all.clone()
            },
            "SEARCH acts USING INDEX acts_by_player (player_id=? AND id<?)",
        ),
        (
            AuditFilter {
                game: Some(game),
                ..all.clone()
            },
            "SEARCH acts USING INDEX acts_by_game (game_id=? AND id<?)",
        ),
        (
            AuditFilter {
                operation: Some(Operation::Ban),
                ..all.clone()
            },
            "SEARCH acts USING INDEX acts_by_operation (operation=? AND id<?)",
        ),
    ] {
        let statement = audit_log::page(&filter);
        let steps = steps(store.readers.of_sqlite(), statement.text()).await;
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
    let store = sqlite::open(&place.file(), None, Epoch(7), Tables::Make)
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
            list::ENDED_SINCE,
            &[
                // What is scanned and sorted is what a search has found: as many rows as are wanted.
                "SEARCH games USING INDEX games_ended_by_first (first_id=? AND ended_at>?)",
                "SCAN sat_first",
                "SEARCH games USING INDEX games_ended_by_second (second_id=? AND ended_at>?)",
                "SCAN sat_second",
                "SCAN ended",
                "USE TEMP B-TREE FOR ORDER BY",
            ],
        ),
        (
            fair_play::AVOIDED_BY,
            &[
                "SEARCH blocks USING PRIMARY KEY (player_id=?)",
                "SEARCH blocks USING COVERING INDEX blocks_by_blocked (blocked_id=?)",
            ],
        ),
        (
            fair_play::OPEN_REPORTS,
            &[
                "SEARCH reports USING INDEX reports_open (id>?)",
                "SEARCH actor USING PRIMARY KEY (id=?)",
                "SEARCH reported USING PRIMARY KEY (id=?)",
                "SEARCH actor USING PRIMARY KEY (id=?)",
            ],
        ),
    ] {
        check(store.readers.of_sqlite(), statement, expected).await;
    }
    store.close().await;
}

#[tokio::test]
async fn a_page_of_games_is_merged_from_searches_and_never_sorted() {
    let place = Place::new("a_page_of_games_is_merged");
    let store = sqlite::open(&place.file(), None, Epoch(7), Tables::Make)
        .await
        .unwrap();
    let by_seat = [
        "games_by_first (first_id=? AND visibility=?",
        "games_by_second (second_id=? AND visibility=?",
    ];
    let by_pair = "games_by_pair (first_id=? AND second_id=? AND visibility=?";
    let by_ruleset = "games_by_ruleset (visibility=? AND ruleset=?";
    for (filter, indexes) in searched::examples() {
        let indexes: Vec<_> = indexes
            .iter()
            .flat_map(|index| match *index {
                "seats" => by_seat.to_vec(),
                "pairs" => vec![by_pair; 2],
                "rulesets" => vec![by_ruleset; 2],
                index => vec![index],
            })
            .collect();
        for (span, end) in searched::spans() {
            let searches = searching::searches(&filter);
            let page = list::lines(Dialect::Sqlite, &searches, span, 100, 20);
            let steps = steps(store.readers.of_sqlite(), page.text()).await;
            let expected: Vec<_> = indexes
                .iter()
                .map(|index| format!("SEARCH games USING INDEX {index}{end})"))
                .collect();
            assert_eq!(steps, expected, "{filter:?}");
        }
    }
    store.close().await;
}

/// Whether this is a step of a search that asks for a position: among its games, or whether one is among them.
fn of_position(step: &str) -> bool {
    [
        "SEARCH games USING INDEX",
        "SEARCH opening_games USING PRIMARY KEY (position=?",
        "SEARCH opening_games EXISTS USING PRIMARY KEY (position=?",
        "SCAN reached",
    ]
    .iter()
    .any(|known| step.starts_with(known))
}

/// Everything that can be asked for together is found by searching an index that begins with some of it.
#[tokio::test]
async fn no_combination_goes_through_the_table() {
    let place = Place::new("no_combination_goes_through");
    let store = sqlite::open(&place.file(), None, Epoch(7), Tables::Make)
        .await
        .unwrap();
    let mut checked = 0;
    for filter in searched::combinations() {
        let searches = searching::searches(&filter);
        if searches.is_empty() {
            continue;
        }
        for (span, _) in searched::spans() {
            let page = list::lines(Dialect::Sqlite, &searches, span, 100, 20);
            let lines = steps(store.readers.of_sqlite(), page.text()).await;
            for step in &lines {
                let searched = if filter.position.is_some() {
                    of_position(step)
                } else {
                    step.starts_with("SEARCH games USING INDEX games_")
                };
                assert!(searched, "{filter:?}: {lines:?}");
            }
            let Some(stops) = list::stops(Dialect::Sqlite, &searches, span, 100) else {
                continue;
            };
            // No row is read to find the place; what is sorted is one place of each search.
            for step in steps(store.readers.of_sqlite(), stops.text()).await {
                let of_search = step.starts_with("SCAN ") && !step.contains("games");
                let searched = step.starts_with("SEARCH games USING COVERING INDEX games_")
                    || step.starts_with("SEARCH opening_games USING PRIMARY KEY (position=?");
                assert!(
                    searched || of_search || step.contains("B-TREE"),
                    "{filter:?}: {step}"
                );
            }
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
    store.close().await;
}
