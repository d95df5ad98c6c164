//! Matches between players: `qiguan duel`, with itself as the other program, and with programs that misbehave.

use std::{fs, path::PathBuf, process::Stdio};

use qiguan_tests::{
    folder::Folder,
    program::executable,
    waiting::{eventually, in_time},
};
use serde_json::Value;
use tokio::process::Command;

/// A match with a results file in a folder of its own.
struct Duel {
    folder: Folder,
}

impl Duel {
    /// Plays one pair of games, with no time beyond the limit.
    async fn pair(&self, players: [&str; 2], ruleset: &str, limit: &str) -> String {
        let [a, b] = players;
        let rest = [
            "--ruleset",
            ruleset,
            "--limit",
            limit,
            "--grace-ms",
            "0",
            "--pairs",
            "1",
        ];
        let (well, told) = self.plays(&[&[a, b][..], &rest].concat()).await;
        assert!(well, "{told}");
        told
    }

    fn new() -> Self {
        Self {
            folder: Folder::new(),
        }
    }

    fn results(&self) -> PathBuf {
        self.folder.path().join("results.jsonl")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(executable());
        command
            .arg("duel")
            .args(arguments)
            .arg("--results")
            .arg(self.results())
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }

    /// Plays to the end: whether it went well, and the report or what was wrong.
    async fn plays(&self, arguments: &[&str]) -> (bool, String) {
        let output = in_time("the match", self.command(arguments).output()).await;
        let output = output.unwrap();
        let told = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(told).unwrap())
    }

    fn text(&self) -> String {
        fs::read_to_string(self.results()).unwrap_or_default()
    }

    /// The lines of the pairs.
    fn pairs(&self) -> Vec<Value> {
        let text = self.text();
        let lines = text.lines().skip(1);
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Another program, written as a script for the shell. `go` says what it does when it is asked for a move.
    fn program(&self, go: &str) -> String {
        let path = self.folder.path().join("program.sh");
        let script = format!(
            "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) {go};; quit) exit;; esac; done\n"
        );
        fs::write(&path, script).unwrap();
        format!("uci:sh {}", path.display())
    }
}

/// How the two games of a pair ended: the winner, and why.
fn endings(pair: &Value) -> Vec<(&str, &str)> {
    let games = pair["games"].as_array().unwrap();
    games
        .iter()
        .map(|game| {
            let winner = game["winner"].as_str().unwrap_or("none");
            (winner, game["reason"].as_str().unwrap())
        })
        .collect()
}

#[tokio::test]
async fn two_levels_play_pairs_from_one_opening_with_seats_changed() {
    let duel = Duel::new();
    let (well, told) = duel
        .plays(&[
            "level:2",
            "level:1",
            "--ruleset",
            "doushouqi/booklet",
            "--pairs",
            "2",
        ])
        .await;
    assert!(well, "{told}");
    assert!(
        told.contains("4 games: A won ") && told.contains("Elo: "),
        "{told}"
    );
    let pairs = duel.pairs();
    assert_eq!(pairs.len(), 2);
    for pair in &pairs {
        let opening = pair["opening"].as_str().unwrap();
        let moves = opening.strip_prefix("startpos moves ").unwrap();
        for game in pair["games"].as_array().unwrap() {
            assert!(game["moves"].as_str().unwrap().starts_with(moves), "{pair}");
        }
    }
    assert_ne!(pairs[0]["opening"], pairs[1]["opening"]);
}

#[tokio::test]
async fn a_killed_match_goes_on_and_ends_as_if_nobody_had_killed_it() {
    let arguments = [
        "nodes:300",
        "greedy",
        "--ruleset",
        "xiangqi/grunfeld",
        "--pairs",
        "6",
        "--seed",
        "7",
    ];
    let whole = Duel::new();
    let (well, told) = whole.plays(&arguments).await;
    assert!(well, "{told}");
    let killed = Duel::new();
    let mut process = killed
        .command(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually("two pairs", async || {
        (killed.text().lines().count() >= 3).then_some(())
    })
    .await;
    process.kill().await.unwrap();
    let left = killed.text();
    // It may have been killed amid a line.
    fs::write(killed.results(), format!("{left}{{\"pair\":")).unwrap();
    let (well, again) = killed.plays(&arguments).await;
    assert!(well, "{again}");
    assert!(killed.text().starts_with(left.trim_end_matches('\n')));
    assert_eq!(killed.text(), whole.text());
}

#[tokio::test]
async fn a_file_of_another_match_is_refused_with_what_differs() {
    let duel = Duel::new();
    let base = ["nodes:50", "random", "--ruleset", "xiangqi/standard"];
    let (well, told) = duel.plays(&[&base[..], &["--pairs", "1"]].concat()).await;
    assert!(well, "{told}");
    let before = duel.text();
    let (well, told) = duel
        .plays(&[&base[..], &["--pairs", "2", "--seed", "2"]].concat())
        .await;
    assert!(
        !well && told.contains("seed was 1 there, and is 2 now"),
        "{told}"
    );
    assert_eq!(duel.text(), before);
}

#[tokio::test]
async fn our_engine_plays_over_uci_and_ucci_as_any_other_program() {
    for (protocol, ruleset) in [
        ("uci", "doushouqi/tierschach"),
        ("uci", "xiangqi/grunfeld"),
        ("ucci", "xiangqi/standard"),
    ] {
        let duel = Duel::new();
        let program = format!("{protocol}:{} engine", executable().display());
        let (well, told) = duel
            .plays(&[
                &program,
                "level:2",
                "--ruleset",
                ruleset,
                "--limit",
                "nodes:300",
                "--pairs",
                "1",
                "--a-set",
                "Hash=1",
                "--a-memory",
                "4096",
            ])
            .await;
        assert!(well, "{protocol} {ruleset}: {told}");
        // Nobody has lost by a fault.
        assert!(told.contains("2 games: "), "{protocol} {ruleset}: {told}");
        assert!(!told.contains(" lost "), "{protocol} {ruleset}: {told}");
    }
}

#[tokio::test]
async fn a_program_that_plays_an_illegal_move_loses() {
    let duel = Duel::new();
    let program = duel.program("echo bestmove a1a9");
    let told = duel
        .pair([&program, "random"], "xiangqi/standard", "nodes:1")
        .await;
    assert!(
        told.contains("A lost 2 by illegal_move, first: a1a9"),
        "{told}"
    );
    assert_eq!(endings(&duel.pairs()[0]), [("b", "illegal_move"); 2]);
}

#[tokio::test]
async fn a_program_that_speaks_the_protocol_of_xboard_plays_and_is_told_each_move_once() {
    let duel = Duel::new();
    let path = duel.folder.path().join("xboard.sh");
    // It moves its Chariot from a1 to a2, again and again, and writes down what it hears.
    let program = r#"heard=$1
while read -r line; do
    echo "$line" >> "$heard"
    case "$line" in
        protover*) echo 'feature ping=1 variants="chess,xiangqi"'; echo 'feature usermove=1 done=1' ;;
        ping*) echo "pong ${line#ping }" ;;
        go) echo 'move a0a1' ;;
        quit) exit ;;
    esac
