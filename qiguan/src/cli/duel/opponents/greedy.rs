//! A player that looks one ply ahead: it wins if it can, else takes the most valuable piece that it can, else goes forward.

use qiguan_engine::Draws;
use qiguan_rules::{Game, Move, Seat};

/// The move that it plays; draws decide between equals.
pub(super) fn choose(game: &Game, draws: &mut Draws) -> Option<Move> {
    let seat = game.turn();
    let mut best: Option<(u32, Vec<Move>)> = None;
    for mv in game.legal_moves() {
        let worth = worth(game, *mv, seat);
        match &mut best {
            Some((most, equals)) if *most == worth => equals.push(*mv),
            Some((most, _)) if *most > worth => {}
            _ => best = Some((worth, vec![*mv])),
        }
    }
    let (_, equals) = best?;
    equals.get(draws.below(equals.len())).copied()
}

fn worth(game: &Game, mv: Move, seat: Seat) -> u32 {
    let Ok((after, played)) = game.after(mv) else {
        return 0;
    };
    if after.outcome().and_then(|outcome| outcome.winner) == Some(seat) {
        return 1_000;
    }
    let forward = match seat {
        Seat::First => mv.to.rank() > mv.from.rank(),
        Seat::Second => mv.to.rank() < mv.from.rank(),
    };
    let taken = played.captured.map_or(0, |letter| 2 * value(game, letter));
    taken + u32::from(forward)
}

/// What a piece is worth by its letter.
fn value(game: &Game, letter: char) -> u32 {
    let letter = letter.to_ascii_uppercase();
    match game {
        // By rank, Rat to Elephant; the Rat takes the Elephant, so it is worth more than its rank.
        Game::DouShouQi(_) => match letter {
            'E' => 10,
            'L' => 9,
            'T' => 8,
            'P' => 5,
            'R' => 4,
            'W' | 'D' => 3,
            _ => 2,
        },
        Game::Xiangqi(_) => match letter {
            'R' => 9,
            'C' => 5,
            'N' => 4,
            'A' | 'B' => 2,
            _ => 1,
        },
        Game::Luzhanqi(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use qiguan_rules::RuleSet;

    use super::*;

    fn chosen(ruleset: &str, fen: &str) -> String {
        let game = Game::from_fen(&RuleSet::named(ruleset).unwrap(), fen).unwrap();
        choose(&game, &mut Draws::new(1)).unwrap().to_string()
    }

    #[test]
    fn it_enters_the_den_before_it_takes() {
        // The Lion on d8 has the den before it and a Cat beside it.
        let fen = "7/2cL3/7/7/7/7/7/7/E6 w - - 0 1";
        assert_eq!(chosen("doushouqi/booklet", fen), "d8d9");
    }

    #[test]
    fn it_takes_the_more_valuable_piece() {
        let fen = "3k5/9/9/9/9/4r4/9/p3R4/9/5K3 w - - 0 1";
        assert_eq!(chosen("xiangqi/standard", fen), "e3e5");
    }
}
