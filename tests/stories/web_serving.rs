//! The web client as a browser gets it: its page, its files, and nothing else.

use std::io::Read;

use base64::{Engine, prelude::BASE64_STANDARD};
use qiguan_tests::{Program, http::Http, http::Response, raw::Raw, waiting};
use reqwest::Method;
use sha2::{Digest, Sha256};

/// Asks with some headers.
async fn ask(http: &Http, path: &str, headers: &[(&str, &str)]) -> Response {
    http.send(Method::GET, path, headers, None).await
}

/// The page, which has to be the client's.
async fn page(http: &Http) -> String {
    let page = http.get("/").await;
    assert_eq!(page.status, 200, "{page:?}");
    assert!(
        page.text.contains("/_app/immutable/entry/start."),
        "this program was built without its web client (see docs/operations.md): {}",
        page.text
    );
    page.text
}

/// The addresses of the files that the page names.
fn named(page: &str) -> Vec<String> {
    let mut files: Vec<_> = page
        .split('"')
        .filter(|text| text.starts_with("/_app/immutable/"))
        .map(ToOwned::to_owned)
        .collect();
    files.sort();
    files.dedup();
    let has = |end| files.iter().any(|file| file.ends_with(end));
    assert!(has(".js") && has(".css"), "{files:?}");
    files
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    let value = response.headers.get(name);
    value.and_then(|value| value.to_str().ok()).unwrap_or("")
}

/// What has to stand on everything that is served, whatever became of it.
fn is_guarded(response: &Response, what: &str) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(header(response, name), value, "{what}: {name}");
    }
    let policy = header(response, "content-security-policy");
    if what.contains('.') || what.starts_with("/_app") {
        // The policies of pages would weigh more than many a file.
        assert_eq!(
            policy, "default-src 'self'; frame-ancestors 'none'",
            "{what}"
        );
        return;
    }
    assert_eq!(
        header(response, "cross-origin-opener-policy"),
        "same-origin",
        "{what}"
    );
    assert!(header(response, "permissions-policy").contains("camera=()"));
    for part in [
        "default-src 'none'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ] {
        assert!(
            policy.split("; ").any(|found| found == part),
            "{what}: {policy}"
        );
    }
    assert!(
        !policy.contains("unsafe") && !policy.contains('*'),
        "{policy}"
    );
}

