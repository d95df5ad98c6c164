//! How other programs ask the engine: UCI, and UCCI for Xiangqi, as values. Who reads lines, waits and keeps the time is the program.
//!
//! Both count squares by file and rank; UCI's ranks begin with 1 and UCCI's with 0.

use qiguan_rules::{Game, Move, RuleSet, Square};

use crate::{Level, Limits, Score, SearchResult};

/// What is said differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `a1` is the corner; options have names of several words.
    #[default]
    Uci,
    /// `a0` is the corner.
    Ucci,
}

/// The word that a client uses for `xiangqi/standard`.
const USUAL: &str = "xiangqi";
/// MiB of the table unless something else is asked for.
pub const TABLE_MEBIBYTES: usize = 64;
/// The largest table, in MiB.
pub const MOST_MEBIBYTES: usize = 16_384;
/// The most threads of a search.
pub const MOST_THREADS: usize = 256;
/// The most lines that are searched beside each other.
pub const MOST_LINES: usize = 100;

/// A line that a client sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The first line: which dialect it speaks.
    Begin(Dialect),
    /// Asks whether everything before is done.
    IsReady,
    /// A new game: nothing of the last one counts.
    NewGame,
    /// Sets an option.
    SetOption(Setting),
    /// The game to think about: the start, or a position as text, and the moves since.
    Position {
        /// The position; none for the usual beginning.
        start: Option<String>,
        /// The moves since.
        moves: Vec<String>,
    },
    /// Moves that may not be played in the position (UCCI).
    BanMoves(Vec<String>),
    /// Think.
    Go(Go),
    /// Play the best move known so far.
    Stop,
    /// End.
    Quit,
    /// A line that means nothing here; it is passed over, as both protocols ask for.
    Other,
}

/// An option with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Which rule set is played.
    RuleSet(RuleSet),
    /// MiB of the table.
    Table(usize),
    /// How well to play; none for as well as it can.
    Level(Option<Level>),
    /// How many threads search.
    Threads(usize),
    /// For how many of the best moves a line is told.
    Lines(usize),
    /// Not an option here, or not a value that it takes: what is wrong.
    Invalid(String),
}

/// How long to think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The most plies.
    pub depth: Option<u32>,
    /// The most positions.
    pub nodes: Option<u64>,
    /// The time for this move, in milliseconds.
    pub move_ms: Option<i64>,
    /// What each side has left, first and second, in milliseconds. UCCI tells only the mover's, as both.
    pub left_ms: [Option<i64>; 2],
    /// What each side gets with every move, in milliseconds.
    pub increment_ms: [i64; 2],
    /// For how many moves the time has to last.
    pub moves_to_go: Option<i64>,
    /// Only these moves; all if empty.
    pub among: Vec<String>,
}

impl Go {
    /// How much may be searched.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes.unwrap_or(Limits::NONE.nodes),
            depth: self.depth.unwrap_or(Limits::NONE.depth).max(1),
        }
    }
}

/// The rule sets that can be played, with the words for them: ids with `-` for `/`, and `xiangqi` for `xiangqi/standard`.
pub fn variants() -> impl Iterator<Item = (String, RuleSet)> {
    let all = RuleSet::ALL
        .iter()
        .filter(|set| !set.id().starts_with("luzhanqi/"));
    let named = all.map(|set| (set.id().replace('/', "-"), *set));
    let usual = RuleSet::named("xiangqi/standard").ok();
    usual
        .map(|set| (USUAL.to_owned(), set))
        .into_iter()
        .chain(named)
}

