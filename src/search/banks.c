#include "search/banks.h"

#include "text/special_tokens.h"

#include <math.h>
#include <string.h>

size_t banks_needed(const Constraints *constraints)
{
    return constraints->length < MAX_BANKS ? constraints->length + 1 : MAX_BANKS;
}

void banks_layout(Banks *banks, Arena *arena, size_t places, size_t count)
{
    banks->lists = arena_take(arena, count * places, sizeof *banks->lists);
    banks->row_best = arena_take(arena, places, sizeof *banks->row_best);
    banks->chosen = arena_take(arena, places, sizeof *banks->chosen);
}

void banks_begin(Banks *banks, const Constraints *constraints, size_t places)
{
    banks->constraints = constraints;
    banks->places = places;
    banks->count = banks_needed(constraints);
    for (size_t bank = 0; bank < banks->count; bank++) banks->counts[bank] = 0;
    banks->likeliest = banks->likeliest_end = -INFINITY;
}

// The last bank is that of the complete ones alone.
static size_t bank_of(const Banks *banks, const BankCandidate *candidate)
{
    if (candidate->complete) return banks->count - 1;
    return candidate->state.done * (banks->count - 1) / banks->constraints->length;
}

/* Where numbers of tokens share a bank, more of them go first: else the likelier hypotheses, which have
 * fewer, would never let the others through. */
static bool is_better(const BankCandidate *a, const BankCandidate *b)
{
    if (!a->complete && a->state.done != b->state.done) return a->state.done > b->state.done;
    return a->candidate.log_p > b->candidate.log_p;
}

// Puts a candidate behind all of its bank that are at least as good, if there is room and it is new.
static void insert(Banks *banks, BankCandidate item)
{
    size_t bank = bank_of(banks, &item), *count = &banks->counts[bank], place = *count;
    BankCandidate *list = banks->lists + bank * banks->places;
    for (size_t i = 0; i < *count; i++)
        if (list[i].candidate.row == item.candidate.row &&
            list[i].candidate.token == item.candidate.token)
            return;
    while (place > 0 && is_better(&item, &list[place - 1])) place--;
    if (place == banks->places) return;
    if (*count < banks->places) ++*count;
    for (size_t i = *count - 1; i > place; i--) list[i] = list[i - 1];
    list[place] = item;
}

// Adds a way to continue a hypothesis in that state, but no end where a phrase is missing.
static void add(Banks *banks, ConstraintState state, const int32_t *open_tokens,
                const Candidate *candidate)
{
    const Constraints *constraints = banks->constraints;
    BankCandidate item = {.candidate = *candidate};
    int32_t text[MAX_PHRASE_TOKENS];
    if (state.open > 0) memcpy(text, open_tokens, state.open * sizeof *text);
    text[state.open] = candidate->token;
    item.state = constraints_advance(constraints, state, open_tokens, candidate->token);
    item.complete =
        constraints_complete(constraints, item.state, text + state.open + 1 - item.state.open);
    if (candidate->token == TOKEN_EOS && !item.complete) return;
    if (candidate->log_p > banks->likeliest) banks->likeliest = candidate->log_p;
    insert(banks, item);
}

void banks_add(Banks *banks, const LiveRow *row, ConstraintState state, const int32_t *open_tokens,
               const TokenScores *scores)
{
    const Constraints *constraints = banks->constraints;
    LiveRow live = *row;
    Candidate candidate;
    live.may_end &= constraints_complete(constraints, state, open_tokens);
    size_t best = candidates_add(banks->row_best, 0, banks->places, &live, scores);
    for (size_t i = 0; i < best; i++) add(banks, state, open_tokens, &banks->row_best[i]);
    for (size_t i = 0; i < constraints->alternative_count; i++)
        for (size_t begun = 0; begun <= state.open; begun += state.open ? state.open : 1) {
            int32_t token = constraints_next(constraints, i, state, open_tokens, begun);
            if (token >= 0 && candidate_find(&candidate, &live, scores, token))
                add(banks, state, open_tokens, &candidate);
        }
    if (row->may_end && !live.may_end && candidate_find(&candidate, &live, scores, TOKEN_EOS) &&
        candidate.log_p > banks->likeliest_end)
        banks->likeliest_end = candidate.log_p;
}

// Whether a candidate is among the `places` best of all banks.
static bool is_likely(const Banks *banks, const Candidate *candidate)
{
    size_t better = 0;
    for (size_t bank = 0; bank < banks->count; bank++) {
        const BankCandidate *list = banks->lists + bank * banks->places;
        for (size_t i = 0; i < banks->counts[bank]; i++)
            better += list[i].candidate.log_p > candidate->log_p;
    }
    return better < banks->places;
}

size_t banks_choose(Banks *banks)
{
    size_t chosen = 0;
    for (size_t round = 0; round < banks->places; round++)
        for (size_t bank = banks->count; bank-- > 0 && chosen < banks->places;) {
            if (round >= banks->counts[bank]) continue;
            BankCandidate *item = &banks->chosen[chosen++];
            *item = banks->lists[bank * banks->places + round];
            item->likely = is_likely(banks, &item->candidate);
        }
    return chosen;
}

bool banks_at_end(const Banks *banks)
{
    return banks->likeliest_end > banks->likeliest;
}
