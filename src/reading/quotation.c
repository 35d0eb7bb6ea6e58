/* The step for quotation marks and brackets. Those around a sentence are taken off, and the target's put
 * around its translation; others are read as the pair that the language writes, of which corpora have
 * most:
 *
 *     ‘Why?’                  Why?                  « Pourquoi ? »
 *     (I am tired.)           I am tired.           (Je suis fatigué.)
 *     “I am tired.            I am tired.           of a quotation that goes on: « Je suis fatigué.
 *     “Come,” she said.       "Come," she said.
 *
 * What a model says of a sentence that has its marks in pairs has pairs, too. Where it has said one of
 * two, the other is put at the end of the text where the source has it, or else that one is left out. */
#include "reading/reading.h"
#include "text/utf8.h"

enum { MAX_MARKS = 32, NO_PARTNER = MAX_MARKS };

// What opens and closes, and, of a bracket, how languages without Han and those with it write it.
typedef struct MarkPair {
    const char *sides[2], *narrow[2], *wide[2];
} MarkPair;

static const MarkPair pairs[] = {
    {{"\"", "\""}, {NULL}, {NULL}},         {{"“", "”"}, {NULL}, {NULL}},
    {{"«", "»"}, {NULL}, {NULL}},           {{"‹", "›"}, {NULL}, {NULL}},
    {{"「", "」"}, {NULL}, {NULL}},         {{"『", "』"}, {NULL}, {NULL}},
    {{"‘", "’"}, {NULL}, {NULL}},           {{"'", "'"}, {NULL}, {NULL}},
    {{"(", ")"}, {"(", ")"}, {"（", "）"}}, {{"（", "）"}, {"(", ")"}, {"（", "）"}},
    {{"[", "]"}, {"[", "]"}, {"[", "]"}},   {{"【", "】"}, {"[", "]"}, {"【", "】"}},
};

enum { PAIRS = sizeof pairs / sizeof *pairs };

typedef struct Mark {
    Span place;
    size_t pair; // of the table
    bool closes;
    size_t partner; // among the marks, or NO_PARTNER
} Mark;

typedef struct Marks {
    Mark items[MAX_MARKS]; // (count) in order
    size_t count;
    bool too_many;
} Marks;

static bool is_one(uint32_t c, const char *mark)
{
    return c != 0 && utf8_is_among(c, mark);
}

// The pair one of whose sides a character is; PAIRS: none.
static size_t pair_of(uint32_t c, bool closes)
{
    size_t pair = 0;
    while (pair < PAIRS && !is_one(c, pairs[pair].sides[closes])) pair++;
    return pair;
}

// A letter or number where words have spaces between them.
static bool is_of_word(uint32_t c)
{
    return utf8_is_word(c) && !utf8_is_unspaced(c);
}

// The last mark that waits for a character to close it; NO_PARTNER: none.
static size_t waiting_for(const Marks *marks, uint32_t c)
{
    for (size_t i = marks->count; i-- > 0;)
        if (!marks->items[i].closes && marks->items[i].partner == NO_PARTNER &&
            is_one(c, pairs[marks->items[i].pair].sides[1]))
            return i;
    return NO_PARTNER;
}

// Adds the mark at a place, if there is one; an apostrophe is one only with its partner.
static void add_mark(Marks *marks, TextView text, Span place)
{
    uint32_t c = utf8_at(text.data, text.length, place.begin);
    uint32_t before = utf8_before(text.data, place.begin);
    uint32_t behind = utf8_at(text.data, text.length, place.end);
    size_t opened = pair_of(c, false), closed = pair_of(c, true);
    bool apostrophe = utf8_is_apostrophe(c), straight = opened == closed;
    if (apostrophe && is_of_word(before) && is_of_word(behind)) return;
    bool apart = before == ' ' || place.begin == 0, bare = behind == 0 || behind == ' ';
    if (straight && (is_of_word(before) || (bare && !apart))) opened = PAIRS;
    size_t partner =
        straight && opened < PAIRS && apart && !bare ? NO_PARTNER : waiting_for(marks, c);
    if (partner == NO_PARTNER && opened == PAIRS && (closed == PAIRS || apostrophe)) return;
    if (marks->count == MAX_MARKS) {
        marks->too_many = true;
        return;
    }
    Mark mark = {place, opened, partner != NO_PARTNER || opened == PAIRS, partner};
    if (mark.closes) mark.pair = closed;
    if (partner != NO_PARTNER) {
        mark.pair = marks->items[partner].pair;
        marks->items[partner].partner = marks->count;
    }
    marks->items[marks->count++] = mark;
}

