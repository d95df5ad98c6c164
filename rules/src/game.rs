//! One closed enum over all games, with the small interface that the rest of the house uses.

use std::fmt;

use crate::{
    doushouqi,
    fen::PositionError,
    history::{BanReason, BannedMove},
    luzhanqi,
    moves::Move,
    option::{OptionError, OptionValue, RawValue},
    outcome::Outcome,
    ruleset::{Options, RuleSet},
    seat::{BySeat, Seat},
    xiangqi,
};

/// A game from its start to now. A plain value: cheap to clone and to move, nothing outside of it changes it.
#[derive(Clone, Debug)]
pub enum Game {
    /// Dou Shou Qi.
    DouShouQi(Box<doushouqi::Play>),
    /// Luzhanqi.
    Luzhanqi(Box<luzhanqi::Play>),
    /// Xiangqi.
    Xiangqi(Box<xiangqi::Play>),
}

/// What a move did, as far as everybody may know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The letter of the captured piece, in the case of its owner; none in Luzhanqi.
    pub captured: Option<char>,
    /// Who was removed by an attack (Luzhanqi).
    pub removed: Option<luzhanqi::attack::Removed>,
    /// The letters of the two pieces that met, the attacker's first, where the rule set reveals them (Luzhanqi).
    pub revealed: Option<[char; 2]>,
}

/// Why a move can't be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The game has ended.
    GameOver,
    /// The pieces can't move so.
    Illegal,
    /// The move is banned.
    Banned(BanReason),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game has ended"),
            Self::Illegal => f.write_str("no piece can make this move"),
            Self::Banned(reason) => write!(f, "the move is banned ({})", reason.as_str()),
        }
    }
}

impl std::error::Error for PlayError {}

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// The player in this seat.
    Seat(Seat),
    /// Somebody who plays for neither side.
    Spectator,
    /// Somebody who may know everything.
    Referee,
}

/// What a viewer may know of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The position as text, with what the viewer may not know left out.
    pub fen: String,
}

impl Game {
    /// A game of a rule set from its beginning. Luzhanqi's board is empty until both sides have set up
    /// ([`Game::set_up`]): there is nothing to play, and nobody has won.
    pub fn start(ruleset: &RuleSet) -> Self {
        match ruleset.options() {
            Options::Luzhanqi(options) => {
                Self::Luzhanqi(Box::new(luzhanqi::Play::before_setup(*options)))
            }
            Options::DouShouQi(options) => {
                Self::DouShouQi(Box::new(doushouqi::Play::start(*options)))
            }
            Options::Xiangqi(options) => Self::Xiangqi(Box::new(xiangqi::Play::start(*options))),
        }
    }

    /// A game of Luzhanqi from both setups; none in a game that has no setups.
    pub fn set_up(ruleset: &RuleSet, setups: &BySeat<luzhanqi::Setup>) -> Option<Self> {
        match ruleset.options() {
            Options::DouShouQi(_) | Options::Xiangqi(_) => None,
            Options::Luzhanqi(options) => Some(Self::Luzhanqi(Box::new(luzhanqi::Play::start(
                *options, setups,
            )))),
        }
    }

    /// A game of a rule set from a position. It is judged as after a move, so it may have ended.
    ///
    /// # Errors
    /// When the text is no position of this game that can come about.
    pub fn from_fen(ruleset: &RuleSet, fen: &str) -> Result<Self, PositionError> {
        match ruleset.options() {
            Options::DouShouQi(options) => {
                let play = doushouqi::Play::from_fen(*options, fen)?;
                Ok(Self::DouShouQi(Box::new(play)))
            }
            Options::Xiangqi(options) => {
                let play = xiangqi::Play::from_fen(*options, fen)?;
                Ok(Self::Xiangqi(Box::new(play)))
            }
            Options::Luzhanqi(options) => {
                let play = luzhanqi::Play::from_fen(*options, fen)?;
                Ok(Self::Luzhanqi(Box::new(play)))
            }
        }
    }

    /// The side that would move.
    pub const fn turn(&self) -> Seat {
        match self {
            Self::DouShouQi(play) => play.position().turn(),
            Self::Luzhanqi(play) => play.position().turn(),
            Self::Xiangqi(play) => play.position().turn(),
        }
    }

    /// Moves played since the start, those that were taken back included.
    pub const fn plies(&self) -> u32 {
        match self {
            Self::DouShouQi(play) => play.plies(),
            Self::Luzhanqi(play) => play.plies(),
            Self::Xiangqi(play) => play.plies(),
        }
    }

