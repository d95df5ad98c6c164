//! Games that are longer than games can become now, as lines of an archive: records from before may hold them.

use qiguan_protocol::ids::GameId;
use serde_json::{Value, json};
use uuid::Uuid;

/// Together they come back after 80 plies, and a position may be there a hundred times.
const FIRST: [&str; 10] = [
    "g3g4", "g4g5", "g5g6", "g6f6", "f6e6", "e6e5", "e5e4", "e4f4", "f4f3", "f3g3",
];
const SECOND: [&str; 8] = [
    "a7a6", "a6a5", "a5a4", "a4b4", "b4b5", "b5b6", "b6b7", "b7a7",
];

/// A game of Dou Shou Qi in which the Rats go round and round for so many plies, and so many lines of chat are said; then one
/// resigns. It was opened before games had a greatest length.
pub struct LongGame {
    /// Its id.
    pub game: GameId,
    /// The number of plies.
    pub plies: u32,
    /// How many lines of chat, of 300 characters each.
    pub lines: u32,
}

impl LongGame {
    /// A game of so many plies.
    pub fn of(plies: u32) -> Self {
        Self {
            game: GameId(Uuid::from_u128(
                0x0190_0000_0000_7000_8000_0000_0000_0000 + u128::from(plies),
            )),
            plies,
            lines: 0,
        }
    }

    /// How many events it has.
    pub const fn events(&self) -> u32 {
        self.plies + self.lines + 4
    }

    /// An archive with this game alone.
    pub fn archive(&self) -> String {
        let player = |number: u128| Uuid::from_u128(number).to_string();
        let mut bodies = vec![
            json!({
                "t": "created", "ruleset": "doushouqi/booklet",
                "options": [["quiet_limit", "0"], ["repetition_limit", "100"]],
                "time_control": {"clock": {"type": "none"}},
                "visibility": "public", "seat": 1, "player": player(1), "name": "First"
            }),
            json!({"t": "joined", "seat": 2, "player": player(2), "name": "Second"}),
            json!({"t": "started", "until": 1_000}),
        ];
        for ply in 1..=self.plies {
            let round = (ply as usize - 1) / 2;
            let (seat, text) = if ply % 2 == 1 {
                (1, FIRST[round % FIRST.len()])
            } else {
                (2, SECOND[round % SECOND.len()])
            };
            bodies.push(json!({"t": "m", "s": seat, "p": ply, "m": text, "ms": 0}));
        }
        let text = "兽".repeat(300);
        bodies.extend((0..self.lines).map(|_| json!({"t": "chat", "seat": 1, "text": text})));
        bodies.push(json!({"t": "ended", "winner": 1, "reason": "resignation", "by": 2}));
        let events: Vec<Value> = bodies
            .into_iter()
            .zip(1..)
            .map(|(body, seq)| json!({"seq": seq, "at": 1_000 + seq, "body": body}))
            .collect();
        let header = json!({"archive": "qiguan", "version": 1, "epoch": 7});
        let game = format!(
            r#"{{"game":"{}","events":{}}}"#,
            self.game,
            Value::from(events)
        );
        format!("{header}\n{game}\n{{\"end\":{{\"players\":0,\"games\":1}}}}\n")
    }
}
