//! What the enemy's pieces probably are: worlds that contradict nothing that was seen, and how often each piece is what in them.

use qiguan_rules::luzhanqi::{
    Piece,
    board::{self, REAR, bit},
    piece::MEN,
};

use crate::{
    draws::Draws,
    luzhanqi::{
        kinds::Kinds,
        seen::{ENEMY, Seen},
    },
};

/// Exchanges that are tried between two worlds that are counted.
const EXCHANGES: usize = 60;
/// Exchanges that are tried before the first world is counted.
const FIRST_EXCHANGES: usize = 600;

/// How likely each enemy piece is of each kind: a row for each piece, which adds up to 1.
pub(super) struct Belief {
    pub(super) chances: [[f32; 12]; MEN],
}

/// A world: what each enemy piece is.
pub(super) type World = [Piece; MEN];

impl Belief {
    /// Draws so many worlds, at least 1, and counts.
    pub(super) fn draw(seen: &Seen, worlds: usize, draws: &mut Draws) -> Self {
        let mut counts = [[0_u32; 12]; MEN];
        let mut counted = 0;
        if let Some(mut sampler) = Sampler::new(seen, draws) {
            sampler.stir(FIRST_EXCHANGES, draws);
            for _ in 0..worlds.max(1) {
                sampler.stir(EXCHANGES, draws);
                for (row, piece) in counts.iter_mut().zip(sampler.world) {
                    row[piece.index()] += 1;
                }
                counted += 1;
            }
        }
        let mut chances = [[0.0; 12]; MEN];
        for (enemy, (row, count)) in chances.iter_mut().zip(counts).enumerate() {
            let possible = seen.possible(enemy);
            // A kind that is possible and turned up in no world keeps a little chance.
            let sum = counted as f32 + 0.02 * possible.len() as f32;
            for place in possible.places() {
                row[place] = (count[place] as f32 + 0.02) / sum;
            }
        }
        Self { chances }
    }
}

/// A world that is stirred by exchanges which keep it consistent (a Markov chain over all consistent worlds).
pub(super) struct Sampler {
    possible: [Kinds; MEN],
    weights: [[f32; 12]; MEN],
    pub(super) world: World,
}

impl Sampler {
    /// A first consistent world. None if what was seen allows no world.
    pub(super) fn new(seen: &Seen, draws: &mut Draws) -> Option<Self> {
        let mut possible = [Kinds::NONE; MEN];
        for (enemy, kinds) in possible.iter_mut().enumerate() {
            *kinds = seen.possible(enemy);
        }
        Some(Self {
            possible,
            weights: weights(seen),
            world: matched(&possible, draws)?,
        })
    }

    /// Tries so many exchanges of two pieces' kinds.
    pub(super) fn stir(&mut self, exchanges: usize, draws: &mut Draws) {
        for _ in 0..exchanges {
            let (one, other) = (draws.below(MEN), draws.below(MEN));
            let (a, b) = (self.world[one], self.world[other]);
            if a == b || !self.possible[one].has(b) || !self.possible[other].has(a) {
                continue;
            }
            let before = self.weights[one][a.index()] * self.weights[other][b.index()];
            let after = self.weights[one][b.index()] * self.weights[other][a.index()];
            if after >= before || draws.fraction() < f64::from(after / before) {
                self.world.swap(one, other);
            }
        }
    }
}

/// Gives every piece a kind that it may be, each kind as often as a set has it: augmenting paths, the most bound pieces first.
fn matched(possible: &[Kinds; MEN], draws: &mut Draws) -> Option<World> {
    let mut slots: Vec<Piece> = Piece::ALL
        .into_iter()
        .flat_map(|piece| std::iter::repeat_n(piece, piece.count()))
        .collect();
    for last in (1..slots.len()).rev() {
        slots.swap(last, draws.below(last + 1));
    }
    let mut taken: [Option<usize>; MEN] = [None; MEN];
    let mut order: Vec<usize> = (0..MEN).collect();
    order.sort_by_key(|enemy| possible[*enemy].len());
    for enemy in order {
        let mut tried = [false; MEN];
        if !augment(enemy, possible, &slots, &mut taken, &mut tried) {
            return None;
        }
    }
    let mut world = [Piece::Flag; MEN];
    for (slot, enemy) in taken.into_iter().enumerate() {
        world[enemy?] = slots[slot];
    }
    Some(world)
}

