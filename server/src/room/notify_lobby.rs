//! What the lobby learns from games: who plays whom, and which challenges are answered.

use qiguan_game::{event::Body, state::State};
use qiguan_protocol::{
    ids::GameId,
    lobby::{LobbyNotice, LobbyNoticeKind},
    names::Status,
};
use qiguan_rules::Seat;
use qiguan_store::store::Running;

use crate::services::Services;

/// The last event of a game is on the disk.
pub(super) fn happened(services: &Services, state: &State) {
    let Some(last) = state.log.last() else {
        return;
    };
    match &last.body {
        Body::Joined { .. } => challenge_closed(services, state),
        Body::SetupBegan { .. } | Body::Started { .. } => began(services, state, state.id),
        Body::RematchAgreed { next } => began(services, state, *next),
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
        | Body::ClocksHeld { .. }
        | Body::ClocksReleased
        | Body::Revealed
        | Body::RematchOffered { .. }
        | Body::Chat { .. } => {}
    }
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
