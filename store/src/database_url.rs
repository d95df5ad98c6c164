//! Where records are: a URL, and what operators read of it.

use std::path::Path;

use anyhow::Context;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sqlx::postgres::PgConnectOptions;

/// Where records can be, as an operator reads it.
const ALLOWED: &str = "records are kept in SQLite (sqlite:PATH, such as sqlite:data/qiguan.db) or in Postgres \
     (postgres://USER:PASSWORD@HOST/DATABASE)";

/// Where records are.
pub(super) enum Place<'a> {
    Sqlite(&'a Path),
    Postgres,
}

impl<'a> Place<'a> {
    /// The place that a URL names.
    ///
    /// # Errors
    /// When it names none.
    pub(super) fn of(url: &'a str) -> anyhow::Result<Self> {
        match url.split_once(':') {
            Some(("sqlite", path)) => {
                let path = path.strip_prefix("//").unwrap_or(path);
                anyhow::ensure!(
                    !matches!(path, "" | ":memory:"),
                    "records must be in a file: sqlite:PATH"
                );
                Ok(Self::Sqlite(path.as_ref()))
            }
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres),
            // What stands before the colon may be anything; nothing of it is repeated, for it may hold a password.
            _ => anyhow::bail!(ALLOWED),
        }
    }
}

/// Whether a URL names a place of records.
///
/// # Errors
/// When it names none, with what is allowed. Nothing of the URL is repeated.
pub fn check_url(url: &str) -> anyhow::Result<()> {
    Place::of(url).map(drop)
}

/// The URL with the certificates that Postgres' own has to be signed by. Unless the URL says otherwise, the server has to have the
/// name in the URL too.
///
/// # Errors
/// When the records are not in Postgres, the URL names certificates as well or wants no TLS, or the file can't be read.
pub fn with_ca(url: &str, file: &Path) -> anyhow::Result<String> {
    let Place::Postgres = Place::of(url)? else {
        anyhow::bail!("--database-ca is for records in Postgres");
    };
    let pem = std::fs::read_to_string(file)
        .with_context(|| format!("--database-ca {}", file.display()))?;
    anyhow::ensure!(
        pem.contains("-----BEGIN CERTIFICATE-----"),
        "--database-ca {}: expected certificates as PEM",
        file.display()
    );
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let word = |names: [&str; 2]| {
        let mut words = query.split('&').filter_map(|word| word.split_once('='));
        words.find_map(|(name, value)| names.contains(&name).then_some(value))
    };
    anyhow::ensure!(
        word(["sslrootcert", "ssl-root-cert"]).is_none(),
        "both --database-ca and sslrootcert in the URL name certificates; give one of them"
    );
    let mode = word(["sslmode", "ssl-mode"]);
    anyhow::ensure!(
        mode.is_none_or(|mode| mode.starts_with("verify-")),
        "--database-ca is of no use with sslmode={}; leave sslmode out, or set it to verify-full or verify-ca",
        mode.unwrap_or_default()
    );
    let path = file.display().to_string();
    let path = utf8_percent_encode(&path, NON_ALPHANUMERIC);
    let separator = if url.contains('?') { '&' } else { '?' };
    let verified = if mode.is_none() {
        "&sslmode=verify-full"
    } else {
        ""
    };
    Ok(format!("{url}{separator}sslrootcert={path}{verified}"))
}

/// Where records are, without any password.
pub fn shown(url: &str) -> String {
    match Place::of(url) {
        Ok(Place::Sqlite(path)) => {
            let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            format!("sqlite:{}", whole.display())
        }
        Ok(Place::Postgres) => match url.parse::<PgConnectOptions>() {
            Ok(to) => shown_server(&to),
            Err(_) => "Postgres".to_owned(),
        },
        Err(_) => "nowhere".to_owned(),
    }
}

/// The server and the database of a connection.
pub(super) fn shown_server(to: &PgConnectOptions) -> String {
    let place = to.get_socket().map_or_else(
        || format!("{}:{}", to.get_host(), to.get_port()),
        |socket| socket.display().to_string(),
    );
    let user = to.get_username();
    let database = to.get_database().unwrap_or(user);
    format!("postgres://{user}@{place}/{database}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        let url = "postgres://anna:hunter2@db.example:5433/games?sslmode=require&password=hunter3";
        assert_eq!(shown(url), "postgres://anna@db.example:5433/games");
        assert!(shown("sqlite:data/qiguan.db").ends_with("/data/qiguan.db"));
        assert_eq!(shown("secret"), "nowhere");
    }

    #[test]
    fn certificates_are_asked_for_by_one_name_and_want_tls() {
        let folder = std::env::temp_dir();
        let file = folder.join(format!("qiguan-ca-{}.pem", std::process::id()));
        std::fs::write(&file, "-----BEGIN CERTIFICATE-----\n").unwrap();
        let with = |url: &str| with_ca(url, &file);
        let plain = with("postgres://a@b/c").unwrap();
        assert!(
            plain.starts_with("postgres://a@b/c?sslrootcert=%2F"),
            "{plain}"
        );
        assert!(plain.ends_with("&sslmode=verify-full"), "{plain}");
        let chosen = with("postgres://a@b/c?sslmode=verify-ca").unwrap();
        assert!(
            chosen.contains("?sslmode=verify-ca&sslrootcert="),
            "{chosen}"
        );
        assert!(!chosen.contains("verify-full"), "{chosen}");
        for refused in [
            "sqlite:x",
            "postgres://a@b/c?sslmode=disable",
            "postgres://a@b/c?sslmode=require",
            "postgres://a@b/c?sslrootcert=x",
        ] {
            assert!(with(refused).is_err(), "{refused}");
        }
        std::fs::write(&file, "a key").unwrap();
        assert!(with("postgres://a@b/c").is_err());
        std::fs::remove_file(&file).unwrap();
        assert!(with("postgres://a@b/c").is_err());
    }
}
