//! A command's way through its room: carried out once however often it is sent, decided, journaled, answered, and only then
//! sent to others.

use qiguan_game::{
    clock::Delay,
    event::Player,
    people::{computer::Computer, identity::Identity},
    position_key,
    referee::{self, Caller, Command},
    refusal::Refusal,
    state::State,
};
use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId, Seq},
};
use qiguan_rules::Seat;
use qiguan_store::{failpoints, quotas::Quota, store::AppendError};
use tracing::{Instrument, Span};

use crate::{
    admission::{
        self, Terms, blocks, limits, ranks,
        sanctions::{self, ChatReach},
        seating,
    },
    net::{address::Group, growth_limit::Growth, opening_limits::Opener},
    room::{appending::Appended, chat_limit, message::CommandRequest, room::Room},
    services::budgets,
    traces,
};

/// How often a command is decided, again each time that somebody else wrote to the game in between.
const ATTEMPTS: u32 = 3;

impl Room {
    /// Deals with a command: it is answered, and then everybody else sees what came of it.
    pub(super) async fn command(&mut self, request: CommandRequest) {
        let trace = match (request.reply.trace(), &request.command) {
            (Some(trace), _) => trace.clone(),
            // Over HTTP, or from another program, which traces the way there and back.
            (None, Command::Move { .. }) => traces::of_move(self.record.id(), request.id),
            (None, _) => Span::none(),
        };
        self.answer_command(request).instrument(trace).await;
    }

    async fn answer_command(&mut self, request: CommandRequest) {
        let cause = request.cause;
        match self.carry_out(&request).await {
            Ok((seq, appended)) => {
                self.asked_from = request.from.or(self.asked_from);
                if appended.is_some() {
                    failpoints::point("before_answer", cause);
                }
                let game = self.record.id();
                request.reply.send(Ok(Answer::Done { game, seq }));
                if let Some(appended) = appended {
                    failpoints::point("before_publish", cause);
                    traces::publishing().in_scope(|| self.publish(appended));
                }
            }
            Err(error) => {
                if request.reply.trace().is_none() {
                    Span::current().record("error", error.code.as_str());
                }
                request.reply.send(Err(error));
            }
        }
    }

    /// Carries a command out, once however often it comes. Returns the number of its last event, and what is to be published unless it was
    /// carried out before.
    async fn carry_out(
        &mut self,
        request: &CommandRequest,
    ) -> Result<(Seq, Option<Appended>), ApiError> {
        let CommandRequest {
            command,
            cause,
            id,
            received,
            ..
        } = request;
        if self.outage.is_on() {
            // What is stored already needs no writing.
            if let Some(seq) = self.record.repeated(command, request.who.id, *id)? {
                return Ok((seq, None));
            }
            self.probe_storage().await;
            if self.outage.is_on() {
                return Err(ApiError::not_stored());
            }
        }
        for _ in 0..ATTEMPTS {
            if let Some(seq) = self.record.repeated(command, request.who.id, *id)? {
                return Ok((seq, None));
            }
            let Some(state) = self.record.state() else {
                break;
            };
            let caller = self.caller(state, request).await?;
            let now = self.services.clock.now();
            let decided =
                traces::judging().in_scope(|| referee::decide(state, command, &caller, now));
            let answered_within = state.answered_within(*received);
            failpoints::point("after_check", cause);
            let decision = match decided {
                Ok(decision) => decision,
                Err(Refusal::FlagFell) => {
                    return Err(self.flag_falls(*received, caller.delay, now).await);
                }
                Err(refusal) => return Err(refusal.into()),
            };
            match self.append(cause, Some(*id), decision, now).await {
                Ok(appended) => {
                    if let (Command::Move { .. }, Some(peer), Some(time)) =
                        (command, &request.peer, answered_within)
                    {
                        peer.answered_within(time);
                    }
                    return Ok((self.record.seq(), Some(appended)));
                }
                Err(AppendError::UsedUp(quota)) => return Err(used_up(quota, &request.who)),
                Err(error) => {
                    self.invalidate(cause, &error, *received);
                    if self.refresh().await.is_err() {
                        return Err(self.outage.not_stored());
                    }
                    if let Some(seq) = self.record.repeated(command, request.who.id, *id)? {
                        return Ok((seq, None));
                    }
                    if !error.is_overtaken() {
                        break;
                    }
                }
            }
        }
        Err(ApiError::not_stored())
    }

