//! The records in one SQLite file.
//!
//! One connection writes, a few read. Every commit is on the disk before it returns (`synchronous=FULL` in WAL mode); this
//! is verified on every connection when it opens.

use std::{path::Path, time::Duration};

use anyhow::Context;
use async_trait::async_trait;
use qiguan_protocol::ids::{CommandId, Epoch, GameId, Millis, PlayerId};
use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use uuid::Uuid;

use crate::{
    room::event::Player,
    store::{
        sqlite_append, sqlite_rows,
        store::{
            Append, AppendError, GameFilter, GameRecord, GameSummary, Store, StoreError, TokenHash,
        },
    },
};

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations/sqlite");

/// How long a write waits for another process that holds the file.
const BUSY: Duration = Duration::from_secs(5);
/// How many readers there are.
const READERS: u32 = 4;
/// The first SQLite without the fault in which a commit racing a checkpoint is lost.
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];
/// Bytes in a page.
const PAGE: u64 = 4_096;
/// Pages that gather in the write-ahead log before they are moved into the file.
const CHECKPOINT_PAGES: &str = "4000";

/// The records in one SQLite file.
pub(super) struct SqliteStore {
    writer: SqlitePool,
    readers: SqlitePool,
    epoch: Epoch,
}

impl SqliteStore {
    /// Opens the file, making it and its folder if they are missing, and brings its tables up to date.
    pub(super) async fn open(
        path: &Path,
        max_mib: Option<u64>,
        epoch: Epoch,
    ) -> anyhow::Result<Self> {
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("making the folder {}", folder.display()))?;
        }
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY)
            .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
            // The journal of a statement for many rows stays out of the file system; what is durable is the log alone.
            .pragma("temp_store", "memory")
            .disable_statement_logging();
        let mut first = options.connect().await.context("opening the file")?;
        check_version(&mut first).await?;
        MIGRATIONS
            .run(&mut first)
            .await
            .context("bringing the tables up to date")?;
        let epoch = keep_epoch(&mut first, epoch).await?;
        first.close().await?;

        let writing = match max_mib {
            Some(mib) => options
                .clone()
                .pragma("max_page_count", (mib * 1024 * 1024 / PAGE).to_string()),
            None => options.clone(),
        };
        let writer = pool(1)
            .connect_with(writing)
            .await
            .context("opening the writing connection")?;
        let reading = options.pragma("query_only", "on");
        let readers = pool(READERS)
            .connect_with(reading)
            .await
            .context("opening the reading connections")?;
        Ok(Self {
            writer,
            readers,
            epoch,
        })
    }

    /// Runs a small write to its end even if whoever asked goes away: a transaction is never left half-way.
    async fn write<T: Send + 'static>(&self, writing: impl AsyncWrite<T>) -> Result<T, StoreError> {
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

async fn run<T>(
    connection: &mut SqliteConnection,
    writing: impl AsyncWrite<T>,
) -> Result<T, sqlx::Error> {
    let mut transaction = connection.begin_with("begin immediate").await?;
    let value = writing.run(&mut transaction).await?;
    transaction.commit().await?;
    Ok(value)
}

/// A small write: some statements of one transaction.
#[async_trait]
trait AsyncWrite<T>: Send + 'static {
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
        sqlx::query("insert into players (id, name, created_at) values ($1, $2, $3)")
            .bind(self.player.id.0)
            .bind(self.player.name)
            .bind(self.at.0)
            .execute(&mut *connection)
            .await?;
        sqlx::query("insert into sessions (token_hash, player_id, created_at) values ($1, $2, $3)")
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
        let set = "insert into meta (key, value) values ('heartbeat', $1) on conflict (key) do update set value = excluded.value";
        sqlx::query(set).bind(self.0.0).execute(connection).await?;
        Ok(())
    }
}

struct Probe;

