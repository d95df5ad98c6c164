//! The address of a client: the connection's other end, or the one that a trusted proxy names.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

use axum::http::HeaderMap;
use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// Where proxies put the addresses of those behind them, each adding one on the right.
const FORWARDED: &str = "x-forwarded-for";

/// The proxies that are believed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<IpNet>);

impl Proxies {
    /// Those within these nets.
    pub fn new(nets: &[IpNet]) -> Self {
        Self(nets.to_vec())
    }

    /// Whether an address is a proxy's.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|net| net.contains(&address))
    }

    /// Who asks, if `peer` is at the other end: the right-most address that no trusted proxy has. What stands further left is
    /// what anybody may have written.
    pub fn caller(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut caller = peer.to_canonical();
        let lines = headers.get_all(FORWARDED).iter().rev();
        let hops = lines.flat_map(|line| line.to_str().unwrap_or("?").rsplit(','));
        for hop in hops {
            if !self.trusts(caller) {
                break;
            }
            let Some(address) = read(hop.trim()) else {
                // Nobody of ours has written that.
                break;
            };
            caller = address;
        }
        caller
    }
}

/// An address, with or without a port.
fn read(text: &str) -> Option<IpAddr> {
    let address = text.parse().ok().or_else(|| {
        let socket: std::net::SocketAddr = text.parse().ok()?;
        Some(socket.ip())
    });
    address.map(|address: IpAddr| address.to_canonical())
}

/// Addresses that are counted as one: of IPv6 a whole /64, which is what one customer has at the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Group(IpAddr);

impl Group {
    /// The group that an address belongs to.
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self(IpAddr::V4(address)),
            IpAddr::V6(address) => {
                let net = address.to_bits() & !u128::from(u64::MAX);
                Self(IpAddr::V6(Ipv6Addr::from_bits(net)))
            }
        }
    }
}

/// An address of IPv4, or a network of IPv6 (`2001:db8:1:2::/64`).
impl fmt::Display for Group {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => write!(formatter, "{address}"),
            IpAddr::V6(net) => write!(formatter, "{net}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn caller(trusted: &[&str], peer: &str, forwarded: &[&str]) -> String {
        let nets: Vec<_> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED, HeaderValue::from_str(line).unwrap());
        }
        let proxies = Proxies::new(&nets);
        proxies.caller(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let table: [(&[&str], &str, &[&str], &str); 13] = [
            // Nobody is trusted: whatever is written does not count.
            (&[], "203.0.113.9", &["1.2.3.4"], "203.0.113.9"),
            (&["10.0.0.0/8"], "203.0.113.9", &["1.2.3.4"], "203.0.113.9"),
            // The proxy tells.
            (&["10.0.0.0/8"], "10.1.1.1", &["1.2.3.4"], "1.2.3.4"),
            (&["10.0.0.0/8"], "10.1.1.1", &[], "10.1.1.1"),
            // What the client wrote stands left of what the proxy wrote.
            (
                &["10.0.0.0/8"],
                "10.1.1.1",
                &["6.6.6.6, 1.2.3.4"],
                "1.2.3.4",
            ),
            (
                &["10.0.0.0/8"],
                "10.1.1.1",
                &["6.6.6.6", "1.2.3.4"],
                "1.2.3.4",
            ),
            (
                &["10.0.0.0/8"],
                "10.1.1.1",
                &["10.0.0.7, 1.2.3.4"],
                "1.2.3.4",
            ),
            // Two proxies in a row.
            (
                &["10.0.0.0/8"],
                "10.1.1.1",
                &["6.6.6.6, 1.2.3.4, 10.9.9.9"],
                "1.2.3.4",
            ),
            // Rubbish is nobody's address.
            (
                &["10.0.0.0/8"],
                "10.1.1.1",
                &["1.2.3.4, unknown"],
                "10.1.1.1",
            ),
            (&["10.0.0.0/8"], "10.1.1.1", &["1.2.3.4, "], "10.1.1.1"),
            // Ports, IPv6, and IPv4 inside of IPv6.
            (&["10.0.0.0/8"], "10.1.1.1", &["1.2.3.4:5678"], "1.2.3.4"),
            (&["::1/128"], "::1", &["[2001:db8::7]:443"], "2001:db8::7"),
            (
                &["127.0.0.0/8"],
                "::ffff:127.0.0.1",
                &["::ffff:1.2.3.4"],
                "1.2.3.4",
            ),
        ];
        for (trusted, peer, forwarded, expected) in table {
            assert_eq!(
                caller(trusted, peer, forwarded),
                expected,
                "{peer} {forwarded:?}"
            );
        }
    }

    #[test]
    fn a_hundred_thousand_forged_addresses_are_one_caller() {
        let callers: std::collections::HashSet<_> = (0..100_000u32)
            .map(|forged| {
                let forged = std::net::Ipv4Addr::from_bits(forged);
                caller(
                    &["10.0.0.0/8"],
                    "10.1.1.1",
                    &[&format!("{forged}, 1.2.3.4")],
                )
            })
            .collect();
        assert_eq!(callers.len(), 1);
    }

    #[test]
    fn ipv6_is_counted_by_64() {
        let group = |text: &str| Group::of(text.parse().unwrap());
        assert_eq!(group("2001:db8:1:2::1"), group("2001:db8:1:2:ffff::9"));
        assert_ne!(group("2001:db8:1:2::1"), group("2001:db8:1:3::1"));
        assert_eq!(group("::ffff:192.0.2.1"), group("192.0.2.1"));
        assert_ne!(group("192.0.2.1"), group("192.0.2.2"));
        assert_eq!(group("2001:db8:1:2::1").to_string(), "2001:db8:1:2::/64");
        assert_eq!(group("::ffff:192.0.2.1").to_string(), "192.0.2.1");
    }
}
