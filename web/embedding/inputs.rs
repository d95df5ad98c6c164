//! What the client is made of.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Files and folders in `web/` from which the client is built. A change in any of them rebuilds it.
pub(crate) const INPUTS: &[&str] = &[
    ".npmrc",
    "art",
    "bundling",
    "package-lock.json",
    "package.json",
    "src",
    "static",
    "tsconfig.json",
    "vite.config.ts",
];

/// What else may lie in `web/`, and does not change what is built. A test sees to it that nothing is forgotten in both.
#[cfg(test)]
pub(crate) const OTHERS: &[&str] = &[
    ".gitignore",
    ".npm.lock",
    ".prettierignore",
    ".prettierrc",
    ".svelte-kit",
    "Cargo.toml",
    "README.md",
    "build",
    "build.rs",
    "embed.rs",
    "embedding",
    "eslint.config.js",
    "node_modules",
    "not_built.html",
    "playwright-report",
    "playwright.config.ts",
    "scripts",
    "test-results",
    "tests",
    "vitest.setup.ts",
];

/// All files of the inputs that are there, in a fixed order.
pub(crate) fn files(web: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for input in INPUTS {
        let path = web.join(input);
        if path.is_dir() {
            walk(&path, &mut files)?;
        } else if path.exists() {
            files.push(path);
        }
    }
    Ok(files)
}

/// Adds the files below a folder, sorted.
pub(crate) fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            walk(&entry, files)?;
        } else {
            files.push(entry);
        }
    }
    Ok(())
}
