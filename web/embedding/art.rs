//! The table of the pictures that boards and pieces are drawn from.

use std::{fs, io, path::Path};

use super::inputs;

/// Rust source of a list of all files in `web/art`, by their paths in it.
pub(crate) fn table(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    inputs::walk(folder, &mut files)?;
    let mut text = String::from("const ART: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        let name = name.to_string_lossy().replace('\\', "/");
        let path = fs::canonicalize(&file)?;
        let path = path.to_string_lossy();
        text.push_str(&format!("    ({name:?}, include_str!({path:?})),\n"));
    }
    text.push_str("];\n");
    Ok(text)
}
