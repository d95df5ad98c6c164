//! The record as it lies on the disk, read past the server.

use std::path::Path;

use qiguan_protocol::ids::GameId;
use serde_json::Value;
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use uuid::Uuid;

use crate::command::run;

/// A stored event.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its number.
    pub seq: u32,
    /// The command behind it.
    pub command: Option<Uuid>,
    /// What happened.
    pub body: Value,
}

/// Opens the file beside the server.
pub async fn open(database: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .filename(database)
        .busy_timeout(std::time::Duration::from_secs(5));
    options.connect().await.expect("the record can be opened")
}

/// The events of a game in the order of their numbers, which have no gap.
pub async fn events(database: &Path, game: GameId) -> Vec<Stored> {
    let mut connection = open(database).await;
    let rows = sqlx::query_as::<_, (i64, Option<Uuid>, String)>(
        "select seq, command, body from events where game_id = $1 order by seq",
    );
    let rows = rows
        .bind(game.0)
        .fetch_all(&mut connection)
        .await
        .expect("the record can be read");
    connection.close().await.expect("the record can be closed");
    let events: Vec<_> = rows
        .into_iter()
        .map(|(seq, command, body)| Stored {
            seq: u32::try_from(seq).expect("a number"),
            command,
            body: serde_json::from_str(&body).expect("a body is JSON"),
        })
        .collect();
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.seq, seq, "the record has no gap");
    }
    events
}

/// Every game that has an event, in the order of opening.
pub async fn games(database: &Path) -> Vec<GameId> {
    let mut connection = open(database).await;
    let ids = sqlx::query_scalar::<_, Uuid>("select game_id from events where seq = 1 order by 1");
    let ids = ids
        .fetch_all(&mut connection)
        .await
        .expect("the record can be read");
    connection.close().await.expect("the record can be closed");
    ids.into_iter().map(GameId).collect()
}

/// Every game is one that the referee has let happen, as `qiguan verify` judges it. How many there are.
pub async fn is_sound(database: &Path) -> u64 {
    let url = format!("sqlite:{}", database.display());
    let ran = run(&[&"verify", &"--json", &"--database", &url])
        .await
        .well();
    let summary: Value = serde_json::from_str(ran.out.trim()).expect("a summary");
    assert_eq!(summary["bad"], 0, "{ran:?}");
    summary["games"].as_u64().expect("a number")
}

/// The moves of a game as stored.
pub fn moves(events: &[Stored]) -> Vec<String> {
    let moves = events.iter().filter(|event| event.body["t"] == "m");
    moves
        .map(|event| event.body["m"].as_str().expect("a move").to_owned())
        .collect()
}
