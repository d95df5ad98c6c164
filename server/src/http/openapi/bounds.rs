//! The limits of what requests bring, from the constants that refuse it.

use std::collections::HashSet;

use qiguan_protocol::limits;
use qiguan_rules::RuleSet;
use serde_json::{Map, Value, json};

use crate::lobby::pools;

/// What a value may be.
#[derive(Clone, Copy)]
enum Bound {
    /// A text with so many characters.
    Text(usize, usize),
    /// A text of this form.
    Form(&'static str),
    /// A whole number.
    Number(i64, i64),
    /// A list of so many.
    List(usize, usize),
    /// The id of a rule set.
    RuleSet,
    /// A kind of game: what stands before the `/` in the id of a rule set.
    Kind,
    /// What stands behind it.
    Set,
    /// The name of a pool's time control.
    PoolTime,
}

use Bound::{Form, Kind, List, Number, PoolTime, Set, Text};

/// Six ranks of up to five points.
const SETUP: &str = "^[A-Za-z0-9]{1,5}(/[A-Za-z0-9]{1,5}){5}$";
/// A password is counted in bytes, of which a character has one to four.
const PASSWORD_CHARACTERS: usize = limits::PASSWORD_BYTES_LEAST.div_ceil(4);
const SCOPES: usize = qiguan_protocol::account::Scope::ALL.len();

/// Bounds, each with what it limits.
type Table = &'static [(Bound, &'static [&'static str])];

/// The bounds, each with the fields of schemas that it limits (`Schema.field`), or a whole schema.
const FIELDS: Table = &[
    (
        Text(1, limits::REASON_CHARACTERS),
        &[
            "Adjudicate.reason",
            "Ban.reason",
            "Limit.reason",
            "Mute.reason",
            "Rename.reason",
            "Withdraw.reason",
        ],
    ),
    (
        Text(0, limits::REASON_CHARACTERS),
        &[
            "CloseReport.reason",
            "NewRole.reason",
            "PutUpNotice.reason",
            "StartMaintenance.reason",
            "Why.reason",
        ],
    ),
    (
        Text(limits::NAME_CHARACTERS_LEAST, limits::NAME_CHARACTERS),
        &[
            "CreateGame.to",
            "Credentials.name",
            "Recover.name",
            "Rename.name",
        ],
    ),
    (
        Text(1, limits::CHAT_CHARACTERS),
        &["Chat.text", "SayToSpectators.text", "SpectatorChat.text"],
    ),
    (
        Text(0, limits::NOTES_BYTES),
        &["Note.notes", "PutNotes.notes"],
    ),
    (
        Text(1, limits::ANNOUNCEMENT_CHARACTERS),
        &["PutUpNotice.text", "StartMaintenance.message"],
    ),
    (Text(0, limits::REPORT_CHARACTERS), &["NewReport.text"]),
    (Text(1, limits::TOKEN_NAME_CHARACTERS), &["NewToken.name"]),
    (
        Text(1, limits::PUSH_ENDPOINT_BYTES),
        &["AddPushDevice.endpoint"],
    ),
    (Form("^[A-Za-z0-9_-]{87}=?$"), &["AddPushDevice.p256dh"]),
    (Form("^[A-Za-z0-9_-]{22}(==)?$"), &["AddPushDevice.auth"]),
    (
        Form("^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"),
        &["AddPushDevice.language"],
    ),
    (
        Text(PASSWORD_CHARACTERS, limits::PASSWORD_BYTES),
        &["Password"],
    ),
    (
        Form(SETUP),
        &[
            "JudgeSetups.first",
            "JudgeSetups.second",
            "PutSetup.setup",
            "SaveSetup.setup",
            "SetUp.setup",
        ],
    ),
    (
        Form("^[a-z][0-9]{1,2}[a-z][0-9]{1,2}$"),
        &[
            "HintRequest.move",
            "Move.move",
            "MoveText",
            "PuzzleAttempt.moves/items",
            "ReviewTry.move",
        ],
    ),
    (
        Form("^([a-z][0-9]{1,2}[a-z][0-9]{1,2}|takeback)$"),
        &["JudgeRequest.moves/items"],
    ),
    (List(0, limits::JUDGED_MOVES), &["JudgeRequest.moves"]),
    (
        Text(0, limits::POSITION_CHARACTERS),
        &["CreateGame.start", "JudgeRequest.start"],
    ),
    (Text(0, limits::READ_CHARACTERS), &["ReadRequest.text"]),
    (Text(0, limits::POSITION_CHARACTERS), &["Analysis.start"]),
    (
        Text(0, limits::ANALYSIS_TITLE_CHARACTERS),
        &["Analysis.title"],
    ),
    (
        Text(0, limits::COMMENT_CHARACTERS),
        &["AnalysisNode.comment"],
    ),
    (List(1, limits::ANALYSIS_NODES), &["Analysis.nodes"]),
    (List(0, limits::ANALYSIS_SHAPES), &["AnalysisNode.shapes"]),
    (
        Form("^[a-z][0-9]{1,2}$"),
        &["AnalysisShape.from", "AnalysisShape.to"],
    ),
    (
        Number(1, limits::COMPUTER_LEVELS as i64),
        &["Computer.level", "CreateGame.computer", "Player.computer"],
    ),
    (Number(0, limits::INCREMENT_MS), &["Clock.increment_ms"]),
    (
        Number(limits::INITIAL_MS_LEAST, limits::INITIAL_MS),
        &["Clock.initial_ms"],
    ),
    (Number(0, limits::MAIN_MS), &["Clock.main_ms"]),
    (
        Number(limits::MOVE_MS_LEAST, limits::MOVE_MS),
        &["Clock.move_ms"],
    ),
    (
        Number(limits::PERIOD_MS_LEAST, limits::PERIOD_MS),
        &["Clock.period_ms"],
    ),
    (Number(1, limits::PERIODS), &["Clock.periods"]),
    (
        Number(limits::ABSENCE_MS_LEAST, limits::ABSENCE_MS),
        &["TimeControl.absence_ms"],
    ),
    (
        Number(limits::SETUP_MS_LEAST, limits::SETUP_MS),
        &["TimeControl.setup_ms"],
    ),
    (
        Number(0, limits::DELAY_MINUTES as i64),
        &["SpectatorDelay.minutes"],
    ),
    (
        Number(0, limits::DELAY_PLIES as i64),
        &["SpectatorDelay.plies"],
    ),
    (
        Number(1, limits::NOTICE_MINUTES as i64),
        &["PutUpNotice.minutes"],
    ),
    (Number(1, limits::TOKEN_DAYS as i64), &["NewToken.days"]),
    (List(1, SCOPES), &["NewToken.scopes"]),
    (
        Bound::RuleSet,
        &[
            "Analysis.ruleset",
            "AskSeek.ruleset",
            "CreateGame.ruleset",
            "JudgeRequest.ruleset",
            "QuickPair.ruleset",
            "ReadRequest.ruleset",
        ],
    ),
    (PoolTime, &["QuickPair.time"]),
];

/// The bounds, each with the parameters that it limits: of an operation (`operation?parameter`), or of every one that has it.
const PARAMETERS: Table = &[
    (Number(1, limits::PAGE_GAMES as i64), &["?limit"]),
    (Bound::RuleSet, &["?ruleset"]),
    (Kind, &["?game", "?kind"]),
    (Set, &["?set"]),
    (
        Text(0, limits::POSITION_CHARACTERS),
        &["?position", "getOpening?fen"],
    ),
    (Text(0, limits::MOVES_CHARACTERS), &["getOpening?moves"]),
    (
        Text(0, limits::LOOKED_UP_CHARACTERS),
        &["findPlayer?name", "searchPlayers?part"],
    ),
    (
        Number(1, limits::FOUND_PLAYERS as i64),
        &["searchPlayers?limit"],
    ),
    (
        Text(1, limits::SETUP_NAME_CHARACTERS),
        &["getSetup?name", "saveSetup?name", "deleteSetup?name"],
    ),
    (
        Number(
            limits::ANIMATION_SPEED_LEAST as i64,
            limits::ANIMATION_SPEED as i64,
        ),
        &["getGameAnimation?speed"],
    ),
    (
        Form("^-?[0-9]{1,19}-[0-9a-fA-F-]{32,36}$"),
        &["getLeaderboard?after"],
    ),
    (Form("^[0-9]{1,10}\\.[0-9]{1,10}$"), &["streamGame?since"]),
    (
        Form("^[0-9a-z]{8}$"),
        &["getPuzzle?id", "getPuzzlePreview?id", "tryPuzzle?id"],
    ),
];

/// Declares all of them. Returns what the tables name and the document does not have.
pub(super) fn declare(document: &mut Value) -> Vec<String> {
    let mut missing = Vec::new();
    if let Some(schemas) = super::schemas(document) {
        for (bound, name) in each(FIELDS) {
            let (schema, field) = name.split_once('.').unwrap_or((name, ""));
            let schema = schemas.get_mut(schema);
            if !schema.is_some_and(|schema| put_into(schema, field, bound)) {
                missing.push(name.to_owned());
            }
        }
        schemas.values_mut().for_each(put_of_types);
    }
    let mut found = HashSet::new();
    for (_, operation) in super::operations(document) {
        let id = operation.get("operationId").and_then(Value::as_str);
        let id = id.unwrap_or_default().to_owned();
        let parameters = operation.get_mut("parameters");
        let parameters = parameters.and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default();
            let (own, any) = (format!("{id}?{name}"), format!("?{name}"));
            let schema = &mut parameter["schema"];
            put_of_types(schema);
            // An id, of a game too, is no word.
            let is_id = schema.get("$ref").is_some();
            for (bound, limited) in each(PARAMETERS) {
                if limited == own || limited == any && !is_id {
                    put(schema, bound);
                    found.insert(limited);
                }
            }
        }
    }
    let unused = each(PARAMETERS).filter(|(_, limited)| !found.contains(limited));
    missing.extend(unused.map(|(_, limited)| limited.to_owned()));
    missing
}

/// Every name of a table with its bound.
fn each(table: Table) -> impl Iterator<Item = (Bound, &'static str)> {
    let names = table.iter().map(|(bound, names)| (*bound, names.iter()));
    names.flat_map(|(bound, names)| names.map(move |name| (bound, *name)))
}

/// Puts a bound on a field, in whichever of several forms of a schema it is.
fn put_into(schema: &mut Value, field: &str, bound: Bound) -> bool {
    if field.is_empty() {
        put(schema, bound);
        return true;
    }
    let mut found = false;
    if let Some(schema) = schema.pointer_mut(&format!("/properties/{field}")) {
        put(schema, bound);
        found = true;
    }
    let forms = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    for form in forms.into_iter().flatten() {
        found |= put_into(form, field, bound);
    }
    found
}

fn put(schema: &mut Value, bound: Bound) {
    // What may also be null stands in a list of forms.
    let forms = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    let inner = forms.and_then(|forms| forms.iter_mut().find(|form| form["type"] != "null"));
    if let Some(inner) = inner {
        return put(inner, bound);
    }
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    let words = |words: Vec<&str>| vec![("enum", json!(words))];
    let keywords = match bound {
        Bound::Text(least, most) => {
            vec![("minLength", json!(least)), ("maxLength", json!(most))]
        }
        Bound::Form(pattern) => vec![("pattern", json!(pattern))],
        Bound::Number(least, most) => vec![("minimum", json!(least)), ("maximum", json!(most))],
        Bound::List(least, most) => vec![("minItems", json!(least)), ("maxItems", json!(most))],
        Bound::RuleSet => words(RuleSet::ALL.iter().map(RuleSet::id).collect()),
        Bound::Kind => words(parts(|(kind, _)| kind)),
        Bound::Set => words(parts(|(_, set)| set)),
        Bound::PoolTime => words(pools::TIMES.iter().map(|(name, _, _)| *name).collect()),
    };
    for (keyword, value) in keywords {
        schema.insert(keyword.to_owned(), value);
    }
}

/// One part of the ids of all rule sets, each word once.
fn parts(part: fn((&'static str, &'static str)) -> &'static str) -> Vec<&'static str> {
    let ids = RuleSet::ALL.iter().map(RuleSet::id);
    let mut words: Vec<_> = ids.filter_map(|id| id.split_once('/').map(part)).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The limits that a type has by itself: `format` alone says less than a number without a sign can hold.
fn put_of_types(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.get("format").is_some_and(|format| format == "int32") {
                limit_type(object);
            }
            object.values_mut().for_each(put_of_types);
        }
        Value::Array(list) => list.iter_mut().for_each(put_of_types),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn limit_type(schema: &mut Map<String, Value>) {
    let unsigned = schema.get("minimum").and_then(Value::as_i64) == Some(0);
    let (least, most) = if unsigned {
        (0, i64::from(u32::MAX))
    } else {
        (i64::from(i32::MIN), i64::from(i32::MAX))
    };
    if unsigned {
        // Half of what `u32` holds is more than `int32` can.
        schema.insert("format".to_owned(), json!("int64"));
    }
    schema.entry("minimum").or_insert_with(|| json!(least));
    schema.entry("maximum").or_insert_with(|| json!(most));
}
