//! An append is stored whole and once, no matter who else writes.

use std::{collections::BTreeSet, sync::Arc};

use qiguan_environment::Clock;
use qiguan_game::{
    connection_log::{ConnectionChange, ConnectionEvent},
    seat_drafts::DraftKind,
    spectator_line::SpectatorLine,
};
use qiguan_protocol::{
    ids::{CommandId, Millis, PlayerId, SeekId, Seq},
    names::{Status, Visibility},
    time_control,
};
use qiguan_rules::Seat;
use uuid::Uuid;

use super::{chat, game, opening, plain, player, pruning::in_state, stored};
use crate::{
    drafts::Draft,
    journal::Journal,
    quotas::{Counted, Quota},
    small_write::SmallWrite,
    store::{Append, AppendError, GameFilter, GamesPage, LobbyCommand, Store},
    testing::Place,
};

pub(super) async fn what_is_appended_is_read_back_in_order(store: Arc<Store>, _: &Place) {
    let mut expected = Vec::new();
    // Each number of rows that one statement inserts, and numbers that take several.
    for rows in (1..=35).chain([150]) {
        let first = expected.len() + 1;
        let batches = (first..first + rows).map(|seq| match u32::try_from(seq).unwrap() {
            1 => plain(1),
            seq => chat(1, seq, "好棋 \"'\\ \u{1f600}"),
        });
        let batches: Vec<_> = batches.collect();
        assert!(store.append(&batches).await.iter().all(Result::is_ok));
        let entries = batches.into_iter().flat_map(|batch| batch.entries);
        expected.extend(entries.flat_map(|entry| entry.events));
        assert_eq!(stored(store.as_ref(), 1).await, expected);
    }
    assert_eq!(store.game(game(2)).await.unwrap(), None);
}

pub(super) async fn whatever_is_looked_for_is_found_or_not_and_is_no_error(
    store: Arc<Store>,
    _: &Place,
) {
    let odd = "\0 ' \" \\ % _ \u{202e} \u{10ffff} $1";
    let stored = [Ok(()), Ok(())];
    assert_eq!(store.append(&[plain(1), chat(1, 2, odd)]).await, stored);
    let events = super::stored(store.as_ref(), 1).await;
    assert_eq!(events[1..], chat(1, 2, odd).entries[0].events);
    let filter = GameFilter {
        rulesets: Some(vec![odd.to_owned()]),
        limit: 10,
        ..GameFilter::default()
    };
    assert_eq!(store.games(&filter).await, Ok(GamesPage::default()));
    let player = player(1).id;
    assert_eq!(store.setup(player, odd).await, Ok(None));
    assert_eq!(store.delete_setup(player, odd.to_owned()).await, Ok(false));
}

pub(super) async fn a_number_that_exists_is_a_conflict_and_fails_alone(
    store: Arc<Store>,
    _: &Place,
) {
    assert_eq!(store.append(&[plain(1), plain(2)]).await, [Ok(()), Ok(())]);
    let results = store
        .append(&[chat(1, 2, "one"), chat(2, 1, "two"), chat(1, 3, "three")])
        .await;
    assert_eq!(
        results,
        [
            Ok(()),
            Err(AppendError::Conflict {
                game: game(2),
                seq: Seq(1)
            }),
            Ok(())
        ]
    );
    assert_eq!(
        (
            stored(store.as_ref(), 1).await.len(),
            stored(store.as_ref(), 2).await.len()
        ),
        (3, 1)
    );
}

pub(super) async fn a_rematch_is_stored_in_both_games_or_in_neither(store: Arc<Store>, _: &Place) {
    store.append(&[plain(1)]).await;
    let both = |seq: u32, next: u128| {
        let mut append = chat(1, seq, "rematch");
        append.entries.extend(plain(next).entries);
        append
    };
    assert!(matches!(
        store.append(&[both(1, 5)]).await[..],
        [Err(AppendError::Conflict { .. })]
    ));
    assert!(stored(store.as_ref(), 5).await.is_empty());
    assert_eq!(store.append(&[both(2, 5)]).await, [Ok(())]);
    assert_eq!(stored(store.as_ref(), 5).await.len(), 1);
}

