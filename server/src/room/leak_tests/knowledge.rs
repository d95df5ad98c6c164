//! What each audience was given is held against what it may know: every text, field by field, and as plain bytes.

use std::collections::{BTreeMap, HashSet};

use qiguan_game::{
    audience::Audience, commitments::hex, event::Body, referee::Command, seat_drafts::DraftKind,
};
use qiguan_protocol::{ids::Seq, names::Status, setup::Removed};
use qiguan_rules::{BySeat, EndReason, Seat};
use serde_json::Value;

use super::{
    RULESETS, Random,
    board::Board,
    for_each_seed, number,
    table::{MessageKind, Sent, Table},
};

/// The words that may be in a message; whatever else is said has to be told apart by its form.
const WORDS: &str = "created joined setup_began setup_ready started moved draw_offered draw_declined takeback_requested taken_back too_late too_early limit_reached ended revealed withheld \
    rematch_offered rematch_agreed chat first second open playing public defender attacker both start none flag no_moves \
    quiet_limit resignation agreement aborted snapshot missed illegal_move bad_move not_your_turn not_started already_ready \
    game_over move";

#[test]
fn nobody_is_given_what_the_rules_keep_from_them() {
    let games = number("QIGUAN_LEAK_GAMES", 2_000);
    let played = for_each_seed(games, |seed| {
        let table = random_game(seed);
        let knowledge = SeatKnowledge::of(&table);
        knowledge.judges(&table, seed);
        let ended = table.state.ended.map(|(outcome, _)| outcome.reason);
        (ended, knowledge.flags_shown, bytes(&table))
    });
    let count = |reason| {
        played
            .iter()
            .filter(|(ended, ..)| *ended == Some(reason))
            .count()
    };
    let shown: usize = played.iter().map(|(_, shown, _)| shown).sum();
    let bytes: usize = played.iter().map(|(.., bytes)| bytes).sum();
    let ends = [
        EndReason::Flag,
        EndReason::NoMoves,
        EndReason::Resignation,
        EndReason::Agreement,
        EndReason::Aborted,
    ]
    .map(|reason| (reason.as_str(), count(reason)));
    eprintln!(
        "{games} games, {} MB, {shown} Flags shown, ends: {ends:?}",
        bytes / 1_000_000
    );
    assert!(
        shown * 50 > played.len(),
        "Flags are shown often enough to be tried"
    );
    assert!(count(EndReason::Flag) > 0 && count(EndReason::Aborted) > 0);
}

fn bytes(table: &Table) -> usize {
    table
        .sent
        .iter()
        .flatten()
        .map(|sent| sent.text.len())
        .sum()
}

/// A game in which much is tried that should not tell anybody anything.
fn random_game(seed: u64) -> Table {
    let mut random = Random(seed);
    let mut table = Table::open(RULESETS[seed as usize % 4], &random.draw());
    if seed % 16 == 15 {
        // The other game is one that a rematch opens.
        table.does(Seat::First, &Command::Ready);
        table.does(Seat::Second, &Command::Ready);
        table.does(Seat::First, &Command::Resign);
        table = table.rematch(&random.draw());
    }
    for seat in Seat::ALL {
        table.drafts.get_mut(seat).notes = Some(format!("notes of {seat} are a secret"));
    }
    table.is_looked_at(Seq(0));
    for seat in Seat::ALL {
        if random.below(2) == 0 {
            let setup = random.setup(seat);
            table.sets_up(seat, &setup);
        }
    }
    table.plays(Seat::First, "a6a7");
    table.is_looked_at(Seq(0));
    if random.below(40) == 0 {
        table.does(Seat::Second, &Command::Abort);
        table.is_looked_at(Seq(0));
        return table;
    }
    table.does(Seat::Second, &Command::Ready);
    table.does(Seat::Second, &Command::Ready);
    table.is_looked_at(Seq(0));
    table.does(Seat::First, &Command::Ready);
    table.is_looked_at(Seq(0));
    let most = match random.below(12) {
        0 if random.below(5) == 0 => 2_000,
        _ => 10 + random.below(70),
    };
    while table.state.status == Status::Playing && table.state.moves.len() < most {
        let mover = table.state.game.turn();
        if random.below(10) == 0 {
            // Taps on the enemy's pieces, moves that look possible.
            let square = |random: &mut Random| {
                let file = char::from(b'a' + random.below(5) as u8);
                format!("{file}{}", 1 + random.below(12))
            };
            let tap = square(&mut random) + &square(&mut random);
            let legal = table.state.game.legal_moves();
            if !legal.iter().any(|mv| mv.to_string() == tap) {
                table.plays(mover, &tap);
            }
            table.plays(mover.other(), &tap);
        }
        if random.below(12) == 0 {
            // Moves are taken back, or nothing of it comes about, as the referee says.
            let asks = if random.below(2) == 0 {
                mover
            } else {
                mover.other()
            };
            table.does(asks, &Command::RequestTakeback);
            if let Some(request) = table.state.takeback_request {
                let offer = request.seq;
                table.does(request.seat.other(), &Command::AcceptTakeback { offer });
            }
            continue;
        }
        let mv = chosen(&table, &mut random);
        table.plays(mover, &mv);
        if random.below(80) == 0 {
            let since = Seq(random.below(table.state.seq().0 as usize) as u32);
            table.is_looked_at(since);
        }
    }
    if table.state.status == Status::Playing {
        if random.below(2) == 0 {
            table.does(Seat::First, &Command::Resign);
        } else {
            table.does(Seat::First, &Command::OfferDraw);
            table.does(Seat::Second, &Command::OfferDraw);
        }
    }
    table.is_looked_at(Seq(0));
    table
}

