//! Who is at a game: connections by audience, presence of the players, and when others are notified of changes.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use qiguan_game::{audience::Audience, clock::Delay};
use qiguan_protocol::{
    event::{GameNotice, GameNoticeKind},
    ids::{GameId, Millis, PlayerId},
    names,
    view::{Presence, SeatPresence},
};
use qiguan_rules::{BySeat, Seat};

use crate::{
    peer::{self, Peer},
    room::{
        publishing::Texts,
        spectator_text::SpectatorText,
        spectators::{Route, Spectators},
    },
};

/// How long changes of the number of spectators are gathered.
const SPECTATORS_TOLD_EVERY: Millis = Millis(1_000);
/// The least time between two notices of presence to spectators, whatever the players do.
const GALLERY_RESTS: Millis = Millis(250);

/// Everybody who watches a game.
pub struct Crowd {
    game: GameId,
    players: Vec<Watcher>,
    /// A computer's seat: it is always there.
    computer: Option<Seat>,
    spectators: Spectators,
    /// The spectators' connections that are not counted: each shows the game as one of many.
    previews: Vec<u64>,
    /// Since when a player has had no connection; none if there is one.
    away_since: BySeat<Option<Millis>>,
    /// When everybody is next notified of presence, if it has changed.
    tell_at: Option<Millis>,
    /// When spectators were last notified.
    told_at: Millis,
}

struct Watcher {
    peer: Arc<Peer>,
    seat: Seat,
}

impl Crowd {
    /// Nobody is there, both players from `now` on.
    pub fn new(game: GameId, now: Millis) -> Self {
        Self {
            game,
            players: Vec::new(),
            computer: None,
            spectators: Spectators::default(),
            previews: Vec::new(),
            away_since: BySeat {
                first: Some(now),
                second: Some(now),
            },
            tell_at: None,
            told_at: Millis(0),
        }
    }

    /// Lets a connection in, or moves it to another audience. True if a player has come.
    pub fn enter(
        &mut self,
        peer: Arc<Peer>,
        player: Option<PlayerId>,
        audience: Audience,
        now: Millis,
    ) -> bool {
        self.enter_by(None, peer, player, audience, now)
    }

    /// The same for a connection that may be another program's.
    pub fn enter_by(
        &mut self,
        route: Option<Route>,
        peer: Arc<Peer>,
        player: Option<PlayerId>,
        audience: Audience,
        now: Millis,
    ) -> bool {
        self.leave(peer.id, now);
        match audience {
            Audience::Seat(seat) => {
                self.players.push(Watcher { peer, seat });
                self.away_since.get_mut(seat).take().is_some()
            }
            Audience::Spectators => {
                self.spectators.enter(peer, player, route);
                self.tell_soon(now);
                false
            }
        }
    }

    /// A spectator who has just come in has only a preview, and is not counted.
    pub fn is_preview(&mut self, peer: u64) {
        self.previews.push(peer);
    }

    /// A computer has this seat: it needs no connection, and is never away.
    pub fn computer_sits(&mut self, seat: Seat) {
        self.computer = Some(seat);
        *self.away_since.get_mut(seat) = None;
    }

    /// The seat of a computer, if there is one.
    pub const fn computer(&self) -> Option<Seat> {
        self.computer
    }

    /// Lets a connection go. True if a player has gone with it.
    pub fn leave(&mut self, peer: u64, now: Millis) -> bool {
        self.previews.retain(|preview| *preview != peer);
        if self.spectators.leave(peer) {
            self.tell_soon(now);
            return false;
        }
        let Some(index) = self
            .players
            .iter()
            .position(|watcher| watcher.peer.id == peer)
        else {
            return false;
        };
        let Watcher { seat, .. } = self.players.swap_remove(index);
        if self.is_here(seat) {
            return false;
        }
        *self.away_since.get_mut(seat) = Some(now);
        true
    }

    /// A spectator who has taken a seat is one no more, in any window. True if a player has come by it.
    pub fn seated(&mut self, player: PlayerId, seat: Seat, now: Millis) -> bool {
        let mut come = false;
        while let Some(peer) = self.spectators.take(player) {
            come |= self.enter(peer, Some(player), Audience::Seat(seat), now);
        }
        come
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty() && self.spectators.is_empty()
    }

    /// Whether both players are there.
    pub fn both_here(&self) -> bool {
        Seat::ALL.into_iter().all(|seat| self.is_here(seat))
    }

    /// Which players are there.
    pub const fn here(&self) -> BySeat<bool> {
        BySeat {
            first: self.away_since.first.is_none(),
            second: self.away_since.second.is_none(),
        }
    }

    /// Since when a player has been away; none if connected.
    pub const fn away_since(&self, seat: Seat) -> Option<Millis> {
        *self.away_since.get(seat)
    }

    /// The worst delay among a player's connections, as `measured` says it: whichever was used, it is credited no less.
    pub fn delay(&self, seat: Seat, measured: impl Fn(&Peer) -> Delay) -> Delay {
        let of_seat = self.players.iter().filter(|watcher| watcher.seat == seat);
        let delays = of_seat.map(|watcher| measured(&watcher.peer));
        delays.fold(Delay::default(), Delay::max)
    }

