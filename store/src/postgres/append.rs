//! Appending to Postgres: one statement for all batches, which is its own transaction unless small writes share it. If it ends rated games, where their
//! players stand is read before it, and players rated by somebody else in between are read again.
//!
//! **Invariants:** a node of several finds its row in the statement itself and holds it until the commit; without it nothing is written
//! ([`Fence`]). Rows are written in the order of their keys, the events before the ratings and those before the lines, so
//! that of two servers that write the same games one waits for the other and never each for each.

use std::collections::BTreeMap;

use qiguan_game::{event::Player, record::GameSummary};
use qiguan_rules::Seat;
use sqlx::{
    error::{DatabaseError, ErrorKind},
    postgres::PgDatabaseError,
};
use uuid::Uuid;

use crate::{
    appending::{Failure, Origin, Packed, Taking, pass, takings},
    codec,
    db::{Ender, Failed, Fence, Incarnation, Pool},
    failpoints::ASKED_FOR,
    postgres::{
        audit_log::Entries,
        ratings::{PgQuery, Rated},
    },
    quotas::{Counted, Quota},
    ranks,
    ratings::{is_race, rows},
    rows::{clock_word, status_word, visibility_word},
    small_write::{SmallWrite, Written},
    sql,
    store::{Append, LobbyCommand},
};

/// The lines of games, beside the events; a condition and what changes are to follow.
macro_rules! lines {
    () => {
        concat!(
            "lines as (insert into games (",
            sql::line_columns!(),
            ") select * from unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], \
             $13::boolean[], $14::uuid[], $15::text[], \
             $16::uuid[], $17::text[], $18::bigint[], $19::boolean[], $20::boolean[], \
             $21::uuid[], $22::text[], $23::bigint[], $24::boolean[], $25::boolean[], $26::uuid[], $27::uuid[], \
             $28::text[], $29::text[], $30::text[], $31::bigint[], $32::bigint[], $33::bigint[], $34::text[]) \
             where exists (select from alive) "
        )
    };
}
/// The events.
macro_rules! events {
    () => {
        " insert into events (game_id, seq, at, command, body) \
         select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::uuid[], $5::text[]) \
         where exists (select from alive)"
    };
}
/// The row of the node that writes, found before anything is written, and held until it is durable; without it nothing is written. The
/// values are the two that follow the others.
macro_rules! alive {
    ($node:literal, $incarnation:literal) => {
        concat!(
            "alive as materialized (select 1 from nodes where node = ",
            $node,
            " and incarnation = ",
            $incarnation,
            " for key share), "
        )
    };
    () => {
        "alive as materialized (select 1), "
    };
}
/// Events and lines in one statement: all of it or nothing, in one round trip, and never a transaction that is left open.
macro_rules! append {
    ($alive:expr) => {
        concat!(
            "with ",
            $alive,
            lines!(),
            sql::line_changes!(),
            ")",
            events!()
        )
    };
}
const APPEND: &str = append!(alive!());
const APPEND_AS_NODE: &str = append!(alive!("$35", "$36"));
/// The same with the ratings of games that end, entries of the audit log, commands in the lobby, and quotas. What is beside the
/// events is written after them, the last first; the quotas are counted before anything is written. An entry by somebody who
/// may not do it any more has no details, which the table does not allow: so nothing of the statement is carried out.
macro_rules! append_beside {
    ($alive:expr) => {
        concat!(
        "with ",
        $alive,
        "counted as materialized (select check_quotas($69::uuid[], $70::uuid[], $71::bigint[], $72::bigint[]) as are_kept), ",
        lines!(),
        "and (select are_kept from counted) ",
        sql::line_changes!(),
        ")",
        ", noted as (insert into ratings (",
        rows::rating_columns!(),
        ") select * from unnest($48::uuid[], $49::text[], $50::bigint[], $51::bigint[], $52::bigint[], $53::bigint[], $54::bigint[]) \
         where exists (select from alive) ",
        rows::rating_changes!(),
        "), changed as (insert into rating_changes (",
        rows::change_columns!(),
        ") select * from unnest($35::uuid[], $36::text[], $37::bigint[], $38::bigint[], $39::uuid[], $40::text[], $41::uuid[], \
         $42::bigint[], $43::bigint[], $44::bigint[], $45::bigint[], $46::bigint[], $47::bigint[]) \
         where exists (select from alive)), \
         told as (insert into acts (id, at, operation, by_id, player_id, game_id, reason, details) \
         select entry.id, entry.at, entry.operation, entry.by_id, entry.player_id, entry.game_id, entry.reason, case when ",
        ranks::still_permitted!(
            "entry.by_id",
            "entry.least",
            "entry.operation",
            "entry.game_id"
        ),
        " then entry.details end \
         from unnest($55::uuid[], $56::bigint[], $57::text[], $58::uuid[], $59::uuid[], $60::uuid[], $61::text[], $62::text[], $63::bigint[]) \
             as entry (id, at, operation, by_id, player_id, game_id, reason, details, least) \
         where exists (select from alive) \
         on conflict (id) do nothing), \
         asked as (insert into lobby_commands (player_id, command, game_id, seek_id, asked) \
         select * from unnest($64::uuid[], $65::uuid[], $66::uuid[], $67::uuid[], $68::text[]) where exists (select from alive))",
        events!(),
        " and (select are_kept from counted)"
        )
    };
}
const APPEND_BESIDE: &str = append_beside!(alive!());
const APPEND_BESIDE_AS_NODE: &str = append_beside!(alive!("$73", "$74"));

