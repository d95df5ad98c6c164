//! Opening a game.

use qiguan_game::{
    event::{Body, Created, Player},
    opening,
    people::{computer::Computer, identity::Identity},
    record::Entry,
    refusal::Refusal,
};
use qiguan_protocol::{
    client::CreateGame,
    error::ApiError,
    ids::{CommandId, GameId},
    limits as protocol_limits,
    names::SeatChoice,
};
use qiguan_rules::{RuleSet, Seat};
use qiguan_store::{
    failpoints,
    store::{Append, AppendError, Running},
};

use crate::{
    admission::{self, Terms, limits, seating},
    lobby::{challenging, requests},
    net::{
        address::Group,
        opening_limits::{Challenge, Opener},
    },
    room::draw,
    services::{
        Services,
        budgets::{self, OpenedGame},
    },
    store_errors::FromRecords,
};

/// The cause that an opening is journaled under.
const CAUSE: &str = "create_game";

/// Opens a game for a player. With a command id that has opened one before, that one comes back.
///
/// # Errors
/// `unknown_ruleset`, `bad_option`, `bad_value`, `limit_reached`, `rate_limited`, `restarting`, `not_stored`.
pub async fn create(
    services: &Services,
    who: &Identity,
    from: Group,
    asked: CreateGame,
) -> Result<GameId, ApiError> {
    services.check_serving()?;
    let terms = Terms::checked(
        &asked.ruleset,
        &asked.options,
        asked.time_control,
        asked.rated,
        asked.spectator_delay,
    )?
    .from_position(asked.start.as_deref())?;
    let known = requests::known(services, who.id, asked.command).await?;
    if known.is_some() {
        return Err(Refusal::Conflict.into());
    }
    if let Some(game) = created_before(services, who, &terms, &asked).await? {
        return Ok(game);
    }
    let invited = invited(services, who, &asked).await?;
    let computer = invited
        .as_ref()
        .and_then(|invited| Computer::of(invited.id));
    match computer {
        Some(computer) => check_computer(services, who, &terms, computer, &asked)?,
        None if asked.practice => {
            let message =
                "practice games are played against a computer; name its level as `computer`";
            return Err(ApiError::bad_value("practice", message));
        }
        None => {}
    }
    admission::check_here(services, who.id).await?;
    admission::check(services, who, &terms).await?;
    let is_bot_invited = invited.as_ref().is_some_and(|invited| invited.bot);
    admission::check_bots(asked.rated, [who.is_bot(), is_bot_invited])?;
    let player = seating::seat(services, who, &asked.ruleset).await?;
    let seat = seating::chosen(services, asked.seat);
    let is_for_few = invited.is_some() || terms.start.is_some();
    let visibility = challenging::visibility(asked.visibility, is_for_few);
    let created = Created {
        practice: asked.practice,
        ..terms
            .clone()
            .created(visibility, seat, player, invited.clone())
    };
    // Kept until the room of the game is asked for.
    let drawn = services.place.draw(services.random, services.clock).await?;
    let game = drawn.game;
    let entries = opening_of(services, game, created, computer, asked.command)?;
    let append = Append {
        quotas: limits::new_game(services, who.id, invited.as_ref()),
        ..Append::new(CAUSE, entries)
    };
    let opener = Opener::at(who.id, from);
    let counted = take_limits(services, who, opener, from, invited.as_ref()).await?;
    failpoints::point("after_check", CAUSE);
    let line = append
        .entries
        .first()
        .and_then(|entry| entry.summary.clone());
    match services.journal.append(append).await {
        Ok(()) => {
            failpoints::point("before_answer", CAUSE);
            if let Some(computer) = computer {
                services.presence.began(Running {
                    game,
                    players: [who.id, computer.id()],
                    visibility,
                });
                services.wake(game);
            } else if let Some(line) = line {
                challenging::tell(services, who, &line);
            }
            Ok(game)
        }
        // The same command has got there first on another connection, or the answer of the database was lost.
        Err(AppendError::AlreadyCreated | AppendError::Unknown(_)) => {
            counted.is_put_back(services);
            created_before(services, who, &terms, &asked)
                .await?
                .ok_or_else(ApiError::not_stored)
        }
        Err(AppendError::UsedUp(quota)) => {
            counted.is_put_back(services);
            Err(limits::used_up(quota))
        }
        Err(
            AppendError::Refused(_)
            | AppendError::Conflict { .. }
            | AppendError::Forbidden
            | AppendError::Fenced,
        ) => Err(ApiError::not_stored()),
    }
}

