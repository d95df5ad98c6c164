//! The game of two who have found each other: stored with both seats taken, or not at all.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use qiguan_environment::planted::{Fault, is_planted};
use qiguan_game::{event::Player, opening};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::GameId,
    names::{SeatChoice, Visibility},
};
use qiguan_store::{
    failpoints,
    store::{Append, AppendError, LobbyCommand, Running},
};

use crate::{
    admission::{self, limits, seating},
    lobby::{
        earlier_pairing,
        state::{
            matching::{Failure, Opening, Party},
            seek::{ACCEPTS, SeekTarget},
        },
        visiting::LOBBY,
    },
    net::opening_limits::Opener,
    room::draw,
    services::{
        Services,
        budgets::{self, OpenedGame},
    },
};

/// How long until a database is asked again what has become of a game, in milliseconds.
const ASK_AGAIN_MS: u64 = 250;

/// Games of strangers can be watched by everybody.
const VISIBILITY: Visibility = Visibility::Public;

/// Why there is no game.
#[derive(Debug)]
pub struct NotStarted {
    /// What the lobby does about it.
    pub failure: Failure,
    /// The answer to those waiting for it.
    pub error: ApiError,
}

/// Opens the game. When this comes back with one, it is on the disk, and its clock is watched. A panic on the way is contained.
///
/// # Errors
/// When it can't be stored, or one of the two may not play it any more.
pub async fn start(services: &Services, opening: &Opening) -> Result<GameId, NotStarted> {
    let drawn = services.place.draw(services.random, services.clock);
    let drawn = drawn.await.map_err(not_stored)?;
    let game = drawn.game;
    let started = AssertUnwindSafe(store(services, opening, game)).catch_unwind();
    if let Ok(result) = started.await {
        result?;
    } else {
        tracing::error!(%game, "opening a game panicked");
        if !is_stored(services, game).await {
            return Err(not_stored(ApiError::not_stored()));
        }
    }
    let players = [&opening.owner, &opening.other].map(|party| party.seeker.player());
    services.presence.began(Running {
        game,
        players,
        visibility: VISIBILITY,
    });
    services.wake(game);
    Ok(game)
}

fn not_stored(error: ApiError) -> NotStarted {
    NotStarted {
        failure: Failure::NotStored,
        error,
    }
}

async fn store(services: &Services, opening: &Opening, game: GameId) -> Result<(), NotStarted> {
    if services.is_draining() {
        return Err(not_stored(ApiError::restarting()));
    }
    // The next lobby looks for pairs in the record: this one does not go to another program before the game is there.
    let lobby = services.place.keep(LOBBY);
    let is_elsewhere = services.programs.can_be_asked() && lobby.is_none();
    if is_elsewhere && !is_planted(Fault::LobbyTwice) {
        // Another program has it by now, and does not know of this pair.
        return Err(not_stored(ApiError::not_stored()));
    }
    let terms = &opening.request.terms;
    let creator = seated(services, opening, &opening.owner).await?;
    let other = seated(services, opening, &opening.other).await?;
    let (seat, cause) = match &opening.request.place {
        SeekTarget::Board { seat, .. } => (*seat, "accept_seek"),
        SeekTarget::Pool(_) => (SeatChoice::Random, "quick_pair"),
    };
    let seat = seating::chosen(services, seat);
    let created = terms.clone().created(VISIBILITY, seat, creator, None);
    let draw = match terms.time_control.setup_ms {
        Some(_) => Some(draw::draw(services.random).map_err(not_stored)?),
        None => None,
    };
    let command = opening.owner.commands.first().copied();
    let now = services.clock.now();
    let entries = opening::of_two(game, created, other, draw, command, now);
    let entries = entries.map_err(|error| {
        tracing::error!(%error, "an opening does not fold");
        not_stored(ApiError::internal())
    })?;
    let parties = [&opening.owner, &opening.other];
    let quotas = parties.map(|party| limits::game(services, party.seeker.player()));
    let quotas = quotas.into_iter().flatten();
    let append = Append {
        commands: opening.commands(game),
        quotas: quotas.collect(),
        ..Append::new(cause, entries)
    };
    for party in parties {
        let paired = earlier_pairing::of(services, party.seeker.player(), None).await;
        if paired.map_err(not_stored)?.is_some() {
            let message = "you were paired in another game";
            return Err(unfit(party, ApiError::new(ErrorCode::Gone, message)));
        }
    }
    let mut counted = Vec::new();
    for party in parties {
        match budgets::game(services, opener(party)).await {
            Ok(game) => counted.push(game),
            Err(error) => {
                not_opened(services, counted);
                return Err(unfit(party, error));
            }
        }
    }
    failpoints::point("after_check", cause);
    let stored = append_game(services, append, game, opening).await;
    if let Err(not_stored) = stored {
        not_opened(services, counted);
        return Err(not_stored);
    }
    failpoints::point("before_answer", cause);
    Ok(())
}

