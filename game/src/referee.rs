//! The referee: may this command be carried out now, and what happens if so? Pure: time, ids and draws are arguments.

mod adjudicate;
pub mod takeback;

use qiguan_protocol::{
    event::HoldReason,
    ids::{CommandId, GameId, Millis, Ply, Seq},
    limits,
    names::Status,
    time_control::TimeControl,
};
use qiguan_rules::{BySeat, EndReason, Move, Outcome, PlayError, Seat};
use serde::{Deserialize, Serialize};

pub use self::adjudicate::adjudicate;
use crate::{
    adjudication::Adjudication,
    audit_entry::AuditEntry,
    clock::{Delay, FlagFell},
    event::{Body, Created, Event, Player},
    refusal::Refusal,
    setups::{Draw, SettingUp, Setups},
    state::{PlayedMove, State},
};

/// What a player asks for. Programs that share a record pass it on to each other as it is written here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Command {
    /// Take the free seat.
    Join,
    /// Play a move. What is no move is refused after the turn is judged: that the opponent is to move is the better answer.
    Move {
        ply: Ply,
        #[serde(with = "move_text")]
        mv: Result<Move, NotAMove>,
    },
    /// Give up.
    Resign,
    /// Offer a draw, or accept the opponent's open offer.
    OfferDraw,
    /// Accept the draw offered by this event.
    AcceptDraw { offer: Seq },
    /// Decline the draw offered by this event.
    DeclineDraw { offer: Seq },
    /// Take back one's own last move, or ask the opponent for it.
    RequestTakeback,
    /// Agree to the takeback that was asked for by this event.
    AcceptTakeback { offer: Seq },
    /// Decline it.
    DeclineTakeback { offer: Seq },
    /// Break off before both have moved.
    Abort,
    /// Decline a challenge.
    Decline,
    /// Offer or accept another game; `next` is its id, should it come to be.
    Rematch { next: GameId },
    /// Claim the game of an absent opponent.
    ClaimVictory,
    /// Finish setting up.
    Ready,
    /// Say something.
    Chat { text: String },
    /// A moderator ends the game. A permit never leaves the program that has made it.
    #[serde(skip)]
    Adjudicate(Box<Adjudication>),
}

/// Text that was sent as a move and does not read as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAMove(pub String);

/// A move as it is written, whether it reads as one or not.
mod move_text {
    use qiguan_rules::Move;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::NotAMove;

    pub(super) fn serialize<S: Serializer>(
        mv: &Result<Move, NotAMove>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match mv {
            Ok(mv) => to.collect_str(mv),
            Err(NotAMove(text)) => to.serialize_str(text),
        }
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(
        from: D,
    ) -> Result<Result<Move, NotAMove>, D::Error> {
        let text = String::deserialize(from)?;
        Ok(text.parse().map_err(|_| NotAMove(text)))
    }
}

/// The player who sends a command, and what the room knows at this moment.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who.
    pub player: Player,
    /// When the message was read from the network.
    pub received: Millis,
    /// How much later they see and are heard, as the server measured it.
    pub delay: Delay,
    /// Since when the opponent has been away; none if connected.
    pub opponent_away_since: Option<Millis>,
    /// In a game with setups: what is drawn for it, should it begin now.
    pub draw: Option<Draw>,
    /// While both set up: the current setups.
    pub current_setups: Option<Setups>,
    /// Whether nobody else is to hear what is said.
    pub shadow_muted: bool,
}

/// What happens, and what of it has been worked out on the way.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What happens, in order.
    pub bodies: Vec<Body>,
    /// For a move: the game after it.
    pub precomputed: Option<PlayedMove>,
    /// The entry of the audit log, for what is not for everybody.
    pub audit_entry: Option<AuditEntry>,
}

impl From<Vec<Body>> for Decision {
    fn from(bodies: Vec<Body>) -> Self {
        Self {
            bodies,
            precomputed: None,
            audit_entry: None,
        }
    }
}

/// How long clocks stand at the start of a game until both players are there.
pub const START_GRACE: Millis = Millis(30_000);

