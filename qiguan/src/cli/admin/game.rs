//! `qiguan admin game`: a game as the referee knows it.

use anyhow::Context;
use qiguan_client::text::{printable, say};
use qiguan_environment::Clock;
use qiguan_game::{
    audience::{overseer, snapshot::Snapshot},
    calendar,
    people::permission::{self, Permit, Who},
    state::State,
};
use qiguan_protocol::{
    ids::Millis,
    names::{Seat, Status},
    operation::Operation,
    overseeing::{ConnectionEvent, ConnectionEventKind, OverseenGame},
    view::GameView,
};
use qiguan_rules::EndReason;
use qiguan_store::store::Store;
use serde::de::DeserializeOwned;

use super::{GameArgs, audit_entry, told};

/// Prints a game, when the audit log has it on the disk.
///
/// # Errors
/// When there is no such game, the server refuses, or the record can't be read or written.
pub(super) async fn show(asked: &GameArgs) -> anyhow::Result<()> {
    let seen = seen(asked, "", Operation::SeeGame, in_record).await?;
    for line in lines(&seen) {
        say(&line)?;
    }
    Ok(())
}

/// What is to be seen of a game: by the server below this path, or from the record.
///
/// # Errors
/// When there is no such game, the server refuses, or the record can't be read or written.
pub(super) async fn seen<T: DeserializeOwned>(
    asked: &GameArgs,
    path: &str,
    operation: Operation,
    in_record: impl AsyncFnOnce(&Store, State, &Permit) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let game = asked.game;
    if let Some(server) = asked.place.server()? {
        return server
            .shows(&format!("/api/admin/games/{game}{path}"))
            .await;
    }
    let store = asked.place.records.open_existing().await?;
    let record = store.game(game).await?.context("no such game")?;
    let state = State::fold(game, record.events)?;
    let permit = permission::permit(Who::Operator, operation).map_err(told)?;
    let seen = in_record(store.as_ref(), state, &permit).await?;
    let noted = audit_entry(operation, String::new())?.to_game(game);
    store.add_audit_entries(vec![noted]).await?;
    store.close().await;
    Ok(seen)
}

async fn in_record(store: &Store, state: State, permit: &Permit) -> anyhow::Result<OverseenGame> {
    let (drafts, connections) = (
        store.drafts(state.id).await?,
        store.connections(state.id).await?,
    );
    let snapshot = Snapshot::of_record(state, drafts, store.epoch(), Clock::system().now());
    overseer::game(&snapshot, &connections, permit).map_err(told)
}

fn lines(seen: &OverseenGame) -> Vec<String> {
    let view = &seen.view;
    let name = |seat: Seat| {
        let player = match seat {
            Seat::First => &view.players.first,
            Seat::Second => &view.players.second,
        };
        let name = player.as_ref().map_or("nobody", |player| &player.name);
        printable(name)
    };
    let mut lines = vec![
        format!("{} {}", printable(&view.ruleset), status(view)),
        format!("{} first, {} second", name(Seat::First), name(Seat::Second)),
    ];
    if let Some(setups) = &seen.setups {
        lines.push(format!("setup of the first {}", printable(&setups.first)));
        lines.push(format!("setup of the second {}", printable(&setups.second)));
    }
    lines.push(format!("now {}", printable(&view.position.fen)));
    lines.extend(seen.moves.iter().map(|moved| {
        format!(
            "{} ply {} {} {}: after {} ms, spent {} ms, lag {} ms, away {}",
            calendar::stamp(moved.at),
            moved.ply,
            name(moved.seat),
            moved.text,
            moved.after_ms,
            moved.spent_ms,
            moved.lag_ms,
            away(moved.away_ms)
        )
    }));
    lines.extend(seen.turn.iter().map(|turn| {
        format!(
            "then {} to move: {} ms, away {}",
            name(turn.seat),
            turn.after_ms,
            away(turn.away_ms)
        )
    }));
    lines.extend(seen.connections.iter().map(|entry| {
        let who = entry.seat.map_or_else(|| "the server".into(), name);
        let at = calendar::stamp(entry.at);
        format!("{at} ply {} {who} {}", entry.ply, happened(entry))
    }));
    lines
}

fn status(view: &GameView) -> &'static str {
    match (view.status, view.outcome) {
        (_, Some(outcome)) => EndReason::from(outcome.reason).as_str(),
        (Status::Open, None) => "open",
        (Status::Playing | Status::Ended, None) => "being played",
    }
}

fn away(away: Option<Millis>) -> String {
    away.map_or_else(|| "not known".to_owned(), |away| format!("{away} ms"))
}

const fn happened(entry: &ConnectionEvent) -> &'static str {
    match entry.what {
        ConnectionEventKind::Connected => "connected",
        ConnectionEventKind::Disconnected => "disconnected",
        ConnectionEventKind::ServerStopped => "stopped",
        ConnectionEventKind::ServerStarted => "started",
        ConnectionEventKind::Cut => "logs no more of this game",
    }
}
