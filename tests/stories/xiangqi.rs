//! Xiangqi over the network: check and checkmate, perpetual check, and a draw by repetition.

use qiguan_protocol::{
    error::ErrorCode,
    event::GameEvent,
    ids::GameId,
    names::{BanReason, EndReason, Outcome, Seat, Status},
};
use qiguan_tests::{Client, Program, Seats, Setup};
use serde_json::json;

async fn begin(program: &Program) -> Seats {
    Seats::begin_with(program, &Setup::default().ruleset("xiangqi/standard")).await
}

/// How the game ends in the eyes of a client.
async fn end(client: &mut Client, game: GameId) -> Outcome {
    let ended = client
        .event_where(game, |event| matches!(event, GameEvent::Ended { .. }))
        .await;
    match ended.event {
        GameEvent::Ended { outcome, .. } => outcome,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_to_checkmate_is_played_and_a_spectator_sees_every_check() {
    let program = Program::start().await;
    let mut seats = begin(&program).await;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(seats.game).await;

    let mut seen = String::new();
    for (mv, ply) in [
        "h3h5", "g10i8", "h5c5", "e10e9", "c5e5", "e9f9", "e5f5", "d10e9", "b3f3",
    ]
    .into_iter()
    .zip(1..)
    {
        let theirs = seats.plays(ply, mv).await.expect("it is legal");
        let shown = spectator
            .event_where(seats.game, |event| matches!(event, GameEvent::Moved { .. }))
            .await;
        let position = shown.position.expect("a move changes it");
        assert_eq!((position.check, position.legal), (theirs.check, None));
        seen.push_str(mv);
        seen.push_str(if position.check { "+ " } else { " " });
    }
    assert_eq!(seen, "h3h5 g10i8 h5c5 e10e9 c5e5+ e9f9 e5f5 d10e9 b3f3+ ");

    let outcome = end(&mut spectator, seats.game).await;
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Seat::First), EndReason::Checkmate)
    );
    let view = seats.second.looks(&program, seats.game).await;
    assert_eq!((view.status, view.outcome), (Status::Ended, Some(outcome)));
    assert!(view.position.check, "the mated General is still in check");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_is_stalemated_loses_in_everybody_s_eyes() {
    let program = Program::start().await;
    let mut seats = begin(&program).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    let moves = [
        "h3h10", "b8b1", "a1b1", "h8b8", "b3b10", "a10a8", "b1b8", "i10i8", "b8a8", "i8g8", "a8g8",
        "a7a6", "g8g10", "c7c6", "g10g7", "f10e9", "g7e7", "e10f10", "e7e9", "i7i6", "h10d10",
        "c6c5", "c4c5", "a6a5", "a4a5", "i6i5", "i4i5",
    ];
    seats.play(1, &moves).await;
    let outcome = Outcome {
        winner: Some(Seat::First),
        reason: EndReason::Stalemate,
    };
    for client in [&mut seats.first, &mut seats.second, &mut spectator] {
        assert_eq!(end(client, game).await, outcome);
    }
    let view = seats.second.looks(&program, game).await;
    assert_eq!((view.status, view.outcome), (Status::Ended, Some(outcome)));
    assert_eq!(
        (view.position.turn, view.position.check),
        (Seat::Second, false)
    );
    let late = seats
        .second
        .is_refused(game, "move", json!({"ply": 28, "move": "f10f9"}));
    assert_eq!(late.await, ErrorCode::GameOver);
    let (_, ended) = program.get("/api/games?result=first").await;
    assert!(
        ended.contains(&game.to_string()) && ended.contains("\"stalemate\""),
        "{ended}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_perpetual_check_is_shown_as_banned_before_it_is_played_and_refused() {
    let program = Program::start().await;
    let mut seats = begin(&program).await;
    seats.play(1, &["h3d3", "c10a8", "b3b10", "d10e9"]).await;
    let round = ["d3d10", "a8c10", "d10d3", "c10a8"];
    seats.play(5, &round).await;
    seats.play(9, &round).await;

    let view = seats.first.looks(&program, seats.game).await;
    assert_eq!(view.status, Status::Playing, "the checked side may repeat");
    let banned: Vec<_> = view
        .position
        .banned
        .iter()
        .map(|ban| (ban.text.as_str(), ban.reason))
        .collect();
    assert_eq!(banned, [("d3d10", BanReason::PerpetualCheck)]);
    let legal = view.position.legal.expect("it is this player's move");
    assert!(legal.iter().all(|mv| mv.as_str() != "d3d10"));

    let refused = seats.first.plays(seats.game, 13, "d3d10").await;
    let error = refused.expect_err("it is banned");
    assert_eq!(error.code, ErrorCode::BannedMove);
    assert!(error.message.contains("perpetual_check"), "{error}");
    let opponent = seats.second.looks(&program, seats.game).await;
    assert_eq!(opponent.position.banned, [], "it is not their move");

    seats.play(13, &["d3d9"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_that_comes_back_twice_without_an_offender_draws_the_game() {
    let program = Program::start().await;
    let mut seats = begin(&program).await;
    let round = ["a1a2", "a10a9", "a2a1", "a9a10"];
    seats.play(1, &round).await;
    seats.play(5, &round).await;
    let game = seats.game;
    let outcome = end(&mut seats.first, game).await;
    assert_eq!(
        (outcome.winner, outcome.reason),
        (None, EndReason::Repetition)
    );
    let late = seats
        .first
        .is_refused(game, "move", json!({"ply": 9, "move": "a1a2"}));
    assert_eq!(late.await, ErrorCode::GameOver);
}
