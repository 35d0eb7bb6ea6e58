#include "language/language_evidence.h"

#include "text/utf8.h"
#include "text/word_list.h"

enum { FEWEST_WORDS = 20, MAX_WORD = 40 };
enum { HAN_ONE = 0x4E00, HAN_PER_OWN = 8 }; // 一; characters of Han beside one of another script
static const double LETTER_WEIGHT = 0.5;    // beside a word's 1
static const double WORDS_PER_SIGN = 4;     // with fewer, a text is no sentence
static const double TELLING = 0.2, OVER_EXPECTED = 3, OVER_OTHERS = 2;

static bool mark(StringMap *index, const char *key, size_t length, int64_t bit)
{
    StringMapEntry *entry = string_map_put(index, key, length, 0, NULL);
    if (entry) entry->value |= bit;
    return entry != NULL;
}

/* Marks a language in the entry of each of its words; of its letters, each followed by a NUL. */
static Status index_row(StringMap *index, size_t language, Error *error)
{
    const char *words = language_table[language].words, *letters = language_table[language].letters;
    const int64_t bit = (int64_t)1 << language;
    bool added = true;
    for (TextView word; added && word_list_next(&words, &word);)
        added = mark(index, word.data, word.length, bit);
    for (size_t at = 0, length = letters ? strlen(letters) : 0; at < length && added;) {
        char key[5] = {0};
        size_t begin = at;
        (void)utf8_next(letters, length, &at);
        memcpy(key, letters + begin, at - begin);
        added = mark(index, key, at - begin + 1, bit);
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

static bool is_letter_of(const Language *language, uint32_t letter)
{
    return letter >= language->first && letter <= language->last;
}

// The place of the language that alone writes this letter's script, or alone writes nothing but Han.
static size_t script_of(uint32_t letter)
{
    bool han = utf8_is_han(letter);
    for (size_t i = 0; language_table[i].code; i++) {
        const Language *language = &language_table[i];
        if (!language->words && (han ? language->han == HAN_ALONE : is_letter_of(language, letter)))
            return i;
    }
    return MAX_LANGUAGES;
}

static bool is_unspaced(size_t script)
{
    return script < MAX_LANGUAGES && language_table[script].letters_per_word > 0;
}

/* Letters of scripts that have no blanks between words. A language that writes Han among its own
 * letters has all of both, if its own are enough; else they are of the one that writes nothing
 * else. */
static void add_unspaced(LanguageEvidence *evidence, size_t letters[MAX_LANGUAGES])
{
    size_t han = script_of(HAN_ONE);
    for (size_t i = 0; language_table[i].code; i++) {
        if (language_table[i].han != HAN_AMONG_OTHERS || letters[i] == 0) continue;
        bool enough = letters[i] * HAN_PER_OWN >= letters[han];
        size_t taker = enough ? i : han, giver = enough ? han : i;
        letters[taker] += letters[giver];
        letters[giver] = 0;
    }
    for (size_t i = 0; language_table[i].code; i++) {
        if (letters[i] == 0) continue;
        double words = (double)letters[i] / language_table[i].letters_per_word;
        evidence->scores[i] += words;
        evidence->words += words;
    }
}

/* Reads the word at *at, of letters of one kind; an apostrophe ends it, as in "l'". */
static void read_word(LanguageEvidence *evidence, const char *text, size_t length, size_t *at)
{
    char word[MAX_WORD];
    size_t size = 0, script = MAX_LANGUAGES;
    while (*at < length) {
        size_t begin = *at;
        uint32_t c = utf8_next(text, length, at);
        bool apostrophe = utf8_is_apostrophe(c);
        bool unspaced = utf8_is_letter(c) && is_unspaced(script_of(c));
        if (unspaced) *at = begin;
        if ((!apostrophe && !utf8_is_letter(c)) || unspaced || size + 4 > MAX_WORD) break;
        if (size == 0) script = script_of(c);
        if (apostrophe)
            word[size++] = '\'';
        else
            memcpy(word + size, text + begin, *at - begin), size += *at - begin;
        if (apostrophe) break;
    }
    if (script == MAX_LANGUAGES) {
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
        if (is_unspaced(script)) {
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
        bool letter = utf8_is_letter(c);
        size_t script = letter ? script_of(c) : MAX_LANGUAGES;
        bool unspaced = is_unspaced(script);
        words += unspaced ? 1.0 / language_table[script].letters_per_word : letter && !inside;
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

double language_evidence_for(const LanguageEvidence *evidence, const Language *language)
{
    return language ? evidence->scores[language - language_table] : 0;
}

uint64_t language_scripts(const TextView *texts, size_t count)
{
    size_t letters[MAX_LANGUAGES] = {0}, han = 0, all = 0;
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t at = 0; at < texts[i].length;) {
            uint32_t c = utf8_next(texts[i].data, texts[i].length, &at);
            all += utf8_is_letter(c);
            han += utf8_is_han(c);
            for (size_t k = 0; language_table[k].code; k++)
                letters[k] += is_letter_of(&language_table[k], c);
        }
    for (size_t k = 0; language_table[k].code; k++) {
        const Language *language = &language_table[k];
        bool writes_han = language->han == HAN_ALONE || (language->han && letters[k] > 0);
        found |= (uint64_t)(2 * (letters[k] + writes_han * han) > all) << k;
    }
    return found;
}

const Language *language_likeliest(const LanguageEvidence *evidence)
{
    const Language *best = language_table;
    bool alone = true;
    for (const Language *other = best + 1; other->code; other++) {
        double more =
            language_evidence_for(evidence, other) - language_evidence_for(evidence, best);
        if (more > 0) best = other;
        if (more >= 0) alone = more > 0;
    }
    return alone && language_evidence_for(evidence, best) > 0 ? best : NULL;
}

const Language *language_surely(const LanguageEvidence *evidence, const Language *expected)
{
    const Language *best = language_likeliest(evidence);
    double score = language_evidence_for(evidence, best);
    if (!best || best == expected || evidence->words < FEWEST_WORDS ||
        score < TELLING * evidence->words)
        return NULL;
    for (const Language *other = language_table; other->code; other++) {
        double times = other == expected ? OVER_EXPECTED : OVER_OTHERS;
        if (other != best && score < times * language_evidence_for(evidence, other)) return NULL;
    }
    return best;
}

void language_evidence_free(LanguageEvidence *evidence)
{
    bytes_free(&evidence->lower);
    string_map_free(&evidence->index);
    *evidence = (LanguageEvidence){0};
}
