#include "align/aligner_corpus.h"

#include "base/array.h"

static Status add_tokens(AlignerSide *side, AlignerVocabulary *vocabulary,
                         const AlignerTokens *tokens, Error *error)
{
    TRY(array_reserve(&side->tokens, &side->token_capacity,
                      side->token_count + tokens->places.count, "the pairs to align", error));
    for (size_t i = 0; i < tokens->places.count; i++) {
        uint32_t type;
        TRY(aligner_vocabulary_add(vocabulary, &type, aligner_tokens_spelling(tokens, i), 1,
                                   error));
        side->tokens[side->token_count++] = type;
    }
    return STATUS_OK;
}

Status aligner_corpus_add(AlignerCorpus *corpus, const AlignerTokens *source,
                          const AlignerTokens *target, Error *error)
{
    for (int s = 0; s < 2; s++) {
        AlignerSide *side = &corpus->sides[s];
        TRY(add_tokens(side, &corpus->vocabularies[s], s ? target : source, error));
        TRY(array_reserve(&side->ends, &side->ends_capacity, corpus->pairs + 1,
                          "the pairs to align", error));
        side->ends[corpus->pairs] = side->token_count;
    }
    corpus->pairs++;
    return STATUS_OK;
}

Status aligner_corpus_add_link(AlignerCorpus *corpus, uint32_t source, uint32_t target,
                               Error *error)
{
    TRY(array_reserve(&corpus->links, &corpus->links_capacity, corpus->link_count + 1,
                      "the given links", error));
    uint32_t *link = corpus->links[corpus->link_count++];
    link[0] = source;
    link[1] = target;
    return STATUS_OK;
}

AlignerPair aligner_corpus_pair(const AlignerCorpus *corpus, size_t pair)
{
    AlignerPair view;
    for (int s = 0; s < 2; s++) {
        const AlignerSide *side = &corpus->sides[s];
        size_t begin = pair ? side->ends[pair - 1] : 0;
        view.tokens[s] = side->tokens + begin;
        view.counts[s] = side->ends[pair] - begin;
    }
    return view;
}

void aligner_corpus_free(AlignerCorpus *corpus)
{
    for (int s = 0; s < 2; s++) {
        AlignerSide *side = &corpus->sides[s];
        aligner_vocabulary_free(&corpus->vocabularies[s]);
        memory_free(side->tokens);
        memory_free(side->ends);
    }
    memory_free(corpus->links);
    *corpus = (AlignerCorpus){0};
}
