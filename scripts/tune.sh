#!/bin/sh
# Plays games of the engine against itself and fits the values of its evaluations to them: tune.sh PROGRAM FOLDER GAMES
set -eu
program=$1
folder=$2
games=$3
mkdir -p "$folder"
for ruleset in xiangqi/standard xiangqi/grunfeld doushouqi/booklet; do
	file=$folder/$(basename "$ruleset").txt
	"$program" play --ruleset "$ruleset" --games "$games" --nodes 1000 --output "$file"
	"$program" fit --ruleset "$ruleset" "$file"
done
