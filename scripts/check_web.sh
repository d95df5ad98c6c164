#!/bin/sh
# Asks a program for every hashed file of the web client of the release before, as a browser does whose page is of that release:
# scripts/with_server.sh PROGRAM sh scripts/check_web.sh FOLDER
set -eu
previous=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM HUP
files=0
for file in $(cd "$previous" && find _app/immutable -type f ! -name '*.br' ! -name '*.gz' | sort); do
    curl --silent --show-error --fail --dump-header "$folder/head" --output "$folder/file" "$ADDRESS/$file"
    cmp "$folder/file" "$previous/$file"
    grep -qi '^cache-control: .*immutable' "$folder/head"
    files=$((files + 1))
done
[ "$files" -gt 0 ]
echo "the program serves $files files of the release before"
