#!/bin/sh
# Runs a command beside a server with an empty record, whose address is in ADDRESS: scripts/with_server.sh PROGRAM COMMAND...
set -eu
program=$1
shift
folder=$(mktemp -d)
pid=
finish() {
    [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
    [ -z "$pid" ] || wait "$pid" || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP
"$program" serve --listen 127.0.0.1:0 --database "sqlite:$folder/q.db" --make-tables false >"$folder/out" 2>"$folder/log" &
pid=$!
until ADDRESS=$(sed -n 's|^listening on ||p' "$folder/out") && [ -n "$ADDRESS" ]; do
    kill -0 "$pid" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
    sleep 0.1
done
export ADDRESS
"$@"
