//! Announcements. They survive a restart, and every server on one record shows the same.

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::ids::Millis;

use crate::{
    audit_log,
    db::sql,
    store::{Store, StoreError},
};

/// The announcements that were put up and not taken down.
const ACTIVE: &str = "select kind, body, at, until from announcements";
const PUT_UP: &str = "insert into announcements (kind, body, at, until) values ($1, $2, $3, $4) \
     on conflict (kind) do update set body = excluded.body, at = excluded.at, until = excluded.until";
const TAKE_DOWN: &str = "delete from announcements where kind = $1";

impl Store {
    /// The announcements that were put up and not taken down, whether or not their time is over.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn announcements(&self) -> Result<ActiveAnnouncements, StoreError> {
        let mut active = ActiveAnnouncements::default();
        for (kind, text, at, until) in self.rows::<Row>(sql(ACTIVE)).await? {
            let announcement = Announcement {
                text,
                at: Millis(at),
                until: until.map(Millis),
            };
            match Kind::from_name(&kind) {
                Some(Kind::Maintenance) => active.maintenance = Some(announcement),
                Some(Kind::Notice) => active.notice = Some(announcement),
                None => {
                    return Err(StoreError::Corrupt {
                        table: "announcements",
                        row: kind,
                        what: "no such kind".to_owned(),
                    });
                }
            }
        }
        Ok(active)
    }

    /// Puts up an announcement in place of the one of its kind, or takes that down; the audit entry is written with it. False, and nothing is
    /// changed, if the actor may not do it any more.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn announce(
        &self,
        kind: Kind,
        announcement: Option<Announcement>,
        audit_entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        let change = match announcement {
            None => sql(TAKE_DOWN).bind(kind.as_str()),
            Some(Announcement { text, at, until }) => {
                let put_up = sql(PUT_UP).bind(kind.as_str()).bind(text);
                put_up.bind(at).bind(until)
            }
        };
        self.write(Some("announce"), |db| {
            Box::pin(async move {
                let is_permitted = audit_log::add_permitted(db, audit_entry).await?;
                if is_permitted {
                    db.execute(change).await?;
                }
                Ok(is_permitted)
            })
        })
        .await
    }
}

/// What an announcement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No new games.
    Maintenance,
    /// Something to read.
    Notice,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Maintenance, Self::Notice];

    /// The kind as it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Maintenance => "maintenance",
            Self::Notice => "notice",
        }
    }

    /// The kind of this word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// What.
    pub text: String,
    /// Since when.
    pub at: Millis,
    /// When it ends by itself; none for never.
    pub until: Option<Millis>,
}

/// The announcements that are up, one of each kind at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActiveAnnouncements {
    /// No new games.
    pub maintenance: Option<Announcement>,
    /// Something to read.
    pub notice: Option<Announcement>,
}

/// A row of `announcements`.
type Row = (String, String, i64, Option<i64>);
