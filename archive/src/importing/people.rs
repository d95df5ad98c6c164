//! What an import takes over of players, and its entries in the audit log.

use std::fmt;

use qiguan_environment::{Clock, Random};
use qiguan_game::people::permission::{self, Permit, Who};
use qiguan_protocol::{names::Role, operation::Operation};
use qiguan_store::accounts::{Arrival, PlayerRecord, Purpose};

/// What is taken of an archive.
#[derive(Clone, Copy)]
pub enum Taking {
    /// Games alone: the archive's author gets no account, role or token by it.
    Games,
    /// Everything, as the operator has asked: the entries of the audit log get ids and times of these.
    Everything {
        /// When it is done.
        clock: Clock,
        /// What draws the ids.
        random: Random,
    },
}

impl Taking {
    pub(super) const fn is_everything(self) -> bool {
        match self {
            Self::Games => false,
            Self::Everything { .. } => true,
        }
    }

    /// A player with the entries that are written if the player is new: one for a role above player, and one for each token.
    pub(super) fn arrival(self, record: PlayerRecord) -> anyhow::Result<Arrival> {
        let Self::Everything { clock, random } = self else {
            return Ok(Arrival::from(record));
        };
        let player = record.player.id;
        let entry = |permit: Permit, details: String| {
            let audit_entry = permit.audit_entry(random.audit_id(), clock.now(), String::new());
            audit_entry.to_player(player).with(details)
        };
        let mut audit_entries = Vec::new();
        if is_above_player(record.account.role) {
            let role = record.account.role.as_str().to_owned();
            audit_entries.push(entry(permit(Operation::ImportRole)?, role));
        }
        for token in &record.tokens {
            let what = match token.purpose {
                Purpose::SignIn => "a sign-in",
                Purpose::Program { .. } => "a token for a program",
            };
            audit_entries.push(entry(permit(Operation::ImportToken)?, what.to_owned()));
        }
        Ok(Arrival {
            record,
            audit_entries,
        })
    }
}

fn permit(operation: Operation) -> anyhow::Result<Permit> {
    permission::permit(Who::Operator, operation)
        .map_err(|error| anyhow::anyhow!("{}", error.message))
}

const fn is_above_player(role: Role) -> bool {
    match role {
        Role::Guest | Role::Player | Role::Bot => false,
        Role::Moderator | Role::Admin => true,
    }
}

/// How many of each role came, and how many tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accounts {
    /// Guests.
    pub guests: u64,
    /// Players with an account.
    pub players: u64,
    /// Programs.
    pub bots: u64,
    /// Moderators.
    pub moderators: u64,
    /// Admins.
    pub admins: u64,
    /// Sign-ins and tokens of all of them.
    pub tokens: u64,
}

impl Accounts {
    pub(super) fn count(&mut self, record: &PlayerRecord) {
        let count = match record.account.role {
            Role::Guest => &mut self.guests,
            Role::Player => &mut self.players,
            Role::Bot => &mut self.bots,
            Role::Moderator => &mut self.moderators,
            Role::Admin => &mut self.admins,
        };
        *count += 1;
        self.tokens += record.tokens.len() as u64;
    }
}

impl fmt::Display for Accounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            guests,
            players,
            bots,
            moderators,
            admins,
            tokens,
        } = self;
        write!(
            f,
            "{admins} admins, {moderators} moderators, {bots} bots, {players} players, {guests} guests; {tokens} sign-ins and tokens"
        )
    }
}
