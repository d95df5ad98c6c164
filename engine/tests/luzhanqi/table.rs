//! Games between two players, each of whom sees what its seat sees.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{
    Draws, Level,
    luzhanqi::{Opponent, Seen, choose},
};
use qiguan_rules::{
    BySeat, Move, Outcome, Played, Seat,
    luzhanqi::{Options, Piece, Play, Setup, board},
};

/// Never ends a search.
static GO_ON: AtomicBool = AtomicBool::new(false);

/// A player.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contender {
    /// One to measure against.
    Opponent(Opponent),
    /// The computer.
    Computer(Level),
}

impl Contender {
    fn plays(self, seen: &Seen, legal: &[Move], seed: u64) -> Option<Move> {
        match self {
            Self::Opponent(opponent) => opponent.choose(seen, legal, seed),
            Self::Computer(level) => {
                choose(seen, legal, level, seed, &GO_ON).map(|chosen| chosen.mv)
            }
        }
    }
}

/// The named rule sets.
pub(crate) const RULE_SETS: [(&str, Options); 4] = [
    ("luzhanqi/referee", Options::REFEREE),
    ("luzhanqi/showdown", Options::SHOWDOWN),
    ("luzhanqi/northern", Options::NORTHERN),
    ("luzhanqi/modern", Options::MODERN),
];

/// A game with what each seat has seen of it.
pub(crate) struct Table {
    pub(crate) play: Play,
    pub(crate) seen: BySeat<Seen>,
}

/// What a seat receives of a move: the move, who was removed, both pieces if they are shown, and the enemy's Flag if it is shown.
pub(crate) type Received = (
    Move,
    Option<qiguan_rules::luzhanqi::attack::Removed>,
    Option<[Piece; 2]>,
    Option<qiguan_rules::Square>,
);

/// Two random setups.
pub(crate) fn random_setups(seed: u64) -> BySeat<Setup> {
    let mut draws = Draws::new(seed);
    BySeat {
        first: Setup::random(Seat::First, |below| draws.below(below)),
        second: Setup::random(Seat::Second, |below| draws.below(below)),
    }
}

/// What a seat receives of a move that was just played.
pub(crate) fn received(play: &Play, seat: Seat, mv: Move, played: &Played) -> Received {
    let met = played.revealed.and_then(|[one, other]| {
        Some([
            Piece::from_letter(one.to_ascii_uppercase())?,
            Piece::from_letter(other.to_ascii_uppercase())?,
        ])
    });
    let enemy = seat.other();
    let flag = play
        .shows_flag(enemy)
        .then(|| play.position().flag(enemy))
        .flatten()
        .map(board::square);
    (mv, played.removed, met, flag)
}

/// Takes in what was received.
pub(crate) fn take_in(seen: &mut Seen, (mv, removed, met, flag): Received) {
    seen.see(mv, removed, met)
        .expect("what was received can have happened");
    if let Some(flag) = flag {
        seen.see_flag(flag)
            .expect("a Flag that is shown can be there");
    }
}

impl Table {
    pub(crate) fn start(options: Options, setups: &BySeat<Setup>) -> Self {
        let seen =
            |seat| Seen::start(options, seat, setups.get(seat)).expect("the setup is the seat's");
        Self {
            play: Play::start(options, setups),
            seen: BySeat {
                first: seen(Seat::First),
                second: seen(Seat::Second),
            },
        }
    }

    pub(crate) fn turn(&self) -> Seat {
        self.play.position().turn()
    }

    /// Plays a move, which both seats see.
    pub(crate) fn plays(&mut self, mv: Move) {
        let played = self.play.play(mv).expect("a legal move");
        for seat in Seat::ALL {
            let received = received(&self.play, seat, mv, &played);
            take_in(self.seen.get_mut(seat), received);
        }
    }

    /// Lets two players play to the end.
    pub(crate) fn play_out(&mut self, players: BySeat<Contender>, seed: u64) -> Outcome {
        loop {
            if let Some(outcome) = self.play.outcome() {
                return outcome;
            }
            let seat = self.turn();
            let seed = seed.wrapping_mul(10_007) + u64::from(self.play.plies());
            let mv = players
                .get(seat)
                .plays(self.seen.get(seat), self.play.legal_moves(), seed)
                .expect("a move while the game goes on");
            self.plays(mv);
        }
    }
}

/// How many of so many games one player wins, draws and loses. The games come in pairs from the same setups, with seats changed.
pub(crate) fn matches(options: Options, one: Contender, other: Contender, games: u64) -> [u64; 3] {
    let mut counts = [0; 3];
    for game in 0..games {
        let setups = random_setups(1_000_003 + game / 2);
        let seat = Seat::ALL[(game % 2) as usize];
        let players = match seat {
            Seat::First => BySeat {
                first: one,
                second: other,
            },
            Seat::Second => BySeat {
                first: other,
                second: one,
            },
        };
        let mut table = Table::start(options, &setups);
        let outcome = table.play_out(players, 7_919 + game);
        let won = outcome.winner.map(|winner| winner == seat);
        counts[match won {
            Some(true) => 0,
            None => 1,
            Some(false) => 2,
        }] += 1;
    }
    counts
}
