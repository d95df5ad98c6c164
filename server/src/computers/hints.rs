//! Hints for a player in a practice game: what the computer would play in their place, and how good a move of their own would be.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use qiguan_engine::{Level, Limits, Player, luzhanqi};
use qiguan_game::refusal::Refusal;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    hint::{Hint, JudgedMove, Verdict, WeighedMove},
    ids::{Millis, Ply},
    names::Status,
    view::GameView,
};
use qiguan_rules::Move;
use tokio::time::sleep_until;

use super::{
    pool::{Busy, Pool},
    position::{game_of, ruleset_of, seen_of},
};
use crate::services::{Services, computing::Owner};

/// How much is searched for a hint.
const LIMITS: Limits = Limits {
    nodes: 100_000,
    depth: 64,
};
/// How well a player of Luzhanqi is advised.
const LUZHANQI_LEVEL: u8 = 4;
/// A hint on a busy machine ends after so long with the best so far.
const PATIENCE: Millis = Millis(3_000);

/// Advises the player whose view this is; `asked` is a move of their own to be weighed.
///
/// # Errors
/// `forbidden` in games that are not for practice, and for a position that stands in a running game between people; `not_a_player`, `not_started`, `game_over`, `not_your_turn`; `bad_move`,
/// `illegal_move` with the field `move`; `busy`.
pub async fn hint(
    pool: &Pool,
    services: &Services,
    owner: Owner,
    view: GameView,
    asked: Option<&str>,
    seed: u64,
) -> Result<Hint, ApiError> {
    check(&view)?;
    let asked = asked.map(|text| legal_move(&view, text)).transpose()?;
    if let Some((ruleset, game)) = ruleset_of(&view).zip(game_of(&view)) {
        let after = asked.and_then(|mv| game.after(mv).ok());
        let positions: Vec<_> = [&game]
            .into_iter()
            .chain(after.as_ref().map(|(after, _)| after))
            .collect();
        services.check_not_running(&ruleset, &positions).await?;
    }
    let advised = thought(pool, services, owner, move |player, stop| {
        advise(&view, asked, seed, player, stop)
    });
    advised.await?.ok_or_else(ApiError::internal)
}

/// What a thread of the computers finds, within the time that somebody waits for a hint.
///
/// # Errors
/// `busy`; `internal` if the work panicked.
pub(super) async fn thought<T: Send + 'static>(
    pool: &Pool,
    services: &Services,
    owner: Owner,
    work: impl FnOnce(&Player, &AtomicBool) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let clock = services.clock;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let ends = clock.instant(clock.now() + PATIENCE);
    let thought = pool.hint(owner, move |player| work(player, &stopped));
    tokio::pin!(thought);
    let found = tokio::select! {
        found = &mut thought => found,
        () = sleep_until(ends) => {
            stop.store(true, Ordering::Relaxed);
            thought.await
        }
    };
    match found {
        Ok(found) => found.ok_or_else(ApiError::internal),
        Err(Busy) => Err(ApiError::new(
            ErrorCode::Busy,
            "too many hints are being worked out; ask again in a moment",
        )),
    }
}

/// Whether this is a game in which hints are given, and the viewer's turn.
fn check(view: &GameView) -> Result<(), ApiError> {
    let seat = view.you.ok_or(Refusal::NotAPlayer)?;
    if !view.practice {
        let message = "hints are given in practice games only";
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    let is_setting_up = view
        .setup
        .as_ref()
        .is_some_and(|setup| setup.until.is_some());
    match view.status {
        Status::Open => Err(Refusal::NotStarted.into()),
        Status::Ended => Err(Refusal::GameOver.into()),
        Status::Playing if is_setting_up => Err(Refusal::StillSettingUp.into()),
        Status::Playing if view.position.turn != seat => Err(Refusal::NotYourTurn.into()),
        Status::Playing => Ok(()),
    }
}

fn legal_moves(view: &GameView) -> Vec<Move> {
    let legal = view.position.legal.iter().flatten();
    legal
        .filter_map(|text| text.as_str().parse().ok())
        .collect()
}

fn legal_move(view: &GameView, text: &str) -> Result<Move, ApiError> {
    let bad = |_| Refusal::BadMove {
        text: text.to_owned(),
    };
    let mv: Move = text.parse().map_err(bad)?;
    if legal_moves(view).contains(&mv) {
        Ok(mv)
    } else {
        Err(Refusal::IllegalMove { mv }.into())
    }
}

/// None where the game does not follow from what is seen of it.
fn advise(
    view: &GameView,
    asked: Option<Move>,
    seed: u64,
    player: &Player,
    stop: &AtomicBool,
) -> Option<Hint> {
    let seen = seen_of(view);
    // Where nothing is hidden.
    let game = match seen {
        Some(_) => None,
        None => Some(game_of(view)?),
    };
    let level = Level::try_from(LUZHANQI_LEVEL).ok()?;
    let weigh = |among: &[Move]| {
        if let Some(seen) = &seen {
            let chosen = luzhanqi::choose(seen, among, level, seed, stop)?;
            return Some((chosen.mv, f64::from(chosen.chance)));
        }
        let found = player.best(game.as_ref()?, among, LIMITS, stop, |_| {})?;
        Some((*found.moves.first()?, found.score.chance()))
    };
    let asked = match asked {
        Some(mv) => Some(weigh(&[mv])?),
        None => None,
    };
    let best = weigh(&legal_moves(view))?;
    Some(hint_of(Ply(view.position.ply.0 + 1), best, asked))
}

/// A chance in thousandths.
pub(super) fn thousandths(chance: f64) -> u32 {
    (chance.clamp(0.0, 1.0) * 1_000.0).round() as u32
}

/// The hint from what two searches have found. No move is better than the best.
fn hint_of(ply: Ply, best: (Move, f64), asked: Option<(Move, f64)>) -> Hint {
    let best = asked.filter(|asked| asked.1 > best.1).unwrap_or(best);
    let weighed = |(mv, chance): (Move, f64)| WeighedMove {
        text: mv.into(),
        chance: thousandths(chance),
    };
    let best = weighed(best);
    Hint {
        ply,
        best,
        asked: asked.map(|asked| {
            let WeighedMove { text, chance } = weighed(asked);
            let loss = best.chance.saturating_sub(chance);
            JudgedMove {
                text,
                chance,
                loss,
                verdict: Verdict::of_loss(loss),
            }
        }),
    }
}
