//! What each audience may see: the one place where a game's record becomes something that leaves the server.
//!
//! **Invariant:** live events, resumed events, snapshots, lists of positions and exports all come through here, and the
//! types they become (`qiguan_protocol`) have no field for a secret. Every audience gets every number. What is for those who keep
//! order alone is in [`overseer`].

pub mod overseer;

mod attended;
pub mod listed;
mod spectator_chat;
pub mod whole;

use qiguan_protocol::{
    event::{EventFrame, GameEvent},
    ids::{Cursor, Epoch, Millis, Ply, Seq},
    move_text::MoveText,
    names::{self, Status},
    option::OptionValue,
    setup::{Met, RevealedSetup, SetupView},
    view::{
        BannedMove, ChatLine, GameView, LiveState, Offer, PlayedMove, Position, PositionAtPly,
        Positions, Presence,
    },
};
use qiguan_rules::{BySeat, Game, Move, Played, Seat, Viewer, luzhanqi::Setup};

use crate::{
    fairness::hex,
    room::{
        event::{Body, Event, Player},
        rulesets,
        setups::SettingUp,
        state::{self, Damaged, State},
    },
    store::store::Papers,
};

pub use self::spectator_chat::{hears_spectators, spectator_line};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// The player in this seat.
    Seat(Seat),
    /// Everybody else.
    Spectators,
}

impl Audience {
    /// Every audience; a room serialises an event once for each that is there.
    pub const ALL: [Self; 3] = [
        Self::Seat(Seat::First),
        Self::Seat(Seat::Second),
        Self::Spectators,
    ];

    /// The audience's place in [`Self::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Self::Seat(Seat::First) => 0,
            Self::Seat(Seat::Second) => 1,
            Self::Spectators => 2,
        }
    }

    /// The seat, if the audience has one.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Spectators => None,
        }
    }

    /// As whom the rules know this audience: once the setups are revealed, everybody may know everything.
    fn viewer(self, state: &State) -> Viewer {
        if state.setup.as_ref().is_some_and(|setup| setup.revealed) {
            return Viewer::Referee;
        }
        match self {
            Self::Seat(seat) => Viewer::Seat(seat),
            Self::Spectators => Viewer::Spectator,
        }
    }
}

/// An event as an audience sees it; `state` is the state right after it.
pub fn event(state: &State, event: &Event, audience: Audience) -> GameEvent {
    let clocks = || state.clock.view(state.game.turn(), event.at);
    match &event.body {
        Body::Created(created) => GameEvent::Created {
            seat: created.seat.into(),
            player: player(&created.player),
        },
        Body::Joined { seat, player: who } => GameEvent::Joined {
            seat: (*seat).into(),
            player: player(who),
        },
        Body::SetupBegan { until, draw } => GameEvent::SetupBegan {
            until: *until,
            setup: audience.seat().map(|seat| draw.setups.0.get(seat).text()),
        },
        Body::SetupExtended { until } => GameEvent::SetupExtended { until: *until },
        Body::SetupReady { seat } => GameEvent::SetupReady {
            seat: (*seat).into(),
        },
        Body::Started { .. } => GameEvent::Started {
            clocks: clocks(),
            commitments: state.setup.as_ref().and_then(commitments),
        },
        Body::Moved {
            seat,
            ply,
            mv,
            spent,
            lag,
        } => GameEvent::Moved {
            seat: (*seat).into(),
            ply: *ply,
            text: (*mv).into(),
            captured: did(state).captured,
            removed: did(state).removed.map(Into::into),
            met: did(state).revealed.map(met),
            spent_ms: *spent,
            lag_ms: *lag,
            clocks: clocks(),
        },
        Body::DrawOffered { seat } => GameEvent::DrawOffered {
            seat: (*seat).into(),
        },
        Body::DrawDeclined { seat } => GameEvent::DrawDeclined {
            seat: (*seat).into(),
        },
        Body::ClocksHeld { reason, .. } => GameEvent::ClocksHeld {
            reason: *reason,
            clocks: clocks(),
        },
        Body::ClocksReleased => GameEvent::ClocksReleased { clocks: clocks() },
        Body::Ended { outcome, .. } => GameEvent::Ended {
            outcome: (*outcome).into(),
            clocks: clocks(),
        },
        Body::Revealed => match state.setup.as_ref().and_then(revealed) {
            Some(setups) => GameEvent::Revealed { setups },
            None => GameEvent::Withheld {},
        },
        Body::RematchOffered { seat } => GameEvent::RematchOffered {
            seat: (*seat).into(),
        },
        Body::RematchAgreed { next } => GameEvent::RematchAgreed { next: *next },
        Body::Chat {
            seat,
            text,
            unheard,
        } if hears(audience, *seat, *unheard) => GameEvent::Chat {
            seat: (*seat).into(),
            text: text.clone(),
        },
        Body::Chat { .. } => GameEvent::Withheld {},
    }
}

