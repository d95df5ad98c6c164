//! What moderators, admins and the operator do, as words.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use crate::words::words;

/// Something that is not for everybody.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Operation {
    /// The account of an admin is made.
    CreateAdmin,
    /// An account gets another password without its owner's.
    SetPassword,
    /// An account gets another role.
    ChangeRole,
    /// An account with a role above player has come from another record.
    ImportRole,
    /// A token or sign-in has come from another record.
    ImportToken,
    /// An account is closed to its owner.
    Ban,
    /// An account is opened to its owner again.
    Unban,
    /// An account gets another name, in place of one that it can't keep.
    Rename,
    /// A player may not chat.
    Mute,
    /// A player may chat again.
    Unmute,
    /// Shadowbans a player: they are only matched with other shadowbanned players, nobody else sees their chat, and they are
    /// not notified.
    Limit,
    /// A player is limited no longer.
    Unlimit,
    /// The result of a rated game counts no longer.
    Withdraw,
    /// The result of a game counts again.
    Restore,
    /// A game is decided in place of its players, or broken off.
    Adjudicate,
    /// What moderators have decided of a player is looked at.
    ReadPlayer,
    /// What the players of a game have said to each other is read.
    ReadChat,
    /// Games are listed, those by link included.
    ListGames,
    /// A game is looked at with everything that the referee knows.
    SeeGame,
    /// No new games from now on.
    StartMaintenance,
    /// Games can be opened again.
    EndMaintenance,
    /// A notice is shown to everybody.
    PutUpNotice,
    /// The notice is removed.
    TakeDownNotice,
    /// The reports of players are read.
    ReadReports,
    /// A report is closed.
    CloseReport,
    /// An analysis that a player has shared is deleted.
    DeleteAnalysis,
    /// The audit log is read.
    ReadAudit,
}

words!(Operation);
