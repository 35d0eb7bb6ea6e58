#include "metrics/western_punctuation.h"

#include "base/writer.h"

#include <stdbool.h>

// What the rules distinguish. Bytes can stand for characters, as neither the bytes of a longer
// UTF-8 character nor the character itself are ASCII.
typedef enum Kind {
    SIGN = 1,
    POINT = 2,
    DASH = 4,
    DIGIT = 8,
    OTHER = 16,
    NOT_DIGIT = SIGN | POINT | DASH | OTHER,
} Kind;

static Kind kind_of(char c)
{
    if (c >= 'a' && c <= 'z') return OTHER; // most of what is read
    if (c >= '0' && c <= '9') return DIGIT;
    if (c == '.' || c == ',') return POINT;
    if (c == '-') return DASH;
    // the signs of rule 1; mteval also lists the space, but spaces around it would change nothing
    bool sign = (c >= '!' && c <= '&') || (c >= '(' && c <= '+') || c == '/' ||
                (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
    return sign ? SIGN : OTHER;
}

// A pair of bytes that gets spaces in between and around.
typedef struct PairRule {
    unsigned first, second; // the kinds, added up
    bool space_before;      // the pair "ab" becomes " a b", else "a b "
} PairRule;

static void split_signs(Writer *out, const Bytes *line)
{
    size_t written = 0;
    for (size_t i = 0; i < line->length; i++) {
        if (kind_of(line->data[i]) != SIGN) continue;
        char spaced[] = {' ', line->data[i], ' '};
        writer_bytes(out, line->data + written, i - written);
        writer_bytes(out, spaced, sizeof spaced);
        written = i + 1;
    }
    writer_bytes(out, line->data + written, line->length - written);
}

static void split_pairs(Writer *out, const Bytes *line, const PairRule *rule)
{
    size_t written = 0;
    for (size_t i = 0; i + 1 < line->length; i++) {
        const char *pair = &line->data[i];
        if (!(kind_of(pair[0]) & rule->first) || !(kind_of(pair[1]) & rule->second)) continue;
        char spaced[] = {' ', pair[0], ' ', pair[1], ' '};
        writer_bytes(out, line->data + written, i - written);
        writer_bytes(out, spaced + !rule->space_before, sizeof spaced - 1);
        written = ++i + 1;
    }
    writer_bytes(out, line->data + written, line->length - written);
}

Status western_punctuation_split(Bytes *line, Error *error)
{
    static const PairRule rules[] = {
        {NOT_DIGIT, POINT, false},
        {POINT, NOT_DIGIT, true},
        {DIGIT, DASH, false},
    };
    Bytes split = {0};
    Status status = STATUS_OK;
    for (size_t step = 0; step < 4 && !status; step++) {
        bytes_clear(&split);
        Writer out = writer_start(&split, error);
        writer_string(&out, ""); // a line, even if it is empty
        if (step == 0)
            split_signs(&out, line);
        else
            split_pairs(&out, line, &rules[step - 1]);
        status = writer_end(&out);
        if (status) break;
        Bytes swap = *line;
        *line = split;
        split = swap;
    }
    bytes_free(&split);
    return status;
}
