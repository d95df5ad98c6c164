#!/bin/bash
# Builds the image of the Dockerfile without a registry of images, starts it once, and asks whether it is healthy: scripts/image.sh FOLDER. The folder
# keeps a tree of Debian and the layers from one time to the next.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
export STORAGE_DRIVER=${STORAGE_DRIVER:-overlay} BUILDAH_ISOLATION=chroot
store=(--root "$folder/images" --runroot "$folder/run")
tree=$folder/bookworm

# One tree of Debian is what all three images begin with.
if [ ! -e "$tree.made" ]; then
    rm -rf "$tree"
    debootstrap --variant=minbase --include=ca-certificates,git bookworm "$tree"
    # Authorities of this machine, if it has some of its own.
    cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/ca-certificates.crt"
    rm -rf "$tree"/var/cache/apt/archives/*.deb "$tree"/var/lib/apt/lists/*
    touch "$tree.made"
fi

have() {
    buildah "${store[@]}" inspect --type image "$1" > /dev/null 2>&1
}

# from TREE NAME: an image under a name that the Dockerfile uses, out of a tree.
from() {
    local container
    container=$(buildah "${store[@]}" from scratch)
    buildah "${store[@]}" add --quiet "$container" "$1" / > /dev/null
    buildah "${store[@]}" config --env "PATH=/usr/local/cargo/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$container"
    # npm brings its own authorities.
    buildah "${store[@]}" config --env "NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt" "$container"
    [ "$#" = 2 ] || buildah "${store[@]}" config --env "CARGO_HOME=/usr/local/cargo" "$container"
    buildah "${store[@]}" commit --quiet "$container" "$2" > /dev/null
    buildah "${store[@]}" rm "$container" > /dev/null
}

# with TREE PACKAGES...: Debian's packages in a copy of the tree.
with() {
    local copy=$1
    shift
    rm -rf "$copy"
    cp -a "$tree" "$copy"
    cp /etc/resolv.conf "$copy/etc/resolv.conf"
    chroot "$copy" sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends "$@"' - "$@"
}

have docker.io/library/debian:bookworm-slim || from "$tree" docker.io/library/debian:bookworm-slim
if ! have docker.io/library/rust:1.95-bookworm; then
    with "$folder/rust" build-essential
    mkdir -p "$folder/rust/usr/local/cargo"
    sysroot=$(rustc --print sysroot)
    for part in bin lib libexec; do
        cp -a "$sysroot/$part" "$folder/rust/usr/local/"
    done
    from "$folder/rust" docker.io/library/rust:1.95-bookworm cargo
    rm -rf "$folder/rust"
fi
if ! have docker.io/library/node:22-bookworm-slim; then
    with "$folder/node"
    cp "$(command -v node)" "$folder/node/usr/local/bin/node"
    modules=$(npm root --global)
    mkdir -p "$folder/node/usr/local/lib/node_modules"
    cp -a "$modules/npm" "$folder/node/usr/local/lib/node_modules/npm"
    ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$folder/node/usr/local/bin/npm"
    from "$folder/node" docker.io/library/node:22-bookworm-slim
    rm -rf "$folder/node"
fi

commit=$(git rev-parse --short=12 HEAD)
context=$(mktemp -d)
container=
server=
finish() {
    [ -z "$server" ] || kill "$server" 2> /dev/null || true
    [ -z "$server" ] || wait "$server" || true
    [ -z "$container" ] || buildah "${store[@]}" rm "$container" > /dev/null
    rm -rf "$context"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP
git archive HEAD | tar -x -C "$context"
buildah "${store[@]}" bud --pull=never --layers --ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --isolation chroot --format docker --build-arg "COMMIT=$commit" --tag qiguan "$context"

# It is as it should be: nobody's user, its own check of health, and small.
described=$(buildah "${store[@]}" inspect --type image qiguan)
python3 - "$described" <<'PYTHON'
import json, sys
image = json.loads(sys.argv[1])["Docker"]
config = image["config"]
assert config["User"] == "10001:10001", config
assert config["Healthcheck"]["Test"] == ["CMD", "qiguan", "health"], config
assert config["Entrypoint"] == ["qiguan"] and config["Cmd"] == ["serve"], config
PYTHON

# It starts, with the rights of its user, and says itself that it is healthy.
container=$(buildah "${store[@]}" from --pull=never qiguan)
inside() {
    buildah "${store[@]}" run --isolation chroot --user 10001:10001 "$container" -- "$@"
}
inside qiguan --version | grep -F "($commit)"
inside qiguan serve --listen 127.0.0.1:18080 --make-tables false > "$folder/out" 2> "$folder/log" &
server=$!
until inside qiguan health http://127.0.0.1:18080; do
    kill -0 "$server" 2> /dev/null || { cat "$folder/log" >&2; exit 1; }
    sleep 0.5
done
inside sh -c 'test "$(id -u)" = 10001 && test -f /data/qiguan.db && ! touch /usr/local/bin/x 2> /dev/null'
buildah "${store[@]}" images
