//! Rated games: both ratings change with the end of the game, once, and everybody is notified.

use std::ffi::OsStr;

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::GameNoticeKind,
    ids::GameId,
    names::{BySeat, RatingChange},
    profile::{HistoryKind, Profile, RatingHistory},
    view::GameView,
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    command::run,
    game::{command_data, done},
    http::Http,
    on_every_database, record,
};
use serde_json::json;

const SET: &str = "doushouqi/ancientchess";

on_every_database![
    a_rated_game_changes_both_ratings_and_everybody_is_told,
    a1_a2_killed_while_a_rated_game_ends_it_is_rated_once_or_not_at_all,
    a_withdrawn_result_is_computed_out_of_all_ratings,
];

/// Two accounts.
async fn two(program: &Program) -> [Http; 2] {
    [
        Http::registered(program, "Anna").await,
        Http::registered(program, "Bodo").await,
    ]
}

/// They sit at a game.
async fn sit(program: &Program, [anna, bodo]: &[Http; 2], setup: &Setup) -> Seats {
    let (first, second) = (anna.socket(program).await, bodo.socket(program).await);
    Seats::sit(first, second, setup).await
}

/// A rated game that the first of them wins.
async fn anna_wins(program: &Program, players: &[Http; 2]) -> GameId {
    let mut seats = sit(program, players, &Setup::rated()).await;
    let game = seats.game;
    done(seats.second.does(game, "resign", json!({})).await).expect("resigned");
    told(&mut seats.first, game).await;
    game
}

async fn told(client: &mut Client, game: GameId) -> BySeat<RatingChange> {
    let rated = |notice: &GameNoticeKind| matches!(notice, GameNoticeKind::Rated { .. });
    let GameNoticeKind::Rated { ratings } = client.notice_where(game, rated).await else {
        unreachable!()
    };
    ratings
}

async fn profile(http: &Http) -> Profile {
    let id = http.id().await;
    http.get(&format!("/api/players/{id}")).await.parsed()
}

/// The rating of Dou Shou Qi; none before the first game.
async fn rating(http: &Http) -> Option<i32> {
    let profile = profile(http).await;
    assert!(profile.ratings.len() <= 1, "{profile:?}");
    profile.ratings.first().map(|rating| rating.rating.value)
}

async fn history(http: &Http) -> RatingHistory {
    let id = http.id().await;
    let path = format!("/api/players/{id}/ratings?ruleset={SET}");
    http.get(&path).await.parsed()
}

