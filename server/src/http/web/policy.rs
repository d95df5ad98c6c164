//! What pages of this server may do: nothing but talk to this server.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use qiguan_web::CLIENT;

use crate::net::origin::Embedders;

/// What a browser may load and run. The scripts in the page itself, which start the client, and its style are named by their hashes,
/// computed when the client was built.
static CONTENT: LazyLock<HeaderValue> = LazyLock::new(|| page("'none'"));

/// The same for a page that these may show in frames.
fn page(embedders: &str) -> HeaderValue {
    let policy = content(CLIENT.scripts, CLIENT.styles, embedders);
    // Hashes and origins are letters, digits and a few signs.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

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

/// The same for a page that is made for the frames of other sites: theirs may show it, and what they show can do no more than read.
pub(super) fn put_embedded(headers: &mut HeaderMap, embedders: &Embedders) {
    put_page(headers);
    let policy = page(&embedders.to_string());
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("cross-origin"),
    );
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

/// The policy of a page with these scripts and styles of its own, which these may show in frames.
fn content(scripts: &[&str], styles: &[&str], embedders: &str) -> String {
    let with = |own: &[&str]| [&["'self'"], own].concat().join(" ");
    let (scripts, styles) = (with(scripts), with(styles));
    format!(
        "default-src 'none'; script-src {scripts}; style-src {styles}; img-src 'self' data:; font-src 'self'; media-src 'self'; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors {embedders}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_pages_own_scripts_and_allows_no_other() {
        let policy = content(&["'sha256-x'"], &[], "'none'");
        assert!(policy.contains("; script-src 'self' 'sha256-x'; style-src 'self'; "));
        assert!(!policy.contains("unsafe"));
        assert!(policy.ends_with("; frame-ancestors 'none'"));
        assert_ne!(*CONTENT, "default-src 'none'");
    }

    #[test]
    fn only_who_may_frame_it_differs_in_a_page_for_frames() {
        let mut headers = HeaderMap::new();
        put_embedded(&mut headers, &"https://a.example".parse().unwrap());
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        let own = CONTENT.to_str().unwrap();
        assert_eq!(
            policy,
            own.replace(
                "frame-ancestors 'none'",
                "frame-ancestors https://a.example"
            )
        );
    }
}
