//! Moderators' measures short of a ban: mutes, shadowbans, new names.

use qiguan_protocol::{
    answer::Answer,
    audit::AuditPage,
    error::ErrorCode,
    event::GameEvent,
    ids::{GameId, Millis},
    lobby::{Lobby, LobbyNoticeKind},
    moderation::{PlayerStanding, Renamed},
    profile::Profile,
    view::{GamePage, GameView},
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    account::credentials,
    client::command_id,
    command::run,
    game::{done, fischer},
    http::Http,
    on_every_database,
    waiting::eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

on_every_database![
    who_is_muted_may_not_chat_until_then_and_is_told_until_when,
    who_is_limited_hears_himself_and_is_heard_by_nobody,
    another_name_holds_everywhere_and_nobody_gets_the_old_one,
    open_games_of_who_is_limited_are_listed_for_others_who_are,
];

async fn standing(staff: &Http, player: &Http) -> PlayerStanding {
    let id = player.id().await;
    staff
        .get(&format!("/api/admin/players/{id}"))
        .await
        .parsed()
}

async fn says(client: &mut Client, seats: &GameView, text: &str) -> Result<(), ErrorCode> {
    let said = client.does(seats.game, "chat", json!({"text": text})).await;
    done(said).map(drop).map_err(|error| error.code)
}

async fn who_is_muted_may_not_chat_until_then_and_is_told_until_when(start: fn() -> Start) {
    let program = start().start().await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let anna = Http::registered(&program, "Anna").await;
    let first = anna.socket(&program).await;
    let bodo = Http::registered(&program, "Bodo").await;
    let second = bodo.socket(&program).await;
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    let game = seats.game;
    let view = seats.first.looks(&program, game).await;
    let path = format!("/api/players/{}/mute", anna.id().await);
    let until = seats.first.server_time().await + Millis(6_000);
    let asked = json!({"reason": "shouts", "until": until});
    assert_eq!(moderator.post(&path, Some(&asked)).await.status, 204);
    // It holds over connections that were there before, and over every way.
    let refused = seats.first.does(game, "chat", json!({"text": "hey"})).await;
    let refused = refused.err().expect("muted");
    assert_eq!(
        (refused.code, refused.until),
        (ErrorCode::Muted, Some(until))
    );
    assert!(refused.message.contains("shouts"), "{refused:?}");
    let over_http = anna.does(game, "chat", json!({"text": "hey"})).await;
    assert_eq!(over_http.refusal(), (403, ErrorCode::Muted));
    let mute = standing(&moderator, &anna).await.mute.unwrap();
    assert_eq!((mute.until, mute.reason.as_str()), (Some(until), "shouts"));
    // A mute affects neither moves nor the opponent.
    seats.play(1, &["a3a4"]).await;
    assert_eq!(says(&mut seats.second, &view, "hello").await, Ok(()));
    seats.first.waits_until(until).await;
    assert_eq!(says(&mut seats.first, &view, "sorry").await, Ok(()));

    let for_good = json!({"reason": "again"});
    assert_eq!(moderator.post(&path, Some(&for_good)).await.status, 204);
    let refused = seats.first.does(game, "chat", json!({"text": "hey"})).await;
    assert_eq!(refused.err().expect("muted").until, None);
    let ended = moderator.send(Method::DELETE, &path, &[], None).await;
    assert_eq!(ended.status, 204);
    assert_eq!(says(&mut seats.first, &view, "thanks").await, Ok(()));
    assert_eq!(standing(&moderator, &anna).await.mute, None);
    // By hand it is the same.
    let url = program.database().url();
    run(&[&"admin", &"mute", &"Bodo", &"as well", &"--database", &url])
        .await
        .well();
    assert_eq!(
        says(&mut seats.second, &view, "no").await,
        Err(ErrorCode::Muted)
    );
    run(&[&"admin", &"unmute", &"Bodo", &"--database", &url])
        .await
        .well();
    assert_eq!(says(&mut seats.second, &view, "yes").await, Ok(()));
    let past = json!({"reason": "late", "until": 5});
    let refused = moderator.post(&path, Some(&past)).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
    assert_eq!(refused.error().field.as_deref(), Some("until"));
}

fn lines(view: &GameView) -> Vec<&str> {
    view.chat.iter().map(|line| line.text.as_str()).collect()
}

async fn who_is_limited_hears_himself_and_is_heard_by_nobody(start: fn() -> Start) {
    let program = start().start().await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let troll = Http::registered(&program, "Troll").await;
    let first = troll.socket(&program).await;
    let second = Client::guest(program.address()).await;
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    let game = seats.game;
    let view = seats.first.looks(&program, game).await;
    let path = format!("/api/players/{}/limit", troll.id().await);
    let why = json!({"reason": "insults"});
    assert_eq!(moderator.post(&path, Some(&why)).await.status, 204);
    assert!(standing(&moderator, &troll).await.limited_at.is_some());
    assert_eq!(says(&mut seats.first, &view, "insult").await, Ok(()));
    let said = |event: &GameEvent| matches!(event, GameEvent::Chat { .. });
    let own = seats.first.event_where(game, said).await;
    let withheld = |event: &GameEvent| matches!(event, GameEvent::Withheld {});
    let theirs = seats.second.event_where(game, withheld).await;
    assert_eq!(own.seq, theirs.seq);
    assert_eq!(lines(&seats.first.looks(&program, game).await), ["insult"]);
    assert!(lines(&seats.second.looks(&program, game).await).is_empty());
    // What the opponent says is heard as ever; and from the end on, what was said before is not.
    assert_eq!(says(&mut seats.second, &view, "hello").await, Ok(()));
    let freed = moderator.send(Method::DELETE, &path, &[], None).await;
    assert_eq!(freed.status, 204);
    assert_eq!(says(&mut seats.first, &view, "sorry").await, Ok(()));
    let heard = seats.second.looks(&program, game).await;
    assert_eq!(lines(&heard), ["hello", "sorry"]);
    let all = seats.first.looks(&program, game).await;
    assert_eq!(lines(&all), ["insult", "hello", "sorry"]);
    // By hand, all of it is to be read.
    let url = program.database().url();
    let id = game.to_string();
    let words: [&dyn AsRef<std::ffi::OsStr>; 5] = [&"admin", &"chat", &id, &"--database", &url];
    let shown = run(&words).await.well().out;
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines.len(), 3, "{shown}");
    assert!(
        lines[0].ends_with("ply 0 Troll (shadow_muted): insult"),
        "{shown}"
    );
    assert!(lines[2].ends_with("ply 0 Troll: sorry"), "{shown}");
    run(&[&"admin", &"limit", &"Troll", &"again", &"--database", &url])
        .await
        .well();
    run(&[&"admin", &"mute", &"Troll", &"loud", &"--database", &url])
        .await
        .well();
    let shown = run(&[&"admin", &"player", &"Troll", &"--database", &url]).await;
    let shown = shown.well().out;
    assert!(
        shown.starts_with("Troll is player\nmuted for good: loud\nlimited since "),
        "{shown}"
    );
    run(&[&"verify", &"--database", &url]).await.well();
}

