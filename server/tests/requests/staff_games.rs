//! What moderators and admins see of games: every one of them, all that the referee knows, the chat, and where a report points.

use qiguan_protocol::view::GamePage;
use qiguan_tests::{Setup, on_every_database};

use crate::server::{Http, Start};

on_every_database![every_game_is_listed_for_admins_those_by_link_included];

async fn every_game_is_listed_for_admins_those_by_link_included(start: fn() -> Start) {
    let server = start().start().await;
    let admin = Http::admin(&server, "Chief").await;
    let anna = Http::registered(&server, "Anna").await;
    let public = anna.opens(&Setup::default()).await;
    let by_link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let hidden = anna.opens(&by_link).await;
    let id = anna.id().await;
    for query in [
        String::new(),
        "?status=open".to_owned(),
        format!("?player={id}"),
        format!("?player={id}&status=open"),
        "?ruleset=doushouqi/ancientchess".to_owned(),
    ] {
        let listed = async |path: &str| {
            let page: GamePage = admin.get(&format!("{path}{query}")).await.parsed();
            page.games
                .into_iter()
                .map(|game| game.game)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            listed("/api/admin/games").await,
            [hidden, public],
            "{query}"
        );
        assert_eq!(listed("/api/games").await, [public], "{query}");
    }
    // A page follows the other.
    let page: GamePage = admin.get("/api/admin/games?limit=1").await.parsed();
    let path = format!("/api/admin/games?limit=1&before={}", page.before.unwrap());
    let next: GamePage = admin.get(&path).await.parsed();
    assert_eq!([page.games[0].game, next.games[0].game], [hidden, public]);
}
