//! What is shown: lines of text, made from what the client knows.

use std::io::{self, IsTerminal, Write};

use qiguan_protocol::{
    catalog::{Catalog, CatalogGame},
    event::{EventFrame, GameEvent},
    ids::{GameId, Millis},
    names::{BySeat, Outcome, Seat, Status},
    setup::SetupView,
    view::GameView,
};

use super::{
    address::Origin,
    board::{self, BoardStyle},
    delay, formation, guesses,
    notation::{NotationArgs, Spelling},
    rules,
    table::Table,
    text::{lines, named, printable},
};

mod words;

pub use words::{BEGINS, did, span};
use words::{begins, ended, reason};

/// Shown for a game whose record is damaged.
const DAMAGED: &str =
    "the record of this game is damaged; it can be viewed up to here, but not played";
/// Shown when a player may set up.
pub const SET_UP: &str =
    "set up your pieces: swap a1 b2, load NAME, setup TEXT, then ready (help tells more)";

/// Where lines go. On a terminal the board is redrawn in place; elsewhere lines follow each other.
pub struct Screen {
    live: bool,
    server: Option<Origin>,
    catalog: Catalog,
    game: Option<CatalogGame>,
    seats: (String, String),
    spelling: Spelling,
}

impl Screen {
    /// The screen; `plain` never redraws.
    pub fn new(plain: bool, shown: NotationArgs) -> Self {
        Self {
            live: !plain && io::stdout().is_terminal(),
            server: None,
            catalog: Catalog { games: Vec::new() },
            game: None,
            seats: ("first".to_owned(), "second".to_owned()),
            spelling: Spelling::new(shown.notation),
        }
    }

    /// Whether the board is redrawn in place.
    pub const fn is_live(&self) -> bool {
        self.live
    }

    /// The same, of games on a server: as long as an opponent is waited for, what to send them stays in sight.
    #[must_use]
    pub fn of_server(mut self, server: &Origin) -> Self {
        self.server = Some(server.clone());
        self
    }

    /// Learns the game that is played here.
    pub fn learn(&mut self, catalog: &Catalog, ruleset: &str, start: Option<&str>) {
        let game = catalog
            .games
            .iter()
            .find(|game| game.rulesets.iter().any(|set| set.id == ruleset));
        self.catalog = catalog.clone();
        self.game = game.cloned();
        self.spelling.learn(ruleset, start);
        let set = game.and_then(|game| game.rulesets.iter().find(|set| set.id == ruleset));
        if let Some(set) = set {
            self.seats = (printable(&set.seats.first), printable(&set.seats.second));
        }
    }

    /// The game that is played here.
    pub const fn game(&self) -> Option<&CatalogGame> {
        self.game.as_ref()
    }

    /// A seat's shown name.
    pub fn seat(&self, seat: Seat) -> &str {
        match seat {
            Seat::First => &self.seats.0,
            Seat::Second => &self.seats.1,
        }
    }

    /// By which rules a game is played.
    pub fn rules(&self, view: &GameView) -> String {
        rules::shown(&self.catalog, &view.ruleset, &view.options)
    }

    /// How moves are shown.
    pub const fn spelling(&self) -> &Spelling {
        &self.spelling
    }

    /// Prints lines. Whatever they are made of, the terminal obeys nothing in them.
    ///
    /// # Errors
    /// When standard output is closed.
    pub fn say(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", lines(text))?;
        out.flush()
    }

    /// Prints lines in the place of all that was there.
    ///
    /// # Errors
    /// When standard output is closed.
    pub fn turn_to(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(b"\x1b[2J\x1b[H")?;
        drop(out);
        self.say(text)
    }

