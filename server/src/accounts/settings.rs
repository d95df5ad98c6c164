//! How owners change their accounts: password, sessions, API tokens, and becoming a bot.

use qiguan_game::people::identity::{Identity, Scopes};
use qiguan_protocol::{
    account::{
        ApiToken, IssuedToken, NewPassword, NewToken, PasswordChanged, Scope, Session, SessionList,
        SignedIn, TokenList,
    },
    error::{ApiError, ErrorCode},
    ids::{Millis, SessionId},
    limits,
    names::Role,
};
use qiguan_store::accounts::{
    Account, AccountLookup, Change, ChangeResult, PasswordHash, Purpose, StoredSession,
};

use crate::{
    accounts::{
        Accounts, passwords,
        revoke_sessions::{self, SessionSelector},
        sign_in::{self, Admitted, From},
    },
    admission::session,
    net::sign_in_limits::Guesser,
    store_errors::FromRecords,
};

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// Changes the password and ends all sign-ins, and all tokens for programs unless they are to stay; the answer begins a new sign-in.
///
/// # Errors
/// `bad_credentials`, `bad_value`, `rate_limited`, `busy`, `restarting`, `not_stored`.
pub async fn change_password(
    accounts: &Accounts,
    who: &Identity,
    asked: NewPassword,
    from: From,
) -> Result<Admitted<PasswordChanged>, ApiError> {
    let services = &accounts.services;
    let account = own(accounts, who).await?;
    passwords::check(&asked.new, &account.name).map_err(|error| error.field("new"))?;
    let tried = account.password.clone();
    let owner = Guesser::Owner(who.id);
    sign_in::attempt(accounts, owner, from.address, asked.old, tried.clone()).await?;
    let hash = accounts
        .hasher
        .hash(asked.new, sign_in::salt(services)?)
        .await?;
    let password = PasswordHash(hash);
    let marks = sign_in::marked(services, from.marks, who.id, &password)?;
    let (token, session) = sign_in::new_session(services, Purpose::SignIn, from.agent)?;
    let keep = session.id();
    let change = Change::Password {
        player: who.id,
        tried,
        password,
        session: Some(session),
        revoke_tokens: asked.revoke_tokens,
        audit_entry: None,
    };
    let before = tokens(accounts, who).await?.tokens.len();
    done(sign_in::change(services, change).await?)?;
    // Tokens that stay keep their sockets.
    let (tokens, revoked) = if asked.revoke_tokens {
        (Vec::new(), before)
    } else {
        (programs(accounts, who).await?, 0)
    };
    let kept = tokens.into_iter().chain([keep]).collect();
    revoke_sessions::close(accounts, who.id, &SessionSelector::NewPassword(kept)).await;
    let SignedIn { player, token } =
        sign_in::signed_in(account.id, account.name, account.role, token);
    let answer = PasswordChanged {
        player,
        token,
        revoked_tokens: u32::try_from(revoked).unwrap_or(u32::MAX),
    };
    Ok(Admitted { answer, marks })
}

/// All places where one is signed in.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn sessions(accounts: &Accounts, who: &Identity) -> Result<SessionList, ApiError> {
    let now = accounts.services.clock.now();
    let sessions = of(accounts, who).await?.into_iter().filter_map(|session| {
        let id = session.id();
        let (Purpose::SignIn, true) = (&session.purpose, session.lives(now)) else {
            return None;
        };
        Some(Session {
            id: id.0,
            current: id == who.session,
            agent: session.agent,
            created_at: session.created_at,
            last_seen_at: session.last_seen_at,
            expires_at: session.expires_at.unwrap_or(Millis(i64::MAX)),
        })
    });
    Ok(SessionList {
        sessions: sessions.collect(),
    })
}

/// Ends one session, or one token for a program.
///
/// # Errors
/// `not_found`, `restarting`, `not_stored`.
pub async fn end(
    accounts: &Accounts,
    who: &Identity,
    session: SessionId,
    is_token: bool,
) -> Result<(), ApiError> {
    let end = Change::End {
        player: who.id,
        session,
        is_token,
    };
    if sign_in::change(&accounts.services, end).await? != ChangeResult::Done {
        return Err(no_such_session());
    }
    revoke_sessions::close(accounts, who.id, &SessionSelector::One(session)).await;
    Ok(())
}

/// Ends all sign-ins but the one that asks.
///
/// # Errors
/// `restarting`, `not_stored`, `internal`.
pub async fn end_others(accounts: &Accounts, who: &Identity) -> Result<(), ApiError> {
    let others = Change::EndOthers {
        player: who.id,
        keep: who.session,
    };
    sign_in::change(&accounts.services, others).await?;
    let tokens = programs(accounts, who).await?;
    let kept = tokens.into_iter().chain([who.session]).collect();
    revoke_sessions::close(accounts, who.id, &SessionSelector::AllBut(kept)).await;
    Ok(())
}

