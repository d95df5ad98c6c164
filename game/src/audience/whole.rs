//! A whole game as spectators see it, for reading it from the record once it is over.

use qiguan_protocol::{
    event::EventFrame,
    ids::{Epoch, Seq},
    names::{BySeat, Status},
    view::{GameView, Presence},
};

use super::{Audience, missed, view};
use crate::{
    seat_drafts::Drafts,
    state::{Damaged, State},
};

/// A game that is over, and everything that has happened in it.
pub struct Whole {
    /// The game as it stands.
    pub view: GameView,
    /// What happened, in order.
    pub events: Vec<EventFrame>,
}

/// The game; none as long as it goes on, or something in it is still to be shown.
///
/// # Errors
/// When the record can't be folded.
pub fn whole(state: &State) -> Result<Option<Whole>, Damaged> {
    let hides = |setup: &crate::setups::SettingUp| setup.taken.is_some() && !setup.revealed;
    let over = state.ended.filter(|_| state.status == Status::Ended);
    let Some((_, at)) = over.filter(|_| !state.setup.as_ref().is_some_and(hides)) else {
        return Ok(None);
    };
    let presence = Presence {
        players: BySeat::default(),
        spectators: 0,
    };
    let drafts = Drafts::default();
    Ok(Some(Whole {
        view: view(state, Audience::Spectators, &drafts, presence, Epoch(0), at),
        events: missed(state, Seq(0), Audience::Spectators)?,
    }))
}
