//! The verdict on a whole game as the protocol sends it.

use qiguan_protocol::{
    exported::{Verification, Wrong},
    ids::{GameId, Ply},
};

use super::validate;
use crate::event::{Body, Event};

/// What comes of playing a game again. Names no secret.
pub fn verify(game: GameId, events: Vec<Event>) -> Verification {
    let begun = events.iter().any(|event| {
        matches!(
            &event.body,
            Body::Started {
                setups: Some(_),
                ..
            }
        )
    });
    let count = events.len() as u32;
    let plies = events
        .iter()
        .fold(Ply(0), |ply, event| event.body.ply_after(ply));
    let judged = validate(game, events);
    Verification {
        game,
        holds: judged.is_ok(),
        events: count,
        plies,
        // Its audit compares the setups with what was committed to.
        setups: begun.then_some(judged.is_ok()),
        wrong: judged.err().map(|divergence| Wrong {
            seq: divergence.seq,
            what: divergence.what,
        }),
    }
}
