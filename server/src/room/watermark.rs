//! A time runs out only when nothing that was read before is on its way from another program.
//!
//! Clocks of two machines need not agree, so no time is compared: once a time is over, the room asks the other programs, and each answers after
//! everything that it had read by then. The answer comes the way of the commands, so those are in the room before it.

use qiguan_protocol::ids::{Millis, Seq};
use qiguan_store::nodes::Incarnation;

/// How long an answer is waited for: after that a program counts as gone.
const LONGEST: Millis = Millis(1_500);
/// When those who have not answered are asked again: something may be lost.
const AGAIN: Millis = Millis(250);

/// What runs out: at which event of the game, and when.
pub(super) type RunsOut = (Seq, Millis);

/// Whether everything has come that was read in time.
#[derive(Default)]
pub(super) struct Watermark {
    asked: u64,
    question: Option<Question>,
}

struct Question {
    number: u64,
    of: RunsOut,
    since: Millis,
    asked_at: Millis,
    /// Those who have not answered.
    missing: Vec<Incarnation>,
}

impl Watermark {
    /// Whether everything has come that was read before `of`, which is over by `now`. If it is not known, the programs are asked: `ask` sends a
    /// question of this number to these, or to all without any, and returns whom it could send it to.
    pub(super) fn is_reached(
        &mut self,
        of: RunsOut,
        now: Millis,
        ask: impl Fn(u64, Option<&[Incarnation]>) -> Vec<Incarnation>,
    ) -> bool {
        match &mut self.question {
            Some(question) if question.of == of => {
                if now - question.since >= LONGEST {
                    question.missing.clear();
                } else if now - question.asked_at >= AGAIN && !question.missing.is_empty() {
                    question.asked_at = now;
                    question.missing = ask(question.number, Some(&question.missing));
                }
                question.missing.is_empty()
            }
            _ => {
                self.asked += 1;
                let missing = ask(self.asked, None);
                let is_reached = missing.is_empty();
                self.question = Some(Question {
                    number: self.asked,
                    of,
                    since: now,
                    asked_at: now,
                    missing,
                });
                is_reached
            }
        }
    }

    /// A program has answered.
    pub(super) fn is_answered(&mut self, program: Incarnation, number: u64) {
        if let Some(question) = self.question.as_mut().filter(|it| it.number == number) {
            question.missing.retain(|missing| *missing != program);
        }
    }

    /// When it is to be looked again; none if nobody is being waited for.
    pub(super) fn looks_at(&self, of: RunsOut) -> Option<Millis> {
        let question = self.question.as_ref()?;
        let waits = question.of == of && !question.missing.is_empty();
        waits.then(|| (question.asked_at + AGAIN).min(question.since + LONGEST))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use uuid::Uuid;

    use super::*;

    const OF: RunsOut = (Seq(7), Millis(1_000));

    const fn program(node: u128) -> Incarnation {
        Incarnation {
            node: Uuid::from_u128(node),
            number: 1,
        }
    }

    /// Asks two programs, and notes the numbers of the questions.
    fn ask(noted: &RefCell<Vec<u64>>) -> impl Fn(u64, Option<&[Incarnation]>) -> Vec<Incarnation> {
        |number, these| {
            noted.borrow_mut().push(number);
            these.map_or_else(|| vec![program(1), program(2)], <[_]>::to_vec)
        }
    }

    #[test]
    fn alone_a_time_is_over_at_once() {
        let mut watermark = Watermark::default();
        assert!(watermark.is_reached(OF, Millis(1_000), |_, _| Vec::new()));
        assert_eq!(watermark.looks_at(OF), None);
    }

    #[test]
    fn p16_all_programs_are_waited_for_and_those_that_do_not_answer_are_asked_again() {
        let (mut watermark, noted) = (Watermark::default(), RefCell::default());
        let is_reached =
            |watermark: &mut Watermark, now| watermark.is_reached(OF, Millis(now), ask(&noted));
        assert!(!is_reached(&mut watermark, 1_000));
        assert_eq!(watermark.looks_at(OF), Some(Millis(1_250)));
        watermark.is_answered(program(1), 1);
        watermark.is_answered(program(2), 9);
        assert!(!is_reached(&mut watermark, 1_100));
        assert!(!is_reached(&mut watermark, 1_250));
        assert_eq!(watermark.looks_at(OF), Some(Millis(1_500)));
        watermark.is_answered(program(2), 1);
        assert_eq!(watermark.looks_at(OF), None);
        assert!(is_reached(&mut watermark, 1_251));
        assert_eq!(*noted.borrow(), [1, 1]);
    }

    #[test]
    fn p16_a_program_that_never_answers_is_waited_for_as_long_as_it_takes_to_count_as_gone() {
        let (mut watermark, noted) = (Watermark::default(), RefCell::default());
        let mut now = Millis(1_000);
        while !watermark.is_reached(OF, now, ask(&noted)) {
            now = watermark.looks_at(OF).unwrap();
        }
        assert_eq!(now, Millis(2_500));
    }

    #[test]
    fn p16_an_answer_holds_for_what_was_asked_and_for_nothing_later() {
        let (mut watermark, noted) = (Watermark::default(), RefCell::default());
        assert!(!watermark.is_reached(OF, Millis(1_000), ask(&noted)));
        for later in [(Seq(8), OF.1), (Seq(8), Millis(1_001))] {
            assert_eq!(watermark.looks_at(later), None);
            assert!(!watermark.is_reached(later, Millis(1_001), ask(&noted)));
            watermark.is_answered(program(1), 1);
            watermark.is_answered(program(2), 1);
            assert!(!watermark.is_reached(later, Millis(1_002), ask(&noted)));
        }
        assert_eq!(*noted.borrow(), [1, 2, 3]);
    }

    #[test]
    fn a_program_that_can_not_be_reached_any_more_is_not_waited_for() {
        let (mut watermark, noted) = (Watermark::default(), RefCell::default());
        assert!(!watermark.is_reached(OF, Millis(1_000), ask(&noted)));
        assert!(watermark.is_reached(OF, Millis(1_250), |_, _| Vec::new()));
    }
}
