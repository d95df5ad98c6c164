use qiguan_store::stored::StoredEvent;

use super::*;

const HEADER: &str =
    r#"{"archive":"qiguan","version":1,"epoch":7,"status":"ended","ruleset":"xiangqi/standard"}"#;
const GAME: &str = r#"{"game":"01890000-0000-7000-8000-000000000003","events":[{"seq":1,"at":5,"command":"01890000-0000-7000-8000-000000000004","body":{"t":"created","ruleset":"doushouqi/booklet","options":[],"time_control":{"clock":{"type":"none"}},"visibility":"public","seat":1,"player":"01890000-0000-7000-8000-000000000001","name":"Sly Pangolin 4071"}},{"seq":2,"at":6,"body":{"t":"chat","seat":1,"text":"好棋"}}],"papers":[{"seat":"second","kind":"notes","text":"x"}]}"#;
const PLAYER: &str = r#"{"player":"01890000-0000-7000-8000-000000000001","name":"Sly Pangolin 4071","created_at":3,"tokens":[{"sha256":"0101010101010101010101010101010101010101010101010101010101010101","created_at":4}],"setups":[{"name":"阵","setup":"DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX"}]}"#;
const SOLVER: &str = r#"{"player":"01890000-0000-7000-8000-000000000001","name":"Sly Pangolin 4071","created_at":3,"puzzles":{"tried":[{"puzzle":"abcd2345","ruleset":"xiangqi/standard","at":5,"result":"found","before":1000000,"after":940000}],"ratings":[{"ruleset":"xiangqi/standard","rating":940000,"deviation":250000,"volatility":60000000,"tried":1,"solved":0,"streak":0,"best":0,"at":5}],"days":{"day":20783,"days":1,"best":2}}}"#;
const ACCOUNT: &str = r#"{"player":"01890000-0000-7000-8000-000000000001","name":"棋手王","created_at":3,"account":{"role":"moderator","password":"$argon2id$v=19$m=8,t=1,p=1$AAAA$BBBB","registered_at":4,"banned":[9,"rude"],"keys":["棋手王"]},"tokens":[{"sha256":"0101010101010101010101010101010101010101010101010101010101010101","created_at":4,"last_seen_at":5,"expires_at":6,"agent":"Firefox"},{"sha256":"0202020202020202020202020202020202020202020202020202020202020202","created_at":4,"program":["my bot",["read","play"]]}]}"#;
const MODERATED: &str = r#"{"player":"01890000-0000-7000-8000-000000000001","name":"棋手王","created_at":3,"account":{"role":"player","password":"$argon2id$v=19$m=8,t=1,p=1$AAAA$BBBB","registered_at":4,"muted":[9,"rude"],"limited_at":10,"renamed_at":11,"keys":["棋手王"]}}"#;
const DELETED: &str = r#"{"player":"01890000-0000-7000-8000-000000000001","name":"(deleted)","created_at":3,"account":{"role":"player","registered_at":4,"deleted_at":8,"withdrawn_at":9,"keys":["棋手王"]}}"#;
const EVERYTHING: &str =
    r#"{"archive":"qiguan","version":2,"epoch":7,"heartbeat":9,"everything":true}"#;
const WITH_ACTS: &str =
    r#"{"archive":"qiguan","version":3,"epoch":7,"heartbeat":9,"everything":true}"#;
const WITH_ORDER: &str =
    r#"{"archive":"qiguan","version":4,"epoch":7,"heartbeat":9,"everything":true}"#;
