#include "text/language.h"

#include "base/ascii.h"
#include "text/language_table.h"
#include "text/utf8.h"
#include "text/word_list.h"

#include <string.h>

enum { FEWEST_WORDS = 20, MAX_WORD = 40 };
static const double LETTER_WEIGHT = 0.5;  // beside a word's 1
static const double WORDS_PER_SIGN = 4;   // with fewer, a text is no sentence
static const double LETTERS_PER_WORD = 2; // in scripts without blanks
static const double TELLING = 0.2, OVER_EXPECTED = 3, OVER_OTHERS = 2;

/* Marks a language in the entry of each of its words; of its letters, each followed by a NUL. */
static Status index_row(StringMap *index, size_t language, Error *error)
{
    const LanguageRow *row = &language_table[language];
    const char *words = row->words;
    bool added = true;
    for (TextView word; added && word_list_next(&words, &word);) {
        StringMapEntry *entry = string_map_put(index, word.data, word.length, 0, NULL);
        if (entry) entry->value |= (int64_t)1 << language;
        added = entry != NULL;
    }
    for (const char *at = row->letters; *at && added;) {
        char key[5] = {0};
        size_t length = 0;
        (void)utf8_next(at, strlen(at), &length);
        memcpy(key, at, length);
        StringMapEntry *entry = string_map_put(index, key, length + 1, 0, NULL);
        if (entry) entry->value |= (int64_t)1 << language;
        added = entry != NULL;
        at += length;
    }
    return added ? STATUS_OK : error_memory(error, sizeof *index, "the words of languages");
}

// Gives evidence of `weight` to the languages of an entry, a share for each.
static void share_out(LanguageEvidence *evidence, const char *key, size_t length, double weight)
{
    const StringMapEntry *entry = string_map_find(&evidence->index, key, length);
    size_t count = 0;
    if (!entry) return;
    for (size_t i = 0; i < MAX_LANGUAGES; i++) count += entry->value >> i & 1;
    for (size_t i = 0; i < MAX_LANGUAGES; i++)
        if (entry->value >> i & 1) evidence->scores[i] += weight / (double)count;
}

// A word of an alphabet, in lower case.
static void add_word(LanguageEvidence *evidence, const char *word, size_t length)
{
    share_out(evidence, word, length, 1);
    for (size_t at = 0; at < length;) {
        char key[5] = {0};
        size_t begin = at;
        if (utf8_next(word, length, &at) < 0x80) continue;
        memcpy(key, word + begin, at - begin);
        share_out(evidence, key, at - begin + 1, LETTER_WEIGHT);
    }
    evidence->words++;
}

// The language that alone writes this letter's script, of those in the table.
static size_t script_of(uint32_t letter)
{
    for (size_t i = 0; language_table[i].code; i++)
        if (letter >= language_table[i].first && letter <= language_table[i].last) return i;
    return utf8_is_han(letter) ? language_of("zh") : NO_LANGUAGE;
}

static bool has_blanks(size_t script)
{
    if (script == NO_LANGUAGE) return true; // most letters; to look up the others takes long
    return script != language_of("zh") && script != language_of("ja") &&
           script != language_of("th");
}

// Letters of scripts that have no blanks between words.
static void add_unspaced(LanguageEvidence *evidence, const size_t letters[MAX_LANGUAGES])
{
    size_t han = language_of("zh"), kana = language_of("ja"), thai = language_of("th");
    size_t both = letters[han] + letters[kana];
    bool japanese = letters[kana] > 0 && letters[kana] * 8 >= letters[han];
    evidence->scores[japanese ? kana : han] += (double)both / LETTERS_PER_WORD;
    evidence->scores[thai] += (double)letters[thai] / (2 * LETTERS_PER_WORD);
    evidence->words +=
        (double)both / LETTERS_PER_WORD + (double)letters[thai] / (2 * LETTERS_PER_WORD);
}

/* Reads the word at *at, of letters of one kind; an apostrophe ends it, as in "l'". */
static void read_word(LanguageEvidence *evidence, const char *text, size_t length, size_t *at)
{
    char word[MAX_WORD];
    size_t size = 0, script = NO_LANGUAGE;
    while (*at < length) {
        size_t begin = *at;
        uint32_t c = utf8_next(text, length, at);
        bool apostrophe = utf8_is_apostrophe(c);
        bool unspaced = utf8_is_letter(c) && !has_blanks(script_of(c));
        if (unspaced) *at = begin;
        if ((!apostrophe && !utf8_is_letter(c)) || unspaced || size + 4 > MAX_WORD) break;
        if (size == 0) script = script_of(c);
        if (apostrophe)
            word[size++] = '\'';
        else
            memcpy(word + size, text + begin, *at - begin), size += *at - begin;
        if (apostrophe) break;
    }
    if (script == NO_LANGUAGE) {
        add_word(evidence, word, size);
        return;
    }
    evidence->scores[script]++;
    evidence->words++;
}

