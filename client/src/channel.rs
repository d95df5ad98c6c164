//! A channel: the featured games of a kind, one after the other, as the server streams them. It comes back by itself.

use qiguan_protocol::{
    answer::Answer,
    ids::{GameId, Millis},
    live::ChannelNotice,
};
use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    lines::{Lines, TooLong},
    link::{self, ConnectionEnd, News, Pause},
    server::{Busy, Server},
};

/// What a channel shows.
pub enum Shown {
    /// This game is on from now on, or none.
    Game(Option<GameId>),
    /// Something about it, or about the connection.
    News(News),
}

/// Follows the channel of a kind of game. It ends when nobody listens any more.
pub async fn run(server: Server, kind: String, shown: mpsc::Sender<Shown>) {
    let mut pause = Pause::short();
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
    let mut lines = match server.stream(&path, None).await {
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

#[cfg(test)]
mod tests {
    use super::*;

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
