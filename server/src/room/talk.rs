//! What spectators say to each other at a game, as a value: who may say how much, what waits to be written, and what was said last.

use std::collections::VecDeque;

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{CommandId, GameId, Millis, PlayerId},
    limits,
};

use crate::{
    accounts::moderated::Voice,
    net::rate_limit::RateLimit,
    room::{chat_limit, knock::Reply},
    store::spectator_chat::{NamedLine, SpectatorLine},
};

/// How long it takes at least from one write to the next; what is said in between is written together.
const WRITES_REST: Millis = Millis(250);

/// The spectators' talk at a game.
pub(super) struct Talk {
    /// What was said last, the oldest first; none until it was read.
    last: Option<VecDeque<NamedLine>>,
    /// How much each speaker may say.
    speakers: RateLimit<PlayerId>,
    /// What is to be written.
    waiting: Vec<Saying>,
    /// What is being written.
    writing: Vec<Saying>,
    /// No write begins before.
    rests_until: Millis,
}

impl Default for Talk {
    fn default() -> Self {
        Self {
            last: None,
            speakers: RateLimit::new(chat_limit::rate()),
            waiting: Vec::new(),
            writing: Vec::new(),
            rests_until: Millis(0),
        }
    }
}

/// A line that is not on the disk yet, and who waits for that.
struct Saying {
    line: NamedLine,
    replies: Vec<Reply>,
}

impl Talk {
    /// Whether it is known what was said.
    pub(super) const fn is_loaded(&self) -> bool {
        self.last.is_some()
    }

    /// Takes in what was said last, the latest first.
    pub(super) fn load(&mut self, lines: Vec<NamedLine>) {
        self.last = Some(lines.into_iter().rev().collect());
    }

    /// What was said last, the oldest first.
    pub(super) fn last(&self) -> impl Iterator<Item = &NamedLine> {
        self.last.iter().flatten()
    }

    /// Whether nothing waits or is being written.
    pub(super) const fn is_quiet(&self) -> bool {
        self.waiting.is_empty() && self.writing.is_empty()
    }

    /// When the next write is to begin.
    pub(super) fn due_at(&self) -> Option<Millis> {
        (self.writing.is_empty() && !self.waiting.is_empty()).then_some(self.rests_until)
    }

    /// Hears a line, to be answered when it is on the disk; a line that comes again is said once.
    pub(super) fn hear(
        &mut self,
        game: GameId,
        said: (PlayerId, String),
        line: (CommandId, String, Voice),
        now: Millis,
        reply: Reply,
    ) {
        let ((player, name), (command, text, voice)) = (said, line);
        let mut open = self.writing.iter_mut().chain(&mut self.waiting);
        if let Some(same) = open.find(|saying| saying.line.line.command == command) {
            return same.again(player, &text, reply);
        }
        if let Some(same) = self.last().find(|said| said.line.command == command) {
            let same = same.line.player == player && same.line.text == text;
            return reply.send(if same { Ok(kept(game)) } else { Err(used()) });
        }
        if let Err(error) = self.may_say(player, now) {
            return reply.send(Err(error));
        }
        self.waiting.push(Saying {
            line: NamedLine {
                line: SpectatorLine {
                    game,
                    // It gets its number when it is written.
                    number: 0,
                    at: now,
                    player,
                    command,
                    text,
                    unheard: voice == Voice::Unheard,
                },
                name,
            },
            replies: vec![reply],
        });
    }

    fn may_say(&mut self, player: PlayerId, now: Millis) -> Result<(), ApiError> {
        let open = self.waiting.len() + self.writing.len();
        if self.said() as usize + open >= limits::SPECTATOR_LINES as usize {
            let message = format!(
                "{} lines have been said here; no more are kept",
                limits::SPECTATOR_LINES
            );
            return Err(ApiError::new(ErrorCode::LimitReached, message));
        }
        self.speakers
            .take(&player, now)
            .map_err(chat_limit::refused)
    }

    /// The number of the last line.
    fn said(&self) -> u32 {
        let last = self.last.as_ref().and_then(VecDeque::back);
        last.map_or(0, |last| last.line.number)
    }

    /// What is to be written now.
    pub(super) fn begin(&mut self) -> Vec<SpectatorLine> {
        let said = self.said();
        self.writing = std::mem::take(&mut self.waiting);
        for (saying, number) in self.writing.iter_mut().zip(said + 1..) {
            saying.line.line.number = number;
        }
        self.writing
            .iter()
            .map(|saying| saying.line.line.clone())
            .collect()
    }

    /// What was written is on the disk, those lines of it that were new: they are answered, and come back to be told.
    pub(super) fn kept(&mut self, game: GameId, new: &[u32], now: Millis) -> Vec<NamedLine> {
        self.rests_until = now + WRITES_REST;
        let mut lines = Vec::new();
        for Saying { line, replies } in std::mem::take(&mut self.writing) {
            for reply in replies {
                reply.send(Ok(kept(game)));
            }
            if new.contains(&line.line.number) {
                lines.push(line);
            }
        }
        let last = self.last.get_or_insert_default();
        last.extend(lines.iter().cloned());
        let spare = last
            .len()
            .saturating_sub(limits::SPECTATOR_LINES_SHOWN as usize);
        last.drain(..spare);
        lines
    }

    /// What was written may or may not be on the disk: whoever waits is told so, and what was said is read again.
    pub(super) fn lost(&mut self, error: &ApiError, now: Millis) {
        self.rests_until = now + WRITES_REST;
        self.last = None;
        for saying in self.writing.drain(..).chain(self.waiting.drain(..)) {
            for reply in saying.replies {
                reply.send(Err(error.clone()));
            }
        }
    }
}

