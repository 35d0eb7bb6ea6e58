#include "reading/senses.h"

#include "text/special_tokens.h"
#include "text/utf8.h"

#include <stdlib.h>

static const double LEAST_SHARE = 0.03, WEIGHT_OF_LOWER = 3, WEIGHT_OF_TEXT = 6;

enum { SPELLINGS = 6, LEAST_HAN = 3 };

// What the units of a word stand for; shares are sums of p(y | x).
typedef struct Finding {
    const Lexicon *lexicon;
    const Vocabulary *const *vocabularies;
    Sense senses[SPELLINGS * MAX_UNIT_ENTRIES];
    size_t count;
    size_t runs;   // that have been added
    double weight; // of the units that are being added
    SenseOrigin origin;
    Subwords subwords;
    Bytes said, lower;
} Finding;

static void finding_free(Finding *finding)
{
    subwords_free(&finding->subwords);
    bytes_free(&finding->said);
    bytes_free(&finding->lower);
}

TextView senses_trim(TextView text)
{
    size_t begin = text.length, end = 0;
    for (size_t at = 0; at < text.length;) {
        const size_t first = at;
        if (!utf8_is_letter(utf8_next(text.data, text.length, &at))) continue;
        if (begin > first) begin = first;
        end = at;
    }
    return begin < end ? (TextView){text.data + begin, end - begin} : (TextView){NULL, 0};
}

TextView senses_end(TextView text)
{
    const TextView words = senses_trim(text);
    if (words.length == 0) return (TextView){text.data, 0};
    TextView end = {words.data + words.length, 0};
    end.length = (size_t)(text.data + text.length - end.data);
    for (size_t at = 0; at < end.length;)
        if (!utf8_is_among(utf8_next(end.data, end.length, &at), " \u00a0\u202f.!?…,:。！？，："))
            return (TextView){end.data, 0};
    return end;
}

bool senses_are_several(TextView words)
{
    size_t han = 0;
    for (size_t at = 0; at < words.length;)
        han += utf8_is_han(utf8_next(words.data, words.length, &at));
    return han >= LEAST_HAN || utf8_has(words.data, words.length, utf8_is_space);
}

static bool joins(uint32_t c)
{
    return c == '-' || utf8_is_apostrophe(c) || utf8_is_space(c);
}

bool senses_are_compound(TextView name)
{
    return utf8_has(name.data, name.length, joins);
}

// Of a word, without what surrounds it; a whole text has it all: type 1, 30 % off.
static TextView sense_in(const Finding *finding, const Bytes *text)
{
    return finding->origin == SENSE_OF_WORD ? senses_trim(bytes_view(text)) : bytes_view(text);
}

static Status add_run(Finding *finding, const LexiconRun *run, Error *error)
{
    int32_t ids[MAX_UNIT_TOKENS];
    for (size_t i = 0; i < run->count; i++) ids[i] = run->tokens[i];
    bytes_clear(&finding->said);
    bytes_clear(&finding->lower);
    TRY(vocabulary_decode(finding->vocabularies[1], ids, run->count, &finding->said, error));
    TRY(utf8_append_lowercase(&finding->lower, bytes_text(&finding->said), finding->said.length,
                              error));
    const TextView word = sense_in(finding, &finding->lower);
    const TextView spelling = sense_in(finding, &finding->said);
    finding->runs++;
    if (word.length == 0 || word.length >= MAX_SENSE_BYTES || spelling.length >= MAX_SENSE_BYTES)
        return STATUS_OK;
    Sense sense = {.share = finding->weight * run->p, .origin = finding->origin};
    memcpy(sense.word, word.data, word.length);
    memcpy(sense.spelling, spelling.data, spelling.length);
    size_t place = 0;
    while (place < finding->count && strcmp(finding->senses[place].word, sense.word) != 0) place++;
    if (place == finding->count)
        finding->senses[finding->count++] = sense;
    else
        finding->senses[place].share += sense.share;
    return STATUS_OK;
}

static Status add_unit(Finding *finding, const int32_t *tokens, size_t count, Error *error)
{
    LexiconRun runs[MAX_UNIT_ENTRIES];
    const size_t found = lexicon_find(runs, finding->lexicon, tokens, count);
    for (size_t i = 0; i < found; i++) TRY(add_run(finding, &runs[i], error));
    return STATUS_OK;
}

// Adds the likeliest translation of a unit, if the text is one.
static Status add_unit_of_text(Finding *finding, TextView text, Error *error)
{
    LexiconRun runs[MAX_UNIT_ENTRIES];
    Subwords *subwords = &finding->subwords;
    const bool spaced = !utf8_is_unspaced(utf8_at(text.data, text.length, 0));
    TRY(vocabulary_encode_part(finding->vocabularies[0], text.data, text.length, spaced, subwords,
                               error));
    if (!lexicon_has_text(finding->lexicon, subwords->ids, subwords->count) ||
        lexicon_find(runs, finding->lexicon, subwords->ids, subwords->count) == 0)
        return STATUS_OK;
    return add_run(finding, runs, error);
}

