#!/bin/sh
# Packs a program that was built with the profile `dist`: scripts/release.sh PROGRAM FOLDER. Afterwards there are in the folder an archive and a Debian
# package with the program, each with the licences of all that is in it; lists of what it consists of (CycloneDX); and SHA256SUMS.
set -eu
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
version=$("$program" --version | cut -d' ' -f2)
host=$(rustc -vV | sed -n 's/^host: //p')
name=qiguan-$version-$host
# The time of the commit, so that the same commit is packed in the same way.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
rm -f "$folder"/qiguan-*.tar.gz "$folder"/qiguan_*.deb "$folder"/*.cdx.json "$folder/SHA256SUMS"

# These tools write beside the manifests, so they work on a copy.
git archive HEAD | tar -x -C "$work"
cd "$work"
cargo cyclonedx --quiet --format json --target "$host" --manifest-path qiguan/Cargo.toml
mv qiguan/qiguan.cdx.json "$folder/qiguan-$version.cdx.json"
(cd web && npm sbom --package-lock-only --sbom-format cyclonedx) > "$folder/qiguan-web-$version.cdx.json"

# What the program was linked from, and what the web client was bundled from: the program has that list with it.
packed=$work/packed/$name
mkdir -p "$packed/man" "$packed/completions"
cargo about generate --frozen --fail --config packaging/about.toml --manifest-path qiguan/Cargo.toml \
    --output-file "$packed/LICENSES-RUST.txt" packaging/licenses.hbs
sh scripts/with_server.sh "$program" sh -c 'curl --silent --show-error --fail --output "$1" "$ADDRESS/licenses.json"' - "$packed/LICENSES-WEB.json"

cp "$program" "$packed/qiguan"
"$program" man "$packed/man"
for shell in bash fish zsh; do
    "$program" completions "$shell" > "$packed/completions/qiguan.$shell"
done
cp -R README.md CHANGELOG.md SECURITY.md LICENSE-MIT LICENSE-APACHE docs/examples "$packed"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work/packed" -c "$name" | gzip -n -9 > "$folder/$name.tar.gz"

# The metadata in qiguan/Cargo.toml name files below `packed`, and the program as Cargo builds it.
mv "$packed" "$work/packed/debian"
mkdir -p "$work/target/release"
cp "$program" "$work/target/release/qiguan"
CARGO_TARGET_DIR="$work/target" cargo deb --quiet --no-build --no-strip --package qiguan --output "$folder"

cd "$folder"
sha256sum qiguan-* qiguan_* > SHA256SUMS
cat SHA256SUMS
