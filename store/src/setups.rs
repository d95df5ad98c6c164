//! The setups of Luzhanqi that players have saved, each by its name.

use qiguan_protocol::ids::PlayerId;

use crate::{
    db::{Dialect, sql},
    store::{NamedSetup, Store, StoreError},
};

/// Saves a setup if the name is in use already or the player has fewer than `$4`.
pub(crate) const SAVE: &str = "insert into setups (player_id, name, setup) \
     select $1, $2, $3 \
     where exists (select 1 from setups where player_id = $1 and name = $2) \
        or (select count(*) from setups where player_id = $1) < $4 \
     on conflict (player_id, name) do update set setup = excluded.setup";
/// Two that save at once would both count before either has written; so they come one after the other.
const HOLD_IN_POSTGRES: &str = "select from players where id = $1 for update";
/// The setups of a player.
pub(crate) const SETUPS: &str = "select name, setup from setups where player_id = $1 order by name";
/// One setup of a player.
pub(crate) const SETUP: &str = "select setup from setups where player_id = $1 and name = $2";
/// Deletes a setup. What it returns says whether there was one, also of a name that no row can have.
pub(crate) const DELETE: &str =
    "delete from setups where player_id = $1 and name = $2 returning name";

impl Store {
    /// Saves a player's setup, in place of the one of this name. False, and nothing is changed, if the name is new and the
    /// player has `most` already.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn save_setup(
        &self,
        player: PlayerId,
        setup: NamedSetup,
        most: u32,
    ) -> Result<bool, StoreError> {
        let save = sql(SAVE).bind(player).bind(setup.name);
        let save = save.bind(setup.setup).bind(most);
        self.write(Some("save_setup"), move |db| {
            Box::pin(async move {
                if db.dialect() == Dialect::Postgres {
                    db.execute(sql(HOLD_IN_POSTGRES).bind(player)).await?;
                }
                Ok(db.execute(save).await? > 0)
            })
        })
        .await
    }

    /// A player's setups, sorted by their names' bytes.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn setups(&self, player: PlayerId) -> Result<Vec<NamedSetup>, StoreError> {
        let rows: Vec<(String, String)> = self.rows(sql(SETUPS).bind(player)).await?;
        let named = rows
            .into_iter()
            .map(|(name, setup)| NamedSetup { name, setup });
        Ok(named.collect())
    }

    /// A player's setup of this name.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn setup(
        &self,
        player: PlayerId,
        name: &str,
    ) -> Result<Option<NamedSetup>, StoreError> {
        let name = name.to_owned();
        let found = self.row(sql(SETUP).bind(player).bind(name.clone())).await?;
        Ok(found.map(|(setup,)| NamedSetup { name, setup }))
    }

    /// Deletes a player's setup. False if there was none of this name.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn delete_setup(&self, player: PlayerId, name: String) -> Result<bool, StoreError> {
        let delete = sql(DELETE).bind(player).bind(name);
        self.write(Some("delete_setup"), |db| {
            Box::pin(async move { Ok(db.value::<String>(delete).await?.is_some()) })
        })
        .await
    }
}
