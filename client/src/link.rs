//! The connection to the server: it comes back by itself, catches up, and sends again what was not answered.

use std::{collections::BTreeMap, time::Duration};

use futures_util::{SinkExt, StreamExt};
use qiguan_environment::Random;
use qiguan_protocol::{
    announcement::Announcements,
    answer::{Answer, AnswerFrame},
    error::{ApiError, ErrorCode},
    event::{EventFrame, GameNotice, GameNoticeKind, ServerNotice, ServerNoticeKind},
    ids::{Cursor, GameId, Millis, RequestId, Token},
    limits,
    lobby::{LobbyNotice, LobbyNoticeKind},
};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::{Message, protocol::CloseFrame};

use super::{
    connection::ConnectError,
    server::{Server, answer::refused},
};

/// The first wait before another attempt, in milliseconds; it doubles up to [`LONGEST_WAIT`].
const FIRST_WAIT: u64 = 300;
/// The longest wait between attempts, in milliseconds.
const LONGEST_WAIT: u64 = 10_000;
/// The shortest and the longest wait that a server may ask for, in milliseconds.
const ASKED_WAIT: (u64, u64) = (100, 60_000);

/// What the server, or the connection, has to say.
pub enum News {
    /// The connection stands and this is who one is: a new identity comes with its token.
    Hello(Box<Answer>),
    /// The game as it stands, or what was missed.
    Caught(Box<Answer>),
    /// The answer to a request, of this type and with this data.
    Answered(&'static str, Value, Box<Result<Answer, ApiError>>),
    /// Something happened in a game.
    Event(Box<EventFrame>),
    /// Something happened around a game.
    Notice(GameNoticeKind),
    /// Something happened in the lobby.
    Lobby(Box<LobbyNoticeKind>),
    /// The announcements of the operators.
    Announced(Box<Announcements>),
    /// The server restarts.
    Restarting {
        /// When to come back.
        retry_in: Millis,
    },
    /// The connection is lost; another attempt follows.
    Lost,
    /// The connection is over, and another attempt makes no sense.
    Over(String),
}

/// What to ask of the server.
pub enum LinkRequest {
    /// A request, to be answered.
    Ask(&'static str, Value),
    /// Watch a game, now and after each reconnection.
    Watch(GameId),
}

/// Keeps a connection going and tells what it hears. It ends when nobody listens any more.
pub async fn run(
    server: Server,
    mut token: Option<Token>,
    identity: bool,
    requests: mpsc::Receiver<LinkRequest>,
    news: mpsc::Sender<News>,
) {
    let mut link = Link {
        requests,
        news,
        next_id: 0,
        open: BTreeMap::new(),
        watched: None,
        cursor: None,
        must_come_back: false,
    };
    let mut pause = Pause::short();
    loop {
        let ended = link.once(&server, &mut token, identity, &mut pause).await;
        let Some(news) = ended.news(&mut pause) else {
            return;
        };
        let is_over = matches!(news, News::Over(_));
        if link.news.send(news).await.is_err() || is_over {
            return;
        }
        pause.pass().await;
    }
}

/// How long it takes until another attempt: longer each time, and not the same for everybody.
pub struct Pause {
    ms: u64,
}

impl Pause {
    /// A short one, as after a connection that stood.
    pub const fn short() -> Self {
        Self { ms: FIRST_WAIT }
    }

    /// The connection stands: the next pause is a short one.
    pub const fn is_over(&mut self) {
        self.ms = FIRST_WAIT;
    }

    /// The server says how long the next one is.
    pub(super) fn is_to_be(&mut self, wait: Millis) {
        let (shortest, longest) = ASKED_WAIT;
        let asked = u64::try_from(wait.0).unwrap_or(FIRST_WAIT);
        self.ms = asked.clamp(shortest, longest);
    }

    /// Waits; the next one is longer.
    pub async fn pass(&mut self) {
        let half = u32::try_from(self.ms / 2 + 1).unwrap_or(u32::MAX);
        let spread = u64::from(Random::system().below(half));
        tokio::time::sleep(Duration::from_millis(self.ms + spread)).await;
        self.ms = (self.ms * 2).min(LONGEST_WAIT);
    }
}

struct Link {
    requests: mpsc::Receiver<LinkRequest>,
    news: mpsc::Sender<News>,
    next_id: u32,
    /// Requests without an answer, in the order they were made. Commands carry their own ids, so sending twice is safe.
    open: BTreeMap<u32, (&'static str, Value)>,
    watched: Option<GameId>,
    cursor: Option<Cursor>,
    /// The game can't be watched over this connection just now.
    must_come_back: bool,
}

/// Why a connection ends.
pub(super) enum ConnectionEnd {
    /// It broke off, or the server restarts.
    Lost { come_back_in: Option<Millis> },
    /// Another attempt makes no sense.
    Over(String),
    /// Nobody listens any more.
    Deaf,
}

impl ConnectionEnd {
    const LOST: Self = Self::Lost { come_back_in: None };

