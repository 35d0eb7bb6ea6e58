#include "align/gold.h"

Status gold_open(Gold *gold, const char *path, Error *error)
{
    return line_reader_open(&gold->reader, path, error);
}

Status gold_add(Gold *gold, const Links *links, size_t sources, size_t targets, bool *more,
                Error *error)
{
    Line line;
    Status status = line_reader_next(gold->reader, &line, more, error);
    if (status || !*more) return status;
    const char *name = line_reader_name(gold->reader);
    gold->lines++;
    status = links_parse(&gold->sure, &gold->possible, name, &line, error);
    if (!status) status = links_check(&gold->possible, sources, targets, name, line.number, error);
    if (status) return status;
    aer_add(&gold->counts, links, &gold->sure, &gold->possible);
    gold->possible_links += gold->possible.count;
    return STATUS_OK;
}

Status gold_end(Gold *gold, size_t pairs, const char *name, Error *error)
{
    Line line;
    for (bool more = true; more; gold->lines += more) {
        Status status = line_reader_next(gold->reader, &line, &more, error);
        if (status) return status;
    }
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
