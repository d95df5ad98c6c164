//! Named points at which a test may crash, panic or fail the program.
//!
//! They exist in debug builds alone; in a release build [`point`] is a constant `false` and the names are not in the
//! binary. `QIGUAN_FAULTS` sets them: `POINT/CAUSE=ACTION[@N]`, separated by `;`. `CAUSE` is the type of the command
//! under way (`move`, `resign`, …; `*` for any), `ACTION` is `abort`, `panic` or `error`, and `N` counts the passes
//! from 1 (absent: every pass). Example: `after_commit/move=abort@3`.

/// The points, in the order in which a command passes them.
pub const POINTS: &[&str] = &[
    "after_check",
    "before_commit",
    "append",
    "after_commit",
    "apply",
    "before_answer",
    "before_publish",
];

#[cfg(not(debug_assertions))]
/// Nothing, in this build.
#[inline(always)]
pub const fn point(_name: &'static str, _cause: &str) -> bool {
    false
}

#[cfg(debug_assertions)]
pub use armed::point;

#[cfg(debug_assertions)]
mod armed {
    use std::sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    };

    struct Fault {
        point: String,
        cause: String,
        action: String,
        on_pass: Option<u64>,
        passes: AtomicU64,
    }

    static FAULTS: LazyLock<Vec<Fault>> = LazyLock::new(|| {
        let text = std::env::var("QIGUAN_FAULTS").unwrap_or_default();
        text.split(';')
            .filter(|one| !one.is_empty())
            .map(parse)
            .collect()
    });

    #[expect(
        clippy::panic,
        reason = "a test with a misspelt fault must not pass by testing nothing"
    )]
    fn parse(text: &str) -> Fault {
        let parsed = text.split_once('=').and_then(|(place, action)| {
            let (point, cause) = place.split_once('/')?;
            let (action, pass) = match action.split_once('@') {
                Some((action, pass)) => (action, Some(pass.parse().ok()?)),
                None => (action, None),
            };
            let known =
                super::POINTS.contains(&point) && ["abort", "panic", "error"].contains(&action);
            known.then(|| Fault {
                point: point.to_owned(),
                cause: cause.to_owned(),
                action: action.to_owned(),
                on_pass: pass,
                passes: AtomicU64::new(0),
            })
        });
        parsed.unwrap_or_else(|| panic!("QIGUAN_FAULTS: {text:?} is not POINT/CAUSE=ACTION[@N]"))
    }

    /// Passes a point. True asks the caller to fail with an I/O error.
    ///
    /// # Panics
    /// When a fault asks for a panic here.
    #[expect(clippy::panic, reason = "panicking is what the fault asks for")]
    pub fn point(name: &'static str, cause: &str) -> bool {
        let mut fail = false;
        for fault in FAULTS.iter() {
            if fault.point != name || (fault.cause != "*" && fault.cause != cause) {
                continue;
            }
            let pass = fault.passes.fetch_add(1, Ordering::Relaxed) + 1;
            if fault.on_pass.is_some_and(|wanted| wanted != pass) {
                continue;
            }
            match fault.action.as_str() {
                "abort" => std::process::abort(),
                "panic" => panic!("fault at {name}/{cause}"),
                _ => fail = true,
            }
        }
        fail
    }
}
