#!/bin/sh
# tools/grow-model: the same sizes and vocabularies give the old model, larger ones nearly what it computes. Needs numpy. Its
# argument is the folder of the build.
set -eu
. tests/support/checks.sh
regard=$(realpath "${1:-build/release}/regard")

# train FILE FLAGS…
train()
{
    model=$1
    shift
    $regard train --train "$folder/pairs.tsv" --valid "$folder/valid.tsv" --separate-vocab --guide none --threads 1 --max-epochs 1 \
        --model "$model" "$@" >"$folder/said" 2>&1 || fail "train"
}

# score MODEL: the mean log-probability of the validation pairs.
score()
{
    $regard score --model "$1" --precision float32 "$folder/valid.tsv" | awk '{ sum += $1 } END { printf "%.4f", sum / NR }'
}

if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    head -n 900 data/en-fr/train.tsv >"$folder/pairs.tsv"
    head -n 40 data/en-fr/valid.tsv >"$folder/valid.tsv"
    train "$folder/old" --vocab-size 500 --hidden 16 --embedding 16
    train "$folder/same" --vocab-size 500 --hidden 16 --embedding 16 --seed 2
    train "$folder/larger" --vocab-size 600 --hidden 32 --embedding 32

    tools/grow-model "$folder/old" "$folder/same" "$folder/new" >"$folder/said" || fail "same sizes"
    equal "the score of the same sizes" "$(score "$folder/new")" "$(score "$folder/old")"
    $regard quantize "$folder/old" --type int4 -o "$folder/small" >"$folder/said"
    tools/grow-model "$folder/small" "$folder/same" "$folder/new" >"$folder/said" || fail "of int4"
    equal "the score of int4" "$(score "$folder/new")" "$(score "$folder/small")"
    tools/grow-model "$folder/old" "$folder/larger" "$folder/new" >"$folder/said" || fail "larger"
    equal "sizes" "$($regard info "$folder/new" | grep -c '600')" "$($regard info "$folder/larger" | grep -c '600')"
    equal "a score near the old one, per sentence" \
        "$(printf '%s %s\n' "$(score "$folder/new")" "$(score "$folder/old")" | awk '{ print ($1 / $2 < 1.25) }')" 1

    status=0
    tools/grow-model "$folder/larger" "$folder/same" "$folder/none" >"$folder/said" 2>&1 || status=$?
    equal "a smaller model" "$status $(grep -c 'has more units' "$folder/said")" "1 1"
    [ ! -e "$folder/none" ] || fail "a file was written"
fi
equal "usage" "$(tools/grow-model 2>&1 | grep -c 'tools/grow-model OLD LIKE NEW')" "$(/usr/bin/python3 -c 'import numpy' 2>/dev/null && echo 1 || echo 0)"
summary
