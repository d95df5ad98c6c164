//! Another move in place of one that was played in a reviewed game: was it better?

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Limits, Player, luzhanqi::choose};
use qiguan_game::{refusal::Refusal, state::State};
use qiguan_protocol::{
    error::ApiError,
    hint::{JudgedMove, Verdict},
    ids::Ply,
    review::Review,
};
use qiguan_rules::{Game, Move};

use super::{hidden::HiddenReviewer, work::moves_of};
use crate::computers::hints::thousandths;

/// How much is searched for one move.
const LIMITS: Limits = Limits {
    nodes: 100_000,
    depth: 64,
};

/// A move that is to be judged in a position of a game.
pub struct Attempt {
    game: Game,
    /// The position after the move.
    after: Game,
    ply: Ply,
    mv: Move,
    /// What is known already.
    known: Option<JudgedMove>,
    /// The chance after the best move, in thousandths.
    best: u32,
}

/// Reads what somebody would have played in place of a move.
///
/// # Errors
/// `bad_value` for a ply that is not one of the game, or not reviewed; `bad_move`, `illegal_move`.
pub fn attempt(state: &State, review: &Review, ply: Ply, text: &str) -> Result<Attempt, ApiError> {
    let reviewed = review.moves.iter().find(|reviewed| reviewed.ply == ply);
    let judged = reviewed.and_then(|reviewed| reviewed.judged.as_ref());
    let Some((reviewed, judged)) = reviewed.zip(judged) else {
        let message = format!(
            "expected the number of a move that is reviewed, at most {}",
            review.plies.0
        );
        return Err(ApiError::bad_value("ply", message));
    };
    let before = ply.0.saturating_sub(1) as usize;
    let game = position(state, before).ok_or_else(ApiError::internal)?;
    let bad = |_| Refusal::BadMove {
        text: text.to_owned(),
    };
    let mv: Move = text.parse().map_err(bad)?;
    let after = game.after(mv);
    let (after, _) = after.map_err(|_| Refusal::IllegalMove { mv })?;
    let best = judged.chance + judged.loss;
    let text = mv.into();
    let known = if text == reviewed.text {
        Some(JudgedMove {
            text,
            chance: judged.chance,
            loss: judged.loss,
            verdict: judged.verdict,
        })
    } else {
        (text == judged.best).then(|| weighed(mv, best, best))
    };
    Ok(Attempt {
        game,
        after,
        ply,
        mv,
        known,
        best,
    })
}

impl Attempt {
    /// The positions before and after it.
    pub const fn games(&self) -> [&Game; 2] {
        [&self.game, &self.after]
    }

    /// What is known of the move without another search.
    pub const fn known(&self) -> Option<JudgedMove> {
        self.known
    }

    /// Judges it. None if the position can't be searched.
    pub fn judge(&self, state: &State, player: &Player) -> Option<JudgedMove> {
        let go_on = AtomicBool::new(false);
        let chance = if self.game.hides_nothing() {
            let found = player.best(&self.game, &[self.mv], LIMITS, &go_on, |_| {})?;
            found.score.chance()
        } else {
            let before = self.ply.0.checked_sub(1)?;
            let reviewer = HiddenReviewer::of(state)?;
            let level = reviewer.level();
            let (known, _) = reviewer.seen(&self.game, before as usize)?;
            f64::from(choose(&known, &[self.mv], level, u64::from(before), &go_on)?.chance)
        };
        Some(weighed(self.mv, thousandths(chance), self.best))
    }
}

fn weighed(mv: Move, chance: u32, best: u32) -> JudgedMove {
    let loss = best.saturating_sub(chance);
    JudgedMove {
        text: mv.into(),
        chance,
        loss,
        verdict: Verdict::of_loss(loss),
    }
}

/// The game after so many moves.
fn position(state: &State, plies: usize) -> Option<Game> {
    let mut game = match &state.setup {
        None => state.beginning(),
        Some(setup) => Game::set_up(&state.ruleset, &setup.taken.as_ref()?.0)?,
    };
    for mv in moves_of(state).get(..plies)? {
        game.play_recorded(*mv).ok()?;
    }
    Some(game)
}
