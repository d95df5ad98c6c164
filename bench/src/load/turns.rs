//! One game that many watch, measured by turns: in some of them there is one spectator more, who comes and then reads nothing.
//!
//! Two games alike differ by more than what is looked for here, and so do two minutes of one. So the turns are short, and each kind has
//! as many of them as the others.

use std::{cell::RefCell, time::Duration};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::load::{failed, people::People, seated, tally::Tally};

/// In which order the kinds of [`Turns`] follow: forth and back, so that what grows slower by the minute falls on all alike.
const ORDER: [usize; 6] = [0, 1, 2, 2, 1, 0];
/// Which kind has a stalled spectator. The two others are alike: what they differ by is chance.
const STALLED: usize = 1;
/// How long it goes on before a turn counts: somebody has come or gone.
const SETTLING: Duration = Duration::from_millis(500);

/// What one kind of turn has shown, in nanoseconds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Times {
    /// From sending each move to its receipt by the opponent.
    pub(crate) to_opponent: Vec<u32>,
    /// From sending it until the last of all who read has it.
    pub(crate) to_last: Vec<u32>,
}

/// All read; one does not; all read, again.
pub(crate) type Turns = [Times; 3];

/// Plays so many turns of each kind, of so many seconds. The game goes on in between.
pub(super) async fn take(
    people: &People,
    tally: &Tally,
    of_each: usize,
    seconds: f64,
) -> Result<Turns> {
    let mut turns = Turns::default();
    let everybody = tally.ready.get();
    for (come, kind) in ORDER.into_iter().cycle().take(of_each * 3).enumerate() {
        let stalled = if kind == STALLED {
            tally.ready.set(everybody);
            let stalled = people.stall().await?;
            seated(tally, everybody + 1).await?;
            Some(stalled)
        } else {
            None
        };
        tokio::time::sleep(SETTLING).await;
        tally.counting.set(true);
        tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
        tally.counting.set(false);
        failed(tally)?;
        if let Some(stalled) = stalled {
            stalled.abort();
        }
        let times = &mut turns[kind];
        let before = times.to_opponent.len();
        collect(&tally.to_opponent, &mut times.to_opponent);
        collect(&tally.to_last, &mut times.to_last);
        ensure!(
            times.to_opponent.len() > before,
            "nobody moved in turn {come}"
        );
    }
    Ok(turns)
}

fn collect(from: &RefCell<Vec<u32>>, into: &mut Vec<u32>) {
    into.append(&mut from.borrow_mut());
}
