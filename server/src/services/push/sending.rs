//! The task that sends messages to devices. Nobody waits for it: what has no place in its queue is left out and counted, and so is what
//! has no place among the messages that wait for slow push services.

use std::{sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::SecretKey;
use qiguan_environment::{Clock, Random};
use qiguan_protocol::{
    ids::Millis,
    push::{PushKind, PushMessage},
};
use qiguan_store::{
    push::PushSubscription,
    store::{Store, StoreError},
};
use tokio::{
    sync::{Semaphore, mpsc},
    task::JoinSet,
};

use super::{
    Contact, Notice,
    device::{self, Reach},
    encryption::{DeviceKeys, MessageKeys, SALT_BYTES},
    posting::{Answer, NotPosted, Post, Poster},
    vapid::ServerKey,
};

/// How many messages may be under way at once, those included that wait to be tried again.
const DELIVERIES: usize = 512;
/// How many push services are spoken to at once.
const CONNECTIONS: usize = 48;
/// How long to wait before each further try, unless the push service says how long.
const AGAIN_AFTER: [Duration; 2] = [Duration::from_secs(5), Duration::from_mins(1)];
/// A push service that asks for more patience than this gets the message never.
const LONGEST_WAIT: Duration = Duration::from_mins(10);
/// A device is removed after so many messages in a row that could not be delivered.
const FAILURES: u32 = 5;
/// Before it is encrypted each message has as many bytes as this, unless its names are very long.
const PADDED: usize = 320;

/// What the task works with.
pub(super) struct Sender {
    pub(super) store: Arc<Store>,
    pub(super) clock: Clock,
    pub(super) random: Random,
    pub(super) key: Arc<ServerKey>,
    pub(super) contact: Option<Contact>,
    pub(super) reach: Reach,
    pub(super) poster: Poster,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delivery {
    Delivered,
    /// There is no such device any more.
    Gone,
    Failed,
}

/// Sends what comes in until nobody can ask for it any more.
pub(super) async fn run(sender: Sender, mut notices: mpsc::Receiver<Notice>) {
    let sender = Arc::new(sender);
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let mut deliveries = JoinSet::new();
    loop {
        let notice = tokio::select! {
            notice = notices.recv() => notice,
            Some(_) = deliveries.join_next() => continue,
        };
        let Some(notice) = notice else {
            return;
        };
        let devices = sender.devices(&notice).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "could not read who is told of something");
            Vec::new()
        });
        let notice = Arc::new(notice);
        for device in devices {
            if deliveries.len() >= DELIVERIES {
                dropped();
                continue;
            }
            let (sender, notice) = (Arc::clone(&sender), Arc::clone(&notice));
            let connections = Arc::clone(&connections);
            deliveries.spawn(async move { sender.deliver(&notice, device, &connections).await });
        }
    }
}

/// A message is left out since there is no place for it.
pub(super) fn dropped() {
    metrics::counter!("qiguan_push_dropped_total").increment(1);
}

impl Sender {
    async fn devices(&self, notice: &Notice) -> Result<Vec<PushSubscription>, StoreError> {
        let now = self.clock.now();
        let store = &self.store;
        store
            .push_subscriptions(notice.player, notice.session, notice.kind, now)
            .await
    }

    /// Sends a message to a device, and notes what became of it.
    async fn deliver(&self, notice: &Notice, device: PushSubscription, connections: &Semaphore) {
        let delivery = self.tries(notice, &device, connections).await;
        let endpoint = device.endpoint;
        let noted = match delivery {
            Delivery::Delivered => {
                metrics::counter!("qiguan_push_delivered_total").increment(1);
                if device.failures == 0 {
                    return;
                }
                self.store.push_delivered(endpoint).await
            }
            Delivery::Gone => {
                metrics::counter!("qiguan_push_gone_total").increment(1);
                self.store.forget_push_endpoint(endpoint).await
            }
            Delivery::Failed => {
                metrics::counter!("qiguan_push_failed_total").increment(1);
                self.store.push_failed(endpoint, FAILURES).await
            }
        };
        if let Err(error) = noted {
            tracing::warn!(%error, "could not note what became of a message to a device");
        }
    }

    async fn tries(
        &self,
        notice: &Notice,
        device: &PushSubscription,
        connections: &Semaphore,
    ) -> Delivery {
        let mut waits = AGAIN_AFTER.into_iter();
        loop {
            let Some(post) = self.post(notice, device) else {
                return Delivery::Failed;
            };
            let answer = {
                let Ok(_permit) = connections.acquire().await else {
                    return Delivery::Failed;
                };
                self.poster.post(post).await
            };
            let asked = match answer {
                Ok(Answer::Taken) => return Delivery::Delivered,
                // What was a public host when it was added may be none any more.
                Ok(Answer::Gone) | Err(NotPosted::NotPublic) => return Delivery::Gone,
                Ok(Answer::Refused(status)) => {
                    tracing::info!(%status, "a push service does not take a message");
                    return Delivery::Failed;
                }
                Ok(Answer::Busy(asked)) => asked,
                Err(error @ NotPosted::Unreachable(_)) => {
                    tracing::info!(%error, "a push service could not be reached");
                    None
                }
            };
            let Some(wait) = waits.next().map(|usual| asked.unwrap_or(usual)) else {
                return Delivery::Failed;
            };
            let is_worth_it = wait <= LONGEST_WAIT
                && self.clock.now() + Millis(wait.as_millis() as i64) < notice.at + notice.keep;
            if !is_worth_it {
                return Delivery::Failed;
            }
            tokio::time::sleep(wait).await;
        }
    }

    /// The message as it is sent; none if it can't be, which no other try changes.
    fn post(&self, notice: &Notice, device: &PushSubscription) -> Option<Post> {
        let url = device::endpoint(&device.endpoint, self.reach).ok()?;
        let keys = DeviceKeys::of(&device.p256dh, &device.auth)?;
        let message = serde_json::to_vec(&PushMessage {
            kind: notice.kind,
            game: notice.game,
            opponent: notice.opponent.clone(),
            ruleset: notice.ruleset.clone(),
            language: device.language.clone(),
            at: notice.at,
        });
        let body = keys.encrypt(&message.ok()?, PADDED, &self.message_keys()?)?;
        let now = self.clock.now();
        let origin = url.origin().ascii_serialization();
        let contact = self.contact.as_ref().map(Contact::as_str);
        Some(Post {
            authorization: self.key.authorization(&origin, contact, now).ok()?,
            url,
            ttl: ((notice.at + notice.keep - now).0.max(0) / 1_000) as u64,
            urgency: match notice.kind {
                PushKind::Turn => "normal",
                // Somebody waits.
                PushKind::Challenge | PushKind::Pairing => "high",
            },
            topic: URL_SAFE_NO_PAD.encode(notice.game.0.as_bytes()),
            body: body.into(),
        })
    }

    /// Keys for one message.
    fn message_keys(&self) -> Option<MessageKeys> {
        let (secret, salt) = (self.random.salt().ok()?, self.random.salt().ok()?);
        let mut half = [0; SALT_BYTES];
        half.copy_from_slice(&salt[..SALT_BYTES]);
        Some(MessageKeys {
            // Of 2^32 draws one is no key; then the message is tried again with the next.
            secret: SecretKey::from_slice(&secret).ok()?,
            salt: half,
        })
    }
}
