#!/bin/sh
# Sees to it that the commands named are there: installs what is missing when it may, else says in one line what to do.
set -eu
# Debian's engines for board games lie there, where not everybody's PATH leads.
PATH="$PATH:/usr/games"
# So do the programs of a Postgres server, each version in a folder of its own.
for folder in ${PG_BIN:+"$PG_BIN"} /usr/lib/postgresql/*/bin; do
    PATH="$PATH:$folder"
done

package_of() {
    case "$1" in
        cc) echo build-essential ;;
        taskset | prlimit) echo util-linux ;;
        initdb | pg_ctl) echo postgresql ;;
        *) echo "$1" ;;
    esac
}

for command in "$@"; do
    command -v "$command" >/dev/null 2>&1 && continue
    case "$command" in
        cargo)
            echo "cargo is missing: install Rust 1.95 or newer, see https://rustup.rs" >&2
            exit 1
            ;;
        cargo-deny)
            # Without its git features it builds in two minutes and needs no library of the system.
            cargo install --locked --no-default-features --version 0.20.2 cargo-deny
            continue
            ;;
    esac
    package=$(package_of "$command")
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -q && apt-get install -q -y --no-install-recommends "$package"
    else
        echo "$command is missing: install the package $package (sudo apt-get install $package)" >&2
        exit 1
    fi
done
