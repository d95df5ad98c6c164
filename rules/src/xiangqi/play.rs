//! A game of Xiangqi from its start: position, history, and what may be played now.

use crate::{
    fen::PositionError,
    game::{PlayError, Played},
    history::{BanReason, BannedMove, History},
    moves::Move,
    outcome::{EndReason, LENGTH_LIMIT, Outcome},
    seat::Seat,
    xiangqi::{
        board::{self, bit, each_point},
        fen,
        moves::{Laws, in_check},
        position::Position,
        repetition::{self, Step, Verdict},
        ruleset::{Options, Repetition},
    },
};

/// A game under way. What may be played is judged once after each move and kept.
#[derive(Clone, Debug)]
pub struct Play {
    options: Options,
    laws: Laws,
    position: Position,
    history: History,
    /// The plies since the last capture, for the judgement of cycles.
    steps: Vec<Step>,
    /// Whether the last move closed a cycle that draws the game.
    drawn: bool,
    in_check: bool,
    plies: u32,
    full_move: u32,
    legal: Vec<Move>,
    banned: Vec<BannedMove>,
    outcome: Option<Outcome>,
}

impl Play {
    /// A game from the beginning.
    pub fn start(options: Options) -> Self {
        Self::from_fen(options, fen::START)
            .unwrap_or_else(|error| unreachable!("the beginning is a position: {error}"))
    }

    /// A game from a position.
    ///
    /// # Errors
    /// When the text is no position that can come about.
    pub fn from_fen(options: Options, text: &str) -> Result<Self, PositionError> {
        let start = fen::read(text)?;
        let mut play = Self {
            options,
            laws: Laws::new(&options),
            position: start.position,
            history: History::start(start.position.key(), start.quiet_plies),
            steps: Vec::new(),
            drawn: false,
            in_check: false,
            plies: 0,
            full_move: start.full_move,
            legal: Vec::new(),
            banned: Vec::new(),
            outcome: None,
        };
        play.judge();
        Ok(play)
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The options.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Which positions may still come back.
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// The plies since the last capture, by which cycles are judged.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The laws that follow from the options.
    pub const fn laws(&self) -> &Laws {
        &self.laws
    }

    /// Moves played since the start.
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// Counts these plies, too, towards the length limit: they were played and taken back.
    pub(crate) const fn add_plies(&mut self, taken_back: u32) {
        self.plies += taken_back;
    }

    /// The legal moves; none once the game has ended.
    pub fn legal_moves(&self) -> &[Move] {
        &self.legal
    }

    /// Moves that would be legal but for a ban; none once the game has ended.
    pub fn banned_moves(&self) -> &[BannedMove] {
        &self.banned
    }

    /// How the game has ended, if it has.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether the side to move is in check, after the end too.
    pub const fn in_check(&self) -> bool {
        self.in_check
    }

    /// The position as text.
    pub fn fen(&self) -> String {
        fen::write(&self.position, self.history.quiet_plies(), self.full_move)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When the game is over, the pieces can't move so, or the move is banned. Nothing is changed then.
    pub fn play(&mut self, mv: Move) -> Result<Played, PlayError> {
        let played = self.play_recorded(mv)?;
        self.bound_length();
        Ok(played)
    }

    /// Plays a move of a record. The length limit is not judged: games from before it are longer, and how a recorded game has ended,
    /// its record says.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn play_recorded(&mut self, mv: Move) -> Result<Played, PlayError> {
        self.check(mv)?;
        self.play_checked(mv)
    }

    /// Plays a move that is known to be legal, and judges nothing: from then on no legal moves, bans or end are known.
    /// None, and nothing has changed, if no piece stands there.
    pub fn play_unchecked(&mut self, mv: Move) -> Option<Played> {
        let played = self.make(mv, false)?;
        self.legal.clear();
        self.banned.clear();
        self.outcome = None;
        self.drawn = false;
        self.in_check = in_check(&self.position, self.position.turn());
        Some(played)
    }

    /// The game after a move; this one stays as it is.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn after(&self, mv: Move) -> Result<(Self, Played), PlayError> {
        let (mut after, played) = self.after_recorded(mv)?;
        after.bound_length();
        Ok((after, played))
    }

    /// The game after a move of a record; see [`Self::play_recorded`].
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn after_recorded(&self, mv: Move) -> Result<(Self, Played), PlayError> {
        self.check(mv)?;
        // What may be played is judged again, so it is not copied.
        let mut after = Self {
            options: self.options,
            laws: self.laws,
            position: self.position,
            history: self.history.clone(),
            steps: self.steps.clone(),
            drawn: self.drawn,
            in_check: self.in_check,
            plies: self.plies,
            full_move: self.full_move,
            legal: Vec::with_capacity(self.legal.len() + 8),
            banned: Vec::new(),
            outcome: None,
        };
        let played = after.play_checked(mv)?;
        Ok((after, played))
    }