/// A random legal move, an attack more often than not: so pieces are lost, and Flags shown and taken.
fn chosen(table: &Table, random: &mut Random) -> String {
    let legal = table.state.game.legal_moves();
    let fen = table.state.game.view(qiguan_rules::Viewer::Spectator).fen;
    let attacks: Vec<_> = legal.iter().filter(|mv| is_occupied(&fen, mv.to)).collect();
    if !attacks.is_empty() && random.below(3) > 0 {
        return random.pick(&attacks).to_string();
    }
    random.pick(legal).to_string()
}

/// What can be known of a game, worked out afterwards.
struct SeatKnowledge {
    /// The board at the beginning and after each move that was ever played, as each audience may see it, and in full; none if play never
    /// began.
    boards: Vec<[String; 4]>,
    /// Which two pieces met in each of these moves; nothing at the beginning.
    met: Vec<[Option<char>; 2]>,
    /// How many Flags are shown in the end.
    flags_shown: usize,
    /// The number of the event with which play began.
    started: Option<Seq>,
    revealed: Option<Seq>,
    ended: Option<Seq>,
    /// After each event: the beginning and the moves that stand, by their places in `boards`.
    lines: Vec<Vec<usize>>,
    /// The setups that were drawn, and those that were taken.
    drawn: BySeat<String>,
    taken: Option<BySeat<String>>,
    drafts: BySeat<Option<String>>,
    salts: BySeat<String>,
    commitments: Vec<String>,
    showdown: bool,
}

impl SeatKnowledge {
    fn of(table: &Table) -> Self {
        let state = &table.state;
        let setup = state.setup.as_ref().unwrap();
        let seq_of = |wanted: &dyn Fn(&Body) -> bool| {
            let found = state.log.iter().find(|event| wanted(&event.body));
            found.map(|event| event.seq)
        };
        let taken = setup.taken.as_ref();
        let taken = taken.map(|taken| BySeat {
            first: taken.0.first.text(),
            second: taken.0.second.text(),
        });
        let (mut boards, mut met, mut flags_shown) = (Vec::new(), vec![[None; 2]], 0);
        let (mut line, mut lines) = (vec![0], Vec::new());
        let mut stands = Vec::new();
        if let Some(taken) = &taken {
            let mut board = Board::new(&state.created.ruleset, &taken.first, &taken.second);
            boards.push(seen(&board));
            stands.push(board.clone());
            for event in state.log.iter() {
                match event.body {
                    Body::Moved { ply, mv, .. } => {
                        let played = state.played_at(ply, event.seq).unwrap();
                        let removed = played.did.removed.map(Removed::from);
                        met.push(board.moves(&mv.to_string(), removed));
                        line.push(boards.len());
                        boards.push(seen(&board));
                        stands.push(board.clone());
                    }
                    Body::TakenBack { plies, .. } => {
                        line.truncate(line.len() - plies as usize);
                        stands.truncate(line.len());
                        board = stands.last().unwrap().clone();
                    }
                    _ => {}
                }
                lines.push(line.clone());
            }
            let shown = Seat::ALL.into_iter().filter(|seat| board.shows_flag(*seat));
            flags_shown = shown.count();
        }
        let commitments = setup.commitments();
        Self {
            lines,
            boards,
            met,
            flags_shown,
            started: seq_of(&|body| matches!(body, Body::Started { .. })),
            revealed: seq_of(&|body| matches!(body, Body::Revealed)),
            ended: seq_of(&|body| matches!(body, Body::Ended { .. })),
            drawn: BySeat {
                first: setup.draw.setups.0.first.text(),
                second: setup.draw.setups.0.second.text(),
            },
            taken,
            drafts: BySeat {
                first: table.drafts.first.text(DraftKind::Setup),
                second: table.drafts.second.text(DraftKind::Setup),
            },
            salts: setup.draw.salts.map(|salt| hex(&salt.0)),
            commitments: commitments.map_or_else(Vec::new, |both| vec![both.first, both.second]),
            showdown: state.created.ruleset == "luzhanqi/showdown",
        }
    }

