//! Registering, signing in and out. Each gives a new session; every earlier token is invalid.

use qiguan_game::{
    audience,
    event::Player,
    people::{identity::Identity, name::Name, name_keys},
};
use qiguan_protocol::{
    account::{Credentials, Password, SignedIn},
    error::{ApiError, ErrorCode},
    ids::{PlayerId, Token},
    limits,
    names::Role,
};
use qiguan_store::{
    accounts::{
        Account, AccountLookup, Change, ChangeResult, PasswordHash, Purpose, Registration,
        StoredSession,
    },
    store::StoreError,
};

use crate::{
    accounts::{
        Accounts,
        device_marks::Marks,
        passwords::{self, Verdict},
        revoke_sessions::{self, SessionSelector},
    },
    admission::session,
    net::{
        address::Group,
        sign_in_limits::{Guesser, MarkId},
        spending::Spending,
    },
    services::{Services, budgets},
    store_errors::FromRecords,
};

/// Where somebody comes from.
#[derive(Clone)]
pub struct From {
    /// The address.
    pub address: Group,
    /// What the browser or program calls itself.
    pub agent: Option<String>,
    /// The marks that the browser brings.
    pub marks: Marks,
}

/// Somebody who has signed in.
pub struct Admitted<T> {
    /// The answer.
    pub answer: T,
    /// The marks that the browser brings from now on.
    pub marks: Marks,
}

/// Makes a guest a player with a name, who keeps the games, or opens an account for somebody new.
///
/// # Errors
/// `bad_value`, `name_taken`, `conflict` for a player with an account, `rate_limited`, `busy`, `restarting`, `not_stored`.
pub async fn register(
    accounts: &Accounts,
    guest: Option<&Identity>,
    asked: Credentials,
    from: From,
) -> Result<Admitted<SignedIn>, ApiError> {
    let services = &accounts.services;
    services.check_serving()?;
    if guest.is_some_and(|guest| !guest.is_guest()) {
        let message = "you already have an account; sign out to open another";
        return Err(ApiError::new(ErrorCode::Conflict, message));
    }
    let name = Name::read(&asked.name)?;
    passwords::check(&asked.password, name.text())?;
    let limits = &accounts.services.sign_in_limits;
    let named = budgets::spend(services, vec![Spending::Name(from.address)]).await?;
    if let Err(refused) = limits.name(from.address, services.clock.now()) {
        named.is_put_back(services);
        return Err(refused);
    }
    // Looked for first, so that a name that is taken costs no hash. What counts is the record's own answer below.
    for key in name.keys().all() {
        if services
            .account(AccountLookup::Key(key.clone()))
            .await?
            .is_some()
        {
            return Err(name_taken());
        }
    }
    let address = from.address;
    let spent = budgets::spend(services, vec![Spending::Registration(address)]).await?;
    if let Err(refused) = limits.registration(address, services.clock.now()) {
        spent.is_put_back(services);
        return Err(refused);
    }
    let registered = open_account(accounts, guest, &name, asked.password, from).await;
    if let Ok(admitted) = &registered {
        limits.remember(admitted.answer.player.id, address);
    } else {
        limits.refund_registration(address);
        spent.is_put_back(services);
    }
    registered
}

/// Stores a new account, and ends the guest's sessions that it comes from.
async fn open_account(
    accounts: &Accounts,
    guest: Option<&Identity>,
    name: &Name,
    password: Password,
    from: From,
) -> Result<Admitted<SignedIn>, ApiError> {
    let services = &accounts.services;
    let hash = accounts.hasher.hash(password, salt(services)?).await?;
    let password = PasswordHash(hash);
    let (token, session) = new_session(services, Purpose::SignIn, from.agent)?;
    let player = guest.map_or_else(|| services.random.player_id(), |guest| guest.id);
    let marks = marked(services, from.marks, player, &password)?;
    let register = Change::Register(Registration {
        player,
        is_new: guest.is_none(),
        name: name.text().to_owned(),
        keys: name.keys().clone().into_all(),
        role: Role::Player,
        password,
        session: Some(session),
        audit_entry: None,
        at: services.clock.now(),
    });
    match change(services, register).await? {
        ChangeResult::Done => {}
        ChangeResult::NameTaken => return Err(name_taken()),
        ChangeResult::Stale | ChangeResult::Full | ChangeResult::More => {
            return Err(ApiError::not_stored());
        }
    }
    revoke_sessions::close(
        accounts,
        player,
        &SessionSelector::AllBut(vec![session::hash(&token).session()]),
    )
    .await;
    let answer = signed_in(player, name.text().to_owned(), Role::Player, token);
    Ok(Admitted { answer, marks })
}

