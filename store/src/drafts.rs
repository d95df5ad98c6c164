//! Drafts: what one seat alone may read of a game, its setup in progress and its notes. No game follows from them.

use qiguan_game::seat_drafts::{DraftKind, Drafts};
use qiguan_protocol::ids::GameId;
use qiguan_rules::{Seat, luzhanqi::Setup};

use crate::{
    db::{Db, Failed, sql},
    rows::{seat_number, seat_of},
    store::{Store, StoreError},
};

/// Saves a draft of a seat, in place of the one before.
const SAVE: &str = "insert into papers (game_id, seat, kind, body) values ($1, $2, $3, $4) \
     on conflict (game_id, seat, kind) do update set body = excluded.body";
/// The drafts of a game.
pub(crate) const OF_GAME: &str = "select seat, kind, body from papers where game_id = $1";

/// A draft of a seat.
#[derive(Clone, PartialEq, Eq)]
pub struct Draft {
    /// The game.
    pub game: GameId,
    /// Whose.
    pub seat: Seat,
    /// What it is.
    pub kind: DraftKind,
    /// Its text.
    pub text: String,
}

impl std::fmt::Debug for Draft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("<hidden>")
    }
}

impl Store {
    /// The drafts of both seats of a game; none for a game that has none.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn drafts(&self, game: GameId) -> Result<Drafts, StoreError> {
        let rows: Vec<(i64, String, String)> = self.rows(sql(OF_GAME).bind(game)).await?;
        let mut drafts = Drafts::default();
        for (seat, kind, body) in rows {
            let corrupt = |what: &str| StoreError::Corrupt {
                table: "papers",
                row: format!("{game} {seat} {kind}"),
                what: what.to_owned(),
            };
            let seat = seat_of(seat).ok_or_else(|| corrupt("no seat has this number"))?;
            let of = drafts.get_mut(seat);
            match kind_of(&kind).ok_or_else(|| corrupt("unknown kind of draft"))? {
                // What stands there is a secret: nothing of it is quoted.
                DraftKind::Setup => {
                    let setup = Setup::read(seat, &body);
                    of.setup = Some(setup.map_err(|_| corrupt("a setup is not legal"))?);
                }
                DraftKind::Notes => of.notes = Some(body),
            }
        }
        Ok(drafts)
    }

    /// Saves a draft in place of the one before. After an error the one or the other is kept, and whole.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn save_draft(
        &self,
        game: GameId,
        seat: Seat,
        kind: DraftKind,
        text: String,
    ) -> Result<(), StoreError> {
        let draft = Draft {
            game,
            seat,
            kind,
            text,
        };
        self.write(Some("save_draft"), |db| Box::pin(save(db, draft)))
            .await
    }
}

/// Saves a draft, within a transaction.
pub(crate) async fn save(db: &mut Db, draft: Draft) -> Result<(), Failed> {
    let save = sql(SAVE).bind(draft.game).bind(seat_number(draft.seat));
    let save = save.bind(kind_word(draft.kind)).bind(draft.text);
    db.execute(save).await?;
    Ok(())
}

const fn kind_word(kind: DraftKind) -> &'static str {
    match kind {
        DraftKind::Setup => "setup",
        DraftKind::Notes => "notes",
    }
}

fn kind_of(word: &str) -> Option<DraftKind> {
    DraftKind::ALL
        .into_iter()
        .find(|kind| kind_word(*kind) == word)
}