    /// Which audiences have somebody in them.
    pub fn audiences(&self) -> [bool; 3] {
        let mut present = [false, false, !self.spectators.is_empty()];
        for watcher in &self.players {
            present[Audience::Seat(watcher.seat).index()] = true;
        }
        present
    }

    /// Sends the players their texts; the spectators' is noted for [`Self::send_to_spectators`].
    pub(super) fn send(&mut self, texts: Texts) {
        let Texts {
            mut seats,
            spectators,
        } = texts;
        for (index, watcher) in self.players.iter().enumerate() {
            let text = seats.get_mut(watcher.seat);
            let mut others = self.players.iter().skip(index + 1);
            // A text that is handed on costs less than one that is shared.
            let text = if others.any(|other| other.seat == watcher.seat) {
                text.clone()
            } else {
                text.take()
            };
            if let Some(text) = text {
                watcher.peer.outbox.push(text);
            }
        }
        if let Some(text) = spectators {
            self.spectators.note(text);
        }
    }

    /// Tells everybody something that is no event of the game, the spectators as in `send`.
    pub fn notice(&mut self, notice: GameNoticeKind) {
        let notice = self.of_game(notice);
        if let Some(text) = SpectatorText::notice(&notice) {
            self.send_players(text.text());
            self.spectators.note(text);
        }
    }

    /// Tells who is here: the players at once, the spectators if it is not too soon for them. Then they are notified a little
    /// later, all that has changed by then in one. `absence` is as in [`Self::presence`].
    pub fn tell_presence(&mut self, absence: Option<Millis>, now: Millis) {
        let presence = self.presence(absence);
        let notice = self.of_game(GameNoticeKind::Presence { presence });
        let Some(text) = SpectatorText::notice(&notice) else {
            return;
        };
        self.send_players(text.text());
        let rested_at = self.told_at + GALLERY_RESTS;
        if self.spectators.is_empty() || rested_at <= now {
            self.spectators.note(text);
            self.told_at = now;
            self.tell_at = None;
        } else {
            self.tell_at = Some(self.tell_at.map_or(rested_at, |at| at.min(rested_at)));
        }
    }

    /// Tells the spectators something that is not for the players.
    pub fn notice_to_spectators(&mut self, notice: GameNoticeKind) {
        if let Some(text) = SpectatorText::notice(&self.of_game(notice)) {
            self.spectators.note(text);
        }
    }

    /// Tells a spectator alone, in every window.
    pub fn notice_to_spectator(&mut self, player: PlayerId, notice: GameNoticeKind) {
        self.spectators.tell(player, &self.text(notice));
    }

    /// Tells the players something that spectators know.
    pub fn notice_to_players(&self, notice: GameNoticeKind) {
        self.send_players(&self.text(notice));
    }

    /// Tells a player something in every window but one.
    pub fn notice_to(&self, seat: Seat, but: Option<u64>, notice: GameNoticeKind) {
        let text = self.text(notice);
        for watcher in &self.players {
            if watcher.seat == seat && Some(watcher.peer.id) != but {
                watcher.peer.outbox.push(text.clone());
            }
        }
    }

    /// Whether there are spectators who have not been served.
    pub fn has_spectators_pending(&self) -> bool {
        self.spectators.has_pending()
    }

    /// Serves the next few spectators.
    pub fn send_to_spectators(&mut self) {
        self.spectators.send_some();
    }

    /// Serves all spectators now.
    pub fn send_to_all_spectators(&mut self) {
        self.spectators.serve_all();
    }

    /// Who is here, as everybody may know; `absence` is how long an absent player is waited for in the running game.
    pub fn presence(&self, absence: Option<Millis>) -> Presence {
        let seat = |seat: Seat| {
            let away = self.away_since(seat);
            SeatPresence {
                connected: away.is_none(),
                claim_at: away.and_then(|since| absence.map(|absence| since + absence)),
            }
        };
        Presence {
            players: names::BySeat {
                first: seat(Seat::First),
                second: seat(Seat::Second),
            },
            spectators: self.spectators(),
        }
    }

    /// Since when neither player has been here; none while one is.
    pub fn deserted_since(&self) -> Option<Millis> {
        let BySeat { first, second } = self.away_since;
        first.zip(second).map(|(first, second)| first.max(second))
    }

    /// How many watch without a seat, previews left out.
    pub fn spectators(&self) -> u32 {
        (self.spectators.len() - self.previews.len()) as u32
    }

    /// When everybody is to be notified of presence.
    pub const fn tell_at(&self) -> Option<Millis> {
        self.tell_at
    }

    const fn of_game(&self, notice: GameNoticeKind) -> GameNotice {
        GameNotice {
            game: self.game,
            notice,
        }
    }

    fn text(&self, notice: GameNoticeKind) -> Utf8Bytes {
        peer::text(&self.of_game(notice))
    }

    fn send_players(&self, text: &Utf8Bytes) {
        for watcher in &self.players {
            watcher.peer.outbox.push(text.clone());
        }
    }

