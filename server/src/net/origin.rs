//! Which web pages may use this server: a cookie is only worth something if no other site's page can spend it.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

use axum::http::{HeaderMap, header};

/// What stands at the end of names that nobody can own on the public network.
const LOCAL_ENDS: [&str; 6] = [
    ".localhost",
    ".local",
    ".internal",
    ".home.arpa",
    ".lan",
    ".test",
];

/// An origin as browsers write it: scheme, host, and the port unless it is the scheme's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

/// What an origin has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an origin: http:// or https://, a host, a port if it is not the default one, and nothing more, such \
     as https://qiguan.example.org"
)]
pub struct BadOrigin;

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        let text = text.to_ascii_lowercase();
        let (scheme, authority) = text.split_once("://").ok_or(BadOrigin)?;
        let usual = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(BadOrigin),
        };
        // The colons of an address of IPv6 stand in brackets.
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        if !is_host(host) {
            return Err(BadOrigin);
        }
        let port = match port {
            None => usual,
            Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
                port.parse::<u16>().map_err(|_| BadOrigin)?
            }
            Some(_) => return Err(BadOrigin),
        };
        Ok(Self(if port == usual {
            format!("{scheme}://{host}")
        } else {
            format!("{scheme}://{host}:{port}")
        }))
    }
}

impl Origin {
    /// The origin as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_host(host: &str) -> bool {
    let bracketed = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    if let Some(address) = bracketed {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !host.is_empty()
        && host
            .split('.')
            .all(|label| !label.is_empty() && label.bytes().all(is_letter))
}

/// Which sites may show games in frames of their pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Embedders {
    /// All of them.
    All,
    /// None.
    Nobody,
    /// Those of these origins.
    Only(Vec<Origin>),
}

/// What embedders have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected `*` for all sites, `none`, or origins such as https://blog.example.org with commas between them"
)]
pub struct BadEmbedders;

impl FromStr for Embedders {
    type Err = BadEmbedders;

    fn from_str(text: &str) -> Result<Self, BadEmbedders> {
        match text {
            "*" => Ok(Self::All),
            "none" => Ok(Self::Nobody),
            list => {
                let origins = list.split(',').map(|origin| origin.trim().parse());
                let origins: Result<_, BadOrigin> = origins.collect();
                origins.map(Self::Only).map_err(|_| BadEmbedders)
            }
        }
    }
}

impl fmt::Display for Embedders {
    /// As the policy of a page names them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Nobody => f.write_str("'none'"),
            Self::Only(origins) => {
                let origins: Vec<_> = origins.iter().map(Origin::as_str).collect();
                f.write_str(&origins.join(" "))
            }
        }
    }
}

/// The origins that are let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    /// Exact origins; empty: the origin that the request's own `Host` names, over plain HTTP, if the name is a local one.
    allowed: Vec<String>,
    /// Whether the public address is https, so that cookies can be marked secure.
    secure: bool,
}

impl Origins {
    /// The public address and further origins.
    pub fn new(public_url: Option<&Origin>, further: &[Origin]) -> Self {
        let allowed = public_url.into_iter().chain(further);
        Self {
            allowed: allowed.map(ToString::to_string).collect(),
            secure: public_url.is_some_and(|url| url.0.starts_with("https://")),
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
            return host.is_some_and(|host| is_local(host) && origin == format!("http://{host}"));
        }
        self.allowed.iter().any(|allowed| allowed == origin)
    }
}

/// The origin that a request names as this server's: by its `Host`, or as a proxy that is believed passes it on. None if it names
/// none.
pub fn named(headers: &HeaderMap, by_proxy: bool) -> Option<Origin> {
    let of = |name: &str| {
        let mut values = headers.get_all(name).iter().rev();
        let value = values.next()?.to_str().ok()?;
        // The last one is what our own proxy has added.
        Some(value.rsplit(',').next()?.trim())
    };
    let passed_on = |name| by_proxy.then(|| of(name)).flatten();
    let host = passed_on("x-forwarded-host").or_else(|| of("host"))?;
    let scheme = passed_on("x-forwarded-proto").unwrap_or("http");
    format!("{scheme}://{host}").parse().ok()
}

/// Whether a browser says that a page of another site has made it ask.
fn is_cross_site(headers: &HeaderMap) -> bool {
    headers
        .get("sec-fetch-site")
        .is_some_and(|site| site != "same-origin" && site != "none")
}

/// Whether a `Host` is an address, or a name that no stranger can have: the pages of a name that one can have might come from
/// elsewhere, and the name lead here afterwards.
fn is_local(host: &str) -> bool {
    let host = match host.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => host,
        _ => host,
    };
    let host = host.to_ascii_lowercase();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    address.parse::<IpAddr>().is_ok() || (is_host(&host) && is_local_name(&host))
}

