//! The records in a Postgres database.
//!
//! Some connections write, some read. Every commit is on the database's disk before it returns (`synchronous_commit=on`); this
//! is verified on every connection when it opens.

pub(crate) mod acts;
pub(crate) mod announcements;
pub(crate) mod append;
pub(crate) mod archive;
pub(crate) mod attendance;
pub(crate) mod books;
pub(crate) mod connection;
pub(crate) mod fair_play;
pub(crate) mod opening;
pub(crate) mod openings;
#[cfg(test)]
pub(crate) mod plans;
pub(crate) mod pruning;
pub(crate) mod ratings;
pub(crate) mod spectator_chat;
pub(crate) mod start;
pub(crate) mod writes;

use anyhow::Context;
use async_trait::async_trait;
use futures_util::future::BoxFuture;
use qiguan_game::{
    event::Player,
    record::GameSummary,
    seat_drafts::{DraftKind, Drafts},
};
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId, Millis, PlayerId, Seq},
    names,
};
use qiguan_rules::Seat;
use sqlx::{Connection, PgConnection, PgPool, Postgres};
use uuid::Uuid;

use self::{
    connection::{Role, Writers, answer, plain, pool},
    pruning::{ClearChat, DeleteGame},
    writes::{Delete, Heartbeat, Keep, NewGuest, Probe, Save, write},
};
use crate::{
    account::{Account, Change, Changed, Known, SessionOf, Wanted},
    appending::{self, Rating},
    list::{self, Lists},
    migrations,
    opening::Tables,
    people::People,
    people_leaving,
    rows::{self, EventRow, GameRow, PaperRow, RunningRow},
    sql,
    store::{
        Aborted, AbortedPage, Append, AppendError, Deletable, GameFilter, GameRecord, GamesPage,
        LobbyCommand, NamedSetup, Running, Store, StoreError, TokenHash,
    },
    stored::{Added, Arrival, PlayerRecord, Selection, StoredGame},
    whole,
};

/// Every change of the tables, in order.
pub(super) static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations/postgres");

/// The records in a Postgres database.
pub(super) struct PostgresStore {
    pub(super) writers: Writers,
    pub(super) readers: PgPool,
    epoch: Epoch,
}

impl PostgresStore {
    /// Connects to the database, which has to be there. Several programs may bring its tables up to date at once.
    pub(super) async fn open(url: &str, epoch: Epoch, tables: Tables<'_>) -> anyhow::Result<Self> {
        let to = start::located(url).await?;
        let mut first = plain(&to, Role::Migrator).await?;
        opening::prepare(&mut first, tables).await?;
        let epoch = keep_epoch(&mut first, epoch).await?;
        first.close().await?;
        plain(&to, Role::Reader).await?.close().await?;

        let readers = pool(&to, Role::Reader)
            .await
            .context("opening the reading connections")?;
        let writers = Writers::open(&to, &readers)
            .await
            .context("opening the writing connections")?;
        Ok(Self {
            writers,
            readers,
            epoch,
        })
    }

    /// Reads on one of the readers' connections.
    pub(super) async fn read<T>(
        &self,
        asking: impl for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let connection = self
            .readers
            .acquire()
            .await
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(answer(connection, asking).await?)
    }
}

/// The record's own number; a new record gets the one offered.
async fn keep_epoch(connection: &mut PgConnection, offered: Epoch) -> anyhow::Result<Epoch> {
    sqlx::query(sql::KEEP_EPOCH)
        .bind(i64::from(offered.0))
        .execute(&mut *connection)
        .await?;
    let kept = sqlx::query_scalar(sql::EPOCH).fetch_one(connection).await?;
    migrations::epoch(kept)
}

/// A text of Postgres has no zero byte, and searching for one would give an error instead of nothing.
fn can_be_stored(text: &str) -> bool {
    !text.contains('\0')
}

