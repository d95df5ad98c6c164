//! A computer player: a table of what it has seen, and a move for each game that it is shown.

use std::sync::{Arc, atomic::AtomicBool};

use qiguan_rules::{Game, Move, Seat, Square, doushouqi, xiangqi};

use crate::{
    draws::Draws,
    level::Level,
    search::{
        Board, DECIDED, Effort, KnownEndings, Limits, Line, Question, Step, Table, Tempo, WIN,
        score_of, search,
    },
    tables::{Endings, MOST_PIECES, TableChoice},
    xiangqi::Rules,
};

/// With so many animals or fewer the search may reach the tables.
const NEAR_TABLES: u32 = 8;
/// From this level on a computer plays by the tables.
const KNOWS_ENDINGS_FROM: u8 = 7;

/// The scale of the evaluations: they were fitted to games of 1,000 to 1,500 positions a move.
const FITTED: f64 = 300.0;
/// The scale of what is told to people. Who looks further turns a lead into a win more often: a Horse that is given away is a blunder.
const TOLD: f64 = 150.0;

/// How good a game looks for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In the unit of the evaluations, in which a Soldier of Xiangqi and a Cat are worth about 55 and 60.
    Hundredths(i32),
    /// It wins after so many plies; below 0 it loses.
    Decided(i32),
}

