//! The player's identity on a server: the one that this user keeps for it, a named one, or a guest for one run.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::Context;
use qiguan_protocol::ids::Token;

use super::address::{self, Address, Origin};

/// As whom to speak to a server.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct WhoArgs {
    /// Use the identity saved under this name, or create it: lets several people share one machine.
    #[arg(long = "as", value_name = "NAME", value_parser = name)]
    as_name: Option<String>,
}

/// Who one is on a server.
#[derive(Clone)]
pub enum Identity {
    /// A guest of this run alone.
    Guest,
    /// The owner of `QIGUAN_TOKEN`, on the server of `QIGUAN_SERVER`.
    Environment(Token, Kept),
    /// Somebody whom the file of identities remembers, or will.
    Kept(Kept),
}

/// A place in the file of identities.
#[derive(Clone)]
pub struct Kept {
    file: Identities,
    server: Origin,
    name: Option<String>,
}

impl Identity {
    /// The identity on a server that the arguments name, or that is used where they name none.
    ///
    /// # Errors
    /// When `QIGUAN_TOKEN` stands alone, or no place for identities is known.
    pub fn of(who: &WhoArgs, server: &Origin) -> anyhow::Result<Self> {
        let kept = Kept {
            file: Identities::of_user(),
            server: server.clone(),
            name: who.as_name.clone(),
        };
        let token = std::env::var("QIGUAN_TOKEN").ok();
        let Some(token) = token.filter(|token| !token.is_empty() && who.as_name.is_none()) else {
            return Ok(Self::Kept(kept));
        };
        let owner = address::of_environment()?.context(
            "QIGUAN_TOKEN is set, but QIGUAN_SERVER is missing: set it too, such as QIGUAN_SERVER=https://HOST",
        )?;
        // A token goes to the server that gave it, and to no other.
        Ok(if owner.server.key() == server.key() {
            Self::Environment(Token::new(token), kept)
        } else {
            Self::Kept(kept)
        })
    }

    /// The token, if there is one yet.
    ///
    /// # Errors
    /// When the file is there but can't be read.
    pub fn token(&self) -> anyhow::Result<Option<Token>> {
        match self {
            Self::Guest => Ok(None),
            Self::Environment(token, _) => Ok(Some(token.clone())),
            Self::Kept(kept) => kept.token(),
        }
    }

    /// Keeps a token, unless it is for this run alone.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn keep(&self, token: &Token) -> anyhow::Result<()> {
        match self {
            Self::Guest => Ok(()),
            Self::Environment(_, kept) | Self::Kept(kept) => kept.write(Some(token)),
        }
    }

    /// Forgets who one is there.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn forget(&self) -> anyhow::Result<()> {
        match self {
            Self::Guest => Ok(()),
            Self::Environment(_, kept) | Self::Kept(kept) => kept.write(None),
        }
    }

    /// What a second person on this machine is, beside this one.
    #[must_use]
    pub fn second(&self) -> Self {
        match self {
            Self::Kept(kept) if kept.name.as_deref() != Some(SECOND) => Self::Kept(Kept {
                name: Some(SECOND.to_owned()),
                ..kept.clone()
            }),
            Self::Guest | Self::Environment(..) | Self::Kept(_) => Self::Guest,
        }
    }

    /// What is typed to be this one again: `--as NAME ` or nothing.
    pub fn flag(&self) -> String {
        match self {
            Self::Kept(Kept {
                name: Some(name), ..
            }) => format!("--as {name} "),
            Self::Guest | Self::Environment(..) | Self::Kept(_) => String::new(),
        }
    }
}

/// The name of the second person on a machine.
const SECOND: &str = "second";

impl Kept {
    fn token(&self) -> anyhow::Result<Option<Token>> {
        let all = self.file.read()?;
        Ok(self
            .found(&all)
            .next()
            .and_then(|key| all.get(key))
            .map(Token::new))
    }

    /// Puts a token in the place of what was kept, or nothing.
    fn write(&self, token: Option<&Token>) -> anyhow::Result<()> {
        let _alone = self.file.lock()?;
        let mut all = self.file.read()?;
        let old: Vec<String> = self.found(&all).cloned().collect();
        if old.is_empty() && token.is_none() {
            return Ok(());
        }
        for key in old {
            all.remove(&key);
        }
        if let Some(token) = token {
            all.insert(self.key(), token.reveal().to_owned());
        }
        self.file.write(&all)
    }

    fn key(&self) -> String {
        keyed(&self.server.key(), self.name.as_deref())
    }

    /// The entries of this one. Older programs have kept a server under each spelling of its address: the one that was typed
    /// comes first.
    fn found<'a>(&'a self, all: &'a BTreeMap<String, String>) -> impl Iterator<Item = &'a String> {
        let name = self.name.as_deref();
        let (typed, own) = (keyed(&self.server.to_string(), name), self.key());
        let same = move |key: &&String| {
            let (server, of) = key
                .split_once(NAMED)
                .map_or((key.as_str(), None), |(server, of)| (server, Some(of)));
            of == name
                && Address::parse(server).is_ok_and(|it| it.server.key() == self.server.key())
        };
        let mut found: Vec<_> = all.keys().filter(same).collect();
        found.sort_by_key(|key| (**key != typed, **key != own));
        found.into_iter()
    }
}

