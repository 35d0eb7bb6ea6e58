#include "align/links.h"

#include "base/array.h"
#include "base/ascii.h"

#include <stdlib.h>

Status links_append(Links *links, size_t source, size_t target, Error *error)
{
    if (source > UINT32_MAX || target > UINT32_MAX)
        return error_set(error, STATUS_ARGUMENT, "link %zu-%zu has a position that is too large",
                         source, target);
    return array_add(&links->items, &links->count, &links->capacity, "alignment links", error,
                     (Link){(uint32_t)source, (uint32_t)target});
}

static int compare(const void *left, const void *right)
{
    const Link *a = left, *b = right;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

void links_sort(Links *links)
{
    if (links->count == 0) return;
    qsort(links->items, links->count, sizeof *links->items, compare);
    size_t kept = 1;
    for (size_t i = 1; i < links->count; i++)
        if (compare(&links->items[kept - 1], &links->items[i]) != 0)
            links->items[kept++] = links->items[i];
    links->count = kept;
}

// Sorts links that have been appended, or clears them after a failure.
static Status finish(Links *links, Status status)
{
    if (status) links_clear(links);
    links_sort(links);
    return status;
}

Status links_from_soft(Links *links, const SoftAlignment *soft, float threshold, bool strongest,
                       Error *error)
{
    FREED double *sums =
        NULL;          // (sources) the attention that each source unit gets from all target units
    double *strengths; // (sources) of the links of one target unit
    links_clear(links);
    if (!(threshold > 0 && threshold <= 1))
        return error_set(error, STATUS_ARGUMENT,
                         "a threshold of %g is not possible; choose one above 0 and at most 1",
                         (double)threshold);
    TRY(array_new(&sums, 2 * soft->sources, "alignment links", error));
    strengths = sums + soft->sources;
    for (size_t t = 0; t < soft->targets; t++)
        for (size_t s = 0; s < soft->sources; s++)
            sums[s] += (double)soft->weights[t * soft->sources + s];
    Status status = STATUS_OK;
    for (size_t t = 0; t < soft->targets; t++) {
        size_t best = 0;
        for (size_t s = 0; s < soft->sources; s++) {
            double weight = (double)soft->weights[t * soft->sources + s];
            strengths[s] = weight > 0 ? (weight + weight / sums[s]) / 2 : 0;
            if (strengths[s] > strengths[best]) best = s;
        }
        for (size_t s = 0; s < soft->sources && !status; s++)
            if (strengths[s] >= (double)threshold || (strongest && s == best && strengths[s] > 0))
                status = links_append(links, s, t, error);
    }
    return finish(links, status);
}

Status links_from_posteriors(Links *links, const SoftAlignment *soft, float threshold, Error *error)
{
    links_clear(links);
    for (size_t t = 0; t < soft->targets; t++)
        for (size_t s = 0; s < soft->sources; s++)
            if (soft->weights[t * soft->sources + s] >= threshold)
                TRY(links_append(links, s, t, error));
    links_sort(links);
    return STATUS_OK;
}

const char *const link_source_names[] = {"attention", "both", "table", NULL};

void links_write(Writer *out, const Links *links)
{
    for (size_t i = 0; i < links->count; i++)
        writer_format(out, "%s%u-%u", i ? " " : "", links->items[i].source, links->items[i].target);
}

// Reads digits at *at; false if there are none, or if they say more than MAX_LINKS_INDEX.
static bool parse_index(const Line *line, size_t *at, size_t *index)
{
    size_t begin = *at;
    *index = 0;
    while (*at < line->length && ascii_is_digit(line->text[*at])) {
        *index = *index * 10 + (size_t)(line->text[*at] - '0');
        if (*index > MAX_LINKS_INDEX) return false;
        ++*at;
    }
    return *at > begin;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

// Reads one link at *at, up to the blank after it or the end.
static bool parse_link(const Line *line, size_t *at, size_t *source, size_t *target, bool *is_sure)
{
    const char *text = line->text;
    if (!parse_index(line, at, source)) return false;
    if (*at == line->length || (text[*at] != '-' && text[*at] != '?')) return false;
    *is_sure = text[(*at)++] == '-';
    return parse_index(line, at, target) && (*at == line->length || is_blank(text[*at]));
}

static Status parse_error(const char *file, const Line *line, size_t begin, Error *error)
{
    size_t end = begin;
    while (end < line->length && end < begin + 40 && !is_blank(line->text[end])) end++;
    return error_set(error, STATUS_FORMAT,
                     "%s:%zu:%zu: '%.*s' is not a link; write two positions from 0 to %d joined by "
                     "'-' (sure) or '?' (possible), as in 0-0 1?2",
                     file, line->number, begin + 1, (int)(end - begin), line->text + begin,
                     MAX_LINKS_INDEX);
}

Status links_parse(Links *sure, Links *possible, const char *file, const Line *given, Error *error)
{
    links_clear(sure);
    links_clear(possible);
    Line line = *given;
    if (line.length && line.text[line.length - 1] == '\r') line.length--;
    Status status = STATUS_OK;
    for (size_t at = 0; at < line.length && !status;) {
        size_t begin = at, source, target;
        bool is_sure;
        if (is_blank(line.text[at])) {
            at++;
        } else if (!parse_link(&line, &at, &source, &target, &is_sure)) {
            status = parse_error(file, &line, begin, error);
        } else {
            status = links_append(possible, source, target, error);
            if (!status && is_sure) status = links_append(sure, source, target, error);
        }
    }
    (void)finish(sure, status);
    return finish(possible, status);
}

Status links_check(const Links *links, size_t sources, size_t targets, const char *file,
                   size_t line, Error *error)
{
    for (size_t i = 0; i < links->count; i++) {
        Link link = links->items[i];
        if (link.source >= sources || link.target >= targets)
            return error_set(error, STATUS_FORMAT,
                             "%s:%zu: link %u-%u is outside the pair of %zu source and %zu target "
                             "units, counted from 0; check that lines and units match",
                             file, line, link.source, link.target, sources, targets);
    }
    return STATUS_OK;
}

size_t links_from(const Links *links, Link link)
{
    size_t place;
    array_search(place, 0, links->count, compare(&links->items[place], &link) < 0);
    return place;
}

size_t links_find(const Links *links, Link link)
{
    size_t found = links_from(links, link);
    return found < links->count && compare(&links->items[found], &link) == 0 ? found : links->count;
}

void links_free(Links *links)
{
    memory_free(links->items);
    *links = (Links){0};
}

const char *const symmetrization_names[] = {"intersection", "union", "grow-diag-final-and", NULL};

// The union, and which of its links have been chosen so far.
typedef struct Growth {
    const Links *united;
    bool *chosen;                        // (united->count)
    bool *source_linked, *target_linked; // (sources), (targets): the units of chosen links
} Growth;

static Status growth_new(Growth *growth, const Links *united, Error *error)
{
    size_t sources = 0, targets = 0;
    for (size_t i = 0; i < united->count; i++) {
        Link link = united->items[i];
        if (link.source >= sources) sources = (size_t)link.source + 1;
        if (link.target >= targets) targets = (size_t)link.target + 1;
    }
    size_t bytes = united->count + sources + targets; // far below SIZE_MAX: each fits in memory
    growth->united = united;
    TRY(array_new(&growth->chosen, bytes, "joining two alignments", error));
    growth->source_linked = growth->chosen + united->count;
    growth->target_linked = growth->source_linked + sources;
    return STATUS_OK;
}

static void choose(Growth *growth, size_t place)
{
    Link link = growth->united->items[place];
    growth->chosen[place] = true;
    growth->source_linked[link.source] = growth->target_linked[link.target] = true;
}

// The place in the union of the link at this distance; the count if there is none.
static size_t neighbour(const Links *united, Link link, int down, int right)
{
    int64_t source = (int64_t)link.source + down, target = (int64_t)link.target + right;
    if (source < 0 || target < 0 || source > UINT32_MAX || target > UINT32_MAX)
        return united->count;
    return links_find(united, (Link){(uint32_t)source, (uint32_t)target});
}

// Adds the neighbours of one chosen link; returns whether there were any.
static bool grow_around(Growth *growth, Link link)
{
    static const int steps[8][2] = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                    {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    bool grown = false;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        size_t place = neighbour(growth->united, link, steps[i][0], steps[i][1]);
        if (place == growth->united->count || growth->chosen[place]) continue;
        Link near = growth->united->items[place];
        if (growth->source_linked[near.source] && growth->target_linked[near.target]) continue;
        choose(growth, place);
        grown = true;
    }
    return grown;
}

static void grow_diag(Growth *growth)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < growth->united->count; i++)
            if (growth->chosen[i]) grown |= grow_around(growth, growth->united->items[i]);
    }
}

