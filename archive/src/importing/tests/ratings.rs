//! Ratings go with the games, as they are; impossible ratings are refused.

use qiguan_game::{audit_entry::AuditEntry, ratings::change::Cause};
use qiguan_protocol::{
    ids::Seq,
    operation::Operation,
    report::{ReportId, ReportOutcome, ReportReason},
};
use qiguan_store::{
    audit_log::AuditFilter, fair_play::Report, histories::RatingHistory, ratings::Withdrawal,
    testing::audit_entry, withdrawal,
};

use crate::{
    importing::tests::*,
    line::VERSION,
    verifying::{audit_log, ratings},
};

const SETS: [&str; 2] = ["doushouqi/booklet", "xiangqi/standard"];

/// A rated game that the second of the players resigns; the longer they talk, the later.
fn resigned(number: u128, players: [u128; 2], ruleset: &str, lines: usize) -> Append {
    let mut table = Table::rated(players, game(number), ruleset);
    for line in 0..lines {
        let text = format!("line {line}");
        table.does(players[0], &Command::Chat { text });
    }
    table.does(players[1], &Command::Resign);
    append(&table)
}

fn append(table: &Table) -> Append {
    Append {
        cause: "test",
        audit_entry: None,
        commands: Vec::new(),
        quotas: Vec::new(),
        entries: vec![Entry {
            game: table.state.id,
            events: table.events(),
            summary: Some(table.state.summary()),
        }],
    }
}

async fn stored(store: &Arc<Store>, appends: &[Append]) {
    assert!(store.append(appends).await.iter().all(Result::is_ok));
}

async fn ruled(store: &Arc<Store>, number: u128, counts: bool) {
    let withdrawal = (!counts).then(|| Withdrawal {
        at: Millis(2_000_000),
        by: Some(player(9).id),
        reason: "a program has helped".to_owned(),
    });
    let operation = if counts {
        Operation::Restore
    } else {
        Operation::Withdraw
    };
    let entry = AuditEntry {
        at: Millis(2_000_000),
        by: None,
        player: None,
        game: Some(game(number)),
        ..audit_entry(number + 100 * u128::from(counts), operation, player(9).id)
    };
    let ruled = withdrawal::rule(store.as_ref(), game(number), withdrawal, entry).await;
    assert!(
        matches!(ruled, Ok(withdrawal::Ruled::Done { .. })),
        "{ruled:?}"
    );
}

/// A record with rated games that have ended in another order than they were opened, and decisions about them.
async fn played(place: &Place) -> Arc<Store> {
    let store = place.open().await;
    let ends = [
        resigned(1, [1, 2], SETS[0], 4),
        resigned(2, [2, 3], SETS[0], 3),
        resigned(3, [3, 1], SETS[1], 2),
        resigned(4, [1, 2], SETS[1], 1),
        resigned(5, [3, 1], SETS[0], 0),
    ];
    for end in ends.iter().rev() {
        stored(&store, std::slice::from_ref(end)).await;
    }
    for (number, counts) in [(2, false), (3, false), (3, true), (5, false)] {
        ruled(&store, number, counts).await;
    }
    stored(&store, &[append(&Table::rated([2, 3], game(6), SETS[0]))]).await;
    for (one, two) in [(1, 2), (2, 1), (1, 3)] {
        let blocked = store.block(player(one).id, player(two).id, Millis(7), 9);
        assert_eq!(blocked.await, Ok(true));
    }
    for number in 1..=3 {
        let report = Report {
            id: ReportId(Uuid::from_u128(number)),
            at: Millis(8),
            by: player(1).id,
            player: player(2).id,
            game: (number > 1).then(|| game(number)),
            seq: (number > 2).then_some(Seq(3)),
            reason: ReportReason::Chat,
            text: format!("棋\n{number}"),
        };
        assert_eq!(store.report(report, Millis(0), 9).await, Ok(true));
    }
    let entry = AuditEntry {
        by: None,
        ..audit_entry(7, Operation::CloseReport, player(2).id)
    };
    let closed = store.close_report(ReportId(Uuid::from_u128(2)), ReportOutcome::Upheld, entry);
    assert_eq!(closed.await, Ok(true));
    store
}

async fn histories(store: &Arc<Store>) -> Vec<RatingHistory> {
    let mut histories = Vec::new();
    for ruleset in store.rulesets_with_ratings().await.unwrap() {
        let mut history = store.ratings_of(&ruleset).await.unwrap();
        history
            .changes
            .sort_by_key(|change| (change.player, change.number));
        histories.push(history);
    }
    histories
}

async fn follows(store: &Arc<Store>) {
    let found = ratings::verify(store.as_ref()).await.unwrap();
    assert_eq!(found.wrong, Vec::<String>::new());
    assert_eq!(bad_games(store).await, Vec::<String>::new());
}

