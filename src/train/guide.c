#include "train/guide.h"

#include "base/array.h"
#include "base/memory.h"
#include "io/line_reader.h"

#include <assert.h>
#include <string.h>
#include <xxhash.h>

static Status begin_file(Guide *guide, const char *path, Error *error)
{
    TRY(array_reserve(&guide->files, &guide->files_capacity, guide->count + 1, "a guide", error));
    const char *name = strcmp(path, "-") ? path : "standard input";
    guide->files[guide->count++] = (GuideFile){name, guide->lines};
    return STATUS_OK;
}

static Status add_line(Guide *guide, const Links *links, Error *error)
{
    size_t total = guide->link_count + links->count;
    TRY(array_reserve(&guide->begin, &guide->capacity, guide->lines + 1, "a guide", error));
    TRY(array_reserve(&guide->links, &guide->link_capacity, total, "a guide", error));
    guide->begin[guide->lines++] = guide->link_count;
    if (links->count)
        memcpy(guide->links + guide->link_count, links->items, links->count * sizeof(Link));
    guide->link_count = total;
    return STATUS_OK;
}

static Status lengths_differ(const char *name, size_t found, const char *corpus, size_t lines,
                             Error *error)
{
    return error_set(error, STATUS_FORMAT,
                     "%s:%zu: the guide has %zu line%s but %s has %zu; line n of the guide must "
                     "have the links of line n of the corpus",
                     name, found < lines ? found + 1 : lines + 1, found, found == 1 ? "" : "s",
                     corpus, lines);
}

/* All lines up to the end of the reader; *found is their number. */
static Status read_lines(Guide *guide, LineReader *reader, size_t lines, size_t *found,
                         Error *error)
{
    Links sure = {0}, links = {0};
    Line line;
    bool more = true;
    Status status = STATUS_OK;
    for (*found = 0; !status; ++*found) {
        status = line_reader_next(reader, &line, &more, error);
        if (status || !more) break;
        if (*found >= lines) continue; // too many: count them for the message
        status = links_parse(&sure, &links, line_reader_name(reader), &line, error);
        if (!status) status = add_line(guide, &links, error);
    }
    links_free(&sure);
    links_free(&links);
    return status;
}

Status guide_read(Guide *guide, const char *path, const char *corpus, size_t lines, Error *error)
{
    LineReader *reader = NULL;
    size_t found = 0;
    Status status = begin_file(guide, path, error);
    if (!status) status = line_reader_open(&reader, path, error);
    if (!status) status = read_lines(guide, reader, lines, &found, error);
    if (!status && found != lines)
        status = lengths_differ(line_reader_name(reader), found, corpus, lines, error);
    line_reader_close(reader);
    return status;
}

Links guide_links(const Guide *guide, size_t number)
{
    assert(number < guide->lines);
    size_t first = guide->begin[number];
    size_t last = number + 1 < guide->lines ? guide->begin[number + 1] : guide->link_count;
    return (Links){.items = guide->links ? guide->links + first : NULL, .count = last - first};
}

// The file of line `number`, counted over all files.
static const GuideFile *file_of(const Guide *guide, size_t number)
{
    size_t file = guide->count - 1;
    while (guide->files[file].first > number) file--;
    return &guide->files[file];
}

/* `split` is scratch for the units of both sides. */
static Status check_pair(const Guide *guide, TextPair pair, const UnitKind units[2], Units split[2],
                         Error *error)
{
    Links links = guide_links(guide, pair.place.number);
    if (links.count == 0) return STATUS_OK;
    const GuideFile *file = file_of(guide, pair.place.number);
    TRY(units_split(&split[0], units[0], pair.source, pair.source_length, error));
    TRY(units_split(&split[1], units[1], pair.target, pair.target_length, error));
    return links_check(&links, split[0].count, split[1].count, file->name,
                       pair.place.number - file->first + 1, error);
}

Status guide_check(const Guide *guide, const TextCorpus *corpus, const UnitKind units[2],
                   Error *error)
{
    Units split[2] = {{0}, {0}};
    Status status = STATUS_OK;
    for (size_t i = 0; i < corpus->count && !status; i++)
        status = check_pair(guide, text_corpus_pair(corpus, i), units, split, error);
    units_free(&split[0]);
    units_free(&split[1]);
    return status;
}

uint64_t guide_hash(const Guide *guide)
{
    uint64_t hash =
        XXH3_64bits_withSeed(guide->links, guide->link_count * sizeof(Link), guide->lines);
    return XXH3_64bits_withSeed(guide->begin, guide->lines * sizeof *guide->begin, hash);
}

void guide_free(Guide *guide)
{
    memory_free(guide->links);
    memory_free(guide->begin);
    memory_free(guide->files);
    *guide = (Guide){0};
}
