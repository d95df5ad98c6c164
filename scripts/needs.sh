#!/bin/sh
# Sees to it that the commands named are there: installs what is missing when it may, else says in one line what to do.
set -eu
# Debian's engines for board games lie there, where not everybody's PATH leads.
PATH="$PATH:/usr/games:/usr/sbin"
# So do the programs of a Postgres server, each version in a folder of its own.
for folder in ${PG_BIN:+"$PG_BIN"} /usr/lib/postgresql/*/bin; do
    PATH="$PATH:$folder"
done

package_of() {
    case "$1" in
        cc | c++) echo build-essential ;;
        taskset | prlimit | setsid | setpriv | unshare) echo util-linux ;;
        initdb | pg_ctl) echo postgresql ;;
        node) echo nodejs ;;
        hoixiangqi) echo hoichess ;;
        promtool) echo prometheus ;;
        systemd-analyze) echo systemd ;;
        dpkg-shlibdeps) echo dpkg-dev ;;
        *) echo "$1" ;;
    esac
}

# The tools of the web client run on Node 20.19 or newer; what Debian has may be older.
check_node() {
    version=$(node --version)
    if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; then
        echo "node is $version, which is too old: install Node 20.19 or newer from https://nodejs.org, or build without the web client: QIGUAN_WEB=none cargo run --release" >&2
        exit 1
    fi
}

for command in "$@"; do
    # Modules of Python, and no command.
    if [ "$command" = python3-venv ] && python3 -c 'import ensurepip, venv' 2>/dev/null; then
        continue
    fi
    if command -v "$command" >/dev/null 2>&1; then
        [ "$command" != node ] || check_node
        continue
    fi
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
        # What a release is packed with.
        cargo-about)
            cargo install --locked --features cli --version 0.9.3 cargo-about
            continue
            ;;
        cargo-cyclonedx | cargo-deb)
            [ "$command" = cargo-deb ] && version=3.8.0 || version=0.5.9
            cargo install --locked --version "$version" "$command"
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
    [ "$command" != node ] || check_node
done
