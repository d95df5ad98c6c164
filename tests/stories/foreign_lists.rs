//! What every program knows of the games of the others: who plays them, which can be watched, and which is featured.

use qiguan_protocol::{
    ids::{GameId, PlayerId, Ply},
    live::{LiveGame, LiveGames, Tv},
    lobby::PlayerPresence,
};
use qiguan_tests::{
    Client, Nats, Program, Seats, Setup,
    http::Http,
    slots::{LOBBY, with_the_owner_first},
    stream::Stream,
    waiting::eventually,
};
use serde_json::json;

use crate::one_lobby::two;

async fn live(program: &Program) -> LiveGames {
    Http::nobody(program).get("/api/live").await.parsed()
}

/// Until a program lists these games and no others, in this order.
async fn lists(program: &Program, games: &[GameId]) {
    eventually("the list of all programs", async || {
        let LiveGames {
            games: listed,
            total,
        } = live(program).await;
        let ids: Vec<_> = listed.iter().map(|game| game.game).collect();
        (ids == games && total as usize == games.len()).then_some(())
    })
    .await;
}

/// Until a program says that a player plays these games.
async fn plays(program: &Program, player: PlayerId, games: &[GameId]) {
    let path = format!("/api/players/{player}/presence");
    eventually("the games of a player", async || {
        let presence = Http::nobody(program).get(&path).await;
        let presence: PlayerPresence = presence.parsed();
        (presence.playing == games).then_some(())
    })
    .await;
}

/// Until a program features a game of Dou Shou Qi, or none.
async fn features(program: &Program, game: Option<GameId>) {
    eventually("the featured game", async || {
        let tv: Tv = Http::nobody(program).get("/api/tv").await.parsed();
        let mut channels = tv.channels.into_iter();
        let channel = channels.find(|channel| channel.kind == "doushouqi")?;
        (channel.game.map(|game| game.game) == game).then_some(())
    })
    .await;
}

/// Reads on until a channel shows a game from its snapshot.
async fn shows(stream: &mut Stream, game: GameId) {
    let of_game = json!({"tv": {"kind": "doushouqi", "game": game}});
    stream.message_where(|message| *message == of_game).await;
    let snapshot = stream.message().await;
    assert_eq!(snapshot["view"]["game"], json!(game));
}

