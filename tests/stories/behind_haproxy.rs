//! Three programs behind HAProxy in place of one: which stories run against them, and that these really come through different programs.

use std::{collections::BTreeSet, path::Path};

use qiguan_tests::{Client, Seats, Setup, Start};

/// The stories that run against three programs, by subject, and why the others do not.
const SET: &str = include_str!("../cluster_stories.txt");

#[tokio::test(flavor = "multi_thread")]
async fn sockets_go_to_all_programs_in_turn_and_moves_from_there_to_the_owners() {
    let program = Start::cluster().start().await;
    assert_eq!(program.addresses().len(), 3);
    let mut clients = Vec::new();
    for _ in 0..6 {
        clients.push(Client::guest(program.address()).await);
    }
    assert_eq!(program.metric("qiguan_sockets_open").await, [2, 2, 2]);
    drop(clients);
    let mut seats = Seats::begin_with(&program, &Setup::default()).await;
    let forwarded = async || {
        let each = program.metric("qiguan_cluster_requests_forwarded_total");
        each.await.into_iter().sum::<u64>()
    };
    let before = forwarded().await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    // The players are connected to two programs, and one alone has the game: the moves of at least one player come to it from another.
    let moves = forwarded().await - before;
    assert!(moves == 1 || moves == 2, "{moves} moves");
}

#[test]
fn the_list_of_stories_for_three_programs_names_each_module_once_and_ten_for_every_change() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("stories");
    let (mut listed, mut chosen) = (BTreeSet::new(), 0);
    let mut code = String::new();
    for line in SET.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            None | Some("#" | "==" | "--") => {}
            Some(kind @ ("-" | "*")) => {
                let story = words.next().unwrap();
                let is_there = code.contains(&format!("fn {story}("));
                assert!(is_there, "no story {story}");
                chosen += usize::from(kind == "*");
                assert!(kind == "*" || words.next().is_some(), "{story}: why?");
            }
            Some(module) => {
                let file = folder.join(format!("{module}.rs"));
                code = std::fs::read_to_string(file).unwrap();
                assert!(listed.insert(module.to_owned()), "{module} stands twice");
            }
        }
    }
    let main = include_str!("main.rs").lines();
    let modules = main.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    assert_eq!(listed, modules.map(ToOwned::to_owned).collect());
    assert_eq!(chosen, 10);
}
