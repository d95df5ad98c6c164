//! Which slot a game belongs to. Programs that share a record own slots, never single games.

use std::fmt;

use qiguan_protocol::ids::GameId;
use uuid::Uuid;

/// How many slots there are: every value of the last 12 bits of a game's id, which are random.
pub const SLOTS: u16 = 4_096;

/// What is owned as one: the games whose ids end with the same 12 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u16);

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}", self.0)
    }
}

impl Slot {
    /// The slot with this number; none from [`SLOTS`] on.
    pub const fn new(number: u16) -> Option<Self> {
        if number < SLOTS {
            Some(Self(number))
        } else {
            None
        }
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SLOTS).map(Self)
    }

    /// The slot of a game.
    pub const fn of(game: GameId) -> Self {
        Self((game.0.as_u128() % SLOTS as u128) as u16)
    }

    /// A game's id that has just been drawn, drawn into this slot: everything but its last 12 bits stays.
    #[must_use]
    pub const fn put(self, drawn: GameId) -> GameId {
        let id = drawn.0.as_u128();
        GameId(Uuid::from_u128(id - id % SLOTS as u128 + self.0 as u128))
    }

    /// Its number, below [`SLOTS`].
    pub const fn number(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_id_that_is_put_into_a_slot_belongs_to_it_and_keeps_everything_else(id: u128, number in 0..SLOTS) {
            let slot = Slot::new(number).unwrap();
            let put = slot.put(GameId(Uuid::from_u128(id)));
            prop_assert_eq!(Slot::of(put), slot);
            prop_assert_eq!(put.0.as_u128() >> 12, id >> 12);
            prop_assert_eq!(put.0.get_version_num(), Uuid::from_u128(id).get_version_num());
            prop_assert_eq!(Slot::of(put).put(put), put);
        }
    }

    #[test]
    fn there_are_as_many_slots_as_numbers() {
        assert_eq!(Slot::new(SLOTS), None);
        assert_eq!(Slot::all().count(), usize::from(SLOTS));
        assert_eq!(Slot::all().last(), Slot::new(SLOTS - 1));
    }
}
