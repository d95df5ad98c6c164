//! The check of what spectators have said: that each line is one that could have been kept.

use qiguan_game::{spectator_line::SpectatorLine, validate};
use qiguan_protocol::{ids::GameId, limits};
use qiguan_store::store::{Store, StoreError};

use super::pages::Pages;

/// How many lines are read at once.
const PAGE: u32 = 512;

/// A line that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidFinding {
    /// Where it was said.
    pub game: GameId,
    /// Its number there.
    pub number: u32,
    /// What is wrong. Names nothing that was said.
    pub what: String,
}

/// Checks every line. Comes back with how many there are, and those that are bad.
///
/// # Errors
/// When the record can't be read.
pub async fn verify_said(store: &dyn Store) -> Result<(u64, Vec<SaidFinding>), StoreError> {
    let (mut count, mut findings) = (0, Vec::new());
    let mut pages = Pages::of("spectator_chat");
    loop {
        let page = store.all_spectator_lines(pages.last(), PAGE).await?;
        if !pages.turn(page.iter().map(|said| (said.game, said.number)))? {
            return Ok((count, findings));
        }
        count += page.len() as u64;
        findings.extend(page.iter().filter_map(|line| {
            let what = check_said(line).err()?;
            Some(SaidFinding {
                game: line.game,
                number: line.number,
                what,
            })
        }));
    }
}

/// Checks a line.
///
/// # Errors
/// The first thing that makes no sense.
pub fn check_said(line: &SpectatorLine) -> Result<(), String> {
    if line.number == 0 {
        return Err("number: no such line".to_owned());
    }
    if !validate::is_time(line.at) {
        return Err("at: invalid time".to_owned());
    }
    limits::check_chat(&line.text).map_err(|error| format!("text: {}", error.message))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use qiguan_protocol::ids::{CommandId, Millis, PlayerId};
    use uuid::Uuid;

    use super::*;
    use qiguan_store::testing::Place;

    #[tokio::test]
    async fn lines_that_nobody_could_have_said_are_found() {
        let place = Place::new("verify_said");
        let store: Arc<dyn Store> = place.open().await;
        let line = |number: u32| SpectatorLine {
            game: GameId(Uuid::from_u128(7)),
            number,
            at: Millis(1_000),
            player: PlayerId(Uuid::from_u128(1)),
            command: CommandId(Uuid::from_u128(u128::from(number) + 100)),
            text: "the cannon hangs".to_owned(),
            unheard: false,
        };
        let mut lines: Vec<_> = (1..=2 * limits::SPECTATOR_LINES).map(line).collect();
        store.add_spectator_lines(lines.clone()).await.unwrap();
        let all = u64::from(2 * limits::SPECTATOR_LINES);
        assert_eq!(verify_said(&*store).await.unwrap(), (all, Vec::new()));
        lines = vec![
            line(0),
            SpectatorLine {
                game: GameId(Uuid::from_u128(8)),
                text: "bell\u{7}".to_owned(),
                ..line(1)
            },
            SpectatorLine {
                game: GameId(Uuid::from_u128(9)),
                at: Millis(-1),
                ..line(1)
            },
        ];
        store.add_spectator_lines(lines).await.unwrap();
        let (count, findings) = verify_said(&*store).await.unwrap();
        let found: Vec<_> = findings
            .iter()
            .map(|it| {
                (
                    it.game.0.as_u128(),
                    it.number,
                    it.what.split(':').next().unwrap(),
                )
            })
            .collect();
        assert_eq!(count, all + 3);
        assert_eq!(found, [(7, 0, "number"), (8, 1, "text"), (9, 1, "at")]);
        assert!(!findings.iter().any(|it| it.what.contains("bell")));
    }
}
