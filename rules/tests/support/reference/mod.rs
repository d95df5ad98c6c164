//! A second opinion on each game, written independently from the rules: slow, on a plain board of letters, and sharing nothing
//! with the crate but the text of positions and of moves.

mod doushouqi;
mod luzhanqi;
mod xiangqi;

use std::collections::BTreeMap;

use qiguan_rules::{RuleSet, ruleset};

/// File and rank, from 1.
pub(crate) type Square = (i32, i32);
/// The letters of the pieces by square.
pub(crate) type Board = BTreeMap<Square, char>;

/// The options, by name.
struct Options(BTreeMap<&'static str, String>);

impl Options {
    fn is(&self, name: &str, value: &str) -> bool {
        self.0[name] == value
    }

    fn number(&self, name: &str) -> u32 {
        self.0[name].parse().expect("a number")
    }
}

#[derive(Clone, Copy)]
enum Kind {
    DouShouQi,
    Luzhanqi,
    Xiangqi,
}

/// The rules of one rule set.
pub(crate) struct Reference {
    kind: Kind,
    options: Options,
}

/// A position of a game under way.
pub(crate) struct Moment {
    pub(crate) board: Board,
    /// Whether the first seat is to move.
    pub(crate) first: bool,
    /// Whether the side to move is in check.
    pub(crate) check: bool,
}

/// What becomes of a move because its position has occurred before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It has not occurred often enough to matter.
    Free,
    /// Banned, for this reason.
    Banned(&'static str),
    /// Legal, and a draw.
    Drawn,
    /// Legal, and the game goes on.
    GoesOn,
    /// Nobody checks perpetually: any chases decide, which are not looked at here.
    ByChases,
}

impl Reference {
    pub(crate) fn of(ruleset: &RuleSet) -> Self {
        let kind = match ruleset.options() {
            ruleset::Options::DouShouQi(_) => Kind::DouShouQi,
            ruleset::Options::Luzhanqi(_) => Kind::Luzhanqi,
            ruleset::Options::Xiangqi(_) => Kind::Xiangqi,
        };
        let values = ruleset.values();
        Self {
            kind,
            options: Options(
                values
                    .map(|(name, value)| (name, value.to_string()))
                    .collect(),
            ),
        }
    }

    /// A numeric option.
    pub(crate) fn number(&self, name: &str) -> u32 {
        self.options.number(name)
    }

    /// Whether an option has a value.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.options.is(name, value)
    }

    /// Board and side to move of a position's text.
    pub(crate) fn read(&self, fen: &str) -> Moment {
        let mut fields = fen.split(' ');
        let mut board = Board::new();
        let rows = fields.next().expect("a board").rsplit('/');
        for (row, rank) in rows.zip(1..) {
            let mut file = 1;
            for letter in row.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as i32;
                } else {
                    board.insert((file, rank), letter);
                    file += 1;
                }
            }
        }
        let first = fields.next() == Some("w");
        let check = self.in_check(&board, first);
        Moment {
            board,
            first,
            check,
        }
    }

    /// The moves of the side to move, sorted as text; repetition is not looked at.
    pub(crate) fn moves(&self, board: &Board, first: bool) -> Vec<String> {
        let mut found: Vec<_> = match self.kind {
            Kind::DouShouQi => doushouqi::moves(board, first, &self.options),
            Kind::Luzhanqi => luzhanqi::moves(board, first, &self.options),
            Kind::Xiangqi => xiangqi::moves(board, first, &self.options),
        }
        .into_iter()
        .map(|(from, to)| format!("{}{}", name(from), name(to)))
        .collect();
        found.sort();
        found
    }

    /// Whether a side is in check.
    pub(crate) fn in_check(&self, board: &Board, first: bool) -> bool {
        match self.kind {
            Kind::DouShouQi | Kind::Luzhanqi => false,
            Kind::Xiangqi => xiangqi::in_check(board, first, &self.options),
        }
    }

    /// Who has won by the position itself: `Some(true)` for the first seat.
    pub(crate) fn won(&self, board: &Board) -> Option<bool> {
        match self.kind {
            Kind::DouShouQi => doushouqi::won(board),
            Kind::Luzhanqi => luzhanqi::won(board),
            Kind::Xiangqi => None,
        }
    }

    /// The word for the loss of a side to move that has no legal move.
    pub(crate) const fn stuck(&self, check: bool) -> &'static str {
        match (self.kind, check) {
            (Kind::DouShouQi | Kind::Luzhanqi, _) => "no_moves",
            (Kind::Xiangqi, true) => "checkmate",
            (Kind::Xiangqi, false) => "stalemate",
        }
    }

    /// Judges a move to a board by the positions so far, the present one last.
    pub(crate) fn verdict(&self, past: &[Moment], next: &Board) -> Verdict {
        if matches!(self.kind, Kind::Luzhanqi) {
            return Verdict::Free;
        }
        let mover = past.last().expect("a position").first;
        let same = |moment: &Moment| moment.first != mover && moment.board == *next;
        let occurrences = past.iter().filter(|moment| same(moment)).count();
        if occurrences < self.number("repetition_limit") as usize {
            return Verdict::Free;
        }
        match self.kind {
            Kind::Xiangqi if self.options.is("repetition", "asian") => {}
            Kind::DouShouQi | Kind::Luzhanqi | Kind::Xiangqi => {
                return Verdict::Banned("repetition");
            }
        }
        let latest = past.iter().rposition(same).expect("it has occurred");
        let cycle = &past[latest + 1..];
        // A side's move gave check if the other side is in check after it.
        let always = |first: bool| {
            cycle
                .iter()
                .filter(|moment| moment.first != first)
                .all(|moment| moment.check)
        };
        let mover_checks = self.in_check(next, !mover) && always(mover);
        match (mover_checks, always(!mover)) {
            (true, false) => Verdict::Banned("perpetual_check"),
            (false, true) => Verdict::GoesOn,
            (true, true) => Verdict::Drawn,
            (false, false) => Verdict::ByChases,
        }
    }

    /// The board after a move.
    pub(crate) fn after(&self, board: &Board, mv: &str) -> Board {
        let (from, to) = ends(mv);
        match self.kind {
            Kind::Luzhanqi => luzhanqi::after(board, from, to, &self.options),
            Kind::DouShouQi | Kind::Xiangqi => moved(board, from, to),
        }
    }

    /// Paths of so many plies.
    pub(crate) fn perft(&self, board: &Board, first: bool, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.won(board).is_some() {
            return 0;
        }
        let moves = self.moves(board, first);
        moves
            .iter()
            .map(|mv| self.perft(&self.after(board, mv), !first, depth - 1))
            .sum()
    }
}

/// The two squares of a move.
pub(crate) fn ends(mv: &str) -> (Square, Square) {
    let second = mv.rfind(char::is_alphabetic).expect("two squares");
    (square(&mv[..second]), square(&mv[second..]))
}

/// The square of a name.
pub(crate) fn square(text: &str) -> Square {
    let file = i32::from(text.as_bytes()[0] - b'a') + 1;
    (file, text[1..].parse().expect("a rank"))
}

fn moved(board: &Board, from: Square, to: Square) -> Board {
    let mut board = board.clone();
    let piece = board.remove(&from).expect("a piece moves");
    board.insert(to, piece);
    board
}

/// A square's name.
pub(crate) fn name((file, rank): Square) -> String {
    format!("{}{rank}", char::from(b'a' + (file - 1) as u8))
}
