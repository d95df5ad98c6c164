//! The baseline: each frame of the player whose turn it is goes to both players of the room. It checks no rules; with a
//! journal it makes each frame durable before anybody gets it.

use std::{
    collections::HashMap,
    io::Write,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use futures_util::{SinkExt, StreamExt};
use qiguan::{
    room::event::{Body, Event},
    store::{
        journal::Journal,
        store::{Append, Entry},
    },
};
use qiguan_protocol::ids::{CommandId, Epoch, GameId, Millis, Ply, Seq};
use qiguan_rules::{Move, Seat};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_tungstenite::{
    accept_hdr_async_with_config,
    tungstenite::{
        Message, Utf8Bytes,
        handshake::server::{Request, Response},
    },
};

use crate::{stopwatch, wire};

/// Relays frames.
#[derive(clap::Args)]
pub(crate) struct RelayArgs {
    /// Makes each frame durable first, in this database.
    #[arg(long)]
    journal: Option<String>,
}

/// A room: its two players' outboxes, and how many frames there were.
struct Room {
    game: GameId,
    players: Mutex<[Option<mpsc::UnboundedSender<Utf8Bytes>>; 2]>,
    moves: AtomicU32,
}

type Rooms = Mutex<HashMap<u32, Arc<Room>>>;

/// Serves until it is killed.
pub(crate) fn run(args: &RelayArgs) -> anyhow::Result<()> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(serve(args))
}

async fn serve(args: &RelayArgs) -> anyhow::Result<()> {
    let journal = match &args.journal {
        Some(url) => {
            let store = qiguan::store::open(url, None, Epoch(1)).await?;
            let (journal, writer) = Journal::start(store);
            // It writes until the relay is killed.
            std::mem::forget(writer);
            Some(journal)
        }
        None => None,
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(
        std::io::stdout(),
        "listening on http://{}",
        listener.local_addr()?
    )?;
    let rooms = Arc::new(Rooms::default());
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(connection(stream, Arc::clone(&rooms), journal.clone()));
    }
}

async fn connection(stream: TcpStream, rooms: Arc<Rooms>, journal: Option<Journal>) -> Option<()> {
    #[expect(clippy::result_large_err, reason = "the library's own type")]
    let protocol = |_: &Request, mut response: Response| {
        response.headers_mut().insert(
            "sec-websocket-protocol",
            "qiguan.v1".parse().unwrap_or_else(|_| unreachable!()),
        );
        Ok(response)
    };
    let mut socket = accept_hdr_async_with_config(stream, protocol, Some(wire::config()))
        .await
        .ok()?;
    let first = socket.next().await?.ok()?.into_text().ok()?;
    let (number, seat) = first.split_once(' ')?;
    let (number, seat): (u32, usize) = (number.parse().ok()?, seat.parse().ok()?);
    let (sender, mut outbox) = mpsc::unbounded_channel();
    let room = {
        let mut rooms = rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || Room {
            game: GameId(stopwatch::game_id()),
            players: Mutex::default(),
            moves: AtomicU32::new(0),
        };
        Arc::clone(rooms.entry(number).or_insert_with(|| Arc::new(fresh())))
    };
    *room
        .players
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_mut(seat)? = Some(sender);
    loop {
        tokio::select! {
            frame = outbox.recv() => {
                socket.feed(Message::Text(frame?)).await.ok()?;
                while let Ok(frame) = outbox.try_recv() {
                    socket.feed(Message::Text(frame)).await.ok()?;
                }
                socket.flush().await.ok()?;
            }
            message = socket.next() => {
                let Message::Text(text) = message?.ok()? else { continue };
                let moves = room.moves.load(Ordering::Relaxed);
                if moves as usize % 2 != seat {
                    continue;
                }
                if let Some(journal) = &journal {
                    journal.append(append(&room, moves)?).await.ok()?;
                }
                room.moves.store(moves + 1, Ordering::Relaxed);
                for player in room.players.lock().unwrap_or_else(PoisonError::into_inner).iter().flatten() {
                    player.send(text.clone()).ok()?;
                }
            }
        }
    }
}

fn append(room: &Room, moves: u32) -> Option<Append> {
    let seat = if moves.is_multiple_of(2) {
        Seat::First
    } else {
        Seat::Second
    };
    let body = Body::Moved {
        seat,
        ply: Ply(moves + 1),
        mv: "a3a4".parse::<Move>().ok()?,
        spent: Millis(1),
        lag: Millis(0),
    };
    let command = Some(CommandId(stopwatch::command_id()));
    let event = Event {
        seq: Seq(moves + 1),
        at: Millis(1_700_000_000_000),
        command,
        body,
    };
    Some(Append {
        cause: "move",
        entries: vec![Entry {
            game: room.game,
            events: vec![event],
            summary: None,
        }],
    })
}
