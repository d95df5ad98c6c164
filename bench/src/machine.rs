//! What Linux tells of processes and of this machine, read from `/proc`.

use std::fs;

use anyhow::{Context, Result};

/// Clock ticks a second in `/proc/<pid>/stat`. Linux tells user space 100, whatever the kernel's own tick is.
const TICKS: f64 = 100.0;

/// The processor time, user and system, that all threads of a process have used, in seconds.
///
/// # Errors
/// When there is no such process.
pub(crate) fn cpu_seconds(pid: u32) -> Result<f64> {
    let path = format!("/proc/{pid}/stat");
    let text = fs::read_to_string(&path).with_context(|| path.clone())?;
    // The name in brackets may hold spaces; what follows does not.
    let (_, after) = text.rsplit_once(')').with_context(|| path.clone())?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |index: usize| -> Result<f64> {
        let field = fields.get(index).with_context(|| path.clone())?;
        Ok(field.parse::<u64>()? as f64)
    };
    Ok((ticks(11)? + ticks(12)?) / TICKS)
}

/// The bytes that a process has handed to the system to be written, into files or elsewhere.
///
/// # Errors
/// When there is no such process, or it is somebody else's.
pub(crate) fn written(pid: u32) -> Result<u64> {
    let path = format!("/proc/{pid}/io");
    let text = fs::read_to_string(&path).with_context(|| path.clone())?;
    let line = text.lines().find_map(|line| line.strip_prefix("wchar:"));
    Ok(line.with_context(|| path.clone())?.trim().parse()?)
}

/// The memory of a process that is in RAM, in KiB.
///
/// # Errors
/// When there is no such process.
pub(crate) fn resident_kib(pid: u32) -> Result<u64> {
    let line = status(pid, "VmRSS:")?;
    let number = line.split_whitespace().next().context("VmRSS is empty")?;
    Ok(number.parse()?)
}

/// The cores that this process may use.
///
/// # Errors
/// When `/proc` does not tell.
pub(crate) fn cores() -> Result<Vec<u32>> {
    parse_cores(&status(std::process::id(), "Cpus_allowed_list:")?)
}

/// How many files a process may have open: the limit that holds, and the one to which it may be raised.
///
/// # Errors
/// When `/proc` does not tell.
pub(crate) fn descriptors() -> Result<(u64, u64)> {
    let text = fs::read_to_string("/proc/self/limits")?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))
        .context("/proc/self/limits has no line for open files")?;
    let mut numbers = line
        .split_whitespace()
        .map(|word| word.parse().unwrap_or(u64::MAX));
    let soft = numbers.next().context("no limit of open files")?;
    Ok((soft, numbers.next().unwrap_or(soft)))
}

/// The processor's and the kernel's name.
pub(crate) fn description() -> String {
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("unknown processor", |rest| {
            rest.trim_start_matches([' ', '\t', ':'])
        });
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{processor}, Linux {}", kernel.trim())
}

fn status(pid: u32, key: &str) -> Result<String> {
    let path = format!("/proc/{pid}/status");
    let text = fs::read_to_string(&path).with_context(|| path.clone())?;
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    Ok(line
        .with_context(|| format!("{path} has no {key}"))?
        .trim()
        .to_owned())
}

/// Reads a list such as `0-1,4`.
fn parse_cores(text: &str) -> Result<Vec<u32>> {
    let mut cores = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        cores.extend(first.trim().parse::<u32>()?..=last.trim().parse()?);
    }
    Ok(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!(parse_cores("0").unwrap(), [0]);
        assert_eq!(parse_cores("0-2,5,7-8").unwrap(), [0, 1, 2, 5, 7, 8]);
        assert!(parse_cores("").is_err());
    }

    #[test]
    fn this_process_has_memory_cores_and_files() {
        let own = std::process::id();
        assert!(resident_kib(own).unwrap() > 0);
        assert!(cpu_seconds(own).unwrap() >= 0.0);
        assert!(!cores().unwrap().is_empty());
        let (soft, hard) = descriptors().unwrap();
        assert!(0 < soft && soft <= hard);
    }
}
