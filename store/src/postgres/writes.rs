//! Small writes to Postgres: each runs to its end even if the caller goes away, and passes the points at which tests fail it.

use async_trait::async_trait;
use qiguan_game::{event::Player, seat_drafts::DraftKind};
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use qiguan_rules::Seat;
use sqlx::{Connection, PgConnection, PgPool, Postgres};

use crate::{
    account::{Change, Changed},
    appending::ASKED_FOR,
    failpoints,
    people::People,
    postgres::connection::answer,
    rows::{kind_word, seat_number},
    sql,
    store::{NamedSetup, StoreError, TokenHash},
};

/// A small write.
#[async_trait]
pub(crate) trait Write<T>: Send + 'static {
    /// The name under which it passes fault points; none for what no test has to fail there.
    const CAUSE: Option<&'static str> = None;

    /// Carries it out, in one statement or one transaction. What is committed is committed when it returns.
    async fn run(self, connection: &mut PgConnection) -> Result<T, sqlx::Error>;
}

/// Runs a small write.
pub(crate) async fn write<T, W>(writers: &PgPool, writing: W) -> Result<T, StoreError>
where
    T: Send + 'static,
    W: Write<T>,
{
    let writers = writers.clone();
    let written = tokio::spawn(async move {
        let connection = writers
            .acquire()
            .await
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        pass("before_commit", W::CAUSE)?;
        let value = answer(connection, |connection| writing.run(connection)).await?;
        pass("after_commit", W::CAUSE)?;
        Ok(value)
    });
    match written.await {
        Ok(result) => result,
        Err(broken) => Err(StoreError::Unavailable(broken.to_string())),
    }
}

/// Passes a fault point, if this write has any.
fn pass(point: &'static str, cause: Option<&str>) -> Result<(), StoreError> {
    if cause.is_some_and(|cause| failpoints::point(point, cause)) {
        return Err(StoreError::Unavailable(ASKED_FOR.to_owned()));
    }
    Ok(())
}

/// A new player with a token.
pub(crate) struct NewGuest {
    pub(crate) player: Player,
    pub(crate) token: TokenHash,
    pub(crate) at: Millis,
}

#[async_trait]
impl Write<()> for NewGuest {
    async fn run(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let mut transaction = connection.begin().await?;
        sqlx::query(sql::NEW_PLAYER)
            .bind(self.player.id.0)
            .bind(self.player.name)
            .bind(self.at.0)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(sql::NEW_SESSION)
            .bind(self.token.0.to_vec())
            .bind(self.player.id.0)
            .bind(self.at.0)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }
}

#[async_trait]
impl Write<Changed> for Change {
    const CAUSE: Option<&'static str> = Some("change_people");

    async fn run(self, connection: &mut PgConnection) -> Result<Changed, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        let changed = People::<Postgres>::change(&mut transaction, self).await?;
        transaction.commit().await?;
        Ok(changed)
    }
}

/// The server is alive.
pub(crate) struct Heartbeat(pub(crate) Millis);

#[async_trait]
impl Write<()> for Heartbeat {
    async fn run(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query(sql::BEAT)
            .bind(self.0.0)
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// Whether anything can be written.
pub(crate) struct Probe;

#[async_trait]
impl Write<()> for Probe {
    async fn run(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query(sql::PROBE).execute(connection).await?;
        Ok(())
    }
}

/// A draft to be kept, in place of the one before.
pub(crate) struct Keep {
    pub(crate) game: GameId,
    pub(crate) seat: Seat,
    pub(crate) kind: DraftKind,
    pub(crate) text: String,
}

#[async_trait]
impl Write<()> for Keep {
    const CAUSE: Option<&'static str> = Some("keep_paper");

    async fn run(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query(sql::KEEP_PAPER)
            .bind(self.game.0)
            .bind(seat_number(self.seat))
            .bind(kind_word(self.kind))
            .bind(self.text)
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// A setup to be saved, in place of the one of this name.
pub(crate) struct Save {
    pub(crate) player: PlayerId,
    pub(crate) setup: NamedSetup,
    pub(crate) most: u32,
}

#[async_trait]
impl Write<bool> for Save {
    const CAUSE: Option<&'static str> = Some("save_setup");

    async fn run(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        // Two that save at once would both count before either has written; so they come one after the other.
        sqlx::query("select from players where id = $1 for update")
            .bind(self.player.0)
            .execute(&mut *transaction)
            .await?;
        let saved = sqlx::query(sql::SAVE_SETUP)
            .bind(self.player.0)
            .bind(self.setup.name)
            .bind(self.setup.setup)
            .bind(i64::from(self.most))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(saved.rows_affected() > 0)
    }
}

/// A setup to be taken away.
pub(crate) struct Delete {
    pub(crate) player: PlayerId,
    pub(crate) name: String,
}

#[async_trait]
impl Write<bool> for Delete {
    const CAUSE: Option<&'static str> = Some("delete_setup");

    async fn run(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let deleted = sqlx::query(sql::DELETE_SETUP)
            .bind(self.player.0)
            .bind(self.name)
            .execute(connection)
            .await?;
        Ok(deleted.rows_affected() > 0)
    }
}
