//! The announcements that are in force, as this program knows them.

use parking_lot::Mutex;
use qiguan_protocol::{
    announcement::{Announcements, Maintenance},
    error::{ApiError, ErrorCode},
};

/// The announcements in force.
#[derive(Default)]
pub struct Announced(Mutex<Announcements>);

impl Announced {
    /// The announcements in force.
    pub fn active(&self) -> Announcements {
        self.0.lock().clone()
    }

    /// Refuses what would begin a new game while there is maintenance.
    ///
    /// # Errors
    /// `maintenance`.
    pub fn check_open(&self) -> Result<(), ApiError> {
        match &self.0.lock().maintenance {
            None => Ok(()),
            Some(maintenance) => Err(closed(maintenance)),
        }
    }

    /// Takes over the announcements in force; returns whether anything is different.
    pub fn put(&self, active: &Announcements) -> bool {
        let mut known = self.0.lock();
        let differs = *known != *active;
        known.clone_from(active);
        differs
    }
}

pub fn closed(maintenance: &Maintenance) -> ApiError {
    let message = format!(
        "maintenance: no new games can be started: {}",
        maintenance.message
    );
    ApiError::new(ErrorCode::Maintenance, message)
}
