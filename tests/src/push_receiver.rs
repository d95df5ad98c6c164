//! A push service, and the devices that it delivers to: it takes messages as the services of the makers of browsers do, and reads them as
//! a browser does, with keys of its own.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hkdf::Hkdf;
use p256::{
    PublicKey, SecretKey,
    ecdsa::{Signature, VerifyingKey, signature::Verifier},
    elliptic_curve::sec1::ToSec1Point,
};
use qiguan_protocol::push::PushMessage;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::{net::TcpListener, sync::mpsc};

use crate::waiting::in_time;

/// Where the salt, the size of a record and the sender's key end in a message.
const HEAD: usize = 16 + 4 + 1 + 65;

/// See the module.
pub struct PushReceiver {
    port: u16,
    answers: Answers,
    posted: mpsc::UnboundedReceiver<Posted>,
    secret: SecretKey,
    auth: [u8; 16],
}

/// What is answered to the next messages for each path; 201 where nothing is planned.
type Answers = Arc<Mutex<HashMap<String, VecDeque<Planned>>>>;

/// An answer that is planned.
#[derive(Clone, Copy)]
pub enum Planned {
    /// With this status, and to be asked again at once.
    Status(u16),
    /// A redirection to another path.
    Elsewhere,
    /// None, as long as the sender waits for it.
    Never,
}

/// A message as it came.
pub struct Posted {
    /// Which device it is for.
    pub path: String,
    /// What stands around it.
    pub headers: HeaderMap,
    body: Bytes,
}

impl PushReceiver {
    /// Starts, with devices of which none is subscribed.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let answers = Answers::default();
        let (heard, posted) = mpsc::unbounded_channel();
        let router = Router::new()
            .fallback(take)
            .with_state((Arc::clone(&answers), heard));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            port,
            answers,
            posted,
            secret: SecretKey::from_slice(&[0x51; 32]).expect("a key"),
            auth: [0x17; 16],
        }
    }

    /// Its origin.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Where it listens.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A device that is told of everything, as its browser has subscribed it.
    pub fn device(&self, path: &str) -> Value {
        self.device_at(&format!("{}{path}", self.origin()))
    }

    /// A device with another address.
    pub fn device_at(&self, endpoint: &str) -> Value {
        let point = self.secret.public_key().to_sec1_point(false);
        json!({
            "endpoint": endpoint,
            "p256dh": URL_SAFE_NO_PAD.encode(point.as_bytes()),
            "auth": URL_SAFE_NO_PAD.encode(self.auth),
            "language": "zh-Hans",
            "kinds": {"turns": true, "challenges": true, "pairings": true},
        })
    }

    /// Answers the next message for a device so.
    pub fn answers(&self, path: &str, planned: Planned) {
        let mut answers = self.answers.lock().expect("no test has panicked");
        let of = answers.entry(path.to_owned()).or_default();
        of.push_back(planned);
    }

    /// The next message for any device.
    pub async fn next(&mut self) -> Posted {
        let posted = in_time("a message to a device", self.posted.recv()).await;
        posted.expect("the receiver runs")
    }

    /// The next message for any device, with the path of that, as the device reads it.
    pub async fn reads(&mut self) -> (String, PushMessage) {
        let posted = self.next().await;
        let message = self.read(&posted);
        (posted.path, message)
    }

    /// What a message says (RFC 8291).
    pub fn read(&self, posted: &Posted) -> PushMessage {
        let (head, record) = posted.body.split_at(HEAD);
        let (salt, sender) = (&head[..16], &head[21..]);
        assert!(record.len() <= 4_096 && head[16..21] == [0, 0, 16, 0, 65]);
        let public = PublicKey::from_sec1_bytes(sender).expect("the sender's key");
        let shared = self.secret.diffie_hellman(&public);
        let own = self.secret.public_key().to_sec1_point(false);
        let info = [&b"WebPush: info\0"[..], own.as_bytes(), sender].concat();
        let input: [u8; 32] = derived(&self.auth, shared.raw_secret_bytes(), &info);
        let key: [u8; 16] = derived(salt, &input, b"Content-Encoding: aes128gcm\0");
        let nonce: [u8; 12] = derived(salt, &input, b"Content-Encoding: nonce\0");
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("a key"));
        let mut record = record.to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce);
        let padded = cipher.open_in_place(nonce, Aad::empty(), &mut record);
        let padded = padded.expect("encrypted for this device");
        let end = padded.iter().rposition(|byte| *byte != 0);
        let (text, delimiter) = padded.split_at(end.expect("a delimiter"));
        assert_eq!(delimiter[0], 2, "the last record");
        serde_json::from_slice(text).expect("a message")
    }
}

impl Posted {
    /// A header.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("text"))
    }

    /// What the sender says of itself, proved by its key (RFC 8292).
    pub fn proved_by(&self, key: &str) -> Value {
        let proof = self.header("authorization");
        let proof = proof.strip_prefix("vapid t=").expect("a proof");
        let (token, named) = proof.split_once(", k=").expect("a key");
        assert_eq!(named, key);
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let bytes = |text| URL_SAFE_NO_PAD.decode(text).expect("base64url");
        let verifying = VerifyingKey::from_sec1_bytes(&bytes(key)).expect("a key");
        let signature = Signature::from_slice(&bytes(signature)).expect("a signature");
        let verified = verifying.verify(signed.as_bytes(), &signature);
        verified.expect("signed by the server");
        let (_, claims) = signed.split_once('.').expect("claims");
        serde_json::from_slice(&bytes(claims)).expect("claims")
    }
}

async fn take(
    State((answers, heard)): State<(Answers, mpsc::UnboundedSender<Posted>)>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.path().to_owned();
    let planned = {
        let mut answers = answers.lock().expect("no test has panicked");
        answers.get_mut(&path).and_then(VecDeque::pop_front)
    };
    let posted = Posted {
        path,
        headers,
        body,
    };
    // A test that has ended hears nothing.
    drop(heard.send(posted));
    match planned.unwrap_or(Planned::Status(201)) {
        Planned::Status(status) => {
            let status = StatusCode::from_u16(status).expect("a status");
            (status, [("retry-after", "0")]).into_response()
        }
        Planned::Elsewhere => {
            let to = [("location", "/elsewhere")];
            (StatusCode::TEMPORARY_REDIRECT, to).into_response()
        }
        Planned::Never => std::future::pending().await,
    }
}

fn derived<const N: usize>(salt: &[u8], input: &[u8], info: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    let expanded = Hkdf::<Sha256>::new(Some(salt), input).expand(info, &mut bytes);
    expanded.expect("so few bytes");
    bytes
}