async fn lobby(client: &mut Client) -> Lobby {
    let Answer::Lobby { lobby } = client.asks("enter_lobby", Value::Null).await else {
        panic!("no lobby")
    };
    *lobby
}

fn seek() -> Value {
    json!({
        "command": command_id(), "ruleset": "doushouqi/ancientchess", "time_control": fischer(300_000, 0),
    })
}

fn quick() -> Value {
    json!({"command": command_id(), "ruleset": "doushouqi/ancientchess", "time": "5+3"})
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_limited_is_met_in_the_lobby_by_others_who_are_and_by_nobody_else() {
    let program = Program::start().await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let mut limited = Vec::new();
    for name in ["Troll", "Ogre"] {
        let one = Http::registered(&program, name).await;
        let path = format!("/api/players/{}/limit", one.id().await);
        let why = json!({"reason": "insults"});
        assert_eq!(moderator.post(&path, Some(&why)).await.status, 204);
        limited.push(one.socket(&program).await);
    }
    let [mut troll, mut ogre] = <[Client; 2]>::try_from(limited).ok().unwrap();
    let mut anna = Client::guest(program.address()).await;
    for client in [&mut troll, &mut ogre, &mut anna] {
        assert!(lobby(client).await.seeks.is_empty());
    }
    let Answer::Seek { seek: id, .. } = troll.asks("seek", seek()).await else {
        panic!("no seek")
    };
    // The troll and the ogre see it come; when something comes that Anna sees, it has not been sent to her.
    let theirs = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::Changed { added, .. } if added.iter().any(|seek| seek.id == id));
    troll.lobby_where(theirs).await;
    ogre.lobby_where(theirs).await;
    let mut cleo = Client::guest(program.address()).await;
    let Answer::Seek { seek: open, .. } = cleo.asks("seek", seek()).await else {
        panic!("no seek")
    };
    let told = anna
        .lobby_where(
            |notice| matches!(notice, LobbyNoticeKind::Changed { added, .. } if !added.is_empty()),
        )
        .await;
    let LobbyNoticeKind::Changed { added, .. } = told else {
        unreachable!()
    };
    let added: Vec<_> = added.into_iter().map(|seek| seek.id).collect();
    assert_eq!(added, [open]);
    let looked: Lobby = Http::guest(&program).await.get("/api/lobby").await.parsed();
    assert!(looked.seeks.iter().all(|seek| seek.id != id));
    let accept = |seek| json!({"command": command_id(), "seek": seek});
    for (client, seek) in [(&mut anna, id), (&mut troll, open)] {
        let refused = client.request("accept_seek", accept(seek)).await;
        assert_eq!(refused.err().expect("gone").code, ErrorCode::Gone);
    }
    // In a pool the two find each other, no matter who else is waiting there.
    anna.asks("quick_pair", quick()).await;
    troll.asks("quick_pair", quick()).await;
    ogre.asks("quick_pair", quick()).await;
    let paired = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::Paired { .. });
    let LobbyNoticeKind::Paired { game, .. } = troll.lobby_where(paired).await else {
        unreachable!()
    };
    let players = troll.looks(&program, game).await.players;
    let mut names = [players.first, players.second].map(|player| player.unwrap().name);
    names.sort();
    assert_eq!(names, ["Ogre", "Troll"]);
}

