//! How many connections the limit of open files leaves room for.

use std::io;

/// Files that are open beside connections: the database's, the listener, the runtime's, and connections that are being refused.
const OTHERS: u64 = 64;

/// How many connections may be open at once: as many as are wanted, or as the limit of open files allows. The limit is raised first
/// as far as the system lets anybody raise it.
///
/// # Errors
/// When the limit leaves room for none, or can't be read.
pub fn room_for(wanted: usize) -> io::Result<usize> {
    let needed = (wanted as u64).saturating_add(OTHERS);
    let (soft, hard) = rlimit::Resource::NOFILE.get()?;
    let limit = if soft < needed && soft < hard {
        rlimit::increase_nofile_limit(needed)?
    } else {
        soft
    };
    let possible = possible(limit, wanted).ok_or_else(|| {
        io::Error::other(format!(
            "the limit of {limit} open files leaves no room for connections; at least {} are needed",
            OTHERS + 1
        ))
    })?;
    if possible < wanted {
        tracing::warn!(
            limit,
            wanted,
            possible,
            "the limit of open files allows fewer connections than --max-connections"
        );
    }
    metrics::gauge!("qiguan_connections_limit").set(possible as f64);
    Ok(possible)
}

/// What a limit leaves room for, if anything.
fn possible(limit: u64, wanted: usize) -> Option<usize> {
    let possible = usize::try_from(limit.saturating_sub(OTHERS)).unwrap_or(usize::MAX);
    Some(possible.min(wanted)).filter(|possible| *possible > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_leaves_room_for_what_is_open_beside_connections() {
        for (limit, wanted, expected) in [
            (20_000, 10_000, Some(10_000)),
            (10_000, 10_000, Some(9_936)),
            (128, 10_000, Some(64)),
            (65, 10, Some(1)),
            (64, 10, None),
            (0, 10, None),
            (u64::MAX, 10, Some(10)),
        ] {
            assert_eq!(possible(limit, wanted), expected, "{limit} {wanted}");
        }
    }
}
