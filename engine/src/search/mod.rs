//! The search, one for both games: iterative deepening and principal variation search over what [`Board`] says of a game.
//!
//! **Invariant:** bans live inside the search. A move that the rules ban does not exist here, and a score that depends on how a position
//! came about is never stored as that position's score.

mod alpha_beta;
mod board;
mod deepening;
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
    /// Positions that all threads together have looked at, by whole [`COUNTED`]; none where one thread searches.
    together: Option<&'a AtomicU64>,
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
            together: None,
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
        self.together.map_or(self.nodes, |together| {
            together.load(Ordering::Relaxed) + self.nodes % COUNTED
        })
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

    /// A margin in what the game's scores count.
    const fn margin(hundredths: i32) -> i32 {
        hundredths * B::UNIT / 100
    }

    /// Counts a position, and notes whether the search has to end.
    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.limits.nodes {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(COUNTED) {
            self.stopped |= self.stop.load(Ordering::Relaxed);
            if let Some(together) = self.together {
                let before = together.fetch_add(COUNTED, Ordering::Relaxed);
                self.stopped |= before + COUNTED >= self.limits.nodes;
            }
        }
    }
}
