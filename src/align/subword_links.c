#include "align/subword_links.h"

#include "base/array.h"

#include <math.h>

// parts (units): 1 / (subwords of the unit)
static void set_parts(double *parts, const SoftSide *source)
{
    size_t units = source->units->count, first = 0;
    memset(parts, 0, units * sizeof *parts);
    for (size_t subword = 0; subword < source->subwords; subword++) {
        const Span numbers = soft_side_units(source, subword, &first);
        for (size_t unit = numbers.begin; unit < numbers.end; unit++) parts[unit] += 1;
    }
    for (size_t unit = 0; unit < units; unit++)
        if (parts[unit] > 0) parts[unit] = 1 / parts[unit];
}

/* weights (source.subwords) of the links of one target subword, which has the units of these numbers.
 * Returns their sum. */
static double share_weights(double *weights, const double *parts, const SoftAlignment *soft,
                            const SoftSide *source, Span targets)
{
    double total = 0;
    size_t first = 0;
    for (size_t subword = 0; subword < source->subwords; subword++) {
        const Span sources = soft_side_units(source, subword, &first);
        weights[subword] = 0;
        for (size_t t = targets.begin; t < targets.end; t++)
            for (size_t s = sources.begin; s < sources.end; s++) {
                float weight = soft->weights[t * soft->sources + s];
                if (weight >= MIN_SOFT_LINK) weights[subword] += (double)weight * parts[s];
            }
        total += weights[subword];
    }
    return total;
}

// Links with weights of sum `total`, or if that is 0 all of weight 1.
static Status append(SubwordLinks *links, const double *weights, double total, size_t sources,
                     size_t target, Error *error)
{
    TRY(array_reserve(&links->items, &links->capacity, links->count + sources, "a guide's links",
                      error));
    for (size_t subword = 0; subword < sources; subword++) {
        long weight =
            total > 0 ? lround(weights[subword] / total * UINT16_MAX) : weights[subword] > 0;
        if (weight > 0)
            links->items[links->count++] =
                (SubwordLink){(uint16_t)subword, (uint16_t)target, (uint16_t)weight};
    }
    return STATUS_OK;
}

// The links of an alignment whose links are `hard`, all of the same weight, or not.
static Status project(SubwordLinks *links, const SoftAlignment *soft, bool hard, SoftSide source,
                      SoftSide target, Error *error)
{
    assert(source.subwords <= MAX_SUBWORD_LINK && target.subwords <= MAX_SUBWORD_LINK);
    assert(soft->sources == source.units->count && soft->targets == target.units->count);
    size_t units = source.units->count, first = 0;
    links->count = 0;
    if (!units || !target.units->count) return STATUS_OK;
    TRY(array_reserve(&links->weights, &links->weights_capacity, units + source.subwords,
                      "a guide's links", error));
    double *parts = links->weights, *weights = parts + units;
    Status status = STATUS_OK;
    set_parts(parts, &source);
    for (size_t subword = 0; subword < target.subwords && !status; subword++) {
        const Span numbers = soft_side_units(&target, subword, &first);
        double total = share_weights(weights, parts, soft, &source, numbers);
        if (total > 0)
            status = append(links, weights, hard ? 0 : total, source.subwords, subword, error);
    }
    if (status) links->count = 0;
    return status;
}

// The links between units that are given, with their weights, or hard if there are none.
static Status set_weighted(SubwordLinks *links, const Link *given, const float *weights,
                           size_t count, SoftSide source, SoftSide target, Error *error)
{
    SoftAlignment *linked = &links->linked;
    links->count = 0;
    if (count == 0) return STATUS_OK;
    TRY(soft_alignment_clear(linked, target.units->count, source.units->count, error));
    for (size_t i = 0; i < count; i++) {
        Link link = given[i];
        assert(link.source < linked->sources && link.target < linked->targets);
        linked->weights[link.target * linked->sources + link.source] = weights ? weights[i] : 1;
    }
    return project(links, linked, !weights, source, target, error);
}

Status subword_links_set(SubwordLinks *links, const Links *given, SoftSide source, SoftSide target,
                         Error *error)
{
    return set_weighted(links, given->items, NULL, given->count, source, target, error);
}

Status subword_links_set_soft(SubwordLinks *links, const SoftAlignment *soft, SoftSide source,
                              SoftSide target, Error *error)
{
    return project(links, soft, false, source, target, error);
}

void subword_links_free(SubwordLinks *links)
{
    memory_free(links->weights);
    memory_free(links->items);
    soft_alignment_free(&links->linked);
    for (int s = 0; s < 2; s++) spans_free(&links->units[s]);
    *links = (SubwordLinks){0};
}

// What a pair begins with in the store. All that follows has 4 bytes or 8.
typedef struct PairRecord {
    uint32_t sources, targets, link_count;
    uint32_t is_soft;
} PairRecord;

static size_t bounds_bytes(const PairRecord *record)
{
    return 2 * ((size_t)record->sources + record->targets) * sizeof(uint32_t);
}