impl Score {
    /// The chance to win, from 0 to 1: for the side to move.
    pub fn chance(self) -> f64 {
        match self {
            Self::Hundredths(score) => chance_at(score, TOLD),
            Self::Decided(plies) if plies < 0 => 0.0,
            Self::Decided(_) => 1.0,
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// Plies searched.
    pub depth: u32,
    /// Positions looked at since the search began.
    pub nodes: u64,
    /// How good the game looks for the side to move.
    pub score: Score,
    /// The moves that are expected; the first is the one to play, and legal.
    pub moves: Vec<Move>,
}

/// A computer player. It remembers what it has searched, which is of use in the next move of the same game.
#[derive(Debug)]
pub struct Player {
    table: Table,
    endings: Option<Arc<Endings>>,
}

impl Player {
    /// A player with a table of so many MiB, at least 1.
    pub fn new(table_mebibytes: usize) -> Self {
        Self {
            table: Table::new(table_mebibytes),
            endings: None,
        }
    }

    /// The same player with tables of endings. It makes those of three animals when it first gets near to them.
    #[must_use]
    pub fn with_endings(mut self, endings: Arc<Endings>) -> Self {
        self.endings = Some(endings);
        self
    }

    /// Forgets everything.
    pub fn forget(&self) {
        self.table.clear();
    }

    /// The best move that it finds among `among`, or among all legal ones if that is empty. `each` receives every line on the way.
    ///
    /// None if there is no legal move among them, and for Luzhanqi, of which nobody may know the whole game: [`crate::luzhanqi`] plays it.
    pub fn best(
        &self,
        game: &Game,
        among: &[Move],
        limits: Limits,
        stop: &AtomicBool,
        mut each: impl FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        let mut each = |_: usize, found: &SearchResult| each(found);
        let lines = self.best_lines(game, among, limits, Effort::default(), stop, &mut each);
        lines.into_iter().next()
    }

    /// The best moves as [`Self::best`] finds them, as many as `effort` asks for, the best first; `each` receives every line on the way
    /// with its number from 0.
    // Nothing in it depends on the caller's types, so that the search is compiled once, with this crate's optimisation.
    pub fn best_lines(
        &self,
        game: &Game,
        among: &[Move],
        limits: Limits,
        effort: Effort,
        stop: &AtomicBool,
        each: &mut dyn FnMut(usize, &SearchResult),
    ) -> Vec<SearchResult> {
        self.table.grow_older();
        let legal: Vec<Move> = game
            .legal_moves()
            .iter()
            .copied()
            .filter(|mv| among.is_empty() || among.contains(mv))
            .collect();
        match game {
            Game::Xiangqi(play) => {
                let root = SearchRoot::xiangqi(play, &legal);
                self.best_in(&root, limits, effort, stop, each)
            }
            Game::DouShouQi(play) => {
                let mut root = SearchRoot::doushouqi(play, &legal);
                root.endings = self.endings_near(play, stop);
                let tables = root.endings.map(|endings| endings.tables);
                match tables.and_then(|tables| tables.choose(play, &legal)) {
                    Some(TableChoice::Move(mv, value)) => {
                        let line = Line {
                            depth: 1,
                            score: score_of(value),
                            moves: steps(&[mv], doushouqi::board::index),
                        };
                        let found = search_result(&line, 1, root.square);
                        each(0, &found);
                        return vec![found];
                    }
                    Some(TableChoice::Draws(moves)) => {
                        root.legal = steps(&moves, doushouqi::board::index);
                        root.endings = tables.map(|tables| KnownEndings {
                            tables,
                            draws: false,
                        });
                    }
                    None => {}
                }
                self.best_in(&root, limits, effort, stop, each)
            }
            Game::Luzhanqi(_) => Vec::new(),
        }
    }

    /// The tables for a game that is near enough to its ending to need them.
    fn endings_near(&self, play: &doushouqi::Play, stop: &AtomicBool) -> Option<KnownEndings<'_>> {
        if animals(play) > NEAR_TABLES {
            return None;
        }
        let tables = self.endings.as_ref()?.of(play.options())?;
        tables.prepare(stop).then_some(KnownEndings {
            tables,
            draws: true,
        })
    }

    /// The move that a level plays: one of the good ones, and the weaker the level, the further from the best. The two strongest play the
    /// best where the tables of endings reach; the others do not use them.
    ///
    /// None as for [`Self::best`].
    pub fn play(
        &self,
        game: &Game,
        level: Level,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<SearchResult> {
        if level.number() >= KNOWS_ENDINGS_FROM && is_ending(game) {
            return self.best(game, &[], level.limits(game), stop, |_| {});
        }
        let spread = level.spread(game);
        self.table.grow_older();
        let (legal, limits) = (game.legal_moves(), level.limits(game));
        match game {
            Game::Xiangqi(play) => {
                let root = SearchRoot::xiangqi(play, legal);
                self.one_of(&root, level, limits, spread, seed, stop)
            }
            Game::DouShouQi(play) => {
                let root = SearchRoot::doushouqi(play, legal);
                self.one_of(&root, level, limits, spread, seed, stop)
            }
            Game::Luzhanqi(_) => None,
        }
    }

    fn best_in<B: Board>(
        &self,
        root: &SearchRoot<'_, B>,
        limits: Limits,
        effort: Effort,
        stop: &AtomicBool,
        each: &mut dyn FnMut(usize, &SearchResult),
    ) -> Vec<SearchResult> {
        let square = root.square;
        let mut tell = |number: usize, line: &Line, nodes: u64| {
            each(number, &search_result(line, nodes, square));
        };
        let (lines, nodes) = search(
            &root.question(),
            &self.table,
            limits,
            effort,
            stop,
            &mut tell,
        );
        lines
            .iter()
            .map(|line| search_result(line, nodes, square))
            .collect()
    }

    fn one_of<B: Board>(
        &self,
        root: &SearchRoot<'_, B>,
        level: Level,
        limits: Limits,
        spread: f64,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<SearchResult> {
        let square = root.square;
        let mut search = root.question().search(&self.table, limits, stop);
        let ranked = search.ranked(&root.board, &root.legal);
        let (_, best) = *ranked.first()?;
        // From the second level on a win in one is never missed.
        let sees_win = level.number() > 1 && best >= WIN - 1;
        let chances: Vec<f64> = ranked
            .iter()
            .map(|(_, score)| {
                let behind = winning_chance(best) - winning_chance(*score);
                if sees_win && *score < best {
                    0.0
                } else {
                    (-behind / spread).exp()
                }
            })
            .collect();
        let mut drawn = Draws::new(seed).fraction() * chances.iter().sum::<f64>();
        let place = chances.iter().position(|chance| {
            drawn -= chance;
            drawn < 0.0
        });
        let (step, score) = *ranked.get(place.unwrap_or(0))?;
        let line = Line {
            depth: limits.depth,
            score,
            moves: vec![step],
        };
        Some(search_result(&line, search.nodes(), square))
    }
}

/// Whether tables may know the position.
fn is_ending(game: &Game) -> bool {
    match game {
        Game::DouShouQi(play) => animals(play) as usize <= MOST_PIECES,
        Game::Xiangqi(_) | Game::Luzhanqi(_) => false,
    }
}

fn animals(play: &doushouqi::Play) -> u32 {
    let position = play.position();
    (position.of(Seat::First) | position.of(Seat::Second)).count_ones()
}

/// How likely a score is to win in quick games, from which the evaluations were fitted: what levels choose by.
fn winning_chance(score: i32) -> f64 {
    chance_at(score, FITTED)
}

/// A chance from 0 to 1, where so much of a score is one of 73 in 100.
fn chance_at(score: i32, scale: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / scale).exp())
}

fn search_result(line: &Line, nodes: u64, square: fn(u8) -> Square) -> SearchResult {
    let score = line.score;
    let plies = WIN - score.abs();
    SearchResult {
        depth: line.depth,
        nodes,
        score: if score.abs() > DECIDED {
            Score::Decided(if score > 0 { plies } else { -plies })
        } else {
            Score::Hundredths(score)
        },
        moves: line
            .moves
            .iter()
            .map(|step| Move {
                from: square(step.from),
                to: square(step.to),
            })
            .collect(),
    }
}

/// The position from which a search begins, in the form in which it is searched.
struct SearchRoot<'a, B: Board> {
    board: B,
    laws: B::Laws,
    tempo: Tempo<'a>,
    /// Where endings are known from; none for a player without.
    endings: Option<KnownEndings<'a>>,
    legal: Vec<Step>,
    square: fn(u8) -> Square,
}