/// Makes a token for a program.
///
/// # Errors
/// `bad_value`, `forbidden`, `limit_reached`, `restarting`, `not_stored`.
pub async fn issue(
    accounts: &Accounts,
    who: &Identity,
    asked: NewToken,
) -> Result<IssuedToken, ApiError> {
    let services = &accounts.services;
    limits::check_line("name", &asked.name, limits::TOKEN_NAME_CHARACTERS)?;
    let wrong = |field: &'static str, message: String| Err(ApiError::bad_value(field, message));
    if asked.scopes.is_empty() {
        return wrong(
            "scopes",
            "expected at least one of read, play and bot".to_owned(),
        );
    }
    if asked
        .days
        .is_some_and(|days| !(1..=limits::TOKEN_DAYS).contains(&days))
    {
        return wrong(
            "days",
            format!("a token can last 1 to {} days", limits::TOKEN_DAYS),
        );
    }
    if asked.scopes.contains(&Scope::Bot) && who.role != Role::Bot {
        let message = "only a bot account can use the scope bot";
        return Err(ApiError::new(ErrorCode::Forbidden, message).field("scopes"));
    }
    let purpose = Purpose::Program {
        label: asked.name,
        scopes: Scopes::of(&asked.scopes),
    };
    let (token, mut session) = sign_in::new_session(services, purpose, None)?;
    session.expires_at = asked
        .days
        .map(|days| session.created_at + Millis(i64::from(days) * DAY_MS));
    let about = told(&session);
    let issue = Change::Issue {
        player: who.id,
        session,
        most: limits::TOKENS,
    };
    match sign_in::change(services, issue).await? {
        ChangeResult::Done => Ok(IssuedToken { about, token }),
        ChangeResult::Full => {
            let message = format!(
                "an account can have at most {} tokens; revoke one",
                limits::TOKENS
            );
            Err(ApiError::new(ErrorCode::LimitReached, message))
        }
        ChangeResult::Stale | ChangeResult::NameTaken | ChangeResult::More => {
            Err(ApiError::not_stored())
        }
    }
}

/// All tokens for programs.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn tokens(accounts: &Accounts, who: &Identity) -> Result<TokenList, ApiError> {
    let now = accounts.services.clock.now();
    let tokens = of(accounts, who)
        .await?
        .into_iter()
        .filter(|session| is_program(session) && session.lives(now));
    Ok(TokenList {
        tokens: tokens.map(|session| told(&session)).collect(),
    })
}

/// Makes an account that has never played the account of a program. All its sessions end.
///
/// # Errors
/// `conflict` if it has games, `forbidden` for moderators and admins, `restarting`, `not_stored`, `internal`.
pub async fn become_bot(accounts: &Accounts, who: &Identity) -> Result<(), ApiError> {
    let services = &accounts.services;
    if who.role != Role::Player {
        let message = "only a player account can become a bot account";
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    let games = services
        .store
        .games_naming(who.id)
        .await
        .or_unreadable("a player's games")?;
    if !games.is_empty() {
        let message = "this account has games; only an account without games can become a bot";
        return Err(ApiError::new(ErrorCode::Conflict, message));
    }
    let change = Change::Role {
        player: who.id,
        before: Role::Player,
        role: Role::Bot,
        audit_entry: None,
    };
    done(sign_in::change(services, change).await?)?;
    revoke_sessions::close(accounts, who.id, &SessionSelector::All).await;
    Ok(())
}

/// The caller's account.
///
/// # Errors
/// `bad_token` if it is gone; `busy` when the record can't be read.
pub async fn own(accounts: &Accounts, who: &Identity) -> Result<Account, ApiError> {
    let account = accounts
        .services
        .account(AccountLookup::Player(who.id))
        .await?;
    account.ok_or_else(session::unknown)
}

/// An answer to a change that nothing was in the way of.
///
/// # Errors
/// `not_stored` if something was: it changed at the same time, and can be tried again.
pub fn done(changed: ChangeResult) -> Result<(), ApiError> {
    match changed {
        ChangeResult::Done => Ok(()),
        ChangeResult::Stale | ChangeResult::NameTaken | ChangeResult::Full | ChangeResult::More => {
            Err(ApiError::not_stored())
        }
    }
}

/// The answer for a session, or a token for a program, that the account does not have.
pub fn no_such_session() -> ApiError {
    let message = "not found; it may have ended";
    ApiError::new(ErrorCode::NotFound, message).field("id")
}

async fn of(accounts: &Accounts, who: &Identity) -> Result<Vec<StoredSession>, ApiError> {
    let sessions = accounts.services.store.sessions_of(vec![who.id]).await;
    let sessions = sessions.or_unreadable("a player's sessions")?;
    Ok(sessions.into_iter().map(|of| of.session).collect())
}

async fn programs(accounts: &Accounts, who: &Identity) -> Result<Vec<SessionId>, ApiError> {
    let of = of(accounts, who).await?;
    Ok(of
        .iter()
        .filter(|it| is_program(it))
        .map(StoredSession::id)
        .collect())
}

const fn is_program(session: &StoredSession) -> bool {
    matches!(session.purpose, Purpose::Program { .. })
}

fn told(session: &StoredSession) -> ApiToken {
    let name = match &session.purpose {
        Purpose::SignIn => String::new(),
        Purpose::Program { label, .. } => label.clone(),
    };
    ApiToken {
        id: session.id().0,
        name,
        scopes: session.scopes().list(),
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        expires_at: session.expires_at,
    }
}