/// Decides a command.
///
/// # Errors
/// Why it is refused. Then nothing happens.
pub fn decide(
    state: &State,
    command: &Command,
    caller: &Caller,
    now: Millis,
) -> Result<Decision, Refusal> {
    if *command == Command::Join {
        return join(state, caller, now).map(Into::into);
    }
    if *command == Command::Decline {
        return decline(state, caller, now).map(Into::into);
    }
    if let Command::Adjudicate(adjudication) = command {
        return adjudicate(state, adjudication, now);
    }
    let seat = state.seat_of(caller.player.id).ok_or(Refusal::NotAPlayer)?;
    let by = Some(seat);
    let bodies = match command {
        Command::Move { ply, mv } => return play(state, seat, *ply, mv, caller),
        Command::Join | Command::Decline => Err(Refusal::AlreadySeated),
        Command::Adjudicate(_) => Err(Refusal::OwnGame),
        Command::Ready => ready(state, seat, caller, now),
        Command::Resign => {
            playing(state)?;
            Ok(vec![ended(
                state,
                now,
                Some(seat.other()),
                EndReason::Resignation,
                by,
            )])
        }
        Command::OfferDraw => {
            playing(state)?;
            match state.draw_offer {
                Some(offer) if offer.seat == seat => Err(Refusal::OfferOpen),
                Some(_) => Ok(vec![ended(state, now, None, EndReason::Agreement, by)]),
                None if *state.draw_offers_made.get(seat) >= limits::DRAW_OFFERS => {
                    Err(Refusal::NoMoreOffers)
                }
                None => Ok(vec![Body::DrawOffered { seat }]),
            }
        }
        Command::AcceptDraw { offer } => {
            answered_offer(state, seat, *offer)?;
            Ok(vec![ended(state, now, None, EndReason::Agreement, by)])
        }
        Command::DeclineDraw { offer } => {
            answered_offer(state, seat, *offer)?;
            Ok(vec![Body::DrawDeclined { seat }])
        }
        Command::RequestTakeback => takeback::request(state, seat, now),
        Command::AcceptTakeback { offer } => takeback::accept(state, seat, *offer, now),
        Command::DeclineTakeback { offer } => takeback::decline(state, seat, *offer),
        Command::Abort => match state.status {
            Status::Ended => Err(Refusal::GameOver),
            Status::Playing if state.game.plies() >= 2 => Err(Refusal::TooLate),
            Status::Open | Status::Playing => {
                Ok(vec![ended(state, now, None, EndReason::Aborted, by)])
            }
        },
        Command::Rematch { next } => rematch(state, seat, *next),
        Command::ClaimVictory => {
            playing(state)?;
            let absence = state
                .created
                .time_control
                .absence_ms
                .ok_or(Refusal::NoClaims)?;
            let since = caller.opponent_away_since.ok_or(Refusal::OpponentIsThere)?;
            if now - since < absence {
                return Err(Refusal::TooEarly);
            }
            Ok(vec![ended(
                state,
                now,
                Some(seat),
                EndReason::Abandonment,
                by,
            )])
        }
        Command::Chat { .. } if *state.chat_lines.get(seat) >= limits::PLAYER_LINES => {
            Err(Refusal::NoMoreLines)
        }
        Command::Chat { text } => Ok(vec![Body::Chat {
            seat,
            text: text.clone(),
            shadow_muted: caller.shadow_muted,
        }]),
    };
    bodies.map(|bodies| revealing(state, bodies).into())
}

/// Whether the flag of the player on the move has fallen at `now`, and what happens if so.
pub fn flag(state: &State, now: Millis, delay: Delay) -> Option<Vec<Body>> {
    let turn = state.game.turn();
    let fallen = state.status == Status::Playing && state.clock.has_fallen(turn, now, delay);
    fallen.then(|| {
        let ended = ended(state, now, Some(turn.other()), EndReason::Timeout, None);
        revealing(state, vec![ended])
    })
}

/// Whether the time to set up is over at `now`, and what happens if so: the current setups are taken.
pub fn setups_due(state: &State, current_setups: &Setups, now: Millis) -> Option<Vec<Body>> {
    let due = state.setting_up().is_some_and(|setup| setup.until <= now);
    due.then(|| vec![started(now, Some(current_setups.clone()))])
}

/// The time to set up goes on where it stopped at `stopped_at`; there are at least `grace` left.
pub fn extended(setup: &SettingUp, stopped_at: Millis, now: Millis, grace: Millis) -> Body {
    let left = (setup.until - stopped_at).max(grace);
    Body::SetupExtended { until: now + left }
}

/// The clocks stop, and the player on the move is charged for the time up to `charged_to`.
pub fn hold(state: &State, reason: HoldReason, charged_to: Millis, until: Millis) -> Body {
    Body::ClocksHeld {
        reason,
        spent: state.clock.spent_until(state.game.turn(), charged_to),
        until,
    }
}

