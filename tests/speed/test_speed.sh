#!/bin/sh
# `make bench`'s program with a model so small that it takes a moment: what it prints and keeps, what it refuses, and that it
# compares nothing with a peer that computes something else. How fast anything is does not matter here.
set -eu
. tests/support/checks.sh
speed=build/release/speed

# run WORDS…: a tiny model on a tiny corpus
run()
{
    "$speed" --corpus "$folder/pairs.tsv" --vocab-size 400 --embedding 16 --hidden 16 --batch-tokens 200 --rounds 1 \
        --batches 2 --quick --into "$folder/into" --json "$folder/json" --regard "${program:-build/release/regard}" "$@" \
        >"$folder/out" 2>"$folder/said"
}

# refused STATUS MESSAGE WORDS…
refused()
{
    wanted=$1 message=$2 status=0
    shift 2
    run "$@" || status=$?
    [ "$status" -eq "$wanted" ] || fail "status $status instead of $wanted: $*"
    holds "$folder/said" "$message"
}

awk 'BEGIN { for (i = 0; i < 400; i++) printf "one two w%d.\tun deux w%d.\n", i, i }' >"$folder/pairs.tsv"

run --only machine,training --no-peer --isa avx2 || fail 'it failed'
holds "$folder/out" '^Machine$'
holds "$folder/out" '^  OpenBLAS float32 .* GFLOP/s by one thread'
holds "$folder/out" '^  OpenBLAS float32 .* tokens/s .* % of its peak$'
holds "$folder/json" '"share_of_peak"'
holds "$folder/json" '"memory_triad"'
holds "$folder/json" '"isa": "avx2"'
[ ! -s "$folder/said" ] || fail 'a bar without a terminal'

run --only decoding --sentences 8 --seconds 0.1 --python "$folder/nowhere" || fail 'it failed without PyTorch'
holds "$folder/out" '^without PyTorch: '
holds "$folder/out" '^  greedy, batch 1, 2 sources: '
holds "$folder/out" '^  regard translate .* ms from process start'
holds "$folder/json" '"openblas_float32_beam_5_batch_64"'

# a peer that says numbers of its own
cat >"$folder/liar" <<'END'
#!/bin/sh
echo '{"torch": "none"}'
while read -r _; do echo '{"losses": [1.0, 1.0, 1.0]}'; done
END
chmod +x "$folder/liar"
refused 1 'does not compute the same model' --only training --python "$folder/liar"
refused 2 'there is no section "speed"' --only speed
program=$folder/nowhere
refused 1 'nowhere translate failed' --only decoding --no-peer --sentences 4 --seconds 0.1
program=''

# the real one, where it is
if /usr/bin/python3 -c 'import torch' 2>"$folder/none"; then
    run --only training,decoding,memory --sentences 8 --seconds 0.5 || fail 'it failed beside PyTorch'
    holds "$folder/out" '^  loss of batch 2 '
    holds "$folder/out" 'times\|× PyTorch'
    holds "$folder/json" '"times_pytorch_float32"'
    holds "$folder/out" '^  PyTorch float32 .* of 8 the same'
    holds "$folder/out" '^  PyTorch, training .* MB in all'
else
    run --only memory || fail 'it failed without PyTorch'
fi
holds "$folder/out" '^  regard train .* MB in all'

summary