/// A live event: with the position, where it has changed.
pub fn frame(state: &State, happened: &Event, audience: Audience) -> EventFrame {
    let position = changes_position(&happened.body).then(|| position(state, audience));
    EventFrame {
        game: state.id,
        seq: happened.seq,
        at: happened.at,
        event: event(state, happened, audience),
        position,
    }
}

/// Whether the position or what is legal in it is different after this event.
const fn changes_position(body: &Body) -> bool {
    match body {
        Body::Created(_)
        | Body::Started { .. }
        | Body::Moved { .. }
        | Body::Ended { .. }
        | Body::Revealed => true,
        Body::Joined { .. }
        | Body::SetupBegan { .. }
        | Body::SetupExtended { .. }
        | Body::SetupReady { .. }
        | Body::DrawOffered { .. }
        | Body::DrawDeclined { .. }
        | Body::ClocksHeld { .. }
        | Body::ClocksReleased
        | Body::RematchOffered { .. }
        | Body::RematchAgreed { .. }
        | Body::Chat { .. } => false,
    }
}

/// Whether everybody knows the same of an event and of the position after it, but for the [moves](moves) of the player
/// whose turn it is: then what spectators are told is told to all.
pub fn is_open(state: &State, happened: &Event) -> bool {
    let told = match &happened.body {
        Body::Created(_)
        | Body::Joined { .. }
        | Body::Started { .. }
        | Body::Moved { .. }
        | Body::DrawOffered { .. }
        | Body::DrawDeclined { .. }
        | Body::ClocksHeld { .. }
        | Body::ClocksReleased
        | Body::Ended { .. }
        | Body::RematchOffered { .. }
        | Body::RematchAgreed { .. } => true,
        // What is set up is one side's alone.
        Body::SetupBegan { .. }
        | Body::SetupExtended { .. }
        | Body::SetupReady { .. }
        | Body::Revealed
        | Body::Chat { .. } => false,
    };
    told && state.game.hides_nothing()
}

/// The legal and the banned moves; for the player on the move alone.
pub fn moves(state: &State, audience: Audience) -> Option<(&[Move], Vec<BannedMove>)> {
    let to_move = state.status == Status::Playing
        && state.setting_up().is_none()
        && audience == Audience::Seat(state.game.turn());
    to_move.then(|| {
        let banned = state.game.banned_moves().iter().map(|ban| BannedMove {
            text: ban.mv.into(),
            reason: ban.reason.into(),
        });
        (state.game.legal_moves(), banned.collect())
    })
}

/// The position as an audience knows it; the moves go to the player on the move alone.
pub fn position(state: &State, audience: Audience) -> Position {
    let (legal, banned) = moves(state, audience).unzip();
    Position {
        fen: state.game.view(audience.viewer(state)).fen,
        ply: state.ply(),
        turn: state.game.turn().into(),
        check: state.game.in_check(),
        legal: legal.map(|moves| moves.iter().map(|mv| (*mv).into()).collect()),
        banned,
    }
}

/// What a client that catches up needs beside the events.
pub fn live(
    state: &State,
    audience: Audience,
    papers: &Papers,
    presence: Presence,
    now: Millis,
) -> LiveState {
    let clocks = state.clock.view(state.game.turn(), now);
    LiveState {
        ratings: None,
        position: position(state, audience),
        clocks,
        setup: setup(state, audience, papers),
        notes: notes(audience, papers),
        spectator_chat: Vec::new(),
        presence,
        server_time: now,
    }
}

