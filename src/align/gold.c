#include "align/gold.h"

void aer_add(AerCounts *counts, const Links *links, const Links *sure, const Links *possible)
{
    counts->links += links->count;
    counts->sure += sure->count;
    for (size_t i = 0; i < links->count; i++) {
        bool is_sure = links_contain(sure, links->items[i]);
        counts->sure_hits += is_sure;
        counts->possible_hits += is_sure || links_contain(possible, links->items[i]);
    }
}

// 1 where there is nothing to divide by: nothing was wrong.
static double ratio(size_t right, size_t all)
{
    return all ? (double)right / (double)all : 1;
}

double aer_precision(const AerCounts *counts)
{
    return ratio(counts->possible_hits, counts->links);
}

double aer_recall(const AerCounts *counts)
{
    return ratio(counts->sure_hits, counts->sure);
}

double aer(const AerCounts *counts)
{
    return 1 - ratio(counts->sure_hits + counts->possible_hits, counts->links + counts->sure);
}

Status gold_next(Gold *gold, size_t sources, size_t targets, bool *more, Error *error)
{
    Line line;
    Status status = line_reader_next(gold->reader, &line, more, error);
    if (status || !*more) return status;
    const char *name = line_reader_name(gold->reader);
    gold->lines++;
    TRY(links_parse(&gold->sure, &gold->possible, name, &line, error));
    return links_check(&gold->possible, sources, targets, name, line.number, error);
}

Status gold_add(Gold *gold, const Links *links, size_t sources, size_t targets, bool *more,
                Error *error)
{
    Status status = gold_next(gold, sources, targets, more, error);
    if (status || !*more) return status;
    aer_add(&gold->counts, links, &gold->sure, &gold->possible);
    gold->possible_links += gold->possible.count;
    return STATUS_OK;
}

Status gold_end(Gold *gold, size_t pairs, const char *name, Error *error)
{
    Line line;
    for (bool more = true; more; gold->lines += more)
        TRY(line_reader_next(gold->reader, &line, &more, error));
    if (gold->lines == pairs) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s has %zu lines, but %s has %zu pairs; line n must have the links of pair n",
                     line_reader_name(gold->reader), gold->lines, name, pairs);
}

void gold_close(Gold *gold)
{
    line_reader_close(gold->reader);
    links_free(&gold->sure);
    links_free(&gold->possible);
    *gold = (Gold){0};
}
