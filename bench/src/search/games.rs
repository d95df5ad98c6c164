//! Very many games, written as they stand in lists.

use anyhow::{Result, ensure};
use qiguan_game::{
    event::{Body, Created, Event, Player},
    position_key::{OpeningEntry, PositionKey, VERSION},
    record::{Entry, GameSummary},
};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Ply, Seq},
    names::{Rating, Status, Visibility},
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{BySeat, EndReason, Move, Outcome, Seat};
use qiguan_store::{
    openings::Counted,
    store::{Append, Store},
};
use uuid::Uuid;

/// When the first game was opened.
const BEGINNING: i64 = 1_500_000_000_000;
/// Milliseconds from one game to the next: a million of them are three years.
const APART: i64 = 100_000;
/// So many moves of each game are counted.
const COUNTED: usize = 5;
/// So many games are written at once.
const TOGETHER: u32 = 500;
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

/// Writes so many games, and counts how they have begun.
///
/// # Errors
/// When one is refused.
pub(super) async fn fill(store: &Store, games: u32) -> Result<()> {
    let mut next = 0;
    let count = store.openings(VERSION).await?;
    while next < games {
        let until = games.min(next + TOGETHER);
        let batches: Vec<Append> = (next..until).map(game).collect();
        let stored = store.append_imported(&batches).await;
        ensure!(stored.iter().all(Result::is_ok), "{:?}", stored.first());
        let summaries = batches.iter().flat_map(|batch| &batch.entries);
        let summaries = summaries.filter_map(|entry| entry.summary.as_ref());
        let counted = summaries.filter_map(counted).collect();
        ensure!(store.count_openings(count, counted).await?, "recounted");
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
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (u64::from(number) + 1));
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
    let someone = |random: &mut Random| {
        random.below(20_000).min(random.below(20_000)) * random.below(100) / 99
    };
    let first = someone(&mut random);
    let second = someone(&mut random);
    let second = if first == second { second + 1 } else { second };
    let seated = |random: &mut Random, number: u32| Player {
        rating: Some(Rating {
            value: 1_000 + random.below(750) as i32 + random.below(750) as i32,
            provisional: false,
        }),
        ..player(number)
    };
    let players = BySeat {
        first: Some(seated(&mut random, first)),
        second: Some(seated(&mut random, second)),
    };
    let ruleset = RULESETS[random.below(RULESETS.len() as u32) as usize].to_owned();
    let visibility = match random.below(10) {
        0 => Visibility::Link,
        _ => Visibility::Public,
    };
    let rated = random.below(3) > 0;
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
        spectator_delay: None,
        start: None,
        practice: false,
        bounded: true,
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
        start: None,
        time_control,
        visibility,
        rated,
        invited: None,
        status: Status::Ended,
        created_by: Some((player(first).id, command)),
        players,
        outcome: Some(outcome(&mut random)),
        ended_by: None,
        plies: Some(Ply(10 + random.below(120) + random.below(120))),
        created_at: at,
        ended_at: Some(at + Millis(900_000)),
    };
    Append {
        cause: "bench",
        audit_entry: None,
        commands: Vec::new(),
        quotas: Vec::new(),
        entries: vec![Entry {
            game,
            events: vec![event],
            summary: Some(summary),
        }],
    }
}

/// The position after these moves of the bench, each a number.
pub(super) fn position(ruleset: &str, moves: &[u32]) -> PositionKey {
    let mut key = u128::from(ruleset.len() as u64) << 64;
    for byte in ruleset.bytes().map(u32::from).chain(moves.iter().copied()) {
        key = (key ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    PositionKey(Uuid::from_u128(key))
}

/// What a game adds to the count of openings: some moves, of which some are played much more than others.
fn counted(game: &GameSummary) -> Option<Counted> {
    let outcome = game.outcome?;
    let counts = game.visibility == Visibility::Public && outcome.reason != EndReason::Aborted;
    if !counts {
        return None;
    }
    let mut random = Random(0x2545_f491_4f6c_dd1d ^ (game.game.0.as_u128() as u64 + 1));
    let mut moves = Vec::new();
    let mut steps = Vec::new();
    for _ in 0..=COUNTED {
        let key = position(&game.ruleset, &moves);
        let played = random.below(30).min(random.below(30));
        let name = format!("a{}b{}", played / 10 + 1, played % 10 + 1);
        steps.push((key, Some(name.parse::<Move>().ok()?.into())));
        moves.push(played);
    }
    Some(Counted {
        game: game.game,
        line: Some(OpeningEntry {
            game: game.game,
            opened_at: game.created_at,
            winner: outcome.winner,
            ratings: Some(3_000),
            steps,
        }),
    })
}

fn outcome(random: &mut Random) -> Outcome {
    let winner = if random.below(2) == 0 {
        Seat::First
    } else {
        Seat::Second
    };
    let (winner, reason) = match random.below(1_000) {
        0 => (None, EndReason::Repetition),
        1..40 => (None, EndReason::Agreement),
        40..80 => (None, EndReason::Aborted),
        80..300 => (Some(winner), EndReason::Timeout),
        _ => (Some(winner), EndReason::Resignation),
    };
    Outcome { winner, reason }
}

/// Numbers that look like chance.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % bound.max(1)
    }
}