#[async_trait]
impl AsyncWrite<()> for Probe {
    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        sqlx::query("update meta set value = value where key = 'epoch'")
            .execute(connection)
            .await?;
        Ok(())
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn append(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        sqlite_append::append(&self.writer, batches).await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameRecord>, StoreError> {
        sqlite_rows::game(&self.readers, game).await
    }

    async fn games(&self, filter: &GameFilter) -> Result<Vec<GameSummary>, StoreError> {
        sqlite_rows::games(&self.readers, filter).await
    }

    async fn running_games(&self) -> Result<Vec<GameId>, StoreError> {
        let ids = sqlx::query_scalar::<_, Uuid>(
            "select id from games where status = 'playing' order by id",
        );
        let ids = ids
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    async fn game_created_by(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<GameId>, StoreError> {
        let id = sqlx::query_scalar::<_, Uuid>(
            "select id from games where created_by = $1 and create_command = $2",
        )
        .bind(player.0)
        .bind(command.0)
        .fetch_optional(&self.readers)
        .await
        .map_err(|error| unavailable(&error))?;
        Ok(id.map(GameId))
    }

    async fn unfinished_games_of(&self, player: PlayerId) -> Result<u32, StoreError> {
        let count = "select (select count(*) from games where first_id = $1 and status <> 'ended') \
                     + (select count(*) from games where second_id = $1 and status <> 'ended')";
        sqlx::query_scalar::<_, u32>(count)
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

    async fn player_by_token(&self, token: TokenHash) -> Result<Option<Player>, StoreError> {
        let of_token = "select players.id, players.name from sessions join players on players.id = sessions.player_id \
                        where sessions.token_hash = $1";
        let found = sqlx::query_as::<_, (Uuid, String)>(of_token)
            .bind(token.0.to_vec())
            .fetch_optional(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(found.map(|(id, name)| Player {
            id: PlayerId(id),
            name,
        }))
    }

    async fn heartbeat(&self, at: Millis) -> Result<(), StoreError> {
        self.write(Heartbeat(at)).await
    }

    async fn last_heartbeat(&self) -> Result<Option<Millis>, StoreError> {
        let at = sqlx::query_scalar::<_, i64>("select value from meta where key = 'heartbeat'");
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

/// A pool that verifies every connection it opens.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .min_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .acquire_timeout(BUSY * 2)
        .after_connect(|connection, _| Box::pin(verify(connection)))
}

/// A connection that is not durable is of no use, whatever made it so.
async fn verify(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let wrong = |what: &str| sqlx::Error::Configuration(what.to_owned().into());
    let synchronous: i64 = sqlx::query_scalar("pragma synchronous")
        .fetch_one(&mut *connection)
        .await?;
    let journal: String = sqlx::query_scalar("pragma journal_mode")
        .fetch_one(&mut *connection)
        .await?;
    if synchronous < 2 {
        return Err(wrong("SQLite is not set to synchronous=FULL"));
    }
    if !journal.eq_ignore_ascii_case("wal") {
        return Err(wrong(
            "SQLite can't keep a write-ahead log here; network file systems are not supported",
        ));
    }
    Ok(())
}

async fn check_version(connection: &mut SqliteConnection) -> anyhow::Result<()> {
    let version: String = sqlx::query_scalar("select sqlite_version()")
        .fetch_one(connection)
        .await?;
    let numbers: Vec<u32> = version
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect();
    anyhow::ensure!(
        numbers.as_slice() >= OLDEST_SQLITE.as_slice(),
        "SQLite {version} can lose commits; 3.51.3 is needed"
    );
    Ok(())
}

/// The record's own number; a new record gets the one offered.
async fn keep_epoch(connection: &mut SqliteConnection, offered: Epoch) -> anyhow::Result<Epoch> {
    sqlx::query("insert into meta (key, value) values ('epoch', $1) on conflict (key) do nothing")
        .bind(i64::from(offered.0))
        .execute(&mut *connection)
        .await?;
    let kept: i64 = sqlx::query_scalar("select value from meta where key = 'epoch'")
        .fetch_one(connection)
        .await?;
    Ok(Epoch(
        u32::try_from(kept).context("table meta, row epoch: no epoch")?,
    ))
}

/// A failure of the database as the rest of the house sees it.
pub(super) fn unavailable(error: &sqlx::Error) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