    /// Whether a move may be played now.
    fn check(&self, mv: Move) -> Result<(), PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::GameOver);
        }
        if !self.legal.contains(&mv) {
            let ban = self.banned.iter().find(|ban| ban.mv == mv);
            return Err(ban.map_or(PlayError::Illegal, |ban| PlayError::Banned(ban.reason)));
        }
        Ok(())
    }

    fn play_checked(&mut self, mv: Move) -> Result<Played, PlayError> {
        let (Some(from), Some(to)) = (board::index(mv.from), board::index(mv.to)) else {
            return Err(PlayError::Illegal);
        };
        let drawn = self.judge_repetition(from, to) == Some(Verdict::Drawn);
        let played = self.make(mv, true).ok_or(PlayError::Illegal)?;
        self.drawn = drawn;
        self.judge();
        Ok(played)
    }

    /// Moves the pieces and counts, with all that later moves are judged by if they are; none, and nothing has changed, if no piece stands there.
    fn make(&mut self, mv: Move, judged: bool) -> Option<Played> {
        let (from, to) = (board::index(mv.from)?, board::index(mv.to)?);
        let turn = self.position.turn();
        self.position.at(from)?;
        let taken = self.position.play_unchecked(from, to);
        if judged {
            self.history.push(self.position.key(), taken.is_some());
        } else {
            self.history.pass(taken.is_some());
        }
        if taken.is_some() || !judged {
            self.steps.clear();
        } else {
            let check = in_check(&self.position, turn.other());
            self.steps.push(Step { from, to, check });
        }
        self.plies += 1;
        if turn == Seat::Second {
            self.full_move = self.full_move.saturating_add(1);
        }
        Some(Played {
            captured: taken.map(|piece| fen::letter(turn.other(), piece)),
            ..Played::default()
        })
    }

    /// Judges the position: no legal move, then a repetition that draws, then the quiet limit (rules, "In every game").
    fn judge(&mut self) {
        self.generate();
        self.in_check = in_check(&self.position, self.position.turn());
        let turn = self.position.turn();
        let limit = self.options.quiet_limit;
        let end = |winner, reason| Some(Outcome { winner, reason });
        self.outcome = if self.legal.is_empty() {
            let reason = if self.in_check {
                EndReason::Checkmate
            } else {
                EndReason::Stalemate
            };
            end(Some(turn.other()), reason)
        } else if self.drawn {
            end(None, EndReason::Repetition)
        } else if limit > 0 && self.history.quiet_plies() >= limit {
            end(None, EndReason::QuietLimit)
        } else {
            None
        };
        if self.outcome.is_some() {
            self.legal.clear();
            self.banned.clear();
        }
    }

    /// Ends a game that has become too long, and that nothing else has ended.
    fn bound_length(&mut self) {
        if self.outcome.is_none() && self.plies >= LENGTH_LIMIT {
            self.outcome = Some(Outcome::LENGTH);
            self.legal.clear();
            self.banned.clear();
        }
    }

    fn generate(&mut self) {
        let mut legal = std::mem::take(&mut self.legal);
        let mut banned = std::mem::take(&mut self.banned);
        legal.clear();
        banned.clear();
        self.laws.for_each(&self.position, |from, targets| {
            for to in each_point(targets) {
                let mv = Move {
                    from: board::square(from),
                    to: board::square(to),
                };
                match self.judge_repetition(from, to) {
                    Some(Verdict::Banned(reason)) => banned.push(BannedMove { mv, reason }),
                    Some(Verdict::GoesOn | Verdict::Drawn) | None => legal.push(mv),
                }
            }
        });
        legal.sort_unstable();
        self.legal = legal;
        self.banned = banned;
    }

    /// What becomes of a move because its position has occurred before; none if it has not occurred often enough.
    fn judge_repetition(&self, from: u8, to: u8) -> Option<Verdict> {
        // A position can only come back once its last move's opposite has been played: not before the fourth ply.
        if self.steps.len() < 3 || self.position.all() & bit(to) != 0 {
            return None;
        }
        let key = self.position.key_after_quiet(from, to);
        if self.history.occurrences_after_move(key) < self.options.repetition_limit {
            return None;
        }
        match self.options.repetition {
            Repetition::Ban => Some(Verdict::Banned(BanReason::Repetition)),
            Repetition::Asian => {
                let plies = self.history.plies_since(key)?;
                let mut closed = self.position;
                closed.play_unchecked(from, to);
                let mut cycle = self.steps[self.steps.len().checked_sub(plies)?..].to_vec();
                cycle.push(Step {
                    from,
                    to,
                    check: in_check(&closed, closed.turn()),
                });
                Some(repetition::judge(self.laws, &closed, &cycle))
            }
        }
    }
}
