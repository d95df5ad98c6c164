//! What a server tells a bot by itself: the streams of the bot and of its games. They come back by themselves.

use std::sync::atomic::{AtomicBool, Ordering};

use qiguan_client::{lines::Lines, link::Pause};
use qiguan_protocol::{
    event::{ServerNotice, ServerNoticeKind},
    ids::{GameId, SeekId},
    live::OwnStreamNotice,
    lobby::{LobbyNotice, LobbyNoticeKind},
    names::Player,
    own_game::OwnGame,
    view::GameSummary,
};
use serde_json::Value;
use tokio::sync::{Notify, mpsc};

use super::Bot;

/// What the bot's own stream tells.
pub(super) enum News {
    /// Who the bot is; everything that is there has been told.
    Me(Player),
    /// How a game of the bot stands.
    Game(Box<OwnGame>),
    /// Somebody challenges the bot.
    Challenged(Box<GameSummary>),
    /// A challenge is not open any more.
    ChallengeClosed(GameId),
    /// This seek has ended by itself; none if all have.
    SeekEnded(Option<SeekId>),
    /// The server refuses the stream.
    Over(String),
}

/// Reads the bot's stream for as long as somebody listens.
pub(super) async fn follow(bot: &Bot, news: mpsc::Sender<News>) {
    let each = async |line: Value| match news_of(line) {
        Some(told) => news.send(told).await.is_ok(),
        None => true,
    };
    if let Some(refused) = read(bot, "/api/me/stream", || {}, each).await {
        // Where nobody listens any more, it does not matter.
        let _ = news.send(News::Over(refused)).await;
    }
}

/// Reads the stream of a game as the bot's seat sees it, which also makes the bot present there. `changed` hears when there may be something to do, and
/// `stop` is set when what the bot thinks about does not stand any more. Ends when the server refuses, with the reason.
pub(super) async fn follow_game(
    bot: &Bot,
    game: GameId,
    changed: &Notify,
    stop: &AtomicBool,
) -> String {
    let path = format!("/api/games/{game}/stream?as=me");
    let each = async |line: Value| {
        let kind = line["event"]["type"].as_str();
        if matches!(kind, Some("ended" | "taken_back")) {
            stop.store(true, Ordering::Relaxed);
        }
        let is_own_move = kind == Some("moved") && line["position"]["legal"].is_null();
        let is_presence = line["notice"]["type"] == "presence";
        let is_news = kind.is_some() || is_presence || line["type"] == "snapshot";
        if is_news && !is_own_move && kind != Some("chat") {
            changed.notify_one();
        }
        true
    };
    let refused = read(bot, &path, || changed.notify_one(), each).await;
    refused.unwrap_or_else(|| "the stream has ended".to_owned())
}

/// Reads a stream line by line, and comes back when it breaks off; ends when the server refuses it, with the reason, or when nobody listens.
async fn read(
    bot: &Bot,
    path: &str,
    opened: impl Fn(),
    each: impl AsyncFn(Value) -> bool,
) -> Option<String> {
    let mut pause = Pause::short();
    loop {
        match bot.server.stream(path, Some(&bot.token)).await {
            Ok(Ok(body)) => {
                opened();
                let mut lines = Lines::of(body);
                while let Ok(Some(line)) = lines.next().await {
                    pause.is_over();
                    let Ok(line) = serde_json::from_slice(&line) else {
                        continue;
                    };
                    if !each(line).await {
                        return None;
                    }
                }
            }
            Ok(Err(refused)) => return Some(refused),
            // It can't be reached, or is busy.
            Err(_) => {}
        }
        pause.pass().await;
    }
}

fn news_of(line: Value) -> Option<News> {
    if line.get("lobby").is_some() {
        let notice: LobbyNotice = serde_json::from_value(line).ok()?;
        return Some(match notice.lobby {
            LobbyNoticeKind::Challenged { game } => News::Challenged(game),
            LobbyNoticeKind::ChallengeClosed { game } => News::ChallengeClosed(game),
            LobbyNoticeKind::SeekEnded { seek, .. } => News::SeekEnded(Some(seek)),
            // The other seeks of a player who is paired are gone.
            LobbyNoticeKind::Paired { .. } | LobbyNoticeKind::Reset {} => News::SeekEnded(None),
            LobbyNoticeKind::Changed { .. } => return None,
        });
    }
    if line.get("me").is_some() {
        let notice: OwnStreamNotice = serde_json::from_value(line).ok()?;
        return Some(News::Me(notice.me.player));
    }
    let notice: ServerNotice = serde_json::from_value(line).ok()?;
    match notice.notice {
        ServerNoticeKind::OwnGame { game } => Some(News::Game(game)),
        ServerNoticeKind::Restarting { .. }
        | ServerNoticeKind::SlowDown {}
        | ServerNoticeKind::Announcements { .. } => None,
    }
}
