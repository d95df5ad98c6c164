//! However players, strangers and the clock follow each other in a game: what the referee lets happen is a record that validates, reads
//! back from its stored form, and folds to the same game as the events did one by one; and every audience receives every event.

use arbitrary::Unstructured;
use qiguan_game::{
    audience::{self, Audience, snapshot::Snapshot},
    clock::Delay,
    commitments::Salt,
    event::{Body, Created, Event, Player},
    referee::{self, Caller, Command, NotAMove},
    rulesets,
    seat_drafts::Drafts,
    setups::{Draw, has_setups},
    state::{Damaged, State},
    validate::validate,
};
use qiguan_protocol::{
    delay::SpectatorDelay,
    event::HoldReason,
    ids::{CommandId, Epoch, GameId, Millis, PlayerId, Ply, Seq},
    names::{Status, Visibility},
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{BySeat, Seat};
use qiguan_store::stored::StoredEvent;
use uuid::Uuid;

use super::{Target, ruleset};

/// See the module.
pub const TARGET: Target = Target {
    name: "rooms",
    check: |input| holds(State::apply, input),
    words: &[],
};

type Apply = fn(&mut State, Event) -> Result<(), Damaged>;

/// So many commands come at most.
const COMMANDS: usize = 300;
/// How far apart commands come at most, in milliseconds.
const LONGEST_PAUSE: i64 = 40_000;

fn holds(apply: Apply, input: &[u8]) {
    let mut choices = Unstructured::new(input);
    let Some(mut room) = Room::opened(apply, &mut choices) else {
        return;
    };
    for number in 0..COMMANDS {
        if choices.is_empty() || room.step(number, &mut choices).is_err() {
            break;
        }
    }
    room.is_sound();
}

struct Room {
    apply: Apply,
    state: State,
    drafts: Drafts,
    /// Every event, as it happened.
    events: Vec<Event>,
    now: Millis,
}

impl Room {
    /// A game that one player has opened; none if nobody could open it so.
    fn opened(apply: Apply, choices: &mut Unstructured<'_>) -> Option<Self> {
        let ruleset = ruleset(choices.arbitrary().ok()?);
        let clock = match choices.arbitrary::<u8>().ok()? % 4 {
            0 => Clock::Fischer {
                initial_ms: Millis(choices.int_in_range(1_000..=60_000).ok()?),
                increment_ms: Millis(choices.int_in_range(0..=5_000).ok()?),
            },
            1 => Clock::Byoyomi {
                main_ms: Millis(choices.int_in_range(0..=30_000).ok()?),
                period_ms: Millis(choices.int_in_range(1_000..=10_000).ok()?),
                periods: choices.int_in_range(1..=5).ok()?,
            },
            2 => Clock::PerMove {
                move_ms: Millis(choices.int_in_range(10_000..=100_000).ok()?),
            },
            _ => Clock::None,
        };
        let time_control = TimeControl {
            clock,
            absence_ms: None,
            setup_ms: None,
        };
        let time_control = time_control.with_setups(has_setups(&ruleset)).ok()?;
        let seat = Seat::ALL[usize::from(choices.arbitrary::<bool>().ok()?)];
        let delay = choices.arbitrary::<bool>().ok()?;
        let created = Created {
            ruleset: ruleset.id().to_owned(),
            options: Vec::new(),
            time_control: time_control.checked().ok()?,
            visibility: Visibility::Public,
            seat,
            player: player(seat.index()),
            rated: false,
            invited: None,
            spectator_delay: delay.then_some(SpectatorDelay::Plies(3)),
            start: None,
            practice: false,
            bounded: true,
        };
        assert!(rulesets::from_record(&created.ruleset, &created.options).is_ok());
        let now = Millis(1_000_000);
        let bodies = vec![Body::Created(Box::new(created))];
        let opening = referee::number(Seq(0), now, None, bodies).pop()?;
        let state = State::open(GameId(Uuid::from_u128(9)), opening.clone()).ok()?;
        Some(Self {
            apply,
            state,
            drafts: Drafts::default(),
            events: vec![opening],
            now,
        })
    }

    /// Time passes, the server does what is due, and somebody asks for something.
    fn step(&mut self, number: usize, choices: &mut Unstructured<'_>) -> arbitrary::Result<()> {
        let pause = match choices.arbitrary::<u8>()? {
            small @ 0..=199 => i64::from(small) * 10,
            _ => choices.int_in_range(0..=LONGEST_PAUSE)?,
        };
        self.now = self.now + Millis(pause);
        let round_trip = Millis(choices.int_in_range(0..=1_000)?);
        let choice: u8 = choices.arbitrary()?;
        let delay = Delay {
            round_trip,
            between_programs: Millis(i64::from(choice >> 6) * 200),
        };
        self.server_acts(delay, choice);
        let who = usize::from(choices.arbitrary::<u8>()? % 3);
        let command = self.command(choices)?;
        let setup = self.state.setting_up();
        let current_setups = setup.map(|setup| setup.both_current(&self.drafts));
        let caller = Caller {
            player: player(who),
            received: self.now,
            delay,
            opponent_away_since: choices.arbitrary::<bool>()?.then_some(Millis(0)),
            draw: Some(draw(choices)?),
            current_setups,
            shadow_muted: choices.arbitrary()?,
        };
        if let Ok(decision) = referee::decide(&self.state, &command, &caller, self.now) {
            let id = CommandId(Uuid::from_u128(number as u128 + 1));
            self.happens(decision.bodies, Some(id));
        }
        Ok(())
    }

    /// What a room does by itself.
    fn server_acts(&mut self, delay: Delay, choice: u8) {
        if let Some(setup) = self.state.setting_up() {
            let current_setups = setup.both_current(&self.drafts);
            if let Some(bodies) = referee::setups_due(&self.state, &current_setups, self.now) {
                return self.happens(bodies, None);
            }
        }
        if let Some(bodies) = referee::flag(&self.state, self.now, delay) {
            return self.happens(bodies, None);
        }
        let playing = self.state.status == Status::Playing && self.state.setting_up().is_none();
        match self.state.clock.held_until() {
            Some(until) if playing && (choice.is_multiple_of(2) || until <= self.now) => {
                self.happens(vec![Body::ClocksReleased], None);
            }
            None if playing && choice % 16 == 1 => {
                let until = self.now + Millis(5_000);
                let held = referee::hold(&self.state, HoldReason::Restart, self.now, until);
                self.happens(vec![held], None);
            }
            _ => {}
        }
    }

    fn command(&self, choices: &mut Unstructured<'_>) -> arbitrary::Result<Command> {
        let offer = self.state.draw_offer.map_or(Seq(1), |offer| offer.seq);
        Ok(match choices.arbitrary::<u8>()? {
            0..=7 => Command::Resign,
            8..=23 => Command::OfferDraw,
            24..=27 => Command::AcceptDraw { offer },
            28..=35 => Command::DeclineDraw { offer },
            36..=39 => Command::Abort,
            40..=43 => Command::Decline,
            44..=51 => Command::Rematch {
                next: GameId(Uuid::from_u128(10)),
            },
            52..=55 => Command::ClaimVictory,
            56..=79 => Command::Ready,
            80..=87 => Command::Chat {
                text: "well played".to_owned(),
            },
            88..=111 => Command::Join,
            112..=119 => {
                let text = String::from_utf8_lossy(choices.bytes(4)?);
                Command::Move {
                    ply: Ply(choices.arbitrary()?),
                    mv: text.parse().map_err(|_| NotAMove(text.into_owned())),
                }
            }
            _ => {
                let legal = self.state.game.legal_moves();
                let place = usize::from(choices.arbitrary::<u8>()?);
                let mv = legal.get(place % legal.len().max(1));
                let ply = self.state.ply().next();
                let mv = mv.copied().ok_or_else(|| NotAMove(String::new()));
                Command::Move { ply, mv }
            }
        })
    }

    fn happens(&mut self, bodies: Vec<Body>, command: Option<CommandId>) {
        for event in referee::number(self.state.seq(), self.now, command, bodies) {
            self.events.push(event.clone());
            if let Err(damaged) = (self.apply)(&mut self.state, event) {
                panic!("the referee let happen what does not follow: {damaged}");
            }
        }
    }

    fn is_sound(&self) {
        let stored: Vec<_> = self.events.iter().map(StoredEvent::encode).collect();
        let read: Vec<Event> = stored
            .into_iter()
            .map(|stored| match stored.map(|stored| stored.decode()) {
                Ok(Ok(event)) => event,
                other => panic!("an event can't be stored: {other:?}"),
            })
            .collect();
        assert!(read == self.events, "an event is stored as another");
        let validated = match validate(self.state.id, read) {
            Ok(state) => state,
            Err(divergence) => panic!("the record does not validate: {divergence}"),
        };
        for audience in Audience::ALL {
            assert_eq!(
                self.seen(&self.state, audience),
                self.seen(&validated, audience),
                "folded to another game"
            );
            let missed = audience::missed(&self.state, Seq(0), audience);
            let numbers: Vec<_> = missed.iter().map(|event| event.seq).collect();
            let all: Vec<_> = self.events.iter().map(|event| event.seq).collect();
            assert_eq!(numbers, all, "an audience misses an event");
        }
    }

    /// The whole game as an audience receives it.
    fn seen(&self, state: &State, audience: Audience) -> String {
        let (state, drafts) = (state.snapshot(), self.drafts.clone());
        let snapshot = Snapshot {
            audience,
            ..Snapshot::of_record(state, drafts, Epoch(1), self.now)
        };
        match serde_json::to_string(&snapshot.view()) {
            Ok(text) => text,
            Err(error) => panic!("a view can't be written: {error}"),
        }
    }
}

/// A player by number; the first two have the seats of theirs, the third is a stranger until a seat is free.
fn player(number: usize) -> Player {
    Player::named(
        PlayerId(Uuid::from_u128(1 + number as u128)),
        format!("Player {number}"),
    )
}

fn draw(choices: &mut Unstructured<'_>) -> arbitrary::Result<Draw> {
    let mut random = u64::from(choices.arbitrary::<u16>()?);
    let below = |bound: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) as usize % bound
    };
    let salts = BySeat {
        first: Salt([1; 32]),
        second: Salt([2; 32]),
    };
    Ok(Draw::new(below, salts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn an_event_that_changes_nothing_is_found() {
        is_broken_by(&TARGET, |input| {
            holds(
                |state, event| {
                    let offer = state.draw_offer;
                    let declined = matches!(event.body, Body::DrawDeclined { .. });
                    state.apply(event)?;
                    if declined {
                        state.draw_offer = offer;
                    }
                    Ok(())
                },
                input,
            );
        });
    }
}
