//! What a player keeps from the opponent: the setup while it is made, and guesses at hidden pieces.

use qiguan_protocol::{names::Seat, view::GameView};
use qiguan_rules::Square;
use serde_json::{Value, json};

use super::Player;
use crate::{
    board, formation,
    guesses::{self, Guesses},
    link::LinkRequest,
    screen::Screen,
    table::Table,
    text::printable,
};

/// What was sent last and is not answered yet.
#[derive(Default)]
pub(super) struct Drafts {
    setup: Option<String>,
    notes: Option<String>,
}

impl Drafts {
    /// Forgets what has its answer.
    pub(super) fn answered(&mut self, kind: &str, data: &Value) {
        let (draft, sent) = match kind {
            "set_up" => (&mut self.setup, &data["setup"]),
            "note" => (&mut self.notes, &data["notes"]),
            _ => return,
        };
        if draft.as_deref() == sent.as_str() {
            *draft = None;
        }
    }
}

impl Player {
    /// Takes in that the server has kept a setup or notes.
    pub(super) fn kept(&mut self, kind: &'static str, data: &Value) -> anyhow::Result<()> {
        let text = |field: &str| data[field].as_str().map(ToOwned::to_owned);
        if let Some(view) = self.table.as_mut().map(|table| &mut table.view) {
            match kind {
                "set_up" => {
                    if let Some(setup) = &mut view.setup {
                        setup.yours = text("setup");
                    }
                }
                "note" => view.notes = text("notes"),
                _ => {}
            }
        }
        self.show(true, None)
    }

    /// `swap`, `setup`, `setups`, `save` and `load`.
    pub(super) async fn sets_up(&mut self, word: &str, rest: &str) -> anyhow::Result<()> {
        let view = self.table.as_ref().map(|table| &table.view);
        let own = view.and_then(|view| Some((view.you?, view.setup.as_ref()?.yours.clone()?)));
        let Some((seat, kept)) = own else {
            return Ok(self.screen.say("there is nothing to set up here")?);
        };
        let setup = self.drafts.setup.clone().unwrap_or(kept);
        match (word, rest) {
            ("swap", squares) => {
                let (one, other) = squares.split_once(' ').unwrap_or((squares, ""));
                let game = self.screen.game();
                let exchanged = game
                    .and_then(|game| formation::exchanged(game, seat, &setup, one, other.trim()));
                match exchanged {
                    Some(setup) => self.set_up(setup).await?,
                    None => self
                        .screen
                        .say("swap requires two points of your half, such as: swap a1 b2")?,
                }
            }
            ("setup", "") => self.print_setup(&setup)?,
            ("setup", text) => self.set_up(text.to_owned()).await?,
            ("setups", _) => self.list_setups().await?,
            (_, "") => self.screen.say("which one? save NAME, load NAME")?,
            ("save", name) => self.save(seat, &setup, name).await?,
            (_, name) => self.load(seat, name).await?,
        }
        Ok(())
    }

    async fn set_up(&mut self, setup: String) -> anyhow::Result<()> {
        let data = json!({"game": self.game, "setup": setup});
        self.drafts.setup = Some(setup);
        self.ask_link(LinkRequest::Ask("set_up", data)).await
    }

    /// The setup as text, and what both are committed to once play has begun.
    fn print_setup(&self, setup: &str) -> anyhow::Result<()> {
        self.screen
            .say(&format!("your setup: {}", printable(setup)))?;
        let table = self.table.as_ref();
        let shown = table.and_then(|table| table.view.setup.as_ref());
        if let Some(commitments) = shown.and_then(|setup| setup.commitments.as_ref()) {
            self.screen.say(&self.screen.commitments(commitments))?;
        }
        Ok(())
    }

    async fn list_setups(&self) -> anyhow::Result<()> {
        let saved = match self.server.setups(self.token.as_ref()).await {
            Ok(saved) => saved.setups,
            Err(error) => return Ok(self.screen.say(&format!("{error:#}"))?),
        };
        if saved.is_empty() {
            self.screen.say("you have no saved setups")?;
        }
        for saved in saved {
            let (name, setup) = (printable(&saved.name), printable(&saved.setup));
            self.screen.say(&format!("{name}: {setup}"))?;
        }
        Ok(())
    }

