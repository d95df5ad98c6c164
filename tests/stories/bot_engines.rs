//! `qiguan bot`: programs of other protocols and the program's own computer players play on a server as bots.

use qiguan_protocol::{
    event::GameEvent,
    ids::GameId,
    names::{EndReason, Outcome, Seat, Status},
    view::GameView,
};
use qiguan_tests::{
    Client, Folder, Program, Setup, Start,
    client::command_id,
    command::run_at_home,
    http::Http,
    program::executable,
    terminal::Terminal,
    waiting::{eventually, in_time},
};
use serde_json::json;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/stories/programs/engine.py");

/// The program of the tests, as it speaks and fails; what it hears is in the bot's folder.
fn speaks(way: &str) -> String {
    format!("python3 {SCRIPT} {} {way} FOLDER", executable().display())
}

/// A bot that plays with a program, or with this one's own computer players.
struct Running {
    terminal: Terminal,
    folder: Folder,
    name: &'static str,
}

impl Running {
    /// Opens the account, and starts `qiguan bot` with this engine and these words.
    async fn start(program: &Program, name: &'static str, engine: &str, words: &[&str]) -> Self {
        let account = Http::bot(program, name).await;
        let folder = Folder::new();
        let engine = engine.replace("FOLDER", &folder.path().display().to_string());
        let terminal = runs(&folder, program, &account, &engine, words);
        Self {
            terminal,
            folder,
            name,
        }
    }

    /// Starts one with the program of the tests, which speaks and fails so.
    async fn with(program: &Program, name: &'static str, way: &str, words: &[&str]) -> Self {
        let engine = speaks(way);
        let mut running = Self::start(program, name, &engine, words).await;
        running.terminal.shows("plays on http").await;
        running
    }

    async fn shows(&mut self, words: &str) -> String {
        self.terminal.shows(words).await
    }

    /// What the program has heard.
    fn heard(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("heard")).unwrap()
    }
}

fn runs(
    folder: &Folder,
    program: &Program,
    account: &Http,
    engine: &str,
    words: &[&str],
) -> Terminal {
    let server = program.url("");
    let token = account.token.as_ref().unwrap().reveal();
    let environment = [("QIGUAN_SERVER", server.as_str()), ("QIGUAN_TOKEN", token)];
    let mut all = vec!["bot", "--engine", engine];
    all.extend(words);
    Terminal::start_in(folder, &environment, &all)
}

/// A person who has challenged a bot, and looks at the game.
struct Challenger {
    client: Client,
    game: GameId,
}

impl Challenger {
    /// Challenges a bot, takes this seat, and waits until play begins.
    async fn begins(
        program: &Program,
        person: &Http,
        bot: &str,
        ruleset: &'static str,
        seat: &'static str,
    ) -> Self {
        let opened = challenge(person, bot, ruleset, seat).await;
        let mut client = person.socket(program).await;
        let view = client.snapshot(opened).await;
        if view.status == Status::Open {
            let joined = |event: &GameEvent| matches!(event, GameEvent::Joined { .. });
            in_time("the bot", client.event_where(opened, joined)).await;
        }
        Self {
            client,
            game: opened,
        }
    }

    /// The game once so many plies are played.
    async fn after(&mut self, ply: u32) -> GameView {
        let (client, game) = (&mut self.client, self.game);
        loop {
            let view = client.snapshot(game).await;
            if view.position.ply.0 >= ply {
                return view;
            }
            let moved = |event: &GameEvent| matches!(event, GameEvent::Moved { .. });
            in_time("a move of the bot", client.event_where(game, moved)).await;
        }
    }

    async fn plays(&mut self, ply: u32, mv: &str) {
        self.client.plays(self.game, ply, mv).await.unwrap();
    }

    /// Answers the bot's first move, and waits for its second.
    async fn answers(&mut self) {
        let view = self.after(1).await;
        let answer = view.position.legal.unwrap()[0].to_string();
        self.plays(2, &answer).await;
        self.after(3).await;
    }

    async fn resigns(&mut self) {
        let resigned = self.client.does(self.game, "resign", json!({})).await;
        resigned.unwrap();
    }

    async fn outcome(&mut self) -> Outcome {
        let ended = |event: &GameEvent| matches!(event, GameEvent::Ended { .. });
        let frame = self.client.event_where(self.game, ended);
        match in_time("the end", frame).await.event {
            GameEvent::Ended { outcome, .. } => outcome,
            other => panic!("{other:?}"),
        }
    }
}

