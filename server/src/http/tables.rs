//! What tables of endings say of a position.

use axum::{Json, extract::State};
use qiguan_engine::tables::{Endings, MOST_PIECES, Value};
use qiguan_protocol::{
    ending::{Ending, EndingMove, EndingValue},
    error::{ApiError, ErrorBody, ErrorCode},
    limits,
    query::TableQuery,
};
use qiguan_rules::{Game, RuleSet, Seat, doushouqi::Play};

use crate::{
    app::App,
    http::{
        error::Answered,
        extract::{Checked, Visitor},
        players::check_ruleset,
    },
};

/// What a position of Dou Shou Qi with at most 4 animals is worth, and each move in it, with best play by both sides.
///
/// Tables know no history: what has occurred in a game, and for how long nothing was captured, is not looked at.
#[utoipa::path(
    get, path = "/api/tables", operation_id = "getEnding", tag = "games", security((), ("token" = []), ("cookie" = [])), params(TableQuery),
    responses(
        (status = 200, description = "what the tables say", body = Ending),
        (status = 403, description = "the position stands in a running game between people", body = ErrorBody),
        (status = 404, description = "the table of this position is not made yet", body = ErrorBody),
    )
)]
pub async fn get(
    State(app): State<App>,
    Visitor(_): Visitor,
    Checked(which): Checked<TableQuery>,
) -> Answered<Ending> {
    limits::check_length("position", &which.position, limits::POSITION_CHARACTERS)?;
    let (ruleset, placement, play) = read(&which)?;
    let game = Game::DouShouQi(Box::new(play.clone()));
    app.services.check_not_running(&ruleset, &[&game]).await?;
    let endings = std::sync::Arc::clone(&app.endings);
    // The first to ask may have to make the small tables, and the others are read from the disk.
    let worked = app.reads.run(move || {
        let found = look_up(&endings, &ruleset, &play);
        found.map(|found| found.told(which.ruleset, placement, play.position().turn()))
    });
    let found = worked.await.ok_or_else(ApiError::internal)?;
    let found = found.ok_or_else(|| {
        let message = "the table of this position is not made yet";
        ApiError::new(ErrorCode::NotFound, message).field("position")
    })?;
    Ok(Json(found))
}

/// The position that is asked for, and its beginning as text.
///
/// # Errors
/// `unknown_ruleset`; `bad_value` for a rule set without tables, and for a position that is invalid, over, or has too many animals.
fn read(which: &TableQuery) -> Result<(RuleSet, String, Play), ApiError> {
    let ruleset = check_ruleset(&which.ruleset)?;
    if !Endings::RULE_SETS.contains(&ruleset.id()) {
        let message = format!("expected one of {}", Endings::RULE_SETS.join(", "));
        return Err(ApiError::bad_value("ruleset", message));
    }
    let bad = |message: String| ApiError::bad_value("position", message);
    let invalid = |error: qiguan_rules::PositionError| bad(error.to_string());
    let placement = ruleset.placement(&which.position).map_err(invalid)?;
    let game = Game::from_fen(&ruleset, &format!("{placement} - - 0 1")).map_err(invalid)?;
    let Game::DouShouQi(play) = game else {
        return Err(ApiError::internal());
    };
    let animals = play.position().of(Seat::First) | play.position().of(Seat::Second);
    if animals.count_ones() as usize > MOST_PIECES {
        return Err(bad(format!(
            "expected at most {MOST_PIECES} animals, both sides together"
        )));
    }
    if play.outcome().is_some() {
        return Err(bad(
            "expected a position in which the game is not over".to_owned()
        ));
    }
    Ok((ruleset, placement, *play))
}

/// What the tables know of a position.
struct TableAnswer {
    value: Value,
    moves: Vec<EndingMove>,
    line: Vec<qiguan_rules::Move>,
}

impl TableAnswer {
    fn told(self, ruleset: String, position: String, turn: Seat) -> Ending {
        let (value, plies) = told(self.value);
        Ending {
            ruleset,
            position,
            turn: turn.into(),
            value,
            plies,
            moves: self.moves,
            line: self.line.into_iter().map(Into::into).collect(),
        }
    }
}

fn look_up(endings: &Endings, ruleset: &RuleSet, play: &Play) -> Option<TableAnswer> {
    let tables = endings.of_ruleset(ruleset)?;
    tables.prepare_waiting();
    let value = tables.probe(play.position())?;
    let moves = tables.moves(play)?.into_iter().map(|(mv, value)| {
        let (value, plies) = told(value);
        EndingMove {
            text: mv.into(),
            value,
            plies,
        }
    });
    Some(TableAnswer {
        value,
        moves: moves.collect(),
        line: tables.line(play).unwrap_or_default(),
    })
}

const fn told(value: Value) -> (EndingValue, Option<u8>) {
    match value {
        Value::Win(plies) => (EndingValue::Win, Some(plies)),
        Value::Draw => (EndingValue::Draw, None),
        Value::Loss(plies) => (EndingValue::Loss, Some(plies)),
    }
}
