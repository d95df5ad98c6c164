//! Whole players from another record, in every database.

use qiguan_game::people::name_keys;
use sqlx::{
    ColumnIndex, Database, Decode, Encode, Executor, IntoArguments, Type,
    database::HasStatementCache,
};
use uuid::Uuid;

use crate::{
    act_rows,
    people::{People, ban_columns},
    stored::{Added, Arrival, PlayerRecord},
    whole,
};

/// Whom a key of a name belongs to.
const HAS_KEY: &str = "select player_id from names where key = $1";
/// Whose a token is.
const HAS_TOKEN: &str = "select player_id from sessions where token_hash = $1";
/// A player who came just now, with all that came along.
const TAKE_BACK: &str = "delete from players where id = $1";

impl<DB> People<DB>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    usize: ColumnIndex<DB::Row>,
    for<'q> i64: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> Vec<u8>: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
    for<'q> Option<i64>: Encode<'q, DB>,
    for<'q> Option<String>: Encode<'q, DB>,
    for<'q> Option<Uuid>: Encode<'q, DB>,
{
    /// Adds players with all that is theirs, and the entries of the audit log about them, within a transaction. Comes back with what
    /// became of each.
    pub(super) async fn add(
        connection: &mut DB::Connection,
        arrivals: Vec<Arrival>,
    ) -> Result<Vec<Added>, sqlx::Error> {
        let mut all = Vec::with_capacity(arrivals.len());
        for Arrival { record, acts } in arrivals {
            let id = record.player.id.0;
            let added = Self::add_player(connection, record).await?;
            match added {
                Added::New => {
                    for act in acts {
                        act_rows::add::<DB>(connection, act).await?;
                    }
                }
                Added::Known => {}
                Added::NameTaken | Added::TokenTaken => {
                    let taken_back = sqlx::query(TAKE_BACK).bind(id);
                    taken_back.execute(&mut *connection).await?;
                }
            }
            all.push(added);
        }
        Ok(all)
    }

    async fn add_player(
        connection: &mut DB::Connection,
        record: PlayerRecord,
    ) -> Result<Added, sqlx::Error> {
        let PlayerRecord {
            player,
            created_at,
            account,
            tokens,
            setups,
        } = record;
        let id = player.id.0;
        let (until, why) = ban_columns(account.ban);
        let (muted, mute_why) = ban_columns(account.mute);
        let added = sqlx::query(whole::ADD_PLAYER)
            .bind(id)
            .bind(player.name)
            .bind(created_at.0)
            .bind(account.role.as_str())
            .bind(account.password.map(|password| password.0))
            .bind(account.registered_at.map(|at| at.0))
            .bind(until)
            .bind(why)
            .bind(account.deleted_at.map(|at| at.0))
            .bind(account.withdrawn_at.map(|at| at.0))
            .bind(muted)
            .bind(mute_why)
            .bind(account.limited_at.map(|at| at.0))
            .bind(account.renamed_at.map(|at| at.0));
        // Existing players stay as they are: nobody else's token or name becomes theirs.
        if added.fetch_optional(&mut *connection).await?.is_none() {
            return Ok(Added::Known);
        }
        for key in account.keys {
            // Somebody deleted had it, or somebody has it.
            for key in [name_keys::reserved(&key), key.clone()] {
                let taken = sqlx::query(HAS_KEY).bind(key);
                if taken.fetch_optional(&mut *connection).await?.is_some() {
                    return Ok(Added::NameTaken);
                }
            }
            let added = sqlx::query(whole::ADD_KEY).bind(key).bind(id);
            if added.fetch_optional(&mut *connection).await?.is_none() {
                return Ok(Added::NameTaken);
            }
        }
        for session in tokens {
            let taken = sqlx::query(HAS_TOKEN).bind(session.hash.0.to_vec());
            if taken.fetch_optional(&mut *connection).await?.is_some()
                || !Self::insert_session(connection, whole::ADD_SESSION, player.id, session).await?
            {
                return Ok(Added::TokenTaken);
            }
        }
        for setup in setups {
            let added = sqlx::query(whole::ADD_SETUP).bind(id);
            let added = added.bind(setup.name).bind(setup.setup);
            added.execute(&mut *connection).await?;
        }
        Ok(Added::New)
    }
}
