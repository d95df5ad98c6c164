//! What the server tells of itself at `/metrics`.

use anyhow::{Context, Result, ensure};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// One reading of `/metrics`.
pub(super) struct Metrics(String);

impl Metrics {
    /// Asks the server.
    ///
    /// # Errors
    /// When it does not answer with 200.
    pub(super) async fn read(address: &str) -> Result<Self> {
        let mut stream = TcpStream::connect(address).await?;
        let request =
            format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        ensure!(answer.starts_with("HTTP/1.1 200"), "no metrics: {answer}");
        Ok(Self(answer))
    }

    /// The value of a counter or gauge without labels.
    ///
    /// # Errors
    /// When the server does not tell it.
    pub(super) fn value(&self, name: &str) -> Result<f64> {
        let line = self.0.lines().find_map(|line| {
            let value = line.strip_prefix(name)?;
            value.starts_with(' ').then_some(value)
        });
        Ok(line.with_context(|| name.to_owned())?.trim().parse()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_belongs_to_the_whole_name() {
        let metrics = Metrics("rooms_open_total 5\r\nrooms_open 7\r\n".to_owned());
        assert!((metrics.value("rooms_open").unwrap() - 7.0).abs() < 1e-9);
        assert!(metrics.value("rooms").is_err());
    }
}
