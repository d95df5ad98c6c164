//! The positions of running games between people: the server helps nobody to play them on, by whatever door.
//!
//! Rooms keep them. After a restart a game is here again when its room has been opened, which is soon ([`Unheld::all_were_opened`]).
//!
//! [`Unheld::all_were_opened`]: crate::services::unheld::Unheld::all_were_opened

use std::collections::HashMap;

use parking_lot::Mutex;
use qiguan_game::{people::computer, slot::Slot, state::State};
use qiguan_protocol::{ids::GameId, names::Status};
use qiguan_rules::{Game, Viewer};
use sha2::{Digest, Sha256};

/// Up to here openings are known to everybody, and a position says nothing about one game.
const OPENING_PLIES: u32 = 10;

/// A position of a rule set, by [`key`].
pub type RunningPosition = (&'static str, u64);

/// Where each running game stands.
#[derive(Default)]
pub struct RunningPositions(Mutex<Positions>);

#[derive(Default)]
struct Positions {
    games: HashMap<GameId, RunningPosition>,
    /// How many of them stand at each position.
    counts: HashMap<RunningPosition, u32>,
}

impl RunningPositions {
    /// The position of a game that nobody is to be helped with; none of a game against a computer, one that is over or has hardly begun.
    pub fn of(state: &State) -> Option<RunningPosition> {
        let counts = state.status == Status::Playing
            && state.ply().0 > OPENING_PLIES
            && computer::seat_of(state).is_none();
        counts.then(|| (state.ruleset.id(), key(&state.game)))
    }

    /// A game stands at this position now, or at none that counts. A room that is closed leaves its game where it stands.
    pub fn goes_on(&self, game: GameId, to: Option<RunningPosition>) {
        let Positions { games, counts } = &mut *self.0.lock();
        let from = match to {
            Some(position) => {
                *counts.entry(position).or_default() += 1;
                games.insert(game, position)
            }
            None => games.remove(&game),
        };
        if let Some(left) = from
            && let Some(count) = counts.get_mut(&left)
        {
            *count -= 1;
            if *count == 0 {
                counts.remove(&left);
            }
        }
    }

    /// The games of these slots are another program's.
    pub fn forget(&self, is_gone: impl Fn(Slot) -> bool) {
        let games: Vec<GameId> = self.0.lock().games.keys().copied().collect();
        for game in games.into_iter().filter(|game| is_gone(Slot::of(*game))) {
            self.goes_on(game, None);
        }
    }

    /// Whether a running game of this program stands at a position, which is given by its [`key`].
    pub fn has_key(&self, ruleset: &str, key: u64) -> bool {
        self.0.lock().counts.contains_key(&(ruleset, key))
    }
}

/// The same for positions that help each other's players: in Xiangqi for the mirror image, and in Luzhanqi for all that look alike to
/// spectators, so that nothing that is asked here tells of hidden pieces. Programs ask each other by it, so it is the same in all of them.
pub fn key(game: &Game) -> u64 {
    match game {
        Game::Xiangqi(play) => {
            let position = play.position();
            position.key().min(position.mirrored().key())
        }
        Game::DouShouQi(_) => game.key(),
        Game::Luzhanqi(_) => {
            let shown = game.view(Viewer::Spectator).fen;
            // The board and the side to move.
            let fields: Vec<&str> = shown.split(' ').take(2).collect();
            let hash = Sha256::digest(fields.join(" "));
            hash.iter()
                .take(size_of::<u64>())
                .fold(0, |key, byte| key << 8 | u64::from(*byte))
        }
    }
}

#[cfg(test)]
mod tests {
    use qiguan_game::testing::{GAME, Table, fischer};
    use qiguan_rules::{BySeat, RuleSet, Seat, luzhanqi::Setup};

    use super::*;

    /// The files of each rank the other way round.
    fn mirrored(fen: &str) -> String {
        let (board, rest) = fen.split_once(' ').unwrap();
        let ranks = board.split('/').map(|rank| rank.chars().rev().collect());
        format!("{} {rest}", ranks.collect::<Vec<String>>().join("/"))
    }

    #[test]
    fn positions_of_luzhanqi_that_look_alike_to_spectators_are_one() {
        let ruleset = RuleSet::named("luzhanqi/referee").unwrap();
        let set_up = |first: &str| {
            let read = |seat, text| Setup::read(seat, text).ok().unwrap();
            let setups = BySeat {
                first: read(Seat::First, first),
                second: read(Seat::Second, "xfcxe/elxcl/j1e1n/db1lk/n1m1g/cjbkd"),
            };
            Game::set_up(&ruleset, &setups).unwrap()
        };
        let one = set_up("MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX");
        let other = set_up("KMBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX");
        assert!(one.key() != other.key() && key(&one) == key(&other));
    }

    #[test]
    fn a_position_is_known_from_the_opening_to_the_end_of_its_game() {
        let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 3);
        table.plays(10);
        assert_eq!(RunningPositions::of(&table.state), None);
        table.plays(11);
        let at = RunningPositions::of(&table.state);
        let (ruleset, game) = (table.state.ruleset, table.state.game.clone());
        let running = RunningPositions::default();
        let has = |ruleset: &RuleSet, game: &Game| running.has_key(ruleset.id(), key(game));
        let other = GameId(uuid::Uuid::from_u128(8));
        // The room of a game is closed and opened again, and another game stands there, too.
        running.goes_on(GAME, at);
        running.goes_on(GAME, at);
        running.goes_on(other, at);
        table.plays(12);
        running.goes_on(GAME, RunningPositions::of(&table.state));
        assert!(has(&ruleset, &game));
        assert!(has(&ruleset, &table.state.game));
        let mirrored = Game::from_fen(&ruleset, &mirrored(&game.fen())).unwrap();
        assert!(has(&ruleset, &mirrored));
        running.goes_on(other, None);
        assert!(!has(&ruleset, &game) && !has(&ruleset, &mirrored));
        table.does(1, &qiguan_game::referee::Command::Resign);
        let over = RunningPositions::of(&table.state);
        running.goes_on(GAME, over);
        assert!(over.is_none() && !has(&ruleset, &table.state.game));
    }
}
