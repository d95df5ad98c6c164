//! Players see when those whom they follow are online, and which game to watch.

use qiguan_protocol::{
    following::{Following, OnlinePlayers, PlayerNow},
    ids::{GameId, PlayerId},
};
use qiguan_tests::{Http, Program, Setup, account::PASSWORD, waiting::eventually};
use reqwest::Method;
use serde_json::json;

async fn done(http: &Http, method: Method, path: &str) {
    let answer = http.send(method, path, &[], None).await;
    assert_eq!(answer.status, 204, "{path}: {answer:?}");
}

async fn following(http: &Http) -> Vec<PlayerNow> {
    let answer: Following = http.get("/api/account/following").await.parsed();
    answer.players
}

async fn online(http: &Http) -> Vec<PlayerId> {
    let answer: OnlinePlayers = http.get("/api/players/online").await.parsed();
    answer.players.iter().map(|now| now.player.id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_follows_a_player_sees_them_come_play_and_go() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let bodo = Http::registered(&program, "Bodo").await;
    let clara = Http::registered(&program, "Clara").await;
    let (one, two, three) = (anna.id().await, bodo.id().await, clara.id().await);
    for whom in [two, three] {
        done(
            &anna,
            Method::PUT,
            &format!("/api/account/following/{whom}"),
        )
        .await;
    }
    let guest = Http::guest(&program).await;
    let _unnamed = guest.socket(&program).await;
    let here = async |http: &Http| {
        let all = following(http).await.into_iter();
        all.filter(|now| now.online)
            .map(|now| now.player.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(here(&anna).await, []);
    let bodos = bodo.socket(&program).await;
    // Programs tell each other who has come, and nobody waits for that.
    eventually("Bodo is here", async || {
        (here(&anna).await == [two]).then_some(())
    })
    .await;
    assert_eq!(
        following(&anna).await[0].player.id,
        two,
        "who is here comes first"
    );
    let _annas = anna.socket(&program).await;
    eventually("Bodo is listed, and Anna after him", async || {
        (online(&guest).await == [one, two]).then_some(())
    })
    .await;
    assert_eq!(
        online(&anna).await,
        [two],
        "nobody is listed for themselves"
    );

    let game: GameId = bodo.opens(&Setup::default()).await;
    assert_eq!(clara.does(game, "join", json!({})).await.status, 200);
    eventually("both are seen to play", async || {
        let playing = following(&anna).await;
        let is_it = playing.iter().all(|now| now.playing == [game]);
        is_it.then_some(())
    })
    .await;

    // Who hides is not online for anybody else, at once.
    let hide = json!({"shown": false}).to_string();
    let hidden = bodo.send(Method::PUT, "/api/account/presence", &[], Some(hide));
    assert_eq!(hidden.await.status, 204);
    assert_eq!(here(&anna).await, []);
    assert_eq!(online(&guest).await, [one]);
    let show = json!({"shown": true}).to_string();
    let shown = bodo.send(Method::PUT, "/api/account/presence", &[], Some(show));
    assert_eq!(shown.await.status, 204);
    assert_eq!(here(&anna).await, [two]);

    // A block is one for what is seen, too.
    done(&bodo, Method::PUT, &format!("/api/account/blocks/{one}")).await;
    assert_eq!(online(&anna).await, []);
    done(&bodo, Method::DELETE, &format!("/api/account/blocks/{one}")).await;
    done(&anna, Method::PUT, &format!("/api/account/following/{two}")).await;
    drop(bodos);
    eventually("Bodo is gone", async || {
        here(&anna).await.is_empty().then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_takes_its_follows_with_it_and_a_new_name_does_not() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let bodo = Http::registered(&program, "Bodo").await;
    let (one, two) = (anna.id().await, bodo.id().await);
    done(&anna, Method::PUT, &format!("/api/account/following/{two}")).await;
    done(&bodo, Method::PUT, &format!("/api/account/following/{one}")).await;
    let chief = Http::moderator(&program, "Solomon").await;
    let rename = json!({"reason": "as they wish", "name": "Bodewin"}).to_string();
    let path = format!("/api/players/{two}/name");
    let renamed = chief.send(Method::PUT, &path, &[], Some(rename)).await;
    assert!(renamed.status < 300, "{renamed:?}");
    assert_eq!(following(&anna).await[0].player.name, "Bodewin");
    let bodo = bodo.signs_in("Bodewin").await;
    let delete = json!({"password": PASSWORD});
    let deleted = anna.post("/api/account/delete", Some(&delete)).await;
    assert_eq!(deleted.status, 204);
    assert_eq!(following(&bodo).await, []);
}
