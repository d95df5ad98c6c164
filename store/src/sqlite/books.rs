//! Books of ratings in SQLite.

use std::collections::BTreeMap;

use async_trait::async_trait;
use qiguan_game::ratings::change::RatedEnd;
use qiguan_protocol::ids::GameId;
use sqlx::SqliteConnection;

use crate::{
    book_rows::{self, BookRows, EndRow},
    books::{Book, Books},
    rating_rows,
    ratings::Withdrawal,
    sqlite::{
        AsyncWrite, SqliteStore,
        ratings::{add, note, rate},
        unavailable,
    },
    store::StoreError,
};

/// A book to be taken over.
struct Adopt {
    ruleset: String,
    book: Book,
}

#[async_trait]
impl AsyncWrite<bool> for Adopt {
    const CAUSE: Option<&'static str> = Some("adopt");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let Self { ruleset, book } = self;
        let there = sqlx::query(book_rows::ANY_CHANGE).bind(ruleset.as_str());
        if there.fetch_optional(&mut *connection).await?.is_some() {
            return Ok(false);
        }
        for change in &book.changes {
            add(connection, change).await?;
        }
        for (player, standing) in book.standings {
            note(connection, player, &ruleset, standing).await?;
        }
        withdraw(connection, book.withdrawals).await?;
        Ok(true)
    }
}

/// Games to be rated after they have ended.
struct RateLate {
    ends: Vec<RatedEnd>,
    withdrawals: BTreeMap<GameId, Withdrawal>,
}

#[async_trait]
impl AsyncWrite<()> for RateLate {
    const CAUSE: Option<&'static str> = Some("rate_late");

    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        let Self {
            ends,
            mut withdrawals,
        } = self;
        let mut unrated = Vec::with_capacity(ends.len());
        for mut end in ends {
            let there = sqlx::query(rating_rows::OF_GAME).bind(end.game.0);
            if there.fetch_optional(&mut *connection).await?.is_some() {
                withdrawals.remove(&end.game);
            } else {
                end.counts = !withdrawals.contains_key(&end.game);
                unrated.push(end);
            }
        }
        rate(connection, &unrated).await?;
        withdraw(connection, withdrawals).await
    }
}

async fn withdraw(
    connection: &mut SqliteConnection,
    withdrawals: BTreeMap<GameId, Withdrawal>,
) -> Result<(), sqlx::Error> {
    for (game, withdrawal) in withdrawals {
        sqlx::query(rating_rows::WITHDRAW)
            .bind(game.0)
            .bind(withdrawal.at.0)
            .bind(withdrawal.by.map(|player| player.0))
            .bind(withdrawal.reason)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

#[async_trait]
impl Books for SqliteStore {
    async fn booked_rulesets(&self) -> Result<Vec<String>, StoreError> {
        let names = sqlx::query_scalar(book_rows::RULESETS);
        let names = names.fetch_all(&self.readers).await;
        names.map_err(|error| unavailable(&error))
    }

    async fn book(&self, ruleset: &str) -> Result<Book, StoreError> {
        let read = async {
            let mut moment = self.readers.begin().await?;
            let changes = sqlx::query_as(rating_rows::CHANGES).bind(ruleset);
            let changes = changes.fetch_all(&mut *moment).await?;
            let ratings = sqlx::query_as(rating_rows::RATINGS).bind(ruleset);
            let ratings = ratings.fetch_all(&mut *moment).await?;
            let withdrawals = sqlx::query_as(book_rows::WITHDRAWALS).bind(ruleset);
            let withdrawals = withdrawals.fetch_all(&mut *moment).await?;
            let ends = sqlx::query_as(book_rows::ENDS).bind(ruleset);
            let ends = ends.fetch_all(&mut *moment).await?;
            moment.commit().await?;
            Ok(BookRows {
                changes,
                ratings,
                withdrawals,
                ends,
            })
        };
        book_rows::book(
            read.await
                .map_err(|error: sqlx::Error| unavailable(&error))?,
        )
    }

    async fn adopt(&self, ruleset: &str, book: Book) -> Result<bool, StoreError> {
        let ruleset = ruleset.to_owned();
        self.write(Adopt { ruleset, book }).await
    }

    async fn unrated_ends(&self) -> Result<Vec<RatedEnd>, StoreError> {
        let rows = sqlx::query_as::<_, EndRow>(book_rows::UNRATED);
        let rows = rows.fetch_all(&self.readers).await;
        rows.map(book_rows::ends)
            .map_err(|error| unavailable(&error))
    }

    async fn rate_late(
        &self,
        ends: Vec<RatedEnd>,
        withdrawals: BTreeMap<GameId, Withdrawal>,
    ) -> Result<(), StoreError> {
        self.write(RateLate { ends, withdrawals }).await
    }
}
