//! The arrows of ARCHITECTURE.md hold: which crate uses which, and that no folder inside a crate uses one that uses it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use syn::visit::Visit;

/// Which crates of ours each of our crates may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("engine", &["rules"]),
    ("tuning", &["engine", "rules"]),
    ("puzzles", &["engine", "rules"]),
    ("web", &[]),
    ("protocol", &["rules"]),
    ("environment", &["protocol", "rules"]),
    ("game", &["protocol", "rules"]),
    (
        "store",
        &["environment", "game", "protocol", "rules", "tests-postgres"],
    ),
    (
        "archive",
        &["environment", "game", "protocol", "rules", "store"],
    ),
    ("pictures", &["protocol", "rules", "web"]),
    ("client", &["environment", "game", "protocol", "rules"]),
    (
        "server",
        &[
            "engine",
            "environment",
            "game",
            "pictures",
            "protocol",
            "puzzles",
            "rules",
            "store",
            "web",
        ],
    ),
    (
        "qiguan",
        &[
            "archive",
            "client",
            "engine",
            "environment",
            "game",
            "protocol",
            "puzzles",
            "rules",
            "server",
            "store",
        ],
    ),
];

/// What a crate may not use, not even through others.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "qiguan-rules",
        &["tokio", "serde", "futures-util", "axum", "hyper", "sqlx"],
    ),
    (
        "qiguan-engine",
        &["tokio", "serde", "futures-util", "axum", "hyper", "sqlx"],
    ),
    (
        "qiguan-game",
        &["tokio", "async-trait", "axum", "hyper", "sqlx"],
    ),
    (
        "qiguan-client",
        &["qiguan-server", "qiguan-store", "axum", "sqlx"],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The platform that is built for, as the compiler names it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output();
    let text = String::from_utf8(output.expect("rustc runs").stdout).expect("text");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_owned()
}

/// The crates and what each uses outside its tests, by name.
fn graph() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        // What other platforms need is not downloaded by a build here.
        .arg(format!("--filter-platform={}", host()))
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let names: BTreeMap<String, String> = list(&metadata["packages"])
        .iter()
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let mut graph = BTreeMap::<_, BTreeSet<_>>::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let used = list(&node["deps"]).into_iter().filter(|used| {
            let kinds = list(&used["dep_kinds"]);
            kinds.iter().any(|kind| kind["kind"].is_null())
        });
        let used = used.map(|used| names[&text(&used["pkg"])].clone());
        let of = graph.entry(names[&text(&node["id"])].clone());
        of.or_default().extend(used);
    }
    graph
}

#[test]
fn a_crate_uses_what_the_architecture_allows_it() {
    let graph = graph();
    for (name, allowed) in ARROWS {
        let full = |name: &str| match name {
            "qiguan" => name.to_owned(),
            _ => format!("qiguan-{name}"),
        };
        let used = graph[&full(name)].iter();
        let used: BTreeSet<_> = used
            .filter(|used| used.starts_with("qiguan"))
            .cloned()
            .collect();
        let allowed: BTreeSet<_> = allowed.iter().map(|allowed| full(allowed)).collect();
        let more: Vec<_> = used.difference(&allowed).collect();
        assert!(more.is_empty(), "{name} uses {more:?}");
    }
}

#[test]
fn the_game_waits_for_nothing_and_the_client_knows_no_records() {
    let graph = graph();
    for (name, forbidden) in FORBIDDEN {
        let mut reached = BTreeSet::from([(*name).to_owned()]);
        let mut next = vec![(*name).to_owned()];
        while let Some(one) = next.pop() {
            for used in graph.get(&one).into_iter().flatten() {
                if reached.insert(used.clone()) {
                    next.push(used.clone());
                }
            }
        }
        assert!(reached.len() > 1 || *name == "qiguan-rules");
        let found: Vec<_> = forbidden
            .iter()
            .filter(|one| reached.contains(**one))
            .collect();
        assert!(found.is_empty(), "{name} uses {found:?}");
    }
}

