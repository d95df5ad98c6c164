//! Who is online and shows it. The list is made at most every few seconds, however many ask for it.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use qiguan_game::{
    audience,
    event::Player,
    ratings::{change::RatingState, glicko::points},
};
use qiguan_protocol::{
    error::ApiError,
    following::PlayerNow,
    ids::{Millis, PlayerId},
    limits,
    names::Role,
    profile::RuleSetRating,
};
use tokio::sync::Mutex;

use crate::{services::Services, store_errors::FromRecords};

/// A list holds for so long.
const HOLDS: Millis = Millis(5_000);
/// So many connected players are looked at for each one in the list: some do not want to be shown.
const LOOKED_AT: usize = 4;

/// The list as it was made last.
#[derive(Default)]
pub struct OnlineList {
    kept: Mutex<Option<Kept>>,
    /// How often somebody wanted to be shown, or not any more.
    changes: AtomicU64,
}

struct Kept {
    made_at: Millis,
    /// What [`OnlineList::changes`] was when it was begun.
    after: u64,
    players: Arc<Vec<PlayerNow>>,
}

impl OnlineList {
    /// The players who are online, those who came last first.
    ///
    /// # Errors
    /// `busy` when the record can't be read.
    pub async fn get(&self, services: &Services) -> Result<Arc<Vec<PlayerNow>>, ApiError> {
        // Who asks meanwhile waits for the same list.
        let mut kept = self.kept.lock().await;
        let now = services.clock.now();
        let changes = self.changes.load(Ordering::Acquire);
        if let Some(list) = kept.as_ref()
            && now - list.made_at < HOLDS
            && list.after == changes
        {
            return Ok(Arc::clone(&list.players));
        }
        let players = Arc::new(made(services).await?);
        *kept = Some(Kept {
            made_at: now,
            after: changes,
            players: Arc::clone(&players),
        });
        Ok(players)
    }

    /// Somebody wants to be shown, or not any more: the next one who asks gets a new list.
    pub fn forget(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }
}

async fn made(services: &Services) -> Result<Vec<PlayerNow>, ApiError> {
    let most = limits::ONLINE_PLAYERS as usize;
    let mut connected = services.sockets.accounts(most * LOOKED_AT);
    let ids = connected.iter().map(|who| who.id).collect();
    let hidden = services.store.hidden_among(ids).await;
    let hidden = hidden.or_unreadable("who hides")?;
    connected.retain(|who| !hidden.contains(&who.id));
    connected.truncate(most);
    let mut ratings = ratings_of(services, connected.iter().map(|who| who.id).collect()).await?;
    let players = connected.into_iter().map(|who| {
        let (id, name) = (who.id, who.name.clone());
        now(services, id, name, who.role, ratings.remove(&id), None)
    });
    Ok(players.collect())
}

/// A player who may be seen online by `viewer`, as they are just now.
pub fn now(
    services: &Services,
    id: PlayerId,
    name: String,
    role: Role,
    ratings: Option<Vec<RuleSetRating>>,
    viewer: Option<PlayerId>,
) -> PlayerNow {
    let online = services.sockets.is_online(id);
    PlayerNow {
        player: audience::player(&Player {
            bot: role == Role::Bot,
            ..Player::named(id, name)
        }),
        ratings: ratings.unwrap_or_default(),
        online,
        playing: services.presence.games_of(id, viewer),
    }
}

/// The ratings of some players, by rule set.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn ratings_of(
    services: &Services,
    players: Vec<PlayerId>,
) -> Result<HashMap<PlayerId, Vec<RuleSetRating>>, ApiError> {
    let at = services.clock.now();
    let states = services.store.rating_states_of(players).await;
    let mut ratings: HashMap<_, Vec<_>> = HashMap::new();
    for (player, ruleset, state) in states.or_unreadable("the ratings of players")? {
        let of_player = ratings.entry(player).or_default();
        of_player.push(rating_now(ruleset, &state, at));
    }
    for of_player in ratings.values_mut() {
        of_player.sort_by(|one, other| one.ruleset.cmp(&other.ruleset));
    }
    Ok(ratings)
}

/// A rating as it is shown at a time.
pub fn rating_now(ruleset: String, state: &RatingState, at: Millis) -> RuleSetRating {
    let strength = state.at(at);
    RuleSetRating {
        ruleset,
        rating: strength.shown(),
        deviation: points(strength.deviation),
        played_at: state.played_at,
    }
}
