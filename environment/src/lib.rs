//! The world outside: time and chance. Everything else gets both as arguments; this crate alone may read the clock and
//! draw random numbers, and clippy's list of disallowed methods keeps it so.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the one place where time and chance enter"
)]

mod clock;
pub mod planted;

pub use clock::{Clock, Reading};

use std::{
    sync::{Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use qiguan_protocol::{
    audit::AuditId,
    ids::{AnalysisId, CommandId, Epoch, GameId, Millis, PlayerId, SeekId, Token},
    report::ReportId,
};
use qiguan_rules::Seat;
use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{RngCore, SeedableRng},
};
use uuid::Uuid;

fn wall_clock() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Millis(since.map_or(0, |span| span.as_millis() as i64))
}

/// How many cores there are for work.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The time in the first id that follows from a seed; each later one is a millisecond after the one before.
const SEEDED_TIME: i64 = 1_800_000_000_000;

/// Ids, tokens and draws: all from the operating system's randomness, or all from a seed.
#[derive(Clone, Copy)]
pub struct Random(Option<&'static Mutex<Seeded>>);

/// What follows from a seed.
struct Seeded {
    numbers: Xoshiro256PlusPlus,
    /// The time in the last id.
    time: i64,
}

impl Random {
    /// The operating system's randomness.
    pub const fn system() -> Self {
        Self(None)
    }

    /// What follows from a seed, for simulations: the same draws in the same order, and times in ids that the wall clock has no part in. Nothing
    /// of it is secret. All copies share one sequence; it is never freed, so that they can be copied as those of the system can: 40 bytes for
    /// each call.
    pub fn seeded(seed: u64) -> Self {
        let seeded = Seeded {
            numbers: Xoshiro256PlusPlus::seed_from_u64(seed),
            time: SEEDED_TIME,
        };
        Self(Some(Box::leak(Box::new(Mutex::new(seeded)))))
    }

    /// A new game's id. It begins with the time, so that ids sort by it; the 74 other bits are random, since the id of a game by link
    /// is all that keeps it from strangers. What follows from a seed has a time of its own.
    pub fn game_id(self, now: Millis) -> GameId {
        match self.0 {
            None => Self::game_id_at(now),
            Some(_) => GameId(self.dated_id()),
        }
    }

    fn game_id_at(at: Millis) -> GameId {
        let drawn = Uuid::new_v4().into_bytes();
        let mut random = [0; 10];
        // What a version 4 UUID fixes is in the bytes 6 and 8.
        random[..6].copy_from_slice(&drawn[..6]);
        random[6..].copy_from_slice(&drawn[9..13]);
        GameId(dated(at.0, &random))
    }

    /// The id of a new entry of the audit log.
    pub fn audit_id(self) -> AuditId {
        AuditId(self.dated_id())
    }

    /// A new report's id.
    pub fn report_id(self) -> ReportId {
        ReportId(self.dated_id())
    }

    /// What a process is called among those on the same record.
    pub fn node(self) -> Uuid {
        self.id()
    }

    /// A new player's id.
    pub fn player_id(self) -> PlayerId {
        PlayerId(self.dated_id())
    }

    /// A new seek's id.
    pub fn seek_id(self) -> SeekId {
        SeekId(self.dated_id())
    }

    /// A new id of a shared analysis: all of it is random, since it is all that keeps the analysis from strangers.
    pub fn analysis_id(self) -> AnalysisId {
        AnalysisId(self.id())
    }

    /// A new command's id (terminal client, and games opened by a rematch).
    pub fn command_id(self) -> CommandId {
        CommandId(self.id())
    }

    /// A new record's number.
    pub fn epoch(self) -> Epoch {
        Epoch((self.number() >> 33) as u32)
    }

    /// A new token: 256 random bits.
    ///
    /// # Errors
    /// When the operating system has no randomness to give; no token is better than a guessable one.
    pub fn token(self) -> Result<Token, getrandom::Error> {
        let bytes: [u8; 32] = self.bytes()?;
        Ok(Token::new(format!("qg_{}", URL_SAFE_NO_PAD.encode(bytes))))
    }

    /// The id of a browser's mark: 128 random bits.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn mark_id(self) -> Result<[u8; 16], getrandom::Error> {
        self.bytes()
    }

    /// 32 random bytes, to keep a commitment from being guessed.
    ///
    /// # Errors
    /// When the operating system has no randomness to give; no salt is better than a guessable one.
    pub fn salt(self) -> Result<[u8; 32], getrandom::Error> {
        self.bytes()
    }

    /// One of the two seats.
    pub fn seat(self) -> Seat {
        if self.number() & 1 == 0 {
            Seat::First
        } else {
            Seat::Second
        }
    }

    /// A number below `bound`: for the setups that are drawn, funny names, and spreading out reconnects.
    pub fn below(self, bound: u32) -> u32 {
        (((self.number() & 0xffff_ffff) * u64::from(bound)) >> 32) as u32
    }

    fn number(self) -> u64 {
        // The first half of a version 4 UUID holds 60 random bits; the fixed four lie in the middle of its low half.
        let (high, low) = self.id().as_u64_pair();
        high ^ low.rotate_left(32)
    }

    /// An id that is random in all its bits.
    fn id(self) -> Uuid {
        match self.drawn() {
            None => Uuid::new_v4(),
            Some((_, bytes)) => uuid::Builder::from_random_bytes(bytes).into_uuid(),
        }
    }

    /// An id that begins with the time.
    fn dated_id(self) -> Uuid {
        match self.drawn() {
            None => Uuid::now_v7(),
            Some((time, bytes)) => dated(time, &bytes),
        }
    }

    fn bytes<const N: usize>(self) -> Result<[u8; N], getrandom::Error> {
        match self.drawn() {
            None => {
                let mut bytes = [0; N];
                getrandom::fill(&mut bytes)?;
                Ok(bytes)
            }
            Some((_, bytes)) => Ok(bytes),
        }
    }

    /// The next time and bytes of a seed; none from the operating system.
    fn drawn<const N: usize>(self) -> Option<(i64, [u8; N])> {
        let mut seeded = self.0?.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = [0; N];
        seeded.numbers.fill_bytes(&mut bytes);
        seeded.time += 1;
        Some((seeded.time, bytes))
    }
}

