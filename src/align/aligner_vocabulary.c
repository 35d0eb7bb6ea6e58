#include "align/aligner_vocabulary.h"

#include "base/array.h"
#include "text/utf8.h"

static size_t stem_length(TextView spelling)
{
    size_t at = 0;
    for (int letters = 0; letters < ALIGNER_STEM_LETTERS && at < spelling.length; letters++)
        utf8_next(spelling.data, spelling.length, &at);
    return at;
}

static bool is_han(TextView spelling)
{
    return utf8_is_han(utf8_at(spelling.data, spelling.length, 0));
}

Status aligner_vocabulary_add(AlignerVocabulary *vocabulary, uint32_t *type, TextView spelling,
                              size_t times, Error *error)
{
    static const char purpose[] = "the types to align";
    bool added;
    StringMapEntry *entry =
        string_map_put(&vocabulary->types, spelling.data, spelling.length, 0, &added);
    if (!entry) return error_memory(error, spelling.length, purpose);
    size_t number = (size_t)(entry - vocabulary->types.entries);
    if (added) {
        StringMapEntry *stem =
            string_map_put(&vocabulary->stems, spelling.data, stem_length(spelling),
                           (int64_t)vocabulary->stems.count, NULL);
        if (!stem) return error_memory(error, spelling.length, purpose);
        TRY(array_reserve(&vocabulary->classes, &vocabulary->classes_capacity, number + 1, purpose,
                          error));
        vocabulary->classes[number] = (AlignerClass){(uint32_t)stem->value, is_han(spelling)};
    }
    entry->value += (int64_t)times;
    vocabulary->token_count += times;
    *type = (uint32_t)number;
    return STATUS_OK;
}

AlignerWord aligner_vocabulary_find(const AlignerVocabulary *vocabulary, TextView spelling)
{
    const StringMapEntry *type =
        string_map_find(&vocabulary->types, spelling.data, spelling.length);
    if (type) {
        size_t number = (size_t)(type - vocabulary->types.entries);
        return (AlignerWord){(uint32_t)number, vocabulary->classes[number]};
    }
    const StringMapEntry *stem =
        string_map_find(&vocabulary->stems, spelling.data, stem_length(spelling));
    uint32_t number = stem ? (uint32_t)stem->value : ALIGNER_UNKNOWN;
    return (AlignerWord){ALIGNER_UNKNOWN, {number, is_han(spelling)}};
}

void aligner_vocabulary_free(AlignerVocabulary *vocabulary)
{
    string_map_free(&vocabulary->types);
    string_map_free(&vocabulary->stems);
    memory_free(vocabulary->classes);
    *vocabulary = (AlignerVocabulary){0};
}
