#!/bin/sh
# Builds the web client of the release before and prints the folder with its files: scripts/previous_web.sh FOLDER [TAG]. Without TAG it is the
# newest tag that HEAD has come from, but for one on HEAD itself. Prints nothing if there is no such tag.
set -eu
folder=$1
cd "$(dirname "$0")/.."
tag=${2:-$(git describe --tags --abbrev=0 HEAD^ 2>/dev/null || true)}
[ -n "$tag" ] || exit 0
commit=$(git rev-parse "$tag^{commit}")
build=$folder/$commit
if [ ! -d "$build/web/build/_app/immutable" ]; then
    rm -rf "$build"
    mkdir -p "$build"
    git archive "$commit" web | tar -x -C "$build"
    (cd "$build/web" && npm ci && npm run build) >&2
fi
(cd "$build/web/build" && pwd)
