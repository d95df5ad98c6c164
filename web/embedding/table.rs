//! The table of the client's files, as Rust.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::{at, inline, inputs};

/// Where files lie in a client's folder whose names hold their content's hash.
const HASHED: &str = "/_app/immutable/";

/// The table of a client that was built. Of the release before, if there is a folder of it, the files are there whose names hold their hash: pages that
/// a program of that release has handed out load them, whichever program they come to.
pub(crate) fn of_folder(
    folder: &Path,
    previous: Option<&Path>,
    routes: &[String],
) -> Result<String, String> {
    let mut files = hashed_of(previous)?;
    files.extend(files_of(folder)?);
    files.remove("/index.html");
    client(&folder.join("index.html"), None, routes, &entries(&files)?)
}

/// The table of the page that stands in for a client.
pub(crate) fn of_page(
    page: &Path,
    reason: &str,
    previous: Option<&Path>,
    routes: &[String],
) -> Result<String, String> {
    client(page, Some(reason), routes, &entries(&hashed_of(previous)?)?)
}

/// The files of a folder by their addresses. The program looks them up in this order.
fn files_of(folder: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut paths = Vec::new();
    inputs::walk(folder, &mut paths).map_err(|error| at(folder, &error))?;
    let mut files = BTreeMap::new();
    for path in paths.into_iter().filter(|path| !is_variant(path)) {
        let relative = path
            .strip_prefix(folder)
            .ok()
            .and_then(Path::to_str)
            .ok_or_else(|| format!("{}: this name can't be an address", path.display()))?;
        files.insert(format!("/{relative}"), path);
    }
    Ok(files)
}

/// The files of the release before.
fn hashed_of(previous: Option<&Path>) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut files = previous.map_or_else(|| Ok(BTreeMap::new()), files_of)?;
    files.retain(|address, _| address.starts_with(HASHED));
    Ok(files)
}

fn entries(files: &BTreeMap<String, PathBuf>) -> Result<String, String> {
    let mut entries = String::new();
    for (address, path) in files {
        writeln!(entries, "        {},", entry(address, path)?)
            .map_err(|error| error.to_string())?;
    }
    Ok(entries)
}

fn client(
    page: &Path,
    missing: Option<&str>,
    routes: &[String],
    entries: &str,
) -> Result<String, String> {
    let html = fs::read_to_string(page).map_err(|error| at(page, &error))?;
    let scripts = inline::hashes(&html, "script");
    let styles = inline::hashes(&html, "style");
    let shell = entry("/", page)?;
    Ok(format!(
        "/// The client that was embedded.\n\
         pub static CLIENT: Client = Client {{\n    page: {shell},\n    scripts: &{scripts:?},\n    styles: &{styles:?},\n    \
         missing: {missing:?},\n    routes: &{routes:?},\n    files: &[\n{entries}    ],\n}};\n"
    ))
}

fn entry(address: &str, path: &Path) -> Result<String, String> {
    let content_type = content_type(path)?;
    let plain = variant(path)?.ok_or_else(|| format!("{} is missing", path.display()))?;
    let compressed = |extension| -> Result<String, String> {
        let variant = variant(&with(path, extension))?;
        // What does not get smaller is not worth the trouble.
        let smaller = variant.filter(|variant| variant.bytes < plain.bytes);
        Ok(smaller.map_or_else(
            || "None".to_owned(),
            |variant| format!("Some({})", variant.text),
        ))
    };
    let (brotli, gzip) = (compressed("br")?, compressed("gz")?);
    let plain = &plain.text;
    Ok(format!(
        "File {{ address: {address:?}, content_type: {content_type:?}, plain: {plain}, brotli: {brotli}, gzip: {gzip} }}"
    ))
}

/// A file in one encoding, as Rust.
struct Variant {
    bytes: usize,
    text: String,
}

/// Each variant has a tag of its own: they are different bytes.
fn variant(path: &Path) -> Result<Option<Variant>, String> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = fs::read(path).map_err(|error| at(path, &error))?;
    let etag = format!(
        "\"{}\"",
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&bytes))
    );
    let path = path
        .to_str()
        .ok_or_else(|| format!("{}: the path is no Unicode", path.display()))?;
    Ok(Some(Variant {
        bytes: bytes.len(),
        text: format!("Variant {{ etag: {etag:?}, bytes: include_bytes!({path:?}) }}"),
    }))
}

fn with(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// A compressed copy of a file beside it.
fn is_variant(path: &Path) -> bool {
    let compressed = matches!(path.extension().and_then(OsStr::to_str), Some("br" | "gz"));
    compressed && path.with_extension("").exists()
}

/// The list is closed: a file of an unknown kind would be taken for something else by some browser.
pub(crate) fn content_type(path: &Path) -> Result<&'static str, String> {
    match path.extension().and_then(OsStr::to_str) {
        Some("html") => Ok("text/html; charset=utf-8"),
        Some("js" | "mjs") => Ok("text/javascript; charset=utf-8"),
        Some("css") => Ok("text/css; charset=utf-8"),
        Some("json") => Ok("application/json"),
        Some("webmanifest") => Ok("application/manifest+json"),
        Some("txt") => Ok("text/plain; charset=utf-8"),
        Some("svg") => Ok("image/svg+xml; charset=utf-8"),
        Some("png") => Ok("image/png"),
        Some("jpg" | "jpeg") => Ok("image/jpeg"),
        Some("webp") => Ok("image/webp"),
        Some("ico") => Ok("image/vnd.microsoft.icon"),
        Some("woff2") => Ok("font/woff2"),
        Some("wasm") => Ok("application/wasm"),
        Some("mp3") => Ok("audio/mpeg"),
        Some("ogg" | "opus") => Ok("audio/ogg"),
        Some("wav") => Ok("audio/wav"),
        _ => Err(format!(
            "{}: name the content type of such files in web/embedding/table.rs",
            path.display()
        )),
    }
}
