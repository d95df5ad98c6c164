//! Frames between programs over NATS. It stores nothing and may lose what it carries.

use std::{
    collections::BTreeMap,
    future::Ready,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context;
use async_nats::{Client, ConnectOptions, Event, Subject};
use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use parking_lot::Mutex;
use qiguan_store::nodes::Incarnation;
use tokio::{sync::mpsc, task::JoinHandle};

use crate::cluster::wire::Wire;

/// What the subjects of all programs begin with.
const SUBJECTS: &str = "qiguan";
/// So many frames wait to be read. NATS drops more.
const WAITING: usize = 4_096;
/// So many programs' subjects are remembered.
const SUBJECTS_KNOWN: usize = 256;

/// The longest pause before another attempt to connect: games at other programs stand still until one succeeds.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// How long to wait before an attempt: two milliseconds before the first, then twice as long each time.
fn pause_before(attempt: usize) -> Duration {
    let doublings = u32::try_from(attempt).unwrap_or(u32::MAX);
    let millis = 1_u64.checked_shl(doublings).unwrap_or(u64::MAX);
    Duration::from_millis(millis).min(LONGEST_PAUSE)
}

/// Logs what happens to the connection; of attempts that fail, the first.
fn logging() -> impl Fn(Event) -> Ready<()> {
    let has_failed = AtomicBool::new(false);
    move |event| {
        match event {
            Event::Connected => {
                has_failed.store(false, Ordering::Relaxed);
                tracing::info!("NATS is connected");
            }
            Event::ClientError(error) if has_failed.swap(true, Ordering::Relaxed) => {
                tracing::debug!(%error, "NATS");
            }
            other => tracing::warn!(%other, "NATS"),
        }
        std::future::ready(())
    }
}

/// See the module.
pub struct Nats {
    client: Client,
    /// Where each program receives: a frame goes out with every other move.
    subjects: Mutex<BTreeMap<Incarnation, Subject>>,
    receiving: Mutex<Option<JoinHandle<()>>>,
}

/// How NATS is reached.
pub struct Settings<'a> {
    /// The servers, with commas between them.
    pub servers: &'a str,
    /// A PEM file of certificate authorities to trust, in addition to the system's.
    pub ca: Option<&'a Path>,
    /// The seed of this program's nkey.
    pub nkey: Option<String>,
}

impl Settings<'_> {
    fn options(&self) -> ConnectOptions {
        let options = match &self.nkey {
            Some(seed) => ConnectOptions::with_nkey(seed.clone()),
            None => ConnectOptions::new(),
        };
        match self.ca {
            Some(ca) => options.add_root_certificates(ca.to_owned()),
            None => options,
        }
    }

    fn all(&self) -> Vec<&str> {
        self.servers.split(',').collect()
    }

    /// Connects once, and lets go.
    ///
    /// # Errors
    /// When no server can be reached, or none lets this program in.
    pub async fn check(&self) -> anyhow::Result<()> {
        let client = self.options().name("qiguan").connect(self.all()).await?;
        Ok(client.flush().await?)
    }
}

impl Nats {
    /// Connects, and again whenever the connection breaks; servers that can't be reached now are tried again.
    ///
    /// # Errors
    /// When the settings make no sense.
    pub async fn connect(settings: Settings<'_>) -> anyhow::Result<Arc<Self>> {
        let options = settings
            .options()
            .retry_on_initial_connect()
            .name("qiguan")
            .subscription_capacity(WAITING)
            .reconnect_delay_callback(pause_before)
            .event_callback(logging());
        let client = options.connect(settings.all()).await.context("--nats")?;
        Ok(Arc::new(Self {
            client,
            subjects: Mutex::default(),
            receiving: Mutex::new(None),
        }))
    }
}

impl Nats {
    fn subject(&self, node: Incarnation) -> Subject {
        let mut subjects = self.subjects.lock();
        if subjects.len() > SUBJECTS_KNOWN {
            subjects.clear();
        }
        let subject = subjects.entry(node).or_insert_with(|| {
            let (id, number) = (node.node.simple(), node.number);
            format!("{SUBJECTS}.{id}.{number}").into()
        });
        subject.clone()
    }
}

#[async_trait]
impl Wire for Nats {
    async fn send(&self, to: Incarnation, frame: Vec<u8>) {
        // What can't be sent is lost, which the numbers of the frames tell.
        if let Err(error) = self.client.publish(self.subject(to), frame.into()).await {
            tracing::warn!(%error, "a frame to another program is lost");
        }
    }

    async fn receive(&self, own: Incarnation) -> anyhow::Result<mpsc::Receiver<Bytes>> {
        let mut subscribed = self.client.subscribe(self.subject(own)).await?;
        let (sender, receiver) = mpsc::channel(WAITING);
        let receiving = tokio::spawn(async move {
            while let Some(message) = subscribed.next().await {
                if sender.send(message.payload).await.is_err() {
                    return;
                }
            }
        });
        if let Some(before) = self.receiving.lock().replace(receiving) {
            before.abort();
        }
        Ok(receiver)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        if let Some(receiving) = self.receiving.lock().take() {
            receiving.abort();
        }
    }
}
