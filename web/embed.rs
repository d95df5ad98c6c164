//! The web client as a part of the program: its files, in the encodings that browsers ask for.
//!
//! **Invariant:** there is always a page. If the client was not built, it is one that says so, and [`Client::missing`] tells why.

include!(concat!(env!("OUT_DIR"), "/client.rs"));

/// The web client, or the page that stands in for it.
#[derive(Debug)]
pub struct Client {
    /// The page that every address of the client begins with.
    pub page: File,
    /// The hashes of the scripts that stand in the page itself, as a Content-Security-Policy writes them.
    pub scripts: &'static [&'static str],
    /// The same of its styles.
    pub styles: &'static [&'static str],
    /// Why the program has no client, if it has none.
    pub missing: Option<&'static str>,
    /// The addresses of the client's pages, such as `/game/[id]`.
    pub routes: &'static [&'static str],
    /// All other files, sorted by their addresses.
    pub files: &'static [File],
}

/// A file of the client.
#[derive(Debug)]
pub struct File {
    /// Where it lies, such as `/favicon.svg`.
    pub address: &'static str,
    /// What it is, with the character set where there is one.
    pub content_type: &'static str,
    /// As it is.
    pub plain: Variant,
    /// Compressed with brotli, if that was worth it.
    pub brotli: Option<Variant>,
    /// Compressed with gzip, if that was worth it.
    pub gzip: Option<Variant>,
}

/// The bytes of a file in one encoding.
#[derive(Debug)]
pub struct Variant {
    /// The bytes' own tag, with its quotes.
    pub etag: &'static str,
    /// The bytes.
    pub bytes: &'static [u8],
}

impl Client {
    /// The file at an address; the page is at none.
    pub fn file(&self, address: &str) -> Option<&File> {
        let place = self
            .files
            .binary_search_by(|file| file.address.cmp(address));
        place.ok().and_then(|place| self.files.get(place))
    }

    /// Whether an address is one of the client's pages. Whether what it names is there, the page finds out.
    pub fn has_page(&self, address: &str) -> bool {
        let address = address.strip_suffix('/').unwrap_or(address);
        self.routes.iter().any(|route| {
            let route = route.strip_suffix('/').unwrap_or(route);
            let mut parts = address.split('/');
            let fits = route.split('/').all(|wanted| {
                parts.next().is_some_and(|part| {
                    part == wanted || (wanted.starts_with('[') && !part.is_empty())
                })
            });
            fits && parts.next().is_none()
        })
    }
}

/// A file of `web/art`, by its path there, such as `layout.json`: what boards and pieces are drawn from, here as in browsers.
pub fn art(path: &str) -> Option<&'static str> {
    let file = ART.iter().find(|(name, _)| *name == path);
    file.map(|(_, text)| *text)
}

/// The client's texts of a space in a language, as JSON: of those spaces that have the names of games, rule sets and ends.
pub fn texts(locale: &str, space: &str) -> Option<&'static str> {
    let wanted = format!("{locale}/{space}.json");
    let file = TEXTS.iter().find(|(name, _)| *name == wanted);
    file.map(|(_, text)| *text)
}

/// Where files lie whose addresses hold their content's hash: what is there never changes.
pub const HASHED: &str = "/_app/immutable/";

#[cfg(test)]
#[path = "embedding/inline.rs"]
mod inline;
#[cfg(test)]
#[path = "embedding/inputs.rs"]
mod inputs;
#[cfg(test)]
#[path = "embedding/packages.rs"]
mod packages;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_is_found_at_its_address_and_nothing_else() {
        for file in CLIENT.files {
            assert_eq!(
                CLIENT.file(file.address).map(|found| found.address),
                Some(file.address)
            );
        }
        for none in ["", "/", "/index.html", "/_app", "/favicon.sv"] {
            assert!(CLIENT.file(none).is_none(), "{none}");
        }
    }

    #[test]
    fn the_addresses_of_pages_are_those_of_the_folders_and_no_others() {
        for page in [
            "/",
            "/games",
            "/games/",
            "/game/01890000-0000-7000-8000-000000000001",
            "/rules/xiangqi/standard",
            "/player/%E6%A3%8B",
        ] {
            assert!(CLIENT.has_page(page), "{page}");
        }
        for nothing in [
            "/healthz",
            "/game",
            "/game/",
            "/game/a/b",
            "/games//",
            "/lobby",
        ] {
            assert!(!CLIENT.has_page(nothing), "{nothing}");
        }
    }

    #[derive(serde::Deserialize)]
    struct Package {
        name: String,
        identifier: Option<String>,
        text: Option<String>,
    }

    #[test]
    fn every_package_in_the_client_may_be_handed_on_and_its_licence_is_told() {
        let file = CLIENT.file("/licenses.json");
        let file =
            file.expect("the client was built, and vite.config.ts has its list of licences made");
        let packages: Vec<Package> = serde_json::from_slice(file.plain.bytes).unwrap();
        assert!(packages.iter().any(|package| package.name == "svelte"));
        for Package {
            name,
            identifier,
            text,
        } in packages
        {
            let licence = identifier.unwrap_or_default();
            let known = [
                "MIT",
                "Apache-2.0",
                "BSD-2-Clause",
                "BSD-3-Clause",
                "ISC",
                "OFL-1.1",
            ];
            assert!(known.contains(&licence.as_str()), "{name}: {licence}");
            assert!(text.is_some_and(|text| !text.is_empty()), "{name}: no text");
        }
    }

    #[test]
    fn everything_in_the_folder_is_known_to_change_the_client_or_not_to() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(web).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let known =
                inputs::INPUTS.contains(&name.as_str()) || inputs::OTHERS.contains(&name.as_str());
            assert!(
                known,
                "web/{name}: add it to the inputs or the others in web/embedding/inputs.rs"
            );
        }
        let files = inputs::files(web).unwrap();
        assert!(files.contains(&web.join("src/app.html")));
    }
}
