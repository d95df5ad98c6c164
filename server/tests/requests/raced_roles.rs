//! Roles that change while somebody relies on them: what is done to an account at the same moment is judged by the roles that hold
//! when it is written.

use qiguan_protocol::{ids::PlayerId, moderation::PlayerStanding, names::Role};
use qiguan_tests::on_every_database;
use reqwest::Method;
use serde_json::json;

use crate::server::{Http, Start};

on_every_database![n1_no_promotion_that_races_with_a_moderator_ends_with_an_admin_held_down];

/// So many rounds: of each two, the program that judged beforehand lost more than one.
const ROUNDS: usize = 12;

async fn promotes(admin: &Http, player: PlayerId) -> u16 {
    let body = json!({"role": "admin"}).to_string();
    let path = format!("/api/players/{player}/role");
    admin.send(Method::PUT, &path, &[], Some(body)).await.status
}

async fn n1_no_promotion_that_races_with_a_moderator_ends_with_an_admin_held_down(
    start: fn() -> Start,
) {
    let server = start().start().await;
    let admin = Http::admin(&server, "Chief").await;
    let moderator = Http::moderator(&server, "Solomon").await;
    let why = json!({"reason": "a test"});
    let (mut promoted, mut held) = (0, 0);
    for round in 0..ROUNDS {
        let target = Http::registered(&server, &format!("Target{round}")).await;
        let id = target.id().await;
        let sanction = ["ban", "mute", "limit"][round % 3];
        let path = format!("/api/players/{id}/{sanction}");
        let asks = async || moderator.post(&path, Some(&why)).await;
        let (first, promotion, second) = tokio::join!(asks(), promotes(&admin, id), asks());
        let standing: PlayerStanding = admin
            .get(&format!("/api/admin/players/{id}"))
            .await
            .parsed();
        let is_held =
            standing.ban.is_some() || standing.mute.is_some() || standing.limited_at.is_some();
        let told = format!("{sanction}: {first:?}, {promotion}, {second:?}, {standing:?}");
        assert_eq!(standing.role == Role::Admin, !is_held, "{told}");
        if is_held {
            assert!([409, 503].contains(&promotion), "{told}");
            held += 1;
        } else {
            assert_eq!(promotion, 204, "{told}");
            for answer in [first, second] {
                assert!([403, 503].contains(&answer.status), "{told}");
            }
            promoted += 1;
        }
    }
    assert_eq!(promoted + held, ROUNDS);
}