const BLOCK: &str = r#"{"block":"01890000-0000-7000-8000-000000000001","blocked":"01890000-0000-7000-8000-000000000002","at":5}"#;
const REPORT: &str = r#"{"report":"01890000-0000-7000-8000-000000000007","at":5,"by":"01890000-0000-7000-8000-000000000001","of":"01890000-0000-7000-8000-000000000002","about":"01890000-0000-7000-8000-000000000003","seq":4,"reason":"chat","text":"棋","closed":[6,"01890000-0000-7000-8000-000000000009"]}"#;
const CLOSED: &str = r#"{"report":"01890000-0000-7000-8000-000000000007","at":5,"by":"01890000-0000-7000-8000-000000000001","of":"01890000-0000-7000-8000-000000000002","reason":"chat","text":"棋","closed":[6,null],"outcome":"upheld"}"#;
const ACT: &str = r#"{"act":"01890000-0000-7000-8000-000000000008","at":5,"operation":"ban","by":"01890000-0000-7000-8000-000000000009","to":"01890000-0000-7000-8000-000000000001","reason":"rude","details":"for good"}"#;
const OPERATOR: &str = r#"{"act":"01890000-0000-7000-8000-000000000008","at":5,"operation":"restore","about":"01890000-0000-7000-8000-000000000003"}"#;
const SAID: &str = r#"{"said":"01890000-0000-7000-8000-000000000003","number":2,"at":5,"by":"01890000-0000-7000-8000-000000000001","command":"01890000-0000-7000-8000-000000000004","text":"好棋"}"#;
const WITH_SAID: &str =
    r#"{"archive":"qiguan","version":5,"epoch":7,"heartbeat":9,"everything":true}"#;
const WITH_ATTENDANCE: &str =
    r#"{"archive":"qiguan","version":6,"epoch":7,"heartbeat":9,"everything":true}"#;
const CONNECTIONS: &str = r#"{"attendance":"01890000-0000-7000-8000-000000000003","entries":[{"at":5,"what":"first_connected","ply":0},{"at":6,"what":"second_disconnected","ply":12},{"at":7,"what":"server_stopped"},{"at":8,"what":"server_started"},{"at":9,"what":"cut","ply":13}]}"#;
const ANALYSIS: &str = r#"{"analysis":"01890000-0000-4000-8000-000000000005","by":"01890000-0000-7000-8000-000000000001","at":5,"content":{"ruleset":"luzhanqi/referee","options":{"quiet_limit":60},"start":"x","title":"阵","game":"01890000-0000-7000-8000-000000000003","at":2,"nodes":[{"comment":"\n"},{"move":"a6a7","removed":"both"},{"after":0,"move":"b6b7","shapes":[{"from":"a1","colour":"green"},{"from":"a1","to":"b2","colour":"red"}]}]}}"#;
const WITH_STARTS: &str =
    r#"{"archive":"qiguan","version":12,"epoch":7,"heartbeat":9,"everything":true}"#;
const GIVEN_START: &str = r#"{"game":"01890000-0000-7000-8000-000000000003","events":[{"seq":1,"at":5,"command":"01890000-0000-7000-8000-000000000004","body":{"t":"created","ruleset":"xiangqi/standard","options":[],"time_control":{"clock":{"type":"none"}},"visibility":"link","seat":1,"player":"01890000-0000-7000-8000-000000000001","name":"Meng","start":"4k4/9/9/9/9/9/9/1R7/R8/3K5 b - - 0 1","bounded":true}}]}"#;
const RATINGS: &str = r#"{"ratings":"xiangqi/standard","player":"01890000-0000-7000-8000-000000000001","changes":[{"number":1,"at":5,"game":"01890000-0000-7000-8000-000000000003","played":{"opponent":"01890000-0000-7000-8000-000000000002","seat":"second","score":"drawn","counts":false},"before":1500000,"rating":1500000,"deviation":350000,"volatility":60000000},{"number":2,"at":6,"game":"01890000-0000-7000-8000-000000000003","before":1500000,"rating":1500000,"deviation":350000,"volatility":60000000}]}"#;
const WITHDRAWAL: &str = r#"{"withdrawal":"01890000-0000-7000-8000-000000000003","ruleset":"xiangqi/standard","at":6,"by":"01890000-0000-7000-8000-000000000009","reason":"helped"}"#;
const END: &str = r#"{"end":{"players":1,"games":2}}"#;
const LONG_END: &str = r#"{"end":{"players":1,"games":2,"ratings":3,"withdrawals":4}}"#;

/// Writes a line that was read.
fn written(line: &ArchiveLine) -> Vec<u8> {
    let mut text = write(line).unwrap();
    assert_eq!(text.pop(), Some(b'\n'));
    text
}

