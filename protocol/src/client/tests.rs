use super::*;
use crate::ids::Ply;

const IDS: &str = r#""game":"01890000-0000-7000-8000-000000000001","command":"01890000-0000-7000-8000-000000000002""#;

const COMMAND: &str = r#""command":"01890000-0000-7000-8000-000000000002""#;
const SEEK: &str = r#""seek":"01890000-0000-7000-8000-000000000003""#;

fn refusal(text: &str) -> (Option<RequestId>, ApiError) {
    let (id, request) = Request::decode(text);
    (id, request.err().expect("this message should be refused"))
}

#[test]
fn a_move_is_decoded() {
    let text = format!(r#"{{"id":7,"type":"move","data":{{{IDS},"ply":3,"move":"a3a4"}}}}"#);
    let (id, request) = Request::decode(&text);
    assert_eq!(id, Some(RequestId(7)));
    let Ok(Request::Game(GameCommand::Move(data))) = request else {
        panic!("not a move")
    };
    assert_eq!((data.ply, data.text.as_str()), (Ply(3), "a3a4"));
}

#[test]
fn every_type_of_command_decodes_and_names_itself() {
    for kind in GameCommand::TYPES {
        let extra = match *kind {
            "move" => r#","ply":1,"move":"a3a4""#,
            "accept_draw" | "decline_draw" | "accept_takeback" | "decline_takeback" => {
                r#","offer":9"#
            }
            "chat" => r#","text":"hello""#,
            _ => "",
        };
        let text = format!(r#"{{"id":1,"type":"{kind}","data":{{{IDS}{extra}}}}}"#);
        let (_, Ok(Request::Game(command))) = Request::decode(&text) else {
            panic!("{kind} is refused")
        };
        assert_eq!(command.type_name(), *kind);
        let again = serde_json::to_value(&command).unwrap();
        assert_eq!(again["type"], *kind);
    }
}

#[test]
fn what_is_not_of_the_documented_shape_is_refused_with_its_id() {
    let unknown_field = format!(r#"{{"id":1,"type":"resign","data":{{{IDS},"seat":"first"}}}}"#);
    let wrong_type =
        format!(r#"{{"id":2,"type":"move","data":{{{IDS},"ply":"3","move":"a3a4"}}}}"#);
    for (text, id, code) in [
        ("", None, ErrorCode::BadRequest),
        ("null", None, ErrorCode::BadRequest),
        (r#"{"id":5"#, None, ErrorCode::BadRequest),
        (
            r#"{"id":5,"type":"ping","extra":1}"#,
            Some(5),
            ErrorCode::BadRequest,
        ),
        (
            r#"{"id":5,"id":6,"type":"ping"}"#,
            None,
            ErrorCode::BadRequest,
        ),
        (r#"{"id":-5,"type":"ping"}"#, None, ErrorCode::BadRequest),
        (r#"{"id":5,"type":"fly"}"#, Some(5), ErrorCode::UnknownType),
        (
            r#"{"id":5,"type":"resign"}"#,
            Some(5),
            ErrorCode::BadRequest,
        ),
        (&unknown_field, Some(1), ErrorCode::BadRequest),
        (&wrong_type, Some(2), ErrorCode::BadRequest),
    ] {
        let (found, error) = refusal(text);
        assert_eq!((found, error.code), (id.map(RequestId), code), "{text}");
    }
}

/// Every text that comes from another by putting an array, the values of an object in their order, in its place.
fn with_arrays_for_objects(value: &serde_json::Value) -> Vec<(String, serde_json::Value)> {
    let serde_json::Value::Object(fields) = value else {
        return Vec::new();
    };
    let mut changed = vec![(String::new(), fields.values().cloned().collect())];
    for (name, field) in fields {
        for (path, within) in with_arrays_for_objects(field) {
            let mut whole = value.clone();
            whole[name] = within;
            let path = if path.is_empty() {
                name.clone()
            } else {
                format!("{name}.{path}")
            };
            changed.push((path, whole));
        }
    }
    changed
}

#[test]
fn an_array_in_place_of_an_object_is_refused_with_its_field() {
    let create = r#""command":"01890000-0000-7000-8000-000000000002","ruleset":"xiangqi/standard","options":{"quiet_limit":0},
        "time_control":{"clock":{"type":"fischer","initial_ms":300000,"increment_ms":3000}},
        "spectator_delay":{"plies":3}"#;
    let game = r#""game":"01890000-0000-7000-8000-000000000001""#;
    let mut tried = 0;
    for (kind, data) in [
        ("hello", r#""token":"qg_x""#.to_owned()),
        ("guest", String::new()),
        ("ping", String::new()),
        ("create_game", create.to_owned()),
        ("watch", format!(r#"{game},"since":{{"epoch":1,"seq":2}}"#)),
        ("unwatch", game.to_owned()),
        ("set_up", format!(r#"{game},"setup":"""#)),
        ("note", format!(r#"{game},"notes":"""#)),
        ("seek", format!("{create},\"rating\":{{\"min\":1}}")),
        (
            "quick_pair",
            format!(r#"{COMMAND},"ruleset":"xiangqi/standard","time":"5+3""#),
        ),
        ("accept_seek", format!("{COMMAND},{SEEK}")),
        ("cancel_seek", SEEK.to_owned()),
        ("enter_lobby", String::new()),
        ("join", IDS.to_owned()),
        ("move", format!(r#"{IDS},"ply":1,"move":"a3a4""#)),
        ("accept_draw", format!(r#"{IDS},"offer":4"#)),
        ("chat", format!(r#"{IDS},"text":"hello""#)),
        ("spectator_chat", format!(r#"{IDS},"text":"hello""#)),
    ] {
        let text = format!(r#"{{"id":9,"type":"{kind}","data":{{{data}}}}}"#);
        assert!(Request::decode(&text).1.is_ok(), "{text}");
        let value = serde_json::from_str(&text).unwrap();
        for (path, changed) in with_arrays_for_objects(&value) {
            // The envelope's fields in the order of their names, and in the order of the source.
            let mut texts = vec![changed.to_string()];
            if path.is_empty() {
                texts.push(format!(r#"[9,"{kind}",{{{data}}}]"#));
            }
            for text in texts {
                let (id, error) = refusal(&text);
                let field = path.strip_prefix("data.").unwrap_or(&path);
                assert_eq!(error.code, ErrorCode::BadRequest, "{text}");
                assert_eq!(error.field.as_deref().unwrap_or_default(), field, "{text}");
                assert_eq!(id.is_some(), !path.is_empty(), "{text}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 18 * 3 + 10);
}

#[test]
fn an_option_is_named_once_and_its_value_may_be_of_any_kind_until_the_rules_judge_it() {
    let read = |text: &str| serde_json::from_str::<AskedOptions>(text);
    let AskedOptions(options) =
        read(r#"{"a":true,"b":-7,"c":"both","d":1.5,"e":null,"f":[1],"g":1000000000000000000000000000000,"h":1e999,"i":{}}"#)
            .unwrap();
    let fits: Vec<_> = options.values().map(Option::is_some).collect();
    assert_eq!(
        fits,
        [true, true, true, false, false, false, false, false, false]
    );
    assert_eq!(options["b"], Some(OptionValue::Number(-7)));
    for text in [
        r#"{"a":1,"b":2,"a":1}"#,
        r#"{"a":1,"\u0061":1}"#,
        "[]",
        "null",
        "7",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn a_clock_takes_no_field_of_another() {
    let create = |clock: &str| {
        format!(
            r#"{{"id":1,"type":"create_game","data":{{"command":"01890000-0000-7000-8000-000000000002",
            "ruleset":"xiangqi/standard","time_control":{{"clock":{clock}}}}}}}"#
        )
    };
    assert!(Request::decode(&create(r#"{"type":"none"}"#)).1.is_ok());
    for clock in [
        r#"{"type":"none","move_ms":10000}"#,
        r#"{"type":"none","type":"none"}"#,
        r#"{"type":"per_move","move_ms":10000,"move_ms":10000}"#,
        r#"{"type":"per_move","move_ms":10000,"periods":1}"#,
    ] {
        let (_, error) = refusal(&create(clock));
        assert_eq!(
            error.field.as_deref(),
            Some("time_control.clock"),
            "{clock}"
        );
    }
}

#[test]
fn chat_lines_are_bounded_in_the_decoder() {
    for (line, fine) in [
        ("x".repeat(300), true),
        ("x".repeat(301), false),
        (String::new(), false),
        ("a\\u0007b".into(), false),
    ] {
        let text = format!(r#"{{"id":1,"type":"chat","data":{{{IDS},"text":"{line}"}}}}"#);
        assert_eq!(Request::decode(&text).1.is_ok(), fine, "{line}");
    }
}
