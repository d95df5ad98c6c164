//! Analyses that are shared by link: as many as a player may have, kept through a restart, and gone with the account.

use qiguan_protocol::{
    analysis::{Analysis, SharedAnalyses, SharedAnalysis},
    error::ErrorCode,
    limits,
};
use qiguan_tests::{
    Http, Program,
    account::PASSWORD,
    client::command_id,
    game::fischer,
    program::Start,
    sharing::{analysis, has_shared, shares},
};
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_of_500_nodes_is_opened_elsewhere_alike() {
    let program = Program::start().await;
    let guest = Http::guest(&program).await;
    // Every first move beside the main line, and the same answers to each.
    let mut nodes = vec![json!({"comment": "棋".repeat(limits::COMMENT_CHARACTERS)})];
    let line = ["h3e3", "h10g8", "h1g3", "i10h10", "i1h1", "g7g6"];
    nodes.extend(line.iter().map(|mv| json!({"move": mv})));
    let plain = json!({"ruleset": "xiangqi/standard", "moves": []});
    let judged = guest
        .post("/api/positions/judge", Some(&plain))
        .await
        .json();
    let firsts = judged["legal"].as_array().unwrap();
    'full: for first in firsts
        .iter()
        .filter(|mv| !["h3e3", "h3h10", "b3b10"].contains(&mv.as_str().unwrap()))
    {
        let place = nodes.len();
        nodes.push(json!({"after": 0, "move": first, "comment": "</script>"}));
        for answer in [
            "h10g8", "b10c8", "h8e8", "b8e8", "a10a9", "i10i9", "g7g6", "c7c6", "a7a6", "i7i6",
            "e7e6", "h8i8",
        ] {
            if nodes.len() == 500 {
                break 'full;
            }
            nodes.push(json!({"after": place, "move": answer, "shapes": [{"from": "e1", "colour": "blue"}]}));
        }
    }
    assert_eq!(nodes.len(), 500);
    let mut whole = analysis("500");
    whole["nodes"] = json!(nodes);
    let link = shares(&guest, &whole).await.json();
    let path = format!("/api/analyses/{}", link["analysis"].as_str().unwrap());
    let read: SharedAnalysis = Http::nobody(&program).get(&path).await.parsed();
    assert_eq!(
        read.content,
        serde_json::from_value::<Analysis>(whole).unwrap()
    );
    let picture = Http::nobody(&program)
        .picture(&format!("{path}/preview.png"))
        .await;
    assert_eq!(picture.headers["content-type"], "image/png");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_with_covered_pieces_is_shared_with_every_end_of_an_attack_and_no_game_begins_there()
 {
    let program = Program::start().await;
    let guest = Http::guest(&program).await;
    let start = "3fl/5/5/5/5/5/1gU2/5/5/5/5/1F3 w - - 0 1";
    let whole = json!({
        "ruleset": "luzhanqi/referee", "start": start, "title": "Who is it?", "at": 2,
        "nodes": [
            {}, {"move": "c6b6", "removed": "both"}, {"after": 0, "move": "c6b6", "removed": "defender"},
            {"move": "e12e11"}, {"after": 0, "move": "c6b6", "removed": "attacker"},
        ],
    });
    let link = shares(&guest, &whole).await.json();
    let path = format!("/api/analyses/{}", link["analysis"].as_str().unwrap());
    let read: SharedAnalysis = Http::nobody(&program).get(&path).await.parsed();
    assert_eq!(
        read.content,
        serde_json::from_value::<Analysis>(whole.clone()).unwrap()
    );
    let picture = Http::nobody(&program)
        .picture(&format!("{path}/preview.png"))
        .await;
    assert_eq!(picture.headers["content-type"], "image/png");
    for (nodes, field) in [
        (json!([{}, {"move": "c6b6"}]), "nodes[1].removed"),
        (
            json!([{}, {"move": "c6c7", "removed": "both"}]),
            "nodes[1].removed",
        ),
    ] {
        let mut wrong = whole.clone();
        wrong["nodes"] = nodes;
        wrong["at"] = json!(0);
        let refused = shares(&guest, &wrong).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{wrong}");
        assert_eq!(refused.error().field.as_deref(), Some(field));
    }
    let opens = json!({
        "command": command_id(), "ruleset": "luzhanqi/referee", "time_control": fischer(300_000, 0), "seat": "first", "start": start,
    });
    let refused = guest.post("/api/games", Some(&opens)).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
    assert_eq!(refused.error().field.as_deref(), Some("start"));
}

#[tokio::test(flavor = "multi_thread")]
async fn d13_a_player_shares_as_many_as_are_allowed_and_they_go_with_the_account() {
    let program = Start::default().for_machines().start().await;
    let anna = Http::registered(&program, "Anna").await;
    let mut all = Vec::new();
    for number in 0..limits::ANALYSES {
        all.push(has_shared(&anna, &number.to_string()).await);
    }
    let refused = shares(&anna, &analysis("one more")).await;
    assert_eq!(refused.refusal(), (429, ErrorCode::LimitReached));
    let path = |number: usize| format!("/api/analyses/{}", all[number]);
    let deleted = anna.send(Method::DELETE, &path(0), &[], None).await;
    assert_eq!(deleted.status, 204);
    has_shared(&anna, "one more").await;

    let program = program.kill().await.restart().await;
    let token = anna.token.clone();
    let mut anna = Http::nobody(&program);
    anna.token = token;
    let mine: SharedAnalyses = anna.get("/api/analyses").await.parsed();
    assert_eq!(mine.analyses.len(), limits::ANALYSES as usize);
    let page = Http::nobody(&program)
        .get(&format!("/analysis/{}", all[1]))
        .await;
    assert!(!page.text.contains("<img src=x"), "{}", page.text);
    let gone = json!({"password": PASSWORD});
    let gone = anna.post("/api/account/delete", Some(&gone)).await;
    assert_eq!(gone.status, 204, "{gone:?}");
    let nobody = Http::nobody(&program);
    assert_eq!(
        nobody.get(&path(1)).await.refusal(),
        (404, ErrorCode::NotFound)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_muted_shares_moves_and_no_words() {
    let program = Program::start().await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let anna = Http::registered(&program, "Anna").await;
    let mute = format!("/api/players/{}/mute", anna.id().await);
    let muted = moderator
        .post(&mute, Some(&json!({"reason": "shouts"})))
        .await;
    assert_eq!(muted.status, 204);

    let mut silent = analysis("");
    silent.as_object_mut().unwrap().remove("title");
    let refused = shares(&anna, &analysis("loud")).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Muted));
    assert_eq!(refused.json()["error"]["field"], "title");
    let refused = shares(&anna, &silent).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Muted));
    assert_eq!(refused.json()["error"]["field"], "nodes[0].comment");
    for node in silent["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("comment");
    }
    assert_eq!(shares(&anna, &silent).await.status, 200);

    let unmuted = moderator.send(Method::DELETE, &mute, &[], None).await;
    assert_eq!(unmuted.status, 204);
    has_shared(&anna, "heard again").await;
}
