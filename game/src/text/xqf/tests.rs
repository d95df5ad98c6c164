use proptest::prelude::*;

use super::*;

const PLAIN_FILE: &[u8] = include_bytes!("../found/plain.xqf");
const HIDDEN_FILE: &[u8] = include_bytes!("../found/version18.xqf");

#[test]
fn names_result_and_comments_are_read_from_files_with_keys_and_without() {
    let tree = read(HIDDEN_FILE).unwrap();
    assert_eq!(tree.tag("Event"), Some("全国个人赛"));
    assert_eq!(tree.tag("Date"), Some("1996-10-06"));
    assert_eq!(
        (tree.tag("Red"), tree.tag("Black")),
        (Some("柳大华"), Some("郑乃东"))
    );
    assert_eq!(tree.result, Some(ResultMark::First));
    assert_eq!((tree.variations(), tree.main_line().len()), (2, 51));
    let said = |tree: &TextTree| -> Vec<_> {
        let said = tree.nodes.iter().map(|node| node.comment.clone());
        said.filter(|said| !said.is_empty()).collect()
    };
    assert_eq!(said(&tree), ["全局", "中炮", "稳健", "另一变"]);
    let plain = read(PLAIN_FILE).unwrap();
    assert_eq!((plain.variations(), plain.main_line().len()), (1, 51));
    assert_eq!(said(&plain), ["全局", "中炮", "另一变"]);
}

#[test]
fn what_is_no_file_is_told() {
    let mut other = HIDDEN_FILE.to_vec();
    other[2] = 19;
    assert_eq!(read(&other), Err(XqfError::Version(19)));
    assert_eq!(read(&HIDDEN_FILE[..100]), Err(XqfError::Short));
    assert_eq!(read(&HIDDEN_FILE[..1_100]), Err(XqfError::BreaksOff(1_100)));
    // A comment of four thousand million bytes.
    let mut long = PLAIN_FILE.to_vec();
    long[0x404..0x408].fill(0xff);
    assert_eq!(read(&long), Err(XqfError::BreaksOff(0x408)));
    // Each move says that another one stands beside it, and that one follows.
    let mut endless = PLAIN_FILE[..0x400].to_vec();
    for _ in 0..200_000 {
        endless.extend([0x18, 0x20, 0xff, 0, 0, 0, 0, 0]);
    }
    assert!(matches!(read(&endless), Err(XqfError::TooMany(_))));
}

proptest! {
    #[test]
    fn no_bytes_break_the_reader(
        cut in 0..HIDDEN_FILE.len(),
        changes in prop::collection::vec((0..HIDDEN_FILE.len(), any::<u8>()), 0..20),
        plain in any::<bool>(),
    ) {
        let file = if plain { PLAIN_FILE } else { HIDDEN_FILE };
        let mut bytes = file[..cut.max(3)].to_vec();
        for (place, byte) in changes {
            if let Some(changed) = bytes.get_mut(place) {
                *changed = byte;
            }
        }
        if let Ok(tree) = read(&bytes) {
            prop_assert!(tree.nodes.len() <= bytes.len());
        }
    }
}
