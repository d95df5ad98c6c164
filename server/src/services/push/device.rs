//! A device as its browser has subscribed it: everything is checked here, before it is stored.

use std::net::IpAddr;

use base64::{
    Engine,
    alphabet::URL_SAFE,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use qiguan_protocol::{
    error::ApiError,
    limits,
    push::{AddPushDevice, PushDevice},
};
use qiguan_store::push::PushSubscription;
use url::{Host, Url};

use super::encryption::{AUTH_BYTES, DeviceKeys, PUBLIC_BYTES};
use crate::net::{origin, public_address::is_public};

/// base64url as browsers write it, and as some programs do, with padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Where messages may be sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To hosts of the public network, by https.
    Public,
    /// Anywhere, also by http (tests).
    Anywhere,
}

/// Why messages can't be sent to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum WrongEndpoint {
    #[error("expected the address of a push service, such as https://push.example.org/…")]
    NoUrl,
    #[error("it can have at most {} bytes", limits::PUSH_ENDPOINT_BYTES)]
    TooLong,
    #[error("expected an https address")]
    NotHttps,
    #[error("it can't have a name, a password or a fragment")]
    NotPlain,
    #[error("expected the usual port of https, 443")]
    OtherPort,
    #[error(
        "expected a host that everybody can reach, not one of this machine or a private network"
    )]
    NotPublic,
}

/// What is stored of a device.
///
/// # Errors
/// `bad_value` with the field.
pub fn checked(asked: AddPushDevice, reach: Reach) -> Result<PushSubscription, ApiError> {
    let url = endpoint(&asked.endpoint, reach)
        .map_err(|wrong| ApiError::bad_value("endpoint", wrong.to_string()))?;
    let p256dh = bytes("p256dh", &asked.p256dh, PUBLIC_BYTES)?;
    let auth = bytes("auth", &asked.auth, AUTH_BYTES)?;
    if DeviceKeys::of(&p256dh, &auth).is_none() {
        let message = "expected a point of the curve P-256, not compressed";
        return Err(ApiError::bad_value("p256dh", message));
    }
    check_language(&asked.language)?;
    let kinds = asked.kinds;
    if !(kinds.turns || kinds.challenges || kinds.pairings) {
        let message = "expected at least one that is true; DELETE ends all of them";
        return Err(ApiError::bad_value("kinds", message));
    }
    Ok(PushSubscription {
        endpoint: url.into(),
        p256dh,
        auth,
        language: asked.language,
        kinds,
        failures: 0,
    })
}

/// A stored device as its owner sees it.
pub fn shown(stored: PushSubscription) -> PushDevice {
    PushDevice {
        endpoint: stored.endpoint,
        language: stored.language,
        kinds: stored.kinds,
    }
}

/// An address that messages may be sent to. Where the name of a host leads is looked up with each message.
pub(super) fn endpoint(text: &str, reach: Reach) -> Result<Url, WrongEndpoint> {
    if text.len() > limits::PUSH_ENDPOINT_BYTES {
        return Err(WrongEndpoint::TooLong);
    }
    let url = Url::parse(text).map_err(|_| WrongEndpoint::NoUrl)?;
    if url.as_str().len() > limits::PUSH_ENDPOINT_BYTES {
        return Err(WrongEndpoint::TooLong);
    }
    let is_anywhere = reach == Reach::Anywhere;
    match url.scheme() {
        "https" => {}
        "http" if is_anywhere => {}
        _ => return Err(WrongEndpoint::NotHttps),
    }
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(WrongEndpoint::NotPlain);
    }
    if is_anywhere {
        return Ok(url);
    }
    let is_public = match url.host() {
        Some(Host::Ipv4(address)) => is_public(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => is_public(IpAddr::V6(address)),
        Some(Host::Domain(name)) => !origin::is_local_name(name.trim_end_matches('.')),
        None => return Err(WrongEndpoint::NoUrl),
    };
    if !is_public {
        return Err(WrongEndpoint::NotPublic);
    }
    if url.port().is_some() {
        return Err(WrongEndpoint::OtherPort);
    }
    Ok(url)
}