done
"#;
    fs::write(&path, program).unwrap();
    let heard = duel.folder.path().join("heard");
    let program = format!("xboard:sh {} {}", path.display(), heard.display());
    let openings = duel.folder.path().join("openings");
    fs::write(&openings, "startpos moves h3e3 h10g8\n").unwrap();
    let (well, told) = duel
        .plays(&[
            &program,
            "level:1",
            "--ruleset",
            "xiangqi/standard",
            "--limit",
            "movetime:1000",
            "--pairs",
            "1",
            "--openings",
            &openings.display().to_string(),
        ])
        .await;
    assert!(well, "{told}");
    assert!(told.contains("A lost 2 by illegal_move"), "{told}");
    let heard = fs::read_to_string(heard).unwrap();
    let begins = "xboard\nprotover 2\nping 1\nping 1\nnew\nvariant xiangqi\nforce\neasy\nnopost\nst 1\nforce\nusermove h2e2\nusermove h9g7\ngo\nforce\nusermove ";
    assert!(heard.starts_with(begins), "{heard}");
    assert_eq!(heard.matches("usermove h2e2\n").count(), 2, "{heard}");
}

#[tokio::test]
async fn a_program_that_never_answers_loses_on_time() {
    let duel = Duel::new();
    // It talks all the time, but says no move.
    let program = duel.program("while echo info string thinking; do :; done");
    let told = duel
        .pair(["random", &program], "doushouqi/booklet", "movetime:20")
        .await;
    assert!(told.contains("B lost 2 by timeout"), "{told}");
    assert_eq!(endings(&duel.pairs()[0]), [("a", "timeout"); 2]);
}

#[tokio::test]
async fn a_program_that_crashes_loses_and_is_started_again() {
    let duel = Duel::new();
    let program = duel.program("exit 3");
    let told = duel
        .pair(["random", &program], "doushouqi/booklet", "depth:1")
        .await;
    assert!(
        told.contains("B lost 2 by crash, first: the program has ended"),
        "{told}"
    );
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_with_the_field() {
    let duel = Duel::new();
    let mute = duel.folder.path().join("mute.sh");
    fs::write(&mute, "exit 0\n").unwrap();
    let mute = format!("uci:sh {}", mute.display());
    for (arguments, field) in [
        (
            &["level:9", "random", "--ruleset", "xiangqi/standard"][..],
            "expected level:1 to level:8",
        ),
        (
            &["engine", "random", "--ruleset", "xiangqi/standard"],
            "--a-limit",
        ),
        (
            &[
                "plain",
                "random",
                "--ruleset",
                "xiangqi/standard",
                "--limit",
                "nodes:5",
            ],
            "plain plays Dou Shou Qi only",
        ),
        (
            &["nodes:9", "random", "--ruleset", "luzhanqi/referee"],
            "player A: in Luzhanqi expected level:1",
        ),
        (
            &[
                "random",
                "xboard:/nowhere",
                "--ruleset",
                "xiangqi/standard",
                "--limit",
                "movetime:200",
            ],
            "whole seconds (movetime:1000, clock:60+1): --b-limit",
        ),
        (&["random", "random", "--ruleset", "chess"], "chess"),
        (
            &[
                "random",
                "random",
                "--ruleset",
                "xiangqi/standard",
                "--b-set",
                "Hash=1",
            ],
            "b-set",
        ),
        (
            &[
                "random",
                "uci:/nowhere",
                "--ruleset",
                "xiangqi/standard",
                "--limit",
                "nodes:5",
            ],
            "/nowhere",
        ),
        (
            &[
                "random",
                &mute,
                "--ruleset",
                "xiangqi/standard",
                "--limit",
                "nodes:5",
            ],
            "uciok",
        ),
    ] {
        let (well, told) = duel.plays(arguments).await;
        assert!(!well && told.contains(field), "{arguments:?}: {told}");
        // A match that could not begin may have left its first line.
        let _ = fs::remove_file(duel.results());
    }
}
