//! Times as they stand in texts of games: spans, days, time controls, and delays. Nothing of a millisecond is lost.

use jiff::civil::Date;
use qiguan_protocol::{delay::SpectatorDelay, ids::Millis, time_control::Clock};

use crate::calendar;

const SECOND: i64 = 1_000;
/// How a day is written.
const DAY: &str = "%Y.%m.%d";

/// `1:02:03.5`: hours, minutes, seconds.
pub fn clock(span: Millis) -> String {
    let ms = span.0.max(0);
    let (hours, minutes) = (ms / 3_600_000, ms / 60_000 % 60);
    let seconds = seconds(Millis(ms % 60_000));
    let pad = if ms % 60_000 < 10_000 { "0" } else { "" };
    format!("{hours}:{minutes:02}:{pad}{seconds}")
}

/// Reads what [`clock`] has written.
pub fn read_clock(text: &str) -> Option<Millis> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (hours, minutes) = (whole(hours)?, whole(minutes)?);
    let seconds = read_seconds(seconds)?;
    (minutes < 60 && seconds.0 < 60 * SECOND)
        .then(|| Millis(hours * 3_600_000 + minutes * 60_000 + seconds.0))
}

/// Seconds, with as many places as it takes.
pub fn seconds(span: Millis) -> String {
    let ms = span.0.max(0);
    let text = format!("{}.{:03}", ms / SECOND, ms % SECOND);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Reads what [`seconds`] has written.
pub fn read_seconds(text: &str) -> Option<Millis> {
    let (whole_part, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.is_empty() || fraction.len() > 3 {
        return None;
    }
    let fraction = whole(&format!("{fraction:0<3}"))?;
    Some(Millis(whole(whole_part)? * SECOND + fraction))
}

/// At most nine digits, so that nothing overflows.
fn whole(text: &str) -> Option<i64> {
    let digits = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// A server time as the day (`2026.11.22`) and the time of day, both of UTC.
pub fn day(at: Millis) -> (String, String) {
    let (day, time) = calendar::day(at);
    (day.strftime(DAY).to_string(), clock(time))
}

/// Reads what [`day`] has written.
pub fn read_day(day: &str, time: &str) -> Option<Millis> {
    let at = calendar::beginning(Date::strptime(DAY, day).ok()?) + read_clock(time)?;
    // A time beyond its day, or a month without its nought, is not how a day is written.
    (at >= Millis(0) && self::day(at).0 == day).then_some(at)
}

/// A clock: `300+3` (seconds and increment), `600+3x30` (and periods), `1/86400` (for each move), `-` for none.
pub fn time_control(clock: &Clock) -> String {
    match *clock {
        Clock::Fischer {
            initial_ms,
            increment_ms,
        } => format!("{}+{}", seconds(initial_ms), seconds(increment_ms)),
        Clock::Byoyomi {
            main_ms,
            period_ms,
            periods,
        } => format!("{}+{periods}x{}", seconds(main_ms), seconds(period_ms)),
        Clock::PerMove { move_ms } => format!("1/{}", seconds(move_ms)),
        Clock::None => "-".to_owned(),
    }
}

/// Reads what [`time_control`] has written.
pub fn read_time_control(text: &str) -> Option<Clock> {
    if text == "-" {
        return Some(Clock::None);
    }
    if let Some(each) = text.strip_prefix("1/") {
        let move_ms = read_seconds(each)?;
        return Some(Clock::PerMove { move_ms });
    }
    let (main, rest) = text.split_once('+')?;
    let main = read_seconds(main)?;
    Some(match rest.split_once('x') {
        None => Clock::Fischer {
            initial_ms: main,
            increment_ms: read_seconds(rest)?,
        },
        Some((periods, each)) => Clock::Byoyomi {
            main_ms: main,
            period_ms: read_seconds(each)?,
            periods: u32::try_from(whole(periods)?).ok()?,
        },
    })
}

/// By how much spectators saw a game later: `3 plies`, `10 minutes`.
pub fn spectator_delay(delay: SpectatorDelay) -> String {
    match delay {
        SpectatorDelay::Plies(plies) => format!("{plies} plies"),
        SpectatorDelay::Minutes(minutes) => format!("{minutes} minutes"),
    }
}

/// Reads what [`spectator_delay`] has written.
pub fn read_spectator_delay(text: &str) -> Option<SpectatorDelay> {
    let (number, unit) = text.split_once(' ')?;
    let number = u32::try_from(whole(number)?).ok()?;
    match unit {
        "plies" => Some(SpectatorDelay::Plies(number)),
        "minutes" => Some(SpectatorDelay::Minutes(number)),
        _ => None,
    }
}
