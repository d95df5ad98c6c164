//! What goes with a deleted account, in every database.

use std::sync::Arc;

use qiguan_game::{event::Body, people::name_keys, spectator_line::SpectatorLine};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, Seq},
    names::{Status, Visibility},
    operation::Operation,
    report::ReportOutcome,
    time_control::Clock,
};
use qiguan_rules::Seat;
use uuid::Uuid;

use super::{
    accounts::{done, hash, new_account},
    chat,
    fair_play::report,
    game, player,
    pruning::in_state,
    stored,
};
use crate::{
    accounts::{Change, ChangeResult},
    fair_play::Report,
    store::{Append, LobbyCommand, Store},
    testing::{Place, audit_entry},
};

/// Registers the first player, and deletes the account.
async fn is_deleted(store: &Store) {
    done(store, new_account(1, &["anna", "further"])).await;
    let delete = Change::Delete {
        player: player(1).id,
        tried: hash("one"),
        at: Millis(50),
    };
    done(store, delete).await;
}

/// A game that has ended, between the player of its number and another.
fn ended(number: u128) -> Append {
    in_state(number, Status::Ended, Clock::None, Visibility::Public)
}

fn by_second(mut said: Append) -> Append {
    for event in said.entries.iter_mut().flat_map(|entry| &mut entry.events) {
        if let Body::Chat { seat, .. } = &mut event.body {
            *seat = Seat::Second;
        }
    }
    said
}

fn line(at: GameId, number: u32, by: u128) -> SpectatorLine {
    SpectatorLine {
        game: at,
        number,
        at: Millis(7),
        player: player(by).id,
        command: CommandId(Uuid::from_u128(u128::from(number))),
        text: "aside".to_owned(),
        shadow_muted: false,
    }
}

async fn appended(store: &Store, batches: &[Append]) {
    assert!(store.append(batches).await.iter().all(Result::is_ok));
}

/// How many lines of a game's chat have a text, by the seat that said them.
async fn texts(store: &Store, number: u128) -> (usize, usize) {
    let events = stored(store, number).await;
    let said = |wanted: Seat| {
        let said = events.iter().filter(|event| {
            matches!(&event.body, Body::Chat { seat, text, .. } if *seat == wanted && !text.is_empty())
        });
        said.count()
    };
    (said(Seat::First), said(Seat::Second))
}

fn leave(number: u128) -> Change {
    Change::LeaveGame {
        player: player(1).id,
        game: game(number),
    }
}

pub(super) async fn d13_what_somebody_deleted_has_said_goes_a_part_at_a_time_and_nobody_elses(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    is_deleted(store).await;
    appended(store, &[ended(1), ended(2)]).await;
    let mut said: Vec<_> = (2..=451).map(|seq| chat(1, seq, "mine")).collect();
    said.push(by_second(chat(1, 452, "theirs")));
    // As a number stands in no other field of a line, so that nothing is taken for a seat.
    said.push(by_second(chat(
        1,
        453,
        r#"{"t":"chat","seat":1,"text":"theirs"}"#,
    )));
    said.push(chat(2, 2, "elsewhere"));
    appended(store, &said).await;
    let lines = (1..=5).map(|number| line(game(2), number, u128::from(number % 2)));
    store.keep_spectator_lines(lines.collect()).await.unwrap();
    // Nobody but the deleted account's own games and those at which it talked.
    assert_eq!(
        store.games_to_leave(player(1).id).await,
        Ok(vec![game(1), game(2)])
    );
    let mut rounds = Vec::new();
    loop {
        rounds.push(store.change(leave(1)).await.unwrap());
        if rounds.last() == Some(&ChangeResult::Done) {
            break;
        }
    }
    assert_eq!(
        rounds,
        [ChangeResult::More, ChangeResult::More, ChangeResult::Done]
    );
    assert_eq!(texts(store, 1).await, (0, 2));
    assert_eq!(stored(store, 1).await.len(), 453, "every number is there");
    done(store, leave(2)).await;
    assert_eq!(texts(store, 2).await, (1, 0), "it is another's game");
    let kept = store.lines_of_game(game(2)).await.unwrap();
    let kept: Vec<_> = kept.iter().map(|said| said.line.number).collect();
    assert_eq!(kept, [2, 4]);
    assert_eq!(store.games_to_leave(player(1).id).await, Ok(Vec::new()));
}