    /// The game before its last moves were played: the position, its occurrences and the quiet plies are those of then. The moves that
    /// were taken back still count towards the length limit (rules, "In every game", *Taking back*).
    ///
    /// `beginning` is this game before its first move, and `kept` are the moves that stay; none if these do not follow.
    pub fn taken_back(
        &self,
        beginning: &Self,
        kept: impl IntoIterator<Item = Move>,
    ) -> Option<Self> {
        let mut before = beginning.clone();
        for mv in kept {
            before.play_recorded(mv).ok()?;
        }
        let taken_back = self.plies().checked_sub(before.plies())?;
        match &mut before {
            Self::DouShouQi(play) => play.add_plies(taken_back),
            Self::Luzhanqi(play) => play.add_plies(taken_back),
            Self::Xiangqi(play) => play.add_plies(taken_back),
        }
        Some(before)
    }

    /// The legal moves, in a fixed order; none once the game has ended. In Luzhanqi they depend on hidden identities.
    pub fn legal_moves(&self) -> &[Move] {
        match self {
            Self::DouShouQi(play) => play.legal_moves(),
            Self::Luzhanqi(play) => play.legal_moves(),
            Self::Xiangqi(play) => play.legal_moves(),
        }
    }

    /// The moves that would be legal but for a ban, with its reason; none once the game has ended.
    pub fn banned_moves(&self) -> &[BannedMove] {
        match self {
            Self::DouShouQi(play) => play.banned_moves(),
            Self::Luzhanqi(_) => &[],
            Self::Xiangqi(play) => play.banned_moves(),
        }
    }

    /// Whether both squares of a move are on this game's board.
    pub const fn is_on_board(&self, mv: Move) -> bool {
        match self {
            Self::DouShouQi(_) => {
                doushouqi::board::index(mv.from).is_some()
                    && doushouqi::board::index(mv.to).is_some()
            }
            Self::Luzhanqi(_) => {
                luzhanqi::board::index(mv.from).is_some() && luzhanqi::board::index(mv.to).is_some()
            }
            Self::Xiangqi(_) => {
                xiangqi::board::index(mv.from).is_some() && xiangqi::board::index(mv.to).is_some()
            }
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When the game is over, the pieces can't move so, or the move is banned. Nothing is changed then.
    pub fn play(&mut self, mv: Move) -> Result<Played, PlayError> {
        match self {
            Self::DouShouQi(play) => play.play(mv),
            Self::Luzhanqi(play) => play.play(mv),
            Self::Xiangqi(play) => play.play(mv),
        }
    }

    /// Plays a move of a record. The length limit is not judged: games from before it are longer, and how a recorded game has ended,
    /// its record says.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn play_recorded(&mut self, mv: Move) -> Result<Played, PlayError> {
        match self {
            Self::DouShouQi(play) => play.play_recorded(mv),
            Self::Luzhanqi(play) => play.play_recorded(mv),
            Self::Xiangqi(play) => play.play_recorded(mv),
        }
    }

    /// Plays a move that is known to be legal, and judges nothing: from then on no legal moves, bans or end are known.
    /// Costs a hundredth of a move that is judged. None, and nothing has changed, if no piece stands there.
    pub fn play_unchecked(&mut self, mv: Move) -> Option<Played> {
        match self {
            Self::DouShouQi(play) => play.play_unchecked(mv),
            Self::Luzhanqi(play) => play.play_unchecked(mv),
            Self::Xiangqi(play) => play.play_unchecked(mv),
        }
    }

    /// The game after a move; this one stays as it is. Costs less than playing on in a copy.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn after(&self, mv: Move) -> Result<(Self, Played), PlayError> {
        match self {
            Self::DouShouQi(play) => {
                let (after, played) = play.after(mv)?;
                Ok((Self::DouShouQi(Box::new(after)), played))
            }
            Self::Luzhanqi(play) => {
                let (after, played) = play.after(mv)?;
                Ok((Self::Luzhanqi(Box::new(after)), played))
            }
            Self::Xiangqi(play) => {
                let (after, played) = play.after(mv)?;
                Ok((Self::Xiangqi(Box::new(after)), played))
            }
        }
    }

    /// The game after a move of a record; see [`Self::play_recorded`].
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn after_recorded(&self, mv: Move) -> Result<(Self, Played), PlayError> {
        match self {
            Self::DouShouQi(play) => {
                let (after, played) = play.after_recorded(mv)?;
                Ok((Self::DouShouQi(Box::new(after)), played))
            }
            Self::Luzhanqi(play) => {
                let (after, played) = play.after_recorded(mv)?;
                Ok((Self::Luzhanqi(Box::new(after)), played))
            }
            Self::Xiangqi(play) => {
                let (after, played) = play.after_recorded(mv)?;
                Ok((Self::Xiangqi(Box::new(after)), played))
            }
        }
    }

