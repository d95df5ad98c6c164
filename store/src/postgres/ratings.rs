//! Ratings and results in Postgres.

use std::collections::BTreeMap;

use async_trait::async_trait;
use qiguan_game::ratings::{
    change::{Change, RatedEnd, Standing, Standings},
    recompute::Revision,
};
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use sqlx::{Connection, PgConnection, Postgres, postgres::PgArguments, query::Query};
use uuid::Uuid;

use crate::{
    act_rows,
    books::Book,
    postgres::{
        PostgresStore,
        writes::{Write, write},
    },
    rating_rows::{
        self, ChangeRow, LeaderRow, PastRow, RatingRow, TallyRow, WithdrawalRow, change_columns,
        rating_columns,
    },
    ratings::{AllRatings, Leader, LeadersAsked, Past, Ratings, Ruling, Tally, Withdrawal},
    store::StoreError,
};

/// Where several players stand.
const STANDINGS_OF: &str = concat!(
    "select ",
    rating_columns!(),
    " from ratings where (player_id, ruleset) in (select * from unnest($1::uuid[], $2::text[]))"
);
/// A decision about a result with all that follows from it: as with games that end, all of it or nothing.
const REVISE: &str = concat!(
    "with taken as (delete from withdrawals where game_id = $1 and not $2), \
     given as (insert into withdrawals (game_id, at, by_id, reason) select $1, $3, $4, $5 where $2 \
         on conflict (game_id) do update set at = excluded.at, by_id = excluded.by_id, reason = excluded.reason), \
     noted as (insert into ratings (",
    rating_columns!(),
    ") select * from unnest($27::uuid[], $28::text[], $29::bigint[], $30::bigint[], $31::bigint[], $32::bigint[], $33::bigint[]) ",
    rating_rows::rating_changes!(),
    "), altered as (update rating_changes \
         set kind = new.kind, before = new.before, rating = new.rating, deviation = new.deviation, volatility = new.volatility \
         from unnest($6::uuid[], $7::text[], $8::bigint[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[]) \
             as new (player_id, ruleset, number, kind, before, rating, deviation, volatility) \
         where rating_changes.player_id = new.player_id and rating_changes.ruleset = new.ruleset \
             and rating_changes.number = new.number) \
     insert into rating_changes (",
    change_columns!(),
    ") select * from unnest($14::uuid[], $15::text[], $16::bigint[], $17::bigint[], $18::uuid[], $19::text[], $20::uuid[], \
     $21::bigint[], $22::bigint[], $23::bigint[], $24::bigint[], $25::bigint[], $26::bigint[])"
);

pub(crate) type PgQuery<'q> = Query<'q, Postgres, PgArguments>;

/// Whether somebody else has rated one of the players since they were read.
pub(crate) fn is_race(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|database| {
        database.is_unique_violation() && database.constraint() == Some("rating_changes_pk")
    })
}

/// What games that end change, ready to be bound.
#[derive(Default)]
pub(crate) struct Rated {
    changes: Changes,
    standings: Noted,
}

impl Rated {
    /// Reads where the players stand, and rates the games one after the other.
    pub(crate) async fn read(
        connection: &mut PgConnection,
        ends: &[RatedEnd],
    ) -> Result<Self, sqlx::Error> {
        let (mut players, mut rulesets) = (Vec::new(), Vec::new());
        for end in ends {
            for player in [end.players.first, end.players.second] {
                players.push(player.0);
                rulesets.push(end.ruleset.clone());
            }
        }
        let rows = sqlx::query_as::<_, RatingRow>(STANDINGS_OF)
            .bind(players)
            .bind(rulesets)
            .fetch_all(connection)
            .await?;
        let mut standings = Standings::default();
        for row in rows {
            let found = rating_rows::standing(row);
            let (player, ruleset, standing) =
                found.map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
            standings.note(player, ruleset, standing);
        }
        let changes = ends.iter().flat_map(|end| {
            let changes = standings.rate(end);
            [changes.first, changes.second]
        });
        // In the order of their keys, as everything that is written.
        let by_key: BTreeMap<_, _> = changes
            .map(|change| {
                let key = (change.player, change.ruleset.clone(), change.number);
                (key, change)
            })
            .collect();
        let mut rated = Self {
            changes: Changes::default(),
            standings: Noted::default(),
        };
        let mut last: Option<&Change> = None;
        for change in by_key.values() {
            rated.changes.push(change);
            if let Some(last) =
                last.filter(|last| (last.player, &last.ruleset) != (change.player, &change.ruleset))
            {
                let standing = standings.of(last.player, &last.ruleset);
                rated.standings.push(last.player, &last.ruleset, standing);
            }
            last = Some(change);
        }
        if let Some(last) = last {
            let standing = standings.of(last.player, &last.ruleset);
            rated.standings.push(last.player, &last.ruleset, standing);
        }
        Ok(rated)
    }

