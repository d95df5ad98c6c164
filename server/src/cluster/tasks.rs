//! Work that one of several programs does for all: each kind of it belongs to a slot, and the owner of that does it.
//!
//! A task looks between two steps whether it is still this program's. For the length of a step two programs can do the same: what they
//! write is numbered or deleted once, so that is a waste and no fault.

use qiguan_game::slot::Slot;
use qiguan_protocol::ids::GameId;
use uuid::Uuid;

use crate::cluster::place::Place;

/// Such work. The lobby is in slot 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Counting how games begin.
    Openings = 1,
    /// Packing games.
    Packing = 2,
    /// Clearing old chat. Games are deleted by their own programs.
    Chat = 3,
}

impl Task {
    /// Its slot. Neighbours in number are no neighbours in who owns them.
    pub const fn slot(self) -> Slot {
        Slot::of(GameId(Uuid::from_u128(self as u128)))
    }
}

impl Place {
    /// Whether this program does this.
    pub fn does(&self, task: Task) -> bool {
        self.owns_slot(task.slot())
    }

    /// Waits until this program does this.
    pub async fn is_to_do(&self, task: Task) {
        self.until(|| self.does(task)).await;
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::Millis;

    use super::*;

    #[tokio::test]
    async fn a_task_begins_where_its_slot_comes_to_and_ends_where_it_goes() {
        Place::alone().is_to_do(Task::Packing).await;
        let place = Place::shared();
        let begun = tokio::spawn({
            let place = place.clone();
            async move { place.is_to_do(Task::Packing).await }
        });
        tokio::task::yield_now().await;
        place.gain(&[Task::Openings.slot()], Millis(1));
        assert!(!begun.is_finished() && !place.does(Task::Packing));
        place.gain(&[Task::Packing.slot()], Millis(1));
        begun.await.unwrap();
        place.lose_all([Task::Packing.slot()]);
        assert!(!place.does(Task::Packing) && place.does(Task::Openings));
    }
}