/// A player's games in the order in which they were rated.
fn order(history: &RatingHistory, number: u128) -> Vec<(u128, bool)> {
    let changes = history.changes.iter();
    let own = changes.filter(|change| change.player == player(number).id);
    own.filter_map(|change| match change.cause {
        Cause::Played { counts, .. } => Some((change.game.0.as_u128(), counts)),
        Cause::Revised => None,
    })
    .collect()
}

async fn ratings_move(here: Place, there: Place) {
    let (store, other) = (played(&here).await, there.open().await);
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    let (done, told) = imported(&other, &archive).await;
    assert_eq!((told.refused, told.heard), (vec![], vec![]));
    let before = histories(&store).await;
    let changes: usize = before.iter().map(|history| history.changes.len()).sum();
    assert_eq!(
        (done.games, done.ratings, done.whole),
        (6, changes as u64, true)
    );
    assert!(
        before
            .iter()
            .all(|history| !history.rating_states.is_empty())
    );
    assert_eq!(before[0].withdrawals.len(), 2);
    assert_eq!(histories(&other).await, before);
    let blocks = other.blocks(None, 10).await.unwrap();
    assert_eq!(
        (blocks.len(), Ok(blocks)),
        (3, store.blocks(None, 10).await)
    );
    let reports = other.reports(None, 10).await.unwrap();
    assert_eq!(
        reports.iter().filter(|kept| kept.closed.is_some()).count(),
        1
    );
    assert_eq!(
        (reports.len(), Ok(reports)),
        (3, store.reports(None, 10).await)
    );
    let all = AuditFilter {
        limit: 50,
        ..AuditFilter::default()
    };
    let audit_entries = other.audit_log(&all).await.unwrap();
    // Four decisions about results, one about a report.
    assert_eq!(audit_entries.len(), 5);
    assert_eq!(store.audit_log(&all).await, Ok(audit_entries));
    let mut bad = Vec::new();
    let count = audit_log::verify(other.as_ref(), |finding| bad.push(finding)).await;
    assert_eq!((count, bad), (Ok(5), vec![]));
    follows(&other).await;
    let again = exported(other.as_ref(), &wanted(true), b"").await;
    assert_eq!(body(&again), body(&archive));
    // Once more, nothing happens; nor when games were played and results judged since.
    let (done, _) = imported(&other, &archive).await;
    assert_eq!((done.games, done.known, done.ratings), (0, 6, 0));
    assert_eq!(histories(&other).await, before);
    stored(&other, &[resigned(7, [1, 3], SETS[0], 9)]).await;
    ruled(&other, 2, true).await;
    let later = histories(&other).await;
    let (done, told) = imported(&other, &archive).await;
    assert_eq!((done.ratings, told.heard), (0, vec![]));
    assert_eq!(histories(&other).await, later);
    follows(&other).await;
}

#[tokio::test]
async fn ratings_and_decisions_move_into_postgres_as_they_are() {
    ratings_move(Place::new("ratings_out"), Place::postgres()).await;
}

#[tokio::test]
async fn ratings_and_decisions_move_out_of_postgres_as_they_are() {
    ratings_move(Place::postgres(), Place::new("ratings_in")).await;
}

#[tokio::test]
async fn an_export_with_ratings_that_was_interrupted_goes_on_to_the_same_bytes() {
    let place = Place::new("ratings_resumed");
    let store = played(&place).await;
    let whole = exported(store.as_ref(), &wanted(true), b"").await;
    let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let cuts: Vec<_> = ends.flat_map(|(end, _)| [end, end + 1]).collect();
    assert!(cuts.len() > 20);
    for cut in cuts {
        let resumed = exported(store.as_ref(), &wanted(true), &whole[..cut]).await;
        assert!(resumed == whole, "cut after {cut} bytes");
    }
}

async fn games_come_after(there: Place) {
    let here = Place::new("ratings_beside");
    let (store, other) = (played(&here).await, there.open().await);
    stored(&other, &[resigned(8, [1, 2], SETS[0], 20)]).await;
    let own = histories(&other).await.remove(0);
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    let (done, told) = imported(&other, &archive).await;
    assert_eq!((done.refused_ratings, told.heard.len()), (0, 1));
    assert!(told.heard[0].contains(SETS[0]), "{:?}", told.heard);
    let after = histories(&other).await;
    assert!(
        own.changes
            .iter()
            .all(|change| after[0].changes.contains(change))
    );
    // Its own game first, then those of the archive as they ended; what did not count does not.
    assert_eq!(order(&after[0], 1), [(8, true), (5, false), (1, true)]);
    let decisions = after[0].withdrawals.clone();
    assert_eq!(decisions, histories(&store).await[0].withdrawals);
    assert_eq!(
        after[1],
        histories(&store).await[1],
        "the other rule set is taken over"
    );
    follows(&other).await;
    imported(&other, &archive).await;
    assert_eq!(histories(&other).await, after);
}

