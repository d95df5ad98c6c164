//! Several programs on one record: whether each has its share, and what they have sent to each other.

use std::time::Duration;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use crate::{load::scrape::Metrics, stopwatch::Stopwatch};

/// How many slots there are.
const SLOTS: f64 = 4_096.0;
/// How long it may take until each program has its share.
const SHARED_WITHIN: Duration = Duration::from_mins(1);

/// No more games move when their numbers stay the same for so long.
const UNCHANGED: Duration = Duration::from_secs(3);

/// The programs of a cluster, or one that is alone.
pub(super) struct Programs(Vec<String>);

/// What programs have sent to each other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sent {
    /// Frames over NATS with messages in them.
    pub(crate) frames: f64,
    /// Messages.
    pub(crate) messages: f64,
    /// Texts for clients, among the messages.
    pub(crate) texts: f64,
}

impl Sent {
    /// What has been sent since then.
    pub(super) fn since(&self, before: &Self) -> Self {
        Self {
            frames: self.frames - before.frames,
            messages: self.messages - before.messages,
            texts: self.texts - before.texts,
        }
    }
}

impl Programs {
    /// At these addresses.
    pub(super) const fn new(addresses: Vec<String>) -> Self {
        Self(addresses)
    }

    /// Waits until each program has its share of the games and hears the others, and no more games move.
    pub(super) async fn have_their_shares(&self) -> Result<()> {
        let programs = self.0.len();
        if programs < 2 {
            return Ok(());
        }
        let waiting = Stopwatch::start();
        let mut before = Vec::new();
        loop {
            let mut slots = Vec::new();
            let mut links = 0.0;
            for address in &self.0 {
                let metrics = Metrics::read(address).await?;
                slots.push(metrics.value("qiguan_cluster_slots_owned")?);
                links += metrics.value("qiguan_cluster_links_open")?;
            }
            let is_share = |slots: &f64| slots * programs as f64 > SLOTS * 0.8;
            let is_heard = links as usize == programs * (programs - 1);
            if is_heard && slots.iter().all(is_share) && slots == before {
                return Ok(());
            }
            if waiting.elapsed() > SHARED_WITHIN {
                bail!("the programs have {slots:?} slots and {links} links to each other");
            }
            before = slots;
            tokio::time::sleep(UNCHANGED).await;
        }
    }

    /// What they have sent so far.
    pub(super) async fn sent(&self) -> Result<Sent> {
        let mut sent = Sent::default();
        if self.0.len() < 2 {
            return Ok(sent);
        }
        for address in &self.0 {
            let metrics = Metrics::read(address).await?;
            sent.frames += metrics.value("qiguan_cluster_frames_sent_total")?;
            sent.messages += metrics.value("qiguan_cluster_messages_sent_total")?;
            sent.texts += metrics.value("qiguan_cluster_texts_sent_total")?;
        }
        Ok(sent)
    }
}
