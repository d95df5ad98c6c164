//! Where games of Luzhanqi start from: it has no beginning of its own.

use qiguan_rules::{
    BySeat, Game, RuleSet, Seat,
    luzhanqi::{Piece, Setup},
};

use super::reference::Board;

/// A start made from a number: two setups, or a few pieces anywhere.
pub(crate) fn luzhanqi_start(ruleset: &RuleSet, seed: u64) -> String {
    if seed.is_multiple_of(2) {
        let setups = random_setups(seed);
        let game = Game::set_up(ruleset, &setups).expect("Luzhanqi has setups");
        game.fen()
    } else {
        few_pieces(seed)
    }
}

/// Both setups of a game, made from a number.
pub(crate) fn random_setups(seed: u64) -> BySeat<Setup> {
    let mut draw = drawing(seed);
    BySeat {
        first: Setup::random(Seat::First, &mut draw),
        second: Setup::random(Seat::Second, &mut draw),
    }
}

/// A few pieces of each side wherever they may stand.
fn few_pieces(seed: u64) -> String {
    let mut draw = drawing(seed);
    let mut board = Board::new();
    for seat in Seat::ALL {
        let mut left: Vec<_> = Piece::ALL
            .into_iter()
            .flat_map(|piece| vec![piece.letter(); piece.count()])
            .filter(|letter| *letter != 'F')
            .collect();
        let mut letters = vec!['F'];
        for _ in 0..draw(8) {
            letters.push(left.swap_remove(draw(left.len())));
        }
        for letter in letters {
            let (file, depth) = match letter {
                'F' => (2 + 2 * draw(2), 1),
                'X' => (1 + draw(5), 1 + draw(2)),
                _ => (1 + draw(5), 1 + draw(12)),
            };
            let (square, letter) = match seat {
                Seat::First => ((file as i32, depth as i32), letter),
                Seat::Second => (
                    (6 - file as i32, 13 - depth as i32),
                    letter.to_ascii_lowercase(),
                ),
            };
            // A point that is taken stays so: there is a piece less.
            board.entry(square).or_insert(letter);
        }
    }
    let turn = if draw(2) == 0 { 'w' } else { 'b' };
    format!("{} {turn} - - 0 1", written(&board))
}

/// A board of Luzhanqi as text.
pub(crate) fn written(board: &Board) -> String {
    let rank = |rank| {
        let mut row = String::new();
        let mut empty = 0;
        for file in 1..=5 {
            match board.get(&(file, rank)) {
                Some(letter) if empty > 0 => {
                    row += &format!("{empty}{letter}");
                    empty = 0;
                }
                Some(letter) => row.push(*letter),
                None => empty += 1,
            }
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        row
    };
    (1..=12).rev().map(rank).collect::<Vec<_>>().join("/")
}

/// Draws whole numbers below its argument, always the same ones for a seed (SplitMix64).
pub(crate) fn drawing(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % below as u64) as usize
    }
}
