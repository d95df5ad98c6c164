//! Node and npm: whether they are there, and what they have to do.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::{at, inputs, packages};

/// The oldest Node that the client's tools run on.
const OLDEST: (u32, u32) = (20, 19);

/// Whether there is a Node that is new enough, with npm; else what is missing.
pub(crate) fn find() -> Result<(), String> {
    let node = version("node")?;
    let mut numbers = node.trim_start_matches('v').split('.').map(str::parse);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else {
        return Err(format!("`node --version` says {node}"));
    };
    if (major, minor) < OLDEST {
        return Err(format!("Node is {node}, which is too old"));
    }
    version("npm").map(|_| ())
}

fn version(program: &str) -> Result<String, String> {
    let output = Command::new(program).arg("--version").output();
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("{program} was not found"),
        _ => format!("{program} does not start: {error}"),
    })?;
    if !output.status.success() {
        return Err(format!("`{program} --version` failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Builds the client, unless that was done before, and copies it into the folder of this build. Says where it lies.
///
/// What was built is kept below `node_modules`, under a number made of all that it is made of: checks, tests, debug and release
/// builds, in however many target folders, build it once. All of it happens under a lock, since they share the packages too.
pub(crate) fn build(web: &Path, out: &Path) -> Result<PathBuf, String> {
    let path = web.join(".npm.lock");
    let lock = File::create(&path).map_err(|error| at(&path, &error))?;
    lock.lock().map_err(|error| at(&path, &error))?;

    let digest = digest(web)?;
    let cache = web.join("node_modules/.cache/qiguan-web");
    let kept = cache.join(&digest);
    if !kept.is_dir() {
        if !has_packages(web) {
            // Even where NODE_ENV says `production`, the tools are needed.
            run(web, &["ci", "--include=dev", "--no-progress"], &kept)?;
        }
        let unfinished = web.join("node_modules/.cache/qiguan-web-unfinished");
        remove(&unfinished)?;
        run(web, &["run", "build"], &unfinished)?;
        // One state is enough; what was built last stays until there is another.
        remove(&cache)?;
        fs::create_dir_all(&cache).map_err(|error| at(&cache, &error))?;
        fs::rename(&unfinished, &kept).map_err(|error| at(&kept, &error))?;
    }

    let built = out.join("client");
    remove(&built)?;
    copy(&kept, &built).map_err(|error| at(&built, &error))?;
    Ok(built)
}

/// Whether nothing needs to be installed.
fn has_packages(web: &Path) -> bool {
    let read = |path: &str| fs::read_to_string(web.join(path)).unwrap_or_default();
    // npm writes its own note of what it has installed last.
    let installed = read("node_modules/.package-lock.json");
    packages::agree(&read("package-lock.json"), &installed)
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(folder, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    inputs::walk(from, &mut files)?;
    for file in files {
        let copy = to.join(file.strip_prefix(from).unwrap_or(&file));
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::copy(&file, &copy)?;
    }
    Ok(())
}

/// Runs npm; its output is shown if it fails.
fn run(web: &Path, arguments: &[&str], built: &Path) -> Result<(), String> {
    let command = format!("npm {}", arguments.join(" "));
    let output = Command::new("npm")
        .args(arguments)
        .current_dir(web)
        .env("QIGUAN_WEB_OUT", built)
        .env("NO_COLOR", "1")
        .output()
        .map_err(|error| format!("`{command}` does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let Output {
        status,
        stdout,
        stderr,
    } = output;
    let said = [stdout, stderr].concat();
    Err(format!(
        "the web client can't be built: `{command}` in {} failed ({status}). It says:\n{}",
        web.display(),
        String::from_utf8_lossy(&said).trim()
    ))
}

/// All that the client is made of, in a number: its own files and those of the tools, which the lock file names, and Node.
fn digest(web: &Path) -> Result<String, String> {
    let files = inputs::files(web).map_err(|error| at(web, &error))?;
    let mut digest = Sha256::new();
    digest.update(version("node")?);
    for file in files {
        let content = fs::read(&file).map_err(|error| at(&file, &error))?;
        let name = file.strip_prefix(web).unwrap_or(&file);
        digest.update(name.as_os_str().as_encoded_bytes());
        digest.update(content.len().to_le_bytes());
        digest.update(content);
    }
    Ok(BASE64_URL_SAFE_NO_PAD.encode(digest.finalize()))
}
