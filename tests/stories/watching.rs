//! What can be watched: the list of running games, how many look on, and the featured game of each kind.

use qiguan_protocol::{
    error::ErrorCode,
    ids::{GameId, Ply},
    live::{LiveGame, LiveGames, Tv},
};
use qiguan_tests::{Client, Program, Seats, Setup, http::Http, waiting::eventually};
use serde_json::json;

async fn live(http: &Http, query: &str) -> LiveGames {
    http.get(&format!("/api/live{query}")).await.parsed()
}

async fn ids(http: &Http, query: &str) -> Vec<GameId> {
    let games = live(http, query).await.games;
    games.iter().map(|game| game.game).collect()
}

/// What is featured of a kind.
async fn featured(http: &Http, kind: &str) -> Option<LiveGame> {
    let tv: Tv = http.get("/api/tv").await.parsed();
    let mut channels = tv.channels.into_iter();
    let channel = channels.find(|channel| channel.kind == kind);
    channel.expect("a channel of each kind").game
}

async fn rated(program: &Program, names: [&str; 2]) -> Seats {
    let mut players = Vec::new();
    for name in names {
        let account = Http::registered(program, name).await;
        players.push(account.socket(program).await);
    }
    let (Some(second), Some(first)) = (players.pop(), players.pop()) else {
        unreachable!()
    };
    Seats::sit(first, second, &Setup::rated()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_the_public_are_listed_while_play_goes_on_with_their_ply_and_spectators() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    assert_eq!(live(&http, "").await.total, 0);
    let by_link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let hidden = Seats::begin_with(&program, &by_link).await;
    let open = Http::guest(&program).await.opens(&Setup::default()).await;
    let mut casual = Seats::begin(&program).await;
    let xiangqi = Seats::begin_with(&program, &Setup::default().ruleset("xiangqi/standard")).await;
    let setting_up =
        Seats::setting_up(&program, &Setup::default().ruleset("luzhanqi/referee")).await;
    let rated = rated(&program, ["anna", "ben"]).await;

    let all = vec![rated.game, xiangqi.game, casual.game];
    let listed = eventually("the list", async || {
        Some(ids(&http, "").await).filter(|found| found.len() == 3)
    })
    .await;
    assert_eq!(listed, all, "rated players first, then the youngest");
    for absent in [hidden.game, open, setting_up.game] {
        assert!(!listed.contains(&absent));
    }
    assert_eq!(ids(&http, "?game=xiangqi").await, [xiangqi.game]);
    let of_set = ids(&http, "?ruleset=doushouqi/ancientchess").await;
    assert_eq!(of_set, [rated.game, casual.game]);
    assert!(
        ids(&http, "?game=xiangqi&ruleset=doushouqi/booklet")
            .await
            .is_empty()
    );
    let first = live(&http, "?limit=1").await;
    assert_eq!((first.games.len(), first.total), (1, 3));
    let names = [
        &first.games[0].players.first,
        &first.games[0].players.second,
    ];
    assert_eq!(names.map(|player| player.name.as_str()), ["anna", "ben"]);
    assert!(names.iter().all(|player| player.rating.is_some()) && first.games[0].rated);
    for (query, field) in [
        ("?limit=0", "limit"),
        ("?limit=101", "limit"),
        ("?game=go", "game"),
    ] {
        let refused = http.get(&format!("/api/live{query}")).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
        assert_eq!(refused.error().field.as_deref(), Some(field));
    }

    casual.play(1, &["a3a4", "g7g6"]).await;
    let mut spectators = Vec::new();
    for _ in 0..3 {
        let mut spectator = Client::spectator(program.address()).await;
        spectator.watches(casual.game).await;
        spectators.push(spectator);
    }
    let is_shown_with = async |count: u32| {
        eventually("the game as it stands", async || {
            let games = live(&http, "").await.games;
            let shown = games.iter().find(|game| game.game == casual.game)?;
            ((shown.ply, shown.spectators) == (Ply(2), count)).then_some(())
        })
        .await;
    };
    is_shown_with(3).await;
    spectators.pop().unwrap().leaves().await;
    is_shown_with(2).await;
    let resigned = casual.first.does(casual.game, "resign", json!({})).await;
    resigned.unwrap();
    eventually("the end of the game", async || {
        let left = ids(&http, "").await;
        (left == [rated.game, xiangqi.game]).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_featured_game_stays_until_it_ends_and_then_the_best_of_the_others_follows() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    assert_eq!(featured(&http, "doushouqi").await, None);
    let is_featured = async |game: Option<GameId>| {
        eventually("another featured game", async || {
            let now = featured(&http, "doushouqi").await;
            (now.map(|now| now.game) == game).then_some(())
        })
        .await;
    };
    let no_clock = json!({"clock": {"type": "none"}});
    let endless = Seats::begin_with(&program, &Setup::default().time_control(no_clock)).await;
    let mut casual = Seats::begin(&program).await;
    is_featured(Some(casual.game)).await;
    let mut rated = rated(&program, ["anna", "ben"]).await;
    let younger = Seats::begin(&program).await;
    let count = eventually("the list", async || {
        Some(live(&http, "").await.total).filter(|total| *total == 4)
    });
    assert_eq!(count.await, 4);
    is_featured(Some(casual.game)).await;
    casual
        .first
        .does(casual.game, "abort", json!({}))
        .await
        .unwrap();
    is_featured(Some(rated.game)).await;
    rated
        .second
        .does(rated.game, "resign", json!({}))
        .await
        .unwrap();
    is_featured(Some(younger.game)).await;
    // After a restart there is a featured game again, and every other running game, as soon as their rooms were opened.
    let program = program.kill().await.restart().await;
    let http = Http::nobody(&program);
    let again = eventually("the featured game", async || {
        featured(&http, "doushouqi").await
    });
    assert_eq!(again.await.game, younger.game);
    eventually("the game without a clock", async || {
        ids(&http, "").await.contains(&endless.game).then_some(())
    })
    .await;
    assert_eq!(featured(&http, "xiangqi").await, None);
}
