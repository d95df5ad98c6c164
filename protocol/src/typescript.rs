//! `web/src/lib/protocol/protocol.ts`: everything that travels, as TypeScript; and the catalog that the client's tests know. The
//! files are committed; the tests here compare them, and `make types` rewrites them.
//!
//! **Invariant:** a type is in the file because something that travels leads to it, so none can be forgotten: the roots are
//! the tables of [`paths`] and [`requests`] and the messages of the server.

mod layout;
mod numbers;
mod paths;
mod requests;

use std::{collections::BTreeMap, env, fs, path::Path};

use ts_rs::{Config, TS, TypeVisitor};

use crate::{
    SUBPROTOCOL,
    answer::{Answer, AnswerFrame},
    catalog::Catalog,
    error::{ErrorBody, ErrorCode},
    event::{EventFrame, GameNotice, ServerNotice},
    lobby::LobbyNotice,
};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../web/src/lib/protocol/protocol.ts"
);

/// The catalog, for the web client's own tests.
const CATALOG: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../web/src/lib/rules/catalog.fixture.json"
);

const HEAD: &str = "// Made from the crate `protocol` by `make types`. Do not edit.\n";

const MESSAGES: &str = "\
/** Everything that the server sends on the socket. Which one it is shows in its fields: `re`, `event`, `lobby`, or `notice`. */
export type ServerMessage = AnswerFrame | EventFrame | GameNotice | ServerNotice | LobbyNotice;

/** The answer of one type, or of one of several. */
export type AnswerOf<T extends Answer[\"type\"]> = Extract<Answer, { type: T }>;
";

/// The declarations so far, by name: `ts-rs` visits what a type is made of in an order that changes with every build.
struct Declarations {
    config: Config,
    by_name: BTreeMap<String, String>,
}

impl Declarations {
    /// Declares a type and everything that it is made of, and says how it is written.
    fn declare<T: TS + 'static + ?Sized>(&mut self) -> String {
        self.visit::<T>();
        T::name(&self.config)
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of the language and its libraries have no declaration, and some no name.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        if self.by_name.contains_key(&name) {
            return;
        }
        let declaration = T::decl(&self.config);
        let declaration = layout::declaration(T::docs().as_deref(), &declaration);
        self.by_name.insert(name, declaration);
        T::visit_dependencies(self);
    }
}

/// The whole file.
fn document() -> String {
    let mut types = Declarations {
        // JSON has one kind of number, and every number here stays below 2^53.
        config: Config::new().with_large_int("number"),
        by_name: BTreeMap::new(),
    };
    let requests = requests::document(&mut types);
    let paths = paths::document(&mut types);
    types.declare::<Answer>();
    types.declare::<AnswerFrame>();
    types.declare::<EventFrame>();
    types.declare::<GameNotice>();
    types.declare::<ServerNotice>();
    types.declare::<LobbyNotice>();
    types.declare::<ErrorBody>();
    let codes: Vec<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    let codes = codes.join("\",\n  \"");
    let declarations: Vec<_> = types.by_name.into_values().collect();
    format!(
        "{HEAD}\n/** The WebSocket subprotocol, and with it the version of everything here. */\n\
         export const SUBPROTOCOL = \"{SUBPROTOCOL}\";\n\n{requests}\n{MESSAGES}\n{paths}\n{}\n\
         /** Every code that an error can have. */\nexport const ERROR_CODES = [\n  \"{codes}\",\n] as const satisfies readonly ErrorCode[];\n\n{}",
        numbers::document(),
        declarations.join("\n")
    )
}

/// Compares a committed file with what it has to be, or writes it if `make types` asks for that.
fn committed(file: &str, document: &str) {
    if env::var_os("QIGUAN_TYPES").is_some_and(|what| what == "write") {
        let folder = Path::new(file).parent().unwrap();
        fs::create_dir_all(folder).unwrap();
        fs::write(file, document).unwrap();
        return;
    }
    let committed = fs::read_to_string(file).unwrap_or_default();
    let differing = committed
        .lines()
        .zip(document.lines())
        .position(|(old, new)| old != new);
    let line = differing.unwrap_or_else(|| committed.lines().count().min(document.lines().count()));
    assert!(
        committed == document,
        "{file} is not what the protocol is now (line {}): run `make types` and commit it",
        line + 1
    );
}

#[test]
fn the_types_of_the_web_client_are_those_of_the_protocol() {
    committed(FILE, &document());
}

#[test]
fn the_catalog_that_the_web_client_is_tested_with_is_that_of_the_rules() {
    let catalog = serde_json::to_string_pretty(&Catalog::of_rules()).unwrap();
    committed(CATALOG, &format!("{catalog}\n"));
}
