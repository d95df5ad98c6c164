//! What the server asks of its records: few, whole operations, each one transaction. Their methods lie in a file for each subject.
//!
//! **Boundary:** no type of a database library appears here. Outside of this crate nobody knows which database there is.

use std::{fmt, sync::Arc};

use qiguan_game::{
    audit_entry::AuditEntry,
    event::Event,
    position_key::PositionKey,
    record::{Entry, GameSummary},
};
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId, Millis, PlayerId, SeekId, Seq, SessionId},
    names::{Status, Visibility},
};
use qiguan_rules::EndReason;
use uuid::Uuid;

pub use crate::errors::StoreError;
use crate::{
    db::{self, Db, Dialect, Failed, Pool, Row, Sharing, Statement, Value, Writing, sql},
    quotas::Quota,
    versions::SeenVersion,
    write_progress::WriteProgress,
};

/// When the server was alive.
const BEAT: &str = "insert into meta (key, value) values ('heartbeat', $1) on conflict (key) do update set value = excluded.value";
/// When the server was last known to be alive.
const LAST_BEAT: &str = "select value from meta where key = 'heartbeat'";
/// When any of the programs was last known to be alive.
const LAST_BEAT_OF_ALL: &str = "select max(at) from (\
     select value as at from meta where key = 'heartbeat' union all select alive_at from nodes union all select charged_to from slots) as beats";
/// Writes, and changes nothing.
const PROBE: &str = "update meta set value = value where key = 'epoch'";
/// Reads, and hardly anything.
const LOOK: &str = "select id from games limit 1";

/// The records, whichever database keeps them. All pass one suite (`conformance.rs`).
pub struct Store {
    pub(crate) writers: Pool,
    pub(crate) readers: Pool,
    /// What other programs on the record are to this one; none if there can be no others.
    pub(crate) sharing: Option<Sharing>,
    /// Which small writes have come through.
    pub(crate) progress: Arc<WriteProgress>,
    pub(crate) epoch: Epoch,
    /// What all programs on the record can read, as it was seen last.
    pub(crate) version: SeenVersion,
    /// Whether every game is packed as soon as something is appended to it: so that the suite is run on packed games too.
    #[cfg(test)]
    pub(crate) packs: bool,
}

impl Store {
    /// Which record this is: drawn when the database is made, changed when it is restored.
    pub const fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// Notes that the server was alive at this time.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn heartbeat(&self, at: Millis) -> Result<(), StoreError> {
        self.write(None, move |db| Box::pin(beat(db, at))).await
    }

    /// When the server was last known to be alive, if ever.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn last_heartbeat(&self) -> Result<Option<Millis>, StoreError> {
        #[cfg(any(test, feature = "testing"))]
        if let Some(last) = self.last_simulated_beat().await {
            return last;
        }
        let last: Option<Option<i64>> = match self.dialect() {
            Dialect::Sqlite => self.reader().await?.value(sql(LAST_BEAT)).await?,
            Dialect::Postgres => self.reader().await?.value(sql(LAST_BEAT_OF_ALL)).await?,
        };
        Ok(last.flatten().map(Millis))
    }

    /// Whether records can be written and read just now: who can write may still not be able to read, since other sessions can hold
    /// each table by itself. Where other writes come through while this one waits for its turn, the record is busy, not ill.
    pub async fn healthy(&self) -> bool {
        let look = async { self.reader().await?.value::<Uuid>(sql(LOOK)).await };
        let can_write = tokio::select! {
            biased;
            probed = self.execute(None, sql(PROBE)) => probed.is_ok(),
            () = self.progress.goes_on() => true,
        };
        can_write && look.await.is_ok()
    }

    /// Finishes what is under way and lets go of the database.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writers.close().await;
    }

    /// Notes how many connections to the database there are.
    pub fn measure_connections(&self) {
        for (of, pool) in [("read", &self.readers), ("write", &self.writers)] {
            let [open, idle, most] = pool.connections().map(f64::from);
            metrics::gauge!("qiguan_database_connections", "for" => of).set(open);
            metrics::gauge!("qiguan_database_connections_idle", "for" => of).set(idle);
            metrics::gauge!("qiguan_database_connections_limit", "for" => of).set(most);
        }
    }

    /// Which database it is.
    pub(crate) const fn dialect(&self) -> Dialect {
        self.readers.dialect()
    }

    /// A connection to read on.
    pub(crate) async fn reader(&self) -> Result<Db, Failed> {
        self.readers.acquire().await
    }

    /// Runs a small write, see [`db::write`], behind the fence. `cause` is the name under which it passes fault points, if a test has to fail
    /// it.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        cause: Option<&'static str>,
        writing: impl for<'c> FnOnce(&'c mut Db) -> Writing<'c, T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(sharing) = &self.sharing else {
            return db::write(&self.writers, Arc::clone(&self.progress), cause, writing).await;
        };
        let fence = Arc::clone(&sharing.fence);
        db::write(&self.writers, Arc::clone(&self.progress), cause, |db| {
            Box::pin(async move {
                fence.check(db).await?;
                writing(db).await
            })
        })
        .await
    }

    /// Reads all rows of one statement.
    pub(crate) async fn rows<R: Row>(&self, statement: Statement) -> Result<Vec<R>, StoreError> {
        Ok(self.reader().await?.rows(statement).await?)
    }

    /// Reads the first row of one statement, if there is one.
    pub(crate) async fn row<R: Row>(&self, statement: Statement) -> Result<Option<R>, StoreError> {
        Ok(self.reader().await?.row(statement).await?)
    }

    /// Reads the ids that are the first column of one statement.
    pub(crate) async fn ids<T>(
        &self,
        statement: Statement,
        id: fn(Uuid) -> T,
    ) -> Result<Vec<T>, StoreError> {
        let ids = self.reader().await?.values(statement).await?;
        Ok(ids.into_iter().map(id).collect())
    }

    /// Carries one statement out, as [`Self::write`] does. Comes back with the number of rows that it changed.
    pub(crate) async fn execute(
        &self,
        cause: Option<&'static str>,
        statement: Statement,
    ) -> Result<u64, StoreError> {
        self.write(cause, |db| Box::pin(db.execute(statement)))
            .await
    }
}

