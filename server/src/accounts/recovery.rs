//! Recovery codes: somebody who has lost the password sets a new one with a code that was shown before.
//!
//! A code has 80 random bits, so that its plain hash tells nothing of it; wrong ones count like wrong passwords.

use qiguan_game::{
    audit_entry::AuditEntry,
    people::{identity::Identity, name_keys},
};
use qiguan_protocol::{
    account::{Password, Recover, RecoveryCodes, RecoveryCodesLeft, SignedIn},
    error::{ApiError, ErrorCode},
    ids::PlayerId,
    limits,
    operation::Operation,
};
use qiguan_store::{
    accounts::{AccountLookup, Change, ChangeResult, PasswordHash, Purpose, Recovery},
    store::TokenHash,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    accounts::{
        Accounts, passwords,
        revoke_sessions::{self, SessionSelector},
        settings,
        sign_in::{self, Admitted, From},
    },
    admission::session,
    net::sign_in_limits::Guesser,
    services::budgets,
    store_errors::FromRecords,
};

/// The letters of codes: Crockford's base 32, in which none looks like another.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// A code has so many of them, with 5 bits each.
const LENGTH: usize = 16;
/// They are shown in groups of so many.
const GROUP: usize = 4;

/// Gives the caller new codes, in place of all earlier ones. They are shown this once.
///
/// # Errors
/// `bad_credentials`, `bad_value`, `rate_limited`, `busy`, `restarting`, `not_stored`.
pub async fn issue(
    accounts: &Accounts,
    who: &Identity,
    password: Password,
    from: From,
) -> Result<RecoveryCodes, ApiError> {
    let services = &accounts.services;
    let account = settings::own(accounts, who).await?;
    let owner = Guesser::Owner(who.id);
    let kept = account.password;
    sign_in::attempt(accounts, owner, from.address, password, kept.clone()).await?;
    let Some(tried) = kept else {
        return Err(ApiError::not_stored());
    };
    let codes = (0..limits::RECOVERY_CODES).map(|_| sign_in::salt(services).map(code));
    let codes = codes.collect::<Result<Vec<_>, _>>()?;
    let change = Change::RecoveryCodes {
        player: who.id,
        tried,
        codes: codes.iter().map(hash).collect(),
        at: services.clock.now(),
    };
    settings::done(sign_in::change(services, change).await?)?;
    Ok(RecoveryCodes { codes })
}

/// How many unused codes the caller has.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn left(accounts: &Accounts, who: &Identity) -> Result<RecoveryCodesLeft, ApiError> {
    let left = accounts.services.store.recovery_codes(who.id).await;
    let left = left.or_unreadable("recovery codes")?;
    Ok(RecoveryCodesLeft { left })
}

/// Sets a new password by a code, which is used up, and signs in. Everywhere else the account is signed out.
///
/// # Errors
/// `bad_credentials`, `bad_value`, `banned`, `rate_limited`, `busy`, `restarting`, `not_stored`.
pub async fn recover(
    accounts: &Accounts,
    asked: Recover,
    from: From,
) -> Result<Admitted<SignedIn>, ApiError> {
    let services = &accounts.services;
    services.check_serving()?;
    passwords::check(&asked.password, &asked.name)?;
    let code = hash(&asked.code);
    let key = name_keys::key_of(&asked.name);
    let found = if key.is_empty() {
        None
    } else {
        services.account(AccountLookup::Key(key.clone())).await?
    };
    let now = services.clock.now();
    let by = sign_in::guesser(accounts, key, found.as_ref(), &from);
    let failed = |refused: &ApiError| sign_in::has_failed(from.address, refused);
    let attempt = budgets::attempt(services, by, from.address).await;
    let attempt = attempt.inspect_err(failed)?;
    // Of a name that there is not the same is asked, so that both take as long.
    let player = found
        .as_ref()
        .map_or(PlayerId(Uuid::nil()), |found| found.id);
    let is_right = services.store.has_recovery_code(player, code).await;
    let Some(account) = found.filter(|_| is_right == Ok(true)) else {
        if is_right.is_err() {
            attempt.is_not_wrong(services);
        }
        is_right.or_unreadable("recovery codes")?;
        return Err(wrong()).inspect_err(failed);
    };
    attempt.is_not_wrong(services);
    if let Some(ban) = account.ban.filter(|ban| ban.holds(now)) {
        return Err(session::banned(&ban)).inspect_err(failed);
    }
    let hashed = accounts
        .hasher
        .hash(asked.password, sign_in::salt(services)?);
    let password = PasswordHash(hashed.await?);
    let (token, session) = sign_in::new_session(services, Purpose::SignIn, from.agent)?;
    let marks = sign_in::marked(services, from.marks, player, &password)?;
    let keep = session.id();
    let recovery = Recovery {
        player,
        code,
        password,
        session,
        audit_entry: AuditEntry {
            id: services.random.audit_id(),
            at: now,
            operation: Operation::SetPassword,
            by: Some(player),
            player: Some(player),
            game: None,
            reason: String::new(),
            details: "by a recovery code".to_owned(),
        },
    };
    match sign_in::change(services, Change::Recover(Box::new(recovery))).await? {
        ChangeResult::Done => {}
        // Somebody else was faster with the same code.
        ChangeResult::Stale => return Err(wrong()),
        ChangeResult::NameTaken | ChangeResult::Full | ChangeResult::More => {
            return Err(ApiError::not_stored());
        }
    }
    accounts
        .services
        .sign_in_limits
        .remember(player, from.address);
    revoke_sessions::close(accounts, player, &SessionSelector::AllBut(vec![keep])).await;
    let answer = sign_in::signed_in(player, account.name, account.role, token);
    Ok(Admitted { answer, marks })
}

fn wrong() -> ApiError {
    let message = "incorrect name or recovery code";
    ApiError::new(ErrorCode::BadCredentials, message)
}

/// A code of these random bytes: each letter has 5 bits of one of them.
fn code(random: [u8; 32]) -> Password {
    let letters = random[..LENGTH]
        .iter()
        .map(|byte| LETTERS[usize::from(byte % 32)]);
    let mut code = String::new();
    for (at, letter) in letters.enumerate() {
        if at > 0 && at % GROUP == 0 {
            code.push('-');
        }
        code.push(char::from(letter));
    }
    Password::new(code)
}

/// What is kept of a code, however it is typed.
fn hash(code: &Password) -> TokenHash {
    let typed = code
        .reveal()
        .chars()
        .filter(|letter| letter.is_alphanumeric());
    let letters = typed.map(|letter| match letter.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        letter => letter,
    });
    let digest = Sha256::new()
        .chain_update("qiguan recovery code\n")
        .chain_update(letters.collect::<String>());
    TokenHash(digest.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_however_it_is_typed() {
        let code = code([31; 32]);
        assert_eq!(code.reveal(), "zzzz-zzzz-zzzz-zzzz");
        let same =
            |one: &str, other: &str| hash(&Password::new(one)).0 == hash(&Password::new(other)).0;
        assert!(same("0a1b-2c3d", " OAiB 2c3D"));
        assert!(!same("0a1b-2c3d", "0a1b-2c3e"));
    }
}