    /// What the listener receives; none if nobody listens. The next pause is as long as the server asks.
    pub(super) fn news(self, pause: &mut Pause) -> Option<News> {
        match self {
            Self::Lost { come_back_in } => {
                if let Some(wait) = come_back_in {
                    pause.is_to_be(wait);
                }
                Some(News::Lost)
            }
            Self::Over(why) => Some(News::Over(why)),
            Self::Deaf => None,
        }
    }
}

const HELLO: u32 = 0;
const WATCH: u32 = u32::MAX;

impl Link {
    async fn once(
        &mut self,
        server: &Server,
        token: &mut Option<Token>,
        identity: bool,
        pause: &mut Pause,
    ) -> ConnectionEnd {
        let mut stream = match server.socket().await {
            Ok(stream) => stream,
            Err(ConnectError::Unreachable { .. }) => return ConnectionEnd::LOST,
            Err(ConnectError::Untrusted(why)) => return ConnectionEnd::Over(why),
        };
        let (kind, data) = match token {
            Some(token) => ("hello", json!({"token": token})),
            None if identity => ("guest", json!({})),
            None => ("hello", json!({})),
        };
        if stream.send(frame(HELLO, kind, &data)).await.is_err() {
            return ConnectionEnd::LOST;
        }
        let mut greeted = false;
        let silence = Duration::from_millis(limits::SILENCE_MS);
        loop {
            let message = tokio::select! {
                message = tokio::time::timeout(silence, stream.next()) => message,
                request = self.requests.recv(), if greeted => {
                    let Some(request) = request else { return ConnectionEnd::Deaf };
                    let text = self.wanted(request);
                    if stream.send(text).await.is_err() {
                        return ConnectionEnd::LOST;
                    }
                    continue;
                }
            };
            let text = match message {
                Ok(Some(Ok(Message::Text(text)))) => text,
                Ok(Some(Ok(Message::Close(frame)))) => return closed(frame),
                Ok(Some(Ok(_))) => continue,
                Ok(Some(Err(_)) | None) | Err(_) => return ConnectionEnd::LOST,
            };
            let heard = self.hear(&text);
            if std::mem::take(&mut self.must_come_back) {
                return ConnectionEnd::LOST;
            }
            let Some(heard) = heard else {
                continue;
            };
            if matches!(&heard, News::Notice(GameNoticeKind::Dropped {}))
                && let Some(text) = self.watch_again()
                && stream.send(text).await.is_err()
            {
                return ConnectionEnd::LOST;
            }
            if let News::Hello(answer) = &heard {
                if let Answer::Guest(guest) = answer.as_ref() {
                    *token = Some(guest.token.clone());
                }
                greeted = true;
                pause.is_over();
                for text in self.again() {
                    if stream.send(text).await.is_err() {
                        return ConnectionEnd::LOST;
                    }
                }
            }
            let over = match &heard {
                News::Over(why) => Some(why.clone()),
                _ => None,
            };
            if let Some(why) = over {
                return ConnectionEnd::Over(why);
            }
            if self.news.send(heard).await.is_err() {
                return ConnectionEnd::Deaf;
            }
        }
    }

    fn wanted(&mut self, request: LinkRequest) -> Message {
        match request {
            LinkRequest::Ask(kind, data) => {
                self.next_id += 1;
                let text = frame(self.next_id, kind, &data);
                self.open.insert(self.next_id, (kind, data));
                text
            }
            LinkRequest::Watch(game) => {
                self.watched = Some(game);
                self.cursor = None;
                frame(WATCH, "watch", &json!({"game": game}))
            }
        }
    }

    /// What to send after a reconnection: watch from where it broke off, then whatever was not answered.
    fn again(&self) -> Vec<Message> {
        let watch = self.watch_again();
        let open = self
            .open
            .iter()
            .map(|(id, (kind, data))| frame(*id, kind, data));
        watch.into_iter().chain(open).collect()
    }

