//! When a time runs out in a game: the time to set up, or that of the player on the move.

use qiguan_game::{clock::Delay, event::Body, referee, state::State};
use qiguan_protocol::ids::Millis;
use qiguan_rules::Seat;

use crate::{
    peer::{Peer, elsewhere::ReadQuestion},
    room::{room::Room, watermark::RunsOut},
};

/// What players have sent while their game was on its way from another program comes so much later at most, also from a program that learns
/// late where the game is. No time runs out before by itself; a move that was read too late is refused all the same.
const ON_THE_WAY: Millis = Millis(3_000);

/// A move is stored within so long, where nothing is out of order. A room knows how long it took; the record says only when the move was made.
const STORED_WITHIN: Millis = Millis(150);

impl Room {
    /// What happens by now because a time is over: that to set up, or that of the player on the move.
    pub(super) fn times_out(&self, now: Millis) -> Option<Vec<Body>> {
        if now < self.times_count_from() {
            return None;
        }
        let state = self.record.state()?;
        let current_setups = self.record.current_setups();
        let due = current_setups
            .and_then(|current_setups| referee::setups_due(state, &current_setups, now));
        let delay = self.delay(state);
        due.or_else(|| referee::flag(state, now, delay))
    }

    /// When the clock of the game needs this room, if it does.
    pub(super) fn game_deadline(&self) -> Option<Millis> {
        if self.outage.is_on() {
            return self.record.state().and(self.outage.probe_at());
        }
        let (seq, at) = self.runs_out()?;
        Some(self.watermark.looks_at((seq, at)).unwrap_or(at))
    }

    /// When a time is over in the game, whether other programs are still waited for then or not.
    fn runs_out(&self) -> Option<RunsOut> {
        let state = self.record.counting()?;
        let at = if let Some(setup) = state.setting_up() {
            setup.until
        } else {
            let falls_at = || {
                let delay = self.delay(state);
                state.clock.falls_at(state.game.turn(), delay)
            };
            state.clock.held_until().or_else(falls_at)?
        };
        Some((self.record.seq(), at.max(self.times_count_from())))
    }

    /// Whether everything is here that any program had read when the time was over: those who could still have done something in time pay for
    /// no way between programs. The other programs are asked for that; alone it is always so.
    pub(super) fn has_all_that_was_read(&mut self, now: Millis) -> bool {
        let Some((of, state)) = self.runs_out().zip(self.record.counting()) else {
            return true;
        };
        let game = self.record.id();
        let seats = match state.setting_up() {
            Some(_) => Seat::ALL.to_vec(),
            None => vec![state.game.turn()],
        };
        let players = seats
            .into_iter()
            .filter_map(|seat| state.players.get(seat).as_ref());
        let players: Vec<_> = players.map(|player| player.id).collect();
        let elsewhere = &self.services.sockets.elsewhere;
        self.watermark.is_reached(of, now, |number, these| {
            let question = ReadQuestion {
                game,
                players: &players,
                number,
            };
            elsewhere.ask_what_is_read(question, these)
        })
    }

    /// Whether other programs have still to say that they have read nothing more for a time that is over.
    pub(super) fn waits_for_others(&self) -> bool {
        let looks_at = |of| self.watermark.looks_at(of);
        self.runs_out().and_then(looks_at).is_some()
    }

    /// The worst delay of the player on the move.
    fn delay(&self, state: &State) -> Delay {
        let turn = state.game.turn();
        self.crowd
            .delay(turn, |peer| self.delay_in_turn(state, peer))
    }

    /// How long the way to a client and back takes. If the game has come here since the turn began, with the way to the program that had it then, and
    /// with the time that it took there to store the move before: only after that the turn was shown, over that way.
    pub(super) fn delay_in_turn(&self, state: &State, peer: &Peer) -> Delay {
        let game = self.record.id();
        let gained_at = self.services.place.gained_at(game);
        let began_elsewhere = state.clock.running_since().is_some_and(|at| at < gained_at);
        let earlier = began_elsewhere.then(|| peer.earlier_way(game) + STORED_WITHIN);
        let delay = peer.delay();
        Delay {
            between_programs: delay.between_programs + earlier.unwrap_or_default(),
            ..delay
        }
    }

    fn times_count_from(&self) -> Millis {
        self.services.place.gained_at(self.record.id()) + ON_THE_WAY
    }
}
