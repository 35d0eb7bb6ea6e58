#include "search/banks.h"

#include "base/array.h"
#include "text/special_tokens.h"

#include <math.h>

static const double PENALTY_WEIGHT = 2, LEAST_ATTENDED = 1e-3, OUT_OF_ORDER = 0.05; // w, ε, o

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
    banks->best = banks->best_end = -INFINITY;
}

// The last bank is that of those that lack nothing, or only the rest of an optional phrase.
static size_t bank_of(const Banks *banks, const BankCandidate *candidate)
{
    size_t last = banks->count - 1, done = candidate->state.done;
    if (candidate->complete || done >= banks->constraints->length) return last;
    return done * last / banks->constraints->length;
}

// What candidates are compared by: log p and penalties.
static double rank_of(const BankCandidate *candidate)
{
    const ConstraintState *state = &candidate->state;
    return candidate->candidate.log_p + state->cost.penalty + state->open_cost.penalty;
}

/* Where numbers of tokens share a bank, more of them go first: else the likelier hypotheses, which
 * have fewer, would never let the others through. */
static bool is_better(const BankCandidate *a, const BankCandidate *b)
{
    if (!a->complete && a->state.done != b->state.done) return a->state.done > b->state.done;
    return rank_of(a) > rank_of(b);
}

// Puts a candidate behind all of its bank that are at least as good, if there is room and it is
// new.
static void insert(Banks *banks, BankCandidate item)
{
    size_t bank = bank_of(banks, &item), *count = &banks->counts[bank], place;
    BankCandidate *list = banks->lists + bank * banks->places;
    for (size_t i = 0; i < *count; i++)
        if (list[i].candidate.row == item.candidate.row &&
            list[i].candidate.token == item.candidate.token)
            return;
    array_keep_best(list, count, banks->places, place, item, is_better(&item, &list[place - 1]));
}

// A row whose continuations are added.
typedef struct BankRow {
    double log_p;
    bool begun; // by a prefix, in which anything may stand
    ConstraintState state;
    const int32_t *open_tokens; // (state.open)
    const real *attention;      // (S)
} BankRow;

// The attention to a phrase's source; 1 if that is not known.
static double attended(const Constraints *constraints, const BankRow *row, size_t phrase)
{
    PhraseSource source = constraints->sources[phrase];
    double sum = source.begin == source.end;
    for (size_t j = source.begin; j < source.end; j++) sum += (double)row->attention[j];
    return sum;
}

// The most attention to what stands before a phrase in the source and is not said yet; -1: nothing.
static double attended_before(const Constraints *constraints, const BankRow *row, size_t phrase)
{
    const uint64_t said = row->state.met | constraints->optional, loose = constraints->loose;
    const size_t begin = constraints->sources[phrase].begin;
    double most = -1;
    for (size_t i = 0; i < constraints->count; i++) {
        const size_t end = constraints->sources[i].end;
        if (said >> i & 1 || end == 0 || end > begin) continue;
        if (end == begin && loose >> i & loose >> phrase & 1) continue;
        double sum = attended(constraints, row, i);
        if (sum > most) most = sum;
    }
    return most;
}

// Of beginning a phrase with a token: the least of the phrases that begin so.
static double penalty_of(const Constraints *constraints, const BankRow *row, int32_t token)
{
    double most = 0;
    for (size_t i = 0; i < constraints->alternative_count; i++) {
        size_t phrase = constraints->alternatives[i].phrase;
        if (constraints_next(constraints, i, row->state, row->open_tokens, 0) != token) continue;
        double here = attended(constraints, row, phrase);
        double before = attended_before(constraints, row, phrase);
        if (before >= 0) here = (here - before) * OUT_OF_ORDER;
        if (here > most) most = here;
    }
    return PENALTY_WEIGHT * log(most > LEAST_ATTENDED ? most < 1 ? most : 1 : LEAST_ATTENDED);
}

static PhraseCost sum(PhraseCost a, PhraseCost b)
{
    return (PhraseCost){a.log_p + b.log_p, a.penalty + b.penalty};
}

/* Sets the costs after a token of that log p. What was open and is no more has become a phrase or,
 * if none is met, has cost nothing. */
static void set_costs(const Constraints *constraints, const BankRow *row, int32_t token,
                      double log_p, ConstraintState *after)
{
    const ConstraintState *before = &row->state;
    const uint64_t met = after->met ^ before->met;
    const bool meets = met > 0;
    bool begins = after->open == 1 || (meets && before->open == 0);
    PhraseCost cost = {after->begun_tokens > 0 || meets ? log_p : 0,
                       begins ? penalty_of(constraints, row, token) : 0};
    if (after->open == before->open + 1) {
        after->open_cost = sum(before->open_cost, cost);
        return;
    }
    after->open_cost = after->open > 0 ? cost : (PhraseCost){0};
    if (!meets) return;
    if (before->open > 0) cost = before->open_cost;
    if (!(met & ~constraints->optional)) cost.log_p = 0; // it is part of the rest
    after->cost = sum(after->cost, cost);
}

