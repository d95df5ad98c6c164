//! By how much spectators see a game later than its players: so that nobody is helped by who looks on.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    error::{ApiError, ErrorCode},
    limits,
};

/// How much later, while the game goes on. Its end shows everything at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpectatorDelay {
    /// By so many plies, 0 to 15: the last ones are not shown.
    Plies(u32),
    /// By so many minutes, 0 to 60.
    Minutes(u32),
}

impl SpectatorDelay {
    /// The delay, if it is one that there can be; none for a delay by nothing.
    ///
    /// # Errors
    /// `bad_value` when it is too long.
    pub fn checked(self) -> Result<Option<Self>, ApiError> {
        let (asked, most, unit) = match self {
            Self::Plies(plies) => (plies, limits::DELAY_PLIES, "plies"),
            Self::Minutes(minutes) => (minutes, limits::DELAY_MINUTES, "minutes"),
        };
        if asked > most {
            let message = format!("spectator delay is {asked} {unit}; allowed: 0 to {most}");
            let field = format!("spectator_delay.{unit}");
            return Err(ApiError::new(ErrorCode::BadValue, message).field(field));
        }
        Ok((asked > 0).then_some(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_plies_or_minutes_and_not_too_long() {
        let read = |text: &str| serde_json::from_str::<SpectatorDelay>(text);
        assert_eq!(read(r#"{"plies":15}"#).unwrap(), SpectatorDelay::Plies(15));
        assert_eq!(
            read(r#"{"minutes":1}"#).unwrap(),
            SpectatorDelay::Minutes(1)
        );
        for text in [
            "3",
            "{}",
            r#"{"plies":-1}"#,
            r#"{"hours":1}"#,
            r#"{"plies":1,"minutes":1}"#,
            r#"["plies",1]"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(SpectatorDelay::Plies(0).checked(), Ok(None));
        let fine = SpectatorDelay::Minutes(60);
        assert_eq!(fine.checked(), Ok(Some(fine)));
        let refused = SpectatorDelay::Plies(16).checked().unwrap_err();
        assert_eq!(refused.field.as_deref(), Some("spectator_delay.plies"));
        assert!(SpectatorDelay::Minutes(61).checked().is_err());
    }
}
