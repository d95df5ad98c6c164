//! The end of sessions of Postgres that write.

use super::{Pool, sql};

/// Ends the sessions that write.
pub(crate) struct Ender {
    /// What the database knows these sessions by, and no others.
    pub(crate) name: String,
    /// Through these they are ended.
    pub(crate) readers: Pool,
}

impl Ender {
    /// Ends all of them: what has been sent and not answered is carried out by now or never, whenever it arrives. Whether it was
    /// can then be read. If the database can't be reached for this, nor can it for reading.
    pub(crate) async fn end(&self) {
        let end = sql(
            "select pg_terminate_backend(pid, 1000) from pg_stat_activity where application_name = $1",
        );
        let end = end.bind(self.name.clone());
        let Ok(mut db) = self.readers.acquire().await else {
            return;
        };
        if let Err(error) = db.has_row(end).await {
            tracing::warn!(%error, "sessions that were given up could not be ended");
        }
    }
}