/// Signs in by name and password. The work is the same whether or not there is such a name.
///
/// # Errors
/// `bad_credentials`, `banned`, `rate_limited`, `busy`, `restarting`, `not_stored`.
pub async fn login(
    accounts: &Accounts,
    asked: Credentials,
    from: From,
) -> Result<Admitted<SignedIn>, ApiError> {
    let services = &accounts.services;
    services.check_serving()?;
    let key = name_keys::key_of(&asked.name);
    let found = if key.is_empty() {
        None
    } else {
        services.account(AccountLookup::Key(key.clone())).await?
    };
    let password = asked.password.clone();
    let kept = found.as_ref().and_then(|found| found.password.clone());
    let by = guesser(accounts, key, found.as_ref(), &from);
    let verdict = attempt(accounts, by, from.address, password, kept.clone()).await?;
    let (Some(account), Some(tried)) = (found, kept) else {
        return Err(bad_credentials());
    };
    if let Some(ban) = account.ban.filter(|ban| ban.holds(services.clock.now())) {
        let refused = session::banned(&ban);
        has_failed(from.address, &refused);
        return Err(refused);
    }
    let rehashed = match verdict {
        Verdict::Outdated => {
            let hash = accounts
                .hasher
                .hash(asked.password, salt(services)?)
                .await?;
            Some(PasswordHash(hash))
        }
        Verdict::Right | Verdict::Wrong => None,
    };
    let (token, session) = new_session(services, Purpose::SignIn, from.agent)?;
    let now_kept = rehashed.as_ref().unwrap_or(&tried);
    let marks = marked(services, from.marks, account.id, now_kept)?;
    let sign_in = Change::SignIn {
        player: account.id,
        tried,
        rehashed,
        session,
    };
    match change(services, sign_in).await? {
        ChangeResult::Done => {
            let limits = &accounts.services.sign_in_limits;
            limits.remember(account.id, from.address);
            let answer = signed_in(account.id, account.name, account.role, token);
            Ok(Admitted { answer, marks })
        }
        ChangeResult::Stale | ChangeResult::NameTaken | ChangeResult::Full | ChangeResult::More => {
            Err(ApiError::not_stored())
        }
    }
}

/// For whom a wrong password counts.
pub(super) fn guesser(
    accounts: &Accounts,
    name_key: String,
    found: Option<&Account>,
    from: &From,
) -> Guesser {
    let Some(account) = found else {
        return Guesser::Stranger { name_key };
    };
    let player = account.id;
    let is_known = accounts
        .services
        .sign_in_limits
        .is_known(player, from.address);
    let unmarked = if is_known {
        Guesser::Known(player)
    } else {
        Guesser::Stranger { name_key }
    };
    let kept = account.password.as_ref();
    match kept.and_then(|kept| from.marks.of(player, kept)) {
        Some(mark) => Guesser::Marked {
            player,
            mark,
            unmarked: Box::new(unmarked),
        },
        None => unmarked,
    }
}

/// A browser's marks after somebody has signed in there.
///
/// # Errors
/// `internal` when there is no randomness to be had.
pub fn marked(
    services: &Services,
    marks: Marks,
    player: PlayerId,
    password: &PasswordHash,
) -> Result<Marks, ApiError> {
    let id = match marks.of(player, password) {
        Some(id) => id,
        None => MarkId(services.random.mark_id().map_err(no_randomness)?),
    };
    Ok(marks.with(id, player, password))
}

