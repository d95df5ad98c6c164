//! Very many games, written as they stand in lists.

use anyhow::{Result, ensure};
use qiguan::{
    room::event::{Body, Created, Event, Player},
    store::store::{Append, Entry, GameSummary, Store},
};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Ply, Seq},
    names::{Rating, Status, Visibility},
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{BySeat, EndReason, Outcome, Seat};
use uuid::Uuid;

/// When the first game was opened.
const BEGINNING: i64 = 1_500_000_000_000;
/// Milliseconds from one game to the next: a million of them are three years.
const APART: i64 = 100_000;
/// So many games are written at once.
const TOGETHER: u32 = 2_000;
/// The rule sets; those that stand here more than once are played more.
const RULESETS: [&str; 8] = [
    "xiangqi/standard",
    "xiangqi/standard",
    "xiangqi/standard",
    "xiangqi/grunfeld",
    "doushouqi/booklet",
    "doushouqi/ancientchess",
    "luzhanqi/referee",
    "luzhanqi/showdown",
];

/// Writes so many games.
///
/// # Errors
/// When one is refused.
pub(super) async fn fill(store: &dyn Store, games: u32) -> Result<()> {
    let mut next = 0;
    while next < games {
        let until = games.min(next + TOGETHER);
        let batches: Vec<Append> = (next..until).map(game).collect();
        let stored = store.append_unrated(&batches).await;
        ensure!(stored.iter().all(Result::is_ok), "{:?}", stored.first());
        next = until;
    }
    Ok(())
}

/// Somebody.
pub(super) fn player(number: u32) -> Player {
    let id = PlayerId(Uuid::from_u128(u128::from(number) + 1));
    Player::named(id, format!("Player {number}"))
}

/// When a game was opened.
pub(super) fn opened(number: u32) -> Millis {
    Millis(BEGINNING + i64::from(number) * APART)
}

/// A game: chance that is the same in every run decides on it.
fn game(number: u32) -> Append {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (u64::from(number) + 1));
    let at = opened(number);
    let clock = Clock::Fischer {
        initial_ms: Millis(300_000),
        increment_ms: Millis(3_000),
    };
    let time_control = TimeControl {
        clock,
        absence_ms: None,
        setup_ms: None,
    };
    // Few play much: who comes later in the list plays less.
    let someone =
        |dice: &mut Dice| dice.below(20_000).min(dice.below(20_000)) * dice.below(100) / 99;
    let first = someone(&mut dice);
    let second = someone(&mut dice);
    let second = if first == second { second + 1 } else { second };
    let seated = |dice: &mut Dice, number: u32| Player {
        rating: Some(Rating {
            value: 1_000 + dice.below(750) as i32 + dice.below(750) as i32,
            provisional: false,
        }),
        ..player(number)
    };
    let players = BySeat {
        first: Some(seated(&mut dice, first)),
        second: Some(seated(&mut dice, second)),
    };
    let ruleset = RULESETS[dice.below(RULESETS.len() as u32) as usize].to_owned();
    let visibility = match dice.below(10) {
        0 => Visibility::Link,
        _ => Visibility::Public,
    };
    let rated = dice.below(3) > 0;
    let game = GameId(Uuid::from_u128(u128::from(number) + (1 << 100)));
    let command = CommandId(Uuid::from_u128(u128::from(number)));
    let created = Created {
        ruleset: ruleset.clone(),
        options: Vec::new(),
        time_control,
        visibility,
        seat: Seat::First,
        player: player(first),
        rated,
        invited: None,
    };
    let event = Event {
        seq: Seq(1),
        at,
        command: Some(command),
        body: Body::Created(Box::new(created)),
    };
    let summary = GameSummary {
        game,
        ruleset,
        options: Vec::new(),
        time_control,
        visibility,
        rated,
        invited: None,
        status: Status::Ended,
        created_by: Some((player(first).id, command)),
        players,
        outcome: Some(outcome(&mut dice)),
        ended_by: None,
        plies: Some(Ply(10 + dice.below(120) + dice.below(120))),
        created_at: at,
        ended_at: Some(at + Millis(900_000)),
    };
    Append {
        cause: "bench",
        entries: vec![Entry {
            game,
            events: vec![event],
            summary: Some(summary),
        }],
    }
}

fn outcome(dice: &mut Dice) -> Outcome {
    let winner = if dice.below(2) == 0 {
        Seat::First
    } else {
        Seat::Second
    };
    let (winner, reason) = match dice.below(1_000) {
        0 => (None, EndReason::Repetition),
        1..40 => (None, EndReason::Agreement),
        40..80 => (None, EndReason::Aborted),
        80..300 => (Some(winner), EndReason::Timeout),
        _ => (Some(winner), EndReason::Resignation),
    };
    Outcome { winner, reason }
}

/// Numbers that look like chance.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % bound.max(1)
    }
}
