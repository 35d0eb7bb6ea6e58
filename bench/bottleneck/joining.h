/* Long inputs made of short pairs: 1 to MAX_JOINED pairs, which a shuffle has put side by side, become one. The sentences
 * of an input have nothing to do with each other, so its length alone makes it harder.
 *
 * Sentences are parted as each side's script does it: by a blank between words, by nothing between characters (a side that
 * is mostly Han, align/units.h); one that ends in a letter or a number, as captions do, gets the script's full stop before
 * the next. */
#ifndef REGARD_BENCH_BOTTLENECK_JOINING_H
#define REGARD_BENCH_BOTTLENECK_JOINING_H

#include "align/units.h"
#include "corpus/text_corpus.h"

#include <stdint.h>

enum { MAX_JOINED = 8 };

// What the sides, source and target, are made of.
typedef struct Scripts {
    UnitKind source, target;
} Scripts;

// The scripts of a corpus, by its letters.
Scripts scripts_of(const TextCorpus *corpus);

/* Appends to `joined` every pair of the corpus `passes` times: each pass is a shuffle of its own, cut into groups of 1 to
 * MAX_JOINED whose sizes each have the same share of the sentences. The same seed gives the same. */
Status join_all(TextCorpus *joined, const TextCorpus *pairs, Scripts scripts, size_t passes,
                uint64_t seed, Error *error);

/* Appends `each` joined pairs to every class of lengths of the source (lengths.h), no two alike: drawn as join_all draws
 * them, and left out where their class is full. A class that a great many passes have not filled stays as it is, so a
 * corpus of long sentences may have nothing in the lowest. */
Status join_evenly(TextCorpus *joined, const TextCorpus *pairs, Scripts scripts, size_t each,
                   uint64_t seed, Error *error);

/* Takes out of a corpus the pairs whose source is a source of `held_out`, or whose target is a target there, and adds to
 * *count how many they were. */
Status join_hold_out(TextCorpus *corpus, const TextCorpus *held_out, size_t *count, Error *error);

#endif
