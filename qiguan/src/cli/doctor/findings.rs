//! What is found, and how it is shown.

use qiguan_client::text::say;
use serde::Serialize;

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Level {
    /// As it should be.
    Ok,
    /// Good to know.
    Note,
    /// It works, and may do harm one day.
    Warning,
    /// It does not work, or is not safe.
    Problem,
}

#[derive(Debug, Serialize)]
struct Finding<'a> {
    level: Level,
    /// What it is about, in a word.
    about: &'a str,
    /// What is so.
    what: &'a str,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'a str>,
}

/// Prints findings, and counts them.
#[derive(Debug)]
pub(super) struct Findings {
    json: bool,
    problems: u32,
    warnings: u32,
}

impl Findings {
    pub(super) const fn new(json: bool) -> Self {
        Self {
            json,
            problems: 0,
            warnings: 0,
        }
    }

    pub(super) fn ok(&mut self, about: &str, what: &str) -> anyhow::Result<()> {
        self.found(Level::Ok, about, what, None)
    }

    pub(super) fn note(&mut self, about: &str, what: &str, advice: &str) -> anyhow::Result<()> {
        self.found(Level::Note, about, what, Some(advice))
    }

    pub(super) fn warning(&mut self, about: &str, what: &str, advice: &str) -> anyhow::Result<()> {
        self.warnings += 1;
        self.found(Level::Warning, about, what, Some(advice))
    }

    pub(super) fn problem(&mut self, about: &str, what: &str, advice: &str) -> anyhow::Result<()> {
        self.problems += 1;
        self.found(Level::Problem, about, what, Some(advice))
    }

    fn found(
        &self,
        level: Level,
        about: &str,
        what: &str,
        advice: Option<&str>,
    ) -> anyhow::Result<()> {
        let finding = Finding {
            level,
            about,
            what,
            advice,
        };
        if self.json {
            return say(&serde_json::to_string(&finding)?);
        }
        let level = match level {
            Level::Ok => "ok",
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Problem => "PROBLEM",
        };
        say(&format!("{level:<8} {about}: {what}"))?;
        match advice {
            Some(advice) => say(&format!("         -> {advice}")),
            None => Ok(()),
        }
    }

    /// Says how much is wrong.
    ///
    /// # Errors
    /// When anything is.
    pub(super) fn end(&self) -> anyhow::Result<()> {
        let Self {
            json,
            problems,
            warnings,
        } = *self;
        if problems > 0 {
            anyhow::bail!(
                "{} and {}",
                counted(problems, "problem"),
                counted(warnings, "warning")
            );
        }
        if json {
            return Ok(());
        }
        let warnings = counted(warnings, "warning");
        say(&format!("nothing is wrong; {warnings}"))
    }
}

fn counted(number: u32, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {word}{ending}")
}
