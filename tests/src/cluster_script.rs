//! `scripts/cluster.sh`: three programs on one record behind one address, as `make cluster` starts them.

use std::{
    path::Path,
    process::{ExitStatus, Stdio},
};

use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStderr, ChildStdout, Command},
};

use crate::{
    folder::Folder,
    program::{executable, settings},
    reverse_proxy::free_port,
    waiting::in_time,
};

/// One of the programs.
pub struct Part {
    /// Its process.
    pub pid: u32,
    /// Its host and port, behind the proxy.
    pub address: String,
}

/// The script while it runs. When it is killed, everything that it has started ends.
pub struct ClusterScript {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    stderr: Lines<BufReader<ChildStderr>>,
    /// Where it makes its own folder.
    parent: Folder,
    _settings: Folder,
    /// Host and port for browsers.
    pub address: String,
    /// The programs.
    pub programs: Vec<Part>,
}

impl ClusterScript {
    /// Starts it with the program under test, and waits until everything is there.
    pub async fn start() -> Self {
        let (parent, own) = (Folder::new(), Folder::new());
        let config = own.path().join("settings.toml");
        std::fs::write(&config, settings()).expect("a file of settings");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/cluster.sh");
        // Where tests run in the background Ctrl-C is ignored, and a shell can't change that for itself.
        let mut child = Command::new("env")
            .args(["--default-signal=INT", "bash"])
            .arg(script)
            .arg(executable())
            .arg(free_port().to_string())
            .arg("--config")
            .arg(config)
            .env("TMPDIR", parent.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("env starts");
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let stderr = child.stderr.take().expect("standard error is a pipe");
        let mut script = Self {
            child,
            stdout: BufReader::new(stdout).lines(),
            stderr: BufReader::new(stderr).lines(),
            parent,
            _settings: own,
            address: String::new(),
            programs: Vec::new(),
        };
        in_time("the cluster to be there", script.is_there()).await;
        script
    }

    async fn is_there(&mut self) {
        while self.address.is_empty() {
            let line = self.stdout.next_line().await.expect("a line");
            let Some(line) = line else {
                let mut said = String::new();
                while let Ok(Some(line)) = self.stderr.next_line().await {
                    said += &format!("{line}\n");
                }
                panic!("the cluster did not start: {said}");
            };
            if let Some((_, rest)) = line.split_once(" is process ") {
                let (pid, address) = rest.split_once(" at http://").expect("an address");
                self.programs.push(Part {
                    pid: pid.parse().expect("a number"),
                    address: address.to_owned(),
                });
            }
            if let Some((_, rest)) = line.split_once("open http://") {
                let (address, _) = rest.split_once(';').expect("an address");
                address.clone_into(&mut self.address);
            }
        }
    }

    /// Waits until it has said this on standard error.
    pub async fn says(&mut self, words: &str) {
        let reading = async {
            loop {
                let line = self.stderr.next_line().await.expect("a line");
                let line = line.unwrap_or_else(|| panic!("the script never said: {words}"));
                if line.contains(words) {
                    return;
                }
            }
        };
        in_time(words, reading).await;
    }

    /// Ctrl-C.
    pub async fn is_interrupted(&mut self) -> ExitStatus {
        let pid = self.child.id().expect("the script runs").to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status().await;
        assert!(sent.expect("kill runs").success());
        let ended = in_time("the script to end", self.child.wait()).await;
        ended.expect("the script can be waited for")
    }

    /// What lies where it has made its folder.
    pub fn files(&self) -> usize {
        let files = std::fs::read_dir(self.parent.path());
        files.expect("the folder is there").count()
    }

    /// The processes that it has started and those of Postgres: their command or their environment names its folder.
    pub fn processes(&self) -> usize {
        let folder = self.parent.path().display().to_string();
        let processes = std::fs::read_dir("/proc").expect("/proc");
        let names_it = |process: &Path, file| {
            // Processes end meanwhile, and those of others can't be read.
            let bytes = std::fs::read(process.join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).contains(&folder)
        };
        let processes = processes.flatten().map(|it| it.path());
        processes
            .filter(|it| names_it(it, "cmdline") || names_it(it, "environ"))
            .count()
    }
}
