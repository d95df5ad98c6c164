//! What the rules let out of Luzhanqi's identities, tried on random games: what the rules say, and nothing else.

use crate::support::{
    Walk,
    reference::{Board, Reference, ends, name},
    walks_of, written,
};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use qiguan_rules::{
    EndReason, Game, Move, Played, RuleSet, Seat, Viewer, luzhanqi::attack::Removed,
    ruleset::Options,
};

const VIEWERS: [Viewer; 4] = [
    Viewer::Seat(Seat::First),
    Viewer::Seat(Seat::Second),
    Viewer::Spectator,
    Viewer::Referee,
];

fn is_of(seat: Seat, letter: char) -> bool {
    letter.is_ascii_uppercase() == (seat == Seat::First)
}

/// A letter in the case of a side.
fn cased(seat: Seat, letter: char) -> char {
    match seat {
        Seat::First => letter.to_ascii_uppercase(),
        Seat::Second => letter.to_ascii_lowercase(),
    }
}

/// Whether a side's Flag is shown to everybody.
fn shows_flag(reference: &Reference, board: &Board, seat: Seat) -> bool {
    let marshal = cased(seat, 'M');
    reference.is("marshal_loss_reveals_flag", "true")
        && !board.values().any(|letter| *letter == marshal)
}

/// What a viewer may read: the whole text, the letters of all that is hidden replaced.
fn expected_view(reference: &Reference, fen: &str, viewer: Viewer) -> String {
    let board = reference.read(fen).board;
    let (placement, tail) = fen.split_once(' ').expect("six fields");
    let seen = |letter: char| {
        if !letter.is_ascii_alphabetic() {
            return letter;
        }
        let owner = if letter.is_ascii_uppercase() {
            Seat::First
        } else {
            Seat::Second
        };
        let is_shown = letter.eq_ignore_ascii_case(&'F') && shows_flag(reference, &board, owner);
        if viewer == Viewer::Referee || viewer == Viewer::Seat(owner) || is_shown {
            letter
        } else {
            cased(owner, 'U')
        }
    };
    let placement: String = placement.chars().map(seen).collect();
    format!("{placement} {tail}")
}

/// What a move tells by the reference: who is removed, and the letters where attacks reveal them.
fn expected_tale(reference: &Reference, board: &Board, mv: Move) -> Played {
    let mv = mv.to_string();
    let (from, to) = ends(&mv);
    let Some(&attacked) = board.get(&to) else {
        return Played::default();
    };
    let attacker = board[&from];
    let removed = match reference.after(board, &mv).get(&to) {
        None => Removed::Both,
        Some(letter) if *letter == attacker => Removed::Defender,
        Some(_) => Removed::Attacker,
    };
    Played {
        captured: None,
        removed: Some(removed),
        revealed: reference
            .is("attacks_reveal", "true")
            .then_some([attacker, attacked]),
    }
}

