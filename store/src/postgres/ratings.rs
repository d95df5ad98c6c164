//! What rated games that end change, as lists for the one statement of an append.

use std::collections::BTreeMap;

use qiguan_game::ratings::change::{Change, RatedEnd, RatingState, RatingStates};
use qiguan_protocol::ids::PlayerId;
use sqlx::{PgConnection, Postgres, postgres::PgArguments, query::Query};
use uuid::Uuid;

use crate::{
    db::Failed,
    ratings::rows::{self, RatingRow, rating_columns},
};

/// Where several players stand.
const STANDINGS_OF: &str = concat!(
    "select ",
    rating_columns!(),
    " from ratings where (player_id, ruleset) in (select * from unnest($1::uuid[], $2::text[]))"
);
pub(crate) type PgQuery<'q> = Query<'q, Postgres, PgArguments>;

/// What games that end change, ready to be bound.
#[derive(Default)]
pub(crate) struct Rated {
    changes: Changes,
    rating_states: Noted,
}

impl Rated {
    /// Reads where the players stand, and rates the games one after the other.
    pub(crate) async fn read(
        connection: &mut PgConnection,
        ends: &[RatedEnd],
    ) -> Result<Self, Failed> {
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
        let mut rating_states = RatingStates::default();
        for row in rows {
            let found = rows::rating_state(row);
            let (player, ruleset, rating_state) = found?;
            rating_states.note(player, ruleset, rating_state);
        }
        let changes = ends.iter().flat_map(|end| {
            let changes = rating_states.rate(end);
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
            rating_states: Noted::default(),
        };
        let mut last: Option<&Change> = None;
        for change in by_key.values() {
            rated.changes.push(change);
            if let Some(last) =
                last.filter(|last| (last.player, &last.ruleset) != (change.player, &change.ruleset))
            {
                let rating_state = rating_states.of(last.player, &last.ruleset);
                rated
                    .rating_states
                    .push(last.player, &last.ruleset, rating_state);
            }
            last = Some(change);
        }
        if let Some(last) = last {
            let rating_state = rating_states.of(last.player, &last.ruleset);
            rated
                .rating_states
                .push(last.player, &last.ruleset, rating_state);
        }
        Ok(rated)
    }

    /// Binds everything, after what has been bound already.
    pub(crate) fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        self.rating_states.bind(self.changes.bind(query))
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
    fn push(&mut self, change: &Change) {
        let (kind, opponent, seat, score) = rows::cause_columns(&change.cause);
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
    fn push(&mut self, player: PlayerId, ruleset: &str, rating_state: RatingState) {
        self.player.push(player.0);
        self.ruleset.push(ruleset.to_owned());
        self.number.push(rating_state.number.into());
        self.rating.push(rating_state.strength.rating);
        self.deviation.push(rating_state.strength.deviation);
        self.volatility.push(rating_state.strength.volatility);
        self.played_at.push(rating_state.played_at.map(|at| at.0));
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
