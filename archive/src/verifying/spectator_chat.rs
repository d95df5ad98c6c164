//! Checks the spectators' chat: each line could have been stored.

use qiguan_game::{spectator_line::SpectatorLine, validate};
use qiguan_protocol::limits;
use qiguan_store::store::{Store, StoreError};

use super::{Finding, Subject, check_rows};
use crate::pages;

/// Checks every line; reports each that is wrong. Comes back with how many there are.
///
/// # Errors
/// When the record can't be read.
pub async fn verify(store: &Store, told: impl FnMut(Finding)) -> Result<u64, StoreError> {
    let check = |line: &SpectatorLine| {
        let (number, said) = (line.number, line.game);
        let what = check_said(line).err()?;
        Some(Subject::SpectatorChat { number, said }.has(what))
    };
    check_rows(pages::spectator_lines(store), check, told).await
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
    limits::check_stored_chat(&line.text).map_err(|error| format!("text: {}", error.message))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use qiguan_protocol::ids::{CommandId, GameId, Millis, PlayerId};
    use uuid::Uuid;

    use super::*;
    use qiguan_store::testing::Place;

    #[tokio::test]
    async fn lines_that_nobody_could_have_said_are_found() {
        let place = Place::new("verify_said");
        let store: Arc<Store> = place.open().await;
        let line = |number: u32| SpectatorLine {
            game: GameId(Uuid::from_u128(7)),
            number,
            at: Millis(1_000),
            player: PlayerId(Uuid::from_u128(1)),
            command: CommandId(Uuid::from_u128(u128::from(number) + 100)),
            text: "the cannon hangs".to_owned(),
            shadow_muted: false,
        };
        let mut lines: Vec<_> = (1..=2 * limits::SPECTATOR_LINES).map(line).collect();
        store.add_spectator_lines(lines.clone()).await.unwrap();
        let all = u64::from(2 * limits::SPECTATOR_LINES);
        let found = async || {
            let mut findings = Vec::new();
            let count = verify(&store, |it| findings.push((it.subject, it.what))).await;
            (count.unwrap(), findings)
        };
        assert_eq!(found().await, (all, Vec::new()));
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
        let (count, findings) = found().await;
        assert_eq!(count, all + 3);
        for ((place, what), (game, number, field)) in
            findings
                .iter()
                .zip([(7, 0, "number"), (8, 1, "text"), (9, 1, "at")])
        {
            let said = GameId(Uuid::from_u128(game));
            assert_eq!(*place, Subject::SpectatorChat { number, said });
            assert!(what.starts_with(field) && !what.contains("bell"), "{what}");
        }
        assert_eq!(findings.len(), 3);
    }
}
