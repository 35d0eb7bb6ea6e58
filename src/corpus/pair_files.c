#define _GNU_SOURCE
#include "corpus/pair_files.h"

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

// The length of the file's name in FILE.tmx or FILE.tmx:LANGUAGES; 0 if `text` is neither.
static size_t tmx_name_length(const char *text)
{
    size_t length = strlen(text);
    if (is_tmx_name(text, length)) return length;
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':'))
        if (is_tmx_name(text, (size_t)(colon - text))) return (size_t)(colon - text);
    return 0;
}

// A tag of 1 … LANGUAGE_SIZE - 1 characters without a colon.
static bool parse_language(char out[LANGUAGE_SIZE], const char *text, size_t length)
{
    if (length == 0 || length >= LANGUAGE_SIZE || memchr(text, ':', length)) return false;
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

static Status parse_tmx(PairFiles *files, const char *text, size_t name_length, Error *error)
{
    files->form = PAIR_FORM_TMX;
    const char *languages = text + name_length;
    if (*languages == ':') {
        const char *source = languages + 1;
        const char *target = strchr(source, ':');
        if (!target || !parse_language(files->source_language, source, (size_t)(target - source)) ||
            !parse_language(files->target_language, target + 1, strlen(target + 1)))
            return error_set(
                error, STATUS_ARGUMENT,
                "%s: give a TMX file's languages as FILE.tmx:SOURCE:TARGET, for example "
                "%.*s:en:fr",
                text, (int)name_length, text);
        if (language_match(files->source_language, files->target_language) == LANGUAGE_SAME)
            return error_set(error, STATUS_ARGUMENT,
                             "%s: names one language twice; name the source's and the target's",
                             text);
    }
    files->first = memory_copy_string(text, name_length);
    return files->first ? STATUS_OK : error_memory(error, name_length, "a file name");
}

// Splits `text` at a comma into two names.
static Status split(PairFiles *files, const char *text, const char *comma, Error *error)
{
    pair_files_free(files);
    files->first = memory_copy_string(text, (size_t)(comma - text));
    files->second = memory_copy_string(comma + 1, strlen(comma + 1));
    if (!files->first || !files->second) return error_memory(error, strlen(text), "a file name");
    return STATUS_OK;
}

static Status parse_files(PairFiles *files, const char *text, Error *error)
{
    Status status = STATUS_OK;
    const char *comma = strchr(text, ',');
    for (; comma && !status; comma = strchr(comma + 1, ',')) {
        status = split(files, text, comma, error);
        if (!status && exists(files->first) && exists(files->second)) break;
    }
    if (!comma && !status) status = split(files, text, strchr(text, ','), error);
    if (status) return status;
    files->form = PAIR_FORM_FILES;
    if (!*files->first || !*files->second)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: one of the two names in SOURCE,TARGET is empty", text);
    if (strcmp(files->first, "-") == 0 || strcmp(files->second, "-") == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: standard input cannot be one of two files; for TSV give - alone",
                         text);
    if (tmx_name_length(files->first) || tmx_name_length(files->second))
        return error_set(error, STATUS_ARGUMENT,
                         "%s: a TMX file holds both languages; give it alone", text);
    return STATUS_OK;
}

Status pair_files_parse(PairFiles *files, const char *text, Error *error)
{
    *files = (PairFiles){.form = PAIR_FORM_TSV};
    if (!*text)
        return error_set(error, STATUS_ARGUMENT,
                         "the corpus name is empty; give FILE.tsv or SOURCE,TARGET");
    Status status;
    size_t tmx_length = tmx_name_length(text);
    char *tmx_name = memory_copy_string(text, tmx_length);
    if (!tmx_name) return error_memory(error, tmx_length, "a file name");
    if (tmx_length > 0 && (!strchr(text, ',') || exists(tmx_name))) {
        status = parse_tmx(files, text, tmx_length, error);
    } else if (strchr(text, ',') && !exists(text)) {
        status = parse_files(files, text, error);
    } else {
        files->first = memory_copy_string(text, strlen(text));
        status = files->first ? STATUS_OK : error_memory(error, strlen(text), "a file name");
    }
    memory_free(tmx_name);
    if (status) pair_files_free(files);
    return status;
}

void pair_files_free(PairFiles *files)
{
    memory_free(files->first);
    memory_free(files->second);
    files->first = files->second = NULL;
}
