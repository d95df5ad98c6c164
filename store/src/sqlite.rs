//! The records in one SQLite file.
//!
//! One connection writes, a few read. Every commit is on the disk before it returns (`synchronous=FULL` in WAL mode); this
//! is verified on every connection when it opens.

pub(crate) mod acts;
pub(crate) mod announcements;
pub(crate) mod append;
pub(crate) mod archive;
pub(crate) mod attendance;
pub(crate) mod backup;
pub(crate) mod books;
pub(crate) mod connection;
pub(crate) mod damage;
pub(crate) mod drafts;
pub(crate) mod fair_play;
pub(crate) mod files;
pub(crate) mod games;
pub(crate) mod lock;
pub(crate) mod opening;
pub(crate) mod openings;
#[cfg(test)]
pub(crate) mod plans;
pub(crate) mod players;
pub(crate) mod pruning;
pub(crate) mod ratings;
pub(crate) mod schema;
pub(crate) mod spectator_chat;

use std::path::Path;

use anyhow::Context;
use async_trait::async_trait;
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
use sqlx::{Connection, Sqlite, SqliteConnection, SqlitePool, pool::PoolConnection};
use uuid::Uuid;

use self::connection::{Role, plain, pool};
use crate::{
    account::{Account, Change, Changed, Known, SessionOf, Wanted},
    appending::{self, Rating},
    failpoints, migrations,
    opening::Tables,
    people::People,
    people_leaving,
    rows::{self, RunningRow},
    sql,
    store::{
        Aborted, AbortedPage, Append, AppendError, Deletable, GameFilter, GameRecord, GamesPage,
        LobbyCommand, NamedSetup, Running, Store, StoreError, TokenHash,
    },
    stored::{Added, Arrival, PlayerRecord, Selection, StoredGame},
};

/// Every change of the tables, in order.
pub(super) static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations/sqlite");

/// The records in one SQLite file.
pub(super) struct SqliteStore {
    pub(super) writer: SqlitePool,
    pub(super) readers: SqlitePool,
    epoch: Epoch,
}

impl SqliteStore {
    /// Opens the file. It and its folder are made if they are missing, unless the tables are to be left as they are.
    pub(super) async fn open(
        path: &Path,
        max_mib: Option<u64>,
        epoch: Epoch,
        tables: Tables<'_>,
    ) -> anyhow::Result<Self> {
        let (mut first, _) = opening::prepare(path, tables).await?;
        let epoch = keep_epoch(&mut first, epoch).await?;
        first.close().await?;
        plain(path, Role::Reader).await?.close().await?;

        let writer = pool(path, Role::Writer, max_mib)
            .await
            .context("opening the writing connection")?;
        let readers = pool(path, Role::Reader, max_mib)
            .await
            .context("opening the reading connections")?;
        Ok(Self {
            writer,
            readers,
            epoch,
        })
    }

    async fn reader(&self) -> Result<PoolConnection<Sqlite>, StoreError> {
        let reader = self.readers.acquire().await;
        reader.map_err(|error| unavailable(&error))
    }

    /// Runs a small write to its end even if the caller goes away: a transaction is never left half-way.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        writing: impl AsyncWrite<T>,
    ) -> Result<T, StoreError> {
        let writer = self.writer.clone();
        let written = tokio::spawn(async move {
            let mut connection = writer.acquire().await?;
            let written = run(&mut connection, writing).await;
            if written.is_err() {
                // As in `sqlite_append`: what is left of the transaction is not to be relied on.
                connection.close_on_drop();
            }
            written
        });
        match written.await {
            Ok(result) => result.map_err(|error| unavailable(&error)),
            Err(broken) => Err(StoreError::Unavailable(broken.to_string())),
        }
    }
}

async fn run<T, W: AsyncWrite<T>>(
    connection: &mut SqliteConnection,
    writing: W,
) -> Result<T, sqlx::Error> {
    let mut transaction = connection.begin_with("begin immediate").await?;
    let value = writing.run(&mut transaction).await?;
    pass("before_commit", W::CAUSE)?;
    transaction.commit().await?;
    pass("after_commit", W::CAUSE)?;
    Ok(value)
}

/// Passes a fault point, if this write has any.
fn pass(point: &'static str, cause: Option<&str>) -> Result<(), sqlx::Error> {
    if cause.is_some_and(|cause| failpoints::point(point, cause)) {
        return Err(sqlx::Error::Io(std::io::Error::other(appending::ASKED_FOR)));
    }
    Ok(())
}

/// A small write: some statements of one transaction.
#[async_trait]
pub(super) trait AsyncWrite<T>: Send + 'static {
    /// The name under which it passes fault points; none for what no test has to fail there.
    const CAUSE: Option<&'static str> = None;

    /// Carries the statements out.
    async fn run(self, connection: &mut SqliteConnection) -> Result<T, sqlx::Error>;
}

struct NewGuest {
    player: Player,
    token: TokenHash,
    at: Millis,
}

