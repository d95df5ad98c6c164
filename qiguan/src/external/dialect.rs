//! What is written to a program and what it answers, as values: UCI and UCCI, and what they have in common with xboard's protocol.

use qiguan_engine::uci::{self, Go};
use qiguan_rules::{Move, RuleSet, Seat};

use super::xboard;

/// How a program is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Uci,
    /// Xiangqi's own: ranks begin with 0 unless the program is said to count otherwise.
    Ucci,
    /// That of xboard, in its second version.
    Xboard,
}

/// The rank with which squares begin: `a1` or `a0` is the corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranks {
    FromZero,
    FromOne,
}

/// A line that a program says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// It has introduced itself.
    Introduced,
    /// Everything before is done.
    Ready,
    /// Its name.
    Name(String),
    /// Its option for the rule set, with the values that it takes.
    Variants(Vec<String>),
    /// It has an option of this name.
    Option(String),
    /// Features by name, with their values (xboard).
    Features(Vec<(String, String)>),
    /// It does not do what it was told, in its words (xboard).
    Refuses(String),
    /// The move that it plays, as it writes it.
    BestMove(String),
    /// It knows no move.
    NoMove,
    /// It gives up.
    Resigns,
    /// Something that is not waited for.
    Other,
}

impl Protocol {
    /// The protocol of this name: `uci`, `ucci` or `xboard`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "uci" => Some(Self::Uci),
            "ucci" => Some(Self::Ucci),
            "xboard" => Some(Self::Xboard),
            _ => None,
        }
    }

    /// The first line, by which a program knows what is spoken.
    pub(crate) const fn greeting(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ucci => "ucci",
            Self::Xboard => "xboard",
        }
    }

    /// What a program says at the end of its introduction.
    pub(crate) const fn introduced(self) -> &'static str {
        match self {
            Self::Uci => "uciok",
            Self::Ucci => "ucciok",
            Self::Xboard => "feature done=1",
        }
    }

    /// The ranks that a program counts with unless something else is said.
    pub(crate) const fn usual_ranks(self) -> Ranks {
        match self {
            Self::Uci => Ranks::FromOne,
            Self::Ucci | Self::Xboard => Ranks::FromZero,
        }
    }

    /// Sets an option.
    pub(crate) fn set_option(self, name: &str, value: &str) -> String {
        match self {
            Self::Uci => format!("setoption name {name} value {value}"),
            Self::Ucci => format!("setoption {name} {value}"),
            Self::Xboard => format!("option {name}={value}"),
        }
    }

    /// What a line means.
    pub(crate) fn read(self, line: &str) -> Reply {
        if self == Self::Xboard {
            return xboard::read(line);
        }
        let mut words = line.split_whitespace();
        match (self, words.next()) {
            (Self::Uci, Some("uciok")) | (Self::Ucci, Some("ucciok")) => Reply::Introduced,
            (_, Some("readyok")) => Reply::Ready,
            (_, Some("id")) => match words.next() {
                Some("name") => Reply::Name(words.collect::<Vec<_>>().join(" ")),
                _ => Reply::Other,
            },
            (_, Some("option")) => option(self, &words.collect::<Vec<_>>()),
            (_, Some("nobestmove")) => Reply::NoMove,
            (_, Some("bestmove")) => match (words.next(), words.next()) {
                (None | Some("(none)" | "0000"), _) => Reply::NoMove,
                (Some("resign"), _) | (_, Some("resign")) => Reply::Resigns,
                (Some(text), _) => Reply::BestMove(text.to_owned()),
            },
            _ => Reply::Other,
        }
    }

    /// Asks for a move within limits. `among` are the only ones that may be played, or empty if the program knows which; `banned` those that may
    /// not. UCI names the former, and UCCI bans the latter by a line of its own.
    pub(crate) fn go(
        self,
        ranks: Ranks,
        go: &Go,
        turn: Seat,
        among: &[Move],
        banned: &[Move],
    ) -> Vec<String> {
        let mut lines = Vec::new();
        if self == Self::Ucci && !banned.is_empty() {
            lines.push(format!("banmoves{}", ranks.list(banned)));
        }
        let mut line = "go".to_owned();
        let mut add = |name: &str, value: i64| line.push_str(&format!(" {name} {value}"));
        if let Some(depth) = go.depth {
            add("depth", depth.into());
        }
        if let Some(nodes) = go.nodes {
            add("nodes", i64::try_from(nodes).unwrap_or(i64::MAX));
        }
        let own = turn.index();
        let enemy = turn.other().index();
        match self {
            Self::Uci => {
                if let Some(millis) = go.move_ms {
                    add("movetime", millis);
                }
                if let [Some(first), Some(second)] = go.left_ms {
                    add("wtime", first);
                    add("btime", second);
                    add("winc", go.increment_ms[0]);
                    add("binc", go.increment_ms[1]);
                }
            }
            Self::Ucci => {
                // There is no time for a move, but a time that has to last for one.
                if let Some(millis) = go.move_ms {
                    add("time", millis);
                    add("movestogo", 1);
                }
                if let (Some(left), Some(others)) = (go.left_ms[own], go.left_ms[enemy]) {
                    add("time", left);
                    add("increment", go.increment_ms[own]);
                    add("opptime", others);
                    add("oppincrement", go.increment_ms[enemy]);
                }
            }
            // It keeps the position itself, and is asked by `xboard::Features`.
            Self::Xboard => {}
        }
        // At the end: everything after it is taken for moves.
        if self == Self::Uci && !among.is_empty() {
            line.push_str(&format!(" searchmoves{}", ranks.list(among)));
        }
        lines.push(line);
        lines
    }
}

