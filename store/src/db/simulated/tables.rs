//! The rows of programs and slots, as Postgres has them in tables.

use std::collections::BTreeMap;

use qiguan_game::slot::Slot;
use qiguan_protocol::ids::Millis;

use crate::{db::Incarnation, versions::Versions};

/// All of them.
pub(crate) struct Tables {
    pub(crate) nodes: BTreeMap<Incarnation, NodeRow>,
    pub(crate) slots: BTreeMap<Slot, SlotRow>,
    /// The sum of the epochs of all slots.
    pub(crate) changes: i64,
}

/// A program.
pub(crate) struct NodeRow {
    pub(crate) name: String,
    pub(crate) sessions: String,
    pub(crate) is_up: bool,
    /// By the clock of the database.
    pub(crate) beat_at: Millis,
    /// By the program's own clock.
    pub(crate) alive_at: Millis,
    pub(crate) versions: Versions,
    pub(crate) program: String,
}

/// A slot.
#[derive(Default)]
pub(crate) struct SlotRow {
    pub(crate) owner: Option<Incarnation>,
    pub(crate) epoch: i64,
    pub(crate) charged_to: Option<Millis>,
    /// When nobody owned it: stopped and started.
    pub(crate) absences: Vec<(Millis, Millis)>,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            nodes: BTreeMap::new(),
            slots: Slot::all().map(|slot| (slot, SlotRow::default())).collect(),
            changes: 0,
        }
    }
}
