//! Ratings and results in SQLite.

use async_trait::async_trait;
use qiguan_game::ratings::{
    change::{Change, RatedEnd, Standing, Standings},
    recompute::Revision,
};
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use sqlx::{Sqlite, SqliteConnection, SqlitePool};

use crate::{
    act_rows,
    rating_rows::{
        self, ChangeRow, LeaderRow, PastRow, RatingRow, TallyRow, WithdrawalRow, change_columns,
        rating_columns,
    },
    ratings::{AllRatings, Leader, LeadersAsked, Past, Ratings, Ruling, Tally, Withdrawal},
    sqlite::{AsyncWrite, SqliteStore, unavailable},
    store::StoreError,
};

const ADD: &str = concat!(
    "insert into rating_changes (",
    change_columns!(),
    ") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
);
const ALTER: &str = "update rating_changes set kind = $4, before = $5, rating = $6, deviation = $7, volatility = $8 \
     where player_id = $1 and ruleset = $2 and number = $3";
const NOTE: &str = concat!(
    "insert into ratings (",
    rating_columns!(),
    ") values ($1, $2, $3, $4, $5, $6, $7) ",
    rating_rows::rating_changes!()
);

/// Rates games that end in this transaction, one after the other. Nobody else writes meanwhile.
pub(crate) async fn rate(
    connection: &mut SqliteConnection,
    ends: &[RatedEnd],
) -> Result<(), sqlx::Error> {
    let mut standings = Standings::default();
    for end in ends {
        for player in [end.players.first, end.players.second] {
            if standings.of(player, &end.ruleset) == Standing::NEW {
                let found = standing(connection, player, &end.ruleset).await?;
                standings.note(player, end.ruleset.clone(), found);
            }
        }
        let changes = standings.rate(end);
        for change in [changes.first, changes.second] {
            let standing = standings.of(change.player, &change.ruleset);
            add(connection, &change).await?;
            note(connection, change.player, &change.ruleset, standing).await?;
        }
    }
    Ok(())
}

async fn standing(
    connection: &mut SqliteConnection,
    player: PlayerId,
    ruleset: &str,
) -> Result<Standing, sqlx::Error> {
    let row = sqlx::query_as::<_, RatingRow>(rating_rows::STANDING)
        .bind(player.0)
        .bind(ruleset)
        .fetch_optional(connection)
        .await?;
    let found = row.map(rating_rows::standing).transpose();
    let found = found.map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
    Ok(found.map_or(Standing::NEW, |(_, _, standing)| standing))
}

pub(crate) async fn add(
    connection: &mut SqliteConnection,
    change: &Change,
) -> Result<(), sqlx::Error> {
    let (kind, opponent, seat, score) = rating_rows::cause_columns(&change.cause);
    sqlx::query(ADD)
        .bind(change.player.0)
        .bind(change.ruleset.as_str())
        .bind(change.number)
        .bind(change.at.0)
        .bind(change.game.0)
        .bind(kind)
        .bind(opponent)
        .bind(seat)
        .bind(score)
        .bind(change.before)
        .bind(change.after.rating)
        .bind(change.after.deviation)
        .bind(change.after.volatility)
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) async fn note(
    connection: &mut SqliteConnection,
    player: PlayerId,
    ruleset: &str,
    standing: Standing,
) -> Result<(), sqlx::Error> {
    sqlx::query(NOTE)
        .bind(player.0)
        .bind(ruleset)
        .bind(standing.number)
        .bind(standing.strength.rating)
        .bind(standing.strength.deviation)
        .bind(standing.strength.volatility)
        .bind(standing.played_at.map(|at| at.0))
        .execute(connection)
        .await?;
    Ok(())
}

/// A decision about a result, with all that follows.
struct Revise {
    ruling: Ruling,
    revision: Revision,
}

#[async_trait]
impl AsyncWrite<bool> for Revise {
    const CAUSE: Option<&'static str> = Some("revise");

    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let Self { ruling, revision } = self;
        for (player, after) in &revision.standings {
            let now = standing(connection, *player, &ruling.ruleset).await?;
            if now.number + 1 != after.number {
                return Ok(false);
            }
        }
        if !act_rows::add_permitted::<Sqlite>(connection, ruling.act).await? {
            return Ok(false);
        }
        for change in &revision.altered {
            let (kind, ..) = rating_rows::cause_columns(&change.cause);
            sqlx::query(ALTER)
                .bind(change.player.0)
                .bind(change.ruleset.as_str())
                .bind(change.number)
                .bind(kind)
                .bind(change.before)
                .bind(change.after.rating)
                .bind(change.after.deviation)
                .bind(change.after.volatility)
                .execute(&mut *connection)
                .await?;
        }
        for change in &revision.added {
            add(connection, change).await?;
        }
        for (player, standing) in &revision.standings {
            note(connection, *player, &ruling.ruleset, *standing).await?;
        }
        match ruling.withdrawal {
            Some(withdrawal) => sqlx::query(rating_rows::WITHDRAW)
                .bind(ruling.game.0)
                .bind(withdrawal.at.0)
                .bind(withdrawal.by.map(|player| player.0))
                .bind(withdrawal.reason),
            None => sqlx::query(rating_rows::RESTORE).bind(ruling.game.0),
        }
        .execute(&mut *connection)
        .await?;
        Ok(true)
    }
}

