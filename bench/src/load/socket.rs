//! A WebSocket client of the few things that a measurement needs, so that the load generator does not become the bottleneck.
//!
//! Deliberately absent: fragments, extensions, and the check of the server's accept key. The mask is all zeros, which costs
//! the server as much as any other.

use std::{cell::RefCell, net::Ipv4Addr};

use anyhow::{Context, Result, bail};
use nix::sys::socket::{setsockopt, sockopt::TcpMaxSeg};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpSocket, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

const TEXT: u8 = 0x1;
/// In the place of a length: it follows in two bytes.
const LONG: u8 = 0x7e;
/// In eight bytes.
const LONGEST: u8 = 0x7f;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
const PONG: u8 = 0xa;
/// How much is kept for a [narrow](Width::Narrow) connection until it is read, in bytes.
const NARROW_BYTES: u32 = 16 * 1024;
/// Its largest segment, in bytes.
const SEGMENT_BYTES: u32 = 536;
/// How much is read at once, in bytes, where there is as much.
const CHUNK: usize = 4 * 1024;

/// What comes in.
pub(super) struct Reader {
    half: OwnedReadHalf,
    buffer: Vec<u8>,
    /// Where in the buffer the next frame begins.
    next: usize,
}

/// What goes out. It never waits: messages are so few at once that they always fit into the kernel's buffer.
pub(super) struct Writer {
    half: OwnedWriteHalf,
    scratch: RefCell<Vec<u8>>,
}

/// A message from the server.
pub(super) enum Frame<'a> {
    /// A message.
    Text(&'a [u8]),
    /// To be answered with the same bytes.
    Ping(&'a [u8]),
    /// Nothing to do.
    Pong,
}

/// How much the kernel takes for a client that does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// What it takes on a loopback, some megabytes.
    Usual,
    /// As little as on a mobile network, some tens of kilobytes on either side.
    Narrow,
}

/// Opens a connection from an address of this machine; unspecified for the usual one.
pub(super) async fn connect(from: Ipv4Addr, address: &str, width: Width) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    if width == Width::Narrow {
        socket.set_recv_buffer_size(NARROW_BYTES)?;
        // What the server's kernel takes depends on how large a segment may be.
        setsockopt(&socket, TcpMaxSeg, &SEGMENT_BYTES)?;
    }
    if !from.is_unspecified() {
        socket.bind((from, 0).into())?;
    }
    let stream = socket.connect(address.parse()?).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The request that opens a socket.
pub(super) fn handshake(address: &str, path: &str, protocol: &str) -> String {
    let protocol = match protocol {
        "" => String::new(),
        name => format!("Sec-WebSocket-Protocol: {name}\r\n"),
    };
    format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{protocol}\r\n"
    )
}

/// Opens a socket.
pub(super) async fn open(
    address: &str,
    path: &str,
    protocol: &str,
    width: Width,
) -> Result<(Reader, Writer)> {
    let stream = connect(Ipv4Addr::UNSPECIFIED, address, width).await?;
    upgrade(stream, address, path, protocol).await
}

/// Makes a connection a socket.
pub(super) async fn upgrade(
    mut stream: TcpStream,
    address: &str,
    path: &str,
    protocol: &str,
) -> Result<(Reader, Writer)> {
    let request = handshake(address, path, protocol);
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = Vec::with_capacity(CHUNK);
    let next = loop {
        anyhow::ensure!(
            stream.read_buf(&mut buffer).await? > 0,
            "closed during the handshake"
        );
        if let Some(end) = memchr::memmem::find(&buffer, b"\r\n\r\n") {
            break end + 4;
        }
    };
    if !buffer.starts_with(b"HTTP/1.1 101") {
        bail!(
            "the socket is refused: {}",
            String::from_utf8_lossy(&buffer)
        );
    }
    let (read, write) = stream.into_split();
    let reader = Reader {
        half: read,
        buffer,
        next,
    };
    let writer = Writer {
        half: write,
        scratch: RefCell::default(),
    };
    Ok((reader, writer))
}

impl Reader {
    /// Waits for bytes, hands over every whole message in them, and answers pings.
    pub(super) async fn listen(
        &mut self,
        writer: &Writer,
        mut hear: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        self.fill().await?;
        while let Some(frame) = self.frame()? {
            match frame {
                Frame::Text(text) => hear(text)?,
                Frame::Ping(payload) => writer.pong(payload)?,
                Frame::Pong => {}
            }
        }
        Ok(())
    }

    /// Waits for more bytes.
    pub(super) async fn fill(&mut self) -> Result<()> {
        self.buffer.drain(..self.next);
        self.next = 0;
        self.buffer.reserve(CHUNK / 2);
        let read = self.half.read_buf(&mut self.buffer).await?;
        anyhow::ensure!(read > 0, "the server has closed the connection");
        Ok(())
    }

    /// The next whole frame that is there.
    pub(super) fn frame(&mut self) -> Result<Option<Frame<'_>>> {
        let Some(rest) = self.buffer.get(self.next..) else {
            return Ok(None);
        };
        let (first, length, header) = match *rest {
            [first, length @ 0..=125, ..] => (first, usize::from(length), 2),
            [first, LONG, high, low, ..] => {
                (first, usize::from(u16::from_be_bytes([high, low])), 4)
            }
            [first, LONGEST, ref rest @ ..] => match rest.first_chunk() {
                Some(length) => (first, usize::try_from(u64::from_be_bytes(*length))?, 10),
                None => return Ok(None),
            },
            [_, 128..=255, ..] => bail!("a frame with a mask"),
            _ => return Ok(None),
        };
        let Some(payload) = rest.get(header..header + length) else {
            return Ok(None);
        };
        self.next += header + length;
        anyhow::ensure!(first & 0x80 != 0, "a fragment");
        match first & 0x0f {
            TEXT => Ok(Some(Frame::Text(payload))),
            PING => Ok(Some(Frame::Ping(payload))),
            PONG => Ok(Some(Frame::Pong)),
            CLOSE => bail!(
                "the server says goodbye: {}",
                String::from_utf8_lossy(payload.get(2..).unwrap_or_default())
            ),
            other => bail!("a frame of kind {other}"),
        }
    }
}

impl Writer {
    /// Sends a message.
    pub(super) fn text(&self, payload: &[u8]) -> Result<()> {
        self.send(TEXT, payload)
    }

    /// Answers a ping.
    pub(super) fn pong(&self, payload: &[u8]) -> Result<()> {
        self.send(PONG, payload)
    }

    fn send(&self, kind: u8, payload: &[u8]) -> Result<()> {
        let mut frame = self.scratch.borrow_mut();
        frame.clear();
        frame.push(0x80 | kind);
        match payload.len() {
            length @ 0..=125 => frame.push(0x80 | length as u8),
            length => {
                frame.push(0x80 | LONG);
                let length = u16::try_from(length).context("a message that long is not sent")?;
                frame.extend(length.to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(payload);
        let written = self.half.try_write(&frame).context("sending")?;
        anyhow::ensure!(written == frame.len(), "a message was sent in part");
        Ok(())
    }
}
