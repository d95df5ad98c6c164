//! Ratings and results. Ratings are written by [`Store::append`] alone, in the transaction that ends the game, and by
//! [`Store::revise`] when a result is withdrawn or counts again.

pub mod histories;
pub(crate) mod rows;
pub mod withdrawal;

use qiguan_game::{
    audit_entry::AuditEntry,
    event::Body,
    ratings::{
        change::{Change, RatedEnd, RatingState, RatingStates},
        recompute::Revision,
    },
    record::Entry,
};
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use qiguan_rules::Seat;
use uuid::Uuid;

use crate::{
    audit_log,
    db::{Db, Failed, Statement, Value, pass, sql},
    store::{Append, Store, StoreError},
};

/// So many rows are written by one statement at most.
const AT_ONCE: usize = 500;

impl Store {
    /// What a game has changed, the first seat's first; nothing if it was not rated or has not ended.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn rating_changes_of(&self, game: GameId) -> Result<Vec<Change>, StoreError> {
        let rows = self.rows(sql(rows::OF_GAME).bind(game)).await?;
        rows.into_iter().map(rows::change).collect()
    }

    /// Where a player stands, by rule set.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn rating_states(
        &self,
        player: PlayerId,
    ) -> Result<Vec<(String, RatingState)>, StoreError> {
        let rows = self.rows(sql(rows::STANDINGS).bind(player)).await?;
        let rating_states = rows.into_iter().map(rows::rating_state);
        rating_states
            .map(|row| row.map(|(_, ruleset, rating_state)| (ruleset, rating_state)))
            .collect()
    }

    /// Where some players stand in every rule set in which they have a rating.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn rating_states_of(
        &self,
        players: Vec<PlayerId>,
    ) -> Result<Vec<(PlayerId, String, RatingState)>, StoreError> {
        if players.is_empty() {
            return Ok(Vec::new());
        }
        let states = sql(rows::STANDINGS_OF).push_list(players);
        let rows = self.rows(states).await?;
        rows.into_iter().map(rows::rating_state).collect()
    }

    /// A page of those who lead in a rule set, the strongest first.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn leaders(&self, asked: &LeadersAsked) -> Result<Vec<Leader>, StoreError> {
        let (rating, player) = asked.after.unwrap_or(BEFORE_ALL);
        let page = sql(rows::LEADERS)
            .bind(asked.ruleset.clone())
            .bind(rating)
            .bind(player)
            .bind(asked.active_since)
            .bind(asked.now)
            .bind(asked.limit);
        let rows = self.rows(page).await?;
        rows.into_iter().map(rows::leader).collect()
    }

    /// A page of a player's changes in a rule set, the newest first: those with a number below `before`.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn rating_history(
        &self,
        player: PlayerId,
        ruleset: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<Vec<Past>, StoreError> {
        let page = sql(rows::HISTORY)
            .bind(player)
            .bind(ruleset.to_owned())
            .bind(before.map_or(i64::MAX, i64::from))
            .bind(limit);
        let rows = self.rows(page).await?;
        rows.into_iter().map(rows::past).collect()
    }

    /// Every rule set that has ratings.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn rated_rulesets(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.reader().await?.values(sql(rows::RULESETS)).await?)
    }

    /// Every change of a rule set and where everybody stands in it, as of one moment.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn all_ratings(&self, ruleset: &str) -> Result<AllRatings, StoreError> {
        let mut db = self.readers.snapshot().await?;
        let all = all(&mut db, ruleset).await?;
        db.rollback().await?;
        Ok(all)
    }

    /// Writes what follows when a result is withdrawn or counts again, all of it or nothing. False, and nothing is written, if
    /// anybody concerned has got another rating in the meantime, or the moderator may not do it any more.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn revise(&self, ruling: Ruling, revision: Revision) -> Result<bool, StoreError> {
        let mut db = self.writers.begin().await?;
        // As all small writes: it ends even if the caller goes away.
        let revising = tokio::spawn(async move {
            let revised = revise(&mut db, ruling, &revision).await;
            match revised {
                Ok(true) => {
                    pass("before_commit", "revise")?;
                    db.commit().await?;
                    pass("after_commit", "revise")?;
                    Ok(true)
                }
                Ok(false) => db.rollback().await.map(|()| false),
                Err(Failed::Refused(error)) if is_race(&error) => {
                    db.rollback().await.map(|()| false)
                }
                Err(failed) => Err(failed),
            }
        });
        let revised = revising.await;
        Ok(revised.map_err(|broken| StoreError::Unavailable(broken.to_string()))??)
    }

    /// The withdrawal of a game's result, if it does not count.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn withdrawal(&self, game: GameId) -> Result<Option<Withdrawal>, StoreError> {
        let row = self
            .reader()
            .await?
            .row(sql(rows::WITHDRAWAL).bind(game))
            .await?;
        Ok(row.map(rows::withdrawal))
    }

    /// What a player has won and lost, perhaps against one opponent alone. Games that do not count
    /// ([`EndReason::counts`](qiguan_rules::EndReason::counts)) are not in it.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn tallies(
        &self,
        player: PlayerId,
        against: Option<PlayerId>,
    ) -> Result<Vec<Tally>, StoreError> {
        let count = match against {
            None => sql(rows::TALLIES).bind(player),
            Some(other) => sql(rows::AGAINST).bind(player).bind(other),
        };
        rows::tallies(self.rows(count).await?)
    }

    /// When a player has left games since a time: stayed away until the opponent claimed them, broken off public ones with both
    /// at the board, or let the time run out without a single move.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn leaves(&self, player: PlayerId, since: Millis) -> Result<Vec<Millis>, StoreError> {
        let leaves = sql(rows::LEAVES).bind(player).bind(since);
        let ended: Vec<i64> = self.reader().await?.values(leaves).await?;
        Ok(ended.into_iter().map(Millis).collect())
    }
}

