//! Games of any length are read in pages, by readers who hold nothing up, whether they read or not.

use qiguan_protocol::{
    error::ErrorCode,
    event::Events,
    exported::{ExportedGame, Verification},
    ids::{Ply, Seq},
    view::{GameView, Positions},
};
use qiguan_tests::{
    Program, Start,
    command::run,
    folder::Folder,
    http::Http,
    long_game::LongGame,
    raw::{Raw, resident_kib},
    record::Database,
    waiting::eventually,
};

/// A server whose record has these games.
async fn serves(games: &[LongGame]) -> Program {
    let folder = Folder::new();
    let database = Database::Sqlite(folder.path().join("qiguan.db"));
    for long in games {
        let file = folder.path().join("long.jsonl");
        tokio::fs::write(&file, long.archive()).await.unwrap();
        run(&[&"import", &file, &"--database", &database.url()])
            .await
            .well();
    }
    Start::default().start_in(folder).await
}

async fn metric(http: &Http, name: &str) -> u64 {
    let metrics = http.get("/metrics").await.text;
    let line = metrics
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map_or(0, |number| number.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn g1_sixty_readers_who_take_nothing_hold_little_and_are_cut_off() {
    let long = LongGame::of(4_000);
    let program = serves(std::slice::from_ref(&long)).await;
    let http = Http::nobody(&program);
    let game = long.game;
    let paths = [
        format!("/api/games/{game}/events"),
        format!("/api/games/{game}"),
        format!("/api/games/{game}/positions"),
        format!("/api/games/{game}/fens"),
        "/api/openapi.json".to_owned(),
    ];
    // What the first answers cost is not held by anybody.
    for path in &paths {
        assert_eq!(http.get(path).await.status, 200);
    }
    let before = resident_kib(program.pid());
    let mut readers = Vec::new();
    for number in 0..60 {
        let mut reader = Raw::connect_narrowly(program.address()).await;
        let path = &paths[number % paths.len()];
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
        reader.sends(request.as_bytes()).await;
        readers.push(reader);
    }
    // All of them are cut off, though none has gone.
    let mut most = before;
    eventually("all readers are cut off", async || {
        most = most.max(resident_kib(program.pid()));
        (metric(&http, "qiguan_connections_stalled_total").await >= 60).then_some(())
    })
    .await;
    assert!(most - before < 8 * 1024, "{} KiB more", most - before);
    drop(readers);
}

#[tokio::test(flavor = "multi_thread")]
async fn g2_a_game_of_any_length_is_read_page_by_page() {
    let long = LongGame::of(6_000);
    let program = serves(std::slice::from_ref(&long)).await;
    let http = Http::nobody(&program);
    let game = long.game;
    let view: GameView = http.get(&format!("/api/games/{game}")).await.parsed();
    assert_eq!(view.moves.len(), 6_000);
    let mut events = Vec::new();
    let mut since = Some(Seq(0));
    let mut pages = 0;
    while let Some(after) = since {
        let path = format!("/api/games/{game}/events?since={after}");
        let page: Events = http.get(&path).await.parsed();
        assert!(page.events.len() <= 5_000);
        events.extend(page.events);
        since = page.next;
        pages += 1;
    }
    let numbers: Vec<_> = events.iter().map(|event| event.seq).collect();
    let all: Vec<_> = (1..=long.events()).map(Seq).collect();
    assert_eq!((pages, numbers), (2, all));
    let path = format!("/api/games/{game}/positions");
    let first: Positions = http.get(&path).await.parsed();
    assert_eq!(
        (first.positions.len(), first.next),
        (5_000, Some(Ply(5_000)))
    );
    let rest: Positions = http.get(&format!("{path}?from=5000")).await.parsed();
    assert_eq!((rest.positions.len(), rest.next), (1_001, None));
    assert_eq!(rest.positions.last().unwrap().fen, view.position.fen);
    let all: Vec<_> = first.positions.iter().chain(&rest.positions).collect();
    assert!(
        all.iter()
            .zip(0..)
            .all(|(position, ply)| position.ply == Ply(ply))
    );
    // Small pages say the same, from anywhere.
    let some: Positions = http.get(&format!("{path}?from=70&limit=3")).await.parsed();
    assert_eq!(some.positions, first.positions[70..73]);
    assert_eq!(some.next, Some(Ply(73)));
    let some: Events = http
        .get(&format!("/api/games/{game}/events?since=4500&limit=2"))
        .await
        .parsed();
    assert_eq!(
        (&some.events[..], some.next),
        (&events[4_500..4_502], Some(Seq(4_502)))
    );
    // Plain text names its next page in a header.
    let fens = http.get(&format!("/api/games/{game}/fens")).await;
    let link = fens.headers["link"].to_str().unwrap().to_owned();
    let next = link.strip_prefix('<').and_then(|link| link.split_once('>'));
    let more = http.get(next.unwrap().0).await;
    assert!(more.headers.get("link").is_none());
    let lines: Vec<_> = fens.text.lines().chain(more.text.lines()).collect();
    let texts: Vec<_> = all.iter().map(|position| position.fen.as_str()).collect();
    assert_eq!(lines, texts);
    for limit in ["0", "5001"] {
        for resource in ["events", "positions", "fens"] {
            let path = format!("/api/games/{game}/{resource}?limit={limit}");
            assert_eq!(http.get(&path).await.refusal(), (400, ErrorCode::BadValue));
        }
    }
    let path = format!("/api/games/{game}/verify");
    let verified: Verification = http.get(&path).await.parsed();
    assert!(verified.holds, "{verified:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn g3_a_stalled_download_does_not_keep_its_address_out() {
    // More than the kernel takes for a reader who takes nothing.
    let games: Vec<_> = (7_980..8_000).map(LongGame::of).collect();
    let program = serves(&games).await;
    let http = Http::nobody(&program);
    let mut stalled = Vec::new();
    for _ in 0..4 {
        let mut reader = Raw::connect_narrowly(program.address()).await;
        let request = "GET /api/games/export/ndjson HTTP/1.1\r\nHost: x\r\n\r\n";
        reader.sends(request.as_bytes()).await;
        stalled.push(reader);
    }
    // They go on holding their connections, and the next one is served.
    let answered = eventually("a place is free again", async || {
        let answered = http.get("/api/games/export/ndjson").await;
        (answered.status == 200).then_some(answered)
    })
    .await;
    let lines: Vec<ExportedGame> = answered
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let plies: usize = lines.iter().map(|game| game.moves.len()).sum();
    assert_eq!(plies, (7_980..8_000).sum::<usize>());
    drop(stalled);
}

#[tokio::test(flavor = "multi_thread")]
async fn g4_whatever_an_export_writes_an_import_takes() {
    // More than the 16 MiB that a line may have had.
    let long = LongGame {
        lines: 20_000,
        ..LongGame::of(2_500)
    };
    let folder = Folder::new();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let [here, there, third] =
        ["a.db", "b.db", "c.db"].map(|name| Database::Sqlite(folder.path().join(name)));
    tokio::fs::write(&first, long.archive()).await.unwrap();
    assert!(std::fs::metadata(&first).unwrap().len() > 17 << 20);
    let imports = async |file: &std::path::PathBuf, database: &Database| {
        run(&[&"import", &file, &"--database", &database.url()])
            .await
            .well()
    };
    imports(&first, &here).await;
    run(&[&"export", &second, &"--database", &here.url()])
        .await
        .well();
    let ran = imports(&second, &there).await;
    assert!(ran.err.contains("1 games imported"), "{ran:?}");
    // As a text, too: longer than games can become now.
    let text = folder.path().join("text");
    run(&[&"export", &"--text", &text, &"--database", &there.url()])
        .await
        .well();
    let ran = run(&[&"import", &"--text", &text, &"--database", &third.url()]).await;
    assert!(ran.well().err.contains("1 games imported"));
}

#[tokio::test(flavor = "multi_thread")]
async fn g5_a_start_with_a_long_game_that_goes_on_is_a_start() {
    // The game goes on: its end is left out.
    let long = LongGame::of(3_000);
    let archive = long.archive();
    let end = archive.find(r#",{"at":4004"#).unwrap();
    let close = archive.find("]}\n{\"end\"").unwrap();
    let running = format!("{}{}", &archive[..end], &archive[close..]);
    let folder = Folder::new();
    let file = folder.path().join("long.jsonl");
    tokio::fs::write(&file, running).await.unwrap();
    let database = Database::Sqlite(folder.path().join("qiguan.db"));
    run(&[&"import", &file, &"--database", &database.url()])
        .await
        .well();
    let program = Start::default().start_in(folder).await;
    let http = Http::nobody(&program);
    let path = format!("/api/games/{}", long.game);
    let view: GameView = http.get(&path).await.parsed();
    assert_eq!((view.moves.len(), view.outcome), (3_000, None));
    let verify = run(&[&"verify", &"--database", &program.database().url()]).await;
    verify.well();
}