/// What opens a game by a rematch of `state`: the seats changed, the players as they are named now.
///
/// `draw` is what a game with setups begins with.
pub fn rematch_opening(
    state: &State,
    players: BySeat<Option<Player>>,
    draw: Option<Draw>,
    now: Millis,
) -> Option<Vec<Body>> {
    let (first, second) = (players.second?, players.first?);
    let created = Created {
        seat: Seat::First,
        player: first,
        invited: None,
        bounded: true,
        ..state.created.clone()
    };
    opening_of_two(created, second, draw, now)
}

/// What opens a game whose seats are both taken: the creator's and, by `other`, the free one; none if a draw is missing.
pub fn opening_of_two(
    created: Created,
    other: Player,
    draw: Option<Draw>,
    now: Millis,
) -> Option<Vec<Body>> {
    let beginning = beginning(created.time_control, draw, now)?;
    let seat = created.seat.other();
    Some(vec![
        Body::Created(Box::new(created)),
        Body::Joined {
            seat,
            player: other,
        },
        beginning,
    ])
}

/// What happens when both seats are taken; none if a draw is missing.
fn beginning(time_control: TimeControl, draw: Option<Draw>, now: Millis) -> Option<Body> {
    match time_control.setup_ms {
        None => Some(started(now, None)),
        Some(setup_ms) => draw.map(|draw| Body::SetupBegan {
            until: now + setup_ms,
            draw: Box::new(draw),
        }),
    }
}

fn started(now: Millis, setups: Option<Setups>) -> Body {
    Body::Started {
        until: now + START_GRACE,
        setups: setups.map(Box::new),
    }
}

fn ready(state: &State, seat: Seat, caller: &Caller, now: Millis) -> Result<Vec<Body>, Refusal> {
    let setup = setting_up(state, seat)?;
    let mut bodies = vec![Body::SetupReady { seat }];
    if *setup.ready.get(seat.other()) {
        let current_setups = caller.current_setups.clone().ok_or(Refusal::NotSettingUp)?;
        bodies.push(started(now, Some(current_setups)));
    }
    Ok(bodies)
}

/// How far the setups are, if this seat's can still be changed.
///
/// # Errors
/// `NotStarted`, `NotSettingUp`, `AlreadyReady`.
pub fn setting_up(state: &State, seat: Seat) -> Result<&SettingUp, Refusal> {
    let setup = state.setting_up().ok_or(match state.status {
        Status::Open if state.created.time_control.setup_ms.is_some() => Refusal::NotStarted,
        Status::Open | Status::Playing | Status::Ended => Refusal::NotSettingUp,
    })?;
    if *setup.ready.get(seat) {
        return Err(Refusal::AlreadyReady);
    }
    Ok(setup)
}

/// The end of a game that was played with setups shows them, by an event of its own.
pub fn revealing(state: &State, mut bodies: Vec<Body>) -> Vec<Body> {
    let played = state
        .setup
        .as_ref()
        .is_some_and(|setup| setup.taken.is_some());
    if played && matches!(bodies.last(), Some(Body::Ended { .. })) {
        bodies.push(Body::Revealed);
    }
    bodies
}

/// Numbers what happens into events that follow the last one.
pub fn number(after: Seq, at: Millis, command: Option<CommandId>, bodies: Vec<Body>) -> Vec<Event> {
    let mut seq = after;
    bodies
        .into_iter()
        .map(|body| {
            seq = seq.next();
            Event {
                seq,
                at,
                command,
                body,
            }
        })
        .collect()
}

fn join(state: &State, caller: &Caller, now: Millis) -> Result<Vec<Body>, Refusal> {
    if state.seat_of(caller.player.id).is_some() {
        return Err(Refusal::AlreadySeated);
    }
    let free = Seat::ALL
        .into_iter()
        .find(|seat| state.players.get(*seat).is_none());
    match (state.status, free) {
        (Status::Open, Some(_)) if !is_meant(state, caller) => Err(Refusal::Gone),
        (Status::Open, Some(seat)) => Ok(vec![
            Body::Joined {
                seat,
                player: caller.player.clone(),
            },
            beginning(state.created.time_control, caller.draw.clone(), now)
                .ok_or(Refusal::NotStarted)?,
        ]),
        (Status::Ended, Some(_)) => Err(Refusal::GameOver),
        (Status::Open | Status::Playing | Status::Ended, _) => Err(Refusal::Gone),
    }
}