    /// Prints the prompt, on a terminal.
    ///
    /// # Errors
    /// When standard output is closed.
    pub fn prompt(&self) -> io::Result<()> {
        if self.live {
            let mut out = io::stdout().lock();
            write!(out, "> ")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Draws the table.
    ///
    /// # Errors
    /// When standard output is closed.
    pub fn draw(&self, table: &Table, now: Millis, marked: &[String]) -> io::Result<()> {
        let mut text = self.clock_line(table, now);
        text.push_str(&format!("\n{}", self.rules(&table.view)));
        if let Some(you) = table.view.you {
            text.push_str(&format!(" | you play {}", self.seat(you)));
        }
        text.push('\n');
        if let Some(game) = &self.game {
            let view = &table.view;
            let guesses = guesses::of(view);
            let mut look = BoardStyle {
                marked,
                guesses: Some(&guesses),
                ..BoardStyle::new(game, view.you.unwrap_or(Seat::First))
            };
            let own = view.setup.as_ref().and_then(|setup| setup.yours.as_ref());
            let mut fen = view.position.fen.clone();
            if let (true, Some(own), Some(you)) = (table.is_setting_up(), own, view.you) {
                fen = formation::on_board(you, own);
                look.half = Some(you);
            }
            text.push_str(&board::draw(&fen, &look));
        }
        text.push_str(&self.situation(table, now));
        if self.live {
            self.turn_to(&text)
        } else {
            self.say(&text)
        }
    }

    /// Refreshes the clocks in place, on a terminal.
    ///
    /// # Errors
    /// When standard output is closed.
    pub fn tick(&self, table: &Table, now: Millis) -> io::Result<()> {
        if self.live {
            let mut out = io::stdout().lock();
            write!(
                out,
                "\x1b7\x1b[1;1H\x1b[2K{}\x1b8",
                lines(&self.clock_line(table, now))
            )?;
            out.flush()?;
        }
        Ok(())
    }

    fn clock_line(&self, table: &Table, now: Millis) -> String {
        let side = |seat: Seat| {
            let name = table
                .view
                .players
                .get(seat)
                .as_ref()
                .map_or("nobody yet".to_owned(), named);
            let here = if table.view.presence.players.get(seat).connected {
                ""
            } else {
                " (away)"
            };
            let clock = table
                .left(seat, now)
                .map_or(String::new(), |(left, periods)| {
                    let periods = periods.map_or(String::new(), |periods| format!(" x{periods}"));
                    format!(" {}{periods}", span(left))
                });
            let runs = if table.view.clocks.running == Some(seat) {
                "*"
            } else {
                ""
            };
            format!("{} {name}{here}{clock}{runs}", self.seat(seat))
        };
        let left = table.left_to_set_up(now);
        let left = left.map_or(String::new(), |left| {
            format!("  |  to set up {}", span(left))
        });
        let watching = match table.view.presence.spectators {
            0 => String::new(),
            spectators => format!("  |  {spectators} watching"),
        };
        let (first, second) = (side(Seat::First), side(Seat::Second));
        format!("{first}  |  {second}{left}{watching}")
    }

    fn situation(&self, table: &Table, now: Millis) -> String {
        let view = &table.view;
        let mut lines = Vec::new();
        if let Some(last) = view.moves.last() {
            let did = did(last.captured, last.removed, last.met);
            lines.push(format!(
                "last move: {}. {}{did}",
                last.ply,
                printable(&self.spelling.last(&view.moves).unwrap_or_default())
            ));
        }
        if view.position.check {
            lines.push(format!("{} is in check", self.seat(view.position.turn)));
        }
        if let Some(hold) = view.clocks.held {
            lines.push(format!(
                "the clocks are stopped ({}), for at most {} more",
                reason(hold.reason),
                span(hold.until - now)
            ));
        }
        if let (Some(behind), Status::Playing, None) = (view.spectator_delay, view.status, view.you)
        {
            lines.push(format!("you see this game {}", delay::shown(behind)));
        }
        if view.damaged {
            lines.push(DAMAGED.to_owned());
        }
        if table.storage_down {
            lines.push("the server can't store moves right now; the clocks are stopped".to_owned());
        }
        for seat in [Seat::First, Seat::Second] {
            if let Some(at) = view.presence.players.get(seat).claim_at
                && view.outcome.is_none()
                && view.players.get(seat).is_some()
            {
                lines.push(format!(
                    "{} is disconnected; you can claim the game in {}",
                    self.seat(seat),
                    span(at - now)
                ));
            }
        }
        if let Some(offer) = view.draw_offer {
            lines.push(format!("{} offers a draw", self.seat(offer.seat)));
        }
        if let Some(setup) = &view.setup {
            let happened = !view.moves.is_empty() || view.outcome.is_some();
            lines.extend(self.beginning(setup, happened));
        }
        match (view.outcome, view.you) {
            (Some(outcome), _) => {
                lines.push(self.outcome(outcome));
                lines.extend(self.revealed(table.view.setup.as_ref()));
                lines.extend(table.verdict());
            }
            (None, _) if view.damaged => {}
            (None, _) if view.status == Status::Open => lines.push(self.waiting(view)),
            (None, you) if table.is_setting_up() => {
                if let Some(setup) = &view.setup {
                    lines.push(self.setting_up(setup, you));
                }
            }
            (None, Some(you)) if view.position.turn == you => lines.push("your move".to_owned()),
            (None, _) => lines.push(format!("{} to move", self.seat(view.position.turn))),
        }
        lines.join("\n")
    }

    /// Who is waited for, and what to send them.
    fn waiting(&self, view: &GameView) -> String {
        let invited = view.invited.as_ref().map(named);
        let waiting = invited.map_or_else(
            || "waiting for an opponent".to_owned(),
            |name| format!("waiting for {name}"),
        );
        match &self.server {
            Some(_) if view.you.is_some() => format!("{waiting}\n{}", self.invitation(view.game)),
            Some(_) | None => waiting,
        }
    }

    /// What others type to join a game, and to watch it.
    pub fn invitation(&self, game: GameId) -> String {
        let server = self.server.as_ref().map(Origin::to_string);
        let address = format!("{}/games/{game}", server.unwrap_or_default());
        format!(
            "your opponent types: qiguan play {address}\nanybody watches with: qiguan watch {address}"
        )
    }

    /// How play has begun, until something has `happened`: where the board is redrawn, lines above it are soon gone.
    fn beginning(&self, setup: &SetupView, happened: bool) -> Option<String> {
        let commitments = setup
            .commitments
            .as_ref()
            .filter(|_| self.live && !happened)?;
        Some(format!(
            "{}\n{}",
            begins(Some(setup)),
            self.commitments(commitments)
        ))
    }

    /// Who is ready and who is not, and where lines above the board are soon gone, what to do.
    fn setting_up(&self, setup: &SetupView, you: Option<Seat>) -> String {
        let side = |seat: Seat| {
            let who = if you == Some(seat) {
                "you are"
            } else {
                &format!("{} is", self.seat(seat))
            };
            let how = if *setup.ready.get(seat) {
                "ready"
            } else {
                "setting up"
            };
            format!("{who} {how}")
        };
        let (first, second) = (side(Seat::First), side(Seat::Second));
        let busy = you.is_some_and(|you| !*setup.ready.get(you));
        if self.live && busy {
            format!("{first}, {second}\n{SET_UP}")
        } else {
            format!("{first}, {second}")
        }
    }

    /// What both had set up, once it is revealed.
    pub fn revealed(&self, setup: Option<&SetupView>) -> Option<String> {
        let revealed = setup?.revealed.as_ref()?;
        let side = |seat: Seat| {
            let (name, shown) = (self.seat(seat), revealed.get(seat));
            let (setup, salt) = (printable(&shown.setup), printable(&shown.salt));
            format!("{name} had set up {setup} (salt {salt})")
        };
        Some(format!("{}\n{}", side(Seat::First), side(Seat::Second)))
    }

    /// What both are committed to.
    pub fn commitments(&self, commitments: &BySeat<String>) -> String {
        let side = |seat: Seat| {
            let commitment = printable(commitments.get(seat));
            format!("{} is committed to {commitment}", self.seat(seat))
        };
        format!("{}\n{}", side(Seat::First), side(Seat::Second))
    }

    /// The line that describes an event; none if the board shows it. The game, if it is known, has the event already.
    pub fn told(&self, frame: &EventFrame, view: Option<&GameView>) -> Option<String> {
        Some(match &frame.event {
            GameEvent::Joined { seat, player } => {
                format!("{} joins as {}", named(player), self.seat(*seat))
            }
            GameEvent::Started { commitments, .. } => match commitments {
                // The board says it.
                Some(_) if self.live => return None,
                Some(commitments) => {
                    let begins = begins(view.and_then(|view| view.setup.as_ref()));
                    format!("{begins}\n{}", self.commitments(commitments))
                }
                None => BEGINS.to_owned(),
            },
            GameEvent::Moved {
                seat,
                ply,
                text,
                captured,
                removed,
                met,
                ..
            } => {
                let did = did(*captured, *removed, *met);
                let spelled = view
                    .and_then(|view| view.moves.get(..ply.0 as usize))
                    .and_then(|so_far| self.spelling.last(so_far))
                    .unwrap_or_else(|| text.to_string());
                format!("{ply}. {} {}{did}", self.seat(*seat), printable(&spelled))
            }
            GameEvent::DrawOffered { seat } => format!("{} offers a draw", self.seat(*seat)),
            GameEvent::DrawDeclined { seat } => format!("{} declines the draw", self.seat(*seat)),
            GameEvent::TakebackRequested { seat } => {
                let who = self.seat(*seat);
                format!("{who} asks to take a move back: accept or decline")
            }
            GameEvent::TakebackDeclined { seat } => {
                format!("{} declines the takeback", self.seat(*seat))
            }
            GameEvent::TakenBack { seat, plies, .. } => {
                let moves = if *plies == 1 { "a move" } else { "two moves" };
                format!("{moves} taken back; {} is to move", self.seat(*seat))
            }
            GameEvent::ClocksHeld { reason: why, .. } => {
                format!("the clocks are stopped: {}", reason(*why))
            }
            GameEvent::ClocksReleased { .. } => "the clocks are running".to_owned(),
            GameEvent::Ended { outcome, .. } => self.outcome(*outcome),
            GameEvent::RematchOffered { seat } => {
                format!("{} offers a rematch: rematch", self.seat(*seat))
            }
            GameEvent::RematchAgreed { .. } => {
                "a rematch begins, with the seats swapped".to_owned()
            }
            GameEvent::Chat { seat, text } => format!("{}: {}", self.seat(*seat), printable(text)),
            GameEvent::SetupBegan { setup, .. } => match setup {
                Some(_) if self.live => return None,
                Some(_) => SET_UP.to_owned(),
                None => "both set up in secret".to_owned(),
            },
            GameEvent::SetupExtended { .. } => "the setup time was extended".to_owned(),
            GameEvent::SetupReady { seat } => format!("{} is ready", self.seat(*seat)),
            GameEvent::Created { .. } | GameEvent::Revealed { .. } | GameEvent::Withheld {} => {
                return None;
            }
        })
    }

    /// How a game has ended.
    pub fn outcome(&self, outcome: Outcome) -> String {
        let Some(why) = ended(outcome.reason) else {
            return "the game was aborted".to_owned();
        };
        match outcome.winner {
            Some(seat) => format!("{} wins ({why})", self.seat(seat)),
            None => format!("a draw ({why})"),
        }
    }
}

#[cfg(test)]
mod tests;