/// What the function that counts quotas fails with.
const USED_UP: &str = "QG001";

/// How often games that end are rated again because somebody else has rated one of their players in between.
const ATTEMPTS: u32 = 50;

/// Writes all of these in one transaction: one statement, and small writes behind it.
pub(crate) async fn together(
    writers: &Pool,
    ender: &Ender,
    fence: &Fence,
    batches: &[Append],
    writes: &[SmallWrite],
    origin: Origin,
) -> Result<Vec<Written>, Failure> {
    let takings = takings(batches);
    if pass("before_commit", batches) {
        return Err(Failure::Unknown(ASKED_FOR.to_owned()));
    }
    let mut attempts = 0;
    loop {
        attempts += 1;
        match attempt(writers, fence, batches, writes, origin, &takings).await? {
            Ok(written) => return Ok(written),
            Err(Failed::Refused(error)) if attempts < ATTEMPTS && is_race(&error) => {}
            Err(failed) => {
                if matches!(failed, Failed::Unknown(_)) {
                    ender.end().await;
                }
                return Err(failure(failed, batches, &takings));
            }
        }
    }
}

/// One attempt. What can't be made a statement of, or has no connection, is no failure of the database.
async fn attempt(
    writers: &Pool,
    fence: &Fence,
    batches: &[Append],
    writes: &[SmallWrite],
    origin: Origin,
    takings: &[Taking],
) -> Result<Result<Vec<Written>, Failed>, Failure> {
    let packed = origin.packed(batches)?;
    let (events, lines) = columns(batches, &packed)?;
    let is_alone = writes.is_empty() && packed.0.is_empty();
    let node = fence.pass().map_err(|_| Failure::Fenced)?;
    let ends = origin.ends(batches);
    let quotas = Quotas::of(takings);
    let audit_entries = Entries::of(
        batches
            .iter()
            .filter_map(|batch| batch.audit_entry.as_ref()),
    );
    let asked = CommandRequest::of(batches.iter().flat_map(|batch| &batch.commands));
    let connection = if is_alone {
        // The statement is a transaction of its own, and never left open.
        writers.acquire().await
    } else {
        writers.begin().await
    };
    let mut db = connection.map_err(|failed| Failure::Refused(failed.to_string()))?;
    let written = async {
        let rated = match db.postgres() {
            Some(connection) if !ends.is_empty() => Rated::read(connection, &ends).await?,
            _ => Rated::default(),
        };
        let more = !ends.is_empty()
            || !audit_entries.is_empty()
            || !asked.is_empty()
            || !quotas.is_empty();
        let beside = more.then_some((rated, audit_entries, asked, quotas));
        if batches.is_empty() {
            fence.check(&mut db).await?;
        } else {
            let is_empty = events.game.is_empty();
            let appended = db.execute_in_postgres(statement(events, lines, beside, node));
            if appended.await? == 0
                && !is_empty
                && let Some(node) = node
            {
                fence.is_lost(node);
                return Err(Failed::Fenced);
            }
        }
        for (game, packed) in packed.0 {
            if !packed.keep_first(&mut db, game).await? {
                return Ok(Err(game));
            }
        }
        let mut written = Vec::with_capacity(writes.len());
        for write in writes {
            written.push(write.run(&mut db).await?);
        }
        Ok(Ok(written))
    };
    Ok(match written.await {
        Ok(Ok(written)) if is_alone => Ok(written),
        Ok(Ok(written)) => match db.commit().await {
            Ok(()) => Ok(written),
            // Whether it is committed is known of none of it.
            Err(failed) => Err(Failed::Unknown(failed.to_string())),
        },
        // Dropped, the connection takes its transaction back.
        Ok(Err(game)) => {
            let mut entries = batches.iter().flat_map(|batch| &batch.entries);
            return Err(Failure::Key {
                created: false,
                place: entries
                    .position(|entry| entry.game == game)
                    .unwrap_or_default(),
            });
        }
        Err(failed) => Err(failed),
    })
}