/// Whether a player may take the free seat: that of a challenge waits for one alone.
fn is_meant(state: &State, caller: &Caller) -> bool {
    let invited = state.created.invited.as_ref();
    invited.is_none_or(|invited| invited.id == caller.player.id)
}

/// A challenge is declined by the player it is meant for; nobody else can tell it from a game without a free seat.
fn decline(state: &State, caller: &Caller, now: Millis) -> Result<Vec<Body>, Refusal> {
    if state.seat_of(caller.player.id).is_some() {
        return Err(Refusal::AlreadySeated);
    }
    match state.status {
        Status::Open if state.created.invited.is_some() && is_meant(state, caller) => {
            Ok(vec![ended(state, now, None, EndReason::Aborted, None)])
        }
        Status::Open | Status::Playing => Err(Refusal::NotAPlayer),
        Status::Ended => Err(Refusal::GameOver),
    }
}

fn play(
    state: &State,
    seat: Seat,
    ply: Ply,
    mv: &Result<Move, NotAMove>,
    caller: &Caller,
) -> Result<Decision, Refusal> {
    playing(state)?;
    let (seq, played) = (state.seq(), state.ply());
    if ply <= played {
        return Err(Refusal::Stale { seq, ply: played });
    }
    if ply > played.next() {
        return Err(Refusal::Ahead { seq, ply: played });
    }
    if seat != state.game.turn() {
        return Err(Refusal::NotYourTurn);
    }
    let mv = match mv {
        Ok(mv) if state.game.is_on_board(*mv) => *mv,
        Ok(mv) => {
            let text = mv.to_string();
            return Err(Refusal::BadMove { text });
        }
        Err(NotAMove(text)) => return Err(Refusal::BadMove { text: text.clone() }),
    };
    let precomputed = PlayedMove::of(&state.game, mv).map_err(|error| match error {
        PlayError::GameOver => Refusal::GameOver,
        PlayError::Illegal => Refusal::IllegalMove { mv },
        PlayError::Banned(reason) => Refusal::BannedMove { mv, reason },
    })?;
    let charge = state
        .clock
        .charge(seat, caller.received, caller.delay)
        .map_err(|FlagFell| Refusal::FlagFell)?;
    let mut bodies = vec![Body::Moved {
        seat,
        ply,
        mv,
        spent: charge.spent,
        lag: charge.lag,
    }];
    if let Some(outcome) = precomputed.game.outcome() {
        bodies.push(Body::Ended {
            outcome,
            spent: Millis(0),
            by: None,
        });
    }
    Ok(Decision {
        bodies: revealing(state, bodies),
        precomputed: Some(precomputed),
        audit_entry: None,
    })
}

fn rematch(state: &State, seat: Seat, next: GameId) -> Result<Vec<Body>, Refusal> {
    match state.status {
        Status::Open => return Err(Refusal::NotStarted),
        Status::Playing => return Err(Refusal::GameRunning),
        Status::Ended => {}
    }
    if state.players.first.is_none() || state.players.second.is_none() {
        return Err(Refusal::NotStarted);
    }
    if state.next.is_some() {
        return Err(Refusal::Gone);
    }
    match state.rematch_offer {
        Some(offer) if offer.seat == seat => Err(Refusal::OfferOpen),
        Some(_) => Ok(vec![Body::RematchAgreed { next }]),
        None => Ok(vec![Body::RematchOffered { seat }]),
    }
}

fn answered_offer(state: &State, seat: Seat, offer: Seq) -> Result<(), Refusal> {
    playing(state)?;
    match state.draw_offer {
        Some(open) if open.seat != seat && open.seq == offer => Ok(()),
        Some(_) | None => Err(Refusal::NoSuchOffer {
            seq: state.seq(),
            ply: state.ply(),
        }),
    }
}

fn playing(state: &State) -> Result<(), Refusal> {
    match state.status {
        Status::Open => Err(Refusal::NotStarted),
        Status::Playing if state.setting_up().is_some() => Err(Refusal::StillSettingUp),
        Status::Playing => Ok(()),
        Status::Ended => Err(Refusal::GameOver),
    }
}

/// The end of a game, brought about by a command of `by` or by nobody at the board.
pub fn ended(
    state: &State,
    now: Millis,
    winner: Option<Seat>,
    reason: EndReason,
    by: Option<Seat>,
) -> Body {
    let spent = state.clock.spent_until(state.game.turn(), now);
    Body::Ended {
        outcome: Outcome { winner, reason },
        spent,
        by,
    }
}
