//! Marks of browsers that have signed in as a player, as OWASP's device cookies are. A mark grants nothing but a count of its own for wrong
//! passwords, which the attempts of others do not touch.
//!
//! The record keeps no marks. One is a random id and a MAC over player and id, under the stored hash of the player's password: it outlives restarts,
//! and a new password ends it. Nobody learns the hash from it, since the hash has 32 random bytes of salt.

use std::iter;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use qiguan_protocol::ids::PlayerId;
use qiguan_store::accounts::PasswordHash;
use sha2::Sha256;

use crate::net::sign_in_limits::MarkId;

/// So many players of one browser have a mark, the latest of them.
const MOST: usize = 4;
/// Between two marks. It is in no base64, and cookies may have it.
const BETWEEN: char = '.';
/// What else is ever authenticated under a password's hash has another beginning.
const PURPOSE: &[u8] = b"qiguan device mark 1";
const ID_BYTES: usize = 16;
const MAC_BYTES: usize = 32;

/// The marks that a browser brings, the latest first. It has no `Debug`: each is a secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Marks(Vec<Mark>);

#[derive(Clone, PartialEq, Eq)]
struct Mark {
    id: MarkId,
    mac: [u8; MAC_BYTES],
}

impl Marks {
    /// Reads what [`Marks::text`] has written. What is no mark is left out.
    pub fn read(text: &str) -> Self {
        let marks = text.split(BETWEEN).filter_map(Mark::read);
        Self(marks.take(MOST).collect())
    }

    /// As a cookie carries them.
    pub fn text(&self) -> String {
        let marks: Vec<_> = self.0.iter().map(Mark::text).collect();
        marks.join(&BETWEEN.to_string())
    }

    /// The mark with which the browser has signed in as this player under this password.
    pub fn of(&self, player: PlayerId, password: &PasswordHash) -> Option<MarkId> {
        let own = self.0.iter().find(|mark| {
            let mac = mac(player, mark.id, password);
            mac.is_some_and(|mac| mac.verify_slice(&mark.mac).is_ok())
        });
        own.map(|mark| mark.id)
    }

    /// These marks after a sign-in: the player's is the first of them. A mark that the browser has brought keeps its id, and with it its count.
    #[must_use]
    pub fn with(self, id: MarkId, player: PlayerId, password: &PasswordHash) -> Self {
        let Some(mac) = mac(player, id, password) else {
            return self;
        };
        let new = Mark {
            id,
            mac: mac.finalize().into_bytes().into(),
        };
        let others = self.0.into_iter().filter(|mark| mark.id != id);
        Self(iter::once(new).chain(others).take(MOST).collect())
    }
}

impl Mark {
    fn read(text: &str) -> Option<Self> {
        // Anything longer is not decoded.
        let mut bytes = [0; ID_BYTES + MAC_BYTES];
        let length = URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
        let (id, mac) = bytes.split_first_chunk::<ID_BYTES>()?;
        (length == bytes.len()).then_some(Self {
            id: MarkId(*id),
            mac: mac.try_into().ok()?,
        })
    }

    fn text(&self) -> String {
        let bytes: Vec<u8> = self.id.0.iter().chain(&self.mac).copied().collect();
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

fn mac(player: PlayerId, id: MarkId, password: &PasswordHash) -> Option<Hmac<Sha256>> {
    // A key of any length will do.
    let mut mac = Hmac::<Sha256>::new_from_slice(password.0.as_bytes()).ok()?;
    for part in [PURPOSE, player.0.as_bytes(), &id.0] {
        mac.update(part);
    }
    Some(mac)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn password(text: &str) -> PasswordHash {
        PasswordHash(text.to_owned())
    }

    fn id(byte: u8) -> MarkId {
        MarkId([byte; ID_BYTES])
    }

    #[test]
    fn h6_a_mark_is_worth_nothing_for_another_player_or_under_another_password() {
        let kept = password("$argon2id$one");
        let marks = Marks::default().with(id(1), player(1), &kept);
        let marks = Marks::read(&marks.text());
        assert_eq!(marks.of(player(1), &kept), Some(id(1)));
        assert_eq!(marks.of(player(2), &kept), None);
        assert_eq!(marks.of(player(1), &password("$argon2id$two")), None);
    }

    #[test]
    fn h6_a_mark_with_any_character_changed_is_none() {
        let kept = password("$argon2id$one");
        let text = Marks::default().with(id(1), player(1), &kept).text();
        for at in 0..text.len() {
            let other = if text.as_bytes()[at] == b'A' {
                "B"
            } else {
                "A"
            };
            let mut forged = text.clone();
            forged.replace_range(at..=at, other);
            assert_eq!(Marks::read(&forged).of(player(1), &kept), None, "{forged}");
        }
    }

    #[test]
    fn a_browser_keeps_the_marks_of_the_four_players_who_signed_in_last() {
        let kept = password("$argon2id$one");
        let mut marks = Marks::default();
        for number in 1..=5 {
            marks = Marks::read(&marks.text()).with(id(number), player(number.into()), &kept);
        }
        // Somebody who signs in again takes no second place.
        marks = marks.with(id(3), player(3), &kept);
        let known = |number: u8| marks.of(player(number.into()), &kept).is_some();
        assert_eq!([1, 2, 3, 4, 5].map(known), [false, true, true, true, true]);
        assert_eq!(marks.0.len(), MOST);
    }

    #[test]
    fn what_is_no_mark_is_left_out() {
        let long = "A".repeat(100_000);
        for text in ["", ".", "...", "abc", "?", long.as_str()] {
            assert!(Marks::read(text).0.is_empty(), "{text:.20}");
        }
    }
}
