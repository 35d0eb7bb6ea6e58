#include "cli/align/link_output.h"

#include "io/json.h"

#include <string.h>

Status link_output_start(LinkOutput *links, const AlignValues *values, Output *output, Error *error)
{
    links->values = values;
    links->output = output;
    return values->gold ? gold_open(&links->gold, values->gold, error) : STATUS_OK;
}

Status link_output_add(LinkOutput *links, const Links *pair, size_t sources, size_t targets,
                       Error *error)
{
    bool more;
    links->pairs++;
    if (links->values->gold) return gold_add(&links->gold, pair, sources, targets, &more, error);
    Writer out = output_start(links->output, error);
    links_write(&out, pair);
    writer_string(&out, "\n");
    return output_end(links->output, &out);
}

static void write_text(Writer *out, const LinkOutput *links, const UnitKind units[2])
{
    const AerCounts *counts = &links->gold.counts;
    writer_format(out,
                  "AER %.2f %%  precision %.2f %%  recall %.2f %%  (%zu pairs: %zu links; "
                  "gold: %zu sure, %zu possible; %s, %s)",
                  100 * aer(counts), 100 * aer_precision(counts), 100 * aer_recall(counts),
                  links->pairs, counts->links, counts->sure, links->gold.possible_links,
                  unit_kind_names[units[0]], unit_kind_names[units[1]]);
}

static void write_json(Writer *out, const LinkOutput *links, const UnitKind units[2])
{
    const AerCounts *counts = &links->gold.counts;
    json_t *json = json_pack("{sfsfsfsIsIsIsIssss}", "alignment_error_rate", aer(counts),
                             "precision", aer_precision(counts), "recall", aer_recall(counts),
                             "pairs", (json_int_t)links->pairs, "links", (json_int_t)counts->links,
                             "sure", (json_int_t)counts->sure, "possible",
                             (json_int_t)links->gold.possible_links, "source_units",
                             unit_kind_names[units[0]], "target_units", unit_kind_names[units[1]]);
    json_write(out, json, JSON_REAL_PRECISION(6));
}

Status link_output_finish(LinkOutput *links, const char *file, const UnitKind units[2],
                          Error *error)
{
    if (!links->values->gold) return STATUS_OK;
    const char *name = strcmp(file, "-") == 0 ? "standard input" : file;
    TRY(gold_end(&links->gold, links->pairs, name, error));
    Writer out = output_start(links->output, error);
    if (links->values->json)
        write_json(&out, links, units);
    else
        write_text(&out, links, units);
    writer_string(&out, "\n");
    return output_end(links->output, &out);
}

void link_output_free(LinkOutput *links)
{
    gold_close(&links->gold);
}
