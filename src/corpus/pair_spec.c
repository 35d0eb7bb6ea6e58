#define _GNU_SOURCE
#include "corpus/pair_spec.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool ends_with(const char *text, size_t length, const char *ending)
{
    size_t size = strlen(ending);
    return length > size && strncasecmp(text + length - size, ending, size) == 0;
}

static bool is_tmx_name(const char *text, size_t length)
{
    return ends_with(text, length, ".tmx") || ends_with(text, length, ".tmx.gz");
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* The length of the file's name in FILE.tmx or FILE.tmx:LANGUAGES, or 0 if `text` is neither. */
static size_t tmx_name_length(const char *text)
{
    size_t length = strlen(text);
    if (is_tmx_name(text, length)) return length;
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':'))
        if (is_tmx_name(text, (size_t)(colon - text))) return (size_t)(colon - text);
    return 0;
}

// One tag of 1 … LANGUAGE_SIZE-1 characters, none of them a colon.
static bool take_language(char out[LANGUAGE_SIZE], const char *text, size_t length)
{
    if (length == 0 || length >= LANGUAGE_SIZE || memchr(text, ':', length)) return false;
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

static Status parse_tmx(PairSpec *spec, const char *text, size_t name_length, Error *error)
{
    spec->form = PAIR_FORM_TMX;
    const char *languages = text + name_length;
    if (*languages == ':') {
        const char *source = languages + 1;
        const char *target = strchr(source, ':');
        if (!target || !take_language(spec->source_language, source, (size_t)(target - source)) ||
            !take_language(spec->target_language, target + 1, strlen(target + 1)))
            return error_set(error, STATUS_ARGUMENT,
                             "%s: a TMX file's languages are given as FILE.tmx:SOURCE:TARGET, for "
                             "example %.*s:en:fr",
                             text, (int)name_length, text);
        if (language_match(spec->source_language, spec->target_language) == LANGUAGE_SAME)
            return error_set(error, STATUS_ARGUMENT,
                             "%s: names one language twice; give the source's and the target's",
                             text);
    }
    spec->first = memory_copy_string(text, name_length);
    return spec->first ? STATUS_OK : error_memory(error, name_length, "a file name");
}

/* Divides `text` at a comma into two names. */
static Status divide(PairSpec *spec, const char *text, const char *comma, Error *error)
{
    pair_spec_free(spec);
    spec->first = memory_copy_string(text, (size_t)(comma - text));
    spec->second = memory_copy_string(comma + 1, strlen(comma + 1));
    if (!spec->first || !spec->second) return error_memory(error, strlen(text), "a file name");
    return STATUS_OK;
}

static Status parse_files(PairSpec *spec, const char *text, Error *error)
{
    Status status = STATUS_OK;
    const char *comma = strchr(text, ',');
    for (; comma && !status; comma = strchr(comma + 1, ',')) {
        status = divide(spec, text, comma, error);
        if (!status && exists(spec->first) && exists(spec->second)) break;
    }
    if (!comma && !status) status = divide(spec, text, strchr(text, ','), error);
    if (status) return status;
    spec->form = PAIR_FORM_FILES;
    if (!*spec->first || !*spec->second)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: two files are given as SOURCE,TARGET, but one name is empty", text);
    if (strcmp(spec->first, "-") == 0 || strcmp(spec->second, "-") == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: standard input cannot be one of two files; give TSV as - alone",
                         text);
    if (tmx_name_length(spec->first) || tmx_name_length(spec->second))
        return error_set(error, STATUS_ARGUMENT,
                         "%s: a TMX file holds both languages; give it alone, as FILE.tmx", text);
    return STATUS_OK;
}

Status pair_spec_parse(PairSpec *spec, const char *text, Error *error)
{
    *spec = (PairSpec){.form = PAIR_FORM_TSV};
    if (!*text)
        return error_set(error, STATUS_ARGUMENT,
                         "the name of a corpus is empty; give FILE.tsv or SOURCE,TARGET");
    Status status;
    size_t tmx_length = tmx_name_length(text);
    char *tmx_name = memory_copy_string(text, tmx_length);
    if (!tmx_name) return error_memory(error, tmx_length, "a file name");
    if (tmx_length > 0 && (!strchr(text, ',') || exists(tmx_name))) {
        status = parse_tmx(spec, text, tmx_length, error);
    } else if (strchr(text, ',') && !exists(text)) {
        status = parse_files(spec, text, error);
    } else {
        spec->first = memory_copy_string(text, strlen(text));
        status = spec->first ? STATUS_OK : error_memory(error, strlen(text), "a file name");
    }
    memory_free(tmx_name);
    if (status) pair_spec_free(spec);
    return status;
}

void pair_spec_free(PairSpec *spec)
{
    memory_free(spec->first);
    memory_free(spec->second);
    spec->first = spec->second = NULL;
}
