//! Who plays: our levels, our search within limits, the opponents to measure against, and other programs.

use std::{
    fmt,
    str::FromStr,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::Duration,
};

use qiguan_engine::{Level, Pace, Player};
use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{Game, Move, ruleset::Options};

use super::{limit::Limit, luzhanqi, opponents::Opponent};
use crate::external::{Fault, Program, Protocol, Question};

/// A player, as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlayerName {
    /// One of our levels. It has limits of its own.
    Level(Level),
    /// Our search; a limit that is part of the name comes before that of the match.
    Engine(Option<Limit>),
    /// A player to measure against.
    Opponent(Opponent),
    /// Another program: its protocol, and its path and arguments.
    Program(Protocol, Vec<String>),
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "player {0:?}: expected level:1 to level:8, engine, nodes:N, depth:N, movetime:MILLISECONDS, clock:SECONDS+SECONDS, plain, greedy, random, heuristic, or uci:, ucci: or xboard: with a program's path and arguments"
)]
pub(crate) struct UnknownPlayer(String);

impl FromStr for PlayerName {
    type Err = UnknownPlayer;

    fn from_str(text: &str) -> Result<Self, UnknownPlayer> {
        named(text).ok_or_else(|| UnknownPlayer(text.to_owned()))
    }
}

fn named(text: &str) -> Option<PlayerName> {
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    if let Some(protocol) = Protocol::from_name(kind) {
        let command: Vec<_> = rest.split_whitespace().map(str::to_owned).collect();
        return (!command.is_empty()).then_some(PlayerName::Program(protocol, command));
    }
    Some(match text {
        "engine" => PlayerName::Engine(None),
        "plain" => PlayerName::Opponent(Opponent::Plain),
        "greedy" => PlayerName::Opponent(Opponent::Greedy),
        "random" => PlayerName::Opponent(Opponent::Random),
        "heuristic" => PlayerName::Opponent(Opponent::Heuristic),
        _ if kind == "level" => PlayerName::Level(Level::try_from(rest.parse::<u8>().ok()?).ok()?),
        _ => PlayerName::Engine(Some(text.parse().ok()?)),
    })
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "level:{}", level.number()),
            Self::Engine(None) => f.write_str("engine"),
            Self::Engine(Some(limit)) => limit.fmt(f),
            Self::Opponent(Opponent::Plain) => f.write_str("plain"),
            Self::Opponent(Opponent::Greedy) => f.write_str("greedy"),
            Self::Opponent(Opponent::Random) => f.write_str("random"),
            Self::Opponent(Opponent::Heuristic) => f.write_str("heuristic"),
            Self::Program(protocol, command) => {
                write!(f, "{}:{}", protocol.greeting(), command.join(" "))
            }
        }
    }
}

impl PlayerName {
    /// The limit that is part of the name. A level keeps to its own, and what looks one ply ahead needs none: any will do.
    pub(crate) fn own_limit(&self) -> Option<Limit> {
        match self {
            Self::Engine(limit) => *limit,
            Self::Level(_)
            | Self::Opponent(Opponent::Greedy | Opponent::Random | Opponent::Heuristic) => {
                Some(Limit::Nodes(1))
            }
            Self::Opponent(Opponent::Plain) | Self::Program(..) => None,
        }
    }
}

/// A player at the board.
pub(crate) enum Competitor {
    Level(Level, Player),
    Engine(Player),
    Opponent(Opponent),
    Program(Box<Program>),
}

impl Competitor {
    /// A new game begins: nothing of the last one counts.
    pub(crate) fn new_game(&mut self) -> Result<(), Fault> {
        match self {
            Self::Level(_, player) | Self::Engine(player) => player.forget(),
            Self::Opponent(_) => {}
            Self::Program(program) => program.new_game()?,
        }
        Ok(())
    }

