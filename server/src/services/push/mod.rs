//! Web Push: what a player's devices are told while no page is open. The push service of a browser's maker carries the messages; it sees
//! when one is sent, and not what it says ([docs/push.md](../../../../docs/push.md)).

pub mod device;
mod encryption;
mod posting;
mod sending;
mod vapid;

use std::{str::FromStr, sync::Arc};

use anyhow::Context;
use qiguan_environment::{Clock, Random};
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId, SessionId},
    push::PushKind,
};
use qiguan_store::{push::PushSecret, store::Store};
use tokio::sync::mpsc;

use self::{
    device::Reach,
    posting::Poster,
    sending::{Sender, dropped},
    vapid::ServerKey,
};

/// How many notices may wait for the task that sends them.
const WAITING: usize = 1_024;

/// How the operator can be reached: an address of e-mail or of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact(String);

/// What a contact has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an address that begins with mailto: or https://, such as mailto:games@example.org"
)]
pub struct BadContact;

impl FromStr for Contact {
    type Err = BadContact;

    fn from_str(text: &str) -> Result<Self, BadContact> {
        let is_known = ["mailto:", "https://"].iter().any(|start| {
            text.strip_prefix(start)
                .is_some_and(|rest| !rest.is_empty())
        });
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_known && is_plain {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadContact)
        }
    }
}

impl Contact {
    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How messages are sent.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where they may go.
    pub reach: Reach,
    /// How makers of browsers reach the operator.
    pub contact: Option<Contact>,
}

/// Something that a player's devices are told.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Whose devices.
    pub player: PlayerId,
    /// Only the device of this session; none for all.
    pub session: Option<SessionId>,
    /// What it is about.
    pub kind: PushKind,
    /// The game.
    pub game: GameId,
    /// The name of the other player.
    pub opponent: String,
    /// The rule set.
    pub ruleset: String,
    /// When it became so.
    pub at: Millis,
    /// For how long it is worth telling.
    pub keep: Millis,
}

/// The way to the task that sends messages to devices.
pub struct Push {
    /// None where nothing is sent.
    sending: Option<Sending>,
    reach: Reach,
}

struct Sending {
    queue: mpsc::Sender<Notice>,
    key: Arc<ServerKey>,
}

impl Push {
    /// Where nothing is sent.
    pub const fn off() -> Self {
        Self {
            sending: None,
            reach: Reach::Public,
        }
    }

    /// Starts the task, with the key of the record; a record without one gets one.
    ///
    /// # Errors
    /// When the key can't be read or made.
    pub async fn start(
        store: Arc<Store>,
        clock: Clock,
        random: Random,
        settings: Settings,
    ) -> anyhow::Result<Self> {
        let secret = store.push_secret(drawn(random)?).await;
        let secret = secret.context("the key of Web Push")?;
        let key = ServerKey::of(&secret).context("the record's key of Web Push is no key")?;
        let key = Arc::new(key);
        let (queue, notices) = mpsc::channel(WAITING);
        let sender = Sender {
            store,
            clock,
            random,
            key: Arc::clone(&key),
            contact: settings.contact,
            reach: settings.reach,
            poster: Poster::new(settings.reach),
        };
        tokio::spawn(sending::run(sender, notices));
        Ok(Self {
            sending: Some(Sending { queue, key }),
            reach: settings.reach,
        })
    }

    /// Whether anything is sent.
    pub const fn is_on(&self) -> bool {
        self.sending.is_some()
    }

    /// The public key as browsers take it; none where nothing is sent.
    pub fn public_key(&self) -> Option<&str> {
        self.sending.as_ref().map(|sending| sending.key.public())
    }

    /// Where messages may go.
    pub const fn reach(&self) -> Reach {
        self.reach
    }

    /// Has a player's devices told of something, and waits for nothing. It is left out if too much waits already.
    pub fn tell(&self, notice: Notice) {
        if let Some(sending) = &self.sending
            && sending.queue.try_send(notice).is_err()
        {
            dropped();
        }
    }
}

/// A secret that is a key: of 2^32 draws one is not.
fn drawn(random: Random) -> anyhow::Result<PushSecret> {
    loop {
        let secret = PushSecret(random.salt()?);
        if ServerKey::of(&secret).is_some() {
            return Ok(secret);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_an_address_of_mail_or_of_a_page() {
        for fine in ["mailto:games@example.org", "https://example.org/contact"] {
            assert_eq!(fine.parse::<Contact>().unwrap().as_str(), fine);
        }
        for wrong in [
            "",
            "mailto:",
            "https://",
            "games@example.org",
            "http://example.org",
            "mailto:a b@example.org",
            "https://exämple.org",
        ] {
            assert_eq!(wrong.parse::<Contact>(), Err(BadContact), "{wrong}");
        }
    }
}
