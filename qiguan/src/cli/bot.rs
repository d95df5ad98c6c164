//! `qiguan bot`: another program, or one of this program's computer players, plays on a server as a bot.
//!
//! `engine.rs` is who plays and what it can, `serving.rs` which games it takes on, `own_games.rs` those that it opens itself, `own_stream.rs` how it hears of them, `playing.rs` one game,
//! `thinking.rs` its moves, `pace.rs` how long they may take, `commands.rs` what is sent.

mod commands;
mod counts;
mod engine;
mod own_games;
mod own_stream;
mod pace;
mod playing;
mod serving;
mod thinking;

use std::sync::Arc;

use anyhow::Context;
use qiguan_client::{
    address::Address,
    identity::{Identity, WhoArgs},
    runtime::block_on,
    server::Server,
    text::{printable, say},
    time_control,
    tls::TrustArgs,
    unencrypted,
};
use qiguan_environment::{Clock, Random};
use qiguan_protocol::{
    ids::{Millis, Token},
    time_control::TimeControl,
};
use qiguan_rules::RuleSet;
use tokio::task::LocalSet;

use self::engine::{Engine, EngineName};

/// Plays on a server as a bot: with any program that speaks UCI or UCCI, or with a computer player of this program.
///
/// The account has to be a bot's (docs/bots.md says how to open one); its token comes from QIGUAN_TOKEN, together with QIGUAN_SERVER, or from qiguan login. The
/// program is started once for each game. Which protocol it speaks, from which rank it counts and which rule sets it offers, it is asked at the start. It accepts every
/// challenge that it can play; those that come while all its boards are taken wait. Banned moves it is told, as searchmoves or banmoves; after an illegal answer it is asked once more, and then
/// the game is resigned. A program that ends or does not answer is started again, five times for one move. Ctrl-C takes no new games and ends after the running ones; a second one ends
/// at once, and the games go on when the bot is started again.
#[derive(clap::Args, Debug)]
pub(crate) struct BotArgs {
    /// The server; by default QIGUAN_SERVER, or else the one on this machine.
    #[arg(value_name = "SERVER")]
    url: Option<String>,
    /// Who plays: a program's path and arguments, such as /usr/games/fairy-stockfish, or builtin:LEVEL, a computer player of this program from 1 to 8. A program plays
    /// Xiangqi, and what else of our games it offers as UCI_Variant, but none with hidden pieces; builtin plays every rule set.
    #[arg(long, value_name = "CMD")]
    engine: EngineName,
    /// Set an option of the program; repeatable. UCI_Variant is set by itself.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// The most memory of each process of the program, in MiB of address space; default: no limit.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory_mb: Option<u64>,
    /// How many milliseconds the program thinks about each move; default: as it likes where clocks run, 3000 without a clock and where each move has days.
    #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(i64).range(1..=3_600_000))]
    movetime: Option<i64>,
    /// How many games it plays at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    games: u16,
    /// End after so many games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Play by this rule set only, such as xiangqi/standard; repeatable. The first one is that of the games that the bot opens itself; default: all that it can, and xiangqi/standard.
    #[arg(long, value_name = "ID")]
    ruleset: Vec<String>,
    /// Decline rated games.
    #[arg(long, conflicts_with = "rated")]
    casual_only: bool,
    /// Challenge this player, and again after each game until --count is reached.
    #[arg(long, value_name = "NAME")]
    challenge: Option<String>,
    /// Put up a seek in the lobby whenever a board is free.
    #[arg(long)]
    seek: bool,
    /// The games that the bot opens itself are rated. Two bots can't play rated games.
    #[arg(long)]
    rated: bool,
    /// The time control of the games that the bot opens itself: 5+3 (minutes and seconds), 10+3x30 (with byo-yomi), 3d or 12h for each move, or none.
    #[arg(long, value_name = "TIME", default_value = "5+3")]
    time: String,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    trust: TrustArgs,
}

/// A bot, as all of its games need it.
struct Bot {
    server: Server,
    token: Token,
    engine: Engine,
    /// Rule sets that it plays; all that its engine can if empty.
    only: Vec<RuleSet>,
    casual_only: bool,
    /// What it thinks about each move, if that is set.
    movetime: Option<Millis>,
    clock: Clock,
    random: Random,
}

/// The games that a bot opens itself.
struct OwnOffers {
    challenge: Option<String>,
    seek: bool,
    ruleset: RuleSet,
    time_control: TimeControl,
    rated: bool,
}

/// Plays until it is interrupted, or has played enough.
///
/// # Errors
/// When the engine can't be used, the server can't be reached or refuses, or the account is not a bot's.
pub(crate) fn run(args: &BotArgs) -> anyhow::Result<()> {
    let address = Address::named(args.url.as_deref())?;
    anyhow::ensure!(
        address.game.is_none(),
        "expected a server: a bot is challenged there, and joins no single game"
    );
    let identity = Identity::of(&args.who, &address.server)?;
    let token = identity.token()?.context(
        "a bot needs a token of its account: set QIGUAN_TOKEN and QIGUAN_SERVER, or sign in with qiguan login; docs/bots.md says how to open the account",
    )?;
    unencrypted::warn(&address.server);
    let server = Server::new(address.server, &args.trust)?;
    let clock = Clock::system();
    let engine = Engine::ready(&args.engine, &args.set, args.memory_mb, clock)?;
    say(&printable(&engine.to_string()))?;
    let only = args.ruleset.iter();
    let only: Vec<RuleSet> = only
        .map(|id| Ok(RuleSet::named(id)?))
        .collect::<anyhow::Result<_>>()?;
    for ruleset in &only {
        engine.check(ruleset)?;
    }
    let offers = args.offers(&engine, &only)?;
    let bot = Bot {
        server,
        token,
        engine,
        only,
        casual_only: args.casual_only,
        movetime: args.movetime.map(Millis),
        clock,
        random: Random::system(),
    };
    let limits = serving::Limits {
        at_a_time: usize::from(args.games),
        in_all: args.count,
    };
    let serving = serving::serve(Arc::new(bot), offers, limits);
    block_on(LocalSet::new().run_until(serving))
}

impl BotArgs {
    fn offers(&self, engine: &Engine, only: &[RuleSet]) -> anyhow::Result<OwnOffers> {
        let ruleset = match only.first() {
            Some(ruleset) => *ruleset,
            None => RuleSet::named("xiangqi/standard")?,
        };
        engine.check(&ruleset)?;
        Ok(OwnOffers {
            challenge: self.challenge.clone(),
            seek: self.seek,
            ruleset,
            time_control: time_control::parse(&self.time)?,
            rated: self.rated,
        })
    }
}

impl Bot {
    /// Whether it plays by a rule set.
    fn plays(&self, ruleset: &RuleSet) -> bool {
        let is_wanted =
            self.only.is_empty() || self.only.iter().any(|only| only.id() == ruleset.id());
        is_wanted && self.engine.check(ruleset).is_ok()
    }
}

/// Shows a line; where standard output is closed, nobody reads it, and the games go on.
fn show(line: &str) {
    let _ = say(line);
}
