#!/bin/sh
# Programs that are killed, frozen and ended under play, so many FAULTS in all, in batches with a seed each. What each batch has found is added to
# FOLDER/results.txt, and a run that was interrupted goes on after the last batch that passed.
set -eu
folder=$1
faults=$2
batch=50
mkdir -p "$folder"
results="$folder/results.txt"
touch "$results"
seed=$(grep -c '^passed ' "$results" || true)
while [ $((seed * batch)) -lt "$faults" ]; do
    seed=$((seed + 1))
    log="$folder/$seed.log"
    if ! QIGUAN_SEED=$seed QIGUAN_CLUSTER_FAULTS=$batch ${CARGO:-cargo} test --quiet --workspace --locked --test stories -- \
        cluster_faults:: --nocapture >"$log" 2>&1; then
        echo "batch $seed has failed: $log; repeat it with QIGUAN_SEED=$seed QIGUAN_CLUSTER_FAULTS=$batch" >&2
        exit 1
    fi
    {
        echo "passed $seed:"
        grep -E 'games, first move after|moves acknowledged' "$log"
    } | tee -a "$results"
    rm "$log"
done
