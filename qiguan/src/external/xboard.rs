//! The protocol of xboard, second version, as values. A program that speaks it keeps the position itself and plays moves one after the other.

use qiguan_engine::uci::Go;
use qiguan_rules::{Move, Seat};

use super::dialect::{Ranks, Reply};

/// What a program says of itself in the lines that begin with `feature`: names and values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features(Vec<(String, String)>);

/// What a program has been told of a game: the position in which it began, and the moves since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownGame {
    start: String,
    moves: Vec<Move>,
}

/// What a program is asked, and how a game of its begins.
pub(crate) struct MoveRequest<'a> {
    /// The name of the rule set, if the program has one for it.
    pub(crate) variant: Option<&'a str>,
    /// The position in which the game began, and whether the rule set begins there.
    pub(crate) start: &'a str,
    pub(crate) is_usual_start: bool,
    pub(crate) moves: &'a [Move],
    pub(crate) banned: &'a [Move],
    pub(crate) turn: Seat,
    pub(crate) go: &'a Go,
}

impl Features {
    /// Takes in a line of features.
    pub(super) fn take_in(&mut self, features: Vec<(String, String)>) {
        self.0.extend(features);
    }

    /// Whether the program has introduced itself.
    pub(super) fn are_complete(&self) -> bool {
        self.value("done") == Some("1")
    }

    /// Whether it answers `ping`.
    pub(super) fn have_ping(&self) -> bool {
        self.value("ping") == Some("1")
    }

    /// The names of what it plays.
    pub(super) fn variants(&self) -> Vec<String> {
        let names = self.value("variants").unwrap_or_default().split(',');
        names.map(|name| name.trim().to_owned()).collect()
    }

    /// What it said last of a feature.
    fn value(&self, name: &str) -> Option<&str> {
        let mut said = self.0.iter().rev();
        let (_, value) = said.find(|(feature, _)| feature == name)?;
        Some(value)
    }

    /// Asks for a move: what the program does not know of the game yet, its time, and `go`. Afterwards it knows the moves that were sent.
    pub(super) fn ask(
        &self,
        told: &mut Option<KnownGame>,
        ranks: Ranks,
        asked: &MoveRequest<'_>,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        let is_new = |told: &KnownGame| told.start != asked.start;
        if told.as_ref().is_none_or(is_new) {
            begin(&mut lines, asked);
            *told = Some(KnownGame {
                start: asked.start.to_owned(),
                moves: Vec::new(),
            });
        }
        // Otherwise it would answer each move.
        lines.push("force".to_owned());
        let known = told.as_ref().map_or(&[][..], |told| &told.moves);
        let common = known
            .iter()
            .zip(asked.moves)
            .take_while(|(one, other)| one == other)
            .count();
        lines.extend((common..known.len()).map(|_| "undo".to_owned()));
        let word = match self.value("usermove") {
            Some("1") => "usermove ",
            _ => "",
        };
        lines.extend(
            asked.moves[common..]
                .iter()
                .map(|mv| format!("{word}{}", ranks.text_of(*mv))),
        );
        if let Some(told) = told {
            asked.moves.clone_into(&mut told.moves);
        }
        if self.value("exclude") == Some("1") {
            lines.push("include all".to_owned());
            let excluded = asked.banned.iter();
            lines.extend(excluded.map(|mv| format!("exclude {}", ranks.text_of(*mv))));
        }
        let own = asked.turn.index();
        let enemy = asked.turn.other().index();
        if let (Some(left), Some(others), None | Some("1")) = (
            asked.go.left_ms[own],
            asked.go.left_ms[enemy],
            self.value("time"),
        ) {
            lines.push(format!("time {}", left / 10));
            lines.push(format!("otim {}", others / 10));
        }
        lines.push("go".to_owned());
        lines
    }
}

/// The lines that begin a game.
fn begin(lines: &mut Vec<String>, asked: &MoveRequest<'_>) {
    lines.push("new".to_owned());
    if let Some(variant) = asked.variant {
        lines.push(format!("variant {variant}"));
    }
    // It neither thinks in the other's time nor says what it thinks.
    lines.extend(["force", "easy", "nopost"].map(str::to_owned));
    if !asked.is_usual_start {
        lines.push(format!("setboard {}", asked.start));
    }
    let go = asked.go;
    if let Some(depth) = go.depth {
        lines.push(format!("sd {depth}"));
    }
    if let Some(millis) = go.move_ms {
        lines.push(format!("st {}", millis / 1_000));
    }
    if let Some(left) = go.left_ms[asked.turn.index()] {
        let (minutes, seconds) = (left / 60_000, left / 1_000 % 60);
        let increment = go.increment_ms[asked.turn.index()] / 1_000;
        lines.push(format!("level 0 {minutes}:{seconds:02} {increment}"));
    }
}

