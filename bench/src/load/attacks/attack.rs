//! One address that does its worst: many connections of it do the same again and again, as fast as they can, until their time is over.

use std::{cell::Cell, net::Ipv4Addr, time::Duration};

use anyhow::Result;
use futures_util::future::join_all;
use memchr::memmem;
use qiguan_protocol::SUBPROTOCOL;
use rustix::process::{getpriority_process, setpriority_process};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use self::Attack::{Connections, CreateAndAbort, Frames, Get, PlayAndChat, Post, Random};
use crate::load::{
    attacks::guests,
    socket::{self, Width},
};

/// How many connections an attacker opens one after the other at most.
const CONNECTIONS: u64 = 100_000;
/// About how many bytes are written at once.
const AT_ONCE: usize = 4 * 1024;
/// How much lower the priority of attackers is.
const NICER: i32 = 5;

/// What is done again and again.
#[derive(Clone, Copy)]
pub(super) enum Attack {
    /// Bytes that are not HTTP.
    Random,
    /// Connections are opened and closed.
    Connections,
    /// On a socket first these bytes, then always those.
    Frames(&'static [u8], &'static [u8]),
    /// A path is read; `{game}` is the longest game, `{n}` a number that is another one each time.
    Get(&'static str),
    /// A body is sent to a path.
    Post(&'static str, &'static str),
    /// Guests open games and abort them.
    CreateAndAbort,
    /// Pairs of guests play and chat.
    PlayAndChat,
}

/// All attacks.
pub(super) const ATTACKS: [(&str, Attack); 18] = [
    ("random bytes", Random),
    (
        "empty frames",
        Frames(b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"),
    ),
    ("no messages", Frames(b"", b"\x81\x87\0\0\0\0rubbish")),
    ("long no messages", Frames(b"", &LONG)),
    ("pings", Frames(b"", b"\x89\x80\0\0\0\0")),
    ("connections", Connections),
    ("events", Get("/api/games/{game}/events")),
    ("positions", Get("/api/games/{game}/positions")),
    ("view", Get("/api/games/{game}")),
    ("verify", Get("/api/games/{game}/verify")),
    ("text", Get("/api/games/{game}/text")),
    (
        "moving pictures",
        Get("/api/games/{game}/animation.gif?from=0&to=399&speed={n}"),
    ),
    ("export", Get("/api/games/export/ndjson")),
    (
        "search",
        Get("/api/games?status=ended&reason=repetition&ruleset=xiangqi/standard&limit=100"),
    ),
    (
        "wrong passwords",
        Post(
            "/api/login",
            r#"{"name":"Nobody_{n}","password":"not that one"}"#,
        ),
    ),
    ("new guests", Post("/api/guest", "")),
    ("create and abort", CreateAndAbort),
    ("play and chat", PlayAndChat),
];
/// A text nearly as long as a message can be, of zeros.
const LONG: [u8; 8_008] = {
    let mut frame = [0; 8_008];
    [frame[0], frame[1], frame[2], frame[3]] = [0x81, 0xfe, 0x1f, 0x40];
    frame
};

/// Who attacks whom.
pub(super) struct Attackers {
    pub(super) attack: Attack,
    /// Where all of them come from.
    pub(super) from: Ipv4Addr,
    /// Host and port.
    pub(super) address: String,
    /// The game whose long answers are read.
    pub(super) game: String,
    /// How many connections attack at once.
    pub(super) connections: usize,
    /// Whether guests wait for a moment when they have asked for too much.
    pub(super) patient: bool,
}

/// What came of it.
#[derive(Default)]
pub(super) struct Counts {
    /// Connections that were opened.
    pub(super) connections: Cell<u64>,
    /// Requests that did what they were to do.
    pub(super) done: Cell<u64>,
    /// Requests that were refused.
    pub(super) refused: Cell<u64>,
}

impl Counts {
    pub(super) fn add(count: &Cell<u64>) {
        count.set(count.get() + 1);
    }
}

impl Attackers {
    /// Attacks for so long, on a thread of low priority: on a core that it shares with the players it takes no time of those.
    ///
    /// # Errors
    /// When the attack can't begin.
    pub(super) async fn run(self, time: Duration) -> Result<Counts> {
        let attacking = move || {
            setpriority_process(None, getpriority_process(None)? + NICER)?;
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            let counts = Counts::default();
            let attackers = (0..self.connections as u64).map(async |number| match self.attack {
                CreateAndAbort => guests::create(&self, &counts).await,
                PlayAndChat => guests::play(&self, &counts).await,
                _ => self.attack(number << 32, &counts).await,
            });
            let over = async { tokio::time::timeout(time, join_all(attackers)).await };
            drop(runtime.block_on(over));
            Ok(counts)
        };
        tokio::task::spawn_blocking(attacking).await?
    }

    /// Comes back as often as it is cut off.
    async fn attack(&self, mut number: u64, counts: &Counts) {
        for _ in 0..CONNECTIONS {
            let Ok(stream) = socket::connect(self.from, &self.address, Width::Usual).await else {
                // No port is free for the moment.
                tokio::time::sleep(Duration::from_millis(1)).await;
                continue;
            };
            Counts::add(&counts.connections);
            if matches!(self.attack, Connections) {
                continue;
            }
            let (mut read, mut write) = stream.into_split();
            let writing = async {
                if let Frames(first, _) = self.attack {
                    let upgrade = socket::handshake(&self.address, "/api/ws", SUBPROTOCOL);
                    write
                        .write_all(&[upgrade.as_bytes(), first].concat())
                        .await?;
                }
                loop {
                    number += 1;
                    write.write_all(&self.payload(number)).await?;
                }
                #[expect(unreachable_code, reason = "the type of what ends it")]
                std::io::Result::Ok(())
            };
            let reading = async {
                let mut bytes = Vec::with_capacity(64 * 1024);
                while read.read_buf(&mut bytes).await? > 0 {
                    count(&bytes, counts);
                    bytes.clear();
                }
                std::io::Result::Ok(())
            };
            // Whichever ends first, the connection has been cut.
            tokio::select! { _ = writing => {} _ = reading => {} }
        }
    }

    /// What is sent again and again.
    fn payload(&self, number: u64) -> Vec<u8> {
        let head = |method, path: &str, rest: &str| {
            // A speed that pictures may have.
            let n = (100 + number % 4_900).to_string();
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: {}\r\n{rest}",
                self.address
            );
            head.replace("{game}", &self.game).replace("{n}", &n)
        };
        match self.attack {
            Frames(_, frame) => frame.repeat(AT_ONCE.div_ceil(frame.len())),
            Random => {
                let random = |at| number.wrapping_add(at).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (0..AT_ONCE as u64)
                    .map(|at| (random(at * at) >> 56) as u8)
                    .collect()
            }
            Get(path) => head("GET", path, "\r\n").into_bytes(),
            Post(path, body) => {
                let body = body.replace("{n}", &number.to_string());
                let rest = format!(
                    "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                );
                head("POST", path, &rest).into_bytes()
            }
            Connections | CreateAndAbort | PlayAndChat => Vec::new(),
        }
    }
}

/// Counts answers. Those whose status lies on the border of two reads are missed.
fn count(bytes: &[u8], counts: &Counts) {
    for at in memmem::find_iter(bytes, b"HTTP/1.1 ") {
        match bytes.get(at + 9) {
            Some(b'1' | b'2') => Counts::add(&counts.done),
            Some(_) | None => Counts::add(&counts.refused),
        }
    }
}
