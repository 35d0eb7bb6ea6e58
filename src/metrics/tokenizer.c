#include "metrics/tokenizer.h"

#include "base/ascii.h"
#include "base/writer.h"
#include "text/utf8.h"

const char *const bleu_tokenizer_names[] = {"13a", "zh", "none", NULL};

bool white_space_is(uint32_t code_point)
{
    return (code_point >= 0x1C && code_point <= 0x1F) || utf8_is_space(code_point);
}

void white_space_strip(const char **text, size_t *length)
{
    size_t begin = 0, end = 0; // after the leading white space, after the last word
    for (size_t i = 0; i < *length;) {
        if (!white_space_is(utf8_next(*text, *length, &i)))
            end = i;
        else if (!end)
            begin = i;
    }
    *text += begin;
    *length = end ? end - begin : 0;
}

Status white_space_words(const char *text, size_t length, Bytes *line, Error *error)
{
    bool first = true, space = false;
    for (size_t i = 0; i < length;) {
        uint32_t code_point = utf8_next(text, length, &i);
        if (white_space_is(code_point)) {
            space = !first;
            continue;
        }
        if (space) TRY(bytes_append(line, " ", 1, error));
        TRY(utf8_append(line, code_point, error));
        first = space = false;
    }
    return STATUS_OK;
}

// What the rules distinguish. Bytes can stand for characters, as neither the bytes of a longer
// UTF-8 character nor the character itself are ASCII.
typedef enum SignKind {
    SIGN = 1,
    POINT = 2,
    DASH = 4,
    DIGIT = 8,
    OTHER = 16,
    NOT_DIGIT = SIGN | POINT | DASH | OTHER,
} SignKind;

static SignKind kind_of(char c)
{
    if (ascii_is_letter(c)) return OTHER; // most of what is read
    if (ascii_is_digit(c)) return DIGIT;
    if (c == '.' || c == ',') return POINT;
    if (c == '-') return DASH;
    // the signs of rule 1; mteval also lists the space, but spaces around it would change nothing
    return c > ' ' && c <= '~' && c != '\'' ? SIGN : OTHER;
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
    FREED_BY(bytes_free) Bytes split = {0};
    for (size_t step = 0; step < 4; step++) {
        bytes_clear(&split);
        Writer out = writer_start(&split, error);
        writer_string(&out, ""); // a line, even if it is empty
        if (step == 0)
            split_signs(&out, line);
        else
            split_pairs(&out, line, &rules[step - 1]);
        TRY(writer_end(&out));
        Bytes swap = *line;
        *line = split;
        split = swap;
    }
    return STATUS_OK;
}

// Replaces every `from` by `to`, which is not longer, from left to right.
static void replace_all(Bytes *line, const char *from, const char *to)
{
    size_t from_length = strlen(from), to_length = strlen(to), read = 0, written = 0;
    if (!memchr(line->data, from[0], line->length)) return;
    while (read < line->length) {
        if (line->length - read >= from_length && !memcmp(line->data + read, from, from_length)) {
            memcpy(line->data + written, to, to_length);
            read += from_length;
            written += to_length;
        } else {
            line->data[written++] = line->data[read++];
        }
    }
    line->length = written;
    line->data[written] = '\0';
}

static Status resolve_markup(Bytes *out, const char *text, size_t length, Error *error)
{
    static const char *const replacements[][2] = {
        {"<skipped>", ""}, {"-\n", ""},   {"\n", " "},   {"&quot;", "\""},
        {"&amp;", "&"},    {"&lt;", "<"}, {"&gt;", ">"},
    };
    // spaces at both ends, so that punctuation there has a neighbour
    TRY(bytes_append(out, " ", 1, error));
    TRY(bytes_append(out, text, length, error));
    TRY(bytes_append(out, " ", 1, error));
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++)
        replace_all(out, replacements[i][0], replacements[i][1]);
    return STATUS_OK;
}

// Whether sacreBLEU makes this character a token of its own.
static bool is_chinese(uint32_t code_point)
{
    /* In order. sacreBLEU means to include extension B and the compatibility supplement too, but
     * writes their bounds as '\u20000' to '\u2a6d6' and '\u2f800' to '\u2fa1d'. Python reads each
     * of these as two characters: four digits make the first, the fifth digit is the second.
     * Compared as strings, a single character lies between them if it is in U+2001 … U+2A6D or
     * U+2F81 … U+2FA1. So dashes, curly quotes and arrows are split off, and U+20000 and above are
     * not. Scores are comparable only if we do the same. */
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x2001, 0x2A6D}, // for extension B; covers the symbols U+2600 … U+27BF, also listed there
        {0x2E80, 0x2EFF}, // CJK radicals
        {0x2F00, 0x2FDF}, // Kangxi radicals; covers U+2F81 … U+2FA1 from above
        {0x2FF0, 0x2FFF}, // ideographic description
        {0x3000, 0x303F}, // CJK punctuation
        {0x3100, 0x312F}, // bopomofo
        {0x31A0, 0x31BF}, // bopomofo extended
        {0x31C0, 0x31EF}, // CJK strokes
        {0x3200, 0x33FF}, // enclosed CJK, CJK compatibility
        {0x3400, 0x4DB5}, // extension A
        {0x4E00, 0x9FBB}, // CJK unified ideographs as of Unicode 4.1
        {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, // compatibility ideographs
        {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F},                   // vertical and compatibility forms
        {0xFF00, 0xFFEF},                                     // full-width and half-width forms
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code_point >= ranges[i].first; i++)
        if (code_point <= ranges[i].last) return true;
    return false;
}

static Status separate_chinese(Bytes *out, const char *text, size_t length, Error *error)
{
    for (size_t at = 0; at < length;) {
        uint32_t code_point = utf8_next(text, length, &at);
        const char *space = is_chinese(code_point) ? " " : "";
        TRY(bytes_append_string(out, space, error));
        TRY(utf8_append(out, code_point, error));
        TRY(bytes_append_string(out, space, error));
    }
    return STATUS_OK;
}

Status bleu_tokenize(BleuTokenizer tokenizer, const char *text, size_t length, Bytes *line,
                     Error *error)
{
    if (tokenizer == BLEU_NONE) return white_space_words(text, length, line, error);
    white_space_strip(&text, &length); // so a hyphen before a final newline stays
    FREED_BY(bytes_free) Bytes prepared = {0};
    TRY(tokenizer == BLEU_ZH ? separate_chinese(&prepared, text, length, error)
                             : resolve_markup(&prepared, text, length, error));
    TRY(western_punctuation_split(&prepared, error));
    return white_space_words(prepared.data, prepared.length, line, error);
}
