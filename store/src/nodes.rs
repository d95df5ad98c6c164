//! Several programs on one record: which there are, and who owns which slot. Of a file of SQLite none of this is kept: one program runs on it.
//!
//! Everything here goes beside the fence: it is what the fence consists of. A beat has a session of its own.

use std::sync::Arc;

use qiguan_environment::{Clock, Reading};
use qiguan_game::slot::Slot;
use qiguan_protocol::ids::Millis;

#[cfg(any(test, feature = "testing"))]
use crate::simulated::nodes as simulated;
pub use crate::{
    db::Incarnation,
    postgres::{
        joining::{Finished, Joining, Refusal},
        nodes::{Node, Owned, SlotAt},
    },
};
use crate::{
    db::{self, Dialect, Ender, Failed, Members, Sharing, Writing, end_sessions, sql},
    postgres::{connection, joining, nodes},
    store::{Store, StoreError},
    versions::{self, Versions},
    write_progress::WriteProgress,
};

/// How long a node is silent before others take over.
pub const LEASE: Millis = Millis(1_500);

/// What a node sees when it notes that it is alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beat {
    /// Somebody has taken over: it owns nothing any more.
    Fenced,
    /// It is alive.
    Alive {
        /// All nodes, itself among them.
        nodes: Vec<Node>,
        /// Grows whenever a slot changes its owner.
        changes: i64,
        /// What all programs on the record can read.
        cluster_version: u32,
        /// What time it is.
        time: Reading,
    },
}

