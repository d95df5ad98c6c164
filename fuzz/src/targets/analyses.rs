//! An analysis that somebody sends is refused with its field and a reason, or nothing that it says is lost in reading it, and each line
//! of its tree is a game that the rules allow.

use qiguan_game::{analyses, judging};
use qiguan_protocol::{
    analysis::Analysis, error::ApiError, judging::JudgeRequest, object, setup::Removed,
};
use serde_json::{Value, json};

use super::Target;
use crate::json::lost;

/// See the module.
pub const TARGET: Target = Target {
    name: "analyses",
    check: |input| holds(analyses::check, input),
    words: &[
        "\"ruleset\":",
        "\"options\":{\"quiet_limit\":0},",
        "\"start\":",
        "\"title\":",
        "\"at\":",
        "\"after\":",
        "\"after\":0,",
        "{\"move\":\"",
        "h3e3",
        "h10g8",
        "a3a4",
        "\"removed\":\"both\"",
        "\"comment\":\"",
        "\"shapes\":[{\"from\":\"a1\",\"colour\":\"red\"}]",
        "\"to\":\"b2\",",
        "},{",
        "[]",
        "{}",
        "null",
        "\\u202e",
        "-0",
    ],
};

type Check = fn(&Analysis) -> Result<(), ApiError>;

fn holds(check: Check, input: &[u8]) {
    let Ok(analysis) = object::from_slice::<Analysis>(input) else {
        return;
    };
    if let Err(error) = check(&analysis) {
        assert!(!error.message.is_empty(), "refused without a reason");
        assert!(error.field.is_some(), "refused without a field");
        return;
    }
    let said: Value = match serde_json::from_slice(input) {
        Ok(said) => said,
        Err(error) => panic!("what is no JSON was read: {error}"),
    };
    let written = json!(analysis);
    assert_eq!(lost(&said, &written), None, "lost in reading");
    let again = object::from_str::<Analysis>(&written.to_string());
    assert!(
        again.is_ok_and(|again| again == analysis),
        "what is written is read otherwise: {written}"
    );
    let mut lines: Vec<Vec<String>> = Vec::new();
    for (place, node) in analysis.nodes.iter().enumerate() {
        let Some(mv) = &node.mv else {
            assert_eq!(place, 0, "a node without a move");
            lines.push(Vec::new());
            continue;
        };
        let before = node.after.map_or(place - 1, |after| after as usize);
        assert!(before < place, "a line leads into itself");
        let line = [&lines[before][..], &[mv.to_string()]].concat();
        assert!(!lines.contains(&line), "the same line twice: {line:?}");
        assert_eq!(removed(&analysis, &line), node.removed, "{line:?}");
        lines.push(line);
    }
    assert!(
        analyses::looked_at(&analysis).is_some(),
        "nothing to look at"
    );
}

/// Who is removed by the last move of a line.
fn removed(analysis: &Analysis, line: &[String]) -> Option<Removed> {
    let (last, before) = line.split_last()?;
    let request = JudgeRequest {
        ruleset: analysis.ruleset.clone(),
        options: Some(analysis.options.clone()),
        start: Some(analysis.start.clone()),
        setups: None,
        moves: before.to_vec(),
    };
    let mut game = match judging::play(&request) {
        Ok(game) => game,
        Err(fault) => panic!("{line:?}: {}", fault.message),
    };
    let played = last.parse().ok().and_then(|mv| game.play(mv).ok());
    match played {
        Some(played) => played.removed.map(Removed::from),
        None => panic!("{line:?}: not played by the rules"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn an_analysis_whose_last_node_is_not_judged_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |analysis| {
                    let mut shorter = analysis.clone();
                    if shorter.nodes.len() > 1 {
                        shorter.nodes.pop();
                        shorter.at = 0;
                    }
                    analyses::check(&shorter)
                },
                input,
            );
        });
    }
}
