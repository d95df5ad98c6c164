//! `qiguan tv`: the featured games in the terminal, one after the other.

use std::time::Duration;

use qiguan_protocol::{
    catalog::Catalog,
    ids::GameId,
    live::{Channel, Tv},
    view::GameView,
};
use tokio::sync::mpsc;

use crate::{
    address::Address,
    channel::{self, Shown},
    notation::NotationArgs,
    onlooker::Onlooker,
    rules,
    runtime::block_on,
    screen::Screen,
    server::Server,
    text::{excerpt, named, printable},
    time_control,
    tls::TrustArgs,
};

/// How long the end of a game stays on a screen that is redrawn, before the next game takes its place.
const FAREWELL: Duration = Duration::from_secs(4);

/// Shows the featured game of a kind in the terminal, then the next when it ends; or lists the featured games.
///
/// A game is featured until it ends; then the running game with the highest ratings follows. Ctrl-C quits.
#[derive(clap::Args, Debug)]
pub struct TvArgs {
    /// doushouqi, luzhanqi or xiangqi; without it, the featured games are listed.
    kind: Option<String>,
    /// The server; by default QIGUAN_SERVER, or else the one on this machine.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Print lines instead of redrawing the screen; the default when the output is not a terminal.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    trust: TrustArgs,
}

/// Shows it until the terminal is closed.
///
/// # Errors
/// When the server can't be reached at first, there is no such kind of game, or the terminal is closed.
pub fn run(args: &TvArgs) -> anyhow::Result<()> {
    block_on(tv(args))
}

async fn tv(args: &TvArgs) -> anyhow::Result<()> {
    let address = Address::named(args.server.as_deref())?;
    anyhow::ensure!(
        address.game.is_none(),
        "{}: this is the address of a game; qiguan watch shows it",
        args.server.as_deref().unwrap_or("QIGUAN_SERVER")
    );
    let server = Server::new(address.server, &args.trust)?;
    let tv: Tv = server.get("/api/tv", None).await?;
    let catalog: Catalog = server.get("/api/catalog", None).await?;
    let screen = Screen::new(args.plain, args.notation);
    let Some(asked) = &args.kind else {
        return list(&server, &tv.channels, &catalog, &screen);
    };
    let kinds = tv.channels.into_iter().map(|channel| channel.kind);
    let kinds: Vec<String> = kinds.collect();
    let Some(kind) = kinds.iter().find(|kind| *kind == asked) else {
        let known: Vec<_> = kinds.iter().map(|kind| printable(kind)).collect();
        anyhow::bail!(
            "unknown game {:?}; known: {}",
            excerpt(asked),
            known.join(", ")
        );
    };
    let (tell, shown) = mpsc::channel(64);
    tokio::spawn(channel::run(server.clone(), kind.clone(), tell));
    follow(&server, kind, Onlooker::new(screen, catalog), shown).await
}

async fn follow(
    server: &Server,
    kind: &str,
    mut onlooker: Onlooker,
    mut shown: mpsc::Receiver<Shown>,
) -> anyhow::Result<()> {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    // A game that is no longer shown, and whose end has not been seen.
    let mut unfinished = None;
    loop {
        let shown = tokio::select! {
            shown = shown.recv() => shown,
            _ = seconds.tick() => {
                onlooker.tick()?;
                continue;
            }
        };
        match shown {
            None => return Ok(()),
            Some(Shown::News(news)) => onlooker.hears(news)?,
            // After a reconnection the same game may still be on.
            Some(Shown::Game(game)) if game.is_some() && game == onlooker.game() => {}
            Some(Shown::Game(game)) => {
                if onlooker.game().is_some() && !onlooker.has_seen_the_end() {
                    unfinished = onlooker.game();
                }
                unfinished = show_end(server, &onlooker, unfinished, game).await?;
                if onlooker.game().is_some() && onlooker.screen.is_live() {
                    tokio::time::sleep(FAREWELL).await;
                }
                onlooker.looks_away();
                let told = match game {
                    Some(game) => format!("now on: {server}/games/{game}"),
                    None => format!(
                        "no game of {} is featured right now; the next one is shown when it begins",
                        printable(kind)
                    ),
                };
                onlooker.screen.say(&told)?;
            }
        }
    }
}

/// Shows how a game has ended that was on before the connection was lost. Gives the game back if that can't be said yet: the server may have
/// stopped again, or be so new that it has no featured game. It is asked again when it next says what is on.
async fn show_end(
    server: &Server,
    onlooker: &Onlooker,
    unfinished: Option<GameId>,
    next: Option<GameId>,
) -> anyhow::Result<Option<GameId>> {
    let Some(game) = unfinished.filter(|game| Some(*game) != next) else {
        return Ok(None);
    };
    let Some(outcome) = outcome(server, game, onlooker).await else {
        return Ok(Some(game));
    };
    onlooker.screen.say(&outcome)?;
    Ok(None)
}

/// How a game has ended, if it has and the server says so.
async fn outcome(server: &Server, game: GameId, onlooker: &Onlooker) -> Option<String> {
    let path = format!("/api/games/{game}");
    let view: GameView = server.get(&path, None).await.ok()?;
    Some(onlooker.screen.outcome(view.outcome?))
}

fn list(
    server: &Server,
    channels: &[Channel],
    catalog: &Catalog,
    screen: &Screen,
) -> anyhow::Result<()> {
    for channel in channels {
        let kind = printable(&channel.kind);
        let told = channel.game.as_ref().map_or_else(
            || "nothing right now".to_owned(),
            |game| {
                let (first, second) = (&game.players.first, &game.players.second);
                format!(
                    "{server}/games/{}  {}  {}  {} - {}",
                    game.game,
                    rules::shown(catalog, &game.ruleset, &game.options),
                    time_control::shown(&game.time_control.clock),
                    named(first),
                    named(second)
                )
            },
        );
        screen.say(&format!("{kind}: {told}"))?;
    }
    Ok(())
}
