//! A game with the server, over the protocol that everybody speaks: two guests, one opens a game, the other joins, and both
//! play what the server says is legal.

use std::io::Write;

use anyhow::{Context, Result, bail};

use crate::load::{
    dialect::{Heard, MoveText},
    scan,
    socket::Writer,
};

/// Which moves are played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Any legal move but into a den: games of some hundred plies, then a new one.
    Wander,
    /// Back and forth, so that a game does not end while it is watched.
    Steady,
}

/// The two dens. Who wanders in by chance would end the game early.
const DENS: [&[u8]; 2] = [b"d1", b"d9"];
/// How often a move into a den is drawn again; then it may be the only one.
const DRAWS: u32 = 4;
/// The length of a game's id.
const ID: usize = 36;
/// Where the id is in an event, and what stands before it.
const EVENT: &[u8] = b"{\"game\":\"";

/// The numbers of the requests, by which answers are known.
mod request {
    pub(super) const GREET: u32 = 1;
    pub(super) const CREATE: u32 = 2;
    pub(super) const WATCH: u32 = 3;
    pub(super) const JOIN: u32 = 4;
    pub(super) const MOVE: u32 = 5;
    pub(super) const UNWATCH: u32 = 6;
}

/// One pair of players, and the game they are at.
pub(super) struct ServerGame {
    number: usize,
    style: Style,
    /// The game's id; none before it begins.
    game: Option<[u8; ID]>,
    greeted: usize,
    watching: usize,
    /// How many commands have been sent: their ids are counted.
    commands: u64,
    random: u64,
    /// Each seat's last move.
    last: [Option<MoveText>; 2],
}

impl ServerGame {
    /// A pair of players without a game yet.
    pub(super) const fn new(number: usize, style: Style) -> Self {
        Self {
            number,
            style,
            game: None,
            greeted: 0,
            watching: 0,
            commands: 0,
            random: 0x9e37_79b9_7f4a_7c15 ^ ((number as u64 + 1) << 20),
            last: [None; 2],
        }
    }

    /// The game's id, for spectators.
    pub(super) fn id(&self) -> Option<String> {
        self.game
            .map(|game| String::from_utf8_lossy(&game).into_owned())
    }

