//! Exports from one record, imports into another.

use std::sync::Arc;

use qiguan_environment::{Clock, Random};
use qiguan_game::{
    record::Entry,
    referee::Command,
    seat_drafts::DraftKind,
    testing::{RULESETS, Table, fischer, player},
};
use qiguan_protocol::{
    ids::{GameId, Millis},
    names::Status,
};
use qiguan_rules::Seat;
use qiguan_store::{
    accounts::{AccountRecord, Arrival, PlayerRecord, Purpose, StoredSession},
    store::{Append, NamedSetup, TokenHash},
    stored::Selection,
    testing::Place,
};
use uuid::Uuid;

use super::*;
use crate::{
    exporting,
    line::{ExportScope, Kind},
    resuming,
    verifying::{self, Subject},
};

const SETUP: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";

fn game(number: u128) -> GameId {
    GameId(Uuid::from_u128(number))
}

/// A record with games of every rule set, ended and under way, two players, and drafts.
async fn filled(place: &Place) -> Arc<Store> {
    let store = place.open().await;
    let mut appends = Vec::new();
    for (ruleset, number) in RULESETS.into_iter().zip(1..) {
        for (plies, offset) in [(10_000, 0), (5, 100)] {
            let seed = number as u64;
            let mut table = Table::open(game(number + offset), ruleset, fischer(), seed);
            table.plays(plies);
            let text = "好棋 \"'\\".to_owned();
            table.does(1, &Command::Chat { text });
            appends.push(Append {
                cause: "test",
                audit_entry: None,
                commands: Vec::new(),
                quotas: Vec::new(),
                entries: vec![Entry {
                    game: table.state.id,
                    events: table.events(),
                    summary: Some(table.state.summary()),
                }],
            });
        }
    }
    assert!(store.append(&appends).await.iter().all(Result::is_ok));
    let records = (1..=2).map(|number: u8| PlayerRecord {
        player: player(number.into()),
        created_at: Millis(5),
        account: AccountRecord::GUEST,
        tokens: vec![StoredSession {
            hash: TokenHash([number; 32]),
            purpose: Purpose::SignIn,
            agent: None,
            created_at: Millis(6),
            last_seen_at: Millis(6),
            expires_at: None,
        }],
        follows: Vec::new(),
        settings: None,
        puzzles: qiguan_store::accounts::puzzles::PuzzleRecord::default(),
        setups: vec![NamedSetup {
            name: "a".to_owned(),
            setup: SETUP.to_owned(),
        }],
    });
    let records = records.map(Arrival::from).collect();
    store.add_players(records).await.unwrap();
    // The sixth rule set is one of Luzhanqi.
    let notes = "the Flag is there".to_owned();
    let keep = store.save_draft(game(106), Seat::Second, DraftKind::Notes, notes);
    keep.await.unwrap();
    store.heartbeat(Millis(77)).await.unwrap();
    store
}

fn wanted(everything: bool) -> ExportScope {
    let status = (!everything).then_some(Status::Ended);
    ExportScope {
        selection: Selection {
            status,
            ..Selection::default()
        },
        everything,
    }
}

#[derive(Default)]
struct CollectedIssues {
    refused: Vec<(u64, String)>,
    texts: Vec<u8>,
    left_out: Vec<String>,
    heard: Vec<String>,
}

impl ProgressSink for CollectedIssues {
    fn read(&mut self, _: u64) {}
    fn refused(&mut self, number: u64, text: &[u8], why: &str) -> std::io::Result<()> {
        self.refused.push((number, why.to_owned()));
        self.texts.extend_from_slice(text);
        Ok(())
    }
    fn tells(&mut self, what: &str) {
        self.heard.push(what.to_owned());
    }
    fn waits(&mut self, why: &str) {
        panic!("{why}");
    }
}

impl exporting::ProgressSink for CollectedIssues {
    fn wrote(&mut self, _: u64) {}
    fn left_out(&mut self, game: GameId, why: &str) {
        self.left_out.push(format!("{game}: {why}"));
    }
}

