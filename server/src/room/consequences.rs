//! What follows from an event beyond its game: who has a seat in the crowd, who plays whom, which challenges are answered, which other
//! rooms are needed.

use qiguan_game::{event::Body, state::State};
use qiguan_protocol::{
    ids::{GameId, Millis},
    lobby::{LobbyNotice, LobbyNoticeKind},
    names::Status,
};
use qiguan_rules::Seat;
use qiguan_store::store::Running;

use crate::{room::crowd::Crowd, services::Services};

/// Does what follows from the last event of a game, which is on the disk: the one place where that is decided. True if a player has come
/// by taking a seat.
pub(super) fn follow(services: &Services, crowd: &mut Crowd, state: &State, now: Millis) -> bool {
    let Some(last) = state.log.last() else {
        return false;
    };
    match &last.body {
        Body::Joined { seat, player } => {
            challenge_closed(services, state);
            // Every window that watched as this player stops being a spectator.
            return crowd.seated(player.id, *seat, now);
        }
        Body::SetupBegan { .. } | Body::Started { .. } => began(services, state, state.id),
        Body::RematchAgreed { next } => {
            began(services, state, *next);
            // Its clock has to be watched even if nobody comes.
            services.wake(*next);
        }
        Body::Ended { .. } => {
            services.presence.ended(state.id);
            if players(state).is_none() {
                challenge_closed(services, state);
            }
        }
        Body::Created(_)
        | Body::SetupExtended { .. }
        | Body::SetupReady { .. }
        | Body::Moved { .. }
        | Body::DrawOffered { .. }
        | Body::DrawDeclined { .. }
        | Body::TakebackRequested { .. }
        | Body::TakebackDeclined { .. }
        | Body::TakenBack { .. }
        | Body::ClocksHeld { .. }
        | Body::ClocksReleased
        | Body::Revealed
        | Body::RematchOffered { .. }
        | Body::Chat { .. } => {}
    }
    false
}

/// A game was read from the record: another program may have gone on with it.
pub(super) fn found(services: &Services, state: &State) {
    match state.status {
        Status::Playing => began(services, state, state.id),
        Status::Ended => services.presence.ended(state.id),
        Status::Open => {}
    }
}

fn began(services: &Services, state: &State, game: GameId) {
    if let Some(players) = players(state) {
        services.presence.began(Running {
            game,
            players,
            visibility: state.created.visibility,
        });
    }
}

fn players(state: &State) -> Option<[qiguan_protocol::ids::PlayerId; 2]> {
    let player = |seat| state.players.get(seat).as_ref().map(|player| player.id);
    Some([player(Seat::First)?, player(Seat::Second)?])
}

fn challenge_closed(services: &Services, state: &State) {
    let Some(invited) = &state.created.invited else {
        return;
    };
    let closed = LobbyNotice {
        lobby: LobbyNoticeKind::ChallengeClosed { game: state.id },
    };
    for player in [state.created.player.id, invited.id] {
        services.sockets.tell_player(player, &closed);
    }
}
