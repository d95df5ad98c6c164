//! What those who run the server tell everybody, as the record keeps it: it survives a restart, and every program on one record
//! tells the same.

use async_trait::async_trait;
use qiguan_game::audit_entry::Act;
use qiguan_protocol::ids::Millis;

use crate::store::StoreError;

/// The announcements.
#[async_trait]
pub trait Announces: Send + Sync {
    /// What stands, whether or not its time is over.
    async fn announcements(&self) -> Result<Standing, StoreError>;

    /// Puts up an announcement in place of the one of its kind, or takes that down; the act is written with it. False, and nothing is
    /// changed, if who acts may not do it any more.
    async fn announce(
        &self,
        kind: Kind,
        announcement: Option<Announcement>,
        act: Act,
    ) -> Result<bool, StoreError>;
}

/// The text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No new games.
    Maintenance,
    /// Something to read.
    Notice,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Maintenance, Self::Notice];

    /// The kind as it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Maintenance => "maintenance",
            Self::Notice => "notice",
        }
    }

    /// The kind of this word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// What.
    pub text: String,
    /// Since when.
    pub at: Millis,
    /// When it ends by itself; none for never.
    pub until: Option<Millis>,
}

/// What stands, one of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// No new games.
    pub maintenance: Option<Announcement>,
    /// Something to read.
    pub notice: Option<Announcement>,
}
