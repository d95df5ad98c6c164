#!/bin/sh
# Prints the folder of a Python that has the packages of tests/python/requirements.txt: a virtual environment in the target folder. It is made first
# if it is not there, which needs https://pypi.org.
set -eu
cd "$(dirname "$0")/.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
packages=tests/python/requirements.txt
venv=$target/python-$(cksum < "$packages" | cut -d ' ' -f 1)
mkdir -p "$target"
# Tests that run at once ask at once.
exec 9> "$target/python.lock"
flock 9
# Its programs name the folder in which they were made: one that was moved is made again.
if [ "$(cat "$venv/complete" 2> /dev/null)" != "$venv" ]; then
    sh scripts/needs.sh python3 python3-venv >&2
    rm -rf "$venv"
    python3 -m venv "$venv" >&2
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$packages" >&2 || {
        echo "the packages of $packages can't be installed: pip takes them from https://pypi.org, or from where PIP_INDEX_URL says" >&2
        exit 1
    }
    echo "$venv" > "$venv/complete"
fi
echo "$venv"
