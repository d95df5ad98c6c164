//! What the build script does: one of three outcomes, and never a client that is silently missing.
//!
//! 1. `QIGUAN_WEB_DIST` names a folder that was built elsewhere: it is embedded.
//! 2. Node and npm are there: `npm ci` if the packages are not those of the lock file, and `npm run build`. If either fails, so
//!    does the build.
//! 3. They are not there, or `QIGUAN_WEB=none`: one page is embedded that says so. A release build takes this as an error, unless
//!    `QIGUAN_WEB=none` says that it is meant.

mod art;
mod inline;
mod inputs;
mod npm;
mod packages;
mod routes;
mod table;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Names what was built of the client of the release before: its files with hashes in their names are embedded as well.
const PREVIOUS: &str = "QIGUAN_WEB_PREVIOUS";

/// What is embedded.
enum Outcome {
    /// The files of this folder.
    Folder(PathBuf),
    /// The page that tells why there is no client.
    Missing(String),
}

/// Decides, builds, and writes `client.rs` into the folder that Cargo gives.
pub(crate) fn embed() -> Result<(), String> {
    let web = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    for name in ["QIGUAN_WEB", "QIGUAN_WEB_DIST", PREVIOUS] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    for own in ["build.rs", "embedding", "not_built.html"] {
        watch(&web.join(own));
    }
    let folder = web.join("src/routes");
    watch(&folder);
    let routes = routes::of(&web).map_err(|error| at(&folder, &error))?;
    let folder = web.join("art");
    watch(&folder);
    let art = art::table("ART", &folder, |_| true).map_err(|error| at(&folder, &error))?;
    let folder = web.join("src/lib/i18n/messages");
    watch(&folder);
    // The spaces that have the names of games, rule sets and ends.
    let shared = |file: &Path| file.ends_with("common.json") || file.ends_with("game.json");
    let texts = art::table("TEXTS", &folder, shared).map_err(|error| at(&folder, &error))?;
    let previous = previous()?;
    let previous = previous.as_deref();
    let table = match decide(&web, &out)? {
        Outcome::Folder(folder) => table::of_folder(&folder, previous, &routes)?,
        Outcome::Missing(reason) => {
            table::of_page(&web.join("not_built.html"), &reason, previous, &routes)?
        }
    };
    let file = out.join("client.rs");
    fs::write(&file, table + &art + &texts).map_err(|error| at(&file, &error))
}

/// The folder of the release before, if one is named.
fn previous() -> Result<Option<PathBuf>, String> {
    let Some(folder) = env::var_os(PREVIOUS).filter(|folder| !folder.is_empty()) else {
        return Ok(None);
    };
    let folder = PathBuf::from(folder);
    if !folder.is_absolute() || !folder.join("_app/immutable").is_dir() {
        return Err(format!(
            "{PREVIOUS} is {}; it has to be an absolute path to what `npm run build` has written for the release before",
            folder.display()
        ));
    }
    watch(&folder);
    Ok(Some(folder))
}

fn decide(web: &Path, out: &Path) -> Result<Outcome, String> {
    if let Some(folder) = env::var_os("QIGUAN_WEB_DIST").filter(|folder| !folder.is_empty()) {
        let folder = PathBuf::from(folder);
        if !folder.is_absolute() {
            return Err(format!(
                "QIGUAN_WEB_DIST is {}; it has to be an absolute path, since Cargo runs this elsewhere",
                folder.display()
            ));
        }
        if !folder.join("index.html").is_file() {
            return Err(format!(
                "QIGUAN_WEB_DIST is {}, which has no index.html: it is to be what `npm run build` has written",
                folder.display()
            ));
        }
        watch(&folder);
        return Ok(Outcome::Folder(folder));
    }
    match env::var("QIGUAN_WEB").unwrap_or_default().as_str() {
        "" => {}
        "none" => {
            return Ok(Outcome::Missing(
                "it was left out with QIGUAN_WEB=none".to_owned(),
            ));
        }
        other => {
            return Err(format!(
                "QIGUAN_WEB is {other}; it may be `none`, or not set"
            ));
        }
    }
    match npm::find() {
        Ok(()) => {
            for input in inputs::INPUTS {
                watch(&web.join(input));
            }
            npm::build(web, out).map(Outcome::Folder)
        }
        Err(reason) if variable("PROFILE")? == "release" => Err(format!(
            "the web client can't be built: {reason}. Install Node 20.19 or newer with npm, or give the folder of a client that \
             was built elsewhere as QIGUAN_WEB_DIST, or set QIGUAN_WEB=none to build a server without it"
        )),
        Err(reason) => {
            println!(
                "cargo::warning=the web client is NOT in this program: {reason}. Install Node 20.19 or newer with npm and build \
                 again; QIGUAN_WEB=none says that it is meant"
            );
            watch_for_node();
            Ok(Outcome::Missing(reason))
        }
    }
}

/// The next build looks again once something was installed: where programs are has changed then, or what lies there.
fn watch_for_node() {
    println!("cargo::rerun-if-env-changed=PATH");
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_dir()) {
        watch(&folder);
    }
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("{name}: {error}"))
}

/// An error with the path that it is about.
fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
