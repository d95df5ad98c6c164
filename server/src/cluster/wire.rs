//! How frames get from one program to another. A frame arrives once, twice, late or never: [`Links`](super::links::Links) sees to the rest.

use async_trait::async_trait;
use bytes::Bytes;
use qiguan_store::nodes::Incarnation;
use tokio::sync::mpsc;

/// What carries frames.
#[async_trait]
pub trait Wire: Send + Sync {
    /// Sends a frame to a program.
    async fn send(&self, to: Incarnation, frame: Vec<u8>);

    /// Receives frames to this program from now on, and no more those to an earlier start of it.
    ///
    /// # Errors
    /// When that can't be asked for.
    async fn receive(&self, own: Incarnation) -> anyhow::Result<mpsc::Receiver<Bytes>>;
}
