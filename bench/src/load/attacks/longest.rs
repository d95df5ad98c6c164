//! A game as long as a game can be, as an archive.

use serde_json::{Value, json};

/// Its id.
pub(super) const ID: &str = "01900000-0000-7000-8000-000000002000";
/// How many moves it has.
const PLIES: usize = 2_000;
/// The ways on which two Rats go round. Together they come back after 80 plies, and a position may be there a hundred times.
const WALKS: [&str; 2] = [
    "g3g4 g4g5 g5g6 g6f6 f6e6 e6e5 e5e4 e4f4 f4f3 f3g3",
    "a7a6 a6a5 a5a4 a4b4 b4b5 b5b6 b6b7 b7a7",
];

/// The archive.
pub(super) fn archive() -> String {
    let player = |number| format!("00000000-0000-4000-8000-00000000000{number}");
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
    let walks = WALKS.map(|walk| walk.split(' ').cycle());
    let [mut first, mut second] = walks;
    bodies.extend((0..PLIES).map(|ply| {
        let walk = if ply % 2 == 0 {
            &mut first
        } else {
            &mut second
        };
        json!({"t": "m", "s": ply % 2 + 1, "p": ply + 1, "m": walk.next(), "ms": 0})
    }));
    bodies.push(json!({"t": "ended", "winner": 1, "reason": "resignation", "by": 2}));
    let events: Vec<Value> = (1..)
        .zip(bodies)
        .map(|(seq, body)| json!({"seq": seq, "at": 1_000 + seq, "body": body}))
        .collect();
    let header = json!({"archive": "qiguan", "version": 1, "epoch": 7});
    // What kind of line it is stands first.
    let game = format!(r#"{{"game":"{ID}","events":{}}}"#, Value::from(events));
    let end = json!({"end": {"players": 0, "games": 1}});
    format!("{header}\n{game}\n{end}\n")
}