/// All that debugging prints of a game: numbers that everybody knows.
fn expected_debugging(ruleset: &RuleSet, game: &Game, board: &Board) -> String {
    let Options::Luzhanqi(options) = ruleset.options() else {
        panic!("Luzhanqi is walked");
    };
    let pieces = Seat::ALL.map(|seat| {
        board
            .values()
            .filter(|letter| is_of(seat, **letter))
            .count()
    });
    format!(
        "Luzhanqi(Play {{ options: {options:?}, position: Position {{ turn: {:?}, pieces: {pieces:?}, .. }}, plies: {}, .. }})",
        game.turn(),
        game.plies(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_view_shows_the_own_pieces_and_shown_flags_alone(walk in walks_of("luzhanqi/", 120)) {
        let reference = Reference::of(&walk.ruleset);
        walk.each(|game, _| {
            for viewer in VIEWERS {
                assert_eq!(game.view(viewer).fen, expected_view(&reference, &game.fen(), viewer), "{viewer:?}");
            }
        });
    }

    #[test]
    fn a_move_tells_who_is_removed_and_letters_only_where_attacks_reveal_them(walk in walks_of("luzhanqi/", 120)) {
        let reference = Reference::of(&walk.ruleset);
        walk.each(|game, _| {
            let board = reference.read(&game.fen()).board;
            for mv in game.legal_moves() {
                let played = game.clone().play(*mv).expect("a legal move is legal");
                assert_eq!(played, expected_tale(&reference, &board, *mv), "{mv} in {}", game.fen());
            }
        });
    }

    #[test]
    fn debugging_prints_what_everybody_knows(walk in walks_of("luzhanqi/", 60)) {
        let reference = Reference::of(&walk.ruleset);
        walk.each(|game, _| {
            let board = reference.read(&game.fen()).board;
            assert_eq!(format!("{game:?}"), expected_debugging(&walk.ruleset, game, &board));
        });
    }
}

/// Two games with the same moves. In the second, two pieces of one side have changed places before the first move.
struct Twins {
    games: [Game; 2],
    /// Whose pieces.
    owner: Seat,
    /// Where the two pieces are now.
    exchanged: [String; 2],
    /// Whether one of them is a Flag.
    flag: bool,
}

impl Twins {
    /// The first two pieces from `choice` on that can change places unseen.
    fn of(ruleset: &RuleSet, fen: &str, choice: usize) -> Option<Self> {
        let reference = Reference::of(ruleset);
        let board = reference.read(fen).board;
        let (_, tail) = fen.split_once(' ').expect("six fields");
        let pairs: Vec<_> = board
            .iter()
            .flat_map(|one| board.iter().map(move |other| (one, other)))
            .filter(|((_, one), (_, other))| {
                one < other && one.is_ascii_uppercase() == other.is_ascii_uppercase()
            })
            .collect();
        let (before, from) = pairs.split_at(choice % pairs.len().max(1));
        from.iter()
            .chain(before)
            .find_map(|((one, a), (other, b))| {
                let mut exchanged = board.clone();
                exchanged.insert(**one, **b);
                exchanged.insert(**other, **a);
                let twin = format!("{} {tail}", written(&exchanged));
                Some(Self {
                    games: [
                        Game::from_fen(ruleset, fen).ok()?,
                        Game::from_fen(ruleset, &twin).ok()?,
                    ],
                    owner: if is_of(Seat::First, **a) {
                        Seat::First
                    } else {
                        Seat::Second
                    },
                    exchanged: [one, other].map(|square| name(**square)),
                    flag: [**a, **b]
                        .iter()
                        .any(|letter| letter.eq_ignore_ascii_case(&'F')),
                })
            })
    }

    /// Whether the difference may have become known by the position: a Flag that is shown, or a side that can't move.
    fn differ_rightly(&self, reference: &Reference) -> bool {
        self.games.iter().any(|game| {
            let board = reference.read(&game.fen()).board;
            let stuck = game
                .outcome()
                .is_some_and(|outcome| outcome.reason == EndReason::NoMoves);
            stuck || (self.flag && shows_flag(reference, &board, self.owner))
        })
    }

    /// Everything that the opponent and a spectator may look at is the same.
    fn assert_alike(&self, place: &str) {
        let [one, other] = &self.games;
        let enemy = self.owner.other();
        assert_ne!(one.fen(), other.fen(), "{place}: twins differ");
        for viewer in [Viewer::Spectator, Viewer::Seat(enemy)] {
            assert_eq!(one.view(viewer), other.view(viewer), "{place}: {viewer:?}");
        }
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "{place}");
        assert_eq!(one.outcome(), other.outcome(), "{place}");
        assert_eq!(
            (one.turn(), one.plies()),
            (other.turn(), other.plies()),
            "{place}"
        );
        if one.turn() == enemy {
            assert_eq!(one.legal_moves(), other.legal_moves(), "{place}");
        }
    }

    /// Plays a move in both games, unless the difference matters to it: one of the two pieces fights, or makes a move that
    /// only one of them can.
    fn play(&mut self, mv: Move, place: &str) -> bool {
        let (from, to) = (mv.from.to_string(), mv.to.to_string());
        let [one, other] = &mut self.games;
        let own = self.exchanged.iter().position(|point| *point == from);
        if self.exchanged.contains(&to) || !other.legal_moves().contains(&mv) {
            return false;
        }
        let told = one.play(mv);
        if own.is_some() && told.is_ok_and(|told| told.removed.is_some()) {
            return false;
        }
        assert_eq!(told, other.play(mv), "{place}");
        if let Some(own) = own {
            self.exchanged[own] = to;
        }
        true
    }
}

/// Follows a walk with its twin for as long as the difference does not matter, and counts the positions compared.
fn compare_twins(walk: &Walk, choice: usize) -> usize {
    let reference = Reference::of(&walk.ruleset);
    let mut start = None;
    let mut moves = Vec::new();
    walk.each(|game, mv| {
        start.get_or_insert_with(|| game.fen());
        moves.extend(mv);
    });
    let start = start.expect("a walk has a position");
    let Some(mut twins) = Twins::of(&walk.ruleset, &start, choice) else {
        return 0;
    };
    let mut compared = 0;
    for ply in 0..=moves.len() {
        let place = format!(
            "{} {start} {:?}, choice {choice}",
            walk.ruleset.id(),
            &moves[..ply]
        );
        if twins.differ_rightly(&reference) {
            break;
        }
        twins.assert_alike(&place);
        compared += 1;
        if moves.get(ply).is_some_and(|mv| !twins.play(*mv, &place)) {
            break;
        }
    }
    compared
}

#[test]
fn view_leaks_nothing() {
    let mut runner = TestRunner::deterministic();
    let walks = (walks_of("luzhanqi/", 120), any::<u16>());
    let mut compared = 0;
    let mut long = 0;
    for _ in 0..1_000 {
        let (walk, choice) = walks.new_tree(&mut runner).expect("a walk").current();
        let positions = compare_twins(&walk, usize::from(choice));
        compared += positions;
        long += usize::from(positions > 30);
    }
    assert!(compared > 15_000, "{compared} positions were compared");
    assert!(long > 200, "{long} pairs of games were alike for 30 plies");
}
