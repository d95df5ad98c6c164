//! `qiguan seeks`: who looks for a game.

use std::io::Write;

use qiguan_protocol::{
    lobby::{Lobby, Pool, Seek},
    names::SeatChoice,
    view::GameSummary,
};

use crate::{
    address::Address,
    delay,
    identity::{Identity, WhoArgs},
    runtime::block_on,
    server::Server,
    text::printable,
    time_control,
    tls::TrustArgs,
    unencrypted,
};

/// Lists open seeks, pools with waiting players, and challenges.
///
/// Accept a seek by looking for the same: qiguan play --seek RULESET --time TIME. Accept a challenge with qiguan play and its
/// address; decline it with qiguan play --decline.
#[derive(clap::Args, Debug)]
pub struct SeeksArgs {
    /// The server; by default QIGUAN_SERVER, or else the one on this machine.
    url: Option<String>,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    trust: TrustArgs,
}

/// Asks the server and prints.
///
/// # Errors
/// When the server can't be reached, or the output is closed.
pub fn run(args: &SeeksArgs) -> anyhow::Result<()> {
    let address = Address::named(args.url.as_deref())?;
    let server = Server::new(address.server, &args.trust)?;
    let lobby = block_on(ask(args, &server))?;
    let mut out = std::io::stdout().lock();
    for line in lines(&lobby, &server) {
        writeln!(out, "{}", printable(&line))?;
    }
    Ok(())
}

async fn ask(args: &SeeksArgs, server: &Server) -> anyhow::Result<Lobby> {
    let token = Identity::of(&args.who, server.origin())?.token()?;
    if token.is_some() {
        unencrypted::warn(server.origin());
    }
    server.get("/api/lobby", token.as_ref()).await
}

fn lines(lobby: &Lobby, server: &Server) -> Vec<String> {
    let mut lines: Vec<String> = lobby.seeks.iter().map(seek).collect();
    if lobby.more > 0 {
        lines.push(format!("and {} more", lobby.more));
    }
    lines.extend(lobby.pools.iter().map(pool));
    let challenges = lobby.challenges.iter();
    lines.extend(challenges.map(|game| challenge(game, server)));
    if lines.is_empty() {
        lines.push("nobody is looking for a game".to_owned());
    }
    let here = match lobby.counts.players {
        1 => "1 player is online".to_owned(),
        players => format!("{players} players are online"),
    };
    let played = match lobby.counts.games {
        1 => "1 game is being played".to_owned(),
        games => format!("{games} games are being played"),
    };
    lines.push(format!("{here}, {played}"));
    lines
}

fn seek(seek: &Seek) -> String {
    let rating = seek.player.rating.map_or(String::new(), |rating| {
        format!(
            " ({}{})",
            rating.value,
            if rating.provisional { "?" } else { "" }
        )
    });
    let seat = match seek.seat {
        SeatChoice::First => ", moves first",
        SeatChoice::Second => ", moves second",
        SeatChoice::Random => "",
    };
    let later = seek.spectator_delay.map_or(String::new(), |behind| {
        format!(", spectators {}", delay::shown(behind))
    });
    format!(
        "{}{rating} looks for {} {}, {}{seat}{later}",
        seek.player.name,
        seek.ruleset,
        time_control::shown(&seek.time_control.clock),
        kind(seek.rated)
    )
}

fn pool(pool: &Pool) -> String {
    let wait = if pool.waiting == 1 { "waits" } else { "wait" };
    format!(
        "{} {wait} in the pool {} {}, {}",
        pool.waiting,
        pool.ruleset,
        pool.time,
        kind(pool.rated)
    )
}

fn challenge(game: &GameSummary, server: &Server) -> String {
    let by = [&game.players.first, &game.players.second];
    let by = by.into_iter().flatten().next();
    let name = |player: Option<&qiguan_protocol::names::Player>| {
        player.map_or_else(|| "somebody".to_owned(), |player| player.name.clone())
    };
    let start = game.start.as_deref();
    let start = start.map(|start| format!(", from the position {}", printable(start)));
    let start = start.unwrap_or_default();
    format!(
        "{} challenges {}: {} {}, {}{start}: {server}/games/{}",
        name(by),
        name(game.invited.as_ref()),
        game.ruleset,
        time_control::shown(&game.time_control.clock),
        kind(game.rated),
        game.game
    )
}

const fn kind(rated: bool) -> &'static str {
    if rated { "rated" } else { "casual" }
}
