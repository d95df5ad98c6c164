//! One connection to the relay: the first message says `room N seat S`, all others are moves.

use std::sync::Arc;

use anyhow::{Context, Result};
use futures_util::{SinkExt, StreamExt};
use qiguan_environment::{Clock, Random};
use tokio::{net::TcpStream, sync::mpsc};
use tokio_tungstenite::{
    WebSocketStream, accept_async_with_config,
    tungstenite::{Error, Message, Utf8Bytes, protocol::WebSocketConfig},
};

use crate::{
    load::scan,
    relay::{Relay, room::Room},
};

/// tungstenite's buffers, in bytes, as the server has them.
const BUFFER: usize = 4 * 1024;
/// How many waiting messages are written before the socket is flushed.
const TOGETHER: usize = 64;

type Socket = WebSocketStream<TcpStream>;

/// Serves a connection until the client goes.
pub(super) async fn serve(relay: &Relay, stream: TcpStream) -> Result<()> {
    let config = WebSocketConfig::default()
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER);
    let mut socket = accept_async_with_config(stream, Some(config)).await?;
    let (room, seat) = join(relay, &mut socket).await?;
    let (outbox, mut waiting) = mpsc::unbounded_channel();
    room.enter(seat, outbox);
    socket.send(Message::text(r#"{"joined":true}"#)).await?;
    let mut frames = Vec::with_capacity(TOGETHER);
    loop {
        tokio::select! {
            _ = waiting.recv_many(&mut frames, TOGETHER) => {
                if write(&mut socket, &mut frames).await.is_err() {
                    return Ok(());
                }
            }
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => hand_on(relay, &room, seat, text).await?,
                Some(Ok(_)) => {}
                // The client has gone.
                Some(Err(_)) | None => return Ok(()),
            }
        }
    }
}

async fn write(socket: &mut Socket, frames: &mut Vec<Utf8Bytes>) -> Result<(), Error> {
    for frame in frames.drain(..) {
        socket.feed(Message::Text(frame)).await?;
    }
    socket.flush().await
}

async fn join(relay: &Relay, socket: &mut Socket) -> Result<(Arc<Room>, u32)> {
    let first = socket.next().await.context("the client has gone")??;
    let mut words = first.to_text()?.split(' ');
    let (Some("room"), Some(room), Some("seat"), Some(seat)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        anyhow::bail!("the first message is: room N seat S");
    };
    let room = relay.rooms.room(room.parse()?, || {
        Random::system().game_id(Clock::system().now())
    });
    Ok((room, seat.parse()?))
}

/// Copies a move to everybody in the room, once it is durable if there is a record.
async fn hand_on(relay: &Relay, room: &Room, seat: u32, text: Utf8Bytes) -> Result<()> {
    let ply = scan::number_after(text.as_bytes(), b"\"ply\":").context("no ply")?;
    anyhow::ensure!(room.take(seat, ply), "it is not this player's turn");
    if let Some(ledger) = &relay.ledger {
        let mv = scan::text_after(text.as_bytes(), b"\"move\":\"").context("no move")?;
        let mv = std::str::from_utf8(mv)?.parse()?;
        ledger.record(room.game, ply, mv).await?;
    }
    room.send(&lengthened(text, relay.payload));
    Ok(())
}

fn lengthened(text: Utf8Bytes, bytes: usize) -> Utf8Bytes {
    if text.len() >= bytes {
        return text;
    }
    let mut long = Vec::with_capacity(bytes);
    long.extend_from_slice(text.as_bytes());
    long.resize(bytes, b' ');
    Utf8Bytes::try_from(long).unwrap_or(text)
}
