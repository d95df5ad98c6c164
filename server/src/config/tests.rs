use clap::{FromArgMatches, Parser};

use super::*;

#[derive(Parser)]
struct Only {
    #[command(flatten)]
    serve: ServeArgs,
}

fn parse(file: &str, flags: &[&str]) -> anyhow::Result<ServeArgs> {
    let command = with_file(<Only as clap::CommandFactory>::command(), file)?;
    let matches = command.try_get_matches_from([&["serve"], flags].concat())?;
    Ok(Only::from_arg_matches(&matches)?.serve)
}

#[test]
fn flags_win_over_the_file_and_the_file_over_defaults() {
    let file = "listen = \"0.0.0.0:9000\"\nmessage-burst = 7\nallow-origin = [\"https://a\", \"https://b\"]";
    let settings = parse(file, &["--message-burst", "8"]).unwrap();
    assert_eq!(settings.listen.to_string(), "0.0.0.0:9000");
    assert_eq!((settings.message_burst, settings.games_per_player), (8, 50));
    let origins = settings.allow_origin.iter().map(ToString::to_string);
    assert_eq!(origins.collect::<Vec<_>>(), ["https://a", "https://b"]);
}

#[test]
fn addresses_are_refused_with_what_is_allowed_and_one_address_is_a_net() {
    let nets = parse("trusted-proxy = [\"10.0.0.1\", \"10.1.0.0/16\"]", &[]).unwrap();
    let nets: Vec<_> = nets.trusted_proxy.iter().map(ToString::to_string).collect();
    assert_eq!(nets, ["10.0.0.1/32", "10.1.0.0/16"]);
    for (flag, value, allowed) in [
        ("--listen", "localhost", "127.0.0.1:8080"),
        ("--listen", "127.0.0.1:99999", "65535"),
        ("--trusted-proxy", "here", "10.0.0.0/8"),
        (
            "--public-url",
            "qiguan.example.org",
            "https://qiguan.example.org",
        ),
        ("--allow-origin", "*", "https://qiguan.example.org"),
    ] {
        let refused = parse("", &[flag, value]).unwrap_err().to_string();
        assert!(refused.contains(allowed), "{refused}");
    }
}

#[test]
fn a_public_server_that_believes_its_whole_machine_is_known() {
    let warned = |flags: &[&str]| parse("", flags).unwrap().trusts_the_whole_machine();
    assert!(!warned(&[]));
    assert!(warned(&["--public-url", "https://a.example"]));
    let named = [
        "--public-url",
        "https://a.example",
        "--trusted-proxy",
        "127.0.0.1",
    ];
    assert!(!warned(&named));
}

#[test]
fn all_but_aborted_games_is_kept_unless_days_are_set_and_days_have_a_bound() {
    let kept = |file: &str| {
        parse(file, &[]).map(|settings| {
            (
                settings.keep_unfinished_guest_games_days,
                settings.keep_aborted_games_days,
                settings.keep_chat_days,
            )
        })
    };
    assert_eq!(kept("").unwrap(), (0, 1, 0));
    assert_eq!(kept("keep-chat-days = 36500").unwrap(), (0, 1, 36_500));
    for bad in ["-1", "36501", "\"long\""] {
        let file = format!("keep-unfinished-guest-games-days = {bad}");
        kept(&file).unwrap_err();
    }
}

#[test]
fn a_setting_that_does_not_exist_is_refused_by_name() {
    let error = parse("listem = \"0.0.0.0:9000\"", &[])
        .unwrap_err()
        .to_string();
    assert!(error.contains("listem"), "{error}");
}

#[test]
fn what_tests_shorten_is_by_default_what_the_documents_say() {
    let settings = parse("", &[]).unwrap();
    assert_eq!(settings.room_idle_ms, 30_000);
    assert_eq!(settings.ping_ms, 10_000);
}
