//! Games and players read whole, page by page.

use std::sync::Arc;

use qiguan_game::people::identity::Scopes;
use qiguan_protocol::{
    account::Scope,
    ids::{Millis, Seq},
    names::{Role, Status},
    operation::Operation,
};

use super::{chat, game, lists::of_every_kind, plain, player, puzzles};
use crate::{
    accounts::{
        AccountRecord, Added, Arrival, Follow, PasswordHash, PlayerRecord, Purpose, SettingsRecord,
        StoredSanction, StoredSession, puzzles::PuzzleRecord,
    },
    audit_log::AuditFilter,
    store::{NamedSetup, Store, TokenHash},
    stored::{Selection, StoredGame},
    testing::{Place, audit_entry},
};

/// All games of a selection, in pages of some.
async fn all(store: &Store, selection: &Selection, limit: u32) -> Vec<StoredGame> {
    let mut all: Vec<StoredGame> = Vec::new();
    loop {
        let after = all.last().map(|last| last.game);
        let page = store.stored_games(selection, after, limit).await.unwrap();
        let full = page.len() == limit as usize;
        assert!(page.len() <= limit as usize);
        all.extend(page);
        if !full {
            return all;
        }
    }
}

pub(super) async fn whole_games_are_as_they_were_appended_each_in_one_page(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    let mut batches: Vec<_> = (1..=23).map(plain).collect();
    batches.extend((2..=9).map(|seq| chat(7, seq, "好棋 \"'\\")));
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    let everything = Selection::default();
    let games = all(store, &everything, 5).await;
    assert_eq!(games.len(), 23);
    assert_eq!(store.count_games(&everything).await, Ok(23));
    for (stored, number) in games.iter().zip(1..) {
        let appended: Vec<_> = batches
            .iter()
            .flat_map(|batch| &batch.entries)
            .filter(|entry| entry.game == game(number))
            .collect();
        assert_eq!(stored.game, game(number), "by id");
        assert_eq!(
            stored.line.clone().unwrap().ok(),
            appended[0].summary,
            "{number}"
        );
        let events: Vec<_> = appended.iter().flat_map(|entry| &entry.events).collect();
        let read = stored.events.as_ref().unwrap().iter();
        let read: Vec<_> = read.map(|event| event.decode().unwrap()).collect();
        assert!(read.iter().eq(events), "{number}");
    }
    let asked = [9, 40, 2].map(game);
    let some = store.stored_games_of(&asked).await.unwrap();
    assert_eq!(some, [games[1].clone(), games[8].clone()]);
    assert_eq!(store.stored_games_of(&[]).await, Ok(Vec::new()));
}

pub(super) async fn a_selection_is_what_its_conditions_say(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let games: Vec<_> = (1..=210).map(of_every_kind).collect();
    assert!(store.append(&games).await.iter().all(Result::is_ok));
    let mut seen = 0;
    for status in [
        None,
        Some(Status::Open),
        Some(Status::Playing),
        Some(Status::Ended),
    ] {
        for of in [None, Some(player(2).id)] {
            for ruleset in [None, Some("doushouqi/tierschach")] {
                for from in [None, Some(Millis(50))] {
                    let selection = Selection {
                        status,
                        player: of,
                        ruleset: ruleset.map(str::to_owned),
                        created_from: from,
                        created_until: from.map(|_| Millis(160)),
                    };
                    let expected: Vec<_> = games
                        .iter()
                        .filter_map(|append| append.entries[0].summary.as_ref())
                        .filter(|line| status.is_none_or(|status| line.status == status))
                        .filter(|line| {
                            let seats = [&line.players.first, &line.players.second];
                            of.is_none_or(|of| seats.into_iter().flatten().any(|one| one.id == of))
                        })
                        .filter(|line| ruleset.is_none_or(|ruleset| line.ruleset == ruleset))
                        .filter(|line| from.is_none_or(|_| (50..160).contains(&line.created_at.0)))
                        .map(|line| line.game)
                        .collect();
                    let read: Vec<_> = all(store, &selection, 17)
                        .await
                        .iter()
                        .map(|stored| stored.game)
                        .collect();
                    assert_eq!(read, expected, "{selection:?}");
                    let count = store.count_games(&selection).await;
                    assert_eq!(count, Ok(expected.len() as u64));
                    seen += read.len();
                }
            }
        }
    }
    assert!(seen > 500, "the selections let something through: {seen}");
}

pub(super) async fn events_without_a_line_and_a_line_without_events_are_found(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    let mut line_alone = plain(3);
    line_alone.entries[0].events.clear();
    let batches = [plain(1), chat(2, 4, "lost"), line_alone, plain(4)];
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    for limit in [1, 2, 10] {
        let games = all(store, &Selection::default(), limit).await;
        let shapes: Vec<_> = games
            .iter()
            .map(|stored| (stored.line.is_some(), stored.events.as_ref().unwrap().len()))
            .collect();
        assert_eq!(shapes, [(true, 1), (false, 1), (true, 0), (true, 1)]);
        assert_eq!(games[1].events.as_ref().unwrap()[0].seq, Seq(4));
    }
}