async fn a_rated_game_changes_both_ratings_and_everybody_is_told(start: fn() -> Start) {
    let program = start().start().await;
    let players = two(&program).await;
    let mut seats = sit(&program, &players, &Setup::rated()).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    let before = spectator.snapshot(game).await;
    assert!(before.rated && before.ratings.is_none());
    let first = before.players.first.expect("somebody");
    let rating_of_first = first.rating.expect("who has an account has a rating");
    assert_eq!(
        (rating_of_first.value, rating_of_first.provisional),
        (1500, true)
    );

    done(seats.second.does(game, "resign", json!({})).await).expect("resigned");
    let ratings = told(&mut seats.first, game).await;
    let expected = BySeat {
        first: RatingChange {
            before: 1500,
            after: 1662,
            provisional: true,
        },
        second: RatingChange {
            before: 1500,
            after: 1338,
            provisional: true,
        },
    };
    assert_eq!(ratings, expected);
    assert_eq!(told(&mut seats.second, game).await, expected);
    assert_eq!(told(&mut spectator, game).await, expected);
    let mut late = Client::spectator(program.address()).await;
    assert_eq!(late.snapshot(game).await.ratings, Some(expected));
    let [anna, bodo] = &players;
    assert_eq!(
        (rating(anna).await, rating(bodo).await),
        (Some(1662), Some(1338))
    );

    let next = seats.rematch().await;
    let view: GameView = anna.get(&format!("/api/games/{next}")).await.parsed();
    let shown = [view.players.first, view.players.second].map(|player| {
        player
            .and_then(|player| player.rating)
            .map(|rating| rating.value)
    });
    assert!(view.rated, "a rematch is rated as the game before");
    assert_eq!(shown, [Some(1338), Some(1662)], "with the ratings of now");

    let program = program.kill().await.restart().await;
    let nobody = Http::nobody(&program);
    let later: GameView = nobody.get(&format!("/api/games/{game}")).await.parsed();
    assert_eq!(later.ratings, Some(expected));
    assert!(record::is_sound(&program.database()).await >= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn casual_and_aborted_games_leave_ratings_alone_and_guests_play_no_rated_ones() {
    let program = Program::start().await;
    let players = two(&program).await;
    for (setup, how) in [(Setup::default(), "resign"), (Setup::rated(), "abort")] {
        let mut seats = sit(&program, &players, &setup).await;
        let game = seats.game;
        done(seats.second.does(game, how, json!({})).await).expect("ended");
        let view = seats
            .first
            .again(program.address())
            .await
            .snapshot(game)
            .await;
        assert_eq!(view.ratings, None);
    }
    assert_eq!(
        (rating(&players[0]).await, rating(&players[1]).await),
        (None, None)
    );

    let guest = Http::guest(&program).await;
    let refused = guest
        .post("/api/games", Some(&Setup::rated().create(command_id())))
        .await;
    assert_eq!(refused.refusal(), (403, ErrorCode::NeedsAccount));
    let game = players[0].opens(&Setup::rated()).await;
    let refused = guest.does(game, "join", json!({})).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::NeedsAccount));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_play_no_rated_game_and_each_plays_one_with_a_person() {
    let program = Program::start().await;
    let mut bots = Vec::new();
    for name in ["Robot", "Golem"] {
        let bot = Http::registered(&program, name).await;
        assert_eq!(bot.post("/api/account/bot", None).await.status, 204);
        bots.push(bot.signs_in(name).await);
    }
    let game = bots[0].opens(&Setup::rated()).await;
    let refused = bots[1].does(game, "join", json!({})).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
    let anna = Http::registered(&program, "Anna").await;
    assert_eq!(anna.does(game, "join", json!({})).await.status, 200);

    let mut challenge = Setup::rated().create(command_id());
    challenge["to"] = json!("Golem");
    let refused = bots[0].post("/api/games", Some(&challenge)).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
    let casual = bots[0].opens(&Setup::default()).await;
    assert_eq!(bots[1].does(casual, "join", json!({})).await.status, 200);
}

async fn a1_a2_killed_while_a_rated_game_ends_it_is_rated_once_or_not_at_all(start: fn() -> Start) {
    for (point, stored) in [
        ("before_commit", false),
        ("after_commit", true),
        ("before_answer", true),
    ] {
        let program = start()
            .with("--restart-grace-ms", 100)
            .faults(format!("{point}/resign=abort@1"))
            .start()
            .await;
        let players = two(&program).await;
        let mut seats = sit(&program, &players, &Setup::rated()).await;
        let (game, id) = (seats.game, command_id());
        let data = command_data(game, id, json!({}));
        seats.second.sends("resign", data).await;
        let program = program.dies().await.restart().await;
        let anna = Http::nobody(&program).signs_in("Anna").await;
        assert_eq!(rating(&anna).await, stored.then_some(1662), "{point}");
        let mut bodo = seats.second.again(program.address()).await;
        done(bodo.does_as(game, "resign", json!({}), id).await).expect("as before, or now");
        let changes = history(&anna).await.changes;
        assert_eq!(changes.len(), 1, "{point}: rated once");
        assert_eq!(
            bodo.snapshot(game)
                .await
                .ratings
                .expect("rated")
                .first
                .after,
            1662
        );
        record::is_sound(&program.database()).await;
    }
}

async fn a_withdrawn_result_is_computed_out_of_all_ratings(start: fn() -> Start) {
    let program = start().start().await;
    let players = two(&program).await;
    let [anna, bodo] = &players;
    let first = anna_wins(&program, &players).await;
    anna_wins(&program, &players).await;
    let before = (rating(anna).await, rating(bodo).await);
    let withdraw = format!("/api/games/{first}/withdraw");
    let reason = json!({"reason": "a program has helped"});
    let refused = anna.post(&withdraw, Some(&reason)).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));

    let judge = Http::moderator(&program, "Solomon").await;
    let own = judge.opens(&Setup::rated()).await;
    assert_eq!(anna.does(own, "join", json!({})).await.status, 200);
    for ruling in ["withdraw", "restore"] {
        let path = format!("/api/games/{own}/{ruling}");
        let refused = judge.post(&path, Some(&reason)).await;
        assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden), "{ruling}");
    }
    assert_eq!(judge.does(own, "abort", json!({})).await.status, 200);
    let blank = judge.post(&withdraw, Some(&json!({"reason": " "}))).await;
    assert_eq!(blank.refusal(), (400, ErrorCode::BadValue));
    for _ in 0..2 {
        let withdrawn = judge.post(&withdraw, Some(&reason)).await;
        assert_eq!(withdrawn.status, 204, "{withdrawn:?}");
    }
    // One win between newcomers is left.
    assert_eq!(
        (rating(anna).await, rating(bodo).await),
        (Some(1662), Some(1338))
    );
    let kinds: Vec<_> = history(anna)
        .await
        .changes
        .iter()
        .map(|change| change.kind)
        .collect();
    let expected = [
        HistoryKind::Revised,
        HistoryKind::Played,
        HistoryKind::Withdrawn,
    ];
    assert_eq!(kinds, expected);
    let view: GameView = anna.get(&format!("/api/games/{first}")).await.parsed();
    let ratings = view.ratings.expect("it was rated").first;
    assert_eq!((ratings.before, ratings.after), (1500, 1500));
    let replayed = record::events(&program.database(), first).await;
    assert!(
        replayed.iter().any(|event| event.body["t"] == "ended"),
        "the game stays"
    );

    let url = program.database().url();
    let operator = async |words: &[&dyn AsRef<OsStr>]| {
        let database: [&dyn AsRef<OsStr>; 2] = [&"--database", &url];
        let ran = run(&[words, &database].concat()).await.well();
        ran.out
    };
    let (id, reason_text) = (first.to_string(), "again");
    let again = operator(&[&"admin", &"withdraw", &id, &reason_text]).await;
    assert!(again.contains("nothing changed"), "{again}");
    let counts = operator(&[&"admin", &"restore", &id]).await;
    assert!(counts.contains("2 players"), "{counts}");
    assert_eq!((rating(anna).await, rating(bodo).await), before);
    let withdrawn = operator(&[&"admin", &"withdraw", &id, &reason_text]).await;
    assert!(withdrawn.contains("2 players"), "{withdrawn}");

    anna_wins(&program, &players).await;
    let restored = judge
        .post(&format!("/api/games/{first}/restore"), None)
        .await;
    assert_eq!(restored.status, 204, "{restored:?}");
    let three = (rating(anna).await, rating(bodo).await);
    assert!(
        three.0 > before.0 && three.1 < before.1,
        "three wins count: {three:?}"
    );
    record::is_sound(&program.database()).await;
    let casual = anna.opens(&Setup::default()).await;
    let nothing = judge
        .post(&format!("/api/games/{casual}/withdraw"), Some(&reason))
        .await;
    assert_eq!(nothing.refusal(), (404, ErrorCode::NotFound));
}

