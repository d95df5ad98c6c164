//! Random games in an archive, every event decided by the server's own referee; and their moves replayed by the rules alone.

use std::{fs::File, io::Write, path::Path};

use anyhow::Result;
use qiguan_archive::line::{self, ArchiveLine, Counts, ExportScope, Header, Kind};
use qiguan_game::{
    referee::Command,
    testing::{Table, fischer},
};
use qiguan_protocol::{
    ids::{Epoch, GameId},
    names::Status,
};
use qiguan_store::stored::{Selection, StoredEvent, StoredGame};
use uuid::Uuid;

pub(crate) mod replay;

/// The rule sets, in turn.
const RULESETS: [&str; 3] = [
    "doushouqi/ancientchess",
    "xiangqi/standard",
    "luzhanqi/referee",
];
/// A game that goes on for longer is given up.
const PLIES: usize = 100;

/// Writes so many games.
///
/// # Errors
/// When the file can't be written.
pub(crate) fn write(file: &Path, games: u32) -> Result<()> {
    let mut out = std::io::BufWriter::new(File::create(file)?);
    let wanted = ExportScope {
        selection: Selection::default(),
        everything: false,
    };
    let header = Header::new(Epoch(0), None, &wanted);
    out.write_all(&line::write(&ArchiveLine::Header(header))?)?;
    let mut end = Counts::default();
    for number in 0..games {
        let ruleset = RULESETS[number as usize % RULESETS.len()];
        let game = GameId(Uuid::from_u128(u128::from(number) | 1 << 127));
        let mut table = Table::open(game, ruleset, fischer(), u64::from(number) + 1);
        table.plays(PLIES);
        if table.state.status != Status::Ended {
            table.does(1, &Command::Resign);
        }
        let events = table.state.log.iter().map(StoredEvent::encode);
        let stored = StoredGame {
            game,
            line: None,
            events: Ok(events.collect::<Result<_, _>>()?),
        };
        out.write_all(&line::game(stored, Vec::new())?)?;
        end.add(Kind::Games);
    }
    out.write_all(&line::write(&ArchiveLine::End(end))?)?;
    Ok(out.flush()?)
}