async fn exported(store: &Store, wanted: &ExportScope, so_far: &[u8]) -> Vec<u8> {
    let from = resuming::look(so_far).unwrap();
    let mut bytes = so_far[..from.bytes as usize].to_vec();
    if !from.complete {
        let mut told = CollectedIssues::default();
        exporting::export(store, wanted, &from, &mut bytes, &mut told)
            .await
            .unwrap();
        assert_eq!(told.left_out, Vec::<String>::new());
    }
    bytes
}

fn everything() -> Taking {
    let (clock, random) = (Clock::system(), Random::system());
    Taking::Everything { clock, random }
}

async fn imported(store: &Arc<Store>, archive: &[u8]) -> (Imported, CollectedIssues) {
    let mut told = CollectedIssues::default();
    let input = std::io::Cursor::new(archive.to_vec());
    let done = import(Arc::clone(store), input, everything(), 2, &mut told)
        .await
        .unwrap();
    (done, told)
}

async fn bad_games(store: &Arc<Store>) -> Vec<String> {
    let mut bad = Vec::new();
    verifying::verify(Arc::clone(store), Selection::default(), 2, |checked| {
        let findings = checked.findings.into_iter();
        bad.extend(findings.map(|finding| {
            let Subject::Game { seq, .. } = finding.subject else {
                panic!("{finding:?}");
            };
            format!("{seq:?}: {}", finding.what)
        }));
        bad.extend(checked.unread);
    })
    .await
    .unwrap();
    bad
}

