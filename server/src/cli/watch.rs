//! `qiguan watch`: looks on, in the terminal.

use std::time::Duration;

use qiguan_protocol::{
    answer::Answer,
    catalog::Catalog,
    event::GameNoticeKind,
    ids::Millis,
    names::Player,
    view::{GamePage, SpectatorLine},
};
use tokio::sync::mpsc;

use super::client::{
    address::{self, Address},
    link::{self, News, Wish},
    notation::NotationArgs,
    rules,
    screen::Screen,
    table::Table,
    text::{announced, named, printable},
    time_control,
};
use crate::environment::Clock;

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
    follow(screen, &catalog, news).await
}

async fn follow(
    mut screen: Screen,
    catalog: &Catalog,
    mut news: mpsc::Receiver<News>,
) -> anyhow::Result<()> {
    let clock = Clock::system();
    let mut ahead = Millis(0);
    let mut table: Option<Table> = None;
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    loop {
        let heard = tokio::select! {
            heard = news.recv() => heard,
            _ = seconds.tick() => {
                if let Some(table) = &table {
                    screen.tick(table, clock.now() + ahead)?;
                }
                continue;
            }
        };
        let Some(heard) = heard else { return Ok(()) };
        let mut told = None;
        let mut redraw = true;
        match heard {
            News::Caught(answer) => match (&mut table, *answer) {
                (Some(table), answer) => table.catch_up(answer),
                (table @ None, Answer::Snapshot { view, .. }) => {
                    screen.learn(catalog, &view.ruleset);
                    ahead = view.server_time - clock.now();
                    *table = Some(Table::new(*view));
                }
                (None, _) => {}
            },
            News::Event(event) => {
                redraw = event.position.is_some();
                if let Some(table) = &mut table {
                    table.happened((*event).clone());
                }
                told = screen.told(&event, table.as_ref().map(|table| &table.view));
            }
            News::Notice(notice) => {
                redraw = false;
                if let Some(table) = &mut table {
                    table.noticed(&notice);
                }
                if let GameNoticeKind::SpectatorChat { lines } = &notice {
                    told = Some(said(lines));
                }
            }
            News::Announced(standing) => told = Some(announced(&standing).join("; ")),
            News::Restarting => {
                told = Some("the server restarts; this client comes back by itself".to_owned())
            }
            News::Lost => told = Some("the connection is lost; trying again".to_owned()),
            News::Over(why) => anyhow::bail!("{}", printable(&why)),
            News::Hello(_) | News::Answered(..) | News::Lobby(_) => redraw = false,
        }
        if let Some(table) = &table
            && (redraw || screen.is_live())
        {
            screen.draw(table, clock.now() + ahead, &[])?;
        }
        if let Some(told) = told {
            screen.say(&told)?;
        }
        if table.as_ref().is_some_and(Table::is_over) {
            return Ok(());
        }
    }
}

/// What spectators have said, a line each.
fn said(lines: &[SpectatorLine]) -> String {
    let lines = lines.iter();
    let lines = lines.map(|line| format!("{}: {}", named(&line.player), printable(&line.text)));
    lines.collect::<Vec<_>>().join("\n")
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