    fn judges(&self, table: &Table, seed: u64) {
        let words: HashSet<_> = WORDS.split_whitespace().collect();
        let game = &table.state.created.ruleset;
        assert!(
            self.revealed
                .is_none_or(|revealed| Some(revealed) == self.ended.map(Seq::next))
        );
        for audience in Audience::ALL {
            let secrets = [false, true].map(|revealed| self.secrets(audience, revealed));
            for sent in &table.sent[audience.index()] {
                let Sent { seq, what, text } = sent;
                let told = || {
                    format!(
                        "game {seed} ({game}), {audience:?}, after event {seq}, {what:?}: {text}"
                    )
                };
                let secrets = &secrets[usize::from(self.is_revealed(*seq))];
                if let Some(found) = secrets.iter().find(|secret| text.contains(**secret)) {
                    panic!("{found} in {}", told());
                }
                let value: Value = serde_json::from_str(text).unwrap();
                let viewer = Viewer {
                    knowledge: self,
                    audience,
                    seq: *seq,
                    what: *what,
                    words: &words,
                };
                if let Err(why) = viewer.may_read(&value, "") {
                    panic!("{why}: {}", told());
                }
            }
        }
    }

    fn is_revealed(&self, seq: Seq) -> bool {
        self.revealed.is_some_and(|revealed| seq >= revealed)
    }

    /// Texts that an audience must not be given before or after the setups are revealed, anywhere.
    fn secrets(&self, audience: Audience, revealed: bool) -> Vec<&str> {
        let mut secrets: Vec<&str> = Vec::new();
        for seat in Seat::ALL {
            if !revealed {
                secrets.push(self.salts.get(seat));
            }
            if audience.seat() == Some(seat) {
                continue;
            }
            secrets.push(match seat {
                Seat::First => "notes of first",
                Seat::Second => "notes of second",
            });
            let taken = self.taken.as_ref().map(|taken| taken.get(seat));
            let drawn = Some(self.drawn.get(seat)).filter(|drawn| taken != Some(*drawn));
            let draft = self
                .drafts
                .get(seat)
                .as_ref()
                .filter(|draft| taken != Some(*draft));
            // What was drawn and changed again is nobody's business, even after the end.
            secrets.extend(drawn.into_iter().chain(draft).map(String::as_str));
            if !revealed {
                secrets.extend(taken.map(String::as_str));
            }
        }
        secrets
    }
}

/// One audience at one time.
struct Viewer<'a> {
    knowledge: &'a SeatKnowledge,
    audience: Audience,
    seq: Seq,
    what: MessageKind,
    words: &'a HashSet<&'static str>,
}

