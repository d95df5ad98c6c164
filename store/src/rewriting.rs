//! Changes of what is stored of a game already: a name that leaves it, chat that is cleared.

use qiguan_protocol::ids::GameId;

use crate::{
    db::{Db, Failed, sql},
    game_events::{GameEvents, corrupt, hold, of},
    packed_games::PackedGame,
    sql::CHANGE_BODY,
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
    let mut changed = 0;
    for event in &mut packed {
        if changed < most
            && let Some(body) = change(event)
        {
            event.body = body;
            changed += 1;
        }
    }
    if changed > 0 {
        let packed = PackedGame::of(game, &packed).map_err(|error| corrupt(game.0, &error))?;
        packed.keep(db, game).await?;
    }
    for event in rows {
        if changed < most
            && let Some(body) = change(&event)
        {
            let change = sql(CHANGE_BODY).bind(body).bind(game).bind(event.seq);
            db.execute(change).await?;
            changed += 1;
        }
    }
    Ok(changed)
}
