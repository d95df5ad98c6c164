//! Whether a moderator can end a game. Pure.

use qiguan_protocol::{ids::Millis, names::Status};
use qiguan_rules::{EndReason, Outcome};

use super::{Decision, ended, revealing};
use crate::{adjudication::Adjudication, event::Player, refusal::Refusal, state::State};

/// Decides whether a game can be ended so. One that waits for its second player can only be broken off.
///
/// # Errors
/// `OwnGame`, `NotStarted`, `GameOver`.
pub fn adjudicate(
    state: &State,
    adjudication: &Adjudication,
    now: Millis,
) -> Result<Decision, Refusal> {
    let Outcome { winner, reason } = adjudication.outcome();
    let seated = [&state.players.first, &state.players.second];
    let concerned = seated.into_iter().chain([&state.created.invited]);
    let players = concerned.flatten().map(|Player { id, .. }| *id);
    let permitted = adjudication.permit().may_rule(players);
    permitted.map_err(|_| Refusal::OwnGame)?;
    match state.status {
        Status::Ended => return Err(Refusal::GameOver),
        Status::Open if reason != EndReason::Aborted => return Err(Refusal::NotStarted),
        Status::Open | Status::Playing => {}
    }
    let ended = ended(state, now, winner, reason, None);
    Ok(Decision {
        bodies: revealing(state, vec![ended]),
        precomputed: None,
        audit_entry: Some(adjudication.audit_entry().clone()),
    })
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::{audit::AuditId, query::ResultWord};
    use qiguan_protocol::{names::Role, operation::Operation};
    use uuid::Uuid;

    use super::*;
    use crate::{
        event::Body,
        people::{
            identity::Identity,
            permission::{self, Who},
        },
        referee::Command,
        repeating::repeated,
        testing::{GAME, Table, fischer, player},
        validate,
    };

    /// What a moderator of this number asks for.
    fn by(number: u128, result: ResultWord) -> Adjudication {
        let moderator = Identity {
            role: Role::Moderator,
            ..Identity::guest(player(number))
        };
        let permit = permission::permit(Who::Player(&moderator), Operation::Adjudicate).unwrap();
        let told = (AuditId(Uuid::from_u128(5)), Millis(1));
        Adjudication::new(permit, GAME, result, "stalling".to_owned(), told)
    }

    const RESULTS: [ResultWord; 4] = [
        ResultWord::First,
        ResultWord::Second,
        ResultWord::Draw,
        ResultWord::Aborted,
    ];

    #[test]
    fn a_game_that_goes_on_ends_as_a_moderator_says_and_its_record_passes() {
        for ruleset in ["xiangqi/standard", "luzhanqi/referee"] {
            for result in RESULTS {
                let mut table = Table::open(GAME, ruleset, fischer(), 3);
                table.plays(5);
                let asked = Box::new(by(9, result));
                table.does(9, &Command::Adjudicate(asked.clone()));
                assert_eq!(
                    table.state.ended.map(|(outcome, _)| outcome),
                    Some(asked.outcome())
                );
                assert!(!asked.outcome().reason.counts());
                let shown = matches!(table.state.log.last().unwrap().body, Body::Revealed);
                assert_eq!(shown, ruleset.starts_with("luzhanqi"));
                validate::validate(GAME, table.events()).unwrap();
                let again = adjudicate(&table.state, &asked, table.now);
                assert_eq!(again.err(), Some(Refusal::GameOver));
            }
        }
    }

    #[test]
    fn its_entry_of_the_audit_log_goes_with_it() {
        let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 3);
        table.plays(5);
        let decision = adjudicate(&table.state, &by(9, ResultWord::Draw), table.now).unwrap();
        let audit_entry = decision.audit_entry.unwrap();
        assert_eq!(
            (audit_entry.operation, audit_entry.game),
            (Operation::Adjudicate, Some(GAME))
        );
        assert_eq!(
            (audit_entry.by, audit_entry.details.as_str()),
            (Some(player(9).id), "draw")
        );
    }

    #[test]
    fn nobody_rules_on_a_game_of_their_own() {
        let table = Table::open(GAME, "xiangqi/standard", fischer(), 3);
        for own in [1, 2] {
            let decided = adjudicate(&table.state, &by(own, ResultWord::First), table.now);
            assert_eq!(decided.err(), Some(Refusal::OwnGame));
        }
    }

    #[test]
    fn the_same_command_again_is_the_same_only_with_the_same_result() {
        for result in RESULTS {
            let mut table = Table::open(GAME, "doushouqi/booklet", fischer(), 3);
            table.plays(3);
            table.does(9, &Command::Adjudicate(Box::new(by(9, result))));
            let end = table.state.log.last().unwrap().clone();
            for other in RESULTS {
                let asked = Command::Adjudicate(Box::new(by(9, other)));
                let same = repeated(&table.state, &asked, None, &end);
                assert_eq!(same.is_ok(), other == result, "{result:?} {other:?}");
            }
            let resigned = repeated(&table.state, &Command::Resign, None, &end);
            assert_eq!(resigned, Err(Refusal::Conflict));
        }
    }
}
