#!/bin/sh
# Looks for inputs that break a property, with libFuzzer: `scripts/fuzz.sh SECONDS [TARGET…]`, so many seconds for each property.
#
# What it has learnt lies in target/fuzz/corpus, so that the next run goes on from there; an input that breaks a property goes to
# target/fuzz/broken, and the run ends with an error. target/fuzz/inputs.tsv counts: when, which property, how many inputs, how many seconds.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
target="$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')"
work="$target/fuzz"
# The counters of the code that an input reaches, as cargo-fuzz has rustc make them; these flags are stable, the sanitizers are not.
# A target is named so that build scripts and macros run without them.
host="$(rustc -vV | sed -n 's/^host: //p')"
# The same versions as the product's; what libFuzzer needs beside them is added.
cp Cargo.lock fuzz/coverage/Cargo.lock
RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing" \
    QIGUAN_WEB=none CARGO_TARGET_DIR="$work/build" \
    cargo build --release --manifest-path fuzz/coverage/Cargo.toml --target "$host"
program="$work/build/$host/release/qiguan-fuzz-coverage"
[ $# -gt 0 ] || set -- $(ls fuzz/seeds)
for name in "$@"; do
    mkdir -p "$work/corpus/$name" "$work/broken/$name" "$work/log" "fuzz/found/$name"
    log="$work/log/$name.txt"
    echo "fuzz: $name for $seconds s"
    status=0
    QIGUAN_FUZZ_TARGET="$name" "$program" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
        -print_final_stats=1 -artifact_prefix="$work/broken/$name/" \
        "$work/corpus/$name" "fuzz/seeds/$name" "fuzz/found/$name" >"$log" 2>&1 || status=$?
    inputs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    printf '%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "$name" "${inputs:-0}" "$seconds" >>"$work/inputs.tsv"
    rmdir "fuzz/found/$name" 2>/dev/null || true
    if [ "$status" -ne 0 ]; then
        tail -n 40 "$log" >&2
        echo "fuzz: $name is broken by the input in $work/broken/$name; see $log" >&2
        exit 1
    fi
    echo "fuzz: $name held for ${inputs:-no} inputs"
done
awk -F '\t' '{ all += $3 } END { printf "fuzz: %d inputs in all so far\n", all }' "$work/inputs.tsv"
