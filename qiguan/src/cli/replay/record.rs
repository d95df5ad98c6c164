//! A game read out of the record itself, with all that the referee knows of it.
//!
//! Access to the record gives access to every secret in it; no server ever shows a game like this.

use anyhow::Context;
use qiguan_client::address;
use qiguan_game::{
    audience::snapshot::Snapshot, event::Body, seat_drafts::Drafts, state::State,
    validate::telling::verify,
};
use qiguan_protocol::{
    catalog::Catalog,
    ids::Ply,
    view::{PositionAtPly, Positions},
};
use qiguan_rules::Viewer;

use super::Stored;
use crate::cli::records::RecordsArgs;

/// Reads a game.
///
/// # Errors
/// When the record can't be opened, or there is no such game in it, or it is damaged.
pub(super) async fn read(records: &RecordsArgs, game: &str) -> anyhow::Result<Stored> {
    let game = address::game_id(game)?;
    let store = records.open_existing().await?;
    let epoch = store.epoch();
    let record = store.game(game).await;
    store.close().await;
    let events = record?
        .with_context(|| format!("there is no game {game}"))?
        .events;
    let last = events.last().map(|event| event.at).unwrap_or_default();
    let over = events
        .iter()
        .any(|event| matches!(event.body, Body::Ended { .. }));
    let verified = over.then(|| verify(game, events.clone()));
    let state = State::fold(game, events).context(
        "the game is damaged; a server shows it up to there, and qiguan verify says more",
    )?;
    let positions = positions(&state)?;
    Ok(Stored {
        verified,
        review: None,
        positions,
        view: Snapshot::of_record(state, Drafts::default(), epoch, last).view(),
        catalog: Catalog::of_rules(),
    })
}

/// Every position as the referee sees it.
fn positions(state: &State) -> anyhow::Result<Positions> {
    let mut game = state.beginning();
    let mut positions = vec![PositionAtPly {
        ply: Ply(0),
        text: None,
        fen: game.view(Viewer::Referee).fen,
        check: game.in_check(),
    }];
    for (played, ply) in state.moves.iter().zip(1..) {
        let illegal = |error| anyhow::anyhow!("ply {ply} is illegal: {error:?}");
        game.play_recorded(played.mv).map_err(illegal)?;
        positions.push(PositionAtPly {
            ply: Ply(ply),
            text: Some(played.mv.into()),
            fen: game.view(Viewer::Referee).fen,
            check: game.in_check(),
        });
    }
    Ok(Positions {
        game: state.id,
        positions,
        next: None,
    })
}
