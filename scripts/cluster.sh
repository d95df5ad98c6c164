#!/usr/bin/env bash
# Runs three programs on one Postgres with NATS between them and HAProxy in front, all on this machine, until Ctrl-C:
#   scripts/cluster.sh PROGRAM [PORT] [FLAG ...]        further flags go to each `qiguan serve`
# Everything lies in one temporary folder, which goes with it. When a program ends, the others go on.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."
port=${2:-8080}
shift $(($# < 2 ? $# : 2))
PATH="$PATH:/usr/sbin"
haproxy_settings=$PWD/docs/examples/haproxy.cfg

# The programs of the newest Postgres, or those that PG_BIN or PATH lead to.
for folder in /usr/lib/postgresql/*/bin ${PG_BIN:+"$PG_BIN"}; do
    PATH="$folder:$PATH"
done
sh scripts/needs.sh initdb nats-server haproxy openssl setsid setpriv

# Whether somebody listens on the port.
is_open() {
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null
}
if is_open; then
    echo "cluster: port $port is in use; choose another one, for example: make cluster PORT=9090" >&2
    exit 1
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/qiguan-cluster.XXXXXX")
declare -A pids=()

# start NAME [OPTION OF SETPRIV …] COMMAND …: in the background, in a session of its own, so that Ctrl-C reaches this script alone. If the
# script is killed, so is the command.
start() {
    setsid setpriv --pdeathsig=TERM "${@:2}" >"$folder/$1.log" 2>&1 </dev/null &
    pids[$1]=$!
}

# Ends parts and waits for them.
stop() {
    local name signal=$1
    shift
    for name in "$@"; do
        [ -z "${pids[$name]:-}" ] || kill "-$signal" "${pids[$name]}" 2>/dev/null || true
    done
    for name in "$@"; do
        [ -z "${pids[$name]:-}" ] || wait "${pids[$name]}" || true
    done
}

finish() {
    # Asked again: at once.
    trap 'kill -KILL "${pids[@]}" 2>/dev/null || true' INT TERM HUP
    stop TERM qiguan-1 qiguan-2 qiguan-3
    stop TERM haproxy nats
    # To Postgres this says: end all sessions.
    stop INT postgres
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 0' INT TERM HUP

ended() {
    echo "cluster: $1 has ended; its log ends with:" >&2
    tail -n 20 "$folder/$1.log" >&2
}

# await NAME COMMAND …: until the command succeeds; the part must not end before.
await() {
    until "${@:2}"; do
        if ! kill -0 "${pids[$1]}" 2>/dev/null; then
            ended "$1"
            exit 1
        fi
        sleep 0.05
    done
}

# logged NAME PATTERN: sets `found` to what follows the beginning of a line in the log.
logged() {
    found=$(sed -n "s|^$2||p" "$folder/$1.log" | head -n 1)
    [ -n "$found" ]
}

# Postgres refuses to run as root.
as_owner=()
mkdir "$folder/postgres"
if [ "$(id -u)" = 0 ]; then
    owner=postgres
    id -u postgres >/dev/null 2>&1 || owner=nobody
    as_owner=("--reuid=$owner" "--regid=$(id -g "$owner")" --clear-groups)
    chmod 711 "$folder"
    chown "$owner" "$folder/postgres"
fi
data=$folder/postgres/data
(
    cd "$folder/postgres"
    setpriv "${as_owner[@]}" initdb -A trust -U qiguan -E UTF8 --locale C --no-sync -D "$data" >"$folder/initdb.log" 2>&1
) || { cat "$folder/initdb.log" >&2; exit 1; }
start postgres "${as_owner[@]}" postgres -D "$data" -c listen_addresses= -c "unix_socket_directories=$folder/postgres"
database="postgres://qiguan@localhost/postgres?host=$folder/postgres"

start nats nats-server --addr 127.0.0.1 --port -1
await nats logged nats '.*Listening for client connections on '
nats=nats://$found

(umask 077 && openssl rand -hex 32 >"$folder/cluster.key")
programs=(qiguan-1 qiguan-2 qiguan-3)
for name in "${programs[@]}"; do
    start "$name" "$program" serve --listen 127.0.0.1:0 --trusted-proxy 127.0.0.1/32 \
        --database "$database" --nats "$nats" --cluster-key "$folder/cluster.key" \
        --tables "$folder/tables" --make-tables false "$@"
done
addresses=()
for name in "${programs[@]}"; do
    await "$name" logged "$name" 'listening on http://'
    addresses+=("$found")
done

export LISTEN=127.0.0.1:$port PROGRAM_1=${addresses[0]} PROGRAM_2=${addresses[1]} PROGRAM_3=${addresses[2]}
start haproxy haproxy -db -f "$haproxy_settings"
await haproxy is_open

echo "cluster: logs in $folder"
for i in 0 1 2; do
    echo "cluster: ${programs[i]} is process ${pids[${programs[i]}]} at http://${addresses[i]}"
done
echo "cluster: records in $database"
echo "cluster: open http://127.0.0.1:$port; Ctrl-C ends everything"

left=${#programs[@]}
while [ "$left" -gt 0 ]; do
    sleep 0.2
    for name in "${!pids[@]}"; do
        ! kill -0 "${pids[$name]}" 2>/dev/null || continue
        ended "$name"
        unset "pids[$name]"
        case "$name" in
            qiguan-*) left=$((left - 1)) ;;
            *) left=0 ;;
        esac
        [ "$left" = 0 ] || echo "cluster: programs that go on: $left" >&2
    done
done
echo "cluster: the rest ends too" >&2
exit 1
