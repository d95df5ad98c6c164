//! The suite that every store has to pass: cases over `&Store`, listed once and run for each database.

mod accounts;
mod analyses;
mod announcements;
mod appending;
pub(crate) mod audit_log;
mod connection_log;
mod drafts;
mod fair_play;
mod follows;
mod leaving;
mod lists;
pub(crate) mod nodes;
mod openings;
mod packed_games;
mod pruning;
mod push;
mod puzzles;
mod ranks;
mod rating_states;
mod ratings;
mod reviews;
mod sanctions;
mod searches;
mod sessions;
mod settings;
mod spectator_chat;
mod whole;

use std::sync::Arc;

use qiguan_game::{
    event::{Body, Created, Event, Player},
    record::Entry,
    state::State,
};
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId, Millis, PlayerId, Seq},
    names::Visibility,
    time_control::{Clock, TimeControl},
};
use qiguan_rules::Seat;
use uuid::Uuid;

use self::{
    accounts::{
        a_guest_registers_and_keeps_the_id, a_name_is_taken_if_any_of_its_keys_is,
        a_part_of_a_name_finds_its_account, a_recovery_code_is_used_once,
        bans_and_roles_are_told_with_the_session, of_many_who_want_a_name_at_once_one_gets_it,
        signing_in_relies_on_the_password_that_was_tried,
        the_name_leaves_a_game_and_no_other_name_does,
        who_is_deleted_loses_everything_and_the_name_stays_taken,
    },
    analyses::{
        a_moderator_deletes_an_analysis_with_an_entry_of_the_audit_log,
        an_analysis_is_shared_once_by_each_and_as_many_as_are_allowed,
        analyses_shared_at_once_are_no_more_than_are_allowed,
        d13_analyses_go_with_the_account_and_none_comes_back,
    },
    announcements::an_announcement_stands_until_it_is_taken_down_also_after_opening_again,
    appending::{
        a_command_opens_one_game,
        a_conflict_of_a_rematch_names_the_game_that_somebody_else_wrote_to,
        a_number_that_exists_is_a_conflict_and_fails_alone,
        a_rematch_is_stored_in_both_games_or_in_neither,
        an_append_whose_asker_has_gone_is_stored_all_the_same,
        i3_what_is_used_up_is_refused_and_the_others_of_a_transaction_are_stored,
        many_appends_share_few_commits_and_none_is_lost,
        of_two_writers_with_the_same_number_one_wins_and_the_other_reads_what_it_wrote,
        small_writes_share_the_transaction_and_each_fails_alone,
        what_is_appended_is_read_back_in_order,
        whatever_is_looked_for_is_found_or_not_and_is_no_error,
        who_is_paired_in_a_game_that_is_not_over_is_found_from_a_time_on,
    },
    audit_log::{
        a_page_of_the_audit_log_is_what_the_filter_says,
        an_act_is_written_with_the_events_that_it_brings_about_or_not_at_all,
        the_audit_log_is_only_added_to, whatever_is_done_has_its_entry_and_what_is_not_has_none,
    },
    connection_log::{
        when_players_were_connected_goes_with_its_game,
        when_players_were_connected_is_noted_once_and_not_without_end,
        when_the_server_was_gone_is_noted_in_games_that_are_played,
    },
    drafts::{
        a_full_disk_leaves_the_drafts_and_setups_as_they_were,
        a_locked_record_leaves_the_drafts_and_setups_as_they_were,
        a_paper_replaces_the_one_before_and_no_other, a_setup_is_kept_by_its_player_and_name,
        drafts_and_setups_are_not_printed, drafts_and_setups_are_there_after_opening_again,
        setups_are_as_many_as_are_allowed, setups_saved_at_once_are_no_more_than_are_allowed,
    },
    fair_play::{
        blocks_hold_for_both_and_are_as_many_as_are_allowed,
        reports_wait_for_a_moderator_and_are_as_many_as_are_allowed,
    },
    follows::{
        follows_are_as_many_as_are_allowed_and_end_with_a_block,
        follows_at_once_are_no_more_than_are_allowed,
        follows_go_with_an_account_in_both_directions, who_hides_is_seen_by_nobody_else,
    },
    leaving::{
        d13_what_an_older_archive_brings_back_goes_once_more,
        d13_what_an_open_report_is_about_stays_until_it_is_closed,
        d13_what_is_in_no_game_goes_with_the_account,
        d13_what_somebody_deleted_has_said_goes_a_part_at_a_time_and_nobody_elses,
    },
    lists::{
        a_page_is_what_the_filter_says, games_by_link_are_listed_for_their_players_alone,
        games_that_go_on_are_counted_in_both_seats, pages_follow_each_other_without_gap_or_repeat,
    },
    nodes::{
        a_program_without_sessions_is_gone_before_its_lease_is_over_and_a_silent_one_is_not,
        a_slot_is_claimed_once_by_who_has_seen_its_last_owner,
        a_slot_keeps_since_when_its_games_were_nobodys_until_all_are_held,
        a_small_write_of_who_was_taken_over_is_refused_also_before_it_knows,
        slots_are_handed_over_by_their_owner_to_a_node_that_is_there,
        who_beats_again_in_time_is_not_taken_over,
        who_was_taken_over_writes_nothing_more_and_joins_under_another_number,
    },
    openings::{
        a_count_that_is_begun_anew_has_every_game_again_and_ends_the_one_before,
        a_game_is_counted_once_no_matter_who_counts_and_what_was_played_adds_up,
        a_position_is_a_condition_of_a_search_like_any_other,
        a_search_by_position_for_what_is_rare_stops_and_is_carried_on,
        a_visitor_who_goes_away_while_a_position_is_looked_up_leaves_it_to_others,
    },
    packed_games::{
        a_damaged_row_is_named_and_everything_else_goes_on,
        a_game_from_another_record_that_is_over_is_packed_at_once,
        a_game_that_can_not_be_packed_stays_as_it_is, a_packed_game_is_read_as_before_and_goes_on,
        chat_of_packed_games_is_found_by_its_age_and_its_seat,
        deleted_games_leave_no_gap_in_pages_of_all_games,
        games_with_events_of_their_own_are_found_page_by_page,
        of_writers_that_know_less_none_takes_the_place_of_what_is_packed,
        old_chat_is_cleared_in_every_packed_game_whatever_stands_before_it,
        packing_and_rewriting_at_once_lose_nothing,
        the_log_is_cut_from_its_old_end_and_nothing_is_lost,
        what_can_be_read_of_a_damaged_game_changes,
    },
    pruning::{
        a_deleted_game_leaves_nothing_and_one_that_went_on_stays,
        games_that_nothing_ends_are_found_when_their_last_event_is_old,
        i6_aborted_games_go_unless_they_were_begun_or_something_needs_them,
        old_chat_is_cleared_in_ended_games_and_its_events_stay,
    },
    push::{
        a_device_goes_with_its_session, a_device_is_told_of_what_it_asks_for_until_it_is_gone,
        devices_are_as_many_as_are_allowed_and_the_oldest_go,
        the_server_has_one_key_however_many_are_drawn,
    },
    puzzles::{
        a_puzzle_counts_once_for_a_player_and_changes_both_ratings,
        after_a_mistake_a_puzzle_is_found_or_shown, d13_puzzles_go_with_the_account,
        days_count_one_after_the_other, of_tries_at_once_one_counts,
    },
    ranks::{
        n1_a_banned_muted_or_limited_player_is_made_no_moderator,
        n1_what_is_done_to_a_game_is_judged_by_the_roles_of_that_moment,
        n1_what_is_done_to_an_account_is_judged_by_the_roles_of_that_moment,
        n2_reports_are_listed_and_closed_by_whom_they_are_for,
    },
    rating_states::{
        leaders_come_page_by_page_the_strongest_first,
        leaves_are_what_their_players_are_to_blame_for,
        results_are_counted_by_rule_set_seat_and_opponent,
    },
    ratings::{
        a_game_that_ends_twice_is_rated_once_and_one_that_fails_not_at_all,
        a_rated_game_changes_both_ratings_and_one_that_does_not_count_none,
        a_revision_that_knows_older_ratings_writes_nothing,
        a_withdrawn_result_is_as_if_it_had_not_been_and_can_count_again,
        games_that_end_together_are_rated_one_after_the_other,
        writers_that_end_games_of_the_same_players_lose_no_rating,
    },
    reviews::reviews_are_kept_for_their_version_and_the_oldest_go,
    sanctions::{
        a_new_name_holds_at_once_and_comes_into_games_and_nobody_gets_the_old_one,
        mutes_and_limits_hold_until_they_are_taken_back,
    },
    searches::{
        a_list_is_carried_on_after_a_game_that_is_gone,
        a_search_finds_what_its_conditions_say_page_by_page,
        a_search_for_what_is_rare_stops_and_is_carried_on,
        games_of_a_player_that_have_ended_since_a_time_are_found_the_last_first,
    },
    sessions::{
        a_session_in_use_ends_later_and_never_earlier,
        n4_a_new_password_ends_the_sign_ins_and_the_tokens_unless_they_are_to_stay,
        sessions_end_one_by_one_or_all_but_one, tokens_are_no_more_than_are_allowed,
    },
    settings::{
        of_devices_that_save_at_once_one_is_first,
        settings_are_saved_in_place_of_the_version_that_is_known,
    },
    spectator_chat::{
        h5_the_newest_lines_of_spectators_are_kept_and_unheard_ones_displace_none,
        what_spectators_say_goes_with_its_game_and_with_old_chat,
        what_spectators_say_is_kept_once_and_read_back_page_by_page,
    },
    whole::{
        a_selection_is_what_its_conditions_say,
        events_without_a_line_and_a_line_without_events_are_found,
        players_move_with_their_tokens_and_setups_and_none_twice,
        whole_games_are_as_they_were_appended_each_in_one_page,
    },
};
use super::{
    absences::Absence,
    store::{Append, Store, StoreError, TokenHash},
};
use crate::testing::Place;

