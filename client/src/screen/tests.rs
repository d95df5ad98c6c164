use qiguan_rules::xiangqi::notation::Notation;

use super::*;

#[test]
fn spans_are_shown_as_people_read_clocks() {
    for (ms, text) in [
        (0, "0:00.0"),
        (9_340, "0:09.3"),
        (10_000, "0:10"),
        (247_900, "4:07"),
        (3_600_000, "1:00:00"),
        (183_600_000, "2 d 03:00"),
        (-5, "0:00.0"),
    ] {
        assert_eq!(span(Millis(ms)), text, "{ms}");
    }
}

fn screen(live: bool) -> Screen {
    Screen {
        live,
        ..Screen::new(
            true,
            NotationArgs {
                notation: Notation::Squares,
            },
        )
    }
}

fn setup(ready: [bool; 2], commitments: Option<BySeat<String>>) -> SetupView {
    SetupView {
        until: None,
        ready: BySeat {
            first: ready[0],
            second: ready[1],
        },
        yours: None,
        commitments,
        revealed: None,
    }
}

#[test]
fn a_redrawn_screen_keeps_saying_how_to_set_up_until_one_is_ready() {
    let half = setup([true, false], None);
    let line = "first is ready, you are setting up";
    let (plain, live) = (screen(false), screen(true));
    assert_eq!(plain.setting_up(&half, Some(Seat::Second)), line);
    assert_eq!(
        live.setting_up(&half, Some(Seat::Second)),
        format!("{line}\n{SET_UP}")
    );
    for you in [Some(Seat::First), None] {
        assert!(!live.setting_up(&half, you).contains(SET_UP), "{you:?}");
    }
}

#[test]
fn a_redrawn_screen_shows_the_commitments_until_the_first_move() {
    let commitments = BySeat {
        first: "aa".to_owned(),
        second: "bb".to_owned(),
    };
    let begun = setup([true, true], Some(commitments));
    let shown = "the game begins\nfirst is committed to aa\nsecond is committed to bb";
    assert_eq!(
        screen(true).beginning(&begun, false).as_deref(),
        Some(shown)
    );
    assert_eq!(screen(true).beginning(&begun, true), None);
    assert_eq!(screen(true).beginning(&setup([true; 2], None), false), None);
    assert_eq!(
        screen(false).beginning(&begun, false),
        None,
        "a line of its own told it"
    );
}

#[test]
fn a_player_who_was_not_ready_sees_that_the_setup_time_is_over() {
    let told = |first: bool, second: bool| begins(Some(&setup([first, second], None)));
    assert_eq!(told(true, true), "the game begins");
    let over = "the setup time is over; the setups count as they are\nthe game begins";
    for (first, second) in [(true, false), (false, true), (false, false)] {
        assert_eq!(told(first, second), over);
    }
    assert_eq!(begins(None), "the game begins");
}

#[test]
fn what_a_terminal_would_obey_is_taken_out() {
    assert_eq!(
        printable("a\x1b[2Jb\r\n\u{202e}c\u{9b}31m好"),
        "a[2Jbc31m好"
    );
}
