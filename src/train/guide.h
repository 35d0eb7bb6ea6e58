/* Word alignments given for the training corpora, one line for each of their lines: what guided alignment
 * (layers/alignment_loss.h) learns from. A line holds links as align/links.h reads them, sure and possible ones alike,
 * counted in units of the pair's texts in normal form (align/units.h). */
#ifndef REGARD_TRAIN_GUIDE_H
#define REGARD_TRAIN_GUIDE_H

#include "align/links.h"
#include "corpus/text_corpus.h"

typedef struct GuideFile {
    const char *name; // as messages call it; not owned
    size_t first;     // the number of its first line among those of all guides
} GuideFile;

// Start from {0}, end with guide_free.
typedef struct Guide {
    Link *links; // of all lines, one after another
    size_t link_count, link_capacity;
    size_t *begin; // (lines) where each line's links begin
    size_t lines, capacity;
    GuideFile *files; // (count)
    size_t count;
} Guide;

/* Reads the guide of a corpus behind those of the corpora before it: a file, plain or gzip, or `-`. `lines` is how many lines
 * (of a TMX: units) the corpus has, `corpus` its name; the names must stay where they are. Errors: what line_reader and
 * links_parse refuse, and another number of lines. */
Status guide_read(Guide *guide, const char *path, const char *corpus, size_t lines, Error *error);

// The links of line `number` (TextPair.number): a view, not to be changed or freed.
Links guide_links(const Guide *guide, size_t number);

/* Whether every link lies within the units of its pair; STATUS_FORMAT names file and line of the first that does not. Lines
 * whose pair was left out for an empty side are not looked at. */
Status guide_check(const Guide *guide, const TextCorpus *corpus, const UnitKind units[2],
                   Error *error);

// Tells whether a guide still says the same; how it is spelled does not matter.
uint64_t guide_hash(const Guide *guide);

void guide_free(Guide *guide);

#endif