/// What stands between a server and a name; no address has a space.
const NAMED: &str = " as ";

fn keyed(server: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{server}{NAMED}{name}"),
        None => server.to_owned(),
    }
}

/// The file of identities, a token for each server and name.
#[derive(Clone)]
struct Identities(Option<PathBuf>);

impl Identities {
    /// The file of this user: `$XDG_CONFIG_HOME/qiguan/identities.json`, or below `~/.config`.
    fn of_user() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let folder = set("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(|| set("HOME").map(|home| Path::new(&home).join(".config")));
        Self(folder.map(|folder| folder.join("qiguan/identities.json")))
    }

    fn path(&self) -> anyhow::Result<&Path> {
        self.0.as_deref().context(
            "neither XDG_CONFIG_HOME nor HOME is set; play with --guest, or give a token as QIGUAN_TOKEN",
        )
    }

    /// Makes the folder and keeps other clients from writing, as long as the file is held.
    fn lock(&self) -> anyhow::Result<File> {
        let path = self.path()?;
        let folder = path.parent().context("the file has a folder")?;
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let beside = path.with_extension("lock");
        let locking = || format!("locking {}", beside.display());
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&beside)
            .with_context(locking)?;
        file.lock().with_context(locking)?;
        Ok(file)
    }

    fn write(&self, all: &BTreeMap<String, String>) -> anyhow::Result<()> {
        let path = self.path()?;
        let writing = || format!("writing {}", path.display());
        // Written beside and moved into place: another client never reads half a file.
        let fresh = path.with_extension(format!("{}.new", std::process::id()));
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&fresh)
            .with_context(writing)?;
        file.write_all(serde_json::to_string_pretty(all)?.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&fresh, path).with_context(writing)
    }

    fn read(&self) -> anyhow::Result<BTreeMap<String, String>> {
        let path = self.path()?;
        match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text)
                .with_context(|| format!("{} is damaged", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }
}

/// The longest name of an identity, in characters.
const LONGEST_NAME: usize = 32;

fn name(text: &str) -> Result<String, String> {
    let allowed = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-');
    if (1..=LONGEST_NAME).contains(&text.chars().count()) && text.chars().all(allowed) {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "expected 1 to {LONGEST_NAME} letters and digits, with _ and -"
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("qiguan-identities-{name}-{}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }

        fn at(&self, server: &str, name: Option<&str>) -> Identity {
            Identity::Kept(Kept {
                file: Identities(Some(self.0.join("qiguan/identities.json"))),
                server: Address::parse(server).unwrap().server,
                name: name.map(ToOwned::to_owned),
            })
        }

        fn token(&self, server: &str, name: Option<&str>) -> Option<String> {
            let token = self.at(server, name).token().unwrap();
            token.map(|token| token.reveal().to_owned())
        }

        fn file(&self) -> PathBuf {
            self.0.join("qiguan/identities.json")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn tokens_are_kept_for_each_server_and_name_and_nobody_else_can_read_them() {
        let folder = Folder::new("kept");
        folder
            .at("http://a", None)
            .keep(&Token::new("one"))
            .unwrap();
        folder
            .at("http://b", None)
            .keep(&Token::new("two"))
            .unwrap();
        let second = folder.at("http://b", None).second();
        assert_eq!(second.flag(), "--as second ");
        second.keep(&Token::new("three")).unwrap();
        assert_eq!(folder.token("http://a", None).as_deref(), Some("one"));
        assert_eq!(folder.token("http://b/", None).as_deref(), Some("two"));
        assert_eq!(
            folder.token("http://b", Some("second")).as_deref(),
            Some("three")
        );
        assert_eq!(folder.token("http://a", Some("second")), None);
        folder.at("http://a", None).forget().unwrap();
        folder.at("http://c", None).forget().unwrap();
        assert_eq!(folder.token("http://a", None), None);
        assert_eq!(folder.token("http://b", None).as_deref(), Some("two"));
        let mode = std::fs::metadata(folder.file())
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_file_of_an_older_program_is_read_whatever_spelling_it_has() {
        let folder = Folder::new("older");
        std::fs::create_dir_all(folder.0.join("qiguan")).unwrap();
        let older = r#"{"http://127.0.0.1:8080": "here", "http://H.example:80": "there",
            "http://localhost:9": "one", "http://[::1]:9": "two"}"#;
        std::fs::write(folder.file(), older).unwrap();
        assert_eq!(
            folder.token("http://localhost:8080", None).as_deref(),
            Some("here")
        );
        assert_eq!(
            folder.token("http://h.example", None).as_deref(),
            Some("there")
        );
        assert_eq!(folder.token("https://h.example", None), None);
        // Two spellings, two players: who was meant is known by the spelling, until somebody signs in again.
        assert_eq!(folder.token("http://[::1]:9", None).as_deref(), Some("two"));
        assert_eq!(
            folder.token("http://localhost:9", None).as_deref(),
            Some("one")
        );
        folder
            .at("http://[::1]:9", None)
            .keep(&Token::new("three"))
            .unwrap();
        assert_eq!(
            folder.token("http://localhost:9", None).as_deref(),
            Some("three")
        );
        assert_eq!(
            folder.token("http://127.0.0.1:8080", None).as_deref(),
            Some("here")
        );
    }
}
