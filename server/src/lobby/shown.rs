//! The lobby, and lines of lists, as they travel.

use qiguan_game::{audience, event::Player, record::GameSummary};
use qiguan_protocol::{
    lobby,
    names::{self, SeatChoice},
    view,
};
use qiguan_rules::Seat;

use crate::lobby::{
    pools::PoolKey,
    state::seek::{Range, Seek, SeekStatus, SeekTarget, Seeker},
};

/// A seek on the board; none for one in a pool.
pub fn seek(seek: &Seek) -> Option<lobby::Seek> {
    let SeekTarget::Board { seat, range } = &seek.request.place else {
        return None;
    };
    Some(board(seek, *seat, *range))
}

fn board(seek: &Seek, seat: SeatChoice, range: Range) -> lobby::Seek {
    let terms = &seek.request.terms;
    let options = terms.options.iter();
    let options = options.map(|(name, value)| (name.clone(), audience::option_value(value)));
    lobby::Seek {
        id: seek.id,
        player: player(&seek.owner),
        ruleset: terms.ruleset.clone(),
        options: options.collect(),
        time_control: terms.time_control,
        rated: terms.rated,
        seat,
        rating: (!range.is_open()).then_some(lobby::RatingRange {
            min: range.min,
            max: range.max,
        }),
        spectator_delay: terms.spectator_delay,
        since: seek.since,
    }
}

/// A place in a pool; none for a seek on the board.
pub fn in_pool(seek: &Seek) -> Option<lobby::InPool> {
    let SeekTarget::Pool(pool) = &seek.request.place else {
        return None;
    };
    Some(lobby::InPool {
        id: seek.id,
        ruleset: pool.ruleset.to_owned(),
        time: pool.time.to_owned(),
        rated: pool.rated,
        since: seek.since,
    })
}

/// A pool and how many wait there.
pub fn pool(pool: PoolKey, waiting: usize) -> lobby::Pool {
    lobby::Pool {
        ruleset: pool.ruleset.to_owned(),
        time: pool.time.to_owned(),
        rated: pool.rated,
        waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
    }
}

/// Every pool, with those in which somebody waits as they stand.
pub fn every_pool(waiting: &[lobby::Pool]) -> Vec<lobby::Pool> {
    let pools = PoolKey::all().map(|key| {
        let empty = pool(key, 0);
        let is_it = |other: &&lobby::Pool| {
            lobby::Pool {
                waiting: 0,
                ..(*other).clone()
            } == empty
        };
        waiting.iter().find(is_it).cloned().unwrap_or(empty)
    });
    pools.collect()
}

/// What has become of a seek.
pub const fn state(status: SeekStatus) -> lobby::SeekState {
    match status {
        SeekStatus::Open => lobby::SeekState::Open {},
        SeekStatus::Paired(game) => lobby::SeekState::Paired { game },
        SeekStatus::Gone => lobby::SeekState::Gone {},
    }
}

/// A game's line in lists.
pub fn game(game: &GameSummary) -> view::GameSummary {
    let player = |seat: Seat| game.players.get(seat).as_ref().map(audience::player);
    let options = game
        .options
        .iter()
        .map(|(name, value)| (name.clone(), audience::option_value(value)));
    view::GameSummary {
        game: game.game,
        ruleset: game.ruleset.clone(),
        options: options.collect(),
        start: game.start.clone(),
        time_control: game.time_control,
        visibility: game.visibility,
        rated: game.rated,
        invited: game.invited.as_ref().map(audience::player),
        status: game.status,
        players: names::BySeat {
            first: player(Seat::First),
            second: player(Seat::Second),
        },
        outcome: game.outcome.map(Into::into),
        plies: game.plies,
        created_at: game.created_at,
        ended_at: game.ended_at,
    }
}

fn player(seeker: &Seeker) -> names::Player {
    audience::player(&Player {
        rating: seeker.rating,
        ..seeker.who.player()
    })
}
