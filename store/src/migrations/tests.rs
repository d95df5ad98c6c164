//! Programs of two releases on the tables of the newer one.

use std::{path::Path, sync::Arc};

use crate::{
    conformance::{chat, plain},
    db::sql,
    opening::Step,
    postgres, sqlite,
    store::Store,
    testing::Place,
};

/// What a program of the next release does to the tables: nothing that this one would miss.
const EXPANDS: [&str; 4] = [
    "create table next_release (id integer not null, what text not null, constraint next_release_pk primary key (id))",
    "alter table games add column next_release integer",
    "alter table players add column next_release integer not null default 3",
    "create index games_by_next_release on games (next_release)",
];
/// It goes on with such programs only as know this change.
const CONTRACTS: &str = "update meta set value = 9000 where key = 'compatible_from'";

fn places(case: &str) -> [Place; 2] {
    [Place::new(case), Place::postgres()]
}

async fn run(store: &Store, statements: &[&'static str]) {
    let mut db = store.writers.begin().await.unwrap();
    for statement in statements {
        db.execute(sql(statement)).await.unwrap();
    }
    db.commit().await.unwrap();
}

/// The next release has changed the tables.
async fn change(store: &Store, statements: &[&'static str]) {
    run(store, statements).await;
    let note = store.dialect().pick(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9000, 'next release', true, x'00', 0)",
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9000, 'next release', true, '\\x00', 0)",
    );
    run(store, &[note]).await;
}

/// Why a server does not start on the record.
async fn refused(place: &Place) -> String {
    match serve(place).await {
        Ok(_) => panic!("it starts"),
        Err(error) => format!("{error:#}"),
    }
}

async fn serve(place: &Place) -> anyhow::Result<Arc<Store>> {
    let mut told = |step: Step<'_>| panic!("the tables stay as they are, but: {step:?}");
    let epoch = qiguan_protocol::ids::Epoch(7);
    Ok(crate::serve(place.url(), None, epoch, &mut told)
        .await?
        .store)
}

#[tokio::test]
async fn a_program_goes_on_and_starts_again_on_tables_that_the_next_release_has_only_added_to() {
    for place in places("expanded") {
        let store = place.open().await;
        assert_eq!(store.append(&[plain(1)]).await, [Ok(())]);
        change(&store, &EXPANDS).await;
        assert_eq!(store.append(&[plain(2)]).await, [Ok(())]);
        store.close().await;
        let store = serve(&place).await.unwrap();
        assert_eq!(store.append(&[chat(1, 2, "again")]).await, [Ok(())]);
        store.close().await;
        // So do all other commands.
        let store = crate::open_existing(place.url()).await.unwrap();
        store.close().await;
        let mut told = |step: Step<'_>| panic!("{step:?}");
        let migrated = crate::migrate(place.url(), true, &mut told);
        assert_eq!(migrated.await.unwrap().change, None);
    }
}

#[tokio::test]
async fn a_program_refuses_tables_from_which_the_next_release_has_taken_what_it_needs() {
    for place in places("contracted") {
        let store = place.open().await;
        change(&store, &[CONTRACTS]).await;
        store.close().await;
        let why = refused(&place).await;
        assert!(
            why.contains("newer program") && why.contains("change 9000"),
            "{why}"
        );
    }
}

#[tokio::test]
async fn a_program_refuses_a_record_that_may_hold_what_only_newer_ones_can_read() {
    for place in places("newer") {
        let store = place.open().await;
        run(
            &store,
            &["update meta set value = 2 where key = 'cluster_version'"],
        )
        .await;
        store.close().await;
        let why = refused(&place).await;
        for part in ["cluster version 2", "up to 1", "go back to"] {
            assert!(why.contains(part), "{why}");
        }
    }
}

#[tokio::test]
async fn what_runs_by_itself_in_a_file_is_refused_also_beside_additions_of_a_newer_program() {
    for (number, hostile) in [
        "create trigger harm after insert on games begin delete from games; end",
        "create view harm as select 1",
        "create virtual table harm using fts5(x)",
        "drop index games_by_next_release_2",
    ]
    .into_iter()
    .enumerate()
    {
        let place = Place::new(&format!("runs_by_itself_{number}"));
        let store = place.open().await;
        let made = "create index games_by_next_release_2 on games (id)";
        change(&store, &[EXPANDS[0], made]).await;
        if hostile.starts_with("drop") {
            // An index of this program is missing.
            let mut db = store.writers.begin().await.unwrap();
            let name = "select name from sqlite_schema where type = 'index' and sql is not null and tbl_name = 'games' and name <> 'games_by_next_release_2' limit 1";
            let name: Option<String> = db.value(sql(name)).await.unwrap();
            let drop = sql("drop index ").push(&name.unwrap());
            db.execute(drop).await.unwrap();
            db.commit().await.unwrap();
        } else {
            run(&store, &[hostile]).await;
        }
        store.close().await;
        let why = refused(&place).await;
        assert!(why.contains("somebody else has changed"), "{why}");
    }
}

/// What a change says of itself in its first line.
fn stated(text: &str) -> Option<i64> {
    let (number, _) = text.strip_prefix("-- Compatible from: ")?.split_once('.')?;
    number.parse().ok()
}

#[tokio::test]
async fn every_change_states_which_programs_go_on_with_it_and_the_record_says_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
    for (name, known, place) in [
        (
            "sqlite",
            &sqlite::MIGRATIONS,
            Place::new("every_change_states"),
        ),
        ("postgres", &postgres::MIGRATIONS, Place::postgres()),
    ] {
        let mut newest = 0;
        for change in known.iter().filter(|change| change.version >= 34) {
            let stated = stated(change.sql.as_str());
            let stated = stated.unwrap_or_else(|| {
                let folder = folder.join(name).display().to_string();
                panic!(
                    "{folder}, change {}: the first line is to begin with `-- Compatible from: N.`, the newest change that a program has to \
                     know to go on with this one (CONTRIBUTING.md)",
                    change.version
                )
            });
            assert!(stated <= change.version);
            newest = newest.max(stated);
        }
        let store = place.open().await;
        let mut db = store.reader().await.unwrap();
        let kept = db.value(sql(crate::versions::COMPATIBLE_FROM)).await;
        assert_eq!(kept.unwrap(), Some(newest), "{name}");
        drop(db);
        store.close().await;
    }
}
