//! Challenges that a player has received.

use anyhow::Context;
use hyper::Method;
use qiguan_environment::Random;
use qiguan_protocol::{ids::GameId, view::GameSummary};
use serde_json::json;

use super::Player;
use crate::{
    identity::Identity,
    link::LinkRequest,
    server::Server,
    text::{printable, say},
};

/// Declines the challenge at an address.
pub(super) async fn decline(
    server: &Server,
    game: Option<GameId>,
    identity: &Identity,
) -> anyhow::Result<()> {
    let game = game.context("--decline requires the address of a challenge: SERVER/games/ID")?;
    let token = identity.token()?.with_context(|| {
        format!("only the challenged player can decline: qiguan login {server} NAME")
    })?;
    let command = json!({
        "type": "decline",
        "data": {"game": game, "command": Random::system().command_id()},
    });
    let path = format!("/api/games/{game}/commands");
    server
        .ask(Method::POST, &path, Some(&token), Some(&command))
        .await?;
    say("the challenge is declined")
}

impl Player {
    /// A challenge has come.
    pub(super) fn challenged(&mut self, game: &GameSummary) -> anyhow::Result<()> {
        let by = [&game.players.first, &game.players.second];
        let by = by.into_iter().flatten().next();
        let by = by.map_or("somebody", |player| player.name.as_str());
        self.challenge = Some(game.game);
        let told = format!(
            "{} challenges you: qiguan play {}{}/games/{}, or type decline",
            printable(by),
            self.identity.flag(),
            self.server,
            game.game
        );
        Ok(self.screen.say(&told)?)
    }

    /// Declines the last challenge that has come.
    pub(super) async fn decline(&mut self) -> anyhow::Result<()> {
        let Some(game) = self.challenge.take() else {
            return Ok(());
        };
        let data = json!({"game": game, "command": Random::system().command_id()});
        self.ask_link(LinkRequest::Ask("decline", data)).await
    }
}
