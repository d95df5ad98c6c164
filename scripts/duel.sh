#!/bin/sh
# Plays the matches of docs/strength.md that are named (all if none is), one after the other, and prints their reports. A match
# that was interrupted goes on: its results lie in a file of its own.
#   scripts/duel.sh PROGRAM FOLDER [MATCH ...]        PAIRS=20 for shorter matches
set -eu
program=$1
folder=$2
shift 2
mkdir -p "$folder"

openings=$(cd "$(dirname "$0")/.." && pwd)/tuning/openings

# duel NAME PAIRS ARGUMENTS...
duel() {
    name=$1
    pairs=${PAIRS:-$2}
    shift 2
    echo "== $name"
    "$program" duel "$@" --pairs "$pairs" --results "$folder/$name.jsonl"
}

play() {
    case "$1" in
        fairy-stockfish)
            sh scripts/needs.sh fairy-stockfish
            path=$(PATH="$PATH:/usr/games" command -v fairy-stockfish)
            duel "$1" 200 engine "uci:$path" --ruleset xiangqi/standard --limit clock:5+0.05 --openings "$openings/xiangqi-standard.txt" \
                --b-set Threads=1 --b-set Hash=16
            ;;
        fairy-stockfish-nodes)
            sh scripts/needs.sh fairy-stockfish
            path=$(PATH="$PATH:/usr/games" command -v fairy-stockfish)
            duel "$1" 200 engine "uci:$path" --ruleset xiangqi/standard --limit nodes:20000 --openings "$openings/xiangqi-standard.txt" \
                --b-set Threads=1 --b-set Hash=16
            ;;
        # The npm package is not part of this project: it is installed beside the results.
        grunfeld)
            sh scripts/needs.sh node npm
            npm install --silent --no-fund --no-audit --prefix "$folder" fairy-stockfish-nnue.wasm@1.1.12
            duel "$1" 200 engine "uci:$(command -v node) --no-experimental-fetch scripts/fairy-grunfeld.cjs $folder" \
                --ruleset xiangqi/grunfeld --limit nodes:5000 --openings "$openings/xiangqi-grunfeld.txt" \
                --b-set Threads=1 --b-set Hash=16
            ;;
        sjaakii)
            sh scripts/needs.sh sjaakii
            path=$(PATH="$PATH:/usr/games" command -v sjaakii)
            duel "$1" 100 engine "uci:$path" --ruleset xiangqi/standard --limit movetime:200 \
                --openings "$openings/xiangqi-standard.txt"
            ;;
        # It counts whole seconds, so its clock has 0.2 s for each of 60 moves. 100 quiet plies are a draw by its rules; it would refuse to go on.
        hoixiangqi)
            sh scripts/needs.sh hoixiangqi
            path=$(PATH="$PATH:/usr/games" command -v hoixiangqi)
            duel "$1" 100 engine "xboard:$path" --ruleset xiangqi/standard --option quiet_limit=100 \
                --a-limit movetime:200 --b-limit clock:12+0 --openings "$openings/xiangqi-standard.txt"
            ;;
        plain | greedy)
            for set in ancientchess booklet tierschach; do
                duel "$1-$set" 100 engine "$1" --ruleset "doushouqi/$set" --limit movetime:200 \
                    --openings "$openings/doushouqi-$set.txt"
            done
            ;;
        luzhanqi)
            for opponent in random greedy heuristic; do
                duel "$1-$opponent" 250 level:6 "$opponent" --ruleset luzhanqi/referee
            done
            ;;
        # No player may be late or play what is not allowed; who wins is of no interest.
        faults)
            for set in xiangqi/standard xiangqi/grunfeld doushouqi/ancientchess doushouqi/booklet doushouqi/tierschach; do
                duel "faults-$(echo $set | tr / -)" 5000 nodes:200 nodes:201 --ruleset "$set"
            done
            for set in luzhanqi/referee luzhanqi/modern luzhanqi/northern luzhanqi/showdown; do
                duel "faults-$(echo $set | tr / -)" 5000 level:2 level:1 --ruleset "$set"
            done
            ;;
        levels)
            for set in xiangqi/standard doushouqi/booklet luzhanqi/referee; do
                for level in 2 3 4 5 6 7 8; do
                    below=$((level - 1))
                    duel "levels-$(dirname $set)-$level" 100 "level:$level" "level:$below" --ruleset "$set"
                done
            done
            ;;
        *)
            echo "match $1: expected fairy-stockfish, fairy-stockfish-nodes, grunfeld, sjaakii, hoixiangqi, plain, greedy, luzhanqi, levels or faults" >&2
            exit 1
            ;;
    esac
}

[ $# -gt 0 ] || set -- fairy-stockfish fairy-stockfish-nodes grunfeld sjaakii hoixiangqi plain greedy luzhanqi levels faults
for match in "$@"; do
    play "$match"
done
