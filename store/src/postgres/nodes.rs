//! The rows of nodes and slots in Postgres. Its clock alone decides whether a node is silent.

use qiguan_environment::{Clock, Reading};
use qiguan_game::slot::Slot;
use qiguan_protocol::ids::Millis;
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    absences::Absence,
    db::{Db, Failed, Incarnation},
    store::StoreError,
    versions::{self, Versions},
};

/// A node is alive. What it changes is no part of the key, so it waits for no append.
const BEAT: &str = "update nodes set beat_at = clock_timestamp(), alive_at = $3 where node = $1 and incarnation = $2";
/// A node ends, and gets no slots any more.
const DRAIN: &str = "update nodes set state = 'draining' where node = $1 and incarnation = $2";
/// All nodes, and for how long each has been silent.
const NODES: &str = "select node, incarnation, name, sessions, wire_min, wire_max, program, state = 'up' as is_up, \
     cast(extract(epoch from clock_timestamp() - beat_at) * 1000 as bigint) as silent_ms, \
     beat_at < clock_timestamp() - interval '600 milliseconds' and not exists (select from pg_stat_activity \
         where application_name in (nodes.sessions, nodes.sessions || ' beat')) as is_gone \
     from nodes order by node, incarnation";
/// The database's clock, in microseconds since 1970.
const TIME: &str = "select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)";
/// How often slots have changed their owners, and the cluster version.
const CHANGES: &str = "select cast(sum(epoch) as bigint), (select value from meta where key = 'cluster_version') from slots";
/// All slots. The owner is null if there is no such node any more.
const SLOTS: &str = "select slot, nodes.node, nodes.incarnation, epoch, absences from slots \
     left join nodes on nodes.node = slots.node and nodes.incarnation = slots.incarnation where kind = 'game' order by slot";
/// The row of a node goes if it is still silent, or has no session any more, and its slots are nobody's. Waits for what the node is just
/// writing.
const TAKE_OVER: &str = "with gone as (delete from nodes where node = $1 and incarnation = $2 \
         and (beat_at < clock_timestamp() - make_interval(secs => cast($3 as double precision) / 1000) \
             or beat_at < clock_timestamp() - interval '600 milliseconds' and not exists (select from pg_stat_activity \
                 where application_name in (nodes.sessions, nodes.sessions || ' beat'))) \
         returning node, incarnation, alive_at), \
     freed as (update slots set node = null, incarnation = null, epoch = epoch + 1, charged_to = gone.alive_at \
         from gone where slots.node = gone.node and slots.incarnation = gone.incarnation) \
     select node from gone";
/// Whether a node has joined.
const IS_THERE: &str = "select node from nodes where node = $1 and incarnation = $2";
/// A node leaves.
const LEAVE: &str = "with gone as (delete from nodes where node = $1 and incarnation = $2 returning node, incarnation) \
     update slots set node = null, incarnation = null, epoch = epoch + 1, charged_to = $3 \
     from gone where slots.node = gone.node and slots.incarnation = gone.incarnation";
/// Slots get an owner if nobody has had them since. What `epoch` they had is compared again after a wait for their rows; whether there is a
/// node in another table would not be.
const CLAIM: &str = "with alive as materialized (select 1 from nodes where node = $1 and incarnation = $2 for key share) \
     update slots set node = $1, incarnation = $2, epoch = slots.epoch + 1, \
         absences = absences || coalesce(charged_to, (select value from meta where key = 'heartbeat'), 0) || cast($5 as bigint) \
     from unnest($3::smallint[], $4::bigint[]) as wanted (slot, epoch) \
     where slots.kind = 'game' and slots.slot = wanted.slot and slots.epoch = wanted.epoch and exists (select from alive) \
     returning slots.slot";
/// Slots of one node become those of another.
const HAND_OVER: &str = "with alive as materialized (select 1 from nodes where node = $1 and incarnation = $2 for key share), \
     receiver as materialized (select 1 from nodes where node = $3 and incarnation = $4 and state = 'up' for key share) \
     update slots set node = $3, incarnation = $4, epoch = slots.epoch + 1, charged_to = $6 \
     from unnest($5::smallint[]) as given (slot) \
     where slots.kind = 'game' and slots.slot = given.slot and slots.node = $1 and slots.incarnation = $2 \
     and exists (select from alive) and exists (select from receiver)";