/// What the modules at the top of a crate use of each other, outside tests.
fn modules(sources: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::<_, BTreeSet<_>>::new();
    let mut folders = vec![sources.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if name.ends_with("tests") || matches!(&*name, "conformance" | "testing" | "plans") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(sources).expect("inside");
            let mut module: Vec<String> = inside
                .with_extension("")
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            if module.last().is_some_and(|last| last == "mod") {
                module.pop();
            }
            if path.extension().is_none_or(|end| end != "rs")
                || matches!(module[0].as_str(), "lib" | "main")
            {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a source");
            let file = syn::parse_file(&text).expect("Rust");
            let mut uses = Uses {
                module: module.clone(),
                found: BTreeSet::new(),
            };
            uses.visit_file(&file);
            uses.found.remove(&module[0]);
            found
                .entry(module[0].clone())
                .or_default()
                .extend(uses.found);
        }
    }
    let known: BTreeSet<_> = found.keys().cloned().collect();
    for used in found.values_mut() {
        used.retain(|one| known.contains(one));
    }
    found
}

/// Collects the top modules that a file names by `crate::` or `super::`.
struct Uses {
    module: Vec<String>,
    found: BTreeSet<String>,
}

impl Uses {
    fn path(&mut self, segments: &[String]) {
        let above = segments.iter().take_while(|one| *one == "super").count();
        let named = match segments.first().map(String::as_str) {
            Some("crate") => segments.get(1),
            Some("super") if above == self.module.len() => segments.get(above),
            _ => None,
        };
        self.found.extend(named.cloned());
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &[String]) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.tree(&path.tree, &with(&path.ident)),
            syn::UseTree::Name(name) => self.path(&with(&name.ident)),
            syn::UseTree::Rename(name) => self.path(&with(&name.ident)),
            syn::UseTree::Glob(_) => self.path(before),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.tree(tree, before);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let is_test = module.attrs.iter().any(|attribute| {
            attribute.path().is_ident("cfg")
                && attribute
                    .meta
                    .require_list()
                    .is_ok_and(|list| list.tokens.to_string().contains("test"))
        });
        if !is_test {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        self.path(&segments);
        syn::visit::visit_path(self, path);
    }
}

/// A cycle, if there is one: what is left when all that use nothing else are taken away again and again, and all that nothing uses.
fn cycle(mut graph: BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    loop {
        let before = graph.len();
        let here: BTreeSet<_> = graph.keys().cloned().collect();
        for used in graph.values_mut() {
            used.retain(|one| here.contains(one));
        }
        graph.retain(|_, used| !used.is_empty());
        let used: BTreeSet<_> = graph.values().flatten().cloned().collect();
        graph.retain(|one, _| used.contains(one));
        if graph.len() == before {
            return here;
        }
    }
}

#[test]
fn no_module_of_a_crate_uses_one_that_uses_it() {
    for name in [
        "game", "store", "archive", "pictures", "client", "server", "qiguan",
    ] {
        let graph = modules(&root().join(name).join("src"));
        let found = cycle(graph.clone());
        let shown: Vec<_> = found.iter().map(|one| (one, &graph[one])).collect();
        assert!(shown.is_empty(), "{name}: {shown:?}");
    }
    let server = modules(&root().join("server/src"));
    assert!(server["http"].contains("room"), "imports are found");
    assert!(server["room"].contains("services"), "imports are found");
    let store = modules(&root().join("store/src"));
    assert!(store["flushing"].contains("sqlite"), "imports are found");
    assert!(store["sqlite"].contains("store"), "imports are found");
}

#[test]
fn a_planted_cycle_is_found() {
    let graph = |arrows: &[(&str, &str)]| {
        let mut graph = BTreeMap::<_, BTreeSet<_>>::new();
        for (from, to) in arrows {
            graph.entry((*to).to_owned()).or_default();
            let of = graph.entry((*from).to_owned()).or_default();
            of.insert((*to).to_owned());
        }
        graph
    };
    assert!(cycle(graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    let found = cycle(graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]));
    assert_eq!(found, BTreeSet::from(["b".to_owned(), "c".to_owned()]));
}

/// Every file that the architecture names between backticks, with an ending of ours.
fn named_files(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let endings = [".rs", ".ts", ".svelte", ".html", ".mjs"];
    quoted
        .filter(|name| !name.contains(char::is_whitespace))
        .filter(|name| endings.iter().any(|end| name.ends_with(end)))
        .collect()
}

#[test]
fn every_file_that_the_architecture_names_is_there() {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git runs");
    let listed = String::from_utf8(output.stdout).expect("text");
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the architecture");
    let named = named_files(&text);
    assert!(named.len() > 100, "{named:?}");
    let is_there = |name: &str| {
        let inside = format!("/{name}");
        listed
            .lines()
            .any(|file| file == name || file.ends_with(&inside))
    };
    let missing: Vec<_> = named.into_iter().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!is_there("room/no_such_file.rs"));
    assert!(!text.contains("<<<<<<<"), "the leftover of a merge");
}
