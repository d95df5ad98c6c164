//! Challenges: open games that one player alone may join.

use qiguan_game::{
    event::Player,
    people::{computer::Computer, identity::Identity, name_keys},
    record::GameSummary,
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, PlayerId},
    lobby::{LobbyNotice, LobbyNoticeKind},
    names::{Role, Status, Visibility},
    push::PushKind,
    view,
};
use qiguan_store::{
    accounts::AccountLookup,
    store::{CHALLENGES, GameFilter, StoreError},
};

use crate::{
    admission::{blocks, sanctions},
    lobby::{handle::Own, shown},
    services::{Services, push::Notice},
    store_errors::FromRecords,
};

/// How long a challenge is worth telling a device of that can't be reached.
const KEEP: Millis = Millis(86_400_000);

/// The player of this name, to be challenged by `who`.
///
/// # Errors
/// `needs_account`; `not_found`; `forbidden` for oneself; `blocked`; `busy` when the record can't be read.
pub async fn invited(services: &Services, who: &Identity, name: &str) -> Result<Player, ApiError> {
    let key = name_keys::key_of(name);
    let found = services.account(AccountLookup::Key(key)).await?;
    let computer = found.as_ref().and_then(|account| Computer::of(account.id));
    if let Some(computer) = computer {
        return Ok(computer.player());
    }
    if who.is_guest() && !services.guests_may_challenge {
        let message =
            "challenges by name require an account; open a game by link and send its address";
        return Err(ApiError::new(ErrorCode::NeedsAccount, message).field("to"));
    }
    let Some(account) = found else {
        let message = "no account has this name";
        return Err(ApiError::new(ErrorCode::NotFound, message).field("to"));
    };
    if account.id == who.id {
        let message = "you can't challenge yourself";
        return Err(ApiError::new(ErrorCode::Forbidden, message).field("to"));
    }
    blocks::check_pair(services, who.id, account.id).await?;
    Ok(Player {
        bot: account.role == Role::Bot,
        ..Player::named(account.id, account.name)
    })
}

/// Whether a player is meant by a name, as it is now or was when the player was challenged.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn is_called(services: &Services, player: &Player, name: &str) -> Result<bool, ApiError> {
    let key = name_keys::key_of(name);
    if key == name_keys::key_of(&player.name) {
        return Ok(true);
    }
    let found = services.account(AccountLookup::Key(key)).await?;
    Ok(found.is_some_and(|account| account.id == player.id))
}

/// Tells the player who is challenged, on every page and device of theirs.
pub fn tell(services: &Services, who: &Identity, game: &GameSummary) {
    let Some(invited) = &game.invited else {
        return;
    };
    let challenged = LobbyNotice {
        lobby: LobbyNoticeKind::Challenged {
            game: Box::new(shown::game(game)),
        },
    };
    services.sockets.tell_player(invited.id, &challenged);
    services.push.tell(Notice {
        player: invited.id,
        session: None,
        kind: PushKind::Challenge,
        game: game.game,
        opponent: who.name.clone(),
        ruleset: game.ruleset.clone(),
        at: game.created_at,
        keep: KEEP,
    });
}

/// What the record tells of a visitor to the lobby: challenges of both kinds, and running games.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn own(services: &Services, player: Option<PlayerId>) -> Result<Own, ApiError> {
    let Some(player) = player else {
        return Ok(Own::default());
    };
    let challenges = challenges(services, player)
        .await
        .or_unreadable("a player's challenges")?;
    Ok(Own {
        challenges: challenges.iter().map(shown::game).collect(),
        playing: playing(services, player, Some(player)),
        shadowbanned: sanctions::is_shadowbanned(services, player).await?,
    })
}

/// Open challenges to a player, as they are shown to them.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn received(
    services: &Services,
    player: PlayerId,
) -> Result<Vec<view::GameSummary>, ApiError> {
    let challenges = services.store.challenges_to(player).await;
    let challenges = challenges.or_unreadable("a player's challenges")?;
    Ok(challenges.iter().map(shown::game).collect())
}

/// The games that a player is playing, as far as `viewer` may know.
pub fn playing(services: &Services, player: PlayerId, viewer: Option<PlayerId>) -> Vec<GameId> {
    services.presence.games_of(player, viewer)
}

async fn challenges(services: &Services, player: PlayerId) -> Result<Vec<GameSummary>, StoreError> {
    let mut challenges = services.store.challenges_to(player).await?;
    let opened = GameFilter {
        viewer: Some(player),
        player: Some(player),
        status: Some(Status::Open),
        limit: CHALLENGES,
        ..GameFilter::default()
    };
    let opened = services.store.games(&opened).await?.games.into_iter();
    challenges.extend(opened.filter(|game| game.invited.is_some()));
    Ok(challenges)
}

/// Who finds a game: a challenge is nobody else's affair, and one from a given position is for whom it is shown to.
pub const fn visibility(asked: Visibility, is_for_few: bool) -> Visibility {
    if is_for_few { Visibility::Link } else { asked }
}
