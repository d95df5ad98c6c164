//! Bytes on a socket, for everything that a decent client would never send.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::waiting::in_time;

/// A connection on which anything can be said.
pub struct Raw(pub TcpStream);

impl Raw {
    /// Connects.
    pub async fn connect(address: &str) -> Self {
        Self(
            in_time("a connection", TcpStream::connect(address))
                .await
                .expect("the server listens"),
        )
    }

    /// Connects with the smallest window there is, so that little is on its way to somebody who does not read.
    pub async fn connect_narrowly(address: &str) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket
            .set_recv_buffer_size(1)
            .expect("the system takes its own least for it");
        let connecting = socket.connect(address.parse().expect("an address"));
        Self(
            in_time("a connection", connecting)
                .await
                .expect("the server listens"),
        )
    }

    /// Connects and becomes a WebSocket.
    pub async fn upgraded(address: &str) -> Self {
        Self::connect(address).await.upgrade(address).await
    }

    /// Becomes a WebSocket.
    pub async fn upgrade(self, address: &str) -> Self {
        let mut raw = self;
        let head = raw.asks_upgrade(address).await;
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        raw
    }

    /// Asks to become a WebSocket; the head of the answer.
    pub async fn asks_upgrade(&mut self, address: &str) -> String {
        let request = format!(
            "GET /api/ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             Sec-WebSocket-Protocol: qiguan.v1\r\n\r\n"
        );
        self.sends(request.as_bytes()).await;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(
                in_time("the upgrade", self.0.read_u8())
                    .await
                    .expect("the server answers"),
            );
        }
        String::from_utf8_lossy(&head).into_owned()
    }

    /// Sends bytes; a connection that is closed swallows them.
    pub async fn sends(&mut self, bytes: &[u8]) {
        let _ = in_time("bytes to go out", self.0.write_all(bytes)).await;
    }

    /// Sends a frame of a client: masked with zeros, whatever the first byte and the payload.
    pub async fn sends_frame(&mut self, first: u8, payload: &[u8]) {
        let mut frame = vec![first];
        match payload.len() {
            0..=125 => frame.push(0x80 | payload.len() as u8),
            126..=0xffff => {
                frame.push(0xfe);
                frame.extend((payload.len() as u16).to_be_bytes());
            }
            long => {
                frame.push(0xff);
                frame.extend((long as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(payload);
        self.sends(&frame).await;
    }

    /// Reads one short frame; its payload as text.
    pub async fn reads_frame(&mut self) -> String {
        let reading = async {
            let _ = self.0.read_u8().await?;
            let length = match self.0.read_u8().await? {
                126 => self.0.read_u16().await?,
                short => u16::from(short),
            };
            let mut payload = vec![0; usize::from(length)];
            self.0.read_exact(&mut payload).await?;
            std::io::Result::Ok(String::from_utf8_lossy(&payload).into_owned())
        };
        in_time("a frame", reading).await.expect("a frame comes")
    }

    /// Reads frames until the server closes; the close code, if it sent one.
    pub async fn close_code(&mut self) -> Option<u16> {
        let mut bytes = Vec::new();
        // A reset after the goodbye is an end as well.
        let _ = in_time("the end of the connection", self.0.read_to_end(&mut bytes)).await;
        let mut rest = bytes.as_slice();
        while let [first, length, after @ ..] = rest {
            let (length, after) = match length {
                126 => (
                    usize::from(u16::from_be_bytes([after[0], after[1]])),
                    &after[2..],
                ),
                127 => panic!("the server sends no such long frames here"),
                short => (usize::from(*short), after),
            };
            if first & 0x0f == 8 {
                return Some(u16::from_be_bytes([after[0], after[1]]));
            }
            rest = &after[length..];
        }
        None
    }

    /// Everything until the server closes.
    pub async fn reads_to_end(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // A reset is an end as well.
        let _ = in_time("the end of the connection", self.0.read_to_end(&mut bytes)).await;
        bytes
    }
}

/// The memory that a process holds, in KiB.
pub fn resident_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .expect("its memory is told");
    line.split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .expect("a number")
}