pub(super) async fn a_conflict_of_a_rematch_names_the_game_that_somebody_else_wrote_to(
    store: Arc<Store>,
    _: &Place,
) {
    assert_eq!(store.append(&[plain(1), plain(5)]).await, [Ok(()), Ok(())]);
    let rematch = |seq: u32, next: u128| {
        let mut append = chat(1, seq, "rematch");
        append.entries[0]
            .events
            .extend(chat(1, seq + 1, "agreed").entries.remove(0).events);
        append.entries.extend(plain(next).entries);
        append
    };
    for (seq, next, blamed) in [
        (1, 6, (game(1), Seq(1))),
        (2, 5, (game(5), Seq(1))),
        (1, 5, (game(1), Seq(1))),
    ] {
        let conflict = Err(AppendError::Conflict {
            game: blamed.0,
            seq: blamed.1,
        });
        let alone = store.append(&[rematch(seq, next)]).await;
        assert_eq!(alone, std::slice::from_ref(&conflict));
        let second = 10 * u128::from(seq) + next;
        let among_others = store
            .append(&[plain(second), rematch(seq, next), plain(second + 100)])
            .await;
        assert_eq!(among_others, [Ok(()), conflict, Ok(())]);
    }
    for (number, events) in [(1, 1), (5, 1), (6, 0)] {
        assert_eq!(stored(store.as_ref(), number).await.len(), events);
    }
    assert_eq!(store.append(&[rematch(2, 6)]).await, [Ok(())]);
}

pub(super) async fn i3_what_is_used_up_is_refused_and_the_others_of_a_transaction_are_stored(
    store: Arc<Store>,
    place: &Place,
) {
    let (of, to) = (player(1).id, player(2).id);
    let games = Quota {
        of: Counted::Games(of),
        most: 3,
    };
    let challenges = Quota {
        of: Counted::Challenges { by: of, to },
        most: 1,
    };
    let taking = |number: u128, quotas: &[Quota]| Append {
        quotas: quotas.to_vec(),
        ..plain(number)
    };
    let challenging = |number: u128| {
        let mut append = taking(number, &[games, challenges]);
        let summary = append.entries[0].summary.as_mut().unwrap();
        summary.invited = Some(player(2));
        append
    };
    let used_up = |quota| Err(AppendError::UsedUp(quota));
    // In one transaction as one after the other; the others are stored with them.
    let batches = [
        taking(1, &[games]),
        challenging(2),
        challenging(3),
        plain(4),
    ];
    let expected = [Ok(()), Ok(()), used_up(challenges), Ok(())];
    assert_eq!(store.append(&batches).await, expected);
    assert_eq!(store.append(&[challenging(3)]).await, [used_up(games)]);
    assert_eq!(store.unfinished_games_of(of).await, Ok(3));
    assert!(stored(store.as_ref(), 3).await.is_empty());
    // Another who has fewer is not kept from anything.
    let of_another = Quota {
        of: Counted::Games(to),
        ..games
    };
    assert_eq!(store.append(&[taking(5, &[of_another])]).await, [Ok(())]);

    // Of many at once, in two programs, as many as there is room for.
    let other = place.open().await;
    let most = Quota { most: 8, ..games };
    let mut tasks = tokio::task::JoinSet::new();
    for number in 100..140 {
        let store = Arc::clone(if number % 2 == 0 { &store } else { &other });
        let append = taking(number, &[most]);
        tasks.spawn(async move { store.append(&[append]).await.remove(0) });
    }
    let results = tasks.join_all().await;
    let stored = results.iter().filter(|result| result.is_ok()).count();
    // There were four before: `plain` opens games for this player too.
    assert_eq!(stored, 4, "{results:?}");
    assert_eq!(store.unfinished_games_of(of).await, Ok(8));
}