pub(super) async fn d13_what_an_open_report_is_about_stays_until_it_is_closed(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    is_deleted(store).await;
    for number in [8, 9] {
        done(store, new_account(number, &[&format!("key{number}")])).await;
    }
    appended(store, &[ended(1), chat(1, 2, "rude")]).await;
    let said = vec![line(game(1), 1, 1)];
    store.keep_spectator_lines(said).await.unwrap();
    let about = Report {
        player: player(1).id,
        game: Some(game(1)),
        seq: Some(Seq(2)),
        ..report(1, 9, 60)
    };
    let by = Report {
        by: player(1).id,
        player: player(8).id,
        game: None,
        seq: None,
        ..report(2, 1, 61)
    };
    for kept in [&about, &by] {
        let kept = store.report(kept.clone(), Millis(0), 9).await;
        assert_eq!(kept, Ok(true));
    }
    let rest = || Change::LeaveRest {
        player: player(1).id,
    };
    let left = || Change::Left {
        player: player(1).id,
        at: Millis(100_000),
    };
    let all = async || {
        done(store, rest()).await;
        done(store, leave(1)).await;
        let reports = store.reports(None, 9).await.unwrap();
        let texts_of: Vec<_> = reports.into_iter().map(|it| it.report.text).collect();
        let talk = store.lines_of_game(game(1)).await.unwrap().len();
        (texts(store, 1).await.0, talk, texts_of)
    };
    // The name goes at once; then there is nothing to be done in the game before the report is closed.
    assert_eq!(store.games_to_leave(player(1).id).await, Ok(vec![game(1)]));
    let kept = vec![about.text.clone(), by.text.clone()];
    assert_eq!(all().await, (1, 0, kept));
    assert_eq!(store.games_to_leave(player(1).id).await, Ok(Vec::new()));
    assert_eq!(store.change(left()).await, Ok(ChangeResult::Stale));
    for report in [about.id, by.id] {
        let entry = audit_entry(
            100 + report.0.as_u128(),
            Operation::CloseReport,
            player(9).id,
        );
        let entry = qiguan_game::audit_entry::AuditEntry { by: None, ..entry };
        let closed = store.close_report(report, ReportOutcome::Upheld, entry);
        assert_eq!(closed.await, Ok(true));
    }
    assert_eq!(store.games_to_leave(player(1).id).await, Ok(vec![game(1)]));
    // What others have written about the account is theirs.
    assert_eq!(all().await, (0, 0, vec![about.text.clone(), String::new()]));
    done(store, left()).await;
    assert_eq!(store.leaving().await, Ok(Vec::new()));
}

pub(super) async fn d13_what_is_in_no_game_goes_with_the_account(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    is_deleted(store).await;
    let mut opened = ended(3);
    opened.commands = vec![LobbyCommand {
        player: player(1).id,
        command: CommandId(Uuid::from_u128(5)),
        game: game(3),
        seek: qiguan_protocol::ids::SeekId(Uuid::from_u128(6)),
        asked: "a seek".to_owned(),
    }];
    appended(store, &[opened]).await;
    let (one, two, three) = (player(1).id, player(2).id, player(3).id);
    for number in 100..350 {
        let other = player(number).id;
        for (by, whom) in [(one, other), (other, one)] {
            let fits = store.block(by, whom, Millis(1), 1_000).await;
            assert_eq!(fits, Ok(true));
        }
    }
    assert_eq!(store.block(two, three, Millis(1), 9).await, Ok(true));
    let rest = || Change::LeaveRest { player: one };
    assert_eq!(store.change(rest()).await, Ok(ChangeResult::More));
    assert_eq!(store.change(rest()).await, Ok(ChangeResult::Done));
    let blocks = store.blocks(None, 9).await.unwrap();
    assert_eq!(blocks.len(), 1, "others' blocks of others stay");
    let command = CommandId(Uuid::from_u128(5));
    assert_eq!(store.lobby_command(one, command).await, Ok(None));
    // Nobody reads the name from its keys, and nobody gets it.
    let players = store.players(None, 9).await.unwrap();
    let gone = players.iter().find(|it| it.player.id == one).unwrap();
    assert_eq!(gone.account.keys.len(), 2);
    assert!(
        gone.account
            .keys
            .iter()
            .all(|key| name_keys::is_reserved(key)),
        "{gone:?}"
    );
    for keys in [&["anna"][..], &["berta", "further"]] {
        let taken = store.change(new_account(4, keys)).await;
        assert_eq!(taken, Ok(ChangeResult::NameTaken));
    }
    done(store, new_account(4, &["berta"])).await;
}

pub(super) async fn d13_what_an_older_archive_brings_back_goes_once_more(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    is_deleted(store).await;
    let left = || Change::Left {
        player: player(1).id,
        at: Millis(100_000),
    };
    done(store, left()).await;
    assert_eq!(store.returned().await, Ok(Vec::new()));
    appended(store, &[ended(1), ended(2), chat(1, 2, "mine")]).await;
    assert_eq!(store.returned().await, Ok(vec![player(1).id]));
    let again = Change::Return {
        player: player(1).id,
    };
    done(store, again).await;
    assert_eq!(store.leaving().await, Ok(vec![player(1).id]));
    done(store, leave(1)).await;
    done(store, left()).await;
    assert_eq!(store.returned().await, Ok(Vec::new()));
    // The name has gone; a line of chat alone is found as well.
    appended(store, &[chat(1, 3, "more of mine")]).await;
    assert_eq!(store.returned().await, Ok(vec![player(1).id]));
    let nobody = Change::Return {
        player: player(2).id,
    };
    assert_eq!(store.change(nobody).await, Ok(ChangeResult::Stale));
}
