/* Word alignments of the training corpora, line by line, for guided alignment
 * (layers/alignment_loss.h). A line holds links as in align/links.h, sure and possible ones alike,
 * which count units (align/units.h) of the pair's normalised texts. */
#ifndef REGARD_TRAIN_GUIDE_H
#define REGARD_TRAIN_GUIDE_H

#include "align/links.h"
#include "corpus/corpus_store.h"
#include "corpus/text_corpus.h"

typedef struct GuideFile {
    const char *name; // for messages; not owned
    size_t first;     // the number of its first line among the lines of all guides
} GuideFile;

// Start from {0}, or with `links` open (corpus_store_open) for a guide in a file; end with guide_free.
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

#endif
