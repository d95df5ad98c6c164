//! What spectators have said as lines.

use qiguan_game::spectator_line::SpectatorLine;
use qiguan_protocol::ids::{CommandId, GameId, Millis, PlayerId};
use serde::{Deserialize, Serialize};

use super::line;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaidLine {
    /// The game where it was said.
    said: GameId,
    number: u32,
    at: Millis,
    by: PlayerId,
    command: CommandId,
    text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unheard: bool,
}

/// What a spectator has said as a line.
///
/// # Errors
/// As [`super::header`].
pub fn said(said: SpectatorLine) -> Result<Vec<u8>, serde_json::Error> {
    line(&SaidLine {
        said: said.game,
        number: said.number,
        at: said.at,
        by: said.player,
        command: said.command,
        text: said.text,
        unheard: said.unheard,
    })
}

pub(super) fn read_said(line: SaidLine) -> SpectatorLine {
    SpectatorLine {
        game: line.said,
        number: line.number,
        at: line.at,
        player: line.by,
        command: line.command,
        text: line.text,
        unheard: line.unheard,
    }
}
