//! How a program joins those on a record, and how the version that all of them know is raised. Both lock the table of nodes, so that neither happens
//! in the middle of the other.

use qiguan_protocol::ids::Millis;

use crate::{
    db::{Db, Failed, Incarnation},
    migrations,
    postgres::{
        MIGRATIONS,
        nodes::{Node, nodes},
    },
    versions::{self, Versions},
};

/// Nobody joins, beats or goes until the transaction ends; appends go on.
const LOCK: &str = "lock table nodes in share row exclusive mode";
/// A node joins.
const JOIN: &str = "insert into nodes (node, incarnation, name, sessions, state, beat_at, alive_at, wire_min, wire_max, program, newest_change) \
     values ($1, $2, $3, $4, 'up', clock_timestamp(), $5, cast($6 as bigint), cast($7 as bigint), $8, $9)";

/// Who joins.
#[derive(Clone, Debug)]
pub struct Joining {
    /// As which one.
    pub own: Incarnation,
    /// For people.
    pub name: String,
    /// Which versions it knows.
    pub versions: Versions,
    /// Its release, for people.
    pub program: String,
}

/// Why a program can't join those that are on the record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It speaks no version that another one does.
    #[error(
        "{other} runs on the record and speaks versions {} to {}, and this program {} to {}: none is the same. Upgrade one release at a time, or end the \
         other programs first", its.oldest, its.newest, own.oldest, own.newest
    )]
    Other {
        /// Which, for people.
        other: String,
        /// What it speaks.
        its: Versions,
        /// What this program speaks.
        own: Versions,
    },
    /// A newer program may have written what it can't read.
    #[error("{0}")]
    Record(String),
    /// A newer program has changed the tables since they were looked at.
    #[error(
        "a newer program has changed the tables: programs have to know change {needed}, and this one knows them up to {knows}; start the newer program"
    )]
    Tables {
        /// What has to be known.
        needed: i64,
        /// What is.
        knows: i64,
    },
}

/// How far an upgrade is finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// What all programs on the record can read from now on.
    pub cluster_version: u32,
    /// Programs that keep it below the newest version of this one, for people.
    pub older: Vec<String>,
}

/// Joins, unless the others or the record are of versions that this program does not know. Comes back with the cluster version.
pub(crate) async fn join(
    db: &mut Db,
    Joining {
        own,
        name,
        versions,
        program,
    }: Joining,
    sessions: String,
    at: Millis,
    lease: Millis,
) -> Result<Result<u32, Refusal>, Failed> {
    db.execute_in_postgres(sqlx::query(LOCK)).await?;
    let knows = migrations::newest(&MIGRATIONS);
    let needed = meta(db, versions::COMPATIBLE_FROM).await?;
    if let Some(needed) = needed.filter(|needed| *needed > knows) {
        return Ok(Err(Refusal::Tables { needed, knows }));
    }
    for other in nodes(db).await?.into_iter().filter(|it| it.is != own) {
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
    let mut cluster = versions::of_row(meta(db, versions::CLUSTER_VERSION).await?);
    if let Err(refused) = versions.check(cluster) {
        return Ok(Err(Refusal::Record(refused)));
    }
    if cluster < versions.oldest {
        // All that are there know the oldest version of this program, which writes nothing older.
        cluster = versions.oldest;
        raise(db, cluster).await?;
    }
    let join = sqlx::query(JOIN).bind(own.node).bind(own.number);
    let join = join.bind(name).bind(sessions).bind(at.0);
    let join = join.bind(i64::from(versions.oldest));
    let join = join.bind(i64::from(versions.newest)).bind(program);
    db.execute_in_postgres(join.bind(knows)).await?;
    Ok(Ok(cluster))
}

/// Raises the cluster version to the newest one that all programs on the record know, and this one (`own`).
pub(crate) async fn finish_upgrade(db: &mut Db, own: Versions) -> Result<Finished, Failed> {
    db.execute_in_postgres(sqlx::query(LOCK)).await?;
    // Also those that are silent: they may be there after all.
    let nodes = nodes(db).await?;
    let newest = nodes.iter().map(|node| node.versions.newest);
    let newest = newest.min().unwrap_or(own.newest).min(own.newest);
    let cluster = versions::of_row(meta(db, versions::CLUSTER_VERSION).await?).max(newest);
    raise(db, cluster).await?;
    let older = nodes
        .iter()
        .filter(|node| node.versions.newest < own.newest);
    Ok(Finished {
        cluster_version: cluster,
        older: older.map(Node::title).collect(),
    })
}

async fn raise(db: &mut Db, version: u32) -> Result<(), Failed> {
    let raise = sqlx::query(versions::RAISE).bind(i64::from(version));
    db.execute_in_postgres(raise).await.map(drop)
}

/// A number of the record, by the statement that reads it.
async fn meta(db: &mut Db, statement: &'static str) -> Result<Option<i64>, Failed> {
    let rows: Vec<(i64,)> = db.rows_in_postgres(sqlx::query_as(statement)).await?;
    Ok(rows.first().map(|(value,)| *value))
}
