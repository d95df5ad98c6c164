//! Server times as people read them: days and times of day, of UTC.

use jiff::{
    Span,
    civil::{Date, date},
};
use qiguan_protocol::ids::Millis;

const DAY: i64 = 86_400_000;
const EPOCH: Date = date(1970, 1, 1);

/// The day of a server time, and the time of that day. Whatever no calendar reaches is its first or its last day.
pub fn day(at: Millis) -> (Date, Millis) {
    let days = at.0.div_euclid(DAY);
    let day = Span::new()
        .try_days(days)
        .and_then(|span| EPOCH.checked_add(span));
    let beyond = if days < 0 { Date::MIN } else { Date::MAX };
    (day.unwrap_or(beyond), Millis(at.0.rem_euclid(DAY)))
}

/// The server time at which a day begins.
pub fn beginning(day: Date) -> Millis {
    Millis(EPOCH.duration_until(day).as_secs() * 1_000)
}

/// `2026-11-22 12:34 UTC`, the first full minute at which this time is past: until when something holds, for sentences.
pub fn minute_past(at: Millis) -> String {
    let (day, time) = day(Millis(at.0.saturating_add(59_999)));
    let minutes = time.0 / 60_000;
    format!("{day} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

/// `2026-11-22T12:34:56.789Z`, as RFC 3339 has it: for lists.
pub fn stamp(at: Millis) -> String {
    let (day, time) = day(at);
    let (minutes, ms) = (time.0 / 60_000, time.0 % 60_000);
    let (hour, minute) = (minutes / 60, minutes % 60);
    format!(
        "{day}T{hour:02}:{minute:02}:{:02}.{:03}Z",
        ms / 1_000,
        ms % 1_000
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (ms, in_sentences, in_lists) in [
            (0, "1970-01-01 00:00 UTC", "1970-01-01T00:00:00.000Z"),
            (
                951_782_400_001,
                "2000-02-29 00:01 UTC",
                "2000-02-29T00:00:00.001Z",
            ),
            (
                1_795_350_896_789,
                "2026-11-22 12:35 UTC",
                "2026-11-22T12:34:56.789Z",
            ),
            (-1, "1970-01-01 00:00 UTC", "1969-12-31T23:59:59.999Z"),
        ] {
            let at = Millis(ms);
            assert_eq!(
                (minute_past(at), stamp(at)),
                (in_sentences.to_owned(), in_lists.to_owned())
            );
            let (day, time) = day(at);
            assert_eq!(beginning(day) + time, at);
        }
    }

    #[test]
    fn what_no_calendar_reaches_is_told_all_the_same() {
        assert!(minute_past(Millis(i64::MAX)).starts_with("9999-12-31 "));
        assert!(stamp(Millis(i64::MIN)).starts_with("-009999-01-01T"));
        assert_eq!(beginning(Date::MAX).0, 253_402_214_400_000);
    }
}
