//! Games that a bot opens itself: a challenge to a player, and a seek.

use std::sync::Arc;

use hyper::Method;
use qiguan_client::server::{NOTHING, Refused};
use qiguan_protocol::{
    answer::Answer,
    ids::{GameId, SeekId},
    lobby::SeekState,
    names::Status,
};
use serde_json::{Value, json};

use super::{Bot, OwnOffers, commands::is_passing, show};

/// What a bot has opened and nobody has taken yet.
pub(super) struct OwnGames {
    bot: Arc<Bot>,
    offers: OwnOffers,
    challenge: Option<GameId>,
    seek: Option<SeekId>,
    /// Whether the bot is to send a challenge as soon as it has a place.
    challenges: bool,
    /// Whether another challenge follows each game.
    repeats: bool,
}

impl OwnGames {
    pub(super) fn new(bot: Arc<Bot>, offers: OwnOffers, repeats: bool) -> Self {
        Self {
            challenges: offers.challenge.is_some(),
            bot,
            offers,
            challenge: None,
            seek: None,
            repeats,
        }
    }

    /// Whether a challenge is open: it needs a place once it is accepted.
    pub(super) const fn has_challenge(&self) -> bool {
        self.challenge.is_some()
    }

    fn offered(&self) -> Value {
        json!({
            "command": self.bot.random.command_id(),
            "ruleset": self.offers.ruleset.id(),
            "time_control": self.offers.time_control,
            "rated": self.offers.rated,
        })
    }

    /// Sends the challenge if one is due.
    ///
    /// # Errors
    /// When the server refuses it.
    pub(super) async fn challenges(&mut self) -> anyhow::Result<()> {
        if !self.challenges {
            return Ok(());
        }
        let mut body = self.offered();
        body["to"] = json!(self.offers.challenge);
        body["seat"] = json!("random");
        body["visibility"] = json!("public");
        if let Some(Answer::Created { game }) = self.asks("/api/games", &body).await? {
            self.challenge = Some(game);
            self.challenges = self.repeats;
        }
        Ok(())
    }

    /// A challenge of the bot is not open any more. True if its game is being played; after one that was declined no other follows.
    pub(super) async fn challenge_closed(&mut self, game: GameId) -> bool {
        if self.challenge != Some(game) {
            return false;
        }
        self.challenge = None;
        let Ok(Ok(view)) = self.bot.view(game).await else {
            return false;
        };
        if view.status == Status::Ended && view.moves.is_empty() {
            show("the challenge was declined");
            self.challenges = false;
        }
        view.status == Status::Playing
    }

    /// Seeks an opponent unless a seek is open.
    ///
    /// # Errors
    /// When the server refuses it.
    pub(super) async fn seeks(&mut self) -> anyhow::Result<()> {
        if !self.offers.seek || self.seek.is_some() {
            return Ok(());
        }
        let body = self.offered();
        if let Some(Answer::Seek { seek, state }) = self.asks("/api/lobby/seeks", &body).await? {
            self.seek = matches!(state, SeekState::Open {}).then_some(seek);
        }
        Ok(())
    }

    /// A seek has ended; without a name every one has.
    pub(super) fn seek_ended(&mut self, seek: Option<SeekId>) {
        if seek.is_none() || seek == self.seek {
            self.seek = None;
        }
    }

    /// Keeps an open seek open; it lives for a minute after it was last asked after.
    pub(super) async fn looks_after_seek(&mut self) {
        let Some(seek) = self.seek else {
            return;
        };
        let path = format!("/api/lobby/seeks/{seek}");
        let asked = self.bot.server.get(&path, Some(&self.bot.token)).await;
        if let Ok(Answer::Seek { state, .. }) = asked
            && !matches!(state, SeekState::Open {})
        {
            self.seek = None;
        }
    }

    /// Takes back what is open. Where the server can't be reached, it stays open: a seek closes by itself a little later, and a challenge is
    /// played when the bot is back.
    pub(super) async fn takes_back(&mut self) {
        if let Some(seek) = self.seek.take() {
            let path = format!("/api/lobby/seeks/{seek}");
            let token = Some(&self.bot.token);
            let server = &self.bot.server;
            let _ = server.ask(Method::DELETE, &path, token, NOTHING).await;
        }
        if let Some(game) = self.challenge.take() {
            let _ = self.bot.tries(game, "abort").await;
        }
    }

    /// Posts once; none if it may go well a little later.
    ///
    /// # Errors
    /// When the server refuses.
    async fn asks(&self, path: &str, body: &Value) -> anyhow::Result<Option<Answer>> {
        let token = Some(&self.bot.token);
        let asked = self.bot.server.ask(Method::POST, path, token, Some(body));
        match asked.await {
            Ok(answer) => Ok(Some(answer.json()?)),
            Err(error) => match error.downcast_ref::<Refused>() {
                Some(refused) if !is_passing(refused.status) => Err(error),
                _ => Ok(None),
            },
        }
    }
}