/// The whole game as an audience knows it.
pub fn view(
    state: &State,
    audience: Audience,
    papers: &Papers,
    presence: Presence,
    epoch: Epoch,
    now: Millis,
) -> GameView {
    let shown = |seat: Seat| state.players.get(seat).as_ref().map(player);
    GameView {
        game: state.id,
        cursor: Cursor {
            epoch,
            seq: state.seq(),
        },
        ruleset: state.created.ruleset.clone(),
        options: rulesets::options(&state.ruleset),
        time_control: state.created.time_control,
        visibility: state.created.visibility,
        rated: state.created.rated,
        ratings: None,
        invited: state.created.invited.as_ref().map(player),
        spectator_delay: state.created.spectator_delay,
        status: state.status,
        players: names::BySeat {
            first: shown(Seat::First),
            second: shown(Seat::Second),
        },
        you: audience.seat().map(Into::into),
        position: position(state, audience),
        moves: state
            .moves
            .iter()
            .zip(1..)
            .map(|(played, ply)| played_move(played, Ply(ply)))
            .collect(),
        clocks: state.clock.view(state.game.turn(), now),
        draw_offer: state.draw_offer.map(offer),
        rematch_offer: state.rematch_offer.map(offer),
        next: state.next,
        outcome: state.ended.map(|(outcome, _)| outcome.into()),
        setup: setup(state, audience, papers),
        notes: notes(audience, papers),
        chat: chat(state, audience),
        spectator_chat: Vec::new(),
        presence,
        created_at: state.created_at,
        server_time: now,
        damaged: false,
    }
}

/// The events after `since` as an audience saw them happen, by folding the record once more.
///
/// # Errors
/// When the record can't be folded.
pub fn missed(state: &State, since: Seq, audience: Audience) -> Result<Vec<EventFrame>, Damaged> {
    let mut frames = Vec::new();
    let mut events = state.log.iter().cloned();
    let Some(first) = events.next() else {
        return Ok(frames);
    };
    let mut then = State::open(state.id, first)?;
    let mut keep = |then: &State| {
        if let Some(last) = then.log.last().filter(|last| last.seq > since) {
            let event = event(then, last, audience);
            frames.push(EventFrame {
                game: then.id,
                seq: last.seq,
                at: last.at,
                event,
                position: None,
            });
        }
    };
    keep(&then);
    for happened in events {
        then.apply(happened)?;
        keep(&then);
    }
    Ok(frames)
}

/// Every position of the game as an audience knows it.
///
/// # Errors
/// When the record can't be folded.
pub fn positions(state: &State, audience: Audience) -> Result<Positions, Damaged> {
    each_position(state, audience.viewer(state))
}

/// Through whose eyes a game that is over is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// The referee's, who knows everything.
    Referee,
    /// Those of an audience, as it knew the game while it went on.
    Of(Audience),
}

/// Every position of the game as somebody knew it while it went on; none as long as there is anything to hide from anybody.
///
/// # Errors
/// When the record can't be folded.
pub fn positions_through(state: &State, eyes: Eyes) -> Result<Option<Positions>, Damaged> {
    let hides = |setup: &SettingUp| setup.taken.is_some() && !setup.revealed;
    if state.status != Status::Ended || state.setup.as_ref().is_some_and(hides) {
        return Ok(None);
    }
    let viewer = match eyes {
        Eyes::Referee => Viewer::Referee,
        Eyes::Of(Audience::Seat(seat)) => Viewer::Seat(seat),
        Eyes::Of(Audience::Spectators) => Viewer::Spectator,
    };
    each_position(state, viewer).map(Some)
}

fn each_position(state: &State, viewer: Viewer) -> Result<Positions, Damaged> {
    let at = |game: &Game, ply: u32, text: Option<MoveText>| PositionAtPly {
        ply: Ply(ply),
        text,
        fen: game.view(viewer).fen,
        check: game.in_check(),
    };
    let mut game = state.beginning();
    let mut positions = vec![at(&game, 0, None)];
    for (played, ply) in state.moves.iter().zip(1..) {
        game.play(played.mv).map_err(|_| Damaged {
            seq: state.seq(),
            why: "the move is illegal",
        })?;
        positions.push(at(&game, ply, Some(played.mv.into())));
    }
    Ok(Positions {
        game: state.id,
        positions,
    })
}