impl Ranks {
    /// The position to think about. Where a game began as usual, no position is written: not all programs use our letters.
    pub(crate) fn position(self, start: Option<&str>, moves: &[Move]) -> String {
        let mut line = start.map_or_else(
            || "position startpos".to_owned(),
            |start| format!("position fen {start}"),
        );
        if !moves.is_empty() {
            line.push_str(" moves");
            line.push_str(&self.list(moves));
        }
        line
    }

    /// The move that a text means.
    pub(crate) fn move_of(self, text: &str) -> Option<Move> {
        uci::move_of(self.counted(), text)
    }

    /// A move as the program writes it.
    pub(super) fn text_of(self, mv: Move) -> String {
        uci::text_of(self.counted(), mv)
    }

    /// Moves, each after a space.
    fn list(self, moves: &[Move]) -> String {
        let texts = moves.iter().map(|mv| format!(" {}", self.text_of(*mv)));
        texts.collect()
    }

    /// The dialect that counts so.
    const fn counted(self) -> uci::Dialect {
        match self {
            Self::FromZero => uci::Dialect::Ucci,
            Self::FromOne => uci::Dialect::Uci,
        }
    }
}

/// The value of a program's `UCI_Variant` that means a rule set: our id with `-` for `/`, or `xiangqi` for xiangqi/standard. Where a program knows one
/// Xiangqi, it plays the other rule sets by it: which moves are banned there, it is told.
pub(crate) fn variant_for(ruleset: &RuleSet, offered: &[String]) -> Option<String> {
    let words = |id: &'static str| {
        let named = uci::variants().filter(move |(_, set)| set.id() == id);
        named.map(|(word, _)| word)
    };
    let is_xiangqi = ruleset.id().starts_with("xiangqi/");
    let usual = is_xiangqi.then_some("xiangqi/standard");
    words(ruleset.id())
        .chain(usual.into_iter().flat_map(words))
        .find(|word| offered.contains(word))
}

/// The same limits for a program that counts whole seconds: rounded down, and a second where there is less.
pub(super) fn in_seconds(go: &Go) -> Go {
    let seconds = |millis: i64| (millis / 1_000).max(1);
    Go {
        move_ms: go.move_ms.map(seconds),
        left_ms: go.left_ms.map(|left| left.map(seconds)),
        increment_ms: go.increment_ms.map(|increment| increment / 1_000),
        ..go.clone()
    }
}

