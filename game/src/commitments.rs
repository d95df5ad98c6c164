//! Proof that the server refereed a game with secret setups fairly: commitments, and the check of everything that the server sent
//! against what is revealed at the end (`docs/fair-referee.md`).
//!
//! **Invariant:** pure, and about nothing but what travels. The room makes its commitments here; clients check them here.

use std::fmt::{self, Write};

use qiguan_protocol::{
    ids::Ply,
    names::{BySeat, EndReason, Outcome, Seat},
    setup::{Met, Removed, RevealedSetup},
    view::PlayedMove,
};
use qiguan_rules::{
    self as rules, Game, Move, RuleSet, Viewer, luzhanqi::Setup, outcome::LENGTH_LIMIT,
};
use sha2::{Digest, Sha256};

/// Random bytes that keep a commitment from being guessed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Salt(pub [u8; 32]);

/// Everything that a viewer received of a finished game.
pub struct Received<'a> {
    /// The rule set, with the game's options.
    pub ruleset: &'a RuleSet,
    /// The commitments, as sent when play began.
    pub commitments: &'a BySeat<String>,
    /// The setups and salts, as sent at the end.
    pub revealed: &'a BySeat<RevealedSetup>,
    /// The moves, with the reported result of each attack.
    pub moves: &'a [PlayedMove],
    /// How many plies were taken back; none of them was an attack.
    pub plies_taken_back: u32,
    /// Positions that were shown.
    pub shown: &'a [Shown],
    /// How the game ended.
    pub outcome: Outcome,
}

/// A position as it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The moves played.
    pub ply: Ply,
    /// The position in the notation of the rules.
    pub fen: String,
    /// As whom the viewer saw it.
    pub viewer: Viewer,
}

/// Something that the server sent and that does not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfair {
    /// The salt is not 32 bytes in hexadecimal digits.
    Salt(Seat),
    /// The revealed setup and salt are not what was committed to.
    Commitment(Seat),
    /// The revealed setup is not legal.
    Setup(Seat),
    /// A move could not be played.
    Move(Ply),
    /// An attack ended otherwise than reported, or there was none.
    Attack(Ply),
    /// A position was shown that did not come about.
    Position(Ply),
    /// The rules end the game otherwise, or not yet.
    Outcome,
}

impl fmt::Display for Unfair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = |seat: &Seat| match seat {
            Seat::First => "the first seat's",
            Seat::Second => "the second seat's",
        };
        match self {
            Self::Salt(seat) => write!(f, "{} salt is not 32 bytes", whose(seat)),
            Self::Commitment(seat) => {
                write!(f, "{} setup does not match its commitment", whose(seat))
            }
            Self::Setup(seat) => write!(f, "{} setup is not legal", whose(seat)),
            Self::Move(ply) => write!(f, "move {ply} can't be played"),
            Self::Attack(ply) => write!(f, "the report on move {ply} does not follow"),
            Self::Position(ply) => write!(f, "the position after move {ply} does not follow"),
            Self::Outcome => f.write_str("the outcome does not follow"),
        }
    }
}

/// Checks that both setups are what was committed to, and that everything the server sent follows from them.
///
/// # Errors
/// What does not. A replay ends at the first move that can't be played.
pub fn check(told: &Received<'_>) -> Result<(), Vec<Unfair>> {
    let mut unfair = Vec::new();
    for seat in [Seat::First, Seat::Second] {
        let RevealedSetup { setup, salt } = told.revealed.get(seat);
        match salt_from_hex(salt) {
            None => unfair.push(Unfair::Salt(seat)),
            Some(salt) if commitment(salt, setup) != *told.commitments.get(seat) => {
                unfair.push(Unfair::Commitment(seat));
            }
            Some(_) => {}
        }
    }
    match beginning(told) {
        Ok(game) => replay(game, told, &mut unfair),
        Err(seat) => unfair.push(Unfair::Setup(seat)),
    }
    if unfair.is_empty() {
        Ok(())
    } else {
        Err(unfair)
    }
}

/// The commitment to a setup: the SHA-256 of the salt's bytes and the setup's text after them, in hexadecimal digits.
pub fn commitment(salt: Salt, setup: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(salt.0);
    hash.update(setup.as_bytes());
    hex(&hash.finalize())
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A salt from its hexadecimal digits.
pub fn salt_from_hex(text: &str) -> Option<Salt> {
    let mut salt = [0; 32];
    if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, place) in salt.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(text.get(place..place + 2)?, 16).ok()?;
    }
    Some(Salt(salt))
}

/// The game before the first move, from the revealed setups; the seat whose setup is not legal.
fn beginning(told: &Received<'_>) -> Result<Game, Seat> {
    let read = |seat: Seat| {
        let text = &told.revealed.get(seat).setup;
        Setup::read(seat.into(), text).map_err(|_| seat)
    };
    let setups = rules::BySeat {
        first: read(Seat::First)?,
        second: read(Seat::Second)?,
    };
    Game::set_up(told.ruleset, &setups).ok_or(Seat::First)
}

