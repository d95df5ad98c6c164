//! The setups of Luzhanqi that a player has saved. Nothing here has `Debug`: a setup is its player's secret.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A saved setup.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedSetup {
    /// What its player calls it.
    pub name: String,
    /// Six ranks, as the first seat writes them. Who sits on the second seat gets it turned by 180°.
    #[schema(example = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX")]
    pub setup: String,
}

/// All setups of a player, sorted by name.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedSetups {
    /// The setups.
    pub setups: Vec<SavedSetup>,
}

/// What is to be saved under the name that the path has.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveSetup {
    /// Six ranks, as the first seat writes them.
    #[schema(example = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX")]
    pub setup: String,
}
