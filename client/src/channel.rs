//! A channel: the featured games of a kind, one after the other, as the server streams them. It comes back by itself.

use std::time::Duration;

use hyper::body::Incoming;
use qiguan_protocol::{
    answer::Answer,
    ids::{GameId, Millis},
    limits,
    live::ChannelNotice,
};
use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    link::{self, ConnectionEnd, News, Pause},
    server::{Busy, Server, next_bytes},
};

/// The longest line that is read, in bytes: far more than a game and its chat take.
const LONGEST_LINE: usize = 8 << 20;

/// What a channel shows.
pub enum Shown {
    /// This game is on from now on, or none.
    Game(Option<GameId>),
    /// Something about it, or about the connection.
    News(News),
}

/// Follows the channel of a kind of game. It ends when nobody listens any more.
pub async fn run(server: Server, kind: String, shown: mpsc::Sender<Shown>) {
    let mut pause = Pause::new();
    loop {
        let ended = once(&server, &kind, &shown, &mut pause).await;
        let Some(news) = ended.news(&mut pause) else {
            return;
        };
        let is_over = matches!(news, News::Over(_));
        if shown.send(Shown::News(news)).await.is_err() || is_over {
            return;
        }
        pause.pass().await;
    }
}

async fn once(
    server: &Server,
    kind: &str,
    shown: &mpsc::Sender<Shown>,
    pause: &mut Pause,
) -> ConnectionEnd {
    let path = format!("/api/tv/{kind}");
    let mut lines = match server.stream(&path).await {
        Ok(Ok(body)) => Lines::of(body),
        Ok(Err(refused)) => return ConnectionEnd::Over(refused),
        Err(error) => {
            let busy = error.downcast_ref::<Busy>();
            let wait = busy.and_then(|busy| i64::try_from(busy.retry_after?.as_millis()).ok());
            return ConnectionEnd::Lost {
                come_back_in: wait.map(Millis),
            };
        }
    };
    let mut come_back_in = None;
    loop {
        let line = match lines.next().await {
            Ok(Some(line)) => line,
            Ok(None) => return ConnectionEnd::Lost { come_back_in },
            Err(TooLong) => return ConnectionEnd::Over("this is not a stream of games".to_owned()),
        };
        pause.is_over();
        let Some(heard) = heard(&line) else {
            continue;
        };
        if let Shown::News(News::Restarting { retry_in }) = &heard {
            come_back_in = Some(*retry_in);
        }
        if shown.send(heard).await.is_err() {
            return ConnectionEnd::Deaf;
        }
    }
}

fn heard(line: &[u8]) -> Option<Shown> {
    let value: Value = serde_json::from_slice(line).ok()?;
    if value.get("tv").is_some() {
        let notice: ChannelNotice = serde_json::from_value(value).ok()?;
        return Some(Shown::Game(notice.tv.game));
    }
    if value.get("type").is_some() {
        let answer: Answer = serde_json::from_value(value).ok()?;
        return Some(Shown::News(News::Caught(Box::new(answer))));
    }
    link::told_by_itself(value).map(|(_, news)| Shown::News(news))
}

/// A line that does not end.
#[derive(Debug, PartialEq, Eq)]
struct TooLong;

/// The lines of an answer, as they come.
struct Lines {
    body: Incoming,
    unread: Vec<u8>,
}

impl Lines {
    const fn of(body: Incoming) -> Self {
        Self {
            body,
            unread: Vec::new(),
        }
    }

    /// The next line with something in it; none when no more comes.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        loop {
            if let Some(line) = first_line(&mut self.unread) {
                // An empty line is a sign of life.
                if !line.is_empty() {
                    return Ok(Some(line));
                }
                continue;
            }
            if self.unread.len() > LONGEST_LINE {
                return Err(TooLong);
            }
            let silence = Duration::from_millis(limits::SILENCE_MS);
            match next_bytes(&mut self.body, silence).await {
                Some(bytes) => self.unread.extend_from_slice(&bytes),
                None => return Ok(None),
            }
        }
    }
}

/// Takes the first whole line, without its end.
fn first_line(unread: &mut Vec<u8>) -> Option<Vec<u8>> {
    let end = unread.iter().position(|byte| *byte == b'\n')?;
    let mut line: Vec<u8> = unread.drain(..=end).collect();
    line.pop();
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_when_they_are_whole() {
        let mut unread = b"one\n\ntwo".to_vec();
        assert_eq!(first_line(&mut unread).as_deref(), Some(&b"one"[..]));
        assert_eq!(first_line(&mut unread).as_deref(), Some(&b""[..]));
        assert_eq!(first_line(&mut unread), None);
        unread.push(b'\n');
        assert_eq!(first_line(&mut unread).as_deref(), Some(&b"two"[..]));
    }

    #[test]
    fn a_line_says_which_game_is_on_or_something_of_it() {
        let id = "01890000-0000-7000-8000-000000000001";
        let on = format!(r#"{{"tv":{{"kind":"xiangqi","game":"{id}"}}}}"#);
        let shown = heard(on.as_bytes());
        assert!(matches!(shown, Some(Shown::Game(Some(game))) if game.to_string() == id));
        let off = heard(br#"{"tv":{"kind":"xiangqi","game":null}}"#);
        assert!(matches!(off, Some(Shown::Game(None))));
        let restarting = heard(br#"{"notice":{"type":"restarting","retry_in_ms":700}}"#);
        let Some(Shown::News(News::Restarting { retry_in })) = restarting else {
            panic!("a restart is not heard")
        };
        assert_eq!(retry_in, Millis(700));
        for nothing in ["", "x", "[]", "{}", r#"{"tv":7}"#] {
            assert!(heard(nothing.as_bytes()).is_none(), "{nothing}");
        }
    }
}
