//! Passwords: which ones are taken, and how they are kept: as Argon2id hashes, a few computed at a time.
//!
//! **Invariant:** whether a name exists can't be told from how much work an attempt costs: one is computed for every attempt.

use std::{
    collections::HashSet,
    num::NonZero,
    sync::{Arc, LazyLock},
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use qiguan_protocol::{
    account::Password,
    error::{ApiError, ErrorCode},
    limits,
};
use tokio::sync::Semaphore;

use crate::aside;

/// So many may wait for their turn; further ones are refused as busy.
const MOST_WAITING: usize = 64;
/// The least memory of a hash in a release, in KiB, which is also the default: what OWASP asks for at the least.
pub const LEAST_KIB: u32 = if cfg!(debug_assertions) {
    Params::MIN_M_COST
} else {
    Params::DEFAULT_M_COST
};
/// The fewest passes of a hash in a release, which is also the default.
pub const FEWEST_PASSES: u32 = if cfg!(debug_assertions) {
    Params::MIN_T_COST
} else {
    Params::DEFAULT_T_COST
};

/// Passwords that are guessed first.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("passwords/common.txt").lines().collect());

/// Judges a password that somebody wishes to have.
///
/// # Errors
/// `bad_value`: too short, too long, or one of the first that would be guessed.
pub fn check(password: &Password, name: &str) -> Result<(), ApiError> {
    let wrong = |message: String| Err(ApiError::bad_value("password", message));
    let text = password.reveal();
    if !(limits::PASSWORD_BYTES_LEAST..=limits::PASSWORD_BYTES).contains(&text.len()) {
        return wrong(format!(
            "a password must have {} to {} bytes; this one has {}",
            limits::PASSWORD_BYTES_LEAST,
            limits::PASSWORD_BYTES,
            text.len()
        ));
    }
    let small = text.to_lowercase();
    if COMMON.contains(small.as_str()) || is_a_run(&small) {
        return wrong("this password is too easy to guess".to_owned());
    }
    let letters = letters(&small);
    let name = letters_of(name);
    if !name.is_empty() && !letters.is_empty() && letters.replace(&name, "").is_empty() {
        return wrong("the password can't be the name".to_owned());
    }
    Ok(())
}

/// One character again and again, or each the next of the one before.
fn is_a_run(text: &str) -> bool {
    let codes: Vec<_> = text.chars().map(|it| i64::from(u32::from(it))).collect();
    [-1, 0, 1]
        .iter()
        .any(|step| codes.windows(2).all(|pair| pair[1] - pair[0] == *step))
}

fn letters_of(name: &str) -> String {
    letters(&name.to_lowercase())
}

fn letters(text: &str) -> String {
    text.chars().filter(|it| it.is_alphabetic()).collect()
}

/// What comes of trying a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the right one.
    Right,
    /// It is the right one, and its hash is cheaper than hashes are now: it should be made again.
    Outdated,
    /// It is not, or the account has no password.
    Wrong,
}

/// Computes hashes. Cheap to clone.
#[derive(Clone)]
pub struct Hasher {
    argon2: Argon2<'static>,
    /// What attempts at names without a password are tried against.
    nobodys: Arc<str>,
    /// Those who compute.
    slots: Arc<Semaphore>,
    /// Those who compute or wait.
    places: Arc<Semaphore>,
}

impl Hasher {
    /// A hasher that takes so much memory and so many passes for each; `salt` is that of nobody's password.
    ///
    /// # Errors
    /// When Argon2 can't be computed so.
    pub fn new(kib: u32, passes: u32, salt: &[u8]) -> anyhow::Result<Self> {
        let params = Params::new(kib, passes, Params::DEFAULT_P_COST, None).map_err(|error| {
            anyhow::anyhow!("passwords can't be hashed with {kib} KiB: {error}")
        })?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobodys: PasswordHash = argon2
            .hash_password_with_salt(salt, salt)
            .map_err(|error| anyhow::anyhow!("passwords can't be hashed: {error}"))?;
        // The other half of the processors stays with the games.
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let at_once = (cores / 2).max(1);
        Ok(Self {
            argon2,
            nobodys: nobodys.to_string().into(),
            slots: Arc::new(Semaphore::new(at_once)),
            places: Arc::new(Semaphore::new(at_once + MOST_WAITING)),
        })
    }

    /// The hash to keep of a password.
    ///
    /// # Errors
    /// `busy`; `internal` if it can't be computed.
    pub async fn hash(&self, password: Password, salt: [u8; 32]) -> Result<String, ApiError> {
        let argon2 = self.argon2.clone();
        let hashed = self.compute(move || {
            let hashed: Result<PasswordHash, _> =
                argon2.hash_password_with_salt(password.reveal().as_bytes(), &salt);
            hashed.map(|hash| hash.to_string())
        });
        hashed.await?.map_err(|error| {
            tracing::error!(%error, "could not hash a password");
            ApiError::internal()
        })
    }

    /// Tries a password against the hash that is kept, or against nobody's if no hash is kept.
    ///
    /// # Errors
    /// `busy`; `internal` if it can't be computed.
    pub async fn verify(
        &self,
        password: Password,
        kept: Option<String>,
    ) -> Result<Verdict, ApiError> {
        let hasher = self.clone();
        self.compute(move || hasher.judge(&password, kept.as_deref()))
            .await
    }

    fn judge(&self, password: &Password, kept: Option<&str>) -> Verdict {
        let is_somebodys = kept.is_some();
        let kept = kept.unwrap_or(&self.nobodys);
        let Ok(hash) = PasswordHash::new(kept) else {
            tracing::error!("could not read a stored password hash");
            return Verdict::Wrong;
        };
        let tried = self
            .argon2
            .verify_password(password.reveal().as_bytes(), &hash);
        if tried.is_err() || !is_somebodys {
            return Verdict::Wrong;
        }
        match Params::try_from(&hash) {
            Ok(params) if self.is_cheaper(&params) => Verdict::Outdated,
            Ok(_) | Err(_) => Verdict::Right,
        }
    }

    fn is_cheaper(&self, params: &Params) -> bool {
        let now = self.argon2.params();
        params.m_cost() < now.m_cost() || params.t_cost() < now.t_cost()
    }

    /// Computes when it is its turn. A caller who gave up waiting keeps the place until it is done.
    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = Arc::clone(&self.places)
            .try_acquire_owned()
            .map_err(|_| busy())?;
        let slot = Arc::clone(&self.slots)
            .acquire_owned()
            .await
            .map_err(|_| ApiError::internal())?;
        metrics::counter!("qiguan_password_hashes_total").increment(1);
        let computed = aside::in_background(move || {
            let value = work();
            drop((slot, place));
            value
        });
        computed.await.map_err(|error| {
            tracing::error!(%error, "could not compute a password hash");
            ApiError::internal()
        })
    }
}

fn busy() -> ApiError {
    let message = "too many sign-ins right now; try again in a few seconds";
    ApiError::new(ErrorCode::Busy, message)
}

#[cfg(test)]
mod tests;