    /// The move that it plays. What it answers may still be illegal. `within` is how long an answer is waited for.
    pub(crate) fn choose(
        &mut self,
        question: &Question<'_>,
        seed: u64,
        within: Millis,
        clock: Clock,
    ) -> Result<Move, Fault> {
        let (game, go) = (question.game, question.go);
        if let (Game::Luzhanqi(_), Options::Luzhanqi(options)) = (game, question.ruleset.options())
        {
            let found = self.choose_unseen(*options, question, seed);
            return found.ok_or_else(|| Fault::NoMove("no move".to_owned()));
        }
        let mut pace = Pace::of(go, game.turn());
        let time = pace.as_ref().map(|pace| Millis(pace.most_ms()));
        let began = clock.micros();
        let found = match self {
            Self::Program(program) => return program.choose(question, within),
            Self::Level(level, player) => searched(None, clock, |stop| {
                first(player.play(game, *level, seed, stop))
            })?,
            Self::Engine(player) => searched(time, clock, |stop| {
                first(player.best(game, &[], go.limits(), stop, |found| {
                    let took = (clock.micros() - began) / 1_000;
                    if let Some(pace) = &mut pace
                        && pace.is_enough(found, took as i64)
                    {
                        stop.store(true, Ordering::Relaxed);
                    }
                }))
            })?,
            Self::Opponent(opponent) => searched(time, clock, |stop| {
                opponent.choose(game, go.limits(), seed, stop)
            })?,
        };
        found.ok_or_else(|| Fault::NoMove("no move".to_owned()))
    }
}

impl Competitor {
    /// The move where identities are hidden, from what the seat on the move has seen.
    fn choose_unseen(
        &self,
        options: qiguan_rules::luzhanqi::Options,
        question: &Question<'_>,
        seed: u64,
    ) -> Option<Move> {
        let (game, start) = (question.game, question.start);
        let seen = luzhanqi::seen(options, start, question.moves, game.turn())?;
        let legal = game.legal_moves();
        match self {
            Self::Level(level, _) => {
                let never = AtomicBool::new(false);
                let chosen = qiguan_engine::luzhanqi::choose(&seen, legal, *level, seed, &never);
                chosen.map(|chosen| chosen.mv)
            }
            Self::Opponent(opponent) => opponent.of_luzhanqi()?.choose(&seen, legal, seed),
            Self::Engine(_) | Self::Program(_) => None,
        }
    }
}

fn first(found: Option<qiguan_engine::SearchResult>) -> Option<Move> {
    found.and_then(|found| found.moves.first().copied())
}

/// Searches, and ends the search when its time is over.
fn searched<T: Send>(
    time: Option<Millis>,
    clock: Clock,
    search: impl FnOnce(&AtomicBool) -> T + Send,
) -> Result<T, Fault> {
    let stop = AtomicBool::new(false);
    let Some(time) = time else {
        return Ok(search(&stop));
    };
    let ends_at = clock.micros() + time.0.max(0) as u64 * 1_000;
    std::thread::scope(|scope| {
        let (ended, end) = mpsc::channel::<()>();
        let stop = &stop;
        let thread = scope.spawn(move || {
            // Dropped when the search has ended, however it has.
            let _ended = ended;
            search(stop)
        });
        let left = Duration::from_micros(ends_at.saturating_sub(clock.micros()));
        if end.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
            stop.store(true, Ordering::Relaxed);
        }
        thread
            .join()
            .map_err(|_| Fault::Crash("the search has ended by a fault of this program".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named_by_what_they_are() {
        let level = Level::try_from(5).unwrap();
        let own = Limit::Nodes(20_000);
        for (text, name) in [
            ("level:5", PlayerName::Level(level)),
            ("engine", PlayerName::Engine(None)),
            ("nodes:20000", PlayerName::Engine(Some(own))),
            ("plain", PlayerName::Opponent(Opponent::Plain)),
            (
                "ucci:/usr/bin/x -a",
                PlayerName::Program(
                    Protocol::Ucci,
                    vec!["/usr/bin/x".to_owned(), "-a".to_owned()],
                ),
            ),
        ] {
            assert_eq!(text.parse::<PlayerName>().unwrap(), name);
            assert_eq!(name.to_string(), text);
        }
    }

    #[test]
    fn what_names_no_player_is_refused_with_what_does() {
        for text in [
            "", "level:9", "level:", "uci:", "uci: ", "strong", "nodes:x",
        ] {
            let error = text.parse::<PlayerName>().unwrap_err().to_string();
            assert!(error.contains("expected level:1 to level:8"), "{error}");
        }
    }

    #[test]
    fn a_search_ends_with_its_time_and_one_that_breaks_is_a_crash() {
        let clock = Clock::system();
        let waits = |stop: &AtomicBool| {
            while !stop.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
            7
        };
        assert_eq!(searched(Some(Millis(1)), clock, waits).unwrap(), 7);
        let breaks = |_: &AtomicBool| -> u8 { panic!("planted") };
        assert!(matches!(
            searched(Some(Millis(60_000)), clock, breaks),
            Err(Fault::Crash(_))
        ));
    }
}
