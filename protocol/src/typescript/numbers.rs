//! The limits and the close codes, which are constants and no types.

const LIMITS: &str = include_str!("../limits.rs");

/// `LIMITS` and `CLOSE`. They are read from the source, so that each comes with its comment and none is left out; sums of
/// whole numbers are written the same in both languages.
pub(super) fn document() -> String {
    let mut tables = [String::new(), String::new()];
    let mut docs = Vec::new();
    for line in LIMITS.lines() {
        let close = line.starts_with("    ");
        let line = line.trim();
        if let Some(doc) = line.strip_prefix("/// ") {
            docs.push(doc);
        } else if let Some(constant) = line.strip_prefix("pub const ") {
            let (name, value) = constant.split_once(": ").unwrap();
            let (_, value) = value.strip_suffix(';').unwrap().split_once(" = ").unwrap();
            let doc = docs.join(" ").replace("(super::MESSAGE_BYTES)", "");
            let doc = doc.replace("(super::HELLO_MS)", "");
            tables[usize::from(close)].push_str(&format!("  /** {doc} */\n  {name}: {value},\n"));
            docs.clear();
        } else {
            docs.clear();
        }
    }
    let [limits, close] = tables;
    format!(
        "/** The limits that clients can run into. */\nexport const LIMITS = {{\n{limits}}} as const;\n\n\
         /** How a WebSocket ends. Below 4500 a client may come back; from there on it should not without a change. */\n\
         export const CLOSE = {{\n{close}}} as const;\n"
    )
}
