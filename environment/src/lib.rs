//! The world outside: time and chance. Everything else gets both as arguments; this file alone may read the clock and
//! draw random numbers, and clippy's list of disallowed methods keeps it so.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the one place where time and chance enter"
)]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use qiguan_protocol::{
    audit::AuditId,
    ids::{AnalysisId, CommandId, Epoch, GameId, Millis, PlayerId, SeekId, Token},
    report::ReportId,
};
use qiguan_rules::Seat;
use tokio::time::Instant;
use uuid::Uuid;

/// Server time: the wall clock at the start of the process, carried on by the monotonic clock. It never jumps.
#[derive(Clone, Copy)]
pub struct Clock {
    started: Instant,
    started_at: Millis,
    speed: u32,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::altered(Millis(0), 1)
    }

    /// The machine's clock, read wrong by `offset` and going `speed` times as fast (tests of jumping wall clocks and of long waits).
    pub fn altered(offset: Millis, speed: u32) -> Self {
        Self {
            started: Instant::now(),
            started_at: wall_clock() + offset,
            speed: speed.max(1),
        }
    }

    /// The server time.
    pub fn now(&self) -> Millis {
        self.started_at + Millis((self.micros() / 1_000) as i64)
    }

    /// The timer's name for a server time.
    pub fn instant(&self, at: Millis) -> Instant {
        let after = (at - self.started_at).0.max(0) as u64;
        self.started + Duration::from_millis(after) / self.speed
    }

    /// How long the process has run by the monotonic clock, at whatever speed this one goes.
    pub fn running_for(&self) -> Duration {
        self.started.elapsed()
    }

    /// Microseconds since the process started, for measuring round trips.
    pub fn micros(&self) -> u64 {
        self.started.elapsed().as_micros() as u64 * u64::from(self.speed)
    }
}

fn wall_clock() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Millis(since.map_or(0, |span| span.as_millis() as i64))
}

/// How many cores there are for work.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Ids, tokens and draws, all from the operating system's randomness.
#[derive(Clone, Copy)]
pub struct Random(());

impl Random {
    /// The operating system's randomness.
    pub const fn system() -> Self {
        Self(())
    }

    /// A new game's id. It begins with the time, so that ids sort by it; the 74 other bits are random, since the id of a game by link
    /// is all that keeps it from strangers.
    pub fn game_id(self) -> GameId {
        Self::game_id_at(wall_clock())
    }

    fn game_id_at(at: Millis) -> GameId {
        let drawn = Uuid::new_v4().into_bytes();
        let mut random = [0; 10];
        // What a version 4 UUID fixes is in the bytes 6 and 8.
        random[..6].copy_from_slice(&drawn[..6]);
        random[6..].copy_from_slice(&drawn[9..13]);
        let id = uuid::Builder::from_unix_timestamp_millis(at.0 as u64, &random);
        GameId(id.into_uuid())
    }

    /// The id of a new entry of the audit log.
    pub fn audit_id(self) -> AuditId {
        AuditId(Uuid::now_v7())
    }

    /// A new report's id.
    pub fn report_id(self) -> ReportId {
        ReportId(Uuid::now_v7())
    }

    /// What a process is called among those on the same record.
    pub fn node(self) -> Uuid {
        Uuid::new_v4()
    }

    /// A new player's id.
    pub fn player_id(self) -> PlayerId {
        PlayerId(Uuid::now_v7())
    }

    /// A new seek's id.
    pub fn seek_id(self) -> SeekId {
        SeekId(Uuid::now_v7())
    }

    /// A new id of a shared analysis: all of it is random, since it is all that keeps the analysis from strangers.
    pub fn analysis_id(self) -> AnalysisId {
        AnalysisId(Uuid::new_v4())
    }

    /// A new command's id (terminal client, and games opened by a rematch).
    pub fn command_id(self) -> CommandId {
        CommandId(Uuid::new_v4())
    }

    /// A new record's number.
    pub fn epoch(self) -> Epoch {
        Epoch((Self::number() >> 33) as u32)
    }

    /// A new token: 256 random bits.
    ///
    /// # Errors
    /// When the operating system has no randomness to give; no token is better than a guessable one.
    pub fn token(self) -> Result<Token, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Token::new(format!("qg_{}", URL_SAFE_NO_PAD.encode(bytes))))
    }

    /// The id of a browser's mark: 128 random bits.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn mark_id(self) -> Result<[u8; 16], getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }

    /// 32 random bytes, to keep a commitment from being guessed.
    ///
    /// # Errors
    /// When the operating system has no randomness to give; no salt is better than a guessable one.
    pub fn salt(self) -> Result<[u8; 32], getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }

    /// One of the two seats.
    pub fn seat(self) -> Seat {
        if Self::number() & 1 == 0 {
            Seat::First
        } else {
            Seat::Second
        }
    }

    /// A number below `bound`, from the operating system's randomness: for the setups that are drawn, funny names, and
    /// spreading out reconnects.
    pub fn below(self, bound: u32) -> u32 {
        (((Self::number() & 0xffff_ffff) * u64::from(bound)) >> 32) as u32
    }

    fn number() -> u64 {
        // The first half of a version 4 UUID holds 60 random bits; the fixed four lie in the middle of its low half.
        let (high, low) = Uuid::new_v4().as_u64_pair();
        high ^ low.rotate_left(32)
    }
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
        let now = Random::system().game_id();
        assert!(now < Random::game_id_at(wall_clock() + Millis(1_000)));
    }
}