impl Saying {
    /// The same command has come again while it waits.
    fn again(&mut self, player: PlayerId, text: &str, reply: Reply) {
        let line = &self.line.line;
        if line.player == player && line.text == text {
            self.replies.push(reply);
        } else {
            reply.send(Err(used()));
        }
    }
}

const fn kept(game: GameId) -> qiguan_protocol::answer::Answer {
    qiguan_protocol::answer::Answer::Kept { game }
}

fn used() -> ApiError {
    let message =
        "this command id was used before with other content; take a new one for each command";
    ApiError::new(ErrorCode::Conflict, message).field("command")
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;
    use uuid::Uuid;

    use super::*;

    type Answered = oneshot::Receiver<Result<qiguan_protocol::answer::Answer, ApiError>>;

    const GAME: GameId = GameId(Uuid::nil());

    fn talk() -> Talk {
        let mut talk = Talk::default();
        talk.load(Vec::new());
        talk
    }

    fn says(talk: &mut Talk, who: u128, command: u128, text: &str, at: i64) -> Answered {
        let (reply, answer) = Reply::to_call();
        let player = (PlayerId(Uuid::from_u128(who)), "Calm Carp 1000".to_owned());
        let line = (
            CommandId(Uuid::from_u128(command)),
            text.to_owned(),
            Voice::Heard,
        );
        talk.hear(GAME, player, line, Millis(at), reply);
        answer
    }

    fn code(answer: &mut Answered) -> Option<ErrorCode> {
        answer.try_recv().unwrap().err().map(|error| error.code)
    }

    #[test]
    fn what_is_said_while_another_line_is_written_is_written_with_the_next() {
        let mut talk = talk();
        let mut one = says(&mut talk, 1, 1, "a", 0);
        assert_eq!(
            talk.due_at(),
            Some(Millis(0)),
            "the first is written at once"
        );
        let numbers = |lines: Vec<SpectatorLine>| -> Vec<u32> {
            lines.iter().map(|line| line.number).collect()
        };
        assert_eq!(numbers(talk.begin()), [1]);
        let mut two = says(&mut talk, 1, 2, "b", 1);
        let mut three = says(&mut talk, 2, 3, "c", 2);
        assert_eq!(talk.due_at(), None);
        assert!(
            one.try_recv().is_err(),
            "it is answered when it is on the disk"
        );
        assert_eq!(talk.kept(GAME, &[1], Millis(5)).len(), 1);
        assert_eq!(code(&mut one), None);
        assert_eq!(talk.due_at(), Some(Millis(5) + WRITES_REST));
        assert_eq!(numbers(talk.begin()), [2, 3]);
        talk.kept(GAME, &[2, 3], Millis(300));
        assert_eq!((code(&mut two), code(&mut three)), (None, None));
        let texts: Vec<_> = talk.last().map(|said| said.line.text.as_str()).collect();
        assert_eq!(texts, ["a", "b", "c"]);
        assert!(talk.is_quiet());
    }

    #[test]
    fn a_line_that_comes_again_is_said_once() {
        let mut talk = talk();
        let mut answers: Vec<_> = (0..2).map(|_| says(&mut talk, 1, 1, "a", 0)).collect();
        let mut other = says(&mut talk, 1, 1, "b", 0);
        assert_eq!(code(&mut other), Some(ErrorCode::Conflict));
        assert_eq!(talk.begin().len(), 1);
        answers.push(says(&mut talk, 1, 1, "a", 0));
        talk.kept(GAME, &[1], Millis(0));
        answers.push(says(&mut talk, 1, 1, "a", 0));
        for answer in &mut answers {
            assert_eq!(code(answer), None);
        }
        assert!(talk.is_quiet());
        let mut other = says(&mut talk, 2, 1, "a", 0);
        assert_eq!(code(&mut other), Some(ErrorCode::Conflict));
    }

    #[test]
    fn everybody_has_a_budget_and_so_has_the_game() {
        let mut talk = talk();
        let mut command = 0;
        let mut say = |talk: &mut Talk, who: u128| {
            command += 1;
            says(talk, who, command, "x", 0)
        };
        let mut answers: Vec<_> = (0..=limits::CHAT_BURST)
            .map(|_| say(&mut talk, 0))
            .collect();
        assert_eq!(
            code(answers.last_mut().unwrap()),
            Some(ErrorCode::RateLimited)
        );
        for who in 1..u128::from(limits::SPECTATOR_LINES / limits::CHAT_BURST) {
            for _ in 0..limits::CHAT_BURST {
                answers.push(say(&mut talk, who));
            }
        }
        let mut beyond = say(&mut talk, 9_999);
        assert_eq!(code(&mut beyond), Some(ErrorCode::LimitReached));
        let lines = talk.begin();
        assert_eq!(lines.len(), limits::SPECTATOR_LINES as usize);
        let numbers: Vec<_> = lines.iter().map(|line| line.number).collect();
        talk.kept(GAME, &numbers, Millis(0));
        assert_eq!(talk.last().count(), limits::SPECTATOR_LINES_SHOWN as usize);
        let mut beyond = say(&mut talk, 9_999);
        assert_eq!(code(&mut beyond), Some(ErrorCode::LimitReached));
    }

    #[test]
    fn what_may_be_lost_is_said_to_be_and_read_again() {
        let mut talk = talk();
        let mut one = says(&mut talk, 1, 1, "a", 0);
        drop(talk.begin());
        let mut two = says(&mut talk, 1, 2, "b", 0);
        talk.lost(&crate::room::knock::not_stored(), Millis(0));
        for answer in [&mut one, &mut two] {
            assert_eq!(code(answer), Some(ErrorCode::NotStored));
        }
        assert!(!talk.is_loaded() && talk.is_quiet());
    }
}
