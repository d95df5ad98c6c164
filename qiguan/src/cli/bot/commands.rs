//! What a bot sends to a server.

use hyper::{Method, StatusCode};
use qiguan_client::{
    link::Pause,
    server::{NOTHING, Refused, answer::Answer},
};
use qiguan_protocol::{ids::GameId, view::GameView};
use serde::Serialize;
use serde_json::{Value, json};

use super::Bot;

impl Bot {
    /// Sends a command to a game until the server has carried it out or refused it; that is the inner error. However often it is sent, it is
    /// carried out once.
    pub(super) async fn does(&self, game: GameId, kind: &str, data: Value) -> Result<(), Refused> {
        let body = self.command(game, kind, data);
        let path = format!("/api/games/{game}/commands");
        self.until_answered(Method::POST, &path, Some(&body))
            .await?;
        Ok(())
    }

    /// Sends a command once.
    ///
    /// # Errors
    /// When the server can't be reached, or refuses.
    pub(super) async fn tries(&self, game: GameId, kind: &str) -> anyhow::Result<()> {
        let body = self.command(game, kind, json!({}));
        let path = format!("/api/games/{game}/commands");
        let token = Some(&self.token);
        self.server
            .ask(Method::POST, &path, token, Some(&body))
            .await?;
        Ok(())
    }

    /// The game as the bot's seat sees it.
    pub(super) async fn view(&self, game: GameId) -> Result<anyhow::Result<GameView>, Refused> {
        let path = format!("/api/games/{game}");
        let answer = self.until_answered(Method::GET, &path, NOTHING).await?;
        Ok(answer.json())
    }

    /// Takes a setup.
    pub(super) async fn sets_up(&self, game: GameId, setup: &str) -> Result<(), Refused> {
        let path = format!("/api/games/{game}/setup");
        let body = json!({"setup": setup});
        self.until_answered(Method::PUT, &path, Some(&body)).await?;
        Ok(())
    }

    fn command(&self, game: GameId, kind: &str, mut data: Value) -> Value {
        data["game"] = json!(game);
        data["command"] = json!(self.random.command_id());
        json!({"type": kind, "data": data})
    }

    /// Asks again while the server can't be reached, restarts, can't write its record, or wants fewer requests.
    async fn until_answered(
        &self,
        method: Method,
        path: &str,
        body: Option<&impl Serialize>,
    ) -> Result<Answer, Refused> {
        let mut pause = Pause::short();
        loop {
            let token = Some(&self.token);
            match self.server.ask(method.clone(), path, token, body).await {
                Ok(answer) => return Ok(answer),
                Err(error) => match error.downcast::<Refused>() {
                    Ok(refused) if !is_passing(refused.status) => return Err(refused),
                    _ => pause.pass().await,
                },
            }
        }
    }
}

/// Whether the same request may go well a little later.
pub(super) fn is_passing(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}
