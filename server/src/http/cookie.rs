//! The cookies of browsers: one carries an identity, the other the marks of who has signed in there.

use axum::http::{HeaderMap, HeaderValue, header};
use qiguan_protocol::ids::Token;

use crate::accounts::device_marks::Marks;

/// Over https: only this host may set it, only secure pages send it.
const SECURE_NAME: &str = "__Host-qiguan";
/// Over plain http, for a server on one's own machine.
const PLAIN_NAME: &str = "qiguan";
/// The same two names for the marks.
const SECURE_MARKS: &str = "__Host-qiguan-device";
const PLAIN_MARKS: &str = "qiguan-device";
/// A year, in seconds.
const MAX_AGE: u32 = 31_536_000;

/// The token in a request's cookies.
pub fn token(headers: &HeaderMap, secure: bool) -> Option<Token> {
    value(headers, name(secure)).map(Token::new)
}

/// The marks in a request's cookies. They are no identity, and let nobody in: they count wrong passwords.
pub fn marks(headers: &HeaderMap, secure: bool) -> Marks {
    let text = value(headers, marks_name(secure));
    text.map_or_else(Marks::default, Marks::read)
}

fn value<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let cookies = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == wanted)
        .map(|(_, value)| value)
}

/// The header that sets it. Scripts can't read it, and other sites' pages do not send it.
pub fn set(token: &Token, secure: bool) -> Option<HeaderValue> {
    header(name(secure), token.reveal(), "Lax", secure)
}

/// The header that sets the marks. No page but the server's own sends them, not even by a link that leads here.
pub fn set_marks(marks: &Marks, secure: bool) -> Option<HeaderValue> {
    header(marks_name(secure), &marks.text(), "Strict", secure)
}

fn header(name: &str, value: &str, same_site: &str, secure: bool) -> Option<HeaderValue> {
    let end = if secure { "; Secure" } else { "" };
    let text =
        format!("{name}={value}; Path=/; HttpOnly; SameSite={same_site}; Max-Age={MAX_AGE}{end}");
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The header that takes it away.
pub fn clear(secure: bool) -> HeaderValue {
    HeaderValue::from_static(if secure {
        "__Host-qiguan=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure"
    } else {
        "qiguan=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
    })
}

const fn name(secure: bool) -> &'static str {
    if secure { SECURE_NAME } else { PLAIN_NAME }
}

const fn marks_name(secure: bool) -> &'static str {
    if secure { SECURE_MARKS } else { PLAIN_MARKS }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(cookies: &str, secure: bool) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        token(&headers, secure).map(|token| token.reveal().to_owned())
    }

    #[test]
    fn the_cookie_is_found_among_others_by_its_exact_name() {
        assert_eq!(
            found("a=1; qiguan=secret; b=2", false).as_deref(),
            Some("secret")
        );
        assert_eq!(found("a=1; xqiguan=secret", false), None);
        assert_eq!(found("qiguan=secret", true), None);
        assert_eq!(
            found("__Host-qiguan=secret", true).as_deref(),
            Some("secret")
        );
    }

    #[test]
    fn what_takes_it_away_names_the_one_that_was_set() {
        for secure in [true, false] {
            let cleared = clear(secure);
            let cleared = cleared.to_str().unwrap();
            assert!(cleared.starts_with(&format!("{}=;", name(secure))));
            assert_eq!(cleared.contains("; Secure"), secure);
        }
    }

    #[test]
    fn h6_no_other_sites_page_and_no_script_brings_the_marks() {
        for (secure, begin, end) in [
            (true, "__Host-qiguan-device=", "; Secure"),
            (false, "qiguan-device=", "Max-Age=31536000"),
        ] {
            let value = set_marks(&Marks::default(), secure).unwrap();
            let text = value.to_str().unwrap();
            assert!(text.starts_with(begin) && text.ends_with(end), "{text}");
            assert!(text.contains("; HttpOnly; SameSite=Strict"), "{text}");
        }
    }

    #[test]
    fn over_https_the_cookie_is_bound_to_the_host_and_secure() {
        let value = set(&Token::new("t"), true).unwrap();
        let text = value.to_str().unwrap();
        assert!(
            text.starts_with("__Host-qiguan=t; Path=/; HttpOnly; SameSite=Lax")
                && text.ends_with("; Secure")
        );
    }
}