/// Replays the moves and compares.
fn replay(mut game: Game, told: &Received<'_>, unfair: &mut Vec<Unfair>) {
    let mut ply = Ply(0);
    compare(&game, ply, told, unfair);
    for played in told.moves {
        ply = ply.next();
        let mv = played.text.parse::<Move>().ok();
        let did = mv
            .filter(|_| played.ply == ply)
            .and_then(|mv| game.play_recorded(mv).ok());
        let Some(did) = did else {
            return unfair.push(Unfair::Move(ply));
        };
        let met = did
            .revealed
            .map(|[attacker, defender]| Met { attacker, defender });
        let removed = did.removed.map(Removed::from);
        if (did.captured, removed, met) != (played.captured, played.removed, played.met) {
            unfair.push(Unfair::Attack(ply));
        }
        compare(&game, ply, told, unfair);
    }
    let told_length = told.outcome.reason == EndReason::LengthLimit;
    let plies = game.plies() + told.plies_taken_back;
    let length = (told_length && plies >= LENGTH_LIMIT).then_some(rules::Outcome::LENGTH);
    let meant = game.outcome().or(length).map(Outcome::from);
    if meant != is_of_the_rules(told.outcome.reason).then_some(told.outcome) {
        unfair.push(Unfair::Outcome);
    }
}

/// Compares a position with what was shown of it.
fn compare(game: &Game, ply: Ply, told: &Received<'_>, unfair: &mut Vec<Unfair>) {
    let mut shown = told.shown.iter().filter(|shown| shown.ply == ply);
    if shown.any(|shown| game.view(shown.viewer).fen != shown.fen) {
        unfair.push(Unfair::Position(ply));
    }
}

