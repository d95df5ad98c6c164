//! The properties. Each file states one, and has a test in which a planted fault breaks it.

pub mod analyses;
pub mod archive_lines;
pub mod foreign_files;
pub mod game_texts;
pub mod notations;
pub mod pasted_texts;
pub mod positions;
pub mod queries;
pub mod requests;
pub mod rooms;
pub mod setups;

/// A property that has to hold for every input.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its folders in `seeds/` and `found/`.
    pub name: &'static str,
    /// Panics if the property does not hold for an input.
    pub check: fn(&[u8]),
    /// Words that inputs are made of.
    pub words: &'static [&'static str],
}

/// All properties.
pub const TARGETS: &[Target] = &[
    analyses::TARGET,
    archive_lines::TARGET,
    foreign_files::TARGET,
    game_texts::TARGET,
    notations::TARGET,
    pasted_texts::TARGET,
    positions::TARGET,
    queries::TARGET,
    requests::TARGET,
    rooms::TARGET,
    setups::TARGET,
];

/// The rule set that a byte stands for.
fn ruleset(byte: u8) -> qiguan_rules::RuleSet {
    let all = qiguan_rules::RuleSet::ALL;
    all[usize::from(byte) % all.len()]
}

#[cfg(test)]
mod tests;
