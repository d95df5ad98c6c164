//! How results are printed: one column for each subject, the median and in brackets the least and the greatest.

use std::io::Write;

use anyhow::Result;

use crate::numbers::{spread, written};

/// The width of a row's name, and of a column.
const NAME: usize = 26;
const COLUMN: usize = 27;

/// A row of a table.
pub(super) struct Row {
    name: &'static str,
    cells: Vec<String>,
}

impl Row {
    /// A row of words.
    pub(super) fn name(name: &'static str, cells: &[String]) -> Self {
        Self {
            name,
            cells: cells.to_vec(),
        }
    }

    /// A row of numbers, taken from each subject's samples.
    pub(super) fn numbers<T>(
        name: &'static str,
        subjects: &[Vec<T>],
        digits: usize,
        value: impl Fn(&T) -> f64,
    ) -> Self {
        let cells = subjects
            .iter()
            .map(|samples| {
                let values: Vec<f64> = samples.iter().map(&value).collect();
                spread(&values, digits)
            })
            .collect();
        Self { name, cells }
    }
}

/// Where results go, as soon as they are there.
pub(super) struct Report<W = std::io::Stdout>(W);

impl<W: Write> Report<W> {
    /// A report on paper of any kind.
    pub(super) const fn new(out: W) -> Self {
        Self(out)
    }

    /// A line.
    pub(super) fn line(&mut self, text: &str) -> Result<()> {
        writeln!(self.0, "{}", text.trim_end())?;
        Ok(self.0.flush()?)
    }

    /// The heading of a table.
    pub(super) fn title(&mut self, text: &str) -> Result<()> {
        self.line(&format!("\n{text}"))
    }

    /// A table.
    pub(super) fn table(&mut self, rows: &[Row]) -> Result<()> {
        for row in rows {
            write!(self.0, "{:<NAME$}", row.name)?;
            for cell in &row.cells {
                write!(self.0, "{cell:>COLUMN$}")?;
            }
            writeln!(self.0)?;
        }
        Ok(())
    }

    /// How two subjects compare.
    pub(super) fn ratio(&mut self, what: &str, ratio: f64) -> Result<()> {
        self.line(&format!("  {what}: {ratio:.2}"))
    }

    /// A ratio with the least that it should be.
    pub(super) fn at_least(&mut self, what: &str, ratio: f64, goal: f64) -> Result<()> {
        let verdict = verdict(ratio >= goal);
        self.line(&format!(
            "  {what}: {ratio:.2} (goal: at least {goal:.2}, {verdict})"
        ))
    }

    /// A ratio with the most that it should be.
    pub(super) fn at_most_ratio(&mut self, what: &str, ratio: f64, goal: f64) -> Result<()> {
        let verdict = verdict(ratio <= goal);
        self.line(&format!(
            "  {what}: {ratio:.2} (goal: at most {goal:.2}, {verdict})"
        ))
    }

    /// A value with the most that it should be.
    pub(super) fn at_most(&mut self, what: &str, value: f64, goal: f64) -> Result<()> {
        let verdict = verdict(value <= goal);
        let (value, goal) = (written(value, 1), written(goal, 1));
        self.line(&format!(
            "  {what}: {value} (goal: at most {goal}, {verdict})"
        ))
    }
}

const fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_judged() {
        let mut paper = Vec::new();
        let mut report = Report::new(&mut paper);
        report.at_least("speed", 0.8, 0.8).unwrap();
        report.at_least("speed", 0.79, 0.8).unwrap();
        report.at_most("memory", 12.1, 12.0).unwrap();
        let text = String::from_utf8(paper).unwrap();
        assert_eq!(
            text,
            "  speed: 0.80 (goal: at least 0.80, met)\n  speed: 0.79 (goal: at least 0.80, MISSED)\n  \
             memory: 12.1 (goal: at most 12.0, MISSED)\n"
        );
    }
}
