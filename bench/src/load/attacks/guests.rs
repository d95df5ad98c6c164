//! Guests without a rest: they open games and abort them, or make moves and chat, as fast as the server lets them.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use anyhow::{Context, Result};
use qiguan_protocol::{SUBPROTOCOL, limits};

use crate::load::{
    attacks::attack::{Attackers, Counts},
    scan,
    server_game::{asking, opening},
    socket::{self, Frame, Reader, Width, Writer},
};

/// Moves that come back to where they began.
const WALK: [&str; 4] = ["a3a4", "g7g6", "a4a3", "g6g7"];
/// Something is said at two of so many moves: the limits of chat refuse the rest.
const TALKS_EVERY: usize = 20;
/// How long a patient guest waits who has asked for too much.
const MOMENT: Duration = Duration::from_millis(50);

/// What became of a request.
enum Answer {
    /// The answer.
    Done(Vec<u8>),
    /// Too much was asked, or the connection is lost: the same can be asked again.
    NotNow,
    /// Refused for another reason.
    Refused,
}

/// A guest, who comes back under the same identity.
struct Guest<'a> {
    attackers: &'a Attackers,
    counts: &'a Counts,
    socket: Option<(Reader, Writer)>,
    token: Option<String>,
}

/// Opens games and aborts them.
pub(super) async fn create(attackers: &Attackers, counts: &Counts) {
    let mut guest = Guest::new(attackers, counts);
    loop {
        if let Some(game) = guest.opens(1).await {
            guest.insists("abort", &game, "").await;
        }
    }
}

/// Plays games to and fro with another guest, and says something now and then.
pub(super) async fn play(attackers: &Attackers, counts: &Counts) {
    let mut guests = [(); 2].map(|()| Guest::new(attackers, counts));
    let longest = "\u{1f600}".repeat(limits::CHAT_BYTES / '\u{1f600}'.len_utf8());
    let line = format!(r#","text":"{longest}""#);
    loop {
        let Some(game) = guests[0].opens(100).await else {
            continue;
        };
        guests[1].insists("join", &game, "").await;
        for ply in 1.. {
            let guest = &mut guests[(ply - 1) % 2];
            if ply % TALKS_EVERY < 2 {
                // What is refused is not said again.
                guest.asks(&command("chat", &game, &line)).await;
            }
            let walk = format!(r#","ply":{ply},"move":"{}""#, WALK[(ply - 1) % 4]);
            if !guest.insists("move", &game, &walk).await {
                break;
            }
        }
    }
}

impl<'a> Guest<'a> {
    const fn new(attackers: &'a Attackers, counts: &'a Counts) -> Self {
        Self {
            attackers,
            counts,
            socket: None,
            token: None,
        }
    }

    /// Opens a game, in which positions may come back so often.
    async fn opens(&mut self, repetitions: u32) -> Option<String> {
        match self.asks(&opening(ID, &id(), repetitions)).await {
            Answer::Done(created) => text(&created, b"\"game\":\""),
            Answer::NotNow | Answer::Refused => None,
        }
    }

    /// Sends a command until it is answered; whether it was carried out.
    async fn insists(&mut self, kind: &str, game: &str, more: &str) -> bool {
        let command = command(kind, game, more);
        loop {
            match self.asks(&command).await {
                Answer::Done(_) => return true,
                Answer::Refused => return false,
                Answer::NotNow => {}
            }
        }
    }

    async fn asks(&mut self, message: &str) -> Answer {
        let answer = match self.arrives().await {
            Ok(()) => self.sends(message).await,
            Err(error) => Err(error),
        };
        match &answer {
            Ok(Answer::Done(_)) => Counts::add(&self.counts.done),
            Ok(Answer::NotNow | Answer::Refused) => Counts::add(&self.counts.refused),
            Err(_) => self.socket = None,
        }
        let answer = answer.unwrap_or(Answer::NotNow);
        if self.attackers.patient && matches!(answer, Answer::NotNow) {
            tokio::time::sleep(MOMENT).await;
        }
        answer
    }

    /// Connects, if that is not so already.
    async fn arrives(&mut self) -> Result<()> {
        if self.socket.is_some() {
            return Ok(());
        }
        let address = &self.attackers.address;
        let stream = socket::connect(self.attackers.from, address, Width::Usual).await?;
        Counts::add(&self.counts.connections);
        self.socket = Some(socket::upgrade(stream, address, "/api/ws", SUBPROTOCOL).await?);
        let greeting = match &self.token {
            Some(token) => format!(r#"{{"id":{ID},"type":"hello","data":{{"token":"{token}"}}}}"#),
            None => format!(r#"{{"id":{ID},"type":"guest"}}"#),
        };
        let Answer::Done(greeted) = self.sends(&greeting).await? else {
            anyhow::bail!("no identity");
        };
        self.token = text(&greeted, b"\"token\":\"").or(self.token.take());
        Ok(())
    }

    /// Sends a request and waits for its answer.
    async fn sends(&mut self, message: &str) -> Result<Answer> {
        let (reader, writer) = self.socket.as_mut().context("not connected")?;
        writer.text(message.as_bytes())?;
        loop {
            while let Some(frame) = reader.frame()? {
                match frame {
                    Frame::Text(text) if text.starts_with(b"{\"re\":") => {
                        let is = |key: &[u8]| memchr::memmem::find(text, key).is_some();
                        return Ok(match (is(b"\"ok\":"), is(b"\"rate_limited\"")) {
                            (true, _) => Answer::Done(text.to_vec()),
                            (false, true) => Answer::NotNow,
                            (false, false) => Answer::Refused,
                        });
                    }
                    Frame::Ping(payload) => writer.pong(payload)?,
                    Frame::Text(_) | Frame::Pong => {}
                }
            }
            reader.fill().await?;
        }
    }
}

/// The number of every request: a guest waits for each answer.
const ID: u32 = 1;

/// A command id that is used once.
fn id() -> String {
    static COMMANDS: AtomicU64 = AtomicU64::new(0);
    let number = COMMANDS.fetch_add(1, Ordering::Relaxed);
    uuid::Uuid::from_u64_pair(std::process::id().into(), number).to_string()
}

/// A command with an id of its own, and what it has beside its game.
fn command(kind: &str, game: &str, more: &str) -> String {
    let command = asking(ID, kind, game, Some(&id()));
    format!("{}{more}}}}}", command.trim_end_matches('}'))
}

fn text(answer: &[u8], key: &[u8]) -> Option<String> {
    let text = scan::text_after(answer, key)?;
    Some(String::from_utf8_lossy(text).into_owned())
}
