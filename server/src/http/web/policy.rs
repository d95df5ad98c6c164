//! What pages of this server may do: nothing but talk to this server.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use qiguan_web::CLIENT;

/// What a browser may load and run. The scripts in the page itself, which start the client, and its style are named by their hashes,
/// computed when the client was built.
static CONTENT: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = content(CLIENT.scripts, CLIENT.styles);
    // Hashes are letters and digits.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// Nothing of this is needed to play.
const FEATURES: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), autoplay=(self), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
     magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=(), xr-spatial-tracking=()",
);

/// What other files may do where a browser opens them by themselves, or runs them beside a page.
const FILES: HeaderValue = HeaderValue::from_static("default-src 'self'; frame-ancestors 'none'");

/// Puts the policies of a page into the headers of an answer.
pub(super) fn put_page(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, CONTENT.clone());
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        SAME_ORIGIN,
    );
    headers.insert(HeaderName::from_static("permissions-policy"), FEATURES);
    put_file(headers);
}

/// Puts what holds for every file into the headers of an answer: the policies of pages weigh more than many a file.
pub(super) fn put_file(headers: &mut HeaderMap) {
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(FILES);
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        SAME_ORIGIN,
    );
}

const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// The policy of a page with these scripts and styles of its own.
fn content(scripts: &[&str], styles: &[&str]) -> String {
    let with = |own: &[&str]| [&["'self'"], own].concat().join(" ");
    let (scripts, styles) = (with(scripts), with(styles));
    format!(
        "default-src 'none'; script-src {scripts}; style-src {styles}; img-src 'self' data:; font-src 'self'; media-src 'self'; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_pages_own_scripts_and_allows_no_other() {
        let policy = content(&["'sha256-x'"], &[]);
        assert!(policy.contains("; script-src 'self' 'sha256-x'; style-src 'self'; "));
        assert!(!policy.contains("unsafe"));
        assert_ne!(*CONTENT, "default-src 'none'");
    }
}