/// Runs each case on every database with every game packed as soon as something is appended to it.
macro_rules! packed_cases {
    ($($case:ident),* $(,)?) => {
        cases!(@in packed_in_sqlite, packing,
            |case| crate::testing::Place::new(&format!("packed_{case}")), $($case),*);
        cases!(@in packed_in_postgres, packing, |_| crate::testing::Place::postgres(), $($case),*);
        cases!(@in packed_in_a_simulation, packing, |_| crate::testing::Place::simulated(), $($case),*);
    };
}

/// Runs each case on every database.
macro_rules! cases {
    (@in $database:ident, $open:ident, $place:expr, $($case:ident),*) => {
        mod $database {
            $(
                #[tokio::test]
                async fn $case() {
                    let place: fn(&str) -> crate::testing::Place = $place;
                    let place = place(stringify!($case));
                    super::$case(super::$open(&place).await, &place).await;
                }
            )*
        }
    };
    ($($case:ident),* $(,)?) => {
        on_disks!(sqlite, postgres, $($case),*);
        cases!(@in simulated, opened, |_| crate::testing::Place::simulated(), $($case),*);
    };
}

/// Runs each case on the databases that are on a disk.
macro_rules! on_disks {
    ($sqlite:ident, $postgres:ident, $($case:ident),* $(,)?) => {
        cases!(@in $sqlite, opened, |case| crate::testing::Place::new(case), $($case),*);
        cases!(@in $postgres, opened, |_| crate::testing::Place::postgres(), $($case),*);
    };
}

