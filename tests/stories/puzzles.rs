//! Puzzles: judged by the server, rated once, kept for guests too, and the same one each day for everybody.

use qiguan_protocol::{
    error::ErrorCode,
    puzzle::{
        DailyPuzzle, Drills, Puzzle, PuzzleAnswer, PuzzleResult, PuzzleResults, PuzzleVerdict,
    },
};
use qiguan_tests::{Http, Program, command::run, program::Start};
use serde_json::{Value, json};

const XIANGQI: &str = "/api/puzzles/next?ruleset=xiangqi/standard";

async fn tries(http: &Http, puzzle: &Puzzle, body: Value) -> PuzzleAnswer {
    let path = format!("/api/puzzles/{}/attempts", puzzle.id.0);
    http.post(&path, Some(&body)).await.parsed()
}

/// The solver's moves of a puzzle, which anybody gets who gives up.
async fn solution(program: &Program, puzzle: &Puzzle) -> Vec<String> {
    let shown = tries(&Http::nobody(program), puzzle, json!({"show": true})).await;
    assert_eq!((shown.verdict, shown.kept), (PuzzleVerdict::Shown, None));
    let solution = shown.solution.unwrap();
    solution
        .iter()
        .step_by(2)
        .map(ToString::to_string)
        .collect()
}

/// Plays a solution move by move.
async fn solves(http: &Http, puzzle: &Puzzle, moves: &[String]) -> PuzzleAnswer {
    for count in 1..moves.len() {
        let answer = tries(http, puzzle, json!({"moves": moves[..count]})).await;
        assert_eq!(answer.verdict, PuzzleVerdict::Right);
        assert!(answer.answer.is_some() && answer.solution.is_none());
    }
    tries(http, puzzle, json!({"moves": moves})).await
}

