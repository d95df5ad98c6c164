//! A spectator in the terminal: what the server sends becomes what is shown.

use qiguan_environment::Clock;
use qiguan_protocol::{
    answer::Answer,
    catalog::Catalog,
    event::GameNoticeKind,
    ids::{GameId, Millis},
    view::SpectatorLine,
};

use super::{
    link::News,
    screen::Screen,
    table::Table,
    text::{announced, named, printable},
};

/// A game that is looked at, and where it is shown.
pub struct Onlooker {
    /// Where.
    pub screen: Screen,
    catalog: Catalog,
    clock: Clock,
    /// How far the server's clock is ahead of this one.
    ahead: Millis,
    table: Option<Table>,
}

impl Onlooker {
    /// Nothing is looked at yet.
    pub fn new(screen: Screen, catalog: Catalog) -> Self {
        Self {
            screen,
            catalog,
            clock: Clock::system(),
            ahead: Millis(0),
            table: None,
        }
    }

    /// The game that is looked at.
    pub fn game(&self) -> Option<GameId> {
        self.table.as_ref().map(|table| table.view.game)
    }

    /// Whether that game is over, and everything of it has been shown.
    pub fn has_seen_the_end(&self) -> bool {
        self.table.as_ref().is_some_and(Table::is_over)
    }

    /// Looks away: the next game is another one.
    pub fn looks_away(&mut self) {
        self.table = None;
    }

    /// A second has passed: the clocks are redrawn.
    ///
    /// # Errors
    /// When standard output is closed.
    pub fn tick(&self) -> anyhow::Result<()> {
        if let Some(table) = &self.table {
            self.screen.tick(table, self.clock.now() + self.ahead)?;
        }
        Ok(())
    }

    /// Shows what was heard.
    ///
    /// # Errors
    /// When nothing more will be heard, or standard output is closed.
    pub fn hears(&mut self, heard: News) -> anyhow::Result<()> {
        let mut told = None;
        let mut redraw = true;
        match heard {
            News::Caught(answer) => match (&mut self.table, *answer) {
                (Some(table), answer) => table.catch_up(answer),
                (table @ None, Answer::Snapshot { view, .. }) => {
                    let start = view.start.as_deref();
                    self.screen.learn(&self.catalog, &view.ruleset, start);
                    self.ahead = view.server_time - self.clock.now();
                    *table = Some(Table::new(*view));
                }
                (None, _) => {}
            },
            News::Event(event) => {
                redraw = event.position.is_some();
                if let Some(table) = &mut self.table {
                    table.happened((*event).clone());
                }
                let view = self.table.as_ref().map(|table| &table.view);
                told = self.screen.told(&event, view);
            }
            News::Notice(notice) => {
                redraw = false;
                if let Some(table) = &mut self.table {
                    table.noticed(&notice);
                }
                if let GameNoticeKind::SpectatorChat { lines } = &notice {
                    told = Some(said(lines));
                }
            }
            News::Announced(active) => told = Some(announced(&active).join("; ")),
            News::Restarting { .. } => {
                told =
                    Some("the server is restarting; this client reconnects by itself".to_owned());
            }
            News::Lost => told = Some("the connection is lost; trying again".to_owned()),
            News::Over(why) => anyhow::bail!("{}", printable(&why)),
            News::Hello(_) | News::Answered(..) | News::Lobby(_) => redraw = false,
        }
        if let Some(table) = &self.table
            && (redraw || self.screen.is_live())
        {
            let now = self.clock.now() + self.ahead;
            self.screen.draw(table, now, &[])?;
        }
        if let Some(told) = told {
            self.screen.say(&told)?;
        }
        Ok(())
    }
}

/// What spectators have said, a line each.
fn said(lines: &[SpectatorLine]) -> String {
    let lines = lines.iter();
    let lines = lines.map(|line| format!("{}: {}", named(&line.player), printable(&line.text)));
    lines.collect::<Vec<_>>().join("\n")
}