packed_cases! {
    what_is_appended_is_read_back_in_order,
    a_number_that_exists_is_a_conflict_and_fails_alone,
    a_rematch_is_stored_in_both_games_or_in_neither,
    a_conflict_of_a_rematch_names_the_game_that_somebody_else_wrote_to,
    a_command_opens_one_game,
    who_is_paired_in_a_game_that_is_not_over_is_found_from_a_time_on,
    a_game_is_counted_once_no_matter_who_counts_and_what_was_played_adds_up,
    the_name_leaves_a_game_and_no_other_name_does,
    d13_what_an_older_archive_brings_back_goes_once_more,
    d13_what_an_open_report_is_about_stays_until_it_is_closed,
    d13_what_somebody_deleted_has_said_goes_a_part_at_a_time_and_nobody_elses,
    a_new_name_holds_at_once_and_comes_into_games_and_nobody_gets_the_old_one,
    whole_games_are_as_they_were_appended_each_in_one_page,
    a_selection_is_what_its_conditions_say,
    events_without_a_line_and_a_line_without_events_are_found,
    i6_aborted_games_go_unless_they_were_begun_or_something_needs_them,
    games_that_nothing_ends_are_found_when_their_last_event_is_old,
    a_deleted_game_leaves_nothing_and_one_that_went_on_stays,
    a_game_that_ends_twice_is_rated_once_and_one_that_fails_not_at_all,
}

