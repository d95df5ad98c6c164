//! Permissions: the one place that decides who may do what is not for everybody. Requests, and operators who change the record
//! by hand, come through [`permit`]; whom or what an operation is done to is judged by the [`Permit`] that it gives.

use std::borrow::Cow;

use qiguan_protocol::{
    audit::AuditId,
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId},
    names::Role,
    operation::Operation,
};

use crate::{audit_entry::AuditEntry, people::identity::Identity};

/// Who would like to do something.
#[derive(Clone, Copy, Debug)]
pub enum Who<'a> {
    /// The operator, with access to the record itself.
    Operator,
    /// Somebody with an identity.
    Player(&'a Identity),
}

/// That somebody may do something. Only [`permit`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permit {
    operation: Operation,
    by: Option<PlayerId>,
    rank: u8,
}

/// The least role for an operation; none for what only the operator does.
pub const fn least(operation: Operation) -> Option<Role> {
    match operation {
        Operation::CreateAdmin
        | Operation::SetPassword
        | Operation::ImportRole
        | Operation::ImportToken => None,
        Operation::ChangeRole
        | Operation::ReadAudit
        | Operation::ListGames
        | Operation::SeeGame
        | Operation::StartMaintenance
        | Operation::EndMaintenance
        | Operation::PutUpNotice
        | Operation::TakeDownNotice => Some(Role::Admin),
        Operation::Ban
        | Operation::Unban
        | Operation::Rename
        | Operation::Mute
        | Operation::Unmute
        | Operation::Limit
        | Operation::Unlimit
        | Operation::Withdraw
        | Operation::Restore
        | Operation::Adjudicate
        | Operation::ReadPlayer
        | Operation::ReadChat
        | Operation::ReadReports
        | Operation::CloseReport
        | Operation::DeleteAnalysis => Some(Role::Moderator),
    }
}

/// How far a role goes. Programs go no further than players.
const fn rank(role: Role) -> u8 {
    match role {
        Role::Guest => 0,
        Role::Player | Role::Bot => 1,
        Role::Moderator => 2,
        Role::Admin => 3,
    }
}

/// Above everybody with an account.
const OPERATOR: u8 = rank(Role::Admin) + 1;

/// The least rank for an operation.
pub const fn least_rank(operation: Operation) -> u8 {
    match least(operation) {
        Some(role) => rank(role),
        None => OPERATOR,
    }
}

/// The permit that somebody has for the same operation with another role.
///
/// # Errors
/// `forbidden` if the role is not enough for it.
pub fn renewed(permit: Permit, role: Role) -> Result<Permit, ApiError> {
    let rank = rank(role);
    if rank < least_rank(permit.operation) {
        return Err(forbidden("your role has changed"));
    }
    Ok(Permit { rank, ..permit })
}

/// Lets somebody do something, or not.
///
/// # Errors
/// `forbidden`.
pub fn permit(who: Who<'_>, operation: Operation) -> Result<Permit, ApiError> {
    let (by, rank) = match who {
        Who::Operator => (None, OPERATOR),
        Who::Player(identity) => {
            let Some(role) = least(operation) else {
                return Err(forbidden("only the server's operator can do this"));
            };
            if rank(identity.role) < rank(role) {
                let message = format!("requires the {} role", role.as_str());
                return Err(forbidden(message));
            }
            identity.may_manage()?;
            (Some(identity.id), rank(identity.role))
        }
    };
    Ok(Permit {
        operation,
        by,
        rank,
    })
}

impl Permit {
    /// What may be done.
    pub const fn operation(&self) -> Operation {
        self.operation
    }

    /// Who does it; none for the operator.
    pub const fn by(&self) -> Option<PlayerId> {
        self.by
    }

    /// The entry of the audit log that tells of it.
    pub fn audit_entry(&self, id: AuditId, at: Millis, reason: String) -> AuditEntry {
        AuditEntry {
            id,
            at,
            operation: self.operation,
            by: self.by,
            player: None,
            game: None,
            reason,
            details: String::new(),
        }
    }

    /// Judges whether it may be done to somebody of this role.
    ///
    /// # Errors
    /// `forbidden` if the role is not below.
    pub fn reaches(&self, role: Role) -> Result<(), ApiError> {
        if rank(role) < self.rank {
            return Ok(());
        }
        Err(forbidden("this player's role is not below yours"))
    }

    /// Judges whether it may be done to a report of somebody of this role.
    ///
    /// # Errors
    /// `forbidden` if the report is about the caller, or about somebody with a higher role.
    pub fn may_judge(&self, player: PlayerId, role: Role) -> Result<(), ApiError> {
        if Some(player) == self.by {
            return Err(forbidden("you can't close reports about yourself"));
        }
        if rank(role) > self.rank {
            return Err(forbidden(
                "this report is about somebody with a higher role than yours",
            ));
        }
        Ok(())
    }

    /// Judges whether what moderators have decided of somebody of this role may be looked at.
    ///
    /// # Errors
    /// `forbidden` for the caller's own account, and for accounts with a higher role.
    pub fn may_look_at(&self, player: PlayerId, role: Role) -> Result<(), ApiError> {
        if Some(player) == self.by {
            return Err(forbidden("you can't look at decisions about yourself"));
        }
        if rank(role) > self.rank {
            return Err(forbidden("this player's role is higher than yours"));
        }
        Ok(())
    }

