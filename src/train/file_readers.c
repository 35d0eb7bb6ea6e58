// What reads the files of a training: apart, so that a program that trains from texts in memory has no readers.
#include "train/data.h"

#include "base/array.h"
#include "io/line_reader.h"

static Status add_line(Guide *guide, const Links *links, Error *error)
{
    size_t begin = corpus_store_size(&guide->links) / sizeof(Link);
    char *room;
    TRY(array_reserve(&guide->begin, &guide->capacity, guide->lines + 1, "a guide", error));
    TRY(corpus_store_extend(&guide->links, &room, links->count * sizeof(Link), error));
    if (links->count) memcpy(room, links->items, links->count * sizeof(Link));
    guide->begin[guide->lines++] = begin;
    return STATUS_OK;
}

/* All lines up to the end of the reader; *found is their number. */
static Status read_lines(Guide *guide, LineReader *reader, size_t lines, size_t *found,
                         Error *error)
{
    FREED_BY(links_free) Links sure = {0}, links = {0};
    Line line;
    bool more = true;
    for (*found = 0;; ++*found) {
        TRY(line_reader_next(reader, &line, &more, error));
        if (!more) return STATUS_OK;
        if (*found >= lines) continue; // too many: count them for the message
        TRY(links_parse(&sure, &links, line_reader_name(reader), &line, error));
        TRY(add_line(guide, &links, error));
    }
}

Status guide_read(Guide *guide, const char *path, const char *corpus, size_t lines, Error *error)
{
    FREED_BY(line_reader_close_at) LineReader *reader = NULL;
    size_t found;
    TRY(array_reserve(&guide->files, &guide->files_capacity, guide->count + 1, "a guide", error));
    const char *name = strcmp(path, "-") ? path : "standard input";
    guide->files[guide->count++] = (GuideFile){name, guide->lines};
    TRY(line_reader_open(&reader, path, error));
    TRY(read_lines(guide, reader, lines, &found, error));
    if (found != lines)
        return error_set(
            error, STATUS_FORMAT,
            "%s:%zu: the guide has %zu line%s but %s has %zu; line n of the guide must "
            "have the links of line n of the corpus",
            line_reader_name(reader), found < lines ? found + 1 : lines + 1, found,
            found == 1 ? "" : "s", corpus, lines);
    return STATUS_OK;
}

const TrainingReaders training_file_readers = {text_corpus_read, guide_read};
