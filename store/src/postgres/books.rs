//! Books of ratings in Postgres.

use std::collections::BTreeMap;

use async_trait::async_trait;
use qiguan_game::ratings::change::RatedEnd;
use qiguan_protocol::ids::GameId;
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::{
    book_rows::{self, BookRows, EndRow},
    books::{Book, Books},
    postgres::{
        PostgresStore,
        ratings::Rated,
        writes::{Write, write},
    },
    rating_rows,
    ratings::Withdrawal,
    store::StoreError,
};

/// From here on nobody else rates. Others write the changes before the standings, so there is no deadlock.
const HOLD: &str = "lock table rating_changes in share row exclusive mode";
/// Those of these games that have changed ratings.
const RATED: &str =
    "select distinct game_id from rating_changes where game_id = any($1) and kind <> 'revised'";
/// Changes and standings.
const WRITE: &str = concat!(
    "with noted as (insert into ratings (",
    rating_rows::rating_columns!(),
    ") select * from unnest($14::uuid[], $15::text[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[]) ",
    rating_rows::rating_changes!(),
    ") insert into rating_changes (",
    rating_rows::change_columns!(),
    ") select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::uuid[], $6::text[], $7::uuid[], \
     $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])"
);

/// A book to be taken over.
struct Adopt {
    ruleset: String,
    book: Book,
}

#[async_trait]
impl Write<bool> for Adopt {
    const CAUSE: Option<&'static str> = Some("adopt");

    async fn run(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let Self { ruleset, book } = self;
        let mut transaction = connection.begin().await?;
        sqlx::query(HOLD).execute(&mut *transaction).await?;
        let there = sqlx::query(book_rows::ANY_CHANGE).bind(ruleset.clone());
        if there.fetch_optional(&mut *transaction).await?.is_some() {
            return Ok(false);
        }
        let rated = Rated::of(&ruleset, &book);
        rated
            .bind(sqlx::query(WRITE))
            .execute(&mut *transaction)
            .await?;
        withdraw(&mut transaction, book.withdrawals).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// Games to be rated after they have ended.
struct RateLate {
    ends: Vec<RatedEnd>,
    withdrawals: BTreeMap<GameId, Withdrawal>,
}

#[async_trait]
impl Write<()> for RateLate {
    const CAUSE: Option<&'static str> = Some("rate_late");

    async fn run(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let Self {
            mut ends,
            mut withdrawals,
        } = self;
        let mut transaction = connection.begin().await?;
        sqlx::query(HOLD).execute(&mut *transaction).await?;
        let games: Vec<_> = ends.iter().map(|end| end.game.0).collect();
        let there: Vec<Uuid> = sqlx::query_scalar(RATED)
            .bind(games)
            .fetch_all(&mut *transaction)
            .await?;
        ends.retain(|end| !there.contains(&end.game.0));
        withdrawals.retain(|game, _| !there.contains(&game.0));
        for end in &mut ends {
            end.counts = !withdrawals.contains_key(&end.game);
        }
        let rated = Rated::read(&mut transaction, &ends).await?;
        rated
            .bind(sqlx::query(WRITE))
            .execute(&mut *transaction)
            .await?;
        withdraw(&mut transaction, withdrawals).await?;
        transaction.commit().await
    }
}

async fn withdraw(
    connection: &mut PgConnection,
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

async fn read_book(
    connection: &mut PgConnection,
    ruleset: String,
) -> Result<BookRows, sqlx::Error> {
    let mut moment = connection
        .begin_with("begin isolation level repeatable read read only")
        .await?;
    let changes = sqlx::query_as(rating_rows::CHANGES).bind(ruleset.clone());
    let changes = changes.fetch_all(&mut *moment).await?;
    let ratings = sqlx::query_as(rating_rows::RATINGS).bind(ruleset.clone());
    let ratings = ratings.fetch_all(&mut *moment).await?;
    let withdrawals = sqlx::query_as(book_rows::WITHDRAWALS).bind(ruleset.clone());
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
}

#[async_trait]
impl Books for PostgresStore {
    async fn booked_rulesets(&self) -> Result<Vec<String>, StoreError> {
        let names = sqlx::query_scalar(book_rows::RULESETS);
        self.read(|connection| Box::pin(names.fetch_all(connection)))
            .await
    }

    async fn book(&self, ruleset: &str) -> Result<Book, StoreError> {
        let ruleset = ruleset.to_owned();
        let rows = self.read(|connection| Box::pin(read_book(connection, ruleset)));
        book_rows::book(rows.await?)
    }

    async fn adopt(&self, ruleset: &str, book: Book) -> Result<bool, StoreError> {
        let ruleset = ruleset.to_owned();
        write(&self.writers.pool, Adopt { ruleset, book }).await
    }

    async fn unrated_ends(&self) -> Result<Vec<RatedEnd>, StoreError> {
        let rows = sqlx::query_as::<_, EndRow>(book_rows::UNRATED);
        let rows = self.read(|connection| Box::pin(rows.fetch_all(connection)));
        Ok(book_rows::ends(rows.await?))
    }

    async fn rate_late(
        &self,
        ends: Vec<RatedEnd>,
        withdrawals: BTreeMap<GameId, Withdrawal>,
    ) -> Result<(), StoreError> {
        write(&self.writers.pool, RateLate { ends, withdrawals }).await
    }
}