    /// Judges whether a decision may be made about a game of these players.
    ///
    /// # Errors
    /// `forbidden` if the game is one's own, or the role of one of them is not below.
    pub fn may_decide(&self, players: &[(PlayerId, Role)]) -> Result<(), ApiError> {
        self.may_rule(players.iter().map(|(player, _)| *player))?;
        if players.iter().any(|(_, role)| rank(*role) >= self.rank) {
            let message = "a player in this game has a role that is not below yours";
            return Err(forbidden(message));
        }
        Ok(())
    }

    /// Judges whether what is not for everybody of a game of these players may be looked at.
    ///
    /// # Errors
    /// `forbidden` if the game is one's own, or the role of one of them is above.
    pub fn may_oversee(&self, players: &[(PlayerId, Role)]) -> Result<(), ApiError> {
        self.may_rule(players.iter().map(|(player, _)| *player))?;
        if players.iter().any(|(_, role)| rank(*role) > self.rank) {
            return Err(forbidden(
                "a player in this game has a higher role than yours",
            ));
        }
        Ok(())
    }

    /// Judges whether a game of these players is somebody else's.
    ///
    /// # Errors
    /// `forbidden` if it is one's own.
    pub fn may_rule(&self, players: impl IntoIterator<Item = PlayerId>) -> Result<(), ApiError> {
        if players.into_iter().any(|player| Some(player) == self.by) {
            return Err(forbidden("you can't rule on your own game"));
        }
        Ok(())
    }
}

fn forbidden(message: impl Into<Cow<'static, str>>) -> ApiError {
    ApiError::new(ErrorCode::Forbidden, message)
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::account::Scope;
    use uuid::Uuid;

    use super::*;
    use crate::{event::Player, people::identity::Scopes};

    fn somebody(role: Role, scopes: Scopes) -> Identity {
        let player = Player::named(PlayerId(Uuid::from_u128(7)), "x".to_owned());
        Identity {
            role,
            scopes,
            ..Identity::guest(player)
        }
    }

    #[test]
    fn each_operation_takes_its_role_and_a_sign_in() {
        for &operation in Operation::ALL {
            for &role in Role::ALL {
                let may = least(operation).is_some_and(|least| rank(least) <= rank(role));
                let signed_in = somebody(role, Scopes::ALL);
                let permit_of = |who: &Identity| permit(Who::Player(who), operation).is_ok();
                assert_eq!(permit_of(&signed_in), may, "{role:?} {operation:?}");
                let all = [Scope::Read, Scope::Play, Scope::Bot];
                let token = somebody(role, Scopes::of(&all));
                assert!(!permit_of(&token), "a token of {role:?}: {operation:?}");
            }
            assert!(permit(Who::Operator, operation).is_ok(), "{operation:?}");
        }
    }

    #[test]
    fn n2_rank_counts_for_games_and_for_reports_as_it_does_for_accounts() {
        for own in [Role::Moderator, Role::Admin] {
            let who = somebody(own, Scopes::ALL);
            let permit = permit(Who::Player(&who), Operation::Adjudicate).unwrap();
            let player = |number, role| (PlayerId(Uuid::from_u128(number)), role);
            for &one in Role::ALL {
                for &two in Role::ALL {
                    let game = [player(8, one), player(9, two)];
                    let highest = rank(one).max(rank(two));
                    let told = format!("{own:?} and a game of {one:?} and {two:?}");
                    let decides = permit.may_decide(&game).is_ok();
                    assert_eq!(decides, highest < rank(own), "{told}");
                    let oversees = permit.may_oversee(&game).is_ok();
                    assert_eq!(oversees, highest <= rank(own), "{told}");
                    let own_game = [player(8, one), player(7, two)];
                    assert!(permit.may_decide(&own_game).is_err(), "{told}");
                    assert!(permit.may_oversee(&own_game).is_err(), "{told}");
                }
                let still = renewed(permit, one).is_ok();
                assert_eq!(
                    still,
                    rank(one) >= rank(Role::Moderator),
                    "{own:?} is {one:?}"
                );
            }
        }
        let operator = permit(Who::Operator, Operation::Adjudicate).unwrap();
        let admins = [(PlayerId(Uuid::from_u128(8)), Role::Admin)];
        assert_eq!(operator.may_decide(&admins), Ok(()));
    }

    #[test]
    fn nobody_reaches_the_own_rank_nor_rules_on_an_own_game() {
        for (own, other, reaches) in [
            (Role::Moderator, Role::Player, true),
            (Role::Moderator, Role::Bot, true),
            (Role::Moderator, Role::Guest, true),
            (Role::Moderator, Role::Moderator, false),
            (Role::Moderator, Role::Admin, false),
            (Role::Admin, Role::Moderator, true),
            (Role::Admin, Role::Admin, false),
        ] {
            let who = somebody(own, Scopes::ALL);
            let permit = permit(Who::Player(&who), Operation::Ban).unwrap();
            assert_eq!(permit.reaches(other).is_ok(), reaches, "{own:?} {other:?}");
            let judges = permit.may_judge(PlayerId(Uuid::from_u128(8)), other);
            assert_eq!(judges.is_ok(), reaches || own == other, "{own:?} {other:?}");
            assert!(permit.may_judge(who.id, Role::Player).is_err());
            assert!(permit.may_rule([PlayerId(Uuid::from_u128(8))]).is_ok());
            assert!(
                permit
                    .may_rule([PlayerId(Uuid::from_u128(8)), who.id])
                    .is_err()
            );
        }
        let operator = permit(Who::Operator, Operation::ChangeRole).unwrap();
        assert!(operator.reaches(Role::Admin).is_ok());
    }
}
