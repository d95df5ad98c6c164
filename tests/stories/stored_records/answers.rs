//! What a program says of a stored record: everything that can be asked for, by everybody whom it looks different to.

use qiguan_protocol::ids::{GameId, PlayerId, Token};
use qiguan_tests::{Http, Program};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::everything::Cast;

/// Words that travelled under another name when a record was made, the older first. All of them are in docs/protocol.md. What is stored
/// and what an archive says keep theirs.
const RENAMED: [(&str, &str); 4] = [
    ("acts", "entries"),
    ("act", "id"),
    ("attendance", "connections"),
    ("unheard", "shadow_muted"),
];

/// What tells of the time at which it is asked, or of what is asked now and not of the record.
const OF_NOW: [&str; 7] = [
    // It grows with the time since the last rated game; what it was then is in the archive.
    "deviation",
    "server_time",
    "epoch",
    "presence",
    "spectators",
    "notice",
    "connected",
];

/// What a program said of a record that it had made.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredGame {
    pub(super) players: Vec<(String, PlayerId)>,
    pub(super) bot: Token,
    pub(super) running: GameId,
    pub(super) setting_up: GameId,
    pub(super) games: Vec<GameId>,
    pub(super) answers: Vec<Answered>,
}

/// An answer over HTTP.
#[derive(Serialize, Deserialize)]
pub(super) struct Answered {
    /// Who asked; nobody in particular if empty.
    pub(super) by: String,
    pub(super) path: String,
    pub(super) status: u16,
    pub(super) answer: Value,
}

/// Those who have an account, signed in, and nobody.
pub(super) struct People(Vec<(String, Http)>);

impl People {
    pub(super) async fn sign_in(program: &Program, told: &StoredGame) -> Self {
        let nobody = Http::nobody(program);
        let mut people = Vec::new();
        for (name, _) in &told.players {
            let http = if name == "Robot" {
                let mut robot = nobody.clone();
                robot.token = Some(told.bot.clone());
                robot
            } else {
                nobody.signs_in(name).await
            };
            people.push((name.clone(), http));
        }
        people.push((String::new(), nobody));
        Self(people)
    }

    pub(super) fn named(&self, name: &str) -> &Http {
        let mut people = self.0.iter();
        &people.find(|(known, _)| known == name).expect("somebody").1
    }

    pub(super) async fn asks(&self, by: &str, path: &str) -> qiguan_tests::http::Response {
        self.named(by).get(path).await
    }
}

impl StoredGame {
    pub(super) fn profile(&self, name: &str) -> String {
        let (_, id) = self
            .players
            .iter()
            .find(|(known, _)| known == name)
            .expect("somebody");
        format!("/api/players/{id}")
    }
}

/// Asks for everything that can be asked for, by everybody whom it looks different to.
pub(super) async fn asked(program: &Program, cast: Cast) -> StoredGame {
    let mut told = StoredGame {
        players: cast
            .players
            .into_iter()
            .map(|(name, id)| (name.to_owned(), id))
            .collect(),
        bot: cast.bot,
        running: cast.running,
        setting_up: cast.setting_up,
        games: cast.games,
        answers: Vec::new(),
    };
    let people = People::sign_in(program, &told).await;
    for (by, path) in questions(&told) {
        let response = people.asks(by, &path).await;
        told.answers.push(Answered {
            by: by.to_owned(),
            path,
            status: response.status,
            answer: steady(response.json()),
        });
    }
    told
}

fn questions(told: &StoredGame) -> Vec<(&'static str, String)> {
    // The audit log first: to look at some of the rest is an entry in it.
    let mut questions = vec![("Chief", "/api/admin/audit?limit=100".to_owned())];
    for query in [
        "?limit=100",
        "?status=playing",
        "?status=open",
        "?ruleset=xiangqi/standard",
    ] {
        questions.push(("", format!("/api/games{query}")));
        questions.push(("Chief", format!("/api/admin/games{query}")));
    }
    for path in [
        "/api/reports",
        "/api/announcements",
        "/api/leaderboards/doushouqi/ancientchess",
        "/api/openings?ruleset=doushouqi/booklet",
    ] {
        questions.push(("Solomon", path.to_owned()));
    }
    for by in ["Anna", "Bodo", "Clara", "Solomon", "Robot"] {
        questions.push((by, "/api/me".to_owned()));
    }
    for path in [
        "/api/account/blocks",
        "/api/account/tokens",
        "/api/setups",
        "/api/setups/%E6%94%BB",
        "/api/lobby",
    ] {
        questions.push(("Anna", path.to_owned()));
    }
    for (name, id) in &told.players {
        questions.push(("", told.profile(name)));
        questions.push((
            "",
            format!("/api/players/{id}/ratings?ruleset=doushouqi/ancientchess"),
        ));
        questions.push(("Chief", format!("/api/admin/players/{id}")));
    }
    for game in &told.games {
        for by in ["", "Anna", "Bodo"] {
            questions.push((by, format!("/api/games/{game}")));
            questions.push((by, format!("/api/games/{game}/events")));
            questions.push((by, format!("/api/games/{game}/positions")));
        }
        questions.push(("", format!("/api/games/{game}/spectator_chat")));
        questions.push(("", format!("/api/games/{game}/verify")));
        questions.push(("Chief", format!("/api/admin/games/{game}")));
        questions.push(("Chief", format!("/api/admin/games/{game}/chat")));
    }
    questions
}

/// An answer without what is only of now.
pub(super) fn steady(mut answer: Value) -> Value {
    match &mut answer {
        Value::Object(fields) => {
            fields.retain(|name, _| !OF_NOW.contains(&name.as_str()));
            // How an error is worded may change.
            if fields.contains_key("code") {
                fields.remove("message");
            }
            // What the start has made that is asked, and what goes on.
            let made = |name: &str, word: &str| match name {
                "type" => ["clocks_held", "setup_extended"].contains(&word),
                "what" => word == "server_started",
                _ => false,
            };
            let is_made = |fields: &Map<String, Value>| {
                let mut words = fields.iter();
                words.any(|(name, word)| word.as_str().is_some_and(|word| made(name, word)))
            };
            if is_made(fields) {
                fields.remove("until");
                fields.remove("at");
            }
            if let Some(Value::Object(event)) = fields.get("event")
                && is_made(event)
            {
                fields.remove("at");
            }
            for (name, goes_on) in [
                ("clocks", "at"),
                ("held", "until"),
                ("setup", "until"),
                ("turn", "after_ms"),
                ("turn", "away_ms"),
            ] {
                if let Some(Value::Object(within)) = fields.get_mut(name) {
                    within.remove(goes_on);
                }
            }
            for value in fields.values_mut() {
                *value = steady(value.take());
            }
        }
        Value::Array(values) => {
            for value in values {
                *value = steady(value.take());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    answer
}

pub(super) fn renamed(text: &str) -> String {
    let words = RENAMED.iter();
    words.fold(text.to_owned(), |text, (old, new)| {
        text.replace(&format!("\"{old}\""), &format!("\"{new}\""))
    })
}
