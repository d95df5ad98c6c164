//! Whole games of every rule set, through two players and a spectator, with rubbish in between.

use std::sync::Arc;

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::GameEvent,
    ids::GameId,
    move_text::MoveText,
    names::{Outcome, Status},
    view::Position,
};
use qiguan_rules::{Game, Move, RuleSet};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    check::check,
    client::command_id,
    game::{done, fischer},
    random::Random,
    record,
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn sixty_whole_games_are_seen_alike_stored_and_judged_alike() {
    whole_games(Start::default(), 12).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_games_are_stored_in_postgres_as_they_are_anywhere() {
    whole_games(Start::on_postgres(), 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_games_on_one_core_are_as_they_are_anywhere() {
    whole_games(Start::on_one_core(), 2).await;
}

async fn whole_games(start: Start, of_each: u64) {
    let program = Arc::new(start.for_machines().start().await);
    let mut games = Vec::new();
    // Where something is hidden nobody sees the same game: Luzhanqi has a story of its own.
    let open = RuleSet::ALL
        .iter()
        .filter(|ruleset| !ruleset.id().starts_with("luzhanqi/"));
    for (ruleset, number) in open.zip(0..) {
        for round in 0..of_each {
            let program = Arc::clone(&program);
            let seed = number * 1_000 + round;
            games.push(tokio::spawn(async move {
                whole_game(&program, ruleset.id(), seed).await
            }));
        }
    }
    let played = games.len() as u64;
    for game in games {
        game.await.unwrap();
    }
    assert_eq!(record::is_sound(&program.database()).await, played);
}

async fn whole_game(program: &Program, ruleset: &'static str, seed: u64) {
    let mut random = Random::new(seed);
    let setup = Setup::default()
        .ruleset(ruleset)
        .time_control(fischer(600_000, 1_000));
    let mut seats = Seats::begin_with(program, &setup).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    let Answer::Snapshot { view, .. } = spectator.watches(game).await else {
        panic!("no snapshot")
    };
    assert_eq!(
        (view.you, view.position.legal),
        (None, None),
        "a spectator gets no list of moves"
    );

    // The referee's own opinion, kept beside.
    let mut judge = Game::start(&RuleSet::named(ruleset).unwrap());
    let mut moves = Vec::new();
    let mut position = seats.first.looks(program, game).await.position;
    while judge.outcome().is_none() {
        let ply = moves.len() as u32 + 1;
        agrees(&position, &judge);
        if random.below(8) == 0 {
            rubbish(&mut seats, &judge, ply, &mut random).await;
        }
        let mv = chosen(&judge, &mut random);
        judge.play(mv).unwrap();
        moves.push(mv.to_string());
        position = seats.plays(ply, &mv.to_string()).await.unwrap();
        let shown = spectator
            .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
            .await;
        let GameEvent::Moved { text, .. } = shown.event else {
            unreachable!()
        };
        assert_eq!(text, MoveText::from(mv));
        assert_eq!(shown.position.unwrap().legal, None);
    }

    let outcome = Outcome::from(judge.outcome().unwrap());
    let [first, second] = seats.both();
    for client in [first, second, &mut spectator] {
        let over = client
            .event_where(game, |event| matches!(event, GameEvent::Ended { .. }))
            .await;
        let GameEvent::Ended { outcome: told, .. } = over.event else {
            unreachable!()
        };
        assert_eq!(told, outcome);
    }
    let view = spectator.looks(program, game).await;
    assert_eq!(
        (view.status, view.outcome, view.position.fen.as_str()),
        (Status::Ended, Some(outcome), judge.fen().as_str())
    );
    stored_and_judged(program, ruleset, game, &moves, &judge).await;
}

/// A random move, though a capture or the den is seldom passed by: so the games end in all the ways there are.
fn chosen(judge: &Game, random: &mut Random) -> Move {
    let legal = judge.legal_moves();
    let wins = legal.iter().find(|mv| {
        let mut after = judge.clone();
        after.play(**mv).is_ok()
            && after
                .outcome()
                .is_some_and(|outcome| outcome.winner.is_some())
    });
    match wins {
        Some(mv) if random.below(3) > 0 => *mv,
        _ => *random.pick(legal),
    }
}

fn agrees(position: &Position, judge: &Game) {
    assert_eq!(position.fen, judge.fen());
    assert_eq!(qiguan_rules::Seat::from(position.turn), judge.turn());
    assert_eq!(position.check, judge.in_check());
    let banned = &position.banned;
    if let Some(legal) = &position.legal {
        let expected: Vec<MoveText> = judge.legal_moves().iter().map(|mv| (*mv).into()).collect();
        assert_eq!(legal, &expected);
        let expected: Vec<MoveText> = judge
            .banned_moves()
            .iter()
            .map(|ban| ban.mv.into())
            .collect();
        assert_eq!(
            banned.iter().map(|ban| &ban.text).collect::<Vec<_>>(),
            expected.iter().collect::<Vec<_>>()
        );
    } else {
        assert!(banned.is_empty(), "only who is to move is told");
    }
}

/// What a player may try and must not get through with; the game goes on as if nothing had happened.
async fn rubbish(seats: &mut Seats, judge: &Game, ply: u32, random: &mut Random) {
    let game = seats.game;
    let [first, second] = seats.both();
    let (mover, waiting) = if ply % 2 == 1 {
        (first, second)
    } else {
        (second, first)
    };
    let some_move = judge.legal_moves()[0].to_string();
    match random.below(7) {
        0 => {
            let refused = mover
                .is_refused(game, "move", json!({"ply": ply, "move": "a1g9"}))
                .await;
            assert_eq!(refused, ErrorCode::IllegalMove);
        }
        1 => {
            if let Some(ban) = judge.banned_moves().first() {
                let refused = mover
                    .is_refused(
                        game,
                        "move",
                        json!({"ply": ply, "move": ban.mv.to_string()}),
                    )
                    .await;
                assert_eq!(refused, ErrorCode::BannedMove);
            }
        }
        2 => {
            let refused = waiting
                .is_refused(game, "move", json!({"ply": ply, "move": some_move}))
                .await;
            assert_eq!(refused, ErrorCode::NotYourTurn);
        }
        3 => {
            mover.sends_text("{\"id\": 1, \"type\": ").await;
            assert_eq!(mover.refusal_without_id().await.code, ErrorCode::BadRequest);
        }
        4 => {
            let refused = mover
                .is_refused(game, "move", json!({"ply": ply, "move": "a11a12"}))
                .await;
            assert_eq!(refused, ErrorCode::BadMove);
        }
        5 => {
            let refused = mover
                .is_refused(game, "move", json!({"ply": ply + 1, "move": some_move}))
                .await;
            assert_eq!(refused, ErrorCode::Ahead);
        }
        _ => {
            let command = command_id();
            let line = json!({"text": "良い一手"});
            let said = waiting.does_as(game, "chat", line.clone(), command).await;
            if let Ok(seq) = done(said) {
                assert_eq!(
                    done(waiting.does_as(game, "chat", line, command).await),
                    Ok(seq)
                );
            }
        }
    }
}

async fn stored_and_judged(
    program: &Program,
    ruleset: &str,
    game: GameId,
    moves: &[String],
    judge: &Game,
) {
    let stored = record::events(&program.database(), game).await;
    assert_eq!(record::moves(&stored), moves);
    let judged = check(ruleset, &json!({}), moves).await;
    assert_eq!(judged["fen"], judge.fen());
    assert_eq!(
        judged["outcome"]["reason"],
        judge.outcome().unwrap().reason.as_str()
    );
    let (status, positions) = program.get(&format!("/api/games/{game}/positions")).await;
    assert_eq!(status, 200);
    let positions: qiguan_protocol::view::Positions = serde_json::from_str(&positions).unwrap();
    assert_eq!(positions.positions.len(), moves.len() + 1);
    assert_eq!(positions.positions.last().unwrap().fen, judge.fen());
    let mut again = Game::start(&RuleSet::named(ruleset).unwrap());
    for position in positions.positions {
        if let Some(text) = position.text {
            again.play(text.parse().unwrap()).unwrap();
        }
        assert_eq!(position.check, again.in_check(), "ply {}", position.ply);
    }
}
