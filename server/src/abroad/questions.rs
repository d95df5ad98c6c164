//! What programs ask each other, and what they reply. Nothing is asked twice: who gets no reply in time does without.

use std::{collections::BTreeMap, sync::Arc};

use qiguan_store::nodes::Incarnation;
use tokio::sync::mpsc::UnboundedSender;

use crate::{
    abroad::{Abroad, node_message::NodeMessage},
    room::hub::Hub,
    services::{
        Services,
        programs::{Question, Reply, Whom},
    },
};

/// Questions that are not replied to yet.
#[derive(Default)]
pub(super) struct Questions {
    last: u64,
    waiting: BTreeMap<u64, (Incarnation, UnboundedSender<Reply>)>,
}

impl Questions {
    /// A number for a question to a program.
    fn number(&mut self, of: Incarnation, replies: &UnboundedSender<Reply>) -> u64 {
        // Of many nobody waits for a reply any more.
        self.waiting.retain(|_, (_, replies)| !replies.is_closed());
        self.last += 1;
        self.waiting.insert(self.last, (of, replies.clone()));
        self.last
    }

    /// What was asked of a program may be lost, or the reply.
    pub(super) fn forget(&mut self, node: Incarnation) {
        self.waiting.retain(|_, (of, _)| *of != node);
    }
}

impl Abroad {
    /// From now on services can ask other programs, and those can ask about games of this one.
    pub(super) fn asks_for(self: &Arc<Self>, hub: &Hub) {
        let services = hub.services();
        let weak = hub.downgrade();
        services.programs.known_by(move |game| {
            let hub = weak.upgrade();
            Box::pin(async move { hub?.unstored_here(game).await })
        });
        let abroad = Arc::downgrade(self);
        services.programs.through(move |whom, question, replies| {
            if let Some(abroad) = abroad.upgrade() {
                abroad.put(whom, question, replies);
            }
        });
    }

    fn put(&self, whom: Whom, question: &Question, replies: &UnboundedSender<Reply>) {
        let nodes = match whom {
            Whom::All => self.links.all().iter().map(|link| link.node()).collect(),
            Whom::One(node) => vec![node],
        };
        for node in nodes {
            // Of one that can't be heard there is no reply.
            if let Some(link) = self.links.to(node) {
                let number = self.questions.lock().number(node, replies);
                let question = question.clone();
                link.send(&NodeMessage::Question { number, question });
            }
        }
    }

    /// Another program asks.
    pub(super) fn is_asked(
        &self,
        services: &Arc<Services>,
        from: Incarnation,
        number: u64,
        question: Question,
    ) {
        let Some(way) = self.links.to(from).map(|link| link.way()) else {
            return;
        };
        let services = Arc::clone(services);
        tokio::spawn(async move {
            let reply = services.answer(question).await;
            way.send(&NodeMessage::Reply { number, reply });
        });
    }

    /// Another program has replied.
    pub(super) fn is_replied(&self, from: Incarnation, number: u64, reply: Reply) {
        let mut questions = self.questions.lock();
        let asked = questions.waiting.get(&number);
        if asked.is_none_or(|(of, _)| *of != from) {
            return;
        }
        if let Some((_, replies)) = questions.waiting.remove(&number) {
            // Nobody may wait for it any more.
            drop(replies.send(reply));
        }
    }
}