#[async_trait]
impl Store for PostgresStore {
    async fn append(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        appending::append(&self.writers, batches, Rating::Now).await
    }

    async fn append_unrated(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        appending::append(&self.writers, batches, Rating::Later).await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameRecord>, StoreError> {
        let events = sqlx::query_as::<_, EventRow>(sql::EVENTS).bind(game.0);
        let rows = self
            .read(|connection| Box::pin(events.fetch_all(connection)))
            .await?;
        rows::record(game, &rows)
    }

    async fn games(&self, filter: &GameFilter) -> Result<GamesPage, StoreError> {
        let mut filter = filter.clone();
        if let Some(rulesets) = &mut filter.rulesets {
            rulesets.retain(|ruleset| can_be_stored(ruleset));
        }
        let page = self.read(|connection| Box::pin(Lists::<Postgres>::page(connection, filter)));
        let (rows, before) = page.await?;
        rows::page(rows, before)
    }

    async fn running_games(&self) -> Result<Vec<GameId>, StoreError> {
        let playing = sqlx::query_scalar::<_, Uuid>(sql::PLAYING);
        let ids = self
            .read(|connection| Box::pin(playing.fetch_all(connection)))
            .await?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    async fn who_plays(&self) -> Result<Vec<Running>, StoreError> {
        let playing = sqlx::query_as::<_, RunningRow>(sql::WHO_PLAYS);
        let rows = self
            .read(|connection| Box::pin(playing.fetch_all(connection)))
            .await?;
        Ok(rows.into_iter().map(rows::running).collect())
    }

    async fn challenges_to(&self, player: PlayerId) -> Result<Vec<GameSummary>, StoreError> {
        let mut challenges = list::challenges::<Postgres>(player);
        let rows = self
            .read(|connection| {
                Box::pin(async move {
                    let query = challenges.build_query_as::<GameRow>();
                    query.fetch_all(connection).await
                })
            })
            .await?;
        rows.into_iter().map(rows::summary).collect()
    }

    async fn game_created_by(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<GameId>, StoreError> {
        let created = sqlx::query_scalar::<_, Uuid>(sql::CREATED_BY)
            .bind(player.0)
            .bind(command.0);
        let id = self
            .read(|connection| Box::pin(created.fetch_optional(connection)))
            .await?;
        Ok(id.map(GameId))
    }

    async fn lobby_command(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<LobbyCommand>, StoreError> {
        let asked = sqlx::query_as::<_, (Uuid, Uuid, String)>(sql::LOBBY_COMMAND)
            .bind(player.0)
            .bind(command.0);
        let row = self
            .read(|connection| Box::pin(asked.fetch_optional(connection)))
            .await?;
        Ok(row.map(|row| rows::lobby_command(player, command, row)))
    }

    async fn unfinished_games_of(&self, player: PlayerId) -> Result<u32, StoreError> {
        let unfinished = sqlx::query_scalar::<_, i64>(sql::UNFINISHED).bind(player.0);
        let count = self
            .read(|connection| Box::pin(unfinished.fetch_one(connection)))
            .await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    async fn create_guest(
        &self,
        player: &Player,
        token: TokenHash,
        at: Millis,
    ) -> Result<(), StoreError> {
        let guest = NewGuest {
            player: player.clone(),
            token,
            at,
        };
        write(&self.writers.pool, guest).await
    }

    async fn session(&self, token: TokenHash) -> Result<Option<Known>, StoreError> {
        let found =
            self.read(move |connection| Box::pin(People::<Postgres>::of_token(connection, token)));
        found.await?.transpose()
    }

    async fn account(&self, wanted: Wanted) -> Result<Option<Account>, StoreError> {
        if matches!(&wanted, Wanted::Key(key) if !can_be_stored(key)) {
            return Ok(None);
        }
        let found =
            self.read(move |connection| Box::pin(People::<Postgres>::account(connection, wanted)));
        found.await?.transpose()
    }

    async fn limited_among(&self, players: Vec<PlayerId>) -> Result<Vec<PlayerId>, StoreError> {
        self.read(move |connection| Box::pin(People::<Postgres>::limited(connection, players)))
            .await
    }

    async fn sessions_of(&self, players: Vec<PlayerId>) -> Result<Vec<SessionOf>, StoreError> {
        let found = self
            .read(move |connection| Box::pin(People::<Postgres>::sessions(connection, players)));
        found.await?
    }

    async fn change(&self, change: Change) -> Result<Changed, StoreError> {
        write(&self.writers.pool, change).await
    }

    async fn leaving(&self) -> Result<Vec<PlayerId>, StoreError> {
        self.read(|connection| Box::pin(People::<Postgres>::leaving(connection)))
            .await
    }

    async fn renaming(&self) -> Result<Vec<PlayerId>, StoreError> {
        self.read(|connection| Box::pin(People::<Postgres>::renaming(connection)))
            .await
    }

    async fn players_of(&self, game: GameId) -> Result<Vec<(PlayerId, names::Role)>, StoreError> {
        self.read(move |connection| Box::pin(People::<Postgres>::players_of(connection, game)))
            .await?
    }

    async fn games_naming(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError> {
        self.read(move |connection| Box::pin(People::<Postgres>::naming(connection, player)))
            .await
    }

    async fn games_to_leave(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError> {
        self.read(move |connection| {
            let leaving = &people_leaving::POSTGRES;
            Box::pin(People::<Postgres>::games_to_leave(
                connection, leaving, player,
            ))
        })
        .await
    }

    async fn returned(&self) -> Result<Vec<PlayerId>, StoreError> {
        self.read(|connection| {
            Box::pin(People::<Postgres>::returned(
                connection,
                &people_leaving::POSTGRES,
            ))
        })
        .await
    }

    async fn save_draft(
        &self,
        game: GameId,
        seat: Seat,
        kind: DraftKind,
        text: String,
    ) -> Result<(), StoreError> {
        let draft = Keep {
            game,
            seat,
            kind,
            text,
        };
        write(&self.writers.pool, draft).await
    }

    async fn drafts(&self, game: GameId) -> Result<Drafts, StoreError> {
        let drafts = sqlx::query_as::<_, PaperRow>(sql::PAPERS).bind(game.0);
        let rows = self
            .read(|connection| Box::pin(drafts.fetch_all(connection)))
            .await?;
        rows::drafts(game, rows)
    }

    async fn save_setup(
        &self,
        player: PlayerId,
        setup: NamedSetup,
        most: u32,
    ) -> Result<bool, StoreError> {
        let save = Save {
            player,
            setup,
            most,
        };
        write(&self.writers.pool, save).await
    }

    async fn setups(&self, player: PlayerId) -> Result<Vec<NamedSetup>, StoreError> {
        let setups = sqlx::query_as::<_, (String, String)>(sql::SETUPS).bind(player.0);
        let rows = self
            .read(|connection| Box::pin(setups.fetch_all(connection)))
            .await?;
        let named = rows
            .into_iter()
            .map(|(name, setup)| NamedSetup { name, setup });
        Ok(named.collect())
    }

    async fn setup(&self, player: PlayerId, name: &str) -> Result<Option<NamedSetup>, StoreError> {
        if !can_be_stored(name) {
            return Ok(None);
        }
        let setup = sqlx::query_scalar::<_, String>(sql::SETUP)
            .bind(player.0)
            .bind(name.to_owned());
        let found = self
            .read(|connection| Box::pin(setup.fetch_optional(connection)))
            .await?;
        Ok(found.map(|setup| NamedSetup {
            name: name.to_owned(),
            setup,
        }))
    }

    async fn delete_setup(&self, player: PlayerId, name: String) -> Result<bool, StoreError> {
        if !can_be_stored(&name) {
            return Ok(false);
        }
        write(&self.writers.pool, Delete { player, name }).await
    }

    async fn count_games(&self, selection: &Selection) -> Result<u64, StoreError> {
        let selection = selection.clone();
        if !selection.ruleset.as_deref().is_none_or(can_be_stored) {
            return Ok(0);
        }
        self.read(|connection| Box::pin(archive::count(connection, selection)))
            .await
    }

    async fn stored_games(
        &self,
        selection: &Selection,
        after: Option<GameId>,
        limit: u32,
    ) -> Result<Vec<StoredGame>, StoreError> {
        let selection = selection.clone();
        if !selection.ruleset.as_deref().is_none_or(can_be_stored) {
            return Ok(Vec::new());
        }
        self.read(move |connection| Box::pin(archive::page(connection, selection, after, limit)))
            .await
    }

    async fn stored_games_of(&self, games: &[GameId]) -> Result<Vec<StoredGame>, StoreError> {
        let ids = games.iter().map(|game| game.0).collect();
        self.read(|connection| Box::pin(archive::these(connection, ids)))
            .await
    }

    async fn next_game(&self, after: Option<GameId>) -> Result<Option<GameId>, StoreError> {
        let next = sqlx::query_scalar::<_, Uuid>(whole::NEXT_GAME)
            .bind(after.map_or(Uuid::nil(), |game| game.0));
        let next = self.read(|connection| Box::pin(next.fetch_optional(connection)));
        Ok(next.await?.map(GameId))
    }

    async fn damage(&self, _: Option<u64>) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    async fn players(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<PlayerRecord>, StoreError> {
        let rows = self
            .read(move |connection| Box::pin(archive::players(connection, after, limit)))
            .await?;
        whole::players(rows)
    }

    async fn add_players(&self, players: Vec<Arrival>) -> Result<Vec<Added>, StoreError> {
        write(&self.writers.pool, archive::Add(players)).await
    }

    async fn abandoned_games(&self, before: Millis) -> Result<Vec<GameId>, StoreError> {
        let abandoned = sqlx::query_scalar::<_, Uuid>(pruning::ABANDONED).bind(before.0);
        let ids = self
            .read(|connection| Box::pin(abandoned.fetch_all(connection)))
            .await?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    async fn aborted_games(&self, page: AbortedPage) -> Result<Vec<Aborted>, StoreError> {
        self.read(|connection| Box::pin(pruning::aborted(connection, page)))
            .await
    }

    async fn delete_game(
        &self,
        game: GameId,
        last: Seq,
        which: Deletable,
    ) -> Result<bool, StoreError> {
        write(&self.writers.pool, DeleteGame { game, last, which }).await
    }

    async fn clear_chat(&self, before: Millis, most: u32) -> Result<u32, StoreError> {
        write(&self.writers.pool, ClearChat { before, most }).await
    }

    async fn heartbeat(&self, at: Millis) -> Result<(), StoreError> {
        write(&self.writers.pool, Heartbeat(at)).await
    }

    async fn last_heartbeat(&self) -> Result<Option<Millis>, StoreError> {
        let last = sqlx::query_scalar::<_, i64>(sql::LAST_BEAT);
        let at = self
            .read(|connection| Box::pin(last.fetch_optional(connection)))
            .await?;
        Ok(at.map(Millis))
    }

    fn epoch(&self) -> Epoch {
        self.epoch
    }

    async fn healthy(&self) -> bool {
        // Who can write may still not be able to read: other sessions can hold each table by itself.
        let games = sqlx::query_scalar::<_, Uuid>("select id from games limit 1");
        let read = self.read(|connection| Box::pin(games.fetch_optional(connection)));
        write(&self.writers.pool, Probe).await.is_ok() && read.await.is_ok()
    }

    async fn close(&self) {
        self.readers.close().await;
        self.writers.pool.close().await;
    }
}