static Marks find_marks(TextView text)
{
    Marks marks = {.count = 0};
    for (size_t at = 0, begin = 0; at < text.length; begin = at) {
        uint32_t c = utf8_next(text.data, text.length, &at);
        if (c != ' ' && !utf8_is_word(c)) add_mark(&marks, text, (Span){begin, at});
    }
    return marks;
}

// Whether a mark lacks its partner; an apostrophe has none.
static bool is_alone(const Mark *mark)
{
    return mark->partner == NO_PARTNER && strcmp(pairs[mark->pair].sides[0], "'") != 0;
}

static bool is_quote(const Mark *mark)
{
    return !pairs[mark->pair].narrow[0];
}

// A side of a pair as a language writes it.
static const char *written(const Mark *mark, bool closes, const Language *language)
{
    const MarkPair *pair = &pairs[mark->pair];
    if (language && is_quote(mark) && language->quotes[closes]) return language->quotes[closes];
    if (!language || is_quote(mark)) return pair->sides[closes];
    return language->han == HAN_NONE ? pair->narrow[closes] : pair->wide[closes];
}

// The mark with which a text begins, or ends; NULL: none.
static const Mark *mark_at_edge(const Marks *marks, TextView text, bool last)
{
    if (marks->count == 0) return NULL;
    const Mark *mark = &marks->items[last ? marks->count - 1 : 0];
    bool there = last ? mark->place.end == text.length : mark->place.begin == 0;
    return there && mark->closes == last ? mark : NULL;
}

/* The mark before or behind a whole sentence: its partner is at the other edge, or in another sentence,
 * which this one's end shows. NULL: none. */
static const Mark *mark_around(const Marks *marks, TextView text, bool last)
{
    const Mark *mark = mark_at_edge(marks, text, last);
    if (!mark || !utf8_has(text.data, text.length, utf8_is_letter)) return NULL;
    const Mark *other = mark_at_edge(marks, text, !last);
    if (mark->partner != NO_PARTNER)
        return other && other == &marks->items[mark->partner] ? mark : NULL;
    bool ends = utf8_is_among(utf8_before(text.data, mark->place.begin), " .,!?…。，！？");
    return is_alone(mark) && (!last || ends) ? mark : NULL;
}

// Whether some mark is alone, but for those around the sentence.
static bool is_odd(const Marks *marks, TextView text)
{
    const Mark *first = mark_around(marks, text, false), *last = mark_around(marks, text, true);
    for (size_t i = 0; i < marks->count; i++) {
        const Mark *mark = &marks->items[i];
        if (is_alone(mark) && mark != first && mark != last) return true;
    }
    return marks->too_many;
}

// A mark with the space that is between it and what it encloses.
static Span with_space(TextView text, const Mark *mark)
{
    Span span = mark->place;
    if (mark->closes)
        span.begin -= span.begin > 0 && text.data[span.begin - 1] == ' ';
    else
        span.end += text_view_at(text, span.end) == ' ';
    return span;
}

static Status replace(MappedText *text, const Mark *mark, const char *with, Error *error)
{
    Span span = with_space(bytes_view(&text->text), mark);
    if (span.begin < text->read) span.begin = mark->place.begin; // the space was another's
    return mapped_replace(text, span.begin, span.end, with, strlen(with), error);
}

// Replaces the end of a text from a place, all of which belongs to the last character before that then.
static Status replace_end(MappedText *text, size_t begin, const char *with, Error *error)
{
    FREED_BY(bytes_free) Bytes end = {0};
    const Bytes *bytes = &text->text;
    char last[4];
    size_t length = begin > 0 ? utf8_encode(utf8_before(bytes->data, begin), last) : 0;
    if (length > begin || memcmp(bytes->data + begin - length, last, length) != 0) length = 0;
    TRY(bytes_append(&end, bytes->data + begin - length, length, error));
    TRY(bytes_append_string(&end, with, error));
    TRY(mapped_replace(text, begin - length, bytes->length, end.data, end.length, error));
    return mapped_finish(text, error);
}

static bool applies(const Reading *reading)
{
    return !reading->begun;
}

