//! What spectators say, in every database.

use std::sync::Arc;

use qiguan_game::spectator_line::{NamedLine, SpectatorLine};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis},
    limits,
    names::{Status, Visibility},
    time_control::Clock,
};
use uuid::Uuid;

use super::{
    game, player,
    pruning::{cleared, in_state},
};
use crate::{
    accounts::DELETED_NAME,
    spectator_chat::UNHEARD_LINES,
    store::{Deletable, Store, TokenHash},
    testing::Place,
};

fn line(at: GameId, number: u32, text: &str) -> SpectatorLine {
    SpectatorLine {
        game: at,
        number,
        at: Millis(i64::from(number) * 10),
        player: player(1).id,
        command: CommandId(Uuid::from_u128(u128::from(number))),
        text: text.to_owned(),
        shadow_muted: number.is_multiple_of(2),
    }
}

fn numbers(lines: &[NamedLine]) -> Vec<u32> {
    lines.iter().map(|said| said.line.number).collect()
}

pub(super) async fn h5_the_newest_lines_of_spectators_are_kept_and_unheard_ones_displace_none(
    store: Arc<Store>,
    _: &Place,
) {
    let all = limits::SPECTATOR_LINES + 3 * UNHEARD_LINES;
    let lines = |from: u32, shadow_muted: bool| {
        let numbers = from..;
        numbers.map(move |number| SpectatorLine {
            shadow_muted,
            ..line(game(1), number, "x")
        })
    };
    let said: Vec<_> = lines(1, false).take(all as usize).collect();
    store.keep_spectator_lines(said).await.unwrap();
    let shadow_muted: Vec<_> = lines(all + 1, true)
        .take(2 * UNHEARD_LINES as usize)
        .collect();
    store.keep_spectator_lines(shadow_muted).await.unwrap();
    let kept = store.lines_of_game(game(1)).await.unwrap();
    let (shadow_muted, heard): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|it| it.line.shadow_muted);
    let first_and_count = |lines: &[NamedLine]| (lines[0].line.number, lines.len() as u32);
    let first = all - limits::SPECTATOR_LINES + 1;
    assert_eq!(first_and_count(&heard), (first, limits::SPECTATOR_LINES));
    let first = all + UNHEARD_LINES + 1;
    assert_eq!(first_and_count(&shadow_muted), (first, UNHEARD_LINES));
}

pub(super) async fn what_spectators_say_is_kept_once_and_read_back_page_by_page(
    store: Arc<Store>,
    place: &Place,
) {
    let lines: Vec<_> = (1..=5)
        .map(|number| line(game(1), number, "好棋"))
        .collect();
    let kept = store.keep_spectator_lines(lines.clone()).await;
    assert_eq!(kept, Ok(vec![1, 2, 3, 4, 5]));
    // The same command under another number is the same line; elsewhere it is another.
    let again = SpectatorLine {
        number: 6,
        ..line(game(1), 2, "好棋")
    };
    let mixed = vec![again, line(game(1), 7, "new"), line(game(2), 2, "there")];
    assert_eq!(store.keep_spectator_lines(mixed).await, Ok(vec![7, 2]));
    // A number that somebody else has taken: nothing of the write is kept.
    let taken = SpectatorLine {
        command: CommandId(Uuid::from_u128(99)),
        ..line(game(1), 3, "late")
    };
    let refused = store
        .keep_spectator_lines(vec![line(game(1), 8, "with it"), taken])
        .await;
    assert!(refused.is_err());

    let last = store.spectator_lines(game(1), u32::MAX, 3).await.unwrap();
    assert_eq!(numbers(&last), [7, 5, 4]);
    assert_eq!(last[0].name, DELETED_NAME, "nobody is known by this id");
    store
        .create_guest(&player(1), TokenHash([1; 32]), Millis(0))
        .await
        .unwrap();
    let before = store.spectator_lines(game(1), 4, 100).await.unwrap();
    assert_eq!(numbers(&before), [3, 2, 1]);
    assert_eq!(
        (&before[2].line, &before[2].name),
        (&lines[0], &player(1).name)
    );
    assert_eq!(
        store.spectator_lines(game(3), u32::MAX, 9).await,
        Ok(vec![])
    );

    let all = store.all_spectator_lines(None, 4).await.unwrap();
    assert_eq!(all, lines[..4]);
    let rest = store.all_spectator_lines(Some((game(1), 4)), 100).await;
    let rest = rest.unwrap();
    let places: Vec<_> = rest.iter().map(|said| (said.game, said.number)).collect();
    assert_eq!(places, [(game(1), 5), (game(1), 7), (game(2), 2)]);
    let mut added = all;
    added.push(line(game(3), 1, "from elsewhere"));
    assert_eq!(store.add_spectator_lines(added).await, Ok(()));
    drop(store);
    let opened = place.open().await;
    let there = opened.all_spectator_lines(Some((game(2), 2)), 9).await;
    assert_eq!(there, Ok(vec![line(game(3), 1, "from elsewhere")]));
}

pub(super) async fn what_spectators_say_goes_with_its_game_and_with_old_chat(
    store: Arc<Store>,
    _: &Place,
) {
    let (public, none) = (Visibility::Public, Clock::None);
    let batches = [
        in_state(1, Status::Ended, none, public),
        in_state(2, Status::Playing, none, public),
    ];
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    for at in [1, 2] {
        let lines = (1..=4).map(|number| line(game(at), number, "x")).collect();
        store.keep_spectator_lines(lines).await.unwrap();
    }
    // The last is not old enough, and the other game goes on.
    assert_eq!(store.clear_chat(Millis(40), 2).await, Ok(cleared(2, true)));
    assert_eq!(store.clear_chat(Millis(40), 2).await, Ok(cleared(1, false)));
    assert_eq!(store.clear_chat(Millis(40), 2).await, Ok(cleared(0, false)));
    let left = store.spectator_lines(game(1), u32::MAX, 9).await.unwrap();
    assert_eq!(numbers(&left), [4]);
    let there = store.spectator_lines(game(2), u32::MAX, 9).await.unwrap();
    assert_eq!(numbers(&there), [4, 3, 2, 1]);
    let last = store.game(game(2)).await.unwrap().unwrap().events.len();
    let last = qiguan_protocol::ids::Seq(last as u32);
    assert_eq!(
        store.delete_game(game(2), last, Deletable::Endless).await,
        Ok(true)
    );
    assert_eq!(
        store.spectator_lines(game(2), u32::MAX, 9).await,
        Ok(vec![])
    );
}
