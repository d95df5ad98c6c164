//! `docs/fair-referee.md` can be followed by hand: its commands print what it says, and of a real game the commitments.

use std::process::Stdio;

use qiguan_protocol::{names::Seat, view::GameView};
use qiguan_tests::{
    Program, folder::Folder, http::Http, program::executable, terminal::Terminal, waiting::in_time,
};
use tokio::process::Command;

/// The blocks of this kind on the page.
fn blocks(kind: &str) -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/fair-referee.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let fence = format!("```{kind}\n");
    let blocks = page.split(fence.as_str()).skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// What a plain shell prints, with `qiguan` and these variables at hand.
async fn shell(script: &str, variables: &[(&str, &str)]) -> String {
    let own = executable();
    let folder = own.parent().expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-eu", "-c", script])
        .env("PATH", format!("{folder}:{path}"))
        .envs(variables.iter().copied())
        .stderr(Stdio::inherit())
        .output();
    let output = in_time(script, output).await.expect("sh runs");
    assert!(output.status.success(), "{script}");
    String::from_utf8(output.stdout).expect("text")
}

async fn has_xxd() -> bool {
    let mut xxd = Command::new("xxd");
    let asked = xxd.arg("-v").output().await;
    asked.is_ok_and(|output| output.status.success())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_of_the_page_print_what_it_says() {
    let (commands, printed) = (blocks("sh"), blocks("text"));
    let [values, by_printf, by_xxd, check] = &commands[..] else {
        panic!("not four blocks of commands: {commands:?}")
    };
    let [hash, position] = &printed[..] else {
        panic!("not two blocks of output: {printed:?}")
    };
    assert_eq!(shell(&format!("{values}{by_printf}"), &[]).await, *hash);
    if has_xxd().await {
        assert_eq!(shell(&format!("{values}{by_xxd}"), &[]).await, *hash);
    }
    let judged = shell(check, &[]).await;
    assert!(judged.contains(position.trim()), "{judged}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_checked_by_hand_as_the_page_says() {
    let program = Program::start().await;
    let server = format!("http://{}", program.address());
    let homes = [Folder::new(), Folder::new()];
    let arguments = ["luzhanqi/modern", "--seat", "first", &server];
    let (mut first, game) = Terminal::opens(&homes[0], &arguments).await;
    let mut second = Terminal::start(&homes[1], &["play", "--plain", &game]);
    second.shows("set up your pieces").await;
    first.types("ready").await;
    second.types("ready").await;
    let noted = [
        first.shows("Red is committed to ").await,
        first.shows("Blue is committed to ").await,
    ];
    first.types("resign yes").await;
    first.shows("Blue wins").await;
    first.ends().await;

    let id = game.rsplit('/').next().expect("an id");
    let view: GameView = Http::nobody(&program)
        .get(&format!("/api/games/{id}"))
        .await
        .parsed();
    let revealed = view.setup.and_then(|setup| setup.revealed).expect("setups");
    let commands = blocks("sh");
    for (seat, noted) in [Seat::First, Seat::Second].into_iter().zip(noted) {
        let shown = revealed.get(seat);
        let variables = [("setup", &*shown.setup), ("salt", &*shown.salt)];
        let hash = shell(&commands[1], &variables).await;
        let hash = hash.trim_end_matches("  -\n");
        assert!(noted.ends_with(hash), "{noted}: {hash}");
        if has_xxd().await {
            let again = shell(&commands[2], &variables).await;
            assert!(again.starts_with(hash), "{again}");
        }
    }
}
