//! What messengers show where an address is pasted: fetched as their programs do, without scripts and without an identity.

use qiguan_protocol::{error::ErrorCode, ids::GameId};
use qiguan_tests::{
    Client, Program, Seats, Setup,
    game::fischer,
    http::{Http, Response},
    program::Start,
    record,
    waiting::eventually,
};
use reqwest::Method;
use serde_json::json;

const CRAWLER: &str = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)";

/// A page as a crawler gets it, in a language.
async fn crawled(http: &Http, path: &str, language: &str) -> Page {
    let headers = [("user-agent", CRAWLER), ("accept-language", language)];
    let response = http.send(Method::GET, path, &headers, None).await;
    assert_eq!(response.status, 200, "{path}: {response:?}");
    Page(response)
}

struct Page(Response);

impl Page {
    /// What a tag says, escaped as it stands there.
    fn says(&self, name: &str) -> Option<&str> {
        let text = &self.0.text;
        let (kind, name) = match name.split_once(':') {
            Some(("og", _)) => ("property", name),
            _ => ("name", name),
        };
        let (_, rest) = text.split_once(&format!("<meta {kind}=\"{name}\" content=\""))?;
        rest.split_once('"').map(|(content, _)| content)
    }

    /// The tag, which has to be there.
    fn has(&self, name: &str) -> &str {
        let text = &self.0.text;
        self.says(name)
            .unwrap_or_else(|| panic!("no {name}: {text}"))
    }

    fn title(&self) -> &str {
        let text = &self.0.text;
        assert_eq!(text.matches("<title>").count(), 1, "{text}");
        let (_, rest) = text.split_once("<title>").unwrap();
        rest.split_once("</title>").unwrap().0
    }
}

/// A picture as it came.
struct Picture {
    bytes: Vec<u8>,
    etag: String,
    kept: String,
}

/// The picture at an address, which has to have the size that every card has.
async fn picture(program: &Program, address: &str) -> Picture {
    let path = address.strip_prefix(&program.url("")).unwrap_or(address);
    let answered = eventually("a picture", async || {
        let answered = reqwest::get(program.url(path)).await.unwrap();
        (answered.status() != 503).then_some(answered)
    })
    .await;
    assert_eq!(answered.status(), 200, "{address}");
    let header = |name: &str| answered.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "image/png");
    let (etag, kept) = (header("etag"), header("cache-control"));
    let bytes = answered.bytes().await.unwrap().to_vec();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let drawn = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((drawn.width, drawn.height), (1_200, 630), "{address}");
    let mut colours: Vec<_> = pixels.clone();
    colours.sort_unstable();
    colours.dedup();
    assert!(
        colours.len() > 20,
        "{address}: a picture of hardly any colours"
    );
    Picture { bytes, etag, kept }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_shows_its_players_its_board_and_its_end() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let setup = Setup::default()
        .ruleset("xiangqi/standard")
        .time_control(fischer(300_000, 3_000));
    let mut seats = Seats::begin_with(&program, &setup).await;
    let game = seats.game;
    let names =
        [&seats.first, &seats.second].map(|client| client.player.as_ref().unwrap().name.clone());
    let page = crawled(&http, &format!("/game/{game}"), "").await;
    let title = format!("{} – {} · Xiangqi · Standard", names[0], names[1]);
    assert_eq!(
        (page.title(), page.has("og:title")),
        (title.as_str(), title.as_str())
    );
    let text = "Being played now: Standard · 5+3 · casual. Watch it live on Qiguan.";
    assert_eq!(
        (page.has("description"), page.has("og:description")),
        (text, text)
    );
    for (name, content) in [
        ("og:site_name", "Qiguan"),
        ("og:type", "website"),
        ("og:image:type", "image/png"),
        ("og:image:width", "1200"),
        ("og:image:height", "630"),
        ("twitter:card", "summary_large_image"),
        ("og:url", &program.url(&format!("/game/{game}"))),
        (
            "og:image",
            &program.url(&format!("/api/games/{game}/preview.png")),
        ),
    ] {
        assert_eq!(page.has(name), content, "{name}");
    }
    assert!(page.has("og:image:alt").contains(&title));

    // The picture is that of the moment, and is not sent twice.
    let address = page.has("og:image");
    let before = picture(&program, address).await;
    let path = format!("/api/games/{game}/preview.png");
    let again = [("if-none-match", before.etag.as_str())];
    assert_eq!(
        http.send(Method::GET, &path, &again, None).await.status,
        304
    );
    seats.play(1, &["h3e3"]).await;
    let after = picture(&program, address).await;
    assert!(before.bytes != after.bytes && before.etag != after.etag);
    assert_eq!(after.kept, "public, max-age=10");

    seats.second.does(game, "resign", json!({})).await.unwrap();
    for path in ["game", "replay"] {
        let page = crawled(&http, &format!("/{path}/{game}"), "de-DE,de;q=0.9").await;
        let ended = format!("{} hat gewonnen: {} hat aufgegeben. ", names[0], names[1]);
        assert!(
            page.has("og:description").starts_with(&ended),
            "{}",
            page.has("og:description")
        );
    }
    let ended = picture(&program, address).await;
    assert_ne!(ended.bytes, after.bytes, "the result stands there");
    assert_eq!(ended.kept, "public, max-age=3600");
    // What is stored shows the same after a restart, under the same tag.
    let program = program.kill().await.restart().await;
    assert_eq!(picture(&program, &path).await.etag, ended.etag);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_says_who_invites_and_to_what() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let host = Http::registered(&program, "Anna").await;
    let setup = Setup {
        visibility: "link",
        rated: true,
        ..Setup::default().ruleset("luzhanqi/modern")
    };
    let game = host.opens(&setup).await;
    let page = crawled(&http, &format!("/game/{game}"), "").await;
    assert_eq!(page.title(), "Anna invites you to a game of Luzhanqi");
    assert_eq!(
        page.has("og:description"),
        "Modern · 5+0 · rated. Open the link, sign in and play."
    );
    picture(&program, page.has("og:image")).await;
    let page = crawled(&http, &format!("/game/{game}?lang=zh-Hans"), "de").await;
    assert_eq!(page.title(), "Anna邀请你下一盘军棋");
}