// Adds what the lexicon has of a text as a whole, unless it has it in another spelling.
static Status add_text(Finding *finding, TextView text, SenseOrigin origin, Error *error)
{
    int32_t tokens[MAX_UNIT_TOKENS];
    Subwords *subwords = &finding->subwords;
    if (finding->runs > 0) return STATUS_OK;
    TRY(vocabulary_encode(finding->vocabularies[0], text.data, text.length, subwords, error));
    const size_t count = subwords->count;
    if (count == 0 || count >= MAX_UNIT_TOKENS) return STATUS_OK;
    memcpy(tokens, subwords->ids, count * sizeof *tokens);
    tokens[count] = TOKEN_EOS;
    finding->weight = WEIGHT_OF_TEXT;
    finding->origin = origin;
    Status status = add_unit(finding, tokens, count + 1, error);
    if (!status && finding->runs == 0) status = add_unit_of_text(finding, text, error);
    finding->origin = SENSE_OF_WORD;
    return status;
}

static Status add_spelling(Finding *finding, TextView word, bool glued, Error *error)
{
    Subwords *subwords = &finding->subwords;
    TRY(vocabulary_encode_part(finding->vocabularies[0], word.data, word.length, !glued, subwords,
                               error));
    if (subwords->count == 0 || subwords->count > MAX_UNIT_TOKENS) return STATUS_OK;
    return add_unit(finding, subwords->ids, subwords->count, error);
}

static Status add_spellings(Finding *finding, TextView word, TextView lower, Error *error)
{
    const size_t before = finding->runs;
    const bool unspaced = utf8_is_unspaced(utf8_at(word.data, word.length, 0));
    for (int glued = 0; glued < 2 && (unspaced || finding->runs == before); glued++) {
        finding->weight = WEIGHT_OF_LOWER;
        TRY(add_spelling(finding, lower, glued, error));
        finding->weight = 1;
        if (!text_view_equal(word, lower)) TRY(add_spelling(finding, word, glued, error));
    }
    return STATUS_OK;
}

static bool is_han(const Sense *sense)
{
    return utf8_has(sense->word, strlen(sense->word), utf8_is_han);
}

static int compare(const void *a, const void *b)
{
    const Sense *x = a, *y = b;
    if (!x->origin != !y->origin) return x->origin ? -1 : 1;
    if (x->share != y->share) return x->share > y->share ? -1 : 1;
    return strcmp(x->word, y->word);
}

static void choose(Senses *senses, Finding *finding)
{
    bool han = false;
    double all = 0;
    for (size_t i = 0; i < finding->count; i++) han |= is_han(&finding->senses[i]);
    for (size_t i = 0; i < finding->count; i++) {
        Sense *sense = &finding->senses[i];
        if (han && !is_han(sense) && sense->origin == SENSE_OF_WORD) sense->share = 0;
        all += sense->share;
    }
    qsort(finding->senses, finding->count, sizeof *finding->senses, compare);
    for (size_t i = 0; i < finding->count && i < MAX_SENSES; i++) {
        finding->senses[i].share /= all;
        if (finding->senses[i].share >= LEAST_SHARE)
            senses->items[senses->count++] = finding->senses[i];
    }
}

// Sets a text in lower case but for capitals behind its first character: happy Mother's Day.
static Status lower_initial(Bytes *out, TextView text, Error *error)
{
    size_t at = 0;
    const uint32_t initial = utf8_next(text.data, text.length, &at);
    TRY(utf8_append(out, utf8_to_lower(initial), error));
    return bytes_append(out, text.data + at, text.length - at, error);
}

// Adds what the lexicon has of a text as a whole, of which `words` are what is said, with an end or not.
static Status add_texts(Finding *finding, TextView words, TextView lower, bool ends, Error *error)
{
    FREED_BY(bytes_free) Bytes phrase = {0};
    TRY(lower_initial(&phrase, words, error));
    // a label is as it is written: Well done; what is said is rather in lower case: Well done!
    if (!ends) TRY(add_text(finding, words, SENSE_OF_TEXT, error));
    TRY(add_text(finding, lower, SENSE_OF_LOWER_TEXT, error));
    TRY(add_text(finding, bytes_view(&phrase), SENSE_OF_LOWER_TEXT, error));
    return ends ? add_text(finding, words, SENSE_OF_TEXT, error) : STATUS_OK;
}

// Senses of a word or name or, of a text that stands `alone`, also of the whole.
static Status find(Finding *finding, TextView text, bool alone, Error *error)
{
    FREED_BY(bytes_free) Bytes small = {0};
    const TextView words = senses_trim(text);
    const bool is_word = !utf8_has(words.data, words.length, utf8_is_space);
    const size_t end = senses_are_several(words) ? senses_end(text).length : 0;
    const bool compound = is_word && senses_are_compound(words);
    const bool whole =
        (alone || compound) && words.data == text.data && words.length + end == text.length;
    if (finding->lexicon->count == 0 || words.length == 0) return STATUS_OK;
    TRY(utf8_append_lowercase(&small, words.data, words.length, error));
    const TextView lower = bytes_view(&small);
    if (whole) TRY(add_texts(finding, words, lower, end > 0, error));
    return is_word || !alone ? add_spellings(finding, words, lower, error) : STATUS_OK;
}

Status senses_find(Senses *senses, const Lexicon *lexicon, const Vocabulary *const vocabularies[2],
                   TextView text, bool alone, Error *error)
{
    FREED_BY(finding_free) Finding finding = {.lexicon = lexicon, .vocabularies = vocabularies};
    *senses = (Senses){.count = 0};
    TRY(find(&finding, text, alone, error));
    choose(senses, &finding);
    return STATUS_OK;
}