static void add_lower(LanguageEvidence *evidence, const char *text, size_t length)
{
    size_t letters[MAX_LANGUAGES] = {0};
    for (size_t at = 0; at < length;) {
        size_t begin = at;
        uint32_t c = utf8_next(text, length, &at);
        if (!utf8_is_letter(c)) continue;
        size_t script = script_of(c);
        if (script != NO_LANGUAGE && !has_blanks(script)) {
            letters[script]++;
            continue;
        }
        at = begin;
        read_word(evidence, text, length, &at);
    }
    add_unspaced(evidence, letters);
}

static bool is_sentence(const char *text, size_t length)
{
    static const char SIGNS[] = "{}[]()<>=_|\\/#*+~^@&$";
    double words = 0, signs = 0;
    bool inside = false;
    for (size_t at = 0; at < length;) {
        uint32_t c = utf8_next(text, length, &at);
        bool letter = utf8_is_letter(c), unspaced = letter && !has_blanks(script_of(c));
        words += unspaced ? 1 / LETTERS_PER_WORD : letter && !inside;
        signs += c > 0 && c < 0x80 && strchr(SIGNS, (int)c) != NULL;
        inside = letter && !unspaced;
    }
    return words >= WORDS_PER_SIGN * signs;
}

Status language_evidence_add(LanguageEvidence *evidence, const char *text, size_t length,
                             Error *error)
{
    if (!is_sentence(text, length)) return STATUS_OK;
    for (size_t i = 0; language_table[i].words && !evidence->indexed; i++)
        TRY(index_row(&evidence->index, i, error));
    evidence->indexed = true;
    bytes_clear(&evidence->lower);
    TRY(utf8_append_lowercase(&evidence->lower, text, length, error));
    add_lower(evidence, bytes_text(&evidence->lower), evidence->lower.length);
    return STATUS_OK;
}

void language_evidence_clear(LanguageEvidence *evidence)
{
    memset(evidence->scores, 0, sizeof evidence->scores);
    evidence->words = 0;
}

size_t language_likeliest(const LanguageEvidence *evidence)
{
    size_t best = 0;
    bool alone = true;
    for (size_t i = 1; language_table[i].code; i++) {
        if (evidence->scores[i] > evidence->scores[best])
            best = i, alone = true;
        else if (evidence->scores[i] >= evidence->scores[best])
            alone = false;
    }
    return alone && evidence->scores[best] > 0 ? best : NO_LANGUAGE;
}

size_t language_surely(const LanguageEvidence *evidence, size_t expected)
{
    size_t best = language_likeliest(evidence);
    if (best == NO_LANGUAGE || best == expected || evidence->words < FEWEST_WORDS)
        return NO_LANGUAGE;
    double score = evidence->scores[best];
    if (score < TELLING * evidence->words) return NO_LANGUAGE;
    for (size_t i = 0; language_table[i].code; i++) {
        double times = i == expected ? OVER_EXPECTED : OVER_OTHERS;
        if (i != best && score < times * evidence->scores[i]) return NO_LANGUAGE;
    }
    return best;
}

void language_evidence_free(LanguageEvidence *evidence)
{
    bytes_free(&evidence->lower);
    string_map_free(&evidence->index);
    *evidence = (LanguageEvidence){0};
}

// ASCII only: the result must not depend on the locale.
static char folded(char c)
{
    return c == '_' ? '-' : ascii_to_small(c);
}

LanguageMatch language_match(const char *wanted, const char *tag)
{
    bool has_subtag = false;
    for (; *wanted && folded(*wanted) == folded(*tag); wanted++, tag++)
        if (folded(*wanted) == '-') has_subtag = true;
    if (*wanted) return LANGUAGE_OTHER;
    if (!*tag) return LANGUAGE_SAME;
    return folded(*tag) == '-' && !has_subtag ? LANGUAGE_RELATED : LANGUAGE_OTHER;
}

bool language_is_tag(const char *tag)
{
    size_t length = strlen(tag);
    for (size_t i = 0; i < length; i++) {
        char c = folded(tag[i]);
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-') return false;
    }
    return length > 0 && length < LANGUAGE_SIZE;
}

size_t language_of(const char *tag)
{
    size_t length = strcspn(tag, "-_");
    for (size_t i = 0; language_table[i].code; i++) {
        const LanguageRow *row = &language_table[i];
        if (word_list_find(row->code, tag, length) || word_list_find(row->name, tag, length) ||
            word_list_find(row->others, tag, length))
            return i;
    }
    return NO_LANGUAGE;
}

const char *language_code(size_t language)
{
    return language_table[language].code;
}

const char *language_name(size_t language)
{
    return language_table[language].name;
}
