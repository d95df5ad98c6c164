//! What a seat keeps for itself before it counts: a setup in progress, and notes about the enemy's pieces.

use std::fmt;

use qiguan_rules::{BySeat, luzhanqi::Setup};
use serde::{Deserialize, Serialize};

/// What kind of draft a seat keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftKind {
    /// The setup in progress.
    Setup,
    /// What the player believes of the enemy's pieces.
    Notes,
}

impl DraftKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Setup, Self::Notes];
}

/// The drafts of a game, each seat's for that seat alone.
pub type Drafts = BySeat<SeatDrafts>;

/// The drafts of one seat. They are a secret, and for debugging none is printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SeatDrafts {
    /// The setup in progress.
    pub setup: Option<Setup>,
    /// What the player believes of the enemy's pieces.
    pub notes: Option<String>,
}

impl SeatDrafts {
    /// The draft of a kind as it is stored, if there is one.
    pub fn text(&self, kind: DraftKind) -> Option<String> {
        match kind {
            DraftKind::Setup => self.setup.map(|setup| setup.text()),
            DraftKind::Notes => self.notes.clone(),
        }
    }
}

impl fmt::Debug for SeatDrafts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}
