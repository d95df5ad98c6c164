//! The end of a connection, asked for by the request that it carries.

use tokio_util::sync::CancellationToken;

/// Ends the connection of a request at once, whatever is still to be sent. Cancelled also when the connection has ended.
#[derive(Clone)]
pub struct Cut(pub CancellationToken);
