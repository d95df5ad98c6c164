//! What there is to play, and what a client needs to draw it. Plain data.

use crate::{
    doushouqi,
    game::Game,
    option::OptionKind,
    ruleset::{Options, RuleSet},
    seat::{BySeat, Seat},
    square::Square,
    xiangqi,
};

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEntry {
    /// The first part of its rule sets' ids.
    pub id: &'static str,
    /// The shown name.
    pub name: &'static str,
    /// The name in Chinese.
    pub chinese: &'static str,
    /// Files of the board.
    pub files: u8,
    /// Ranks of the board.
    pub ranks: u8,
    /// Whether pieces stand on the crossings of lines rather than on squares.
    pub on_points: bool,
    /// Special squares.
    pub marks: Vec<Mark>,
    /// The kinds of pieces.
    pub pieces: Vec<PieceEntry>,
    /// The options, with what values they take.
    pub options: Vec<(&'static str, OptionKind)>,
    /// The named rule sets.
    pub rulesets: Vec<RuleSetEntry>,
}

/// A special square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which.
    pub square: Square,
    /// What it is.
    pub kind: MarkKind,
    /// Whose it is, if anybody's.
    pub owner: Option<Seat>,
}

/// The kinds of special squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A den.
    Den,
    /// A trap.
    Trap,
    /// Water; on a board of points, the points on its banks.
    River,
    /// A palace.
    Palace,
}

impl MarkKind {
    /// The kind's word in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Den => "den",
            Self::Trap => "trap",
            Self::River => "river",
            Self::Palace => "palace",
        }
    }
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceEntry {
    /// The letter in notation, in the case of the first seat.
    pub letter: char,
    /// The English name.
    pub name: &'static str,
    /// The Chinese characters on the two seats' pieces, traditional. They are the same in some games.
    pub characters: BySeat<&'static str>,
}

/// A named rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSetEntry {
    /// The rule set with its options.
    pub ruleset: RuleSet,
    /// The shown names of the seats.
    pub seats: BySeat<&'static str>,
    /// The position at the beginning.
    pub start: String,
    /// The pieces' ranks, the strongest highest, in the order of [`GameEntry::pieces`]. None where any piece takes any other.
    pub strengths: Vec<u8>,
}

/// Every game that can be played.
pub fn games() -> Vec<GameEntry> {
    vec![doushouqi(), xiangqi()]
}

fn doushouqi() -> GameEntry {
    use doushouqi::{Options, Piece, board};
    let pieces = Piece::ALL.map(|piece| PieceEntry {
        letter: piece.letter(),
        name: piece.name(),
        characters: BySeat {
            first: piece.character(),
            second: piece.character(),
        },
    });
    let options = Options::NAMES
        .iter()
        .filter_map(|name| Some((*name, Options::kind(name)?)));
    GameEntry {
        id: "doushouqi",
        name: "Dou Shou Qi",
        chinese: "鬥獸棋",
        files: board::FILES,
        ranks: board::RANKS,
        on_points: false,
        marks: doushouqi_marks(),
        pieces: pieces.to_vec(),
        options: options.collect(),
        rulesets: rulesets("doushouqi/"),
    }
}

fn xiangqi() -> GameEntry {
    use xiangqi::{Options, Piece, board};
    let pieces = Piece::ALL.map(|piece| PieceEntry {
        letter: piece.letter(),
        name: piece.name(),
        characters: BySeat {
            first: piece.character(Seat::First),
            second: piece.character(Seat::Second),
        },
    });
    let options = Options::NAMES
        .iter()
        .filter_map(|name| Some((*name, Options::kind(name)?)));
    GameEntry {
        id: "xiangqi",
        name: "Xiangqi",
        chinese: "象棋",
        files: board::FILES,
        ranks: board::RANKS,
        on_points: true,
        marks: xiangqi_marks(),
        pieces: pieces.to_vec(),
        options: options.collect(),
        rulesets: rulesets("xiangqi/"),
    }
}

/// The named rule sets of a game.
fn rulesets(game: &str) -> Vec<RuleSetEntry> {
    RuleSet::ALL
        .into_iter()
        .filter(|ruleset| ruleset.id().starts_with(game))
        .map(ruleset)
        .collect()
}

fn ruleset(ruleset: RuleSet) -> RuleSetEntry {
    let white_begins = ruleset.id() == "doushouqi/tierschach";
    let (first, second, strengths) = match ruleset.options() {
        Options::DouShouQi(options) => {
            let (first, second) = if white_begins {
                ("White", "Black")
            } else {
                ("Blue", "Red")
            };
            let ranks = doushouqi::Piece::ALL.map(|piece| piece.rank(options.dog_outranks_wolf));
            (first, second, ranks.to_vec())
        }
        Options::Xiangqi(_) => ("Red", "Black", Vec::new()),
    };
    RuleSetEntry {
        strengths,
        seats: BySeat { first, second },
        start: Game::start(&ruleset).fen(),
        ruleset,
    }
}

fn doushouqi_marks() -> Vec<Mark> {
    use doushouqi::board;
    let mut marks = Vec::new();
    for index in 0..board::SQUARES as u8 {
        let square = board::square(index);
        let mut mark = |kind, owner| {
            marks.push(Mark {
                square,
                kind,
                owner,
            });
        };
        if board::RIVER & board::bit(index) != 0 {
            mark(MarkKind::River, None);
        }
        for seat in Seat::ALL {
            if board::DEN[seat.index()] & board::bit(index) != 0 {
                mark(MarkKind::Den, Some(seat));
            }
            if board::TRAPS[seat.index()] & board::bit(index) != 0 {
                mark(MarkKind::Trap, Some(seat));
            }
        }
    }
    marks
}

fn xiangqi_marks() -> Vec<Mark> {
    use xiangqi::board;
    let marked = |points, kind, owner| {
        board::each_point(points).map(move |point| Mark {
            square: board::square(point),
            kind,
            owner,
        })
    };
    let palaces = Seat::ALL
        .into_iter()
        .flat_map(|seat| marked(board::PALACE[seat.index()], MarkKind::Palace, Some(seat)));
    palaces
        .chain(marked(board::BANKS, MarkKind::River, None))
        .collect()
}
