//! People come only when everything is asked for, and as this record would have made them.

use qiguan_game::people::name_keys::{self, NameKeys};
use qiguan_protocol::{names::Role, operation::Operation};
use qiguan_store::{
    accounts::{Account, AccountLookup},
    audit_log::{AuditFilter, NamedAuditEntry},
};

use super::*;
use crate::{
    importing::Accounts,
    verifying::{Finding, audit_log, connection_log, players},
};

const HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$AQEBAQEBAQEBAQEBAQEBAQ$3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8";

/// A line of an account, with its keys as they are given.
fn account(number: u8, name: &str, role: &str, hash: &str, keys: &[&str]) -> String {
    let id = Uuid::from_u128(number.into());
    let token = format!("{number:02x}").repeat(32);
    let keys: Vec<_> = keys.iter().map(|key| format!("{key:?}")).collect();
    format!(
        r#"{{"player":"{id}","name":"{name}","created_at":1,"account":{{"role":"{role}","password":"{hash}","registered_at":2,"keys":[{}]}},"tokens":[{{"sha256":"{token}","created_at":3}}]}}"#,
        keys.join(",")
    )
}

/// An archive of everything with these lines of players.
fn archive_of(players: &[String]) -> String {
    format!(
        "{}\n{}\n{{\"end\":{{\"players\":{},\"games\":0}}}}\n",
        r#"{"archive":"qiguan","version":7,"epoch":7,"everything":true}"#,
        players.join("\n"),
        players.len()
    )
}

/// The account that somebody who types this name gets.
async fn named(store: &Arc<Store>, name: &str) -> Option<Account> {
    let key = NameKeys::of(name).first().to_owned();
    store.account(AccountLookup::Key(key)).await.unwrap()
}

async fn audit_entries(store: &Arc<Store>) -> Vec<NamedAuditEntry> {
    let filter = AuditFilter {
        limit: 99,
        ..AuditFilter::default()
    };
    store.audit_log(&filter).await.unwrap()
}

async fn is_in_order(store: &Arc<Store>) {
    let mut bad = Vec::new();
    let mut told = |finding: Finding| bad.push(finding);
    players::verify(store.as_ref(), &mut told).await.unwrap();
    audit_log::verify(store.as_ref(), &mut told).await.unwrap();
    assert_eq!(bad, []);
    assert_eq!(bad_games(store).await, Vec::<String>::new());
}

#[tokio::test]
async fn the_author_of_an_archive_of_everything_is_no_admin_where_only_games_are_imported() {
    let (here, there) = (Place::new("people_here"), Place::new("people_there"));
    let store = filled(&here).await;
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    let mut lines: Vec<_> = String::from_utf8(archive)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    lines.insert(1, account(77, "Mallory", "admin", HASH, &["mallory"]));
    // Also one that makes no sense: it is not looked at.
    lines.insert(1, account(78, "Nobody", "admin", "no hash", &[]));
    let end = lines.last_mut().unwrap();
    *end = end.replace("\"players\":2", "\"players\":4");
    let other = there.open().await;
    let mut told = CollectedIssues::default();
    let input = std::io::Cursor::new(lines.join("\n").into_bytes());
    let done = import(Arc::clone(&other), input, Taking::Games, 2, &mut told)
        .await
        .unwrap();
    assert_eq!(told.refused, []);
    assert_eq!((done.games, done.players, done.whole), (18, 0, true));
    assert_eq!(done.accounts, Accounts::default());
    let left_out: Vec<_> = done.left_out.into_iter().collect();
    assert_eq!(
        left_out,
        [
            ("drafts of players", 1),
            ("players with their accounts and tokens", 4)
        ]
    );
    assert_eq!(other.players(None, 9).await.unwrap(), []);
    assert_eq!(audit_entries(&other).await, []);
    assert_eq!(other.last_heartbeat().await, Ok(None));
    // The games are those of an export of games.
    let mut games = wanted(false);
    games.selection.status = None;
    let expected = exported(store.as_ref(), &games, b"").await;
    let there = exported(other.as_ref(), &games, b"").await;
    assert_eq!(body(&there), body(&expected));
}

#[tokio::test]
async fn with_everything_each_role_above_player_and_each_token_has_its_entry() {
    let place = Place::new("people_everything");
    let store = place.open().await;
    let archive = archive_of(&[
        account(1, "Anna", "admin", HASH, &["anna"]),
        account(2, "Mia", "moderator", HASH, &["mla"]),
        account(3, "Paul", "player", HASH, &["paul"]),
    ]);
    for round in 0..2 {
        let (done, told) = imported(&store, archive.as_bytes()).await;
        assert_eq!((told.refused, done.whole), (vec![], true));
        let accounts = Accounts {
            players: 1,
            moderators: 1,
            admins: 1,
            tokens: 3,
            ..Accounts::default()
        };
        let accounts = if round == 0 {
            accounts
        } else {
            Accounts::default()
        };
        assert_eq!(done.accounts, accounts);
        let audit_entries = audit_entries(&store).await;
        let mut told: Vec<_> = audit_entries
            .iter()
            .map(|named| {
                assert_eq!((named.entry.by, named.entry.game), (None, None));
                let of = named.player.as_deref().unwrap_or_default();
                (of, named.entry.operation.as_str(), &named.entry.details[..])
            })
            .collect();
        told.sort_unstable();
        let (role, token) = (Operation::ImportRole, Operation::ImportToken);
        assert_eq!(
            told,
            [
                ("Anna", role.as_str(), "admin"),
                ("Anna", token.as_str(), "a sign-in"),
                ("Mia", role.as_str(), "moderator"),
                ("Mia", token.as_str(), "a sign-in"),
                ("Paul", token.as_str(), "a sign-in"),
            ]
        );
        is_in_order(&store).await;
    }
}

