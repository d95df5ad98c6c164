//! The tables of a server: those that are there are used, and those that are missing made when nobody thinks.

use std::{
    collections::VecDeque,
    sync::{Arc, atomic::AtomicBool},
};

use parking_lot::Mutex;
use qiguan_engine::tables::{ClassInfo, Endings, SMALL, Tables};
use qiguan_rules::RuleSet;

use super::files::TableFolder;
use crate::computers::pool::{Spare, SpareWork};

/// See the module. Tables of at most three animals are made in memory when they are first needed; those of four are files.
#[derive(Debug)]
pub struct TableMaker {
    endings: Arc<Endings>,
    folder: TableFolder,
    /// Whether missing ones are made.
    makes: bool,
    /// What is missing; none as long as nobody has looked.
    missing: Mutex<Option<VecDeque<(&'static str, ClassInfo)>>>,
}

impl TableMaker {
    /// Tables in this folder.
    pub const fn new(endings: Arc<Endings>, folder: TableFolder, makes: bool) -> Self {
        Self {
            endings,
            folder,
            makes,
            missing: Mutex::new(None),
        }
    }

    /// Takes the tables that are there into use, and notes which are missing.
    pub fn look(&self) {
        let mut missing = self.missing.lock();
        if missing.is_none() {
            *missing = Some(self.find_missing());
        }
    }

    fn find_missing(&self) -> VecDeque<(&'static str, ClassInfo)> {
        let mut missing = VecDeque::new();
        // Where nothing is made, a folder that is not there has nothing to look for.
        if !self.makes && !self.folder.root().exists() {
            return missing;
        }
        for (id, tables) in self.rulesets() {
            for class in tables.classes().filter(|class| class.pieces > SMALL) {
                if !self.take(id, tables, &class) {
                    missing.push_back((id, class));
                }
            }
        }
        missing
    }

    fn rulesets(&self) -> impl Iterator<Item = (&'static str, &Tables)> {
        let all = Endings::RULE_SETS.into_iter();
        all.filter_map(|id| {
            let ruleset = RuleSet::named(id).ok()?;
            Some((id, self.endings.of_ruleset(&ruleset)?))
        })
    }

    /// Takes a table into use; whether it is there and whole.
    fn take(&self, id: &str, tables: &Tables, class: &ClassInfo) -> bool {
        let file = || self.folder.path(id, class).display().to_string();
        match self.folder.open(id, class) {
            Ok(None) => false,
            Ok(Some(source)) => match tables.load(class.id, source) {
                Ok(()) => true,
                Err(error) => {
                    tracing::error!(file = file(), %error, "a table of endings can't be used");
                    false
                }
            },
            Err(error) => {
                tracing::error!(file = file(), %error, "a table of endings can't be read");
                false
            }
        }
    }

    /// Tables that were in use until a part of them turned out to be damaged.
    fn damaged(&self) -> Vec<(&'static str, ClassInfo)> {
        let mut found = Vec::new();
        for (id, tables) in self.rulesets() {
            let damaged = tables.classes().filter(|class| tables.is_damaged(class.id));
            found.extend(damaged.map(|class| (id, class)));
        }
        found
    }

    /// Makes a table and takes it into use.
    fn make(&self, id: &'static str, class: ClassInfo, stop: &AtomicBool) -> Spare {
        let tables = self.rulesets().find(|(other, _)| *other == id);
        let Some((_, tables)) = tables else {
            return Spare::Done;
        };
        let made = tables
            .prepare(stop)
            .then(|| tables.make(class.id, stop))
            .flatten();
        let Some(bytes) = made else {
            // It was stopped: the next time begins with it.
            self.put_back(id, class);
            return Spare::More;
        };
        if let Err(error) = self.folder.write(id, &class, &bytes) {
            let file = self.folder.path(id, &class).display().to_string();
            tracing::error!(file, %error, "a table of endings can't be written; no more are made");
            return Spare::Done;
        }
        self.take(id, tables, &class);
        tracing::debug!(
            ruleset = id,
            class = class.name,
            "a table of endings is made"
        );
        Spare::More
    }

    fn put_back(&self, id: &'static str, class: ClassInfo) {
        if let Some(missing) = self.missing.lock().as_mut() {
            missing.push_front((id, class));
        }
    }
}

impl SpareWork for TableMaker {
    fn is_wanted(&self) -> bool {
        self.makes && !self.damaged().is_empty()
    }

    fn work(&self, stop: &AtomicBool) -> Spare {
        self.look();
        if !self.makes {
            return Spare::Done;
        }
        let next = self.missing.lock().as_mut().and_then(VecDeque::pop_front);
        if let Some((id, class)) = next {
            return self.make(id, class, stop);
        }
        match self.damaged().into_iter().next() {
            Some((id, class)) => {
                let file = self.folder.path(id, &class).display().to_string();
                tracing::error!(file, "a table of endings is damaged; it is made again");
                self.make(id, class, stop)
            }
            None => Spare::Done,
        }
    }
}
