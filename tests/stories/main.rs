//! What the program does, seen from outside. One binary; each module is one subject, and the faults that it covers stand in
//! its name (`a1_…`, `b3_…`): the letters are those of the failure catalogue in `docs/failures.md`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::large_futures,
    reason = "a test fails loudly, and may be large"
)]

mod accounts;
mod accounts_guessing;
mod accounts_order;
mod adjudication;
mod admin_server;
mod analyses;
mod animation;
mod archive;
mod audit_log;
mod backup;
mod challenges;
mod clocks;
mod computers;
mod connection_log;
mod connections;
mod crash;
mod crash_points;
mod damage;
mod delay;
mod deleted;
mod drafts;
mod duel;
mod embeds;
mod engine;
mod export_stream;
mod fair_referee;
mod following;
mod foreign_records;
mod foreign_rooms;
mod game_text;
mod given_starts;
mod hostile_bytes;
mod identity;
mod layers;
mod leaks;
mod leaks_around;
mod leaks_rebuilt;
mod lobby;
mod lobby_http;
mod long_games;
mod luzhanqi;
mod maintenance;
mod mutes;
mod one_lobby;
mod openings;
mod operator_paths;
mod origins;
mod overload;
mod own_games;
mod packing;
mod pairing;
mod patience;
mod postgres_faults;
mod postgres_start;
mod previews;
mod promises;
mod protocol_document;
mod push;
mod puzzles;
mod ratings;
mod reading;
mod recovery;
mod refusals;
mod repeats;
mod request_limits;
mod resources;
mod restart;
mod resuming;
mod retention;
mod reverse_proxies;
mod reviews;
mod scopes;
mod secret_setups;
mod sessions;
mod settings;
mod setups;
mod spectator_chat;
mod staff_games;
mod storage_faults;
mod stored_records;
mod streams;
mod tables;
mod tabs;
mod takebacks;
mod terminal;
mod terminal_hostile;
mod terminal_identities;
mod terminal_lobby;
mod terminal_luzhanqi;
mod terminal_tls;
mod terminal_tv;
mod two_programs;
mod vocabulary;
mod watching;
mod web_serving;
mod web_types;
mod whole_games;
mod xiangqi;
