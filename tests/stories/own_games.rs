//! A connection that asks for its player's running games is told how they go on, without watching them.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::ServerNoticeKind,
    ids::{GameId, Millis},
    names::{Seat, Status},
    own_game::OwnGame,
};
use qiguan_tests::{Client, Program, Seats, Setup, client::Frame, waiting::in_time};
use serde_json::json;

pub(super) async fn own_games(client: &mut Client) -> Vec<OwnGame> {
    let Answer::OwnGames { games } = client.asks("own_games", json!({})).await else {
        panic!("no own games")
    };
    games
}

/// Reads on until a game is told of that is as looked for.
pub(super) async fn told(
    client: &mut Client,
    game: GameId,
    wanted: impl Fn(&OwnGame) -> bool,
) -> OwnGame {
    let looking = async {
        loop {
            if let Frame::Server(ServerNoticeKind::OwnGame { game: told }) =
                client.next().await.expect("a notice")
                && told.game == game
                && wanted(&told)
            {
                return *told;
            }
        }
    };
    in_time("a notice of an own game", looking).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_on_another_page_is_told_whose_turn_it_is_and_what_is_left() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut page = seats.second.again(program.address()).await;
    let games = own_games(&mut page).await;
    let [before] = games.as_slice() else {
        panic!("one game is running")
    };
    assert_eq!(
        (before.game, before.you, before.your_turn),
        (game, Seat::Second, false)
    );
    assert_eq!(Some(&before.opponent), seats.first.player.as_ref());

    seats.play(1, &["a3a4"]).await;
    let called = told(&mut page, game, |own| own.your_turn).await;
    assert!(called.seq > before.seq);
    assert_eq!(called.clocks.running, Some(Seat::Second));
    let left = called.clocks.left.expect("a clock").second.ms;
    assert!(Millis(0) < left && left <= Millis(300_000), "{left:?}");
    seats.play(2, &["g7g6"]).await;
    told(&mut page, game, |own| !own.your_turn).await;

    // A restart ends no game: the next connection receives the same.
    let program = program.kill().await.restart().await;
    let mut page = page.again(program.address()).await;
    let again = own_games(&mut page).await;
    assert_eq!(again.iter().map(|own| own.game).collect::<Vec<_>>(), [game]);
    let mut first = seats.first.again(program.address()).await;
    first.watches(game).await;
    first
        .does(game, "resign", json!({}))
        .await
        .expect("resigned");
    let over = told(&mut page, game, |own| own.status == Status::Ended).await;
    assert!(!over.your_turn);
    let mut late = page.again(program.address()).await;
    assert_eq!(own_games(&mut late).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_waits_for_a_setup_until_its_player_is_ready() {
    let program = Program::start().await;
    let seats = Seats::setting_up(&program, &Setup::default().ruleset("luzhanqi/referee")).await;
    let game = seats.game;
    let mut page = seats.first.again(program.address()).await;
    let games = own_games(&mut page).await;
    assert!(games[0].your_turn && games[0].setup_until.is_some());
    let mut first = seats.first;
    first.does(game, "ready", json!({})).await.expect("ready");
    told(&mut page, game, |own| {
        !own.your_turn && own.setup_until.is_some()
    })
    .await;
    let mut second = seats.second;
    second.does(game, "ready", json!({})).await.expect("ready");
    told(&mut page, game, |own| {
        own.your_turn && own.setup_until.is_none()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn own_games_are_a_players_alone_and_asked_for_once() {
    let program = Program::start().await;
    let mut stranger = Client::spectator(program.address()).await;
    let refused = stranger.request("own_games", json!({})).await;
    assert_eq!(
        refused.err().map(|error| error.code),
        Some(ErrorCode::Unauthenticated)
    );
    let mut player = Client::guest(program.address()).await;
    assert_eq!(own_games(&mut player).await, []);
    let refused = player.request("own_games", json!({})).await;
    assert_eq!(
        refused.err().map(|error| error.code),
        Some(ErrorCode::BadRequest)
    );
}