#[tokio::test(flavor = "multi_thread")]
async fn a21_many_rated_games_of_the_same_players_that_end_at_once_all_count() {
    const GAMES: usize = 12;
    let program = Program::start().await;
    let [anna, bodo] = &two(&program).await;
    let mut games = Vec::new();
    for _ in 0..GAMES {
        let game = anna.opens(&Setup::rated()).await;
        assert_eq!(bodo.does(game, "join", json!({})).await.status, 200);
        games.push(game);
    }
    let resigning = games
        .iter()
        .map(|game| bodo.does(*game, "resign", json!({})));
    for resigned in futures_util::future::join_all(resigning).await {
        assert_eq!(resigned.status, 200, "{resigned:?}");
    }
    let changes = history(anna).await.changes;
    let numbers: Vec<_> = changes.iter().map(|change| change.number).collect();
    assert_eq!(numbers, (1..=GAMES as u32).rev().collect::<Vec<_>>());
    for pair in changes.windows(2) {
        assert_eq!(
            pair[0].before, pair[1].after,
            "each goes on from the one before"
        );
    }
    let mut named: Vec<_> = changes.iter().filter_map(|change| change.game).collect();
    named.sort_unstable();
    assert_eq!(named, games);
    record::is_sound(&program.database()).await;
    let mut client = anna.socket(&program).await;
    let Answer::Created { .. } = client
        .asks("create_game", Setup::rated().create(command_id()))
        .await
    else {
        panic!("a rated game can be opened over the socket")
    };
}
