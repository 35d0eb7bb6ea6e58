#define _GNU_SOURCE
#include "corpus/pair_name.h"

#include "base/memory.h"
#include "corpus/tmx.h"
#include "io/file_writer.h"

#include <strings.h>
#include <unistd.h>

static bool ends_with(const char *text, size_t length, const char *ending)
{
    size_t size = strlen(ending);
    return length > size && strncasecmp(text + length - size, ending, size) == 0;
}

// Whether a name has this ending, alone or before that of a compressed file.
static bool is_named(const char *text, size_t length, const char *ending)
{
    static const char *const compressed[] = {".gz", ".xz", ".zst"};
    for (size_t i = 0; i < sizeof compressed / sizeof *compressed; i++)
        if (ends_with(text, length, compressed[i]))
            return ends_with(text, length - strlen(compressed[i]), ending);
    return ends_with(text, length, ending);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

// Whether the part of `path` before `end` names a file.
static bool exists_up_to(char *path, char *end)
{
    char kept = *end;
    *end = '\0';
    bool found = exists(path);
    *end = kept;
    return found;
}

// The length of the file's name in FILE.tmx or FILE.tmx:LANGUAGES; 0 if `text` is neither.
static size_t tmx_name_length(const char *text)
{
    size_t length = strlen(text);
    if (is_named(text, length, ".tmx")) return length;
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':'))
        if (is_named(text, (size_t)(colon - text), ".tmx")) return (size_t)(colon - text);
    return 0;
}

// A tag of 1 … LANGUAGE_SIZE - 1 characters without a colon.
static bool is_language(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && length < LANGUAGE_SIZE && !strchr(text, ':');
}

// `languages` is what follows the file's name: nothing, or `:SOURCE:TARGET`.
static Status parse_tmx(PairName *out, const char *text, char *languages, Error *error)
{
    out->form = PAIR_FORM_TMX;
    if (!*languages) return STATUS_OK;
    *languages = '\0';
    char *source = languages + 1, *target = strchr(source, ':');
    if (target) *target++ = '\0';
    if (!target || !is_language(source) || !is_language(target))
        return error_set(error, STATUS_ARGUMENT,
                         "%s: give a TMX file's languages as FILE.tmx:SOURCE:TARGET, for example "
                         "%s:en:fr",
                         text, out->names[0]);
    if (language_match(source, target) == LANGUAGE_SAME)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: names one language twice; name the source's and the target's", text);
    out->languages[0] = source;
    out->languages[1] = target;
    return STATUS_OK;
}

// Splits the name at a comma into two.
static Status parse_two(PairName *out, const char *text, char *name, Error *error)
{
    out->form = PAIR_FORM_FILES;
    char *comma = strchr(name, ',');
    while (comma && !(exists_up_to(name, comma) && exists(comma + 1)))
        comma = strchr(comma + 1, ',');
    if (!comma) comma = strchr(name, ',');
    *comma = '\0';
    out->names[1] = comma + 1;
    if (!*name || !*out->names[1])
        return error_set(error, STATUS_ARGUMENT,
                         "%s: one of the two names in SOURCE,TARGET is empty", text);
    if (strcmp(name, "-") == 0 || strcmp(out->names[1], "-") == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: standard input cannot be one of two files; for TSV give - alone",
                         text);
    if (tmx_name_length(name) || tmx_name_length(out->names[1]))
        return error_set(error, STATUS_ARGUMENT,
                         "%s: a TMX file holds both languages; give it alone", text);
    return STATUS_OK;
}

Status pair_name_parse(PairName *out, const char *text, Error *error)
{
    *out = (PairName){.form = PAIR_FORM_TSV};
    if (!*text)
        return error_set(error, STATUS_ARGUMENT,
                         "the corpus name is empty; give FILE.tsv or SOURCE,TARGET");
    char *name = out->memory = memory_copy_string(text, strlen(text));
    if (!name) return error_memory(error, strlen(text), "a file name");
    out->names[0] = name;
    bool comma = strchr(text, ',') != NULL;
    size_t tmx_length = tmx_name_length(text);
    if (tmx_length > 0 && (!comma || exists_up_to(name, name + tmx_length)))
        return parse_tmx(out, text, name + tmx_length, error);
    if (comma && !exists(text)) return parse_two(out, text, name, error);
    if (is_named(text, strlen(text), ".csv")) out->form = PAIR_FORM_CSV;
    return STATUS_OK;
}

Status pair_name_includes(bool *includes, const char *name, const char *path, Error *error)
{
    FREED_BY(pair_name_free) PairName parsed = {0};
    Status status = pair_name_parse(&parsed, name, error);
    for (size_t i = 0; i < 2 && !status && parsed.names[i]; i++)
        *includes = *includes || file_is_same(path, parsed.names[i]);
    return status == STATUS_ARGUMENT ? STATUS_OK : status;
}

void pair_name_free(PairName *name)
{
    memory_free(name->memory);
    *name = (PairName){0};
}
