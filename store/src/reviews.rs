//! Reviews of games that are over. They follow from the games: one that is missing is made again.

use qiguan_protocol::ids::{GameId, Millis};

use crate::{
    db::sql,
    store::{Store, StoreError},
};

/// So many reviews are kept: the newest.
pub const REVIEWS: u32 = 20_000;

/// Keeps a review in place of the one before.
const KEEP: &str = "insert into reviews (game_id, version, made_at, body) values ($1, $2, $3, $4) \
     on conflict (game_id) do update set version = excluded.version, made_at = excluded.made_at, body = excluded.body";
/// Deletes the oldest reviews beyond so many.
pub(crate) const PRUNE: &str = "delete from reviews where made_at <= \
     (select made_at from reviews order by made_at desc limit 1 offset $1)";
/// The review of a game that this version made.
pub(crate) const REVIEW: &str = "select body from reviews where game_id = $1 and version = $2";

impl Store {
    /// Keeps the review of a game, compressed, in place of the one before, and deletes older ones than the newest `most`.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn keep_review(
        &self,
        game: GameId,
        version: u32,
        made_at: Millis,
        body: Vec<u8>,
        most: u32,
    ) -> Result<(), StoreError> {
        let keep = sql(KEEP).bind(game).bind(version);
        let keep = keep.bind(made_at).bind(body);
        self.write(Some("keep_review"), move |db| {
            Box::pin(async move {
                db.execute(keep).await?;
                db.execute(sql(PRUNE).bind(most)).await?;
                Ok(())
            })
        })
        .await
    }

    /// The review of a game, compressed, if this version has made one.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn review(&self, game: GameId, version: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let review = sql(REVIEW).bind(game).bind(version);
        let found: Option<(Vec<u8>,)> = self.row(review).await?;
        Ok(found.map(|(body,)| body))
    }
}