/// A change in a player's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The change.
    pub change: Change,
    /// Who has played the game that it is about.
    pub players: [Option<PlayerId>; 2],
    /// Whether the game is listed.
    pub listed: bool,
}

/// Every change of a rule set, and where everybody stands in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllRatings {
    /// The changes.
    pub changes: Vec<Change>,
    /// The players.
    pub rating_states: Vec<(PlayerId, RatingState)>,
}

/// Whom a leaderboard shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadersAsked {
    /// The rule set.
    pub ruleset: String,
    /// What time it is.
    pub now: Millis,
    /// Only players who have played since then.
    pub active_since: Millis,
    /// Only players after this one, who has this rating (the next page).
    pub after: Option<(i64, PlayerId)>,
    /// How many.
    pub limit: u32,
}

/// A player in a leaderboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The player.
    pub player: PlayerId,
    /// The player's name.
    pub name: String,
    /// Whether this is a program.
    pub bot: bool,
    /// Where the player stands.
    pub rating_state: RatingState,
}

/// A decision about a game's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The game.
    pub game: GameId,
    /// Its rule set.
    pub ruleset: String,
    /// The withdrawal; none if the result counts again.
    pub withdrawal: Option<Withdrawal>,
    /// The entry of the audit log, written with it.
    pub audit_entry: AuditEntry,
}

/// That a result does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// When it was withdrawn.
    pub at: Millis,
    /// Who has withdrawn it; none for the operator.
    pub by: Option<PlayerId>,
    /// Why.
    pub reason: String,
}

impl Withdrawal {
    /// The one that an entry of the audit log tells of.
    pub fn of(audit_entry: &AuditEntry) -> Self {
        Self {
            at: audit_entry.at,
            by: audit_entry.by,
            reason: audit_entry.reason.clone(),
        }
    }
}

/// How often a player has won, drawn and lost with a seat in a rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The rule set.
    pub ruleset: String,
    /// The player's seat.
    pub seat: Seat,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

/// The rated games that these batches end, in their order.
pub(super) fn rated_ends(batches: &[Append]) -> Vec<RatedEnd> {
    let entries = batches.iter().flat_map(|batch| &batch.entries);
    entries.filter_map(rated_end).collect()
}

fn rated_end(entry: &Entry) -> Option<RatedEnd> {
    let summary = entry.summary.as_ref().filter(|summary| summary.rated)?;
    let (at, outcome) = entry.events.iter().find_map(|event| match &event.body {
        Body::Ended { outcome, .. } => Some((event.at, *outcome)),
        _ => None,
    })?;
    let first = summary.players.first.as_ref()?.id;
    let second = summary.players.second.as_ref()?.id;
    let players = qiguan_rules::BySeat { first, second };
    RatedEnd::new(entry.game, &summary.ruleset, at, players, outcome)
}

/// Everything of a rule set, within a transaction that reads.
async fn all(db: &mut Db, ruleset: &str) -> Result<AllRatings, Failed> {
    let changes = db.rows(sql(rows::CHANGES).bind(ruleset.to_owned())).await?;
    let rating_states = db.rows(sql(rows::RATINGS).bind(ruleset.to_owned())).await?;
    let changes = changes.into_iter().map(rows::change);
    let rating_states = rating_states.into_iter().map(rows::rating_state);
    let rating_states =
        rating_states.map(|row| row.map(|(player, _, rating_state)| (player, rating_state)));
    Ok(AllRatings {
        changes: changes.collect::<Result<_, _>>()?,
        rating_states: rating_states.collect::<Result<_, _>>()?,
    })
}