// Takes the marks off that are around the sentence, and writes the others as its language does.
static Status read(Reading *reading, Error *error)
{
    MappedText *text = &reading->text;
    const TextView view = bytes_view(&text->text);
    const Language *const *languages = reading->context->languages;
    const Marks marks = find_marks(view);
    const Mark *first = mark_around(&marks, view, false), *last = mark_around(&marks, view, true);
    reading->paired = !is_odd(&marks, view);
    const size_t behind = last ? view.length - with_space(view, last).begin : 0;
    for (size_t i = 0; i < marks.count; i++) {
        const Mark *mark = &marks.items[i];
        const char *own = mark == first ? "" : written(mark, mark->closes, languages[0]);
        bool changes = mark == first || (is_quote(mark) && mark->partner != NO_PARTNER &&
                                         !strstr(own, pairs[mark->pair].sides[mark->closes]));
        if (changes && mark != last) TRY(replace(text, mark, own, error));
    }
    TRY(mapped_finish(text, error));
    if (first) reading->around[0] = written(first, false, languages[1]);
    if (last) reading->around[1] = written(last, true, languages[1]);
    return last ? replace_end(text, text->text.length - behind, "", error) : STATUS_OK;
}

// Whether two marks are quotation marks, or the same bracket in any width.
static bool are_alike(const Mark *a, const Mark *b)
{
    const char *one = pairs[a->pair].narrow[0], *other = pairs[b->pair].narrow[0];
    return one && other ? strcmp(one, other) == 0 : one == other;
}

// Makes a pair of two marks that are alone, one behind the other, as of "Oui » and (10）.
static void join_unlike(Marks *marks)
{
    for (size_t i = 0; i < marks->count; i++) {
        Mark *close = &marks->items[i];
        for (size_t j = i; j-- > 0 && close->closes && is_alone(close);) {
            Mark *open = &marks->items[j];
            if (open->closes || !is_alone(open) || !are_alike(open, close)) continue;
            open->partner = i;
            close->partner = j;
            close->pair = open->pair;
        }
    }
}

// The mark with which what was said must begin or end if one in it lacks that; NULL: none.
static const char *missing_at_edge(const Reading *reading, const Marks *said, TextView text,
                                   bool last)
{
    const TextView source = bytes_view(&reading->text.text);
    const Marks given = find_marks(source);
    const Mark *mark = mark_at_edge(&given, source, last);
    if (!mark || !is_quote(mark) || mark_at_edge(said, text, last)) return NULL;
    for (size_t i = 0; i < said->count; i++)
        if (is_alone(&said->items[i]) && is_quote(&said->items[i]) && said->items[i].closes != last)
            return written(mark, last, reading->context->languages[1]);
    return NULL;
}

// Gives marks in what was said a partner or leaves them out, and writes quotation marks as the target
// does, and brackets without a space within.
static Status pair_marks(const Reading *reading, MappedText *said, Error *error)
{
    const TextView text = bytes_view(&said->text);
    const Language *target = reading->context->languages[1];
    Marks marks = find_marks(text);
    join_unlike(&marks);
    const char *begin = missing_at_edge(reading, &marks, text, false);
    const char *end = missing_at_edge(reading, &marks, text, true);
    bool stays[2] = {end != NULL, begin != NULL}; // the next that is alone, and opens or closes
    if (begin) TRY(mapped_replace(said, 0, 0, begin, strlen(begin), error));
    for (size_t i = 0; i < marks.count; i++) {
        const Mark *mark = &marks.items[i];
        const char *with = is_alone(mark)   ? ""
                           : is_quote(mark) ? written(mark, mark->closes, target)
                                            : pairs[mark->pair].sides[mark->closes];
        if (is_alone(mark) && is_quote(mark) && stays[mark->closes])
            stays[mark->closes] = false;
        else if (is_alone(mark) || mark->partner != NO_PARTNER)
            TRY(replace(said, mark, with, error));
    }
    TRY(mapped_finish(said, error));
    return end ? replace_end(said, said->text.length, end, error) : STATUS_OK;
}

static Status write(const Reading *reading, MappedText *said, Error *error)
{
    const char *const *around = reading->around;
    if (reading->paired) TRY(pair_marks(reading, said, error));
    if (said->text.length == 0) return STATUS_OK;
    if (around[0]) TRY(mapped_replace(said, 0, 0, around[0], strlen(around[0]), error));
    TRY(mapped_finish(said, error));
    return around[1] ? replace_end(said, said->text.length, around[1], error) : STATUS_OK;
}

const ReadingStep quotation_step = {"quotation", applies, read, write};
