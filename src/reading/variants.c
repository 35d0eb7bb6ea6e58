/* The step for what is read as something else that means the same: abbreviations of the language as
 * words, no. 5 as number 5, D.C. as DC, and characters that a vocabulary lacks as others that it
 * has: printers' marks as those of a typewriter, wide forms as narrow ones.
 *
 *     ‘ ’ “ ” « » 「 」    other quotation marks
 *     – —                 - within a word or a number; else a comma, as around a parenthesis
 *     …                   ... or, in Chinese, a comma or at the end a full stop
 *     ; ；                , ，or at the end a full stop
 *     ３ Ａ ％             3 A %
 *     U+200B, U+00AD      nothing
 *
 * What it has stays as it is, and so does what has no variant. */
#include "reading/variants.h"

#include "base/ascii.h"
#include "reading/abbreviation.h"
#include "text/utf8.h"

static const char invisible[] = "\u200b\u00ad\ufeff\u200e\u200f\u2060";
static const char clause_marks[] = "–—―…;；"; // whose variant depends on their place

enum { FIRST_WIDE = 0xFF01, LAST_WIDE = 0xFF5E, WIDE_TO_ASCII = 0xFEE0 };

static bool is_known(const ReadingContext *context, const char *character, size_t length)
{
    return vocabulary_find(context->source, character, length) >= 0;
}

// The first of some characters that the vocabulary has; NULL: none.
static const char *first_known(const ReadingContext *context, const char *const *characters)
{
    while (*characters && !is_known(context, *characters, strlen(*characters))) characters++;
    return *characters;
}

static uint32_t character(const Reading *reading, size_t at)
{
    return utf8_at(bytes_text(&reading->text.text), reading->text.text.length, at);
}

/* Replaces a mark between clauses, such as a dash or a semicolon: a comma or, at the end, a full
 * stop, as Chinese or others write them, without a space before it. */
static Status replace_by_comma(Reading *reading, uint32_t before, size_t begin, size_t end,
                               Error *error)
{
    static const char *const commas[] = {", ", "，"}, *const stops[] = {".", "。"};
    MappedText *text = &reading->text;
    bool wide = utf8_is_unspaced(before), last = end == text->text.length;
    const char *mark = last ? stops[wide] : commas[wide];
    bool spaced = character(reading, end) == ' ';
    size_t length = strlen(mark) - (!last && !wide && spaced);
    if (begin > text->read && text->text.data[begin - 1] == ' ') begin--;
    return mapped_replace(text, begin, end, mark, length, error);
}

// The variant of a character that stands for it wherever it is; NULL: none that is known.
static const char *simple_variant(const ReadingContext *context, uint32_t c, char wide[2])
{
    static const struct {
        const char *characters, *variants[3];
    } table[] = {{"‘’‚′", {"'", "’"}},
                 {"“”„«»″", {"\""}},
                 {"「『", {"“", "\""}},
                 {"」』", {"”", "\""}},
                 {"‐‑−～〜", {"-"}}};
    if (utf8_is_among(c, invisible)) return "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (utf8_is_among(c, table[i].characters)) return first_known(context, table[i].variants);
    if (c < FIRST_WIDE || c > LAST_WIDE) return NULL;
    wide[0] = (char)(c - WIDE_TO_ASCII);
    return is_known(context, wide, 1) ? wide : NULL;
}

bool variants_lack(const ReadingContext *context, TextView text)
{
    for (size_t at = 0, begin = 0; at < text.length; begin = at) {
        char wide[2] = "";
        const uint32_t c = utf8_next(text.data, text.length, &at);
        if (c != ' ' && !is_known(context, text.data + begin, at - begin) &&
            !utf8_is_among(c, clause_marks) && !simple_variant(context, c, wide))
            return true;
    }
    return false;
}