    /// How the game has ended by its rules, if it has.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::DouShouQi(play) => play.outcome(),
            Self::Luzhanqi(play) => play.outcome(),
            Self::Xiangqi(play) => play.outcome(),
        }
    }

    /// Whether the side to move is in check (Xiangqi).
    pub const fn in_check(&self) -> bool {
        match self {
            Self::DouShouQi(_) | Self::Luzhanqi(_) => false,
            Self::Xiangqi(play) => play.in_check(),
        }
    }

    /// The repetition key: equal for the same pieces on the same squares with the same side to move.
    pub fn key(&self) -> u64 {
        match self {
            Self::DouShouQi(play) => play.position().key(),
            Self::Luzhanqi(play) => play.position().key(),
            Self::Xiangqi(play) => play.position().key(),
        }
    }

    /// The position as text, everything included.
    pub fn fen(&self) -> String {
        match self {
            Self::DouShouQi(play) => play.fen(),
            Self::Luzhanqi(play) => play.fen(luzhanqi::fen::Identities::All),
            Self::Xiangqi(play) => play.fen(),
        }
    }

    /// Whether every viewer knows everything of the position, so that [`Self::view`] is the same for all.
    pub const fn hides_nothing(&self) -> bool {
        match self {
            Self::DouShouQi(_) | Self::Xiangqi(_) => true,
            Self::Luzhanqi(_) => false,
        }
    }

    /// What a viewer may know of the position while the game runs. In Dou Shou Qi and Xiangqi nothing is hidden.
    pub fn view(&self, viewer: Viewer) -> View {
        match (self, viewer) {
            (
                Self::DouShouQi(_) | Self::Xiangqi(_),
                Viewer::Seat(_) | Viewer::Spectator | Viewer::Referee,
            ) => View { fen: self.fen() },
            (Self::Luzhanqi(play), viewer) => View {
                fen: play.view(viewer),
            },
        }
    }
}

impl RuleSet {
    /// Sets an option.
    ///
    /// # Errors
    /// When this game has no such option, or the value is not one that it takes. Nothing is changed then.
    pub fn set(&mut self, name: &str, value: RawValue<'_>) -> Result<(), OptionError> {
        match self.options_mut() {
            Options::DouShouQi(options) => options.set(name, value),
            Options::Luzhanqi(options) => options.set(name, value),
            Options::Xiangqi(options) => options.set(name, value),
        }
    }

    /// Every option with its value, in the order of the table in the rules.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, OptionValue)> + '_ {
        let names = match self.options() {
            Options::DouShouQi(_) => doushouqi::Options::NAMES,
            Options::Luzhanqi(_) => luzhanqi::Options::NAMES,
            Options::Xiangqi(_) => xiangqi::Options::NAMES,
        };
        names
            .iter()
            .filter_map(|name| Some((*name, self.value(name)?)))
    }

    /// What everybody sees of a position at least: where pieces stand, in Luzhanqi not which, and whose turn it is. Positions that
    /// differ in nothing else (in the plies that are counted, in who looks) have the same. A text that breaks off there, as what comes
    /// out of this does, is taken for a whole one.
    ///
    /// # Errors
    /// When the text is no position of this game that can come about; of Luzhanqi the board alone is looked at.
    pub fn placement(&self, fen: &str) -> Result<String, PositionError> {
        let breaks_off = fen.split(' ').count() == 2;
        let whole = breaks_off.then(|| format!("{fen} - - 0 1"));
        let fen = whole.as_deref().unwrap_or(fen);
        let mut text = match self.options() {
            Options::DouShouQi(_) | Options::Xiangqi(_) => Game::from_fen(self, fen)?.fen(),
            Options::Luzhanqi(_) => luzhanqi::fen::cover(fen)?,
        };
        let turn_ends = text.match_indices(' ').nth(1).map(|(at, _)| at);
        text.truncate(turn_ends.unwrap_or(text.len()));
        Ok(text)
    }

    /// The value of an option; none if this game has no such option.
    fn value(&self, name: &str) -> Option<OptionValue> {
        match self.options() {
            Options::DouShouQi(options) => options.get(name),
            Options::Luzhanqi(options) => options.get(name),
            Options::Xiangqi(options) => options.get(name),
        }
    }
}
