//! Which addresses are those of the public network: the server connects to no others on behalf of a visitor, who could use it to reach
//! what only this machine or its neighbours can.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Networks of IPv4 that lead nowhere in public, after IANA's registry of special purposes.
const NOT_PUBLIC_V4: [(Ipv4Addr, u8); 15] = [
    // This network.
    (Ipv4Addr::UNSPECIFIED, 8),
    // Private.
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    // Behind a provider's address translation.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    // This machine.
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // This link; clouds tell their machines' secrets there.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    // Protocols' own.
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    // Examples in documents.
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Relays from IPv6, given up.
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    // Measurements.
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    // Many at once.
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    // Reserved, and everybody at once.
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// What is given out of IPv6; everything else is private, local, many at once or reserved.
const GIVEN_OUT_V6: (Ipv6Addr, u8) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// What of that leads nowhere in public, or to an address of IPv4 inside it.
const NOT_PUBLIC_V6: [(Ipv6Addr, u8); 4] = [
    // Protocols' own, tunnels (Teredo) and measurements among them.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // Examples in documents.
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
    // Tunnels (6to4).
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
];
/// IPv4 by way of a translator (NAT64): the last four bytes are the address.
const TRANSLATED: (Ipv6Addr, u8) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Whether this is an address of the public network.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !NOT_PUBLIC_V4
        .iter()
        .any(|(net, bits)| Ipv4Net::new_assert(*net, *bits).contains(&address))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let within = |(net, bits): (Ipv6Addr, u8)| Ipv6Net::new_assert(net, bits).contains(&address);
    if let Some(inside) = address.to_ipv4_mapped() {
        return is_public_v4(inside);
    }
    if within(TRANSLATED) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    within(GIVEN_OUT_V6) && !NOT_PUBLIC_V6.into_iter().any(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_everybody_can_reach_is_public() {
        for public in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "142.250.74.110",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2606:4700:4700::1111",
            "2a00:1450:4001:827::200a",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for not_public in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::1.1.1.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::7f00:1",
            "64:ff9b::a00:1",
            "64:ff9b:1::101:101",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456:789a::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(not_public.parse().unwrap()), "{not_public}");
        }
    }
}