/// A record in which every game is packed as soon as something is appended to it.
async fn packing(place: &Place) -> Arc<Store> {
    let mut store = place.open().await;
    let packs = Arc::get_mut(&mut store).map(|store| store.packs = true);
    packs.expect("nobody else has the record");
    store
}

async fn opened(place: &Place) -> Arc<Store> {
    place.open().await
}

/// Runs each case on the databases that several programs may be on.
macro_rules! of_several_programs {
    ($($case:ident),* $(,)?) => {
        cases!(@in shared_postgres, opened, |_| crate::testing::Place::postgres(), $($case),*);
        cases!(@in shared_simulation, opened, |_| crate::testing::Place::simulated(), $($case),*);
    };
}

of_several_programs! {
    a_program_without_sessions_is_gone_before_its_lease_is_over_and_a_silent_one_is_not,
    who_was_taken_over_writes_nothing_more_and_joins_under_another_number,
    a_small_write_of_who_was_taken_over_is_refused_also_before_it_knows,
    who_beats_again_in_time_is_not_taken_over,
    a_slot_is_claimed_once_by_who_has_seen_its_last_owner,
    a_slot_keeps_since_when_its_games_were_nobodys_until_all_are_held,
    slots_are_handed_over_by_their_owner_to_a_node_that_is_there,
}

on_disks! {
    disk_of_sqlite,
    disk_of_postgres,
    a_locked_record_leaves_the_drafts_and_setups_as_they_were,
    a_full_disk_leaves_the_drafts_and_setups_as_they_were,
}