/// Why a program has not joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// It can't, as long as others are what they are.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The record can't be written just now.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// What all programs on the record can read: nothing else may be written. It only grows.
    pub fn cluster_version(&self) -> u32 {
        self.version.get()
    }

    /// Raises the cluster version as far as this program and all others on the record can go. Older programs refuse the record from then on.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn finish_upgrade(&self) -> Result<Finished, StoreError> {
        let own = Versions::own();
        let is_postgres = self.dialect() == Dialect::Postgres;
        let finished = if is_postgres {
            self.as_node(move |db| Box::pin(joining::finish_upgrade(db, own)))
                .await?
        } else {
            if self.cluster_version() < own.newest {
                let raise = sql(versions::RAISE).bind(i64::from(own.newest));
                self.execute(None, raise).await?;
            }
            Finished {
                cluster_version: own.newest,
                older: Vec::new(),
            }
        };
        self.version.set(finished.cluster_version);
        Ok(finished)
    }

    /// Whether several programs may run on the record.
    pub const fn can_be_shared(&self) -> bool {
        self.sharing.is_some()
    }

    /// Joins the programs on the record; what is written from now on is fenced. After [`Self::fenced`] a new number has to be given.
    ///
    /// # Errors
    /// When this program does not fit to those that are there, or the database can't write.
    pub async fn join(&self, joining: Joining, at: Millis) -> Result<(), JoinError> {
        let own = joining.own;
        let Sharing { fence, members } = self.sharing()?;
        // Whatever an earlier incarnation has sent is carried out by now or never.
        let renamed = fence.pass().is_err();
        let renamed = renamed.then(|| format!("qiguan {} {}", own.node, own.number));
        let joined = match members {
            Members::Postgres(ender) => {
                if let Some(renamed) = renamed {
                    ender.rename(renamed).await;
                }
                let sessions = ender.name.get();
                let join = self
                    .as_node(move |db| Box::pin(joining::join(db, joining, sessions, at, LEASE)));
                join.await?
            }
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                if let Some(renamed) = renamed {
                    program.rename(renamed).await;
                }
                let sessions = program.sessions();
                let join = program
                    .in_turn(move |core| simulated::join(core, joining, sessions, at, LEASE));
                join.await.map_err(StoreError::from)?
            }
        };
        self.version.set(joined?);
        fence.join(own);
        Ok(())
    }

    /// Whether this program has joined others on the record.
    pub fn is_shared(&self) -> bool {
        let fence = self.sharing.as_ref().map(|sharing| sharing.fence.pass());
        !matches!(fence, None | Some(Ok(None)))
    }

    /// Waits until somebody has taken over from this program; for ever if nobody can.
    pub async fn fenced(&self) {
        match &self.sharing {
            Some(sharing) => sharing.fence.lost().await,
            None => std::future::pending().await,
        }
    }

    /// What time it is by the database's clock.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn time(&self, clock: Clock) -> Result<Reading, StoreError> {
        match &self.sharing()?.members {
            Members::Postgres(_) => {
                self.as_node(move |db| Box::pin(nodes::time(db, clock)))
                    .await
            }
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                let time = program.at_once(move |core| Ok(simulated::time(core, clock)));
                Ok(time.await?)
            }
        }
    }

    /// Notes that this program is alive, by its own clock at this time, looks around, and at the database's clock.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn beat(
        &self,
        own: Incarnation,
        at: Millis,
        clock: Clock,
    ) -> Result<Beat, StoreError> {
        let Sharing { fence, members } = self.sharing()?;
        let beat = match members {
            Members::Postgres(ender) => beat_in_postgres(ender, own, at, clock).await?,
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                let beat = program.at_once(move |core| {
                    Ok(if simulated::beat(core, own, at) {
                        Beat::Alive {
                            nodes: simulated::nodes(core),
                            changes: simulated::changes(core),
                            cluster_version: Versions::own().newest,
                            time: simulated::time(core, clock),
                        }
                    } else {
                        Beat::Fenced
                    })
                });
                beat.await?
            }
        };
        if let Beat::Alive {
            cluster_version, ..
        } = beat
        {
            self.version.set(cluster_version);
        }
        if beat == Beat::Fenced {
            fence.is_lost(own);
        }
        Ok(beat)
    }

    /// All slots.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn slots(&self) -> Result<Vec<Owned>, StoreError> {
        match &self.sharing()?.members {
            Members::Postgres(_) => self.as_node(|db| Box::pin(nodes::slots(db))).await,
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                Ok(program.at_once(|core| Ok(simulated::slots(core))).await?)
            }
        }
    }

    /// Takes over from a node that has been silent for the lease, or whose process has ended: its sessions end, its row goes, and its slots are nobody's. False if it is
    /// alive after all.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn take_over(&self, gone: &Node) -> Result<bool, StoreError> {
        let (sessions, gone) = (gone.sessions.clone(), gone.is);
        match &self.sharing()?.members {
            Members::Postgres(_) => {
                end_sessions(&self.readers, sessions).await;
                self.as_node(move |db| Box::pin(nodes::take_over(db, gone, LEASE)))
                    .await
            }
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                // As with Postgres: what can't be reached for this is not written to either.
                let _ = program.end_sessions(sessions).await;
                let taken =
                    program.in_turn(move |core| Ok(simulated::take_over(core, gone, LEASE)));
                Ok(taken.await?)
            }
        }
    }

    /// Claims slots, each if nobody has owned it since it was seen. They count as claimed at `started`, by the clock of the node.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn claim(
        &self,
        own: Incarnation,
        wanted: Vec<SlotAt>,
        started: Millis,
    ) -> Result<Vec<Slot>, StoreError> {
        match &self.sharing()?.members {
            Members::Postgres(_) => {
                self.as_node(move |db| Box::pin(nodes::claim(db, own, wanted, started)))
                    .await
            }
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                let claimed =
                    program.in_turn(move |core| simulated::claim(core, own, &wanted, started));
                Ok(claimed.await?)
            }
        }
    }

    /// Gives own slots to another node, if that is there. Nothing of their games may be under way here.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn hand_over(
        &self,
        own: Incarnation,
        to: Incarnation,
        slots: Vec<Slot>,
        at: Millis,
    ) -> Result<u64, StoreError> {
        match &self.sharing()?.members {
            Members::Postgres(_) => {
                self.as_node(move |db| Box::pin(nodes::hand_over(db, own, to, slots, at)))
                    .await
            }
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                let given = program
                    .in_turn(move |core| Ok(simulated::hand_over(core, own, to, &slots, at)));
                Ok(given.await?)
            }
        }
    }

    /// Notes that the clocks of all games of own slots have been held for the time that they were nobody's.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn slots_are_held(
        &self,
        own: Incarnation,
        slots: Vec<Slot>,
    ) -> Result<(), StoreError> {
        match &self.sharing()?.members {
            Members::Postgres(_) => {
                self.as_node(move |db| Box::pin(nodes::are_held(db, own, slots)))
                    .await
            }
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                let held = program.in_turn(move |core| {
                    simulated::are_held(core, own, &slots);
                    Ok(())
                });
                Ok(held.await?)
            }
        }
    }

    /// Notes that this program ends: it gets no more slots.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn drain(&self) -> Result<(), StoreError> {
        let Sharing { fence, members } = self.sharing()?;
        let Ok(Some(own)) = fence.pass() else {
            return Ok(());
        };
        match members {
            Members::Postgres(_) => {
                self.as_node(move |db| Box::pin(nodes::drain(db, own)))
                    .await
            }
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                let drained = program.in_turn(move |core| {
                    simulated::drain(core, own);
                    Ok(())
                });
                Ok(drained.await?)
            }
        }
    }

    /// Leaves: its slots are nobody's from now on, and nothing is written any more. Players are charged up to `at`.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn leave(&self, at: Millis) -> Result<(), StoreError> {
        let Sharing { fence, members } = self.sharing()?;
        let Ok(Some(own)) = fence.pass() else {
            return Ok(());
        };
        fence.is_lost(own);
        match members {
            Members::Postgres(_) => {
                self.as_node(move |db| Box::pin(nodes::leave(db, own, at)))
                    .await
            }
            #[cfg(any(test, feature = "testing"))]
            Members::Simulated(program) => {
                let left = program.in_turn(move |core| {
                    simulated::leave(core, own, at);
                    Ok(())
                });
                Ok(left.await?)
            }
        }
    }

    /// When any of the programs of a simulated database was last known to be alive; none in any other database.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) async fn last_simulated_beat(&self) -> Option<Result<Option<Millis>, StoreError>> {
        let Some(Members::Simulated(program)) = self.sharing.as_ref().map(|it| &it.members) else {
            return None;
        };
        let last = program.in_turn(simulated::last_beat).await;
        Some(last.map_err(StoreError::from))
    }

    fn sharing(&self) -> Result<&Sharing, StoreError> {
        let alone = || StoreError::Unavailable("one program alone runs on this record".to_owned());
        self.sharing.as_ref().ok_or_else(alone)
    }

    /// Writes past the fence.
    pub(crate) async fn as_node<T: Send + 'static>(
        &self,
        writing: impl for<'c> FnOnce(&'c mut db::Db) -> Writing<'c, T> + Send + 'static,
    ) -> Result<T, StoreError> {
        db::write(&self.writers, uncounted(), None, writing).await
    }
}

async fn beat_in_postgres(
    ender: &Ender,
    own: Incarnation,
    at: Millis,
    clock: Clock,
) -> Result<Beat, StoreError> {
    let beats = ender.beats.get_or_try_init(|| connection::beats(ender));
    let beats = beats.await.map_err(Failed::Refused)?;
    let beat = db::write(beats, uncounted(), None, move |db| {
        Box::pin(async move {
            if !nodes::beat(db, own, at).await? {
                return Ok(Beat::Fenced);
            }
            let nodes = nodes::nodes(db).await?;
            let (changes, cluster_version) = nodes::changes(db).await?;
            Ok(Beat::Alive {
                nodes,
                changes,
                cluster_version,
                time: nodes::time(db, clock).await?,
            })
        })
    });
    beat.await
}

/// What passes the fence does not say whether anything else can be written.
fn uncounted() -> Arc<WriteProgress> {
    Arc::default()
}