async fn resigns(seats: &mut Seats) {
    let resigned = seats.first.does(seats.game, "resign", json!({})).await;
    resigned.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_listed_at_all_programs_as_it_stands_and_its_players_play_it_there() {
    let nats = Nats::start().await;
    let [one, two] = two(&nats).await;
    let mut seats = Seats::begin(&one).await;
    let mut beside = Seats::begin(&two).await;
    let game = seats.game;
    let player = seats.first.player.as_ref().expect("a player").id;
    let mut order = [game, beside.game];
    order.sort_unstable_by(|one, other| other.cmp(one));
    for program in [&one, &two] {
        lists(program, &order).await;
        plays(program, player, &[game]).await;
    }
    seats.play(1, &["a3a4", "g7g6", "a4a3"]).await;
    let mut spectators = Vec::new();
    for program in [&one, &two] {
        let mut spectator = Client::spectator(program.address()).await;
        spectator.watches(game).await;
        spectators.push(spectator);
    }
    for program in [&one, &two] {
        // The most watched comes first.
        lists(program, &[game, beside.game]).await;
        eventually("the game as it stands", async || {
            let stands = |it: &LiveGame| (it.ply, it.spectators) == (Ply(3), 2);
            live(program)
                .await
                .games
                .first()
                .is_some_and(stands)
                .then_some(())
        })
        .await;
    }
    let (_, count) = two.get("/api/live?limit=1").await;
    let first: LiveGames = serde_json::from_str(&count).expect("a list");
    assert_eq!((first.games.len(), first.total), (1, 2));
    resigns(&mut seats).await;
    for program in [&one, &two] {
        lists(program, &[beside.game]).await;
        plays(program, player, &[]).await;
    }
    resigns(&mut beside).await;
    lists(&one, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_programs_feature_the_same_game_and_streams_follow_it() {
    let nats = Nats::start().await;
    let programs = two(&nats).await;
    let [owner, other] = with_the_owner_first(LOBBY, programs).await;
    let mut seats = Seats::begin(&other).await;
    features(&owner, Some(seats.game)).await;
    features(&other, Some(seats.game)).await;
    let mut streams = Vec::new();
    for program in [&owner, &other] {
        let http = Http::nobody(program);
        let mut stream = http.streams("/api/tv/doushouqi", &[]).await;
        shows(&mut stream, seats.game).await;
        streams.push(stream);
    }
    // Each program has a game of its own by now; nobody is torn away from the one that is on.
    let mut next = Seats::begin(&owner).await;
    lists_both(&other, [seats.game, next.game]).await;
    seats.play(1, &["a3a4"]).await;
    for stream in &mut streams {
        let moved = stream.message_where(|message| message["event"]["ply"] == 1);
        moved.await;
    }
    resigns(&mut seats).await;
    for (stream, program) in streams.iter_mut().zip([&owner, &other]) {
        let ended = stream.message_where(|message| message["event"]["type"] == "ended");
        ended.await;
        shows(stream, next.game).await;
        features(program, Some(next.game)).await;
    }
    resigns(&mut next).await;
    features(&other, None).await;
    features(&owner, None).await;
}

/// Until a program lists two games, in whatever order.
async fn lists_both(program: &Program, games: [GameId; 2]) {
    eventually("both games", async || {
        let listed = live(program).await.games;
        let has = |game: &GameId| listed.iter().any(|it| it.game == *game);
        games.iter().all(has).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_by_delay_is_listed_and_shown_at_another_program_as_far_as_spectators_know_it() {
    let nats = Nats::start().await;
    let [one, two] = two(&nats).await;
    let setup = Setup {
        spectator_delay: json!({"plies": 2}),
        ..Setup::default()
    };
    let mut seats = Seats::begin_with(&one, &setup).await;
    let http = Http::nobody(&two);
    let mut stream = http.streams("/api/tv/doushouqi", &[]).await;
    shows(&mut stream, seats.game).await;
    seats.play(1, &["a3a4", "g7g6", "a4a3"]).await;
    // Of three moves one is known.
    let moved = stream.message_where(|message| message["event"]["type"] == "moved");
    assert_eq!(moved.await["event"]["ply"], 1);
    eventually("the moves that spectators know", async || {
        let games = live(&two).await.games;
        let listed = games.iter().find(|it| it.game == seats.game)?;
        assert!(listed.ply <= Ply(1), "{listed:?}");
        (listed.ply == Ply(1)).then_some(())
    })
    .await;
    resigns(&mut seats).await;
    let ended = stream.message_where(|message| message["event"]["type"] == "ended");
    ended.await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p8_without_nats_each_program_lists_its_own_games_and_then_those_of_all_again() {
    let mut nats = Nats::start().await;
    let programs = two(&nats).await;
    let [owner, other] = with_the_owner_first(LOBBY, programs).await;
    let seats = Seats::begin(&owner).await;
    let beside = Seats::begin(&other).await;
    let player = seats.first.player.as_ref().expect("a player").id;
    lists_both(&other, [seats.game, beside.game]).await;
    features(&other, Some(seats.game)).await;
    nats.is_killed();
    lists(&other, &[beside.game]).await;
    features(&other, Some(beside.game)).await;
    plays(&other, player, &[]).await;
    nats.comes_back().await;
    lists_both(&other, [seats.game, beside.game]).await;
    features(&other, Some(seats.game)).await;
    plays(&other, player, &[seats.game]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p8_the_games_of_a_killed_program_are_listed_once_when_another_one_has_them() {
    let nats = Nats::start().await;
    let programs = two(&nats).await;
    let [owner, other] = with_the_owner_first(LOBBY, programs).await;
    let seats = Seats::begin(&owner).await;
    let player = seats.first.player.as_ref().expect("a player").id;
    features(&other, Some(seats.game)).await;
    let http = Http::nobody(&other);
    let mut stream = http.streams("/api/tv/doushouqi", &[]).await;
    shows(&mut stream, seats.game).await;
    owner.kill().await;
    // The channel goes on where the game does.
    shows(&mut stream, seats.game).await;
    lists(&other, &[seats.game]).await;
    features(&other, Some(seats.game)).await;
    plays(&other, player, &[seats.game]).await;
}