fn failure(failed: Failed, batches: &[Append], takings: &[Taking]) -> Failure {
    let error = match failed {
        Failed::Unknown(why) => return Failure::Unknown(why),
        Failed::Corrupt(error) => return Failure::Refused(error.to_string()),
        Failed::Fenced => return Failure::Fenced,
        Failed::Refused(error) => error,
    };
    match error.as_database_error() {
        Some(database) if database.is_unique_violation() && !is_race(&error) => Failure::Key {
            created: matches!(
                database.constraint(),
                Some("games_created_once" | "lobby_commands_pk")
            ),
            place: place(database, batches),
        },
        Some(database) if is_forbidden(database) => Failure::Forbidden,
        Some(database) if database.code().as_deref() == Some(USED_UP) => {
            Failure::UsedUp(used_up(database, takings))
        }
        _ => Failure::Refused(error.to_string()),
    }
}

/// Whether an entry of the audit log could not be written because the moderator may not do it any more.
fn is_forbidden(error: &dyn DatabaseError) -> bool {
    error.kind() == ErrorKind::NotNullViolation && error.table() == Some("acts")
}

/// The batches that take of what is used up: the function that counts tells the places of their quotas.
fn used_up(error: &dyn DatabaseError, takings: &[Taking]) -> Vec<(usize, Quota)> {
    let places = detail(error)
        .split_whitespace()
        .filter_map(|place| place.parse::<usize>().ok());
    let takings = places.filter_map(|place| takings.get(place.checked_sub(1)?));
    takings.map(|taking| (taking.batch, taking.quota)).collect()
}

fn detail(error: &dyn DatabaseError) -> &str {
    error
        .try_downcast_ref::<PgDatabaseError>()
        .and_then(PgDatabaseError::detail)
        .unwrap_or_default()
}

/// Quotas, a list for each argument of the function that counts.
#[derive(Default)]
struct Quotas {
    of: Vec<Uuid>,
    to: Vec<Option<Uuid>>,
    ahead: Vec<i64>,
    most: Vec<i64>,
}

impl Quotas {
    fn of(takings: &[Taking]) -> Self {
        let mut quotas = Self::default();
        for taking in takings {
            quotas.of.push(taking.quota.of.player().0);
            quotas.to.push(match taking.quota.of {
                Counted::Games(_) => None,
                Counted::Challenges { to, .. } => Some(to.0),
            });
            quotas.ahead.push(taking.ahead.into());
            quotas.most.push(taking.quota.most.into());
        }
        quotas
    }

