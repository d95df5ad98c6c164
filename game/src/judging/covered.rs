//! Judging positions of Luzhanqi in which pieces are covered: what some piece could do is legal, and who asks says how attacks ended.

use qiguan_protocol::{
    judging::{JudgeRequest, Judgement, PossibleAttack},
    setup::Removed,
};
use qiguan_rules::{
    Move,
    luzhanqi::{Covered, CoveredError, attack, board},
    ruleset::Options,
};

use super::{Fault, FaultKind, judged::Refused, named, no_move, removed_by_each, set_options};

/// The position that a game begins with if pieces of it are covered; none if it begins otherwise.
pub(super) fn start(request: &JudgeRequest) -> Result<Option<Covered>, Fault> {
    let start = request
        .start
        .as_deref()
        .filter(|fen| Covered::is_meant(fen));
    let (Some(start), None) = (start, &request.setups) else {
        return Ok(None);
    };
    let mut ruleset = named(request)?;
    set_options(&mut ruleset, request)?;
    let options = match ruleset.options() {
        Options::Luzhanqi(options) => options,
        Options::DouShouQi(_) | Options::Xiangqi(_) => return Ok(None),
    };
    Covered::from_fen(options, start)
        .map(Some)
        .map_err(|error| Fault::new(FaultKind::BadPosition, "start", error.to_string()))
}

/// Plays a game from a position with covered pieces; none if it begins otherwise.
pub(super) fn play(request: &JudgeRequest) -> Result<Option<Covered>, Fault> {
    let Some(mut position) = start(request)? else {
        return Ok(None);
    };
    let removed_by = removed_by_each(request)?;
    for (index, text) in request.moves.iter().enumerate() {
        let removed = removed_by.get(index).copied().flatten();
        play_move(&mut position, text, removed).map_err(|refused| {
            let field = if refused.is_of_removed {
                "removed"
            } else {
                "moves"
            };
            Fault {
                ply: Some(index + 1),
                ..Fault::new(refused.kind, format!("{field}[{index}]"), refused.message)
            }
        })?;
    }
    Ok(Some(position))
}

/// Plays a move that somebody has written, and answers who is removed. `removed` says how an attack ends.
pub(super) fn play_move(
    position: &mut Covered,
    text: &str,
    removed: Option<Removed>,
) -> Result<Option<Removed>, Refused> {
    let mv = text.parse::<Move>().ok().filter(|mv| is_on_board(*mv));
    let mv = mv.ok_or_else(|| Refused::from(no_move(text)))?;
    let played = position.play(mv, removed.map(Into::into));
    let played = played.map(|removed| removed.map(Into::into));
    played.map_err(|error| match error {
        CoveredError::GameOver => Refused::from((FaultKind::GameOver, error.to_string())),
        CoveredError::Illegal => Refused::from((FaultKind::IllegalMove, format!("{mv}: {error}"))),
        CoveredError::Ambiguous | CoveredError::Impossible => Refused {
            kind: FaultKind::BadRequest,
            is_of_removed: true,
            message: format!("{mv}: {error}; {}", allowed(&position.outcomes(mv))),
        },
    })
}

/// What `removed` may say of a move.
fn allowed(outcomes: &[attack::Removed]) -> String {
    let words: Vec<_> = outcomes.iter().map(|removed| removed.as_str()).collect();
    if words.is_empty() {
        "it is no attack: expected nobody".to_owned()
    } else {
        format!("expected {}", words.join(" or "))
    }
}

/// What the rules say of it.
pub(super) fn judgement(position: &Covered) -> Judgement {
    let moves = position.legal_moves();
    let mut legal: Vec<_> = moves.iter().map(|mv| (*mv).into()).collect();
    legal.sort_unstable();
    let attacks = moves.iter().filter_map(|mv| {
        let removed = position.outcomes(*mv);
        (!removed.is_empty()).then(|| PossibleAttack {
            text: (*mv).into(),
            removed: removed.into_iter().map(Into::into).collect(),
        })
    });
    let mut attacks: Vec<_> = attacks.collect();
    attacks.sort_unstable_by_key(|attack| attack.text);
    Judgement {
        fen: position.fen(),
        turn: position.turn().into(),
        check: false,
        legal,
        banned: Vec::new(),
        outcome: position.outcome().map(Into::into),
        views: None,
        attacks: Some(attacks),
    }
}

/// Whether both squares of a move are on the board.
pub(super) fn is_on_board(mv: Move) -> bool {
    board::index(mv.from).is_some() && board::index(mv.to).is_some()
}
