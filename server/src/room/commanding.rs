//! A command's way through its room: carried out once however often it is sent, decided, journaled, answered, and only then
//! sent to others.

use qiguan_game::{
    event::Player,
    people::identity::Identity,
    referee::{self, Caller, Command},
    refusal::Refusal,
    repeating,
    state::State,
};
use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    ids::{CommandId, Millis, PlayerId},
};
use qiguan_rules::Seat;
use qiguan_store::{failpoints, quotas::Quota, store::AppendError};

use crate::{
    admission::{
        self, Terms, blocks, limits, ranks,
        sanctions::{self, ChatReach},
        seating,
    },
    net::{address::Group, growth_limit::Growth, opening_limits::Opener},
    peer::Peer,
    room::{chat_limit, message::CommandRequest, room::Room},
};

/// How often a command is decided, again each time that somebody else wrote to the game in between.
const ATTEMPTS: u32 = 3;

impl Room {
    /// Takes a line from what a player may say, here and in all games together.
    fn may_chat(&self, seat: Seat, player: PlayerId, now: Millis) -> Result<(), ApiError> {
        let taken = self.chat.take(&seat, now).and_then(|()| {
            let taken = self.services.chat.take(&player, now);
            taken.inspect_err(|_| self.chat.refund(&seat, 1))
        });
        taken.map_err(chat_limit::refused)
    }

    /// Takes a command from what a player may say and add to the record.
    fn may_store(
        &self,
        command: &Command,
        seat: Option<Seat>,
        player: PlayerId,
        now: Millis,
    ) -> Result<(), ApiError> {
        let (Command::Chat { .. }, Some(seat)) = (command, seat) else {
            return self.services.growth.take(player, Growth::MOVE, now);
        };
        self.may_chat(seat, player, now)?;
        self.services.growth.take(player, Growth::CHAT_LINE, now)
    }

    /// Deals with a command, and answers it.
    pub(super) async fn command(&mut self, asked: Box<CommandRequest>) {
        let CommandRequest {
            command,
            cause,
            id,
            who,
            received,
            peer,
            from,
            reply,
        } = *asked;
        let round_trip = peer.as_deref().map(Peer::round_trip).unwrap_or_default();
        if self.storage_down.is_some() {
            // What is stored already needs no writing.
            let stored = self
                .state
                .as_deref()
                .and_then(|state| repeat(state, &command, state.seat_of(who.id), id));
            if let Some(answer) = stored {
                return reply.send(answer);
            }
            self.probe_storage().await;
            if self.storage_down.is_some() {
                return reply.send(Err(ApiError::not_stored()));
            }
        }
        for _ in 0..ATTEMPTS {
            let Some(state) = self.state.as_deref() else {
                break;
            };
            let seat = state.seat_of(who.id);
            if let Some(answer) = repeat(state, &command, seat, id) {
                return reply.send(answer);
            }
            let player = match self.asker(state, &command, &who, from).await {
                Ok(player) => player,
                Err(error) => return reply.send(Err(error)),
            };
            let now = self.services.clock.now();
            if let Err(error) = self.may_store(&command, seat, who.id, now) {
                return reply.send(Err(error));
            }
            let facts = self.facts(&command, player, received, round_trip, seat);
            let facts = match facts.await {
                Ok(facts) => facts,
                Err(error) => return reply.send(Err(error)),
            };
            let decided = referee::decide(state, &command, &facts, now);
            let answered_within = state.answered_within(received);
            failpoints::point("after_check", cause);
            let decision = match decided {
                Ok(decision) => decision,
                Err(Refusal::FlagFell) => {
                    let is_over = self.flag_falls(received, facts.round_trip, now).await;
                    return reply.send(Err(if is_over {
                        Refusal::FlagFell.into()
                    } else {
                        ApiError::not_stored()
                    }));
                }
                Err(refusal) => return reply.send(Err(refusal.into())),
            };
            match self.append(cause, Some(id), decision, now).await {
                Ok(texts) => {
                    failpoints::point("before_answer", cause);
                    if let (Command::Move { .. }, Some(peer), Some(time)) =
                        (&command, &peer, answered_within)
                    {
                        peer.answered_within(time);
                    }
                    reply.send(Ok(Answer::Done {
                        game: self.id,
                        seq: self.seq(),
                    }));
                    failpoints::point("before_publish", cause);
                    self.publish(texts);
                    let next = self.state.as_deref().and_then(|state| state.next);
                    if let (Command::Rematch { .. }, Some(next)) = (&command, next) {
                        // Its clock has to be watched even if nobody comes.
                        self.services.wake(next);
                    }
                    return;
                }
                Err(AppendError::UsedUp(quota)) => return reply.send(Err(used_up(quota, &who))),
                Err(error) => {
                    self.invalidate(cause, &error, received);
                    match self.read_back(&command, seat, id).await {
                        Some(answer) => return reply.send(answer),
                        None if error.is_overtaken() => {}
                        None => return reply.send(Err(ApiError::not_stored())),
                    }
                }
            }
        }
        reply.send(Err(ApiError::not_stored()));
    }

