//! The check of stored accounts: that each is either a guest, an account that somebody can sign in to, or deleted with all that
//! was its owner's.

use argon2::password_hash::phc::PasswordHash;
use qiguan_game::{
    people::name_keys::{NameKeys, is_reserved},
    validate,
};
use qiguan_protocol::names::Role;
use qiguan_store::{
    accounts::{AccountRecord, DELETED_NAME, PlayerRecord},
    store::{Store, StoreError},
};

use super::{Finding, Subject, check_rows};
use crate::pages;

/// Checks every player; reports each that is wrong. Comes back with how many there are.
///
/// # Errors
/// When the record can't be read.
pub async fn verify(store: &Store, told: impl FnMut(Finding)) -> Result<u64, StoreError> {
    let check = |record: &PlayerRecord| {
        let player = record.player.id;
        let what = check_player(record).err()?;
        Some(Subject::Player { player }.has(what))
    };
    check_rows(pages::players(store, None), check, told).await
}

/// Checks a player.
///
/// # Errors
/// The first thing that makes no sense.
pub fn check_player(record: &PlayerRecord) -> Result<(), &'static str> {
    let AccountRecord {
        role,
        password,
        registered_at,
        ban,
        mute,
        limited_at: _,
        renamed_at,
        hidden_at,
        deleted_at,
        withdrawn_at,
        keys,
    } = &record.account;
    let sessions = record.tokens.iter();
    let times = sessions.flat_map(|session| [session.created_at, session.last_seen_at]);
    let times = times.chain(
        [
            *registered_at,
            *renamed_at,
            *hidden_at,
            *deleted_at,
            *withdrawn_at,
        ]
        .into_iter()
        .flatten(),
    );
    let times = times.chain(record.follows.iter().map(|follow| follow.at));
    let times = times.chain(record.settings.iter().map(|kept| kept.updated_at));
    let times = times.chain(record.puzzles.results.iter().map(|tried| tried.at));
    let times = times.chain(record.puzzles.ratings.iter().map(|standing| standing.at));
    if !times.chain([record.created_at]).all(validate::is_time) {
        return Err("invalid time");
    }
    let is_registered = registered_at.is_some();
    if deleted_at.is_some() {
        return all(&[
            (
                record.player.name == DELETED_NAME,
                "deleted, but still has a name",
            ),
            (password.is_none(), "deleted, but still has a password"),
            (record.tokens.is_empty(), "deleted, but still has sessions"),
            (record.setups.is_empty(), "deleted, but still has setups"),
            (record.settings.is_none(), "deleted, but still has settings"),
            (record.puzzles.is_empty(), "deleted, but still has puzzles"),
            (is_registered, "deleted, but never was an account"),
            (
                withdrawn_at.is_none() || keys.iter().all(|key| is_reserved(key)),
                "deleted, but its name can still be read from its keys",
            ),
            (
                [ban, mute]
                    .into_iter()
                    .flatten()
                    .all(|sanction| sanction.reason.is_empty()),
                "deleted, but the reason for its ban or mute is still stored",
            ),
        ]);
    }
    if record
        .follows
        .iter()
        .any(|follow| follow.player == record.player.id)
    {
        return Err("follows itself");
    }
    if withdrawn_at.is_some() {
        return Err("its name is removed from its games, but it is not deleted");
    }
    if *role == Role::Guest {
        return all(&[
            (password.is_none(), "guest with a password"),
            (keys.is_empty(), "guest with a chosen name"),
            (!is_registered, "guest with a registration time"),
            (renamed_at.is_none(), "guest who was renamed"),
            (record.follows.is_empty(), "guest who follows players"),
            (record.settings.is_none(), "guest with settings"),
        ]);
    }
    let readable = password
        .as_ref()
        .is_some_and(|kept| PasswordHash::new(&kept.0).is_ok());
    let found_by = NameKeys::of(&record.player.name);
    all(&[
        (readable, "unreadable password hash"),
        (is_registered, "no registration time"),
        (
            found_by.all().all(|key| keys.contains(key)),
            "its name belongs to another player",
        ),
    ])
}

fn all(conditions: &[(bool, &'static str)]) -> Result<(), &'static str> {
    match conditions.iter().find(|(holds, _)| !holds) {
        Some((_, what)) => Err(what),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::{Millis, PlayerId};
    use uuid::Uuid;

    use super::*;
    use qiguan_game::{event::Player, people::name_keys};
    use qiguan_store::{
        accounts::{self, puzzles::PuzzleRecord},
        store::NamedSetup,
    };

    const HASH: &str = "$argon2id$v=19$m=8,t=1,p=1$AQEBAQEBAQEBAQEBAQEBAQ$3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8";

    fn guest() -> PlayerRecord {
        PlayerRecord {
            player: Player::named(PlayerId(Uuid::from_u128(1)), "Sly Pangolin 4071".to_owned()),
            created_at: Millis(1),
            account: AccountRecord::GUEST,
            tokens: Vec::new(),
            setups: Vec::new(),
            follows: Vec::new(),
            settings: None,
            puzzles: PuzzleRecord::default(),
        }
    }

    fn registered() -> PlayerRecord {
        let mut record = guest();
        record.player.name = "Anna".to_owned();
        record.account.role = Role::Player;
        record.account.password = Some(accounts::PasswordHash(HASH.to_owned()));
        record.account.registered_at = Some(Millis(2));
        record.account.keys = vec!["anna".to_owned()];
        record
    }

    fn deleted() -> PlayerRecord {
        let mut record = registered();
        record.player.name = DELETED_NAME.to_owned();
        record.account.password = None;
        record.account.deleted_at = Some(Millis(3));
        record
    }

    #[test]
    fn guests_accounts_and_the_deleted_are_as_they_should_be() {
        let mut left = deleted();
        left.account.withdrawn_at = Some(Millis(4));
        left.account.keys = vec![name_keys::reserved("anna")];
        for record in [guest(), registered(), deleted(), left] {
            assert_eq!(check_player(&record), Ok(()), "{record:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        type Change = (fn() -> PlayerRecord, fn(&mut PlayerRecord), &'static str);
        let changes: [Change; 10] = [
            (
                deleted,
                |it| it.account.withdrawn_at = Some(Millis(4)),
                "read from its keys",
            ),
            (
                deleted,
                |it| {
                    it.account.mute = Some(accounts::StoredSanction {
                        until: Millis(9),
                        reason: "shouts".to_owned(),
                    });
                },
                "reason",
            ),
            (
                guest,
                |it| it.account.keys = vec!["x".to_owned()],
                "chosen name",
            ),
            (
                guest,
                |it| it.account.registered_at = Some(Millis(1)),
                "registration time",
            ),
            (
                guest,
                |it| it.account.withdrawn_at = Some(Millis(1)),
                "not deleted",
            ),
            (registered, |it| it.account.password = None, "hash"),
            (
                registered,
                |it| it.account.keys.clear(),
                "belongs to another",
            ),
            (
                registered,
                |it| it.player.name = "Berta".to_owned(),
                "belongs to another",
            ),
            (
                deleted,
                |it| it.player.name = "Anna".to_owned(),
                "has a name",
            ),
            (
                deleted,
                |it| {
                    it.setups.push(NamedSetup {
                        name: "a".to_owned(),
                        setup: "x".to_owned(),
                    });
                },
                "setups",
            ),
        ];
        for (record, change, wanted) in changes {
            let mut record = record();
            change(&mut record);
            let what = check_player(&record).unwrap_err();
            assert!(what.contains(wanted), "{what:?}, not {wanted:?}");
        }
    }
}
