#!/bin/sh
# Several programs under play, for hours: so many FAULTS in all (killed, frozen and ended programs, NATS, Postgres), so many PAIRINGS while the
# program with the lobby is killed again and again, and so many RESTARTS, one program after the other, under 1,000 moves/s. All go in batches with a
# seed each. What each batch has found is added to FOLDER/results.txt, and a run that was interrupted goes on after the last batch that passed.
set -eu
folder=$1
faults=$2
pairings=$3
restarts=$4
mkdir -p "$folder"
results="$folder/results.txt"
touch "$results"

# batches NAME TOTAL BATCH VARIABLE STORY: the story, with so many in the variable each time.
batches() {
    seed=$(grep -c "^$1 passed " "$results" || true)
    while [ $((seed * $3)) -lt "$2" ]; do
        seed=$((seed + 1))
        log="$folder/$1-$seed.log"
        if ! env QIGUAN_SEED=$seed "$4=$3" ${CARGO:-cargo} test --quiet --workspace --locked --test stories -- "$5" --nocapture >"$log" 2>&1; then
            echo "batch $seed of $1 has failed: $log; repeat it with QIGUAN_SEED=$seed $4=$3" >&2
            exit 1
        fi
        {
            echo "$1 passed $seed:"
            grep -E 'games, first move after|moves acknowledged|pairings' "$log"
        } | tee -a "$results"
        rm "$log"
    done
}

batches faults "$faults" 50 QIGUAN_CLUSTER_FAULTS cluster_faults::
export QIGUAN_PAIRINGS_BETWEEN=150 QIGUAN_PAIRING_PLAYERS=60
batches pairings "$pairings" 2000 QIGUAN_PAIRINGS lobby_faults::
export QIGUAN_ROLLING_TABLES=48 QIGUAN_ROLLING_MOVES_PER_SECOND=1000
batches restarts "$restarts" 3 QIGUAN_ROLLING_RESTARTS rolling_restart::
