//! Luzhanqi in a match: each player is given what its seat has seen of the game, and nothing else. A pair begins with random setups.

use qiguan_engine::{Draws, luzhanqi::Seen};
use qiguan_rules::{
    BySeat, Game, Move, Played, RuleSet, Seat,
    luzhanqi::{Options, Piece, Play, Setup, board},
};

/// Ranks of one side's half.
const HALF: usize = 6;

/// A game with random setups, as text.
pub(super) fn random_start(ruleset: &RuleSet, draws: &mut Draws) -> Option<String> {
    let mut setup = |seat| Setup::random(seat, |below| draws.below(below));
    let setups = BySeat {
        first: setup(Seat::First),
        second: setup(Seat::Second),
    };
    Some(Game::set_up(ruleset, &setups)?.fen())
}

/// The game as the seat on the move has seen it, from its start with every identity and its moves; none if it does not follow.
pub(super) fn seen(options: Options, start: &str, moves: &[Move], seat: Seat) -> Option<Seen> {
    let mut play = Play::from_fen(options, start).ok()?;
    let mut seen = Seen::start(options, seat, &setup(start, seat)?).ok()?;
    for mv in moves {
        let played = play.play_recorded(*mv).ok()?;
        seen.see(*mv, played.removed, met(&played)).ok()?;
        let enemy = seat.other();
        if play.shows_flag(enemy)
            && let Some(flag) = play.position().flag(enemy)
        {
            seen.see_flag(board::square(flag)).ok()?;
        }
    }
    Some(seen)
}

/// The two pieces that met, where the rule set shows them.
fn met(played: &Played) -> Option<[Piece; 2]> {
    let piece = |letter: char| Piece::from_letter(letter.to_ascii_uppercase());
    let [attacker, defender] = played.revealed?;
    Some([piece(attacker)?, piece(defender)?])
}

/// One side's half of a start: the second seat's is on top.
fn setup(start: &str, seat: Seat) -> Option<Setup> {
    let ranks: Vec<&str> = start.split(' ').next()?.split('/').collect();
    let (second, first) = ranks.split_at_checked(HALF)?;
    let half = match seat {
        Seat::First => first,
        Seat::Second => second,
    };
    Setup::read(seat, &half.join("/")).ok()
}

#[cfg(test)]
mod tests {
    use qiguan_engine::luzhanqi::Opponent;
    use qiguan_rules::ruleset;

    use super::*;

    #[test]
    fn what_a_seat_has_seen_follows_from_a_start_and_moves_in_every_rule_set() {
        for ruleset in RuleSet::ALL {
            let ruleset::Options::Luzhanqi(options) = ruleset.options() else {
                continue;
            };
            let start = random_start(&ruleset, &mut Draws::new(5)).unwrap();
            let mut game = Game::from_fen(&ruleset, &start).unwrap();
            let mut moves = Vec::new();
            while game.outcome().is_none() && moves.len() < 200 {
                let seen = seen(*options, &start, &moves, game.turn()).unwrap();
                let mv = Opponent::Heuristic.choose(&seen, game.legal_moves(), 7);
                game.play(mv.unwrap()).unwrap();
                moves.push(mv.unwrap());
            }
            assert!(moves.len() > 20, "{}", ruleset.id());
        }
    }
}
