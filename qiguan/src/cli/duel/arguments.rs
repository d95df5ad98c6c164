//! The command line of `qiguan duel`, and what it says of each player.

use std::path::PathBuf;

use anyhow::Context;
use qiguan_engine::uci::MOST_MEBIBYTES;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{Game, RuleSet, option::RawValue};

use super::{
    elo::Sprt,
    limit::Limit,
    players::PlayerName,
    results::{MatchTerms, PlayerTerms},
};
use crate::external::Protocol;

/// Plays a match between two players, to measure their strength.
///
/// Games come in pairs from one opening, with seats changed, and are judged by this program's rules: a player who answers with an illegal or
/// banned move, crashes or is late has lost. Each finished pair is a line of JSON in the results file; the same command with the same file
/// goes on where it stopped. The report shows the difference in Elo points with its 95 % interval, counted by pairs. In Luzhanqi each player is
/// given what its seat sees, and pairs begin with random setups.
///
/// A player is one of level:1 to level:8, engine (our search within the limit), nodes:N, depth:N, movetime:MILLISECONDS or clock:SECONDS+SECONDS
/// (our search within that limit), plain (alpha-beta over material and the distance to the den, Dou Shou Qi only), greedy, random, heuristic (Luzhanqi only), or another
/// program by its protocol, path and arguments: uci:/usr/games/fairy-stockfish, "ucci:qiguan engine", xboard:/usr/games/hoixiangqi. docs/strength.md has examples.
#[derive(clap::Args, Debug)]
pub(crate) struct DuelArgs {
    /// The player whose strength is asked for.
    #[arg(value_name = "A")]
    pub(super) a: PlayerName,
    /// The player to measure against.
    #[arg(value_name = "B")]
    pub(super) b: PlayerName,
    /// The rule set, such as doushouqi/booklet.
    #[arg(long, value_name = "ID")]
    pub(super) ruleset: String,
    /// Change an option of the rule set; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) option: Vec<String>,
    /// The file for the results; a match goes on where its file ends.
    #[arg(long, value_name = "FILE")]
    pub(super) results: PathBuf,
    /// The most pairs of games.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) pairs: u64,
    /// How long players think who have no limit of their own: nodes:N, depth:N, movetime:MILLISECONDS or clock:SECONDS+SECONDS.
    #[arg(long, value_name = "LIMIT")]
    pub(super) limit: Option<Limit>,
    /// How long A thinks, if not as --limit says.
    #[arg(long, value_name = "LIMIT")]
    pub(super) a_limit: Option<Limit>,
    /// How long B thinks, if not as --limit says.
    #[arg(long, value_name = "LIMIT")]
    pub(super) b_limit: Option<Limit>,
    /// Set an option of the program A; repeatable. UCI_Variant is set by itself where the program offers the rule set.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) a_set: Vec<String>,
    /// Set an option of the program B; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) b_set: Vec<String>,
    /// The first rank of the program A, 0 or 1; default: 1 for UCI, 0 for UCCI.
    #[arg(long, value_name = "RANK", value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(super) a_ranks: Option<u8>,
    /// The first rank of the program B, 0 or 1.
    #[arg(long, value_name = "RANK", value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(super) b_ranks: Option<u8>,
    /// The most memory of the program A, in MiB of address space; default: no limit.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub(super) a_memory: Option<u64>,
    /// The most memory of the program B, in MiB of address space.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub(super) b_memory: Option<u64>,
    /// The size of our own players' tables, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = table_mebibytes)]
    pub(super) hash: usize,
    /// A file with an opening a line: "startpos moves b3e3 h10g8", "fen FEN moves ..." or a position; default: random moves.
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// How many random moves a pair begins with, without a file of openings.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=40), conflicts_with = "openings")]
    pub(super) opening_plies: u32,
    /// What random openings and the choices of levels follow from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Stop as soon as a difference of at most this many Elo points is likely (SPRT) ...
    #[arg(
        long,
        value_name = "ELO",
        requires = "elo1",
        allow_negative_numbers = true
    )]
    pub(super) elo0: Option<f64>,
    /// ... or one of at least this many.
    #[arg(
        long,
        value_name = "ELO",
        requires = "elo0",
        allow_negative_numbers = true
    )]
    pub(super) elo1: Option<f64>,
    /// The chance to accept --elo1 though --elo0 is true.
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05)]
    pub(super) alpha: f64,
    /// The chance to accept --elo0 though --elo1 is true.
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05)]
    pub(super) beta: f64,
    /// How many milliseconds after its time a move may come.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 500, value_parser = clap::value_parser!(i64).range(0..=60_000))]
    pub(super) grace_ms: i64,
    /// How many milliseconds a program may take for a move that is limited by nodes or depth.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 60_000, value_parser = clap::value_parser!(i64).range(1..=3_600_000))]
    pub(super) answer_ms: i64,
}

/// What the command line says of one player.
pub(super) struct PlayerArgs<'a> {
    /// `A` or `B`.
    pub(super) label: &'static str,
    pub(super) name: &'a PlayerName,
    pub(super) limit: Option<Limit>,
    pub(super) set: &'a [String],
    pub(super) ranks: Option<u8>,
    pub(super) memory: Option<u64>,
}

