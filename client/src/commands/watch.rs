//! `qiguan watch`: watches a game in the terminal.

use std::time::Duration;

use qiguan_protocol::{catalog::Catalog, names::Player, view::GamePage};
use tokio::sync::mpsc;

use crate::{
    address::Address,
    link::{self, LinkRequest, News},
    notation::NotationArgs,
    onlooker::Onlooker,
    rules,
    runtime::block_on,
    screen::Screen,
    server::Server,
    text::named,
    time_control,
    tls::TrustArgs,
};

/// Watches a game in the terminal, or lists the games that are being played.
#[derive(clap::Args, Debug)]
pub struct WatchArgs {
    /// The address or id of a game, or a server for a list; the default server is QIGUAN_SERVER, or else the one on this machine.
    url: Option<String>,
    /// Print lines instead of redrawing the screen; the default when the output is not a terminal.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    trust: TrustArgs,
}

/// Watches until the game is over.
///
/// # Errors
/// When the server can't be reached or refuses, or the terminal is closed.
pub fn run(args: &WatchArgs) -> anyhow::Result<()> {
    block_on(watch(args))
}

async fn watch(args: &WatchArgs) -> anyhow::Result<()> {
    let address = Address::named(args.url.as_deref())?;
    let server = Server::new(address.server, &args.trust)?;
    let screen = Screen::new(args.plain, args.notation);
    let Some(game) = address.game else {
        return list(&server, &screen).await;
    };
    let catalog: Catalog = server.get("/api/catalog", None).await?;
    let (requests, asked) = mpsc::channel(4);
    let (told, news) = mpsc::channel(64);
    tokio::spawn(link::run(server, None, false, asked, told));
    requests.send(LinkRequest::Watch(game)).await?;
    follow(Onlooker::new(screen, catalog), news).await
}

async fn follow(mut onlooker: Onlooker, mut news: mpsc::Receiver<News>) -> anyhow::Result<()> {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            heard = news.recv() => match heard {
                Some(heard) => onlooker.hears(heard)?,
                None => return Ok(()),
            },
            _ = seconds.tick() => onlooker.tick()?,
        }
        if onlooker.has_seen_the_end() {
            return Ok(());
        }
    }
}

async fn list(server: &Server, screen: &Screen) -> anyhow::Result<()> {
    let page: GamePage = server.get("/api/games?status=playing", None).await?;
    if page.games.is_empty() {
        screen.say("no game is being played right now")?;
        return Ok(());
    }
    let catalog: Catalog = server.get("/api/catalog", None).await?;
    for game in page.games {
        let name = |player: &Option<Player>| player.as_ref().map_or_else(String::new, named);
        let (first, second) = (name(&game.players.first), name(&game.players.second));
        let time = time_control::shown(&game.time_control.clock);
        let rules = rules::shown(&catalog, &game.ruleset, &game.options);
        screen.say(&format!(
            "{server}/games/{}  {rules}  {time}  {first} - {second}",
            game.game
        ))?;
    }
    Ok(())
}
