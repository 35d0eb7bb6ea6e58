#include "align/units.h"

#include "base/array.h"
#include "text/utf8.h"

const char *const unit_kind_names[] = {"words", "characters", NULL};

Status units_split(Spans *units, UnitKind kind, const char *text, size_t length, Error *error)
{
    units->count = 0;
    size_t begin = 0, at = 0;
    bool inside = false; // a unit runs from `begin` to `at`
    Status status = STATUS_OK;
    for (size_t next = 0; at < length && !status; at = next) {
        uint32_t code_point = utf8_next(text, length, &next);
        bool space = utf8_is_space(code_point);
        bool parts = space || (kind == UNITS_CHARACTERS && !utf8_extends(code_point));
        if (inside && parts) status = spans_append(units, (Span){begin, at}, error);
        if (!inside || parts) begin = at;
        inside = !space;
    }
    if (inside && !status) status = spans_append(units, (Span){begin, at}, error);
    if (status) units->count = 0;
    return status;
}

Span units_of_subword(const Spans *units, Span subword, size_t *first)
{
    while (*first < units->count && units->items[*first].end <= subword.begin) ++*first;
    Span found = {*first, *first};
    while (found.end < units->count && units->items[found.end].begin < subword.end) found.end++;
    if (found.end == *first && *first < units->count)
        found.end++; // a space of its own: the next unit
    return found;
}

size_t units_before(const Spans *units, size_t place)
{
    size_t unit;
    array_search(unit, 0, units->count, units->items[unit].begin < place);
    return unit;
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
