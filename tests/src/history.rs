//! What the players of a game asked for and what they were shown, held against the record afterwards.
//!
//! Three things can come of what was asked: it was acknowledged, it was refused, or nobody knows (the connection broke). What
//! is unknown may be in the record or not, but once at most; everything else is certain.

use std::collections::{BTreeMap, HashMap, HashSet};

use qiguan_protocol::ids::{CommandId, GameId, Seq};
use serde_json::Value;
use uuid::Uuid;

use crate::{client::Client, record::Stored};

/// The history of one game.
#[derive(Default)]
pub struct History {
    /// Every move that was ever sent.
    asked: HashMap<Uuid, String>,
    /// Those that were acknowledged, under which number.
    acknowledged: HashMap<Uuid, Seq>,
    /// Those that were refused.
    refused: HashSet<Uuid>,
    /// Every event that anybody was shown.
    seen: BTreeMap<u32, Value>,
}

impl History {
    /// A move is sent, perhaps once more.
    pub fn asks(&mut self, command: CommandId, text: &str) {
        self.asked.insert(command.0, text.to_owned());
    }

    /// It was acknowledged; each time with the same number.
    pub fn is_told(&mut self, command: CommandId, seq: Seq) {
        let before = self.acknowledged.insert(command.0, seq);
        assert!(
            before.is_none_or(|before| before == seq),
            "{command} was acknowledged as {before:?}, now as {seq}"
        );
    }

    /// It was refused.
    pub fn is_refused(&mut self, command: CommandId) {
        self.refused.insert(command.0);
    }

    /// Takes note of the events that a client was sent; what one has seen nobody sees otherwise.
    pub fn saw(&mut self, client: &Client, game: GameId) {
        for text in &client.received {
            let value: Value = serde_json::from_str(text).expect("the server speaks JSON");
            let missed = value["ok"]["events"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            for event in missed.into_iter().chain([value]) {
                if event["game"] != game.to_string() || !event["event"].is_object() {
                    continue;
                }
                let seq = event["seq"].as_u64().expect("a number") as u32;
                let before = self
                    .seen
                    .entry(seq)
                    .or_insert_with(|| event["event"].clone());
                for field in ["type", "seat", "ply", "move"] {
                    assert_eq!(
                        before[field], event["event"][field],
                        "event {seq} was shown in two ways"
                    );
                }
            }
        }
    }

    /// How many moves were acknowledged.
    pub fn moves(&self) -> usize {
        self.acknowledged.len()
    }

    /// How many events anybody was shown.
    pub fn shown(&self) -> usize {
        self.seen.len()
    }

    /// How many moves were sent and neither acknowledged nor refused.
    pub fn unknown(&self) -> usize {
        self.asked.len() - self.acknowledged.len() - self.refused.len()
    }

    /// Holds the history against the record. Of a game that is packed the ids of older commands are forgotten: there the number of the
    /// event counts.
    ///
    /// # Panics
    /// When an acknowledged move is missing, a move is there twice, one was refused or never asked for, or somebody was
    /// shown what is not there.
    pub fn check(&self, record: &[Stored], when: &str) {
        let mut stored = HashMap::new();
        let mut forgotten = BTreeMap::new();
        for event in record.iter().filter(|event| event.body["t"] == "m") {
            let text = event.body["m"].as_str().expect("a move is a text");
            let Some(command) = event.command else {
                forgotten.insert(event.seq, text);
                continue;
            };
            let doubled = stored.insert(command, event).is_some();
            assert!(!doubled, "{when}: move {command} is stored twice");
            assert_eq!(
                self.asked.get(&command).map(String::as_str),
                Some(text),
                "{when}: move {command} was never asked for so"
            );
            assert!(
                !self.refused.contains(&command),
                "{when}: move {command} was refused"
            );
        }
        for (command, seq) in &self.acknowledged {
            if let Some(event) = stored.get(command) {
                assert!(
                    event.seq <= seq.0,
                    "{when}: {command} was acknowledged as {seq}"
                );
                continue;
            }
            // What ends the game with the move has a later number.
            let last = forgotten.range(..=seq.0).next_back();
            let last = last.map(|(seq, text)| (*seq, *text));
            let (at, text) =
                last.unwrap_or_else(|| panic!("{when}: acknowledged move {command} is lost"));
            assert_eq!(self.asked[command], text, "{when}: {command} is lost");
            forgotten.remove(&at);
        }
        // What is left was sent, and nobody learned what came of it.
        let unknown = self.asked.iter().filter(|(command, _)| {
            !self.acknowledged.contains_key(command)
                && !self.refused.contains(command)
                && !stored.contains_key(command)
        });
        let mut unknown: Vec<_> = unknown.map(|(_, text)| text.as_str()).collect();
        for (seq, text) in forgotten {
            let place = unknown.iter().position(|asked| *asked == text);
            let place = place.unwrap_or_else(|| panic!("{when}: nobody asked for move {seq}"));
            unknown.swap_remove(place);
        }
        for (seq, seen) in &self.seen {
            let event = record.get(*seq as usize - 1);
            let event = event
                .unwrap_or_else(|| panic!("{when}: event {seq} was seen and is not there: {seen}"));
            let kind = if event.body["t"] == "m" {
                "moved"
            } else {
                event.body["t"].as_str().expect("a kind")
            };
            assert_eq!(seen["type"], kind, "{when}: event {seq}");
            if kind == "moved" {
                assert_eq!(seen["move"], event.body["m"], "{when}: event {seq}");
            }
        }
    }
}