/// The same without what the audit log says of imports, and without the end, which counts it.
fn without_imports(archive: &[u8]) -> Vec<String> {
    let mut lines = body(archive);
    lines.pop();
    lines.retain(|line| !line.contains(r#""operation":"import_"#));
    lines
}

/// Everything but the header, which names the record, and the ids of commands in games that are over, which a packed game forgets.
fn body(archive: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(archive).unwrap();
    text.lines().skip(1).map(without_old_commands).collect()
}

fn without_old_commands(line: &str) -> String {
    let mut read: serde_json::Value = serde_json::from_str(line).unwrap();
    let events = read["events"].as_array_mut();
    let Some(events) = events.filter(|_| line.contains(r#""t":"ended""#)) else {
        return line.to_owned();
    };
    for event in events {
        event.as_object_mut().unwrap().remove("command");
    }
    read.to_string()
}

#[tokio::test]
async fn a_record_that_was_exported_and_imported_is_the_same_record() {
    let (here, there) = (Place::new("archive_here"), Place::new("archive_there"));
    let store = filled(&here).await;
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    let other = there.open().await;
    let (done, told) = imported(&other, &archive).await;
    assert_eq!(told.refused, []);
    let expected = Imported {
        games: 18,
        known: 0,
        players: 2,
        ratings: 0,
        refused: 0,
        refused_ratings: 0,
        accounts: Accounts {
            guests: 2,
            tokens: 2,
            ..Accounts::default()
        },
        left_out: BTreeMap::new(),
        beside: Beside::default(),
        whole: true,
    };
    assert_eq!(done, expected);
    let again = exported(other.as_ref(), &wanted(true), b"").await;
    assert_eq!(without_imports(&again), without_imports(&archive));
    assert_eq!(other.last_heartbeat().await, Ok(Some(Millis(77))));
    for record in [&store, &other] {
        assert_eq!(bad_games(record).await, Vec::<String>::new());
    }
    // The line in the lists, which no archive holds, follows from the events.
    let all = Selection::default();
    let lines = async |store: &Store| {
        let games = store.stored_games(&all, None, 50).await.unwrap();
        let lines = games.into_iter().map(|game| (game.game, game.line));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(lines(&other).await, lines(&store).await);
    let known = other.session(TokenHash([2; 32])).await.unwrap();
    assert_eq!(known.map(|known| known.identity.player()), Some(player(2)));
    // Once more, nothing happens.
    let (done, _) = imported(&other, &archive).await;
    assert_eq!((done.games, done.known, done.players), (0, 18, 0));
    let third = exported(other.as_ref(), &wanted(true), b"").await;
    assert_eq!(third, again);
}

#[tokio::test]
async fn only_what_has_ended_is_exported_unless_more_is_asked_for() {
    let place = Place::new("archive_ended");
    let store = filled(&place).await;
    let archive = exported(store.as_ref(), &wanted(false), b"").await;
    let lines = body(&archive);
    assert_eq!(lines.len(), 10);
    let (end, games) = lines.split_last().unwrap();
    assert_eq!(end, r#"{"end":{"players":0,"games":9}}"#);
    assert!(games.iter().all(|line| line.contains(r#""t":"ended""#)));
    assert!(!lines.concat().contains("papers"));
}

#[tokio::test]
async fn an_export_that_was_interrupted_anywhere_goes_on_to_the_same_bytes() {
    let place = Place::new("archive_resumed");
    let store = filled(&place).await;
    for everything in [false, true] {
        let wanted = wanted(everything);
        let whole = exported(store.as_ref(), &wanted, b"").await;
        let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let mut cuts: Vec<_> = ends.flat_map(|(end, _)| [end - 1, end, end + 1]).collect();
        cuts.extend([0, 1, 30]);
        for cut in cuts {
            let resumed = exported(store.as_ref(), &wanted, &whole[..cut]).await;
            assert!(resumed == whole, "cut after {cut} bytes");
        }
    }
    resuming::look(&b"{\"seq\":1}\n"[..]).unwrap_err();
}

#[tokio::test]
async fn a_game_that_could_not_be_is_refused_with_its_line_and_the_others_are_taken() {
    let (here, there) = (Place::new("archive_bad"), Place::new("archive_bad_there"));
    let store = filled(&here).await;
    let archive = exported(store.as_ref(), &wanted(true), b"").await;
    let text = String::from_utf8(archive).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // The header, two players, nine games that have ended.
    let change = |line: &mut String, from: &str, to: &str| {
        assert!(line.contains(from), "{from} in {line}");
        *line = line.replacen(from, to, 1);
    };
    change(&mut lines[2], SETUP, &SETUP.replace('F', "D"));
    change(&mut lines[3], r#""ms":"#, r#""ms":1"#);
    change(&mut lines[4], r#""p":3"#, r#""p":4"#);
    change(&mut lines[5], r#""t":"m""#, r#""t":"move""#);
    change(
        &mut lines[6],
        r#""reason":""#,
        r#""reason":"resignation","x":""#,
    );
    lines[7].truncate(500);
    change(&mut lines[8], r#"{"seq":5"#, r#"{"seq":6"#);
    lines.insert(9, "{\"song\": 1}".to_owned());
    let changed = lines.join("\n");
    let other = there.open().await;
    let (done, told) = imported(&other, changed.as_bytes()).await;
    let expected = [
        (3, "setups[0].setup: illegal"),
        (4, "event 4: the move cost more time than there was"),
        (5, "event"),
        (6, "events[3].body: unknown variant `move`"),
        (7, "unknown field `x`"),
        (8, "control character"),
        (9, "missing or doubled"),
        (10, "the first field must be one of"),
    ];
    assert_eq!(told.refused.len(), expected.len(), "{:?}", told.refused);
    for ((number, why), (line, what)) in told.refused.iter().zip(expected) {
        assert_eq!(*number, line, "{why}");
        assert!(why.contains(what), "line {line}: {why}");
    }
    assert_eq!((done.games, done.players, done.refused), (12, 1, 8));
    assert!(!done.whole, "there is a line too many");
    let refused: Vec<&str> = [2, 3, 4, 5, 6, 7, 8, 9]
        .map(|place| &lines[place][..])
        .into();
    assert_eq!(told.texts, format!("{}\n", refused.join("\n")).as_bytes());
    assert_eq!(bad_games(&other).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_game_that_is_there_otherwise_is_a_conflict_and_stays_as_it_is() {
    let (here, there) = (Place::new("archive_same"), Place::new("archive_other"));
    let (store, other) = (filled(&here).await, there.open().await);
    let mut shorter = Table::open(game(3), RULESETS[2], fischer(), 3);
    shorter.plays(4);
    let mut different = Table::open(game(4), RULESETS[3], fischer(), 99);
    different.plays(6);
    // Another game that the same command has opened.
    let mut command = Table::open(game(500), RULESETS[0], fischer(), 1).events();
    command[0].command = Some(qiguan_protocol::ids::CommandId(game(5).0));
    let of_another = qiguan_game::state::State::fold(game(500), command).unwrap();
    let entry = |state: &qiguan_game::state::State| Append {
        cause: "test",
        audit_entry: None,
        commands: Vec::new(),
        quotas: Vec::new(),
        entries: vec![Entry {
            game: state.id,
            events: state.log.iter().cloned().collect(),
            summary: Some(state.summary()),
        }],
    };
    let there = [
        entry(&shorter.state),
        entry(&different.state),
        entry(&of_another),
    ];
    assert!(other.append(&there).await.iter().all(Result::is_ok));
    let archive = exported(store.as_ref(), &wanted(false), b"").await;
    let (done, told) = imported(&other, &archive).await;
    let why: Vec<_> = told.refused.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(why.len(), 3, "{why:?}");
    for (why, what) in why.iter().zip([
        "with 8 events, the archive with",
        "with another event",
        "opened by the same command",
    ]) {
        assert!(why.contains(what), "{why}");
    }
    assert_eq!((done.games, done.refused), (6, 3));
    assert_eq!(bad_games(&other).await, Vec::<String>::new());
    let kept = other.game(game(3)).await.unwrap().unwrap();
    assert_eq!(kept.events, shorter.events());
}

#[tokio::test]
async fn a_game_twice_in_an_archive_is_stored_once() {
    let (here, there) = (Place::new("archive_twice"), Place::new("archive_twice_t"));
    let (store, other) = (filled(&here).await, there.open().await);
    let archive = exported(store.as_ref(), &wanted(false), b"").await;
    let text = String::from_utf8(archive).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(2, lines[1]);
    let (done, told) = imported(&other, lines.join("\n").as_bytes()).await;
    assert_eq!(told.refused, []);
    assert_eq!((done.games, done.known), (9, 1));
    assert!(!done.whole, "its end counts nine games");
}

#[tokio::test]
async fn a_packed_game_is_known_by_an_archive_from_before_and_from_after() {
    let place = Place::new("packed");
    let store = filled(&place).await;
    let everything = wanted(true);
    let before = exported(&store, &everything, b"").await;
    let mut after = None;
    let mut packed = 0;
    loop {
        let page = store.unpacked_games(after, 5).await.unwrap();
        let games = page.games.iter().map(|game| game.game).collect();
        packed += store.pack_games(games).await.unwrap().len();
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(packed, 18);
    let now = exported(&store, &everything, b"").await;
    assert!(now.len() < before.len(), "older commands are forgotten");
    assert_eq!(bad_games(&store).await, Vec::<String>::new());
    for archive in [before, now] {
        let (done, issues) = imported(&store, &archive).await;
        assert_eq!((done.games, done.known), (0, 18), "{:?}", issues.refused);
        // And it is a record by itself.
        let other = Place::new("packed_other");
        let other = other.open().await;
        let (done, issues) = imported(&other, &archive).await;
        assert_eq!((done.games, done.known), (18, 0), "{:?}", issues.refused);
        assert_eq!(bad_games(&other).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn an_archive_without_its_end_is_not_whole_and_one_without_its_header_is_none() {
    let (here, there) = (Place::new("archive_cut"), Place::new("archive_cut_there"));
    let (store, other) = (filled(&here).await, there.open().await);
    let archive = exported(store.as_ref(), &wanted(false), b"").await;
    let text = String::from_utf8(archive).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (_, without_end) = lines.split_last().unwrap();
    let (done, _) = imported(&other, without_end.join("\n").as_bytes()).await;
    assert_eq!((done.games, done.whole), (9, false));
    // One after the other, as `cat` would.
    let (done, _) = imported(&other, format!("{text}\n{text}").as_bytes()).await;
    assert_eq!((done.known, done.whole), (18, true));
    for bad in [lines[1..].join("\n"), text.replacen(":1,", ":99,", 1)] {
        let input = std::io::Cursor::new(bad.into_bytes());
        let mut told = CollectedIssues::default();
        let refused = import(Arc::clone(&other), input, everything(), 2, &mut told).await;
        let why = refused.unwrap_err().to_string();
        assert!(why.starts_with("line 1: "), "{why}");
    }
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_without_being_kept_in_memory() {
    let place = Place::new("archive_long");
    let store = place.open().await;
    let header = r#"{"archive":"qiguan","version":1,"epoch":7}"#;
    let long = " ".repeat(LINE_BYTES as usize + 10);
    let archive = format!("{header}\n{long}\n{{\"end\":{{\"players\":0,\"games\":1}}}}\n");
    let (done, told) = imported(&store, archive.as_bytes()).await;
    assert!(told.refused[0].1.contains("longer"), "{:?}", told.refused);
    assert_eq!((done.refused, done.whole, told.texts.len()), (1, true, 0));
}

#[tokio::test]
async fn what_is_wrong_in_a_record_is_found_where_it_is() {
    use sqlx::{ConnectOptions, Connection, sqlite::SqliteConnectOptions};
    let place = Place::new("archive_verify");
    let store = filled(&place).await;
    let file = SqliteConnectOptions::new().filename(place.file());
    let mut connection = file.connect().await.unwrap();
    for (number, change) in [
        (
            1,
            "update event_log set body = '{\"t\":\"sing\"}' where seq = 5 and game_id = $1",
        ),
        (2, "delete from event_log where seq = 6 and game_id = $1"),
        (3, "delete from games where id = $1"),
        (4, "delete from event_log where game_id = $1"),
        (5, "update games set plies = plies + 1 where id = $1"),
        (
            6,
            "update event_log set body = cast(x'ff' as text) where seq = 7 and game_id = $1",
        ),
        (7, "update games set reason = 'boredom' where id = $1"),
        (
            8,
            "update event_log set body = replace(body, '\"p\":1', '\"p\":2') where game_id = $1",
        ),
        (
            9,
            "update event_log set command = x'01' where seq = 3 and game_id = $1",
        ),
        (101, "update games set first_name = 'x' where id = $1"),
    ] {
        let changed = sqlx::query(change).bind(game(number).0);
        changed.execute(&mut connection).await.unwrap();
    }
    connection.close().await.unwrap();
    let found = bad_games(&store).await;
    let expected = [
        "Some(Seq(5)): unknown variant `sing`",
        "Some(Seq(7)): a number is missing",
        "None: it has no line in the lists",
        "None: it has no events",
        "None: its line in the lists has another number of moves",
        "the body is no text",
        "unknown reason \"boredom\"",
        "the move is out of turn",
        "the command is no id",
        "None: its line in the lists has another player",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{expected:?}, but: {found}");
    }
    // An export leaves out what can't be read at all, and takes the rest.
    let mut told = CollectedIssues::default();
    let from = resuming::Progress::default();
    let (wanted, mut out) = (wanted(true), Vec::new());
    let end = exporting::export(store.as_ref(), &wanted, &from, &mut out, &mut told);
    assert_eq!(end.await.unwrap().of(Kind::Games), 16);
    assert_eq!(told.left_out.len(), 2, "{:?}", told.left_out);
}

mod beside;
mod people;
mod ratings;
