#!/bin/bash
# bots.sh QIGUAN FOLDER GAMES: each engine plays GAMES games of Xiangqi as a bot on a server that runs meanwhile, against a computer player of this program,
# which is a bot of the same server. FOLDER/results.txt has a line for each game and each fault, as they come; the same command goes on where it stopped.
set -euo pipefail
qiguan=$1
folder=$2
games=$3
port=${PORT:-18088}
movetime=${MOVETIME:-50}
level=${LEVEL:-5}
server=http://127.0.0.1:$port
script=$(cd "$(dirname "$0")/.." && pwd)/tests/stories/programs/engine.py
PATH="$PATH:/usr/games"
mkdir -p "$folder"
results=$folder/results.txt
touch "$results"
record=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait || true; rm -rf "$record"' EXIT

"$qiguan" serve --listen "127.0.0.1:$port" --database "sqlite:$record/bots.db" >"$folder/server.txt" 2>&1 &
until curl -sf "$server/api/ready" >/dev/null; do sleep 0.2; done

json='content-type: application/json'
posts() {
    curl -sS --fail-with-body ${2:+-H "$json" -d "$2"} ${3:+-H "authorization: Bearer $3"} -X POST "$server$1"
}
token_in() {
    sed 's/.*"token":"\([^"]*\).*/\1/'
}

# The token of a new bot of this name.
account() {
    local person="{\"name\": \"$1\", \"password\": \"tin heart $1 tin heart\"}" token
    token=$(posts /api/register "$person" | token_in)
    posts /api/account/bot "" "$token" >/dev/null
    token=$(posts /api/login "$person" | token_in)
    posts /api/account/tokens '{"name": "games", "scopes": ["read", "bot"]}' "$token" | token_in
}

# The results of an engine: those of games, or of all.
of_engine() {
    { grep "^$1 " "$results" || true; } | { grep -E "$2" || true; }
}

plays() {
    local name=$1 host=Host$2 guest=Guest$2 count
    shift 2
    count=$((games - $(of_engine "$name" ' (won|lost|drawn) ' | wc -l)))
    [ "$count" -gt 0 ] || return 0
    local token
    token=$(account "$host")
    QIGUAN_SERVER=$server QIGUAN_TOKEN=$token "$qiguan" bot --engine "$*" --movetime "$movetime" --memory-mb 2048 --count "$count" |
        grep --line-buffered -E '^http.* (won|lost|drawn|broken off|can.t be followed)|^fault: ' |
        sed -u "s|^|$name |" >>"$results" &
    local playing=$!
    token=$(account "$guest")
    QIGUAN_SERVER=$server QIGUAN_TOKEN=$token "$qiguan" bot --engine "builtin:$level" --challenge "$host" --count "$count" --time 10+1 >>"$folder/$guest.txt"
    wait "$playing"
}

engines=(fairy-stockfish sjaakii ucci qiguan-engine)
running=()
for number in "${!engines[@]}"; do
    name=${engines[$number]}
    case "$name" in
        ucci) engine="python3 $script $qiguan ucci none" ;;
        qiguan-engine) engine="$qiguan engine" ;;
        *) engine=$(command -v "$name") ;;
    esac
    plays "$name" "$number" $engine &
    running+=($!)
done
wait "${running[@]}"

bad=0
for name in "${engines[@]}"; do
    played=$(of_engine "$name" ' (won|lost|drawn) ' | wc -l)
    faults=$(of_engine "$name" ' fault: | broken off | followed' | wc -l)
    printf '%s: %s games, %s won, %s drawn, %s faults\n' "$name" "$played" \
        "$(of_engine "$name" ' won ' | wc -l)" "$(of_engine "$name" ' drawn ' | wc -l)" "$faults"
    [ "$faults" = 0 ] && [ "$played" -ge "$games" ] || bad=1
done
exit "$bad"