static void final_and(Growth *growth, const Links *direction)
{
    for (size_t i = 0; i < direction->count; i++) {
        Link link = direction->items[i];
        if (!growth->source_linked[link.source] && !growth->target_linked[link.target])
            choose(growth, links_find(growth->united, link));
    }
}

static Status append_all(Links *links, const Links *others, bool transposed, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < others->count && !status; i++) {
        Link link = others->items[i];
        status = links_append(links, transposed ? link.target : link.source,
                              transposed ? link.source : link.target, error);
    }
    return finish(links, status);
}

Status links_symmetrize(Links *links, Symmetrization way, const Links *forward,
                        const Links *reverse, Error *error)
{
    assert(links != forward && links != reverse);
    links_clear(links);
    TRY(append_all(links, forward, false, error));
    TRY(append_all(links, reverse, false, error));
    if (way == SYMMETRIZE_UNION) return STATUS_OK;
    Growth growth;
    Status status = growth_new(&growth, links, error);
    if (status) return finish(links, status);
    for (size_t i = 0; i < links->count; i++)
        if (links_contain(forward, links->items[i]) && links_contain(reverse, links->items[i]))
            choose(&growth, i);
    if (way == SYMMETRIZE_GROW_DIAG_FINAL_AND) {
        grow_diag(&growth);
        final_and(&growth, forward);
        final_and(&growth, reverse);
    }
    size_t kept = 0;
    for (size_t i = 0; i < links->count; i++)
        if (growth.chosen[i]) links->items[kept++] = links->items[i];
    links->count = kept;
    memory_free(growth.chosen);
    return STATUS_OK;
}

Status links_transpose(Links *transposed, const Links *links, Error *error)
{
    assert(transposed != links);
    links_clear(transposed);
    return append_all(transposed, links, true, error);
}