#[async_trait]
impl AsyncWrite<()> for NewGuest {
    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        sqlx::query(sql::NEW_PLAYER)
            .bind(self.player.id.0)
            .bind(self.player.name)
            .bind(self.at.0)
            .execute(&mut *connection)
            .await?;
        sqlx::query(sql::NEW_SESSION)
            .bind(self.token.0.to_vec())
            .bind(self.player.id.0)
            .bind(self.at.0)
            .execute(connection)
            .await?;
        Ok(())
    }
}

struct Heartbeat(Millis);

#[async_trait]
impl AsyncWrite<()> for Heartbeat {
    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        sqlx::query(sql::BEAT)
            .bind(self.0.0)
            .execute(connection)
            .await?;
        Ok(())
    }
}

struct Probe;

#[async_trait]
impl AsyncWrite<()> for Probe {
    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        sqlx::query(sql::PROBE).execute(connection).await?;
        Ok(())
    }
}

#[async_trait]
impl AsyncWrite<Changed> for Change {
    const CAUSE: Option<&'static str> = Some("change_people");

    async fn run(self, connection: &mut SqliteConnection) -> Result<Changed, sqlx::Error> {
        People::<Sqlite>::change(connection, self).await
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn append(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        appending::append(&self.writer, batches, Rating::Now).await
    }

    async fn append_unrated(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        appending::append(&self.writer, batches, Rating::Later).await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameRecord>, StoreError> {
        games::game(&self.readers, game).await
    }

    async fn games(&self, filter: &GameFilter) -> Result<GamesPage, StoreError> {
        games::games(&self.readers, filter).await
    }

    async fn running_games(&self) -> Result<Vec<GameId>, StoreError> {
        let ids = sqlx::query_scalar::<_, Uuid>(sql::PLAYING)
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    async fn who_plays(&self) -> Result<Vec<Running>, StoreError> {
        let rows = sqlx::query_as::<_, RunningRow>(sql::WHO_PLAYS)
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(rows.into_iter().map(rows::running).collect())
    }

    async fn challenges_to(&self, player: PlayerId) -> Result<Vec<GameSummary>, StoreError> {
        games::challenges_to(&self.readers, player).await
    }

    async fn game_created_by(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<GameId>, StoreError> {
        let id = sqlx::query_scalar::<_, Uuid>(sql::CREATED_BY)
            .bind(player.0)
            .bind(command.0)
            .fetch_optional(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(id.map(GameId))
    }

    async fn lobby_command(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<LobbyCommand>, StoreError> {
        let row = sqlx::query_as::<_, (Uuid, Uuid, String)>(sql::LOBBY_COMMAND)
            .bind(player.0)
            .bind(command.0)
            .fetch_optional(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(row.map(|row| rows::lobby_command(player, command, row)))
    }

    async fn unfinished_games_of(&self, player: PlayerId) -> Result<u32, StoreError> {
        sqlx::query_scalar::<_, u32>(sql::UNFINISHED)
            .bind(player.0)
            .fetch_one(&self.readers)
            .await
            .map_err(|error| unavailable(&error))
    }

    async fn create_guest(
        &self,
        player: &Player,
        token: TokenHash,
        at: Millis,
    ) -> Result<(), StoreError> {
        self.write(NewGuest {
            player: player.clone(),
            token,
            at,
        })
        .await
    }

    async fn session(&self, token: TokenHash) -> Result<Option<Known>, StoreError> {
        let found = People::<Sqlite>::of_token(&mut *self.reader().await?, token).await;
        found.map_err(|error| unavailable(&error))?.transpose()
    }

    async fn account(&self, wanted: Wanted) -> Result<Option<Account>, StoreError> {
        let found = People::<Sqlite>::account(&mut *self.reader().await?, wanted).await;
        found.map_err(|error| unavailable(&error))?.transpose()
    }

    async fn limited_among(&self, players: Vec<PlayerId>) -> Result<Vec<PlayerId>, StoreError> {
        let found = People::<Sqlite>::limited(&mut *self.reader().await?, players).await;
        found.map_err(|error| unavailable(&error))
    }

    async fn sessions_of(&self, players: Vec<PlayerId>) -> Result<Vec<SessionOf>, StoreError> {
        let found = People::<Sqlite>::sessions(&mut *self.reader().await?, players).await;
        found.map_err(|error| unavailable(&error))?
    }

    async fn change(&self, change: Change) -> Result<Changed, StoreError> {
        self.write(change).await
    }

    async fn leaving(&self) -> Result<Vec<PlayerId>, StoreError> {
        let found = People::<Sqlite>::leaving(&mut *self.reader().await?).await;
        found.map_err(|error| unavailable(&error))
    }

    async fn renaming(&self) -> Result<Vec<PlayerId>, StoreError> {
        let found = People::<Sqlite>::renaming(&mut *self.reader().await?).await;
        found.map_err(|error| unavailable(&error))
    }

    async fn players_of(&self, game: GameId) -> Result<Vec<(PlayerId, names::Role)>, StoreError> {
        let found = People::<Sqlite>::players_of(&mut *self.reader().await?, game).await;
        found.map_err(|error| unavailable(&error))?
    }

    async fn games_naming(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError> {
        let found = People::<Sqlite>::naming(&mut *self.reader().await?, player).await;
        found.map_err(|error| unavailable(&error))
    }

    async fn games_to_leave(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError> {
        let mut reader = self.reader().await?;
        let found =
            People::<Sqlite>::games_to_leave(&mut reader, &people_leaving::SQLITE, player).await;
        found.map_err(|error| unavailable(&error))
    }

    async fn returned(&self) -> Result<Vec<PlayerId>, StoreError> {
        let mut reader = self.reader().await?;
        let found = People::<Sqlite>::returned(&mut reader, &people_leaving::SQLITE).await;
        found.map_err(|error| unavailable(&error))
    }

    async fn save_draft(
        &self,
        game: GameId,
        seat: Seat,
        kind: DraftKind,
        text: String,
    ) -> Result<(), StoreError> {
        self.write(drafts::Keep {
            game,
            seat,
            kind,
            text,
        })
        .await
    }

    async fn drafts(&self, game: GameId) -> Result<Drafts, StoreError> {
        drafts::drafts(&self.readers, game).await
    }

    async fn save_setup(
        &self,
        player: PlayerId,
        setup: NamedSetup,
        most: u32,
    ) -> Result<bool, StoreError> {
        self.write(drafts::Save {
            player,
            setup,
            most,
        })
        .await
    }

    async fn setups(&self, player: PlayerId) -> Result<Vec<NamedSetup>, StoreError> {
        drafts::setups(&self.readers, player).await
    }

    async fn setup(&self, player: PlayerId, name: &str) -> Result<Option<NamedSetup>, StoreError> {
        drafts::setup(&self.readers, player, name).await
    }

    async fn delete_setup(&self, player: PlayerId, name: String) -> Result<bool, StoreError> {
        self.write(drafts::Delete { player, name }).await
    }

    async fn count_games(&self, selection: &Selection) -> Result<u64, StoreError> {
        archive::count(&self.readers, selection).await
    }

    async fn stored_games(
        &self,
        selection: &Selection,
        after: Option<GameId>,
        limit: u32,
    ) -> Result<Vec<StoredGame>, StoreError> {
        archive::page(&self.readers, selection, after, limit).await
    }

    async fn stored_games_of(&self, games: &[GameId]) -> Result<Vec<StoredGame>, StoreError> {
        archive::these(&self.readers, games).await
    }

    async fn next_game(&self, after: Option<GameId>) -> Result<Option<GameId>, StoreError> {
        archive::next(&self.readers, after).await
    }

    async fn damage(&self, most_bytes: Option<u64>) -> Result<Vec<String>, StoreError> {
        let found = damage::found(&mut *self.reader().await?, most_bytes).await;
        found.map_err(|error| unavailable(&error))
    }

    async fn players(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<PlayerRecord>, StoreError> {
        players::page(&self.readers, after, limit).await
    }

    async fn add_players(&self, players: Vec<Arrival>) -> Result<Vec<Added>, StoreError> {
        self.write(players::Add(players)).await
    }

    async fn abandoned_games(&self, before: Millis) -> Result<Vec<GameId>, StoreError> {
        pruning::abandoned(&self.readers, before).await
    }

    async fn aborted_games(&self, page: AbortedPage) -> Result<Vec<Aborted>, StoreError> {
        pruning::aborted(&self.readers, page).await
    }

    async fn delete_game(
        &self,
        game: GameId,
        last: Seq,
        which: Deletable,
    ) -> Result<bool, StoreError> {
        self.write(pruning::Delete { game, last, which }).await
    }

    async fn clear_chat(&self, before: Millis, most: u32) -> Result<u32, StoreError> {
        self.write(pruning::ClearChat { before, most }).await
    }

    async fn heartbeat(&self, at: Millis) -> Result<(), StoreError> {
        self.write(Heartbeat(at)).await
    }

    async fn last_heartbeat(&self) -> Result<Option<Millis>, StoreError> {
        let at = sqlx::query_scalar::<_, i64>(sql::LAST_BEAT);
        let at = at
            .fetch_optional(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(at.map(Millis))
    }

    fn epoch(&self) -> Epoch {
        self.epoch
    }

    async fn healthy(&self) -> bool {
        self.write(Probe).await.is_ok()
    }

    async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// The record's own number; a new record gets the one offered.
async fn keep_epoch(connection: &mut SqliteConnection, offered: Epoch) -> anyhow::Result<Epoch> {
    // Looked for first: a record that is there can be opened while somebody else writes.
    let kept: Option<i64> = sqlx::query_scalar(sql::EPOCH)
        .fetch_optional(&mut *connection)
        .await?;
    let kept = if let Some(kept) = kept {
        kept
    } else {
        sqlx::query(sql::KEEP_EPOCH)
            .bind(i64::from(offered.0))
            .execute(&mut *connection)
            .await?;
        sqlx::query_scalar(sql::EPOCH).fetch_one(connection).await?
    };
    migrations::epoch(kept)
}

/// A failure of the database as the rest of the house sees it.
pub(super) fn unavailable(error: &sqlx::Error) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