// Replaces a character, unknown to the vocabulary, whose bytes end at *at; a second dash or ellipsis
// is a part of the first.
static Status replace(Reading *reading, uint32_t c, size_t begin, size_t *at, Error *error)
{
    MappedText *text = &reading->text;
    const Bytes *bytes = &text->text;
    uint32_t before = utf8_before(bytes->data, begin);
    bool dash = utf8_is_among(c, "–—―"), ellipsis = c == 0x2026;
    if (dash || ellipsis)
        while (character(reading, *at) == c) (void)utf8_next(bytes->data, bytes->length, at);
    bool tight =
        utf8_is_word(before) && utf8_is_word(character(reading, *at)) && !utf8_is_unspaced(before);
    if (ellipsis && !utf8_is_unspaced(before))
        return mapped_replace(text, begin, *at, "...", 3, error);
    if (dash && (begin == 0 || (tight && c == 0x2013)))
        return mapped_replace(text, begin, *at, "-", 1, error);
    if (utf8_is_among(c, clause_marks)) return replace_by_comma(reading, before, begin, *at, error);
    char wide[2] = "";
    const char *variant = simple_variant(reading->context, c, wide);
    return variant ? mapped_replace(text, begin, *at, variant, strlen(variant), error) : STATUS_OK;
}

// Replaces an abbreviation at the beginning of a word, which keeps its capital, and moves *at behind it.
static Status expand(Reading *reading, size_t begin, size_t *at, Error *error)
{
    const TextView text = bytes_view(&reading->text.text);
    FREED_BY(bytes_free) Bytes words = {0};
    size_t end = begin;
    const TextView meant = abbreviation_at(text, &end, reading->context->languages[0]);
    if (end == begin) return STATUS_OK;
    TRY(bytes_append_view(&words, meant, error));
    for (size_t i = 0; i < words.length; i++)
        if (words.data[i] == '_') words.data[i] = ' ';
    if (ascii_is_capital(text.data[begin]))
        *words.data = (char)utf8_to_upper((uint32_t)*words.data);
    *at = end;
    return mapped_replace(&reading->text, begin, *at, words.data, words.length, error);
}

// Where capitals with a full stop each end, two or more; the place if there are none.
static size_t initials_end(TextView text, size_t begin)
{
    size_t end = begin;
    while (ascii_is_capital(text_view_at(text, end)) && text_view_at(text, end + 1) == '.')
        end += 2;
    const bool goes_on =
        utf8_is_in_word(utf8_at(text.data, text.length, end)) || text_view_at(text, end) == '-';
    return end - begin > 2 && !goes_on ? end : begin;
}

/* Leaves out the full stops of initials, which a model takes for its sentence's end, but for the last if
 * that is where it stands. Among small letters or alone, for US is us in capitals. *at moves behind
 * them. */
static Status join_initials(Reading *reading, bool small, size_t begin, size_t *at, Error *error)
{
    const TextView text = bytes_view(&reading->text.text);
    const size_t end = initials_end(text, begin);
    const bool last = !utf8_has(text.data + end, text.length - end, utf8_is_word) &&
                      !utf8_is_among(character(reading, end), ".,;:!?");
    if (end == begin || !(small || (begin == 0 && last))) return STATUS_OK;
    for (size_t stop = begin + 1; stop < end - last; stop += 2)
        TRY(mapped_replace(&reading->text, stop, stop + 1, "", 0, error));
    *at = end;
    return STATUS_OK;
}

// To a text that has something to see.
static bool applies(const Reading *reading)
{
    const Bytes *text = &reading->text.text;
    for (size_t at = 0; at < text->length;)
        if (!utf8_is_among(utf8_next(text->data, text->length, &at), invisible)) return true;
    return false;
}

static Status read(Reading *reading, Error *error)
{
    const Bytes *text = &reading->text.text;
    const bool small = utf8_has(bytes_text(text), text->length, utf8_is_lower);
    for (size_t at = 0, begin = 0; at < text->length; begin = at) {
        uint32_t c = utf8_next(text->data, text->length, &at);
        if (utf8_is_letter(c) && !utf8_is_inside_word(bytes_view(text), begin)) {
            const size_t next = at;
            TRY(expand(reading, begin, &at, error));
            if (at == next) TRY(join_initials(reading, small, begin, &at, error));
            if (at > next) continue;
        }
        if (!is_known(reading->context, text->data + begin, at - begin))
            TRY(replace(reading, c, begin, &at, error));
    }
    return mapped_finish(&reading->text, error);
}

const ReadingStep variants_step = {"variants", applies, read, NULL};
