//! Changes of what is stored of a game already: a name that leaves it, chat that is cleared.

use qiguan_protocol::ids::GameId;

use crate::{
    db::{Db, Failed, sql},
    game_events::{corrupt, hold, of},
    packed_games::{PackedGame, THROUGH},
    sql::CHANGE_BODY,
    stored::StoredEvent,
};

/// Replaces the texts of a game's events for which `change` comes up with another, at most so many, packed or not. Comes back with how
/// many were replaced. A game that can't be read stays as it is: `verify` reports it.
pub(crate) async fn rewrite(
    db: &mut Db,
    game: GameId,
    most: u32,
    change: impl Fn(&StoredEvent) -> Option<String> + Send,
) -> Result<u32, Failed> {
    hold(db, game).await?;
    let Ok(mut events) = of(db, game).await? else {
        return Ok(0);
    };
    let through = db.value(sql(THROUGH).bind(game)).await?.unwrap_or(0);
    let (mut changed, mut is_packed_anew) = (0, false);
    for event in &mut events {
        if changed == most {
            break;
        }
        let Some(body) = change(event) else {
            continue;
        };
        changed += 1;
        if i64::from(event.seq.0) <= through {
            is_packed_anew = true;
        } else {
            let change = sql(CHANGE_BODY).bind(body.clone()).bind(game);
            db.execute(change.bind(event.seq)).await?;
        }
        event.body = body;
    }
    if is_packed_anew {
        events.truncate(usize::try_from(through).unwrap_or_default());
        let packed = PackedGame::of(game, &events).map_err(|error| corrupt(game.0, &error))?;
        packed.keep(db, game).await?;
    }
    Ok(changed)
}