    async fn save(&self, seat: Seat, setup: &str, name: &str) -> anyhow::Result<()> {
        // Setups are kept as the first seat writes them.
        let setup = match seat {
            Seat::First => setup.to_owned(),
            Seat::Second => formation::turned(setup),
        };
        let saved = self
            .server
            .save_setup(self.token.as_ref(), name, setup)
            .await;
        let told = match saved {
            Ok(()) => format!("saved: {name}"),
            Err(error) => format!("{error:#}"),
        };
        Ok(self.screen.say(&printable(&told))?)
    }

    async fn load(&mut self, seat: Seat, name: &str) -> anyhow::Result<()> {
        match self.server.setup(self.token.as_ref(), name).await {
            Ok(saved) => {
                let setup = match seat {
                    Seat::First => saved.setup,
                    Seat::Second => formation::turned(&saved.setup),
                };
                self.set_up(setup).await
            }
            Err(error) => Ok(self.screen.say(&format!("{error:#}"))?),
        }
    }

    /// `note SQUARE LETTER`, `note clear SQUARE`, `note clear all`.
    pub(super) async fn notes(&mut self, rest: &str) -> anyhow::Result<()> {
        let Some(table) = &self.table else {
            return Ok(());
        };
        let before = self.drafts.notes.as_ref().or(table.view.notes.as_ref());
        let notes = match noted(&self.screen, &table.view, before, rest) {
            Ok(notes) => notes,
            Err(why) => return Ok(self.screen.say(&why)?),
        };
        let data = json!({"game": self.game, "notes": notes});
        self.drafts.notes = Some(notes);
        self.ask_link(LinkRequest::Ask("note", data)).await
    }

    /// All guesses, by the point where the piece stands now.
    pub(super) fn guesses(&self, table: &Table) -> String {
        let shown = guesses::of(&table.view);
        if shown.is_empty() {
            return "you have no notes".to_owned();
        }
        let lines = shown.iter().map(|(square, letter)| {
            let name = self.screen.game().and_then(|game| {
                let mut pieces = game.pieces.iter();
                pieces.find(|piece| piece.letter == *letter)
            });
            let name = name.map_or(String::new(), |piece| {
                format!(" {}", printable(&piece.name))
            });
            format!("{square} {letter}{name}")
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The notes after a line that was typed, in place of those before, or what to tell the player.
fn noted(
    screen: &Screen,
    view: &GameView,
    before: Option<&String>,
    line: &str,
) -> Result<String, String> {
    const USAGE: &str = "note e7 G, note clear e7 or note clear all";
    if line == "clear all" {
        return Ok(String::new());
    }
    let guesses = Guesses::read(before.map(String::as_str))?;
    let (one, other) = line.split_once(' ').ok_or(USAGE)?;
    let (square, letter) = match (one, other.trim()) {
        ("clear", square) => (square, None),
        (square, letter) => (square, Some(letter)),
    };
    let parsed: Square = square.parse().map_err(|_| USAGE)?;
    let Some(letter) = letter else {
        return Ok(guesses.with(&view.moves, parsed, None));
    };
    let game = screen.game().ok_or("this program does not know the game")?;
    let piece = game
        .pieces
        .iter()
        .find(|piece| letter.eq_ignore_ascii_case(&piece.letter.to_string()))
        .ok_or_else(|| {
            let letters: Vec<_> = game
                .pieces
                .iter()
                .map(|piece| piece.letter.to_string())
                .collect();
            format!("expected one of the letters {}", letters.join(" "))
        })?;
    let stands = board::at(&view.position.fen, game, square);
    if !stands.is_some_and(|stands| board::is_hidden(game, stands)) {
        return Err(format!("there is no hidden piece on {parsed}"));
    }
    Ok(guesses.with(&view.moves, parsed, Some(piece.letter)))
}