impl<B: Board> SearchRoot<'_, B> {
    fn question(&self) -> Question<'_, B> {
        Question {
            board: &self.board,
            laws: self.laws,
            tempo: self.tempo,
            endings: self.endings,
            legal: &self.legal,
        }
    }
}

impl<'a> SearchRoot<'a, xiangqi::Position> {
    fn xiangqi(play: &'a xiangqi::Play, legal: &[Move]) -> Self {
        let options = play.options();
        Self {
            board: *play.position(),
            laws: Rules {
                laws: *play.laws(),
                cannon: options.cannon,
                cycles: options.repetition,
            },
            tempo: Tempo {
                history: play.history(),
                steps: play.steps(),
                repetition_limit: options.repetition_limit,
                quiet_limit: options.quiet_limit,
            },
            endings: None,
            legal: steps(legal, xiangqi::board::index),
            square: xiangqi::board::square,
        }
    }
}

impl<'a> SearchRoot<'a, doushouqi::Position> {
    fn doushouqi(play: &'a doushouqi::Play, legal: &[Move]) -> Self {
        let options = play.options();
        Self {
            board: *play.position(),
            laws: *play.laws(),
            tempo: Tempo {
                history: play.history(),
                steps: &[],
                repetition_limit: options.repetition_limit,
                quiet_limit: options.quiet_limit,
            },
            endings: None,
            legal: steps(legal, doushouqi::board::index),
            square: doushouqi::board::square,
        }
    }
}

fn steps(moves: &[Move], index: fn(Square) -> Option<u8>) -> Vec<Step> {
    let step = |mv: &Move| {
        Some(Step {
            from: index(mv.from)?,
            to: index(mv.to)?,
        })
    };
    moves.iter().filter_map(step).collect()
}
