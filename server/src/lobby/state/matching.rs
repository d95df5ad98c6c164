//! From a seek to a game: two are held together until the game is stored, or can't be.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use qiguan_protocol::ids::{CommandId, GameId, Millis, PlayerId, SeekId};

use crate::lobby::{
    pairing::{self, Waiting},
    pools::PoolKey,
    state::{
        LobbyState,
        seek::{NO_RATING, Refusal, Seek, SeekRequest, SeekStatus, SeekTarget, Seeker},
    },
};

/// After a game could not be stored, its players are paired again only so much later.
pub const BREATH: Millis = Millis(1_000);

/// A game that is being opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpeningId(pub u64);

/// Two who are to play, and what.
#[derive(Clone, Debug)]
pub struct Opening {
    /// To tell what came of it.
    pub id: OpeningId,
    /// What they play, and where it came from.
    pub request: SeekRequest,
    /// Whose seek it is; of two in a pool the one who has waited longer.
    pub owner: Party,
    /// The other.
    pub other: Party,
}

/// One of the two.
#[derive(Clone, Debug)]
pub struct Party {
    /// Who.
    pub seeker: Seeker,
    /// The commands that led here.
    pub commands: Vec<CommandId>,
    /// The seek; none of who accepts one.
    pub seek: Option<SeekId>,
}

/// What comes of accepting a seek.
#[derive(Debug)]
pub enum Accepting {
    /// This game is to be opened.
    Opens(Box<Opening>),
    /// It is being opened already, by the same command.
    Waits(OpeningId),
    /// It was opened already, by the same command.
    Paired(GameId),
}

/// Why a game was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It could not be stored; perhaps later.
    NotStored,
    /// This player may not play it.
    Unfit(PlayerId),
}

/// Who is held, and where there is something to pair.
#[derive(Debug, Default)]
pub struct Matching {
    last: u64,
    openings: BTreeMap<OpeningId, Held>,
    held: BTreeMap<PlayerId, OpeningId>,
    /// Pools that somebody has come to since they were paired last.
    stirred: BTreeSet<PoolKey>,
    /// Who is not paired again before this time.
    breathing: BTreeMap<PlayerId, Millis>,
}

#[derive(Debug)]
struct Held {
    players: [PlayerId; 2],
    seeks: [Option<SeekId>; 2],
    /// The command that accepted a seek.
    acceptance: Option<(PlayerId, CommandId, SeekId)>,
}

impl Matching {
    /// Nobody is held; numbers go on, so that what is still under way is not taken for something new.
    #[must_use]
    pub fn reset(&self) -> Self {
        Self {
            last: self.last,
            ..Self::default()
        }
    }

    /// Whether a player is being seated.
    pub fn holds(&self, player: PlayerId) -> bool {
        self.held.contains_key(&player)
    }

    /// Whether a game is being opened of this seek.
    pub fn takes(&self, seek: SeekId) -> bool {
        let mut openings = self.openings.values();
        openings.any(|held| held.seeks.contains(&Some(seek)))
    }

    /// Somebody has come to a pool.
    pub fn stir(&mut self, pool: PoolKey) {
        self.stirred.insert(pool);
    }

    fn hold(&mut self, request: SeekRequest, owner: Party, other: Party) -> Opening {
        self.last += 1;
        let id = OpeningId(self.last);
        let players = [owner.seeker.player(), other.seeker.player()];
        self.held.extend(players.map(|player| (player, id)));
        let acceptance = match (owner.seek, other.seek) {
            (Some(seek), None) => other
                .commands
                .first()
                .map(|command| (other.seeker.player(), *command, seek)),
            (Some(_), Some(_)) | (None, _) => None,
        };
        let held = Held {
            players,
            seeks: [owner.seek, other.seek],
            acceptance,
        };
        self.openings.insert(id, held);
        Opening {
            id,
            request,
            owner,
            other,
        }
    }

    fn release(&mut self, id: OpeningId) -> Option<Held> {
        let held = self.openings.remove(&id)?;
        for player in held.players {
            self.held.remove(&player);
        }
        Some(held)
    }
}

