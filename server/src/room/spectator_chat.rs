//! What spectators say to each other at a game, as a value: who may say how much, what waits to be written, and what was said last.

use std::collections::VecDeque;

use qiguan_game::spectator_line::{NamedLine, SpectatorLine};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, PlayerId},
    limits,
};

use crate::{
    admission::sanctions::ChatReach,
    net::{
        address::Group,
        growth_limit::{Growth, GrowthLimit},
        rate_limit::{RateLimit, RetryIn},
    },
    room::{chat_limit, message::Reply, spectator_chat_writer::SpectatorMessage},
};

/// How long it takes at least from one write to the next; what is said in between is written together.
const WRITES_REST: Millis = Millis(250);

/// The spectators' talk at a game.
pub(super) struct SpectatorChat {
    /// What was said last, the oldest first; none until it was read.
    last: Option<VecDeque<NamedLine>>,
    /// The highest number that a line has had: it is not given twice, also if its line goes.
    number: u32,
    /// How much each speaker may say.
    speakers: RateLimit<PlayerId>,
    /// How much may be said from each address, by those whom everybody hears and by those whom nobody does.
    addresses: RateLimit<(Group, bool)>,
    /// What is to be written.
    waiting: Vec<WaitingMessage>,
    /// What is being written.
    writing: Vec<WaitingMessage>,
    /// No write begins before.
    rests_until: Millis,
}

impl Default for SpectatorChat {
    fn default() -> Self {
        Self {
            last: None,
            number: 0,
            speakers: RateLimit::new(chat_limit::rate()),
            addresses: RateLimit::new(chat_limit::rate_of_address()),
            waiting: Vec::new(),
            writing: Vec::new(),
            rests_until: Millis(0),
        }
    }
}

/// A line that is not on the disk yet, and who waits for that.
struct WaitingMessage {
    line: NamedLine,
    replies: Vec<Reply>,
}

impl SpectatorChat {
    /// Whether it is known what was said.
    pub(super) const fn is_loaded(&self) -> bool {
        self.last.is_some()
    }

    /// Takes in what was said last, the latest first.
    pub(super) fn load(&mut self, lines: Vec<NamedLine>) {
        self.last = Some(lines.into_iter().rev().collect());
        self.number = self.said();
        self.trim();
    }

    /// Forgets what somebody has said, whose account is deleted.
    pub(super) fn forget(&mut self, player: PlayerId) {
        if let Some(last) = &mut self.last {
            last.retain(|said| said.line.player != player);
        }
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
        say: SpectatorMessage,
        (now, in_all, growth): (Millis, &RateLimit<PlayerId>, &GrowthLimit),
    ) {
        let SpectatorMessage {
            who,
            address,
            command,
            text,
            reach,
            reply,
        } = say;
        let player = who.id;
        let shadow_muted = reach == ChatReach::SenderOnly;
        let mut open = self.writing.iter_mut().chain(&mut self.waiting);
        if let Some(same) = open.find(|saying| saying.line.line.command == command) {
            return same.again(player, &text, reply);
        }
        if let Some(same) = self.last().find(|said| said.line.command == command) {
            let same = same.line.player == player && same.line.text == text;
            return reply.send(if same { Ok(kept(game)) } else { Err(used()) });
        }
        if let Err(wait) = self.may_say(player, (address, shadow_muted), now, in_all) {
            return reply.send(Err(chat_limit::refused(wait)));
        }
        if let Err(error) = growth.take(player, Growth::CHAT_LINE, now) {
            return reply.send(Err(error));
        }
        self.waiting.push(WaitingMessage {
            line: NamedLine {
                line: SpectatorLine {
                    game,
                    // It gets its number when it is written.
                    number: 0,
                    at: now,
                    player,
                    command,
                    text,
                    shadow_muted,
                },
                name: who.name.clone(),
            },
            replies: vec![reply],
        });
    }

