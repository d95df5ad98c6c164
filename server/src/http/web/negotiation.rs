//! Which encodings a browser accepts, and which version of a file it has.

use axum::http::{HeaderMap, HeaderName, header};
use qiguan_web::{File, Variant};

use crate::packed_pages::Encoding;

/// The file in the encoding that the client likes best; brotli before gzip where it does not mind.
pub(super) fn chosen<'a>(file: &'a File, asked: &HeaderMap) -> (&'a Variant, Option<&'static str>) {
    let variant = |encoding| match encoding {
        Encoding::Brotli => file.brotli.as_ref(),
        Encoding::Gzip => file.gzip.as_ref(),
    };
    let encoding = best(asked, |encoding| variant(encoding).is_some());
    let packed = encoding.and_then(|encoding| Some((variant(encoding)?, Some(encoding.name()))));
    packed.unwrap_or((&file.plain, None))
}

/// The encoding that the client likes best, of what can be packed in any.
pub(super) fn liked(asked: &HeaderMap) -> Option<Encoding> {
    best(asked, |_| true)
}

fn best(asked: &HeaderMap, is_there: impl Fn(Encoding) -> bool) -> Option<Encoding> {
    let mut best = None;
    // Without a preference for plain bytes they are sent only if nothing else is accepted.
    let mut most = quality(asked, "identity").unwrap_or(0);
    for encoding in [Encoding::Brotli, Encoding::Gzip] {
        let quality = quality(asked, encoding.name()).or_else(|| quality_of_any(asked));
        let quality = quality.unwrap_or(0);
        let beats = quality > most || (quality == most && best.is_none() && quality > 0);
        if beats && is_there(encoding) {
            best = Some(encoding);
            most = quality;
        }
    }
    best
}

/// Whether the client says that it has the bytes with this tag.
pub(super) fn is_known(asked: &HeaderMap, etag: &str) -> bool {
    items(asked, &header::IF_NONE_MATCH)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag)
}

/// How much a client likes an encoding, in thousandths; none if it does not name it.
fn quality(asked: &HeaderMap, encoding: &str) -> Option<u16> {
    items(asked, &header::ACCEPT_ENCODING).find_map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next()?;
        if !name.eq_ignore_ascii_case(encoding) {
            return None;
        }
        let weight =
            parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let Some(weight) = weight else {
            return Some(1000);
        };
        // What is no number is not liked.
        let weight: f32 = weight.trim().parse().unwrap_or(0.0);
        Some((weight.clamp(0.0, 1.0) * 1000.0) as u16)
    })
}

/// How much a client likes what it does not name.
fn quality_of_any(asked: &HeaderMap) -> Option<u16> {
    quality(asked, "*")
}

/// The items of a header that is a list.
fn items<'a>(asked: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    asked
        .get_all(name)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const FILE: File = File {
        address: "/a.js",
        content_type: "text/javascript; charset=utf-8",
        plain: Variant {
            etag: "\"plain\"",
            bytes: b"plain",
        },
        brotli: Some(Variant {
            etag: "\"brotli\"",
            bytes: b"br",
        }),
        gzip: Some(Variant {
            etag: "\"gzip\"",
            bytes: b"gz",
        }),
    };

    fn asking(name: &HeaderName, values: &[&'static str]) -> HeaderMap {
        let values = values.iter().map(|value| HeaderValue::from_static(value));
        values.map(|value| (name.clone(), value)).collect()
    }

    #[test]
    fn the_best_liked_encoding_is_chosen() {
        for (accept, name) in [
            (&[][..], None),
            (&[""], None),
            (&["gzip, deflate, br, zstd"], Some("br")),
            (&["gzip"], Some("gzip")),
            (&["GZip", "BR"], Some("br")),
            (&["br;q=0.5, gzip;q=0.8"], Some("gzip")),
            (&["br; q=0, gzip"], Some("gzip")),
            (&["br;q=0, gzip;q=0.0"], None),
            (&["*"], Some("br")),
            (&["*;q=0"], None),
            (&["br;q=0, *"], Some("gzip")),
            (&["identity"], None),
            (&["identity, br, gzip"], Some("br")),
            (&["identity;q=1, br;q=0.9"], None),
            (&["identity;q=0"], None),
            (&["deflate, zstd"], None),
            (&["br;q=x"], None),
            (&["br;q=-1, gzip;q=NaN"], None),
            (&["br;q=7"], Some("br")),
            (&[";;;,,,=;q"], None),
        ] {
            let asked = asking(&header::ACCEPT_ENCODING, accept);
            assert_eq!(chosen(&FILE, &asked).1, name, "{accept:?}");
        }
    }

    #[test]
    fn what_does_not_get_smaller_is_sent_as_it_is() {
        let file = File {
            brotli: None,
            gzip: None,
            ..FILE
        };
        let asked = asking(&header::ACCEPT_ENCODING, &["br, gzip, *"]);
        assert_eq!(chosen(&file, &asked).1, None);
    }

    #[test]
    fn known_bytes_are_known_by_their_own_tag() {
        for (known, expected) in [
            (&["\"gzip\""][..], true),
            (&["W/\"gzip\""], true),
            (&["\"a\", \"gzip\""], true),
            (&["\"a\"", "\"gzip\""], true),
            (&["*"], true),
            (&["\"brotli\""], false),
            (&["gzip"], false),
            (&[""], false),
            (&[], false),
        ] {
            let asked = asking(&header::IF_NONE_MATCH, known);
            assert_eq!(is_known(&asked, "\"gzip\""), expected, "{known:?}");
        }
    }
}
