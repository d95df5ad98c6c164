//! Folders that are removed with what tests and programs have put there.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// A folder that is removed with its contents.
pub struct Folder(PathBuf);

/// What lies on a disk wherever `TMPDIR` points, so that flushing costs what it costs.
const ON_DISK: &str = "/var/tmp";

/// The logs of processes: of one that is alone, and of those of a cluster.
pub(crate) const LOGS: [&str; 3] = ["log.txt", "log-2.txt", "log-3.txt"];

impl Folder {
    /// A new empty folder; in memory where `make test` has found enough of it.
    ///
    /// # Panics
    /// When it can't be made.
    pub fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    /// A new empty folder on a disk, for what is about the disk.
    ///
    /// # Panics
    /// When it can't be made.
    pub fn on_disk() -> Self {
        Self::below(Path::new(ON_DISK))
    }

    fn below(parent: &Path) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "qiguan-test-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = parent.join(name);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What processes with this folder have logged, one after the other.
    pub fn log(&self) -> String {
        self.logs().map(|(_, log)| log).collect()
    }

    /// The names of the logs, and what stands in them.
    fn logs(&self) -> impl Iterator<Item = (&'static str, String)> {
        let logs = LOGS.into_iter();
        logs.filter_map(|name| Some((name, std::fs::read_to_string(self.0.join(name)).ok()?)))
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            use std::io::Write;
            // What the server had to say may tell why the test has failed.
            for (file, log) in self.logs() {
                let last: Vec<_> = log.lines().rev().take(20).collect();
                for line in last.into_iter().rev() {
                    let _ = writeln!(std::io::stderr(), "{file}: {line}");
                }
            }
        }
        // What can't be removed is left to the system's own tidying.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
