#include "align/units.h"

#include "base/array.h"
#include "text/utf8.h"

const char *const unit_kind_names[] = {"words", "characters", NULL};

Status units_append(Units *units, size_t begin, size_t end, Error *error)
{
    assert(begin <= end && (units->count == 0 || units->ends[units->count - 1] <= begin));
    if (end > UINT32_MAX)
        return error_set(
            error, STATUS_ARGUMENT,
            "a text of more than 4294967295 bytes cannot be aligned; split it into sentences");
    size_t capacity = units->capacity, needed = units->count + 1; // of both arrays
    TRY(array_reserve(&units->begins, &capacity, needed, "alignment units", error));
    TRY(array_reserve(&units->ends, &units->capacity, needed, "alignment units", error));
    units->begins[units->count] = (uint32_t)begin;
    units->ends[units->count++] = (uint32_t)end;
    return STATUS_OK;
}

Status units_split(Units *units, UnitKind kind, const char *text, size_t length, Error *error)
{
    units_clear(units);
    size_t begin = 0, at = 0;
    bool inside = false; // a unit runs from `begin` to `at`
    Status status = STATUS_OK;
    for (size_t next = 0; at < length && !status; at = next) {
        uint32_t code_point = utf8_next(text, length, &next);
        bool space = utf8_is_space(code_point);
        bool parts = space || (kind == UNITS_CHARACTERS && !utf8_extends(code_point));
        if (inside && parts) status = units_append(units, begin, at, error);
        if (!inside || parts) begin = at;
        inside = !space;
    }
    if (inside && !status) status = units_append(units, begin, at, error);
    if (status) units_clear(units);
    return status;
}

size_t units_of_subword(const Units *units, uint32_t begin, uint32_t end, size_t *first)
{
    while (*first < units->count && units->ends[*first] <= begin) ++*first;
    size_t last = *first;
    while (last < units->count && units->begins[last] < end) last++;
    if (last == *first && last < units->count) last++; // a space of its own: the next unit
    return last - *first;
}

size_t units_before(const Units *units, size_t place)
{
    size_t unit;
    array_search(unit, 0, units->count, units->begins[unit] < place);
    return unit;
}

void units_free(Units *units)
{
    memory_free(units->begins);
    memory_free(units->ends);
    *units = (Units){0};
}

void units_count_han(const char *text, size_t length, size_t *han, size_t *letters)
{
    for (size_t at = 0; at < length;) {
        uint32_t code_point = utf8_next(text, length, &at);
        bool is_han = utf8_is_han(code_point); // among them U+3007, by category a number
        *han += is_han;
        *letters += is_han || utf8_is_letter(code_point);
    }
}
