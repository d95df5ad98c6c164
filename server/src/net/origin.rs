//! Which web pages may use this server: a cookie is only worth something if no other site's page can spend it.

use axum::http::{HeaderMap, header};

/// The origins that are let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    /// Exact origins, lower case; empty: the origin that the request's own `Host` names, over plain HTTP.
    allowed: Vec<String>,
    /// Whether the public address is https, so that cookies can be marked secure.
    secure: bool,
}

impl Origins {
    /// The public address and further origins, each `scheme://host[:port]`; a path is cut off.
    pub fn new(public_url: Option<&str>, further: &[String]) -> Self {
        let allowed = public_url
            .into_iter()
            .chain(further.iter().map(String::as_str))
            .map(origin_of)
            .collect();
        Self {
            allowed,
            secure: public_url.is_some_and(|url| url.starts_with("https://")),
        }
    }

    /// Whether cookies are marked secure.
    pub const fn is_secure(&self) -> bool {
        self.secure
    }

    /// Whether a request may be answered. A request of a page tells its origin; one without is no page's, and may pass
    /// unless it brings a cookie, which no client but a browser does.
    pub fn admits(&self, headers: &HeaderMap, brings_cookie: bool) -> bool {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => !brings_cookie && !is_cross_site(headers),
            (Some(origin), None) => origin
                .to_str()
                .is_ok_and(|origin| self.allows(origin, headers)),
            (Some(_), Some(_)) => false,
        }
    }

    fn allows(&self, origin: &str, headers: &HeaderMap) -> bool {
        if self.allowed.is_empty() {
            let host = headers
                .get(header::HOST)
                .and_then(|host| host.to_str().ok());
            return host.is_some_and(|host| !host.is_empty() && origin == format!("http://{host}"));
        }
        self.allowed.iter().any(|allowed| allowed == origin)
    }
}

/// Whether a browser says that a page of another site has made it ask.
fn is_cross_site(headers: &HeaderMap) -> bool {
    headers
        .get("sec-fetch-site")
        .is_some_and(|site| site != "same-origin" && site != "none")
}

/// Scheme, host and port of an address, as browsers write an origin.
fn origin_of(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    let host = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{host}").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(origins: &Origins, origin: Option<&str>, cookie: bool) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "qiguan.example.org".parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        origins.admits(&headers, cookie)
    }

    #[test]
    fn only_the_very_origin_is_let_in() {
        let origins = Origins::new(
            Some("https://qiguan.example.org/"),
            &["http://localhost:5173".to_owned()],
        );
        assert!(admits(&origins, Some("https://qiguan.example.org"), true));
        assert!(admits(&origins, Some("http://localhost:5173"), true));
        for foreign in [
            "null",
            "http://qiguan.example.org",
            "https://qiguan.example.org:8443",
            "https://qiguan.example.org.evil.test",
            "https://evil.test/https://qiguan.example.org",
            "https://evilqiguan.example.org",
            "https://QIGUAN.example.org",
            "https://qiguan.example.org/",
            "file://",
            "",
        ] {
            assert!(!admits(&origins, Some(foreign), false), "{foreign}");
        }
    }

    #[test]
    fn without_an_origin_a_cookie_is_not_accepted() {
        let origins = Origins::new(None, &[]);
        assert!(admits(&origins, None, false));
        assert!(!admits(&origins, None, true));
    }

    #[test]
    fn what_a_browser_says_of_the_site_counts_where_no_origin_is_told() {
        let origins = Origins::new(None, &[]);
        for (site, fine) in [
            ("cross-site", false),
            ("same-site", false),
            ("same-origin", true),
            ("none", true),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("sec-fetch-site", site.parse().unwrap());
            assert_eq!(origins.admits(&headers, false), fine, "{site}");
        }
    }

    #[test]
    fn without_settings_the_requests_own_host_counts() {
        let origins = Origins::new(None, &[]);
        assert!(admits(&origins, Some("http://qiguan.example.org"), true));
        assert!(!admits(&origins, Some("http://evil.test"), true));
        assert!(!admits(&origins, Some("https://qiguan.example.org"), true));
    }
}
