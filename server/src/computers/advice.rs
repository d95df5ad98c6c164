//! Advice on positions that are stored nowhere: the best moves with what follows them.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Effort, Limits, Player};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    hint::{PositionHint, WeighedLine},
};
use qiguan_rules::{Game, Move, RuleSet};

use super::{
    hints::{thought, thousandths},
    pool::Pool,
};
use crate::services::{Services, computing::Owner, running_positions::key};

/// So many moves are advised at most.
const MOVES: usize = 3;
/// So many plies of what follows are told.
const LINE: usize = 8;
/// How much is searched for all of them.
const LIMITS: Limits = Limits {
    nodes: 200_000,
    depth: 64,
};

/// A move and what follows it, with the chance of the side to move.
type Line = (Vec<Move>, f64);

/// Refuses rule sets in which pieces are hidden.
///
/// # Errors
/// `bad_value`.
pub fn check_ruleset(ruleset: &RuleSet) -> Result<(), ApiError> {
    if Game::start(ruleset).hides_nothing() {
        return Ok(());
    }
    let message =
        "expected a rule set of Xiangqi or Dou Shou Qi: nobody advises where pieces are hidden";
    Err(ApiError::bad_value("ruleset", message))
}

/// Advises the side to move in a position.
///
/// # Errors
/// `bad_value` for a game in which pieces are hidden; `game_over`; `forbidden` for a position that stands in a running game between people, and for
/// one from which an advised move leads there; `busy`.
pub async fn advise(
    pool: &Pool,
    services: &Services,
    owner: Owner,
    ruleset: RuleSet,
    game: Game,
) -> Result<PositionHint, ApiError> {
    check_ruleset(&ruleset)?;
    if game.outcome().is_some() {
        let message = "the game is over in this position";
        return Err(ApiError::new(ErrorCode::GameOver, message));
    }
    services.check_not_running(&ruleset, &[&game]).await?;
    let turn = game.turn().into();
    let work = move |player: &Player, stop: &AtomicBool| {
        let found = best_moves(player, &game, stop);
        (game, found)
    };
    let (game, found) = thought(pool, services, owner, work).await?;
    let mut keys = Vec::new();
    for (moves, _) in &found {
        if let Some(Ok((after, _))) = moves.first().map(|mv| game.after(*mv)) {
            keys.push(key(&after));
        }
        as_far_as(&game, moves, |game| {
            keys.push(key(game));
            false
        });
    }
    let standing = services.standing(&ruleset, keys).await?;
    let mut best = Vec::with_capacity(found.len());
    for (moves, chance) in found {
        if let Some(Ok((after, _))) = moves.first().map(|mv| game.after(*mv)) {
            standing.check_not_running(&after)?;
        }
        best.push(WeighedLine {
            line: as_far_as(&game, &moves, |game| standing.has(game))
                .into_iter()
                .map(Into::into)
                .collect(),
            chance: thousandths(chance),
        });
    }
    Ok(PositionHint { turn, best })
}

/// The best moves, the best first. Where tables settle the best move they say nothing of the others, so these are asked for by themselves.
fn best_moves(player: &Player, game: &Game, stop: &AtomicBool) -> Vec<Line> {
    let mut left = game.legal_moves().to_vec();
    let mut best: Vec<Line> = Vec::new();
    while best.len() < MOVES && !left.is_empty() {
        let effort = Effort {
            lines: MOVES - best.len(),
            ..Effort::default()
        };
        let found = player.best_lines(game, &left, LIMITS, effort, stop, &mut |_, _| {});
        let before = left.len();
        for line in found {
            left.retain(|mv| line.moves.first() != Some(mv));
            best.push((line.moves, line.score.chance()));
        }
        if left.len() == before {
            break;
        }
    }
    best.sort_by(|one, other| other.1.total_cmp(&one.1));
    best
}

/// The moves of a line until it would show what to play in a running game.
fn as_far_as(game: &Game, moves: &[Move], mut is_running: impl FnMut(&Game) -> bool) -> Vec<Move> {
    let mut game = game.clone();
    let mut line = Vec::new();
    for mv in moves.iter().take(LINE) {
        if is_running(&game) || game.play(*mv).is_err() {
            break;
        }
        line.push(*mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xiangqi(fen: &str) -> Game {
        let ruleset = RuleSet::named("xiangqi/standard").unwrap();
        Game::from_fen(&ruleset, fen).unwrap()
    }

    #[test]
    fn three_different_moves_are_advised_the_best_first() {
        let mate = xiangqi("4k4/9/9/9/9/9/9/1R7/R8/3K5 w - - 0 1");
        let found = best_moves(&Player::new(1), &mate, &AtomicBool::new(false));
        let first: Vec<_> = found.iter().map(|(moves, _)| moves[0]).collect();
        assert_eq!(found.len(), MOVES);
        assert!(found[0].1 >= found[1].1 && found[1].1 >= found[2].1);
        assert!(first[0] != first[1] && first[1] != first[2] && first[0] != first[2]);
        assert!(found[0].1 > 0.99);
    }

    #[test]
    fn who_has_one_move_gets_one_and_endings_are_advised_like_all_else() {
        let ruleset = RuleSet::named("doushouqi/booklet").unwrap();
        // The Elephant stands before the den of a lone Rat.
        let game = Game::from_fen(&ruleset, "7/2E4/7/7/7/7/7/r6/7 w - - 0 1").unwrap();
        let legal = game.legal_moves().len();
        let found = best_moves(&Player::new(1), &game, &AtomicBool::new(false));
        assert_eq!(found.len(), legal.min(MOVES));
        assert!(found[0].1 > 0.99);
    }

    #[test]
    fn a_line_ends_before_a_position_of_a_running_game() {
        let start = xiangqi("4k4/9/9/9/9/9/9/1R7/R8/3K5 w - - 0 1");
        let moves = ["b3b9", "e10f10", "a2a10"].map(|mv| mv.parse().unwrap());
        assert_eq!(as_far_as(&start, &moves, |_| false), moves);
        let running = start.after(moves[0]).unwrap().0.key();
        let told = as_far_as(&start, &moves, |game| game.key() == running);
        assert_eq!(told, moves[..1]);
        let illegal = [moves[0], moves[0]];
        assert_eq!(as_far_as(&start, &illegal, |_| false), moves[..1]);
    }
}
