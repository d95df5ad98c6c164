//! The rows of nodes and slots of simulated records: what the statements of `postgres/nodes.rs` do.

use qiguan_environment::{Clock, Reading};
use qiguan_game::slot::Slot;
use qiguan_protocol::ids::Millis;

use crate::{
    absences::Absence,
    db::{
        Failed, Incarnation,
        simulated::{Core, NodeRow},
    },
    postgres::{
        joining::{Joining, Refusal},
        nodes::{Node, Owned, SlotAt},
    },
};

/// How long a node without sessions is silent before it counts as gone.
const GONE: Millis = Millis(600);

/// Joins, unless another one that is there speaks no version of this one. Comes back with the cluster version.
pub(crate) fn join(
    core: &mut Core,
    joining: Joining,
    sessions: String,
    at: Millis,
    lease: Millis,
) -> Result<Result<u32, Refusal>, Failed> {
    let Joining {
        own,
        name,
        versions,
        program,
    } = joining;
    if core.tables.nodes.contains_key(&own) {
        let joined = sqlx::Error::Protocol("this node has joined already".to_owned());
        return Err(Failed::Refused(joined));
    }
    for other in nodes(core) {
        // One that is silent is taken over, or joins again itself.
        let is_there = other.silent <= lease && !other.is_gone;
        if is_there && versions.common(other.versions).is_none() {
            return Ok(Err(Refusal::Other {
                other: other.title(),
                its: other.versions,
                own: versions,
            }));
        }
    }
    let row = NodeRow {
        name,
        sessions,
        is_up: true,
        beat_at: core.now,
        alive_at: at,
        versions,
        program,
    };
    core.tables.nodes.insert(own, row);
    Ok(Ok(versions.newest))
}

/// The answer takes no time: what it takes to be asked is waited for before.
pub(crate) fn time(core: &Core, clock: Clock) -> Reading {
    let now = clock.micros();
    Reading {
        asked: now,
        answered: now,
        shows: core.now.0 * 1_000,
    }
}

/// False if there is no such node any more.
pub(crate) fn beat(core: &mut Core, own: Incarnation, at: Millis) -> bool {
    let now = core.now;
    let Some(row) = core.tables.nodes.get_mut(&own) else {
        return false;
    };
    row.beat_at = now;
    row.alive_at = at;
    true
}

pub(crate) fn drain(core: &mut Core, own: Incarnation) {
    if let Some(row) = core.tables.nodes.get_mut(&own) {
        row.is_up = false;
    }
}

pub(crate) fn nodes(core: &Core) -> Vec<Node> {
    let nodes = core.tables.nodes.iter();
    let node = |(is, row): (&Incarnation, &NodeRow)| Node {
        is: *is,
        name: row.name.clone(),
        sessions: row.sessions.clone(),
        is_up: row.is_up,
        silent: core.now - row.beat_at,
        is_gone: is_gone(core, row),
        versions: row.versions,
        program: row.program.clone(),
    };
    nodes.map(node).collect()
}

pub(crate) fn changes(core: &Core) -> i64 {
    core.tables.changes
}

pub(crate) fn slots(core: &Core) -> Vec<Owned> {
    let absence = |(stopped, started): &(Millis, Millis)| Absence {
        stopped: *stopped,
        started: *started,
    };
    let slots = core.tables.slots.iter();
    let owned = slots.map(|(slot, row)| Owned {
        at: SlotAt {
            slot: *slot,
            epoch: row.epoch,
        },
        owner: row
            .owner
            .filter(|owner| core.tables.nodes.contains_key(owner)),
        absences: row.absences.iter().map(absence).collect(),
    });
    owned.collect()
}

/// False if it is there still.
pub(crate) fn take_over(core: &mut Core, gone: Incarnation, lease: Millis) -> bool {
    let Some(row) = core.tables.nodes.get(&gone) else {
        return true;
    };
    if core.now - row.beat_at <= lease && !is_gone(core, row) {
        return false;
    }
    let alive_at = row.alive_at;
    remove(core, gone, alive_at);
    true
}

pub(crate) fn leave(core: &mut Core, own: Incarnation, at: Millis) {
    remove(core, own, at);
}

pub(crate) fn claim(
    core: &mut Core,
    own: Incarnation,
    wanted: &[SlotAt],
    started: Millis,
) -> Result<Vec<Slot>, Failed> {
    if !core.tables.nodes.contains_key(&own) {
        return Ok(Vec::new());
    }
    let heartbeat = core.heartbeat()?;
    let mut claimed = Vec::new();
    for wanted in wanted {
        let Some(row) = core.tables.slots.get_mut(&wanted.slot) else {
            continue;
        };
        if row.epoch != wanted.epoch {
            continue;
        }
        row.owner = Some(own);
        row.epoch += 1;
        core.tables.changes += 1;
        let stopped = row.charged_to.or(heartbeat).unwrap_or(Millis(0));
        row.absences.push((stopped, started));
        claimed.push(wanted.slot);
    }
    Ok(claimed)
}

pub(crate) fn hand_over(
    core: &mut Core,
    own: Incarnation,
    to: Incarnation,
    slots: &[Slot],
    at: Millis,
) -> u64 {
    let nodes = &core.tables.nodes;
    let can_receive = nodes.get(&to).is_some_and(|row| row.is_up);
    if !nodes.contains_key(&own) || !can_receive {
        return 0;
    }
    let mut given = 0;
    for slot in slots {
        let row = core.tables.slots.get_mut(slot);
        if let Some(row) = row.filter(|row| row.owner == Some(own)) {
            row.owner = Some(to);
            row.epoch += 1;
            row.charged_to = Some(at);
            given += 1;
        }
    }
    core.tables.changes += given as i64;
    given
}

pub(crate) fn are_held(core: &mut Core, own: Incarnation, slots: &[Slot]) {
    for slot in slots {
        let row = core.tables.slots.get_mut(slot);
        if let Some(row) = row.filter(|row| row.owner == Some(own)) {
            row.absences.clear();
        }
    }
}

/// When any of the programs was last known to be alive.
pub(crate) fn last_beat(core: &mut Core) -> Result<Option<Millis>, Failed> {
    let heartbeat = core.heartbeat()?;
    let alive = core.tables.nodes.values().map(|row| row.alive_at);
    let charged = core.tables.slots.values().filter_map(|row| row.charged_to);
    Ok(heartbeat.into_iter().chain(alive).chain(charged).max())
}

fn is_gone(core: &Core, row: &NodeRow) -> bool {
    core.now - row.beat_at > GONE && !core.sessions.contains(&row.sessions)
}

/// The row of a node goes, and its slots are nobody's.
fn remove(core: &mut Core, gone: Incarnation, charged_to: Millis) {
    if core.tables.nodes.remove(&gone).is_none() {
        return;
    }
    let slots = core.tables.slots.values_mut();
    for row in slots.filter(|row| row.owner == Some(gone)) {
        row.owner = None;
        row.epoch += 1;
        row.charged_to = Some(charged_to);
        core.tables.changes += 1;
    }
}
