/* Checks the committed corpus: `check data`. Names every fault; exit status 1 if there is one. */
#include "text_set.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_SIZE = 512,
    LINE_SIZE = 8192,
    MIN_TRAIN = 11000,
    HELD_OUT = 500,
    MIN_EVERYDAY = 400,
    MIN_EVERYDAY_TEST = 100
};

static size_t faults;

static void fault(const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void fault(const char *path, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%zu: ", path, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    faults++;
}

// One line without its newline; false at the end. CR, NUL and a missing last newline are faults.
static bool read_line(FILE *file, char *line, const char *path, size_t number)
{
    if (!fgets(line, LINE_SIZE, file)) return false;
    size_t length = strlen(line);
    if (length == 0 || line[length - 1] != '\n')
        fault(path, number, "no line feed");
    else
        line[length - 1] = '\0';
    if (strchr(line, '\r')) fault(path, number, "a carriage return");
    return true;
}

/* What a corpus that is NFC here never holds: combining marks U+0300–U+036F (CC 80 – CD AF),
 * doubled or outer blanks, other spaces (C2 A0, E2 80 xx with xx < 90). */
static void check_text(const char *text, const char *path, size_t line)
{
    size_t length = strlen(text);
    if (length == 0) {
        fault(path, line, "an empty side");
        return;
    }
    if (text[0] == ' ' || text[length - 1] == ' ' || strstr(text, "  "))
        fault(path, line, "blanks: %s", text);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        bool combining = at[0] == 0xcc || (at[0] == 0xcd && at[1] < 0xb0);
        bool space =
            (at[0] == 0xc2 && at[1] == 0xa0) || (at[0] == 0xe2 && at[1] == 0x80 && at[2] < 0x90);
        if (combining || space || *at < ' ') fault(path, line, "an unwanted character: %s", text);
    }
}

// Words between blanks, or characters other than blanks.
static size_t count_units(const char *text, bool characters)
{
    size_t units = 0;
    for (const char *at = text; *at; at++) {
        bool lead = ((unsigned char)*at & 0xc0) != 0x80;
        if (characters ? lead && *at != ' ' : *at != ' ' && (at == text || at[-1] == ' ')) units++;
    }
    return units;
}

// Links in range, rising, and at least one sure.
static void check_links(const char *links, size_t sources, size_t targets, const char *path,
                        size_t line)
{
    unsigned long last = 0;
    bool sure = false, first = true;
    char *end;
    for (const char *at = links; *at; at = *end == ' ' ? end + 1 : end) {
        unsigned long i = strtoul(at, &end, 10);
        char kind = *end;
        if (end == at || (kind != '-' && kind != '?')) {
            fault(path, line, "cannot be read: %s", at);
            return;
        }
        const char *second = end + 1;
        unsigned long j = strtoul(second, &end, 10), place = i * LINE_SIZE + j;
        if (end == second || i >= sources || j >= targets) {
            fault(path, line, "out of range: %lu%c%lu of %zu and %zu", i, kind, j, sources,
                  targets);
            return;
        }
        if (!first && place <= last) fault(path, line, "out of order: %lu%c%lu", i, kind, j);
        last = place;
        first = false;
        sure = sure || kind == '-';
    }
    if (!sure) fault(path, line, "no sure link");
}

typedef struct Seen {
    TextSet sources;
    TextSet targets;
} Seen;

/* One file of pairs, perhaps with its links. Its sentences must not be in `seen`; afterwards they
 * are. Returns the number of lines. */
static size_t check_file(const char *directory, const char *pair, const char *name, bool links,
                         Seen *seen)
{
    char path[PATH_SIZE], links_path[PATH_SIZE], line[LINE_SIZE], linked[LINE_SIZE];
    snprintf(path, sizeof path, "%s/%s/%s.tsv", directory, pair, name);
    snprintf(links_path, sizeof links_path, "%s/%s/%s.align", directory, pair, name);
    FILE *file = fopen(path, "r"), *link_file = links ? fopen(links_path, "r") : NULL;
    if (!file || (links && !link_file)) {
        fault(file ? links_path : path, 0, "cannot be opened");
        return 0;
    }
    bool characters = strcmp(pair, "en-zh") == 0;
    size_t rows = 0;
    while (read_line(file, line, path, rows + 1)) {
        rows++;
        char *target = strchr(line, '\t');
        if (!target || strchr(target + 1, '\t')) {
            fault(path, rows, "not two columns");
            continue;
        }
        *target++ = '\0';
        check_text(line, path, rows);
        check_text(target, path, rows);
        if (!text_set_add(&seen->sources, line)) fault(path, rows, "said before: %s", line);
        if (!text_set_add(&seen->targets, target)) fault(path, rows, "said before: %s", target);
        if (!links) continue;
        if (!read_line(link_file, linked, links_path, rows))
            fault(links_path, rows, "missing");
        else
            check_links(linked, count_units(line, false), count_units(target, characters),
                        links_path, rows);
    }
    if (links && read_line(link_file, linked, links_path, rows + 1))
        fault(links_path, rows + 1, "more lines than pairs");
    fclose(file);
    if (link_file) fclose(link_file);
    return rows;
}

static void check_count(const char *pair, const char *name, size_t rows, size_t least)
{
    if (rows < least) fault(pair, rows, "%s has too few rows", name);
    printf("%s %s: %zu\n", pair, name, rows);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: check DIRECTORY\n");
        return 2;
    }
    static const struct {
        const char *name;
        bool links;
        size_t least;
    } files[] = {{"train", true, MIN_TRAIN},
                 {"valid", true, HELD_OUT},
                 {"test", true, HELD_OUT},
                 {"everyday", false, MIN_EVERYDAY},
                 {"everyday-test", false, MIN_EVERYDAY_TEST}};
    static const char *const pairs[] = {"en-fr", "en-zh"};
    Seen *seen = calloc(1, sizeof *seen);
    if (!seen) return 1;
    for (size_t p = 0; p < 2; p++) {
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            size_t rows = check_file(argv[1], pairs[p], files[f].name, files[f].links, seen);
            check_count(pairs[p], files[f].name, rows, files[f].least);
        }
        text_set_free(&seen->sources);
        text_set_free(&seen->targets);
    }
    free(seen);
    printf("%zu faults\n", faults);
    return faults ? 1 : 0;
}