async fn revise(db: &mut Db, ruling: Ruling, revision: &Revision) -> Result<bool, Failed> {
    for (player, after) in &revision.rating_states {
        let now = rating_state(db, *player, &ruling.ruleset).await?;
        if now.number + 1 != after.number {
            return Ok(false);
        }
    }
    if !audit_log::add_permitted(db, ruling.audit_entry).await? {
        return Ok(false);
    }
    for change in &revision.altered {
        let (kind, ..) = rows::cause_columns(&change.cause);
        let alter = sql(rows::ALTER)
            .bind(change.player)
            .bind(change.ruleset.clone())
            .bind(change.number)
            .bind(kind)
            .bind(change.before)
            .bind(change.after.rating)
            .bind(change.after.deviation)
            .bind(change.after.volatility);
        db.execute(alter).await?;
    }
    // In the order of their keys, as everything that is written, and the changes before the rating_states.
    add(db, &revision.added).await?;
    note(db, &ruling.ruleset, revision.rating_states.iter().copied()).await?;
    match ruling.withdrawal {
        Some(withdrawal) => withdraw(db, ruling.game, withdrawal).await?,
        None => {
            db.execute(sql(rows::RESTORE).bind(ruling.game)).await?;
        }
    }
    Ok(true)
}

/// Rates games that end in this transaction, one after the other.
pub(crate) async fn rate(db: &mut Db, ends: &[RatedEnd]) -> Result<(), Failed> {
    let mut rating_states = RatingStates::default();
    for end in ends {
        for player in [end.players.first, end.players.second] {
            if rating_states.of(player, &end.ruleset) == RatingState::NEW {
                let found = rating_state(db, player, &end.ruleset).await?;
                rating_states.note(player, end.ruleset.clone(), found);
            }
        }
        let changes = rating_states.rate(end);
        for change in [changes.first, changes.second] {
            let rating_state = rating_states.of(change.player, &change.ruleset);
            let (player, ruleset) = (change.player, change.ruleset.clone());
            add(db, &[change]).await?;
            note(db, &ruleset, [(player, rating_state)]).await?;
        }
    }
    Ok(())
}

async fn rating_state(db: &mut Db, player: PlayerId, ruleset: &str) -> Result<RatingState, Failed> {
    let row = sql(rows::STANDING).bind(player).bind(ruleset.to_owned());
    let found = db.row(row).await?.map(rows::rating_state).transpose()?;
    Ok(found.map_or(RatingState::NEW, |(_, _, rating_state)| rating_state))
}

/// Adds changes, many at once.
async fn add(db: &mut Db, changes: &[Change]) -> Result<(), Failed> {
    for changes in changes.chunks(AT_ONCE) {
        let rows = changes.iter().map(|change| {
            let (kind, opponent, seat, score) = rows::cause_columns(&change.cause);
            vec![
                change.player.into(),
                change.ruleset.clone().into(),
                change.number.into(),
                change.at.into(),
                change.game.into(),
                kind.into(),
                opponent.into(),
                seat.into(),
                score.into(),
                change.before.into(),
                change.after.rating.into(),
                change.after.deviation.into(),
                change.after.volatility.into(),
            ]
        });
        db.execute(Statement::with_rows(rows::ADD, rows, ""))
            .await?;
    }
    Ok(())
}

/// Writes where players stand now, many at once.
async fn note(
    db: &mut Db,
    ruleset: &str,
    rating_states: impl IntoIterator<Item = (PlayerId, RatingState)>,
) -> Result<(), Failed> {
    let rows: Vec<Vec<Value>> = rating_states
        .into_iter()
        .map(|(player, rating_state)| {
            vec![
                player.into(),
                ruleset.to_owned().into(),
                rating_state.number.into(),
                rating_state.strength.rating.into(),
                rating_state.strength.deviation.into(),
                rating_state.strength.volatility.into(),
                rating_state.played_at.into(),
            ]
        })
        .collect();
    for rows in rows.chunks(AT_ONCE) {
        let note = Statement::with_rows(rows::NOTE, rows.to_vec(), rows::NOTED);
        db.execute(note).await?;
    }
    Ok(())
}

async fn withdraw(db: &mut Db, game: GameId, withdrawal: Withdrawal) -> Result<(), Failed> {
    let withdraw = sql(rows::WITHDRAW)
        .bind(game)
        .bind(withdrawal.at)
        .bind(withdrawal.by)
        .bind(withdrawal.reason);
    db.execute(withdraw).await?;
    Ok(())
}

/// Whether another server has rated one of the players since they were read. SQLite has one writer.
pub(crate) fn is_race(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|database| {
        database.is_unique_violation() && database.constraint() == Some("rating_changes_pk")
    })
}

/// Before the first of any leaderboard.
const BEFORE_ALL: (i64, PlayerId) = (i64::MAX, PlayerId(Uuid::nil()));