    const fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        query
            .bind(self.of)
            .bind(self.to)
            .bind(self.ahead)
            .bind(self.most)
    }
}

/// The entry whose key exists already, among those of a batch that is alone: the database names its game, if it names any.
fn place(error: &dyn DatabaseError, batches: &[Append]) -> usize {
    let detail = detail(error);
    let mut entries = batches.iter().flat_map(|batch| &batch.entries);
    let blamed = entries.position(|entry| detail.contains(&entry.game.to_string()));
    blamed.unwrap_or_default()
}

/// The rows of `events`, a list for each column.
#[derive(Default)]
struct Events {
    game: Vec<Uuid>,
    seq: Vec<i64>,
    at: Vec<i64>,
    command: Vec<Option<Uuid>>,
    body: Vec<String>,
}

/// The rows of `games`, a list for each column.
#[derive(Default)]
struct Lines {
    game: Vec<Uuid>,
    ruleset: Vec<String>,
    options: Vec<String>,
    time_control: Vec<String>,
    clock: Vec<&'static str>,
    visibility: Vec<&'static str>,
    status: Vec<&'static str>,
    rated: Vec<bool>,
    invited_id: Vec<Option<Uuid>>,
    invited_name: Vec<Option<String>>,
    first: Seated,
    second: Seated,
    created_by: Vec<Option<Uuid>>,
    create_command: Vec<Option<Uuid>>,
    winner: Vec<Option<&'static str>>,
    reason: Vec<Option<&'static str>>,
    ended_by: Vec<Option<&'static str>>,
    plies: Vec<Option<i64>>,
    created_at: Vec<i64>,
    ended_at: Vec<Option<i64>>,
    start: Vec<Option<String>>,
}

/// The rows of `lobby_commands`, a list for each column.
#[derive(Default)]
struct CommandRequest {
    player: Vec<Uuid>,
    command: Vec<Uuid>,
    game: Vec<Uuid>,
    seek: Vec<Uuid>,
    what: Vec<String>,
}

impl CommandRequest {
    fn of<'a>(commands: impl Iterator<Item = &'a LobbyCommand>) -> Self {
        let mut rows = Self::default();
        for command in commands {
            rows.player.push(command.player.0);
            rows.command.push(command.command.0);
            rows.game.push(command.game.0);
            rows.seek.push(command.seek.0);
            rows.what.push(command.asked.clone());
        }
        rows
    }

    const fn is_empty(&self) -> bool {
        self.player.is_empty()
    }

    fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        query
            .bind(self.player)
            .bind(self.command)
            .bind(self.game)
            .bind(self.seek)
            .bind(self.what)
    }
}

/// The columns of one seat.
#[derive(Default)]
struct Seated {
    id: Vec<Option<Uuid>>,
    name: Vec<Option<String>>,
    rating: Vec<Option<i64>>,
    provisional: Vec<bool>,
    bot: Vec<bool>,
}

impl Seated {
    fn push(&mut self, player: Option<&Player>) {
        let rating = player.and_then(|player| player.rating);
        self.id.push(player.map(|player| player.id.0));
        self.name.push(player.map(|player| player.name.clone()));
        self.rating.push(rating.map(|rating| rating.value.into()));
        self.provisional
            .push(rating.is_some_and(|rating| rating.provisional));
        self.bot.push(player.is_some_and(|player| player.bot));
    }
}

fn columns(batches: &[Append], packed: &Packed) -> Result<(Events, Lines), Failure> {
    let refused = |error: serde_json::Error| Failure::Refused(error.to_string());
    let mut rows = Vec::new();
    // Of several lines of one game the last counts; a statement may not write one row twice.
    let mut summaries = BTreeMap::new();
    for entry in batches.iter().flat_map(|batch| &batch.entries) {
        let events = packed.rows_of(entry).iter();
        rows.extend(events.map(|event| (entry.game.0, event)));
        if let Some(summary) = &entry.summary {
            summaries.insert(summary.game.0, summary);
        }
    }
    rows.sort_by_key(|(game, event)| (*game, event.seq));
    let mut events = Events::default();
    for (game, event) in rows {
        events.game.push(game);
        events.seq.push(event.seq.0.into());
        events.at.push(event.at.0);
        events.command.push(event.command.map(|command| command.0));
        events
            .body
            .push(codec::encode(&event.body).map_err(refused)?);
    }
    let mut lines = Lines::default();
    for summary in summaries.into_values() {
        lines.push(summary).map_err(refused)?;
    }
    Ok((events, lines))
}

