//! How the server proves to a push service who it is (RFC 8292): devices subscribe with its public key, and nobody else can write to them.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::{
    SecretKey,
    ecdsa::{Signature, SigningKey, signature::Signer},
};
use qiguan_protocol::ids::Millis;
use qiguan_store::push::PushSecret;
use serde::Serialize;

use super::encryption::point;

/// How long a proof holds; a push service takes none that holds for more than a day.
const HOLDS: Millis = Millis(12 * 3_600_000);
/// The header of the token: `{"typ":"JWT","alg":"ES256"}`.
const HEADER: &str = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9";

/// The server's key. It has no `Debug`.
pub(super) struct ServerKey {
    signing: SigningKey,
    public: String,
}

/// What the token says.
#[derive(Serialize)]
struct Claims<'a> {
    /// The origin of the push service.
    aud: &'a str,
    /// When it ends, in seconds.
    exp: i64,
    /// How the operator can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<&'a str>,
}

impl ServerKey {
    /// The key from its secret; none if that is no key.
    pub(super) fn of(secret: &PushSecret) -> Option<Self> {
        let secret = SecretKey::from_slice(&secret.0).ok()?;
        Some(Self {
            public: URL_SAFE_NO_PAD.encode(point(&secret.public_key())),
            signing: SigningKey::from(&secret),
        })
    }

    /// The public key as browsers take it.
    pub(super) fn public(&self) -> &str {
        &self.public
    }

    /// The header `Authorization` of a message to a push service, by the origin of that.
    pub(super) fn authorization(
        &self,
        origin: &str,
        contact: Option<&str>,
        now: Millis,
    ) -> Result<String, serde_json::Error> {
        let claims = serde_json::to_vec(&Claims {
            aud: origin,
            exp: (now + HOLDS).0 / 1_000,
            sub: contact,
        })?;
        let signed = format!("{HEADER}.{}", URL_SAFE_NO_PAD.encode(claims));
        let signature: Signature = self.signing.sign(signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.to_bytes());
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::{VerifyingKey, signature::Verifier};
    use serde_json::{Value, json};

    use super::*;

    fn read(part: &str) -> Value {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
    }

    #[test]
    fn the_proof_names_the_service_and_is_signed_by_the_key_that_it_names() {
        let key = ServerKey::of(&PushSecret([5; 32])).unwrap();
        let origin = "https://push.example.net";
        let contact = Some("mailto:operator@example.org");
        let header = key
            .authorization(origin, contact, Millis(1_795_000_000_123))
            .unwrap();
        let (token, public) = header
            .strip_prefix("vapid t=")
            .unwrap()
            .split_once(", k=")
            .unwrap();
        assert_eq!(public, key.public());
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let (head, claims) = signed.split_once('.').unwrap();
        assert_eq!(read(head), json!({"typ": "JWT", "alg": "ES256"}));
        assert_eq!(
            read(claims),
            json!({"aud": origin, "exp": 1_795_043_200, "sub": "mailto:operator@example.org"})
        );
        let public = URL_SAFE_NO_PAD.decode(public).unwrap();
        let verifying = VerifyingKey::from_sec1_bytes(&public).unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        let signature = Signature::from_slice(&signature).unwrap();
        verifying.verify(signed.as_bytes(), &signature).unwrap();
    }

    #[test]
    fn what_is_no_scalar_is_no_key() {
        assert!(ServerKey::of(&PushSecret([0; 32])).is_none());
        assert!(ServerKey::of(&PushSecret([0xff; 32])).is_none());
    }
}