/// A player as others see them.
pub fn player(player: &Player) -> names::Player {
    names::Player {
        rating: player.rating,
        bot: player.bot,
        id: player.id,
        name: player.name.clone(),
    }
}

/// Options as they travel.
pub fn option_value(text: &str) -> OptionValue {
    match (text, text.parse()) {
        ("true", _) => OptionValue::Bool(true),
        ("false", _) => OptionValue::Bool(false),
        (_, Ok(number)) => OptionValue::Number(number),
        (word, Err(_)) => OptionValue::Word(word.to_owned()),
    }
}

/// What the last move did.
fn did(state: &State) -> Played {
    state
        .moves
        .last()
        .map(|played| played.did)
        .unwrap_or_default()
}

const fn met([attacker, defender]: [char; 2]) -> Met {
    Met { attacker, defender }
}

/// How far the setups are, with the audience's own.
fn setup(state: &State, audience: Audience, papers: &Papers) -> Option<SetupView> {
    let setup = state.setup.as_ref()?;
    let yours = |seat: Seat| match &setup.taken {
        Some(taken) => taken.0.get(seat).text(),
        None => standing(setup, papers, seat).text(),
    };
    Some(SetupView {
        until: state.setting_up().map(|setup| setup.until),
        ready: names::BySeat {
            first: setup.ready.first,
            second: setup.ready.second,
        },
        yours: audience.seat().map(yours),
        commitments: commitments(setup),
        revealed: revealed(setup),
    })
}

/// A side's setup as it stands: as the player left it, or as it was drawn.
pub fn standing(setup: &SettingUp, papers: &Papers, seat: Seat) -> Setup {
    let kept = papers.get(seat).setup.as_deref();
    kept.and_then(|text| Setup::read(seat, text).ok())
        .unwrap_or(*setup.draw.setups.0.get(seat))
}

fn commitments(setup: &SettingUp) -> Option<names::BySeat<String>> {
    let BySeat { first, second } = setup.commitments()?;
    Some(names::BySeat { first, second })
}

/// The setups with their salts, once everybody may see them.
fn revealed(setup: &SettingUp) -> Option<names::BySeat<RevealedSetup>> {
    let taken = setup.taken.as_ref().filter(|_| setup.revealed)?;
    let one = |seat: Seat| RevealedSetup {
        setup: taken.0.get(seat).text(),
        salt: hex(&setup.draw.salts.get(seat).0),
    };
    Some(names::BySeat {
        first: one(Seat::First),
        second: one(Seat::Second),
    })
}

/// A player's own notes.
fn notes(audience: Audience, papers: &Papers) -> Option<String> {
    papers.get(audience.seat()?).notes.clone()
}

/// Whether an audience hears what is said from a seat: the players do, but what is unheard only who says it.
fn hears(audience: Audience, by: Seat, unheard: bool) -> bool {
    audience.seat().is_some_and(|seat| !unheard || seat == by)
}

fn chat(state: &State, audience: Audience) -> Vec<ChatLine> {
    let lines = state.log.iter().filter_map(|event| match &event.body {
        Body::Chat {
            seat,
            text,
            unheard,
        } if hears(audience, *seat, *unheard) => Some(ChatLine {
            seat: (*seat).into(),
            at: event.at,
            text: text.clone(),
        }),
        _ => None,
    });
    lines.collect()
}

fn played_move(played: &state::Played, ply: Ply) -> PlayedMove {
    PlayedMove {
        ply,
        text: played.mv.into(),
        captured: played.did.captured,
        removed: played.did.removed.map(Into::into),
        met: played.did.revealed.map(met),
        spent_ms: played.spent,
    }
}

fn offer(offer: state::Offer) -> Offer {
    Offer {
        seat: offer.seat.into(),
        seq: offer.seq,
    }
}
