//! Time controls as people write them: `5+3`, `10+3x30`, `3d`, `none`.

use anyhow::Context;
use qiguan_protocol::{
    ids::Millis,
    time_control::{Clock, TimeControl},
};

/// Reads `5+3` (minutes and increment in seconds), `10+3x30` (minutes and periods of seconds), `3d` or `12h` for each move,
/// or `none`.
///
/// # Errors
/// When it is anything else. Ranges are the server's to judge.
pub fn parse(text: &str) -> anyhow::Result<TimeControl> {
    let wrong = || format!("{text}: expected a time control such as 5+3, 10+3x30, 12h, 3d or none");
    let clock = if text == "none" {
        Clock::None
    } else if let Some(days) = text.strip_suffix('d') {
        Clock::PerMove {
            move_ms: scaled(days, 86_400_000.0).with_context(wrong)?,
        }
    } else if let Some(hours) = text.strip_suffix('h') {
        Clock::PerMove {
            move_ms: scaled(hours, 3_600_000.0).with_context(wrong)?,
        }
    } else {
        let (main, rest) = text.split_once('+').with_context(wrong)?;
        let main = scaled(main, 60_000.0).with_context(wrong)?;
        match rest.split_once('x') {
            Some((periods, seconds)) => Clock::Byoyomi {
                main_ms: main,
                period_ms: scaled(seconds, 1_000.0).with_context(wrong)?,
                periods: periods.parse().ok().with_context(wrong)?,
            },
            None => Clock::Fischer {
                initial_ms: main,
                increment_ms: scaled(rest, 1_000.0).with_context(wrong)?,
            },
        }
    };
    Ok(TimeControl {
        clock,
        absence_ms: None,
        setup_ms: None,
    })
}

/// Reads a span: `90s`, `3m`, `12h` or `3d`.
///
/// # Errors
/// When it is anything else. Ranges are the server's to judge.
pub fn parse_span(text: &str) -> anyhow::Result<Millis> {
    let units = [
        ('s', 1_000.0),
        ('m', 60_000.0),
        ('h', 3_600_000.0),
        ('d', 86_400_000.0),
    ];
    let span = units
        .into_iter()
        .find_map(|(sign, unit)| scaled(text.strip_suffix(sign)?, unit));
    span.with_context(|| format!("{text}: expected a duration such as 90s, 3m, 12h or 3d"))
}

/// How a clock is shown in a list.
pub fn shown(clock: &Clock) -> String {
    match *clock {
        Clock::Fischer {
            initial_ms,
            increment_ms,
        } => format!("{}+{}", minutes(initial_ms), increment_ms.0 / 1_000),
        Clock::Byoyomi {
            main_ms,
            period_ms,
            periods,
        } => {
            format!("{}+{periods}x{}", minutes(main_ms), period_ms.0 / 1_000)
        }
        Clock::PerMove { move_ms } => format!("{} h a move", move_ms.0 as f64 / 3_600_000.0),
        Clock::None => "no clock".to_owned(),
    }
}

fn minutes(span: Millis) -> f64 {
    span.0 as f64 / 60_000.0
}

fn scaled(number: &str, unit: f64) -> Option<Millis> {
    let number: f64 = number.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(Millis((number * unit) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_a_unit() {
        for (text, ms) in [
            ("90s", 90_000),
            ("1.5m", 90_000),
            ("2h", 7_200_000),
            ("14d", 1_209_600_000),
        ] {
            assert_eq!(parse_span(text).unwrap(), Millis(ms), "{text}");
        }
        for bad in ["", "90", "m", "-3m", "3 min"] {
            assert!(parse_span(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_kind_of_time_control_can_be_written() {
        for (text, clock) in [
            (
                "5+3",
                Clock::Fischer {
                    initial_ms: Millis(300_000),
                    increment_ms: Millis(3_000),
                },
            ),
            (
                "0.5+0",
                Clock::Fischer {
                    initial_ms: Millis(30_000),
                    increment_ms: Millis(0),
                },
            ),
            (
                "10+3x30",
                Clock::Byoyomi {
                    main_ms: Millis(600_000),
                    period_ms: Millis(30_000),
                    periods: 3,
                },
            ),
            (
                "3d",
                Clock::PerMove {
                    move_ms: Millis(259_200_000),
                },
            ),
            (
                "12h",
                Clock::PerMove {
                    move_ms: Millis(43_200_000),
                },
            ),
            ("none", Clock::None),
        ] {
            assert_eq!(parse(text).unwrap().clock, clock, "{text}");
        }
        for bad in ["", "5", "five+3", "5+", "5+-3", "5+3x", "d", "NaN+1"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
