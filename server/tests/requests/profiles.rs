//! What everybody may know of a player: results, histories, leaderboards; and what not.

use qiguan_protocol::{
    error::ErrorCode,
    names::Role,
    profile::{FoundPlayers, HeadToHead, Leaderboard, Profile, RatingHistory},
};
use qiguan_tests::{Setup, game::fischer};
use serde_json::json;

use crate::server::{Http, TestServer};

const SET: &str = "doushouqi/ancientchess";

/// A game that the second player resigns.
async fn wins(first: &Http, second: &Http, setup: &Setup) {
    let game = first.opens(setup).await;
    assert_eq!(second.does(game, "join", json!({})).await.status, 200);
    assert_eq!(second.does(game, "resign", json!({})).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn i10_no_public_count_tells_of_games_by_link() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let hidden = Setup {
        visibility: "link",
        ..Setup::rated()
    };
    wins(&anna, &bodo, &Setup::rated()).await;
    wins(&bodo, &anna, &hidden).await;
    wins(
        &anna,
        &bodo,
        &Setup {
            visibility: "link",
            ..Setup::default()
        },
    )
    .await;
    wins(&anna, &bodo, &Setup::default().ruleset("doushouqi/booklet")).await;
    let id = anna.id().await;
    let nobody = Http::nobody(&server);
    let profile: Profile = nobody.get(&format!("/api/players/{id}")).await.parsed();
    assert_eq!(
        (profile.name.as_str(), profile.role),
        ("Anna", Role::Player)
    );
    let results: Vec<_> = profile
        .results
        .iter()
        .map(|tally| (tally.ruleset.as_str(), tally.won, tally.lost))
        .collect();
    assert_eq!(
        results,
        [(SET, 1, 0), ("doushouqi/booklet", 1, 0)],
        "the public games alone"
    );
    let named: Profile = nobody.get("/api/players?name=aNNa").await.parsed();
    assert_eq!(named, profile);
    for (part, names) in [
        ("O", &["Bodo"][..]),
        ("n", &["Anna"]),
        ("", &[]),
        ("%", &[]),
        ("%00", &[]),
        ("Anna2", &[]),
    ] {
        let path = format!("/api/players/search?part={part}");
        let found: FoundPlayers = nobody.get(&path).await.parsed();
        let found: Vec<_> = found
            .players
            .iter()
            .map(|player| player.name.as_str())
            .collect();
        assert_eq!(found, names, "{path}");
    }
    for wrong in [
        "",
        "?part=a&limit=21",
        "?part=a&limit=0",
        &format!("?part={}", "a".repeat(101)),
    ] {
        let refused = nobody.get(&format!("/api/players/search{wrong}")).await;
        assert_eq!(refused.status, 400, "{wrong}");
    }
    for path in ["/api/players?name=Carla", "/api/players/7"] {
        let refused = nobody.get(path).await;
        assert_eq!(refused.refusal(), (404, ErrorCode::NotFound), "{path}");
    }
    let path = format!("/api/players/{id}/ratings?ruleset={SET}");
    for (viewer, named) in [(&nobody, 1), (&anna, 2), (&bodo, 2)] {
        let history: RatingHistory = viewer.get(&path).await.parsed();
        let games = history.changes.iter().filter_map(|change| change.game);
        assert_eq!((history.changes.len(), games.count()), (2, named));
    }
    let page: RatingHistory = nobody.get(&format!("{path}&limit=1")).await.parsed();
    assert_eq!((page.changes.len(), page.before), (1, Some(2)));
    let wrong = nobody
        .get(&format!("/api/players/{id}/ratings?ruleset=chess"))
        .await;
    assert_eq!(wrong.refusal(), (400, ErrorCode::UnknownRuleset));
    let other = bodo.id().await;
    let path = format!("/api/players/{id}/against/{other}");
    let between: HeadToHead = nobody.get(&path).await.parsed();
    assert_eq!(
        between.results, profile.results,
        "they have played nobody else"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leaderboard_has_those_who_are_known_well() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let carla = Http::registered(&server, "Carla").await;
    let quick = Setup::rated().time_control(fischer(60_000, 0));
    for _ in 0..12 {
        wins(&anna, &bodo, &quick).await;
        wins(&bodo, &anna, &quick).await;
    }
    wins(&anna, &bodo, &quick).await;
    wins(&carla, &bodo, &quick).await;
    let nobody = Http::nobody(&server);
    let path = format!("/api/leaderboards/{SET}");
    let board: Leaderboard = nobody.get(&path).await.parsed();
    let names: Vec<_> = board
        .leaders
        .iter()
        .map(|leader| leader.name.as_str())
        .collect();
    assert_eq!(names, ["Anna", "Bodo"], "Carla is provisional: {board:?}");
    let first: Leaderboard = nobody.get(&format!("{path}?limit=1")).await.parsed();
    let after = first.after.expect("there is more");
    let second: Leaderboard = nobody
        .get(&format!("{path}?limit=1&after={after}"))
        .await
        .parsed();
    assert_eq!([first.leaders, second.leaders].concat(), board.leaders);
    for (query, code) in [
        ("?limit=0", ErrorCode::BadValue),
        ("?after=x", ErrorCode::BadValue),
        ("?rank=1", ErrorCode::BadRequest),
    ] {
        let refused = nobody.get(&format!("{path}{query}")).await;
        assert_eq!(refused.refusal(), (400, code), "{query}");
    }
    let unknown = nobody.get("/api/leaderboards/chess/standard").await;
    assert_eq!(unknown.refusal(), (400, ErrorCode::UnknownRuleset));
}
