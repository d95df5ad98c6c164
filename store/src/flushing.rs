//! Appending, in both databases: all batches together with the small writes of the moment, and each by itself if one of them is to blame.

use std::collections::HashMap;

use qiguan_protocol::ids::{GameId, Seq};
use uuid::Uuid;

use crate::{
    appending::{Failure, Origin, pass},
    db::{self, Members},
    failpoints::{self, ASKED_FOR},
    journal::Flushed,
    postgres,
    quotas::Quota,
    small_write::{SmallWrite, Written},
    sqlite,
    store::{Append, AppendError, Store, StoreError},
};

impl Store {
    /// Appends every batch in one transaction, each batch all or nothing; the results are in the batches' order. A batch that fails by
    /// itself (`Conflict`, `Forbidden`, `UsedUp`) does not take the others with it.
    pub async fn append(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        let appended = self.flush(batches, &[]).await.appended;
        #[cfg(test)]
        if self.packs {
            self.pack_all_of(batches).await;
        }
        appended
    }

    #[cfg(test)]
    async fn pack_all_of(&self, batches: &[Append]) {
        let entries = batches.iter().flat_map(|batch| &batch.entries);
        // An append that failed may have left no game.
        let _ = self
            .pack_games(entries.map(|entry| entry.game).collect())
            .await;
    }

    /// As [`Self::append`], with small writes in the same transaction. One that fails takes nothing else with it.
    pub async fn flush(&self, batches: &[Append], writes: &[SmallWrite]) -> Flushed {
        self.flush_from(batches, writes, Origin::Play).await
    }

    /// As [`Self::append`], of games from another record. Those that are over are packed at once; they are rated afterwards
    /// ([`Store::import_history`], [`Store::rate_imported`]), when all of them are there.
    pub async fn append_imported(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        self.flush_from(batches, &[], Origin::Archive)
            .await
            .appended
    }

    async fn flush_from(
        &self,
        batches: &[Append],
        writes: &[SmallWrite],
        origin: Origin,
    ) -> Flushed {
        let faulty: Vec<bool> = batches
            .iter()
            .map(|batch| failpoints::point("append", batch.cause))
            .collect();
        if !faulty.contains(&true) {
            match self.together(batches, writes, origin).await {
                Ok(written) => {
                    return Flushed {
                        appended: vec![Ok(()); batches.len()],
                        written,
                    };
                }
                Err(Failure::Key { .. } | Failure::Forbidden) if batches.len() > 1 => {}
                // The others still share one transaction: a player who asks for too much costs them no more than another attempt.
                Err(Failure::UsedUp(used_up)) if batches.len() > 1 => {
                    return Box::pin(self.without(batches, writes, &used_up, origin)).await;
                }
                Err(failure) => {
                    let failed = batches.iter().map(|batch| Err(error_of(&failure, batch)));
                    return Flushed {
                        appended: failed.collect(),
                        written: self.beside(writes, Some(&failure)).await,
                    };
                }
            }
        }
        let mut results = Vec::with_capacity(batches.len());
        for (batch, faulty) in batches.iter().zip(faulty) {
            let written = if faulty {
                Err(Failure::Refused(ASKED_FOR.to_owned()))
            } else {
                let alone = self.together(std::slice::from_ref(batch), &[], origin);
                alone.await.map(|_| ())
            };
            results.push(written.map_err(|failure| error_of(&failure, batch)));
        }
        Flushed {
            appended: results,
            written: self.beside(writes, None).await,
        }
    }

    /// Appends all batches but those that were refused.
    async fn without(
        &self,
        batches: &[Append],
        writes: &[SmallWrite],
        used_up: &[(usize, Quota)],
        origin: Origin,
    ) -> Flushed {
        let refused: HashMap<usize, Quota> = used_up.iter().copied().collect();
        let others: Vec<Append> = batches
            .iter()
            .enumerate()
            .filter(|(place, _)| !refused.contains_key(place))
            .map(|(_, batch)| batch.clone())
            .collect();
        let Flushed { appended, written } = self.flush_from(&others, writes, origin).await;
        let mut appended = appended.into_iter();
        let lost = || Err(AppendError::Refused("it was not written".to_owned()));
        let results = (0..batches.len())
            .map(|place| match refused.get(&place) {
                Some(quota) => Err(AppendError::UsedUp(*quota)),
                None => appended.next().unwrap_or_else(lost),
            })
            .collect();
        Flushed {
            appended: results,
            written,
        }
    }

    /// Carries small writes out by themselves: what they shared a transaction with has failed. They may be on the disk already if it is
    /// not known how it ended; each can be repeated.
    async fn beside(&self, writes: &[SmallWrite], failure: Option<&Failure>) -> Vec<Written> {
        let written = match failure {
            // The batch that was to blame does not concern them.
            None | Some(Failure::Key { .. } | Failure::Forbidden | Failure::UsedUp(_)) => {
                if writes.is_empty() {
                    return Vec::new();
                }
                self.together(&[], writes, Origin::Play).await
            }
            Some(Failure::Fenced) => Err(Failure::Fenced),
            Some(Failure::Refused(why) | Failure::Unknown(why)) => {
                Err(Failure::Refused(why.clone()))
            }
        };
        written.unwrap_or_else(|failure| {
            let error = StoreError::Unavailable(failure.to_string());
            vec![Err(error); writes.len()]
        })
    }

    /// Writes all of these in one transaction.
    async fn together(
        &self,
        batches: &[Append],
        writes: &[SmallWrite],
        origin: Origin,
    ) -> Result<Vec<Written>, Failure> {
        let writers = &self.writers;
        let mut written = match &self.sharing {
            None => sqlite::append::together(writers, None, batches, writes, origin).await?,
            Some(sharing) => {
                let fence = &sharing.fence;
                match &sharing.members {
                    Members::Postgres(ender) => {
                        postgres::append::together(writers, ender, fence, batches, writes, origin)
                            .await?
                    }
                    #[cfg(any(test, feature = "testing"))]
                    Members::Simulated(_) => {
                        sqlite::append::together(writers, Some(fence), batches, writes, origin)
                            .await?
                    }
                }
            }
        };
        if pass("after_commit", batches) {
            return Err(Failure::Unknown(ASKED_FOR.to_owned()));
        }
        for (write, written) in writes.iter().zip(&mut written) {
            if let Err(failed) = db::pass("after_commit", write.cause()) {
                *written = Err(failed.into());
            }
        }
        Ok(written)
    }
}

fn error_of(failure: &Failure, batch: &Append) -> AppendError {
    match failure {
        Failure::Key { created: true, .. } => AppendError::AlreadyCreated,
        Failure::Key {
            created: false,
            place,
        } => {
            let entry = batch.entries.get(*place);
            AppendError::Conflict {
                game: entry.map_or(GameId(Uuid::nil()), |entry| entry.game),
                seq: entry
                    .and_then(|entry| entry.events.first())
                    .map_or(Seq(0), |event| event.seq),
            }
        }
        Failure::Forbidden => AppendError::Forbidden,
        Failure::Fenced => AppendError::Fenced,
        Failure::UsedUp(used_up) => match used_up.first() {
            Some((_, quota)) => AppendError::UsedUp(*quota),
            None => AppendError::Refused("a quota is used up".to_owned()),
        },
        Failure::Refused(why) => AppendError::Refused(why.clone()),
        Failure::Unknown(why) => AppendError::Unknown(why.clone()),
    }
}