    /// Asks for an identity.
    pub(super) fn greet(writer: &Writer) -> Result<()> {
        writer.text(format!(r#"{{"id":{},"type":"guest"}}"#, request::GREET).as_bytes())
    }

    /// What a spectator without identity says.
    pub(super) fn spectate(game: &str, writer: &Writer) -> Result<()> {
        writer.text(format!(r#"{{"id":{},"type":"hello"}}"#, request::GREET).as_bytes())?;
        let watch = format!(
            r#"{{"id":{},"type":"watch","data":{{"game":"{game}"}}}}"#,
            request::WATCH
        );
        writer.text(watch.as_bytes())
    }

    /// Whether this is the answer to a spectator's `watch`.
    ///
    /// # Errors
    /// When the server refuses.
    pub(super) fn watches(text: &[u8]) -> Result<bool> {
        Ok(answered(text)? == Some(request::WATCH))
    }

    /// Whether this brings a move.
    pub(super) fn moved(text: &[u8]) -> bool {
        text.starts_with(EVENT) && kind(text) == Some(b"moved")
    }

    /// Understands a message to a seat, and asks for what comes next.
    pub(super) fn hear(
        &mut self,
        seat: usize,
        text: &[u8],
        writers: &[Writer; 2],
    ) -> Result<Heard> {
        if text.starts_with(EVENT) {
            return self.event(seat, text, writers);
        }
        match answered(text)? {
            Some(request::GREET) => {
                self.greeted += 1;
                if self.greeted == 2 {
                    self.create(writers)?;
                }
            }
            Some(request::CREATE) => {
                let id = scan::text_after(text, b"\"game\":\"").context("no game")?;
                let id: [u8; ID] = id.try_into().context("not an id")?;
                self.game = Some(id);
                self.watching = 0;
                for writer in writers {
                    self.ask(writer, request::WATCH, "watch", false)?;
                }
            }
            Some(request::WATCH) => {
                self.watching += 1;
                if self.watching == 2 {
                    self.ask(&writers[1], request::JOIN, "join", true)?;
                }
            }
            Some(_) | None => {}
        }
        Ok(Heard::Nothing)
    }

    fn event(&mut self, seat: usize, text: &[u8], writers: &[Writer; 2]) -> Result<Heard> {
        let game = text.get(EVENT.len()..EVENT.len() + ID);
        if game.is_none() || game != self.game.as_ref().map(<[u8; ID]>::as_slice) {
            // The last words of a game that is over.
            return Ok(Heard::Nothing);
        }
        match kind(text) {
            Some(b"moved") => {
                let ply = scan::number_after(text, b"\"ply\":").context("a move without number")?;
                let by = usize::from(scan::text_after(text, b"\"seat\":\"") == Some(b"second"));
                let reply = if by == seat {
                    None
                } else {
                    self.choose(seat, text)?
                };
                Ok(Heard::Moved { ply, by, reply })
            }
            Some(b"started") if seat == 0 => {
                self.last = [None; 2];
                let first = self
                    .choose(seat, text)?
                    .context("a game begins without a legal move")?;
                Ok(Heard::Begun(first))
            }
            Some(b"ended") if seat == 0 => {
                for writer in writers {
                    self.ask(writer, request::UNWATCH, "unwatch", false)?;
                }
                self.game = None;
                self.create(writers)?;
                Ok(Heard::Over)
            }
            _ => Ok(Heard::Nothing),
        }
    }

    /// Writes the message that plays a move.
    pub(super) fn write_move(&mut self, ply: u32, mv: MoveText, message: &mut Vec<u8>) {
        let command = self.command();
        let game = self.game.unwrap_or([b'0'; ID]);
        let (game, text) = (
            String::from_utf8_lossy(&game),
            String::from_utf8_lossy(mv.as_bytes()),
        );
        // Writing into memory does not fail.
        let _ = write!(
            message,
            r#"{{"id":{},"type":"move","data":{{"game":"{game}","command":"{command}","ply":{ply},"move":"{text}"}}}}"#,
            request::MOVE
        );
    }

    fn create(&mut self, writers: &[Writer; 2]) -> Result<()> {
        let command = self.command();
        // Without the quiet limit a game goes on; what may come back depends on the style of play.
        let repetitions = match self.style {
            Style::Wander => 1,
            Style::Steady => 100,
        };
        let create = opening(request::CREATE, &command, repetitions);
        writers[0].text(create.as_bytes())
    }

    fn ask(&mut self, writer: &Writer, id: u32, kind: &str, is_command: bool) -> Result<()> {
        let game = self.id().context("no game")?;
        let command = is_command.then(|| self.command());
        writer.text(asking(id, kind, &game, command.as_deref()).as_bytes())
    }

    /// A command id that this load generator has not used before.
    fn command(&mut self) -> String {
        self.commands += 1;
        format!("{:08x}-0000-4000-8000-{:012x}", self.number, self.commands)
    }

    fn choose(&mut self, seat: usize, text: &[u8]) -> Result<Option<MoveText>> {
        let mut chosen = None;
        if self.style == Style::Steady {
            chosen = self.last[seat].and_then(|last| back(last, text));
        }
        for _ in 0..DRAWS {
            if chosen.is_some_and(|mv| !is_into_den(mv)) {
                break;
            }
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            let random = (self.random >> 33) as usize;
            let Some(legal) = scan::legal_move(text, |moves| random % moves) else {
                return Ok(None);
            };
            chosen = Some(MoveText::new(legal).context("a move longer than any")?);
        }
        self.last[seat] = chosen;
        Ok(chosen)
    }
}

/// A request that opens a game without quiet limit, in which positions may come back so often.
pub(super) fn opening(id: u32, command: &str, repetitions: u32) -> String {
    format!(
        r#"{{"id":{id},"type":"create_game","data":{{"command":"{command}","ruleset":"doushouqi/ancientchess","options":{{"quiet_limit":0,"repetition_limit":{repetitions}}},"time_control":{{"clock":{{"type":"fischer","initial_ms":10800000,"increment_ms":180000}}}},"seat":"first"}}}}"#
    )
}

/// A request about a game; commands have an id of their own.
pub(super) fn asking(id: u32, kind: &str, game: &str, command: Option<&str>) -> String {
    let command = command.map_or(String::new(), |id| format!(r#","command":"{id}""#));
    format!(r#"{{"id":{id},"type":"{kind}","data":{{"game":"{game}"{command}}}}}"#)
}

fn is_into_den(mv: MoveText) -> bool {
    DENS.iter().any(|den| mv.as_bytes().ends_with(den))
}

/// The move that takes the last one back, if it is legal.
fn back(last: MoveText, text: &[u8]) -> Option<MoveText> {
    let (from, to) = last.as_bytes().split_at_checked(2)?;
    let back = [b"\"", to, from, b"\""].concat();
    let legal = scan::after(text, b"\"legal\":[")?;
    let legal = legal.get(..memchr::memchr(b']', legal)?)?;
    memchr::memmem::find(legal, &back)?;
    MoveText::new(back.get(1..back.len() - 1)?)
}

/// The type of an event; none for a notice.
fn kind(text: &[u8]) -> Option<&[u8]> {
    scan::text_after(text, b"\"event\":{\"type\":\"")
}

/// Which request a message answers, if it is an answer.
pub(super) fn answered(text: &[u8]) -> Result<Option<u32>> {
    if !text.starts_with(b"{\"re\":") {
        return Ok(None);
    }
    let re = scan::number_after(text, b"{\"re\":");
    let is_ok = re.is_some() && memchr::memmem::find(text, b",\"ok\":").is_some_and(|at| at < 20);
    if !is_ok {
        bail!("the server refuses: {}", String::from_utf8_lossy(text));
    }
    Ok(re)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVED: &[u8] = br#"{"game":"01890000-0000-7000-8000-000000000001","seq":5,"at":1,"event":{"type":"moved","seat":"second","ply":2,"move":"g7g6"},"position":{"fen":"x","ply":2,"legal":["a4a3","a4a5"]}}"#;

    #[test]
    fn answers_and_events_are_told_apart() {
        assert_eq!(kind(MOVED), Some(&b"moved"[..]));
        assert!(ServerGame::moved(MOVED));
        assert_eq!(answered(MOVED).unwrap(), None);
        let done = br#"{"re":5,"ok":{"type":"done","game":"x","seq":7}}"#;
        assert_eq!(answered(done).unwrap(), Some(5));
        assert!(answered(br#"{"re":5,"error":{"code":"not_your_turn"}}"#).is_err());
        assert!(answered(br#"{"re":null,"error":{"code":"bad_request"}}"#).is_err());
    }

    #[test]
    fn a_steady_player_goes_back_where_that_is_legal() {
        let last = MoveText::new(b"a3a4").unwrap();
        assert_eq!(back(last, MOVED), MoveText::new(b"a4a3"));
        assert_eq!(back(MoveText::new(b"b2b3").unwrap(), MOVED), None);
    }
}
