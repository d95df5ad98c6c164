//! The events of a game as columns: a move is two squares and a time, everything else the text that it was. What follows from what is
//! before (whose turn it is, the number of the ply, when a move was made) takes no place.

use qiguan_game::event::Body;
use qiguan_protocol::ids::{CommandId, Millis, Ply, Seq};
use qiguan_rules::{Move, Seat, Square};
use uuid::Uuid;

use super::bytes::{Reader, put, put_signed};
use crate::{codec, stored::StoredEvent};

/// A square is a byte: so many on each rank. Whatever the boards of the rules become, what is written keeps its meaning.
const FILES: u8 = 9;
/// A square of a higher rank, or beyond these files, is not written as a byte: its move stays a text.
const RANKS: u8 = 28;
/// The ids of so many of the newest commands are kept, beside that of the first event.
const COMMANDS: usize = 4;

/// A move, as everything before lets expect it.
const EXPECTED: u8 = 0;
/// The event is kept as its text.
const TEXT: u8 = 1;
/// The seat that has just moved moves again.
const SAME_SEAT: u8 = 2;
/// The ply is not the next one; which it is, is kept.
const OTHER_PLY: u8 = 4;
/// The move has a lag.
const LAG: u8 = 8;

/// What is read of one event after the other while a game is written and read.
struct Turn {
    seat: Seat,
    ply: u32,
    at: i64,
}

impl Turn {
    const fn first() -> Self {
        Self {
            seat: Seat::First,
            ply: 1,
            at: 0,
        }
    }

    /// Notes a move.
    const fn moved(&mut self, seat: Seat, ply: u32) {
        self.seat = seat.other();
        self.ply = ply.wrapping_add(1);
    }
}

/// A move that is written as one.
struct Moved {
    seat: Seat,
    ply: u32,
    mv: Move,
    spent: i64,
    lag: i64,
}

impl Moved {
    /// The move of an event; none for any other event, and if the text is not what this program writes for the move.
    fn of(event: &StoredEvent) -> Option<Self> {
        let body = codec::decode(&event.body).ok()?;
        let Body::Moved {
            seat,
            ply,
            mv,
            spent,
            lag,
        } = &body
        else {
            return None;
        };
        let moved = Self {
            seat: *seat,
            ply: ply.0,
            mv: *mv,
            spent: spent.0,
            lag: lag.0,
        };
        let fits = |square: Square| square.file() < FILES && square.rank() < RANKS;
        (fits(mv.from) && fits(mv.to) && moved.text().as_deref() == Some(&event.body))
            .then_some(moved)
    }

    fn text(&self) -> Option<String> {
        codec::encode(&Body::Moved {
            seat: self.seat,
            ply: Ply(self.ply),
            mv: self.mv,
            spent: Millis(self.spent),
            lag: Millis(self.lag),
        })
        .ok()
    }
}

/// All events of a game, the first of which is number 1.
pub(super) fn write(events: &[StoredEvent]) -> Vec<u8> {
    let (mut kinds, mut squares, mut plies) = (Vec::new(), Vec::new(), Vec::new());
    let (mut times, mut spans, mut lags) = (Vec::new(), Vec::new(), Vec::new());
    let mut texts = Vec::new();
    let mut turn = Turn::first();
    for event in events {
        let at = event.at.0;
        let Some(moved) = Moved::of(event) else {
            kinds.push(TEXT);
            put_signed(&mut times, at.wrapping_sub(turn.at));
            put(&mut texts, event.body.len() as u64);
            texts.extend(event.body.as_bytes());
            turn.at = at;
            continue;
        };
        let mut kind = EXPECTED;
        if moved.seat != turn.seat {
            kind |= SAME_SEAT;
        }
        if moved.ply != turn.ply {
            kind |= OTHER_PLY;
            put(&mut plies, moved.ply.into());
        }
        if moved.lag != 0 {
            kind |= LAG;
            put_signed(&mut lags, moved.lag);
        }
        kinds.push(kind);
        for square in [moved.mv.from, moved.mv.to] {
            squares.push(square.rank() * FILES + square.file());
        }
        put_signed(&mut spans, moved.spent);
        // Mostly nothing: a player's time runs from the move before.
        let expected = turn.at.wrapping_add(moved.spent).wrapping_add(moved.lag);
        put_signed(&mut times, at.wrapping_sub(expected));
        turn.at = at;
        turn.moved(moved.seat, moved.ply);
    }
    let mut columns = Vec::new();
    put(&mut columns, events.len() as u64);
    for column in [&kinds, &squares, &times, &spans, &plies, &lags] {
        put(&mut columns, column.len() as u64);
    }
    write_commands(&mut columns, events);
    columns.extend(texts);
    for column in [kinds, times, spans, plies, lags, squares] {
        columns.extend(column);
    }
    columns
}

