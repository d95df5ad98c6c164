//! `qiguan duel`: a match between two players, judged by our referee, and what it says of their strength.

mod arguments;
mod elo;
mod game;
mod limit;
mod luzhanqi;
mod openings;
mod opponents;
mod players;
mod report;
mod results;

use std::sync::Arc;

use anyhow::Context;
use qiguan_engine::{Draws, Player, tables::Endings};
use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{Game, RuleSet};

pub(crate) use self::arguments::DuelArgs;
use self::{
    arguments::{PlayerArgs, check, limit, match_terms, name_and_value, ruleset, sides, sprt},
    elo::Pentanomial,
    game::{FinishedGame, Terms},
    openings::Openings,
    players::{Competitor, PlayerName},
    results::{GameLine, Pair, Results, Winner},
};
use crate::{
    cli::{progress::Progress, tables},
    external::{Program, ProgramSettings, Ranks},
};

/// Plays what is left of the match, and prints the report.
///
/// # Errors
/// When an argument is invalid, a program can't be used, or the results can't be read or written.
pub(crate) fn run(args: &DuelArgs) -> anyhow::Result<()> {
    let sprt = sprt(args)?;
    let ruleset = ruleset(args)?;
    let openings = match &args.openings {
        Some(file) => Openings::from_file(&ruleset, file)?,
        None => Openings::Random {
            plies: args.opening_plies,
        },
    };
    let sides = sides(args);
    let limits = [limit(args, &sides[0])?, limit(args, &sides[1])?];
    for side in &sides {
        check(side, &Game::start(&ruleset))?;
    }
    let clock = Clock::system();
    let terms = match_terms(args, &sides, limits);
    let mut results = Results::open(&args.results, &terms)?;
    let opening_of = |pair: u64| openings.of_pair(&ruleset, pair, mixed(args.seed, pair));
    for (index, pair) in results.pairs.iter().enumerate() {
        let opening = opening_of(index as u64).to_string();
        anyhow::ensure!(
            pair.opening == opening,
            "results {}: pair {}: opening was {:?} there, and is {opening:?} now",
            args.results.display(),
            pair.number,
            pair.opening
        );
    }
    let [one, other] = &sides;
    let endings = tables::endings(None)?;
    let mut players = [
        competitor(args, one, ruleset, clock, &endings)?,
        competitor(args, other, ruleset, clock, &endings)?,
    ];
    let terms_of_games = Terms {
        ruleset,
        limits,
        grace: Millis(args.grace_ms),
        answer_within: Millis(args.answer_ms),
        clock,
    };
    let mut progress = Progress::new("pairs", Some(args.pairs));
    progress.advance(results.pairs.len() as u64);
    let goes_on = |pairs: &[Pair]| {
        let counts: Pentanomial = pairs.iter().map(Pair::halves).collect();
        let decided = sprt.and_then(|sprt| sprt.accepted(&counts));
        (pairs.len() as u64) < args.pairs && decided.is_none()
    };
    while goes_on(&results.pairs) {
        let index = results.pairs.len() as u64;
        let opening = opening_of(index);
        let mut play = |first: usize| {
            let seed = mixed(mixed(args.seed, index), first as u64 + 1);
            terms_of_games
                .play_out(&mut players, first, &opening, seed)
                .map(|game| line(&game))
        };
        let games = [play(0)?, play(1)?];
        results.append(Pair {
            number: index + 1,
            opening: opening.to_string(),
            games,
        })?;
        progress.advance(1);
    }
    progress.end();
    for told in report::lines(&terms, &results.pairs, sprt) {
        progress.print(&told)?;
    }
    Ok(())
}

fn competitor(
    args: &DuelArgs,
    side: &PlayerArgs<'_>,
    ruleset: RuleSet,
    clock: Clock,
    endings: &Arc<Endings>,
) -> anyhow::Result<Competitor> {
    let player = || Player::new(args.hash).with_endings(Arc::clone(endings));
    Ok(match side.name {
        PlayerName::Level(level) => Competitor::Level(*level, player()),
        PlayerName::Engine(_) => Competitor::Engine(player()),
        PlayerName::Opponent(opponent) => Competitor::Opponent(*opponent),
        PlayerName::Program(protocol, command) => {
            let options = side.set.iter().map(|option| {
                let (name, value) = name_and_value("set", option)?;
                Ok((name.to_owned(), value.to_owned()))
            });
            let settings = ProgramSettings {
                protocol: *protocol,
                command: command.clone(),
                ranks: side.ranks.map(|rank| match rank {
                    0 => Ranks::FromZero,
                    _ => Ranks::FromOne,
                }),
                options: options.collect::<anyhow::Result<_>>()?,
                memory_mebibytes: side.memory,
                ignores_terminal: false,
            };
            let program = Program::start(settings, ruleset, clock)
                .with_context(|| format!("player {}", side.label))?;
            Competitor::Program(Box::new(program))
        }
    })
}

fn line(game: &FinishedGame) -> GameLine {
    let moves: Vec<_> = game.moves.iter().map(ToString::to_string).collect();
    GameLine {
        winner: game.winner.map(|player| match player {
            0 => Winner::A,
            _ => Winner::B,
        }),
        reason: game.ending.word().to_owned(),
        detail: game.ending.detail().map(str::to_owned),
        moves: moves.join(" "),
    }
}

/// A seed that follows from a seed and a number.
fn mixed(seed: u64, number: u64) -> u64 {
    let mut draws = Draws::new(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
    (draws.fraction() * (1_u64 << 53) as f64) as u64
}
