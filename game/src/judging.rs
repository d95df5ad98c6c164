//! Judges a game that is stored nowhere: the position after its moves, or the first error in it.

use std::borrow::Cow;

use qiguan_protocol::{
    echo::shortened,
    error::{ApiError, ErrorCode},
    judging::{JudgeRequest, JudgeSetups, Judgement, SeatPositions},
    limits,
    setup::Removed,
    view::BannedMove,
};
use qiguan_rules::{
    BySeat, Game, Move, PlayError, Played, RuleSet, Seat, Viewer, luzhanqi::Setup, ruleset::Options,
};

use crate::rulesets;

mod covered;
mod judged;

pub use judged::Judged;

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// Where: `ruleset`, `options.NAME`, `start`, `setups`, `moves[INDEX]` or `removed[INDEX]`.
    pub field: Cow<'static, str>,
    /// The number of the move at fault, from 1; none if it is no move's.
    pub ply: Option<usize>,
    /// For people: what is wrong.
    pub message: String,
}

/// What kind of fault a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Setups, or the lack of them, don't fit the game.
    BadRequest,
    /// No rule set has this name.
    UnknownRuleset,
    /// The game has no such option, or the option does not take this value.
    BadOption,
    /// The start is no position that can come about.
    BadPosition,
    /// A setup is not legal.
    BadSetup,
    /// The text is no move on this board.
    BadMove,
    /// The pieces can't move so.
    IllegalMove,
    /// The pieces could, but a ban forbids it.
    BannedMove,
    /// The game had ended before this move.
    GameOver,
}

impl FaultKind {
    /// The word of `qiguan check` for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadRequest => "bad_request",
            Self::UnknownRuleset => "unknown_ruleset",
            Self::BadOption => "bad_option",
            Self::BadPosition => "bad_position",
            Self::BadSetup => "bad_setup",
            Self::BadMove => "bad_move",
            Self::IllegalMove => "illegal_move",
            Self::BannedMove => "banned_move",
            Self::GameOver => "game_over",
        }
    }

    pub(crate) const fn error_code(self) -> ErrorCode {
        match self {
            Self::BadRequest => ErrorCode::BadRequest,
            Self::UnknownRuleset => ErrorCode::UnknownRuleset,
            Self::BadOption => ErrorCode::BadOption,
            Self::BadPosition => ErrorCode::BadValue,
            Self::BadSetup => ErrorCode::BadSetup,
            Self::BadMove => ErrorCode::BadMove,
            Self::IllegalMove => ErrorCode::IllegalMove,
            Self::BannedMove => ErrorCode::BannedMove,
            Self::GameOver => ErrorCode::GameOver,
        }
    }
}

impl Fault {
    fn new(
        kind: FaultKind,
        field: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            field: field.into(),
            ply: None,
            message: message.into(),
        }
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        Self::new(fault.kind.error_code(), fault.message).field(fault.field)
    }
}

/// What the rules say of a game, also of one in which pieces are covered.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn judge(request: &JudgeRequest) -> Result<Judgement, Fault> {
    match covered::play(request)? {
        Some(position) => Ok(covered::judgement(&position)),
        None => play(request).map(|game| judgement(&game)),
    }
}

/// Plays a game in which every piece is known, from its beginning to its last move.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn play(request: &JudgeRequest) -> Result<Game, Fault> {
    play_through(request, |_| {})
}

/// Who is removed by each move of a game in which every piece is known.
///
/// # Errors
/// The first thing that is wrong with it.
pub(crate) fn removals(request: &JudgeRequest) -> Result<Vec<Option<Removed>>, Fault> {
    let mut all = Vec::with_capacity(request.moves.len());
    play_through(request, |removed| all.push(removed))?;
    Ok(all)
}

fn play_through(
    request: &JudgeRequest,
    mut each: impl FnMut(Option<Removed>),
) -> Result<Game, Fault> {
    let mut game = start(request)?;
    let removed_by = removed_by_each(request)?;
    let mut so_far = MovesSoFar::after(&game);
    for (index, text) in request.moves.iter().enumerate() {
        let played = if text == TAKEBACK {
            so_far.take_back(&mut game).map(|()| None)
        } else {
            play_move(&mut game, text).map(|played| {
                so_far.moves.push(played);
                played.1.removed.map(Removed::from)
            })
        };
        let wrong = |kind, field, message| Fault {
            ply: Some(index + 1),
            ..Fault::new(kind, format!("{field}[{index}]"), message)
        };
        let removed = played.map_err(|(kind, message)| wrong(kind, "moves", message))?;
        let said = removed_by.get(index).copied().flatten();
        if said.is_some() && said != removed {
            let message = expected(removed).to_owned();
            return Err(wrong(FaultKind::BadRequest, "removed", message));
        }
        each(removed);
    }
    Ok(game)
}

