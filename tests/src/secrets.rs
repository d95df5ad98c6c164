//! Luzhanqi from outside: setups, commitments checked by hand, and what must not be in anything that somebody was sent.

use std::fmt::Write;

use qiguan_protocol::{error::ApiError, ids::GameId, setup::RevealedSetup};
use qiguan_rules::{Seat, luzhanqi::Setup};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    client::{Answered, Client},
    game::{Seats, fischer},
    program::Program,
    random::Random,
};

/// The four rule sets.
pub const RULESETS: [&str; 4] = [
    "luzhanqi/referee",
    "luzhanqi/showdown",
    "luzhanqi/northern",
    "luzhanqi/modern",
];

/// A legal setup for the first seat, its Field Marshal in front on a6.
pub const FIRST: &str = "MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX";
/// A legal setup for the second seat: a Captain on a7, and behind it on a8 a Grenade.
pub const SECOND: &str = "xfcxe/elxcl/j1e1n/db1lk/n1m1g/cjbkd";

/// A random legal setup.
pub fn random_setup(seat: Seat, random: &mut Random) -> String {
    Setup::random(seat, |bound| random.below(bound as u64) as usize).text()
}

/// The commitment to what was revealed, as `sha256sum` would say.
pub fn commitment(revealed: &RevealedSetup) -> String {
    let byte = |place: usize| u8::from_str_radix(&revealed.salt[place..place + 2], 16);
    let salt: Vec<u8> = (0..64)
        .step_by(2)
        .map(|place| byte(place).expect("a salt is 32 bytes in hexadecimal digits"))
        .collect();
    let hash = Sha256::new()
        .chain_update(salt)
        .chain_update(&revealed.setup);
    hash.finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// A game of Luzhanqi with a clock that nobody runs out of.
pub fn a_game(ruleset: &'static str) -> crate::Setup {
    crate::Setup::default()
        .ruleset(ruleset)
        .time_control(fischer(600_000, 1_000))
}

impl Seats {
    /// Two new guests who have begun to play from these setups.
    pub async fn begin_from(
        program: &Program,
        ruleset: &'static str,
        first: &str,
        second: &str,
    ) -> Self {
        let mut seats = Self::setting_up(program, &a_game(ruleset)).await;
        let game = seats.game;
        for (client, setup) in seats.both().into_iter().zip([first, second]) {
            client.sets_up(game, setup).await.expect("a legal setup");
        }
        seats.are_ready().await;
        seats.start().await;
        seats
    }
}

impl Client {
    /// Changes the player's own setup.
    pub async fn sets_up(&mut self, game: GameId, setup: &str) -> Answered {
        self.request("set_up", json!({"game": game, "setup": setup}))
            .await
    }

    /// Keeps notes.
    pub async fn notes(&mut self, game: GameId, notes: &str) -> Answered {
        self.request("note", json!({"game": game, "notes": notes}))
            .await
    }

    /// The refusal of a setup.
    pub async fn may_not_set_up(&mut self, game: GameId, setup: &str) -> ApiError {
        self.sets_up(game, setup).await.err().expect("a refusal")
    }

    /// The player's own setup, as the server has it.
    pub async fn own_setup(&self, program: &Program, game: GameId) -> String {
        let view = self.looks(program, game).await;
        view.setup
            .and_then(|setup| setup.yours)
            .expect("a player's setup")
    }
}

/// Who was sent something, and what of it is a secret to them.
pub struct Reader<'a> {
    /// The reader's seat; none for anybody else.
    pub seat: Option<Seat>,
    /// The reader's own setups in this game.
    pub own: &'a [String],
    /// Texts that the reader must not get.
    pub secrets: &'a [String],
    /// Whether a Flag may be shown (`modern`).
    pub flags: bool,
}

impl Reader<'_> {
    /// Holds something that was sent before the setups were revealed against what the reader may know.
    ///
    /// # Panics
    /// When there is more in it.
    pub fn may_read(&self, text: &str) {
        for secret in self.secrets {
            assert!(
                !text.contains(secret.as_str()),
                "{secret} was given away: {text}"
            );
        }
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            self.may_read_value(&value, text);
        }
    }

    fn may_read_value(&self, value: &Value, whole: &str) {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => match text.matches('/').count() {
                5 => assert!(self.own.contains(text), "a setup was given away: {whole}"),
                11 => {
                    let board = text.split(' ').next().unwrap_or_default();
                    let hidden = board.chars().all(|letter| self.may_see(letter));
                    assert!(hidden, "{text} was given away: {whole}");
                }
                _ => {}
            },
            Value::Array(elements) => {
                for element in elements {
                    self.may_read_value(element, whole);
                }
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    assert!(name != "salt", "a salt was given away: {whole}");
                    self.may_read_value(value, whole);
                }
            }
        }
    }

    fn may_see(&self, letter: char) -> bool {
        let owner = if letter.is_ascii_uppercase() {
            Seat::First
        } else {
            Seat::Second
        };
        let is_flag = self.flags && letter.eq_ignore_ascii_case(&'f');
        !letter.is_ascii_alphabetic()
            || letter.eq_ignore_ascii_case(&'u')
            || is_flag
            || self.seat == Some(owner)
    }
}

/// The part of what was received that came before the setups were revealed.
pub fn before_the_end(received: &[String]) -> impl Iterator<Item = &String> {
    // Who watches again sees the end in a snapshot.
    let ends = [r#""type":"revealed""#, r#""status":"ended""#];
    let is_over = move |text: &String| ends.iter().any(|end| text.contains(end));
    received.iter().take_while(move |text| !is_over(text))
}
