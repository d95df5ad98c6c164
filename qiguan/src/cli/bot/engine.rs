//! Who plays: another program, or a computer player of this one.

use std::{fmt, str::FromStr};

use anyhow::Context;
use qiguan_engine::Level;
use qiguan_environment::Clock;
use qiguan_rules::RuleSet;

use crate::external::{Abilities, ProgramSettings, Protocol, Ranks, detect};

/// The word before a level of this program.
const BUILTIN: &str = "builtin";

/// An engine as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EngineName {
    /// A computer player of this program.
    Builtin(Level),
    /// Another program: its path and arguments.
    Program(Vec<String>),
}

/// An engine that can play.
#[derive(Clone, Debug)]
pub(super) enum Engine {
    Builtin(Level),
    Program(Box<Abilities>),
}

impl FromStr for EngineName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(level) = text.strip_prefix(BUILTIN)
            && (level.is_empty() || level.starts_with(':'))
        {
            let level = level.trim_start_matches(':').parse::<u8>().ok();
            let level = level.and_then(|level| Level::try_from(level).ok());
            let expected = || format!("{text}: expected builtin:1 to builtin:{}", Level::GREATEST);
            return level.map(Self::Builtin).ok_or_else(expected);
        }
        let words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err("expected a program, or builtin:LEVEL".to_owned());
        }
        Ok(Self::Program(words))
    }
}

impl Engine {
    /// Starts a program and finds out what it can; a computer player of this one is ready at once.
    ///
    /// # Errors
    /// When the program can't be used, or options are set that the program does not have.
    pub(super) fn ready(
        name: &EngineName,
        set: &[String],
        memory_mebibytes: Option<u64>,
        clock: Clock,
    ) -> anyhow::Result<Self> {
        match name {
            EngineName::Builtin(level) => {
                anyhow::ensure!(
                    set.is_empty() && memory_mebibytes.is_none(),
                    "--set and --memory-mb are for another program, and --engine is {BUILTIN}"
                );
                Ok(Self::Builtin(*level))
            }
            EngineName::Program(command) => {
                let options = set.iter().map(|option| {
                    let pair = option.split_once('=');
                    let (name, value) =
                        pair.with_context(|| format!("--set {option}: expected NAME=VALUE"))?;
                    Ok((name.to_owned(), value.to_owned()))
                });
                let settings = ProgramSettings {
                    protocol: Protocol::Uci,
                    command: command.clone(),
                    ranks: None,
                    options: options.collect::<anyhow::Result<_>>()?,
                    memory_mebibytes,
                    ignores_terminal: true,
                };
                let abilities = detect(settings, clock).context("--engine")?;
                Ok(Self::Program(Box::new(abilities)))
            }
        }
    }

    /// Whether it can play by a rule set.
    ///
    /// # Errors
    /// Why it can't.
    pub(super) fn check(&self, ruleset: &RuleSet) -> anyhow::Result<()> {
        let id = ruleset.id();
        match self {
            Self::Builtin(_) => Ok(()),
            Self::Program(_) if id.starts_with("luzhanqi/") => anyhow::bail!(
                "{id}: another program would have to see the hidden pieces; only --engine {BUILTIN}:LEVEL plays it"
            ),
            Self::Program(abilities) => {
                anyhow::ensure!(
                    abilities.play(ruleset),
                    "{id}: the program does not offer it as UCI_Variant {}; it plays {}",
                    id.replace('/', "-"),
                    self.rulesets()
                );
                Ok(())
            }
        }
    }

    /// The rule sets that it can play.
    fn rulesets(&self) -> String {
        let can = RuleSet::ALL.iter().filter(|set| match self {
            Self::Builtin(_) => true,
            Self::Program(abilities) => !set.id().starts_with("luzhanqi/") && abilities.play(set),
        });
        can.map(RuleSet::id).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rulesets = self.rulesets();
        match self {
            Self::Builtin(level) => {
                write!(f, "{BUILTIN}:{} plays {rulesets}", level.number())
            }
            Self::Program(abilities) => {
                let settings = &abilities.settings;
                let protocol = settings.protocol.greeting().to_uppercase();
                let first = match settings.ranks {
                    Some(Ranks::FromOne) => 1,
                    Some(Ranks::FromZero) | None => 0,
                };
                let name = abilities.name.as_deref().unwrap_or("the program");
                write!(
                    f,
                    "{name} speaks {protocol}, counts ranks from {first} and plays {rulesets}"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_a_program_or_a_level_of_this_one() {
        let named = |text: &str| text.parse::<EngineName>();
        let level = Level::try_from(3).unwrap();
        assert_eq!(named("builtin:3"), Ok(EngineName::Builtin(level)));
        let words = ["/usr/bin/x", "-a"].map(str::to_owned).to_vec();
        assert_eq!(named("/usr/bin/x  -a"), Ok(EngineName::Program(words)));
        let words = vec!["builtins".to_owned()];
        assert_eq!(named("builtins"), Ok(EngineName::Program(words)));
        for wrong in ["builtin", "builtin:", "builtin:0", "builtin:9", "builtin:x"] {
            let refused = named(wrong).unwrap_err();
            assert!(
                refused.ends_with("expected builtin:1 to builtin:8"),
                "{refused}"
            );
        }
        assert!(named(" ").is_err());
    }
}
