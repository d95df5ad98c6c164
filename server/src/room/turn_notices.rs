//! Players' devices are told when a game waits for them that nobody has to sit at: at once if the player is not at the game, and after a
//! while if a page of theirs has it open, since that may be a tab that nobody looks at. A game that goes to another program takes along who is
//! still to be told.

use qiguan_game::{audience::own_game::waits_for, people::computer::Computer, state::State};
use qiguan_protocol::{ids::Millis, push::PushKind, time_control::Clock};
use qiguan_rules::{BySeat, Seat};

use crate::{room::room::Room, services::push::Notice};

/// How long a player at the game is left to notice by themselves that it waits for them.
const PATIENCE: Millis = Millis(120_000);
/// How long a game without a clock is worth telling of.
const KEEP: Millis = Millis(7 * 86_400_000);

/// For whom the game waits, and who has been told.
#[derive(Debug, Default)]
pub(super) struct TurnNotices(BySeat<Waiting>);

/// Whether the game waits for a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Waiting {
    #[default]
    No,
    /// Their devices are to be told at this time.
    At(Millis),
    /// It waited already when it was read from the record, so their devices were told, unless the program that had the game before says
    /// otherwise.
    Found,
    /// Their devices were told, or need not be.
    Done,
}

impl TurnNotices {
    /// For whom the game waits as it was found: that is no news.
    fn found(&mut self, waits: BySeat<bool>) {
        for seat in [Seat::First, Seat::Second] {
            let now = self.0.get_mut(seat);
            *now = match (*waits.get(seat), *now) {
                (false, _) => Waiting::No,
                (true, known @ (Waiting::At(_) | Waiting::Done)) => known,
                (true, Waiting::No | Waiting::Found) => Waiting::Found,
            };
        }
    }

    /// For whom the game waits from now on. Whose devices are to be told now, comes back.
    fn goes_on(&mut self, waits: BySeat<bool>, here: BySeat<bool>, now: Millis) -> Vec<Seat> {
        let mut told = Vec::new();
        for seat in [Seat::First, Seat::Second] {
            let waiting = self.0.get_mut(seat);
            *waiting = match (*waits.get(seat), *waiting) {
                (false, _) => Waiting::No,
                (true, Waiting::No) if *here.get(seat) => Waiting::At(now + PATIENCE),
                (true, Waiting::No) => Waiting::At(now),
                (true, known @ (Waiting::At(_) | Waiting::Found | Waiting::Done)) => known,
            };
            if matches!(*waiting, Waiting::At(at) if at <= now) {
                *waiting = Waiting::Done;
                told.push(seat);
            }
        }
        told
    }

    /// When the devices of each player are to be told; none of whom they need not.
    pub(super) fn due(&self) -> BySeat<Option<Millis>> {
        let at = |seat| match *self.0.get(seat) {
            Waiting::At(at) => Some(at),
            Waiting::No | Waiting::Found | Waiting::Done => None,
        };
        BySeat {
            first: at(Seat::First),
            second: at(Seat::Second),
        }
    }

    /// When devices are to be told next.
    fn due_at(&self) -> Option<Millis> {
        let BySeat { first, second } = self.due();
        first.into_iter().chain(second).min()
    }

    /// The program that had the game before says whom it has not told, and when they are to be.
    fn are_handed_over(&mut self, due: BySeat<Option<Millis>>) {
        for seat in [Seat::First, Seat::Second] {
            let waiting = self.0.get_mut(seat);
            // Who has moved since is waited for no more, and this is heard once.
            if let (Waiting::Found, Some(at)) = (*waiting, *due.get(seat)) {
                *waiting = Waiting::At(at);
            }
        }
    }
}

impl Room {
    /// The game was read from the record.
    pub(super) fn found_turns(&mut self) {
        if let Some(state) = self.record.state() {
            self.turn_notices.found(waits(state));
        }
    }

    /// Another program that had the game before has not told the devices of these players.
    pub(super) fn takes_over_notices(&mut self, due: BySeat<Option<Millis>>) {
        self.turn_notices.are_handed_over(due);
    }

    /// Whose devices are still to be told, for the program that has the game next.
    pub(super) fn notices_left(&self) -> Option<BySeat<Option<Millis>>> {
        let due = self.turn_notices.due();
        (self.turn_notice_at().is_some()).then_some(due)
    }

    /// When devices are to be told; never while the state is not known for sure, and where nothing is sent. Until then the room stays open.
    pub(super) fn turn_notice_at(&self) -> Option<Millis> {
        let at = self.turn_notices.due_at();
        at.filter(|_| self.services.push.is_on() && self.record.state().is_some())
    }

