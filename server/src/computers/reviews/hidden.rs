//! The review of a game of Luzhanqi in two columns: by what the player could know, and with all pieces open.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{
    Level,
    luzhanqi::{Seen, choose, judge},
};
use qiguan_game::state::State;
use qiguan_rules::{
    BySeat, Game, Move, Played, RuleSet, Seat,
    luzhanqi::{Piece, Setup, board},
    ruleset::Options,
};

use super::work::{PositionReview, of_first, told};

/// How much is searched for a move, in a game of ordinary length and in a long one.
const LEVELS: [u8; 2] = [4, 3];
/// A game with more moves is a long one.
const LONG: usize = 200;

/// The review of a game of Luzhanqi that is over.
pub(super) struct HiddenReviewer {
    ruleset: RuleSet,
    setups: BySeat<Setup>,
    moves: Vec<(Move, Played)>,
    level: Level,
    left: usize,
}

impl HiddenReviewer {
    /// A review that has looked at nothing yet; none for a game whose setups are not open to everybody.
    pub(super) fn of(state: &State) -> Option<Self> {
        let setup = state.setup.as_ref().filter(|setup| setup.revealed);
        let moves = state.moves.iter().map(|played| (played.mv, played.did));
        let moves: Vec<_> = moves.collect();
        let level = LEVELS[usize::from(moves.len() > LONG)];
        Some(Self {
            ruleset: state.ruleset,
            setups: setup?.taken.as_ref()?.0,
            left: moves.len() + 1,
            moves,
            level: Level::try_from(level).ok()?,
        })
    }

    /// How much is searched for a move.
    pub(super) const fn level(&self) -> Level {
        self.level
    }

    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// The position that is looked at next.
    pub(super) fn position(&self) -> Option<Game> {
        let mut game = Game::set_up(&self.ruleset, &self.setups)?;
        for (mv, _) in self.moves.get(..self.left.checked_sub(1)?)? {
            game.play_recorded(*mv).ok()?;
        }
        Some(game)
    }

    pub(super) const fn skip(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Looks at the next position, which is this one.
    pub(super) fn look(&mut self, game: &Game, stop: &AtomicBool) -> Option<PositionReview> {
        let plies = self.left.checked_sub(1)?;
        self.left = plies;
        let turn = game.turn();
        if let Some(outcome) = game.outcome() {
            let won = outcome
                .winner
                .map_or(0.5, |winner| f64::from(u8::from(winner == turn)));
            return Some(PositionReview {
                chance: Some(of_first(turn, won)),
                ..PositionReview::default()
            });
        }
        let (known, open) = self.seen(game, plies)?;
        let (legal, level, seed) = (game.legal_moves(), self.level, plies as u64);
        let Some((played, _)) = self.moves.get(plies) else {
            let chance = choose(&open, legal, level, seed, stop).map(|chosen| chosen.chance);
            return Some(PositionReview {
                chance: chance.map(|chance| of_first(turn, f64::from(chance))),
                ..PositionReview::default()
            });
        };
        let of = |seen| judge(seen, legal, *played, level, seed, stop);
        let open = of(&open);
        Some(PositionReview {
            chance: open
                .as_ref()
                .map(|judged| of_first(turn, judged.best_chance)),
            judged: of(&known).map(told),
            open: open.map(told),
        })
    }

    /// What the side to move had seen after so many moves, and the same with all pieces open.
    pub(super) fn seen(&self, game: &Game, plies: usize) -> Option<(Seen, Seen)> {
        let (Options::Luzhanqi(options), Game::Luzhanqi(play)) = (self.ruleset.options(), game)
        else {
            return None;
        };
        let seat = game.turn();
        let mut seen = Seen::start(*options, seat, self.setups.get(seat)).ok()?;
        for (mv, did) in self.moves.get(..plies)? {
            seen.see(*mv, did.removed, met(did)).ok()?;
        }
        let mut open = seen.clone();
        if let Some(flag) = shown_flag(play, seat.other()) {
            seen.see_flag(flag).ok()?;
        }
        open.see_setup(self.setups.get(seat.other())).ok()?;
        Some((seen, open))
    }
}

fn shown_flag(play: &qiguan_rules::luzhanqi::Play, side: Seat) -> Option<qiguan_rules::Square> {
    let flag = play.shows_flag(side).then(|| play.position().flag(side));
    flag.flatten().map(board::square)
}

/// The two pieces that met, where the rule set shows them.
fn met(did: &Played) -> Option<[Piece; 2]> {
    let [attacker, defender] = did.revealed?;
    let piece = |letter: char| Piece::from_letter(letter.to_ascii_uppercase());
    Some([piece(attacker)?, piece(defender)?])
}