#[tokio::test]
async fn games_come_after_those_that_a_record_has_rated_itself() {
    games_come_after(Place::new("ratings_beside_there")).await;
}

#[tokio::test]
async fn games_come_after_those_that_a_record_in_postgres_has_rated_itself() {
    games_come_after(Place::postgres()).await;
}

#[tokio::test]
async fn ratings_that_do_not_follow_from_the_games_are_refused_and_the_games_rated_again() {
    let here = Place::new("ratings_forged");
    let store = played(&here).await;
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    let text = String::from_utf8(archive).unwrap();
    let line = text.lines().find(|line| line.starts_with(r#"{"ratings""#));
    let line = line.unwrap();
    let game_five = serde_json::to_string(&game(5)).unwrap();
    let lost = text
        .lines()
        .find(|line| line.starts_with(&format!(r#"{{"game":{game_five}"#)))
        .unwrap();
    let withdrawal = text.lines().find(|line| line.contains(r#"{"withdrawal""#));
    for (number, (from, to, why)) in [
        (r#""rating":1"#, r#""rating":2"#, "does not follow"),
        (r#""counts":false"#, r#""counts":true"#, "alike"),
        (&format!("{line}\n"), "", "alike"),
        (
            &format!("{}\n", withdrawal.unwrap()),
            "",
            "is not withdrawn",
        ),
        (&format!("{lost}\n"), "", "is no rated game"),
    ]
    .into_iter()
    .enumerate()
    {
        let kind = ["ratings", "withdrawals", "games"]
            .into_iter()
            .zip([line, withdrawal.unwrap(), lost])
            .find(|(_, gone)| from.trim_end() == *gone);
        let mut forged = text.replacen(from, to, 1);
        assert_ne!(forged, text);
        // An end that counts the lines that are there.
        if let Some((kind, _)) = kind {
            let count = text
                .lines()
                .filter(|line| line.starts_with(&format!("{{\"{}", kind.trim_end_matches('s'))))
                .count();
            let (was, is) = (
                format!("\"{kind}\":{count}"),
                format!("\"{kind}\":{}", count - 1),
            );
            assert!(forged.contains(&was), "{was}");
            forged = forged.replace(&was, &is);
        }
        let there = Place::new(&format!("ratings_forged_{number}"));
        let other = there.open().await;
        let (done, told) = imported(&other, forged.as_bytes()).await;
        assert!(done.whole, "{number}");
        assert_eq!(done.refused_ratings, 1, "{number}: {:?}", told.heard);
        let [what] = &told.heard[..] else {
            panic!("{:?}", told.heard);
        };
        assert!(what.contains(SETS[0]) && what.contains(why), "{what}");
        follows(&other).await;
        assert_eq!(histories(&other).await[1], histories(&store).await[1]);
    }
}

#[tokio::test]
async fn an_archive_that_was_cut_off_rates_nothing_until_it_is_there_to_the_end() {
    let (here, there) = (Place::new("ratings_cut"), Place::new("ratings_cut_there"));
    let (store, other) = (played(&here).await, there.open().await);
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    let text = String::from_utf8(archive).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (_, without_end) = lines.split_last().unwrap();
    let (done, _) = imported(&other, without_end.join("\n").as_bytes()).await;
    assert_eq!((done.games, done.ratings, done.whole), (6, 0, false));
    let found = ratings::verify(other.as_ref()).await.unwrap();
    assert_eq!(found.wrong.len(), 2);
    assert!(found.wrong[0].contains("has changed no ratings"));
    let (done, _) = imported(&other, text.as_bytes()).await;
    assert_eq!((done.games, done.known), (0, 6));
    assert_eq!(histories(&other).await, histories(&store).await);
    follows(&other).await;
}

#[tokio::test]
async fn games_without_ratings_are_rated_in_the_order_of_their_ends() {
    let (here, there) = (Place::new("ratings_none"), Place::new("ratings_none_there"));
    let (store, other) = (played(&here).await, there.open().await);
    let archive = exported(store.as_ref(), &wanted(false), b"").await;
    assert!(!body(&archive).concat().contains("ratings"));
    let (done, told) = imported(&other, &archive).await;
    assert_eq!((done.games, done.ratings, told.heard), (5, 0, vec![]));
    let rated = histories(&other).await;
    assert_eq!(order(&rated[0], 1), [(5, true), (1, true)]);
    assert_eq!(order(&rated[1], 1), [(4, true), (3, true)]);
    follows(&other).await;
    // What an archive has that says it has none is not believed.
    let whole = exported(store.as_ref(), &wanted(true), b"").await;
    let text = String::from_utf8(whole).unwrap();
    let older = text.replacen(&format!("\"version\":{VERSION}"), "\"version\":1", 1);
    let (_, told) = imported(&other, older.as_bytes()).await;
    assert!(!told.refused.is_empty());
    for (_, why) in &told.refused {
        assert!(why.contains("has no ratings"), "{why}");
    }
}
