//! Scripts and styles that stand in a page itself: the page's policy names each by its hash.

use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

/// The hashes of a page's own elements of this kind, as a Content-Security-Policy writes them.
pub(crate) fn hashes(page: &str, element: &str) -> Vec<String> {
    contents(page, element)
        .into_iter()
        .map(|content| {
            let digest = Sha256::digest(content.as_bytes());
            format!("'sha256-{}'", BASE64_STANDARD.encode(digest))
        })
        .collect()
}

/// What stands in the elements of a page that have no `src`.
pub(crate) fn contents<'a>(page: &'a str, element: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once(&format!("<{element}")) {
        rest = after;
        // `<styles>` is no style.
        let Some((attributes, content)) = after.split_once('>') else {
            break;
        };
        if attributes.starts_with(|next: char| !next.is_ascii_whitespace()) {
            continue;
        }
        let Some((content, after)) = content.split_once(&format!("</{element}>")) else {
            break;
        };
        rest = after;
        if !attributes.contains("src=") {
            found.push(content);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_page_is_found_byte_by_byte_and_what_is_loaded_is_not() {
        let page = "<script src=\"/a.js\"></script><style>a{}</style><scripts>no</scripts>\
                    <script type=\"module\">\n  import(1 > 2);\n</script><script>2</script><script";
        assert_eq!(contents(page, "script"), ["\n  import(1 > 2);\n", "2"]);
        assert_eq!(contents(page, "style"), ["a{}"]);
        assert!(contents("<p>", "script").is_empty());
    }

    #[test]
    fn a_hash_is_written_as_the_policy_wants_it() {
        // The example of CSP level 3.
        let hashes = hashes("<script>alert('Hello, world.');</script>", "script");
        assert_eq!(
            hashes,
            ["'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"]
        );
    }
}