// Adds a way to continue a row, but no end where a phrase is missing; whether it has.
static bool add(Banks *banks, const BankRow *row, const Candidate *candidate)
{
    const Constraints *constraints = banks->constraints;
    const ConstraintState *state = &row->state;
    BankCandidate item = {.candidate = *candidate};
    int32_t text[MAX_PHRASE_TOKENS + 1];
    if (state->open > 0) memcpy(text, row->open_tokens, state->open * sizeof *text);
    text[state->open] = candidate->token;
    item.state = constraints_advance(constraints, *state, row->open_tokens, candidate->token);
    item.complete =
        constraints_complete(constraints, item.state, text + state->open + 1 - item.state.open);
    if (candidate->token == TOKEN_EOS && !item.complete) return false;
    if (item.state.astray && !row->begun) return false;
    set_costs(constraints, row, candidate->token, candidate->log_p - row->log_p, &item.state);
    double rank = rank_of(&item);
    if (rank > banks->best) banks->best = rank;
    insert(banks, item);
    return true;
}

// Where all that is likely leads astray, adds the likeliest token that does not: no row ends there.
static void add_other(Banks *banks, const BankRow *row, const LiveRow *live,
                      const TokenScores *scores)
{
    Candidate best = {.log_p = -INFINITY}, candidate;
    for (size_t i = live->may_end ? TOKEN_EOS : TOKEN_EOS + 1; i < scores->count; i++) {
        int32_t token = token_scores_token(scores, i);
        if (candidate_find(&candidate, live, scores, token) && candidate.log_p > best.log_p &&
            !constraints_advance(banks->constraints, row->state, row->open_tokens, token).astray)
            best = candidate;
    }
    if (best.log_p > -INFINITY) (void)add(banks, row, &best);
}

void banks_add(Banks *banks, const LiveRow *live_row, ConstraintState state,
               const int32_t *open_tokens, const TokenScores *scores, const real *attention)
{
    const Constraints *constraints = banks->constraints;
    const BankRow row = {live_row->log_p, live_row->place != PREFIX_DONE, state, open_tokens,
                         attention};
    LiveRow live = *live_row;
    Candidate candidate;
    live.may_end &= constraints_complete(constraints, state, open_tokens);
    size_t best = candidates_add(banks->row_best, 0, banks->places, &live, scores);
    bool added = false;
    for (size_t i = 0; i < best; i++) added |= add(banks, &row, &banks->row_best[i]);
    for (size_t i = 0; i < constraints->alternative_count; i++)
        for (size_t begun = 0; begun <= state.open; begun += state.open ? state.open : 1) {
            int32_t token = constraints_next(constraints, i, state, open_tokens, begun);
            if (token >= 0 && candidate_find(&candidate, &live, scores, token))
                added |= add(banks, &row, &candidate);
        }
    if (!added) add_other(banks, &row, &live, scores);
    if (live.may_end || !live_row->may_end) return;
    if (!candidate_find(&candidate, &live, scores, TOKEN_EOS)) return;
    double end = candidate.log_p + state.cost.penalty + state.open_cost.penalty;
    if (end > banks->best_end) banks->best_end = end;
}

size_t banks_choose(Banks *banks)
{
    size_t chosen = 0;
    for (size_t round = 0; round < banks->places; round++)
        for (size_t bank = banks->count; bank-- > 0 && chosen < banks->places;) {
            if (round >= banks->counts[bank]) continue;
            banks->chosen[chosen++] = banks->lists[bank * banks->places + round];
        }
    return chosen;
}

bool banks_at_end(const Banks *banks)
{
    return banks->best_end > banks->best;
}

bool banks_are_led_by(const Banks *banks, const BankCandidate *candidate)
{
    size_t better = 0;
    for (size_t bank = 0; bank < banks->count; bank++) {
        const BankCandidate *list = banks->lists + bank * banks->places;
        for (size_t i = 0; i < banks->counts[bank]; i++)
            better += rank_of(&list[i]) > rank_of(candidate);
    }
    return better < banks->places;
}

double bank_candidate_score(const BankCandidate *ended, size_t length, size_t positions,
                            double alpha)
{
    PhraseCost cost = sum(ended->state.cost, ended->state.open_cost);
    size_t phrases = ended->state.done;
    double rest = length > phrases ? (double)(length - phrases) : 1;
    return (ended->candidate.log_p - cost.log_p) / pow(rest, alpha) +
           (cost.log_p + cost.penalty) / pow((double)positions, alpha);
}
