//! A slow reference of the board: from both setups, the moves, and the public result of each attack. It knows no
//! rules, and of the program under test nothing but the texts.

use qiguan_protocol::setup::Removed;
use qiguan_rules::Seat;

/// Files and ranks.
const FILES: usize = 5;
const RANKS: usize = 12;

/// What stands where.
#[derive(Clone)]
pub(super) struct Board {
    points: [Option<char>; FILES * RANKS],
    marshal_loss_reveals_flag: bool,
}

impl Board {
    /// From both setups, the second seat's half on top.
    pub(super) fn new(ruleset: &str, first: &str, second: &str) -> Self {
        let mut points = [None; FILES * RANKS];
        for (text, rank) in second
            .split('/')
            .chain(first.split('/'))
            .zip((0..RANKS).rev())
        {
            let mut file = 0;
            for shown in text.chars() {
                if let Some(empty) = shown.to_digit(10) {
                    file += empty as usize;
                } else {
                    points[rank * FILES + file] = Some(shown);
                    file += 1;
                }
            }
        }
        Self {
            points,
            marshal_loss_reveals_flag: ruleset == "luzhanqi/modern",
        }
    }

    /// Carries out a move with its public result. The two pieces that met come back.
    pub(super) fn moves(&mut self, text: &str, removed: Option<Removed>) -> [Option<char>; 2] {
        let split = 1 + text[1..].find(|c: char| c.is_ascii_lowercase()).unwrap();
        let (from, to) = (point(&text[..split]), point(&text[split..]));
        let met = [self.points[from], self.points[to]];
        assert!(met[0].is_some(), "{text}: nothing stands there");
        assert_eq!(met[1].is_some(), removed.is_some(), "{text}");
        self.points[from] = None;
        match removed {
            None | Some(Removed::Defender) => self.points[to] = met[0],
            Some(Removed::Attacker) => {}
            Some(Removed::Both) => self.points[to] = None,
        }
        met
    }

    /// The board's text for somebody who knows one side's pieces, no side's, or all.
    pub(super) fn text(&self, known: &[Seat]) -> String {
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            let mut empty = 0;
            for file in 0..FILES {
                let Some(piece) = self.points[rank * FILES + file] else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text.push_str(&std::mem::take(&mut empty).to_string());
                }
                let seat = owner(piece);
                let flag = piece.eq_ignore_ascii_case(&'F') && self.shows_flag(seat);
                text.push(match seat {
                    _ if known.contains(&seat) || flag => piece,
                    Seat::First => 'U',
                    Seat::Second => 'u',
                });
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            text.push('/');
        }
        text.pop();
        text
    }

    /// Whether everybody may see a side's Flag.
    pub(super) fn shows_flag(&self, seat: Seat) -> bool {
        let marshal = match seat {
            Seat::First => 'M',
            Seat::Second => 'm',
        };
        self.marshal_loss_reveals_flag && !self.points.contains(&Some(marshal))
    }
}

const fn owner(piece: char) -> Seat {
    if piece.is_ascii_uppercase() {
        Seat::First
    } else {
        Seat::Second
    }
}

fn point(square: &str) -> usize {
    let file = usize::from(square.as_bytes()[0] - b'a');
    let rank: usize = square[1..].parse().unwrap();
    (rank - 1) * FILES + file
}

#[test]
fn the_witness_knows_what_it_was_told() {
    let first = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
    let second = "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd";
    let mut board = Board::new("luzhanqi/modern", first, second);
    assert_eq!(board.text(&Seat::ALL), format!("{second}/{first}"));
    assert_eq!(
        board.moves("a6a7", Some(Removed::Both)),
        [Some('D'), Some('c')]
    );
    assert!(board.text(&[]).contains("u1u1u/1uuuu/1UUUU/U1U1U"));
    assert!(!board.text(&[Seat::First]).contains(['f', 'm']));
    board.moves("c8c6", Some(Removed::Attacker));
    assert!(
        board.text(&[Seat::First]).starts_with("ufuuu/"),
        "the Flag is shown"
    );
    assert!(board.text(&[Seat::Second]).ends_with("/UUUUU"));
}
