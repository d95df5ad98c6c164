//! Players as lines, with the accounts of those who are no guests.

use qiguan_game::{
    commitments::{hex, salt_from_hex},
    event::Player,
    people::identity::Scopes,
};
use qiguan_protocol::{
    account::Scope,
    ids::{Millis, PlayerId},
    names::Role,
};
use qiguan_store::{
    accounts::{
        AccountRecord, Follow, PasswordHash, PlayerRecord, Purpose, SettingsRecord, StoredSanction,
        StoredSession,
    },
    store::{NamedSetup, TokenHash},
};
use serde::{Deserialize, Serialize, Serializer};

use super::{
    LineError,
    puzzles::{self, PuzzlesLine},
};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerLine {
    player: PlayerId,
    name: String,
    created_at: Millis,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<Box<AccountLine>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tokens: Vec<TokenLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    setups: Vec<SetupLine>,
    /// Whom the player follows, and since when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    follows: Vec<(PlayerId, Millis)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    settings: Option<SettingsLine>,
    /// What the player has made of puzzles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    puzzles: Option<PuzzlesLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsLine {
    version: u32,
    updated_at: Millis,
    /// What was chosen, as JSON.
    body: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenLine {
    sha256: String,
    created_at: Millis,
    /// Left out if it was not used since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_seen_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// What its owner calls it, and what it may do; left out of a sign-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<(String, Vec<Scope>)>,
}

/// What makes a player more than a guest; left out of a guest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AccountLine {
    role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    password: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    registered_at: Option<Millis>,
    /// Until when, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    banned: Option<(Millis, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    muted: Option<(Millis, String)>,
    /// Since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limited_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    renamed_at: Option<Millis>,
    /// Since when the owner does not want to be shown as online.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hidden_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deleted_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    withdrawn_at: Option<Millis>,
    /// What no other name may be mistaken for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keys: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupLine {
    name: String,
    setup: String,
}

/// A player as a line.
pub(super) fn write<S: Serializer>(record: &PlayerRecord, out: S) -> Result<S::Ok, S::Error> {
    let record = record.clone();
    let tokens = record.tokens.into_iter().map(|token| TokenLine {
        sha256: hex(&token.hash.0),
        created_at: token.created_at,
        last_seen_at: Some(token.last_seen_at).filter(|seen| *seen != token.created_at),
        expires_at: token.expires_at,
        agent: token.agent,
        program: match token.purpose {
            Purpose::SignIn => None,
            Purpose::Program { label, scopes } => Some((label, scopes.list())),
        },
    });
    let account = record.account;
    let account = (account != AccountRecord::GUEST).then(|| {
        Box::new(AccountLine {
            role: account.role,
            password: account.password.map(|password| password.0),
            registered_at: account.registered_at,
            banned: account.ban.map(|ban| (ban.until, ban.reason)),
            muted: account.mute.map(|mute| (mute.until, mute.reason)),
            limited_at: account.limited_at,
            renamed_at: account.renamed_at,
            hidden_at: account.hidden_at,
            deleted_at: account.deleted_at,
            withdrawn_at: account.withdrawn_at,
            keys: account.keys,
        })
    });
    let setups = record.setups.into_iter().map(|saved| SetupLine {
        name: saved.name,
        setup: saved.setup,
    });
    let follows = record.follows.into_iter();
    let line = PlayerLine {
        player: record.player.id,
        name: record.player.name,
        created_at: record.created_at,
        account,
        tokens: tokens.collect(),
        setups: setups.collect(),
        follows: follows.map(|follow| (follow.player, follow.at)).collect(),
        settings: record.settings.map(|kept| SettingsLine {
            version: kept.version,
            updated_at: kept.updated_at,
            body: kept.body,
        }),
        puzzles: puzzles::write(record.puzzles),
    };
    line.serialize(out)
}

pub(super) fn read_player(line: PlayerLine) -> Result<PlayerRecord, LineError> {
    let mut tokens = Vec::with_capacity(line.tokens.len());
    for (place, token) in line.tokens.into_iter().enumerate() {
        let hash = salt_from_hex(&token.sha256).ok_or_else(|| LineError {
            field: format!("tokens[{place}].sha256"),
            what: "expected 64 hexadecimal digits".to_owned(),
        })?;
        tokens.push(StoredSession {
            hash: TokenHash(hash.0),
            purpose: token
                .program
                .map_or(Purpose::SignIn, |(label, scopes)| Purpose::Program {
                    label,
                    scopes: Scopes::of(&scopes),
                }),
            agent: token.agent,
            created_at: token.created_at,
            last_seen_at: token.last_seen_at.unwrap_or(token.created_at),
            expires_at: token.expires_at,
        });
    }
    let setups = line.setups.into_iter().map(|saved| NamedSetup {
        name: saved.name,
        setup: saved.setup,
    });
    Ok(PlayerRecord {
        player: Player::named(line.player, line.name),
        created_at: line.created_at,
        account: line
            .account
            .map_or(AccountRecord::GUEST, |account| AccountRecord {
                role: account.role,
                password: account.password.map(PasswordHash),
                registered_at: account.registered_at,
                ban: account
                    .banned
                    .map(|(until, reason)| StoredSanction { until, reason }),
                mute: account
                    .muted
                    .map(|(until, reason)| StoredSanction { until, reason }),
                limited_at: account.limited_at,
                renamed_at: account.renamed_at,
                hidden_at: account.hidden_at,
                deleted_at: account.deleted_at,
                withdrawn_at: account.withdrawn_at,
                keys: account.keys,
            }),
        tokens,
        setups: setups.collect(),
        follows: line
            .follows
            .into_iter()
            .map(|(player, at)| Follow { player, at })
            .collect(),
        settings: line.settings.map(|kept| SettingsRecord {
            version: kept.version,
            updated_at: kept.updated_at,
            body: kept.body,
        }),
        puzzles: line.puzzles.map(puzzles::read).unwrap_or_default(),
    })
}
