/* Word alignments of the training corpora for guided alignment (layers/alignment_loss.h): given line
 * by line, or learned from the corpora themselves. */
#pragma once

#include "align/aligner.h"
#include "align/links.h"
#include "align/subword_links.h"
#include "corpus/corpus_store.h"
#include "corpus/text_corpus.h"
#include "model/config.h"
#include "train/cluster/ranks.h"

// What guides a run.
typedef enum GuideKind {
    GUIDE_NONE,
    GUIDE_AUTO,  // the aligner learns it from the training pairs
    GUIDE_FILES, // one for each corpus
} GuideKind;

typedef struct GuideFile {
    const char *name; // for messages; not owned
    size_t first;     // the number of its first line among the lines of all guides
} GuideFile;

/* A guide in files. A line holds links as in align/links.h, sure and possible ones alike, which count
 * units (align/units.h) of the pair's normalised texts. Start from {0}, or with `links` open
 * (corpus_store_open) for a guide in a file; end with guide_free. */
typedef struct Guide {
    CorpusStore links;  // of all lines, one after another
    StoreWindow window; // of guide_links
    size_t *begin;      // (lines) where each line's links begin, counted in links
    size_t lines, capacity;
    GuideFile *files; // (count)
    size_t count, files_capacity;
} Guide;

/* Appends the guide of one corpus: a file, plain or gzipped, or `-`. `lines` is the number of lines
 * of the corpus (of units, if it is a TMX) and `corpus` its name; the path must outlive the guide.
 * Errors: those of line_reader and links_parse, and another number of lines. */
Status guide_read(Guide *guide, const char *path, const char *corpus, size_t lines, Error *error);

// Sets the links of line `number` (TextPair.number): a view, valid until the next call.
Status guide_links(Guide *guide, Links *links, size_t number, Error *error);

/* Whether every link lies within the units of its pair; STATUS_FORMAT names file and line of the
 * first that does not. Lines whose pair was left out are not checked. */
Status guide_check(Guide *guide, const TextCorpus *corpus, const UnitKind units[2], Error *error);

// Sets *hash to a hash of the links, whatever their spelling.
Status guide_hash(Guide *guide, uint64_t *hash, Error *error);

void guide_free(Guide *guide);

/* The guide that a run learns itself (--guide auto): the statistical aligner's posteriors
 * (align/aligner.h) of the training pairs as soft links between their subwords. Start from {0}, end with
 * aligned_guide_free. */
typedef struct AlignedGuide {
    AlignerCorpus corpus;
    Aligner aligner; // learned from it
    AlignerTokens tokens[2];
    AlignerPosteriors posteriors;
    SoftAlignment soft;
} AlignedGuide;

// Pairs with more tokens on a side are not learned from and have no links.
enum { MAX_ALIGNED_TOKENS = 500 };

/* Learns from all pairs of the text. The result is the same for any number of threads. Where
 * several ranks have the same text, rank 0 learns, by the `threads` that all have together, or as
 * many as there are processors for it, and tells the others. `cancel` (NULL: never) is asked between
 * iterations. After a failure the guide can only be freed. */
Status aligned_guide_learn(AlignedGuide *guide, const TextCorpus *text, size_t threads,
                           const Cancel *cancel, Ranks *ranks, Error *error);

/* Sets the links of a pair of that text; the ends of its subwords are those of `source` and `target`,
 * whose units are not read. */
Status aligned_guide_links(AlignedGuide *guide, SubwordLinks *links, const TextPair *pair,
                           SoftSide source, SoftSide target, Error *error);

/* Moves the aligner, made so small that it is a sixth of the model's file: it is to add little to
 * what is given away. */
Status aligned_guide_keep(AlignedGuide *guide, Aligner *aligner, ModelConfig config, Error *error);

void aligned_guide_free(AlignedGuide *guide);