impl Viewer<'_> {
    /// Whether everything in a message may be known; `key` is the field that it stands in.
    fn may_read(&self, value: &Value, key: &str) -> Result<(), String> {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
            Value::String(text) => self.may_read_text(text, key),
            Value::Array(elements) => {
                if key == "positions" {
                    return self.may_read_positions(elements);
                }
                elements
                    .iter()
                    .try_for_each(|element| self.may_read(element, key))
            }
            Value::Object(fields) => {
                let fields: BTreeMap<_, _> = fields.iter().collect();
                if let Some(met) = fields.get(&"met".to_owned()).filter(|met| !met.is_null()) {
                    self.may_read_met(met, fields[&"ply".to_owned()])?;
                }
                for (name, value) in fields {
                    match name.as_str() {
                        "legal" | "banned" => self.is_on_the_move()?,
                        "captured" => return Err("a captured piece".to_owned()),
                        "met" | "message" | "name" | "options" | "ruleset" | "notes" => continue,
                        _ => {}
                    }
                    self.may_read(value, name)?;
                }
                Ok(())
            }
        }
    }

    fn may_read_text(&self, text: &str, key: &str) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("{what} {text:?} in {key}"));
        match text.matches('/').count() {
            0 => {}
            5 => {
                let own = self.audience.seat().map(|seat| {
                    let knowledge = self.knowledge;
                    let taken = knowledge.taken.as_ref().map(|taken| taken.get(seat));
                    [
                        Some(knowledge.drawn.get(seat)),
                        knowledge.drafts.get(seat).as_ref(),
                        taken,
                    ]
                });
                let taken = self
                    .knowledge
                    .taken
                    .as_ref()
                    .filter(|_| self.knowledge.is_revealed(self.seq));
                let revealed = taken
                    .into_iter()
                    .flat_map(|taken| [&taken.first, &taken.second]);
                let mut known = own.into_iter().flatten().flatten().chain(revealed);
                return if known.any(|known| known == text) {
                    Ok(())
                } else {
                    wrong("a setup")
                };
            }
            11 => {
                let expected = self.board(self.ply());
                return if board_of(text) == expected {
                    Ok(())
                } else {
                    Err(format!("the board {text} instead of {expected}"))
                };
            }
            _ => return wrong("something with slashes"),
        }
        let is_hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_fine = if is_hex && key == "salt" {
            self.knowledge.is_revealed(self.seq)
        } else if is_hex {
            self.knowledge
                .started
                .is_some_and(|started| self.seq >= started)
                && self.knowledge.commitments.iter().any(|one| one == text)
        } else {
            let is_id = text.len() == 36 && text.matches('-').count() == 4;
            self.words.contains(text) || is_id || text.parse::<qiguan_rules::Move>().is_ok()
        };
        if is_fine {
            Ok(())
        } else {
            wrong("unknown words")
        }
    }

    fn may_read_positions(&self, positions: &[Value]) -> Result<(), String> {
        if positions.len() != self.ply() + 1 {
            return Err(format!("{} positions", positions.len()));
        }
        for (position, ply) in positions.iter().zip(0..) {
            let expected = self.board(ply);
            let fen = position["fen"].as_str().unwrap();
            if board_of(fen) != expected {
                return Err(format!(
                    "after {ply} moves the board {fen} instead of {expected}"
                ));
            }
        }
        Ok(())
    }

    fn may_read_met(&self, met: &Value, ply: &Value) -> Result<(), String> {
        let ply = ply.as_u64().unwrap() as usize;
        let truth = self.knowledge.met[self.line()[ply]];
        let letter = |field: &str| met[field].as_str().and_then(|text| text.chars().next());
        if self.knowledge.showdown && truth == [letter("attacker"), letter("defender")] {
            Ok(())
        } else {
            Err(format!("{met} met at ply {ply}"))
        }
    }

    fn is_on_the_move(&self) -> Result<(), String> {
        let turn = Seat::ALL[self.ply() % 2];
        let over = self.knowledge.ended.is_some_and(|ended| self.seq >= ended);
        if self.audience == Audience::Seat(turn) && !over && self.knowledge.started.is_some() {
            Ok(())
        } else {
            Err("a list of moves".to_owned())
        }
    }

    fn ply(&self) -> usize {
        self.line().len() - 1
    }

    /// The beginning and the moves that stand, by their places among all.
    fn line(&self) -> &[usize] {
        let line = self.knowledge.lines.get(self.seq.0 as usize - 1);
        line.map_or(&[0], Vec::as_slice)
    }

    /// The board that this viewer may be shown after so many moves.
    fn board(&self, ply: usize) -> String {
        if self
            .knowledge
            .started
            .is_none_or(|started| self.seq < started)
        {
            assert!(self.what != MessageKind::Positions || ply == 0);
            return ["5"; 12].join("/");
        }
        let known = if self.knowledge.is_revealed(self.seq) {
            3
        } else {
            self.audience.index()
        };
        self.knowledge.boards[self.line()[ply]][known].clone()
    }
}

/// What each audience may see of a board, and all of it.
fn seen(board: &Board) -> [String; 4] {
    [&[Seat::First][..], &[Seat::Second], &[], &Seat::ALL].map(|known| board.text(known))
}

fn board_of(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or_default()
}

/// Whether something stands on a point of a position.
fn is_occupied(fen: &str, square: qiguan_rules::Square) -> bool {
    let rank = fen.split('/').nth(11 - usize::from(square.rank()));
    let mut file = 0;
    for shown in rank.unwrap_or_default().chars() {
        match shown.to_digit(10) {
            Some(empty) => file += empty as u8,
            None if file == square.file() => return true,
            None => file += 1,
        }
        if file > square.file() {
            return false;
        }
    }
    false
}
