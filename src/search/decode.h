/* Search over many sources with several threads: sources of like length together, batches handed to whichever thread is
 * free. The results are those of beam_search and stand in the order of the sources. */
#ifndef REGARD_SEARCH_DECODE_H
#define REGARD_SEARCH_DECODE_H

#include "base/threads.h"
#include "search/beam.h"

typedef struct Decoder Decoder; // one Inference for each thread

// `threads`, `params` and `config` must outlive it.
Status decoder_new(Decoder **decoder, Threads *threads, const Seq2SeqParams *params,
                   const ModelConfig *config, Error *error);

void decoder_free(Decoder *decoder); // NULL is allowed

/* Fills results (count), each freed by hypotheses_free; on failure they are left empty. `batch` ≥ 1 is the number of
 * sources searched together; less if they are few and several threads would be idle. */
Status decoder_run(Decoder *decoder, const TokenPair *sources, size_t count, size_t batch,
                   const SearchOptions *options, Hypotheses *results, Error *error);

#endif