    /// The time of the player on the move was over when a command came: the game ends, if that can be stored. Returns why the command is
    /// refused.
    async fn flag_falls(&mut self, received: Millis, delay: Delay, now: Millis) -> ApiError {
        if !self.is_storage_good().await {
            return ApiError::not_stored();
        }
        let state = self.record.state();
        if let Some(bodies) = state.and_then(|state| referee::flag(state, received, delay)) {
            self.happens("clock", bodies, now).await;
        }
        Refusal::FlagFell.into()
    }

    /// Who asks, and what the referee has to know beside the state.
    async fn caller(&self, state: &State, request: &CommandRequest) -> Result<Caller, ApiError> {
        let (services, who) = (&self.services, &request.who);
        let seat = state.seat_of(who.id);
        let (mut player, mut draw, mut shadow_muted) = (who.player(), None, false);
        match &request.command {
            Command::Join => {
                player = self.joining(state, who).await?;
                draw = self.record.draw(services.random)?;
            }
            Command::Rematch { .. } => self.check_rematch(state, who, request.from).await?,
            Command::Adjudicate(adjudication) => {
                ranks::may_decide(services, adjudication.permit(), state.id).await?;
            }
            Command::Chat { .. }
            | Command::Move { .. }
            | Command::Resign
            | Command::OfferDraw
            | Command::AcceptDraw { .. }
            | Command::DeclineDraw { .. }
            | Command::RequestTakeback
            | Command::AcceptTakeback { .. }
            | Command::DeclineTakeback { .. }
            | Command::Abort
            | Command::Decline
            | Command::ClaimVictory
            | Command::Ready => {}
        }
        self.may_store(state, &request.command, seat, who.id, services.clock.now())?;
        if let Command::Chat { .. } = request.command {
            shadow_muted = sanctions::may_speak(services, who.id).await? == ChatReach::SenderOnly;
        }
        let opponent = seat.map(Seat::other);
        Ok(Caller {
            player,
            received: request.received,
            delay: request
                .peer
                .as_deref()
                .map(|peer| self.delay_in_turn(state, peer))
                .unwrap_or_default(),
            opponent_away_since: opponent.and_then(|opponent| self.crowd.away_since(opponent)),
            draw,
            current_setups: self.record.current_setups(),
            shadow_muted,
        })
    }

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
        state: &State,
        command: &Command,
        seat: Option<Seat>,
        player: PlayerId,
        now: Millis,
    ) -> Result<(), ApiError> {
        if Computer::of(player).is_some() {
            // Its opponent has paid for it.
            return Ok(());
        }
        let (Command::Chat { .. }, Some(seat)) = (command, seat) else {
            let is_answered = self.crowd.computer().is_some();
            let is_counted = state.moves.len() < position_key::PLIES;
            let growth = match command {
                Command::Move { .. } if is_answered => Growth::ANSWERED_MOVE,
                Command::Move { .. } if is_counted => Growth::OPENING_MOVE,
                _ => Growth::MOVE,
            };
            return self.services.growth.take(player, growth, now);
        };
        self.may_chat(seat, player, now)?;
        self.services.growth.take(player, Growth::CHAT_LINE, now)
    }

    /// The player who joins, as the game is to remember them.
    async fn joining(&self, state: &State, who: &Identity) -> Result<Player, ApiError> {
        let (services, created) = (&self.services, &state.created);
        admission::check_here(services, who.id).await?;
        admission::check(services, who, &Terms::of(created)).await?;
        for seated in Seat::ALL.map(|seat| state.players.get(seat)) {
            if let Some(opponent) = seated.as_ref().filter(|opponent| opponent.id != who.id) {
                admission::check_bots(created.rated, [who.is_bot(), opponent.bot])?;
                admission::check_chosen(who, opponent, created.visibility)?;
                blocks::check_pair(services, who.id, opponent.id).await?;
            }
        }
        seating::seat(services, who, &created.ruleset).await
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
        admission::check_here(services, who.id).await?;
        admission::check(services, who, &Terms::of(&state.created)).await?;
        blocks::check_pair(services, who.id, opponent.id).await?;
        let there = admission::check_here(services, opponent.id).await;
        there.map_err(|error| match error.code {
            ErrorCode::Internal | ErrorCode::Busy => error,
            _ => Refusal::Gone.into(),
        })?;
        let with_computer = [who.id, opponent.id].map(|player| Computer::of(player).is_some());
        let player = match with_computer {
            [true, _] => opponent.id,
            [false, _] => who.id,
        };
        if with_computer.contains(&true) {
            services.check_computers()?;
            limits::check_computer_games(services, player)?;
        }
        // Last of all checks, since it is taken.
        let opener = Opener { player, from };
        budgets::game(services, opener).await.map(drop)
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
