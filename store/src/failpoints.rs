//! Named points at which a test may crash, panic or fail the program.
//!
//! They exist in debug builds alone; in a release build [`point`] is a constant `false` and the names are not in the
//! binary. `QIGUAN_FAULTS` sets them: `POINT/CAUSE=ACTION[@N]`, separated by `;`. `CAUSE` is the type of the command
//! under way (`move`, `resign`, …; `*` for any), `ACTION` is `abort`, `panic` or `error`, and `N` counts the passes
//! from 1 (absent: every pass). Example: `after_commit/move=abort@3`.
//!
//! `error` is what a disk does, so it can be asked for at three points only. At `append` that command alone is refused. At
//! `before_commit` nothing is stored and at `after_commit` everything is, and in both cases the journal does not know which;
//! that goes for all that was written in the same transaction.
//!
//! `save_draft`, `save_setup`, `delete_setup`, `delete_game`, `clear_chat`, `pack_games`, `cut_log`, `begin_openings` and `count_openings` are causes at
//! `before_commit` and `after_commit` alone.

/// The text of an invented error.
pub(crate) const ASKED_FOR: &str = "input/output error (a fault that a test asked for)";

/// The points, in the order in which a command passes them.
pub const POINTS: &[&str] = &[
    "after_check",
    "append",
    "before_commit",
    "after_commit",
    "apply",
    "before_answer",
    "before_publish",
];

#[cfg(not(debug_assertions))]
/// Nothing, in this build.
#[inline]
pub const fn point(_name: &'static str, _cause: &str) -> bool {
    false
}

#[cfg(not(debug_assertions))]
/// Nothing, in this build.
///
/// # Errors
/// Never.
pub const fn check() -> anyhow::Result<()> {
    Ok(())
}

#[cfg(debug_assertions)]
pub use armed::{check, point};

#[cfg(debug_assertions)]
mod armed {
    use std::{
        num::NonZeroU64,
        sync::{
            LazyLock,
            atomic::{AtomicU64, Ordering},
        },
    };

    /// The points whose passers can fail with an I/O error.
    const FAILING: &[&str] = &["append", "before_commit", "after_commit"];

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Action {
        Abort,
        Panic,
        Error,
    }

    #[derive(Debug)]
    struct Fault {
        point: String,
        cause: String,
        action: Action,
        on_pass: Option<NonZeroU64>,
        passes: AtomicU64,
    }

    static FAULTS: LazyLock<Result<Vec<Fault>, String>> = LazyLock::new(|| {
        let text = std::env::var("QIGUAN_FAULTS").unwrap_or_default();
        text.split(';')
            .filter(|one| !one.is_empty())
            .map(|one| parse(one).map_err(|wrong| format!("QIGUAN_FAULTS: {one:?}: {wrong}")))
            .collect()
    });

    fn parse(text: &str) -> Result<Fault, String> {
        let shape = "expected POINT/CAUSE=ACTION[@N]";
        let (place, action) = text.split_once('=').ok_or(shape)?;
        let (point, cause) = place.split_once('/').ok_or(shape)?;
        let (action, on_pass) = match action.split_once('@') {
            Some((action, pass)) => {
                let pass = pass.parse();
                let counted = pass.map_err(|_| "N is a number from 1 on".to_owned())?;
                (action, Some(counted))
            }
            None => (action, None),
        };
        if !super::POINTS.contains(&point) {
            return Err(format!("a point is one of {}", super::POINTS.join(", ")));
        }
        let action = match action {
            "abort" => Action::Abort,
            "panic" => Action::Panic,
            "error" if FAILING.contains(&point) => Action::Error,
            "error" => {
                let failing = FAILING.join(", ");
                return Err(format!("an error can only be requested at {failing}"));
            }
            _ => return Err("an action is one of abort, panic, error".to_owned()),
        };
        if cause.is_empty() {
            return Err("the cause is missing; * is any".to_owned());
        }
        Ok(Fault {
            point: point.to_owned(),
            cause: cause.to_owned(),
            action,
            on_pass,
            passes: AtomicU64::new(0),
        })
    }

    /// Looks whether the faults asked for can be had: a test with a misspelt fault must not pass by testing nothing.
    ///
    /// # Errors
    /// Which of them is wrong, and what is allowed.
    pub fn check() -> anyhow::Result<()> {
        match &*FAULTS {
            Ok(_) => Ok(()),
            Err(wrong) => anyhow::bail!("{wrong}"),
        }
    }

    /// Passes a point. True asks the caller to fail with an I/O error.
    ///
    /// # Panics
    /// When a fault asks for a panic here.
    #[expect(clippy::panic, reason = "panicking is what the fault asks for")]
    pub fn point(name: &'static str, cause: &str) -> bool {
        let mut fail = false;
        for fault in FAULTS.iter().flatten() {
            if fault.point != name || (fault.cause != "*" && fault.cause != cause) {
                continue;
            }
            let pass = fault.passes.fetch_add(1, Ordering::Relaxed) + 1;
            if fault.on_pass.is_some_and(|wanted| wanted.get() != pass) {
                continue;
            }
            match fault.action {
                Action::Abort => std::process::abort(),
                Action::Panic => panic!("fault at {name}/{cause}"),
                Action::Error => fail = true,
            }
        }
        fail
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_fault_names_its_point_its_cause_its_action_and_its_pass() {
            let fault = parse("after_commit/move=abort@3").unwrap();
            assert_eq!(
                (
                    fault.point.as_str(),
                    fault.cause.as_str(),
                    fault.action,
                    fault.on_pass.map(NonZeroU64::get)
                ),
                ("after_commit", "move", Action::Abort, Some(3))
            );
            let fault = parse("append/*=error").unwrap();
            assert_eq!((fault.action, fault.on_pass), (Action::Error, None));
        }

        #[test]
        fn a_fault_that_would_do_nothing_is_refused_and_told_what_is_allowed() {
            for (text, told) in [
                ("append", "POINT/CAUSE=ACTION"),
                ("append=error", "POINT/CAUSE=ACTION"),
                ("append/=error", "the cause is missing"),
                ("apend/move=error", "append"),
                ("append/move=eror", "abort, panic, error"),
                ("append/move=error@0", "from 1 on"),
                ("append/move=error@last", "from 1 on"),
            ] {
                let wrong = parse(text).unwrap_err();
                assert!(wrong.contains(told), "{text}: {wrong}");
            }
        }

        #[test]
        fn an_error_is_refused_at_a_point_whose_passers_cannot_fail() {
            for point in super::super::POINTS {
                let asked = parse(&format!("{point}/move=error"));
                assert_eq!(asked.is_ok(), FAILING.contains(point), "{point}");
                assert!(parse(&format!("{point}/move=panic")).is_ok(), "{point}");
            }
        }
    }
}