async fn open_games_of_who_is_limited_are_listed_for_others_who_are(start: fn() -> Start) {
    let program = start().start().await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let [troll, ogre, anna] = [
        Http::registered(&program, "Troll").await,
        Http::registered(&program, "Ogre").await,
        Http::registered(&program, "Anna").await,
    ];
    for limited in [&troll, &ogre] {
        let path = format!("/api/players/{}/limit", limited.id().await);
        let why = json!({"reason": "insults"});
        assert_eq!(moderator.post(&path, Some(&why)).await.status, 204);
    }
    let theirs = troll.opens(&Setup::default()).await;
    let annas = anna.opens(&Setup::default()).await;
    let troll_id = troll.id().await;
    let listed = async |who: &Http, query: &str| -> Vec<GameId> {
        let path = format!("/api/games?{query}");
        let page: GamePage = who.get(&path).await.parsed();
        page.games.iter().map(|game| game.game).collect()
    };
    let nobody = Http::nobody(&program);
    let of_troll = format!("player={troll_id}&status=open");
    for (who, sees) in [
        (&troll, true),
        (&ogre, true),
        (&anna, false),
        (&nobody, false),
    ] {
        let all = if sees {
            vec![annas, theirs]
        } else {
            vec![annas]
        };
        for query in ["status=open", "", "ruleset=doushouqi/ancientchess"] {
            assert_eq!(listed(who, query).await, all, "{query}");
        }
        assert_eq!(listed(who, &of_troll).await.is_empty(), !sees);
    }
    // Moderators see all; a challenge reaches whom it names; and what goes on is as everybody's.
    let admin = Http::admin(&program, "Chief").await;
    let page: GamePage = admin.get("/api/admin/games?status=open").await.parsed();
    assert_eq!(page.games.len(), 2);
    let mut challenge = Setup::default().create(command_id());
    challenge["to"] = json!("Anna");
    assert_eq!(troll.post("/api/games", Some(&challenge)).await.status, 201);
    let lobby: Lobby = anna.get("/api/lobby").await.parsed();
    assert_eq!(lobby.challenges.len(), 1);
    assert_eq!(anna.does(theirs, "join", json!({})).await.status, 200);
    assert!(listed(&nobody, "status=playing").await.contains(&theirs));
    // Once the player is like everybody, so are the games.
    let other = troll.opens(&Setup::default()).await;
    assert_eq!(listed(&nobody, "status=open").await, [annas]);
    let path = format!("/api/players/{troll_id}/limit");
    let freed = moderator.send(Method::DELETE, &path, &[], None).await;
    assert_eq!(freed.status, 204);
    assert_eq!(listed(&nobody, "status=open").await, [other, annas]);
}