fn option(protocol: Protocol, words: &[&str]) -> Reply {
    let (name, rest) = match (protocol, words) {
        (Protocol::Uci, ["name", rest @ ..]) => {
            let at = rest.iter().position(|word| *word == "type");
            let (name, rest) = rest.split_at(at.unwrap_or(rest.len()));
            (name.join(" "), rest)
        }
        (Protocol::Ucci, [name, rest @ ..]) => ((*name).to_owned(), rest),
        _ => return Reply::Other,
    };
    if name == "UCI_Variant" {
        let values = rest.windows(2).filter(|two| two[0] == "var");
        return Reply::Variants(values.map(|two| two[1].to_owned()).collect());
    }
    Reply::Option(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(texts: &[&str]) -> Vec<Move> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn uci_counts_ranks_from_1_and_ucci_from_0() {
        let played = moves(&["h3e3", "h10g8"]);
        assert_eq!(
            Ranks::FromOne.position(Some("FEN"), &played),
            "position fen FEN moves h3e3 h10g8"
        );
        assert_eq!(
            Ranks::FromZero.position(None, &played),
            "position startpos moves h2e2 h9g7"
        );
        for ranks in [Ranks::FromZero, Ranks::FromOne] {
            let text = ranks.list(&played[1..]);
            assert_eq!(ranks.move_of(text.trim()), Some(played[1]));
        }
        assert_eq!(Ranks::FromZero.move_of("x"), None);
    }

    #[test]
    fn limits_are_asked_for_in_the_words_of_the_protocol() {
        let go =
            |protocol: Protocol, go: Go| protocol.go(Ranks::FromOne, &go, Seat::Second, &[], &[]);
        let nodes = Go {
            nodes: Some(500),
            ..Go::default()
        };
        assert_eq!(go(Protocol::Uci, nodes.clone()), ["go nodes 500"]);
        assert_eq!(go(Protocol::Ucci, nodes), ["go nodes 500"]);
        let time = Go {
            move_ms: Some(200),
            ..Go::default()
        };
        assert_eq!(go(Protocol::Uci, time.clone()), ["go movetime 200"]);
        assert_eq!(go(Protocol::Ucci, time), ["go time 200 movestogo 1"]);
        let clock = Go {
            left_ms: [Some(1_000), Some(2_000)],
            increment_ms: [10, 20],
            ..Go::default()
        };
        assert_eq!(
            go(Protocol::Uci, clock.clone()),
            ["go wtime 1000 btime 2000 winc 10 binc 20"]
        );
        assert_eq!(
            go(Protocol::Ucci, clock),
            ["go time 2000 increment 20 opptime 1000 oppincrement 10"]
        );
    }

    #[test]
    fn banned_moves_are_left_out_of_what_may_be_played() {
        let nodes = Go {
            nodes: Some(5),
            ..Go::default()
        };
        let (legal, banned) = (moves(&["a1a2", "a1a3"]), moves(&["a1b1"]));
        let go = |protocol: Protocol| {
            protocol.go(protocol.usual_ranks(), &nodes, Seat::First, &legal, &banned)
        };
        assert_eq!(go(Protocol::Uci), ["go nodes 5 searchmoves a1a2 a1a3"]);
        assert_eq!(go(Protocol::Ucci), ["banmoves a0b0", "go nodes 5"]);
    }

    #[test]
    fn answers_are_read_in_either_protocol() {
        let uci = |line| Protocol::Uci.read(line);
        let ucci = |line| Protocol::Ucci.read(line);
        assert_eq!(uci("uciok"), Reply::Introduced);
        assert_eq!(ucci("ucciok"), Reply::Introduced);
        assert_eq!(ucci("uciok"), Reply::Other);
        assert_eq!(uci("readyok"), Reply::Ready);
        assert_eq!(
            ucci("id name Elephant Eye"),
            Reply::Name("Elephant Eye".to_owned())
        );
        assert_eq!(
            uci("bestmove a1a2 ponder b1b2"),
            Reply::BestMove("a1a2".to_owned())
        );
        assert_eq!(uci("bestmove (none)"), Reply::NoMove);
        assert_eq!(uci("bestmove"), Reply::NoMove);
        assert_eq!(ucci("nobestmove"), Reply::NoMove);
        assert_eq!(ucci("bestmove a0a1 resign"), Reply::Resigns);
        assert_eq!(
            uci("option name UCI_Variant type combo default chess var chess var xiangqi"),
            Reply::Variants(vec!["chess".to_owned(), "xiangqi".to_owned()])
        );
        assert_eq!(
            ucci("option usemillisec type check"),
            Reply::Option("usemillisec".to_owned())
        );
        assert_eq!(uci("info depth 3"), Reply::Other);
    }

    #[test]
    fn the_rule_set_is_chosen_by_its_id_or_by_the_usual_name() {
        let set = |id| RuleSet::named(id).unwrap();
        let offered = ["chess", "xiangqi", "doushouqi-booklet"].map(str::to_owned);
        let chosen = |id| variant_for(&set(id), &offered);
        assert_eq!(chosen("xiangqi/standard").as_deref(), Some("xiangqi"));
        assert_eq!(
            chosen("doushouqi/booklet").as_deref(),
            Some("doushouqi-booklet")
        );
        assert_eq!(chosen("xiangqi/grunfeld").as_deref(), Some("xiangqi"));
        assert_eq!(chosen("doushouqi/tierschach"), None);
        assert_eq!(variant_for(&set("xiangqi/grunfeld"), &[]), None);
    }

    #[test]
    fn who_counts_seconds_gets_at_least_one() {
        let go = Go {
            left_ms: [Some(1_999), Some(300)],
            increment_ms: [999, 2_000],
            move_ms: Some(200),
            ..Go::default()
        };
        let seconds = in_seconds(&go);
        assert_eq!(seconds.left_ms, [Some(1), Some(1)]);
        assert_eq!((seconds.increment_ms, seconds.move_ms), ([0, 2], Some(1)));
    }
}
