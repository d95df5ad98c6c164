//! `qiguan tables`: makes the tables of endings of Dou Shou Qi, checks them, and plays by them.

mod playing;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use anyhow::{Context, bail};
use qiguan_engine::tables::{Checked, ClassInfo, Endings, MOST_PIECES, SMALL, Tables};
use qiguan_rules::RuleSet;
use qiguan_server::computers::tables::files::TableFolder;

use crate::cli::{progress::Progress, records::RecordsArgs};

/// Nothing stops the command but a signal, which ends the process.
static GO_ON: AtomicBool = AtomicBool::new(false);
/// Room for values in use, in MiB.
const CACHE_MIB: usize = 64;

/// Makes tables of all endings of Dou Shou Qi with few animals: who wins, and how soon.
///
/// Makes those that are missing, and goes on where it was stopped. About two minutes and 45 MB for doushouqi/ancientchess and
/// doushouqi/booklet each, four and 85 MB for doushouqi/tierschach, on one core. `qiguan serve` does the same by itself while its computer
/// players have nothing to think about, so this is for who does not want to wait, or wants to check.
#[derive(clap::Args, Debug)]
pub(crate) struct TablesArgs {
    /// The folder of the tables, each rule set's in a folder of its own. Default: the server's, as the settings say.
    #[arg(long, env = "QIGUAN_TABLES", alias = "dir", value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    records: RecordsArgs,
    /// A rule set of Dou Shou Qi, such as doushouqi/booklet; repeatable. Default: all three.
    #[arg(long, value_name = "ID")]
    ruleset: Vec<String>,
    /// The most animals on the board, 2 to 4.
    #[arg(
        long,
        default_value_t = MOST_PIECES as u8,
        value_parser = clap::value_parser!(u8).range(2..=MOST_PIECES as i64),
        value_name = "N"
    )]
    pieces: u8,
    /// How many tables are worked on at once, each with about 150 MB of memory.
    #[arg(
        long,
        default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..=64),
        value_name = "N"
    )]
    threads: u8,
    /// Make nothing; derive every value of the tables again from the values after each legal move. The first that is wrong ends the command.
    #[arg(long)]
    check: bool,
    /// Then play so many random positions of a rule set to their ends, and fail if a move gives away what the tables promise.
    #[arg(long, default_value_t = 0, value_name = "N")]
    verify_random: u32,
    /// What the random positions follow from.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

/// Makes, checks and plays.
///
/// # Errors
/// When a rule set has no tables, a file can't be read or written, or a table is missing, damaged or wrong.
pub(crate) fn run(args: &TablesArgs) -> anyhow::Result<()> {
    let endings = Arc::new(Endings::new(CACHE_MIB));
    let mut rulesets: Vec<&str> = args.ruleset.iter().map(String::as_str).collect();
    if rulesets.is_empty() {
        rulesets.extend(Endings::RULE_SETS);
    }
    // All that is asked for is looked at before anything is made.
    let works: anyhow::Result<Vec<Work<'_>>> = rulesets
        .iter()
        .map(|id| Work::of(args, id, &endings))
        .collect();
    for work in works? {
        work.tables.prepare(&GO_ON);
        if args.check {
            work.check()?;
        } else {
            work.make()?;
        }
        if args.verify_random > 0 {
            work.load()?;
            let played = playing::play(&work.ruleset, &endings, args)?;
            Progress::new("positions", None).print(&format!("{}: {played}", work.id))?;
        }
    }
    Ok(())
}

/// The endings that a player knows: those of three animals, and those of four of which the tables lie in a folder.
///
/// # Errors
/// When a table there is damaged.
pub(crate) fn endings(folder: Option<&Path>) -> anyhow::Result<Arc<Endings>> {
    let endings = Endings::new(CACHE_MIB);
    let Some(folder) = folder.map(TableFolder::new) else {
        return Ok(Arc::new(endings));
    };
    for id in Endings::RULE_SETS {
        let tables = endings.of_ruleset(&RuleSet::named(id)?).context(id)?;
        for class in tables.classes().filter(|class| class.pieces > SMALL) {
            let path = folder.path(id, &class).display().to_string();
            if let Some(source) = folder.open(id, &class).with_context(|| path.clone())? {
                tables.load(class.id, source).with_context(|| path)?;
            }
        }
    }
    Ok(Arc::new(endings))
}

/// What is done for a rule set.
struct Work<'a> {
    args: &'a TablesArgs,
    id: &'a str,
    ruleset: RuleSet,
    tables: &'a Tables,
    folder: TableFolder,
    classes: Vec<ClassInfo>,
}

