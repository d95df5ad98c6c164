//! The moderators' views, beyond any audience. They require a permit for that operation.

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{Millis, Ply},
    names::BySeat,
    operation::Operation,
    overseeing::{
        ChatLog, LoggedLine, LoggedSpectatorLine, OverseenGame, OverseenMove, OverseenTurn,
    },
};
use qiguan_rules::{Seat, Viewer};

use super::{connection_log, each_position, player, snapshot::Snapshot, spectator_chat};
use crate::{
    absence::Away, clock::ClockState, connection_log::ConnectionEvent, event::Body,
    people::permission::Permit, spectator_line::NamedLine, state::State,
};

/// Everything that was said in a game; `said` is what the spectators did, the first line first.
///
/// # Errors
/// `forbidden` without a permit to read chats, and for a game of one's own.
pub fn chat_log(state: &State, said: &[NamedLine], permit: &Permit) -> Result<ChatLog, ApiError> {
    check(state, permit, Operation::ReadChat)?;
    let mut ply = Ply(0);
    let mut lines = Vec::new();
    for event in state.log.iter() {
        ply = event.body.ply_after(ply);
        if let Body::Chat {
            seat,
            text,
            shadow_muted,
        } = &event.body
        {
            lines.push(LoggedLine {
                seq: event.seq,
                at: event.at,
                ply,
                seat: (*seat).into(),
                text: text.clone(),
                shadow_muted: *shadow_muted,
            });
        }
    }
    let shown = |seat: Seat| state.players.get(seat).as_ref().map(player);
    Ok(ChatLog {
        game: state.id,
        players: BySeat {
            first: shown(Seat::First),
            second: shown(Seat::Second),
        },
        lines,
        spectators: said.iter().map(logged).collect(),
    })
}

fn logged(said: &NamedLine) -> LoggedSpectatorLine {
    let line = spectator_chat::spectator_line(said);
    LoggedSpectatorLine {
        number: line.number,
        at: line.at,
        player: line.player,
        text: line.text,
        shadow_muted: said.line.shadow_muted,
    }
}

/// The game with every identity, and with the time of each move. The snapshot is the spectators', but of the game as it is now;
/// `connections` is when the players were connected, the earliest first.
///
/// # Errors
/// `forbidden` without a permit to see games, and for a game of one's own; `parked` if the record can't be folded.
pub fn game(
    snapshot: &Snapshot,
    connections: &[ConnectionEvent],
    permit: &Permit,
) -> Result<OverseenGame, ApiError> {
    let (state, now) = (&snapshot.state, snapshot.now);
    check(state, permit, Operation::SeeGame)?;
    let mut view = snapshot.view();
    view.position.fen = state.game.view(Viewer::Referee).fen;
    let setups = state.setup.as_ref().map(|setup| {
        let text = |seat: Seat| match &setup.taken {
            Some(taken) => taken.0.get(seat).text(),
            None => setup.current(&snapshot.drafts, seat).text(),
        };
        BySeat {
            first: text(Seat::First),
            second: text(Seat::Second),
        }
    });
    let started = state.log.iter().find_map(|event| match event.body {
        Body::Started { .. } => Some(event.at),
        _ => None,
    });
    let away = connection_log::away(state, connections);
    let moves = moves(state, started.unwrap_or(state.created_at), &away)?;
    let turn = started.and_then(|started| {
        let back = state
            .log
            .iter()
            .rev()
            .find(|event| matches!(event.body, Body::TakenBack { .. }));
        let since = moves.last().map_or(started, |last| last.at);
        let since = back.map_or(since, |back| since.max(back.at));
        last_turn(state, since, now, &away)
    });
    Ok(OverseenGame {
        moves,
        turn,
        connections: connections
            .iter()
            .map(|entry| connection_log::shown(state, entry))
            .collect(),
        view,
        setups,
        started_at: started,
        ended_at: state.ended.map(|(_, at)| at),
    })
}

/// The turn that has lasted since then; none if it has ended with a move that ended the game.
fn last_turn(state: &State, since: Millis, now: Millis, away: &Away) -> Option<OverseenTurn> {
    let until = match state.ended {
        Some((_, ended)) if ended == since => return None,
        Some((_, ended)) => ended,
        None => now,
    };
    let seat = state.game.turn();
    Some(OverseenTurn {
        seat: seat.into(),
        after_ms: until - since,
        away_ms: away.during(seat, (since, until)),
    })
}

