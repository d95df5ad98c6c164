#!/bin/sh
# Builds the web client of the release before and prints the folder with its files: scripts/previous_web.sh FOLDER [COMMIT]. Without COMMIT it is
# the last one of packaging/releases.txt, but for HEAD itself. Prints nothing if no release came before.
set -eu
folder=$1
cd "$(dirname "$0")/.."
head=$(git rev-parse HEAD)
commit=${2:-$(grep -v '^#' packaging/releases.txt | cut -d' ' -f2 | grep -v "^$head$" | tail -n 1)}
[ -n "$commit" ] || exit 0
commit=$(git rev-parse "$commit^{commit}")
build=$folder/$commit
if [ ! -d "$build/web/build/_app/immutable" ]; then
    rm -rf "$build"
    mkdir -p "$build"
    git archive "$commit" web | tar -x -C "$build"
    (cd "$build/web" && npm ci && npm run build) >&2
fi
(cd "$build/web/build" && pwd)
