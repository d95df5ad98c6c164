//! Pages of searches among very many stored games, asked of the record itself.
//!
//! The games are generated: lines as lists show them, each with the one event that opens it, over years of play by people of whom
//! some play much more than others. Nothing else of a game is looked at by a search.

mod games;

use anyhow::{Result, ensure};
use qiguan_protocol::{
    ids::{Epoch, Millis},
    names::Status,
};
use qiguan_rules::EndReason;
use qiguan_store::store::{ClockKind, GameFilter, ResultFilter, Store};
use serde::{Deserialize, Serialize};

use crate::{load, numbers::percentile, stopwatch::Stopwatch};

/// The rule set whose positions are searched.
const RULESET: &str = "xiangqi/standard";
/// How many pages of each search are read one after the other; then it starts again.
const PAGES: u32 = 20;

/// What is measured.
#[derive(clap::Args)]
pub(crate) struct SearchArgs {
    /// The database, in which nothing is yet: `sqlite:` and a path, or `postgres://`.
    #[arg(long)]
    database: String,
    /// How many games it gets.
    #[arg(long)]
    games: u32,
    /// The database has them already, from an earlier run.
    #[arg(long)]
    filled: bool,
    /// How many pages of each search are read.
    #[arg(long, default_value_t = 200)]
    pages: u32,
}

/// What came of one search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SearchTiming {
    /// What was looked for.
    pub(crate) search: String,
    /// Milliseconds in the middle.
    pub(crate) p50: f64,
    /// Milliseconds that 99 of 100 pages did not take.
    pub(crate) p99: f64,
    /// Games on a page, on average.
    pub(crate) games: f64,
}

/// What came of all.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Search {
    /// Games that were written in a second; 0 if they were there already.
    pub(crate) filled: f64,
    /// Each search.
    pub(crate) found: Vec<SearchTiming>,
}

/// Fills the database, searches it, and prints what came of it as one line of JSON.
///
/// # Errors
/// When the database refuses anything.
pub(crate) fn run(args: &SearchArgs) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    load::print(&runtime.block_on(async {
        let store = qiguan_store::open(&args.database, None, Epoch(1)).await?;
        let watch = Stopwatch::start();
        let filled = if args.filled {
            0.0
        } else {
            games::fill(store.as_ref(), args.games).await?;
            f64::from(args.games) / watch.elapsed().as_secs_f64()
        };
        let mut found = Vec::new();
        for (search, filter) in searches(args.games) {
            found.push(measure(store.as_ref(), search, filter, args.pages).await?);
        }
        for (search, moves) in [
            ("an opening: the start", &[][..]),
            ("an opening: some moves", &[3, 1, 4]),
        ] {
            found.push(measure_opening(store.as_ref(), search, moves, args.pages).await?);
        }
        store.close().await;
        anyhow::Ok(Search { filled, found })
    })?)
}

