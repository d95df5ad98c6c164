//! What `qiguan verify` has found, as text or as JSON lines, and the line in the end.

use qiguan_archive::{
    verifying::Finding, verifying_acts::ActFinding, verifying_attendance::AttendanceFinding,
    verifying_players::PlayerFinding, verifying_said::SaidFinding,
};
use qiguan_store::store::StoreError;
use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::progress::Progress;

/// What came of it as a line.
#[derive(Default, Serialize)]
pub(super) struct Summary {
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) rating_changes: u64,
    pub(super) bad: u64,
    /// Players checked; none if only some games were asked for.
    pub(super) players: u64,
    pub(super) bad_players: u64,
    pub(super) acts: u64,
    /// Entries of when players were connected.
    pub(super) attendance: u64,
    /// Lines of spectators.
    pub(super) said: u64,
    /// What the database finds wrong with its file, and what could not be read.
    pub(super) damage: u64,
    #[serde(skip)]
    pub(super) bad_ratings: u64,
    #[serde(skip)]
    pub(super) bad_acts: u64,
    #[serde(skip)]
    pub(super) bad_attendance: u64,
    #[serde(skip)]
    pub(super) bad_said: u64,
    pub(super) seconds: f64,
}

impl Summary {
    /// The line in the end.
    pub(super) fn line(&self, json: bool) -> anyhow::Result<String> {
        if json {
            return Ok(serde_json::to_string(self)?);
        }
        Ok(format!(
            "{} games with {} plies in {:.2} s: {:.0} games/s, {:.0} plies/s; {} bad",
            self.games,
            self.plies,
            self.seconds,
            self.games as f64 / self.seconds,
            self.plies as f64 / self.seconds,
            self.bad
        ))
    }
}

/// Prints each finding where the progress is shown, and counts it.
pub(super) struct Telling {
    pub(super) json: bool,
    pub(super) progress: Progress,
    pub(super) summary: Summary,
    /// The first line that could not be printed.
    pub(super) printed: anyhow::Result<()>,
}

impl Telling {
    pub(super) fn new(json: bool, progress: Progress) -> Self {
        Self {
            json,
            progress,
            summary: Summary::default(),
            printed: Ok(()),
        }
    }

    fn line(&mut self, value: &Value, text: &str) {
        let line = if self.json {
            value.to_string()
        } else {
            text.to_owned()
        };
        if let Err(error) = self.progress.print(&line)
            && self.printed.is_ok()
        {
            self.printed = Err(error.into());
        }
    }

    /// Something is wrong with the file itself.
    pub(super) fn damage(&mut self, what: &str) {
        self.summary.damage += 1;
        self.line(&json!({ "damage": what }), &format!("damage: {what}"));
    }

    /// Something could not be read to its end.
    pub(super) fn unread(&mut self, what: &str, error: &StoreError) {
        self.damage(&format!("{what}: {error}"));
    }

    pub(super) fn game(&mut self, Finding { game, seq, what }: &Finding) {
        self.summary.bad += 1;
        let at = seq.map_or_else(String::new, |seq| format!(", event {seq}"));
        self.line(
            &json!({ "game": game, "seq": seq, "what": what }),
            &format!("game {game}{at}: {what}"),
        );
    }

    pub(super) fn player(&mut self, PlayerFinding { player, what }: &PlayerFinding) {
        self.summary.bad_players += 1;
        self.line(
            &json!({ "player": player, "what": what }),
            &format!("player {player}: {what}"),
        );
    }

    pub(super) fn rating(&mut self, what: &str) {
        self.summary.bad_ratings += 1;
        self.line(&json!({ "ratings": what }), &format!("ratings of {what}"));
    }

    pub(super) fn act(&mut self, ActFinding { act, what }: &ActFinding) {
        self.summary.bad_acts += 1;
        self.line(
            &json!({ "act": act, "what": what }),
            &format!("entry {} of the audit log: {what}", act.0),
        );
    }

    pub(super) fn attendance(&mut self, AttendanceFinding { game, what }: &AttendanceFinding) {
        self.summary.bad_attendance += 1;
        self.line(
            &json!({ "attendance": game, "what": what }),
            &format!("connection log of game {game}: {what}"),
        );
    }

    pub(super) fn said(&mut self, SaidFinding { game, number, what }: &SaidFinding) {
        self.summary.bad_said += 1;
        self.line(
            &json!({ "said": game, "number": number, "what": what }),
            &format!("spectator message {number} of game {game}: {what}"),
        );
    }
}
