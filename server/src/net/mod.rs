//! Where requests come from and how much each visitor may ask for: addresses, trusted proxies, origins, connection limits and rate limits.
//!
//! Everything here is a value or a function of its arguments; nothing here knows games, accounts or HTTP routes.

pub mod address;
pub mod connection_limit;
pub mod cut;
pub mod growth_limit;
pub mod lingering;
pub mod opening_limits;
pub mod origin;
pub mod public_address;
pub mod rate_limit;
pub mod request_limits;
pub mod scrape_access;
pub mod sharing_limits;
pub mod sign_in_limits;
pub mod spending;
pub mod stall_limit;
pub mod stream;
