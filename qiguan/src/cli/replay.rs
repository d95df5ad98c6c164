//! `qiguan replay`: steps through a stored game.

mod record;
mod review;

use std::io::{BufRead, IsTerminal};

use anyhow::Context;
use qiguan_client::{
    address::{self, Address},
    board::{self, BoardStyle},
    commitment_check::CommitmentCheck,
    identity::{Identity, WhoArgs},
    notation::NotationArgs,
    screen::{Screen, did, span},
    server::Server,
    text::{named, printable},
    tls::TrustArgs,
};
use qiguan_game::commitments::Shown;
use qiguan_protocol::{
    account::Me,
    catalog::Catalog,
    exported::Verification,
    ids::Token,
    names::Seat,
    review::Review,
    view::{GameView, Positions},
};
use qiguan_rules::Viewer;
use qiguan_server::config::source::Given;

use super::records::{FromRecordArgs, block_on};

/// Steps through a stored game in the terminal.
///
/// A server shows what you may know of the game. From the record (--from-record) it is everything: in Luzhanqi both armies from the first move
/// on, even during the game.
///
/// While stepping: enter or n for the next position, p for the one before, g N to ply N, e to the end, f for the
/// position as text, q to quit.
#[derive(clap::Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The id of a game, or its address.
    game: String,
    /// The server, if the game is named by its id; by default QIGUAN_SERVER, or else the one on this machine.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Have the game reviewed by the server's computer: each move is compared with the best one. For a game that is over.
    #[arg(long)]
    review: bool,
    /// Print every position; the default when the output is not a terminal.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    trust: TrustArgs,
    #[command(flatten)]
    record: FromRecordArgs,
}

/// Replays. `given` are the settings that are not at their defaults.
///
/// # Errors
/// When the server can't be reached or the record not be read, there is no such game, or the terminal is closed.
pub(crate) fn run(args: &ReplayArgs, given: &[Given]) -> anyhow::Result<()> {
    let stored = match args.record.records(given) {
        Some(records) => {
            let asks_a_server = args.server.is_some() || args.review;
            anyhow::ensure!(
                !asks_a_server,
                "--server and --review are for a game that a server shows, --from-record and --database for one that the record has"
            );
            block_on(record::read(records, &args.game))?
        }
        None => block_on(told(args))?,
    };
    let mut screen = Screen::new(args.plain, args.notation);
    let start = stored.view.start.as_deref();
    screen.learn(&stored.catalog, &stored.view.ruleset, start);
    let stdin = std::io::stdin();
    if args.plain || !stdin.is_terminal() || !std::io::stdout().is_terminal() {
        for ply in 0..stored.positions.positions.len() {
            screen.say(&stored.page(&screen, ply))?;
        }
        return Ok(());
    }
    step(&stored, &screen, stdin.lock())
}

/// How many positions are read of a game: far more than there are by any rules.
const MOST_POSITIONS: usize = 200_000;

/// A game as a server tells it.
async fn told(args: &ReplayArgs) -> anyhow::Result<Stored> {
    let (origin, game) = if args.game.contains("://") {
        let Address { server, game } = Address::parse(&args.game)?;
        let missing = || format!("{}: the game is missing", args.game);
        (server, game.with_context(missing)?)
    } else {
        let game = Address::named(Some(&args.game)).ok();
        let game = game.and_then(|address| address.game);
        let game = game.map_or_else(|| address::game_id(&args.game), Ok)?;
        (Address::named(args.server.as_deref())?.server, game)
    };
    let server = Server::new(origin, &args.trust)?;
    let token = own_token(&server, &args.who).await;
    let path = format!("/api/games/{game}");
    let view: GameView = server.get(&path, token.as_ref()).await?;
    let path = format!("{path}/positions");
    let mut positions: Positions = server.get(&path, token.as_ref()).await?;
    while let Some(next) = positions.next.take() {
        let page = format!("{path}?from={next}");
        let page: Positions = server.get(&page, token.as_ref()).await?;
        // A server that does not go on, or does so without end, is not asked for ever.
        let more = positions.positions.len() < MOST_POSITIONS;
        positions.next = page.next.filter(|after| *after > next && more);
        positions.positions.extend(page.positions);
    }
    let catalog: Catalog = server.get("/api/catalog", None).await?;
    let review = if args.review {
        Some(review::whole(&server, game, token.as_ref()).await?)
    } else {
        None
    };
    let verified = match view.outcome {
        // An older server does not say, and a busy one not now.
        Some(_) => server
            .get(&format!("/api/games/{game}/verify"), None)
            .await
            .ok(),
        None => None,
    };
    Ok(Stored {
        verified,
        review,
        view,
        positions,
        catalog,
    })
}

