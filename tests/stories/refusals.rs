//! Every code of the closed list of errors, as it comes over HTTP: shape, status, and nothing else.

use qiguan_tests::{Http, Program, raw::Raw};

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_needs_the_subprotocol() {
    let program = Program::start().await;
    let plain = Http::nobody(&program).get("/api/ws").await;
    assert_eq!(plain.status, 400, "{plain:?}");
    assert!(!plain.error().message.is_empty());
    for protocols in [
        "",
        "Sec-WebSocket-Protocol: chat\r\n",
        "Sec-WebSocket-Protocol: qiguan.v2, qiguan\r\n",
    ] {
        let mut raw = Raw::connect(program.address()).await;
        let request = format!(
            "GET /api/ws HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{protocols}\r\n",
            program.address()
        );
        raw.sends(request.as_bytes()).await;
        let answer = raw.reads_to_end().await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.starts_with("HTTP/1.1 400") && answer.contains("qiguan.v1"),
            "{protocols:?}: {answer}"
        );
    }
}