fn dated(millis: i64, random: &[u8; 10]) -> Uuid {
    uuid::Builder::from_unix_timestamp_millis(millis as u64, random).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i2_ids_of_games_opened_in_one_millisecond_have_nothing_in_common_but_the_time() {
        let at = Millis(1_795_000_000_123);
        let ids: Vec<u128> = (0..256)
            .map(|_| Random::game_id_at(at).0.as_u128())
            .collect();
        let differ = ids.windows(2).fold(0, |bits, two| bits | (two[0] ^ two[1]));
        // All but the time, the version and the variant.
        let expected = u128::MAX >> 48 & !(0xf << 76) & !(0b11 << 62);
        assert_eq!(differ, expected, "{differ:032x}");
        for id in ids {
            let id = Uuid::from_u128(id);
            assert_eq!(id.get_version_num(), 7);
            let (seconds, nanos) = id.get_timestamp().unwrap().to_unix();
            assert_eq!(seconds as i64 * 1_000 + i64::from(nanos) / 1_000_000, at.0);
        }
        assert!(Random::system().game_id(at) < Random::game_id_at(at + Millis(1)));
    }

    /// One draw of everything.
    fn all(random: Random) -> Vec<String> {
        let token = random.token().unwrap();
        let seat = random.seat();
        vec![
            random.game_id(Millis(0)).to_string(),
            random.audit_id().0.to_string(),
            random.report_id().0.to_string(),
            random.node().to_string(),
            random.player_id().0.to_string(),
            random.seek_id().0.to_string(),
            random.analysis_id().0.to_string(),
            random.command_id().0.to_string(),
            random.epoch().0.to_string(),
            token.reveal().to_owned(),
            format!("{:?}", random.mark_id().unwrap()),
            format!("{:?}", random.salt().unwrap()),
            format!("{seat:?}"),
            random.below(1_000_000).to_string(),
        ]
    }

    #[test]
    fn the_same_seed_draws_the_same_and_another_one_other_things() {
        let (first, again, other) = (Random::seeded(7), Random::seeded(7), Random::seeded(8));
        for _ in 0..3 {
            let drawn = all(first);
            assert_eq!(drawn, all(again));
            let others = all(other);
            let same = drawn.iter().zip(&others).filter(|(one, two)| one == two);
            assert!(same.count() <= 1, "the seat alone may be the same");
        }
        // A copy goes on where the other one is.
        let copy = first;
        assert_ne!(all(first), all(copy));
    }

    #[test]
    fn ids_from_a_seed_are_of_the_same_kind_as_others_and_sort_by_a_time_of_their_own() {
        let random = Random::seeded(1);
        assert_eq!(random.command_id().0.get_version_num(), 4);
        let ids = [(); 5].map(|()| random.game_id(Millis(0)));
        assert!(ids.is_sorted());
        for id in ids {
            assert_eq!(id.0.get_version_num(), 7);
            let (seconds, _) = id.0.get_timestamp().unwrap().to_unix();
            assert_eq!(seconds as i64, SEEDED_TIME / 1_000);
        }
    }
}
