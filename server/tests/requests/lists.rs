//! Lists of games: every filter, page after page, and who sees what in them.

use qiguan_protocol::{ids::GameId, view::GamePage};
use qiguan_tests::Setup;
use serde_json::json;

use crate::server::{Http, TestServer};

/// Whether a list has the game that was opened as this one.
type Condition = fn(usize) -> bool;

/// Games of every kind that a list can tell apart, the newest first.
async fn many_games(server: &TestServer) -> Vec<GameId> {
    let clocks = [
        json!({"clock": {"type": "fischer", "initial_ms": 60_000, "increment_ms": 0}}),
        json!({"clock": {"type": "byoyomi", "main_ms": 0, "period_ms": 10_000, "periods": 3}}),
        json!({"clock": {"type": "per_move", "move_ms": 86_400_000}}),
        json!({"clock": {"type": "none"}}),
    ];
    let rulesets = [
        "doushouqi/ancientchess",
        "doushouqi/booklet",
        "doushouqi/tierschach",
    ];
    let mut games = Vec::new();
    for number in 0..24 {
        let [first, second] = [Http::guest(server).await, Http::guest(server).await];
        let setup = Setup::default()
            .ruleset(rulesets[number % 3])
            .time_control(clocks[number % 4].clone());
        let game = first.opens(&setup).await;
        games.push(game);
        let ends = match number % 6 {
            0 => continue,
            1 => None,
            2 => Some((&first, "resign")),
            3 => Some((&second, "resign")),
            4 => Some((&second, "offer_draw")),
            _ => Some((&first, "abort")),
        };
        assert_eq!(second.does(game, "join", json!({})).await.status, 200);
        if let Some((who, what)) = ends {
            assert_eq!(who.does(game, what, json!({})).await.status, 200);
            if what == "offer_draw" {
                assert_eq!(
                    first.does(game, what, json!({})).await.status,
                    200,
                    "an offer against an offer"
                );
            }
        }
    }
    games.reverse();
    games
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_filtered_and_come_in_pages_without_gap_or_overlap() {
    let server = TestServer::start().await;
    let games = many_games(&server).await;
    let http = Http::nobody(&server);
    let list = async |query: &str| -> Vec<GameId> {
        let page: GamePage = http.get(&format!("/api/games?{query}")).await.parsed();
        page.games.iter().map(|summary| summary.game).collect()
    };
    assert_eq!(list("").await, games, "the newest first");

    let numbered = |wanted: &dyn Fn(usize) -> bool| -> Vec<GameId> {
        games
            .iter()
            .zip((0..24).rev())
            .filter(|(_, number)| wanted(*number))
            .map(|(game, _)| *game)
            .collect()
    };
    let cases: [(&str, Condition); 28] = [
        ("status=open", |number| number % 6 == 0),
        ("status=playing", |number| number % 6 == 1),
        ("status=ended", |number| number % 6 > 1),
        ("result=second", |number| number % 6 == 2),
        ("result=first", |number| number % 6 == 3),
        ("result=draw", |number| number % 6 == 4),
        ("result=aborted", |number| number % 6 == 5),
        ("ruleset=doushouqi/booklet", |number| number % 3 == 1),
        ("ruleset=doushouqi%2Fbooklet", |number| number % 3 == 1),
        ("ruleset=xiangqi/grunfeld", |_| false),
        ("clock=fischer", |number| number % 4 == 0),
        ("clock=byoyomi", |number| number % 4 == 1),
        ("clock=per_move", |number| number % 4 == 2),
        ("clock=none", |number| number % 4 == 3),
        ("reason=resignation", |number| {
            (2..=3).contains(&(number % 6))
        }),
        ("reason=agreement", |number| number % 6 == 4),
        ("reason=aborted&result=aborted", |number| number % 6 == 5),
        ("reason=aborted&result=draw", |_| false),
        ("plies_from=0", |number| number % 6 > 1),
        ("plies_until=1&clock=none", |number| {
            number % 6 > 1 && number % 4 == 3
        }),
        ("plies_from=1", |_| false),
        ("rated=false&clock=none", |number| number % 4 == 3),
        ("rated=true", |_| false),
        // Guests have no rating.
        ("rating_from=0", |_| false),
        ("game=doushouqi", |_| true),
        ("game=xiangqi", |_| false),
        ("game=doushouqi&ruleset=doushouqi/booklet", |number| {
            number % 3 == 1
        }),
        (
            "clock=none&status=ended&ruleset=doushouqi/ancientchess",
            |number| number % 4 == 3 && number % 6 > 1 && number % 3 == 0,
        ),
    ];
    for (query, wanted) in &cases {
        assert_eq!(list(query).await, numbered(wanted), "{query}");
    }

    // By player, by time.
    let page: GamePage = http.get("/api/games?status=playing").await.parsed();
    let player = page.games[0].players.second.as_ref().unwrap().id;
    assert_eq!(
        list(&format!("player={player}")).await,
        [page.games[0].game]
    );
    let other = page.games[0].players.first.as_ref().unwrap().id;
    for against in [other, player] {
        let both = list(&format!("player={player}&against={against}")).await;
        let expected = usize::from(against == other);
        assert_eq!(both.len(), expected, "against {against}");
    }
    let at = page.games[0].created_at;
    let from = list(&format!("from={at}")).await;
    let until = list(&format!("until={at}")).await;
    assert!(from.contains(&page.games[0].game) && !until.contains(&page.games[0].game));
    assert_eq!(from.len() + until.len(), games.len());

    // Page by page, while new games are opened.
    let mut seen = Vec::new();
    let mut path = "/api/games?limit=5".to_owned();
    loop {
        let page: GamePage = http.get(&path).await.parsed();
        assert!(page.games.len() <= 5);
        seen.extend(page.games.iter().map(|summary| summary.game));
        Http::guest(&server).await.opens(&Setup::default()).await;
        match page.before {
            Some(before) => path = format!("/api/games?limit=5&before={before}"),
            None => break,
        }
    }
    assert_eq!(seen, games);
    let running: GamePage = http.get("/api/games?status=playing").await.parsed();
    assert!(
        running.games.iter().all(|summary| summary.plies.is_none()),
        "a running game does not tell how far it is"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_by_link_is_found_by_everybody_who_knows_it_and_listed_to_its_players_alone() {
    let server = TestServer::start().await;
    let [first, second, other] = [
        Http::guest(&server).await,
        Http::guest(&server).await,
        Http::guest(&server).await,
    ];
    let setup = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let game = first.opens(&setup).await;
    let listed = async |http: &Http| -> usize {
        http.get("/api/games")
            .await
            .parsed::<GamePage>()
            .games
            .len()
    };
    assert_eq!(
        (
            listed(&first).await,
            listed(&second).await,
            listed(&other).await
        ),
        (1, 0, 0)
    );
    assert_eq!(second.does(game, "join", json!({})).await.status, 200);
    assert_eq!(
        (
            listed(&first).await,
            listed(&second).await,
            listed(&other).await
        ),
        (1, 1, 0)
    );
    let player = first.id().await;
    let asked: GamePage = other
        .get(&format!("/api/games?player={player}"))
        .await
        .parsed();
    assert!(asked.games.is_empty(), "nor by asking for its player");
    assert_eq!(other.get(&format!("/api/games/{game}")).await.status, 200);
    assert_eq!(
        Http::nobody(&server)
            .get(&format!("/api/games/{game}/positions"))
            .await
            .status,
        200
    );
}