/// One of the two players as the opener: the game counts against both limits.
fn opener(party: &Party) -> Opener {
    Opener::at(party.seeker.player(), party.seeker.address)
}

/// What was taken of these players' limits is theirs again.
fn not_opened(services: &Services, counted: Vec<OpenedGame>) {
    for game in counted {
        game.is_put_back(services);
    }
}

async fn append_game(
    services: &Services,
    append: Append,
    game: GameId,
    opening: &Opening,
) -> Result<(), NotStarted> {
    match services.journal.append(append).await {
        Ok(()) => Ok(()),
        Err(AppendError::AlreadyCreated) => {
            Err(unfit(used_before(services, opening).await, command_used()))
        }
        Err(AppendError::UsedUp(quota)) => {
            let player = quota.of.player();
            let party = [&opening.owner, &opening.other]
                .into_iter()
                .find(|party| party.seeker.player() == player);
            Err(unfit(
                party.unwrap_or(&opening.owner),
                limits::used_up(quota),
            ))
        }
        Err(AppendError::Unknown(_)) => {
            if is_stored(services, game).await {
                Ok(())
            } else {
                Err(not_stored(ApiError::not_stored()))
            }
        }
        Err(
            AppendError::Refused(_)
            | AppendError::Conflict { .. }
            | AppendError::Forbidden
            | AppendError::Fenced,
        ) => Err(not_stored(ApiError::not_stored())),
    }
}

/// One of the two as the game is to remember them, if they may still play.
async fn seated(
    services: &Services,
    opening: &Opening,
    party: &Party,
) -> Result<Player, NotStarted> {
    let terms = &opening.request.terms;
    let who = &party.seeker.who;
    let judge = |error: ApiError| match error.code {
        // The record could not be read: that says nothing about the player.
        ErrorCode::Internal | ErrorCode::Busy | ErrorCode::NotStored => NotStarted {
            failure: Failure::NotStored,
            error: ApiError::not_stored(),
        },
        _ => unfit(party, error),
    };
    admission::check_here(services, who.id)
        .await
        .map_err(judge)?;
    admission::check(services, who, terms)
        .await
        .map_err(judge)?;
    seating::seat(services, who, &terms.ruleset)
        .await
        .map_err(judge)
}

fn unfit(party: &Party, error: ApiError) -> NotStarted {
    NotStarted {
        failure: Failure::Unfit(party.seeker.player()),
        error,
    }
}

/// Whose command a game has come of already.
async fn used_before<'a>(services: &Services, opening: &'a Opening) -> &'a Party {
    let other = &opening.other;
    for command in &other.commands {
        let found = services
            .store
            .lobby_command(other.seeker.player(), *command);
        if matches!(found.await, Ok(Some(_))) {
            return other;
        }
    }
    &opening.owner
}

impl Opening {
    /// The commands of both, to be stored with the game that they have led to.
    fn commands(&self, game: GameId) -> Vec<LobbyCommand> {
        let parties = [&self.owner, &self.other].into_iter();
        let of = |party: &Party| {
            let seek = party.seek.or(self.owner.seek)?;
            let asked = match party.seek {
                Some(_) => self.request.asked(),
                None => ACCEPTS.to_owned(),
            };
            let player = party.seeker.player();
            let commands = party.commands.iter().map(move |command| LobbyCommand {
                player,
                command: *command,
                game,
                seek,
                asked: asked.clone(),
            });
            Some(commands.collect::<Vec<_>>())
        };
        parties.filter_map(of).flatten().collect()
    }
}

fn command_used() -> ApiError {
    ApiError::new(
        ErrorCode::Conflict,
        "this command id already opened another game; use a new one for each command",
    )
    .field("command")
}

/// Whether a game is in the record after all. Until that is known, nobody gets an answer, and nobody is released.
async fn is_stored(services: &Services, game: GameId) -> bool {
    loop {
        match services.store.game(game).await {
            Ok(record) => return record.is_some(),
            Err(error) => {
                tracing::warn!(%game, %error, "not known yet whether a game was stored");
                tokio::time::sleep(Duration::from_millis(ASK_AGAIN_MS)).await;
            }
        }
    }
}