cases! {
    an_analysis_is_shared_once_by_each_and_as_many_as_are_allowed,
    analyses_shared_at_once_are_no_more_than_are_allowed,
    a_moderator_deletes_an_analysis_with_an_entry_of_the_audit_log,
    d13_analyses_go_with_the_account_and_none_comes_back,
    a_puzzle_counts_once_for_a_player_and_changes_both_ratings,
    after_a_mistake_a_puzzle_is_found_or_shown,
    days_count_one_after_the_other,
    of_tries_at_once_one_counts,
    d13_puzzles_go_with_the_account,
    the_server_has_one_key_however_many_are_drawn,
    a_device_goes_with_its_session,
    devices_are_as_many_as_are_allowed_and_the_oldest_go,
    a_device_is_told_of_what_it_asks_for_until_it_is_gone,
    n1_what_is_done_to_an_account_is_judged_by_the_roles_of_that_moment,
    n1_what_is_done_to_a_game_is_judged_by_the_roles_of_that_moment,
    n1_a_banned_muted_or_limited_player_is_made_no_moderator,
    n2_reports_are_listed_and_closed_by_whom_they_are_for,
    what_is_appended_is_read_back_in_order,
    whatever_is_looked_for_is_found_or_not_and_is_no_error,
    a_number_that_exists_is_a_conflict_and_fails_alone,
    a_rematch_is_stored_in_both_games_or_in_neither,
    a_conflict_of_a_rematch_names_the_game_that_somebody_else_wrote_to,
    i3_what_is_used_up_is_refused_and_the_others_of_a_transaction_are_stored,
    of_two_writers_with_the_same_number_one_wins_and_the_other_reads_what_it_wrote,
    a_command_opens_one_game,
    who_is_paired_in_a_game_that_is_not_over_is_found_from_a_time_on,
    small_writes_share_the_transaction_and_each_fails_alone,
    pages_follow_each_other_without_gap_or_repeat,
    games_by_link_are_listed_for_their_players_alone,
    a_page_is_what_the_filter_says,
    a_search_finds_what_its_conditions_say_page_by_page,
    a_search_for_what_is_rare_stops_and_is_carried_on,
    games_of_a_player_that_have_ended_since_a_time_are_found_the_last_first,
    a_list_is_carried_on_after_a_game_that_is_gone,
    games_that_go_on_are_counted_in_both_seats,
    a_packed_game_is_read_as_before_and_goes_on,
    a_game_from_another_record_that_is_over_is_packed_at_once,
    deleted_games_leave_no_gap_in_pages_of_all_games,
    games_with_events_of_their_own_are_found_page_by_page,
    of_writers_that_know_less_none_takes_the_place_of_what_is_packed,
    packing_and_rewriting_at_once_lose_nothing,
    the_log_is_cut_from_its_old_end_and_nothing_is_lost,
    chat_of_packed_games_is_found_by_its_age_and_its_seat,
    old_chat_is_cleared_in_every_packed_game_whatever_stands_before_it,
    what_can_be_read_of_a_damaged_game_changes,
    a_damaged_row_is_named_and_everything_else_goes_on,
    a_game_that_can_not_be_packed_stays_as_it_is,
    a_game_is_counted_once_no_matter_who_counts_and_what_was_played_adds_up,
    a_count_that_is_begun_anew_has_every_game_again_and_ends_the_one_before,
    a_position_is_a_condition_of_a_search_like_any_other,
    a_search_by_position_for_what_is_rare_stops_and_is_carried_on,
    a_visitor_who_goes_away_while_a_position_is_looked_up_leaves_it_to_others,
    a_token_is_known_by_its_hash,
    a_guest_registers_and_keeps_the_id,
    a_name_is_taken_if_any_of_its_keys_is,
    a_part_of_a_name_finds_its_account,
    a_recovery_code_is_used_once,
    of_many_who_want_a_name_at_once_one_gets_it,
    signing_in_relies_on_the_password_that_was_tried,
    n4_a_new_password_ends_the_sign_ins_and_the_tokens_unless_they_are_to_stay,
    sessions_end_one_by_one_or_all_but_one,
    tokens_are_no_more_than_are_allowed,
    a_session_in_use_ends_later_and_never_earlier,
    bans_and_roles_are_told_with_the_session,
    who_is_deleted_loses_everything_and_the_name_stays_taken,
    the_name_leaves_a_game_and_no_other_name_does,
    d13_what_an_older_archive_brings_back_goes_once_more,
    d13_what_an_open_report_is_about_stays_until_it_is_closed,
    d13_what_is_in_no_game_goes_with_the_account,
    d13_what_somebody_deleted_has_said_goes_a_part_at_a_time_and_nobody_elses,
    mutes_and_limits_hold_until_they_are_taken_back,
    a_new_name_holds_at_once_and_comes_into_games_and_nobody_gets_the_old_one,
    everything_is_there_after_opening_again,
    many_appends_share_few_commits_and_none_is_lost,
    an_append_whose_asker_has_gone_is_stored_all_the_same,
    a_paper_replaces_the_one_before_and_no_other,
    a_setup_is_kept_by_its_player_and_name,
    setups_are_as_many_as_are_allowed,
    reviews_are_kept_for_their_version_and_the_oldest_go,
    setups_saved_at_once_are_no_more_than_are_allowed,
    drafts_and_setups_are_there_after_opening_again,
    drafts_and_setups_are_not_printed,
    whole_games_are_as_they_were_appended_each_in_one_page,
    a_selection_is_what_its_conditions_say,
    events_without_a_line_and_a_line_without_events_are_found,
    players_move_with_their_tokens_and_setups_and_none_twice,
    i6_aborted_games_go_unless_they_were_begun_or_something_needs_them,
    games_that_nothing_ends_are_found_when_their_last_event_is_old,
    a_deleted_game_leaves_nothing_and_one_that_went_on_stays,
    old_chat_is_cleared_in_ended_games_and_its_events_stay,
    h5_the_newest_lines_of_spectators_are_kept_and_unheard_ones_displace_none,
    what_spectators_say_is_kept_once_and_read_back_page_by_page,
    what_spectators_say_goes_with_its_game_and_with_old_chat,
    when_players_were_connected_is_noted_once_and_not_without_end,
    when_the_server_was_gone_is_noted_in_games_that_are_played,
    when_players_were_connected_goes_with_its_game,
    blocks_hold_for_both_and_are_as_many_as_are_allowed,
    reports_wait_for_a_moderator_and_are_as_many_as_are_allowed,
    follows_are_as_many_as_are_allowed_and_end_with_a_block,
    follows_at_once_are_no_more_than_are_allowed,
    follows_go_with_an_account_in_both_directions,
    who_hides_is_seen_by_nobody_else,
    settings_are_saved_in_place_of_the_version_that_is_known,
    of_devices_that_save_at_once_one_is_first,
    whatever_is_done_has_its_entry_and_what_is_not_has_none,
    a_page_of_the_audit_log_is_what_the_filter_says,
    the_audit_log_is_only_added_to,
    an_announcement_stands_until_it_is_taken_down_also_after_opening_again,
    an_act_is_written_with_the_events_that_it_brings_about_or_not_at_all,
    a_rated_game_changes_both_ratings_and_one_that_does_not_count_none,
    games_that_end_together_are_rated_one_after_the_other,
    a_game_that_ends_twice_is_rated_once_and_one_that_fails_not_at_all,
    writers_that_end_games_of_the_same_players_lose_no_rating,
    a_withdrawn_result_is_as_if_it_had_not_been_and_can_count_again,
    a_revision_that_knows_older_ratings_writes_nothing,
    leaders_come_page_by_page_the_strongest_first,
    results_are_counted_by_rule_set_seat_and_opponent,
    leaves_are_what_their_players_are_to_blame_for,
}

