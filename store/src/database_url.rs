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

/// The URL with what stands in files beside it: the certificates that Postgres' own has to be signed by, and the password. With certificates the
/// server has to have the name in the URL too, unless the URL says otherwise.
///
/// # Errors
/// When there is a file and the records are not in Postgres, the URL has the same already, wants no TLS in spite of certificates, or a file can't be
/// read or does not have what it should.
pub fn whole_url(url: &str, ca: Option<&Path>, password: Option<&Path>) -> anyhow::Result<String> {
    let mut whole = url.to_owned();
    if let Some(file) = ca {
        whole = with_ca(&whole, file)?;
    }
    if let Some(file) = password {
        whole = with_password(&whole, file)?;
    }
    Ok(whole)
}

/// The value of the first of these words in the query of a URL.
fn queried<'a>(url: &'a str, names: &[&str]) -> Option<&'a str> {
    let (_, query) = url.split_once('?')?;
    let mut words = query.split('&').filter_map(|word| word.split_once('='));
    words.find_map(|(name, value)| names.contains(&name).then_some(value))
}

/// The URL with another word in its query.
fn with_word(url: &str, name: &str, value: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
    format!("{url}{separator}{name}={value}")
}

fn with_ca(url: &str, file: &Path) -> anyhow::Result<String> {
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
    anyhow::ensure!(
        queried(url, &["sslrootcert", "ssl-root-cert"]).is_none(),
        "both --database-ca and sslrootcert in the URL name certificates; give one of them"
    );
    let mode = queried(url, &["sslmode", "ssl-mode"]);
    anyhow::ensure!(
        mode.is_none_or(|mode| mode.starts_with("verify-")),
        "--database-ca is of no use with sslmode={}; leave sslmode out, or set it to verify-full or verify-ca",
        mode.unwrap_or_default()
    );
    let with = with_word(url, "sslrootcert", &file.display().to_string());
    Ok(match mode {
        None => format!("{with}&sslmode=verify-full"),
        Some(_) => with,
    })
}

fn with_password(url: &str, file: &Path) -> anyhow::Result<String> {
    const FLAG: &str = "--database-password-file";
    let Place::Postgres = Place::of(url)? else {
        anyhow::bail!("{FLAG} is for records in Postgres");
    };
    let (_, after) = url.split_once("://").unwrap_or_default();
    let authority = after.split(['/', '?']).next().unwrap_or_default();
    let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
    anyhow::ensure!(
        !user.contains(':') && queried(url, &["password"]).is_none(),
        "both {FLAG} and the URL have a password; give one of them"
    );
    let text =
        std::fs::read_to_string(file).with_context(|| format!("{FLAG} {}", file.display()))?;
    let password = text.strip_suffix('\n').unwrap_or(&text);
    let password = password.strip_suffix('\r').unwrap_or(password);
    anyhow::ensure!(
        !password.is_empty() && !password.contains(['\n', '\0']),
        "{FLAG} {}: expected a password in one line",
        file.display()
    );
    Ok(with_word(url, "password", password))
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
        let with = |url: &str| whole_url(url, Some(&file), None);
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

    #[test]
    fn a_password_from_a_file_is_what_the_file_holds_and_the_only_one() {
        let file = std::env::temp_dir().join(format!("qiguan-password-{}", std::process::id()));
        let with = |url: &str, text: &str| {
            std::fs::write(&file, text).unwrap();
            whole_url(url, None, Some(&file))
        };
        let url = "postgres://a@b/c?sslmode=require";
        let whole = with(url, "p@s/s #:%?&ü \n").unwrap();
        let encoded = "p%40s%2Fs%20%23%3A%25%3F%26%C3%BC%20";
        assert_eq!(whole, format!("{url}&password={encoded}"));
        assert_eq!(shown(&whole), "postgres://a@b:5432/c");
        for refused in [
            "sqlite:x",
            "postgres://a:b@c/d",
            "postgres://a@b/c?password=x",
        ] {
            assert!(with(refused, "x").is_err(), "{refused}");
        }
        for text in ["", "\n", "two\nlines\n"] {
            let error = format!("{:#}", with(url, text).unwrap_err());
            assert!(
                error.contains("in one line") && !error.contains("two"),
                "{error}"
            );
        }
        std::fs::remove_file(&file).unwrap();
        assert!(whole_url(url, None, Some(&file)).is_err());
    }
}