pub(super) async fn of_two_writers_with_the_same_number_one_wins_and_the_other_reads_what_it_wrote(
    store: Arc<Store>,
    place: &Place,
) {
    const EVENTS: u32 = 60;
    assert_eq!(store.append(&[plain(1)]).await, [Ok(())]);
    let writers = [store, place.open().await];
    let mut won = [0, 0];
    for seq in 2..=EVENTS {
        let texts = [format!("one {seq}"), format!("two {seq}")];
        let batches = [chat(1, seq, &texts[0]), chat(1, seq, &texts[1])];
        let (one, two) = tokio::join!(
            writers[0].append(&batches[..1]),
            writers[1].append(&batches[1..]),
        );
        let conflict = Err(AppendError::Conflict {
            game: game(1),
            seq: Seq(seq),
        });
        let winner = usize::from(one != [Ok(())]);
        let results = [one, two];
        assert_eq!(results[winner], [Ok(())]);
        assert_eq!(results[1 - winner], [conflict]);
        won[winner] += 1;
        let read = stored(writers[1 - winner].as_ref(), 1).await;
        assert_eq!(
            read.last(),
            batches[winner].entries[0].events.first(),
            "the loser reads what the winner wrote"
        );
    }
    assert_eq!(won[0] + won[1], EVENTS - 1);
    assert_eq!(stored(writers[0].as_ref(), 1).await.len(), EVENTS as usize);
}

pub(super) async fn a_command_opens_one_game(store: Arc<Store>, _: &Place) {
    let mut first = plain(1);
    first.commands = vec![LobbyCommand {
        player: player(2).id,
        command: CommandId(Uuid::from_u128(2)),
        game: game(1),
        seek: SeekId(Uuid::from_u128(3)),
        asked: "accept_seek".to_owned(),
    }];
    let accepted = first.commands.clone();
    let mut second = first.clone();
    second.entries[0].game = game(2);
    if let Some(summary) = &mut second.entries[0].summary {
        summary.game = game(2);
    }
    assert_eq!(store.append(&[first]).await, [Ok(())]);
    assert_eq!(
        store.append(&[second]).await,
        [Err(AppendError::AlreadyCreated)]
    );
    let mut third = opening(3, 3, Visibility::Public, time_control::Clock::None);
    third.commands.clone_from(&accepted);
    assert_eq!(
        store.append(&[third]).await,
        [Err(AppendError::AlreadyCreated)]
    );
    assert_eq!(store.game(game(3)).await, Ok(None));
    let [accepted] = accepted.as_slice() else {
        unreachable!()
    };
    let found = store.lobby_command(player(2).id, accepted.command).await;
    assert_eq!(found, Ok(Some(accepted.clone())));
    let found = store.lobby_command(player(1).id, accepted.command).await;
    assert_eq!(found, Ok(None));
    let command = CommandId(Uuid::from_u128(1));
    assert_eq!(
        store.game_created_by(player(1).id, command).await,
        Ok(Some(game(1)))
    );
    assert_eq!(store.game_created_by(player(2).id, command).await, Ok(None));
    assert_eq!(store.unfinished_games_of(player(1).id).await, Ok(1));
}

pub(super) async fn who_is_paired_in_a_game_that_is_not_over_is_found_from_a_time_on(
    store: Arc<Store>,
    _: &Place,
) {
    let command = |player: PlayerId| LobbyCommand {
        player,
        command: CommandId(Uuid::from_u128(2)),
        game: game(2),
        seek: SeekId(Uuid::from_u128(3)),
        asked: "accept_seek".to_owned(),
    };
    let with = |append: Append| {
        let [first, second] = [player(2).id, player(1_002).id];
        Append {
            commands: vec![command(first), command(second)],
            ..append
        }
    };
    let public = Visibility::Public;
    let playing = |number| in_state(number, Status::Playing, time_control::Clock::None, public);
    // The second came about by no command in the lobby.
    for append in [with(playing(2)), playing(3)] {
        assert_eq!(store.append(&[append]).await, [Ok(())]);
    }
    let games = async |who: u128, since: u128| {
        let games = store.paired_games_of(player(who).id, game(since)).await;
        games.unwrap()
    };
    for who in [2, 1_002] {
        assert_eq!(games(who, 1).await, [game(2)]);
        assert_eq!(games(who, 2).await, [game(2)]);
        assert_eq!(games(who, 3).await, []);
    }
    assert_eq!(games(3, 1).await, []);
}