fn record(number: u8) -> PlayerRecord {
    let token = |of: u8| StoredSession {
        hash: TokenHash([of; 32]),
        purpose: if of > 100 {
            Purpose::Program {
                label: format!("bot {of}"),
                scopes: Scopes::of(&[Scope::Read, Scope::Bot]),
            }
        } else {
            Purpose::SignIn
        },
        agent: (of > 100).then(|| "curl".to_owned()),
        created_at: Millis(of.into()),
        last_seen_at: Millis(i64::from(of) + 1),
        expires_at: (of > 102).then_some(Millis(i64::MAX - i64::from(of))),
    };
    let account = AccountRecord {
        role: Role::ALL[usize::from(number) % 4 + 1],
        password: Some(PasswordHash(format!("hash {number}"))),
        registered_at: Some(Millis(7)),
        ban: (number == 5).then(|| StoredSanction {
            until: Millis(9),
            reason: "rude".to_owned(),
        }),
        mute: (number == 7).then(|| StoredSanction {
            until: Millis(11),
            reason: "shouts".to_owned(),
        }),
        limited_at: (number == 8).then_some(Millis(12)),
        renamed_at: (number == 9).then_some(Millis(13)),
        hidden_at: (number == 9).then_some(Millis(14)),
        deleted_at: (number == 6).then_some(Millis(8)),
        withdrawn_at: (number == 6).then_some(Millis(9)),
        keys: vec![format!("key {number}"), format!("more {number}")],
    };
    let setup = |name: &str| NamedSetup {
        name: name.to_owned(),
        setup: format!("setup {name} of {number}"),
    };
    PlayerRecord {
        player: player(number.into()),
        created_at: Millis(i64::from(number) * 10),
        account: if number == 1 {
            AccountRecord::GUEST
        } else {
            account
        },
        tokens: vec![token(number), token(100 + number)],
        setups: vec![setup("a"), setup("b")],
        follows: vec![Follow {
            player: player(u128::from(number) + 1).id,
            at: Millis(15),
        }],
        settings: (number == 9).then(|| SettingsRecord {
            version: 3,
            updated_at: Millis(16),
            body: r#"{"theme":"dark"}"#.to_owned(),
        }),
        puzzles: if number == 9 {
            puzzles::record()
        } else {
            PuzzleRecord::default()
        },
    }
}

pub(super) async fn players_move_with_their_tokens_and_setups_and_none_twice(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    let records: Vec<_> = (1..=9).map(record).collect();
    let add = async |records: &[PlayerRecord]| {
        let arrivals = records.iter().cloned().map(Arrival::from).collect();
        store.add_players(arrivals).await.unwrap()
    };
    assert_eq!(add(&records[..4]).await, [Added::New; 4]);
    let all = add(&records).await;
    assert_eq!(all[..4], [Added::Known; 4]);
    assert_eq!(all[4..], [Added::New; 5]);
    let mut read: Vec<PlayerRecord> = Vec::new();
    loop {
        let after = read.last().map(|last| last.player.id);
        let page = store.players(after, 4).await.unwrap();
        if page.is_empty() {
            break;
        }
        read.extend(page);
    }
    assert_eq!(read, records);
    let third = super::known(store, [103; 32]).await.unwrap();
    assert_eq!(third.id, player(3).id);
    // Who is there keeps the name and what was saved.
    let mut other = record(3);
    other.player.name = "another".to_owned();
    other.setups[0].setup = "another".to_owned();
    other.account.role = Role::Admin;
    other.account.keys.push("a third".to_owned());
    other.tokens.push(record(77).tokens.remove(0));
    assert_eq!(add(&[other]).await, [Added::Known]);
    let third = store.players(Some(player(2).id), 1).await.unwrap();
    assert_eq!(third, [record(3)]);
    // A player with somebody else's name or token is dropped silently.
    let mut named = record(21);
    named.account.keys = vec!["free".to_owned(), "more 4".to_owned()];
    let mut with_token = record(22);
    with_token.tokens = vec![record(78).tokens.remove(0), record(3).tokens.remove(0)];
    let mut entry = 900;
    let mut arrival = |record: PlayerRecord| {
        entry += 1;
        let told = audit_entry(entry, Operation::ImportRole, player(1).id);
        let audit_entries = vec![told.to_player(record.player.id)];
        Arrival {
            record,
            audit_entries,
        }
    };
    let arrivals = vec![arrival(named), arrival(with_token), arrival(record(23))];
    let added = store.add_players(arrivals).await.unwrap();
    assert_eq!(added, [Added::NameTaken, Added::TokenTaken, Added::New]);
    let last = store.players(Some(player(9).id), 9).await.unwrap();
    assert_eq!(last, [record(23)]);
    let filter = AuditFilter {
        limit: 9,
        ..AuditFilter::default()
    };
    let audit_entries = store.audit_log(&filter).await.unwrap();
    let audit_entries: Vec<_> = audit_entries
        .iter()
        .map(|named| named.entry.player)
        .collect();
    assert_eq!(audit_entries, [Some(player(23).id)]);
}
