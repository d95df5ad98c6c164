//! Which of several programs on one record owns what.

use crate::{program::Program, record::Database, waiting::eventually};

/// The slot whose owner has the lobby.
pub const LOBBY: i16 = 0;
/// The slot whose owner counts openings.
pub const OPENINGS: i16 = 1;
/// How many slots there are.
const SLOTS: i64 = 4_096;

const OWNER: &str = "select name from slots join nodes using (node, incarnation) where slot = $1";
/// The fewest slots that a program owns, which is all that there is to wait for as long as no game is open: the last ones move together.
const FEWEST: &str = "select coalesce(min(owned), 0) from (select count(slot) as owned from nodes left join slots using (node, incarnation) group by node, incarnation) as shares";
/// How often slots have changed hands, and the beat of the program that is furthest behind with its own, in milliseconds.
const MOVES: &str = "select (select sum(epoch)::bigint from slots), (extract(epoch from min(beat_at)) * 1000)::bigint from nodes";
/// So long all programs have beaten, three times each, and no slot has moved: with each beat they look whether one has to.
const AT_REST_MS: i64 = 750;
/// How many programs there are.
const PROGRAMS: &str = "select count(*) from nodes";

/// Waits until all programs on a record have their shares and no slot moves any more: a game that is begun before that may move at once, and who watches
/// it is told `dropped`; and a budget is full again where its slot has moved to.
pub async fn have_their_shares(database: &Database) {
    let mut last = None;
    eventually("a share of each program", async || {
        let mut session = database.session().await;
        let fewest = sqlx::query_scalar::<_, i64>(FEWEST).fetch_one(&mut session);
        let fewest = fewest.await.expect("the slots");
        let programs = sqlx::query_scalar::<_, i64>(PROGRAMS).fetch_one(&mut session);
        let programs = programs.await.expect("the programs");
        let moves = sqlx::query_as::<_, (i64, i64)>(MOVES).fetch_one(&mut session);
        let (moves, beat) = moves.await.expect("the slots and the programs");
        let since = match last {
            Some((before, since)) if before == moves => since,
            _ => beat,
        };
        last = Some((moves, since));
        (fewest > SLOTS * 4 / 5 / programs && beat - since >= AT_REST_MS).then_some(())
    })
    .await;
}

/// The name of the program that owns a slot, which ends with its process; none if nobody does.
pub async fn owner(database: &Database, slot: i16) -> Option<String> {
    let mut session = database.session().await;
    let owner = sqlx::query_scalar(OWNER).bind(slot);
    let owner = owner.fetch_optional(&mut session).await;
    owner.expect("the slots")
}

/// The programs: which owns a slot, and the other one.
pub async fn with_the_owner_first(slot: i16, programs: [Program; 2]) -> [Program; 2] {
    let database = programs[0].database();
    let name = eventually("an owner of the slot", async || {
        owner(&database, slot).await
    })
    .await;
    let [one, two] = programs;
    if name.ends_with(&format!("process {}", one.pid())) {
        [one, two]
    } else {
        [two, one]
    }
}
