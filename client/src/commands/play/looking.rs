//! Looking for an opponent: a seek on the board of the lobby, or a place in a pool.

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
    /// One's own open seek.
    pub(super) own: Option<SeekId>,
    /// The command of it: the same after a reconnection.
    pub(super) command: Value,
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

    fn renew(&mut self) {
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
                let fitting = others.into_iter().find(|seek| looking.fits(seek));
                let request = match fitting {
                    Some(seek) if looking.own.is_none() => accept(seek.id),
                    Some(_) | None => looking.ask(),
                };
                self.ask_link(request).await
            }
            Answer::Seek { seek, state } => match state {
                SeekState::Open {} => {
                    if looking.own.replace(seek) != Some(seek) {
                        self.screen
                            .say("looking for an opponent; type quit to stop")?;
                    }
                    Ok(())
                }
                SeekState::Paired { game } => self.found(game).await,
                SeekState::Gone {} => {
                    looking.renew();
                    let request = looking.ask();
                    self.ask_link(request).await
                }
            },
            Answer::Paired { game } => self.found(game).await,
            _ => Ok(()),
        }
    }

    /// Somebody else was faster, or does not want to play with this player: then one's own seek is opened.
    pub(super) async fn could_not_accept(&mut self) -> anyhow::Result<()> {
        match &self.looking {
            Some(looking) if looking.own.is_none() => {
                let request = looking.ask();
                self.ask_link(request).await
            }
            Some(_) | None => Ok(()),
        }
    }

    /// What the lobby tells by itself.
    pub(super) async fn lobby_tells(&mut self, notice: LobbyNoticeKind) -> anyhow::Result<()> {
        match notice {
            LobbyNoticeKind::Paired { game, .. } => self.found(game).await,
            LobbyNoticeKind::Changed { added, .. } => {
                let Some(looking) = &self.looking else {
                    return Ok(());
                };
                // Two who open their seeks at the same moment: the later one accepts.
                let before = |seek: &&Seek| {
                    looking.own.is_some_and(|own| seek.id < own) && looking.fits(seek)
                };
                match added.iter().find(before) {
                    Some(seek) => self.ask_link(accept(seek.id)).await,
                    None => Ok(()),
                }
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
