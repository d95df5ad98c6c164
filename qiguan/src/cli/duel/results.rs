//! The results file: a line of JSON for the match, then one for each pair of games. A match goes on where its file ends.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::Context;
use serde::{Deserialize, Serialize};

/// What may not change while a match goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchTerms {
    /// The version of this program.
    pub(crate) version: String,
    pub(crate) ruleset: String,
    /// Changed options of the rule set, as NAME=VALUE.
    pub(crate) options: Vec<String>,
    pub(crate) a: PlayerTerms,
    pub(crate) b: PlayerTerms,
    pub(crate) grace_ms: i64,
    pub(crate) answer_ms: i64,
    pub(crate) hash_mebibytes: usize,
    pub(crate) seed: u64,
}

/// A player's part of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerTerms {
    /// As on the command line.
    pub(crate) player: String,
    pub(crate) limit: String,
    /// Options that a program was given, as NAME=VALUE.
    pub(crate) set: Vec<String>,
    /// The rank with which a program begins to count.
    pub(crate) ranks: Option<u8>,
    /// The most memory of a program, in MiB.
    pub(crate) memory_mebibytes: Option<u64>,
}

/// Two games from one opening, with seats changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    /// Counted from 1.
    #[serde(rename = "pair")]
    pub(crate) number: u64,
    pub(crate) opening: String,
    /// The one in which A moves first, then the other.
    pub(crate) games: [GameLine; 2],
}

/// A game of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameLine {
    /// `a`, `b`, or null for a draw.
    pub(crate) winner: Option<Winner>,
    /// As in records, or `illegal_move`, `banned_move`, `crash`.
    pub(crate) reason: String,
    /// What the loser did, where the rules do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) detail: Option<String>,
    /// All moves, with those of the opening.
    pub(crate) moves: String,
}

/// A player of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Winner {
    A,
    B,
}