/// The token that this user has for a server, if the server still knows it: of a running game a player may see more.
async fn own_token(server: &Server, who: &WhoArgs) -> Option<Token> {
    let identity = Identity::of(who, server.origin()).ok()?;
    let token = identity.token().ok()??;
    let me: anyhow::Result<Me> = server.get("/api/me", Some(&token)).await;
    me.is_ok().then_some(token)
}

struct Stored {
    /// What came of playing the game again, if it is over.
    verified: Option<Verification>,
    /// What the server's computer thinks of the moves, if that was asked for.
    review: Option<Review>,
    view: GameView,
    positions: Positions,
    catalog: Catalog,
}

fn step(stored: &Stored, screen: &Screen, mut input: impl BufRead) -> anyhow::Result<()> {
    let last = stored.positions.positions.len().saturating_sub(1);
    let mut ply = 0;
    let mut bytes = Vec::new();
    loop {
        screen.turn_to(&stored.page(screen, ply))?;
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

/// What came of playing a game again, in words.
fn judged(verified: &Verification) -> String {
    match &verified.wrong {
        None => format!(
            "played again by the rules: all {} events follow",
            verified.events
        ),
        Some(wrong) => format!(
            "played again by the rules: event {} does not follow: {}",
            wrong.seq,
            printable(&wrong.what)
        ),
    }
}

impl Stored {
    /// Whether the game was refereed fairly, in words; none if it had no setups or they are not revealed.
    fn verdict(&self) -> Option<String> {
        let mut check = CommitmentCheck::default();
        check.sees(&self.view, true);
        for position in &self.positions.positions {
            check.sees_position(Shown {
                ply: position.ply,
                fen: position.fen.clone(),
                viewer: Viewer::Referee,
            });
        }
        check.verdict(&self.view)
    }

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
                player.map_or_else(String::new, named)
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
            let did = did(played.captured, played.removed, played.met);
            text.push_str(&format!(
                "ply {ply} of {}: {}{did} ({})\n",
                self.view.moves.len(),
                printable(&mv),
                span(played.spent_ms)
            ));
        } else {
            text.push_str(&format!("ply {ply} of {}\n", self.view.moves.len()));
        }
        let before = ply.checked_sub(1);
        let before = before.and_then(|before| self.positions.positions.get(before));
        if let (Some(review), Some(before)) = (&self.review, before)
            && let Some(told) = review::of_ply(review, ply, &before.fen, screen.spelling())
        {
            text.push_str(&format!("{told}\n"));
        }
        if position.check {
            let is_second = position.fen.split(' ').nth(1) == Some("b");
            let turn = [Seat::First, Seat::Second][usize::from(is_second)];
            text.push_str(&format!("{} is in check\n", screen.seat(turn)));
        }
        let game = self
            .catalog
            .games
            .iter()
            .find(|game| game.rulesets.iter().any(|set| set.id == self.view.ruleset));
        if let Some(game) = game {
            text.push_str(&board::draw(
                &position.fen,
                &BoardStyle::new(game, Seat::First),
            ));
        }
        if ply == self.view.moves.len()
            && let Some(outcome) = self.view.outcome
        {
            let setup = self.view.setup.as_ref();
            let lines = [
                Some(screen.outcome(outcome)),
                screen.revealed(setup),
                self.verdict(),
                self.verified.as_ref().map(judged),
            ];
            let sides = self.review.iter().flat_map(|review| {
                let side = |seat| review::of_side(screen.seat(seat), review.sides.get(seat));
                [side(Seat::First), side(Seat::Second)]
            });
            let lines: Vec<_> = lines.into_iter().chain(sides).flatten().collect();
            text.push_str(&lines.join("\n"));
        }
        text
    }
}
