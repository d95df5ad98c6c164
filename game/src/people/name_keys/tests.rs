use proptest::prelude::*;

use super::*;
use crate::people::name::Name;

/// Each line: `same` or `apart`, and two names.
const PAIRS: &str = include_str!("pairs.txt");

#[test]
fn the_table_of_pairs_is_judged_as_it_says() {
    let mut judged = 0;
    let mut wrong = Vec::new();
    for (number, line) in PAIRS.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<_> = line.split_whitespace().collect();
        let [word, one, other] = fields[..] else {
            panic!("line {}: {line}", number + 1);
        };
        let expected = match word {
            "same" => true,
            "apart" => false,
            _ => panic!("line {}: {line}", number + 1),
        };
        let (one, other) = (NameKeys::of(one), NameKeys::of(other));
        if one.meet(&other) != expected {
            wrong.push(format!(
                "line {}: {line}\n    {one:?}\n    {other:?}",
                number + 1
            ));
        }
        judged += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {judged}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(judged >= 200, "{judged} pairs");
}

#[test]
fn a_name_is_found_however_it_is_cased() {
    for (one, other) in [
        ("Anna_B", "anna_b"),
        ("ΟΔΥΣΣΕΥΣ", "Οδυσσευς"),
        ("Straße", "STRASSE"),
        ("Ольга", "ОЛЬГА"),
    ] {
        assert_eq!(NameKeys::of(one).first(), NameKeys::of(other).first());
    }
}

#[test]
fn what_looks_like_a_letter_that_looks_like_another_is_that_other() {
    assert_eq!(NameKeys::of("Ϛ").first(), "o");
}

#[test]
fn marks_of_what_is_left_out_find_their_place() {
    for name in ["ὐ¸", "a \u{327}\u{301}", "u\u{313}_\u{326}"] {
        for key in NameKeys::of(name).into_all() {
            assert_eq!(NameKeys::of(&key).first(), key, "{name}");
        }
    }
}

proptest! {
    #[test]
    fn keys_do_not_depend_on_case(name in "[a-zA-Z0-9_äöüßÄÖÜéñа-яА-Яα-ωΑ-Ω王棋あ-んァ-ヶ가-힣-]{3,20}") {
        let keys = NameKeys::of(&name);
        let (upper, lower) = (name.to_uppercase(), name.to_lowercase());
        for other in [upper, lower] {
            let other = NameKeys::of(&other);
            prop_assert_eq!(keys.first(), other.first());
            prop_assert!(keys.meet(&other));
        }
    }

    #[test]
    fn the_key_of_a_key_is_itself(name in "\\PC{1,20}") {
        for key in NameKeys::of(&name).into_all() {
            let again = NameKeys::of(&key);
            prop_assert_eq!(again.first(), key.as_str());
        }
    }

    #[test]
    fn a_name_that_is_allowed_has_a_key(name in "\\PC{3,20}") {
        if let Ok(name) = Name::read(&name) {
            prop_assert!(name.keys().all().all(|key| !key.is_empty()));
        }
    }
}

#[test]
fn d13_what_is_kept_of_a_key_is_always_the_same_and_does_not_hold_it() {
    let kept = reserved("zacharlas");
    assert_eq!(
        kept,
        "sha256:df95f9037e5b0556cb9b2b3d71b385839ec0ed63e7b6799cb28763beffbfb96c"
    );
    assert!(is_reserved(&kept) && !is_reserved("zacharlas"));
    assert_eq!(reserved(&kept), kept, "a second time changes nothing");
}
