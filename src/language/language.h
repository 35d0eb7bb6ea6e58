/* What is known of languages: a row of facts for each. All that the program knows of a single
 * language stands in the table; to add a language is to add a row. Where a language is not known,
 * NULL stands for it, and what holds for most languages is taken to hold. */
#pragma once

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_LANGUAGES = 40 };

// Words that tell whether a mark ends a sentence (reading/sentences.h), without the last full stop.
typedef enum LanguageWords {
    WORDS_BEFORE_NAME,   // abbreviations that something always follows: Mr., e.g.
    WORDS_BEFORE_NUMBER, // abbreviations where a number follows: No. 5
    WORDS_DOUBTFUL,      // abbreviations that may end a sentence: Inc., p.m.
    WORDS_STARTING,      // what often begins a sentence
    WORDS_CAPITAL,       // what has a capital wherever it stands
    WORDS_JOINING,       // what often begins a clause within a sentence
    /* reading/pattern.h, in all languages thirteen rows: dates, those without year, without day; times of
     * whole hours, half hours, hours and minutes; lengths of hours, of hours and minutes; degrees below
     * zero; the first, centuries, floors, other ordinals */
    WORDS_PATTERNS,
    WORDS_BEFORE_DAY,       // an ordinal behind one of these is a day of a month
    WORDS_BEHIND_DAY,       // if it is the last word, or one of these is behind it
    WORDS_BEFORE_TIME,      // one must be before a time, for a length of time is written alike
    WORDS_BEFORE_AFTERNOON, // or one of these, behind noon
    WORDS_BEHIND_DURATION,  // and none of these behind it
    WORDS_MONTHS,           // the twelve, as in dates
    WORDS_COUNTED,          // behind a number (reading/term.h)
    WORDS_MEASURE,          // behind a number, but not behind a name
    WORDS_BEFORE_QUANTITY,  // one of what is behind: had 3.5 children
    WORDS_TITLES,           // before a name, likewise; in Chinese, where they follow it, only read
    WORDS_LISTING,          // between items of a list; in all languages as many, each a translation
    WORDS_OF_SPEECH,        // verbs behind a quotation: "Why?" Anna asked.
    WORDS_NOT_OF_SPEECH,    // what ends like one of these and is none, in a language without blanks
    LANGUAGE_WORD_LISTS,
} LanguageWords;

// Whether a language writes Han.
typedef enum LanguageHan { HAN_NONE, HAN_ALONE, HAN_AMONG_OTHERS } LanguageHan;

// Of a language that is written in two scripts.
typedef struct LanguageScripts {
    const char *tags[2];      // "zh-Hans", "zh-Hant": the first is meant where nothing else is said
    const char *second_name;  // "Chinese (traditional)"
    const char *second_parts; // of tags that mean the second, in lower case
} LanguageScripts;

// What a language has not is left out: NULL, 0 or false. Lists are those of text/word_list.h.
typedef struct Language {
    const char *code;   // ISO 639-1
    const char *name;   // in English
    const char *others; // other codes and names

    // how it is told (language/language_evidence.h)
    const char *words;    // the commonest, in lower case; NULL: it is known by its script
    const char *letters;  // which few other languages have
    uint32_t first, last; // letters of its script, if few other languages write it
    LanguageHan han;

    // how it is written
    unsigned letters_per_word; // on average, where no blanks separate words; else 0
    bool stop_is_no_ordinal;   // 21. is 21 and a full stop, not 21st as in German
    bool nouns_have_capitals;  // so that a capital does not show a name
    const char *quotes[2];     // before and behind what is said, with the spaces between
    const char
        *abbreviations;     // as words, each behind what is short and a colon; %: before a number
    const char *elided;     // words that lose their vowel before another, without it
    const char *not_elided; // words that begin with a vowel before which they keep theirs
    const LanguageScripts *scripts;

    // how numbers and dates are written (reading/magnitude.h, reading/numeral.h, reading/term.h)
    const char *digits;     // as words, each behind its value; -1: before no certain number
    const char *magnitudes; // powers of ten, each behind its exponent, from the least; <: only read
    const char *day_parts;  // each behind the hour where it begins; <: only read, >: only written
    const char *group;      // between thousands; NULL: how it writes numerals is not known
    const char *decimal;    // before tenths
    bool signs_behind;      // 5 € and 5 %, not €5 and 5%
    const char *units;      // words behind a number for symbols, each behind its symbol and a colon
    const char *ordinals;   // endings, each behind what its numbers end with, 0: all; <: only read
    const char *first_ending; // of the number 1, as a day of a month too, if it has another

    // a language without the first of these lists takes those of all
    const char *sentence_words[LANGUAGE_WORD_LISTS];
} Language;

// Those known by their words come first; ends with a row without a code.
extern const Language language_table[];

/* The language of a tag (BCP 47), an ISO 639-3 code or a name, whatever its case: "fr", "fr-CA",
 * "fra", "French", "français". NULL if the table has none, and for NULL. */
const Language *language_of(const char *tag);

// Whether a number with a full stop may be an ordinal, as in German.
static inline bool language_has_ordinals(const Language *language)
{
    return !language || !language->stop_is_no_ordinal;
}

// A list of words; "" if the language has none or is not known.
static inline const char *language_list(const Language *language, LanguageWords list)
{
    const char *words = language ? language->sentence_words[list] : NULL;
    return words ? words : "";
}

/* Whether a list has the word, whatever the case of ASCII's letters; one that is listed with a
 * capital must have it. */
bool language_has_word(const Language *language, LanguageWords list, const char *word,
                       size_t length);

// What a language writes behind a number instead of a symbol; empty: nothing else.
TextView language_unit(const Language *language, TextView symbol);

// Whether a text ends with a verb of speech of a language without blanks between words.
bool language_ends_in_speech(TextView text);

enum { LANGUAGE_SIZE = 64 }; // bytes of a language tag with its NUL; longer tags are cut

typedef enum LanguageMatch { LANGUAGE_OTHER, LANGUAGE_RELATED, LANGUAGE_SAME } LanguageMatch;

/* How well a language tag (BCP 47) matches `wanted`. Case does not matter, and `_` equals `-`.
 * Equal tags are SAME. If `wanted` has no region or script, as `en`, every `en-…` is RELATED to it;
 * `en-US` matches only itself. */
LanguageMatch language_match(const char *wanted, const char *tag);

// Whether a text can be a tag: letters, digits, `-` and `_`, fewer than LANGUAGE_SIZE.
bool language_is_tag(const char *tag);