/// Whether the rules of the game themselves end it so.
pub const fn is_of_the_rules(reason: EndReason) -> bool {
    match reason {
        EndReason::Den
        | EndReason::Elimination
        | EndReason::Flag
        | EndReason::NoMoves
        | EndReason::Checkmate
        | EndReason::Stalemate
        | EndReason::Repetition
        | EndReason::QuietLimit
        | EndReason::LengthLimit => true,
        EndReason::Resignation
        | EndReason::Timeout
        | EndReason::Agreement
        | EndReason::Abandonment
        | EndReason::Adjudication
        | EndReason::Aborted => false,
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::Millis;

    use super::*;

    const FIRST: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
    const SECOND: &str = "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd";

    /// A game that has ended, as a spectator received it.
    struct Game {
        commitments: BySeat<String>,
        revealed: BySeat<RevealedSetup>,
        moves: Vec<PlayedMove>,
        shown: Vec<Shown>,
        outcome: Outcome,
    }

    impl Game {
        fn fair() -> Self {
            let revealed = |setup: &str, salt: &str| RevealedSetup {
                setup: setup.to_owned(),
                salt: salt.repeat(32),
            };
            let revealed = BySeat {
                first: revealed(FIRST, "0a"),
                second: revealed(SECOND, "ff"),
            };
            let mut game = Self {
                commitments: BySeat::default(),
                // A Major General meets a Captain.
                moves: vec![played(1, "a6a7", Some(Removed::Defender), Some(('D', 'c')))],
                shown: vec![
                    Shown {
                        ply: Ply(0),
                        fen: "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/UUUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU w - - 0 1"
                            .to_owned(),
                        viewer: Viewer::Spectator,
                    },
                    Shown {
                        ply: Ply(1),
                        fen: "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/Uuuuu/1UUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU b - - 0 1"
                            .to_owned(),
                        viewer: Viewer::Spectator,
                    },
                ],
                revealed,
                outcome: Outcome {
                    winner: Some(Seat::First),
                    reason: EndReason::Resignation,
                },
            };
            game.commit();
            game
        }

        fn commit(&mut self) {
            let committed = |seat| {
                let RevealedSetup { setup, salt } = self.revealed.get(seat);
                commitment(salt_from_hex(salt).unwrap(), setup)
            };
            self.commitments = BySeat {
                first: committed(Seat::First),
                second: committed(Seat::Second),
            };
        }

        fn check(&self) -> Result<(), Vec<Unfair>> {
            self.check_as(&RuleSet::named("luzhanqi/showdown").unwrap())
        }

        fn check_as(&self, ruleset: &RuleSet) -> Result<(), Vec<Unfair>> {
            super::check(&Received {
                ruleset,
                commitments: &self.commitments,
                revealed: &self.revealed,
                moves: &self.moves,
                plies_taken_back: 0,
                shown: &self.shown,
                outcome: self.outcome,
            })
        }
    }

    fn played(
        ply: u32,
        text: &str,
        removed: Option<Removed>,
        met: Option<(char, char)>,
    ) -> PlayedMove {
        PlayedMove {
            ply: Ply(ply),
            text: text.parse::<Move>().unwrap().into(),
            captured: None,
            removed,
            met: met.map(|(attacker, defender)| Met { attacker, defender }),
            spent_ms: Millis(0),
        }
    }

    #[test]
    fn a_fair_game_follows_from_its_setups() {
        assert_eq!(Game::fair().check(), Ok(()));
    }

    /// A game of random moves to its end, as a viewer received it.
    fn random(ruleset: &RuleSet, viewer: Viewer, seed: u64) -> Game {
        let mut state = seed;
        let mut below = move |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        let setups = rules::BySeat {
            first: Setup::random(rules::Seat::First, &mut below),
            second: Setup::random(rules::Seat::Second, &mut below),
        };
        let mut told = Game::fair();
        told.revealed.first.setup = setups.first.text();
        told.revealed.second.setup = setups.second.text();
        told.commit();
        (told.moves, told.shown) = (Vec::new(), Vec::new());
        let mut game = rules::Game::set_up(ruleset, &setups).unwrap();
        loop {
            if let Some(outcome) = game.outcome() {
                told.outcome = outcome.into();
                return told;
            }
            told.shown.push(Shown {
                ply: Ply(game.plies()),
                fen: game.view(viewer).fen,
                viewer,
            });
            let legal = game.legal_moves();
            let mv = legal[below(legal.len())];
            let did = game.play(mv).unwrap();
            let met = did.revealed;
            told.moves.push(PlayedMove {
                ply: Ply(game.plies()),
                text: mv.into(),
                captured: did.captured,
                removed: did.removed.map(Removed::from),
                met: met.map(|[attacker, defender]| Met { attacker, defender }),
                spent_ms: Millis(0),
            });
        }
    }

    #[test]
    fn whole_games_of_every_rule_set_follow_from_their_setups_for_every_viewer() {
        let mut ends = std::collections::BTreeSet::new();
        for id in ["referee", "showdown", "northern", "modern"] {
            let ruleset = RuleSet::named(&format!("luzhanqi/{id}")).unwrap();
            for seed in 0..12 {
                let viewer = [
                    Viewer::Seat(rules::Seat::First),
                    Viewer::Seat(rules::Seat::Second),
                    Viewer::Spectator,
                ][seed as usize % 3];
                let mut told = random(&ruleset, viewer, seed);
                assert_eq!(told.check_as(&ruleset), Ok(()), "{id} {seed}");
                ends.insert(format!("{:?}", told.outcome.reason));
                told.outcome.reason = EndReason::Timeout;
                assert_eq!(
                    told.check_as(&ruleset),
                    Err(vec![Unfair::Outcome]),
                    "{id} {seed}"
                );
            }
        }
        assert!(ends.len() > 1, "{ends:?}");
    }

    #[test]
    fn whatever_the_server_changes_afterwards_is_found() {
        type Change = fn(&mut Game);
        let changes: [(Change, &[Unfair]); 12] = [
            (
                |game| game.commitments.first.replace_range(..1, "x"),
                &[Unfair::Commitment(Seat::First)],
            ),
            (
                |game| game.revealed.second.salt.replace_range(..1, "0"),
                &[Unfair::Commitment(Seat::Second)],
            ),
            (
                |game| game.revealed.second.salt.replace_range(..1, "+"),
                &[Unfair::Salt(Seat::Second)],
            ),
            (
                |game| game.revealed.first.setup.insert(0, 'D'),
                &[Unfair::Commitment(Seat::First), Unfair::Setup(Seat::First)],
            ),
            (
                // Legal, and the attack comes out the same, but it was another piece.
                |game| {
                    game.revealed.first.setup =
                        FIRST.replace("DKBJC", "GKBJC").replace("G1M1E", "D1M1E");
                },
                &[Unfair::Commitment(Seat::First), Unfair::Attack(Ply(1))],
            ),
            (
                |game| game.moves[0].removed = Some(Removed::Both),
                &[Unfair::Attack(Ply(1))],
            ),
            (
                |game| game.moves[0].removed = None,
                &[Unfair::Attack(Ply(1))],
            ),
            (
                |game| game.moves[0].captured = Some('c'),
                &[Unfair::Attack(Ply(1))],
            ),
            (
                |game| game.moves.push(played(2, "b12b11", None, None)),
                &[Unfair::Move(Ply(2))],
            ),
            (|game| game.moves[0].ply = Ply(2), &[Unfair::Move(Ply(1))]),
            (
                |game| game.shown[1].fen.replace_range(..1, "x"),
                &[Unfair::Position(Ply(1))],
            ),
            (
                |game| game.outcome.reason = EndReason::Flag,
                &[Unfair::Outcome],
            ),
        ];
        for (place, (change, found)) in changes.into_iter().enumerate() {
            let mut game = Game::fair();
            change(&mut game);
            assert_eq!(game.check(), Err(found.to_vec()), "change {place}");
        }
    }

    #[test]
    fn a_commitment_is_what_sha256sum_says_of_the_salt_and_the_text() {
        let salt = salt_from_hex(&"00ff".repeat(16)).unwrap();
        assert_eq!(hex(&salt.0), "00ff".repeat(16));
        assert_eq!(
            commitment(salt, FIRST),
            "c8cd4237e01e7181e6169ac1aa5c575c1a1846097684de3c11b6bf1018b6bc20"
        );
        for text in [
            "",
            "00",
            &"zz".repeat(32),
            &"+0".repeat(32),
            &"0".repeat(63),
        ] {
            assert!(salt_from_hex(text).is_none(), "{text}");
        }
    }
}