impl Lines {
    fn push(&mut self, summary: &GameSummary) -> Result<(), serde_json::Error> {
        self.game.push(summary.game.0);
        self.ruleset.push(summary.ruleset.clone());
        self.options.push(serde_json::to_string(&summary.options)?);
        self.time_control
            .push(serde_json::to_string(&summary.time_control)?);
        self.clock.push(clock_word(&summary.time_control.clock));
        self.visibility.push(visibility_word(summary.visibility));
        self.status.push(status_word(summary.status));
        let invited = summary.invited.as_ref();
        self.rated.push(summary.rated);
        self.invited_id.push(invited.map(|player| player.id.0));
        self.invited_name
            .push(invited.map(|player| player.name.clone()));
        self.first.push(summary.players.first.as_ref());
        self.second.push(summary.players.second.as_ref());
        self.created_by
            .push(summary.created_by.map(|(player, _)| player.0));
        self.create_command
            .push(summary.created_by.map(|(_, command)| command.0));
        let winner = summary.outcome.and_then(|outcome| outcome.winner);
        self.winner.push(winner.map(Seat::as_str));
        self.reason
            .push(summary.outcome.map(|outcome| outcome.reason.as_str()));
        self.ended_by.push(summary.ended_by.map(Seat::as_str));
        self.plies.push(summary.plies.map(|ply| ply.0.into()));
        self.created_at.push(summary.created_at.0);
        self.ended_at.push(summary.ended_at.map(|at| at.0));
        self.start.push(summary.start.clone());
        Ok(())
    }
}

fn statement(
    events: Events,
    lines: Lines,
    beside: Option<(Rated, Entries, CommandRequest, Quotas)>,
    node: Option<Incarnation>,
) -> PgQuery<'static> {
    let statement = match (&beside, node) {
        (None, None) => APPEND,
        (None, Some(_)) => APPEND_AS_NODE,
        (Some(_), None) => APPEND_BESIDE,
        (Some(_), Some(_)) => APPEND_BESIDE_AS_NODE,
    };
    let query = sqlx::query(statement)
        .bind(events.game)
        .bind(events.seq)
        .bind(events.at)
        .bind(events.command)
        .bind(events.body)
        .bind(lines.game)
        .bind(lines.ruleset)
        .bind(lines.options)
        .bind(lines.time_control)
        .bind(lines.clock)
        .bind(lines.visibility)
        .bind(lines.status)
        .bind(lines.rated)
        .bind(lines.invited_id)
        .bind(lines.invited_name)
        .bind(lines.first.id)
        .bind(lines.first.name)
        .bind(lines.first.rating)
        .bind(lines.first.provisional)
        .bind(lines.first.bot)
        .bind(lines.second.id)
        .bind(lines.second.name)
        .bind(lines.second.rating)
        .bind(lines.second.provisional)
        .bind(lines.second.bot)
        .bind(lines.created_by)
        .bind(lines.create_command)
        .bind(lines.winner)
        .bind(lines.reason)
        .bind(lines.ended_by)
        .bind(lines.plies)
        .bind(lines.created_at)
        .bind(lines.ended_at)
        .bind(lines.start);
    let query = match beside {
        Some((rated, audit_entries, asked, quotas)) => {
            quotas.bind(asked.bind(audit_entries.bind(rated.bind(query))))
        }
        None => query,
    };
    match node {
        Some(Incarnation { node, number }) => query.bind(node).bind(number),
        None => query,
    }
}
