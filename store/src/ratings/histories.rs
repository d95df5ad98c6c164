//! All ratings of a rule set at once: to check them, and to move them into another record.

use std::collections::BTreeMap;

use qiguan_game::ratings::change::{Change, RatedEnd, RatingState};
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use qiguan_rules::{BySeat, Seat};
use sqlx::FromRow;
use uuid::Uuid;

use super::{Withdrawal, add, all, note, rate, rows, withdraw};
use crate::{
    db::{Db, Dialect, Failed, sql},
    store::{Store, StoreError},
};

/// Rated games that have ended with a result.
macro_rules! ends {
    () => {
        "select id, ruleset, ended_at, first_id, second_id, winner from games where rated and ended_at is not null \
             and reason not in ('aborted', 'adjudication') and first_id is not null and second_id is not null"
    };
}

/// Every rule set that has ratings, or games that should have been rated.
const RULESETS: &str = "select ruleset from rating_changes union select ruleset from ratings \
     union select ruleset from games where rated and ended_at is not null and reason not in ('aborted', 'adjudication') \
         and first_id is not null and second_id is not null order by 1";
/// The rated games of a rule set that have ended with a result.
const ENDS: &str = concat!(ends!(), " and ruleset = $1 order by id");
/// Those of all rule sets that have changed nothing.
const UNRATED: &str = concat!(
    ends!(),
    " and not exists (select 1 from rating_changes where rating_changes.game_id = games.id and kind <> 'revised') \
     order by ended_at, id"
);
/// The withdrawals of a rule set.
const WITHDRAWALS: &str = "select game_id, at, by_id, reason from withdrawals where exists (select 1 from rating_changes \
     where rating_changes.game_id = withdrawals.game_id and kind <> 'revised' and ruleset = $1)";
/// A change of a rule set, if it has any.
const ANY_CHANGE: &str = "select number from rating_changes where ruleset = $1 limit 1";

/// From here on nobody else rates. Others write the changes before the rating_states, so there is no deadlock.
const HOLD: &str = "lock table rating_changes in share row exclusive mode";

impl Store {
    /// Every rule set that has ratings, or games that should have been rated.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn rulesets_with_ratings(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.reader().await?.values(sql(RULESETS)).await?)
    }

    /// The history of a rule set, as of one moment.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn ratings_of(&self, ruleset: &str) -> Result<RatingHistory, StoreError> {
        let mut db = self.readers.snapshot().await?;
        let all = all(&mut db, ruleset).await?;
        let of_ruleset = |text| sql(text).bind(ruleset.to_owned());
        let withdrawals: Vec<(Uuid, i64, Option<Uuid>, String)> =
            db.rows(of_ruleset(WITHDRAWALS)).await?;
        let ends: Vec<EndRow> = db.rows(of_ruleset(ENDS)).await?;
        db.rollback().await?;
        let withdrawals = withdrawals
            .into_iter()
            .map(|(game, at, by, reason)| (GameId(game), rows::withdrawal((at, by, reason))));
        Ok(RatingHistory {
            changes: all.changes,
            rating_states: all.rating_states.into_iter().collect(),
            withdrawals: withdrawals.collect(),
            ends: ends.into_iter().filter_map(end).collect(),
        })
    }

    /// Takes over the changes, rating_states and withdrawals of a history as they are, all of them or none. False, and nothing is written,
    /// if the rule set has any changes already.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn import_history(
        &self,
        ruleset: &str,
        history: RatingHistory,
    ) -> Result<bool, StoreError> {
        let ruleset = ruleset.to_owned();
        self.write(Some("import_history"), |db| {
            Box::pin(async move {
                hold(db).await?;
                if db.has_row(sql(ANY_CHANGE).bind(ruleset.clone())).await? {
                    return Ok(false);
                }
                add(db, &history.changes).await?;
                note(db, &ruleset, history.rating_states).await?;
                for (game, withdrawal) in history.withdrawals {
                    withdraw(db, game, withdrawal).await?;
                }
                Ok(true)
            })
        })
        .await
    }

    /// The rated games that have ended with a result and have changed no ratings, in the order of their ends.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn unrated_ends(&self) -> Result<Vec<RatedEnd>, StoreError> {
        let rows: Vec<EndRow> = self.rows(sql(UNRATED)).await?;
        Ok(rows.into_iter().filter_map(end).collect())
    }

    /// Rates games that have ended before, one after the other, in one transaction; those that are rated already are left as they
    /// are. Of the others, those with a withdrawal are rated as games that do not count.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn rate_imported(
        &self,
        ends: Vec<RatedEnd>,
        mut withdrawals: BTreeMap<GameId, Withdrawal>,
    ) -> Result<(), StoreError> {
        self.write(Some("rate_imported"), |db| {
            Box::pin(async move {
                hold(db).await?;
                let mut unrated = Vec::with_capacity(ends.len());
                for mut end in ends {
                    if db.has_row(sql(rows::OF_GAME).bind(end.game)).await? {
                        withdrawals.remove(&end.game);
                    } else {
                        end.counts = !withdrawals.contains_key(&end.game);
                        unrated.push(end);
                    }
                }
                rate(db, &unrated).await?;
                for (game, withdrawal) in withdrawals {
                    withdraw(db, game, withdrawal).await?;
                }
                Ok(())
            })
        })
        .await
    }
}

/// Keeps others from rating until the transaction ends. SQLite has one writer.
async fn hold(db: &mut Db) -> Result<(), Failed> {
    if db.dialect() == Dialect::Postgres {
        db.execute(sql(HOLD)).await?;
    }
    Ok(())
}

/// All that is known of the ratings of a rule set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RatingHistory {
    /// The changes.
    pub changes: Vec<Change>,
    /// Where everybody stands after them.
    pub rating_states: BTreeMap<PlayerId, RatingState>,
    /// The results that do not count.
    pub withdrawals: BTreeMap<GameId, Withdrawal>,
    /// The rated games that have ended with a result, as the lists have them.
    pub ends: Vec<RatedEnd>,
}

/// The line of a rated game that has ended.
#[derive(FromRow)]
struct EndRow {
    id: Uuid,
    ruleset: String,
    ended_at: i64,
    first_id: Uuid,
    second_id: Uuid,
    winner: Option<String>,
}

/// The end of a game. One with an invalid winner is left out: the check of the game itself reports it.
fn end(row: EndRow) -> Option<RatedEnd> {
    let winner = match row.winner {
        None => None,
        Some(name) => Some(Seat::from_name(&name)?),
    };
    Some(RatedEnd {
        game: GameId(row.id),
        ruleset: row.ruleset,
        at: Millis(row.ended_at),
        players: BySeat {
            first: PlayerId(row.first_id),
            second: PlayerId(row.second_id),
        },
        winner,
        counts: true,
    })
}
