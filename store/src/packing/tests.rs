use qiguan_game::event::{Body, Event};
use qiguan_protocol::ids::{CommandId, Millis, Ply, Seq};
use qiguan_rules::Seat;
use uuid::Uuid;

use super::{PackError, UnpackError, pack, unpack};
use crate::{codec, conformance::plain, stored::StoredEvent};

const GAME: Uuid = Uuid::from_u128(7);
/// Of the dictionary of the first format. It never changes: what was packed with it is read with it.
const DICTIONARY_CHECKSUM: u32 = 0x9967_f055;

/// Numbers as by chance.
fn chance(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    *seed >> 33
}

fn event(seq: u32, at: i64, body: Body) -> StoredEvent {
    let command = Some(CommandId(Uuid::from_u128(u128::from(seq) << 64 | 0xabc)));
    StoredEvent::encode(&Event {
        seq: Seq(seq),
        at: Millis(at),
        command,
        body,
    })
    .unwrap()
}

/// A game of so many moves, which take a while each.
fn played(moves: u32) -> Vec<StoredEvent> {
    let mut events: Vec<_> = plain(1).entries[0]
        .events
        .iter()
        .map(|event| StoredEvent::encode(event).unwrap())
        .collect();
    let mut at = 1_790_000_000_000;
    events[0].at = Millis(at);
    let until = Millis(at + 30_000);
    events.push(event(
        2,
        at,
        Body::Started {
            until,
            setups: None,
        },
    ));
    let mut seed = 1;
    for ply in 1..=moves {
        let spent = 500 + (chance(&mut seed) % 9_000) as i64;
        let lag = if ply % 10 == 0 { 80 } else { 0 };
        at += spent + lag;
        let from = format!(
            "{}{}",
            char::from(b'a' + (chance(&mut seed) % 7) as u8),
            1 + chance(&mut seed) % 9
        );
        let body = Body::Moved {
            seat: if ply % 2 == 1 {
                Seat::First
            } else {
                Seat::Second
            },
            ply: Ply(ply),
            mv: format!("{from}{}{}", &from[..1], 1 + chance(&mut seed) % 9)
                .parse()
                .unwrap(),
            spent: Millis(spent),
            lag: Millis(lag),
        };
        events.push(event(ply + 2, at, body));
    }
    events
}

/// The events without the ids of commands that are not kept.
fn as_kept(events: &[StoredEvent]) -> Vec<StoredEvent> {
    let mut events = events.to_vec();
    let last = events.len().saturating_sub(4);
    for (place, event) in events.iter_mut().enumerate() {
        if place > 0 && place < last {
            event.command = None;
        }
    }
    events
}

#[test]
fn what_is_packed_is_read_byte_for_byte() {
    let mut odd = played(9);
    // Seats that do not take turns, plies out of order, times that go back, texts that this program would not write, and no JSON.
    for (place, body) in [
        (3, r#"{"t":"m","s":1,"p":9,"m":"a3a4","ms":-5,"lag":-3}"#),
        (
            4,
            r#"{"t":"m","s":1,"p":4294967295,"m":"i12a1","ms":9223372036854775807}"#,
        ),
        (5, r#"{"t":"m", "s":2,"p":1,"m":"a3a4","ms":1}"#),
        (6, r#"{"t":"m","s":2,"p":1,"m":"a3a4","ms":1,"lag":0}"#),
        (7, "no JSON \u{1f600}"),
        (8, ""),
    ] {
        odd[place].body = body.to_owned();
    }
    odd[4].at = Millis(i64::MIN);
    odd[5].at = Millis(i64::MAX);
    for events in [
        Vec::new(),
        played(0),
        played(1),
        played(2),
        played(300),
        odd,
    ] {
        let row = pack(GAME, &events).unwrap();
        assert_eq!(unpack(GAME, &row), Ok(as_kept(&events)));
        // What goes on is packed once more.
        let mut more = unpack(GAME, &row).unwrap();
        more.push(event(more.len() as u32 + 1, 5, Body::Revealed));
        let again = pack(GAME, &more).unwrap();
        assert_eq!(unpack(GAME, &again), Ok(as_kept(&more)));
    }
}

#[test]
fn a_game_of_eighty_plies_takes_less_than_six_hundred_bytes() {
    let row = pack(GAME, &played(80)).unwrap();
    assert!(row.len() < 600, "{}", row.len());
}

#[test]
fn rows_of_the_first_format_are_read() {
    let row = include_bytes!("tests/first.bin");
    assert_eq!(unpack(GAME, row), Ok(as_kept(&played(20))));
    let row = include_bytes!("tests/first_every_kind.bin");
    assert_eq!(unpack(GAME, row), Ok(as_kept(&every_kind())));
}

#[test]
fn the_dictionary_is_what_it_was() {
    assert_eq!(crc32fast::hash(super::DICTIONARY), DICTIONARY_CHECKSUM);
}

/// An event of every kind that was ever written.
fn every_kind() -> Vec<StoredEvent> {
    let texts = codec::tests::WRITTEN.iter().zip(1..);
    let event = |(text, seq): (&&str, u32)| StoredEvent {
        seq: Seq(seq),
        at: Millis(1_790_000_000_000 + i64::from(seq) * 1_000),
        command: Some(CommandId(Uuid::from_u128(u128::from(seq)))),
        body: (*text).to_owned(),
    };
    texts.map(event).collect()
}

#[test]
fn every_damaged_bit_and_every_cut_is_found() {
    let events = played(30);
    let row = pack(GAME, &events).unwrap();
    for bit in 0..row.len() * 8 {
        let mut damaged = row.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let expected = if bit < 8 {
            UnpackError::Unknown
        } else {
            UnpackError::Damaged
        };
        assert_eq!(unpack(GAME, &damaged), Err(expected), "bit {bit}");
    }
    for length in 0..row.len() {
        let expected = Err(UnpackError::Damaged);
        assert_eq!(unpack(GAME, &row[..length]), expected, "{length} bytes");
    }
    let another = Uuid::from_u128(8);
    assert_eq!(unpack(another, &row), Err(UnpackError::Damaged));
}

#[test]
fn nonsense_with_the_right_checksum_is_an_error_and_takes_no_memory() {
    let columns = super::decompressed(&pack(GAME, &played(30)).unwrap()[super::HEAD..]).unwrap();
    let mut seed = 3;
    for _ in 0..20_000 {
        let mut nonsense = columns.clone();
        for _ in 0..=chance(&mut seed) % 3 {
            let place = chance(&mut seed) as usize % nonsense.len();
            nonsense[place] = chance(&mut seed) as u8;
        }
        nonsense.truncate(1 + chance(&mut seed) as usize % nonsense.len());
        // Whatever it is read as: it comes to an end.
        let _ = super::columns::read(&nonsense);
    }
}

#[test]
fn a_game_with_a_gap_stays_as_it_is() {
    let mut events = played(5);
    events.remove(3);
    assert_eq!(pack(GAME, &events), Err(PackError::Gap(4)));
}
