//! The end of sessions of Postgres that write.

use std::sync::{Arc, Mutex, PoisonError};

use sqlx::{PgPool, postgres::PgConnectOptions};
use tokio::sync::OnceCell;

use super::{Pool, sql};

/// Ends the sessions that write.
pub(crate) struct Ender {
    /// What the database knows these sessions by, and no others.
    pub(crate) name: SessionName,
    /// Through these they are ended.
    pub(crate) readers: Pool,
    /// The sessions, and what is connected to but for their name.
    pub(crate) writers: PgPool,
    pub(crate) to: PgConnectOptions,
    /// The session on which a node notes that it is alive, so that nothing else keeps it waiting.
    pub(crate) beats: OnceCell<Pool>,
}

/// What the sessions that write are called now.
#[derive(Clone)]
pub(crate) struct SessionName(Arc<Mutex<String>>);

impl SessionName {
    pub(crate) fn new(name: String) -> Self {
        Self(Arc::new(Mutex::new(name)))
    }

    /// The name.
    pub(crate) fn get(&self) -> String {
        let name = self.0.lock();
        name.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, name: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }
}

impl Ender {
    /// Ends all of them: what has been sent and not answered is carried out by now or never, whenever it arrives. Whether it was
    /// can then be read. If the database can't be reached for this, nor can it for reading.
    pub(crate) async fn end(&self) {
        end_sessions(&self.readers, self.name.get()).await;
    }

    /// Ends all of them; those that come after have another name. One that is being opened meanwhile has the old one, and is not used.
    pub(crate) async fn rename(&self, name: String) {
        self.end().await;
        self.writers
            .set_connect_options(self.to.clone().application_name(&name));
        self.name.set(name);
    }
}

/// Ends the sessions of this name.
pub(crate) async fn end_sessions(through: &Pool, name: String) {
    let end = sql(
        "select pg_terminate_backend(pid, 1000) from pg_stat_activity where application_name = $1",
    );
    let Ok(mut db) = through.acquire().await else {
        return;
    };
    if let Err(error) = db.has_row(end.bind(name)).await {
        tracing::warn!(%error, "sessions that were given up could not be ended");
    }
}
