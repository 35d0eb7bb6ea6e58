// clang-format off
/* The synchronous grammar: one rule has three right-hand sides, English, French and Chinese, over the same slots.
 *
 * A right-hand side is a line of items parted by spaces:
 *
 *     bread/b       a word. The letters after the slash are its tags: words of two languages that share a tag
 *                   are aligned. A capital is a weak tag: it makes the link possible instead of sure
 *     parce_que/c   two words; the low line is a blank
 *     day/d@N       a word whose tags are those of slot N
 *     $O.the        slot O in some manner (see manner.h): what it gives brings tags of its own
 *     $O.the+J      a noun with the adjective of slot J
 *     @buy/v        a verb, in the form the rule was called with; `@buy.past/v` fixes it, `:O` gives the subject
 *     @se_casser=/c French: a reflexive verb; `=` its participle never agrees, `!` it takes avoir in spite of the rule
 *     <le/o         French: a clitic, kept back and put before the verb
 *     >déjà/d       French: an adverb, kept back and put after the finite verb
 *     du~/d         under negation: French "de" instead; Chinese, the word falls away
 *     看^/v         Chinese: the hat is where the aspect particle of the call goes, if there is one
 *
 * Slots are declared in `slots`, parted by spaces: `O:fruit` a noun of that class, `O:fruit/p` in the plural, `J:@O` an
 * adjective that fits O, `N:2-9` a number, `N:10-50/5` one by fives, `S:subject` a phrase by a rule of that class. In the same
 * string `=3sf` gives the agreement of a rule for people (person, number, gender; 2v is the polite French vous), `*3` the
 * rule's weight. */
// clang-format on
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>

typedef enum Language { ENGLISH, FRENCH, CHINESE, LANGUAGES } Language;

typedef struct Rule {
    const char *classes; // parted by spaces; "sentence" marks a frame
    const char *slots;
    const char *text[LANGUAGES];
} Rule;

typedef struct Noun {
    const char *classes;
    char kind; // c: count, m: mass, p: English plural only
    const char *english;
    const char *english_plural; // "" for the regular one
    char gender;                // m, f; capitals: French plural only
    const char *french;
    const char *french_plural; // "" for the regular one
    const char *chinese;
    const char *measure; // the measure word
} Noun;

typedef struct Adjective {
    const char *classes; // classes of nouns it fits, and names frames may ask for
    const char *english;
    char place; // b: before the French noun, a: after it
    const char *masculine;
    const char *feminine; // "" for the regular one
    const char *chinese;
    char kind; // s: stands before a noun without 的, p: with 的, n: nominal, 是…的 as a predicate
} Adjective;

typedef struct Table {
    const Rule *rules;
    size_t count;
} Table;

typedef struct NounTable {
    const Noun *nouns;
    size_t count;
} NounTable;

extern const Table *const tables[];
extern const size_t table_count;
extern const NounTable *const noun_tables[];
extern const size_t noun_table_count;
extern const Adjective adjectives[];
extern const size_t adjective_count;

// Whether `word` is one of the space-parted words of `list`.
bool has_word(const char *list, const char *word);

// Whether two space-parted lists share a word.
bool share_word(const char *first, const char *second);

// A mistake in the tables: says which, ends the program.
_Noreturn void grammar_fault(const char *what, const char *where);

#endif
