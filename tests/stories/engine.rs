//! The computer player as other programs ask it: a conversation over standard input and output.

use std::process::Stdio;

use qiguan_rules::{Game, Move, RuleSet};
use qiguan_tests::{program::executable, waiting::in_time};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

/// A conversation with `qiguan engine`.
struct Conversation {
    engine: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Conversation {
    fn begin() -> Self {
        let mut engine = Command::new(executable())
            .arg("engine")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let input = engine.stdin.take().unwrap();
        let output = BufReader::new(engine.stdout.take().unwrap()).lines();
        Self {
            engine,
            input,
            output,
        }
    }

    async fn says(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).await.unwrap();
        self.input.write_all(b"\n").await.unwrap();
    }

    /// What the engine says up to the line that begins so, that line last.
    async fn hears(&mut self, begins: &str) -> Vec<String> {
        let mut heard = Vec::new();
        let until = async {
            while let Some(line) = self.output.next_line().await.unwrap() {
                heard.push(line);
                if heard.last().is_some_and(|line| line.starts_with(begins)) {
                    return;
                }
            }
            panic!("the engine ended before it said {begins:?}: {heard:?}");
        };
        in_time(begins, until).await;
        heard
    }

    async fn best_move(&mut self) -> String {
        let heard = self.hears("bestmove").await;
        let words: Vec<_> = heard.last().unwrap().split(' ').collect();
        words[1].to_owned()
    }

    async fn ends(mut self) {
        drop(self.input);
        let ended = in_time("the end", self.engine.wait()).await;
        assert!(ended.unwrap().success());
    }
}

#[tokio::test]
async fn an_engine_introduces_itself_and_plays_a_whole_game_of_each_rule_set() {
    let mut talk = Conversation::begin();
    talk.says("uci").await;
    let heard = talk.hears("uciok").await;
    let offers = |words: &str| heard.iter().any(|line| line.contains(words));
    assert!(offers("id name Qiguan"));
    for option in ["Level", "Hash", "Threads", "MultiPV"] {
        assert!(
            offers(&format!("option name {option} ")),
            "{option}: {heard:?}"
        );
    }
    for variant in ["xiangqi", "xiangqi-grunfeld", "doushouqi-booklet"] {
        assert!(offers(&format!("var {variant}")), "{variant}: {heard:?}");
        let id = variant.replacen('-', "/", 1);
        let id = if variant == "xiangqi" {
            "xiangqi/standard"
        } else {
            &id
        };
        talk.says(&format!(
            "setoption name UCI_Variant value {variant}\nsetoption name Hash value 1\nucinewgame"
        ))
        .await;
        let mut game = Game::start(&RuleSet::named(id).unwrap());
        let mut moves = String::new();
        // The first side at a level, the other by positions; both moves are the rules' own.
        while game.outcome().is_none() && game.plies() < 40 {
            let level = u8::from(game.plies().is_multiple_of(2));
            talk.says(&format!(
                "setoption name Level value {level}\nposition startpos moves{moves}\ngo nodes 200"
            ))
            .await;
            let text = talk.best_move().await;
            let mv: Move = text.parse().unwrap();
            game.play(mv).unwrap();
            moves = format!("{moves} {text}");
        }
    }
    talk.ends().await;
}

#[tokio::test]
async fn two_threads_tell_the_lines_of_three_moves() {
    let mut talk = Conversation::begin();
    talk.says(
        "uci\nsetoption name Threads value 2\nsetoption name MultiPV value 3\nposition startpos\ngo depth 5",
    )
    .await;
    let heard = talk.hears("bestmove").await;
    let of_depth = heard
        .iter()
        .filter(|line| line.starts_with("info depth 5 "));
    let mut first = Vec::new();
    for (line, number) in of_depth.zip(1..) {
        assert!(
            line.contains(&format!(" multipv {number} score ")),
            "{line}"
        );
        let (_, moves) = line.split_once(" pv ").unwrap();
        first.push(moves.split(' ').next().unwrap().to_owned());
    }
    assert_eq!(first.len(), 3, "{heard:?}");
    assert!(heard.last().unwrap().ends_with(&first[0]), "{heard:?}");
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 3, "{heard:?}");
    talk.ends().await;
}

#[tokio::test]
async fn an_engine_without_limits_thinks_until_it_is_stopped() {
    let mut talk = Conversation::begin();
    talk.says("uci\nisready").await;
    talk.hears("readyok").await;
    talk.says("position startpos moves h3e3\ngo infinite").await;
    // It is under way.
    talk.hears("info depth 3").await;
    talk.says("isready").await;
    talk.hears("readyok").await;
    talk.says("stop").await;
    assert!(talk.best_move().await.parse::<Move>().is_ok());
    talk.says("go movetime 30").await;
    assert!(talk.best_move().await.parse::<Move>().is_ok());
    talk.says("go searchmoves a4a5 nodes 50").await;
    talk.says("position startpos\ngo nodes 50 searchmoves a4a5")
        .await;
    talk.hears("bestmove").await;
    assert_eq!(talk.best_move().await, "a4a5");
    talk.ends().await;
}

#[tokio::test]
async fn rubbish_is_answered_or_passed_over_and_the_conversation_goes_on() {
    let mut talk = Conversation::begin();
    talk.says("uci\nposition fen nonsense\nsetoption name Level value 99\nsetoption name UCI_Variant value chess\ngo depth x\nstop")
        .await;
    let heard = talk.hears("bestmove").await;
    let faults = heard.iter().filter(|line| line.starts_with("info string"));
    assert_eq!(faults.count(), 3, "{heard:?}");
    talk.says("position startpos moves a1a9\nisready").await;
    let heard = talk.hears("readyok").await;
    assert!(heard[0].contains("a1a9"), "{heard:?}");
    talk.says("quit").await;
    talk.ends().await;
}

#[tokio::test]
async fn in_ucci_ranks_begin_with_0_and_moves_can_be_banned() {
    let mut talk = Conversation::begin();
    talk.says("ucci").await;
    talk.hears("ucciok").await;
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    talk.says(&format!(
        "position fen {start} moves h2e2 h9g7\ngo nodes 500"
    ))
    .await;
    let first = talk.best_move().await;
    assert!(first.as_bytes().get(1).is_some_and(u8::is_ascii_digit));
    talk.says(&format!(
        "position fen {start} moves h2e2 h9g7\nbanmoves {first}\ngo nodes 500"
    ))
    .await;
    assert_ne!(talk.best_move().await, first);
    // Mated: no move is left.
    talk.says("position fen 3k5/R8/8R/9/9/9/9/9/9/4K4 w - - 0 1 moves i7i9\ngo nodes 50")
        .await;
    talk.hears("nobestmove").await;
    talk.ends().await;
}

#[tokio::test]
async fn when_no_more_is_asked_a_limited_search_is_finished_and_any_other_ends() {
    for go in [
        "go movetime 40",
        "go nodes 2000",
        "go depth 2",
        "go infinite",
        "go",
    ] {
        let mut talk = Conversation::begin();
        talk.says(&format!("uci\nposition startpos\n{go}")).await;
        let Conversation {
            mut engine,
            input,
            output,
        } = talk;
        drop(input);
        let ended = in_time(go, engine.wait()).await;
        assert!(ended.unwrap().success(), "{go}");
        let mut lines = output;
        let mut last = String::new();
        while let Some(line) = lines.next_line().await.unwrap() {
            last = line;
        }
        assert!(last.starts_with("bestmove "), "{go}: {last}");
    }
}
