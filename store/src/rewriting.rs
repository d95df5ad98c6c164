//! Changes of what is stored of a game already: a name that leaves it, chat that is cleared.

use qiguan_protocol::ids::GameId;

use crate::{
    db::{Db, Failed, sql},
    game_events::{GameEvents, corrupt, hold, of},
    packed_games::PackedGame,
    sql::{CHANGE_BODY, CHANGE_LOGGED_BODY},
    stored::StoredEvent,
};

/// Replaces the texts of a game's events for which `change` comes up with another, at most so many, packed or not. Comes back with how
/// many were replaced. What can't be read of the game stays as it is: `verify` reports it.
pub(crate) async fn rewrite(
    db: &mut Db,
    game: GameId,
    most: u32,
    change: impl Fn(&StoredEvent) -> Option<String> + Send,
) -> Result<u32, Failed> {
    hold(db, game).await?;
    let GameEvents {
        mut packed, rows, ..
    } = of(db, game).await?;
    let mut changed = Vec::new();
    for event in &mut packed {
        if changed.len() < most as usize
            && let Some(body) = change(event)
        {
            event.body.clone_from(&body);
            changed.push((event.seq, body));
        }
    }
    if !changed.is_empty() {
        let packed = PackedGame::of(game, &packed).map_err(|error| corrupt(game.0, &error))?;
        packed.keep(db, game).await?;
    }
    for event in rows {
        if changed.len() < most as usize
            && let Some(body) = change(&event)
        {
            let change = sql(CHANGE_BODY).bind(body.clone()).bind(game);
            db.execute(change.bind(event.seq)).await?;
            changed.push((event.seq, body));
        }
    }
    // What is packed is in the log too until that is cut.
    let logged = db.log().map_or_else(Vec::new, |log| log.rows_of(game.0));
    for (seq, body) in &changed {
        for row in logged.iter().filter(|row| row.seq == seq.0) {
            let change = sql(CHANGE_LOGGED_BODY).bind(body.clone()).bind(row.id);
            db.execute(change).await?;
        }
    }
    Ok(u32::try_from(changed.len()).unwrap_or(u32::MAX))
}
