use super::*;

fn password(text: &str) -> Password {
    Password::new(text)
}

fn cheap() -> Hasher {
    Hasher::new(8, 1, &[7; 32]).unwrap()
}

#[test]
fn passwords_of_8_to_256_bytes_are_taken() {
    for fine in [
        "correct horse",
        "Tr0ub4dor&3",
        "棋手的密码",
        &"xy".repeat(128),
        "x kcd 936",
    ] {
        check(&password(fine), "Anna").unwrap();
    }
    for bad in ["", "1234567", "棋手", &"xy".repeat(129)] {
        let error = check(&password(bad), "Anna").unwrap_err();
        assert_eq!(
            (error.code, error.field.as_deref()),
            (ErrorCode::BadValue, Some("password"))
        );
        assert!(
            error.message.contains("8 to 256 bytes"),
            "{}",
            error.message
        );
    }
}

#[test]
fn what_is_guessed_first_is_refused() {
    assert!(COMMON.len() >= 300);
    assert!(
        COMMON
            .iter()
            .all(|it| it.len() >= limits::PASSWORD_BYTES_LEAST)
    );
    assert!(COMMON.iter().all(|it| it.to_lowercase() == **it));
    for bad in [
        "password",
        "PassWord1",
        "12345678",
        "qwertyuiop",
        "aaaaaaaaaa",
        "abcdefghijkl",
        "zyxwvutsrq",
        "3456789:;<",
    ] {
        check(&password(bad), "Anna").unwrap_err();
    }
}

#[test]
fn the_name_alone_is_no_password() {
    for bad in [
        "Grandmaster_X",
        "grandmasterx",
        "GRANDMASTERX",
        "grandmaster-x-2026",
        "grandmasterxgrandmasterx",
    ] {
        let error = check(&password(bad), "Grandmaster_X").unwrap_err();
        assert_eq!(error.message, "the password can't be the name");
    }
    check(&password("grandmaster x has a horse"), "Grandmaster_X").unwrap();
    // A name of digits and separators does not refuse every password.
    check(&password("31-8-1962-7"), "x_1").unwrap();
}

#[tokio::test]
async fn only_the_right_password_fits() {
    let hasher = cheap();
    let hash = hasher
        .hash(password("correct horse"), [1; 32])
        .await
        .unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{hash}");
    assert!(!hash.contains("horse"));
    let tried = |text: &str| hasher.verify(password(text), Some(hash.clone()));
    assert_eq!(tried("correct horse").await.unwrap(), Verdict::Right);
    assert_eq!(tried("correct Horse").await.unwrap(), Verdict::Wrong);
    assert_eq!(tried("").await.unwrap(), Verdict::Wrong);
}

#[tokio::test]
async fn nobody_has_a_password_that_fits_not_even_the_one_behind_the_dummy() {
    let hasher = Hasher::new(8, 1, b"aaaaaaaaaaaaaaaa").unwrap();
    for text in ["", "correct horse", "aaaaaaaaaaaaaaaa"] {
        assert_eq!(
            hasher.verify(password(text), None).await.unwrap(),
            Verdict::Wrong
        );
    }
}

#[tokio::test]
async fn a_hash_that_was_cheaper_is_computed_again() {
    let hash = cheap()
        .hash(password("correct horse"), [1; 32])
        .await
        .unwrap();
    let risen = Hasher::new(16, 2, &[7; 32]).unwrap();
    let tried = |text: &str| risen.verify(password(text), Some(hash.clone()));
    assert_eq!(tried("correct horse").await.unwrap(), Verdict::Outdated);
    assert_eq!(tried("wrong horse!").await.unwrap(), Verdict::Wrong);
    // What is dearer than now stays.
    let dear = risen
        .hash(password("correct horse"), [1; 32])
        .await
        .unwrap();
    let verdict = cheap().verify(password("correct horse"), Some(dear)).await;
    assert_eq!(verdict.unwrap(), Verdict::Right);
}

#[tokio::test]
async fn a_hash_that_can_not_be_read_fits_nothing() {
    let junk = Some("$argon2id$junk".to_owned());
    let verdict = cheap().verify(password("correct horse"), junk).await;
    assert_eq!(verdict.unwrap(), Verdict::Wrong);
}

#[tokio::test]
async fn beyond_the_queue_they_are_told_that_the_server_is_busy() {
    let mut hasher = cheap();
    hasher.places = Arc::new(Semaphore::new(2));
    hasher.slots = Arc::new(Semaphore::new(0));
    let waiting: Vec<_> = (0..2)
        .map(|_| {
            let hasher = hasher.clone();
            tokio::spawn(async move { hasher.verify(password("correct horse"), None).await })
        })
        .collect();
    while hasher.places.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    let refused = hasher
        .verify(password("correct horse"), None)
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::Busy);
    hasher.slots.add_permits(1);
    for one in waiting {
        assert_eq!(one.await.unwrap().unwrap(), Verdict::Wrong);
    }
    assert_eq!(hasher.places.available_permits(), 2);
}

#[test]
fn the_default_is_what_owasp_asks_for_at_the_least() {
    assert_eq!(
        (Params::DEFAULT_M_COST, Params::DEFAULT_T_COST),
        (19_456, 2)
    );
}
