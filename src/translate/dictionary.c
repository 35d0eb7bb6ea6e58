#include "translate/dictionary.h"

#include "align/senses.h"
#include "text/utf8.h"

#include <string.h>

static const double LEAST_SHARE = 0.3;

bool dictionary_is_word(TextView text)
{
    for (size_t at = 0; at < text.length;)
        if (!utf8_is_letter(utf8_next(text.data, text.length, &at))) return false;
    return text.length > 0;
}

// Appends a word in lower case as the model is written: as it is, with a capital, or in capitals.
static Status append_in_case(Bytes *out, TextView sense, TextView model, Error *error)
{
    size_t first = 0;
    bool capital = utf8_is_upper(utf8_next(model.data, model.length, &first));
    bool capitals = capital && first < model.length &&
                    !utf8_has(model.data + first, model.length - first, utf8_is_lower);
    for (size_t at = 0; at < sense.length;) {
        bool begins = at == 0;
        char bytes[4];
        uint32_t c = utf8_next(sense.data, sense.length, &at);
        if (capitals) c = utf8_to_upper(c);
        if (capital && begins) c = utf8_to_title(c);
        TRY(bytes_append(out, bytes, utf8_encode(c, bytes), error));
    }
    return STATUS_OK;
}

/* Whether a text is a word, in whatever case, with one other at most, such as its article. */
static Status is_word(bool *is, TextView text, TextView word, Error *error)
{
    AlignerTokens tokens = {0};
    TRY(aligner_tokens_set(&tokens, text.data, text.length, error));
    bool has = false;
    size_t words = 0;
    for (size_t i = 0; i < tokens.places.count; i++) {
        TextView token = aligner_tokens_spelling(&tokens, i);
        words += !aligner_tokens_is_mark(&tokens, i);
        has |= token.length == word.length && !memcmp(token.data, word.data, word.length);
    }
    *is = has && words <= 2;
    aligner_tokens_free(&tokens);
    return STATUS_OK;
}

Status dictionary_find(Bytes *answer, double *share, const Aligner *aligner, TextView word,
                       TextView said, double said_p, Error *error)
{
    Sense senses[MAX_SENSES];
    size_t count;
    bool same;
    if (!dictionary_is_word(word)) return STATUS_OK;
    TRY(senses_find(senses, &count, aligner, word, error));
    if (count == 0 || senses[0].share < LEAST_SHARE || senses[0].share <= said_p) return STATUS_OK;
    *share = senses[0].share;
    TRY(is_word(&same, said, senses[0].word, error));
    return same ? STATUS_OK : append_in_case(answer, senses[0].word, word, error);
}