#[tokio::test]
async fn nobody_comes_under_a_name_that_looks_like_anothers_whatever_keys_the_archive_gives() {
    let place = Place::new("people_names");
    let store = place.open().await;
    let (done, _) = imported(
        &store,
        archive_of(&[account(1, "Mallory", "player", HASH, &[])]).as_bytes(),
    )
    .await;
    assert_eq!((done.players, done.refused), (1, 0));
    let found = named(&store, "mallory").await.unwrap();
    assert_eq!((found.name.as_str(), found.role), ("Mallory", Role::Player));
    let archive = archive_of(&[
        account(2, "MaIlory", "admin", HASH, &["another"]),
        account(
            3,
            "Free",
            "player",
            HASH,
            &[NameKeys::of("Mallory").first()],
        ),
        account(4, "Fine", "player", HASH, &[NameKeys::of("Before").first()]),
        account(5, "Broken", "player", "no hash", &["broken"]),
        account(6, "Guest", "guest", HASH, &[]),
    ]);
    let (done, told) = imported(&store, archive.as_bytes()).await;
    let mut refused = told.refused;
    refused.sort();
    let expected = [
        (2, "looks like \"MaIlory\""),
        (3, "looks like \"Free\""),
        (5, "unreadable password hash"),
        (6, "guest with a password"),
    ];
    assert_eq!(refused.len(), expected.len(), "{refused:?}");
    for ((line, why), (number, what)) in refused.iter().zip(expected) {
        assert!(*line == number && why.contains(what), "line {line}: {why}");
    }
    assert_eq!((done.players, done.refused, done.whole), (1, 4, true));
    assert!(named(&store, "Before").await.is_some());
    let stays = named(&store, "mallory").await.unwrap();
    assert_eq!(stays, found);
    assert_eq!(audit_entries(&store).await.len(), 2, "two tokens came");
    is_in_order(&store).await;
}

#[tokio::test]
async fn nobody_gets_a_token_for_an_account_that_is_there() {
    let place = Place::new("people_tokens");
    let store = place.open().await;
    let anna = archive_of(&[account(1, "Anna", "admin", HASH, &[])]);
    imported(&store, anna.as_bytes()).await;
    let before = store.players(None, 9).await.unwrap();
    let token = |text: String| text.replace(&"01".repeat(32), &"aa".repeat(32));
    let again = archive_of(&[token(account(1, "Anna", "admin", HASH, &["mine"]))]);
    let (done, told) = imported(&store, again.as_bytes()).await;
    assert_eq!((done.players, told.refused), (0, vec![]));
    assert_eq!(store.players(None, 9).await.unwrap(), before);
    // Nor somebody else's token for an account of one's own.
    let stolen =
        account(2, "Berta", "player", HASH, &[]).replace(&"02".repeat(32), &"01".repeat(32));
    let (_, told) = imported(&store, archive_of(&[stolen]).as_bytes()).await;
    assert!(
        told.refused[0].1.starts_with("tokens: "),
        "{told:?}",
        told = told.refused
    );
    assert_eq!(store.players(None, 9).await.unwrap(), before);
}

#[tokio::test]
async fn no_game_gets_more_entries_of_who_was_connected_than_are_kept() {
    let place = Place::new("people_attendance");
    let store = place.open().await;
    let line = |from: usize, count: usize| {
        let entries: Vec<_> = (from..from + count)
            .map(|at| format!(r#"{{"at":{at},"what":"first_connected","ply":0}}"#))
            .collect();
        let game = game(1);
        format!(
            r#"{{"attendance":"{game}","entries":[{}]}}"#,
            entries.join(",")
        )
    };
    let most = connection_log::MOST as usize;
    for (lines, refused) in [
        (
            vec![line(1, most - 1), line(most, 2), line(most, 1)],
            vec![3],
        ),
        (vec![line(1, 5), line(most + 9, 1)], vec![3]),
    ] {
        let archive = format!(
            "{}\n{}\n{{\"end\":{{\"players\":0,\"games\":0,\"attendance\":{}}}}}\n",
            r#"{"archive":"qiguan","version":7,"epoch":7,"everything":true}"#,
            lines.join("\n"),
            lines.len()
        );
        let (_, told) = imported(&store, archive.as_bytes()).await;
        let numbers: Vec<_> = told.refused.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, refused);
        let mut bad = Vec::new();
        let count = connection_log::verify(store.as_ref(), |finding| bad.push(finding)).await;
        assert_eq!((count, bad), (Ok(most as u64), vec![]));
    }
}

#[tokio::test]
async fn d13_a_deleted_account_from_an_older_program_comes_without_what_it_had_left() {
    let place = Place::new("people_deleted");
    let store = place.open().await;
    let keys = NameKeys::of("Mallory");
    let key = keys.first();
    let line = format!(
        r#"{{"player":"{}","name":"(deleted)","created_at":1,"account":{{"role":"player","registered_at":2,"banned":[5,"shouts"],"deleted_at":6,"withdrawn_at":7,"keys":["{key}"]}}}}"#,
        Uuid::from_u128(1)
    );
    let archive = archive_of(&[line, account(2, "Mallory", "player", HASH, &[])]);
    let (done, told) = imported(&store, archive.as_bytes()).await;
    assert_eq!((done.players, done.refused), (1, 1), "{:?}", told.refused);
    let why = &told.refused[0].1;
    assert!(why.contains("looks like \"Mallory\""), "{why}");
    let kept = store.players(None, 9).await.unwrap();
    let account = &kept[0].account;
    assert_eq!(account.keys, [name_keys::reserved(key)]);
    assert_eq!(
        account.ban.as_ref().map(|ban| ban.reason.as_str()),
        Some("")
    );
    is_in_order(&store).await;
}
