//! The search, one for both games: iterative deepening and principal variation search over what [`Board`] says of a game.
//!
//! **Invariant:** bans live inside the search. A move that the rules ban does not exist here, and a score that depends on how a position
//! came about is never stored as that position's score.

mod alpha_beta;
mod board;
mod ending;
mod exchange;
mod moves;
mod ordering;
mod path;
mod quiescence;
mod table;
mod threads;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use alpha_beta::Node;
pub(crate) use board::{Board, Repetition, Step, Tempo};
pub(crate) use ending::{KnownEndings, score_of};
use moves::reduced;
use ordering::{MoveList, Ordering as MoveOrdering};
use path::Path;
pub(crate) use table::Table;
pub use threads::Effort;
pub(crate) use threads::{Question, Teller, search};

/// The score of a win on the spot; one ply later it is one less.
pub(crate) const WIN: i32 = 30_000;
/// Scores beyond this are wins or losses that were found to the end.
pub(crate) const DECIDED: i32 = WIN - 1_000;
/// More than any score.
const INFINITE: i32 = 32_000;
/// How deep a line can become.
const MOST_PLIES: usize = 120;

/// After so many positions a search looks around: whether it was stopped, and what the other threads have done.
const COUNTED: u64 = 1_024;

/// How much may be searched. The search ends with whatever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most positions.
    pub nodes: u64,
    /// The most plies of the main line before captures are played out, 1 or more.
    pub depth: u32,
}

impl Limits {
    /// None: the search goes on until it is stopped.
    pub const NONE: Self = Self {
        nodes: u64::MAX,
        depth: MOST_PLIES as u32,
    };
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Plies searched.
    pub(crate) depth: u32,
    /// From the view of the side to move, in hundredths of a soldier or a cat; beyond [`DECIDED`] a win or loss.
    pub(crate) score: i32,
    /// The moves that are expected, the one to play first.
    pub(crate) moves: Vec<Step>,
}

/// A search under way.
pub(crate) struct Search<'a, B: Board> {
    laws: B::Laws,
    path: Path<'a, B>,
    table: &'a Table,
    endings: Option<KnownEndings<'a>>,
    ordering: MoveOrdering,
    /// Lists of moves by ply, kept so that their memory is taken once.
    lists: Vec<MoveList>,
    /// The moves by ply that have been tried without success, likewise.
    tried: Vec<Vec<Step>>,
    /// How deep the present iteration goes.
    depth: usize,
    /// Whether no move is left out: where few plies are searched so that a weak level overlooks things, it overlooks them by its depth.
    is_thorough: bool,
    limits: Limits,
    stop: &'a AtomicBool,
    stopped: bool,
    nodes: u64,
    /// Positions that the threads beside this one have looked at; none where one thread searches.
    others: Option<&'a AtomicU64>,
    /// Which thread it is, 0 for the one that answers.
    thread: usize,
    /// The earliest position of the path on which the scores since depend; beyond the path for none.
    depends_on: usize,
}