    /// A book as it is.
    pub(crate) fn of(ruleset: &str, book: &Book) -> Self {
        let mut standings = Noted::default();
        for (player, standing) in &book.standings {
            standings.push(*player, ruleset, *standing);
        }
        Self {
            changes: Changes::of(&book.changes),
            standings,
        }
    }

    /// Binds everything, after what has been bound already.
    pub(crate) fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        self.standings.bind(self.changes.bind(query))
    }
}

/// The rows of `rating_changes`, a list for each column.
#[derive(Default)]
struct Changes {
    player: Vec<Uuid>,
    ruleset: Vec<String>,
    number: Vec<i64>,
    at: Vec<i64>,
    game: Vec<Uuid>,
    kind: Vec<&'static str>,
    opponent: Vec<Option<Uuid>>,
    seat: Vec<Option<i64>>,
    score: Vec<Option<i64>>,
    before: Vec<i64>,
    rating: Vec<i64>,
    deviation: Vec<i64>,
    volatility: Vec<i64>,
}

impl Changes {
    fn of(changes: &[Change]) -> Self {
        let mut columns = Self::default();
        for change in changes {
            columns.push(change);
        }
        columns
    }

    fn push(&mut self, change: &Change) {
        let (kind, opponent, seat, score) = rating_rows::cause_columns(&change.cause);
        self.player.push(change.player.0);
        self.ruleset.push(change.ruleset.clone());
        self.number.push(change.number.into());
        self.at.push(change.at.0);
        self.game.push(change.game.0);
        self.kind.push(kind);
        self.opponent.push(opponent);
        self.seat.push(seat);
        self.score.push(score);
        self.before.push(change.before);
        self.rating.push(change.after.rating);
        self.deviation.push(change.after.deviation);
        self.volatility.push(change.after.volatility);
    }

    fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        query
            .bind(self.player)
            .bind(self.ruleset)
            .bind(self.number)
            .bind(self.at)
            .bind(self.game)
            .bind(self.kind)
            .bind(self.opponent)
            .bind(self.seat)
            .bind(self.score)
            .bind(self.before)
            .bind(self.rating)
            .bind(self.deviation)
            .bind(self.volatility)
    }
}

/// The rows of `ratings`, a list for each column.
#[derive(Default)]
struct Noted {
    player: Vec<Uuid>,
    ruleset: Vec<String>,
    number: Vec<i64>,
    rating: Vec<i64>,
    deviation: Vec<i64>,
    volatility: Vec<i64>,
    played_at: Vec<Option<i64>>,
}

impl Noted {
    fn push(&mut self, player: PlayerId, ruleset: &str, standing: Standing) {
        self.player.push(player.0);
        self.ruleset.push(ruleset.to_owned());
        self.number.push(standing.number.into());
        self.rating.push(standing.strength.rating);
        self.deviation.push(standing.strength.deviation);
        self.volatility.push(standing.strength.volatility);
        self.played_at.push(standing.played_at.map(|at| at.0));
    }

    fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        query
            .bind(self.player)
            .bind(self.ruleset)
            .bind(self.number)
            .bind(self.rating)
            .bind(self.deviation)
            .bind(self.volatility)
            .bind(self.played_at)
    }
}

/// A decision about a result, with all that follows.
struct Revise {
    ruling: Ruling,
    revision: Revision,
}

#[async_trait]
impl Write<bool> for Revise {
    const CAUSE: Option<&'static str> = Some("revise");

