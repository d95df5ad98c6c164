//! A game of Luzhanqi from its start: position, quiet plies, and what may be played now.

use std::fmt;

use crate::{
    fen::PositionError,
    game::{PlayError, Played, Viewer},
    luzhanqi::{
        board::{self, each_point},
        fen::{self, Identities},
        moves::Laws,
        piece::Piece,
        position::Position,
        ruleset::Options,
        setup::Setup,
    },
    moves::Move,
    outcome::{EndReason, LENGTH_LIMIT, Outcome},
    seat::{BySeat, Seat},
};

/// A game under way. What may be played is judged once after each move and kept.
#[derive(Clone)]
pub struct Play {
    options: Options,
    laws: Laws,
    position: Position,
    /// Plies since the last attack.
    quiet_plies: u32,
    plies: u32,
    full_move: u32,
    legal: Vec<Move>,
    outcome: Option<Outcome>,
}

/// Shows nothing that depends on identities, the legal moves included.
impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Play")
            .field("options", &self.options)
            .field("position", &self.position)
            .field("plies", &self.plies)
            .finish_non_exhaustive()
    }
}

impl Play {
    /// A game from both setups.
    pub fn start(options: Options, setups: &BySeat<Setup>) -> Self {
        let mut position = Position::empty(Seat::First);
        setups.first.place(&mut position);
        setups.second.place(&mut position);
        Self::at(options, position, 0, 1)
    }

    /// The empty board before the setups: nothing can be played, and the game has not ended.
    pub fn before_setup(options: Options) -> Self {
        Self::at(options, Position::empty(Seat::First), 0, 1)
    }

    /// A game from a position with all identities.
    ///
    /// # Errors
    /// When the text is no position that can come about.
    pub fn from_fen(options: Options, text: &str) -> Result<Self, PositionError> {
        let start = fen::read(text)?;
        Ok(Self::at(
            options,
            start.position,
            start.quiet_plies,
            start.full_move,
        ))
    }

    fn at(options: Options, position: Position, quiet_plies: u32, full_move: u32) -> Self {
        let mut play = Self {
            options,
            laws: Laws::new(&options),
            position,
            quiet_plies,
            plies: 0,
            full_move,
            legal: Vec::new(),
            outcome: None,
        };
        play.judge();
        play
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
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

    /// The legal moves; none once the game has ended. They depend on identities: only the player on the move may see them.
    pub fn legal_moves(&self) -> &[Move] {
        &self.legal
    }

    /// How the game has ended, if it has.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The position as text with those identities that are asked for, and the Flags that everybody may see.
    pub fn fen(&self, identities: Identities) -> String {
        fen::write(
            &self.position,
            identities,
            Seat::ALL.map(|seat| self.shows_flag(seat)),
            self.quiet_plies,
            self.full_move,
        )
    }

    /// The position as a viewer knows it while the game runs.
    pub fn view(&self, viewer: Viewer) -> String {
        self.fen(match viewer {
            Viewer::Seat(seat) => Identities::Of(seat),
            Viewer::Spectator => Identities::None,
            Viewer::Referee => Identities::All,
        })
    }

    /// Whether a side's Flag is shown to everybody, because its Field Marshal is lost.
    pub fn shows_flag(&self, seat: Seat) -> bool {
        self.options.marshal_loss_reveals_flag && self.position.count(seat, Piece::Marshal) == 0
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When the game is over, or the piece can't move so. Nothing is changed then.
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
        let played = self.make(mv)?;
        self.legal.clear();
        self.outcome = None;
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
            legal: Vec::with_capacity(self.legal.len() + 8),
            outcome: None,
            ..*self
        };
        let played = after.play_checked(mv)?;
        Ok((after, played))
    }

    /// Whether a move may be played now.
    fn check(&self, mv: Move) -> Result<(), PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::GameOver);
        }
        if self.legal.contains(&mv) {
            Ok(())
        } else {
            Err(PlayError::Illegal)
        }
    }

    fn play_checked(&mut self, mv: Move) -> Result<Played, PlayError> {
        let played = self.make(mv).ok_or(PlayError::Illegal)?;
        self.judge();
        Ok(played)
    }

    /// Moves the pieces and counts; none, and nothing has changed, if no piece stands there.
    fn make(&mut self, mv: Move) -> Option<Played> {
        let (from, to) = (board::index(mv.from)?, board::index(mv.to)?);
        self.position.at(from)?;
        let turn = self.position.turn();
        let attack = self
            .position
            .play_unchecked(from, to, self.laws.mines_survive());
        self.quiet_plies = if attack.is_some() {
            0
        } else {
            self.quiet_plies.saturating_add(1)
        };
        self.plies += 1;
        if turn == Seat::Second {
            self.full_move = self.full_move.saturating_add(1);
        }
        Some(Played {
            captured: None,
            removed: attack.map(|attack| attack.removed),
            revealed: attack
                .filter(|_| self.options.attacks_reveal)
                .map(|attack| {
                    [
                        fen::letter(turn, attack.attacker),
                        fen::letter(turn.other(), attack.defender),
                    ]
                }),
        })
    }

    /// Judges the position: a Flag that is taken, then no legal move, then the quiet limit (rules, "In every game").
    fn judge(&mut self) {
        let turn = self.position.turn();
        let limit = self.options.quiet_limit;
        let end = |winner, reason| Some(Outcome { winner, reason });
        self.generate();
        self.outcome = if self.position.all() == 0 {
            // Nobody has set up yet.
            None
        } else if let Some(winner) = self.position.won() {
            end(Some(winner), EndReason::Flag)
        } else if self.legal.is_empty() {
            end(Some(turn.other()), EndReason::NoMoves)
        } else if limit > 0 && self.quiet_plies >= limit {
            end(None, EndReason::QuietLimit)
        } else {
            None
        };
        if self.outcome.is_some() {
            self.legal.clear();
        }
    }

    /// Ends a game that has become too long, and that nothing else has ended.
    fn bound_length(&mut self) {
        if self.outcome.is_none() && self.plies >= LENGTH_LIMIT {
            self.outcome = Some(Outcome::LENGTH);
            self.legal.clear();
        }
    }

    fn generate(&mut self) {
        let mut legal = std::mem::take(&mut self.legal);
        legal.clear();
        self.laws.for_each(&self.position, |from, targets| {
            for to in each_point(targets) {
                legal.push(Move {
                    from: board::square(from),
                    to: board::square(to),
                });
            }
        });
        legal.sort_unstable();
        self.legal = legal;
    }
}
