//! Looking for an opponent: a seek on the board of the lobby, or a place in a pool.

use std::collections::BTreeSet;

use qiguan_environment::Random;
use qiguan_protocol::{
    answer::Answer,
    delay::SpectatorDelay,
    error::ApiError,
    ids::{GameId, SeekId},
    lobby::{LobbyNoticeKind, Seek, SeekState},
    names::SeatChoice,
    time_control::Clock,
};
use serde_json::{Value, json};

use super::Player;
use crate::{link::LinkRequest, server::answer::refused};

/// Shown to a player who looks for the same at two terminals.
const ALREADY: &str = "you are already looking for this game in another terminal; a second person here can use --guest or --as NAME";

/// What is looked for.
pub(super) struct Looking {
    /// The rule set.
    pub(super) ruleset: String,
    /// How time is counted.
    pub(super) clock: Clock,
    /// The seat to take.
    pub(super) seat: SeatChoice,
    /// Whether the result counts.
    pub(super) rated: bool,
    /// By how much spectators see the game later.
    pub(super) spectator_delay: Option<SpectatorDelay>,
    /// The name of the pool to wait in; none for the board.
    pub(super) pool: Option<String>,
    /// The data of `seek`, but for the command.
    pub(super) data: Value,
    /// Open seeks of others that fit, the oldest first. One that could not be accepted comes back when the lobby shows it again.
    pub(super) fitting: BTreeSet<SeekId>,
    /// What the lobby has not answered yet.
    pub(super) asked: Option<PendingRequest>,
    /// One's own open seek.
    pub(super) own: Option<SeekId>,
    /// The command of it: the same after a reconnection.
    pub(super) command: Value,
}

/// A request to the lobby.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PendingRequest {
    /// To accept somebody's seek.
    ToAccept,
    /// To open one's own.
    ToSeek,
}

impl Looking {
    /// Whether a seek of somebody else is what one looks for.
    fn fits(&self, seek: &Seek) -> bool {
        let both_want_one = self.seat != SeatChoice::Random && self.seat == seek.seat;
        self.fits_rules(seek) && !both_want_one
    }

    /// The same, whichever seats are wanted.
    fn fits_rules(&self, seek: &Seek) -> bool {
        seek.ruleset == self.ruleset
            && seek.options.is_empty()
            && seek.time_control.clock == self.clock
            && seek.rated == self.rated
            && seek.spectator_delay == self.spectator_delay
    }

    /// What to ask the lobby for next: a game with a player who has looked for longer, or else one's own seek. Of two who open
    /// their seeks at the same moment the later one accepts.
    fn next_request(&mut self) -> Option<LinkRequest> {
        if self.asked.is_some() {
            return None;
        }
        let oldest = self.fitting.first().copied();
        if let Some(seek) = oldest.filter(|seek| self.own.is_none_or(|own| *seek < own)) {
            self.asked = Some(PendingRequest::ToAccept);
            return Some(accept(seek));
        }
        if self.own.is_some() {
            return None;
        }
        self.asked = Some(PendingRequest::ToSeek);
        Some(self.ask())
    }

    fn renew(&mut self) {
        self.asked = None;
        self.own = None;
        self.command = json!(Random::system().command_id());
    }

    fn ask(&self) -> LinkRequest {
        let mut data = self.data.clone();
        data["command"] = self.command.clone();
        let kind = if self.pool.is_some() {
            "quick_pair"
        } else {
            "seek"
        };
        LinkRequest::Ask(kind, data)
    }
}

impl Player {
    /// Looks, or goes on looking after a reconnection. On the board, what others look for is seen first.
    pub(super) async fn look(&mut self) -> anyhow::Result<()> {
        let Some(looking) = &self.looking else {
            return Ok(());
        };
        let request = if looking.pool.is_some() {
            looking.ask()
        } else {
            LinkRequest::Ask("enter_lobby", json!({}))
        };
        self.ask_link(request).await
    }