/// Who is removed by each move, as the request says. The list may be shorter than the moves.
fn removed_by_each(request: &JudgeRequest) -> Result<&[Option<Removed>], Fault> {
    let removed = request.removed.as_deref().unwrap_or_default();
    if removed.len() > request.moves.len() {
        let message = "expected at most one entry for each move";
        return Err(Fault::new(FaultKind::BadRequest, "removed", message));
    }
    Ok(removed)
}

/// What `removed` has to be for a move whose end is known.
pub(crate) const fn expected(removed: Option<Removed>) -> &'static str {
    match removed {
        None => "this move removes nobody: expected no `removed`",
        Some(Removed::Attacker) => "expected attacker",
        Some(Removed::Defender) => "expected defender",
        Some(Removed::Both) => "expected both",
    }
}

/// A game before its first move.
///
/// # Errors
/// The first thing that is wrong with how it begins.
fn start(request: &JudgeRequest) -> Result<Game, Fault> {
    let (ruleset, beginning) = asked(request)?;
    begin(&beginning, &ruleset)
}

/// The rule set of a game, with its options.
///
/// # Errors
/// When no rule set has this name, or an option is wrong.
pub fn ruleset(request: &JudgeRequest) -> Result<RuleSet, Fault> {
    asked(request).map(|(ruleset, _)| ruleset)
}

fn asked(request: &JudgeRequest) -> Result<(RuleSet, Beginning<'_>), Fault> {
    let mut ruleset = named(request)?;
    let beginning = beginning(request, &ruleset)?;
    set_options(&mut ruleset, request)?;
    Ok((ruleset, beginning))
}

fn named(request: &JudgeRequest) -> Result<RuleSet, Fault> {
    RuleSet::named(&request.ruleset).map_err(|error| {
        let message = format!("{:?}: {error}", shortened(&request.ruleset));
        Fault::new(FaultKind::UnknownRuleset, "ruleset", message)
    })
}

fn set_options(ruleset: &mut RuleSet, request: &JudgeRequest) -> Result<(), Fault> {
    for (name, value) in request.options.iter().flat_map(|asked| &asked.0) {
        ruleset
            .set(name, rulesets::raw(value.as_ref()))
            .map_err(|error| {
                let field = format!("options.{}", shortened(name));
                let message = format!("{field}: {error}");
                Fault::new(FaultKind::BadOption, field, message)
            })?;
    }
    Ok(())
}

/// What stands among the moves where the last one that stands is taken back.
const TAKEBACK: &str = "takeback";

/// The moves that stand, with what each did, so that they can be taken back.
struct MovesSoFar {
    start: Game,
    moves: Vec<(Move, Played)>,
    takebacks: u32,
}

impl MovesSoFar {
    fn after(start: &Game) -> Self {
        Self {
            start: start.clone(),
            moves: Vec::new(),
            takebacks: 0,
        }
    }

    /// Takes the last move back, as players may (rules, "In every game", *Taking back*).
    fn take_back(&mut self, game: &mut Game) -> Result<(), (FaultKind, String)> {
        let refused = |message: &str| (FaultKind::BadMove, message.to_owned());
        if game.outcome().is_some() {
            return Err((FaultKind::GameOver, PlayError::GameOver.to_string()));
        }
        if self.takebacks == limits::TAKEBACKS {
            let most = limits::TAKEBACKS;
            let message = format!("moves can be taken back {most} times in a game");
            return Err((FaultKind::BadMove, message));
        }
        let (_, did) = self
            .moves
            .last()
            .ok_or_else(|| refused("there is no move to take back"))?;
        if did.removed.is_some() {
            return Err(refused("an attack can't be taken back"));
        }
        self.moves.pop();
        let kept = self.moves.iter().map(|(mv, _)| *mv);
        let before = game.taken_back(&self.start, kept);
        *game = before.ok_or_else(|| refused("the moves before it do not follow"))?;
        self.takebacks += 1;
        Ok(())
    }
}