/// What the preview of a game tells, all of it.
async fn told(program: &Program, game: GameId) -> (String, Vec<u8>) {
    let page = crawled(&Http::nobody(program), &format!("/game/{game}"), "").await;
    let picture = picture(program, &format!("/api/games/{game}/preview.png")).await;
    (page.0.text, picture.bytes)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_by_link_shows_the_house_and_nothing_of_itself() {
    let program = Program::start().await;
    let house = crawled(
        &Http::nobody(&program),
        "/game/01890000-0000-7000-8000-000000000001",
        "",
    )
    .await;
    let cover = picture(&program, "/api/preview.png").await;
    assert_eq!(
        house.has("og:title"),
        "Qiguan: Xiangqi, Dou Shou Qi and Luzhanqi online"
    );
    let hidden = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let mut seats = Seats::begin_with(&program, &hidden).await;
    let game = seats.game;
    assert_eq!(
        told(&program, game).await,
        (house.0.text.clone(), cover.bytes.clone())
    );
    seats.second.does(game, "resign", json!({})).await.unwrap();
    assert_eq!(
        told(&program, game).await,
        (house.0.text.clone(), cover.bytes.clone())
    );
    // A challenge is between two.
    let anna = Http::registered(&program, "Anna").await;
    Http::registered(&program, "Boris").await;
    let challenge = json!({
        "command": qiguan_tests::client::command_id(), "ruleset": "xiangqi/standard",
        "time_control": fischer(300_000, 0), "seat": "first", "to": "Boris",
    });
    let opened = anna.post("/api/games", Some(&challenge)).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    let challenge = serde_json::from_value(opened.json()["game"].clone()).unwrap();
    assert_eq!(told(&program, challenge).await, (house.0.text, cover.bytes));
    let nobody = Http::nobody(&program);
    let none = nobody
        .get("/api/games/01890000-0000-7000-8000-000000000001/preview.png")
        .await;
    assert_eq!(none.refusal(), (404, ErrorCode::NotFound));
}

#[tokio::test(flavor = "multi_thread")]
async fn setups_of_luzhanqi_look_alike_whatever_stands_in_them() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let boris = Http::registered(&program, "Boris").await;
    let mut pictures = Vec::new();
    for _ in 0..2 {
        let (first, second) = (anna.socket(&program).await, boris.socket(&program).await);
        let setup = Setup::default().ruleset("luzhanqi/referee");
        // Each draws setups of its own.
        let mut seats = Seats::sit(first, second, &setup).await;
        seats.play(1, &["a6b5"]).await;
        let path = format!("/api/games/{}/preview.png", seats.game);
        pictures.push(picture(&program, &path).await);
        seats
            .second
            .does(seats.game, "resign", json!({}))
            .await
            .unwrap();
        // Once all is open it is seen.
        assert_ne!(picture(&program, &path).await.etag, pictures[0].etag);
    }
    assert_eq!(pictures[0].etag, pictures[1].etag);
    assert!(pictures[0].bytes == pictures[1].bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_spectators_see_later_a_preview_shows_later() {
    let program = Program::start().await;
    let setup = Setup {
        spectator_delay: json!({"plies": 3}),
        ..Setup::default()
    };
    let mut seats = Seats::begin_with(&program, &setup).await;
    let path = format!("/api/games/{}/preview.png", seats.game);
    let before = picture(&program, &path).await;
    seats.play(1, &["a3a4", "g7g6", "a4a5"]).await;
    assert_eq!(picture(&program, &path).await.etag, before.etag);
    seats.play(4, &["g6g5"]).await;
    assert_ne!(picture(&program, &path).await.etag, before.etag);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_and_rules_and_all_other_pages_have_words_of_their_own() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let anna = Http::registered(&program, "Anna").await;
    let id = anna.id().await;
    for path in [
        format!("/player/{id}"),
        "/player/anna".to_owned(),
        "/player/%41nna".to_owned(),
    ] {
        let page = crawled(&http, &path, "").await;
        assert_eq!(page.title(), "Anna · Qiguan", "{path}");
        assert_eq!(page.has("og:url"), program.url(&format!("/player/{id}")));
    }
    let page = crawled(&http, "/rules/xiangqi/standard", "vi").await;
    assert_eq!(page.title(), "Luật chơi Cờ tướng · Tiêu chuẩn");
    picture(&program, page.has("og:image")).await;
    for path in [
        "/",
        "/games",
        "/leaderboard/xiangqi/standard",
        "/player/nobody",
        "/rules/xiangqi/none",
    ] {
        let page = crawled(&http, path, "").await;
        assert_eq!(
            page.title(),
            "Qiguan: Xiangqi, Dou Shou Qi and Luzhanqi online",
            "{path}"
        );
        assert_eq!(page.has("og:image"), program.url("/api/preview.png"));
    }
    let wrong = http.get("/api/preview.png?ruleset=chess/standard").await;
    assert_eq!(wrong.refusal(), (400, ErrorCode::UnknownRuleset));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_markup_stays_a_text() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let id = anna.id().await;
    // No way leads to such a name; a record from elsewhere may have one.
    let stopped = program.kill().await;
    let hostile = "\"><script>alert('1')</script><img src=x>&amp;";
    let mut connection = record::open(&stopped.database()).await;
    let renamed = sqlx::query("update players set name = ? where name = 'Anna'").bind(hostile);
    assert_eq!(
        renamed
            .execute(&mut connection)
            .await
            .unwrap()
            .rows_affected(),
        1
    );
    drop(connection);
    let program = stopped.restart().await;
    let http = Http::nobody(&program);
    let page = crawled(&http, &format!("/player/{id}"), "").await;
    let name =
        "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&lt;img src=x&gt;&amp;amp;";
    assert_eq!(page.title(), format!("{name} · Qiguan"));
    assert_eq!(page.has("og:title"), format!("{name} · Qiguan"));
    assert!(!page.0.text.contains("alert('1')") && !page.0.text.contains("<img src=x>"));
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_are_those_that_the_operator_has_set_or_a_proxy_passes_on() {
    let program = Start::default()
        .with("--public-url", "https://qiguan.example.org")
        .start()
        .await;
    let page = crawled(&Http::nobody(&program), "/", "").await;
    assert_eq!(
        page.has("og:image"),
        "https://qiguan.example.org/api/preview.png"
    );
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let passed_on = [
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "play.example.org"),
    ];
    let page = Page(http.send(Method::GET, "/", &passed_on, None).await);
    assert_eq!(page.has("og:url"), "https://play.example.org/");
    let stranger = Start::default()
        .with("--trusted-proxy", "192.0.2.0/24")
        .start()
        .await;
    let page = Page(
        Http::nobody(&stranger)
            .send(Method::GET, "/", &passed_on, None)
            .await,
    );
    assert_eq!(page.has("og:url"), stranger.url("/"));
    let hostile = [("x-forwarded-host", "a\"><script>")];
    let page = Page(http.send(Method::GET, "/", &hostile, None).await);
    assert_eq!(page.says("og:image"), None);
    assert!(!page.0.text.contains("><script>\""), "{}", page.0.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_makes_nobody_a_spectator_and_costs_no_identity() {
    let program = Program::start().await;
    let seats = Seats::begin(&program).await;
    let http = Http::nobody(&program);
    let path = format!("/game/{}", seats.game);
    let page = crawled(&http, &path, "").await;
    assert!(!page.0.headers.contains_key("set-cookie"));
    picture(&program, page.has("og:image")).await;
    let view = Client::spectator(program.address())
        .await
        .snapshot(seats.game)
        .await;
    assert_eq!(view.presence.spectators, 1, "the one who looks now");
}
