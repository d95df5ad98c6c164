//! A whole game as spectators see it, for reading it from the record once it is over.

use qiguan_protocol::{
    event::EventFrame,
    ids::{Epoch, Seq},
    view::GameView,
};

use super::{Audience, missed, positions::hides_nothing, snapshot::Snapshot};
use crate::{seat_drafts::Drafts, state::State};

/// A game that is over, and everything that has happened in it.
pub struct Whole {
    /// The game as it stands.
    pub view: GameView,
    /// What happened, in order.
    pub events: Vec<EventFrame>,
}

/// The game; none as long as it goes on, or something in it is still to be shown.
pub fn whole(state: &State) -> Option<Whole> {
    let (_, at) = state.ended.filter(|_| hides_nothing(state))?;
    let snapshot = Snapshot::of_record(state.snapshot(), Drafts::default(), Epoch(0), at);
    Some(Whole {
        view: snapshot.view(),
        events: missed(state, Seq(0), Audience::Spectators),
    })
}