/// Notes that the server was alive, within a transaction.
pub(crate) async fn beat(db: &mut Db, at: Millis) -> Result<(), Failed> {
    db.execute(sql(BEAT).bind(at)).await?;
    Ok(())
}

/// Games that may be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletable {
    /// Nothing ends them.
    Endless,
    /// They were aborted before both players had moved. They are kept if a report, the audit log or a rating names them, and if
    /// somebody has said something and they ended at this time or later.
    Aborted { spoken_since: Millis },
}

/// Which aborted games are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbortedPage {
    /// Those that ended before this.
    pub ended_before: Millis,
    /// As in [`Deletable::Aborted`].
    pub spoken_since: Millis,
    /// Those behind this one: when it ended, and which.
    pub after: Option<(Millis, GameId)>,
    /// How many.
    pub limit: u32,
}

/// A game that was aborted before both players had moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted {
    /// The game.
    pub game: GameId,
    /// When it ended.
    pub ended_at: Millis,
    /// Whether something needs it.
    pub is_needed: bool,
}

/// Lines of chat that were cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// How many.
    pub lines: u32,
    /// Whether there may be more.
    pub is_more: bool,
}

/// A place among packed games with chat: when the oldest line of one was said, and which game it is.
pub type ChatPlace = (Millis, GameId);

/// Events to append, to one game or, for a rematch, to two: all or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The type of the command behind it, or what the server does by itself (`clock`, `hold`, …); for logs and fault points.
    pub cause: &'static str,
    /// What goes to each game.
    pub entries: Vec<Entry>,
    /// The entry of the audit log that is written with it, for what is not for everybody.
    pub audit_entry: Option<AuditEntry>,
    /// The commands in the lobby that have led to the game which is opened.
    pub commands: Vec<LobbyCommand>,
    /// What it takes one more of. If one of these is used up, nothing of the batch is stored.
    pub quotas: Vec<Quota>,
}

impl Append {
    /// Entries and nothing beside them.
    #[must_use]
    pub fn new(cause: &'static str, entries: Vec<Entry>) -> Self {
        Self {
            cause,
            entries,
            audit_entry: None,
            commands: Vec::new(),
            quotas: Vec::new(),
        }
    }
}

/// A command in the lobby, and the game that came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LobbyCommand {
    /// Whose.
    pub player: PlayerId,
    /// The client's id for it.
    pub command: CommandId,
    /// The game.
    pub game: GameId,
    /// The seek that it opened or accepted.
    pub seek: SeekId,
    /// What it asked for beside the terms of the game.
    pub asked: String,
}

/// A stored game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game.
    pub game: GameId,
    /// All its events.
    pub events: Vec<Event>,
}

/// How many open challenges to one player are shown.
pub const CHALLENGES: u32 = 100;

