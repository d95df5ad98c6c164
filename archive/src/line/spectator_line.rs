//! The spectators' chat as lines.

use qiguan_game::spectator_line::SpectatorLine;
use qiguan_protocol::ids::{CommandId, GameId, Millis, PlayerId};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(remote = "SpectatorLine", deny_unknown_fields)]
pub(super) struct SpectatorLineText {
    /// The game where it was said.
    #[serde(rename = "said")]
    game: GameId,
    number: u32,
    at: Millis,
    #[serde(rename = "by")]
    player: PlayerId,
    command: CommandId,
    text: String,
    #[serde(
        default,
        rename = "unheard",
        skip_serializing_if = "std::ops::Not::not"
    )]
    shadow_muted: bool,
}
