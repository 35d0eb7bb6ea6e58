#!/bin/sh
# In int8 all instruction sets give the same bytes, texts and scores, for every line of lines.tsv into French and every fifth into
# Chinese.
set -eu
. tests/support/checks.sh
regard=$(realpath "${REGARD_PROGRAM:-build/release/regard}")
cut -f 2- tests/robustness/lines.tsv >"$folder/en-fr"
sed -n '1~5p' "$folder/en-fr" >"$folder/en-zh"

for model in en-fr en-zh; do
    for set in plain avx2 avx512; do
        REGARD_ISA=$set "$regard" translate --model "models/$model.safetensors" --precision int8 --json "$folder/$model" \
            >"$folder/$set" 2>"$folder/said"
    done
    equal "$model: lines" "$(wc -l <"$folder/plain")" "$(wc -l <"$folder/$model")"
    same "$model: plain and avx2" "$folder/plain" "$folder/avx2"
    same "$model: plain and avx512" "$folder/plain" "$folder/avx512"
done

summary
