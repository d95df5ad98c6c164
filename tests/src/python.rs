//! Python with the packages of `tests/python/requirements.txt`, in the target folder.

use std::path::{Path, PathBuf};

use tokio::process::Command;

use crate::waiting::in_time;

/// The folder of its programs. It is made by `scripts/python.sh`, which takes the packages from the network the first time.
///
/// # Panics
/// When Python or a package is missing; the script says which, and how to install it.
pub async fn programs() -> PathBuf {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut script = Command::new("sh");
    script.arg("scripts/python.sh").current_dir(repository);
    let made = in_time("Python", script.output())
        .await
        .expect("sh is there");
    let errors = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "scripts/python.sh: {errors}");
    let folder = String::from_utf8_lossy(&made.stdout);
    PathBuf::from(folder.trim_end()).join("bin")
}
