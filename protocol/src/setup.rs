//! What travels of games with secret setups (Luzhanqi).

use qiguan_rules::luzhanqi::attack;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ids::Millis, names::BySeat};

/// Where a game with setups is, for one viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetupView {
    /// While both set up: when the setups as they stand are taken, in server time; null once play has begun.
    #[schema(required)]
    pub until: Option<Millis>,
    /// Who has said that they are ready.
    pub ready: BySeat<bool>,
    /// The viewer's own setup: six ranks, the highest of the board first. Null for a spectator.
    #[schema(required)]
    pub yours: Option<String>,
    /// From the beginning of play on: the SHA-256 of each side's salt and setup, in hexadecimal digits.
    #[schema(required)]
    pub commitments: Option<BySeat<String>>,
    /// Once the game has ended: what was committed to.
    #[schema(required)]
    pub revealed: Option<BySeat<RevealedSetup>>,
}

/// A setup with the salt of its commitment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevealedSetup {
    /// Six ranks, the highest of the board first.
    pub setup: String,
    /// 32 random bytes in hexadecimal digits. The commitment is the SHA-256 of these bytes and the setup's text after them.
    pub salt: String,
}

/// Who is removed by an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Removed {
    /// The attacked piece; the attacker takes its point.
    Defender,
    /// The attacker.
    Attacker,
    /// Both.
    Both,
}

impl From<attack::Removed> for Removed {
    fn from(removed: attack::Removed) -> Self {
        match removed {
            attack::Removed::Defender => Self::Defender,
            attack::Removed::Attacker => Self::Attacker,
            attack::Removed::Both => Self::Both,
        }
    }
}

impl From<Removed> for attack::Removed {
    fn from(removed: Removed) -> Self {
        match removed {
            Removed::Defender => Self::Defender,
            Removed::Attacker => Self::Attacker,
            Removed::Both => Self::Both,
        }
    }
}

/// Two pieces that met, where the rule set shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Met {
    /// The attacker's letter, in the case of its owner.
    pub attacker: char,
    /// The attacked piece's letter, in the case of its owner.
    pub defender: char,
}

/// A setup to take the place of the caller's own.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PutSetup {
    /// Six ranks from the top of the board down, in the case of the caller's seat.
    pub setup: String,
}

/// Notes to take the place of the caller's own.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PutNotes {
    /// The notes, at most 4,000 bytes; what they mean is the client's affair.
    pub notes: String,
}