    fn may_say(
        &self,
        player: PlayerId,
        address: (Group, bool),
        now: Millis,
        in_all: &RateLimit<PlayerId>,
    ) -> Result<(), RetryIn> {
        if self.waiting.len() + self.writing.len() >= limits::SPECTATOR_LINES as usize {
            return Err(RetryIn(WRITES_REST));
        }
        self.speakers.take(&player, now)?;
        let others = self.addresses.take(&address, now).and_then(|()| {
            let taken = in_all.take(&player, now);
            taken.inspect_err(|_| self.addresses.refund(&address, 1))
        });
        others.inspect_err(|_| self.speakers.refund(&player, 1))
    }

    /// Keeps as many lines in memory as are shown, of those that everybody hears and of those that nobody does.
    fn trim(&mut self) {
        let Some(last) = &mut self.last else { return };
        for shadow_muted in [false, true] {
            let count = last
                .iter()
                .filter(|said| said.line.shadow_muted == shadow_muted);
            let mut spare = count
                .count()
                .saturating_sub(limits::SPECTATOR_LINES_SHOWN as usize);
            last.retain(|said| {
                let goes = spare > 0 && said.line.shadow_muted == shadow_muted;
                spare -= usize::from(goes);
                !goes
            });
        }
    }

    /// The number of the last line.
    fn said(&self) -> u32 {
        let last = self.last.as_ref().and_then(VecDeque::back);
        last.map_or(0, |last| last.line.number).max(self.number)
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

    /// What was written is on the disk, those lines of it that were new: they are answered, and returned to be sent.
    pub(super) fn kept(&mut self, game: GameId, new: &[u32], now: Millis) -> Vec<NamedLine> {
        self.rests_until = now + WRITES_REST;
        let mut lines = Vec::new();
        for WaitingMessage { line, replies } in std::mem::take(&mut self.writing) {
            for reply in replies {
                reply.send(Ok(kept(game)));
            }
            if new.contains(&line.line.number) {
                lines.push(line);
            }
        }
        let last = self.last.get_or_insert_default();
        last.extend(lines.iter().cloned());
        self.number = self.said();
        self.trim();
        lines
    }

    /// What was written may or may not be on the disk: those waiting learn so, and the chat is read again.
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

impl WaitingMessage {
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
    let message = "this command id was used with other content; use a new one for each command";
    ApiError::new(ErrorCode::Conflict, message).field("command")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use qiguan_game::{event::Player, people::identity::Identity};
    use qiguan_protocol::ids::CommandId;
    use tokio::sync::oneshot;
    use uuid::Uuid;

    use super::*;

    type Answered = oneshot::Receiver<Result<qiguan_protocol::answer::Answer, ApiError>>;

    const GAME: GameId = GameId(Uuid::nil());

    fn spectator_chat() -> SpectatorChat {
        let mut spectator_chat = SpectatorChat::default();
        spectator_chat.load(Vec::new());
        spectator_chat
    }

    fn says(
        spectator_chat: &mut SpectatorChat,
        who: u128,
        command: u128,
        text: &str,
        at: i64,
    ) -> Answered {
        let line = (text, ChatReach::Everyone);
        says_line(spectator_chat, (who, 1), command, line, at)
    }

    fn says_from(
        spectator_chat: &mut SpectatorChat,
        from: (u128, u8),
        command: u128,
        reach: ChatReach,
    ) -> Answered {
        says_line(spectator_chat, from, command, ("x", reach), 0)
    }

    fn says_line(
        spectator_chat: &mut SpectatorChat,
        (who, from): (u128, u8),
        command: u128,
        (text, reach): (&str, ChatReach),
        at: i64,
    ) -> Answered {
        let (reply, answer) = Reply::to_call();
        let say = SpectatorMessage {
            who: Arc::new(Identity::guest(Player::named(
                PlayerId(Uuid::from_u128(who)),
                "Calm Carp 1000".to_owned(),
            ))),
            address: Group::of([192, 0, 2, from].into()),
            command: CommandId(Uuid::from_u128(command)),
            text: text.to_owned(),
            reach,
            reply,
        };
        let in_all = RateLimit::new(chat_limit::rate_in_all());
        let growth = GrowthLimit::new((0, 0));
        spectator_chat.hear(GAME, say, (Millis(at), &in_all, &growth));
        answer
    }

    fn code(answer: &mut Answered) -> Option<ErrorCode> {
        answer.try_recv().unwrap().err().map(|error| error.code)
    }

    #[test]
    fn what_is_said_while_another_line_is_written_is_written_with_the_next() {
        let mut spectator_chat = spectator_chat();
        let mut one = says(&mut spectator_chat, 1, 1, "a", 0);
        assert_eq!(
            spectator_chat.due_at(),
            Some(Millis(0)),
            "the first is written at once"
        );
        let numbers = |lines: Vec<SpectatorLine>| -> Vec<u32> {
            lines.iter().map(|line| line.number).collect()
        };
        assert_eq!(numbers(spectator_chat.begin()), [1]);
        let mut two = says(&mut spectator_chat, 1, 2, "b", 1);
        let mut three = says(&mut spectator_chat, 2, 3, "c", 2);
        assert_eq!(spectator_chat.due_at(), None);
        assert!(
            one.try_recv().is_err(),
            "it is answered when it is on the disk"
        );
        assert_eq!(spectator_chat.kept(GAME, &[1], Millis(5)).len(), 1);
        assert_eq!(code(&mut one), None);
        assert_eq!(spectator_chat.due_at(), Some(Millis(5) + WRITES_REST));
        assert_eq!(numbers(spectator_chat.begin()), [2, 3]);
        spectator_chat.kept(GAME, &[2, 3], Millis(300));
        assert_eq!((code(&mut two), code(&mut three)), (None, None));
        let texts: Vec<_> = spectator_chat
            .last()
            .map(|said| said.line.text.as_str())
            .collect();
        assert_eq!(texts, ["a", "b", "c"]);
        assert!(spectator_chat.is_quiet());
    }

    #[test]
    fn a_line_that_comes_again_is_said_once() {
        let mut spectator_chat = spectator_chat();
        let mut answers: Vec<_> = (0..2)
            .map(|_| says(&mut spectator_chat, 1, 1, "a", 0))
            .collect();
        let mut other = says(&mut spectator_chat, 1, 1, "b", 0);
        assert_eq!(code(&mut other), Some(ErrorCode::Conflict));
        assert_eq!(spectator_chat.begin().len(), 1);
        answers.push(says(&mut spectator_chat, 1, 1, "a", 0));
        spectator_chat.kept(GAME, &[1], Millis(0));
        answers.push(says(&mut spectator_chat, 1, 1, "a", 0));
        for answer in &mut answers {
            assert_eq!(code(answer), None);
        }
        assert!(spectator_chat.is_quiet());
        let mut other = says(&mut spectator_chat, 2, 1, "a", 0);
        assert_eq!(code(&mut other), Some(ErrorCode::Conflict));
    }

    #[test]
    fn everybody_has_a_budget_and_so_has_every_address() {
        let mut spectator_chat = spectator_chat();
        let mut command = 0;
        let mut say = |spectator_chat: &mut SpectatorChat, who: u128, from: u8| {
            command += 1;
            let (said, mut answer) = (
                says_from(spectator_chat, (who, from), command, ChatReach::Everyone),
                None,
            );
            let mut said = said;
            if let Ok(Err(error)) = said.try_recv() {
                answer = Some(error.code);
            }
            answer
        };
        for _ in 0..limits::CHAT_BURST {
            assert_eq!(say(&mut spectator_chat, 0, 0), None);
        }
        assert_eq!(say(&mut spectator_chat, 0, 0), Some(ErrorCode::RateLimited));
        assert_eq!(
            say(&mut spectator_chat, 0, 1),
            Some(ErrorCode::RateLimited),
            "from elsewhere it is the same speaker"
        );
        let passed = (1..=1_000)
            .filter(|who| say(&mut spectator_chat, *who, 0).is_none())
            .count();
        assert_eq!(
            passed as u32,
            limits::ADDRESS_CHAT_BURST - limits::CHAT_BURST,
            "a thousand guests of one address have its share"
        );
        assert_eq!(
            say(&mut spectator_chat, 2_000, 1),
            None,
            "others have their own"
        );
    }

    #[test]
    fn h5_however_much_was_said_an_honest_newcomer_is_heard_and_the_newest_lines_are_shown() {
        let mut spectator_chat = spectator_chat();
        let mut number = 0;
        for address in 0..100 {
            for who in 0..60 {
                number += 1;
                let speaker = (u128::from(address) * 100 + who, address);
                drop(says_from(
                    &mut spectator_chat,
                    speaker,
                    number,
                    ChatReach::Everyone,
                ));
            }
            let lines = spectator_chat.begin();
            let numbers: Vec<_> = lines.iter().map(|line| line.number).collect();
            spectator_chat.kept(GAME, &numbers, Millis(0));
        }
        assert!(number > u128::from(limits::SPECTATOR_LINES));
        let mut newcomer = says_from(
            &mut spectator_chat,
            (99_999, 200),
            99_999,
            ChatReach::Everyone,
        );
        let numbers: Vec<_> = spectator_chat
            .begin()
            .iter()
            .map(|line| line.number)
            .collect();
        spectator_chat.kept(GAME, &numbers, Millis(0));
        assert_eq!(code(&mut newcomer), None);
        assert_eq!(
            spectator_chat.last().count(),
            limits::SPECTATOR_LINES_SHOWN as usize
        );
        let last = spectator_chat.last().last().unwrap();
        assert_eq!(last.line.player, PlayerId(Uuid::from_u128(99_999)));
    }

    #[test]
    fn h5_lines_that_nobody_hears_displace_none_that_everybody_does() {
        let mut spectator_chat = spectator_chat();
        let mut command = 0;
        for who in 0..20 {
            command += 1;
            drop(says_from(
                &mut spectator_chat,
                (who, 1),
                command,
                ChatReach::Everyone,
            ));
        }
        for who in 100..600 {
            command += 1;
            let from = (who % 200) as u8;
            drop(says_from(
                &mut spectator_chat,
                (who, from),
                command,
                ChatReach::SenderOnly,
            ));
        }
        let numbers: Vec<_> = spectator_chat
            .begin()
            .iter()
            .map(|line| line.number)
            .collect();
        spectator_chat.kept(GAME, &numbers, Millis(0));
        let heard = spectator_chat
            .last()
            .filter(|said| !said.line.shadow_muted)
            .count();
        assert_eq!(heard, 20);
        // Nor do they take of the share of their address.
        for who in 1_000..1_040 {
            command += 1;
            let mut said = says_from(&mut spectator_chat, (who, 1), command, ChatReach::Everyone);
            assert!(said.try_recv().is_err(), "it waits to be written");
        }
    }

    #[test]
    fn d13_what_somebody_deleted_has_said_is_forgotten_and_its_numbers_are_not_given_again() {
        let mut spectator_chat = spectator_chat();
        for (who, command) in [(1, 1), (2, 2), (2, 3)] {
            drop(says(&mut spectator_chat, who, command, "x", 0));
        }
        spectator_chat.begin();
        spectator_chat.kept(GAME, &[1, 2, 3], Millis(0));
        spectator_chat.forget(PlayerId(Uuid::from_u128(2)));
        let left: Vec<_> = spectator_chat.last().map(|said| said.line.number).collect();
        assert_eq!(left, [1]);
        drop(says(&mut spectator_chat, 1, 4, "x", 1_000));
        assert_eq!(spectator_chat.begin()[0].number, 4);
    }

    #[test]
    fn what_may_be_lost_is_said_to_be_and_read_again() {
        let mut spectator_chat = spectator_chat();
        let mut one = says(&mut spectator_chat, 1, 1, "a", 0);
        drop(spectator_chat.begin());
        let mut two = says(&mut spectator_chat, 1, 2, "b", 0);
        spectator_chat.lost(&ApiError::not_stored(), Millis(0));
        for answer in [&mut one, &mut two] {
            assert_eq!(code(answer), Some(ErrorCode::NotStored));
        }
        assert!(!spectator_chat.is_loaded() && spectator_chat.is_quiet());
    }
}
