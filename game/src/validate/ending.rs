//! How a record can end: what ends a game, what belongs to its end, and, after games with secret setups, that what is told
//! then is what was committed to.

use qiguan_protocol::{
    ids::{Epoch, Millis},
    names::Status,
};
use qiguan_rules::{EndReason, Outcome, Seat, Viewer, outcome::LENGTH_LIMIT};

use crate::{
    audience::snapshot::Snapshot,
    commitments::{self, Received, Shown},
    seat_drafts::Drafts,
    setups::SettingUp,
    state::State,
};

/// Whether a game can end so here.
pub(super) fn check_outcome(
    state: &State,
    outcome: Outcome,
    spent: Millis,
    by: Option<Seat>,
) -> Result<(), &'static str> {
    let Outcome { winner, reason } = outcome;
    let turn = state.game.turn();
    let playing = state.status == Status::Playing && state.setting_up().is_none();
    let so = match reason {
        EndReason::Den
        | EndReason::Elimination
        | EndReason::Flag
        | EndReason::NoMoves
        | EndReason::Checkmate
        | EndReason::Stalemate
        | EndReason::Repetition
        | EndReason::QuietLimit => playing && by.is_none() && state.game.outcome() == Some(outcome),
        // Games from before the limit that were still going on end by it, too, with the next move.
        EndReason::LengthLimit => {
            let long = state.game.plies() >= LENGTH_LIMIT && state.game.outcome().is_none();
            playing && by.is_none() && long && outcome == Outcome::LENGTH
        }
        // The rules go first: where they have ended the game, nothing else can.
        _ if state.status == Status::Playing && ended_by_rules(state) => false,
        EndReason::Resignation => playing && by.is_some() && winner == by.map(Seat::other),
        EndReason::Timeout => {
            let fallen = state.clock.left_after(turn, spent) == Some(Millis(0));
            playing && by.is_none() && fallen && winner == Some(turn.other())
        }
        EndReason::Agreement => {
            let accepts = |offer: Seat| by == Some(offer.other());
            playing && winner.is_none() && state.draw_offer.is_some_and(|open| accepts(open.seat))
        }
        EndReason::Abandonment => {
            let claims = state.created.time_control.absence_ms.is_some();
            playing && claims && by.is_some() && winner == by
        }
        EndReason::Adjudication => state.status == Status::Playing && by.is_none(),
        // By nobody at the board: it was a challenge that was declined, or a moderator has broken it off.
        EndReason::Aborted => winner.is_none() && (by.is_none() || state.game.plies() < 2),
    };
    if so {
        Ok(())
    } else {
        Err("the game can't end this way")
    }
}

/// Whether the rules have ended a game. A record from before the length limit may go on beyond it: only what was opened since then
/// says that it is bound by it.
pub(super) fn ended_by_rules(state: &State) -> bool {
    let too_long = state.created.bounded && state.game.plies() >= LENGTH_LIMIT;
    state.game.outcome().is_some() || too_long
}

/// Whether the next event has to show the setups.
pub(super) fn must_reveal(state: &State) -> bool {
    state.status == Status::Ended && state.setup.as_ref().is_some_and(SettingUp::hides)
}

/// Whether a record can stop here: what belongs to one transaction is there or not as a whole.
pub(super) fn check_end(state: &State) -> Result<(), &'static str> {
    if state.status == Status::Playing && ended_by_rules(state) {
        return Err("the game has ended by the rules, but the record does not end it");
    }
    if must_reveal(state) {
        return Err("the game has ended, and the setups are not shown");
    }
    let seated = state.players.first.is_some() && state.players.second.is_some();
    if state.status == Status::Open && seated {
        return Err("both seats are taken, and nothing has begun");
    }
    Ok(())
}

/// Whether what is told of a game with secret setups after its end is what was committed to.
pub(super) fn check_commitments(state: &State) -> Result<(), String> {
    let Some((_, at)) = state.ended.filter(|_| {
        let setup = state.setup.as_ref();
        setup.is_some_and(|setup| setup.revealed)
    }) else {
        return Ok(());
    };
    let snapshot = Snapshot::of_record(state.snapshot(), Drafts::default(), Epoch(0), at);
    let view = snapshot.view();
    let Some(setup) = view.setup else {
        return Ok(());
    };
    let (Some(commitments), Some(revealed), Some(outcome)) =
        (setup.commitments, setup.revealed, view.outcome)
    else {
        return Ok(());
    };
    let told = Received {
        ruleset: &state.ruleset,
        commitments: &commitments,
        revealed: &revealed,
        moves: &view.moves,
        plies_taken_back: view.takebacks.plies,
        shown: &[Shown {
            ply: view.position.ply,
            fen: view.position.fen,
            viewer: Viewer::Referee,
        }],
        outcome,
    };
    commitments::check(&told).map_err(|unfair| {
        let texts: Vec<_> = unfair.iter().map(ToString::to_string).collect();
        format!("not refereed fairly: {}", texts.join("; "))
    })
}
