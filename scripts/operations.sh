#!/bin/bash
# Follows "A public server, step by step" of docs/operations.md by the letter, on a fresh Debian that systemd has started, in namespaces of its own:
# scripts/operations.sh RELEASE FOLDER. RELEASE is what `make release` has packed. FOLDER keeps the tree of Debian for the next time, and a log.
set -euo pipefail
release=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "operations.sh makes namespaces and mounts, which only root may" >&2; exit 1; }
base=$folder/bookworm
tree=$folder/tree
log=$folder/log
: > "$log"
name=qiguan.example.org

# Everything that the steps install is fetched before: the namespaces have no network.
if [ ! -e "$base.made" ]; then
    rm -rf "$base"
    debootstrap --variant=minbase --include=ca-certificates,dbus,libpam-systemd,openssl,python3,systemd,systemd-sysv bookworm "$base"
    cp /etc/resolv.conf "$base/etc/resolv.conf"
    chroot "$base" apt-get update -q
    chroot "$base" apt-get install -q --yes --download-only nginx postgresql adduser
    touch "$base.made"
fi
rm -rf "$tree"
cp -a "$base" "$tree"
cp scripts/load.py "$tree/root/load.py"
mkdir "$tree/root/release" "$tree/root/newer"
cp "$release"/qiguan_*.deb "$tree/root/release/"

# The certificate that somebody would get for the name, and who has signed it.
mkdir -p "$tree/usr/local/share/ca-certificates"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=authority of a test" \
    -keyout "$folder/authority.key" -out "$tree/usr/local/share/ca-certificates/test.crt" 2>> "$log"
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -keyout "$tree/etc/ssl/$name.key" -out "$folder/request" 2>> "$log"
openssl x509 -req -days 30 -in "$folder/request" -CA "$tree/usr/local/share/ca-certificates/test.crt" -CAkey "$folder/authority.key" -CAcreateserial \
    -extfile <(echo "subjectAltName=DNS:$name") -out "$tree/etc/ssl/$name.pem" 2>> "$log"
chroot "$tree" update-ca-certificates >> "$log" 2>&1
echo "127.0.0.1 localhost $name" > "$tree/etc/hosts"

# A newer release is the same program under a higher number.
unpacked=$folder/unpacked
rm -rf "$unpacked"
dpkg-deb --raw-extract "$release"/qiguan_*.deb "$unpacked"
sed -i 's/^Version: .*/&.1/' "$unpacked/DEBIAN/control"
newer=$(sed -n 's/^Version: //p' "$unpacked/DEBIAN/control")
dpkg-deb --build --root-owner-group "$unpacked" "$tree/root/newer/qiguan_${newer}_amd64.deb" >> "$log"
rm -rf "$unpacked"

# A machine: systemd is its first process.
mount --bind "$tree" "$tree"
init=
finish() {
    status=$?
    [ "$status" = 0 ] || { tail -n 40 "$log" >&2; echo "operations.sh: status $status; the log is $log" >&2; }
    [ -z "$init" ] || kill -KILL "$init" 2> /dev/null || true
    wait 2> /dev/null || true
    umount --recursive --lazy "$tree" || true
}
trap finish EXIT
trap 'exit 1' INT TERM HUP
boot() {
    ip link set lo up
    mount -t tmpfs tmpfs run
    mount -t tmpfs tmpfs tmp
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
        mount -t cgroup2 cgroup2 sys/fs/cgroup
    else
        mount -t tmpfs tmpfs sys/fs/cgroup
        mkdir -p sys/fs/cgroup/systemd
        mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
    fi
    mount -t tmpfs -o mode=755 tmpfs dev
    for device in null zero full random urandom tty; do
        : > "dev/$device"
        mount --bind "/dev/$device" "dev/$device"
    done
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    mount -t tmpfs tmpfs dev/shm
    ln -s /proc/self/fd dev/fd
    exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . /lib/systemd/systemd --log-target=journal
}
export -f boot
unshare --mount --pid --net --uts --ipc --cgroup --fork --kill-child=KILL bash -c 'cd "$1" && boot' - "$tree" < /dev/null >> "$log" 2>&1 &
unshared=$!
until init=$(pgrep -P "$unshared" -x systemd); do
    kill -0 "$unshared"
    sleep 0.1
done