/// What a game begins with: an open seat, or the computer that accepts at once.
fn opening_of(
    services: &Services,
    game: GameId,
    created: Created,
    computer: Option<Computer>,
    command: CommandId,
) -> Result<Vec<Entry>, ApiError> {
    let now = services.clock.now();
    let entries = match computer {
        None => opening::new_game(game, created, command, now),
        Some(computer) => {
            let draw = created.time_control.setup_ms;
            let draw = draw.map(|_| draw::draw(services.random)).transpose()?;
            opening::of_two(game, created, computer.player(), draw, Some(command), now)
        }
    };
    entries.map_err(|error| {
        tracing::error!(%error, "an opening does not fold");
        ApiError::internal()
    })
}

/// The player who is invited: by name, or a computer by its level.
async fn invited(
    services: &Services,
    who: &Identity,
    asked: &CreateGame,
) -> Result<Option<Player>, ApiError> {
    match (&asked.to, asked.computer) {
        (Some(name), None) => challenging::invited(services, who, name).await.map(Some),
        (None, Some(level)) => Ok(Some(computer(asked, level)?.player())),
        (None, None) => Ok(None),
        (Some(_), Some(_)) => {
            let message = "expected either `to` or `computer`";
            Err(ApiError::bad_value("computer", message))
        }
    }
}

/// The computer of a level for the rule set that is asked for.
fn computer(asked: &CreateGame, level: u8) -> Result<Computer, ApiError> {
    let ruleset = RuleSet::named(&asked.ruleset).ok();
    let computer = ruleset.and_then(|ruleset| Computer::for_game(&ruleset, level));
    computer.ok_or_else(|| ApiError::bad_value("computer", protocol_limits::computer_levels()))
}

/// Refuses a game that no computer plays, or one more than the player may have.
fn check_computer(
    services: &Services,
    who: &Identity,
    terms: &Terms,
    computer: Computer,
    asked: &CreateGame,
) -> Result<(), ApiError> {
    services.check_computers()?;
    let plays = RuleSet::named(&terms.ruleset).is_ok_and(|ruleset| computer.plays(&ruleset));
    if !plays {
        let message = format!("this computer plays {} alone", computer.game());
        return Err(ApiError::bad_value("to", message));
    }
    if asked.rated {
        let message = "games against computers can't be rated";
        return Err(ApiError::bad_value("rated", message));
    }
    limits::check_computer_games(services, who.id)
}

/// Takes a game, and a challenge if it is one, out of what may be opened in a span of time. Last of all checks, since it is taken.
async fn take_limits(
    services: &Services,
    who: &Identity,
    opener: Opener,
    from: Group,
    invited: Option<&Player>,
) -> Result<OpenedGame, ApiError> {
    let game = budgets::game(services, opener).await?;
    // Nobody is disturbed by challenging a computer.
    let people = invited.filter(|invited| Computer::of(invited.id).is_none());
    let Some(invited) = people else {
        return Ok(game);
    };
    let challenge = Challenge {
        by: who.id,
        is_guest: who.is_guest(),
        from,
        to: invited.id,
    };
    match budgets::challenge(services, challenge).await {
        Ok(()) => Ok(game),
        Err(refused) => {
            game.is_put_back(services);
            Err(refused)
        }
    }
}

/// The game that this command has opened before.
async fn created_before(
    services: &Services,
    who: &Identity,
    terms: &Terms,
    asked: &CreateGame,
) -> Result<Option<GameId>, ApiError> {
    let store = &services.store;
    let Some(game) = store
        .game_created_by(who.id, asked.command)
        .await
        .or_unreadable("a player's command")?
    else {
        return Ok(None);
    };
    let record = store.game(game).await.or_unreadable("a player's command")?;
    let first = record.and_then(|record| record.events.into_iter().next());
    let Some(Body::Created(before)) = first.map(|event| event.body) else {
        return Err(ApiError::parked());
    };
    let same_seat = match asked.seat {
        SeatChoice::First => before.seat == Seat::First,
        SeatChoice::Second => before.seat == Seat::Second,
        SeatChoice::Random => true,
    };
    let is_for_few = asked.to.is_some() || asked.computer.is_some() || terms.start.is_some();
    let same = same_seat
        && Terms::of(&before) == *terms
        && before.practice == asked.practice
        && before.visibility == challenging::visibility(asked.visibility, is_for_few);
    let same_player = match (&before.invited, &asked.to, asked.computer) {
        (Some(invited), Some(name), None) => {
            challenging::is_called(services, invited, name).await?
        }
        (Some(invited), None, Some(level)) => invited.id == computer(asked, level)?.id(),
        (None, None, None) => true,
        (Some(_), None, None) | (None, _, _) | (Some(_), Some(_), Some(_)) => false,
    };
    if same && same_player {
        Ok(Some(game))
    } else {
        Err(Refusal::Conflict.into())
    }
}
