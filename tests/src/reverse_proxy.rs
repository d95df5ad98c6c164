//! Real reverse proxies before a server, set up by the very files that `docs/examples/` has for operators. What is exchanged is only what
//! a test can't have: the names and addresses, and TLS.

use std::{
    net::TcpListener,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::Stdio,
};

use tokio::process::{Child, Command};

use crate::{
    folder::Folder,
    program::Program,
    tls_proxy::{Certificate, authority_in},
    waiting::eventually,
};

/// A reverse proxy that runs. It is killed when it goes out of scope.
pub struct ReverseProxy {
    address: String,
    _process: Child,
    folder: Folder,
}

impl ReverseProxy {
    /// nginx before a server, without TLS.
    pub async fn nginx(before: &Program) -> Self {
        Self::nginx_in(Folder::new(), before, "", "").await
    }

    /// nginx before a server as it stands there, with a certificate of its own for this machine.
    pub async fn nginx_with_tls(before: &Program) -> Self {
        let folder = Folder::new();
        let (certificate, key) = Certificate::default().issued_in(&folder);
        let place = folder.path().display().to_string();
        for (name, text) in [("pem", certificate.pem()), ("key", key.serialize_pem())] {
            std::fs::write(folder.path().join(format!("own.{name}")), text).expect("a file");
        }
        let files = format!(
            "    ssl_certificate {place}/own.pem;\n    ssl_certificate_key {place}/own.key;\n"
        );
        Self::nginx_in(folder, before, " ssl", &files).await
    }

    async fn nginx_in(folder: Folder, before: &Program, ssl: &str, certificate: &str) -> Self {
        let port = free_port();
        let example = example("nginx.conf");
        // The first server of the file sends browsers on to TLS.
        let (head, _) = example
            .split_once("server {\n    listen 80;")
            .expect("a server for port 80");
        let (_, tls) = example
            .split_once("server {\n    listen 443 ssl;")
            .expect("a server with TLS");
        let is_kept =
            |line: &&str| !line.contains("ssl_certificate") && !line.contains("listen [::]");
        let tls: Vec<_> = tls.lines().filter(is_kept).collect();
        let tls = tls.join("\n");
        let http =
            format!("{head}server {{\n    listen 127.0.0.1:{port}{ssl};\n{certificate}{tls}")
                .replace("127.0.0.1:8080", before.address());
        let place = folder.path().display();
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let temporary: String = kinds
            .map(|kind| format!("{kind}_temp_path {place}/{kind};\n"))
            .concat();
        let whole = format!(
            "daemon off;\nmaster_process off;\npid {place}/pid;\nerror_log {place}/log.txt;\nevents {{}}\n\
             http {{\naccess_log off;\n{temporary}{http}}}\n"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, whole).expect("a configuration");
        let file = file.display().to_string();
        Self::started("nginx", &["-c", &file, "-e", "stderr"], folder, port).await
    }

    /// Caddy before a server.
    pub async fn caddy(before: &Program) -> Self {
        let folder = Folder::new();
        let port = free_port();
        let example = example("Caddyfile")
            .replace("qiguan.example.org {", &format!("http://:{port} {{"))
            .replace("127.0.0.1:8080", before.address());
        let whole = format!("{{\n\tadmin off\n\tauto_https off\n}}\n{example}");
        let file = folder.path().join("Caddyfile");
        std::fs::write(&file, whole).expect("a configuration");
        let file = file.display().to_string();
        let words = ["run", "--adapter", "caddyfile", "--config", &file];
        Self::started("caddy", &words, folder, port).await
    }

    /// HAProxy before a server, which stands there for all three of the example.
    pub async fn haproxy(before: &Program) -> Self {
        Self::haproxy_before([before.address(); 3].map(ToOwned::to_owned), None).await
    }

    /// HAProxy before three servers, on a certain port or on a free one.
    pub async fn haproxy_before(before: [String; 3], port: Option<String>) -> Self {
        // The port is bound here, so that nobody else takes it meanwhile, and HAProxy gets it as its standard input.
        let address = format!("127.0.0.1:{}", port.as_deref().unwrap_or("0"));
        let listener = TcpListener::bind(address).expect("a free port");
        let port = listener.local_addr().expect("its number").port();
        let [one, two, three] = before;
        let servers = [("PROGRAM_1", one), ("PROGRAM_2", two), ("PROGRAM_3", three)];
        let mut haproxy = Command::new("haproxy");
        haproxy
            .args(["-db", "-f"])
            .arg(example_file("haproxy.cfg"))
            .stdin(OwnedFd::from(listener))
            .env("LISTEN", "fd@0")
            .envs(servers);
        Self::runs(haproxy, Folder::new(), port).await
    }

    async fn started(program: &str, words: &[&str], folder: Folder, port: u16) -> Self {
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null());
        Self::runs(command, folder, port).await
    }

    async fn runs(mut command: Command, folder: Folder, port: u16) -> Self {
        let log = std::fs::File::create(folder.path().join("said.txt")).expect("a file");
        let path = std::env::var("PATH").unwrap_or_default();
        let process = command
            .env("PATH", format!("{path}:/usr/sbin"))
            .env("HOME", folder.path())
            .stdout(Stdio::null())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| {
                let program = command.as_std().get_program().display();
                panic!("{program}: {error}; is the package {program} installed?")
            });
        let address = format!("127.0.0.1:{port}");
        eventually("the proxy to listen", async || {
            tokio::net::TcpStream::connect(&address).await.ok()
        })
        .await;
        Self {
            address,
            _process: process,
            folder,
        }
    }

    /// The file with the certificate of the authority, where it has TLS.
    pub fn authority(&self) -> PathBuf {
        authority_in(&self.folder)
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// A file of `docs/examples/`.
pub fn example(name: &str) -> String {
    std::fs::read_to_string(example_file(name)).expect("an example")
}

fn example_file(name: &str) -> PathBuf {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples");
    examples.join(name)
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its number").port()
}