/// The ids of the commands that are kept: how many, and each behind the number of its event, from the end.
fn write_commands(to: &mut Vec<u8>, events: &[StoredEvent]) {
    let with_command = events.iter().enumerate().rev();
    let mut kept: Vec<_> = with_command
        .filter_map(|(place, event)| Some((place, event.command?)))
        .collect();
    let first = kept.pop_if(|(place, _)| *place == 0);
    kept.truncate(COMMANDS);
    kept.extend(first);
    put(to, kept.len() as u64);
    for (place, command) in kept {
        put(to, (events.len() - 1 - place) as u64);
        to.extend(command.0.as_bytes());
    }
}

/// The events that were written; none if this was never written.
pub(super) fn read(columns: &[u8]) -> Option<Vec<StoredEvent>> {
    let mut reader = Reader(columns);
    let count = reader.count()?;
    let mut lengths = [0; 6];
    for length in &mut lengths {
        *length = reader.count()?;
    }
    let commands = read_commands(&mut reader, count)?;
    let texts_length = reader.0.len().checked_sub(lengths.iter().sum())?;
    let [kinds, squares, times, spans, plies, lags] = lengths;
    let mut texts = Reader(reader.bytes(texts_length)?);
    let mut kinds = Reader(reader.bytes(kinds)?);
    let mut times = Reader(reader.bytes(times)?);
    let mut spans = Reader(reader.bytes(spans)?);
    let mut plies = Reader(reader.bytes(plies)?);
    let mut lags = Reader(reader.bytes(lags)?);
    let mut squares = Reader(reader.bytes(squares)?);

    let mut events = Vec::with_capacity(count);
    let mut turn = Turn::first();
    for number in 1..=u32::try_from(count).ok()? {
        let kind = kinds.byte()?;
        let since = times.signed()?;
        let body = if kind == TEXT {
            turn.at = turn.at.wrapping_add(since);
            let length = texts.count()?;
            String::from_utf8(texts.bytes(length)?.to_vec()).ok()?
        } else {
            let moved = Moved {
                seat: if kind & SAME_SEAT == 0 {
                    turn.seat
                } else {
                    turn.seat.other()
                },
                ply: if kind & OTHER_PLY == 0 {
                    turn.ply
                } else {
                    u32::try_from(plies.number()?).ok()?
                },
                mv: Move {
                    from: square(squares.byte()?)?,
                    to: square(squares.byte()?)?,
                },
                spent: spans.signed()?,
                lag: if kind & LAG == 0 { 0 } else { lags.signed()? },
            };
            turn.at = turn.at.wrapping_add(moved.spent).wrapping_add(moved.lag);
            turn.at = turn.at.wrapping_add(since);
            turn.moved(moved.seat, moved.ply);
            moved.text()?
        };
        events.push(StoredEvent {
            seq: Seq(number),
            at: Millis(turn.at),
            command: None,
            body,
        });
    }
    for (place, command) in commands {
        events.get_mut(place)?.command = Some(command);
    }
    Some(events)
}

fn read_commands(reader: &mut Reader<'_>, events: usize) -> Option<Vec<(usize, CommandId)>> {
    let mut commands = Vec::new();
    for _ in 0..reader.count()? {
        let from_end = usize::try_from(reader.number()?).ok()?;
        let id = Uuid::from_slice(reader.bytes(16)?).ok()?;
        let place = events.checked_sub(1)?.checked_sub(from_end)?;
        commands.push((place, CommandId(id)));
    }
    Some(commands)
}

fn square(number: u8) -> Option<Square> {
    Square::new(number % FILES, number / FILES)
}
