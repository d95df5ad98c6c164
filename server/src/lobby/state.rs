//! The whole lobby as a value: who looks for a game, who is there, who is being seated. Time and ids are arguments; what is to be
//! done comes out as values.
//!
//! **Invariants**
//! - A player is in at most one [`Opening`](matching::Opening) at a time. While it is open, nobody else can have any of the player's seeks; when it is stored,
//!   they are all gone; when it can't be stored, they are open again.
//! - A seek does not outlive its owner's presence by more than [`GRACE`].
//! - No player and no address has more seeks than [`Limits`] allow.

mod already_paired;
pub mod board;
pub mod matching;
pub mod person;
pub mod recent_seeks;
pub mod seek;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use qiguan_protocol::ids::{CommandId, Millis, PlayerId, SeekId};

use self::{
    board::Board,
    matching::Matching,
    person::Person,
    recent_seeks::{ClosedSeek, RecentSeeks},
    seek::{Refusal, Seek, SeekLifetime, SeekRequest, SeekStatus, SeekTarget, Seeker},
};
use crate::{lobby::pools::PoolKey, net::address::Group};

/// How long seeks wait for a player whose last connection is gone, as when a page is reloaded.
pub const GRACE: Millis = Millis(5_000);
/// How long a seek over HTTP lives unless it is asked after.
pub const HTTP_SEEK: Millis = Millis(60_000);
/// Seeks in the lobby, of all players together.
pub const SEEKS: usize = 20_000;

/// How many commands may ask for one place in a pool.
const COMMANDS: usize = 16;

/// How many seeks there may be at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of one player.
    pub per_player: usize,
    /// From one address.
    pub per_address: usize,
}

/// See the module.
#[derive(Debug)]
pub struct LobbyState {
    limits: Limits,
    seeks: BTreeMap<SeekId, Seek>,
    people: BTreeMap<PlayerId, Person>,
    addresses: HashMap<Group, usize>,
    /// Which seek a command has opened, as long as the seek or what has become of it is known.
    commands: HashMap<(PlayerId, CommandId), SeekId>,
    pools: BTreeMap<PoolKey, BTreeSet<SeekId>>,
    matching: Matching,
    recent_seeks: RecentSeeks,
    board: Board,
    /// The board of shadowbanned players, which nobody else sees.
    apart: Board,
}