async fn another_name_holds_everywhere_and_nobody_gets_the_old_one(start: fn() -> Start) {
    let program = start().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let moderator = Http::moderator(&program, "Solomon").await;
    let rude = Http::registered(&program, "Rude_Word").await;
    let id = rude.id().await;
    let first = rude.socket(&program).await;
    let second = Client::guest(program.address()).await;
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    let game = seats.game;
    seats.play(1, &["a3a4"]).await;
    let path = format!("/api/players/{id}/name");
    let renames = async |body: Value| {
        let body = body.to_string();
        moderator.send(Method::PUT, &path, &[], Some(body)).await
    };
    for (name, expected) in [
        ("Chief", (409, ErrorCode::NameTaken)),
        ("a b", (400, ErrorCode::BadValue)),
        ("moderator", (400, ErrorCode::BadValue)),
    ] {
        let refused = renames(json!({"name": name, "reason": "offends"})).await;
        assert_eq!(refused.refusal(), expected, "{name}");
    }
    let renamed = renames(json!({"name": "Polite", "reason": "offends"})).await;
    assert_eq!(renamed.parsed::<Renamed>().name, "Polite");
    assert_eq!(rude.is_nobody().await, ErrorCode::BadToken);
    let profile: Profile = admin.get(&format!("/api/players/{id}")).await.parsed();
    assert_eq!(profile.name, "Polite");
    // The game that goes on shows it soon, in its view and in the list.
    let shown = async || {
        let view = seats.second.looks(&program, game).await;
        let list = admin.get(&format!("/api/games?player={id}")).await.text;
        let named = view
            .players
            .first
            .is_some_and(|player| player.name == "Polite");
        (named && list.contains("Polite") && !list.contains("Rude_Word")).then_some(())
    };
    eventually("the game has the new name", shown).await;
    // The owner signs in with either name and goes on with the game; nobody else gets the old one.
    for name in ["Rude_Word", "polite"] {
        let again = Http::nobody(&program).signs_in(name).await;
        assert_eq!(again.me().await.name, "Polite");
    }
    let again = Http::nobody(&program).signs_in("Polite").await;
    let moved = again.does(game, "resign", json!({})).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    let somebody = Http::guest(&program).await;
    let same = credentials("RudeW0rd", "a long enough one");
    let taken = somebody.post("/api/register", Some(&same)).await;
    assert_eq!(taken.refusal(), (409, ErrorCode::NameTaken));
    let audit_entries: AuditPage = admin
        .get("/api/admin/audit?operation=rename")
        .await
        .parsed();
    let [told] = &audit_entries.entries[..] else {
        panic!("{audit_entries:?}")
    };
    assert_eq!(told.details, "Rude_Word to Polite");
    assert_eq!(told.reason, "offends");

    // By hand, while no server runs: the next one brings it into the games.
    let url = program.database().url();
    let stopped = program.kill().await;
    run(&[&"admin", &"rename", &"Polite", &"--database", &url])
        .await
        .well();
    let program = stopped.restart().await;
    let http = Http::nobody(&program);
    let shown = async || {
        let view: GameView = http.get(&format!("/api/games/{game}")).await.parsed();
        let name = view.players.first.map(|player| player.name);
        name.filter(|name| name.starts_with("Player-"))
    };
    eventually("the game has the drawn name", shown).await;
    run(&[&"verify", &"--database", &url]).await.well();
}
