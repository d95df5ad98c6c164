//! Games of other programs are imported with what stands beside them, and judged by the rule set that is asked for.

use qiguan_protocol::{
    analysis::SharedAnalysis,
    view::{GamePage, GameView},
};
use qiguan_tests::{Http, Program, Start, command::run, folder::Folder, on_every_database};
use reqwest::Method;

on_every_database! {
    variations_and_comments_become_an_analysis_that_the_game_names,
}

/// A game as other programs write it, with two variations and a comment.
const TEXT: &str = "[Game \"Chinese Chess\"]\n[Red \"Hu\"]\n[Black \"Liu\"]\n[Result \"1-0\"]\n\n\
    1. H2-E2 {the cannon} H9-G7 (1. ... B9-C7 2. H0-G2 (2. B0-C2)) 2. H0-G2 1-0\n";

/// The only game of a server.
async fn only_game(http: &Http) -> GameView {
    let page: GamePage = http.get("/api/games").await.parsed();
    assert_eq!(page.games.len(), 1);
    let game = page.games[0].game;
    http.get(&format!("/api/games/{game}")).await.parsed()
}

async fn variations_and_comments_become_an_analysis_that_the_game_names(on: fn() -> Start) {
    let program = on().start().await;
    let anna = Http::registered(&program, "Anna").await;
    let folder = Folder::new();
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, TEXT).unwrap();
    let url = program.database().url();
    let import = async |of: &[&str]| {
        let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"import", &"--text", &file, &"--database", &url];
        words.extend(of.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>));
        run(&words).await
    };

    let nobody = import(&["--analyses-of", "Berta"]).await;
    assert!(
        !nobody.ok && nobody.err.contains("no account \"Berta\""),
        "{nobody:?}"
    );
    let counted = import(&[]).await.well();
    let not_kept = "2 variations and 1 comments, not kept (add --analyses-of NAME";
    assert!(counted.err.contains(not_kept), "{}", counted.err);
    let game = only_game(&anna).await;
    assert_eq!(game.analysis, None);

    let kept = import(&["--analyses-of", "anna"]).await.well();
    for said in [
        "0 games imported, 1 there already",
        "kept in 1 analyses of anna",
    ] {
        assert!(kept.err.contains(said), "{}", kept.err);
    }
    let game = only_game(&anna).await;
    let analysis = game.analysis.expect("the game names its analysis");
    let path = format!("/api/analyses/{analysis}");
    let shared: SharedAnalysis = Http::nobody(&program).get(&path).await.parsed();
    assert_eq!(shared.by.name, "Anna");
    assert_eq!(shared.content.game, Some(game.game));
    let nodes = shared.content.nodes.iter();
    let nodes: Vec<_> = nodes
        .map(|node| {
            let made = node.mv.as_ref().map(ToString::to_string);
            (node.after, made.unwrap_or_default(), node.comment.as_str())
        })
        .collect();
    let node = |after, made: &str, comment| (after, made.to_owned(), comment);
    assert_eq!(
        nodes,
        [
            node(None, "", ""),
            node(None, "h3e3", "the cannon"),
            node(None, "h10g8", ""),
            node(None, "h1g3", ""),
            node(Some(1), "b10c8", ""),
            node(None, "h1g3", ""),
            node(Some(4), "b1c3", ""),
        ]
    );
    // A game goes on without its analysis.
    let deleted = anna.send(Method::DELETE, &path, &[], None).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    assert_eq!(only_game(&anna).await.analysis, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_judged_by_the_rule_set_that_the_import_names() {
    let program = Program::start().await;
    let folder = Folder::new();
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, TEXT).unwrap();
    let url = program.database().url();
    let import = |ruleset: &'static str| {
        run(&[
            &"import",
            &"--text",
            &file,
            &"--ruleset",
            &ruleset,
            &"--database",
            &url,
        ])
    };
    let other = import("doushouqi/booklet").await;
    assert!(!other.ok, "{other:?}");
    let expected = "expected a rule set of Xiangqi, such as xiangqi/standard";
    assert!(other.err.contains(expected), "{}", other.err);
    // Its Cannon always jumps.
    let cannon = import("xiangqi/grunfeld").await;
    let expected = "game 1, line 6: move 1, H2-E2: no piece can make this move";
    assert!(!cannon.ok && cannon.err.contains(expected), "{cannon:?}");
    let horses = "[Game \"Chinese Chess\"]\n\n1. H0-G2 H9-G7 2. I0-H0 1-0\n";
    std::fs::write(&file, horses).unwrap();
    import("xiangqi/grunfeld").await.well();
    let game = only_game(&Http::nobody(&program)).await;
    assert_eq!(game.ruleset, "xiangqi/grunfeld");
    assert_eq!(game.moves.len(), 3);
}