/// The clocks of all games of these slots have been held.
const ARE_HELD: &str = "update slots set absences = '{}' \
     where kind = 'game' and slot = any($1) and node = $2 and incarnation = $3";

/// A program on the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Which.
    pub is: Incarnation,
    /// For people.
    pub name: String,
    /// What its sessions that write are called.
    pub sessions: String,
    /// Whether it takes slots; not while it ends.
    pub is_up: bool,
    /// For how long it has been silent by the database's clock.
    pub silent: Millis,
    /// Whether it has missed some beats and has no session any more, so that it need not be waited for: its process has ended.
    pub is_gone: bool,
    /// Which versions it knows.
    pub versions: Versions,
    /// Its release, for people.
    pub program: String,
}

impl Node {
    /// Its name and release, for people.
    pub(crate) fn title(&self) -> String {
        format!("{} (program {})", self.name, self.program)
    }
}

/// A slot as it was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotAt {
    /// The slot.
    pub slot: Slot,
    /// How often it had changed its owner.
    pub epoch: i64,
}

/// A slot and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    /// The slot.
    pub at: SlotAt,
    /// Its owner; none if there is no such node any more.
    pub owner: Option<Incarnation>,
    /// When it was nobody's, the earliest start first, as far back as clocks of its games have not been held for it.
    pub absences: Vec<Absence>,
}

/// False if there is no such node any more.
pub(crate) async fn beat(db: &mut Db, own: Incarnation, at: Millis) -> Result<bool, Failed> {
    let beat = sqlx::query(BEAT).bind(own.node).bind(own.number).bind(at.0);
    Ok(db.execute_in_postgres(beat).await? > 0)
}

pub(crate) async fn drain(db: &mut Db, own: Incarnation) -> Result<(), Failed> {
    let drain = sqlx::query(DRAIN).bind(own.node).bind(own.number);
    db.execute_in_postgres(drain).await.map(drop)
}

pub(crate) async fn nodes(db: &mut Db) -> Result<Vec<Node>, Failed> {
    let rows: Vec<NodeRow> = db.rows_in_postgres(sqlx::query_as(NODES)).await?;
    let node = |row: NodeRow| Node {
        is: Incarnation {
            node: row.node,
            number: row.incarnation,
        },
        name: row.name,
        sessions: row.sessions,
        is_up: row.is_up,
        silent: Millis(row.silent_ms),
        is_gone: row.is_gone,
        versions: Versions {
            oldest: row.wire_min as u32,
            newest: row.wire_max as u32,
        },
        program: row.program,
    };
    Ok(rows.into_iter().map(node).collect())
}

/// How often slots have changed their owners, and the cluster version.
/// What time it is.
pub(crate) async fn time(db: &mut Db, clock: Clock) -> Result<Reading, Failed> {
    let asked = clock.micros();
    let rows: Vec<(i64,)> = db.rows_in_postgres(sqlx::query_as(TIME)).await?;
    let (shows,) = rows.first().copied().unwrap_or_default();
    Ok(Reading {
        asked,
        answered: clock.micros(),
        shows,
    })
}

pub(crate) async fn changes(db: &mut Db) -> Result<(i64, u32), Failed> {
    let rows: Vec<(i64, Option<i64>)> = db.rows_in_postgres(sqlx::query_as(CHANGES)).await?;
    let (changes, version) = rows.first().copied().unwrap_or_default();
    Ok((changes, versions::of_row(version)))
}

pub(crate) async fn slots(db: &mut Db) -> Result<Vec<Owned>, Failed> {
    let rows: Vec<SlotRow> = db.rows_in_postgres(sqlx::query_as(SLOTS)).await?;
    let absence = |times: &[i64]| Absence {
        stopped: Millis(times.first().copied().unwrap_or_default()),
        started: Millis(times.last().copied().unwrap_or_default()),
    };
    let owned = |row: SlotRow| {
        let owner = row.node.zip(row.incarnation);
        Ok(Owned {
            at: SlotAt {
                slot: slot_of(row.slot)?,
                epoch: row.epoch,
            },
            owner: owner.map(|(node, number)| Incarnation { node, number }),
            absences: row.absences.chunks(2).map(absence).collect(),
        })
    };
    rows.into_iter().map(owned).collect()
}