    /// Has the devices told of players for whom the game waits.
    pub(super) fn tell_of_turns(&mut self) {
        let Some(state) = self.record.state() else {
            return;
        };
        let (here, now) = (self.crowd.here(), self.services.clock.now());
        for seat in self.turn_notices.goes_on(waits(state), here, now) {
            let player = |seat| state.players.get(seat).as_ref();
            if let (Some(player), Some(opponent)) = (player(seat), player(seat.other())) {
                self.services.push.tell(Notice {
                    player: player.id,
                    session: None,
                    kind: PushKind::Turn,
                    game: state.id,
                    opponent: opponent.name.clone(),
                    ruleset: state.created.ruleset.clone(),
                    at: now,
                    keep: match state.created.time_control.clock {
                        Clock::PerMove { move_ms } => move_ms,
                        Clock::Fischer { .. } | Clock::Byoyomi { .. } | Clock::None => KEEP,
                    },
                });
            }
        }
    }
}

/// For whom a game waits that people play who need not be there.
fn waits(state: &State) -> BySeat<bool> {
    let player = |seat| state.players.get(seat).as_ref();
    let is_person = |seat| player(seat).is_some_and(|player| Computer::of(player.id).is_none());
    let is_told = state.created.time_control.is_correspondence()
        && is_person(Seat::First)
        && is_person(Seat::Second);
    let waits = |seat| is_told && waits_for(state, seat);
    BySeat {
        first: waits(Seat::First),
        second: waits(Seat::Second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: BySeat<bool> = BySeat {
        first: false,
        second: false,
    };
    const FIRST: BySeat<bool> = BySeat {
        first: true,
        second: false,
    };
    const SECOND: BySeat<bool> = BySeat {
        first: false,
        second: true,
    };

    #[test]
    fn who_is_away_is_told_of_each_turn_once() {
        let mut notices = TurnNotices::default();
        let mut goes_on = |waits, at| notices.goes_on(waits, SECOND, Millis(at));
        assert_eq!(goes_on(FIRST, 1), [Seat::First]);
        assert_eq!(goes_on(FIRST, 2), []);
        assert_eq!(goes_on(SECOND, 3), []);
        assert_eq!(goes_on(FIRST, 4), [Seat::First]);
        assert_eq!(goes_on(NOBODY, 5), []);
        assert_eq!(notices.due_at(), None);
    }

    #[test]
    fn who_is_at_the_game_is_told_when_nothing_comes_of_it() {
        let mut notices = TurnNotices::default();
        let at = Millis(1) + PATIENCE;
        assert_eq!(notices.goes_on(FIRST, FIRST, Millis(1)), []);
        assert_eq!(notices.due_at(), Some(at));
        assert_eq!(notices.goes_on(FIRST, NOBODY, at - Millis(1)), []);
        assert_eq!(notices.goes_on(FIRST, FIRST, at), [Seat::First]);
        assert_eq!(notices.due_at(), None);
        // Who moves in time is not.
        assert_eq!(notices.goes_on(SECOND, SECOND, at), []);
        assert_eq!(notices.goes_on(NOBODY, SECOND, at + PATIENCE), []);
    }

    #[test]
    fn what_is_read_from_the_record_is_no_news() {
        let mut notices = TurnNotices::default();
        notices.found(FIRST);
        assert_eq!(notices.goes_on(FIRST, NOBODY, Millis(1)), []);
        assert_eq!(notices.goes_on(SECOND, NOBODY, Millis(2)), [Seat::Second]);
        // A player who is still to be told stays so.
        assert_eq!(notices.goes_on(FIRST, FIRST, Millis(3)), []);
        notices.found(FIRST);
        assert_eq!(notices.due_at(), Some(Millis(3) + PATIENCE));
        notices.found(SECOND);
        assert_eq!(notices.due_at(), None);
    }

    #[test]
    fn who_is_still_to_be_told_is_told_once_after_the_game_has_moved() {
        let at = Millis(1) + PATIENCE;
        let mut before = TurnNotices::default();
        assert_eq!(before.goes_on(FIRST, FIRST, Millis(1)), []);
        let mut after = TurnNotices::default();
        after.found(FIRST);
        after.are_handed_over(before.due());
        // It comes twice, and once more when the player was told.
        after.are_handed_over(before.due());
        assert_eq!(after.goes_on(FIRST, NOBODY, at - Millis(1)), []);
        assert_eq!(after.goes_on(FIRST, NOBODY, at), [Seat::First]);
        after.are_handed_over(before.due());
        assert_eq!(after.goes_on(FIRST, NOBODY, at), []);
        // Who has moved meanwhile is not told, nor who was told before.
        let mut after = TurnNotices::default();
        after.found(SECOND);
        after.are_handed_over(before.due());
        assert_eq!(after.goes_on(SECOND, NOBODY, at), []);
    }
}
