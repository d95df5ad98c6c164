//! Seeking and accepting, the same over the socket and over HTTP: what is asked is checked, and the lobby's task answers. A command
//! that comes again is recognised before anything else, by the lobby or, after a restart, by the record.

use std::sync::Arc;

use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{CommandId, GameId, PlayerId, SeekId},
    lobby::{AskSeek, QuickPair, SeekState},
};

use crate::{
    accounts::identity::Identity,
    app::App,
    lobby::{
        hall::seek::{Refusal, Terms, Wish},
        handle::{Accepting, Call, Seeking},
        seeking, shown,
    },
    net::address::Group,
    room::{
        event::Body,
        hub::Services,
        knock::{self, Reply},
    },
    store::store::StoreError,
};

/// Who asks, and from where.
pub struct Asker {
    /// Who.
    pub who: Arc<Identity>,
    /// Where the request came from.
    pub address: Group,
    /// The connection; none over HTTP.
    pub peer: Option<u64>,
}

/// A seek on the board.
pub async fn seek(app: &App, asker: Asker, asked: &AskSeek, reply: Reply) {
    match seeking::on_board(asked) {
        Ok(wish) => place(app, asker, wish, asked.command, reply).await,
        Err(error) => reply.send(Err(error)),
    }
}

/// A place in a pool.
pub async fn quick_pair(app: &App, asker: Asker, asked: &QuickPair, reply: Reply) {
    match seeking::in_pool(asked) {
        Ok(wish) => place(app, asker, wish, asked.command, reply).await,
        Err(error) => reply.send(Err(error)),
    }
}

/// Accepts a seek.
pub async fn accept(app: &App, asker: Asker, seek: SeekId, command: CommandId, reply: Reply) {
    let terms = match app.lobby.terms(seek).await {
        Ok(Some(terms)) => terms,
        // Whether this command has accepted it before, the lobby knows.
        Ok(None) => {
            let again = Call::Again {
                player: asker.who.id,
                seek,
                command,
                reply,
            };
            return app.lobby.ask(again).await;
        }
        Err(error) => return reply.send(Err(error)),
    };
    match seeking::seeker(app.services(), &asker.who, asker.address, &terms).await {
        Ok(acceptor) => {
            let accepting = Accepting {
                seek,
                acceptor,
                command,
                reply,
            };
            app.lobby.ask(Call::Accept(Box::new(accepting))).await;
        }
        Err(error) => reply.send(Err(error)),
    }
}

async fn place(app: &App, asker: Asker, wish: Wish, command: CommandId, reply: Reply) {
    let services = app.services();
    let before = before(app, &asker, &wish, command).await;
    if let Some(before) = before.transpose() {
        return reply.send(before);
    }
    match seeking::seeker(services, &asker.who, asker.address, &wish.terms).await {
        Ok(seeker) => {
            let seeking = Seeking {
                seeker,
                wish,
                command,
                peer: asker.peer,
                reply,
            };
            app.lobby.ask(Call::Seek(Box::new(seeking))).await;
        }
        Err(error) => reply.send(Err(error)),
    }
}

/// What this command has led to before, if it has come before.
async fn before(
    app: &App,
    asker: &Asker,
    wish: &Wish,
    command: CommandId,
) -> Result<Option<Answer>, ApiError> {
    let player = asker.who.id;
    if let Some(before) = app.lobby.before(player, wish.clone(), command).await? {
        let (seek, fate) = before?;
        let state = shown::state(fate);
        return Ok(Some(Answer::Seek { seek, state }));
    }
    let services = app.services();
    let Some(game) = begun_by(services, player, command, &wish.terms).await? else {
        return Ok(None);
    };
    Ok(Some(Answer::Seek {
        seek: services.dice.seek_id(),
        state: SeekState::Paired { game },
    }))
}

/// The game that came of this command, as the record knows it.
async fn begun_by(
    services: &Services,
    player: PlayerId,
    command: CommandId,
    terms: &Terms,
) -> Result<Option<GameId>, ApiError> {
    let unreadable = |error: StoreError| {
        tracing::warn!(%error, "a player's command could not be looked up");
        knock::internal()
    };
    let store = &services.store;
    let found = store.game_created_by(player, command).await;
    let Some(game) = found.map_err(unreadable)? else {
        return Ok(None);
    };
    let record = store.game(game).await.map_err(unreadable)?;
    let first = record.and_then(|record| record.events.into_iter().next());
    let Some(Body::Created(created)) = first.map(|event| event.body) else {
        return Err(knock::parked());
    };
    let before = Terms {
        ruleset: created.ruleset,
        options: created.options,
        time_control: created.time_control,
        rated: created.rated,
        spectator_delay: created.spectator_delay,
    };
    if before == *terms {
        Ok(Some(game))
    } else {
        Err(Refusal::Conflict.into())
    }
}
