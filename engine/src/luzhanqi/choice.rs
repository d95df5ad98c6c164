//! Which move a level plays.

use std::sync::atomic::AtomicBool;

use qiguan_rules::Move;

use crate::{
    draws::Draws,
    level::Level,
    luzhanqi::{
        belief::Belief,
        board::{Node, SearchContext, Step},
        evaluation::WIN,
        search::Search,
        seen::Seen,
    },
};

/// A move that was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The move; one of those that were given.
    pub mv: Move,
    /// Positions looked at.
    pub nodes: u64,
    /// How likely the game is to be won, as far as the player can tell, from 0 to 1.
    pub chance: f32,
}

/// How much a level thinks.
struct Effort {
    /// Worlds that are drawn for its belief.
    worlds: usize,
    /// Positions that it looks at, at most.
    nodes: u64,
    /// Plies after its own move that it looks ahead, at most.
    depth: u32,
    /// How far from the best its moves may be, in hundredths of a Field Marshal: one that is so much worse is played about a third as
    /// often.
    spread: f32,
}

const fn effort(level: Level) -> Effort {
    let (worlds, nodes, depth, spread) = match level.number() {
        1 => (16, 4_000, 0, 25.0),
        2 => (16, 4_000, 0, 13.0),
        3 => (32, 10_000, 0, 5.6),
        4 => (64, 20_000, 1, 5.2),
        5 => (64, 20_000, 1, 2.2),
        6 => (96, 40_000, 3, 1.5),
        7 => (128, 120_000, 8, 1.1),
        _ => (256, 600_000, 8, 0.7),
    };
    Effort {
        worlds,
        nodes,
        depth,
        spread,
    }
}

/// A move with what it is worth.
#[derive(Clone, Copy)]
struct Rated {
    mv: Move,
    step: Step,
    /// What speaks for or against it besides what the search says.
    bias: f32,
    worth: f32,
}

/// The move that a level plays among `legal`, which are the moves that the seat may make now. The same arguments give the same answer, as
/// long as nobody sets `stop`.
///
/// None if there is no move among them that the seat could make as far as it has seen, and if it is not its turn.
pub fn choose(
    seen: &Seen,
    legal: &[Move],
    level: Level,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Chosen> {
    if seen.turn() != seen.seat() {
        return None;
    }
    let effort = effort(level);
    let mut draws = Draws::new(seed);
    let belief = Belief::draw(seen, effort.worlds, &mut draws);
    let known = SearchContext::new(seen, &belief);
    let root = known.root(seen);
    let mut moves: Vec<Rated> = legal
        .iter()
        .filter_map(|mv| rated(seen, &known, &root, *mv))
        .collect();
    // What looks best at first sight is searched first: the search may end before it comes to the others.
    moves.sort_by(|one, other| other.worth.total_cmp(&one.worth));
    let mut search = Search::new(&known, effort.nodes, stop);
    for depth in 0..=effort.depth {
        if !deepen(&mut search, &root, &mut moves, depth, effort.spread) {
            break;
        }
    }
    let place = drawn(&moves, effort.spread, level, &mut draws);
    let chosen = moves.get(place)?;
    Some(Chosen {
        mv: chosen.mv,
        nodes: search.nodes,
        chance: 1.0 / (1.0 + (-chosen.worth / 120.0).exp()),
    })
}

/// Searches every move so deep and puts the best first. False when the search has come to its end: then only the moves that it came to are
/// left, or all as they were if it came to none.
fn deepen(
    search: &mut Search<'_>,
    root: &Node,
    moves: &mut Vec<Rated>,
    depth: u32,
    spread: f32,
) -> bool {
    let mut searched = moves.clone();
    let mut best = f32::NEG_INFINITY;
    let mut complete = 0;
    for rated in &mut searched {
        // A move that is far behind will not be drawn, so how far does not matter.
        let floor = best - 5.0 * spread - rated.bias;
        let worth = search.after_own(root, rated.step, depth, 0, (floor, f32::INFINITY));
        if search.is_over() {
            break;
        }
        complete += 1;
        rated.worth = worth + rated.bias;
        best = best.max(rated.worth);
    }
    if search.is_over() {
        // The best before is searched first, so one that was found to be better is.
        searched.truncate(complete);
        if searched.is_empty() {
            return false;
        }
    }
    searched.sort_by(|one, other| other.worth.total_cmp(&one.worth));
    *moves = searched;
    !search.is_over()
}

/// Draws one of the good moves; the first is the best.
fn drawn(moves: &[Rated], spread: f32, level: Level, draws: &mut Draws) -> usize {
    let Some(best) = moves.first() else { return 0 };
    // From the second level on a Flag that is known is taken.
    if level.number() > 1 && best.worth > 0.6 * WIN {
        return 0;
    }
    let chances: Vec<f64> = moves
        .iter()
        .map(|rated| f64::from((rated.worth - best.worth) / spread).exp())
        .collect();
    let mut left = draws.fraction() * chances.iter().sum::<f64>();
    chances
        .iter()
        .position(|chance| {
            left -= chance;
            left < 0.0
        })
        .unwrap_or(0)
}

fn rated(seen: &Seen, known: &SearchContext, root: &Node, mv: Move) -> Option<Rated> {
    let step = Step {
        from: seen.point(mv.from)?,
        to: seen.point(mv.to)?,
        order: 0.0,
    };
    let own = root.own_at(step.from)?;
    let enemy = root.enemy_at(step.to);
    let sight = match enemy {
        Some(enemy) => known.gain(root, own, enemy, WIN),
        None => known.own_moved(root, step).score - root.score,
    };
    let bias = if enemy.is_some() {
        eagerness(seen)
    } else {
        let occurred = seen.occurrences(own as u8, step.from, step.to) as f32;
        let visits = seen.visits(own, step.to) as f32;
        -12.0 * occurred - (2.0 * visits).min(12.0)
    };
    Some(Rated {
        mv,
        step,
        bias,
        worth: root.score + sight + bias,
    })
}

/// What an attack is worth besides: the longer nothing has been attacked, the more, for a game without attacks is drawn.
fn eagerness(seen: &Seen) -> f32 {
    let limit = seen.options().quiet_limit;
    if limit == 0 {
        return 0.0;
    }
    let quiet = seen.quiet_plies() as f32;
    let slow = ((quiet - 16.0) / 40.0).clamp(0.0, 1.0) * 15.0;
    let late = if quiet > 0.75 * limit as f32 {
        60.0
    } else {
        0.0
    };
    slow + late
}
