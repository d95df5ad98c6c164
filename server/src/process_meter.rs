//! Which program this is, and what the system knows of its process, under the names that Prometheus has for it.

/// Notes what the program was built from.
pub fn is_of(commit: &'static str) {
    let version = env!("CARGO_PKG_VERSION");
    metrics::gauge!("qiguan_build_info", "version" => version, "commit" => commit).set(1.0);
}

/// Measures. Where the system does not tell, everything stays at 0.
#[cfg(target_os = "linux")]
pub fn measure() {
    if let Err(error) = of_linux() {
        tracing::debug!(%error, "/proc can't be read");
    }
}

/// Measures. Where the system does not tell, everything stays at 0.
#[cfg(not(target_os = "linux"))]
pub const fn measure() {}

#[cfg(target_os = "linux")]
fn of_linux() -> procfs::ProcResult<()> {
    use procfs::process::{LimitValue, Process};

    let process = Process::myself()?;
    let stat = process.stat()?;
    let per_second = procfs::ticks_per_second();
    let cpu = (stat.utime + stat.stime) / per_second;
    metrics::counter!("process_cpu_seconds_total").absolute(cpu);
    let resident = stat.rss * procfs::page_size();
    metrics::gauge!("process_resident_memory_bytes").set(resident as f64);
    metrics::gauge!("process_virtual_memory_bytes").set(stat.vsize as f64);
    metrics::gauge!("process_open_fds").set(process.fd_count()? as f64);
    let most = match process.limits()?.max_open_files.soft_limit {
        LimitValue::Value(most) => most as f64,
        LimitValue::Unlimited => f64::INFINITY,
    };
    metrics::gauge!("process_max_fds").set(most);
    metrics::gauge!("process_threads").set(stat.num_threads as f64);
    let since_boot = stat.starttime as f64 / per_second as f64;
    let started = procfs::boot_time_secs()? as f64 + since_boot;
    metrics::gauge!("process_start_time_seconds").set(started);
    Ok(())
}
