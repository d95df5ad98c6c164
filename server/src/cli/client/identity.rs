//! Who one is on each server, kept in a file that only its owner can read.

use std::{
    collections::BTreeMap,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::Context;
use qiguan_protocol::ids::Token;

/// The file of identities, a token for each server.
pub struct Identities(PathBuf);

impl Identities {
    /// The file of this user: `$XDG_CONFIG_HOME/qiguan/identities.json`, or below `~/.config`.
    ///
    /// # Errors
    /// When neither is known.
    pub fn of_user() -> anyhow::Result<Self> {
        let folder = std::env::var_os("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".config")))
            .context("neither XDG_CONFIG_HOME nor HOME is set; give a token as QIGUAN_TOKEN")?;
        Ok(Self(folder.join("qiguan/identities.json")))
    }

    /// The token for a server: `QIGUAN_TOKEN`, or the one kept.
    ///
    /// # Errors
    /// When the file is there but can't be read.
    pub fn token(&self, server: &str) -> anyhow::Result<Option<Token>> {
        if let Ok(token) = std::env::var("QIGUAN_TOKEN") {
            return Ok(Some(Token::new(token)));
        }
        Ok(self.read()?.get(server).map(Token::new))
    }

    /// Keeps a token.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn keep(&self, server: &str, token: &Token) -> anyhow::Result<()> {
        let mut all = self.read()?;
        all.insert(server.to_owned(), token.reveal().to_owned());
        self.write(&all)
    }

    /// Forgets who one is on a server.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn forget(&self, server: &str) -> anyhow::Result<()> {
        let mut all = self.read()?;
        if all.remove(server).is_none() {
            return Ok(());
        }
        self.write(&all)
    }

    fn write(&self, all: &BTreeMap<String, String>) -> anyhow::Result<()> {
        let shown = self.0.display();
        let folder = self.0.parent().context("the file has a folder")?;
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        // Written beside and moved into place: another client never reads half a file.
        let fresh = self.0.with_extension(format!("{}.new", std::process::id()));
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&fresh)
            .with_context(|| format!("writing {shown}"))?;
        file.write_all(serde_json::to_string_pretty(all)?.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&fresh, &self.0).with_context(|| format!("writing {shown}"))
    }

    fn read(&self) -> anyhow::Result<BTreeMap<String, String>> {
        match std::fs::read_to_string(&self.0) {
            Ok(text) => serde_json::from_str(&text)
                .with_context(|| format!("{} is damaged", self.0.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(error).with_context(|| format!("reading {}", self.0.display())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn tokens_are_kept_for_each_server_and_nobody_else_can_read_them() {
        let folder = std::env::temp_dir().join(format!("qiguan-identities-{}", std::process::id()));
        let identities = Identities(folder.join("qiguan/identities.json"));
        identities.keep("http://a", &Token::new("one")).unwrap();
        identities.keep("http://b", &Token::new("two")).unwrap();
        let kept = |server: &str| identities.read().unwrap().get(server).cloned();
        assert_eq!(
            (kept("http://a").as_deref(), kept("http://b").as_deref()),
            (Some("one"), Some("two"))
        );
        identities.forget("http://a").unwrap();
        identities.forget("http://c").unwrap();
        assert_eq!(
            (kept("http://a"), kept("http://b").as_deref()),
            (None, Some("two"))
        );
        let mode = std::fs::metadata(&identities.0)
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
