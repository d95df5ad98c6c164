//! `qiguan seeks`: who looks for a game.

use std::io::Write;

use qiguan_protocol::{
    lobby::{Lobby, Pool, Seek},
    names::SeatChoice,
    view::GameSummary,
};

use super::client::{
    address::{self, Address},
    delay,
    identity::Identities,
    text::printable,
    time_control,
};

/// Lists who looks for a game: seeks of others, pools in which somebody waits, and challenges.
///
/// A seek is accepted by looking for the same: qiguan play --seek RULESET --time TIME.
#[derive(clap::Args, Debug)]
pub struct SeeksArgs {
    /// The server.
    #[arg(env = "QIGUAN_SERVER", default_value = "http://localhost:8080")]
    url: String,
}

/// Asks the server and prints.
///
/// # Errors
/// When the server can't be reached, or the output is closed.
pub fn run(args: &SeeksArgs) -> anyhow::Result<()> {
    let lobby = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(ask(args))?;
    let mut out = std::io::stdout().lock();
    for line in lines(&lobby) {
        writeln!(out, "{}", printable(&line))?;
    }
    Ok(())
}

async fn ask(args: &SeeksArgs) -> anyhow::Result<Lobby> {
    let address = Address::parse(&args.url)?;
    let token = Identities::of_user()?.token(&address.server)?;
    address::get_as(&address.server, "/api/lobby", token.as_ref()).await
}

fn lines(lobby: &Lobby) -> Vec<String> {
    let mut lines: Vec<String> = lobby.seeks.iter().map(seek).collect();
    if lobby.more > 0 {
        lines.push(format!("and {} more", lobby.more));
    }
    lines.extend(lobby.pools.iter().map(pool));
    lines.extend(lobby.challenges.iter().map(challenge));
    if lines.is_empty() {
        lines.push("nobody looks for a game".to_owned());
    }
    lines.push(format!(
        "{} players are here, {} games are being played",
        lobby.counts.players, lobby.counts.games
    ));
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

fn challenge(game: &GameSummary) -> String {
    let by = [&game.players.first, &game.players.second];
    let by = by.into_iter().flatten().next();
    let name = |player: Option<&qiguan_protocol::names::Player>| {
        player.map_or_else(|| "somebody".to_owned(), |player| player.name.clone())
    };
    format!(
        "{} challenges {}: {} {}, {}: games/{}",
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
