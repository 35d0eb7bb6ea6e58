#include "search/what_if_words.h"

#include "text/special_tokens.h"

#include <math.h>

size_t what_if_tokens(const WhatIf *what_if, int32_t *tokens, size_t *end)
{
    size_t count = 0;
    *end = 0;
    for (size_t i = 0; what_if && i < what_if->word_count; i++)
        for (size_t k = 0; what_if->words[i].forced && k < WHAT_IF_SPELLINGS; k++) {
            const WhatIfWord *word = &what_if->words[i];
            size_t length = word->lengths[k];
            if (tokens) memcpy(tokens + count, word->tokens[k], length * sizeof *tokens);
            if (word->step + length > *end) *end = word->step + length;
            count += length;
        }
    return count;
}

// What a hypothesis has said since a word's step.
typedef struct Said {
    int32_t tokens[MAX_WHAT_IF_TOKENS]; // (count)
    size_t count;
} Said;

// Whether it is the beginning of a spelling, or its first `count` tokens are.
static bool begins(const WhatIfWord *word, size_t spelling, const Said *said, size_t count)
{
    return count <= word->lengths[spelling] &&
           memcmp(said->tokens, word->tokens[spelling], count * sizeof *said->tokens) == 0;
}

// Whether a token would end a word that is not to be said.
static bool ends(const WhatIfWord *word, const Said *said, int32_t token)
{
    for (size_t k = 0; k < WHAT_IF_SPELLINGS; k++)
        if (said->count + 1 == word->lengths[k] && begins(word, k, said, said->count) &&
            word->tokens[k][said->count] == token)
            return true;
    return false;
}

/* Whether a token goes on with a forced word. Behind the whole word anything may follow that does not
 * make it longer. */
static bool goes_on(const WhatIfWord *word, const Said *said, int32_t token,
                    const unsigned char *edges)
{
    bool whole = false;
    for (size_t k = 0; k < WHAT_IF_SPELLINGS; k++) {
        size_t length = word->lengths[k], count = said->count;
        if (count < length && begins(word, k, said, count) && word->tokens[k][count] == token)
            return true;
        if (length == 0 || count < length || !begins(word, k, said, length)) continue;
        whole = count > length || !edges ||
                !(edges[said->tokens[length - 1]] & TOKEN_ENDS_IN_WORD) ||
                !(edges[token] & TOKEN_BEGINS_IN_WORD);
    }
    return whole;
}

void what_if_forbid(real *logits, const TokenScores *scores, const WhatIf *what_if,
                    const HypothesisTree *tree, int32_t node, size_t step)
{
    for (size_t w = 0; w < what_if->word_count; w++) {
        const WhatIfWord *word = &what_if->words[w];
        Said said = {.count = step - word->step};
        if (step < word->step) { // no hypothesis ends before a forced word
            if (word->forced && scores->count > TOKEN_EOS) logits[TOKEN_EOS] = -(real)INFINITY;
            continue;
        }
        if (said.count >= MAX_WHAT_IF_TOKENS) continue;
        hypothesis_tree_recent(tree, node, said.tokens, said.count);
        for (size_t i = 0; i < scores->count; i++) {
            int32_t token = token_scores_token(scores, i);
            if (word->forced ? !goes_on(word, &said, token, what_if->edges)
                             : ends(word, &said, token))
                logits[i] = -(real)INFINITY;
        }
    }
}
