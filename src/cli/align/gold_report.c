#include "cli/align/gold_report.h"

#include "io/json.h"

#include <string.h>

static Status write_text(const Gold *gold, const GoldPairs *pairs, Output *output, Error *error)
{
    const AerCounts *counts = &gold->counts;
    return output_format(output, error,
                         "AER %.2f %%  precision %.2f %%  recall %.2f %%  (%zu pairs: %zu links; "
                         "gold: %zu sure, %zu possible; %s, %s)\n",
                         100 * aer(counts), 100 * aer_precision(counts), 100 * aer_recall(counts),
                         pairs->count, counts->links, counts->sure, gold->possible_links,
                         units_kind_name(pairs->units[0]), units_kind_name(pairs->units[1]));
}

static Status write_json(const Gold *gold, const GoldPairs *pairs, Output *output, Error *error)
{
    const AerCounts *counts = &gold->counts;
    json_t *json = json_pack(
        "{sfsfsfsIsIsIsIssss}", "alignment_error_rate", aer(counts), "precision",
        aer_precision(counts), "recall", aer_recall(counts), "pairs", (json_int_t)pairs->count,
        "links", (json_int_t)counts->links, "sure", (json_int_t)counts->sure, "possible",
        (json_int_t)gold->possible_links, "source_units", units_kind_name(pairs->units[0]),
        "target_units", units_kind_name(pairs->units[1]));
    Writer out = output_start(output, error);
    json_write(&out, json, JSON_REAL_PRECISION(6));
    writer_string(&out, "\n");
    return output_end(output, &out);
}

Status gold_report(Gold *gold, const GoldPairs *pairs, bool json, Output *output, Error *error)
{
    const char *name = strcmp(pairs->file, "-") == 0 ? "standard input" : pairs->file;
    Status status = gold_end(gold, pairs->count, name, error);
    if (status) return status;
    return json ? write_json(gold, pairs, output, error) : write_text(gold, pairs, output, error);
}
