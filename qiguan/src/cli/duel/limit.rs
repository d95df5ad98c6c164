//! How long a player may think, and what is left of its time.

use std::{fmt, str::FromStr};

use qiguan_engine::uci::Go;
use qiguan_protocol::ids::Millis;
use qiguan_rules::Seat;

/// How long a player may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// So many positions a move.
    Nodes(u64),
    /// So many plies a move.
    Depth(u32),
    /// So long for each move.
    MoveTime(Millis),
    /// So long for the whole game, and more with every move.
    Clock { base: Millis, increment: Millis },
}

/// A text that is no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "limit {0:?}: expected nodes:N, depth:N, movetime:MILLISECONDS or clock:SECONDS+SECONDS, such as clock:5+0.05"
)]
pub(crate) struct InvalidLimit(String);

impl FromStr for Limit {
    type Err = InvalidLimit;

    fn from_str(text: &str) -> Result<Self, InvalidLimit> {
        read(text).ok_or_else(|| InvalidLimit(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Limit> {
    let (kind, value) = text.split_once(':')?;
    let number = || value.parse::<u32>().ok().filter(|number| *number > 0);
    Some(match kind {
        "nodes" => Limit::Nodes(number()?.into()),
        "depth" => Limit::Depth(number()?),
        "movetime" => Limit::MoveTime(Millis(number()?.into())),
        "clock" => {
            let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
            let (base, increment) = (seconds(base)?, seconds(increment)?);
            (base.0 > 0).then_some(Limit::Clock { base, increment })?
        }
        _ => return None,
    })
}

fn seconds(text: &str) -> Option<Millis> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=86_400.0)
        .contains(&seconds)
        .then(|| Millis((seconds * 1_000.0).round() as i64))
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |millis: Millis| millis.0 as f64 / 1_000.0;
        match self {
            Self::Nodes(nodes) => write!(f, "nodes:{nodes}"),
            Self::Depth(depth) => write!(f, "depth:{depth}"),
            Self::MoveTime(time) => write!(f, "movetime:{}", time.0),
            Self::Clock { base, increment } => {
                write!(f, "clock:{}+{}", seconds(*base), seconds(*increment))
            }
        }
    }
}

/// A player's time in a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLeft {
    limit: Limit,
    left: Millis,
}

impl TimeLeft {
    pub(crate) fn at_start(limit: Limit) -> Self {
        let left = match limit {
            Limit::Clock { base, .. } => base,
            Limit::Nodes(_) | Limit::Depth(_) | Limit::MoveTime(_) => Millis(0),
        };
        Self { limit, left }
    }

    /// The time that a move may take; none if only a search's size is limited.
    pub(crate) fn for_move(&self) -> Option<Millis> {
        match self.limit {
            Limit::Nodes(_) | Limit::Depth(_) => None,
            Limit::MoveTime(time) => Some(time),
            Limit::Clock { .. } => Some(self.left),
        }
    }

    /// A move took so long: it comes off the clock, and the increment is added.
    pub(crate) fn spend(&mut self, took: Millis) {
        if let Limit::Clock { increment, .. } = self.limit {
            self.left = Millis((self.left.0 - took.0).max(0) + increment.0);
        }
    }

    /// What a player who has the move is asked, given the times of both.
    pub(crate) fn question(&self, other: &Self, turn: Seat) -> Go {
        let mut go = Go::default();
        match self.limit {
            Limit::Nodes(nodes) => go.nodes = Some(nodes),
            Limit::Depth(depth) => go.depth = Some(depth),
            Limit::MoveTime(time) => go.move_ms = Some(time.0),
            Limit::Clock { increment, .. } => {
                go.left_ms = [Some(self.left.0); 2];
                go.increment_ms = [increment.0; 2];
                if let Limit::Clock { increment, .. } = other.limit {
                    let enemy = turn.other().index();
                    go.left_ms[enemy] = Some(other.left.0);
                    go.increment_ms[enemy] = increment.0;
                }
            }
        }
        go
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_written_as_it_is_read() {
        for text in ["nodes:20000", "depth:6", "movetime:200", "clock:5+0.05"] {
            assert_eq!(text.parse::<Limit>().unwrap().to_string(), text);
        }
        let whole = "clock:60".parse::<Limit>().unwrap();
        assert_eq!(whole.to_string(), "clock:60+0");
        for text in [
            "",
            "5",
            "nodes:0",
            "nodes:x",
            "clock:-1",
            "clock:1+x",
            "clock:0",
            "time:3",
        ] {
            let error = text.parse::<Limit>().unwrap_err().to_string();
            assert!(error.contains("expected nodes:N"), "{error}");
        }
    }

    #[test]
    fn a_clock_falls_by_what_a_move_took_and_grows_by_the_increment() {
        let mut time = TimeLeft::at_start("clock:5+0.05".parse().unwrap());
        let other = TimeLeft::at_start("nodes:5".parse().unwrap());
        time.spend(Millis(1_000));
        assert_eq!(time.for_move(), Some(Millis(4_050)));
        let go = time.question(&other, Seat::Second);
        assert_eq!((go.left_ms[1], go.increment_ms[1]), (Some(4_050), 50));
        assert_eq!(other.question(&time, Seat::First).nodes, Some(5));
        time.spend(Millis(9_000));
        assert_eq!(time.for_move(), Some(Millis(50)));
    }
}
