//! When a server says when to ask again (`Retry-After`): what the client then waits for by itself, and what it tells.

use std::time::Duration;

use hyper::{HeaderMap, Method, StatusCode, header::RETRY_AFTER};

/// The longest that one request is put off in all. Somebody sits there and waits.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// When the server would have another request, if this answer says so.
pub(super) fn retry_after(status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
    let is_busy =
        status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE;
    let seconds = headers.get(RETRY_AFTER).filter(|_| is_busy)?;
    // HTTP also allows a date here, but a Qiguan server never sends one.
    let seconds = seconds.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// How long one request has still to wait at the most.
pub(super) struct Waits {
    left: Duration,
}

impl Waits {
    pub(super) const fn new() -> Self {
        Self { left: LONGEST_WAIT }
    }

    /// How long to wait before the same request is made again; none if it is not. What may have been done already is not asked for twice.
    pub(super) fn next(
        &mut self,
        method: &Method,
        status: StatusCode,
        asked: Duration,
    ) -> Option<Duration> {
        let is_undone = status == StatusCode::TOO_MANY_REQUESTS || *method == Method::GET;
        // No server makes the client ask without a pause.
        let wait = asked.max(Duration::from_secs(1));
        self.left = self.left.checked_sub(wait).filter(|_| is_undone)?;
        Some(wait)
    }
}

/// A refusal with the time after which it would be none.
pub(super) fn told(refusal: &str, asked: Option<Duration>) -> String {
    match asked.map(|asked| asked.as_secs()) {
        None | Some(0) => refusal.to_owned(),
        Some(1) => format!("{refusal}; try again in a second"),
        Some(seconds @ 2..=120) => format!("{refusal}; try again in {seconds} seconds"),
        Some(seconds) => format!("{refusal}; try again in {} minutes", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITED: StatusCode = StatusCode::TOO_MANY_REQUESTS;
    const BUSY: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn only_a_busy_server_says_when_to_ask_again() {
        let mut headers = HeaderMap::new();
        assert_eq!(retry_after(LIMITED, &headers), None);
        headers.insert(RETRY_AFTER, "3".parse().unwrap());
        assert_eq!(retry_after(LIMITED, &headers), Some(seconds(3)));
        assert_eq!(retry_after(BUSY, &headers), Some(seconds(3)));
        assert_eq!(retry_after(StatusCode::OK, &headers), None);
        for wrong in ["", "-1", "soon", "99999999999999999999", "1.5"] {
            headers.insert(RETRY_AFTER, wrong.parse().unwrap());
            assert_eq!(retry_after(LIMITED, &headers), None, "{wrong}");
        }
    }

    #[test]
    fn k10_a_server_can_not_make_the_client_wait_or_ask_without_end() {
        for asked in [0, 1, 4, 10, 11, u64::MAX] {
            let mut waits = Waits::new();
            let all: Vec<_> =
                std::iter::from_fn(|| waits.next(&Method::GET, LIMITED, seconds(asked))).collect();
            let waited: Duration = all.iter().sum();
            assert!(
                waited <= LONGEST_WAIT && all.len() <= 10,
                "{asked}: {all:?}"
            );
            assert_eq!(all.is_empty(), asked > 10, "{asked}");
        }
    }

    #[test]
    fn k10_what_may_have_been_done_is_not_asked_for_twice() {
        for (method, status, again) in [
            (Method::GET, BUSY, true),
            (Method::POST, BUSY, false),
            (Method::PUT, BUSY, false),
            (Method::POST, LIMITED, true),
        ] {
            let wait = Waits::new().next(&method, status, seconds(1));
            assert_eq!(wait.is_some(), again, "{method} {status}");
        }
    }

    #[test]
    fn a_refusal_says_when_it_would_be_none() {
        assert_eq!(told("no", None), "no");
        assert_eq!(told("no", Some(seconds(7))), "no; try again in 7 seconds");
        assert_eq!(told("no", Some(seconds(180))), "no; try again in 3 minutes");
    }
}
