//! What is appended when games are opened, joined, ended: events, and the lines of the lists that they change.

use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Seq},
    names::{Rating, Status},
};
use qiguan_rules::{BySeat, Seat};

use crate::{
    event::{Body, Created, Event, Player},
    record::Entry,
    referee,
    setups::Draw,
    state::{Damaged, State},
};

/// What is stored when a game is opened.
///
/// # Errors
/// When the game can't be folded from its own opening, which only a fault of this program can bring about.
pub fn new_game(
    game: GameId,
    created: Created,
    command: CommandId,
    now: Millis,
) -> Result<Vec<Entry>, Damaged> {
    let events = referee::number(
        Seq(0),
        now,
        Some(command),
        vec![Body::Created(Box::new(created))],
    );
    Ok(vec![opened(game, events)?])
}

/// What is stored when a game is opened whose seats are both taken: the creator's and, by `other`, the free one. It begins with `draw`
/// if it has setups.
///
/// # Errors
/// When the game can't be folded from its own opening, or a draw is missing, which only a fault of this program can bring about.
pub fn of_two(
    game: GameId,
    created: Created,
    other: Player,
    draw: Option<Draw>,
    command: Option<CommandId>,
    now: Millis,
) -> Result<Vec<Entry>, Damaged> {
    let bodies = referee::opening_of_two(created, other, draw, now).ok_or(Damaged {
        seq: Seq(3),
        why: "a draw is missing",
    })?;
    Ok(vec![opened(
        game,
        referee::number(Seq(0), now, command, bodies),
    )?])
}

/// What the game that a rematch opens begins with.
#[derive(Default)]
pub struct Rematch {
    /// The setups, if it has any.
    pub draw: Option<Draw>,
    /// The ratings of now, by the seats of the game before.
    pub ratings: BySeat<Option<Rating>>,
}

impl Rematch {
    /// The players with their ratings of now.
    fn seated(&self, state: &State) -> BySeat<Option<Player>> {
        let mut players = state.players.clone();
        for seat in Seat::ALL {
            if let (Some(player), Some(rating)) = (players.get_mut(seat), self.ratings.get(seat)) {
                player.rating = Some(*rating);
            }
        }
        players
    }
}

/// What is stored with events of a game: its line in the lists, if they change it, and with the game that a rematch opens.
///
/// # Errors
/// When the events do not follow from the state.
pub fn append(
    state: &State,
    events: &[Event],
    rematch: &Rematch,
    now: Millis,
) -> Result<Vec<Entry>, Damaged> {
    let mut summary = None;
    if events
        .iter()
        .any(|event| event.body.effects().changes_summary)
    {
        let mut after = state.clone();
        for event in events {
            after.apply(event.clone())?;
        }
        summary = Some(after.summary());
    }
    let mut entries = vec![Entry {
        game: state.id,
        events: events.to_vec(),
        summary,
    }];
    for event in events {
        if let Body::RematchAgreed { next } = event.body
            && let Some(bodies) =
                referee::rematch_opening(state, rematch.seated(state), rematch.draw.clone(), now)
        {
            entries.push(opened(next, referee::number(Seq(0), now, None, bodies))?);
        }
    }
    Ok(entries)
}

/// Who enters a game by these events: the player who joins it, or both who agree to a rematch.
pub fn entering(state: &State, events: &[Event]) -> Vec<PlayerId> {
    let mut players = Vec::new();
    for event in events {
        if let Body::Joined { player, .. } = &event.body {
            players.push(player.id);
        } else if let Body::RematchAgreed { .. } = event.body {
            let seated = [&state.players.first, &state.players.second];
            players.extend(seated.into_iter().flatten().map(|player| player.id));
        }
    }
    players
}

fn opened(game: GameId, events: Vec<Event>) -> Result<Entry, Damaged> {
    let state = State::fold(game, events.iter().cloned())?;
    debug_assert!(state.status != Status::Ended, "a game is not opened ended");
    Ok(Entry {
        game,
        events,
        summary: Some(state.summary()),
    })
}
