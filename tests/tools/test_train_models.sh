#!/bin/sh
# tools/train-models on a few pairs: the pairs of each direction, what is kept, and that an interrupted command goes on. Chinese
# needs opencc, which may be missing. Its argument is the folder of the build.
set -eu
. tests/support/checks.sh
REGARD=$(realpath "${1:-build/release}/regard")
export REGARD

train_models()
{
    tools/train-models -c "$folder" -o "$folder/models" "$@" -- --embedding 8 --hidden 8 --vocab-size 400 --max-epochs 1 \
        --threads 1 >"$folder/said" 2>&1 || fail "failed"
}

rows()
{
    wc -l <"$folder/models/$1"
}

# corpora LANGUAGE
corpora()
{
    mkdir "$folder/tatoeba-en-$1"
    head -n 150 "data/en-$1/train.tsv" | sed 's/$/\tCC-BY 2.0 (France): an author/' >"$folder/tatoeba-en-$1/train.tsv"
    head -n 9 "data/en-$1/valid.tsv" >"$folder/tatoeba-en-$1/valid.tsv"
    head -n 8 "data/en-$1/test.tsv" >"$folder/tatoeba-en-$1/test.tsv"
}

corpora fr
train_models en-fr fr-en
expected=$((550 + $(cat data/everyday/dictionary.tsv data/everyday/dictionary-fr.tsv | wc -l)))
equal "pairs, with the everyday ones and the dictionary" "$(rows en-fr.first.tsv) $(rows fr-en.first.tsv)" "$expected $expected"
equal "sides" "$(cut -f 1 "$folder/models/fr-en.first.tsv")" "$(cut -f 2 "$folder/models/en-fr.first.tsv")"
equal "authors" "$(grep -c 'an author' "$folder/models/en-fr.first.tsv")" 0
equal "results" "$(grep -c '^BLEU' "$folder/said")" 2
equal "languages" "$($REGARD info "$folder/models/small/fr-en.safetensors" | grep -c 'French → English')" 1
equal "no checkpoints" "$(find "$folder" -name '*.checkpoint')" ""

rm "$folder/models/small/en-fr.safetensors" "$folder/models/fr-en.first.safetensors"
train_models en-fr fr-en
equal "trainings after an interruption" "$(grep -c '^done: ' "$folder/said")" 1
equal "small again" "$(find "$folder/models/small" -name 'en-fr.safetensors')" "$folder/models/small/en-fr.safetensors"

if command -v opencc >/dev/null; then
    corpora zh
    printf 'The shop is open.\t那家店開著。\n' >>"$folder/tatoeba-en-zh/train.tsv"
    train_models zh-en
    equal "both scripts" "$(grep -c '那家店[開开]' "$folder/models/zh-en.first.tsv")" 2
fi

status=0
tools/train-models en-de >"$folder/said" 2>&1 || status=$?
equal "a pair of languages without data" "$status $(grep -c '^usage: ' "$folder/said")" "2 1"

summary