impl Pair {
    /// A's points in halves, 0 to 4.
    pub(crate) fn halves(&self) -> usize {
        let of = |game: &GameLine| match game.winner {
            Some(Winner::A) => 2,
            None => 1,
            Some(Winner::B) => 0,
        };
        self.games.iter().map(of).sum()
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    #[serde(rename = "match")]
    terms: MatchTerms,
}

/// A results file that this process alone writes.
pub(crate) struct Results {
    file: File,
    /// What has been played.
    pub(crate) pairs: Vec<Pair>,
}

impl Results {
    /// Opens a file, or makes one. A last line that was cut off when a match was killed is removed.
    ///
    /// # Errors
    /// When the file is one of another match (it names the field), is damaged (it names the line), is in use or can't be written.
    pub(crate) fn open(path: &Path, terms: &MatchTerms) -> anyhow::Result<Self> {
        let context = || format!("results {}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(context)?;
        if file.try_lock().is_err() {
            anyhow::bail!("{}: another match writes this file", context());
        }
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(context)?;
        let whole = text.rfind('\n').map_or(0, |last| last + 1);
        let pairs = read(&text[..whole], terms).with_context(context)?;
        file.set_len(whole as u64).with_context(context)?;
        file.seek(SeekFrom::End(0)).with_context(context)?;
        let mut results = Self { file, pairs };
        if whole == 0 {
            let head = Head {
                terms: terms.clone(),
            };
            results.write(&head).with_context(context)?;
        }
        Ok(results)
    }

    /// Appends a pair.
    ///
    /// # Errors
    /// When the file can't be written.
    pub(crate) fn append(&mut self, pair: Pair) -> anyhow::Result<()> {
        self.write(&pair).context("writing the results")?;
        self.pairs.push(pair);
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        Ok(self.file.write_all(text.as_bytes())?)
    }
}

/// The pairs of a file whose first line says the same terms.
fn read(text: &str, terms: &MatchTerms) -> anyhow::Result<Vec<Pair>> {
    let mut lines = text.lines().enumerate();
    let Some((_, head)) = lines.next() else {
        return Ok(Vec::new());
    };
    let head: Head = serde_json::from_str(head).context("line 1")?;
    if let Some((field, was, is)) = difference(&head.terms, terms)? {
        anyhow::bail!("the file is of another match: {field} was {was} there, and is {is} now");
    }
    let mut pairs = Vec::new();
    for (number, line) in lines {
        let pair: Pair =
            serde_json::from_str(line).with_context(|| format!("line {}", number + 1))?;
        let expected = pairs.len() as u64 + 1;
        anyhow::ensure!(
            pair.number == expected,
            "line {}: pair: expected {expected}, found {}",
            number + 1,
            pair.number
        );
        pairs.push(pair);
    }
    Ok(pairs)
}

/// The first field in which two matches differ, with both values.
fn difference(
    was: &MatchTerms,
    is: &MatchTerms,
) -> anyhow::Result<Option<(String, String, String)>> {
    let (was, is) = (serde_json::to_value(was)?, serde_json::to_value(is)?);
    let fields = was.as_object().into_iter().flatten();
    for (name, value) in fields {
        let now = &is[name];
        let inner = value.as_object().into_iter().flatten();
        for (part, value) in inner {
            if *value != now[part] {
                let name = format!("{name}.{part}");
                return Ok(Some((name, value.to_string(), now[part].to_string())));
            }
        }
        if value != now {
            return Ok(Some((name.clone(), value.to_string(), now.to_string())));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str) -> PlayerTerms {
        PlayerTerms {
            player: name.to_owned(),
            limit: "nodes:500".to_owned(),
            set: Vec::new(),
            ranks: None,
            memory_mebibytes: None,
        }
    }

    fn terms() -> MatchTerms {
        MatchTerms {
            version: "0.1.0".to_owned(),
            ruleset: "xiangqi/standard".to_owned(),
            options: Vec::new(),
            a: player("level:2"),
            b: player("level:1"),
            grace_ms: 100,
            answer_ms: 1_000,
            hash_mebibytes: 16,
            seed: 1,
        }
    }

    fn pair(number: u64, winners: [Option<Winner>; 2]) -> Pair {
        Pair {
            number,
            opening: "startpos".to_owned(),
            games: winners.map(|winner| GameLine {
                winner,
                reason: "checkmate".to_owned(),
                detail: None,
                moves: String::new(),
            }),
        }
    }

    fn file(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("qiguan-duel-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder.join(name)
    }

    #[test]
    fn a_match_goes_on_after_the_last_whole_line() {
        let path = file("goes-on");
        let mut results = Results::open(&path, &terms()).unwrap();
        let first = pair(1, [Some(Winner::A), None]);
        results.append(first.clone()).unwrap();
        // One that is in use is not written to.
        let used = Results::open(&path, &terms()).err().unwrap();
        assert!(format!("{used:#}").contains("another match writes this file"));
        drop(results);
        let mut torn = OpenOptions::new().append(true).open(&path).unwrap();
        torn.write_all(br#"{"pair":2,"open"#).unwrap();
        drop(torn);
        let mut results = Results::open(&path, &terms()).unwrap();
        assert_eq!(results.pairs, std::slice::from_ref(&first));
        let second = pair(2, [Some(Winner::B), Some(Winner::B)]);
        results.append(second.clone()).unwrap();
        drop(results);
        let results = Results::open(&path, &terms()).unwrap();
        assert_eq!(results.pairs, [first, second]);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_of_another_match_is_refused_with_the_field() {
        let path = file("another");
        drop(Results::open(&path, &terms()).unwrap());
        let mut other = terms();
        other.b.limit = "nodes:600".to_owned();
        let error = Results::open(&path, &other).err().unwrap();
        let told = format!("{error:#}");
        assert!(told.contains(r#"b.limit was "nodes:500" there"#), "{told}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_damaged_line_is_named() {
        let head = serde_json::to_string(&Head { terms: terms() }).unwrap();
        let second = serde_json::to_string(&pair(2, [None, None])).unwrap();
        for (text, line) in [
            ("{}\n".to_owned(), "line 1"),
            (format!("{head}\nrubbish\n"), "line 2"),
            (format!("{head}\n{second}\n"), "line 2: pair: expected 1"),
        ] {
            let error = read(&text, &terms()).unwrap_err();
            assert!(format!("{error:#}").starts_with(line), "{error:#}");
        }
    }

    #[test]
    fn a_pair_counts_in_halves() {
        assert_eq!(pair(1, [Some(Winner::A), Some(Winner::A)]).halves(), 4);
        assert_eq!(pair(1, [Some(Winner::B), None]).halves(), 1);
    }
}
