//! The addresses of the client's pages, from the folders of `src/routes`.

use std::{ffi::OsStr, io, path::Path};

use super::inputs;

/// Every address that has a page, such as `/game/[id]`, sorted. What stands in brackets is any one part of an address.
pub(crate) fn of(web: &Path) -> io::Result<Vec<String>> {
    let root = web.join("src/routes");
    let mut files = Vec::new();
    inputs::walk(&root, &mut files)?;
    let is_page = |file: &&std::path::PathBuf| {
        let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name == "+page.svelte" || name == "+page.ts"
    };
    let mut routes: Vec<_> = files
        .iter()
        .filter(is_page)
        .filter_map(|file| file.parent()?.strip_prefix(&root).ok()?.to_str())
        .map(|folder| format!("/{folder}"))
        .collect();
    routes.sort();
    routes.dedup();
    Ok(routes)
}
