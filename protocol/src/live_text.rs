//! A live event as text for several viewers who know the same: written once, and once more with the moves for the player
//! who is to move.
//!
//! **Invariant:** every text is what serde writes for the [`EventFrame`]; the tests here and the server's debug builds compare
//! them.

use qiguan_rules::Move;

use crate::{event::EventFrame, view::BannedMove};

/// How a text with a position ends: the position's bracket and the frame's. What the player on the move gets in addition
/// stands before them.
const END: &[u8] = b"}}";
/// The longest move with its quotes and a comma.
const MOVE_BYTES: usize = 9;
/// What stands around the lists.
const FRAMING_BYTES: usize = 32;

/// What a frame without moves is as text, with the moves of its position put in; none if it has no position to put them into.
pub fn with_moves(
    frame: &EventFrame,
    text: &str,
    legal: &[Move],
    banned: &[BannedMove],
) -> Option<Vec<u8>> {
    frame.position.as_ref()?;
    let without = text.as_bytes().strip_suffix(END)?;
    let bytes = text.len() + FRAMING_BYTES + legal.len() * MOVE_BYTES;
    let mut text = Vec::with_capacity(bytes);
    text.extend_from_slice(without);
    text.extend_from_slice(b",\"legal\":[");
    for mv in legal {
        push(&mut text, *mv);
    }
    text.pop_if(|last| *last == b',');
    text.push(b']');
    if !banned.is_empty() {
        text.extend_from_slice(b",\"banned\":");
        serde_json::to_writer(&mut text, banned).ok()?;
    }
    text.extend_from_slice(END);
    Some(text)
}

/// Names of squares need no escapes.
fn push(text: &mut Vec<u8>, mv: Move) {
    match (mv.from.name().as_bytes(), mv.to.name().as_bytes()) {
        // Nearly all: a copy of a fixed size costs least.
        ([file, rank], [to_file, to_rank]) => {
            text.extend_from_slice(&[b'"', *file, *rank, *to_file, *to_rank, b'"', b','])
        }
        (from, to) => {
            for part in [b"\"", from, to, b"\","] {
                text.extend_from_slice(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{
        event::GameEvent,
        ids::{GameId, Millis, Ply, Seq},
        move_text::MoveText,
        names::{BanReason, Seat},
        view::{Clocks, Position},
    };

    fn frame(position: Option<Position>) -> EventFrame {
        EventFrame {
            game: GameId(Uuid::from_u128(7)),
            seq: Seq(12),
            at: Millis(1_700_000_000_000),
            event: GameEvent::Started {
                clocks: Clocks {
                    left: None,
                    running: None,
                    held: None,
                    at: Millis(1_700_000_000_000),
                },
                commitments: None,
            },
            position,
        }
    }

    fn position(legal: Option<Vec<MoveText>>, banned: Vec<BannedMove>) -> Position {
        Position {
            fen: "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1".to_owned(),
            ply: Ply(9),
            turn: Seat::First,
            check: false,
            legal,
            banned,
        }
    }

    /// Compares with what serde writes.
    fn check(legal: &[&str], banned: &[&str]) {
        let legal: Vec<Move> = legal.iter().map(|mv| mv.parse().unwrap()).collect();
        let banned: Vec<BannedMove> = banned
            .iter()
            .map(|mv| BannedMove {
                text: mv.parse::<Move>().unwrap().into(),
                reason: BanReason::Repetition,
            })
            .collect();
        let without = frame(Some(position(None, Vec::new())));
        let text = serde_json::to_string(&without).unwrap();
        let put_in = with_moves(&without, &text, &legal, &banned).unwrap();
        let texts = legal.iter().map(|mv| (*mv).into()).collect();
        let whole = frame(Some(position(Some(texts), banned)));
        assert_eq!(
            String::from_utf8(put_in).unwrap(),
            serde_json::to_string(&whole).unwrap()
        );
    }

    #[test]
    fn moves_are_put_in_as_serde_writes_them() {
        check(&[], &[]);
        check(&["a3a4"], &[]);
        check(&["a1b1", "b9b10", "b10c8", "i12a10"], &["d1d2"]);
        check(&[], &["d1d2", "i12i11"]);
    }

    #[test]
    fn a_frame_without_position_takes_no_moves() {
        let frame = frame(None);
        let text = serde_json::to_string(&frame).unwrap();
        assert_eq!(with_moves(&frame, &text, &[], &[]), None);
    }
}
