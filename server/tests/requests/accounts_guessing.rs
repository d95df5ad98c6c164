//! Guessing passwords, opening accounts and identities by the thousand, and hashing as a weapon.

use qiguan_protocol::error::ErrorCode;
use qiguan_tests::account::{PASSWORD, credentials};

use crate::server::{Http, Start};

#[tokio::test(flavor = "multi_thread")]
async fn d8_guessing_is_limited_by_name() {
    let server = Start::default()
        .with("--attempts-per-name", 5)
        .start()
        .await;
    let http = Http::registered(&server, "Anna").await;
    assert_eq!(http.guesses("Anna", 8).await, 5);
    // However it is written, and with the right password too; signed-in sessions continue.
    assert_eq!(http.guesses("aNNa", 3).await, 0);
    assert_eq!(
        http.tries("Anna", PASSWORD).await.refusal().1,
        ErrorCode::RateLimited
    );
    assert_eq!(http.me().await.name, "Anna");
    // Others' names, and names of nobody, have their own.
    assert_eq!(http.guesses("Nobody_1", 8).await, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn d8_guessing_is_limited_by_address_and_forged_addresses_do_not_help() {
    let server = Start::default()
        .with("--attempts-per-address", 5)
        .with("--trusted-proxy", "192.0.2.0/24")
        .start()
        .await;
    let nobody = Http::nobody(&server);
    let mut tried = 0;
    for number in 0..12 {
        let forged = format!("203.0.113.{number}");
        let body = credentials(&format!("name_{number}"), "wrong horse").to_string();
        let headers = [("x-forwarded-for", forged.as_str())];
        let response = nobody
            .send(reqwest::Method::POST, "/api/login", &headers, Some(body))
            .await;
        tried += usize::from(response.refusal().1 == ErrorCode::BadCredentials);
    }
    assert_eq!(tried, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn d8_behind_a_trusted_proxy_each_caller_has_a_budget_of_its_own() {
    let server = Start::default()
        .with("--attempts-per-address", 2)
        .start()
        .await;
    let nobody = Http::nobody(&server);
    let mut tried = 0;
    for number in 0..20 {
        // What the caller wrote stands on the left; what the proxy saw, on the right.
        let forwarded = format!("198.51.100.{number}, 203.0.113.{}", number % 4);
        let body = credentials(&format!("name_{number}"), "wrong horse").to_string();
        let headers = [("x-forwarded-for", forwarded.as_str())];
        let response = nobody
            .send(reqwest::Method::POST, "/api/login", &headers, Some(body))
            .await;
        tried += usize::from(response.refusal().1 == ErrorCode::BadCredentials);
    }
    assert_eq!(tried, 4 * 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn d8_guessing_is_limited_in_all() {
    let server = Start::default()
        .with("--attempts-per-minute", 5)
        .start()
        .await;
    let nobody = Http::nobody(&server);
    let mut in_all = 0;
    for number in 0..10 {
        in_all += nobody.guesses(&format!("name_{number}"), 1).await;
    }
    assert!((5..=7).contains(&in_all), "{in_all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn h4_names_that_are_taken_do_not_use_up_the_registrations_of_an_address() {
    let server = Start::default()
        .with("--registrations-per-hour", 3)
        .start()
        .await;
    let anna = Http::registered(&server, "Anna").await;
    let nobody = Http::nobody(&server);
    let asks = async |name: &str| {
        let asked = nobody
            .post("/api/register", Some(&credentials(name, PASSWORD)))
            .await;
        (asked.status != 201).then(|| asked.error().code)
    };
    for _ in 0..20 {
        assert_eq!(asks("Anna").await, Some(ErrorCode::NameTaken));
    }
    assert_eq!((asks("Berta").await, asks("Clara").await), (None, None));
    assert_eq!(asks("Dora").await, Some(ErrorCode::RateLimited));
    // Looking for names that are taken has a limit as well.
    let mut last = None;
    for _ in 0..20 {
        last = asks("Anna").await;
    }
    assert_eq!(last, Some(ErrorCode::RateLimited));
    assert_eq!(anna.me().await.name, "Anna");
}
