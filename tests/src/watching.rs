//! How a client comes to know a game, and checks that nothing is missing.

use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    event::{EventFrame, GameNotice, GameNoticeKind},
    ids::{GameId, Seq},
    view::GameView,
};
use serde_json::json;

use crate::{
    client::{Client, Closed, Frame},
    waiting::{in_time, pause},
};

impl Client {
    /// Watches a game from the beginning, or from where it was seen last.
    pub async fn watches(&mut self, game: GameId) -> Answer {
        let since = self.cursors.get(&game).copied();
        let answer = self
            .asks("watch", json!({"game": game, "since": since}))
            .await;
        self.catches_up(&answer);
        answer
    }

    /// Watches a game as [`Self::snapshot`] does, if it may.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn tries_to_watch(&mut self, game: GameId) -> Result<GameView, ApiError> {
        let answer = self.request("watch", json!({"game": game})).await?;
        self.catches_up(&answer);
        let Answer::Snapshot { view, .. } = answer else {
            panic!("no snapshot")
        };
        Ok(*view)
    }

    /// Watches a game as [`Self::snapshot`] does, if the connection lasts and it may.
    ///
    /// # Errors
    /// When the connection ends before; when it is refused.
    pub async fn try_watch(&mut self, game: GameId) -> Result<Result<GameView, ApiError>, Closed> {
        let answered = self.try_request("watch", json!({"game": game})).await?;
        Ok(answered.map(|answer| {
            self.catches_up(&answer);
            let Answer::Snapshot { view, .. } = answer else {
                panic!("no snapshot")
            };
            *view
        }))
    }

    /// Watches a game for its snapshot. Events of an earlier watch that are still on their way come before it.
    pub async fn snapshot(&mut self, game: GameId) -> GameView {
        let answer = self.asks("watch", json!({"game": game})).await;
        self.queue
            .retain(|frame| !matches!(frame, Frame::Event(event) if event.game == game));
        self.catches_up(&answer);
        let Answer::Snapshot { view, .. } = answer else {
            panic!("no snapshot")
        };
        *view
    }

    /// Reads on until it knows of an event, and watches again whenever it gets no more of the game.
    pub async fn follows(&mut self, game: GameId, until: Seq) {
        loop {
            let is_known = self.cursors.get(&game).is_some_and(|it| it.seq >= until);
            if is_known && self.queue.is_empty() {
                return;
            }
            let frame = in_time("an event", self.next()).await;
            if let Frame::Notice(GameNotice {
                game: of,
                notice: GameNoticeKind::Dropped {},
            }) = frame.expect("the connection lasts")
                && of == game
            {
                self.watches_again(game).await;
            }
        }
    }

    /// Watches a game again that it gets no more of, and reads on with what it has missed.
    pub(crate) async fn resumes(&mut self, game: GameId) {
        let missed = self.watches_again(game).await;
        self.queue.extend(missed.into_iter().map(Frame::Event));
    }

    /// Watches a game from where it was seen last, as soon as that is possible. Comes back with the events that it has missed.
    pub async fn watches_again(&mut self, game: GameId) -> Vec<EventFrame> {
        loop {
            let since = self.cursors.get(&game).copied();
            let watch = json!({"game": game, "since": since});
            match self.request("watch", watch).await {
                Ok(answer) => return self.catches_up(&answer),
                Err(error) => assert_eq!(error.code, ErrorCode::Busy, "{error}"),
            }
            pause().await;
        }
    }

    /// Knows the game from then on as the answer says. Comes back with the events that it has missed.
    pub(crate) fn catches_up(&mut self, answer: &Answer) -> Vec<EventFrame> {
        match answer {
            Answer::Snapshot { view, .. } => {
                self.cursors.insert(view.game, view.cursor);
                Vec::new()
            }
            Answer::Missed {
                game,
                cursor,
                events,
                ..
            } => {
                // Live events may have overtaken the answer; what they brought is known already.
                let before = self.cursors.get(game).map_or(Seq(0), |cursor| cursor.seq);
                let new = events.iter().filter(|event| event.seq > before);
                let new: Vec<_> = new.cloned().collect();
                for (event, seq) in new.iter().zip(before.0 + 1..) {
                    assert_eq!(
                        (event.game, event.seq),
                        (*game, Seq(seq)),
                        "a missed event is missing or doubled"
                    );
                }
                assert_eq!(
                    events.last().map_or(cursor.seq, |event| event.seq),
                    cursor.seq
                );
                self.cursors.insert(*game, *cursor);
                new
            }
            Answer::Welcome(_)
            | Answer::Guest(_)
            | Answer::Pong { .. }
            | Answer::Created { .. }
            | Answer::Kept { .. }
            | Answer::Unwatched { .. }
            | Answer::Lobby { .. }
            | Answer::LeftLobby {}
            | Answer::Seek { .. }
            | Answer::Paired { .. }
            | Answer::LeftPools { .. }
            | Answer::OwnGames { .. }
            | Answer::Done { .. } => panic!("this is no answer to watch"),
        }
    }
}