    /// Watches from where it broke off.
    fn watch_again(&self) -> Option<Message> {
        let data = |game| json!({"game": game, "since": self.cursor});
        self.watched.map(|game| frame(WATCH, "watch", &data(game)))
    }

    fn hear(&mut self, text: &str) -> Option<News> {
        let value: Value = serde_json::from_str(text).ok()?;
        if value.get("re").is_some() {
            let AnswerFrame { re, ok, error } = serde_json::from_value(value).ok()?;
            let RequestId(id) = re?;
            let result = match (ok, error) {
                (Some(answer), _) => Ok(answer),
                (None, Some(error)) => Err(error),
                (None, None) => return None,
            };
            return self.answered(id, result);
        }
        let (game, told) = told_by_itself(value)?;
        if game.is_some() && game != self.watched {
            return None;
        }
        if let (News::Event(event), Some(cursor)) = (&told, &mut self.cursor) {
            cursor.seq = event.seq;
        }
        Some(told)
    }

    fn answered(&mut self, id: u32, result: Result<Answer, ApiError>) -> Option<News> {
        Some(match (id, result) {
            (HELLO, Ok(answer)) => News::Hello(Box::new(answer)),
            (HELLO, Err(error)) => News::Over(match error.code {
                ErrorCode::BadToken => "the server no longer knows this identity: qiguan logout forgets it, and qiguan login signs in".to_owned(),
                _ => refused(&error),
            }),
            (WATCH, Ok(answer)) => {
                self.cursor = match &answer {
                    Answer::Snapshot { view, .. } => Some(view.cursor),
                    Answer::Missed { cursor, .. } => Some(*cursor),
                    _ => self.cursor,
                };
                News::Caught(Box::new(answer))
            }
            // A game that was being watched is still there.
            (WATCH, Err(error)) if error.code == ErrorCode::Busy && self.cursor.is_some() => {
                self.must_come_back = true;
                return None;
            }
            (WATCH, Err(error)) => News::Over(refused(&error)),
            (id, result) => {
                // An answer to nothing is a repeated one.
                let (kind, data) = self.open.remove(&id)?;
                News::Answered(kind, data, Box::new(result))
            }
        })
    }
}

/// What the server tells without being asked, and of which game it is.
pub(super) fn told_by_itself(value: Value) -> Option<(Option<GameId>, News)> {
    if value.get("seq").is_some() {
        let event: EventFrame = serde_json::from_value(value).ok()?;
        return Some((Some(event.game), News::Event(Box::new(event))));
    }
    if value.get("game").is_some() {
        let notice: GameNotice = serde_json::from_value(value).ok()?;
        return Some((Some(notice.game), News::Notice(notice.notice)));
    }
    if value.get("lobby").is_some() {
        let notice: LobbyNotice = serde_json::from_value(value).ok()?;
        return Some((None, News::Lobby(Box::new(notice.lobby))));
    }
    let notice: ServerNotice = serde_json::from_value(value).ok()?;
    let news = match notice.notice {
        ServerNoticeKind::Restarting { retry_in_ms, .. } => News::Restarting {
            retry_in: retry_in_ms,
        },
        ServerNoticeKind::SlowDown {} | ServerNoticeKind::OwnGame { .. } => return None,
        ServerNoticeKind::Announcements { standing: active } => News::Announced(Box::new(active)),
    };
    Some((None, news))
}

fn frame(id: u32, kind: &str, data: &Value) -> Message {
    Message::text(json!({"id": id, "type": kind, "data": data}).to_string())
}

/// Close codes below 4500 invite to come back; a restart tells when.
fn closed(frame: Option<CloseFrame>) -> ConnectionEnd {
    let Some(frame) = frame else {
        return ConnectionEnd::LOST;
    };
    let code = u16::from(frame.code);
    if code >= 4_500 {
        return ConnectionEnd::Over(frame.reason.to_string());
    }
    let after = frame
        .reason
        .split("retry_in_ms=")
        .nth(1)
        .and_then(|text| text.parse().ok())
        .map(Millis);
    ConnectionEnd::Lost {
        come_back_in: after,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_can_not_keep_a_client_away_for_long_nor_have_it_come_back_at_once() {
        for (asked, waited) in [(700, 700), (0, 100), (-5, 300), (i64::MAX, 60_000)] {
            let mut pause = Pause::short();
            pause.is_to_be(Millis(asked));
            assert_eq!(pause.ms, waited, "{asked}");
        }
    }
}