impl LobbyState {
    /// An empty lobby.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            seeks: BTreeMap::new(),
            people: BTreeMap::new(),
            addresses: HashMap::new(),
            commands: HashMap::new(),
            pools: BTreeMap::new(),
            matching: Matching::default(),
            recent_seeks: RecentSeeks::default(),
            board: Board::default(),
            apart: Board::default(),
        }
    }

    /// A player has a connection in the lobby.
    pub fn enters(&mut self, player: PlayerId, connection: u64, now: Millis) {
        self.person(player, now).enters(connection);
    }

    /// Whether a player has a connection in the lobby.
    pub fn is_here(&self, player: PlayerId) -> bool {
        self.people.get(&player).is_some_and(Person::is_here)
    }

    /// A player's connections in the lobby.
    pub fn connections_of(&self, player: PlayerId) -> impl Iterator<Item = u64> {
        let person = self.people.get(&player).into_iter();
        person.flat_map(Person::connections)
    }

    /// A connection has left the lobby, or is gone.
    pub fn leaves(&mut self, player: PlayerId, connection: u64, now: Millis) {
        if let Some(person) = self.people.get_mut(&player) {
            person.leaves(connection, now);
        }
    }

    /// Opens a seek under a new id. The same command opens no second one; who waits in a pool does not wait there twice. Who was paired since they
    /// asked gets that game: they did not know of it.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn seek(
        &mut self,
        id: SeekId,
        owner: Seeker,
        request: SeekRequest,
        command: CommandId,
        way: SeekLifetime,
        now: Millis,
    ) -> Result<(SeekId, SeekStatus), Refusal> {
        if let Some(before) = self.before(owner.player(), &request, command) {
            return before;
        }
        if let Some(game) = self.paired_since(&owner) {
            return Ok(self.is_paired_already(id, &owner, request, command, game, now));
        }
        if let Some(until) = owner.paused_until.filter(|until| now < *until) {
            return Err(Refusal::Paused { until });
        }
        let ranged = match &request.place {
            SeekTarget::Board { range, .. } => !range.is_open(),
            SeekTarget::Pool(_) => false,
        };
        if owner.is_guest() && (request.terms.rated || ranged) {
            return Err(Refusal::NeedsAccount);
        }
        let waits_there = self
            .seeks_of(owner.player())
            .find(|seek| match &request.place {
                SeekTarget::Board { .. } => false,
                SeekTarget::Pool(_) => seek.request.place == request.place,
            });
        if let Some(waits_there) = waits_there.map(|seek| seek.id) {
            return self.joins(owner.player(), waits_there, command);
        }
        self.check_limits(&owner, now)?;
        let seek = Seek {
            id,
            owner,
            request,
            commands: vec![command],
            refused: Vec::new(),
            way,
            since: now,
        };
        self.put(seek, now);
        Ok((id, SeekStatus::Open))
    }

    /// Another command asks for the place in a pool that its player has already. While a game is being opened of it the command is not stored with
    /// that game, so it is refused; but it leads there when it comes again.
    fn joins(
        &mut self,
        player: PlayerId,
        seek: SeekId,
        command: CommandId,
    ) -> Result<(SeekId, SeekStatus), Refusal> {
        let is_taken = self.matching.takes(seek);
        if let Some(seek) = self.seeks.get_mut(&seek) {
            if is_taken {
                let is_new = !seek.refused.contains(&command);
                if is_new && seek.refused.len() < COMMANDS {
                    seek.refused.push(command);
                }
                return Err(Refusal::BeingSeated);
            }
            if seek.commands.len() >= COMMANDS {
                return Err(Refusal::TooManyOfPlayer);
            }
            seek.commands.push(command);
        }
        self.commands.insert((player, command), seek);
        Ok((seek, SeekStatus::Open))
    }

    /// What a command has led to, if it has come before.
    pub fn before(
        &self,
        player: PlayerId,
        request: &SeekRequest,
        command: CommandId,
    ) -> Option<Result<(SeekId, SeekStatus), Refusal>> {
        let seek = self.commands.get(&(player, command))?;
        Some(self.opened_before(*seek, request))
    }

    /// What has become of a seek, to its owner. One that came over HTTP lives on.
    ///
    /// # Errors
    /// [`Refusal::Gone`] if this player has none that is known.
    pub fn ask(
        &mut self,
        player: PlayerId,
        seek: SeekId,
        now: Millis,
    ) -> Result<SeekStatus, Refusal> {
        if let Some(open) = self.seeks.get_mut(&seek) {
            if open.owner.player() != player {
                return Err(Refusal::Gone);
            }
            if let SeekLifetime::Http { until } = &mut open.way {
                *until = now + HTTP_SEEK;
            }
            return Ok(SeekStatus::Open);
        }
        let ended = self
            .recent_seeks
            .seek(seek)
            .filter(|ended| ended.owner == player);
        ended.map(|ended| ended.status).ok_or(Refusal::Gone)
    }

    /// Takes back a seek. One that was gone already stays gone.
    ///
    /// # Errors
    /// [`Refusal::Gone`] if this player has none that is known; [`Refusal::BeingSeated`] if a game is being opened of it.
    pub fn cancel(
        &mut self,
        player: PlayerId,
        seek: SeekId,
        now: Millis,
    ) -> Result<SeekStatus, Refusal> {
        let Some(open) = self.seeks.get(&seek) else {
            return self.ask(player, seek, now);
        };
        if open.owner.player() != player {
            return Err(Refusal::Gone);
        }
        if self.matching.takes(seek) {
            return Err(Refusal::BeingSeated);
        }
        self.end(seek, SeekStatus::Gone, now);
        Ok(SeekStatus::Gone)
    }

    /// Takes a player out of every pool, but not out of the game that is being opened. Returns the closed seeks.
    pub fn leave_pools(&mut self, player: PlayerId, now: Millis) -> Vec<SeekId> {
        let pooled = |seek: &&Seek| matches!(seek.request.place, SeekTarget::Pool(_));
        let leaving: Vec<SeekId> = self
            .seeks_of(player)
            .filter(pooled)
            .map(|seek| seek.id)
            .filter(|seek| !self.matching.takes(*seek))
            .collect();
        for seek in &leaving {
            self.end(*seek, SeekStatus::Gone, now);
        }
        leaving
    }

    /// Ends every seek of a player who may not play any more.
    pub fn dismiss(&mut self, player: PlayerId, now: Millis) {
        let all: Vec<SeekId> = self.seeks_of(player).map(|seek| seek.id).collect();
        for seek in all {
            if !self.matching.takes(seek) {
                self.end(seek, SeekStatus::Gone, now);
            }
        }
    }

    /// Ends every seek but those of which a game is being opened. Returns them with their players.
    pub fn put_away(&mut self, now: Millis) -> Vec<(PlayerId, SeekId)> {
        let seeks = self.seeks.values();
        let open = seeks.filter(|seek| !self.matching.takes(seek.id));
        let ended: Vec<_> = open.map(|seek| (seek.owner.player(), seek.id)).collect();
        for (_, seek) in &ended {
            self.end(*seek, SeekStatus::Gone, now);
        }
        ended
    }

    /// Has every open seek of a player mind whom not to meet. A game that is being opened is opened.
    pub fn avoids(&mut self, player: PlayerId, avoids: &Arc<HashSet<PlayerId>>) {
        let seeks = self.people.get(&player).map(|person| person.seeks.clone());
        for id in seeks.unwrap_or_default() {
            if let Some(seek) = self.seeks.get_mut(&id) {
                seek.owner.avoids = Arc::clone(avoids);
                if let SeekTarget::Pool(pool) = &seek.request.place {
                    // Somebody may be met again.
                    self.matching.stir(*pool);
                }
            }
        }
    }

    /// Ends what nobody is there for any more, and forgets what is too long ago.
    pub fn tick(&mut self, now: Millis) {
        let over: Vec<SeekId> = self
            .seeks
            .values()
            .filter(|seek| !self.matching.holds(seek.owner.player()) && self.is_over(seek, now))
            .map(|seek| seek.id)
            .collect();
        for seek in over {
            self.end(seek, SeekStatus::Gone, now);
        }
        for key in self.recent_seeks.forget(now) {
            self.commands.remove(&key);
        }
        let matching = &self.matching;
        self.people
            .retain(|player, person| matching.holds(*player) || !person.is_forgettable(now));
    }

    /// Whether there is anything that time changes.
    pub fn is_in_use(&self) -> bool {
        !(self.people.is_empty() && self.seeks.is_empty() && self.recent_seeks.is_empty())
    }

    /// Forgets everything; returns who had a seek. Openings that are under way keep their numbers.
    pub fn reset(&mut self) -> BTreeSet<PlayerId> {
        let owners = self.seeks.values().map(|seek| seek.owner.player());
        let owners = owners.collect();
        let matching = self.matching.reset();
        *self = Self {
            matching,
            ..Self::new(self.limits)
        };
        owners
    }

    /// What the others are shown of the lobby.
    pub const fn board(&mut self) -> &mut Board {
        &mut self.board
    }

    /// What shadowbanned players are shown beside it.
    pub const fn apart(&mut self) -> &mut Board {
        &mut self.apart
    }

    /// An open seek.
    pub fn get(&self, seek: SeekId) -> Option<&Seek> {
        self.seeks.get(&seek)
    }

    /// A player's open seeks, the oldest first.
    pub fn seeks_of(&self, player: PlayerId) -> impl Iterator<Item = &Seek> {
        let seeks = self.people.get(&player).map(|person| person.seeks.iter());
        seeks
            .into_iter()
            .flatten()
            .filter_map(|id| self.seeks.get(id))
    }

    /// Everything on the board that can be accepted; the seeks of shadowbanned players only for each other.
    pub fn open(&self, shadowbanned: bool) -> impl Iterator<Item = &Seek> {
        self.seeks.values().filter(move |seek| {
            matches!(seek.request.place, SeekTarget::Board { .. })
                && (shadowbanned || !seek.owner.shadowbanned)
                && !self.matching.holds(seek.owner.player())
        })
    }

    /// How many wait in a pool.
    pub fn waiting_in(&self, pool: PoolKey) -> usize {
        self.pools.get(&pool).map_or(0, BTreeSet::len)
    }

    /// Every pool in which somebody waits.
    pub fn pools(&self) -> impl Iterator<Item = PoolKey> {
        self.pools.keys().copied()
    }

    /// How many seeks there are.
    pub fn len(&self) -> usize {
        self.seeks.len()
    }

    /// Whether nobody looks for anything.
    pub fn is_empty(&self) -> bool {
        self.seeks.is_empty()
    }

    fn opened_before(
        &self,
        seek: SeekId,
        request: &SeekRequest,
    ) -> Result<(SeekId, SeekStatus), Refusal> {
        let (before, status) = match (self.seeks.get(&seek), self.recent_seeks.seek(seek)) {
            (Some(open), _) => (&open.request, SeekStatus::Open),
            (None, Some(ended)) => (&ended.request, ended.status),
            (None, None) => return Err(Refusal::Gone),
        };
        if before == request {
            Ok((seek, status))
        } else {
            Err(Refusal::Conflict)
        }
    }

    fn check_limits(&mut self, owner: &Seeker, now: Millis) -> Result<(), Refusal> {
        let limits = self.limits;
        let person = self.person(owner.player(), now);
        if person.seeks.len() >= limits.per_player {
            return Err(Refusal::TooManyOfPlayer);
        }
        person.rate.take(&(), now).map_err(Refusal::TooFast)?;
        let there = self.addresses.get(&owner.address).copied();
        if there.unwrap_or_default() >= limits.per_address {
            return Err(Refusal::TooManyOfAddress);
        }
        if self.seeks.len() >= SEEKS {
            return Err(Refusal::Full);
        }
        Ok(())
    }

    fn put(&mut self, seek: Seek, now: Millis) {
        let (id, player) = (seek.id, seek.owner.player());
        *self.addresses.entry(seek.owner.address).or_default() += 1;
        let commands = seek.commands.iter();
        self.commands
            .extend(commands.map(|command| ((player, *command), id)));
        self.person(player, now).seeks.push(id);
        match &seek.request.place {
            SeekTarget::Board { .. } => {
                if !self.matching.holds(player) {
                    self.board_of(seek.owner.shadowbanned).show(id);
                }
            }
            SeekTarget::Pool(pool) => {
                self.pools.entry(*pool).or_default().insert(id);
                self.board.counts(*pool);
                self.matching.stir(*pool);
            }
        }
        self.seeks.insert(id, seek);
    }

    fn end(&mut self, id: SeekId, status: SeekStatus, now: Millis) {
        let Some(seek) = self.seeks.remove(&id) else {
            return;
        };
        if let Some(there) = self.addresses.get_mut(&seek.owner.address) {
            *there -= 1;
            if *there == 0 {
                self.addresses.remove(&seek.owner.address);
            }
        }
        if let Some(person) = self.people.get_mut(&seek.owner.player()) {
            person.seeks.retain(|other| *other != id);
        }
        match &seek.request.place {
            SeekTarget::Board { .. } => self.board_of(seek.owner.shadowbanned).hide(id),
            SeekTarget::Pool(pool) => {
                if let Some(waiting) = self.pools.get_mut(pool) {
                    waiting.remove(&id);
                    if waiting.is_empty() {
                        self.pools.remove(pool);
                    }
                }
                self.board.counts(*pool);
            }
        }
        let owner = seek.owner.player();
        let mut commands = seek.commands;
        if let SeekStatus::Paired(_) = status {
            let refused = seek.refused.iter();
            let led = refused.map(|command| ((owner, *command), id));
            self.commands.extend(led);
            commands.extend(seek.refused);
        }
        let ended = ClosedSeek {
            owner,
            request: seek.request,
            commands,
            status,
        };
        self.recent_seeks.ended(id, ended, now);
    }

    /// The board that a seek stands on.
    const fn board_of(&mut self, shadowbanned: bool) -> &mut Board {
        if shadowbanned {
            &mut self.apart
        } else {
            &mut self.board
        }
    }

    /// Whether a seek has outlived its owner's presence.
    fn is_over(&self, seek: &Seek, now: Millis) -> bool {
        match seek.way {
            SeekLifetime::Http { until } => until <= now,
            SeekLifetime::Socket => self
                .people
                .get(&seek.owner.player())
                .is_none_or(|person| person.is_gone(now)),
        }
    }

    /// Whether the owner of a seek would see at once that a game has begun.
    fn is_there(&self, seek: &Seek, now: Millis) -> bool {
        match seek.way {
            SeekLifetime::Http { until } => now < until,
            SeekLifetime::Socket => self
                .people
                .get(&seek.owner.player())
                .is_some_and(Person::is_here),
        }
    }

    fn person(&mut self, player: PlayerId, now: Millis) -> &mut Person {
        self.people
            .entry(player)
            .or_insert_with(|| Person::new(now))
    }
}

#[cfg(test)]
mod tests;