pub(super) async fn many_appends_share_few_commits_and_none_is_lost(store: Arc<Store>, _: &Place) {
    let (journal, writer) = Journal::start(Arc::clone(&store), Clock::system());
    let mut waiting = Vec::new();
    for number in 1..=300 {
        let journal = journal.clone();
        waiting.push(tokio::spawn(
            async move { journal.append(plain(number)).await },
        ));
    }
    for append in waiting {
        assert_eq!(append.await.unwrap(), Ok(()));
    }
    writer.close().await;
    assert!(
        matches!(
            journal.append(plain(999)).await,
            Err(AppendError::Refused(_))
        ),
        "closed is closed"
    );
    let mut seen = BTreeSet::new();
    for number in 1..=300 {
        assert_eq!(stored(store.as_ref(), number).await.len(), 1);
        seen.insert(number);
    }
    assert_eq!(seen.len(), 300);
}

pub(super) async fn an_append_whose_asker_has_gone_is_stored_all_the_same(
    store: Arc<Store>,
    _: &Place,
) {
    let (journal, writer) = Journal::start(Arc::clone(&store), Clock::system());
    {
        let mut asking = Box::pin(journal.append(plain(1)));
        // Polled once, so that the append is on its way, and dropped.
        assert!(futures_util::poll!(&mut asking).is_pending());
    }
    writer.close().await;
    assert_eq!(stored(store.as_ref(), 1).await.len(), 1);
}

pub(super) async fn small_writes_share_the_transaction_and_each_fails_alone(
    store: Arc<Store>,
    _: &Place,
) {
    assert_eq!(store.append(&[plain(1)]).await, [Ok(())]);
    let line = |number: u32, command: u128| SpectatorLine {
        game: game(1),
        number,
        at: Millis(5),
        player: player(7).id,
        command: CommandId(Uuid::from_u128(command)),
        text: "好棋".to_owned(),
        shadow_muted: false,
    };
    let draft = |text: &str| {
        SmallWrite::Draft(Draft {
            game: game(1),
            seat: Seat::First,
            kind: DraftKind::Notes,
            text: text.to_owned(),
        })
    };
    let connected = ConnectionEvent {
        game: game(1),
        at: Millis(6),
        what: ConnectionChange::Connected(Seat::First),
        ply: None,
    };
    let writes = [
        draft("one"),
        SmallWrite::SpectatorLines(vec![line(1, 1), line(2, 2)]),
        // The number of the second is taken: neither is kept.
        SmallWrite::SpectatorLines(vec![line(3, 3), line(2, 4)]),
        SmallWrite::Connections(vec![connected]),
        SmallWrite::Heartbeat(Millis(9)),
    ];
    let flushed = store.flush(&[chat(1, 2, "one")], &writes).await;
    assert_eq!(flushed.appended, [Ok(())]);
    let written = &flushed.written;
    assert_eq!(written[0], Ok(Vec::new()));
    assert_eq!(written[1], Ok(vec![1, 2]));
    assert!(written[2].is_err(), "{written:?}");
    assert_eq!(written[3..], [Ok(Vec::new()), Ok(Vec::new())]);
    assert_eq!(stored(store.as_ref(), 1).await.len(), 2);
    let drafts = store.drafts(game(1)).await.unwrap();
    assert_eq!(drafts.first.notes.as_deref(), Some("one"));
    let lines = store.lines_of_game(game(1)).await.unwrap();
    let numbers: Vec<_> = lines.iter().map(|line| line.line.number).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(store.connections(game(1)).await, Ok(vec![connected]));
    assert_eq!(store.last_heartbeat().await, Ok(Some(Millis(9))));

    // A batch that fails takes no small write with it either, and small writes need no batch.
    let flushed = store
        .flush(&[chat(1, 2, "again"), chat(1, 3, "two")], &[draft("two")])
        .await;
    assert!(flushed.appended[0].is_err() && flushed.appended[1].is_ok());
    assert_eq!(flushed.written, [Ok(Vec::new())]);
    let drafts = store.drafts(game(1)).await.unwrap();
    assert_eq!(drafts.first.notes.as_deref(), Some("two"));
    let flushed = store.flush(&[], &[SmallWrite::Heartbeat(Millis(10))]).await;
    assert_eq!(flushed.written, [Ok(Vec::new())]);
    assert_eq!(store.last_heartbeat().await, Ok(Some(Millis(10))));
}