/// A game that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// The game.
    pub game: GameId,
    /// Who plays.
    pub players: [PlayerId; 2],
    /// Who finds the game.
    pub visibility: Visibility,
}

/// Which games a page shows. All conditions hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Games by link are shown to their players alone.
    pub viewer: Option<PlayerId>,
    /// Games by link as well: for moderators and admins.
    pub oversees: bool,
    /// Only games in this state.
    pub status: Option<Status>,
    /// Only games of this player.
    pub player: Option<PlayerId>,
    /// Only games of the player against this one; nothing without a player.
    pub against: Option<PlayerId>,
    /// Only games of one of these rule sets.
    pub rulesets: Option<Vec<String>>,
    /// Only games that ended so.
    pub result: Option<ResultFilter>,
    /// Only games that ended for this reason.
    pub reason: Option<EndReason>,
    /// Only ended games of at least so many plies.
    pub plies_from: Option<u32>,
    /// Only ended games of fewer plies than this.
    pub plies_until: Option<u32>,
    /// Only games both of whose players had at least this rating when they sat down.
    pub rating_from: Option<i32>,
    /// Only games both of whose players had less than this rating then.
    pub rating_until: Option<i32>,
    /// Only games that are rated, or only those that are not.
    pub rated: Option<bool>,
    /// Only games with this kind of clock.
    pub clock: Option<ClockKind>,
    /// Only ended games for everybody that have been counted as having reached this position.
    pub position: Option<PositionKey>,
    /// Only games opened at or after this time.
    pub created_from: Option<Millis>,
    /// Only games opened before this time.
    pub created_until: Option<Millis>,
    /// Only games older than this one (the next page).
    pub before: Option<GameId>,
    /// How many, 1 to 100.
    pub limit: u32,
}

/// A page of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesPage {
    /// The games, the newest first; fewer than asked for where the search has stopped, even none.
    pub games: Vec<GameSummary>,
    /// The game after which the next page begins; none on the last.
    pub before: Option<GameId>,
}

/// How a listed game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFilter {
    /// The first seat won.
    First,
    /// The second seat won.
    Second,
    /// A draw.
    Draw,
    /// Broken off without result.
    Aborted,
}

/// The kind of clock of a listed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockKind {
    /// Budget and increment.
    Fischer,
    /// Budget and periods.
    Byoyomi,
    /// Time per move.
    PerMove,
    /// None.
    None,
}

/// A setup that a player has saved. It is a secret, and for debugging it is not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct NamedSetup {
    /// What the player calls it.
    pub name: String,
    /// Six ranks, as the first seat writes them.
    pub setup: String,
}

impl fmt::Debug for NamedSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

/// The SHA-256 of a token: all that the records know of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

impl From<TokenHash> for Value {
    fn from(hash: TokenHash) -> Self {
        Self::Bytes(hash.0.to_vec())
    }
}

impl TokenHash {
    /// The session that the token belongs to: half of the hash, from which nobody gets to the token.
    pub fn session(self) -> SessionId {
        let mut half = [0; 16];
        half.copy_from_slice(&self.0[..16]);
        SessionId(uuid::Uuid::from_bytes(half))
    }
}

/// Why an append did not happen, or may not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// An event with this number exists already: somebody else wrote to the game. Nothing of the batch was stored.
    #[error("event {seq} of game {game} exists already")]
    Conflict { game: GameId, seq: Seq },
    /// A game opened by this player with this command exists already. Nothing of the batch was stored.
    #[error("this command has opened a game already")]
    AlreadyCreated,
    /// The moderator may not do it any more: a role has changed since it was allowed. Nothing of the batch was stored.
    #[error("somebody's role has changed")]
    Forbidden,
    /// As much of this as allowed is there already. Nothing of the batch was stored.
    #[error("{0:?} is used up")]
    UsedUp(Quota),
    /// Another program has taken over from this one, which owns no game any more. Nothing of the batch was stored.
    #[error("another program has taken over from this one")]
    Fenced,
    /// Nothing was stored: the database is busy, full or broken.
    #[error("not stored: {0}")]
    Refused(String),
    /// It may or may not have been stored: read back before answering.
    #[error("unknown whether stored: {0}")]
    Unknown(String),
}

impl AppendError {
    /// Whether the same may succeed when it is decided again: something else was written first.
    pub const fn is_overtaken(&self) -> bool {
        matches!(self, Self::Conflict { .. } | Self::Forbidden)
    }
}
