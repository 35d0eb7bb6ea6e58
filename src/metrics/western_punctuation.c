#include "metrics/western_punctuation.h"

#include <stdbool.h>
#include <stdint.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_not_digit(char c)
{
    return !is_digit(c);
}

static bool is_point(char c)
{
    return c == '.' || c == ',';
}

static bool is_dash(char c)
{
    return c == '-';
}

// The signs of rule 1. mteval also lists the space; spaces around it would change nothing.
static bool is_sign(char c)
{
    return (c >= '!' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/* A pair of bytes that gets spaces in between and around. Bytes can stand for characters, as
 * neither the bytes of a longer UTF-8 character nor the character itself are ASCII digits. */
typedef struct PairRule {
    bool (*first)(char);
    bool (*second)(char);
    bool space_before; // the pair "ab" becomes " a b", else "a b "
} PairRule;

// Appends a byte for which there is room.
static void put(Bytes *out, char c)
{
    out->data[out->length++] = c;
}

static void split_signs(const Bytes *line, Bytes *out)
{
    for (size_t i = 0; i < line->length; i++) {
        bool sign = is_sign(line->data[i]);
        if (sign) put(out, ' ');
        put(out, line->data[i]);
        if (sign) put(out, ' ');
    }
}

static void split_pairs(const Bytes *line, Bytes *out, const PairRule *rule)
{
    for (size_t i = 0; i < line->length; i++) {
        char first = line->data[i];
        if (i + 1 < line->length && rule->first(first) && rule->second(line->data[i + 1])) {
            if (rule->space_before) put(out, ' ');
            put(out, first);
            put(out, ' ');
            put(out, line->data[++i]);
            if (!rule->space_before) put(out, ' ');
        } else {
            put(out, first);
        }
    }
}

Status western_punctuation_split(Bytes *line, Error *error)
{
    static const PairRule rules[] = {
        {is_not_digit, is_point, false},
        {is_point, is_not_digit, true},
        {is_digit, is_dash, false},
    };
    Bytes out = {0};
    Status status = STATUS_OK;
    for (size_t step = 0; step < 4 && !status; step++) {
        // a rule makes at most three bytes of one
        size_t room = line->length > SIZE_MAX / 3 ? SIZE_MAX : 3 * line->length;
        status = bytes_reserve(&out, room, error);
        if (status) break;
        bytes_clear(&out);
        if (step == 0)
            split_signs(line, &out);
        else
            split_pairs(line, &out, &rules[step - 1]);
        out.data[out.length] = '\0';
        Bytes swap = *line;
        *line = out;
        out = swap;
    }
    bytes_free(&out);
    return status;
}
