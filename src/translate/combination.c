#include "translate/combination.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

// A combination of the first sentences: a shorter one and a rendering of the last of them.
typedef struct Combination {
    double score; // the sum
    size_t before, choice;
} Combination;

static int compare(const void *a, const void *b)
{
    const Combination *x = a, *y = b;
    if (x->score > y->score || x->score < y->score) return x->score > y->score ? -1 : 1;
    if (x->before != y->before) return x->before < y->before ? -1 : 1;
    return x->choice < y->choice ? -1 : x->choice > y->choice;
}

/* Of combination i and rendering j, (i + 1) (j + 1) - 1 others are at least as good: only where
 * that is less than n_best can they be among the best. Returns how many are written, unless to
 * NULL. */
static size_t list(Combination *out, const Combination *before, size_t before_count,
                   const Translation *sentence, size_t n_best)
{
    size_t count = 0;
    for (size_t i = 0; i < before_count; i++)
        for (size_t j = 0; j < sentence->count && (i + 1) * (j + 1) <= n_best; j++, count++)
            if (out)
                out[count] = (Combination){before[i].score + sentence->renderings[j].score, i, j};
    return count;
}

// Sets best (n_best) to those of one sentence more, of which there are *found before and after.
static Status extend(Combination *best, const Combination *before, size_t *found, size_t n_best,
                     const Translation *sentence, Error *error)
{
    Combination *all;
    size_t count = list(NULL, before, *found, sentence, n_best);
    TRY(array_new(&all, count, "translations", error));
    (void)list(all, before, *found, sentence, n_best);
    qsort(all, count, sizeof *all, compare);
    *found = count < n_best ? count : n_best;
    for (size_t i = 0; i < *found; i++) best[i] = all[i];
    memory_free(all);
    return STATUS_OK;
}

Status combinations_find(size_t *choices, size_t *found, size_t n_best,
                         const Translation *sentences, size_t count, Error *error)
{
    Combination *best; // (count, n_best)
    const Combination none = {0};
    TRY(array_new(&best, count * n_best, "translations", error));
    Status status = STATUS_OK;
    *found = 1;
    for (size_t i = 0; i < count && !status; i++)
        status = extend(best + i * n_best, i == 0 ? &none : best + (i - 1) * n_best, found, n_best,
                        &sentences[i], error);
    for (size_t k = 0; k < *found && !status; k++) {
        size_t at = k;
        for (size_t i = count; i-- > 0; at = best[i * n_best + at].before)
            choices[k * count + i] = best[i * n_best + at].choice;
    }
    memory_free(best);
    return status;
}
