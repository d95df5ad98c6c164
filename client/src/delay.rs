//! The delay for spectators, as people write it: `3p`, `10m`.

use anyhow::Context;
use qiguan_protocol::delay::SpectatorDelay;

/// Reads `3p` (plies) or `10m` (minutes); none for a delay by nothing.
///
/// # Errors
/// When it is neither, or longer than there can be.
pub fn parse(text: &str) -> anyhow::Result<Option<SpectatorDelay>> {
    let plies = text.strip_suffix('p').map(|plies| (plies, false));
    let written = plies.or_else(|| Some((text.strip_suffix('m')?, true)));
    let read = written.and_then(|(number, are_minutes)| {
        let number = number.parse().ok()?;
        Some(if are_minutes {
            SpectatorDelay::Minutes(number)
        } else {
            SpectatorDelay::Plies(number)
        })
    });
    let delay = read
        .with_context(|| format!("{text}: expected a delay such as 3p (plies) or 10m (minutes)"))?;
    delay
        .checked()
        .map_err(|error| anyhow::anyhow!("{text}: {}", error.message))
}

/// How a delay is written.
pub fn shown(delay: SpectatorDelay) -> String {
    match delay {
        SpectatorDelay::Plies(1) => "1 ply later".to_owned(),
        SpectatorDelay::Plies(plies) => format!("{plies} plies later"),
        SpectatorDelay::Minutes(1) => "1 minute later".to_owned(),
        SpectatorDelay::Minutes(minutes) => format!("{minutes} minutes later"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_written_with_its_unit() {
        for (text, delay) in [
            ("3p", Some(SpectatorDelay::Plies(3))),
            ("10m", Some(SpectatorDelay::Minutes(10))),
            ("0p", None),
            ("0m", None),
        ] {
            assert_eq!(parse(text).unwrap(), delay, "{text}");
        }
        for bad in [
            "",
            "3",
            "p",
            "-3p",
            "3 p",
            "10min",
            "16p",
            "61m",
            "99999999999p",
        ] {
            let told = parse(bad).unwrap_err().to_string();
            assert!(told.starts_with(&format!("{bad}: ")), "{told}");
        }
    }
}
