//! How a message is encrypted so that nobody but the device can read it (RFC 8291 with RFC 8188's `aes128gcm`): the push service that
//! carries it knows neither of its keys.

use hkdf::Hkdf;
use p256::{PublicKey, SecretKey, elliptic_curve::sec1::ToSec1Point};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use sha2::Sha256;

/// The bytes of a public key: a point, not compressed.
pub(super) const PUBLIC_BYTES: usize = 65;
/// The bytes of a device's secret.
pub(super) const AUTH_BYTES: usize = 16;
/// The bytes of a salt.
pub(super) const SALT_BYTES: usize = 16;
/// The size of a record, of which a message has one: what every browser takes.
const RECORD_BYTES: u32 = 4_096;
/// What stands behind the content of the last record, before its padding.
const LAST_RECORD: u8 = 2;
/// What the cipher adds.
const TAG_BYTES: usize = 16;

/// A device's keys.
pub(super) struct DeviceKeys {
    public: PublicKey,
    auth: [u8; AUTH_BYTES],
}

/// What makes a message unlike any other; drawn for it alone.
pub(super) struct MessageKeys {
    /// The sender's key.
    pub(super) secret: SecretKey,
    /// The salt.
    pub(super) salt: [u8; SALT_BYTES],
}

impl DeviceKeys {
    /// The keys from their bytes; none if they are no keys.
    pub(super) fn of(p256dh: &[u8], auth: &[u8]) -> Option<Self> {
        if p256dh.len() != PUBLIC_BYTES {
            return None;
        }
        Some(Self {
            public: PublicKey::from_sec1_bytes(p256dh).ok()?,
            auth: auth.try_into().ok()?,
        })
    }

    /// A message for the device, of at least `padded` bytes before it is encrypted, so that its length tells nothing. None if it is too
    /// long for a record.
    pub(super) fn encrypt(
        &self,
        message: &[u8],
        padded: usize,
        MessageKeys { secret, salt }: &MessageKeys,
    ) -> Option<Vec<u8>> {
        let sender = point(&secret.public_key());
        let info = [
            &b"WebPush: info\0"[..],
            point(&self.public).as_slice(),
            sender.as_slice(),
        ]
        .concat();
        let shared = secret.diffie_hellman(&self.public);
        let input: [u8; 32] = derived(&self.auth, shared.raw_secret_bytes(), &info)?;
        let key: [u8; 16] = derived(salt, &input, b"Content-Encoding: aes128gcm\0")?;
        let nonce: [u8; 12] = derived(salt, &input, b"Content-Encoding: nonce\0")?;

        let mut record = message.to_vec();
        record.push(LAST_RECORD);
        record.resize(record.len().max(padded), 0);
        if record.len() + TAG_BYTES > RECORD_BYTES as usize {
            return None;
        }
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).ok()?);
        let nonce = Nonce::assume_unique_for_key(nonce);
        let sealed = cipher.seal_in_place_append_tag(nonce, Aad::empty(), &mut record);
        sealed.ok()?;

        let length = u8::try_from(sender.len()).ok()?;
        let mut body = salt.to_vec();
        body.extend(RECORD_BYTES.to_be_bytes());
        body.push(length);
        body.extend(sender);
        body.append(&mut record);
        Some(body)
    }
}

/// A public key as it travels.
pub(super) fn point(public: &PublicKey) -> Vec<u8> {
    public.to_sec1_point(false).as_bytes().to_vec()
}

/// So many bytes, by HKDF with SHA-256.
fn derived<const N: usize>(salt: &[u8], input: &[u8], info: &[u8]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let expanded = Hkdf::<Sha256>::new(Some(salt), input).expand(info, &mut bytes);
    expanded.ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// The example of RFC 8291, section 5 and appendix A.
    #[test]
    fn the_example_of_the_standard_is_encrypted_as_it_says() {
        let device = DeviceKeys::of(
            &bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            &bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        )
        .unwrap();
        let keys = MessageKeys {
            secret: SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
                .unwrap(),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap(),
        };
        let message = b"When I grow up, I want to be a watermelon";
        let encrypted = device.encrypt(message, 0, &keys).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(URL_SAFE_NO_PAD.encode(encrypted), expected);
    }

    #[test]
    fn a_message_is_as_long_as_others_or_refused() {
        let secret = SecretKey::from_slice(&[3; 32]).unwrap();
        let device = DeviceKeys::of(&point(&secret.public_key()), &[1; 16]).unwrap();
        let keys = MessageKeys {
            secret,
            salt: [9; 16],
        };
        let length = |message: &[u8]| device.encrypt(message, 500, &keys).map(|body| body.len());
        assert_eq!(length(b"short"), Some(86 + 500 + 16));
        assert_eq!(length(&[b'x'; 400]), length(b""));
        assert_eq!(length(&[b'x'; 4_079]), Some(86 + 4_096));
        assert_eq!(length(&[b'x'; 4_080]), None);
    }

    #[test]
    fn what_is_no_point_of_the_curve_is_no_key() {
        let secret = SecretKey::from_slice(&[3; 32]).unwrap();
        let good = point(&secret.public_key());
        assert!(DeviceKeys::of(&good, &[1; 16]).is_some());
        let mut wrong = good.clone();
        wrong[64] ^= 1;
        let compressed = secret.public_key().to_sec1_point(true);
        for (key, auth) in [
            (&wrong[..], &[1; 16][..]),
            (compressed.as_bytes(), &[1; 16]),
            (&good[1..], &[1; 16]),
            (&[0; 65], &[1; 16]),
            (&good, &[1; 15]),
            (&good, &[]),
            (&[], &[1; 16]),
        ] {
            assert!(DeviceKeys::of(key, auth).is_none(), "{key:?} {auth:?}");
        }
    }
}
