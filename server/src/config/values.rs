//! How the text of a setting is read. Each refusal says what is allowed.

use std::{
    fmt::Display,
    net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs},
    ops::RangeInclusive,
    str::FromStr,
};

use ipnet::IpNet;
use tracing_subscriber::EnvFilter;

/// An address and a port: `127.0.0.1:8080`, `[::]:8080`, a name as in `localhost:8080`, a port of this machine alone (`8080`), or a port
/// of every IPv4 address (`:8080`). A name stands for its first IPv4 address, or else for its first one.
///
/// # Errors
/// When it is anything else, or a name that nobody knows.
pub fn listen(text: &str) -> Result<SocketAddr, String> {
    let expected = "expected an address and a port from 0 to 65535, such as 127.0.0.1:8080, [::]:8080 or localhost:8080";
    let text = text.trim();
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let (host, port) = text.rsplit_once(':').map_or_else(
        || (None, text),
        |(host, port)| (Some(host).filter(|host| !host.is_empty()), port),
    );
    let port: u16 = port.parse().map_err(|_| expected.to_owned())?;
    let Some(host) = host else {
        let host = if text.starts_with(':') {
            Ipv4Addr::UNSPECIFIED
        } else {
            Ipv4Addr::LOCALHOST
        };
        return Ok((host, port).into());
    };
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if !host.chars().all(is_name) {
        return Err(expected.to_owned());
    }
    let found = (host, port).to_socket_addrs();
    let found: Vec<_> = found
        .map_err(|error| format!("the name {host} leads nowhere ({error}); {expected}"))?
        .collect();
    let first = found.iter().find(|address| address.is_ipv4());
    first
        .or(found.first())
        .copied()
        .ok_or_else(|| format!("the name {host} has no address; {expected}"))
}

/// An address or a network.
pub(super) fn net(text: &str) -> Result<IpNet, String> {
    let expected = "expected an address or a network, such as 127.0.0.1 or 10.0.0.0/8";
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse()
        .or_else(|_| address())
        .map_err(|_| expected.to_owned())
}

/// A whole number, both ends of the range included.
pub(super) fn whole<T>(
    allowed: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.trim().parse().ok();
        number
            .filter(|number| allowed.contains(number))
            .ok_or_else(|| {
                let (least, most) = (allowed.start(), allowed.end());
                format!("expected a whole number from {least} to {most}")
            })
    }
}

/// Whether something is so.
pub(super) fn truth(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" => Ok(false),
        _ => {
            Err("expected true or false; yes, no, on, off, 1 and 0 are understood, too".to_owned())
        }
    }
}

/// What is logged.
pub(super) fn log_filter(text: &str) -> Result<String, String> {
    let expected =
        "expected error, warn, info, debug or trace, or a filter such as info,qiguan_server=debug";
    EnvFilter::try_new(text)
        .map(|_| text.to_owned())
        .map_err(|_| expected.to_owned())
}

/// Where the records are.
///
/// # Errors
/// When it names no place of records.
pub fn database(text: &str) -> Result<String, String> {
    qiguan_store::check_url(text)
        .map(|()| text.to_owned())
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_listens_at_an_address_a_name_or_a_port() {
        for (text, address) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("[::1]:8080", "[::1]:8080"),
            ("localhost:8080", "127.0.0.1:8080"),
            ("8080", "127.0.0.1:8080"),
            (":8080", "0.0.0.0:8080"),
        ] {
            let read = listen(text).map(|address| address.to_string());
            assert_eq!(read.as_deref(), Ok(address), "{text}");
        }
        for wrong in [
            "",
            "localhost",
            "127.0.0.1:99999",
            "::1:8080",
            "http://a:80",
        ] {
            let refused = listen(wrong).unwrap_err();
            assert!(refused.contains("localhost:8080"), "{wrong}: {refused}");
        }
    }

    #[test]
    fn a_truth_has_many_spellings_and_a_number_its_bounds() {
        for (text, expected) in [("1", true), ("yes", true), ("Off", false), ("0", false)] {
            assert_eq!(truth(text), Ok(expected));
        }
        truth("maybe").unwrap_err();
        assert_eq!(whole(1..=5)(" 5 "), Ok(5));
        for wrong in ["6", "0", "x", "1.0"] {
            let refused = whole(1..=5)(wrong).unwrap_err();
            assert_eq!(refused, "expected a whole number from 1 to 5");
        }
    }
}
