//! Bytes of a file as text: UTF-8, UTF-16 with its mark, GBK (as GB 18030) or Big5, recognised by what they say. Pure.

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8};

/// Characters that texts of games have in either script; those of another encoding read as one of these are rare ones.
const USUAL: &str = "车車马馬炮砲兵卒将將帅帥仕士相象进進退平前后後中一二三四五六七八九１２３４５６７８９\
    红紅黑胜勝负負和棋局先方年月日第轮輪赛賽杯全国國个個人团團体體联聯省市北京上海广廣东東江河湖南西\
    的不是在有这這以可如果走着变變攻守子路兑車。，、（）《》：；！？“”";

/// A character that is not usual is as bad as this share of a usual one is good, an error as bad as several.
const ERROR: i64 = 8;

/// What the bytes of a text stand for, its encoding recognised, and the encoding's name. Bytes that stand for nothing in it
/// become U+FFFD.
pub fn decode(bytes: &[u8]) -> (String, &'static str) {
    let encoding = recognise(bytes);
    let (text, encoding, _) = encoding.decode(bytes);
    (text.into_owned(), encoding.name())
}

/// The encoding that bytes are most likely in. Plain ASCII is UTF-8.
pub(super) fn recognise(bytes: &[u8]) -> &'static Encoding {
    if let Some((marked, _)) = Encoding::for_bom(bytes) {
        return marked;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    // The first of equals: UTF-8, since single bytes get broken, then GBK, which is by far the most frequent.
    let mut best = (UTF_8, i64::MIN);
    for encoding in [UTF_8, GB18030, BIG5] {
        let likelihood = likelihood(encoding, bytes);
        if likelihood > best.1 {
            best = (encoding, likelihood);
        }
    }
    best.0
}

/// How likely it is that bytes are in an encoding: usual characters for it, errors and rare characters against it.
fn likelihood(encoding: &'static Encoding, bytes: &[u8]) -> i64 {
    // Some hundred characters tell.
    const ENOUGH: usize = 1 << 16;
    let sample = &bytes[..bytes.len().min(ENOUGH)];
    let (text, _) = encoding.decode_without_bom_handling(sample);
    let worth = |sign: char| {
        if sign.is_ascii() {
            0
        } else if sign == char::REPLACEMENT_CHARACTER {
            -ERROR
        } else if USUAL.contains(sign) {
            4
        } else if ('\u{4e00}'..='\u{9fff}').contains(&sign) {
            0
        } else {
            -1
        }
    };
    text.chars().map(worth).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIMPLIFIED: &str =
        "[Red \"柳大华\"]\n[Black \"杨官璘\"]\n[Result \"1/2-1/2\"]\n\n1. 炮二平五 马８进７ *\n";
    const TRADITIONAL: &str =
        "[Red \"陳建宇\"]\n[Black \"王韋中\"]\n[Result \"1-0\"]\n\n1. 炮二平五 馬８進７ *\n";

    #[test]
    fn each_encoding_is_recognised_by_what_it_says() {
        for text in [SIMPLIFIED, TRADITIONAL] {
            assert_eq!(decode(text.as_bytes()), (text.to_owned(), "UTF-8"));
            let marked = format!("\u{feff}{text}");
            assert_eq!(decode(marked.as_bytes()), (text.to_owned(), "UTF-8"));
            let (gbk, _, _) = GB18030.encode(text);
            assert_eq!(decode(&gbk), (text.to_owned(), "gb18030"));
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let wide = [&[0xff, 0xfe], wide.as_slice()].concat();
            assert_eq!(decode(&wide), (text.to_owned(), "UTF-16LE"));
        }
        let (big5, _, _) = BIG5.encode(TRADITIONAL);
        assert_eq!(decode(&big5), (TRADITIONAL.to_owned(), "Big5"));
    }

    #[test]
    fn tags_alone_tell_as_well() {
        let text = "[Event \"1982年全国赛\"]\n[Red \"柳大华\"]\n1. H2-E2\n1-0\n";
        let (gbk, _, _) = GB18030.encode(text);
        assert_eq!(decode(&gbk).0, text);
        let text = "[Event \"第四屆臺灣象棋棋王賽\"]\n[Red \"謝承宇\"]\n1. H2-D2\n0-1\n";
        let (big5, _, _) = BIG5.encode(text);
        assert_eq!(decode(&big5).0, text);
    }

    #[test]
    fn a_broken_byte_does_not_make_another_text_of_it() {
        for encoding in [UTF_8, GB18030] {
            let (bytes, _, _) = encoding.encode(SIMPLIFIED);
            let mut bytes = bytes.into_owned();
            let place = bytes.iter().position(|byte| *byte > 0x7f).unwrap();
            bytes[place] = 0xff;
            let (text, found) = decode(&bytes);
            assert_eq!(found, encoding.name());
            assert!(
                text.contains('\u{fffd}') && text.contains("炮二平五"),
                "{text}"
            );
        }
    }
}
