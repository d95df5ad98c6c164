//! What moderators, admins and the operator do, as words.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that is not for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
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
    /// The audit log is read.
    ReadAudit,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 26] = [
        Self::CreateAdmin,
        Self::SetPassword,
        Self::ChangeRole,
        Self::ImportRole,
        Self::ImportToken,
        Self::Ban,
        Self::Unban,
        Self::Rename,
        Self::Mute,
        Self::Unmute,
        Self::Limit,
        Self::Unlimit,
        Self::Withdraw,
        Self::Restore,
        Self::Adjudicate,
        Self::ReadPlayer,
        Self::ReadChat,
        Self::ListGames,
        Self::SeeGame,
        Self::StartMaintenance,
        Self::EndMaintenance,
        Self::PutUpNotice,
        Self::TakeDownNotice,
        Self::ReadReports,
        Self::CloseReport,
        Self::ReadAudit,
    ];

    /// The operation as it travels.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CreateAdmin => "create_admin",
            Self::SetPassword => "set_password",
            Self::ChangeRole => "change_role",
            Self::ImportRole => "import_role",
            Self::ImportToken => "import_token",
            Self::Ban => "ban",
            Self::Unban => "unban",
            Self::Rename => "rename",
            Self::Mute => "mute",
            Self::Unmute => "unmute",
            Self::Limit => "limit",
            Self::Unlimit => "unlimit",
            Self::Withdraw => "withdraw",
            Self::Restore => "restore",
            Self::Adjudicate => "adjudicate",
            Self::ReadPlayer => "read_player",
            Self::ReadChat => "read_chat",
            Self::ListGames => "list_games",
            Self::SeeGame => "see_game",
            Self::StartMaintenance => "start_maintenance",
            Self::EndMaintenance => "end_maintenance",
            Self::PutUpNotice => "put_up_notice",
            Self::TakeDownNotice => "take_down_notice",
            Self::ReadReports => "read_reports",
            Self::CloseReport => "close_report",
            Self::ReadAudit => "read_audit",
        }
    }

    /// The operation of this word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|operation| operation.as_str() == name)
    }
}
