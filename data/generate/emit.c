#include "emit.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TAG_FINAL = 1, TAG_COMMA = 2 }; // ids of punctuation; the n-th comma is TAG_COMMA + n

static void add_id(Tags *tags, unsigned short id, bool weak)
{
    for (size_t i = 0; i < tags->count; i++) {
        if (tags->ids[i] != id) continue;
        tags->weak[i] = tags->weak[i] && weak;
        return;
    }
    assert(tags->count < MAX_TAGS);
    tags->ids[tags->count] = id;
    tags->weak[tags->count++] = weak;
}

void tags_add(Tags *tags, unsigned scope, char letter, bool weak)
{
    add_id(tags, (unsigned short)(scope * 128 + (unsigned)tolower((unsigned char)letter)), weak);
}

void tags_union(Tags *tags, const Tags *more)
{
    for (size_t i = 0; i < more->count; i++) add_id(tags, more->ids[i], more->weak[i]);
}

Tags tags_of(unsigned scope, const char *letters)
{
    Tags tags = {0};
    for (const char *at = letters; *at && *at != '@'; at++)
        tags_add(&tags, scope, *at, isupper((unsigned char)*at));
    return tags;
}

Word *words_add(Words *words, const char *text, Tags tags)
{
    assert(words->count < MAX_WORDS && strlen(text) < WORD_SIZE);
    Word *word = &words->words[words->count++];
    *word = (Word){.tags = tags};
    strcpy(word->text, text);
    return word;
}

static bool is_one_of(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(text, *list) == 0) return true;
    return false;
}

static bool is_final(const char *text)
{
    return is_one_of(text, (const char *const[]){".", "?", "!", "。", "？", "！", NULL});
}

static bool is_comma(const char *text)
{
    return is_one_of(text, (const char *const[]){",", "，", NULL});
}

static void remove_word(Words *words, size_t at)
{
    memmove(&words->words[at], &words->words[at + 1], (words->count - at - 1) * sizeof(Word));
    words->count--;
}

/* Whether the next word begins with a vowel sound, so that le, je, que … lose theirs: é, è, ê, â,
 * î, ô, œ begin with the bytes C3 and C5; an aspirated h and a few others do not elide. */
bool begins_with_vowel(const char *text)
{
    static const char *const aspirated[] = {
        "haut",     "haute",    "hauts",  "hautes",   "huit",     "haricots",  "haricot",
        "hamster",  "hamsters", "hibou",  "hall",     "hamac",    "hamburger", "hamburgers",
        "handball", "hockey",   "homard", "onze",     "oui",      "héros",     "hors",
        "huitième", "onzième",  "hasard", "dix-huit", "ouistiti", NULL};
    if (is_one_of(text, aspirated)) return false;
    if (strcmp(text, "y") == 0 || strcmp(text, "yeux") == 0) return true;
    unsigned char first = (unsigned char)text[0];
    if (first == 0xc3) return (unsigned char)text[1] != 0xa7; // ç
    if (first == 0xc5) return (unsigned char)text[1] == 0x93; // œ
    return strchr("aeiouhAEIOUH", first) != NULL;
}

// Contraction and elision: de le → du, à les → aux, je ai → j'ai. An elided word ends with its
// apostrophe.
static void join_french(Words *words)
{
    static const char *const eliding[] = {"je",      "me",      "te",         "se",        "le",
                                          "la",      "ne",      "de",         "que",       "jusque",
                                          "lorsque", "puisque", "est-ce que", "parce que", NULL};
    for (size_t i = 0; i + 1 < words->count; i++) {
        Word *word = &words->words[i], *next = &words->words[i + 1];
        bool vowel_after = i + 2 < words->count && begins_with_vowel(next[1].text);
        bool article =
            next->kind != WORD_CLITIC &&
            (strcmp(next->text, "les") == 0 || (strcmp(next->text, "le") == 0 && !vowel_after));
        bool plural = next->text[2] == 's';
        if (article && (strcmp(word->text, "de") == 0 || strcmp(word->text, "à") == 0)) {
            strcpy(word->text, word->text[0] == 'd' ? plural ? "des" : "du"
                               : plural             ? "aux"
                                                    : "au");
            tags_union(&word->tags, &next->tags);
            remove_word(words, i + 1);
            continue;
        }
        size_t length = strlen(word->text);
        if (is_one_of(word->text, eliding) && begins_with_vowel(next->text))
            word->text[length - 1] = '\'';
        else if (strcmp(word->text, "si") == 0 && strncmp(next->text, "il", 2) == 0 &&
                 (next->text[2] == '\0' || next->text[2] == 's'))
            word->text[length - 1] = '\'';
    }
}

static bool wants_an(const char *next)
{
    static const char *const yes[] = {"hour", "hour-long", "honest", NULL};
    static const char *const no[] = {"university", "European", "useful", "one",
                                     "uniform",    "used",     "euro",   NULL};
    if (is_one_of(next, yes)) return true;
    return strchr("aeiouAEIOU", next[0]) && !is_one_of(next, no);
}

