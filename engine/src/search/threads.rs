//! A search by one thread or by several, which share the table and nothing else.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Board, KnownEndings, Limits, Line, Search, Step, Table, Tempo};

/// How a search is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many threads search, 1 or more. With one the same game and limits give the same answer.
    pub threads: usize,
    /// For how many of the best moves a line is searched, 1 or more.
    pub lines: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            threads: 1,
            lines: 1,
        }
    }
}

/// Is told a line, with its number from 0 and the positions looked at until then.
pub(crate) type Teller<'a, L> = dyn FnMut(usize, &L, u64) + 'a;

/// What a search is about.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a, B: Board> {
    pub(crate) board: &'a B,
    pub(crate) laws: B::Laws,
    pub(crate) tempo: Tempo<'a>,
    /// Where endings are known from; none for a player without.
    pub(crate) endings: Option<KnownEndings<'a>>,
    pub(crate) legal: &'a [Step],
}

impl<'a, B: Board> Question<'a, B> {
    /// A search for the answer that has looked at nothing yet.
    pub(crate) fn search(
        &self,
        table: &'a Table,
        limits: Limits,
        stop: &'a AtomicBool,
    ) -> Search<'a, B> {
        Search::new(self.laws, self.tempo, self.board, table, limits, stop)
            .with_endings(self.endings)
    }
}

/// Ends the threads beside the first when it has its answer, and also when it fails.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The best lines, and the positions looked at. `each` receives those of the first thread.
pub(crate) fn search<B: Board>(
    question: &Question<'_, B>,
    table: &Table,
    limits: Limits,
    effort: Effort,
    stop: &AtomicBool,
    each: &mut Teller<'_, Line>,
) -> (Vec<Line>, u64) {
    let (board, legal) = (question.board, question.legal);
    if effort.threads < 2 {
        let mut search = question.search(table, limits, stop);
        let lines = search.best(board, legal, effort.lines, each);
        return (lines, search.nodes());
    }
    let (ended, together) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let _ending = Ending(&ended);
        for thread in 1..effort.threads {
            let (ended, together) = (&ended, &together);
            let beside = move || {
                let mut search = question.search(table, limits, ended);
                search.together = Some(together);
                search.thread = thread;
                search.best(board, legal, effort.lines, &mut |_, _, _| {});
            };
            scope.spawn(beside);
        }
        let mut search = question.search(table, limits, stop);
        search.together = Some(&together);
        let lines = search.best(board, legal, effort.lines, each);
        (lines, search.nodes())
    })
}