impl KnownGame {
    /// The program has played this move itself.
    pub(super) fn played(&mut self, mv: Move) {
        self.moves.push(mv);
    }
}

/// What a line means.
pub(super) fn read(line: &str) -> Reply {
    let line = line.trim();
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "feature" => Reply::Features(features(rest)),
        "pong" => Reply::Ready,
        "resign" => Reply::Resigns,
        "move" => Reply::BestMove(rest.trim().to_owned()),
        // By its rules the game is over: it will not move.
        "Illegal" | "Error" | "1-0" | "0-1" | "1/2-1/2" => Reply::Refuses(line.to_owned()),
        _ => Reply::Other,
    }
}

/// The names and values of a line such as `ping=1 variants="xiangqi,chess" done=1`.
fn features(mut text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let end = if rest.starts_with('"') { '"' } else { ' ' };
        let rest = rest.trim_start_matches('"');
        let (value, rest) = rest.split_once(end).unwrap_or((rest, ""));
        found.push((name.trim().to_owned(), value.to_owned()));
        text = rest;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(texts: &[&str]) -> Vec<Move> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn asked<'a>(moves: &'a [Move], banned: &'a [Move], go: &'a Go) -> MoveRequest<'a> {
        MoveRequest {
            variant: Some("xiangqi"),
            start: "FEN",
            is_usual_start: true,
            moves,
            banned,
            turn: Seat::First,
            go,
        }
    }

    #[test]
    fn features_are_read_with_and_without_quotation_marks() {
        let mut has = Features::default();
        let line = "feature myname=\"A b 1\" variants=\"xiangqi,chess\" ping=1 usermove=1 done=1";
        let Reply::Features(told) = read(line) else {
            panic!("features");
        };
        assert_eq!(told[0], ("myname".to_owned(), "A b 1".to_owned()));
        assert_eq!(told.last().unwrap().0, "done");
        has.take_in(told);
        assert_eq!(has.variants(), ["xiangqi", "chess"]);
        assert!(has.have_ping() && has.are_complete());
        assert_eq!(has.value("exclude"), None);
    }

    #[test]
    fn a_program_hears_of_each_move_once() {
        let has = Features::default();
        let go = Go {
            left_ms: [Some(65_000), Some(5_000)],
            increment_ms: [1_000, 0],
            ..Go::default()
        };
        let mut told = None;
        let played = moves(&["h3e3", "h10g8"]);
        assert_eq!(
            has.ask(&mut told, Ranks::FromZero, &asked(&played, &[], &go)),
            [
                "new",
                "variant xiangqi",
                "force",
                "easy",
                "nopost",
                "level 0 1:05 1",
                "force",
                "h2e2",
                "h9g7",
                "time 6500",
                "otim 500",
                "go"
            ]
        );
        let later = moves(&["h3e3", "h10g8", "h1g3", "i10h10"]);
        told.as_mut().unwrap().played(later[2]);
        assert_eq!(
            has.ask(&mut told, Ranks::FromZero, &asked(&later, &[], &go)),
            ["force", "i9h9", "time 6500", "otim 500", "go"]
        );
        // What it has played and did not count is taken back.
        assert_eq!(
            has.ask(&mut told, Ranks::FromZero, &asked(&later[..3], &[], &go))[..2],
            ["force", "undo"]
        );
    }

    #[test]
    fn it_may_be_told_of_banned_moves_and_of_a_limit() {
        let mut has = Features::default();
        has.take_in(features("exclude=1 usermove=1"));
        let go = Go {
            move_ms: Some(2_000),
            ..Go::default()
        };
        let banned = moves(&["a1b1"]);
        let mut told = None;
        let mut asked = asked(&banned, &banned, &go);
        (asked.variant, asked.is_usual_start) = (None, false);
        assert_eq!(
            has.ask(&mut told, Ranks::FromOne, &asked),
            [
                "new",
                "force",
                "easy",
                "nopost",
                "setboard FEN",
                "st 2",
                "force",
                "usermove a1b1",
                "include all",
                "exclude a1b1",
                "go"
            ]
        );
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(read("move h2e2"), Reply::BestMove("h2e2".to_owned()));
        assert_eq!(read("resign"), Reply::Resigns);
        assert_eq!(read("pong 3"), Reply::Ready);
        assert_eq!(read("hint: a1a2"), Reply::Other);
        for line in ["Illegal move: a1a9", "1/2-1/2 {50 move rule}"] {
            assert_eq!(read(line), Reply::Refuses(line.to_owned()));
        }
    }
}
