/* Forced decoding: what the model thinks of targets that are given. */
#ifndef REGARD_TRANSLATE_FORCED_H
#define REGARD_TRANSLATE_FORCED_H

#include "base/threads.h"
#include "corpus/token_corpus.h"
#include "model/model_file.h"
#include "translate/rendering.h"

/* Sets log_p, score (= log_p) and, if wanted, alpha of translations[i].renderings[0] for each pair i of `pairs`: that of
 * `head`, from 1, or with 0 of all (translate/rendering.h). Threads take batches in turn; results do not depend on which (products
 * are over rounded rows, model/inference.h). `params` are the model's, packed or not. */
Status forced_decode(Threads *threads, const Model *model, const Seq2SeqParams *params,
                     const TokenCorpus *pairs, bool with_alpha, size_t head,
                     Translation *translations, Error *error);

#endif
