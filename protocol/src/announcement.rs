//! Announcements: maintenance and notices.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::Millis;

/// The announcements in force: `GET /api/announcements`, and the notice `announcements`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Announcements {
    /// No new games for now; those that go on are played to their ends. Null if games can be opened.
    #[schema(required)]
    pub maintenance: Option<Maintenance>,
    /// Something to read; null without an announcement.
    #[schema(required)]
    pub notice: Option<Notice>,
}

/// That no new games can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Maintenance {
    /// Why, and perhaps for how long.
    pub message: String,
    /// Since when.
    pub since: Millis,
}

/// Something to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    /// What it says.
    pub text: String,
    /// Since when it stands.
    pub since: Millis,
    /// When it ends.
    pub until: Millis,
}

/// `PUT /api/admin/maintenance`: no new games from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartMaintenance {
    /// The text that everybody sees: 1 to 300 characters.
    pub message: String,
    /// Why, for the audit log: at most 200 characters.
    #[serde(default)]
    pub reason: String,
}

/// `PUT /api/admin/notice`: shows a notice to everybody, replacing the current one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PutUpNotice {
    /// What it says: 1 to 300 characters.
    pub text: String,
    /// For how many minutes later visitors see it as well: 1 to 10080.
    pub minutes: u32,
    /// Why, for the audit log: at most 200 characters.
    #[serde(default)]
    pub reason: String,
}
