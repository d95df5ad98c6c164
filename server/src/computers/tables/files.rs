//! Tables of endings as files: one for each class, in a folder for each rule set.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use qiguan_engine::tables::{ClassInfo, Source};

/// The folder of all tables.
#[derive(Clone, Debug)]
pub struct TableFolder {
    root: PathBuf,
}

/// A table in a file, which is opened for each block that is asked for: there are hundreds, and few are in use.
#[derive(Debug)]
struct TableFile {
    path: PathBuf,
    len: u64,
}

impl Source for TableFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn read(&self, from: u64, len: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; len];
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(from)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }
}

impl TableFolder {
    /// The tables in this folder, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file of a class: `ancientchess/el-t.table`.
    pub fn path(&self, ruleset: &str, class: &ClassInfo) -> PathBuf {
        let name = ruleset.rsplit('/').next().unwrap_or(ruleset);
        self.root.join(name).join(format!("{}.table", class.name))
    }

    /// The table of a class; none if there is no file.
    ///
    /// # Errors
    /// When nothing can be learnt of the file.
    pub fn open(&self, ruleset: &str, class: &ClassInfo) -> io::Result<Option<Box<dyn Source>>> {
        let path = self.path(ruleset, class);
        let len = match fs::metadata(&path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(Box::new(TableFile { path, len })))
    }

    /// Writes the table of a class. It has its name only once all of it is on the disk, so that no half of a table is ever found.
    ///
    /// # Errors
    /// When the folder or the file can't be written.
    pub fn write(&self, ruleset: &str, class: &ClassInfo, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(ruleset, class);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let unfinished = path.with_extension("unfinished");
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, &path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class() -> ClassInfo {
        ClassInfo {
            id: 0,
            name: "el-t".to_owned(),
            pieces: 3,
            positions: 0,
        }
    }

    #[test]
    fn a_table_that_is_written_is_found_and_another_is_not() {
        let folder = std::env::temp_dir().join(format!("qiguan-tables-{}", std::process::id()));
        let tables = TableFolder::new(&folder);
        let ruleset = "doushouqi/booklet";
        assert!(tables.open(ruleset, &class()).unwrap().is_none());
        tables.write(ruleset, &class(), b"a table").unwrap();
        let found = tables.open(ruleset, &class()).unwrap().unwrap();
        assert_eq!(found.len(), 7);
        assert_eq!(found.read(2, 5).unwrap(), b"table");
        assert!(found.read(3, 5).is_none());
        assert!(
            tables
                .open("doushouqi/tierschach", &class())
                .unwrap()
                .is_none()
        );
        let names: Vec<_> = fs::read_dir(folder.join("booklet")).unwrap().collect();
        assert_eq!(names.len(), 1, "{names:?}");
        fs::remove_dir_all(folder).unwrap();
    }
}
