//! Frames between programs, sealed with the cluster's key: who carries them can read none, change none and make none.
//!
//! A frame begins with who sent it and with its number, in clear. Each pair of programs has a key of its own in each direction, which follows from the
//! cluster's, and no number is used twice with it; so its nonce is the number.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use qiguan_store::nodes::Incarnation;
use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, Prk, Salt},
};
use uuid::Uuid;

use crate::cluster::lane::Number;

/// The first byte of every frame: how the rest is to be read.
const VERSION: u8 = 1;
/// The version, who sent it, and its number.
const HEAD: usize = 1 + SENDER + 4 + 8;
const SENDER: usize = 16 + 8;
/// So many pairs are remembered.
const PAIRS: usize = 256;

/// Seals and opens frames.
pub struct Seal {
    /// The first seals; all open.
    keys: Vec<Prk>,
    of_pairs: Mutex<BTreeMap<(Incarnation, Incarnation), Vec<LessSafeKey>>>,
}

/// A frame that was opened.
#[derive(Debug, PartialEq, Eq)]
pub struct Opened {
    /// Who sent it.
    pub from: Incarnation,
    /// Where it stands.
    pub number: Number,
    /// What it says.
    pub body: Vec<u8>,
}

impl Seal {
    /// With these secrets: the first seals, and the others still open.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let salt = Salt::new(HKDF_SHA256, b"qiguan cluster");
        let keys = secrets.into_iter().map(|secret| salt.extract(secret));
        Self {
            keys: keys.collect(),
            of_pairs: Mutex::default(),
        }
    }

    /// Seals what one program says to another; none if that can't be done.
    pub fn seal(
        &self,
        (from, to): (Incarnation, Incarnation),
        number: Number,
        body: &[u8],
    ) -> Option<Vec<u8>> {
        let mut frame = Vec::with_capacity(HEAD + body.len() + CHACHA20_POLY1305.tag_len());
        frame.push(VERSION);
        frame.extend_from_slice(from.node.as_bytes());
        frame.extend_from_slice(&from.number.to_be_bytes());
        frame.extend_from_slice(&number.epoch.to_be_bytes());
        frame.extend_from_slice(&number.number.to_be_bytes());
        let head: [u8; HEAD] = frame.as_slice().try_into().ok()?;
        frame.extend_from_slice(body);
        let tag = self.with_keys((from, to), |keys| {
            let nonce = nonce_of(number);
            let (key, body) = (keys.first()?, frame.get_mut(HEAD..)?);
            key.seal_in_place_separate_tag(nonce, Aad::from(head), body)
                .ok()
        })?;
        frame.extend_from_slice(tag.as_ref());
        Some(frame)
    }

    /// Opens a frame to this program; none if it was made without one of the keys, or for somebody else.
    pub fn open(&self, to: Incarnation, frame: &[u8]) -> Option<Opened> {
        let (head, sealed) = frame.split_at_checked(HEAD)?;
        let (version, rest) = head.split_first()?;
        let (node, rest) = rest.split_first_chunk::<16>()?;
        let (of_node, rest) = rest.split_first_chunk::<8>()?;
        let (epoch, number) = rest.split_first_chunk::<4>()?;
        if *version != VERSION {
            return None;
        }
        let from = Incarnation {
            node: Uuid::from_bytes(*node),
            number: i64::from_be_bytes(*of_node),
        };
        let number = Number {
            epoch: u32::from_be_bytes(*epoch),
            number: u64::from_be_bytes(number.try_into().ok()?),
        };
        let body = self.with_keys((from, to), |keys| {
            keys.iter().find_map(|key| {
                let mut body = sealed.to_vec();
                let opened = key.open_in_place(nonce_of(number), Aad::from(head), &mut body);
                let length = opened.ok()?.len();
                body.truncate(length);
                Some(body)
            })
        })?;
        Some(Opened { from, number, body })
    }

    fn with_keys<T>(
        &self,
        pair: (Incarnation, Incarnation),
        then: impl FnOnce(&[LessSafeKey]) -> Option<T>,
    ) -> Option<T> {
        let mut of_pairs = self.of_pairs.lock();
        if of_pairs.len() > PAIRS {
            of_pairs.clear();
        }
        let keys = of_pairs.entry(pair).or_insert_with(|| {
            let keys = self.keys.iter();
            keys.filter_map(|key| key_of(key, pair)).collect()
        });
        then(keys)
    }
}

