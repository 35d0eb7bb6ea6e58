#include "bench/speed/decoding.h"

#include <stdio.h>

/* One party's line; `backend` is NULL for PyTorch. */
static void print_outcome(Bench *bench, json_t *kept, const Way *way, const Outcome *outcome,
                          const Backend *backend)
{
    char text[SPREAD_TEXT_SIZE], key[64];
    Spread rate = spread_of(outcome->rates, way->rounds);
    double tokens = rate.median * (double)outcome->tokens / (double)way->sources;
    bool first = outcome == way->outcomes;
    snprintf(key, sizeof key, "%s_beam_%zu_batch_%zu", backend ? backend->name : "pytorch_float32",
             way->beam, way->batch);
    json_t *row = bench_keep_object(bench, kept, key);
    bench_keep(bench, row, "sentences_per_second", spread_json(rate));
    bench_keep(bench, row, "sentences", json_integer((json_int_t)way->sources));
    bench_keep(bench, row, "output_tokens", json_integer((json_int_t)outcome->tokens));
    bench_keep(bench, row, "same_as_first", json_integer((json_int_t)outcome->same));
    writer_format(&bench->out, "  %-20s %-26s sentences/s  %7.0f tokens/s",
                  backend ? backend->title : "PyTorch float32", spread_text(text, rate, 1), tokens);
    if (outcome->alone > 0) {
        bench_keep(bench, row, "seconds_of_one", json_real(outcome->alone));
        writer_format(&bench->out, "  one takes %6.2f ms", 1e3 * outcome->alone);
    }
    if (!first) writer_format(&bench->out, "  %zu of %zu the same", outcome->same, way->sources);
    if (way->with_peer && backend) {
        Spread ratio = spread_of_ratios(outcome->rates, way->peer.rates, way->rounds);
        bench_keep(bench, row, "times_pytorch", spread_json(ratio));
        writer_format(&bench->out, "  %s × PyTorch", spread_text(text, ratio, 2));
    }
    writer_string(&bench->out, "\n");
}

void decoding_print(Bench *bench, json_t *kept, const Way *way)
{
    char search[32];
    snprintf(search, sizeof search, way->beam == 1 ? "greedy" : "beam %zu", way->beam);
    writer_format(&bench->out,
                  "  %s, batch %zu, %zu sources: translations of %.1f tokens (references: %.1f)\n",
                  search, way->batch, way->sources,
                  (double)way->outcomes[0].tokens / (double)way->sources, way->reference);
    for (size_t i = 0; i < bench->backend_count; i++)
        print_outcome(bench, kept, way, &way->outcomes[i], bench->backends[i]);
    if (way->with_peer) print_outcome(bench, kept, way, &way->peer, NULL);
}