static size_t links_bytes(const PairRecord *record)
{
    return record->link_count * (sizeof(Link) + (record->is_soft ? sizeof(float) : 0));
}

static char *put_bounds(char *room, const Spans *units)
{
    for (size_t i = 0; i < units->count; i++) {
        const uint32_t bounds[2] = {(uint32_t)units->items[i].begin, (uint32_t)units->items[i].end};
        memcpy(room, bounds, sizeof bounds);
        room += sizeof bounds;
    }
    return room;
}

/* Adds a pair but for its links and weights, whose place is *links. */
static Status add_pair(PairAlignments *alignments, const PairRecord *record, const Spans *source,
                       const Spans *target, char **links, Error *error)
{
    size_t begin = corpus_store_size(&alignments->store);
    char *room;
    TRY(array_reserve(&alignments->begins, &alignments->capacity, alignments->count + 1,
                      "the alignments of a corpus", error));
    TRY(corpus_store_extend(&alignments->store, &room,
                            sizeof *record + bounds_bytes(record) + links_bytes(record), error));
    memcpy(room, record, sizeof *record);
    room = put_bounds(room + sizeof *record, source);
    *links = put_bounds(room, target);
    alignments->begins[alignments->count++] = begin;
    return STATUS_OK;
}

Status pair_alignments_add(PairAlignments *alignments, const Spans *source, const Spans *target,
                           const Links *links, Error *error)
{
    const PairRecord record = {.sources = (uint32_t)source->count,
                               .targets = (uint32_t)target->count,
                               .link_count = (uint32_t)links->count};
    char *room;
    TRY(add_pair(alignments, &record, source, target, &room, error));
    if (links->count) memcpy(room, links->items, links->count * sizeof *links->items);
    return STATUS_OK;
}

Status pair_alignments_add_soft(PairAlignments *alignments, const Spans *source,
                                const Spans *target, const SoftAlignment *soft, Error *error)
{
    assert(soft->sources == source->count && soft->targets == target->count);
    PairRecord record = {
        .sources = (uint32_t)source->count, .targets = (uint32_t)target->count, .is_soft = true};
    for (size_t i = 0; i < soft->targets * soft->sources; i++)
        record.link_count += soft->weights[i] >= MIN_SOFT_LINK;
    char *room;
    TRY(add_pair(alignments, &record, source, target, &room, error));
    char *weights = room + record.link_count * sizeof(Link);
    for (size_t i = 0; i < soft->targets * soft->sources; i++) {
        if (soft->weights[i] < MIN_SOFT_LINK) continue;
        const Link link = {(uint32_t)(i % soft->sources), (uint32_t)(i / soft->sources)};
        memcpy(room, &link, sizeof link);
        memcpy(weights, &soft->weights[i], sizeof *soft->weights);
        room += sizeof link;
        weights += sizeof *soft->weights;
    }
    return STATUS_OK;
}

Status pair_alignments_view(const PairAlignments *alignments, StoreWindow *window,
                            PairAlignment *alignment, size_t number, Error *error)
{
    const CorpusStore *store = &alignments->store;
    PairRecord record;
    const char *data;
    *alignment = (PairAlignment){0};
    if (number >= alignments->count) return STATUS_OK;
    size_t begin = alignments->begins[number], after = begin + sizeof record;
    TRY(corpus_store_view(store, window, &data, begin, sizeof record, error));
    memcpy(&record, data, sizeof record);
    size_t bounds = bounds_bytes(&record);
    TRY(corpus_store_view(store, window, &data, after, bounds + links_bytes(&record), error));
    const void *links = data + bounds, *weights = data + bounds + record.link_count * sizeof(Link);
    *alignment = (PairAlignment){.bounds = (const void *)data,
                                 .links = links,
                                 .weights = record.is_soft ? weights : NULL,
                                 .sources = record.sources,
                                 .targets = record.targets,
                                 .link_count = record.link_count};
    return STATUS_OK;
}

void pair_alignments_free(PairAlignments *alignments)
{
    corpus_store_free(&alignments->store);
    memory_free(alignments->begins);
    *alignments = (PairAlignments){0};
}

static Status take_bounds(Spans *units, const uint32_t *bounds, size_t count, Error *error)
{
    units->count = 0;
    for (size_t i = 0; i < 2 * count; i += 2)
        TRY(spans_append(units, (Span){bounds[i], bounds[i + 1]}, error));
    return STATUS_OK;
}

Status pair_alignment_project(SubwordLinks *out, const PairAlignment *alignment, SoftSide source,
                              SoftSide target, Error *error)
{
    const uint32_t *bounds = alignment->bounds;
    out->count = 0;
    TRY(take_bounds(&out->units[0], bounds, alignment->sources, error));
    bounds += 2 * (size_t)alignment->sources;
    TRY(take_bounds(&out->units[1], bounds, alignment->targets, error));
    source.units = &out->units[0];
    target.units = &out->units[1];
    return set_weighted(out, alignment->links, alignment->weights, alignment->link_count, source,
                        target, error);
}