/// Both players' arguments, A's first.
pub(super) fn sides(args: &DuelArgs) -> [PlayerArgs<'_>; 2] {
    [
        PlayerArgs {
            label: "A",
            name: &args.a,
            limit: args.a_limit,
            set: &args.a_set,
            ranks: args.a_ranks,
            memory: args.a_memory,
        },
        PlayerArgs {
            label: "B",
            name: &args.b,
            limit: args.b_limit,
            set: &args.b_set,
            ranks: args.b_ranks,
            memory: args.b_memory,
        },
    ]
}

pub(super) fn sprt(args: &DuelArgs) -> anyhow::Result<Option<Sprt>> {
    let (Some(elo0), Some(elo1)) = (args.elo0, args.elo1) else {
        return Ok(None);
    };
    anyhow::ensure!(
        elo0.is_finite() && elo1.is_finite() && elo0 < elo1,
        "elo1: expected more than elo0, {elo0}"
    );
    for (name, chance) in [("alpha", args.alpha), ("beta", args.beta)] {
        anyhow::ensure!(
            chance > 0.0 && chance < 0.5,
            "{name}: expected more than 0 and less than 0.5"
        );
    }
    Ok(Some(Sprt {
        elo0,
        elo1,
        alpha: args.alpha,
        beta: args.beta,
    }))
}

pub(super) fn ruleset(args: &DuelArgs) -> anyhow::Result<RuleSet> {
    let mut ruleset = RuleSet::named(&args.ruleset).with_context(|| args.ruleset.clone())?;
    for option in &args.option {
        let (name, value) = name_and_value("option", option)?;
        ruleset
            .set(name, RawValue::from_text(value))
            .with_context(|| option.clone())?;
    }
    Ok(ruleset)
}

/// How long a player may think.
pub(super) fn limit(args: &DuelArgs, side: &PlayerArgs<'_>) -> anyhow::Result<Limit> {
    let label = side.label.to_lowercase();
    if let Some(own) = side.name.own_limit() {
        anyhow::ensure!(
            side.limit.is_none(),
            "{label}-limit: this player has a limit of its own"
        );
        return Ok(own);
    }
    let limit = side.limit.or(args.limit).with_context(|| {
        format!(
            "limit: {} needs one: --limit or --{label}-limit",
            side.label
        )
    })?;
    if let PlayerName::Program(protocol, _) = side.name {
        anyhow::ensure!(
            *protocol != Protocol::Xboard || is_for_xboard(limit),
            "limit: {} speaks xboard's protocol, which knows plies (depth:N) and whole seconds (movetime:1000, clock:60+1): --{label}-limit",
            side.label
        );
    }
    Ok(limit)
}

/// Whether xboard's protocol has words for a limit: it counts no positions, and a program's time in whole seconds.
fn is_for_xboard(limit: Limit) -> bool {
    let is_whole = |millis: Millis| millis.0 % 1_000 == 0;
    match limit {
        Limit::Nodes(_) => false,
        Limit::Depth(_) => true,
        Limit::MoveTime(time) => is_whole(time),
        Limit::Clock { base, increment } => is_whole(base) && is_whole(increment),
    }
}

/// Whether a player can play this game with these arguments.
pub(super) fn check(side: &PlayerArgs<'_>, game: &Game) -> anyhow::Result<()> {
    let label = side.label.to_lowercase();
    let is_program = match side.name {
        PlayerName::Program(..) => true,
        PlayerName::Opponent(opponent) => {
            anyhow::ensure!(
                opponent.plays(game),
                "player {}: plain plays Dou Shou Qi only, and heuristic Luzhanqi only",
                side.label
            );
            false
        }
        PlayerName::Level(_) | PlayerName::Engine(_) => false,
    };
    let plays_unseen = match side.name {
        PlayerName::Level(_) | PlayerName::Opponent(_) => true,
        PlayerName::Engine(_) | PlayerName::Program(..) => false,
    };
    anyhow::ensure!(
        plays_unseen || game.hides_nothing(),
        "player {}: in Luzhanqi expected level:1 to level:8, random, greedy or heuristic",
        side.label
    );
    for (name, given) in [
        ("set", !side.set.is_empty()),
        ("ranks", side.ranks.is_some()),
        ("memory", side.memory.is_some()),
    ] {
        anyhow::ensure!(
            is_program || !given,
            "{label}-{name}: expected only for a program (uci:, ucci:, xboard:)"
        );
    }
    Ok(())
}

pub(super) fn match_terms(
    args: &DuelArgs,
    sides: &[PlayerArgs<'_>; 2],
    limits: [Limit; 2],
) -> MatchTerms {
    let player = |index: usize| {
        let side: &PlayerArgs<'_> = &sides[index];
        PlayerTerms {
            player: side.name.to_string(),
            limit: limits[index].to_string(),
            set: side.set.to_vec(),
            ranks: side.ranks,
            memory_mebibytes: side.memory,
        }
    };
    MatchTerms {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ruleset: args.ruleset.clone(),
        options: args.option.clone(),
        a: player(0),
        b: player(1),
        grace_ms: args.grace_ms,
        answer_ms: args.answer_ms,
        hash_mebibytes: args.hash,
        seed: args.seed,
    }
}

pub(super) fn name_and_value<'a>(field: &str, text: &'a str) -> anyhow::Result<(&'a str, &'a str)> {
    text.split_once('=')
        .with_context(|| format!("{field} {text:?}: expected NAME=VALUE"))
}

fn table_mebibytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(mebibytes @ 1..=MOST_MEBIBYTES) => Ok(mebibytes),
        Ok(_) | Err(_) => Err(format!("expected 1 to {MOST_MEBIBYTES} (MiB)")),
    }
}
