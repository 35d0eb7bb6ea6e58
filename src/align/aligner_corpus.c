#include "align/aligner_corpus.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/utf8.h"

static size_t stem_length(const char *spelling, size_t length)
{
    size_t at = 0;
    for (int letters = 0; letters < ALIGNER_STEM_LETTERS && at < length; letters++)
        utf8_next(spelling, length, &at);
    return at;
}

static Status add_token(AlignerSide *side, const char *spelling, size_t length, Error *error)
{
    bool added;
    StringMapEntry *type = string_map_put(&side->types, spelling, length, 0, &added);
    if (!type) return error_memory(error, length, "the types to align");
    type->value++;
    size_t number = (size_t)(type - side->types.entries);
    if (added) {
        StringMapEntry *stem = string_map_put(&side->stems, spelling, stem_length(spelling, length),
                                              (int64_t)side->stems.count, NULL);
        if (!stem) return error_memory(error, length, "the types to align");
        TRY(array_reserve(&side->classes, &side->classes_capacity, number + 1, "the types to align",
                          error));
        uint32_t letter;
        utf8_decode(spelling, length, &letter, NULL);
        side->classes[number] = (AlignerClass){(uint32_t)stem->value, utf8_is_han(letter)};
    }
    TRY(array_reserve(&side->tokens, &side->token_capacity, side->token_count + 1,
                      "the pairs to align", error));
    side->tokens[side->token_count++] = (uint32_t)number;
    return STATUS_OK;
}

Status aligner_corpus_add(AlignerCorpus *corpus, const AlignerTokens *source,
                          const AlignerTokens *target, Error *error)
{
    for (int s = 0; s < 2; s++) {
        AlignerSide *side = &corpus->sides[s];
        const AlignerTokens *tokens = s ? target : source;
        for (size_t i = 0; i < tokens->places.count; i++) {
            size_t length;
            const char *spelling = aligner_tokens_spelling(tokens, i, &length);
            TRY(add_token(side, spelling, length, error));
        }
        TRY(array_reserve(&side->ends, &side->ends_capacity, corpus->pairs + 1,
                          "the pairs to align", error));
        side->ends[corpus->pairs] = side->token_count;
    }
    corpus->pairs++;
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
        string_map_free(&side->types);
        string_map_free(&side->stems);
        memory_free(side->classes);
        memory_free(side->tokens);
        memory_free(side->ends);
    }
    *corpus = (AlignerCorpus){0};
}