fn player(number: u128) -> Player {
    Player::named(PlayerId(Uuid::from_u128(number)), format!("玩家 {number}"))
}

fn game(number: u128) -> GameId {
    GameId(Uuid::from_u128(number))
}

fn opening(number: u128, by: u128, visibility: Visibility, clock: Clock) -> Append {
    let created = Created {
        ruleset: "doushouqi/booklet".to_owned(),
        options: vec![("quiet_limit".to_owned(), "0".to_owned())],
        time_control: TimeControl {
            clock,
            absence_ms: None,
            setup_ms: None,
        },
        visibility,
        seat: Seat::First,
        player: player(by),
        rated: false,
        invited: None,
        spectator_delay: None,
        start: None,
        practice: false,
        bounded: true,
    };
    let command = Some(CommandId(Uuid::from_u128(number)));
    let event = Event {
        seq: Seq(1),
        at: Millis(number as i64),
        command,
        body: Body::Created(Box::new(created)),
    };
    let state = State::open(game(number), event.clone()).unwrap();
    let entry = Entry {
        game: game(number),
        events: vec![event],
        summary: Some(state.summary()),
    };
    Append {
        cause: "create_game",
        audit_entry: None,
        commands: Vec::new(),
        quotas: Vec::new(),
        entries: vec![entry],
    }
}