/// What the engine says of itself after the first line.
pub fn introduction(dialect: Dialect, version: &str) -> Vec<String> {
    let words: Vec<String> = variants().map(|(word, _)| format!("var {word}")).collect();
    let begins = [
        format!("id name Qiguan {version}"),
        "id author the Qiguan authors".to_owned(),
    ];
    let option = |name: &str, rest: String| match dialect {
        Dialect::Uci => format!("option name {name} {rest}"),
        Dialect::Ucci => format!("option {} {rest}", name.to_lowercase()),
    };
    let (greatest, ends) = (
        Level::GREATEST,
        match dialect {
            Dialect::Uci => "uciok",
            Dialect::Ucci => "ucciok",
        },
    );
    let mut lines = begins.to_vec();
    if dialect == Dialect::Uci {
        let words = words.join(" ");
        lines.push(option(
            "UCI_Variant",
            format!("type combo default {USUAL} {words}"),
        ));
    } else {
        lines.push("option usemillisec type check default true".to_owned());
    }
    lines.push(option(
        "Hash",
        format!("type spin default {TABLE_MEBIBYTES} min 1 max {MOST_MEBIBYTES}"),
    ));
    lines.push(option(
        "Level",
        format!("type spin default 0 min 0 max {greatest}"),
    ));
    lines.push(option(
        "Threads",
        format!("type spin default 1 min 1 max {MOST_THREADS}"),
    ));
    lines.push(option(
        "MultiPV",
        format!("type spin default 1 min 1 max {MOST_LINES}"),
    ));
    lines.push(ends.to_owned());
    lines
}

/// What a line means.
pub fn read(line: &str) -> Command {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("uci") => Command::Begin(Dialect::Uci),
        Some("ucci") => Command::Begin(Dialect::Ucci),
        Some("isready") => Command::IsReady,
        Some("ucinewgame") => Command::NewGame,
        Some("setoption") => Command::SetOption(setting(&words.collect::<Vec<_>>())),
        Some("position") => position(&words.collect::<Vec<_>>()),
        Some("banmoves") => Command::BanMoves(words.map(str::to_owned).collect()),
        Some("go") => Command::Go(go(&words.collect::<Vec<_>>())),
        Some("stop") => Command::Stop,
        Some("quit") => Command::Quit,
        Some(_) | None => Command::Other,
    }
}

fn setting(words: &[&str]) -> Setting {
    // UCI: `name Hash value 16`; UCCI: `hash 16`.
    let (name, value) = match words {
        ["name", rest @ ..] => {
            let at = rest.iter().position(|word| *word == "value");
            let (name, value) = rest.split_at(at.unwrap_or(rest.len()));
            (name.join(" "), value.get(1..).unwrap_or_default().join(" "))
        }
        [name, value @ ..] => ((*name).to_owned(), value.join(" ")),
        [] => (String::new(), String::new()),
    };
    let name = name.to_lowercase();
    match name.as_str() {
        "uci_variant" => {
            let set = variants()
                .find(|(word, _)| *word == value)
                .map(|(_, set)| set);
            let known = || {
                variants()
                    .map(|(word, _)| word)
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            set.map_or_else(
                || {
                    Setting::Invalid(format!(
                        "UCI_Variant {value:?}: expected one of {}",
                        known()
                    ))
                },
                Setting::RuleSet,
            )
        }
        "hash" | "hashsize" => number(&value, MOST_MEBIBYTES).map_or_else(
            || {
                Setting::Invalid(format!(
                    "Hash {value:?}: expected 1 to {MOST_MEBIBYTES} (MiB)"
                ))
            },
            Setting::Table,
        ),
        "threads" => number(&value, MOST_THREADS).map_or_else(
            || Setting::Invalid(format!("Threads {value:?}: expected 1 to {MOST_THREADS}")),
            Setting::Threads,
        ),
        "multipv" => number(&value, MOST_LINES).map_or_else(
            || Setting::Invalid(format!("MultiPV {value:?}: expected 1 to {MOST_LINES}")),
            Setting::Lines,
        ),
        "level" => match value.parse::<u8>() {
            Ok(0) => Setting::Level(None),
            level => level
                .ok()
                .and_then(|level| Level::try_from(level).ok())
                .map_or_else(
                    || {
                        Setting::Invalid(format!(
                            "Level {value:?}: expected 0 to {}",
                            Level::GREATEST
                        ))
                    },
                    |level| Setting::Level(Some(level)),
                ),
        },
        _ => Setting::Invalid(format!("there is no option {name:?}")),
    }
}

/// A number from 1 to the most.
fn number(text: &str, most: usize) -> Option<usize> {
    text.parse()
        .ok()
        .filter(|number| (1..=most).contains(number))
}

fn position(words: &[&str]) -> Command {
    let at = words.iter().position(|word| *word == "moves");
    let (start, moves) = words.split_at(at.unwrap_or(words.len()));
    let start = match start {
        ["fen", fen @ ..] => Some(fen.join(" ")),
        _ => None,
    };
    let moves = moves.iter().skip(1).map(|word| (*word).to_owned());
    Command::Position {
        start,
        moves: moves.collect(),
    }
}

fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if *word == "searchmoves" {
            go.among = rest.map(|word| (*word).to_owned()).collect();
            break;
        }
        let mut number = || rest.next().and_then(|text| text.parse::<i64>().ok());
        match *word {
            "depth" => go.depth = number().map(|depth| depth.clamp(1, 1_000) as u32),
            "nodes" => go.nodes = number().map(|nodes| nodes.max(1) as u64),
            "movetime" => go.move_ms = number(),
            "wtime" => go.left_ms[0] = number(),
            "btime" => go.left_ms[1] = number(),
            "time" => go.left_ms = [number(); 2],
            "winc" => go.increment_ms[0] = number().unwrap_or(0),
            "binc" => go.increment_ms[1] = number().unwrap_or(0),
            "increment" => go.increment_ms = [number().unwrap_or(0); 2],
            "movestogo" => go.moves_to_go = number(),
            "opptime" | "oppmovestogo" | "oppincrement" => drop(number()),
            _ => {}
        }
    }
    go
}

