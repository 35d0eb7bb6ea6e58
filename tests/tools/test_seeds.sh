#!/bin/sh
# tools/seeds on a few pairs: what is trained, what the figures are, what an interrupted command goes on with, what is refused.
# Its argument is the folder of the build.
set -eu
. tests/support/checks.sh
REGARD_PROGRAM=$(realpath "${1:-build/release}/regard")
export REGARD_PROGRAM

# seeds N WORDS…: of one tiny training
seeds()
{
    count=$1
    shift
    tools/seeds "$count" -o "$folder/runs" -t "$folder/test.tsv" "$@" -- train --train "$folder/my pairs.tsv" --valid "$folder/test.tsv" \
        --embedding 8 --hidden 8 --vocab-size 320 --max-epochs 1 --threads 1 >"$folder/out" 2>"$folder/said"
}

# refused MESSAGE WORDS…
refused()
{
    message=$1 status=0
    shift
    "$@" >"$folder/out" 2>"$folder/said" || status=$?
    equal "status of $*" "$status" 2
    holds "$folder/said" "$message"
}

head -n 40 data/en-fr/train.tsv >"$folder/my pairs.tsv"
head -n 5 data/en-fr/valid.tsv >"$folder/test.tsv"

seeds 2 || fail "failed"
equal "trainings" "$(grep -c '^done: ' "$folder/said")" 2
equal "models" "$(find "$folder/runs" -name '*.safetensors' | wc -l)" 2
equal "no checkpoints" "$(find "$folder/runs" -name '*.checkpoint')" ""
holds "$folder/runs/seed-2.jsonl" '"seed":2'
equal "scores" "$(grep -c '^  seed [12]     BLEU .* chrF2 ' "$folder/out")" 2

# More seeds, and those that are there stay; flags of evaluate.
seeds 3 -e '--beam 1 --tokenize none' || fail "failed"
equal "trainings of more seeds" "$(grep -c '^done: ' "$folder/said")" 1
"$REGARD_PROGRAM" evaluate "$folder/runs/seed-3.safetensors" "$folder/test.tsv" --beam 1 --tokenize none >"$folder/alone"
equal "as evaluate says" "$(awk '/seed 3/ { print $4 }' "$folder/out")" "$(awk '/^BLEU/ { print $2 }' "$folder/alone")"

# A training that was interrupted.
rm "$folder/runs/seed-1.safetensors"
"$REGARD_PROGRAM" train --train "$folder/my pairs.tsv" --embedding 8 --hidden 8 --vocab-size 320 --max-epochs 1 --threads 1 \
    --model "$folder/runs/seed-1.safetensors" 2>/dev/null
seeds 3 || fail "failed"
equal "goes on behind its step" "$(grep -c '^done: ' "$folder/said") $(grep -c '^validation at ' "$folder/said")" "1 0"
equal "no checkpoints" "$(find "$folder/runs" -name '*.checkpoint')" ""

# The figures of known scores: 10, 12, 17 have the mean 13, the deviation √13 and, with t = 4.303, ± 8.957.
cat >"$folder/stub" <<'END'
#!/bin/sh
[ "$1" = evaluate ] || exit 0
case $3 in
*seed-1.*) score=10 ;;
*seed-2.*) score=12 ;;
*) score=17 ;;
esac
echo "{\"bleu\": {\"score\": $score, \"a\": 1}, \"chrf2\": {\"score\": 50.5, \"a\": 1}}"
END
chmod +x "$folder/stub"
REGARD_PROGRAM=$folder/stub tools/seeds 3 -o "$folder/known" -t a -- train >"$folder/out" 2>"$folder/said" || fail "known scores"
equal "figures" "$(awk 'NR > 4 { print $(NF - 2) }' "$folder/out" | tr '\n' ' ')" "13.00 3.61 8.96 "

refused "belongs to another training" tools/seeds 3 -o "$folder/runs" -- train --train other.tsv
refused "is not empty" tools/seeds 1 -o "$folder" -- train --train other.tsv
refused "seed is set by tools/seeds" tools/seeds 1 -o "$folder/new" -- train --train a.tsv --seed=3
refused "usage: " tools/seeds 0 -- train --train a.tsv
refused "usage: " tools/seeds 2 -o "$folder/new" -- evaluate
REGARD_PROGRAM=false
status=0
tools/seeds 1 -o "$folder/new" -t a -- train >"$folder/out" 2>&1 || status=$?
equal "a failure ends it" "$status" 1

summary