impl<'a> Work<'a> {
    /// What is to do for a rule set.
    ///
    /// # Errors
    /// When it has no tables.
    fn of(args: &'a TablesArgs, id: &'a str, endings: &'a Endings) -> anyhow::Result<Self> {
        let ruleset = RuleSet::named(id).with_context(|| id.to_owned())?;
        let tables = endings.of_ruleset(&ruleset).with_context(|| {
            let known = Endings::RULE_SETS.join(", ");
            format!("--ruleset {id}: expected one of {known}")
        })?;
        let classes = tables.classes();
        Ok(Self {
            args,
            id,
            ruleset,
            tables,
            folder: TableFolder::new(args.records.tables_folder(args.tables.clone())),
            classes: classes
                .filter(|class| class.pieces <= args.pieces.into())
                .collect(),
        })
    }

    fn positions(&self) -> u64 {
        self.classes.iter().map(|class| class.positions).sum()
    }

    /// Makes what is missing or no table of its class.
    fn make(&self) -> anyhow::Result<()> {
        let mut made = 0;
        let mut bytes = 0;
        let seconds = self.each(
            |class, progress| {
                let path = self.folder.path(self.id, class);
                let found = self.folder.open(self.id, class);
                let found = found.with_context(|| path.display().to_string())?;
                if let Some(source) = found {
                    let len = source.len();
                    match self.tables.load(class.id, source) {
                        Ok(()) => return Ok((0, len)),
                        Err(error) => {
                            let progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                            progress.say(&format!("{}: {error}; it is made again", path.display()));
                        }
                    }
                }
                let table = self.tables.make(class.id, &GO_ON);
                let table = table.with_context(|| format!("{}: was stopped", class.name))?;
                let written = self.folder.write(self.id, class, &table);
                written.with_context(|| path.display().to_string())?;
                Ok((1, table.len() as u64))
            },
            |(new, len)| {
                made += new;
                bytes += len;
            },
        )?;
        let (id, classes, positions) = (self.id, self.classes.len(), self.positions());
        Progress::new("tables", None).print(&format!(
            "{id}: {classes} tables ({made} made now), {positions} places, {:.1} MB, {seconds:.1} s",
            bytes as f64 / 1e6
        ))?;
        Ok(())
    }

    /// Derives every value again.
    fn check(&self) -> anyhow::Result<()> {
        let mut counted = Checked::default();
        let seconds = self.each(
            |class, _| {
                let path = self.folder.path(self.id, class).display().to_string();
                let Some(source) = self
                    .folder
                    .open(self.id, class)
                    .with_context(|| path.clone())?
                else {
                    bail!("{path} is missing: run the command without --check to make it");
                };
                let checked = self
                    .tables
                    .check(class.id, source, &GO_ON)
                    .with_context(|| path.clone())?;
                checked.with_context(|| format!("{path}: was stopped"))
            },
            |checked| counted.add(&checked),
        )?;
        let Checked {
            positions,
            won,
            drawn,
            lost,
            longest,
        } = counted;
        Progress::new("tables", None).print(&format!(
            "{}: {} tables, {positions} positions as they follow from the rules: {won} won, {drawn} drawn, {lost} lost; \
             longest win {longest} plies to a capture or the end; {seconds:.1} s",
            self.id,
            self.classes.len()
        ))?;
        Ok(())
    }

    /// Takes every table into use.
    fn load(&self) -> anyhow::Result<()> {
        for class in &self.classes {
            let path = self.folder.path(self.id, class).display().to_string();
            let source = self
                .folder
                .open(self.id, class)
                .with_context(|| path.clone())?;
            let source = source.with_context(|| format!("{path} is missing"))?;
            self.tables.load(class.id, source).with_context(|| path)?;
        }
        Ok(())
    }

    /// Does something with each class, on so many threads, and hands the results on; how many seconds that takes. It ends with the
    /// first error.
    fn each<T: Send>(
        &self,
        work: impl Fn(&ClassInfo, &Mutex<Progress>) -> anyhow::Result<T> + Sync,
        mut done: impl FnMut(T) + Send,
    ) -> anyhow::Result<f64> {
        let progress = Mutex::new(Progress::new("places", Some(self.positions())));
        let next = AtomicUsize::new(0);
        let done = Mutex::new(&mut done);
        let error = Mutex::new(None);
        let take = || {
            while let Some(class) = self.classes.get(next.fetch_add(1, Ordering::Relaxed)) {
                match work(class, &progress) {
                    Ok(result) => {
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        done(result);
                        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                        progress.advance(class.positions);
                    }
                    Err(failed) => {
                        next.store(self.classes.len(), Ordering::Relaxed);
                        let mut error = error.lock().unwrap_or_else(PoisonError::into_inner);
                        error.get_or_insert(failed);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.args.threads {
                scope.spawn(take);
            }
            take();
        });
        let progress = progress
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        progress.end();
        match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(progress.seconds()),
        }
    }
}