    /// An answer of the lobby.
    pub(super) async fn answered_by_lobby(&mut self, answer: Answer) -> anyhow::Result<()> {
        let Some(looking) = &mut self.looking else {
            return Ok(());
        };
        match answer {
            Answer::Lobby { lobby } => {
                let own: Vec<SeekId> = lobby.own_seeks.iter().map(|own| own.id).collect();
                let others = lobby.seeks.iter().filter(|seek| !own.contains(&seek.id));
                if looking.own.is_none()
                    && lobby.own_seeks.iter().any(|own| looking.fits_rules(own))
                {
                    self.screen.say(ALREADY)?;
                }
                let fitting = others.filter(|seek| looking.fits(seek));
                looking.fitting = fitting.map(|seek| seek.id).collect();
                if looking.asked != Some(PendingRequest::ToAccept) {
                    // A seek that was open before the connection was lost may have ended since: the same command tells.
                    looking.asked = looking.own.map(|_| PendingRequest::ToSeek);
                }
                let request = match looking.asked {
                    Some(PendingRequest::ToSeek) => Some(looking.ask()),
                    Some(PendingRequest::ToAccept) | None => looking.next_request(),
                };
                self.ask_lobby(request).await
            }
            Answer::Seek { seek, state } => match state {
                SeekState::Open {} => {
                    looking.asked = None;
                    if looking.own.replace(seek) != Some(seek) {
                        self.screen
                            .say("looking for an opponent; type quit to stop")?;
                    }
                    // A fitting seek may have been shown while the player's own was being opened.
                    let request = looking.next_request();
                    self.ask_lobby(request).await
                }
                SeekState::Paired { game } => self.found(game).await,
                SeekState::Gone {} => {
                    looking.renew();
                    let request = looking.next_request();
                    self.ask_lobby(request).await
                }
            },
            Answer::Paired { game } => self.found(game).await,
            _ => Ok(()),
        }
    }

    /// Somebody else was faster, or does not want to play with this player, or the game could not be opened.
    pub(super) async fn could_not_accept(&mut self, data: &Value) -> anyhow::Result<()> {
        let Some(looking) = &mut self.looking else {
            return Ok(());
        };
        looking.asked = None;
        looking.fitting.retain(|seek| data["seek"] != json!(seek));
        let request = looking.next_request();
        self.ask_lobby(request).await
    }

    async fn ask_lobby(&self, request: Option<LinkRequest>) -> anyhow::Result<()> {
        match request {
            Some(request) => self.ask_link(request).await,
            None => Ok(()),
        }
    }

    /// What the lobby tells by itself.
    pub(super) async fn lobby_tells(&mut self, notice: LobbyNoticeKind) -> anyhow::Result<()> {
        match notice {
            LobbyNoticeKind::Paired { game, .. } => self.found(game).await,
            LobbyNoticeKind::Changed { added, removed, .. } => {
                let Some(looking) = &mut self.looking else {
                    return Ok(());
                };
                for seek in &removed {
                    looking.fitting.remove(seek);
                }
                let own = looking.own;
                let others = added.iter().filter(|seek| Some(seek.id) != own);
                let fitting: Vec<SeekId> = others
                    .filter(|seek| looking.fits(seek))
                    .map(|seek| seek.id)
                    .collect();
                looking.fitting.extend(fitting);
                let request = looking.next_request();
                self.ask_lobby(request).await
            }
            LobbyNoticeKind::SeekEnded { error, .. } => self.ended(&error),
            LobbyNoticeKind::Reset {} => self.look().await,
            LobbyNoticeKind::Challenged { game } => self.challenged(&game),
            LobbyNoticeKind::ChallengeClosed { game, .. } => {
                self.challenge.take_if(|challenge| *challenge == game);
                Ok(())
            }
        }
    }

    fn ended(&self, error: &ApiError) -> anyhow::Result<()> {
        match &self.looking {
            Some(_) => anyhow::bail!("{}", refused(error)),
            None => Ok(()),
        }
    }

    /// There is a game: from here on it is like any other.
    async fn found(&mut self, game: GameId) -> anyhow::Result<()> {
        if self.looking.take().is_none() {
            return Ok(());
        }
        self.game = Some(game);
        let told = format!("opponent found: {}/games/{game}", self.server);
        self.screen.say(&told)?;
        self.ask_link(LinkRequest::Watch(game)).await
    }
}

fn accept(seek: SeekId) -> LinkRequest {
    let command = Random::system().command_id();
    LinkRequest::Ask("accept_seek", json!({"seek": seek, "command": command}))
}
