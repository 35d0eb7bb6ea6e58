/* A lexicon (Arthur, Neubig & Nakamura 2016, "Incorporating discrete translation lexicons into neural
 * machine translation"): what words stand for in training. A network has seen a word that the
 * vocabulary has only in pieces too seldom to know it from others with the same pieces; counting needs
 * to see it twice. Search mixes the two (model/lexical_search.h). Any word alone, and any short text
 * that training has, is looked up (reading/senses.h).
 *
 * A unit is a run of 1 to MAX_UNIT_TOKENS source tokens, of which the last may be </s>: then it is a
 * whole text. It has up to MAX_UNIT_ENTRIES translations, runs of target tokens, each with
 * p(translation | unit); none if it is a word that training has, translated in many ways. Training may
 * have it as a whole text, too, translated by the likeliest. In a model file, two tensors or none:
 *
 *     lexicon.edges   U8 (V_s)    what each source token begins and ends with (LexiconEdge)
 *     lexicon.units   U16         the units, by their tokens in ascending order: a head, of the
 *                                 number of tokens + 256 × that of translations, + 128 if it is a
 *                                 text, too, the tokens, and of each translation, the likeliest
 *                                 first, a head, of the number of tokens + 256 × 255 p, and the
 *                                 tokens
 *
 * so that vocabularies of more than 65,536 tokens have no lexicon. */
#pragma once

#include "io/safetensors.h"
#include "model/config.h"

enum { MAX_UNIT_TOKENS = 24, MAX_UNIT_ENTRIES = 5, MAX_LEXICON_TOKENS = 1 << 16 };
enum { UNIT_IS_TEXT = 128 };

/* What a token begins and ends with, as its bits. A word of letters is never cut; Han characters are
 * no such letters, and a unit may begin and end between any two. */
typedef enum LexiconEdge {
    EDGE_SPACE = 1,  // begins with a space
    EDGE_BEGINS = 2, // else with a letter
    EDGE_ENDS = 4,   // ends with a letter
    EDGE_WORD = 8,   // has a letter or a Han character somewhere
    EDGE_NAME = 16,  // has a capital first, and is several tokens in lower case
} LexiconEdge;

typedef struct Lexicon {
    const uint8_t *edges;  // (V_s)
    const uint16_t *units; // (size)
    size_t size;
    uint32_t *places; // (count) where each unit begins; owned
    size_t count;     // 0: the model has no lexicon
    void *owned[2];   // memory of edges and units, where they are not in an open file
} Lexicon;

#define LEXICON_PREFIX "lexicon."

// The names of its tensors, and NULL.
extern const char *const lexicon_tensors[];

/* Reads and checks the lexicon of an open file, whose memory it points to: STATUS_FORMAT if
 * something is missing, out of order or out of range. It is empty if the file has none. Ends with
 * lexicon_free, after a failure too. */
Status lexicon_read(Lexicon *lexicon, const SafetensorsFile *file, const char *path,
                    const ModelConfig *config, Error *error);

// Adds its tensors, if it has any, to a writer, which refers to them until it has saved.
Status lexicon_write(const Lexicon *lexicon, SafetensorsWriter *writer, const ModelConfig *config,
                     Error *error);

void lexicon_free(Lexicon *lexicon);

/* The order of units in a lexicon: of one, which begins with its head, and of tokens (count), as of words
 * in a dictionary. */
int lexicon_compare(const uint16_t *unit, const uint16_t *tokens, size_t count);

// Whether two neighbouring tokens, of these edges, are of one word.
static inline bool lexicon_joins(uint8_t left, uint8_t right)
{
    return (left & EDGE_ENDS) && (right & EDGE_BEGINS);
}

// A translation of a unit, with p(translation | unit).
typedef struct LexiconRun {
    const uint16_t *tokens; // (count)
    size_t count;
    double p;
} LexiconRun;

// Whether it has a unit of these tokens, with or without translations.
bool lexicon_has(const Lexicon *lexicon, const int32_t *tokens, size_t count);

// Whether it has one that training has as a whole text.
bool lexicon_has_text(const Lexicon *lexicon, const int32_t *tokens, size_t count);

/* The translations of a unit of `count` source tokens; returns how many there are, 0 if it is not in
 * the lexicon, too. */
size_t lexicon_find(LexiconRun runs[MAX_UNIT_ENTRIES], const Lexicon *lexicon,
                    const int32_t *tokens, size_t count);

/* The end of the longest unit of several tokens, or of a name, that begins at `begin` of a source of
 * `length` tokens and cuts neither word nor text, with its translations; `begin` if there is none. */
size_t lexicon_longest(LexiconRun runs[MAX_UNIT_ENTRIES], size_t *count, const Lexicon *lexicon,
                       const int32_t *source, size_t length, size_t begin);