async fn challenge(person: &Http, bot: &str, ruleset: &'static str, seat: &'static str) -> GameId {
    let setup = Setup::default().ruleset(ruleset);
    let mut challenge = setup.create(command_id());
    challenge["to"] = json!(bot);
    challenge["seat"] = json!(seat);
    challenge["time_control"] = json!({"clock": {"type": "none"}});
    challenge.as_object_mut().unwrap().remove("options");
    let opened = person.post("/api/games", Some(&challenge)).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    serde_json::from_value(opened.json()["game"].clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_plays_whatever_it_speaks_and_however_it_counts() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let told = [
        ("Tinman", "uci none", "speaks UCI, counts ranks from 1"),
        ("Clank", "uci0 none", "speaks UCI, counts ranks from 0"),
        ("Rusty", "ucci none", "speaks UCCI, counts ranks from 0"),
        ("Bolts", "quiet none", "speaks UCCI, counts ranks from 0"),
    ];
    let bots = told.map(|(name, way, _)| {
        let engine = speaks(way);
        let program = &program;
        async move { Running::start(program, name, &engine, &["--movetime", "20"]).await }
    });
    for (bot, (name, _, shown)) in bots.into_iter().zip(told) {
        let mut bot = bot.await;
        bot.shows(shown).await;
        bot.shows(&format!("{name} plays on http")).await;
        let mut person =
            Challenger::begins(&program, &anna, bot.name, "xiangqi/grunfeld", "second").await;
        person.answers().await;
        person.resigns().await;
        bot.shows("won (resignation)").await;
        let heard = bot.heard();
        let asked = if shown.contains("UCCI") {
            "go time 20 movestogo 1"
        } else {
            "go movetime 20"
        };
        assert!(heard.contains(asked), "{heard}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn qiguan_engine_plays_what_it_offers_and_declines_all_else() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let engine = format!("{} engine", executable().display());
    let words = ["--movetime", "20", "--casual-only", "--games", "2"];
    let mut bot = Running::start(&program, "Tinman", &engine, &words).await;
    bot.shows("doushouqi/booklet").await;
    bot.shows("plays on http").await;
    let mut games = Vec::new();
    for ruleset in ["doushouqi/booklet", "xiangqi/standard"] {
        games.push(Challenger::begins(&program, &anna, bot.name, ruleset, "second").await);
    }
    let hidden = challenge(&anna, bot.name, "luzhanqi/referee", "second").await;
    bot.shows("declines a challenge: luzhanqi/referee casual")
        .await;
    let declined = eventually("the end", async || {
        let view = anna.get(&format!("/api/games/{hidden}")).await.json();
        (view["status"] == "ended").then_some(view)
    });
    assert_eq!(declined.await["moves"], json!([]));
    // A third game waits until a board is free.
    let dora = Http::registered(&program, "Dora").await;
    let waits = challenge(&dora, bot.name, "xiangqi/standard", "second").await;
    for person in &mut games {
        person.after(1).await;
    }
    assert_eq!(
        dora.get(&format!("/api/games/{waits}")).await.json()["status"],
        "open"
    );
    games[0].resigns().await;
    let mut client = dora.socket(&program).await;
    let joined = |event: &GameEvent| matches!(event, GameEvent::Joined { .. });
    if client.snapshot(waits).await.status == Status::Open {
        in_time("a free board", client.event_where(waits, joined)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn k11_an_illegal_answer_is_asked_again_once_and_then_the_game_is_resigned() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let words = ["--movetime", "20"];
    let mut once = Running::with(&program, "Tinman", "uci illegal-once", &words).await;
    let mut person =
        Challenger::begins(&program, &anna, once.name, "xiangqi/standard", "second").await;
    once.shows("a1a9 is not legal; asking again").await;
    person.after(1).await;
    let heard = once.heard();
    let last = heard.lines().rev().find(|line| line.starts_with("go"));
    assert!(last.unwrap().contains(" searchmoves "), "{heard}");

    let mut always = Running::with(&program, "Clank", "ucci illegal", &words).await;
    let mut person =
        Challenger::begins(&program, &anna, always.name, "xiangqi/standard", "second").await;
    always.shows("a1a9 is not legal; asking again").await;
    always.shows("a1a9 is not legal; resigning").await;
    let resigned = Outcome {
        winner: Some(Seat::Second),
        reason: EndReason::Resignation,
    };
    let view = person.client.snapshot(person.game).await;
    let outcome = match view.outcome {
        Some(outcome) => outcome,
        None => person.outcome().await,
    };
    assert_eq!((outcome, view.position.ply.0), (resigned, 0));
    let heard = always.heard();
    assert!(heard.contains("banmoves a0a8\ngo"), "{heard}");
}

#[tokio::test(flavor = "multi_thread")]
async fn k12_a_program_that_ends_hangs_or_takes_too_much_memory_is_started_again() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let ways = [
        ("Tinman", "uci dies-once", "the program has ended", &[][..]),
        (
            "Clank",
            "ucci silent-once",
            "no answer to a move in time",
            &[],
        ),
        (
            "Rusty",
            "uci hungry-once",
            "the program has ended",
            &["--memory-mb", "700"],
        ),
        ("Bolts", "uci dies", "the program has ended", &[]),
    ];
    let all = ways.map(|(name, way, shown, more)| {
        let (program, anna) = (&program, &anna);
        async move {
            let words = [&["--movetime", "20"], more].concat();
            let mut bot = Running::with(program, name, way, &words).await;
            let mut person =
                Challenger::begins(program, anna, name, "xiangqi/standard", "second").await;
            let fault = bot.shows("fault: ").await;
            assert!(
                fault.contains(shown) && fault.ends_with("; starting it again"),
                "{fault}"
            );
            if way == "uci dies" {
                bot.shows(", 5 times for one move; resigning").await;
                bot.shows("lost (resignation)").await;
            } else {
                person.after(1).await;
                person.resigns().await;
                bot.shows("won (resignation)").await;
            }
        }
    });
    futures_util::future::join_all(all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_is_told_which_moves_are_banned() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let round = ["d3d10", "d10d3"];
    let own = [&["h3d3", "b3b10"][..], &round, &round].concat();
    let script = format!("plays:{}", own.join(","));
    for (name, way, banned) in [
        ("Tinman", "uci", "go movetime 20 searchmoves "),
        ("Clank", "ucci", "banmoves d2d9\ngo time 20 movestogo 1"),
    ] {
        let way = format!("{way} {script}");
        let bot = Running::with(&program, name, &way, &["--movetime", "20"]).await;
        let mut person =
            Challenger::begins(&program, &anna, name, "xiangqi/standard", "second").await;
        let theirs = ["c10a8", "d10e9", "a8c10", "c10a8", "a8c10", "c10a8"];
        for (mv, ply) in theirs.into_iter().zip((2..).step_by(2)) {
            person.after(ply - 1).await;
            person.plays(ply, mv).await;
        }
        let view = person.after(13).await;
        assert_ne!(view.moves[12].text.as_str(), "d3d10");
        let heard = bot.heard();
        let (_, after) = heard.rsplit_once("position").unwrap();
        assert!(after.contains(banned), "{after}");
        let among = after.split_once("searchmoves ").map(|(_, among)| among);
        assert!(
            among.is_none_or(|among| !among.contains("d3d10")),
            "{after}"
        );
        person.resigns().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_player_of_the_program_plays_every_rule_set_elsewhere() {
    let program = Program::start().await;
    let words = ["--games", "3"];
    let mut rulesets = qiguan_rules::RuleSet::ALL.iter();
    for (name, bot) in [("Anna", "Tinman"), ("Bert", "Clank"), ("Cleo", "Rusty")] {
        let person = Http::registered(&program, name).await;
        let mut bot = Running::start(&program, bot, "builtin:1", &words).await;
        bot.shows("plays on http").await;
        for ruleset in rulesets.by_ref().take(3) {
            let id = ruleset.id();
            let mut game = Challenger::begins(&program, &person, bot.name, id, "second").await;
            if id.starts_with("luzhanqi/") {
                let ready = game.client.does(game.game, "ready", json!({})).await;
                ready.unwrap();
            }
            game.after(1).await;
        }
    }
    assert!(rulesets.next().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_play_whole_games_and_end_after_as_many_as_they_should() {
    let program = Program::start().await;
    let words = ["--ruleset", "doushouqi/booklet", "--count", "2"];
    let engine = format!("{} engine", executable().display());
    let strong = [&words[..], &["--movetime", "10"]].concat();
    let mut host = Running::start(&program, "Tinman", &engine, &strong).await;
    host.shows("plays on http").await;
    let challenges = ["--challenge", "tinman", "--time", "10+0"];
    let challenges = [&words[..], &challenges].concat();
    let mut guest = Running::start(&program, "Clank", "builtin:1", &challenges).await;
    for bot in [&mut host, &mut guest] {
        let line = bot.shows("2 games: ").await;
        assert!(
            line.ends_with("0 without a result; 0 faults of the engine"),
            "{line}"
        );
    }
    host.terminal.ends().await;
    guest.terminal.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_bot_takes_its_seek_back_and_plays_its_game_to_the_end() {
    let program = Program::start().await;
    let words = ["--seek", "--ruleset", "doushouqi/booklet", "--games", "2"];
    let account = Http::bot(&program, "Tinman").await;
    let folder = Folder::new();
    let mut bot = runs(&folder, &program, &account, "builtin:1", &words);
    let anna = Http::registered(&program, "Anna").await;
    // Looks again and again, which a player may not.
    let nobody = Http::nobody(&program);
    let seek = open_seek(&nobody).await;
    let command = json!({"command": command_id()});
    let path = format!("/api/lobby/seeks/{seek}/accept");
    let accepted = anna.post(&path, Some(&command)).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    bot.shows("begins: doushouqi/booklet").await;
    // The other board is free: the bot seeks again.
    open_seek(&nobody).await;
    bot.interrupts().await;
    bot.shows("one game is still played to its end").await;
    eventually("no seek", async || {
        let lobby = nobody.get("/api/lobby").await.json();
        (lobby["seeks"] == json!([])).then_some(())
    })
    .await;
    let game = accepted.json()["game"].as_str().unwrap().parse().unwrap();
    assert_eq!(anna.does(game, "resign", json!({})).await.status, 200);
    bot.shows("1 game: 1 won").await;
    bot.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn k13_a_bot_goes_on_when_the_server_is_back() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let mut bot = Running::with(&program, "Tinman", "uci none", &["--movetime", "20"]).await;
    let mut person =
        Challenger::begins(&program, &anna, bot.name, "xiangqi/standard", "second").await;
    person.after(1).await;
    let port = program.address().rsplit(':').next().unwrap().to_owned();
    let again = Start::default().at_port(&port);
    let program = program.kill().await.restart_as(again).await;
    person.client = anna.socket(&program).await;
    person.answers().await;
    // A second game shows that it also hears of new ones.
    person.resigns().await;
    bot.shows("won (resignation)").await;
    Challenger::begins(&program, &anna, bot.name, "xiangqi/standard", "second").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opponent_who_stays_away_does_not_keep_the_board() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let mut bot = Running::with(&program, "Tinman", "uci none", &["--movetime", "20"]).await;
    let mut challenge = Setup::default()
        .ruleset("xiangqi/standard")
        .create(command_id());
    challenge["to"] = json!(bot.name);
    challenge["seat"] = json!("first");
    challenge["time_control"] = json!({"clock": {"type": "none"}, "absence_ms": 5_000});
    challenge.as_object_mut().unwrap().remove("options");
    let opened = anna.post("/api/games", Some(&challenge)).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    bot.shows("won (abandonment)").await;
}

/// The seek that is open in the lobby, once there is one.
async fn open_seek(who: &Http) -> String {
    eventually("a seek", async || {
        let lobby = who.get("/api/lobby").await.json();
        lobby["seeks"][0]["id"].as_str().map(str::to_owned)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_play_is_refused_at_once_and_it_is_said_why() {
    let program = Program::start().await;
    let server = program.url("");
    let bot = Http::bot(&program, "Tinman").await;
    let anna = Http::registered(&program, "Anna").await;
    let folder = Folder::new();
    let qiguan = executable().display().to_string();
    let engine = format!("{qiguan} engine");
    let chess = format!("python3 {SCRIPT} {qiguan} chess");
    let quiet = format!("{qiguan} check doushouqi/booklet");
    for (who, words, told) in [
        (
            &bot,
            vec![&*engine, "--ruleset", "luzhanqi/referee"],
            "only --engine builtin:LEVEL plays it",
        ),
        (&bot, vec!["/no/such/program"], "No such file or directory"),
        (
            &bot,
            vec![&*chess],
            "in the starting position, heard \"e2e4\"",
        ),
        (
            &bot,
            vec![&*quiet],
            "expected \"uciok\" in answer to \"uci\"",
        ),
        (&bot, vec!["builtin:9"], "expected builtin:1 to builtin:8"),
        (
            &bot,
            vec!["builtin:1", "--set", "Hash=1"],
            "--set and --memory-mb are for another program",
        ),
        (&anna, vec!["builtin:1"], "Anna is no bot's account"),
    ] {
        let token = who.token.as_ref().unwrap().reveal();
        let environment = [("QIGUAN_SERVER", server.as_str()), ("QIGUAN_TOKEN", token)];
        let words = [&["bot", "--engine"][..], &words].concat();
        let refused = run_at_home(&folder, &environment, &words, "").await;
        assert!(
            !refused.ok && refused.err.contains(told),
            "{words:?}: {refused:?}"
        );
    }
    let words = ["bot", "--engine", "builtin:1", &server];
    let refused = run_at_home(&folder, &[], &words, "").await;
    assert!(refused.err.contains("a bot needs a token"), "{refused:?}");
}