async fn results(http: &Http) -> PuzzleResults {
    http.get("/api/puzzles/results").await.parsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_puzzle_of_the_day_is_everybodys_and_kept_for_a_guest() {
    let program = Program::start().await;
    let guest = Http::guest(&program).await;
    let daily: DailyPuzzle = guest.get("/api/puzzles/daily").await.parsed();
    let same: DailyPuzzle = Http::nobody(&program)
        .get("/api/puzzles/daily")
        .await
        .parsed();
    assert_eq!((&daily.puzzle, daily.days), (&same.puzzle, 0));
    assert_eq!(daily.puzzle.solution, None);
    let moves = solution(&program, &daily.puzzle).await;
    assert_eq!(moves.len(), usize::from(daily.puzzle.moves));
    let solved = solves(&guest, &daily.puzzle, &moves).await;
    assert_eq!(solved.verdict, PuzzleVerdict::Solved);
    let kept = solved.kept.unwrap();
    assert_eq!(kept.result, PuzzleResult::Solved);
    assert!(kept.after > kept.before);
    let again: DailyPuzzle = guest.get("/api/puzzles/daily").await.parsed();
    assert_eq!(again.days, 1);
    assert_eq!(again.puzzle.result, Some(PuzzleResult::Solved));
    assert_eq!(again.puzzle.solution, solved.solution);
    let results = results(&guest).await;
    assert_eq!((results.days, results.best_days), (1, 1));
    assert_eq!(results.attempts, [kept]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_move_is_answered_counts_once_and_the_solution_stays_secret() {
    let program = Program::start().await;
    let guest = Http::guest(&program).await;
    let puzzle: Puzzle = guest.get(XIANGQI).await.parsed();
    let moves = solution(&program, &puzzle).await;
    let mut legal = puzzle.position.legal.iter();
    let wrong = legal.find(|mv| mv.as_str() != moves[0]).unwrap();
    let answer = tries(&guest, &puzzle, json!({"moves": [wrong]})).await;
    assert_eq!(answer.verdict, PuzzleVerdict::Wrong);
    assert_eq!(answer.solution, None);
    let first = answer.kept.unwrap();
    assert_eq!(first.result, PuzzleResult::Failed);
    assert!(first.after < first.before);
    let path = format!("/api/puzzles/{}", puzzle.id.0);
    let looked: Puzzle = guest.get(&path).await.parsed();
    assert_eq!(
        (looked.result, looked.solution),
        (Some(PuzzleResult::Failed), None)
    );
    // What is found after a mistake changes no rating.
    let found = solves(&guest, &puzzle, &moves).await;
    let kept = found.kept.unwrap();
    assert_eq!(
        (kept.result, kept.after),
        (PuzzleResult::Found, first.after)
    );
    let next: Puzzle = guest.get(XIANGQI).await.parsed();
    assert_ne!(next.id, puzzle.id);
    let mine = results(&guest).await;
    let rating = mine.ratings.first().unwrap();
    assert_eq!((rating.tried, rating.solved, rating.streak), (1, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_a_puzzle_has_a_preview() {
    let program = Program::start().await;
    let nobody = Http::nobody(&program);
    let puzzle: Puzzle = nobody.get(XIANGQI).await.parsed();
    let picture = format!("/api/puzzles/{}/preview.png", puzzle.id.0);
    assert_eq!(nobody.picture(&picture).await.status, 200);
    let path = format!("/puzzles/{}", puzzle.id.0);
    let headers = [("accept-language", "de"), ("user-agent", "Twitterbot/1.0")];
    let page = nobody
        .send(reqwest::Method::GET, &path, &headers, None)
        .await;
    assert!(page.text.contains("Xiangqi-Aufgabe"), "{}", page.text);
    let unknown = nobody.get("/api/puzzles/nothing/preview.png").await;
    assert_eq!(unknown.refusal(), (404, ErrorCode::NotFound));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_refused_by_its_name() {
    let program = Program::start().await;
    let guest = Http::guest(&program).await;
    let puzzle: Puzzle = guest.get(XIANGQI).await.parsed();
    let path = format!("/api/puzzles/{}/attempts", puzzle.id.0);
    for (body, field) in [
        (json!({"moves": []}), "moves"),
        (json!({"moves": vec!["a1a2"; 9]}), "moves"),
        (json!({"moves": ["queen"]}), "moves[0]"),
    ] {
        let refused = guest.post(&path, Some(&body)).await;
        assert_eq!(refused.error().field.as_deref(), Some(field), "{body}");
    }
    let illegal = guest.post(&path, Some(&json!({"moves": ["a1i10"]}))).await;
    assert_eq!(illegal.refusal(), (409, ErrorCode::IllegalMove));
    assert_eq!(results(&guest).await.attempts, []);
    for (path, status) in [
        ("/api/puzzles/nothing", 404),
        ("/api/puzzles/next?ruleset=luzhanqi/modern", 404),
        ("/api/puzzles/next?ruleset=go/chinese", 400),
    ] {
        assert_eq!(guest.get(path).await.status, status, "{path}");
    }
    let nobody = Http::nobody(&program).get("/api/puzzles/results").await;
    assert_eq!(nobody.refusal(), (401, ErrorCode::Unauthenticated));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_solved_outlasts_a_restart() {
    for start in [Start::default(), Start::on_postgres()] {
        let program = start.start().await;
        let guest = Http::guest(&program).await;
        let puzzle: Puzzle = guest.get(XIANGQI).await.parsed();
        let moves = solution(&program, &puzzle).await;
        solves(&guest, &puzzle, &moves).await;
        let before = results(&guest).await;
        program.terminate().await;
        let program = program.ends().await.restart().await;
        let mut again = Http::nobody(&program);
        again.token = guest.token.clone();
        assert_eq!(results(&again).await, before);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_drill_is_what_the_tables_say() {
    let program = Program::start().await;
    let nobody = Http::nobody(&program);
    let all: Drills = nobody.get("/api/puzzles/drills").await.parsed();
    assert!(all.drills.len() > 40);
    // Each of them is judged where they are found; here that the tables of the server are the same.
    for drill in all.drills.iter().step_by(9) {
        let position = drill.position.replace(' ', "%20");
        let path = format!("/api/tables?ruleset={}&position={position}", all.ruleset);
        let ending = nobody.get(&path).await.json();
        assert_eq!(ending["value"], "win", "{position}: {ending}");
        let plies = ending["line"].as_array().unwrap().len();
        assert_eq!(plies.div_ceil(2), drill.moves as usize, "{position}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn public_games_of_a_record_are_looked_through() {
    let program = Program::start().await;
    let setup = qiguan_tests::Setup {
        ruleset: "xiangqi/standard",
        ..qiguan_tests::Setup::default()
    };
    let mut seats = qiguan_tests::Seats::begin_with(&program, &setup).await;
    seats.play(1, &["h3e3", "h8e8", "e3e7"]).await;
    let game = seats.game;
    let resigned = seats.second.does(game, "resign", json!({})).await;
    qiguan_tests::game::done(resigned).unwrap();
    let database = program.database().url();
    program.terminate().await;
    let _stopped = program.ends().await;
    let folder = qiguan_tests::Folder::new();
    let file = folder.path().join("played.txt").display().to_string();
    let words: [&dyn AsRef<std::ffi::OsStr>; 7] = [
        &"puzzles",
        &"--ruleset",
        &"xiangqi/standard",
        &"--database",
        &database,
        &"--output",
        &file,
    ];
    run(&words).await.well();
    // It was over before anything could be found in it.
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "");
}

#[tokio::test]
async fn a_file_is_made_again_alike_and_every_line_of_it_holds() {
    let folder = qiguan_tests::Folder::new();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (one, other) = (path("one.txt"), path("other.txt"));
    let mut made = Vec::new();
    for file in [&one, &other] {
        let words: [&dyn AsRef<std::ffi::OsStr>; 7] = [
            &"puzzles",
            &"--ruleset",
            &"xiangqi/standard",
            &"--count",
            &"1",
            &"--output",
            file,
        ];
        run(&words).await.well();
        made.push(std::fs::read_to_string(file).unwrap());
    }
    assert_eq!(made[0], made[1]);
    assert_eq!(made[0].lines().count(), 1);
    let check: [&dyn AsRef<std::ffi::OsStr>; 6] = [
        &"puzzles",
        &"--ruleset",
        &"xiangqi/standard",
        &"--check",
        &"--output",
        &one,
    ];
    run(&check).await.well();
}