# on COMMAND...: runs a command on that machine.
on() {
    nsenter --target "$init" --mount --pid --net --uts --ipc --cgroup chroot "$tree" \
        env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# follow HEADING [FOLDER]: what the document says below that heading, line by line as it stands there. What a command asks for is standard input.
follow() {
    local steps
    steps=$(awk -v heading="### $1" '$0 == heading { here = 1; next } /^##/ { here = 0 } here && /^```/ { inside = $0 == "```sh"; next } here && inside' docs/operations.md)
    [ -n "$steps" ] || { echo "docs/operations.md has no steps below \"$1\"" >&2; exit 1; }
    printf '\n== %s\n%s\n' "$1" "$steps" | tee -a "$log"
    on bash -euo pipefail -c "cd '${2:-/root}'; set -x; $steps" >> "$log" 2>&1
}

# check WORDS COMMAND...: fails unless the command does what the words say.
check() {
    local words=$1
    shift
    "$@" >> "$log" 2>&1 || { echo "not so: $words" >&2; exit 1; }
    echo "   $words"
}

# How many plies the players know to be stored.
acknowledged() {
    local count
    count=$(on tail -n 1 /root/acknowledged 2> /dev/null || true)
    echo "${count:-0}"
}

settled() {
    [ "$(on systemctl is-system-running --wait)" != starting ]
}
check "systemd runs" settled

follow "Install" /root/release
check "the unit is as systemd wants it" on systemd-analyze verify --man=no /lib/systemd/system/qiguan.service
check "the program runs as its user" on sh -c 'test "$(stat -c %U /proc/$(systemctl show -p MainPID --value qiguan))" = qiguan'
check "the record is its owner's alone" on sh -c 'test "$(stat -c %a:%U /var/lib/qiguan/qiguan.db)" = 600:qiguan'
check "the manual is there" on test -e /usr/share/man/man1/qiguan-serve.1.gz

follow "The name, and the first admin" <<< 'correct horse battery staple'
check "the admin signs in" on sh -c 'echo "correct horse battery staple" | qiguan login http://127.0.0.1:8080 alice'
follow "nginx"

# People play from here on, over https.
on systemd-run --quiet --unit players python3 /root/load.py "https://$name" /root/acknowledged
plies() {
    for _ in $(seq 600); do
        [ "$(acknowledged)" -gt "$1" ] && return
        on systemctl is-active --quiet players || { on journalctl --unit players; return 1; }
        sleep 0.1
    done
    return 1
}
check "moves are played through nginx" plies 20
follow "Copies"
check "play went on beside the copy" plies $(($(acknowledged) + 20))
check "the copy is whole, and nobody else's" on sh -c 'for copy in /var/backups/qiguan/*.db; do runuser -u qiguan -- qiguan verify --database "sqlite:$copy" && test "$(stat -c %a:%U "$copy")" = 600:qiguan || exit 1; done'

follow "A newer release" /root/newer
check "the newer package is there" on sh -c "dpkg -s qiguan | grep -F 'Version: $newer'"
check "play went on after the restart" plies $(($(acknowledged) + 20))
on systemctl stop players
check "no acknowledged move is lost" on python3 /root/load.py --check "https://$name" /root/acknowledged

before=$(on runuser -u qiguan -- qiguan export --status any --config /etc/qiguan/qiguan.toml - | wc -l)
follow "From SQLite to Postgres"
check "Postgres has every game ($before lines)" test "$(on runuser -u qiguan -- qiguan export --status any --config /etc/qiguan/qiguan.toml - | wc -l)" = "$before"
check "the server is ready" on sh -c 'for i in $(seq 100); do qiguan health --ready && exit; sleep 0.1; done; exit 1'
check "no acknowledged move is lost there" on python3 /root/load.py --check "https://$name" /root/acknowledged
check "the admin signs in" on sh -c 'echo "correct horse battery staple" | qiguan login http://127.0.0.1:8080 alice'

# Back to the copy, which is of SQLite.
on sed -i 's|^database = .*|database = "sqlite:/var/lib/qiguan/qiguan.db"|' /etc/qiguan/qiguan.toml
follow "Back to a copy"
check "the server is ready" on sh -c 'for i in $(seq 100); do qiguan health --ready && exit; sleep 0.1; done; exit 1'
check "the admin signs in" on sh -c 'echo "correct horse battery staple" | qiguan login http://127.0.0.1:8080 alice'
check "the package can be removed, and the record stays" on sh -c 'apt-get purge --yes qiguan && test -e /var/lib/qiguan/qiguan.db'
echo "docs/operations.md holds by the letter"