#[async_trait]
impl Ratings for SqliteStore {
    async fn rating_changes_of(&self, game: GameId) -> Result<Vec<Change>, StoreError> {
        let rows = sqlx::query_as::<_, ChangeRow>(rating_rows::OF_GAME).bind(game.0);
        rating_rows::changes(all(&self.readers, rows).await?)
    }

    async fn standings(&self, player: PlayerId) -> Result<Vec<(String, Standing)>, StoreError> {
        let rows = sqlx::query_as::<_, RatingRow>(rating_rows::STANDINGS).bind(player.0);
        rating_rows::by_ruleset(all(&self.readers, rows).await?)
    }

    async fn leaders(&self, asked: &LeadersAsked) -> Result<Vec<Leader>, StoreError> {
        let (rating, player) = asked.after.unwrap_or(rating_rows::BEFORE_ALL);
        let rows = sqlx::query_as::<_, LeaderRow>(rating_rows::LEADERS)
            .bind(asked.ruleset.clone())
            .bind(rating)
            .bind(player.0)
            .bind(asked.active_since.0)
            .bind(asked.now.0)
            .bind(asked.limit);
        let rows = all(&self.readers, rows).await?.into_iter();
        rows.map(rating_rows::leader).collect()
    }

    async fn rating_history(
        &self,
        player: PlayerId,
        ruleset: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<Past>, StoreError> {
        let rows = sqlx::query_as::<_, PastRow>(rating_rows::HISTORY)
            .bind(player.0)
            .bind(ruleset.to_owned())
            .bind(before.map_or(i64::MAX, i64::from))
            .bind(limit);
        rating_rows::history(all(&self.readers, rows).await?)
    }

    async fn rated_rulesets(&self) -> Result<Vec<String>, StoreError> {
        sqlx::query_scalar(rating_rows::RULESETS)
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))
    }

    async fn all_ratings(&self, ruleset: &str) -> Result<AllRatings, StoreError> {
        let failed = |error: sqlx::Error| unavailable(&error);
        let mut moment = self.readers.begin().await.map_err(failed)?;
        let changes = sqlx::query_as::<_, ChangeRow>(rating_rows::CHANGES)
            .bind(ruleset)
            .fetch_all(&mut *moment)
            .await
            .map_err(failed)?;
        let ratings = sqlx::query_as::<_, RatingRow>(rating_rows::RATINGS)
            .bind(ruleset)
            .fetch_all(&mut *moment)
            .await
            .map_err(failed)?;
        moment.commit().await.map_err(failed)?;
        rating_rows::all(changes, ratings)
    }

    async fn revise(&self, ruling: Ruling, revision: Revision) -> Result<bool, StoreError> {
        self.write(Revise { ruling, revision }).await
    }

    async fn withdrawal(&self, game: GameId) -> Result<Option<Withdrawal>, StoreError> {
        let rows = sqlx::query_as::<_, WithdrawalRow>(rating_rows::WITHDRAWAL).bind(game.0);
        let row = all(&self.readers, rows).await?.into_iter().next();
        Ok(row.map(rating_rows::withdrawal))
    }

    async fn tallies(
        &self,
        player: PlayerId,
        against: Option<PlayerId>,
    ) -> Result<Vec<Tally>, StoreError> {
        let rows = match against {
            None => sqlx::query_as::<_, TallyRow>(rating_rows::TALLIES).bind(player.0),
            Some(other) => sqlx::query_as(rating_rows::AGAINST)
                .bind(player.0)
                .bind(other.0),
        };
        rating_rows::tallies(all(&self.readers, rows).await?)
    }

    async fn leaves(&self, player: PlayerId, since: Millis) -> Result<Vec<Millis>, StoreError> {
        let rows = sqlx::query_as::<_, (i64,)>(rating_rows::LEAVES)
            .bind(player.0)
            .bind(since.0);
        let rows = all(&self.readers, rows).await?.into_iter();
        Ok(rows.map(|(at,)| Millis(at)).collect())
    }
}

async fn all<T>(
    readers: &SqlitePool,
    query: sqlx::query::QueryAs<'_, Sqlite, T, sqlx::sqlite::SqliteArguments>,
) -> Result<Vec<T>, StoreError>
where
    T: for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow> + Send + Unpin,
{
    let rows = query.fetch_all(readers).await;
    rows.map_err(|error| unavailable(&error))
}