impl LobbyState {
    /// Accepts a seek. The same command opens no second game, and who was paired since they asked gets that game.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn accept(
        &mut self,
        seek: SeekId,
        acceptor: Seeker,
        command: CommandId,
        now: Millis,
    ) -> Result<Accepting, Refusal> {
        let player = acceptor.player();
        match self.accepted(player, seek, command) {
            Err(Refusal::Gone) => {}
            before => return before,
        }
        if let Some(game) = self.paired_since(&acceptor) {
            self.recent_seeks.accepted(player, command, seek, game, now);
            return Ok(Accepting::Paired(game));
        }
        let open = self.seeks.get(&seek).filter(|seek| {
            matches!(seek.request.place, SeekTarget::Board { .. })
                && !self.matching.holds(seek.owner.player())
        });
        let open = open.filter(|seek| seek.owner.shadowbanned == acceptor.shadowbanned);
        let open = open.ok_or(Refusal::Gone)?;
        if open.owner.player() == player {
            return Err(Refusal::OwnSeek);
        }
        if let Some(until) = acceptor.paused_until.filter(|until| now < *until) {
            return Err(Refusal::Paused { until });
        }
        if open.request.terms.rated && acceptor.is_guest() {
            return Err(Refusal::NeedsAccount);
        }
        match (acceptor.is_bot(), open.owner.is_bot()) {
            (true, true) if open.request.terms.rated => return Err(Refusal::TwoBots),
            (true, false) => return Err(Refusal::Uninvited),
            (true, true) | (false, _) => {}
        }
        if let SeekTarget::Board { range, .. } = &open.request.place
            && !range.admits(acceptor.rating())
        {
            return Err(Refusal::OutOfRange);
        }
        if open.owner.avoids_or_is_avoided_by(&acceptor) {
            return Err(Refusal::Blocked);
        }
        let (request, owner) = (open.request.clone(), Party::of(open));
        let other = Party {
            seeker: acceptor,
            commands: vec![command],
            seek: None,
        };
        Ok(Accepting::Opens(Box::new(self.hold(request, owner, other))))
    }

    /// What comes of accepting a seek with a command that may have done so before.
    ///
    /// # Errors
    /// [`Refusal::Gone`] if it has not; [`Refusal::Conflict`] if it has opened a seek or accepted another; [`Refusal::BeingSeated`] if another game is being opened for this player.
    pub fn accepted(
        &self,
        player: PlayerId,
        seek: SeekId,
        command: CommandId,
    ) -> Result<Accepting, Refusal> {
        if let Some((before, game)) = self.recent_seeks.acceptance(player, command) {
            let same = before == seek;
            return same
                .then_some(Accepting::Paired(game))
                .ok_or(Refusal::Conflict);
        }
        if self.commands.contains_key(&(player, command)) {
            return Err(Refusal::Conflict);
        }
        let opening = self.matching.held.get(&player).ok_or(Refusal::Gone)?;
        let held = self.matching.openings.get(opening);
        let again = held.is_some_and(|held| held.acceptance == Some((player, command, seek)));
        again
            .then_some(Accepting::Waits(*opening))
            .ok_or(Refusal::BeingSeated)
    }

    /// Whether somebody has come to a pool since the last pairing.
    pub fn is_stirred(&self) -> bool {
        !self.matching.stirred.is_empty()
    }

    /// Pairs in the pools where somebody has come; or in all of them, since waiting widens what is allowed.
    pub fn pair(
        &mut self,
        all: bool,
        now: Millis,
        together: impl Fn(PlayerId, PlayerId) -> bool,
    ) -> Vec<Opening> {
        let stirred = std::mem::take(&mut self.matching.stirred);
        self.matching.breathing.retain(|_, until| now < *until);
        let pools: Vec<PoolKey> = if all {
            self.pools.keys().copied().collect()
        } else {
            stirred.into_iter().collect()
        };
        let mut openings = Vec::new();
        for pool in pools {
            self.pair_in(pool, now, &together, &mut openings);
        }
        openings
    }

    fn pair_in(
        &mut self,
        pool: PoolKey,
        now: Millis,
        together: &impl Fn(PlayerId, PlayerId) -> bool,
        openings: &mut Vec<Opening>,
    ) {
        let free: Vec<&Seek> = self
            .pools
            .get(&pool)
            .into_iter()
            .flatten()
            .filter_map(|id| self.seeks.get(id))
            .filter(|seek| self.can_be_paired(seek, now))
            .collect();
        let waiting: Vec<Waiting> = free
            .iter()
            .map(|seek| Waiting {
                player: seek.owner.player(),
                rating: seek.owner.rating().unwrap_or(NO_RATING),
                since: seek.since,
                avoids: seek.owner.avoids.clone(),
            })
            .collect();
        let shadowbanned: HashSet<PlayerId> = free
            .iter()
            .filter(|seek| seek.owner.shadowbanned)
            .map(|seek| seek.owner.player())
            .collect();
        let apart = |one, two| {
            together(one, two) || shadowbanned.contains(&one) != shadowbanned.contains(&two)
        };
        let pairs: Vec<(SeekRequest, Party, Party)> = pairing::pair(&waiting, now, apart)
            .into_iter()
            .map(|(one, two)| {
                let (one, two) = (free[one], free[two]);
                (one.request.clone(), Party::of(one), Party::of(two))
            })
            .collect();
        for (request, owner, other) in pairs {
            openings.push(self.hold(request, owner, other));
        }
    }

    fn can_be_paired(&self, seek: &Seek, now: Millis) -> bool {
        !self.matching.holds(seek.owner.player())
            && !self.matching.breathing.contains_key(&seek.owner.player())
            && !seek.owner.is_paused(now)
            && self.is_there(seek, now)
    }

    /// What came of an opening: the game is stored, and both leave every seek; or it is not, and all is as before.
    pub fn opened(&mut self, id: OpeningId, result: Result<GameId, Failure>, now: Millis) {
        let Some(held) = self.matching.release(id) else {
            return;
        };
        match result {
            Ok(game) => {
                for player in held.players {
                    self.person(player, now).is_paired(game, now);
                    let seeks: Vec<SeekId> = self.seeks_of(player).map(|seek| seek.id).collect();
                    for seek in seeks {
                        let status = if held.seeks.contains(&Some(seek)) {
                            SeekStatus::Paired(game)
                        } else {
                            SeekStatus::Gone
                        };
                        self.end(seek, status, now);
                    }
                }
                if let Some((player, command, seek)) = held.acceptance {
                    self.recent_seeks.accepted(player, command, seek, game, now);
                }
            }
            Err(failure) => {
                if let Failure::Unfit(player) = failure {
                    for seek in held.seeks.into_iter().flatten() {
                        if self
                            .get(seek)
                            .is_some_and(|seek| seek.owner.player() == player)
                        {
                            self.end(seek, SeekStatus::Gone, now);
                        }
                    }
                } else {
                    let later = held.players.map(|player| (player, now + BREATH));
                    self.matching.breathing.extend(later);
                }
                for player in held.players {
                    self.show_again(player);
                }
            }
        }
    }

    fn hold(&mut self, request: SeekRequest, owner: Party, other: Party) -> Opening {
        for player in [owner.seeker.player(), other.seeker.player()] {
            let seeks: Vec<(SeekId, bool)> = self
                .seeks_of(player)
                .map(|seek| (seek.id, seek.owner.shadowbanned))
                .collect();
            for (seek, shadowbanned) in seeks {
                self.board_of(shadowbanned).hide(seek);
            }
        }
        self.matching.hold(request, owner, other)
    }

    fn show_again(&mut self, player: PlayerId) {
        let seeks: Vec<(SeekId, SeekTarget, bool)> = self
            .seeks_of(player)
            .map(|seek| (seek.id, seek.request.place.clone(), seek.owner.shadowbanned))
            .collect();
        for (seek, place, shadowbanned) in seeks {
            match place {
                SeekTarget::Board { .. } => self.board_of(shadowbanned).show(seek),
                SeekTarget::Pool(pool) => self.matching.stir(pool),
            }
        }
    }
}

impl Party {
    fn of(seek: &Seek) -> Self {
        Self {
            seeker: seek.owner.clone(),
            commands: seek.commands.clone(),
            seek: Some(seek.id),
        }
    }
}
