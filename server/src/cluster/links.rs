//! What this program says to the others on the record, and hears from them.
//!
//! Messages to a program arrive in their order, each once, or [`Heard::Reset`] tells both sides that some may not have arrived. Nothing here is
//! durable, and nothing has to be: what was lost is asked for again.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use parking_lot::Mutex;
use qiguan_environment::{
    Clock,
    planted::{Fault, is_planted},
};
use qiguan_store::nodes::Incarnation;
use tokio::sync::mpsc;

use crate::cluster::{
    lease::BEAT,
    link::{Heard, Link},
    seal::{Opened, Seal},
    wire::Wire,
};

/// See the module.
pub struct Links {
    wire: Arc<dyn Wire>,
    seal: Seal,
    clock: Clock,
    heard: mpsc::UnboundedSender<Heard>,
    programs: Mutex<Programs>,
}

struct Programs {
    own: Option<Incarnation>,
    links: BTreeMap<Incarnation, Arc<Link>>,
}

impl Links {
    /// With nobody yet. What is heard goes into the channel.
    pub fn new(
        wire: Arc<dyn Wire>,
        seal: Seal,
        clock: Clock,
    ) -> (Arc<Self>, mpsc::UnboundedReceiver<Heard>) {
        let (heard, hearing) = mpsc::unbounded_channel();
        let links = Arc::new(Self {
            wire,
            seal,
            clock,
            heard,
            programs: Mutex::new(Programs {
                own: None,
                links: BTreeMap::new(),
            }),
        });
        (links, hearing)
    }

    /// From now on this program is `own`, and the others are these, each with the version that is spoken with it. Those that are gone count as
    /// lost.
    pub fn are_there(self: &Arc<Self>, own: Incarnation, others: &[(Incarnation, u32)]) {
        let mut programs = self.programs.lock();
        let is_another = programs.own.replace(own) != Some(own);
        // Under the lock, so that nothing of a program comes between, and a way that ends is told before the one that begins.
        let is_there = |node: &Incarnation| others.iter().any(|(other, _)| other == node);
        let gone = |node: &Incarnation| is_another || !is_there(node);
        for (node, _) in programs.links.extract_if(.., |node, _| gone(node)) {
            // To one that is still there another way begins, with a reset of its own.
            if !is_there(&node) {
                self.tell(Heard::Reset(node));
            }
        }
        if is_another {
            tokio::spawn(listen(Arc::downgrade(self), own));
        }
        for (node, version) in others {
            if *node != own && !programs.links.contains_key(node) {
                // Its way begins with a reset.
                let link = Arc::new(Link::to(*node, *version, self.clock.running_for()));
                programs.links.insert(*node, Arc::clone(&link));
                self.tell(Heard::Reset(*node));
                tokio::spawn(write(Arc::downgrade(self), own, Arc::downgrade(&link)));
            }
        }
    }

    /// The way to a program, if it is one of those that are there and can be heard, and no reset of it is still to be [dealt with](Self::is_reset).
    pub fn to(&self, node: Incarnation) -> Option<Arc<Link>> {
        let programs = self.programs.lock();
        let link = programs.links.get(&node)?;
        link.is_open().then(|| Arc::clone(link))
    }

    /// A [`Heard::Reset`] of a program has been dealt with.
    pub fn is_reset(&self, node: Incarnation) {
        if let Some(link) = self.programs.lock().links.get(&node) {
            link.is_reset();
        }
    }

    /// The way to a program that is there, whether it can be heard or not: what is said waits.
    pub fn to_silent(&self, node: Incarnation) -> Option<Arc<Link>> {
        self.programs.lock().links.get(&node).map(Arc::clone)
    }

    /// The ways to all programs, whether they can be heard or not.
    pub fn all(&self) -> Vec<Arc<Link>> {
        self.programs
            .lock()
            .links
            .values()
            .map(Arc::clone)
            .collect()
    }

    /// The ways to all programs that are heard now.
    pub fn heard(&self) -> Vec<Arc<Link>> {
        let mut heard = self.all();
        heard.retain(|link| link.is_heard());
        heard
    }

    /// To how many programs the way is open, and how many bytes wait to be sent to all.
    pub fn load(&self) -> (usize, usize) {
        let links = self.all();
        let open = links.iter().filter(|link| link.is_open()).count();
        (open, links.iter().map(|link| link.waiting_bytes()).sum())
    }

    fn tell(&self, heard: Heard) {
        // At the end of the server nobody hears any more.
        drop(self.heard.send(heard));
    }

    /// A frame has arrived.
    fn arrived(&self, own: Incarnation, frame: &[u8]) {
        let Some(opened) = self.seal.open(own, frame) else {
            metrics::counter!("qiguan_cluster_frames_refused_total").increment(1);
            return;
        };
        let Opened { from, number, body } = opened;
        // Both locks are held until it is told: nothing of a program is told after it has gone, nor in another order than it was said.
        let programs = self.programs.lock();
        // Of one that is not known yet, the next beat tells; what it says counts as lost until then.
        let Some(link) = programs
            .links
            .get(&from)
            .filter(|_| programs.own == Some(own))
        else {
            return;
        };
        let now = self.clock.running_for();
        link.hears(number, &body, now, |heard| self.tell(heard));
    }
}

/// Sends what waits for one program, and that this one is there.
async fn write(links: Weak<Links>, own: Incarnation, link: Weak<Link>) {
    loop {
        let Some((links, link)) = links.upgrade().zip(link.upgrade()) else {
            return;
        };
        // Others may keep a way that has ended.
        let is_it = |it: &Arc<Link>| Arc::ptr_eq(it, &link);
        if !links
            .programs
            .lock()
            .links
            .get(&link.node())
            .is_some_and(is_it)
        {
            return;
        }
        loop {
            link.look_for_silence(links.clock.running_for(), |heard| links.tell(heard));
            let (number, body, more) = link.take(links.clock.running_for());
            if is_planted(Fault::SecretInFrame) {
                links.wire.send(link.node(), body.clone()).await;
            }
            if let Some(frame) = links.seal.seal((own, link.node()), number, &body) {
                // What can't be sent in time is lost, which the next number tells.
                let sent = tokio::time::timeout(BEAT, links.wire.send(link.node(), frame));
                drop(sent.await);
            }
            if !more {
                break;
            }
        }
        drop(links);
        // Whether it was woken or the time is over, something is to be said.
        let woken = tokio::time::timeout(BEAT, link.woken()).await;
        drop((woken, link));
    }
}

/// Receives what is sent to this program, until it is another one.
async fn listen(links: Weak<Links>, own: Incarnation) {
    loop {
        let Some(listening) = links.upgrade() else {
            return;
        };
        // Once it is another one, that listens, and nobody takes its place.
        if listening.programs.lock().own != Some(own) {
            return;
        }
        let received = listening.wire.receive(own).await;
        drop(listening);
        let mut received = match received {
            Ok(received) => received,
            Err(error) => {
                tracing::warn!(%error, "nothing can be received from other programs");
                tokio::time::sleep(BEAT).await;
                continue;
            }
        };
        while let Some(frame) = received.recv().await {
            let Some(links) = links.upgrade() else {
                return;
            };
            if links.programs.lock().own != Some(own) {
                return;
            }
            links.arrived(own, &frame);
        }
    }
}

#[cfg(test)]
mod tests;