fn moves(state: &State, started: Millis, away: &Away) -> Result<Vec<OverseenMove>, ApiError> {
    let positions = each_position(state, Viewer::Referee).map_err(|_| ApiError::parked())?;
    let mut clock = ClockState::new(state.created.time_control.clock);
    let (mut moves, mut last): (Vec<OverseenMove>, _) = (Vec::new(), started);
    for event in state.log.iter() {
        clock.apply(&event.body, event.at);
        if let Body::TakenBack { plies, .. } = event.body {
            moves.truncate(moves.len().saturating_sub(plies as usize));
            last = event.at;
        }
        let Body::Moved {
            seat,
            ply,
            mv,
            spent,
            lag,
        } = event.body
        else {
            continue;
        };
        moves.push(OverseenMove {
            ply,
            seat: seat.into(),
            text: mv.into(),
            fen: String::new(),
            at: event.at,
            after_ms: event.at - last,
            spent_ms: spent,
            lag_ms: lag,
            away_ms: away.during(seat, (last, event.at)),
            left: clock.view(seat.other(), event.at).left,
        });
        last = event.at;
    }
    // Of moves that were taken back there is no position.
    for (mv, position) in moves
        .iter_mut()
        .zip(positions.positions.into_iter().skip(1))
    {
        mv.fen = position.fen;
    }
    Ok(moves)
}

/// Whether the permit is for this, and the game somebody else's.
fn check(state: &State, permit: &Permit, operation: Operation) -> Result<(), ApiError> {
    if permit.operation() != operation {
        let message = "wrong permission";
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    let seated = [&state.players.first, &state.players.second];
    let concerned = seated.into_iter().chain([&state.created.invited]);
    permit.may_rule(concerned.flatten().map(|player| player.id))
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::{ids::Epoch, names::Role};

    use super::*;
    use crate::{
        people::{
            identity::Identity,
            permission::{self, Who},
        },
        referee::Command,
        seat_drafts::Drafts,
        testing::{GAME, Table, fischer, player},
    };

    fn admin(number: u128) -> Identity {
        Identity {
            role: Role::Admin,
            ..Identity::guest(player(number))
        }
    }

    fn permit(who: &Identity, operation: Operation) -> Permit {
        permission::permit(Who::Player(who), operation).unwrap()
    }

    fn snapshot(table: &Table) -> Snapshot {
        let state = table.state.snapshot();
        Snapshot::of_record(state, Drafts::default(), Epoch(1), Millis(5_000_000))
    }

    #[test]
    fn a_game_that_goes_on_is_seen_with_every_identity_and_the_time_of_each_move() {
        let mut table = Table::open(GAME, "luzhanqi/referee", fischer(), 3);
        table.plays(6);
        let permit = permit(&admin(9), Operation::SeeGame);
        let seen = game(&snapshot(&table), &[], &permit).unwrap();
        assert!(!seen.view.position.fen.contains(['U', 'u']), "{seen:?}");
        let setups = seen.setups.unwrap();
        let taken = table.state.setup.as_ref().unwrap().taken.as_ref().unwrap();
        assert_eq!(setups.first, taken.0.first.text());
        assert_eq!(seen.moves.len(), 6);
        assert_eq!(seen.moves[5].fen, seen.view.position.fen);
        assert_eq!(seen.moves[5].after_ms, Millis(700));
        let last = table
            .state
            .clock
            .view(table.state.game.turn(), seen.moves[5].at);
        assert_eq!(seen.moves[5].left, last.left);
        // What comes with it of the game itself is what spectators have.
        assert_eq!((seen.view.you, seen.view.chat.len()), (None, 0));
        assert!(seen.view.setup.unwrap().revealed.is_none());
    }

    #[test]
    fn nobody_oversees_a_game_of_their_own_or_with_a_permit_for_something_else() {
        let table = Table::open(GAME, "luzhanqi/referee", fischer(), 3);
        for (who, operation) in [
            (1, Operation::SeeGame),
            (2, Operation::SeeGame),
            (9, Operation::ReadChat),
            (9, Operation::Ban),
        ] {
            let permit = permit(&admin(who), operation);
            let seen = game(&snapshot(&table), &[], &permit);
            assert_eq!(
                seen.unwrap_err().code,
                ErrorCode::Forbidden,
                "{operation:?}"
            );
        }
        let permit = permit(&admin(1), Operation::ReadChat);
        assert!(chat_log(&table.state, &[], &permit).is_err());
    }

    #[test]
    fn the_log_of_a_chat_tells_when_each_line_was_said_and_what_nobody_heard() {
        let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 3);
        table.plays(2);
        let text = "hello".to_owned();
        table.does(1, &Command::Chat { text });
        table.happen(vec![Body::Chat {
            seat: Seat::Second,
            text: "insult".to_owned(),
            shadow_muted: true,
        }]);
        let log = chat_log(&table.state, &[], &permit(&admin(9), Operation::ReadChat)).unwrap();
        let told: Vec<_> = log
            .lines
            .iter()
            .map(|line| (line.ply, line.text.as_str(), line.shadow_muted))
            .collect();
        assert_eq!(told, [(Ply(2), "hello", false), (Ply(2), "insult", true)]);
    }
}
