//! The tables of what the server has in common with the client: what boards and pieces are drawn from, and names.

use std::{fs, io, path::Path};

use super::inputs;

/// Rust source of a list of all files in a folder that are wanted, by their paths in it.
pub(crate) fn table(
    list: &str,
    folder: &Path,
    wanted: impl Fn(&Path) -> bool,
) -> io::Result<String> {
    let mut files = Vec::new();
    inputs::walk(folder, &mut files)?;
    let mut text = format!("const {list}: &[(&str, &str)] = &[\n");
    for file in files.into_iter().filter(|file| wanted(file)) {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        let name = name.to_string_lossy().replace('\\', "/");
        let path = fs::canonicalize(&file)?;
        let path = path.to_string_lossy();
        text.push_str(&format!("    ({name:?}, include_str!({path:?})),\n"));
    }
    text.push_str("];\n");
    Ok(text)
}
