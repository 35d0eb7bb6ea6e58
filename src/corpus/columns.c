#define _GNU_SOURCE
#include "corpus/columns.h"

#include "base/memory.h"
#include "corpus/csv.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const header_choices[] = {"auto", "yes", "no", NULL};

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

static Status refuse(const char *text, Error *error)
{
    return error_set(error, STATUS_ARGUMENT,
                     "--columns %s: give the source's and the target's column, by number from 1 to "
                     "%d (2,3) or by their names in the first row (en,fr)",
                     text, MAX_CSV_CELLS);
}

Status columns_parse(Columns *columns, const char *text, Error *error)
{
    *columns = (Columns){.places = {0, 1}};
    if (!text) return STATUS_OK;
    const char *comma = strchr(text, ',');
    if (!comma || comma == text || !comma[1] || strchr(comma + 1, ',')) return refuse(text, error);
    columns->names[0] = memory_copy_string(text, (size_t)(comma - text));
    columns->names[1] = memory_copy_string(comma + 1, strlen(comma + 1));
    if (!columns->names[0] || !columns->names[1])
        return error_memory(error, strlen(text), "the names of columns");
    if (strcasecmp(columns->names[0], columns->names[1]) == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "--columns %s: names one column twice; name the source's and the target's",
                         text);
    if (!is_number(columns->names[0]) || !is_number(columns->names[1])) return STATUS_OK;
    for (int side = 0; side < 2; side++) {
        unsigned long long place = strtoull(columns->names[side], NULL, 10);
        if (place < 1 || place > MAX_CSV_CELLS) return refuse(text, error);
        columns->places[side] = (size_t)place - 1;
    }
    columns_free(columns);
    return STATUS_OK;
}

static TextView trimmed(TextView text)
{
    while (text.length && (*text.data == ' ' || *text.data == '\n')) text.data++, text.length--;
    while (text.length && text.data[text.length - 1] == ' ') text.length--;
    return text;
}

static bool same_name(TextView a, const char *name)
{
    return strlen(name) == a.length && strncasecmp(a.data, name, a.length) == 0;
}

Status columns_find(Columns *columns, const TextView *cells, size_t count, const char *file,
                    Error *error)
{
    for (int side = 0; side < 2 && columns->names[side]; side++) {
        size_t place = 0;
        while (place < count && !same_name(trimmed(cells[place]), columns->names[side])) place++;
        columns->places[side] = place;
        if (place < count) continue;
        Bytes names = {0};
        Status status = STATUS_OK;
        for (size_t i = 0; i < count && !status; i++)
            status = bytes_append_format(&names, error, "%s%.*s", i ? ", " : "",
                                         (int)(cells[i].length < 40 ? cells[i].length : 40),
                                         cells[i].data);
        if (!status)
            status = error_set(error, STATUS_FORMAT,
                               "%s: has no column called %s; its first row: %s; correct --columns",
                               file, columns->names[side], bytes_text(&names));
        bytes_free(&names);
        return status;
    }
    return STATUS_OK;
}

static const char *const WORDS[] = {
    "ar",          "arabic",    "br",       "cn",       "gb",        "hans",    "hant",
    "tw",          "bg",        "ca",       "chinese",  "cs",        "cz",      "czech",
    "da",          "danish",    "de",       "deutsch",  "dutch",     "el",      "en",
    "eng",         "english",   "es",       "et",       "fa",        "fi",      "finnish",
    "fr",          "fra",       "francais", "français", "french",    "german",  "greek",
    "he",          "hebrew",    "hi",       "hindi",    "hr",        "hu",      "hungarian",
    "hypothesis",  "id",        "input",    "it",       "italian",   "ja",      "japanese",
    "ko",          "korean",    "lang",     "language", "lt",        "lv",      "nl",
    "no",          "norwegian", "original", "output",   "pl",        "polish",  "portuguese",
    "pt",          "reference", "ro",       "romanian", "ru",        "russian", "segment",
    "sentence",    "sk",        "sl",       "source",   "spanish",   "sr",      "src",
    "sv",          "swedish",   "target",   "text",     "tgt",       "tr",      "translated",
    "translation", "trg",       "turkish",  "uk",       "ukrainian", "us",      "vi",
    "vietnamese",  "zh",
};

static bool is_word(const char *text, size_t length)
{
    while (length && text[length - 1] >= '0' && text[length - 1] <= '9') length--; // text1, text2
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (same_name((TextView){text, length}, WORDS[i])) return true;
    return false;
}

static bool is_column_name(TextView cell)
{
    bool any = false;
    for (size_t at = 0; at < cell.length;) {
        size_t end = at;
        while (end < cell.length && !strchr(" _-.:()", cell.data[end])) end++;
        if (end > at && !is_word(cell.data + at, end - at)) return false;
        any = any || end > at;
        at = end + 1;
    }
    return any;
}

bool columns_are_names(TextView source, TextView target)
{
    source = trimmed(source);
    target = trimmed(target);
    bool same =
        source.length == target.length && strncasecmp(source.data, target.data, source.length) == 0;
    return !same && is_column_name(source) && is_column_name(target);
}

void columns_free(Columns *columns)
{
    for (int side = 0; side < 2; side++) {
        memory_free(columns->names[side]);
        columns->names[side] = NULL;
    }
}
