//! What people do in the lobby, and what comes of it.

use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{CommandId, GameId, SeekId},
    lobby::{Lobby, LobbyNoticeKind, SeekState},
};
use serde_json::{Value, json};

use crate::{
    client::{Answered, Client, command_id},
    game::fischer,
};

/// The data of a `seek`: a casual game, the owner moving first.
pub fn seek_data(command: CommandId) -> Value {
    json!({
        "command": command, "ruleset": "doushouqi/booklet", "time_control": fischer(600_000, 0), "seat": "first",
    })
}

/// The data of a `quick_pair`.
pub fn pool_data(command: CommandId, time: &str) -> Value {
    json!({"command": command, "ruleset": "doushouqi/booklet", "time": time})
}

/// What has become of a seek.
///
/// # Errors
/// When it was refused.
///
/// # Panics
/// When something else was answered.
pub fn state(answered: Answered) -> Result<(SeekId, SeekState), ApiError> {
    match answered? {
        Answer::Seek { seek, state } => Ok((seek, state)),
        other => panic!("no answer about a seek: {}", json!(other)),
    }
}

/// The game that came of accepting a seek.
///
/// # Errors
/// When it was refused.
///
/// # Panics
/// When something else was answered.
pub fn paired(answered: Answered) -> Result<GameId, ApiError> {
    match answered? {
        Answer::Paired { game } => Ok(game),
        other => panic!("not paired: {}", json!(other)),
    }
}

impl Client {
    /// Enters the lobby.
    pub async fn enters(&mut self) -> Lobby {
        let Answer::Lobby { lobby } = self.asks("enter_lobby", json!({})).await else {
            panic!("no lobby")
        };
        *lobby
    }

    /// Opens a casual seek, moving first.
    pub async fn seeks(&mut self) -> SeekId {
        let placed = self.request("seek", seek_data(command_id())).await;
        state(placed).expect("the seek is open").0
    }

    /// Waits in a pool.
    pub async fn waits_in(&mut self, time: &str) -> SeekId {
        let placed = self
            .request("quick_pair", pool_data(command_id(), time))
            .await;
        state(placed).expect("there is room in the pool").0
    }

    /// Accepts a seek.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn accepts(&mut self, seek: SeekId, command: CommandId) -> Result<GameId, ApiError> {
        let data = json!({"seek": seek, "command": command});
        paired(self.request("accept_seek", data).await)
    }

    /// Reads on until a game has begun of one's own seek, or of one that was accepted.
    pub async fn is_paired(&mut self) -> (GameId, Option<SeekId>) {
        let wanted = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::Paired { .. });
        match self.lobby_where(wanted).await {
            LobbyNoticeKind::Paired { game, seek } => (game, seek),
            other => unreachable!("{other:?}"),
        }
    }

    /// Reads on until a seek is shown.
    pub async fn sees_seek(&mut self, seek: SeekId) -> qiguan_protocol::lobby::Seek {
        let shown = |notice: &LobbyNoticeKind| match notice {
            LobbyNoticeKind::Changed { added, .. } => {
                added.iter().find(|shown| shown.id == seek).cloned()
            }
            _ => None,
        };
        let notice = self.lobby_where(|notice| shown(notice).is_some()).await;
        shown(&notice).expect("it was looked for")
    }

    /// Enters, and reads on until a seek is shown if it is not there yet: what is new comes with the next changes.
    pub async fn enters_and_sees(&mut self, seek: SeekId) {
        if !self
            .enters()
            .await
            .seeks
            .iter()
            .any(|shown| shown.id == seek)
        {
            self.sees_seek(seek).await;
        }
    }

    /// Reads on until a seek is gone.
    pub async fn sees_gone(&mut self, seek: SeekId) {
        let gone = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::Changed { removed, .. } if removed.contains(&seek));
        self.lobby_where(gone).await;
    }
}
