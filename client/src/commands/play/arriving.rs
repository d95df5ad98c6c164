//! Which identity joins a game: two terminals on one machine can be two people.

use std::io::{BufRead, IsTerminal, Write};

use qiguan_protocol::{
    ids::GameId,
    names::{self, Status},
    view::GameView,
};

use super::Player;
use crate::{
    identity::Identity,
    server::Server,
    table::Table,
    text::{printable, say},
};

/// As whom to come to a game. Somebody who waits there already, at another terminal, is probably not who comes now.
pub(super) async fn who(
    server: &Server,
    game: GameId,
    identity: Identity,
) -> anyhow::Result<Identity> {
    let Some(token) = identity.token()? else {
        return Ok(identity);
    };
    // What is wrong with the game, or the token, is reported when it is watched.
    let path = format!("/api/games/{game}");
    let Ok(view) = server.get::<GameView>(&path, Some(&token)).await else {
        return Ok(identity);
    };
    let waits = view.status == Status::Open
        && view
            .you
            .is_some_and(|you| view.presence.players.get(you).connected);
    if !waits || view.invited.is_some() {
        return Ok(identity);
    }
    let second = identity.second();
    let flag = match &second {
        Identity::Kept(_) => second.flag(),
        Identity::Guest | Identity::Environment(..) => "--guest ".to_owned(),
    };
    let own = "you are already waiting for an opponent in this game in another terminal";
    if view.rated {
        say(&format!(
            "{own}; it is rated, so a second person here needs an account: qiguan register {flag}{server} NAME, then qiguan play {flag}{server}/games/{game}"
        ))?;
        return Ok(identity);
    }
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        say(&format!(
            "{own}; a second person here types: qiguan play {flag}{server}/games/{game}"
        ))?;
        return Ok(identity);
    }
    say(own)?;
    let is_second = asks("Does a second person play here? [Y/n] ")?;
    Ok(if is_second { second } else { identity })
}

/// The welcome text of a new guest.
pub(super) fn greeting(player: &names::Player, identity: &Identity) -> String {
    let name = printable(&player.name);
    match (identity, identity.flag().trim()) {
        (Identity::Guest, _) => format!("you are {name}, until you quit"),
        (_, "") => format!("you are {name}"),
        (_, flag) => format!("you are {name}; come back with {flag}"),
    }
}

impl Player {
    /// Says how to come back to a game that goes on.
    pub(super) fn leave(&self) -> anyhow::Result<()> {
        let over = self.table.as_ref().is_none_or(Table::is_over);
        let Some(game) = self.game.filter(|_| !over) else {
            return Ok(());
        };
        let told = match &self.identity {
            Identity::Guest => "the game goes on without you".to_owned(),
            Identity::Environment(..) | Identity::Kept(_) => format!(
                "the game goes on; come back with: qiguan play {}{}/games/{game}",
                self.identity.flag(),
                self.server
            ),
        };
        Ok(self.screen.say(&told)?)
    }
}

fn asks(question: &str) -> anyhow::Result<bool> {
    let mut out = std::io::stdout().lock();
    write!(out, "{question}")?;
    out.flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(!line.trim().to_lowercase().starts_with('n'))
}