fn bytes(field: &'static str, text: &str, length: usize) -> Result<Vec<u8>, ApiError> {
    let wrong = || ApiError::bad_value(field, format!("expected {length} bytes in base64url"));
    // As long as it can be, with its padding.
    if text.len() > length.div_ceil(3) * 4 {
        return Err(wrong());
    }
    let bytes = BASE64.decode(text).map_err(|_| wrong())?;
    Some(bytes)
        .filter(|bytes| bytes.len() == length)
        .ok_or_else(wrong)
}

fn check_language(language: &str) -> Result<(), ApiError> {
    let is_tag =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if language.len() <= limits::LANGUAGE_CHARACTERS && language.split('-').all(is_tag) {
        return Ok(());
    }
    let message = format!(
        "expected a language such as zh-Hans, of at most {} characters",
        limits::LANGUAGE_CHARACTERS
    );
    Err(ApiError::bad_value("language", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_to_public_hosts_by_https_at_its_port() {
        for (text, wrong) in [
            ("https://push.example.net/wp/abc?x=1", None),
            ("https://push.example.net:443/wp", None),
            ("https://1.1.1.1/wp", None),
            ("https://[2606:4700::1111]/wp", None),
            ("", Some(WrongEndpoint::NoUrl)),
            ("push.example.net", Some(WrongEndpoint::NoUrl)),
            ("https://", Some(WrongEndpoint::NoUrl)),
            ("http://push.example.net/wp", Some(WrongEndpoint::NotHttps)),
            ("file:///etc/passwd", Some(WrongEndpoint::NotHttps)),
            ("https://a@push.example.net/", Some(WrongEndpoint::NotPlain)),
            ("https://push.example.net/#x", Some(WrongEndpoint::NotPlain)),
            (
                "https://push.example.net:8443/",
                Some(WrongEndpoint::OtherPort),
            ),
            (
                "https://push.example.net:22/",
                Some(WrongEndpoint::OtherPort),
            ),
            ("https://127.0.0.1/wp", Some(WrongEndpoint::NotPublic)),
            ("https://0x7f.1/wp", Some(WrongEndpoint::NotPublic)),
            ("https://2130706433/wp", Some(WrongEndpoint::NotPublic)),
            ("https://017700000001/wp", Some(WrongEndpoint::NotPublic)),
            ("https://10.0.0.1/wp", Some(WrongEndpoint::NotPublic)),
            ("https://169.254.169.254/", Some(WrongEndpoint::NotPublic)),
            ("https://[::1]/wp", Some(WrongEndpoint::NotPublic)),
            ("https://[::ffff:10.0.0.1]/", Some(WrongEndpoint::NotPublic)),
            ("https://localhost/wp", Some(WrongEndpoint::NotPublic)),
            ("https://LOCALHOST./wp", Some(WrongEndpoint::NotPublic)),
            ("https://router.lan/wp", Some(WrongEndpoint::NotPublic)),
            (
                "https://metadata.google.internal/",
                Some(WrongEndpoint::NotPublic),
            ),
            ("https://intranet/", Some(WrongEndpoint::NotPublic)),
        ] {
            assert_eq!(endpoint(text, Reach::Public).err(), wrong, "{text}");
        }
        let long = format!("https://push.example.net/{}", "x".repeat(1_000));
        for (text, wrong) in [
            ("http://127.0.0.1:8080/wp", None),
            ("https://localhost:1/", None),
            ("ftp://127.0.0.1/", Some(WrongEndpoint::NotHttps)),
            (long.as_str(), Some(WrongEndpoint::TooLong)),
        ] {
            assert_eq!(endpoint(text, Reach::Anywhere).err(), wrong, "{text}");
        }
    }

    #[test]
    fn a_language_is_a_tag() {
        for fine in ["en", "zh-Hans", "de-CH-1996"] {
            assert!(check_language(fine).is_ok(), "{fine}");
        }
        for wrong in ["", "-", "en-", "zh_Hans", "é", "en\n", &"a".repeat(36)] {
            assert!(check_language(wrong).is_err(), "{wrong}");
        }
    }
}