pub(crate) fn plain(number: u128) -> Append {
    opening(number, 1, Visibility::Public, Clock::None)
}

pub(crate) fn chat(number: u128, seq: u32, text: &str) -> Append {
    let body = Body::Chat {
        seat: Seat::First,
        text: text.to_owned(),
        shadow_muted: false,
    };
    let event = Event {
        seq: Seq(seq),
        at: Millis(5),
        command: None,
        body,
    };
    Append {
        cause: "chat",
        audit_entry: None,
        commands: Vec::new(),
        quotas: Vec::new(),
        entries: vec![Entry {
            game: game(number),
            events: vec![event],
            summary: None,
        }],
    }
}

async fn stored(store: &Store, number: u128) -> Vec<Event> {
    store
        .game(game(number))
        .await
        .unwrap()
        .map_or_else(Vec::new, |record| record.events)
}

/// Whom a token belongs to.
async fn known(store: &Store, hash: [u8; 32]) -> Option<Player> {
    let identity = store.session(TokenHash(hash)).await.unwrap();
    identity.map(|known| known.identity.player())
}

async fn a_token_is_known_by_its_hash(store: Arc<Store>, _: &Place) {
    store
        .create_guest(&player(1), TokenHash([1; 32]), Millis(1))
        .await
        .unwrap();
    assert_eq!(known(store.as_ref(), [1; 32]).await, Some(player(1)));
    assert_eq!(known(store.as_ref(), [2; 32]).await, None);
    let doubled = store
        .create_guest(&player(1), TokenHash([3; 32]), Millis(1))
        .await;
    assert!(matches!(doubled, Err(StoreError::Unavailable(_))));
    assert!(store.healthy().await, "a write that failed leaves no trace");
}

const fn absence(stopped: i64, started: i64) -> Absence {
    Absence {
        stopped: Millis(stopped),
        started: Millis(started),
    }
}

async fn everything_is_there_after_opening_again(store: Arc<Store>, place: &Place) {
    store.append(&[plain(1)]).await;
    assert_eq!(store.last_heartbeat().await, Ok(None));
    store.heartbeat(Millis(77)).await.unwrap();
    store.heartbeat(Millis(78)).await.unwrap();
    for absence in [absence(9, 12), absence(1, 8), absence(2, 8)] {
        store.note_absence(absence).await.unwrap();
    }
    store.close().await;
    let again = place.open_as(Epoch(8)).await;
    assert_eq!(again.epoch(), Epoch(7), "a record keeps its number");
    assert_eq!(again.last_heartbeat().await, Ok(Some(Millis(78))));
    let mut absences = vec![absence(2, 8), absence(9, 12)];
    assert_eq!(again.absences().await, Ok(absences.clone()));
    let last = absences.pop();
    assert_eq!(again.forget_absences(absences).await, Ok(()));
    assert_eq!(again.absences().await, Ok(last.into_iter().collect()));
    assert_eq!(stored(again.as_ref(), 1).await.len(), 1);
}

#[tokio::test]
async fn another_database_is_refused_and_what_is_allowed_is_named() {
    for url in [
        "mysql://someone:secret@localhost/qiguan",
        "data/qiguan.db",
        "",
        "postgresqlite:x",
    ] {
        let refused = super::open(url, None, Epoch(1)).await.err();
        let told = refused
            .map(|error| format!("{error:#}"))
            .unwrap_or_default();
        for part in ["sqlite:PATH", "postgres://"] {
            assert!(told.contains(part), "{url:?}: {told}");
        }
        assert!(!told.contains("secret"), "{told}");
    }
}
