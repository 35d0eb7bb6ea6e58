#include "text/repetition.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/utf8.h"

#include <string.h>

enum { MIN_LETTERS = 5, MIN_HAN = 2, MAX_UNITS = 12 };

// A word or a character of Han.
typedef struct Unit {
    size_t begin, end;
    size_t letters, han;
    bool apart; // something other than spaces is before it
} Unit;

typedef struct Units {
    Unit *items; // (count)
    size_t count, capacity;
} Units;

static Status read_units(Units *units, const char *text, size_t length, Error *error)
{
    bool apart = true, inside = false;
    for (size_t at = 0, begin = 0; at < length; begin = at) {
        uint32_t c = utf8_next(text, length, &at);
        bool han = utf8_is_han(c);
        if (!utf8_is_letter(c)) {
            apart |= c != ' ';
            inside = false;
            continue;
        }
        if (!inside || han) {
            TRY(array_reserve(&units->items, &units->capacity, units->count + 1, "words", error));
            units->items[units->count++] = (Unit){.begin = begin, .apart = apart};
        }
        Unit *unit = &units->items[units->count - 1];
        unit->end = at;
        unit->letters += !han;
        unit->han += han;
        apart = false;
        inside = !han;
    }
    return STATUS_OK;
}

// Whether two runs of `count` units stand one behind the other, and are the same.
static bool are_repeated(const Unit *units, size_t count, const char *text)
{
    size_t letters = 0, han = 0;
    for (size_t i = 0; i < count; i++) {
        const Unit *one = &units[i], *other = &units[i + count];
        size_t size = one->end - one->begin;
        if ((i > 0 && one->apart) || other->apart || other->end - other->begin != size ||
            memcmp(text + one->begin, text + other->begin, size) != 0)
            return false;
        letters += one->letters;
        han += one->han;
    }
    return letters >= MIN_LETTERS || han >= MIN_HAN;
}

Status repetition_find(bool *repeats, const char *text, size_t length, Error *error)
{
    Units units = {0};
    Status status = read_units(&units, text, length, error);
    *repeats = false;
    for (size_t i = 0; i < units.count && !status && !*repeats; i++)
        for (size_t n = 1; n <= MAX_UNITS && i + 2 * n <= units.count && !*repeats; n++)
            *repeats = are_repeated(&units.items[i], n, text);
    memory_free(units.items);
    return status;
}
