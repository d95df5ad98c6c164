//! Ranks as conditions of statements: what one relies on when an operation is allowed is judged once more by the statement that
//! carries it out, so that a promotion or a demotion in between is never overlooked. `game/src/people/permission.rs` says what the ranks are;
//! a test compares.

use qiguan_game::{
    audit_entry::AuditEntry,
    people::permission::{self, Permit},
};
use uuid::Uuid;

/// The rank of a role.
macro_rules! rank {
    ($role:literal) => {
        concat!(
            "case ",
            $role,
            " when 'admin' then 3 when 'moderator' then 2 when 'guest' then 0 else 1 end"
        )
    };
}
pub(super) use rank;

/// The rank of the moderator (`$by`; null is the operator, above everybody), or null, which is above nobody: the player is not there, or of
/// a lower rank than the operation takes (`$least`).
macro_rules! rank_of_actor {
    ($by:literal, $least:literal) => {
        concat!(
            "(select case when ",
            $by,
            " is null then 4 else (select ",
            $crate::ranks::rank!("actor.role"),
            " from players as actor where actor.id = ",
            $by,
            " and actor.deleted_at is null and ",
            $crate::ranks::rank!("actor.role"),
            " >= ",
            $least,
            ") end)"
        )
    };
}
pub(super) use rank_of_actor;

/// Whether the moderator may still do what an entry of the audit log tells of: the rank is enough for the operation, and if the
/// operation decides about a game, above those of all its players.
macro_rules! still_permitted {
    ($by:literal, $least:literal, $operation:literal, $game:literal) => {
        concat!(
            $crate::ranks::rank_of_actor!($by, $least),
            " is not null and not exists (select 1 from games \
             join players as seated on seated.id in (games.first_id, games.second_id, games.invited_id) \
             where ",
            $operation,
            " in ('adjudicate', 'withdraw', 'restore') and games.id = ",
            $game,
            " and ",
            $crate::ranks::rank!("seated.role"),
            " >= ",
            $crate::ranks::rank_of_actor!($by, $least),
            ")"
        )
    };
}
pub(super) use still_permitted;

/// What the conditions are bound to: the moderator, and the least rank for the operation. What a player does with their own account
/// needs no rank.
pub(super) fn of(audit_entry: Option<&AuditEntry>) -> (Option<Uuid>, i64) {
    audit_entry.map_or((None, 0), |audit_entry| {
        let by = audit_entry.by.map(|player| player.0);
        (by, permission::least_rank(audit_entry.operation).into())
    })
}

/// The same of a permit.
pub(super) fn of_permit(permit: Permit) -> (Option<Uuid>, i64) {
    let by = permit.by().map(|player| player.0);
    (by, permission::least_rank(permit.operation()).into())
}
