#!/bin/sh
# tools/bottleneck on a corpus so small that it takes a moment: what it leaves, and wrong usage.
# What is learned is of no interest here; test_parts.py looks at the parts.
set -eu
. tests/support/checks.sh
REGARD_PROGRAM=$folder/regard
export REGARD_PROGRAM
printf '#!/bin/sh\necho "$@" >>"%s/commands"\nexec build/release/regard "$@"\n' "$folder" >"$REGARD_PROGRAM"
chmod +x "$REGARD_PROGRAM"

# refused STATUS MESSAGE WORDS…
refused()
{
    wanted=$1 message=$2 status=0
    shift 2
    tools/bottleneck --into "$folder/refused" "$@" >"$folder/out" 2>"$folder/said" || status=$?
    [ "$status" -eq "$wanted" ] || fail "status $status instead of $wanted: $*"
    grep -q -- "$message" "$folder/said" || fail "no word of \"$message\": $*"
    [ ! -s "$folder/out" ] || fail "results in spite of an error: $*"
    checks=$((checks + 1))
}

awk 'BEGIN { for (i = 0; i < 200; i++) printf "one two w%d.\tun deux w%d.\n", i, i }' >"$folder/pairs.tsv"
awk 'BEGIN { for (i = 200; i < 230; i++) printf "one two w%d.\tun deux w%d.\n", i, i }' >"$folder/test.tsv"

tools/bottleneck --corpus "$folder/pairs.tsv" --test "$folder/test.tsv" --scorers 'additive none' --epochs 1 --passes 1 \
    --each 2 --least 0 --into "$folder/into" -- --vocab-size 300 --embedding 6 --hidden 6 --dropout 0 --batch-tokens 400 \
    >"$folder/out" 2>"$folder/said" || fail "it failed"

holds "$folder/out" '^length  sources   additive                none$'
holds "$folder/out" '^11–20         2 '
holds "$folder/out" '^all '
holds "$folder/into/bottleneck.svg" '</svg>'
holds "$folder/into/bottleneck.html" '</html>'
holds "$folder/into/bottleneck.html" '<dt>additive</dt><dd>[0-9]* steps, to epoch 1<'
holds "$folder/into/bottleneck.html" '<dt>none</dt><dd>[0-9]* steps, to epoch 1<'
holds "$folder/said" '  none: validation at step'
holds "$folder/commands" 'translate .* --split none' # long inputs are not translated in short pieces
xmllint --noout "$folder/into/bottleneck.svg" 2>"$folder/said" || [ $? -eq 127 ] || fail 'the picture is not well-formed'
checks=$((checks + 1))

refused 2 'unrecognized arguments: --sorcers' --sorcers none
refused 2 'names none' --scorers ''
refused 2 'names none' --scorers ' '
refused 2 'none twice' --scorers 'none none' --corpus "$folder/pairs.tsv"
refused 2 'argument --each: "0" is no whole number from 1 on' --each 0
refused 2 'argument --passes: "x" is no whole number' --passes x
refused 2 'parts of a --corpus' --test "$folder/test.tsv"
refused 2 'unrecognized arguments: --minutes' --minutes 3
refused 1 'too short: .* train for more than 1 --epochs' --corpus "$folder/pairs.tsv" --test "$folder/test.tsv" --scorers none --epochs 1 \
    --passes 1 --each 2 -- --vocab-size 300 --embedding 6 --hidden 6 --dropout 0 --batch-tokens 400
refused 1 '/nowhere' --corpus /nowhere
refused 2 'unheard-of' --corpus "$folder/pairs.tsv" --scorers unheard-of --epochs 1

summary
