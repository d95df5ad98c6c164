#!/bin/sh
# Tests the HTTP interface against its own OpenAPI document: requests that fit and requests that do not, made by schemathesis, against
# the debug program. It ends with a failure when an answer is not what the document says.
#
#   sh scripts/schemathesis.sh [SECONDS]     in all, by default 180; further arguments go to schemathesis
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-180}
[ $# -eq 0 ] || shift

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
program=${PROGRAM:-$target/debug/qiguan}
[ -x "$program" ] || { echo "there is no program $program: cargo build -p qiguan makes it" >&2; exit 1; }
version=4.32.5
venv=$target/schemathesis-$version
if ! [ -x "$venv/bin/schemathesis" ]; then
    sh scripts/needs.sh python3
    rm -rf "$venv"
    python3 -m venv "$venv" || { echo "python3 can't make a virtual environment: install the package python3-venv" >&2; exit 1; }
    "$venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi

folder=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

# Limits on how much one address may ask are other tests' subject.
"$program" serve --listen 127.0.0.1:0 --make-tables false --database "sqlite:$folder/qiguan.db" \
    --guests-per-hour 0 --registrations-per-hour 0 --attempts-per-address 0 --attempts-per-name 0 --attempts-per-minute 0 \
    --games-per-player 1000000 --games-per-hour 0 --games-per-hour-per-address 0 --request-burst-per-address 0 --messages-per-second 1000000 --message-burst 1000000 \
    > "$folder/out" 2> "$folder/log" &
server=$!
until grep -q '^listening on ' "$folder/out"; do
    kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
    sleep 0.1
done
url=$(sed -n 's/^listening on //p' "$folder/out")

# An identity of each kind: a guest, and the operator's own account.
token_of() {
    sed -n 's/.*"token":"\([^"]*\)".*/\1/p'
}
post() {
    curl --silent --show-error --fail --header 'content-type: application/json' --data "$2" "$url$1"
}
guest=$(post /api/guest '' | token_of)
printf 'a password for tests\n' | "$program" admin create --database "sqlite:$folder/qiguan.db" Tester > "$folder/admin" 2>&1 \
    || { cat "$folder/admin" >&2; exit 1; }
admin=$(post /api/login '{"name":"Tester","password":"a password for tests"}' | token_of)

# What takes the identity away, or closes the server to games, comes last. The streams do not end.
last='logout becomeBot deleteAccount startMaintenance'
endless='streamGame streamMe streamTv'
each() {
    option=$1
    shift
    for operation in "$@"; do
        printf '%s %s ' "$option" "$operation"
    done
}

# What a schema can't say (which options a rule set has, whether both of two fields may be given) is refused all the same, so
# that a refusal of a request that fits its schema is no failure.
failed=0
run() {
    token=$1
    time=$2
    shift 2
    # It remembers what it has found in a folder where it runs.
    (cd "$target" && "$venv/bin/schemathesis" run "$url/api/openapi.json" --header "Authorization: Bearer $token" \
        --phases examples,coverage,fuzzing --exclude-checks positive_data_acceptance \
        --max-time "$time" --continue-on-failure --request-timeout 30 --warnings off "$@") || failed=1
}
# shellcheck disable=SC2046
run "$guest" $((seconds * 4 / 10)) $(each --exclude-operation-id $last $endless) "$@"
# shellcheck disable=SC2046
run "$admin" $((seconds * 5 / 10)) $(each --exclude-operation-id $last $endless) "$@"
# shellcheck disable=SC2046
run "$admin" $((seconds / 10 + 1)) $(each --include-operation-id $last) "$@"

if grep -E ' (ERROR|WARN) ' "$folder/log"; then
    echo "the server has logged warnings or errors" >&2
    failed=1
fi
exit "$failed"
