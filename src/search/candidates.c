#include "search/candidates.h"

#include "base/array.h"
#include "text/special_tokens.h"

#include <math.h>

/* Inserts a candidate among the best so far, best first, if it is one of them. On a tie the earlier
 * one stays in front, which orders ties by row and then token id. */
static size_t insert(Candidate *best, size_t count, size_t most, Candidate candidate)
{
    size_t place;
    array_keep_best(best, &count, most, place, candidate, candidate.log_p > best[place - 1].log_p);
    return count;
}

enum { MAX_FLOOR = 16 }; // with more places a floor costs more than it saves

/* A logit that at least `most` tokens of a row reach: the `most`-th highest of the spans' maxima.
 * The first span is left out, since its maximum may be that of a special token, which is never
 * said. −inf if there are too few spans. */
static real floor_of(const TokenScores *scores, size_t spans, size_t most)
{
    real highest[MAX_FLOOR] = {0}; // descending
    size_t count = 0, place;
    assert(most > 0);
    if (most > MAX_FLOOR) return -(real)INFINITY;
    for (size_t span = 1; span < spans; span++) {
        const real value = scores->maxima[span];
        array_keep_best(highest, &count, most, place, value, value > highest[place - 1]);
    }
    return count == most ? highest[most - 1] : -(real)INFINITY;
}

// Where the scores are that a row may use: `count` of them from `first`, or those of the edges.
typedef struct Allowed {
    const TokenScores *scores;
    const PrefixEdge *edges; // (count) NULL behind the prefix
    size_t first, count;
} Allowed;

static Allowed allowed_of(const LiveRow *row, const TokenScores *scores)
{
    Allowed allowed = {.scores = scores, .first = row->may_end ? TOKEN_EOS : TOKEN_EOS + 1};
    if (row->place != PREFIX_DONE)
        allowed.edges = prefix_edges(row->prefix, row->place, &allowed.count);
    else if (scores->count > allowed.first)
        allowed.count = scores->count - allowed.first;
    return allowed;
}

// The logit of the i-th token allowed; −inf, which is never taken, for one without a score.
static double logit_of(const Allowed *allowed, size_t i)
{
    const TokenScores *scores = allowed->scores;
    size_t place =
        allowed->edges ? token_scores_place(scores, allowed->edges[i].token) : allowed->first + i;
    return place < scores->count ? (double)scores->logits[place] : -INFINITY;
}

// The way to continue by the i-th token allowed.
static Candidate candidate_of(const Allowed *allowed, size_t i, const LiveRow *row, double logit)
{
    const TokenScores *scores = allowed->scores;
    Candidate candidate = {row->log_p - (double)scores->log_z + logit, row->row, 0, PREFIX_DONE};
    size_t place = allowed->first + i;
    if (allowed->edges) {
        candidate.token = allowed->edges[i].token;
        candidate.place = allowed->edges[i].to;
    } else
        candidate.token = token_scores_token(scores, place);
    return candidate;
}

// Within a prefix: few tokens may follow.
static size_t add_edges(Candidate *best, size_t count, size_t most, const LiveRow *row,
                        const TokenScores *scores)
{
    Allowed allowed = allowed_of(row, scores);
    for (size_t i = 0; i < allowed.count; i++) {
        double logit = logit_of(&allowed, i);
        if (logit > -INFINITY)
            count = insert(best, count, most, candidate_of(&allowed, i, row, logit));
    }
    return count;
}

/* Logits of one row are compared as they are; subtracting log_z for each of V tokens would double
 * the work. Most spans are skipped by their maximum. Comparisons are written so that NaN is never
 * taken. */
static size_t add_any(Candidate *best, size_t count, size_t most, const LiveRow *row,
                      const TokenScores *scores)
{
    size_t spans = search_spans(scores->count);
    double before = row->log_p - (double)scores->log_z;
    // to be among the best a logit must exceed the bar (of full rows before) and reach the floor
    double bar = count == most ? best[most - 1].log_p - before : -INFINITY;
    real floor = count == most ? -(real)INFINITY : floor_of(scores, spans, most);
    for (size_t span = 0; span < spans; span++) {
        if (!((double)scores->maxima[span] > bar) || scores->maxima[span] < floor) continue;
        size_t i = span ? span * SEARCH_SPAN : row->may_end ? TOKEN_EOS : TOKEN_EOS + 1;
        size_t end = (span + 1) * SEARCH_SPAN;
        if (end > scores->count) end = scores->count;
        for (; i < end; i++) {
            double logit = (double)scores->logits[i];
            if (!(logit > bar) || scores->logits[i] < floor) continue;
            count = insert(
                best, count, most,
                (Candidate){before + logit, row->row, token_scores_token(scores, i), PREFIX_DONE});
            if (count == most) bar = best[most - 1].log_p - before;
        }
    }
    return count;
}

size_t candidates_add(Candidate *best, size_t count, size_t most, const LiveRow *row,
                      const TokenScores *scores)
{
    return row->place == PREFIX_DONE ? add_any(best, count, most, row, scores)
                                     : add_edges(best, count, most, row, scores);
}

bool candidate_find(Candidate *found, const LiveRow *row, const TokenScores *scores, int32_t token)
{
    Allowed allowed = {.scores = scores, .first = token_scores_place(scores, token), .count = 1};
    if (row->place != PREFIX_DONE) {
        allowed.edges = prefix_edges(row->prefix, row->place, &allowed.count);
        while (allowed.count > 0 && allowed.edges->token != token) allowed.edges++, allowed.count--;
    }
    double logit = allowed.count > 0 ? logit_of(&allowed, 0) : -INFINITY;
    if (logit > -INFINITY) *found = candidate_of(&allowed, 0, row, logit);
    return logit > -INFINITY;
}

/* By the inverse of the cumulative distribution, summed in the order of the tokens. */
bool candidate_draw(Candidate *drawn, const LiveRow *row, const TokenScores *scores,
                    double temperature, double uniform)
{
    Allowed allowed = allowed_of(row, scores);
    double highest = -INFINITY, total = 0;
    for (size_t i = 0; i < allowed.count; i++) {
        double logit = logit_of(&allowed, i);
        if (logit > highest) highest = logit;
    }
    for (size_t i = 0; i < allowed.count; i++)
        total += exp((logit_of(&allowed, i) - highest) / temperature);
    if (!(total > 0) || isinf(total)) return false;
    double sum = 0, share = 0;
    for (size_t i = 0; i < allowed.count; i++) {
        double logit = logit_of(&allowed, i);
        share = exp((logit - highest) / temperature);
        sum += share;
        if (share == 0) continue;
        *drawn = candidate_of(&allowed, i, row, logit);
        if (sum > uniform * total) break;
    }
    return true;
}