    async fn run(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let Self { ruling, revision } = self;
        let mut noted = Noted::default();
        for (player, standing) in &revision.standings {
            noted.push(*player, &ruling.ruleset, *standing);
        }
        let altered = Changes::of(&revision.altered);
        let withdrawal = ruling.withdrawal.as_ref();
        let query = sqlx::query(REVISE)
            .bind(ruling.game.0)
            .bind(withdrawal.is_some())
            .bind(withdrawal.map(|withdrawal| withdrawal.at.0))
            .bind(withdrawal.and_then(|withdrawal| withdrawal.by.map(|player| player.0)))
            .bind(withdrawal.map(|withdrawal| withdrawal.reason.clone()))
            .bind(altered.player)
            .bind(altered.ruleset)
            .bind(altered.number)
            .bind(altered.kind)
            .bind(altered.before)
            .bind(altered.rating)
            .bind(altered.deviation)
            .bind(altered.volatility);
        let query = noted.bind(Changes::of(&revision.added).bind(query));
        let mut transaction = connection.begin().await?;
        match query.execute(&mut *transaction).await {
            Ok(_) => {
                if !act_rows::add_permitted::<Postgres>(&mut transaction, ruling.act).await? {
                    transaction.rollback().await?;
                    return Ok(false);
                }
                transaction.commit().await?;
                Ok(true)
            }
            Err(error) if is_race(&error) => {
                transaction.rollback().await?;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}

#[async_trait]
impl Ratings for PostgresStore {
    async fn rating_changes_of(&self, game: GameId) -> Result<Vec<Change>, StoreError> {
        let rows = sqlx::query_as::<_, ChangeRow>(rating_rows::OF_GAME).bind(game.0);
        let rows = self.read(|connection| Box::pin(rows.fetch_all(connection)));
        rating_rows::changes(rows.await?)
    }

    async fn standings(&self, player: PlayerId) -> Result<Vec<(String, Standing)>, StoreError> {
        let rows = sqlx::query_as::<_, RatingRow>(rating_rows::STANDINGS).bind(player.0);
        let rows = self.read(|connection| Box::pin(rows.fetch_all(connection)));
        rating_rows::by_ruleset(rows.await?)
    }

    async fn leaders(&self, asked: &LeadersAsked) -> Result<Vec<Leader>, StoreError> {
        let (rating, player) = asked.after.unwrap_or(rating_rows::BEFORE_ALL);
        let rows = sqlx::query_as::<_, LeaderRow>(rating_rows::LEADERS)
            .bind(asked.ruleset.clone())
            .bind(rating)
            .bind(player.0)
            .bind(asked.active_since.0)
            .bind(asked.now.0)
            .bind(i64::from(asked.limit));
        let rows = self.read(|connection| Box::pin(rows.fetch_all(connection)));
        let rows = rows.await?.into_iter();
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
            .bind(i64::from(limit));
        let rows = self.read(|connection| Box::pin(rows.fetch_all(connection)));
        rating_rows::history(rows.await?)
    }

    async fn rated_rulesets(&self) -> Result<Vec<String>, StoreError> {
        let names = sqlx::query_scalar(rating_rows::RULESETS);
        self.read(|connection| Box::pin(names.fetch_all(connection)))
            .await
    }

    async fn all_ratings(&self, ruleset: &str) -> Result<AllRatings, StoreError> {
        let ruleset = ruleset.to_owned();
        let read = self.read(|connection| {
            Box::pin(async move {
                let mut moment = connection
                    .begin_with("begin isolation level repeatable read read only")
                    .await?;
                let changes = sqlx::query_as::<_, ChangeRow>(rating_rows::CHANGES)
                    .bind(ruleset.clone())
                    .fetch_all(&mut *moment)
                    .await?;
                let ratings = sqlx::query_as::<_, RatingRow>(rating_rows::RATINGS)
                    .bind(ruleset)
                    .fetch_all(&mut *moment)
                    .await?;
                moment.commit().await?;
                Ok((changes, ratings))
            })
        });
        let (changes, ratings) = read.await?;
        rating_rows::all(changes, ratings)
    }

    async fn revise(&self, ruling: Ruling, revision: Revision) -> Result<bool, StoreError> {
        write(&self.writers.pool, Revise { ruling, revision }).await
    }

    async fn withdrawal(&self, game: GameId) -> Result<Option<Withdrawal>, StoreError> {
        let row = sqlx::query_as::<_, WithdrawalRow>(rating_rows::WITHDRAWAL).bind(game.0);
        let row = self.read(|connection| Box::pin(row.fetch_optional(connection)));
        Ok(row.await?.map(rating_rows::withdrawal))
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
        let rows = self.read(|connection| Box::pin(rows.fetch_all(connection)));
        rating_rows::tallies(rows.await?)
    }

    async fn leaves(&self, player: PlayerId, since: Millis) -> Result<Vec<Millis>, StoreError> {
        let rows = sqlx::query_scalar::<_, i64>(rating_rows::LEAVES)
            .bind(player.0)
            .bind(since.0);
        let rows = self.read(|connection| Box::pin(rows.fetch_all(connection)));
        Ok(rows.await?.into_iter().map(Millis).collect())
    }
}