/// The page without what it says of its address.
fn common(page: &str) -> String {
    let (before, rest) = page.split_once("<title>").expect("a title");
    let (about, after) = rest.split_once('\n').expect("a line");
    assert!(about.contains("<meta property=\"og:title\""), "{about}");
    [before, after].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_of_the_client_begins_with_the_same_page() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let page = common(&page(&http).await);
    for path in [
        "/",
        "/?then=/settings",
        "/games",
        "/game/01890000-0000-7000-8000-000000000001",
        "/player/%E6%A3%8B",
        "/rules/xiangqi/standard/",
    ] {
        let response = http.get(path).await;
        assert_eq!(
            (response.status, common(&response.text)),
            (200, page.clone()),
            "{path}"
        );
        assert_eq!(
            header(&response, "content-type"),
            "text/html; charset=utf-8"
        );
        assert_eq!(header(&response, "cache-control"), "no-cache");
        is_guarded(&response, path);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_policy_allows_the_scripts_and_the_style_of_the_page_and_no_other() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let page = page(&http).await;
    let hashes = |element: &str| -> String {
        let (open, close) = (format!("<{element}>"), format!("</{element}>"));
        let contents = page.split(&open).skip(1);
        let contents = contents.filter_map(|rest| rest.split_once(&close));
        let hashes = contents.map(|(content, _)| BASE64_STANDARD.encode(Sha256::digest(content)));
        hashes.fold(String::new(), |list, hash| {
            format!("{list} 'sha256-{hash}'")
        })
    };
    // What asks for the files of the page, and SvelteKit's start.
    assert_eq!(page.matches("<script").count(), 2, "{page}");
    assert_eq!(page.matches("<style").count(), 1, "{page}");
    let response = http.get("/").await;
    let policy = header(&response, "content-security-policy");
    let scripts = format!("; script-src 'self'{};", hashes("script"));
    let styles = format!("; style-src 'self'{};", hashes("style"));
    assert!(policy.contains(&styles), "{policy}");
    assert!(policy.contains(&scripts), "{policy}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_named_after_their_content_are_kept_for_a_year_and_all_others_are_asked_after() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    for file in named(&page(&http).await) {
        let response = http.get(&file).await;
        assert_eq!(response.status, 200, "{file}");
        assert_eq!(
            header(&response, "cache-control"),
            "public, max-age=31536000, immutable"
        );
        let kind = match file.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            _ => header(&response, "content-type"),
        };
        assert_eq!(header(&response, "content-type"), kind, "{file}");
        is_guarded(&response, &file);
    }
    let icon = http.get("/favicon.svg").await;
    assert_eq!(icon.status, 200);
    assert_eq!(
        header(&icon, "content-type"),
        "image/svg+xml; charset=utf-8"
    );
    assert_eq!(header(&icon, "cache-control"), "no-cache");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_has_the_bytes_is_not_sent_them_again() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let mut files = named(&page(&http).await);
    files.push("/".to_owned());
    for file in files {
        let plain = http.get(&file).await;
        let tag = header(&plain, "etag");
        assert!(tag.len() > 20 && tag.starts_with('"'), "{file}: {tag}");
        let weak = format!("\"x\", W/{tag}");
        for known in [tag, &weak, "*"] {
            let again = ask(&http, &file, &[("if-none-match", known)]).await;
            assert_eq!((again.status, again.text.as_str()), (304, ""), "{file}");
            for name in ["etag", "cache-control", "vary"] {
                assert_eq!(header(&again, name), header(&plain, name), "{file}: {name}");
            }
            is_guarded(&again, &file);
        }
        let other = ask(&http, &file, &[("if-none-match", "\"x\"")]).await;
        assert_eq!((other.status, &other.text), (200, &plain.text), "{file}");
        // The tag of one encoding is not that of another.
        let headers = [("if-none-match", tag), ("accept-encoding", "gzip")];
        let gzip = ask(&http, &file, &headers).await;
        let is_gzip = header(&gzip, "content-encoding") == "gzip";
        assert_eq!(gzip.status, if is_gzip { 200 } else { 304 }, "{file}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_browser_gets_an_encoding_that_it_takes() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let files = named(&page(&http).await);
    let largest = |text: &str| files.iter().filter(|file| file.ends_with(text)).count();
    assert!(largest(".js") > 2);
    let client = reqwest::Client::new();
    let mut tried = 0;
    for file in files.iter().map(String::as_str).chain(["/", "/games"]) {
        let plain = http.get(file).await;
        assert_eq!(header(&plain, "content-encoding"), "", "{file}");
        if plain.text.len() < 1_000 {
            continue;
        }
        for (accept, encoding) in [
            ("gzip, deflate, br, zstd", "br"),
            ("gzip, deflate", "gzip"),
            ("br;q=0, GZIP", "gzip"),
            ("br;q=0.1, gzip;q=0.2", "gzip"),
            ("*", "br"),
            ("identity", ""),
            ("*;q=0", ""),
            ("zstd", ""),
            (";;q=,\u{7f}", ""),
        ] {
            let value = reqwest::header::HeaderValue::from_bytes(accept.as_bytes());
            let Ok(value) = value else { continue };
            let request = client
                .get(program.url(file))
                .header("accept-encoding", value);
            let response = waiting::in_time(file, request.send()).await.unwrap();
            assert_eq!(response.status(), 200, "{file} {accept}");
            let headers = response.headers();
            let varies = match file {
                "/" | "/games" => "accept-encoding, accept-language",
                _ => "accept-encoding",
            };
            assert_eq!(headers["vary"], varies, "{file}");
            let found = headers
                .get("content-encoding")
                .map(reqwest::header::HeaderValue::as_bytes);
            assert_eq!(
                found.unwrap_or_default(),
                encoding.as_bytes(),
                "{file} {accept}"
            );
            let length = headers["content-length"].to_str().unwrap().to_owned();
            let bytes = response.bytes().await.unwrap();
            assert_eq!(bytes.len().to_string(), length, "{file} {accept}");
            let mut text = String::new();
            match encoding {
                "br" => brotli_decompressor::Decompressor::new(bytes.as_ref(), 4096)
                    .read_to_string(&mut text),
                "gzip" => flate2::read::GzDecoder::new(bytes.as_ref()).read_to_string(&mut text),
                _ => bytes.as_ref().read_to_string(&mut text),
            }
            .unwrap();
            assert!(text == plain.text, "{file} {accept}: other bytes");
            assert!(encoding.is_empty() || bytes.len() < plain.text.len());
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_not_found_and_never_a_page() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    for path in [
        "/_app/immutable/entry/start.00000000.js",
        "/_app/immutable/entry/start",
        "/_app/",
        "/missing.js",
        "/game/missing.css",
        "/robots.txt.br",
        "/index.html.gz",
        "/.git/config",
        "/package.json",
        "/client.rs",
    ] {
        let response = ask(&http, path, &[("accept", "text/html")]).await;
        assert_eq!(response.status, 404, "{path}: {response:?}");
        assert_eq!(response.json()["error"]["code"], "not_found", "{path}");
        assert_eq!(header(&response, "cache-control"), "no-store", "{path}");
        is_guarded(&response, path);
    }
    for path in ["/api", "/api/", "/api/nothing", "/api/game/x.js"] {
        let response = ask(&http, path, &[("accept", "text/html")]).await;
        assert_eq!(response.status, 404, "{path}");
        let error = &response.json()["error"];
        assert_eq!(error["code"], "not_found", "{path}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("/api/openapi.json"), "{path}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn head_tells_of_a_file_what_get_does() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let mut files = named(&page(&http).await);
    files.extend([
        "/".to_owned(),
        "/games".to_owned(),
        "/missing.js".to_owned(),
    ]);
    for file in &files {
        for accept in ["identity", "br"] {
            let get = program.url(file);
            let client = reqwest::Client::new();
            let headers = async |method: Method| {
                let request = client
                    .request(method, &get)
                    .header("accept-encoding", accept);
                let response = waiting::in_time("an answer", request.send()).await.unwrap();
                let mut headers = response.headers().clone();
                headers.remove("date");
                (response.status(), headers)
            };
            assert_eq!(
                headers(Method::HEAD).await,
                headers(Method::GET).await,
                "{file}"
            );
        }
    }
    // Nothing follows the headers.
    let mut raw = Raw::connect(program.address()).await;
    raw.sends(b"HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .await;
    let answer = raw.reads_to_end().await;
    let answer = String::from_utf8(answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with("\r\n\r\n"),
        "{answer}"
    );
    assert!(!answer.contains("<!doctype"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_methods_are_refused_by_name() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    for path in ["/", "/games", "/favicon.svg"] {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
            let response = http.send(method.clone(), path, &[], None).await;
            assert_eq!(response.status, 405, "{method} {path}");
            assert_eq!(header(&response, "allow"), "GET, HEAD", "{method} {path}");
            assert_eq!(response.json()["error"]["code"], "bad_request");
            is_guarded(&response, path);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_addresses_lead_to_a_page_or_to_nothing_and_never_to_a_file_of_the_machine() {
    let program = Program::start().await;
    let page = page(&Http::nobody(&program)).await;
    // What stands before says what each address is about.
    let (_, rest) = page.split_once("<title>").unwrap();
    let (_, page) = rest.split_once('\n').unwrap();
    let long = format!("/{}", "a".repeat(8_000));
    let longer = format!("/{}", "a/".repeat(400_000));
    let dots = format!("/{}etc/passwd", "../".repeat(40));
    let mut refused = 0;
    for (target, statuses) in [
        ("/../../../../etc/passwd", &[404][..]),
        (dots.as_str(), &[404]),
        ("/..%2f..%2f..%2fetc%2fpasswd", &[404]),
        ("/%2e%2e/%2e%2e/etc/passwd", &[404]),
        ("/%252e%252e%252fetc%252fpasswd", &[404]),
        ("/..\\..\\etc\\passwd", &[400, 404]),
        ("/_app/../../../etc/passwd", &[404]),
        ("/_app/immutable/../../index.html", &[404]),
        ("/_app/immutable/%2e%2e/%2e%2e/robots.txt", &[404]),
        ("//etc/passwd", &[404]),
        ("///", &[404]),
        ("/etc/passwd", &[404]),
        ("/proc/self/environ", &[404]),
        ("/%", &[404]),
        ("/%zz%%%", &[404]),
        ("/%00", &[404]),
        ("/a%00.js", &[404]),
        ("/%ff%fe", &[404]),
        ("/%c0%ae%c0%ae/etc/passwd", &[404]),
        ("/games?../../etc/passwd%00", &[200]),
        ("/?%", &[200]),
        ("/\u{e9}", &[400, 404]),
        ("http://elsewhere.example/games", &[200]),
        ("*", &[400, 404]),
        ("games", &[400, 404]),
        ("", &[400]),
        (long.as_str(), &[404]),
        (longer.as_str(), &[414, 431]),
    ] {
        let mut raw = Raw::connect(program.address()).await;
        let request = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        raw.sends(request.as_bytes()).await;
        let answer = raw.reads_to_end().await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let short: String = target.chars().take(60).collect();
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse::<u16>().ok());
        let status = status.unwrap_or_else(|| panic!("{short}: {answer:?}"));
        assert!(statuses.contains(&status), "{short}: {status}: {answer}");
        assert!(!answer.contains("root:"), "{short}: {answer}");
        if status == 200 {
            assert!(answer.ends_with(page), "{short}: {answer}");
        } else {
            refused += 1;
        }
    }
    assert!(refused > 15);
}