/// The game of a `position`.
///
/// # Errors
/// What is wrong with the position or a move, for the client's log.
pub fn game(
    dialect: Dialect,
    ruleset: &RuleSet,
    start: Option<&str>,
    moves: &[String],
) -> Result<Game, String> {
    let mut game = match start {
        None => Game::start(ruleset),
        Some(fen) => Game::from_fen(ruleset, fen).map_err(|error| format!("{fen}: {error}"))?,
    };
    for text in moves {
        let mv = move_of(dialect, text).ok_or_else(|| format!("{text:?} is not a move"))?;
        game.play(mv).map_err(|error| format!("{text}: {error}"))?;
    }
    Ok(game)
}

/// The move that a text means.
pub fn move_of(dialect: Dialect, text: &str) -> Option<Move> {
    let mv = match dialect {
        Dialect::Uci => text.parse().ok()?,
        Dialect::Ucci => {
            let [from_file, from_rank, to_file, to_rank] = *text.as_bytes().first_chunk::<4>()?;
            let square =
                |file: u8, rank: u8| Square::new(file.checked_sub(b'a')?, rank.checked_sub(b'0')?);
            Move {
                from: square(from_file, from_rank)?,
                to: square(to_file, to_rank)?,
            }
        }
    };
    Some(mv)
}

/// A move as the dialect writes it.
pub fn text_of(dialect: Dialect, mv: Move) -> String {
    match dialect {
        Dialect::Uci => mv.to_string(),
        Dialect::Ucci => {
            let name =
                |square: Square| format!("{}{}", char::from(b'a' + square.file()), square.rank());
            name(mv.from) + &name(mv.to)
        }
    }
}

/// What has been found, as an `info` line: the line of this number where several are told, and how many milliseconds it took.
pub fn info(dialect: Dialect, found: &SearchResult, line: Option<usize>, millis: u64) -> String {
    let line = line.map_or(String::new(), |number| format!("multipv {number} "));
    let score = match (dialect, found.score) {
        (Dialect::Uci, Score::Hundredths(score)) => format!("cp {score}"),
        // Counted in moves of the side that wins.
        (Dialect::Uci, Score::Decided(plies)) => {
            format!("mate {}", plies.signum() * (plies.abs() + 1) / 2)
        }
        (Dialect::Ucci, Score::Hundredths(score)) => score.to_string(),
        (Dialect::Ucci, Score::Decided(plies)) => {
            (plies.signum() * (30_000 - plies.abs())).to_string()
        }
    };
    let per_second = found.nodes * 1_000 / millis.max(1);
    let moves: Vec<_> = found.moves.iter().map(|mv| text_of(dialect, *mv)).collect();
    format!(
        "info depth {} {line}score {score} nodes {} time {millis} nps {per_second} pv {}",
        found.depth,
        found.nodes,
        moves.join(" ")
    )
}

/// The last line of an answer.
pub fn best_move(dialect: Dialect, best: Option<Move>) -> String {
    match (dialect, best) {
        (_, Some(mv)) => format!("bestmove {}", text_of(dialect, mv)),
        (Dialect::Uci, None) => "bestmove (none)".to_owned(),
        (Dialect::Ucci, None) => "nobestmove".to_owned(),
    }
}
