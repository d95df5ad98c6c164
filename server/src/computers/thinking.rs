//! What a computer does next, from what its seat may know and nothing else.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Level, Player, luzhanqi};
use qiguan_protocol::{
    ids::{Millis, Ply, Seq},
    names::Status,
    time_control::Clock,
    view::GameView,
};
use qiguan_rules::{Game, Move};

use super::position::{game_of, seen_of};

/// From this level on a computer gives up when it is lost.
const RESIGNS_FROM: u8 = 5;
/// It is lost when its chance to win is less.
const LOST: f64 = 0.01;
/// A draw is accepted by who has no better chance than this, in a game that is long enough.
const EVEN: f64 = 0.52;
const LONG: u32 = 80;
/// And in any game by who is likely to lose.
const WORSE: f64 = 0.35;

/// What a computer has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Set up its pieces and say that it is ready.
    SetUp,
    /// Move, and answer the draw that is offered, if one is.
    Move(Option<Seq>),
    /// Answer a draw offer while the opponent is on the move.
    AnswerDraw(Seq),
    /// Agree to another game.
    Rematch,
}

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Plays a move.
    Move(Ply, Move),
    /// Accepts a draw.
    AcceptDraw(Seq),
    /// Declines it.
    DeclineDraw(Seq),
    /// Gives up.
    Resign,
}

impl Task {
    /// What the player in this seat has to do; none if it is nothing.
    pub fn of(view: &GameView) -> Option<Self> {
        let seat = view.you?;
        let of_other = |offer: &&qiguan_protocol::view::Offer| offer.seat != seat;
        let offered = view.draw_offer.as_ref().filter(of_other);
        let is_setting_up = view.setup.as_ref().filter(|setup| setup.until.is_some());
        match view.status {
            Status::Open => None,
            Status::Playing => match is_setting_up {
                Some(setup) => (!setup.ready.get(seat)).then_some(Self::SetUp),
                None if view.position.turn == seat => {
                    Some(Self::Move(offered.map(|offer| offer.seq)))
                }
                None => offered.map(|offer| Self::AnswerDraw(offer.seq)),
            },
            Status::Ended => {
                let again = view.rematch_offer.as_ref().filter(of_other);
                again.map(|_| Self::Rematch)
            }
        }
    }
}

/// How long a computer may think about a move, so that its clock never falls; none without a clock.
pub fn time_for_move(view: &GameView) -> Option<Millis> {
    let left = view.clocks.left?.get(view.you?).ms;
    let time = match view.time_control.clock {
        Clock::None => return None,
        Clock::Fischer { increment_ms, .. } => Millis(left.0 / 25) + Millis(increment_ms.0 / 2),
        Clock::Byoyomi { .. } | Clock::PerMove { .. } => Millis(left.0 / 3),
    };
    Some(time.min(Millis(left.0 / 2)))
}

/// Thinks: `seed` chooses among good moves, and `stop` ends it with the best so far.
pub fn think(
    view: &GameView,
    task: Task,
    level: Level,
    seed: u64,
    player: &Player,
    stop: &AtomicBool,
) -> Option<Choice> {
    let (mv, chance) = match (task, seen_of(view)) {
        (Task::SetUp | Task::Rematch, _) => return None,
        (Task::AnswerDraw(offer), Some(_)) => return Some(answer_unseen(view, offer)),
        (Task::AnswerDraw(offer), None) => {
            return Some(answer(view, &game_of(view)?, level, offer, player, stop));
        }
        (Task::Move(_), Some(seen)) => {
            let legal = view.position.legal.iter().flatten();
            let legal = legal.map(|text| text.as_str().parse());
            let legal: Vec<Move> = legal.collect::<Result<_, _>>().ok()?;
            let chosen = luzhanqi::choose(&seen, &legal, level, seed, stop)?;
            (chosen.mv, f64::from(chosen.chance))
        }
        (Task::Move(_), None) => {
            let found = player.play(&game_of(view)?, level, seed, stop)?;
            (*found.moves.first()?, found.score.chance())
        }
    };
    Some(match task {
        Task::Move(Some(offer)) if accepts(view, chance) => Choice::AcceptDraw(offer),
        _ if level.number() >= RESIGNS_FROM && chance < LOST => Choice::Resign,
        _ => Choice::Move(Ply(view.position.ply.0 + 1), mv),
    })
}

/// Answers a draw offer in a game of hidden pieces while the opponent is on the move: it is accepted where nothing has been attacked for
/// long.
fn answer_unseen(view: &GameView, offer: Seq) -> Choice {
    let quiet = view.moves.iter().rev();
    let quiet = quiet.take_while(|played| played.removed.is_none()).count();
    if quiet >= LONG as usize {
        Choice::AcceptDraw(offer)
    } else {
        Choice::DeclineDraw(offer)
    }
}

/// Answers a draw offer, by how the game looks for the opponent, who is on the move.
fn answer(
    view: &GameView,
    game: &Game,
    level: Level,
    offer: Seq,
    player: &Player,
    stop: &AtomicBool,
) -> Choice {
    let theirs = player.best(game, &[], level.limits(game), stop, |_| {});
    let chance = theirs.map_or(1.0, |found| 1.0 - found.score.chance());
    if accepts(view, chance) {
        Choice::AcceptDraw(offer)
    } else {
        Choice::DeclineDraw(offer)
    }
}

fn accepts(view: &GameView, chance: f64) -> bool {
    chance < WORSE || chance < EVEN && view.position.ply.0 >= LONG
}
