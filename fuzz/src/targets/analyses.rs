//! An analysis that somebody sends is refused with its field and a reason, or nothing that it says is lost in reading it, and each line
//! of its tree is a game that the rules allow.

use qiguan_game::{analyses, judging};
use qiguan_protocol::{
    analysis::Analysis, error::ApiError, judging::JudgeRequest, move_text::MoveText, object,
    setup::Removed,
};
use qiguan_rules::luzhanqi::Covered;
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
        "\"removed\":\"defender\"",
        "\"start\":\"3f1/5/5/5/5/5/1gU2/5/5/5/5/1F3 w - - 0 1\"",
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
    let mut lines: Vec<Vec<Made>> = Vec::new();
    for (place, node) in analysis.nodes.iter().enumerate() {
        let Some(mv) = &node.mv else {
            assert_eq!(place, 0, "a node without a move");
            lines.push(Vec::new());
            continue;
        };
        let before = node.after.map_or(place - 1, |after| after as usize);
        assert!(before < place, "a line leads into itself");
        let line = [&lines[before][..], &[(mv.to_string(), node.removed)]].concat();
        assert!(!lines.contains(&line), "the same line twice: {line:?}");
        let possible = possible(&analysis, &line);
        assert!(possible.contains(&node.removed), "{line:?}: {possible:?}");
        lines.push(line);
    }
    assert!(
        analyses::looked_at(&analysis).is_some(),
        "nothing to look at"
    );
}

/// A move, and who is removed by it.
type Made = (String, Option<Removed>);

/// Who could be removed by the last move of a line.
fn possible(analysis: &Analysis, line: &[Made]) -> Vec<Option<Removed>> {
    let Some(((last, _), before)) = line.split_last() else {
        return Vec::new();
    };
    let is_covered = Covered::is_meant(&analysis.start);
    let told = before.iter().map(|(_, removed)| *removed).collect();
    let request = JudgeRequest {
        ruleset: analysis.ruleset.clone(),
        options: Some(analysis.options.clone()),
        start: Some(analysis.start.clone()),
        setups: None,
        moves: before.iter().map(|(mv, _)| mv.clone()).collect(),
        removed: is_covered.then_some(told),
    };
    if !is_covered {
        let mut game = match judging::play(&request) {
            Ok(game) => game,
            Err(fault) => panic!("{line:?}: {}", fault.message),
        };
        let played = last.parse().ok().and_then(|mv| game.play(mv).ok());
        return match played {
            Some(played) => vec![played.removed.map(Removed::from)],
            None => panic!("{line:?}: not played by the rules"),
        };
    }
    let judged = match judging::judge(&request) {
        Ok(judged) => judged,
        Err(fault) => panic!("{line:?}: {}", fault.message),
    };
    let is_last = |text: &MoveText| text.to_string() == *last;
    assert!(judged.legal.iter().any(is_last), "{line:?}: not legal");
    let attacks = judged.attacks.unwrap_or_default();
    let attack = attacks.iter().find(|attack| is_last(&attack.text));
    attack.map_or_else(
        || vec![None],
        |attack| attack.removed.iter().copied().map(Some).collect(),
    )
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