/// What people look for, what is rare, and what is not there at all.
#[expect(clippy::too_many_lines, reason = "a table of searches")]
fn searches(games: u32) -> Vec<(&'static str, GameFilter)> {
    let all = GameFilter {
        limit: 50,
        ..GameFilter::default()
    };
    let busy = Some(games::player(0).id);
    let middle = Millis(games::opened(games / 2).0);
    let xiangqi = Some(vec![
        "xiangqi/grunfeld".to_owned(),
        "xiangqi/standard".to_owned(),
    ]);
    let with = |change: &dyn Fn(&mut GameFilter)| {
        let mut filter = all.clone();
        change(&mut filter);
        filter
    };
    vec![
        ("everything", all.clone()),
        (
            "ended, of a kind",
            with(&|f| {
                f.status = Some(Status::Ended);
                f.rulesets.clone_from(&xiangqi);
            }),
        ),
        (
            "from the middle on",
            with(&|f| f.created_until = Some(middle)),
        ),
        ("of a player", with(&|f| f.player = busy)),
        (
            "of a player, as that player",
            with(&|f| {
                f.player = busy;
                f.viewer = busy;
            }),
        ),
        (
            "of two players",
            with(&|f| {
                f.player = busy;
                f.against = Some(games::player(1).id);
            }),
        ),
        (
            "draws of a kind",
            with(&|f| {
                f.result = Some(ResultFilter::Draw);
                f.rulesets.clone_from(&xiangqi);
            }),
        ),
        (
            "a rare end",
            with(&|f| f.reason = Some(EndReason::Repetition)),
        ),
        (
            "a rare end of a player",
            with(&|f| {
                f.reason = Some(EndReason::Repetition);
                f.player = busy;
            }),
        ),
        (
            "strong, rated, long",
            with(&|f| {
                f.rating_from = Some(2_300);
                f.rated = Some(true);
                f.plies_from = Some(200);
            }),
        ),
        (
            "by a rating",
            with(&|f| {
                f.rating_from = Some(1_700);
                f.rating_until = Some(1_800);
            }),
        ),
        (
            "by how it ended",
            with(&|f| f.reason = Some(EndReason::Timeout)),
        ),
        (
            "the start position",
            with(&|f| f.position = Some(games::position(RULESET, &[]))),
        ),
        (
            "the start position, draws",
            with(&|f| {
                f.position = Some(games::position(RULESET, &[]));
                f.result = Some(ResultFilter::Draw);
            }),
        ),
        (
            "a position after some moves",
            with(&|f| f.position = Some(games::position(RULESET, &[3, 1, 4]))),
        ),
        (
            "the start position, of a player",
            with(&|f| {
                f.position = Some(games::position(RULESET, &[]));
                f.player = busy;
            }),
        ),
        (
            "the start position, nothing there",
            with(&|f| {
                f.position = Some(games::position(RULESET, &[]));
                f.clock = Some(ClockKind::Byoyomi);
            }),
        ),
        (
            "nothing that there is",
            with(&|f| f.clock = Some(ClockKind::Byoyomi)),
        ),
        (
            "nothing of a kind, with draws",
            with(&|f| {
                f.clock = Some(ClockKind::Byoyomi);
                f.rulesets.clone_from(&xiangqi);
                f.result = Some(ResultFilter::Draw);
            }),
        ),
        (
            "nothing of a player",
            with(&|f| {
                f.clock = Some(ClockKind::Byoyomi);
                f.player = busy;
                f.viewer = busy;
            }),
        ),
    ]
}

/// The opening itself: what was played in a position, and the newest games.
async fn measure_opening(
    store: &Store,
    search: &str,
    moves: &[u32],
    times: u32,
) -> Result<SearchTiming> {
    let position = games::position(RULESET, moves);
    let (mut micros, mut games) = (Vec::new(), 0);
    for _ in 0..times {
        let watch = Stopwatch::start();
        let opening = store.opening(position, 5).await?;
        micros.push(u32::try_from(watch.elapsed().as_micros()).unwrap_or(u32::MAX));
        games += opening.newest.len();
    }
    Ok(found(search, micros, games))
}

async fn measure(
    store: &Store,
    search: &str,
    mut filter: GameFilter,
    pages: u32,
) -> Result<SearchTiming> {
    ensure!(pages > 0, "--pages is at least 1");
    let (mut micros, mut games) = (Vec::new(), 0);
    for number in 0..pages {
        if number % PAGES == 0 {
            filter.before = None;
        }
        let watch = Stopwatch::start();
        let page = store.games(&filter).await?;
        micros.push(u32::try_from(watch.elapsed().as_micros()).unwrap_or(u32::MAX));
        games += page.games.len();
        filter.before = page.before;
    }
    Ok(found(search, micros, games))
}

fn found(search: &str, mut micros: Vec<u32>, games: usize) -> SearchTiming {
    micros.sort_unstable();
    let ms = |percent| f64::from(percentile(&micros, percent)) / 1_000.0;
    SearchTiming {
        search: search.to_owned(),
        p50: ms(50),
        p99: ms(99),
        games: games as f64 / micros.len() as f64,
    }
}
