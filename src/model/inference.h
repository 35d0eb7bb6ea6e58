/* The network as search uses it (search/search_model.h). The parameters are only read, so any
 * number of inferences may share them.
 *
 * Every product is over rows rounded up to the multiple of packed_weights_promise(), so where that is
 * exact holds, a sentence's numbers have the same bits whatever else is in the batch. */
#pragma once

#include "model/lexicon.h"
#include "model/seq2seq.h"
#include "model/shortlist.h"
#include "search/batch_search.h"

/* Freed by its `free`. `params` must outlive it, and `shortlist` and `lexicon`, which may be NULL or
 * empty. */
Status inference_new(SearchModel **model, const Seq2SeqParams *params, const Shortlist *shortlist,
                     const Lexicon *lexicon, Error *error);

// One for each thread; freed by batch_search_free. On failure `search` is {0}.
Status inference_batch_search(BatchSearch *search, Threads *threads, const Seq2SeqParams *params,
                              const Shortlist *shortlist, const Lexicon *lexicon, Error *error);