// a → an; I am → I'm, he will → he'll. A short form begins with its apostrophe.
static void join_english(Words *words, bool short_forms)
{
    static const char *const pronouns[] = {"I", "you", "he", "she", "it", "we", "they", NULL};
    static const char *const forms[][2] = {{"am", "'m"},    {"is", "'s"},    {"are", "'re"},
                                           {"will", "'ll"}, {"have", "'ve"}, {"has", "'s"},
                                           {"would", "'d"}};
    for (size_t i = 0; i + 1 < words->count; i++) {
        Word *word = &words->words[i], *next = &words->words[i + 1];
        if (strcmp(word->text, "a") == 0 && wants_an(next->text)) strcpy(word->text, "an");
        bool ends = i + 2 == words->count || is_final(next[1].text) || is_comma(next[1].text);
        if (!short_forms || next->kind != WORD_CONTRACTS || ends ||
            !is_one_of(word->text, pronouns))
            continue;
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            if (strcmp(next->text, forms[f][0]) == 0) strcpy(next->text, forms[f][1]);
    }
}

// Whether a blank parts this word from the one before it.
static bool parted(const Word *before, const Word *word, Language language)
{
    if (language == CHINESE) return false;
    if (before->text[strlen(before->text) - 1] == '\'') return false;
    if (word->text[0] == '\'' || is_comma(word->text) || strcmp(word->text, ".") == 0) return false;
    if (language == ENGLISH) return !is_final(word->text) && strcmp(word->text, ":") != 0;
    return true; // French parts ? ! : ; from the word
}

// Makes units of a word: one for each part between blanks, or one for each character in Chinese.
static void add_units(Sentence *sentence, const Word *word, bool fresh, Language language)
{
    for (const char *at = word->text; *at; at++) {
        bool lead = ((unsigned char)*at & 0xc0) != 0x80;
        bool begins = language == CHINESE ? lead : at == word->text ? fresh : at[-1] == ' ';
        if (begins) {
            assert(sentence->unit_count < MAX_UNITS);
            sentence->units[sentence->unit_count++] = (Unit){0};
        }
        if (begins || at == word->text)
            tags_union(&sentence->units[sentence->unit_count - 1].tags, &word->tags);
    }
}

// The first letter in upper case: ASCII, or one of à … þ (C3 A0–BE), whose capitals are 0x20 lower.
static void capitalise(char *text)
{
    if ((unsigned char)text[0] == 0xc3 && (unsigned char)text[1] >= 0xa0)
        text[1] = (char)((unsigned char)text[1] - 0x20);
    else
        text[0] = (char)toupper((unsigned char)text[0]);
}

void join(Sentence *sentence, Words *words, Language language, bool short_forms)
{
    if (language == FRENCH) join_french(words);
    if (language == ENGLISH) join_english(words, short_forms);
    *sentence = (Sentence){0};
    size_t length = 0;
    for (size_t i = 0; i < words->count; i++) {
        Word *word = &words->words[i];
        bool fresh = i == 0 || parted(&words->words[i - 1], word, language);
        if (is_final(word->text)) add_id(&word->tags, TAG_FINAL, true);
        if (is_comma(word->text))
            add_id(&word->tags, (unsigned short)(TAG_COMMA + sentence->commas++), true);
        add_units(sentence, word, fresh || language == CHINESE, language);
        if (fresh && i > 0 && language != CHINESE) sentence->text[length++] = ' ';
        assert(length + strlen(word->text) < TEXT_SIZE - 1);
        strcpy(sentence->text + length, word->text);
        length += strlen(word->text);
    }
    capitalise(sentence->text);
}

// 0 no link, 1 possible, 2 sure
static int link_of(const Sentence *source, const Tags *first, const Sentence *target,
                   const Tags *second)
{
    int link = 0;
    // a unit that is punctuation and nothing else has one tag
    bool alone = first->count == 1 || second->count == 1;
    for (size_t i = 0; i < first->count; i++) {
        for (size_t j = 0; j < second->count; j++) {
            if (first->ids[i] != second->ids[j]) continue;
            unsigned id = first->ids[i];
            if (id < 128 && !alone) continue;
            if (id >= TAG_COMMA && id < 128 && source->commas != target->commas) continue;
            int strength = first->weak[i] || second->weak[j] ? 1 : 2;
            if (strength > link) link = strength;
        }
    }
    return link;
}

void format_links(char *text, size_t size, const Sentence *source, const Sentence *target)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < source->unit_count; i++) {
        for (size_t j = 0; j < target->unit_count; j++) {
            int link = link_of(source, &source->units[i].tags, target, &target->units[j].tags);
            if (link == 0) continue;
            assert(length + 16 < size);
            length += (size_t)sprintf(text + length, "%s%zu%c%zu", length ? " " : "", i,
                                      link == 2 ? '-' : '?', j);
        }
    }
}