fn augment(
    enemy: usize,
    possible: &[Kinds; MEN],
    slots: &[Piece],
    taken: &mut [Option<usize>; MEN],
    tried: &mut [bool; MEN],
) -> bool {
    for (slot, piece) in slots.iter().enumerate() {
        if tried[slot] || !possible[enemy].has(*piece) {
            continue;
        }
        tried[slot] = true;
        let free = match taken[slot] {
            None => true,
            Some(other) => augment(other, possible, slots, taken, tried),
        };
        if free {
            taken[slot] = Some(enemy);
            return true;
        }
    }
    false
}

/// How much more likely a piece is of a kind than chance alone says: by where people set up what, and because pieces of the rear that have
/// not moved for long are often those that can't.
fn weights(seen: &Seen) -> [[f32; 12]; MEN] {
    let long = 1.0 + (seen.plies().min(120) as f32) / 40.0;
    let mut weights = [[1.0; 12]; MEN];
    for (enemy, row) in weights.iter_mut().enumerate() {
        let home = seen.homes()[enemy];
        let unmoved = !seen.moved()[enemy] && REAR[ENEMY] & bit(home) != 0;
        for (weight, piece) in row.iter_mut().zip(Piece::ALL) {
            *weight = habit(piece, home);
            if unmoved && !piece.moves() {
                *weight *= long;
            }
        }
    }
    weights
}

/// How often people set up a piece on a point of the upper half, compared with chance. Careful: nobody has to do as most people do.
fn habit(piece: Piece, home: u8) -> f32 {
    let (file, rank) = (home % board::FILES, home / board::FILES);
    // From the rear rank to the front.
    let by_rank = match piece {
        Piece::Marshal | Piece::General => [0.4, 0.7, 1.0, 1.2, 1.2, 1.0],
        Piece::MajorGeneral | Piece::Brigadier => [0.5, 0.7, 1.0, 1.1, 1.2, 1.2],
        Piece::Colonel | Piece::Major => [0.8, 1.0, 1.0, 1.0, 1.0, 1.1],
        Piece::Captain | Piece::Lieutenant => [1.3, 1.2, 1.0, 0.9, 0.9, 0.9],
        Piece::Engineer => [1.3, 1.2, 1.0, 0.9, 0.8, 0.8],
        Piece::Grenade => [0.5, 0.8, 1.3, 1.3, 1.1, 1.0],
        // Beside and before the headquarters.
        Piece::Landmine if matches!(file, 1 | 3) => [1.0, 1.3, 1.0, 1.0, 1.0, 1.0],
        Piece::Landmine => [1.3, 0.8, 1.0, 1.0, 1.0, 1.0],
        Piece::Flag => [1.0; 6],
    };
    let from_the_rear = board::RANKS.saturating_sub(1 + rank);
    by_rank
        .get(usize::from(from_the_rear))
        .copied()
        .unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiguan_rules::{
        BySeat, Seat,
        luzhanqi::{Options, Play, Setup},
    };

    #[test]
    fn every_world_that_is_drawn_contradicts_nothing() {
        for seed in 0..40 {
            let mut draws = Draws::new(seed);
            let setups = BySeat {
                first: Setup::random(Seat::First, |below| draws.below(below)),
                second: Setup::random(Seat::Second, |below| draws.below(below)),
            };
            let mut play = Play::start(Options::REFEREE, &setups);
            let mut seen = Seen::start(Options::REFEREE, Seat::First, &setups.first)
                .unwrap_or_else(|error| panic!("{error}"));
            for _ in 0..120 {
                if play.outcome().is_some() {
                    break;
                }
                let mut sampler = Sampler::new(&seen, &mut draws).expect("a world");
                for _ in 0..5 {
                    for piece in Piece::ALL {
                        let count = sampler.world.iter().filter(|kind| **kind == piece).count();
                        assert_eq!(count, piece.count(), "{}", piece.name());
                    }
                    for (enemy, piece) in sampler.world.into_iter().enumerate() {
                        assert!(seen.possible(enemy).has(piece), "{}", piece.name());
                    }
                    sampler.stir(EXCHANGES, &mut draws);
                }
                let legal = play.legal_moves();
                let mv = legal[draws.below(legal.len())];
                let played = play.play(mv).unwrap();
                if play.outcome().is_none() {
                    seen.see(mv, played.removed, None).unwrap();
                }
            }
        }
    }

    #[test]
    fn chances_add_up_to_one() {
        let setup = Setup::random(Seat::First, |_| 0);
        let seen = Seen::start(Options::REFEREE, Seat::First, &setup)
            .unwrap_or_else(|error| panic!("{error}"));
        let belief = Belief::draw(&seen, 50, &mut Draws::new(1));
        for row in belief.chances {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        }
    }
}
