/* The alignment of a text with a rendering of it: from subwords to units, from attention and an
 * aligner's posteriors to links. */
#pragma once

#include "align/aligner.h"
#include "align/links.h"
#include "reading/translation.h"

enum { MAX_JOINED_WEIGHTS = 1 << 26 };

// From which a link of the attention alone, or of the aligner alone, is sure.
#define SURE_STRENGTH 0.6F
#define SURE_POSTERIOR 0.8F

/* How links are read. With `from` other than LINKS_FROM_ATTENTION there must be an aligner, and
 * `threshold` is of its posteriors, a link having at least that. */
typedef struct LinkReading {
    LinkSource from;
    float threshold;        // of links (links_from_soft)
    const Aligner *aligner; // not owned
    bool links_only;        // no matrices of a text that was split: they grow with its square
} LinkReading;

/* The best reading: from attention and aligner together; of NULL, where a model carries none, from
 * attention, with MIN_STRENGTH. */
LinkReading reading_of_aligner(const Aligner *aligner);

// Start from {0}, reuse freely, end with alignment_free.
typedef struct Alignment {
    Spans source_units, target_units; // of the texts in normal form
    SoftAlignment soft;               // (target units, source units) attention
    SoftAlignment posteriors;         // likewise, unless links are from attention
    Links links;                      // by the given reading
    AlignerTokens tokens[2];          // scratch, like the rest
    AlignerPosteriors token_posteriors;
    SoftAlignment token_attention;
    SoftAlignment linked; // what links from attention alone are read from: marks left out
} Alignment;

/* Sets all of it; kinds are those of the source's and the target's units. Without alpha attention
 * is all zeros. What was cut off of either text is not linked. The sentences of a text that was
 * split are aligned one by one, and nothing across: a unit of two sentences, as a word of Chinese text
 * may be, has the links of both, and the mean of their attention. The matrices of such a text may have
 * MAX_JOINED_WEIGHTS, else STATUS_ARGUMENT. */
Status alignment_set(Alignment *alignment, const Translation *translation,
                     const Rendering *rendering, const UnitKind kinds[2],
                     const LinkReading *reading, Error *error);

/* The same for given units of source and target, such as the tokens of a hand-aligned file: offsets
 * in the texts in normal form. Does not set source_units and target_units; `units` may be those. */
Status alignment_of_units(Alignment *alignment, const Translation *translation,
                          const Rendering *rendering, const Spans *const units[2],
                          const LinkReading *reading, Error *error);

/* The posteriors of the reading among subwords instead of units, </s> with zeros last on both
 * sides: of the pair that was set last, by a reading that has posteriors. */
Status alignment_of_subwords(SoftAlignment *posteriors, const Alignment *alignment,
                             const Translation *translation, const Rendering *rendering,
                             Error *error);

// The same for a text that was split into sentences (reading/paragraph.h).
Status alignment_join_subwords(SoftAlignment *posteriors, const Translation *translation,
                               const Rendering *rendering, const UnitKind kinds[2],
                               const LinkReading *reading, Error *error);

/* The attention of a rendering of such a text as Rendering.alpha has it: *alpha (matrices, subwords + 1,
 * source subwords + 1), freed by memory_free; attention to a sentence's </s> goes to that of the
 * whole, and the last sentence's </s> is the whole's. Zeros where a sentence has none. */
Status attention_join(float **alpha, const Translation *translation, const Rendering *rendering,
                      size_t matrices, Error *error);

void alignment_free(Alignment *alignment);

/* Where attention and aligner are both sure and differ: they link a target unit with different source
 * units. Start from {0}, reuse freely, end with differences_free. */
typedef struct Differences {
    Links only_attention, only_aligner;
    Alignment attention, aligner; // scratch: the alignment of each alone
} Differences;

// Compares the links of the attention alone with those of the aligner alone, in these units.
Status differences_set(Differences *differences, const Translation *translation,
                       const Rendering *rendering, const UnitKind kinds[2], const Aligner *aligner,
                       Error *error);

void differences_free(Differences *differences);
