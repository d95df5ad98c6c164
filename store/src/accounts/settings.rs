//! What players have chosen to be the same wherever they sign in.

use qiguan_protocol::ids::{Millis, PlayerId};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    accounts::changes::HOLD,
    db::sql,
    store::{Store, StoreError},
};

const SETTINGS: &str = "select version, updated_at, body from settings where player_id = $1";
/// Saves settings in place of those of a version; the first ones are in place of version 0.
const SAVE: &str = "insert into settings (player_id, version, updated_at, body) select $1, $2 + 1, $3, $4 \
     where coalesce((select version from settings where player_id = $1), 0) = $2 \
     on conflict (player_id) do update set version = excluded.version, updated_at = excluded.updated_at, body = excluded.body";
pub(super) const DELETE: &str = "delete from settings where player_id = $1";
/// The settings of the players of a page.
pub(super) const SETTINGS_OF: &str = "select player_id, version, updated_at, body from settings \
     where player_id > $1 and player_id <= $2 order by player_id";
/// Settings from another record that may be there already.
pub(super) const ADD: &str = "insert into settings (player_id, version, updated_at, body) values ($1, $2, $3, $4) \
     on conflict (player_id) do nothing";

/// The settings of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsRecord {
    /// 1, 2, 3 …: how often they were saved.
    pub version: u32,
    /// When they were saved last.
    pub updated_at: Millis,
    /// What was chosen, as JSON.
    pub body: String,
}

impl Store {
    /// The settings of a player, once some were saved.
    ///
    /// # Errors
    /// When the database can't be read, or the row makes no sense.
    pub async fn settings(&self, player: PlayerId) -> Result<Option<SettingsRecord>, StoreError> {
        let row: Option<(i64, i64, String)> = self.row(sql(SETTINGS).bind(player)).await?;
        let record =
            row.map(|(version, updated_at, body)| record(player.0, version, updated_at, body));
        record.transpose()
    }

    /// Saves settings in place of those of a version (0: the first ones). False, and nothing is changed, if they have another
    /// version by now, or the account was deleted.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn save_settings(
        &self,
        player: PlayerId,
        version: u32,
        at: Millis,
        body: String,
    ) -> Result<bool, StoreError> {
        let save = sql(SAVE).bind(player).bind(version).bind(at).bind(body);
        self.write(None, move |db| {
            Box::pin(async move {
                // Of two who save at once, the second finds another version.
                if db.execute(sql(HOLD).bind(player)).await? == 0 {
                    return Ok(false);
                }
                Ok(db.execute(save).await? > 0)
            })
        })
        .await
    }
}

/// A row of `settings` of a page of players.
#[derive(FromRow)]
pub(super) struct SettingsRow {
    pub(super) player_id: Uuid,
    version: i64,
    updated_at: i64,
    body: String,
}

impl TryFrom<SettingsRow> for SettingsRecord {
    type Error = StoreError;

    fn try_from(row: SettingsRow) -> Result<Self, StoreError> {
        record(row.player_id, row.version, row.updated_at, row.body)
    }
}

fn record(
    player: Uuid,
    version: i64,
    updated_at: i64,
    body: String,
) -> Result<SettingsRecord, StoreError> {
    let version = u32::try_from(version).map_err(|_| StoreError::Corrupt {
        table: "settings",
        row: player.to_string(),
        what: format!("no such version: {version}"),
    })?;
    Ok(SettingsRecord {
        version,
        updated_at: Millis(updated_at),
        body,
    })
}
