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

static size_t link_count(const Guide *guide)
{
    return corpus_store_size(&guide->links) / sizeof(Link);
}

static Status add_line(Guide *guide, const Links *links, Error *error)
{
    size_t begin = link_count(guide);
    char *room;
    TRY(array_reserve(&guide->begin, &guide->capacity, guide->lines + 1, "a guide", error));
    TRY(corpus_store_extend(&guide->links, &room, links->count * sizeof(Link), error));
    if (links->count) memcpy(room, links->items, links->count * sizeof(Link));
    guide->begin[guide->lines++] = begin;
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

Status guide_links(Guide *guide, Links *links, size_t number, Error *error)
{
    assert(number < guide->lines);
    size_t first = guide->begin[number];
    size_t last = number + 1 < guide->lines ? guide->begin[number + 1] : link_count(guide);
    const char *data;
    *links = (Links){0};
    if (first == last) return STATUS_OK;
    TRY(corpus_store_view(&guide->links, &guide->window, &data, first * sizeof(Link),
                          (last - first) * sizeof(Link), error));
    *links = (Links){.items = (void *)data, .count = last - first};
    return STATUS_OK;
}

// The file of line `number`, counted over all files.
static const GuideFile *file_of(const Guide *guide, size_t number)
{
    size_t file = guide->count - 1;
    while (guide->files[file].first > number) file--;
    return &guide->files[file];
}

/* `split` is scratch for the units of both sides. */
static Status check_pair(Guide *guide, TextPair pair, const UnitKind units[2], Units split[2],
                         Error *error)
{
    Links links;
    TRY(guide_links(guide, &links, pair.place.number, error));
    if (links.count == 0) return STATUS_OK;
    const GuideFile *file = file_of(guide, pair.place.number);
    TRY(units_split(&split[0], units[0], pair.source, pair.source_length, error));
    TRY(units_split(&split[1], units[1], pair.target, pair.target_length, error));
    return links_check(&links, split[0].count, split[1].count, file->name,
                       pair.place.number - file->first + 1, error);
}

Status guide_check(Guide *guide, const TextCorpus *corpus, const UnitKind units[2], Error *error)
{
    Units split[2] = {{0}, {0}};
    Status status = STATUS_OK;
    for (size_t i = 0; i < corpus->count && !status; i++)
        status = check_pair(guide, text_corpus_pair(corpus, i), units, split, error);
    units_free(&split[0]);
    units_free(&split[1]);
    return status;
}

// Hashes all links, a part after another, which gives the hash of the whole.
static Status hash_links(Guide *guide, XXH3_state_t *state, Error *error)
{
    enum { PART = 1 << 18 };
    const char *data;
    size_t size = corpus_store_size(&guide->links);
    for (size_t at = 0, bytes; at < size; at += bytes) {
        bytes = size - at < PART ? size - at : PART;
        TRY(corpus_store_view(&guide->links, &guide->window, &data, at, bytes, error));
        XXH3_64bits_update(state, data, bytes);
    }
    return STATUS_OK;
}

Status guide_hash(Guide *guide, uint64_t *hash, Error *error)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state) return error_memory(error, 0, "a guide");
    XXH3_64bits_reset_withSeed(state, guide->lines);
    Status status = hash_links(guide, state, error);
    uint64_t links = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    *hash = XXH3_64bits_withSeed(guide->begin, guide->lines * sizeof *guide->begin, links);
    return status;
}

void guide_free(Guide *guide)
{
    corpus_store_free(&guide->links);
    store_window_free(&guide->window);
    memory_free(guide->begin);
    memory_free(guide->files);
    *guide = (Guide){0};
}