/// Ends the session that asks.
///
/// # Errors
/// `restarting`, `not_stored`.
pub async fn logout(accounts: &Accounts, who: &Identity) -> Result<(), ApiError> {
    let services = &accounts.services;
    let end = Change::End {
        player: who.id,
        session: who.session,
        is_token: false,
    };
    change(services, end).await?;
    revoke_sessions::close(accounts, who.id, &SessionSelector::One(who.session)).await;
    Ok(())
}

/// Tries a password, within the caller's limits. A right one takes nothing of them but its work.
///
/// # Errors
/// `bad_credentials`, `bad_value`, `rate_limited`, `busy`.
pub async fn attempt(
    accounts: &Accounts,
    by: Guesser,
    address: Group,
    password: Password,
    kept: Option<PasswordHash>,
) -> Result<Verdict, ApiError> {
    if password.reveal().len() > limits::PASSWORD_BYTES {
        let message = format!(
            "a password can have at most {} bytes",
            limits::PASSWORD_BYTES
        );
        return Err(ApiError::bad_value("password", message));
    }
    let services = &accounts.services;
    let attempt = budgets::attempt(services, by, address).await;
    let attempt = attempt.inspect_err(|refused| has_failed(address, refused))?;
    let kept = kept.map(|kept| kept.0);
    let verdict = accounts.hasher.verify(password, kept).await;
    match verdict {
        Ok(Verdict::Wrong) => {
            let refused = bad_credentials();
            has_failed(address, &refused);
            return Err(refused);
        }
        Ok(Verdict::Right | Verdict::Outdated) | Err(_) => attempt.is_not_wrong(services),
    }
    verdict
}

/// Logs that somebody could not prove who they are. The line has no name: people type passwords there by mistake.
pub fn has_failed(address: Group, refused: &ApiError) {
    let reason = refused.code.as_str();
    tracing::info!(target: "qiguan::sign_in", %address, reason, "sign-in failed");
}

/// A new token, and the session that it is the proof of.
///
/// # Errors
/// `internal` when there is no randomness to be had.
pub fn new_session(
    services: &Services,
    purpose: Purpose,
    agent: Option<String>,
) -> Result<(Token, StoredSession), ApiError> {
    let token = services.random.token().map_err(no_randomness)?;
    let now = services.clock.now();
    let session = StoredSession {
        hash: session::hash(&token),
        purpose,
        agent,
        created_at: now,
        last_seen_at: now,
        expires_at: Some(session::sign_in_ends(now)),
    };
    Ok((token, session))
}

/// A salt for a password's hash.
///
/// # Errors
/// `internal` when there is no randomness to be had.
pub fn salt(services: &Services) -> Result<[u8; 32], ApiError> {
    services.random.salt().map_err(no_randomness)
}

fn no_randomness(error: getrandom::Error) -> ApiError {
    tracing::error!(%error, "the operating system gives no randomness");
    ApiError::internal()
}

/// Changes accounts in the record.
///
/// # Errors
/// `restarting`, `not_stored`.
pub async fn change(services: &Services, change: Change) -> Result<ChangeResult, ApiError> {
    services.check_serving()?;
    let changed: Result<_, StoreError> = services.store.change(change).await;
    changed.or_not_stored("an account")
}

/// The answer to a successful sign-in.
pub fn signed_in(id: PlayerId, name: String, role: Role, token: Token) -> SignedIn {
    let player = Player {
        bot: role == Role::Bot,
        ..Player::named(id, name)
    };
    SignedIn {
        player: audience::player(&player),
        token,
    }
}

fn name_taken() -> ApiError {
    let message = "this name, or one that looks like it, is taken";
    ApiError::new(ErrorCode::NameTaken, message).field("name")
}

fn bad_credentials() -> ApiError {
    let message = "incorrect name or password";
    ApiError::new(ErrorCode::BadCredentials, message)
}