    fn is_here(&self, seat: Seat) -> bool {
        self.computer == Some(seat) || self.players.iter().any(|watcher| watcher.seat == seat)
    }

    fn tell_soon(&mut self, now: Millis) {
        self.tell_at.get_or_insert(now + SPECTATORS_TOLD_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    const GAME: GameId = GameId(uuid::Uuid::nil());
    const FIRST: Audience = Audience::Seat(Seat::First);

    fn peer(id: u64) -> Arc<Peer> {
        Arc::new(Peer::new(id))
    }

    #[test]
    fn a_player_is_away_only_when_the_last_tab_has_gone() {
        let mut crowd = Crowd::new(GAME, Millis(0));
        assert!(crowd.enter(peer(1), None, FIRST, Millis(10)));
        assert!(!crowd.enter(peer(2), None, FIRST, Millis(20)));
        assert!(!crowd.leave(1, Millis(30)));
        assert_eq!(crowd.away_since(Seat::First), None);
        assert!(crowd.leave(2, Millis(40)));
        assert_eq!(crowd.away_since(Seat::First), Some(Millis(40)));
    }

    #[test]
    fn the_claim_counts_from_when_the_player_left() {
        let mut crowd = Crowd::new(GAME, Millis(0));
        crowd.enter(peer(1), None, FIRST, Millis(10));
        crowd.leave(1, Millis(100));
        let presence = crowd.presence(Some(Millis(5_000)));
        assert_eq!(presence.players.first.claim_at, Some(Millis(5_100)));
        assert_eq!(crowd.presence(None).players.first.claim_at, None);
    }

    #[test]
    fn spectators_are_counted_and_told_at_most_once_a_second() {
        let mut crowd = Crowd::new(GAME, Millis(0));
        for id in 0..5 {
            crowd.enter(
                peer(id),
                None,
                Audience::Spectators,
                Millis(100 + id as i64),
            );
        }
        assert_eq!(crowd.presence(None).spectators, 5);
        assert_eq!(crowd.tell_at(), Some(Millis(1_100)));
    }

    fn received(peer: &Peer) -> usize {
        let mut frames = Vec::new();
        let mut context = Context::from_waker(Waker::noop());
        match peer.outbox.poll_take(&mut context, &mut frames) {
            Poll::Ready(_) | Poll::Pending => frames.len(),
        }
    }

    #[test]
    fn a_player_who_comes_and_goes_is_told_to_the_other_at_once_and_to_spectators_now_and_then() {
        let mut crowd = Crowd::new(GAME, Millis(0));
        let (player, spectator) = (peer(1), peer(2));
        crowd.enter(Arc::clone(&player), None, FIRST, Millis(1_000));
        let watching = Audience::Spectators;
        crowd.enter(Arc::clone(&spectator), None, watching, Millis(1_000));
        for at in 1_001..=1_100 {
            crowd.tell_presence(None, Millis(at));
        }
        crowd.send_to_all_spectators();
        assert_eq!((received(&player), received(&spectator)), (100, 1));
        assert_eq!(crowd.tell_at(), Some(Millis(1_251)));
        crowd.tell_presence(None, Millis(1_251));
        crowd.send_to_all_spectators();
        assert_eq!((received(&player), received(&spectator)), (1, 1));
        assert_eq!(crowd.tell_at(), None);
    }

    #[test]
    fn a_preview_is_no_spectator_until_it_is_opened() {
        let mut crowd = Crowd::new(GAME, Millis(0));
        for id in [1, 2] {
            crowd.enter(peer(id), None, Audience::Spectators, Millis(0));
            crowd.is_preview(id);
        }
        assert_eq!(crowd.spectators(), 0);
        assert!(!crowd.is_empty(), "it receives what happens");
        crowd.enter(peer(1), None, Audience::Spectators, Millis(5));
        assert_eq!(crowd.spectators(), 1);
        crowd.leave(2, Millis(6));
        assert_eq!(crowd.spectators(), 1);
    }

    #[test]
    fn a_game_is_deserted_since_the_last_player_left() {
        let mut crowd = Crowd::new(GAME, Millis(0));
        let second = Audience::Seat(Seat::Second);
        crowd.enter(peer(1), None, FIRST, Millis(1));
        crowd.enter(peer(2), None, second, Millis(2));
        crowd.leave(1, Millis(10));
        assert_eq!(crowd.deserted_since(), None);
        crowd.leave(2, Millis(20));
        assert_eq!(crowd.deserted_since(), Some(Millis(20)));
    }

    #[test]
    fn a_spectator_who_joins_becomes_a_player() {
        let mut crowd = Crowd::new(GAME, Millis(0));
        let player = PlayerId(uuid::Uuid::from_u128(1));
        crowd.enter(peer(1), Some(player), Audience::Spectators, Millis(0));
        crowd.enter(peer(2), Some(player), Audience::Spectators, Millis(0));
        assert!(crowd.seated(player, Seat::First, Millis(5)));
        let presence = crowd.presence(None);
        assert_eq!(
            (presence.spectators, presence.players.first.connected),
            (0, true)
        );
    }
}
