#!/bin/sh
# tools/diversify on a few pairs: what each training gets, and that an interrupted command goes on where it was.
# Its argument is the folder of the build.
set -eu
. tests/support/checks.sh
REGARD_PROGRAM=$(realpath "${1:-build/release}/regard")
export REGARD_PROGRAM

diversify()
{
    tools/diversify -n 1 "$folder/pairs.tsv" "$folder/valid.tsv" "$folder/model.safetensors" -- --embedding 8 --hidden 8 \
        --vocab-size 320 --max-epochs 1 --threads 1 >"$folder/said" 2>&1 || fail "failed"
}

head -n 60 data/en-fr/train.tsv >"$folder/pairs.tsv"
head -n 10 data/en-fr/valid.tsv >"$folder/valid.tsv"
made=$folder/model.safetensors.diversify

diversify
equal "trainings" "$(grep -c '^done: ' "$folder/said")" 3
equal "forward: sources" "$(cut -f 1 "$made/forward-1.tsv")" "$(cut -f 1 "$folder/pairs.tsv")"
equal "backward: targets" "$(cut -f 2 "$made/backward-1.tsv")" "$(cut -f 2 "$folder/pairs.tsv")"
equal "pairs of the last training" "$(grep -c '^[1-9][0-9]* pairs for training, 10 for validation' "$folder/said")" 3
equal "no checkpoints" "$(find "$folder" -name '*.checkpoint')" ""

rm "$folder/model.safetensors" "$made/backward-1.txt" "$made/backward-1.tsv"
diversify
equal "trainings after an interruption" "$(grep -c '^done: ' "$folder/said")" 1
equal "backward again" "$(cut -f 2 "$made/backward-1.tsv")" "$(cut -f 2 "$folder/pairs.tsv")"

status=0
tools/diversify -n 0 a b c >"$folder/said" 2>&1 || status=$?
equal "wrong number of models" "$status $(grep -c '^usage: ' "$folder/said")" "2 1"

summary
