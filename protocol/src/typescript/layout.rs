//! How a declaration looks: a field a line, a short comment on one line.

/// A declaration as it stands in the file, from how `ts-rs` writes it.
pub(super) fn declaration(docs: Option<&str>, declaration: &str) -> String {
    let variants = declaration.matches(" | { \"").count();
    let (first, indent) = if variants == 0 {
        ("= { \"", "  ")
    } else {
        ("=\n  | { \"", "      ")
    };
    let body = declaration
        .replace(" | { \"", "\n  | { \"")
        .replace("= { \"", first)
        .replace(", }", ",\n}")
        .replace("{ \"type\": ", "{ type: ")
        .replace(", \"data\": ", ", data: ");
    let mut text = docs.map(comment).unwrap_or_default();
    text.push_str("export ");
    let mut lines = body.lines().map(str::trim_end);
    let mut within = false;
    while let Some(line) = lines.next() {
        // What follows a variant's or a type's opening bracket is its fields, up to the closing one.
        if line.starts_with('}') {
            within = false;
            let before = if variants == 0 { "" } else { "    " };
            text.push_str(before);
            text.push_str(line);
        } else if line == "/**" {
            let mut docs = "/**\n".to_owned();
            for line in lines.by_ref() {
                docs.push_str(line);
                docs.push('\n');
                if line.trim_end().ends_with("*/") {
                    break;
                }
            }
            for line in comment(&docs).lines() {
                text.push_str(indent);
                text.push_str(line);
                text.push('\n');
            }
            continue;
        } else if within && !line.starts_with("  |") {
            text.push_str(indent);
            text.push_str(&field(line));
        } else {
            text.push_str(line);
        }
        if line.ends_with('{') || line.ends_with(',') {
            within = true;
        }
        text.push('\n');
    }
    let end = text.trim_end().len();
    text.truncate(end);
    if !text.ends_with(';') {
        text.push(';');
    }
    text.push('\n');
    text
}

/// A field that may be left out is never null instead.
fn field(line: &str) -> String {
    match line.split_once("?: ") {
        Some((name, kind)) => {
            let kind = kind.trim_end_matches(',');
            let kind = kind.strip_suffix(" | null").unwrap_or(kind);
            format!("{name}?: {kind},")
        }
        None => line.to_owned(),
    }
}

/// A comment, on one line if it has but one.
fn comment(docs: &str) -> String {
    let lines: Vec<&str> = docs.lines().collect();
    match lines.as_slice() {
        ["/**", line, " */"] => format!("/** {} */\n", line.trim_start_matches(" * ")),
        _ => docs.to_owned(),
    }
}
