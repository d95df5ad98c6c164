//! WebSocket connections with small buffers, as the server has them.

use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{client::IntoClientRequest, protocol::WebSocketConfig},
};

/// A client's connection.
pub(crate) type Socket = WebSocketStream<TcpStream>;

/// Buffers of 4 KiB.
pub(crate) fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(4096)
        .max_write_buffer_size(1 << 20)
}

/// Connects to a server or relay.
pub(crate) async fn connect(address: &str) -> anyhow::Result<Socket> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut request = format!("ws://{address}/api/ws").into_client_request()?;
    request
        .headers_mut()
        .insert("sec-websocket-protocol", "qiguan.v1".parse()?);
    let (socket, _) = client_async_with_config(request, stream, Some(config())).await?;
    Ok(socket)
}

/// The text between two marks, without parsing the rest.
pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    let length = text[start..].find(after)?;
    text.get(start..start + length)
}