    /// The time of the player on the move was over when a command came: the game ends, if that can be stored.
    async fn flag_falls(&mut self, received: Millis, round_trip: Millis, now: Millis) -> bool {
        if !self.is_storage_good().await {
            return false;
        }
        let state = self.state.as_deref();
        if let Some(bodies) = state.and_then(|state| referee::flag(state, received, round_trip)) {
            self.happens("clock", bodies, now).await;
        }
        true
    }

    /// The answer to a command whose append failed, if the record knows it or can't be read; none if it was not carried out.
    async fn read_back(
        &mut self,
        command: &Command,
        seat: Option<Seat>,
        id: CommandId,
    ) -> Option<Result<Answer, ApiError>> {
        if self.refresh().await.is_err() {
            return Some(Err(if self.append_outcome_unknown {
                ApiError::internal()
            } else {
                ApiError::not_stored()
            }));
        }
        let state = self.state.as_deref()?;
        repeat(state, command, seat, id)
    }

    /// The player who asks, as the game is to remember them if they join.
    async fn asker(
        &self,
        state: &State,
        command: &Command,
        who: &Identity,
        from: Option<Group>,
    ) -> Result<Player, ApiError> {
        match command {
            Command::Join => {}
            Command::Adjudicate(adjudication) => {
                ranks::may_decide(&self.services, adjudication.permit(), state.id).await?;
                return Ok(who.player());
            }
            Command::Rematch { .. } => {
                self.check_rematch(state, who, from).await?;
                return Ok(who.player());
            }
            _ => return Ok(who.player()),
        }
        let created = &state.created;
        let terms = Terms::of(created);
        admission::check_here(&self.services, who.id).await?;
        admission::check(&self.services, who, &terms).await?;
        for seated in Seat::ALL.map(|seat| state.players.get(seat)) {
            if let Some(opponent) = seated.as_ref().filter(|opponent| opponent.id != who.id) {
                admission::check_bots(created.rated, [who.is_bot(), opponent.bot])?;
                blocks::check_pair(&self.services, who.id, opponent.id).await?;
            }
        }
        seating::seat(&self.services, who, &created.ruleset).await
    }

    /// Both players of a rematch enter a new game.
    async fn check_rematch(
        &self,
        state: &State,
        who: &Identity,
        from: Option<Group>,
    ) -> Result<(), ApiError> {
        let (Some(offer), Some(seat)) = (state.rematch_offer, state.seat_of(who.id)) else {
            return Ok(());
        };
        let Some(opponent) = state.players.get(offer.seat).as_ref() else {
            return Ok(());
        };
        if offer.seat == seat {
            return Ok(());
        }
        let services = &self.services;
        let created = &state.created;
        let terms = Terms::of(created);
        admission::check_here(services, who.id).await?;
        admission::check(services, who, &terms).await?;
        blocks::check_pair(services, who.id, opponent.id).await?;
        let there = admission::check_here(services, opponent.id).await;
        there.map_err(|error| match error.code {
            ErrorCode::Internal | ErrorCode::Busy => error,
            _ => Refusal::Gone.into(),
        })?;
        // Last of all checks, since it is taken.
        let opener = Opener {
            player: who.id,
            from,
        };
        services.open_game(opener, services.clock.now())
    }

    /// What the referee has to know beside the state.
    async fn facts(
        &self,
        command: &Command,
        player: Player,
        received: Millis,
        round_trip: Millis,
        seat: Option<Seat>,
    ) -> Result<Caller, ApiError> {
        let unheard = match command {
            Command::Chat { .. } => {
                sanctions::may_speak(&self.services, player.id).await? == ChatReach::SenderOnly
            }
            _ => false,
        };
        Ok(Caller {
            player,
            received,
            round_trip,
            opponent_away_since: seat.and_then(|seat| self.crowd.away_since(seat.other())),
            draw: match command {
                Command::Join => self.draw()?,
                _ => None,
            },
            standing: self.standing(),
            unheard,
        })
    }
}

/// Why somebody can't enter a game: what others have, or may not have, is their affair.
fn used_up(quota: Quota, who: &Identity) -> ApiError {
    if quota.of.player() == who.id {
        limits::used_up(quota)
    } else {
        Refusal::Gone.into()
    }
}

/// The answer to a command that was carried out before; none if it was not.
fn repeat(
    state: &State,
    command: &Command,
    seat: Option<Seat>,
    id: CommandId,
) -> Option<Result<Answer, ApiError>> {
    let (first, last) = state.caused_by(id)?;
    let same = repeating::repeated(state, command, seat, first);
    Some(
        same.map(|()| Answer::Done {
            game: state.id,
            seq: last,
        })
        .map_err(Into::into),
    )
}
