//! Which names can be told apart: the keys of a name, which no other account's name may share.
//!
//! Look-alikes depend on how a name is written: Greek `Ν` looks like `N`, and `ν` like `v`. One key for all of that would have
//! to take `n`, `v` and much more for the same letter. So a name has a key as it is written, one as small letters and one as
//! capitals; for most they are the same. A name is taken when any of its keys is.

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use crate::commitments::hex;

/// What keys of deleted accounts begin with. No key of a name has a colon.
const RESERVED: &str = "sha256:";

/// No letter leads over more others than this to the one that it looks like.
const LOOKS: usize = 4;

/// The keys of a name: one to three, the first of them the one that the name is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameKeys {
    first: String,
    further: Vec<String>,
}

impl NameKeys {
    /// The keys of a name, or of whatever somebody types as one.
    pub fn of(name: &str) -> Self {
        let written: String = name.nfkc().collect();
        let small = small(&written);
        let capital: String = small.chars().flat_map(char::to_uppercase).collect();
        let mut further = Vec::new();
        let first = key(&small);
        for view in [&written, &capital] {
            let key = key(view);
            if key != first && !further.contains(&key) {
                further.push(key);
            }
        }
        Self { first, further }
    }

    /// The key that a name is found by: the same however its letters are cased.
    pub fn first(&self) -> &str {
        &self.first
    }

    /// All keys.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.first).chain(&self.further)
    }

    /// All keys, the first first.
    pub fn into_all(self) -> Vec<String> {
        let mut all = vec![self.first];
        all.extend(self.further);
        all
    }

    /// Whether two names can't be told apart.
    pub fn meet(&self, other: &Self) -> bool {
        self.all().any(|key| other.all().any(|its| its == key))
    }
}

/// What is kept of a key when its account is deleted: enough to recognise the name when somebody wants it, and not the name itself.
pub fn reserved(key: &str) -> String {
    if is_reserved(key) {
        return key.to_owned();
    }
    let hash = Sha256::new()
        .chain_update("qiguan name key\n")
        .chain_update(key);
    format!("{RESERVED}{}", hex(&hash.finalize()))
}

/// Whether this is kept of the key of a deleted account.
pub fn is_reserved(key: &str) -> bool {
    key.starts_with(RESERVED)
}

/// Small letters. By way of the capitals, so that `ß` and `SS`, and both small sigmas, come out the same.
fn small(text: &str) -> String {
    text.chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}

/// The looks of one view of a name. What looks like a letter that itself looks like another is that other.
fn key(view: &str) -> String {
    let mut key = looks(view);
    for _ in 0..LOOKS {
        let again = looks(&key);
        if again == key {
            break;
        }
        key = again;
    }
    key
}

/// What one view of a name looks like: its skeleton (Unicode TR 39), and what that leaves open.
fn looks(view: &str) -> String {
    // What looks like a capital may be a small letter of another script, and the other way round.
    let bare: String = skeleton(&small(&skeleton(view).collect::<String>())).collect();
    // Between letters these are hardly seen.
    let unseen = |character: &char| matches!(character, '_' | '-' | '\u{2010}'..='\u{2015}' | ' ');
    let seen: String = small(&bare)
        .nfkd()
        .filter(|character| !unseen(character))
        .collect();
    let mut key = String::with_capacity(seen.len());
    // Marks that were on what is left out are on the letter before now, and have their place among its own.
    for character in seen.nfd() {
        let plain = match character {
            // In one font or another, in capitals or not, these are the same stroke.
            'i' | '1' | '|' | 'ı' => 'l',
            '0' => 'o',
            other => other,
        };
        if plain == 'v' && key.ends_with('v') {
            key.pop();
            key.push('w');
        } else {
            key.push(plain);
        }
    }
    key
}

/// The longest text that is looked at as a name by which somebody signs in, in bytes.
const LONGEST_NAME: usize = 320;

/// The key that a name is looked up by; empty for what can't be a name.
pub fn key_of(name: &str) -> String {
    if name.len() > LONGEST_NAME {
        return String::new();
    }
    NameKeys::of(name).first().to_owned()
}

#[cfg(test)]
mod tests;