impl<'a, B: Board> Search<'a, B> {
    /// A search that has looked at nothing yet.
    pub(crate) fn new(
        laws: B::Laws,
        tempo: Tempo<'a>,
        board: &B,
        table: &'a Table,
        limits: Limits,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            laws,
            path: Path::new(tempo, board),
            table,
            endings: None,
            ordering: MoveOrdering::default(),
            lists: std::iter::repeat_with(MoveList::default)
                .take(MOST_PLIES + 2)
                .collect(),
            tried: vec![Vec::new(); MOST_PLIES + 2],
            depth: 1,
            is_thorough: false,
            limits,
            stop,
            stopped: false,
            nodes: 0,
            others: None,
            thread: 0,
            depends_on: usize::MAX,
        }
    }

    /// The same with tables of endings.
    pub(crate) const fn with_endings(mut self, endings: Option<KnownEndings<'a>>) -> Self {
        self.endings = endings;
        self
    }

    /// Positions looked at, by every thread.
    pub(crate) fn nodes(&self) -> u64 {
        let others = self
            .others
            .map_or(0, |others| others.load(Ordering::Relaxed));
        self.nodes + others
    }

    /// The best moves among these legal ones, deeper and deeper; `each` receives every line that is searched to its end, with its number
    /// from 0 for the best. None if there is no move.
    ///
    /// At least the first depth is always searched to its end, so that there is a move if there is a legal one.
    pub(crate) fn best(
        &mut self,
        board: &B,
        legal: &[Step],
        wanted: usize,
        each: &mut Teller<'_, Line>,
    ) -> Vec<Line> {
        let mut order: Vec<(Step, i32)> = legal.iter().map(|step| (*step, 0)).collect();
        let wanted = wanted.min(order.len());
        let mut best: Vec<Line> = Vec::new();
        // The threads beside the first begin deeper by turns, so that they are not all at the same.
        for depth in 1 + self.thread as u32 % 2..=self.limits.depth.min(MOST_PLIES as u32) {
            self.depth = depth as usize;
            let mut lines = Vec::with_capacity(wanted);
            for number in 0..wanted {
                let before = best
                    .get(number)
                    .filter(|_| depth > 4)
                    .map(|line| line.score);
                let left = order.get_mut(number..).unwrap_or_default();
                let Some(line) = self.within_window(board, left, depth, before) else {
                    break;
                };
                lines.push(line);
            }
            if lines.len() < wanted {
                // The best line of a depth counts even if those behind it are not known.
                if let Some(line) = lines.into_iter().next() {
                    best.retain(|other| other.moves.first() != line.moves.first());
                    best.insert(0, line);
                    best.truncate(wanted);
                }
                break;
            }
            // A later line may turn out better than one before it.
            lines.sort_by_key(|line| -line.score);
            best = lines;
            for (number, line) in best.iter().enumerate() {
                each(number, line, self.nodes());
            }
            let decided = best.first().is_none_or(|line| {
                line.score.abs() > DECIDED && WIN - line.score.abs() <= depth as i32
            });
            if decided && wanted < 2 || order.len() == 1 && depth > 4 {
                break;
            }
        }
        best
    }

    /// The best line of a depth; looked for near to the score of the depth before, and further away only if it is not there.
    fn within_window(
        &mut self,
        board: &B,
        order: &mut [(Step, i32)],
        depth: u32,
        before: Option<i32>,
    ) -> Option<Line> {
        let mut width = 25;
        let (mut alpha, mut beta) = before.map_or((-INFINITE, INFINITE), |score| {
            (score - width, score + width)
        });
        loop {
            let line = self.root(board, order, depth, alpha, beta)?;
            let (low, high) = (line.score <= alpha, line.score >= beta);
            if !(low || high) {
                return Some(line);
            }
            width *= 2;
            (alpha, beta) = if width > 500 {
                (-INFINITE, INFINITE)
            } else if low {
                (line.score - width, beta)
            } else {
                (alpha, line.score + width)
            };
        }
    }

    /// The score of each of these legal moves, the best first, as deep as the limits allow with every move searched alike.
    pub(crate) fn ranked(&mut self, board: &B, legal: &[Step]) -> Vec<(Step, i32)> {
        self.is_thorough = true;
        let mut ranked: Vec<(Step, i32)> = legal.iter().map(|step| (*step, 0)).collect();
        for depth in 1..=self.limits.depth {
            self.depth = depth as usize;
            let mut now = Vec::with_capacity(ranked.len());
            for (step, _) in &ranked {
                let score = self.after(board, *step, depth, -INFINITE, INFINITE, depth == 1);
                let Some(score) = score else { break };
                now.push((*step, score));
            }
            if now.len() < ranked.len() {
                break;
            }
            now.sort_by_key(|(_, score)| -score);
            ranked = now;
        }
        ranked
    }

    /// Searches the legal moves; none if it was stopped, or there are none.
    fn root(
        &mut self,
        board: &B,
        order: &mut [(Step, i32)],
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<Line> {
        let mut best: Option<(Step, i32)> = None;
        for (number, place) in order.iter_mut().enumerate() {
            let step = place.0;
            let full = number == 0;
            let unstoppable = depth == 1;
            let mut score = if full {
                self.after(board, step, depth, alpha, beta, unstoppable)?
            } else {
                let less = self.root_reduction(board, step, depth, number);
                let first = depth - less;
                let mut score = self.after(board, step, first, alpha, alpha + 1, unstoppable)?;
                if score > alpha && less > 0 {
                    score = self.after(board, step, depth, alpha, alpha + 1, unstoppable)?;
                }
                score
            };
            if !full && score > alpha && score < beta {
                score = self.after(board, step, depth, alpha, beta, unstoppable)?;
            }
            // What only failed to be better keeps its place behind what was tried before.
            place.1 = if full || score > alpha {
                score
            } else {
                -INFINITE
            };
            if best.is_none_or(|(_, best)| score > best) {
                best = Some((step, score));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        let (step, score) = best?;
        if let Some(at) = order.iter().position(|(other, _)| *other == step) {
            order[..=at].rotate_right(1);
        }
        Some(Line {
            depth,
            score,
            moves: self.expected(board, step),
        })
    }

    /// By how much less deep a later move is searched at first.
    fn root_reduction(&self, board: &B, step: Step, depth: u32, number: usize) -> u32 {
        let is_calm = board.kind_at(step.to).is_none() && !self.path.in_check();
        if depth < 3 || number < 4 || !is_calm {
            return 0;
        }
        (reduced(depth as i32, number) - 1).clamp(0, depth as i32 - 2) as u32
    }

    /// The list of a ply, empty.
    fn list_of(&mut self, ply: usize) -> MoveList {
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        list
    }

    /// Keeps a list's memory.
    fn keep_list(&mut self, ply: usize, list: MoveList) {
        self.lists[ply] = list;
    }

    /// The score of a legal move; none if the search was stopped. The first depth is never stopped.
    fn after(
        &mut self,
        board: &B,
        step: Step,
        depth: u32,
        alpha: i32,
        beta: i32,
        unstoppable: bool,
    ) -> Option<i32> {
        let mut child = *board;
        let captured = child.play(step);
        let score = match self.path.repetition(&self.laws, &child, step, captured) {
            (Repetition::Draw, _) => 0,
            // The rules allow it, so it is searched.
            (Repetition::None | Repetition::Banned, _) => {
                let checks = child.in_check();
                self.path.push(board, &child, step, captured, checks);
                let score = -self.score(
                    &child,
                    Node {
                        alpha: -beta,
                        beta: -alpha,
                        depth: depth as i32 - 1,
                        ply: 1,
                        is_cut: beta - alpha == 1,
                        may_pass: true,
                        without: None,
                    },
                );
                self.path.pop();
                score
            }
        };
        (unstoppable || !self.stopped).then_some(score)
    }

    /// The line that the table expects, from this move on.
    fn expected(&mut self, board: &B, first: Step) -> Vec<Step> {
        let mut line = vec![first];
        let mut at = *board;
        at.play(first);
        let mut seen = vec![board.key(), at.key()];
        let mut moves = Vec::new();
        while line.len() < 20 && !at.is_lost() {
            let Some(step) = self.table.step(at.key()) else {
                break;
            };
            moves.clear();
            at.moves(&self.laws, &mut moves);
            if !moves.contains(&step) {
                break;
            }
            at.play(step);
            if seen.contains(&at.key()) {
                break;
            }
            seen.push(at.key());
            line.push(step);
        }
        line
    }

    /// Counts a position, and notes whether the search has to end.
    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.limits.nodes {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(COUNTED) {
            self.stopped |= self.stop.load(Ordering::Relaxed);
            if let Some(others) = self.others {
                if self.thread > 0 {
                    others.fetch_add(COUNTED, Ordering::Relaxed);
                }
                self.stopped |= self.nodes() >= self.limits.nodes;
            }
        }
    }
}
