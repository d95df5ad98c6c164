//! `qiguan watch`: looks on, in the terminal.

use std::time::Duration;

use qiguan_protocol::{catalog::Catalog, names::Player, view::GamePage};
use tokio::sync::mpsc;

use super::client::{
    address::{self, Address},
    link::{self, News, Wish},
    notation::NotationArgs,
    onlooker::Onlooker,
    rules,
    screen::Screen,
    text::named,
    time_control,
};

/// Watches a game in the terminal, or lists the games that are being played.
#[derive(clap::Args, Debug)]
pub struct WatchArgs {
    /// The address of a game, or of a server for a list.
    url: String,
    /// Lines instead of a redrawn screen, as when the output is no terminal.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    notation: NotationArgs,
}

/// Watches until the game is over.
///
/// # Errors
/// When the server can't be reached or refuses, or the terminal is closed.
pub fn run(args: &WatchArgs) -> anyhow::Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(watch(args))
}

async fn watch(args: &WatchArgs) -> anyhow::Result<()> {
    let address = Address::parse(&args.url)?;
    let screen = Screen::new(args.plain, args.notation);
    let Some(game) = address.game else {
        return list(&address, &screen).await;
    };
    let catalog: Catalog = address::get(&address.server, "/api/catalog").await?;
    let (wishes, asked) = mpsc::channel(4);
    let (told, news) = mpsc::channel(64);
    tokio::spawn(link::run(address.socket(), None, false, asked, told));
    wishes.send(Wish::Watch(game)).await?;
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

async fn list(address: &Address, screen: &Screen) -> anyhow::Result<()> {
    let page: GamePage = address::get(&address.server, "/api/games?status=playing").await?;
    if page.games.is_empty() {
        screen.say("no game is being played just now")?;
        return Ok(());
    }
    let catalog: Catalog = address::get(&address.server, "/api/catalog").await?;
    for game in page.games {
        let name = |player: &Option<Player>| player.as_ref().map_or_else(String::new, named);
        let (first, second) = (name(&game.players.first), name(&game.players.second));
        let time = time_control::shown(&game.time_control.clock);
        let rules = rules::shown(&catalog, &game.ruleset, &game.options);
        screen.say(&format!(
            "{}/games/{}  {rules}  {time}  {first} - {second}",
            address.server, game.game
        ))?;
    }
    Ok(())
}