/// Whether nobody can own a name, in lower case, on the public network.
pub fn is_local_name(host: &str) -> bool {
    !host.contains('.') || LOCAL_ENDS.iter().any(|end| host.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &str) -> Origin {
        text.parse().unwrap()
    }

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
        let public = origin("https://qiguan.example.org");
        let origins = Origins::new(Some(&public), &[origin("http://localhost:5173")]);
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
    fn embedders_are_all_or_nobody_or_origins() {
        for (text, policy) in [
            ("*", "*"),
            ("none", "'none'"),
            ("https://a.example", "https://a.example"),
            (
                "https://a.example, http://localhost:3000",
                "https://a.example http://localhost:3000",
            ),
        ] {
            assert_eq!(text.parse::<Embedders>().unwrap().to_string(), policy);
        }
        for wrong in [
            "",
            "a.example",
            "https://*.example",
            "*,none",
            "'self'",
            "https://a.example; script-src *",
        ] {
            assert_eq!(wrong.parse::<Embedders>(), Err(BadEmbedders), "{wrong}");
        }
    }

    #[test]
    fn a_request_names_this_server_and_only_a_proxy_that_is_believed_says_otherwise() {
        let named = |by_proxy: bool, lines: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                headers.append(*name, value.parse().unwrap());
            }
            named(&headers, by_proxy).map(|origin| origin.to_string())
        };
        let host = ("host", "qiguan.example.org:8080");
        let plain = Some("http://qiguan.example.org:8080".to_owned());
        let proto = ("x-forwarded-proto", "https");
        let other = ("x-forwarded-host", "a.example, qiguan.example.org");
        assert_eq!(named(true, &[host]), plain);
        assert_eq!(named(false, &[host, proto, other]), plain);
        let public = Some("https://qiguan.example.org".to_owned());
        assert_eq!(named(true, &[host, proto, other]), public);
        for wrong in ["a b", "\"><script>", "x/y", "", "user@host"] {
            assert_eq!(named(false, &[("host", wrong)]), None, "{wrong}");
        }
        assert_eq!(
            named(true, &[host, ("x-forwarded-proto", "javascript")]),
            None
        );
        assert_eq!(named(true, &[]), None);
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
    fn without_settings_the_requests_own_host_counts_if_nobody_else_can_have_it() {
        let origins = Origins::new(None, &[]);
        let admits = |origin: &str, host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            headers.insert(header::ORIGIN, origin.parse().unwrap());
            origins.admits(&headers, true)
        };
        for host in [
            "localhost:8080",
            "127.0.0.1:8080",
            "192.168.1.7",
            "[::1]:8080",
            "school-server",
            "qiguan.local:8080",
            "games.home.arpa",
        ] {
            assert!(admits(&format!("http://{host}"), host), "{host}");
            assert!(!admits(&format!("https://{host}"), host), "{host}");
            assert!(!admits("http://evil.example", host), "{host}");
        }
        // A name that a stranger owns may lead here a moment after their page has come from there.
        for host in [
            "evil.example:8080",
            "evil.example",
            "127.0.0.1.evil.example",
            "a.b",
            "",
        ] {
            assert!(!admits(&format!("http://{host}"), host), "{host}");
        }
    }

    #[test]
    fn an_origin_is_scheme_host_and_port_and_nothing_else() {
        for (text, read) in [
            ("https://qiguan.example.org", "https://qiguan.example.org"),
            (
                "HTTPS://Qiguan.Example.org:443",
                "https://qiguan.example.org",
            ),
            ("http://localhost:80", "http://localhost"),
            ("http://localhost:5173", "http://localhost:5173"),
            ("https://xn--fsqu00a.example", "https://xn--fsqu00a.example"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://[::1]", "http://[::1]"),
        ] {
            assert_eq!(origin(text).to_string(), read);
        }
        for wrong in [
            "",
            "foo",
            "*",
            "null",
            "qiguan.example.org",
            "//qiguan.example.org",
            "ftp://qiguan.example.org",
            "https://",
            "https:///x",
            "https://x/",
            "https://x/y/z",
            "https://x?y",
            "https://x#y",
            "https://a@x",
            "https://*.example.org",
            "https://x:",
            "https://x:99999",
            "https://x:+1",
            "https://a..b",
            "https://棋.example",
            "http://::1",
            "http://[::1",
            " https://x",
        ] {
            assert_eq!(wrong.parse::<Origin>(), Err(BadOrigin), "{wrong}");
        }
    }
}