/// What has been written once is read for ever: lines are added here, never changed.
#[test]
fn every_line_that_was_ever_written_reads_and_is_written_the_same() {
    for text in [
        HEADER,
        EVERYTHING,
        WITH_ACTS,
        WITH_ORDER,
        WITH_SAID,
        SAID,
        WITH_ATTENDANCE,
        CONNECTIONS,
        ANALYSIS,
        WITH_STARTS,
        GIVEN_START,
        GAME,
        PLAYER,
        SOLVER,
        ACCOUNT,
        MODERATED,
        DELETED,
        BLOCK,
        REPORT,
        CLOSED,
        ACT,
        OPERATOR,
        RATINGS,
        WITHDRAWAL,
        END,
        LONG_END,
    ] {
        let line = read(text.as_bytes()).unwrap().unwrap();
        assert_eq!(String::from_utf8(written(&line)).unwrap(), text);
    }
}

#[test]
fn a_line_that_is_none_is_told_with_its_field() {
    let replaced = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    for (text, field, what) in [
        ("{}".to_owned(), "", "first field"),
        ("[1]".to_owned(), "", "first field"),
        ("\u{1f600}".to_owned(), "", "first field"),
        (HEADER[..40].to_owned(), "", "EOF"),
        (
            replaced(HEADER, ":1,", ":13,"),
            "version",
            "versions 1 to 12",
        ),
        (
            replaced(HEADER, "qiguan", "chess"),
            "archive",
            "unknown variant",
        ),
        (
            replaced(HEADER, "\"ended\"", "\"over\""),
            "status",
            "unknown variant",
        ),
        (
            replaced(GAME, "\"at\":6,", ""),
            "events[1]",
            "missing field",
        ),
        (
            replaced(GAME, "\"at\":6,", "\"at\":6,\"at\":6,"),
            "events[1]",
            "duplicate field",
        ),
        (
            replaced(GAME, "\"seq\":2", "\"seq\":-2"),
            "events[1].seq",
            "invalid value",
        ),
        (
            replaced(GAME, "\"t\":\"chat\"", "\"t\":\"sing\""),
            "events[1].body",
            "unknown variant",
        ),
        (
            replaced(GAME, "\"papers\"", "\"letters\""),
            "",
            "unknown field",
        ),
        (
            replaced(GAME, "\"second\"", "\"third\""),
            "papers[0].seat",
            "unknown variant",
        ),
        (
            replaced(PLAYER, "0101", "010x"),
            "tokens[0].sha256",
            "hexadecimal",
        ),
        (
            replaced(CONNECTIONS, "second_disconnected", "vanished"),
            "entries[1].what",
            "first_connected",
        ),
        (
            replaced(RATINGS, "\"drawn\"", "\"even\""),
            "changes[0].played.score",
            "unknown variant",
        ),
        (
            format!("{}[]}}", &RATINGS[..RATINGS.find('[').unwrap()]),
            "changes",
            "1 to 1000",
        ),
        (replaced(END, "2", "null"), "end.games", "invalid type"),
    ] {
        let error = read(text.as_bytes()).expect_err(&text);
        assert!(
            error.field.starts_with(field) && error.what.contains(what),
            "{text}: {error:?}"
        );
    }
}

#[test]
fn blank_lines_say_nothing_and_spaces_are_no_matter() {
    assert!(read(b" \r\n").unwrap().is_none());
    let spaced = format!(" {} \r\n", END.replace(':', " : ").replace('{', "{ "));
    let Some(ArchiveLine::End(end)) = read(spaced.as_bytes()).unwrap() else {
        panic!("no end");
    };
    assert_eq!((end.of(Kind::Players), end.of(Kind::Games)), (1, 2));
}

#[test]
fn a_stored_body_that_is_no_json_is_damage_and_not_a_broken_archive() {
    for body in ["", "{", "{\"t\":\n\"chat\"}", "{} {}"] {
        let event = StoredEvent {
            seq: Seq(1),
            at: Millis(1),
            command: None,
            body: body.to_owned(),
        };
        let stored = StoredGame {
            game: GameId(uuid::Uuid::nil()),
            line: None,
            events: Ok(vec![event]),
        };
        let error = game(stored, Vec::new()).unwrap_err();
        assert_eq!(error.field, "events[0].body", "{body:?}");
    }
}