fn key_of(key: &Prk, (from, to): (Incarnation, Incarnation)) -> Option<LessSafeKey> {
    let numbers = [from.number.to_be_bytes(), to.number.to_be_bytes()];
    let info = [
        from.node.as_bytes().as_slice(),
        numbers[0].as_slice(),
        to.node.as_bytes().as_slice(),
        numbers[1].as_slice(),
    ];
    let okm = key.expand(&info, &CHACHA20_POLY1305).ok()?;
    Some(LessSafeKey::new(UnboundKey::from(okm)))
}

fn nonce_of(Number { epoch, number }: Number) -> Nonce {
    let mut nonce = [0; 12];
    nonce[..4].copy_from_slice(&epoch.to_be_bytes());
    nonce[4..].copy_from_slice(&number.to_be_bytes());
    Nonce::assume_unique_for_key(nonce)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn node(node: u128, number: i64) -> Incarnation {
        Incarnation {
            node: Uuid::from_u128(node),
            number,
        }
    }

    const NUMBER: Number = Number {
        epoch: 3,
        number: 77,
    };

    #[test]
    fn what_is_sealed_can_be_read_by_its_receiver_alone() {
        let seal = Seal::new([b"secret".as_slice()]);
        let (from, to) = (node(1, 1), node(2, 5));
        let body = b"the flag stands on f1";
        let frame = seal.seal((from, to), NUMBER, body).unwrap();
        assert!(!frame.windows(4).any(|bytes| bytes == b"flag"));
        let opened = seal.open(to, &frame).unwrap();
        assert_eq!(
            (opened.from, opened.number, opened.body.as_slice()),
            (from, NUMBER, body.as_slice())
        );
        // Not by an earlier start of the same program, and not with another key.
        assert_eq!(seal.open(node(2, 4), &frame), None);
        assert_eq!(Seal::new([b"other".as_slice()]).open(to, &frame), None);
    }

    /// What version 1 has sealed: a program of the next release has to open it.
    const VERSION_1: &str = "0100000000000000000000000000000001000000000000000100000003000000000000004d1c1c9e3e8afbba9b87ba6addce6a7f6d9025";

    #[test]
    fn frames_are_sealed_as_they_were_in_the_first_version() {
        let seal = Seal::new([b"golden secret".as_slice()]);
        let (from, to) = (node(1, 1), node(2, 5));
        let frame = seal.seal((from, to), NUMBER, b"[]").unwrap();
        let digits = frame.iter();
        let hex = digits.fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        assert_eq!(hex, VERSION_1);
        assert_eq!(seal.open(to, &frame).unwrap().body, b"[]");
    }

    #[test]
    fn a_frame_that_was_changed_anywhere_or_cut_off_is_not_opened() {
        let seal = Seal::new([b"secret".as_slice()]);
        let (from, to) = (node(1, 1), node(2, 1));
        let frame = seal.seal((from, to), NUMBER, b"a3a4").unwrap();
        for place in 0..frame.len() {
            let mut changed = frame.clone();
            changed[place] ^= 1;
            assert_eq!(seal.open(to, &changed), None, "{place}");
            assert_eq!(seal.open(to, &frame[..place]), None, "{place}");
        }
    }

    #[test]
    fn during_a_change_of_keys_the_old_one_still_opens() {
        let old = Seal::new([b"old".as_slice()]);
        let both = Seal::new([b"new".as_slice(), b"old".as_slice()]);
        let pair = (node(1, 1), node(2, 1));
        let frame = old.seal(pair, NUMBER, b"x").unwrap();
        assert_eq!(both.open(pair.1, &frame).unwrap().body, b"x");
        let frame = both.seal(pair, NUMBER, b"x").unwrap();
        assert_eq!(old.open(pair.1, &frame), None);
    }
}
