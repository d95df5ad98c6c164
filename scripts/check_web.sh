#!/bin/sh
# Asks a program for every hashed file of the web client of the release before, as a browser does whose page is of that release:
# scripts/check_web.sh PROGRAM FOLDER
set -eu
program=$1
previous=$2
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
until address=$(sed -n 's|^listening on ||p' "$folder/out") && [ -n "$address" ]; do
    kill -0 "$pid" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
    sleep 0.1
done
files=0
for file in $(cd "$previous" && find _app/immutable -type f ! -name '*.br' ! -name '*.gz' | sort); do
    curl --silent --show-error --fail --dump-header "$folder/head" --output "$folder/file" "$address/$file"
    cmp "$folder/file" "$previous/$file"
    grep -qi '^cache-control: .*immutable' "$folder/head"
    files=$((files + 1))
done
[ "$files" -gt 0 ]
echo "the program serves $files files of the release before"