/// What the rules say of a game.
pub fn judgement(game: &Game) -> Judgement {
    let mut legal: Vec<_> = game.legal_moves().iter().map(|mv| (*mv).into()).collect();
    legal.sort_unstable();
    let banned = game.banned_moves().iter().map(|ban| BannedMove {
        text: ban.mv.into(),
        reason: ban.reason.into(),
    });
    let mut banned: Vec<_> = banned.collect();
    banned.sort_unstable_by_key(|ban| ban.text);
    Judgement {
        fen: game.fen(),
        turn: game.turn().into(),
        check: game.in_check(),
        legal,
        banned,
        outcome: game.outcome().map(Into::into),
        views: views(game),
        attacks: None,
    }
}

/// What each seat may see, while anything is hidden from it.
fn views(game: &Game) -> Option<SeatPositions> {
    if game.hides_nothing() || game.outcome().is_some() {
        return None;
    }
    let of = |seat| game.view(Viewer::Seat(seat)).fen;
    Some(SeatPositions {
        first: of(Seat::First),
        second: of(Seat::Second),
    })
}

/// How a game begins.
enum Beginning<'a> {
    Usual,
    Position(&'a str),
    Setups(&'a JudgeSetups),
}

/// Luzhanqi begins with both setups or with a position; the other games have no setups.
fn beginning<'a>(request: &'a JudgeRequest, ruleset: &RuleSet) -> Result<Beginning<'a>, Fault> {
    let needs_setups = match ruleset.options() {
        Options::DouShouQi(_) | Options::Xiangqi(_) => false,
        Options::Luzhanqi(_) => true,
    };
    match (&request.setups, &request.start, needs_setups) {
        (None, Some(fen), _) => Ok(Beginning::Position(fen)),
        (None, None, false) => Ok(Beginning::Usual),
        (Some(setups), None, true) => Ok(Beginning::Setups(setups)),
        (Some(_), _, false) => Err(no_setups()),
        (None, None, true) | (Some(_), Some(_), true) => Err(Fault::new(
            FaultKind::BadRequest,
            "setups",
            "this game needs either the setups of both seats or a start position",
        )),
    }
}

fn no_setups() -> Fault {
    Fault::new(FaultKind::BadRequest, "setups", "this game has no setups")
}

fn begin(beginning: &Beginning<'_>, ruleset: &RuleSet) -> Result<Game, Fault> {
    match beginning {
        Beginning::Usual => Ok(Game::start(ruleset)),
        Beginning::Position(fen) => Game::from_fen(ruleset, fen)
            .map_err(|error| Fault::new(FaultKind::BadPosition, "start", error.to_string())),
        Beginning::Setups(setups) => {
            let both = BySeat {
                first: setup(Seat::First, &setups.first)?,
                second: setup(Seat::Second, &setups.second)?,
            };
            Game::set_up(ruleset, &both).ok_or_else(no_setups)
        }
    }
}

/// Reads one side's setup; everything that is wrong with it is named.
fn setup(seat: Seat, text: &str) -> Result<Setup, Fault> {
    Setup::read(seat, text).map_err(|wrong| {
        let wrong: Vec<_> = wrong.iter().map(ToString::to_string).collect();
        let message = format!("{}: {}", seat.as_str(), wrong.join("; "));
        Fault::new(FaultKind::BadSetup, "setups", message)
    })
}

/// Plays a move that somebody has written.
///
/// # Errors
/// Why it can't be played.
fn play_move(game: &mut Game, text: &str) -> Result<(Move, Played), (FaultKind, String)> {
    if game.outcome().is_some() {
        return Err((FaultKind::GameOver, "the game has ended".to_owned()));
    }
    let mv = text.parse::<Move>().ok().filter(|mv| game.is_on_board(*mv));
    let mv = mv.ok_or_else(|| no_move(text))?;
    let played = game.play(mv).map(|did| (mv, did));
    played.map_err(|error| {
        let kind = match error {
            PlayError::GameOver => FaultKind::GameOver,
            PlayError::Illegal => FaultKind::IllegalMove,
            PlayError::Banned(_) => FaultKind::BannedMove,
        };
        (kind, format!("{mv}: {error}"))
    })
}

fn no_move(text: &str) -> (FaultKind, String) {
    let message = format!("{:?} is not a move on this board", shortened(text));
    (FaultKind::BadMove, message)
}
