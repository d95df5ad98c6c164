//! What the system gives and does not give: files to open, and a disk that has it when it says so.

use futures_util::future::join_all;
use qiguan_tests::{
    Client, Program, Seats, Start, folder::Folder, http::Http, raw::resident_kib,
    waiting::eventually,
};
use reqwest::StatusCode;
use tokio::net::TcpStream;

/// As many files as leave room for 16 connections.
const FEW: &str = "prlimit --nofile=80:80";

async fn is_refused(program: &Program) -> bool {
    let asked = reqwest::get(format!("http://{}/api/health", program.address())).await;
    asked.is_ok_and(|answer| answer.status() == StatusCode::SERVICE_UNAVAILABLE)
}

#[tokio::test(flavor = "multi_thread")]
async fn a17_without_files_to_open_new_connections_get_503_and_games_go_on() {
    let wrapper: Vec<&str> = FEW.split(' ').collect();
    let program = Start::default().behind(&wrapper).start().await;
    let mut seats = Seats::begin(&program).await;
    let mut crowd = Vec::new();
    for _ in 0..14 {
        crowd.push(Client::spectator(program.address()).await);
    }
    // Some more who only connect: they are given up after a while, and until then they count.
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(TcpStream::connect(program.address()).await.unwrap());
    }
    for _ in 0..10 {
        assert!(is_refused(&program).await);
    }
    seats.play(1, &["a3a4", "g7g6", "a4a5", "g6g7"]).await;
    drop((crowd, idle));
    eventually("room again", async || {
        (!is_refused(&program).await).then_some(())
    })
    .await;
    let mut visitor = Client::spectator(program.address()).await;
    assert_eq!(visitor.snapshot(seats.game).await.moves.len(), 4);
    assert!(
        program
            .log()
            .contains("the limit of open files allows fewer connections")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a4_every_move_is_flushed_to_the_disk_before_it_is_acknowledged() {
    let folder = Folder::new();
    let trace = folder.path().join("trace").display().to_string();
    // The tracer is no parent of the server, so that ending the server ends both.
    let wrapper = "strace -D -f -qq -ttt -T -e trace=fsync,fdatasync -o";
    let wrapper: Vec<&str> = wrapper.split(' ').chain([trace.as_str()]).collect();
    let program = Start::default()
        .behind(&wrapper)
        .start_in(Folder::on_disk())
        .await;
    let mut seats = Seats::begin(&program).await;
    let mut times = Vec::new();
    for (ply, text) in (1..).zip(["a3a4", "g7g6", "a4a5", "g6g5"]) {
        let (game, mover) = (seats.game, (ply as usize + 1) % 2);
        let mover = &mut *seats.both()[mover];
        let sent = mover.server_time().await;
        mover.plays(game, ply, text).await.unwrap();
        times.push((ply, sent, mover.server_time().await));
    }
    // The server notes again and again that it is alive: by then the tracer has written what was before.
    let (_, _, last) = times[times.len() - 1];
    let flushes = eventually("another flush", async || {
        let flushes = flushes(&std::fs::read_to_string(&trace).unwrap());
        flushes.iter().any(|at| *at > last.0 + 1).then_some(flushes)
    })
    .await;
    for (ply, sent, told) in times {
        // The server tells whole milliseconds.
        let within = |at: &i64| (sent.0..=told.0 + 1).contains(at);
        assert!(
            flushes.iter().any(within),
            "ply {ply} was acknowledged between {sent:?} and {told:?}, and not on the disk: {flushes:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f9_the_memory_of_hashing_passwords_goes_back_to_the_system_though_nobody_asks_for_more() {
    const WORK_AREA_KIB: u64 = 128 * 1024;
    let program = Start::default()
        .with("--password-memory-kib", WORK_AREA_KIB)
        .start()
        .await;
    let (program, names) = (&program, ["Anna", "Bert", "Carl", "Dora"]);
    join_all(names.map(|name| Http::registered(program, name))).await;
    eventually("the work areas to be given back", async || {
        (resident_kib(program.pid()) < WORK_AREA_KIB).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn f9_the_server_asks_for_no_huge_pages() {
    let program = Program::start().await;
    let memory = std::fs::read_to_string(format!("/proc/{}/smaps", program.pid())).unwrap();
    let flags = || memory.lines().filter(|line| line.starts_with("VmFlags:"));
    assert!(flags().count() > 10);
    // What `madvise(MADV_HUGEPAGE)` leaves behind.
    let huge = flags().find(|line| line.split_whitespace().any(|flag| flag == "hg"));
    assert_eq!(huge, None);
}

/// When flushes were over, in milliseconds since 1970, as strace tells it.
fn flushes(trace: &str) -> Vec<i64> {
    let over = |line: &str| {
        let mut words = line.split_whitespace();
        let at: f64 = words.nth(1)?.parse().ok()?;
        let (_, took) = line.rsplit_once('<')?;
        let took: f64 = took.strip_suffix('>')?.parse().ok()?;
        // A line in one piece has the time of its beginning, and one that was resumed that of its end.
        let at = if line.contains("resumed>") {
            at
        } else {
            at + took
        };
        line.contains(" = 0 ").then_some((at * 1_000.0) as i64)
    };
    trace.lines().filter_map(over).collect()
}
