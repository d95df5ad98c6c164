#!/bin/sh
# Runs stories against three programs behind HAProxy, on one Postgres with NATS between them:
#   scripts/test_cluster.sh all|ten [FLAG ...]        further flags go to the tests
# tests/cluster_stories.txt says which. CARGO is the cargo that runs them.
set -eu
which=$1
shift
cd "$(dirname "$0")/.."
stories="${CARGO:-cargo} test --quiet --workspace --locked --test stories"

names=$($stories -- --list | awk -v which="$which" '
    # The list, then what the program of tests has.
    FNR == NR {
        if (/^==/) runs = 1
        else if (/^--/) runs = 0
        else if ($1 == "-") left_out[module "::" $2] = 1
        else if ($1 == "*") chosen[module "::" $2] = 1
        else if (NF > 0 && $1 !~ /^#/) { module = $1; if (runs) is_run[module] = 1 }
        next
    }
    sub(/: test$/, "") {
        split($0, parts, "::")
        if (!(parts[1] in is_run) || parts[2] == "sqlite") next
        story = $0
        sub(/::postgres::/, "::", story)
        if (story in left_out || (which == "ten" && !(story in chosen))) next
        print
    }' tests/cluster_stories.txt -)
[ -n "$names" ]
# shellcheck disable=SC2086 # Names have no blanks.
QIGUAN_CLUSTER=3 exec $stories -- --exact $names "$@"
