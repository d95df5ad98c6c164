use super::*;

fn refusal(name: &str) -> NameError {
    Name::read(name).unwrap_err()
}

#[test]
fn names_of_people_pass() {
    for fine in [
        "棋手王",
        "Jürgen",
        "Ольга",
        "王大锤",
        "王小明Wang",
        "anna_b",
        "Jean-Luc",
        "Łukasz",
        "Zoë",
        "Đặng",
        "Nguyễn",
        "Ελένη",
        "さくら",
        "ユキ子",
        "김철수",
        "Kim김철수",
        "देवी",
        "สมชาย",
        "i18n",
        "x2y",
        "abc",
        "a2345678901234567890",
        "Straße",
        "Ōtani",
        "Çelik",
        "İzmir",
    ] {
        let name = Name::read(fine);
        assert!(name.is_ok(), "{fine}: {name:?}");
    }
}

#[test]
fn length_is_counted_in_characters_after_composing() {
    assert_eq!(refusal("ab"), NameError::Length(2));
    assert_eq!(refusal(""), NameError::Length(0));
    assert_eq!(refusal(&"王".repeat(21)), NameError::Length(21));
    assert!(Name::read(&"王".repeat(20)).is_ok());
    // Twenty letters, each written as a letter and an accent.
    let apart = "e\u{301}".repeat(20);
    assert_eq!(Name::read(&apart).unwrap().text(), "é".repeat(20));
    assert!(matches!(
        refusal(&"a".repeat(1_000_000)),
        NameError::Length(_)
    ));
}

#[test]
fn nothing_turns_the_direction_of_text() {
    for bad in [
        "abc\u{202e}def",
        "\u{200f}abc",
        "abc\u{200e}",
        "שלום",
        "محمد",
        "abcשלום",
        "ab\u{2067}c",
        "ab\u{2069}c",
        "abc٣",
        "ab\u{61c}c",
    ] {
        assert_eq!(refusal(bad), NameError::Direction, "{bad:?}");
    }
}

#[test]
fn nothing_is_invisible_or_a_picture_or_punctuation() {
    for bad in [
        "ab\u{200b}c",
        "ab\u{200d}c",
        "ab\u{ad}c",
        "ab\u{feff}c",
        "ab\u{2060}c",
        "ab c",
        "ab\u{a0}c",
        "ab\u{3000}c",
        "a.b.c",
        "ab<c",
        "ab'c",
        "ab\nc",
        "ab\0c",
        "abc😀",
        "ab①c",
        "ＡＢＣ",
        "ﬁsh",
        "ab\u{e0041}c",
        "ab\u{fe0f}c",
        "王\u{3164}王",
        "ab\u{34f}c",
        "𝐀𝐁𝐂",
        "ᚠᚢᚦ",
    ] {
        assert!(
            matches!(refusal(bad), NameError::Character(_)),
            "{bad:?}: {:?}",
            refusal(bad)
        );
    }
}

#[test]
fn separators_stand_alone_between_letters() {
    for bad in ["_abc", "abc_", "-abc", "abc-", "a__b", "a-_b", "---", "_-_"] {
        assert_eq!(refusal(bad), NameError::Separator, "{bad}");
    }
    assert!(Name::read("a-b_c").is_ok());
}

#[test]
fn marks_are_no_towers() {
    assert_eq!(refusal("x\u{300}\u{301}\u{302}yz"), NameError::Marks);
    assert_eq!(refusal("\u{301}abc"), NameError::Marks);
    assert_eq!(refusal("ab1\u{301}"), NameError::Marks);
}

#[test]
fn scripts_that_are_not_written_together_are_not_mixed() {
    // Cyrillic а in Latin, Greek in Latin, Cyrillic in Greek, Hangul beside kana.
    for bad in ["pаypal", "αlpha", "Βова", "김さくら", "王Ольга", "ЖABC"] {
        assert_eq!(refusal(bad), NameError::Scripts, "{bad}");
    }
    assert_eq!(refusal("12345"), NameError::NoLetter);
}

#[test]
fn what_speaks_for_the_house_is_reserved_however_it_is_written() {
    for bad in [
        "admin",
        "Admin",
        "ADMIN",
        "adm1n",
        "AdMlN",
        "a-d-m-i-n",
        "аdmіn",
        "moderator",
        "rnoderator",
        "M0derator",
        "qiguan",
        "Q1guan",
        "System",
        "Deleted",
        "GUEST",
        "root",
        "R00T",
        "管理员",
        "Админ",
    ] {
        let error = refusal(bad);
        assert!(
            matches!(error, NameError::Reserved | NameError::Scripts),
            "{bad}: {error:?}"
        );
    }
    assert_eq!(refusal("adm1n"), NameError::Reserved);
    assert!(Name::read("administer").is_ok());
}

#[test]
fn a_refused_name_is_a_bad_value_of_the_field_name() {
    let error = ApiError::from(refusal("ab"));
    assert_eq!(
        (error.code, error.field.as_deref()),
        (ErrorCode::BadValue, Some("name"))
    );
    assert_eq!(
        error.message,
        "a name must have 3 to 20 characters; this one has 2"
    );
}