pub(crate) async fn take_over(
    db: &mut Db,
    gone: Incarnation,
    lease: Millis,
) -> Result<bool, Failed> {
    let take_over = sqlx::query_as(TAKE_OVER).bind(gone.node).bind(gone.number);
    let taken: Vec<(Uuid,)> = db.rows_in_postgres(take_over.bind(lease.0)).await?;
    metrics::counter!("qiguan_cluster_take_overs_total").increment(taken.len() as u64);
    let there = sqlx::query_as(IS_THERE).bind(gone.node).bind(gone.number);
    let there: Vec<(Uuid,)> = db.rows_in_postgres(there).await?;
    Ok(there.is_empty())
}

pub(crate) async fn leave(db: &mut Db, own: Incarnation, at: Millis) -> Result<(), Failed> {
    let leave = sqlx::query(LEAVE).bind(own.node).bind(own.number);
    db.execute_in_postgres(leave.bind(at.0)).await.map(drop)
}

pub(crate) async fn claim(
    db: &mut Db,
    own: Incarnation,
    wanted: Vec<SlotAt>,
    started: Millis,
) -> Result<Vec<Slot>, Failed> {
    let epochs: Vec<i64> = wanted.iter().map(|wanted| wanted.epoch).collect();
    let slots = numbers(wanted.into_iter().map(|wanted| wanted.slot));
    let claim = sqlx::query_as(CLAIM).bind(own.node).bind(own.number);
    let claim = claim.bind(slots).bind(epochs).bind(started.0);
    let rows: Vec<(i16,)> = db.rows_in_postgres(claim).await?;
    rows.into_iter().map(|(slot,)| slot_of(slot)).collect()
}

/// How many slots have changed their owner.
pub(crate) async fn hand_over(
    db: &mut Db,
    own: Incarnation,
    to: Incarnation,
    slots: Vec<Slot>,
    at: Millis,
) -> Result<u64, Failed> {
    let hand_over = sqlx::query(HAND_OVER).bind(own.node).bind(own.number);
    let hand_over = hand_over.bind(to.node).bind(to.number);
    let hand_over = hand_over.bind(numbers(slots.into_iter())).bind(at.0);
    db.execute_in_postgres(hand_over).await
}

pub(crate) async fn are_held(
    db: &mut Db,
    own: Incarnation,
    slots: Vec<Slot>,
) -> Result<(), Failed> {
    let held = sqlx::query(ARE_HELD).bind(numbers(slots.into_iter()));
    let held = held.bind(own.node).bind(own.number);
    db.execute_in_postgres(held).await.map(drop)
}

/// A row of `nodes`.
#[derive(FromRow)]
struct NodeRow {
    node: Uuid,
    incarnation: i64,
    name: String,
    sessions: String,
    wire_min: i32,
    wire_max: i32,
    program: String,
    is_up: bool,
    silent_ms: i64,
    is_gone: bool,
}

/// A row of `slots`, with its owner if that is there.
#[derive(FromRow)]
struct SlotRow {
    slot: i16,
    node: Option<Uuid>,
    incarnation: Option<i64>,
    epoch: i64,
    absences: Vec<i64>,
}

fn numbers(slots: impl Iterator<Item = Slot>) -> Vec<i16> {
    // There are fewer than fit.
    slots.map(|slot| slot.number() as i16).collect()
}

fn slot_of(number: i16) -> Result<Slot, Failed> {
    let slot = u16::try_from(number).ok().and_then(Slot::new);
    slot.ok_or_else(|| {
        Failed::Corrupt(StoreError::Corrupt {
            table: "slots",
            row: number.to_string(),
            what: "no slot has this number".to_owned(),
        })
    })
}

#[cfg(test)]
mod tests;
