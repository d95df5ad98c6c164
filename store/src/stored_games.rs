//! Whole games as they are stored, whether they make sense or not: for exporting, for checking, and for moving them.

use std::collections::BTreeMap;

use qiguan_protocol::ids::GameId;
use uuid::Uuid;

use crate::{
    db::{Db, Failed, Statement, sql},
    game_events,
    rows::{self, status_word},
    sql,
    store::{Store, StoreError},
    stored::{Selection, StoredGame},
};

/// Every game that there is a trace of after one, at most so many: three walks in order, merged as they go.
pub(crate) const ALL_IN_SQLITE: &str = "select id from games where id > $1 \
     union select game_id from events where game_id > $1 \
     union select game_id from packed_games where game_id > $1 order by 1 limit $2";
/// The same. Each part stops by itself: merged first and cut then, all would be read for every page.
pub(crate) const ALL_IN_POSTGRES: &str = "select id from \
         ((select id from games where id > $1 order by id limit $2) \
          union (select distinct game_id from events where game_id > $1 order by game_id limit $2) \
          union (select game_id from packed_games where game_id > $1 order by game_id limit $2)) as either (id) \
     order by id limit $2";
/// The game after one.
const NEXT: &str = "select id from games where id > $1 order by id limit 1";
impl Store {
    /// How many games are selected.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn count_games(&self, selection: &Selection) -> Result<u64, StoreError> {
        let count = push_conditions(sql("select count(*) from games where true"), selection);
        Ok(self
            .reader()
            .await?
            .value(count)
            .await?
            .map_or(0, i64::unsigned_abs))
    }

    /// A page of the selected games after one, whole, by id. Each is as it was at one moment.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn stored_games(
        &self,
        selection: &Selection,
        after: Option<GameId>,
        limit: u32,
    ) -> Result<Vec<StoredGame>, StoreError> {
        let after = after.map_or(Uuid::nil(), |game| game.0);
        let mut db = self.readers.snapshot().await?;
        let page = if selection.is_everything() {
            let all = db.dialect().pick(ALL_IN_SQLITE, ALL_IN_POSTGRES);
            sql(all).bind(after).bind(limit)
        } else {
            let page = sql("select id from games where id > ").push_value(after);
            let page = push_conditions(page, selection);
            page.push(" order by id limit ").push_value(limit)
        };
        let mut ids: Vec<Uuid> = db.values(page).await?;
        if selection.is_everything() {
            // A game that has lost its line may have events in the log alone.
            ids.extend(game_events::logged_games(&mut db, after, limit).await?);
            ids.sort_unstable();
            ids.dedup();
            ids.truncate(limit as usize);
        }
        let games = read(&mut db, &ids).await?;
        db.rollback().await?;
        Ok(games)
    }

    /// Those of these games that are there, whole, by id.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn stored_games_of(&self, games: &[GameId]) -> Result<Vec<StoredGame>, StoreError> {
        let ids: Vec<_> = games.iter().map(|game| game.0).collect();
        let mut db = self.readers.snapshot().await?;
        let mut games = read(&mut db, &ids).await?;
        db.rollback().await?;
        games.retain(|game| game.line.is_some() || game.events != Ok(Vec::new()));
        Ok(games)
    }

    /// The game whose line follows that of another, by id. For a check that goes on after a game that can't be read.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn next_game(&self, after: Option<GameId>) -> Result<Option<GameId>, StoreError> {
        let next = sql(NEXT).bind(after.map_or(Uuid::nil(), |game| game.0));
        Ok(self.reader().await?.value(next).await?.map(GameId))
    }
}

/// Continues a `where` with the conditions of a selection.
fn push_conditions(query: Statement, selection: &Selection) -> Statement {
    let query = query.push_some(" and status = ", selection.status.map(status_word));
    let query = match selection.player {
        None => query,
        Some(player) => query
            .push(" and (first_id = ")
            .push_value(player)
            .push(" or second_id = ")
            .push_value(player)
            .push(")"),
    };
    query
        .push_some(" and ruleset = ", selection.ruleset.clone())
        .push_some(" and created_at >= ", selection.created_from)
        .push_some(" and created_at < ", selection.created_until)
}

/// The games of these ids, by id, with their lines and with their events in order.
async fn read(db: &mut Db, ids: &[Uuid]) -> Result<Vec<StoredGame>, Failed> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let lines = sql(sql::LINE).push(" where id in ").push_list(ids.to_vec());
    let lines: Vec<rows::GameRow> = db.rows(lines).await?;
    let mut events = game_events::of_all(db, ids).await?;

    let mut game = |id: &Uuid| StoredGame {
        game: GameId(*id),
        line: None,
        events: events.remove(id).unwrap_or_default().whole(),
    };
    let mut games: BTreeMap<_, _> = ids.iter().map(|id| (*id, game(id))).collect();
    for row in lines {
        if let Some(game) = games.get_mut(&row.id) {
            game.line = Some(rows::summary(row));
        }
    }
    Ok(games.into_values().collect())
}
