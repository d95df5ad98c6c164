//! `qiguan replay`: steps through a stored game.

use std::io::{BufRead, IsTerminal};

use anyhow::Context;
use qiguan_protocol::{
    catalog::Catalog,
    names::Seat,
    view::{GameView, Positions},
};

use super::client::{
    address::{self, Address},
    board,
    notation::NotationArgs,
    screen::{Screen, printable, span},
};

/// Steps through a stored game in the terminal.
///
/// While stepping: enter or n for the next position, p for the one before, g N to ply N, e to the end, f for the
/// position as text, q to quit.
#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    /// The id of a game, or its address.
    game: String,
    /// The server, if the game is named by its id.
    #[arg(long, default_value = "http://127.0.0.1:8080", value_name = "URL")]
    server: String,
    /// Print every position, as when the output is no terminal.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    notation: NotationArgs,
}

/// Replays.
///
/// # Errors
/// When the server can't be reached or has no such game, or the terminal is closed.
pub fn run(args: &ReplayArgs) -> anyhow::Result<()> {
    let (address, game) = if args.game.contains("://") {
        let address = Address::parse(&args.game)?;
        let game = address.game;
        (
            address,
            game.with_context(|| format!("{}: the game is missing", args.game))?,
        )
    } else {
        (Address::parse(&args.server)?, address::game_id(&args.game)?)
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let stored = runtime.block_on(async {
        let view: GameView = address::get(&address.server, &format!("/api/games/{game}")).await?;
        let positions: Positions =
            address::get(&address.server, &format!("/api/games/{game}/positions")).await?;
        let catalog: Catalog = address::get(&address.server, "/api/catalog").await?;
        anyhow::Ok(Stored {
            view,
            positions,
            catalog,
        })
    })?;
    let mut screen = Screen::new(args.plain, args.notation);
    screen.learn(&stored.catalog, &stored.view.ruleset);
    let stdin = std::io::stdin();
    if args.plain || !stdin.is_terminal() || !std::io::stdout().is_terminal() {
        for ply in 0..stored.positions.positions.len() {
            screen.say(&stored.page(&screen, ply))?;
        }
        return Ok(());
    }
    step(&stored, &screen, stdin.lock())
}

struct Stored {
    view: GameView,
    positions: Positions,
    catalog: Catalog,
}

fn step(stored: &Stored, screen: &Screen, mut input: impl BufRead) -> anyhow::Result<()> {
    let last = stored.positions.positions.len().saturating_sub(1);
    let mut ply = 0;
    let mut bytes = Vec::new();
    loop {
        screen.say(&format!("\x1b[2J\x1b[H{}", stored.page(screen, ply)))?;
        screen.prompt()?;
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let line = String::from_utf8_lossy(&bytes);
        match line.trim().split_once(' ').unwrap_or((line.trim(), "")) {
            ("" | "n", _) => ply = (ply + 1).min(last),
            ("p", _) => ply = ply.saturating_sub(1),
            ("g", number) => ply = number.parse().unwrap_or(ply).min(last),
            ("e", _) => ply = last,
            ("f", _) => {
                screen.say(
                    stored
                        .positions
                        .positions
                        .get(ply)
                        .map_or("", |position| position.fen.as_str()),
                )?;
                input.read_until(b'\n', &mut Vec::new())?;
            }
            ("q", _) => return Ok(()),
            _ => {}
        }
    }
}

impl Stored {
    fn page(&self, screen: &Screen, ply: usize) -> String {
        let Some(position) = self.positions.positions.get(ply) else {
            return String::new();
        };
        let mut text = String::new();
        let name = |seat: Seat| {
            let player = self.view.players.get(seat).as_ref();
            format!(
                "{} {}",
                screen.seat(seat),
                player.map_or_else(String::new, |player| printable(&player.name))
            )
        };
        text.push_str(&format!(
            "{} - {}, {}\n",
            name(Seat::First),
            name(Seat::Second),
            screen.rules(&self.view)
        ));
        let so_far = self.view.moves.get(..ply).unwrap_or_default();
        if let (Some(mv), Some(played)) = (screen.spelling().last(so_far), so_far.last()) {
            let took = played
                .captured
                .map_or(String::new(), |letter| format!(", takes {letter}"));
            text.push_str(&format!(
                "ply {ply} of {}: {}{took} ({})\n",
                self.view.moves.len(),
                printable(&mv),
                span(played.spent_ms)
            ));
        } else {
            text.push_str(&format!("ply {ply} of {}\n", self.view.moves.len()));
        }
        let game = self
            .catalog
            .games
            .iter()
            .find(|game| game.rulesets.iter().any(|set| set.id == self.view.ruleset));
        if let Some(game) = game {
            text.push_str(&board::draw(&position.fen, game, Seat::First, &[]));
        }
        if ply == self.view.moves.len()
            && let Some(outcome) = self.view.outcome
        {
            text.push_str(&screen.outcome(outcome));
        }
        text
    }
}
