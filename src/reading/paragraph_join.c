#include "reading/paragraph.h"

#include "base/array.h"
#include "text/utf8.h"

#include <stdlib.h>

// The last character of a text, or its first one, that is no quotation mark, which all scripts
// share.
static uint32_t edge(TextView text, bool last)
{
    uint32_t found = 0;
    for (size_t at = 0; at < text.length && (last || !found);) {
        uint32_t c = utf8_next(text.data, text.length, &at);
        if (!utf8_is_among(c, "\"'“”‘’")) found = c;
    }
    return found;
}

static bool is_unspaced_between(TextView left, TextView right)
{
    return utf8_is_unspaced(edge(left, true)) || utf8_is_unspaced(edge(right, false));
}

/* Whether there is a space between the renderings of two pieces: not where their script has none, which
 * the target's language says or else they do; nor where a word of the source was parted. */
static bool is_spaced(const Paragraphs *paragraphs, const Piece *left, const Rendering *before,
                      const Rendering *after)
{
    const Language *target = paragraphs->languages[1];
    const Piece *right = left + 1;
    bool by_script = !target || target->letters_per_word > 0;
    bool spaced = left->begin + left->length < right->begin;
    if (spaced && left->mark) return true;
    if (by_script && is_unspaced_between(bytes_view(&before->text), bytes_view(&after->text)))
        return false;
    const char *normal = bytes_text(&paragraphs->normal);
    return spaced || is_unspaced_between((TextView){normal + left->place, left->length},
                                         (TextView){normal + right->place, right->length});
}

// Appends subwords of a text that begins at `begin`.
static Status append_subwords(Subwords *subwords, const Subwords *more, size_t begin, Error *error)
{
    TRY(subwords_reserve(subwords, subwords->count + more->count, error));
    for (size_t i = 0; i < more->count; i++) {
        subwords->ids[subwords->count] = more->ids[i];
        subwords->ends[subwords->count++] = more->ends[i] + (uint32_t)begin;
    }
    return STATUS_OK;
}

// Joins the chosen rendering of each sentence.
static Status join_rendering(const Paragraphs *paragraphs, const Piece *pieces,
                             const Translation *translation, const size_t *choices,
                             Rendering *rendering, Error *error)
{
    size_t count = translation->sentence_count;
    const Translation *sentences = translation->sentences;
    const Rendering *before = NULL;
    TRY(array_new(&rendering->places, count, "sentences", error));
    for (size_t i = 0; i < count; i++) {
        const Rendering *part = &sentences[i].renderings[choices[i]];
        if (before && is_spaced(paragraphs, &pieces[i - 1], before, part))
            TRY(bytes_append(&rendering->text, " ", 1, error));
        rendering->places[i] = (SentencePlace){choices[i], rendering->text.length};
        TRY(append_subwords(&rendering->subwords, &part->subwords, rendering->text.length, error));
        TRY(bytes_append_view(&rendering->text, bytes_view(&part->text), error));
        rendering->log_p += part->log_p;
        rendering->incomplete |= part->incomplete;
        rendering->score += part->score / (double)count;
        before = part;
    }
    return STATUS_OK;
}

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
    FREED Combination *all = NULL;
    size_t count = list(NULL, before, *found, sentence, n_best);
    TRY(array_new(&all, count, "translations", error));
    (void)list(all, before, *found, sentence, n_best);
    qsort(all, count, sizeof *all, compare);
    *found = count < n_best ? count : n_best;
    for (size_t i = 0; i < *found; i++) best[i] = all[i];
    return STATUS_OK;
}

Status combinations_find(size_t *choices, size_t *found, size_t n_best,
                         const Translation *sentences, size_t count, Error *error)
{
    FREED Combination *best = NULL; // (count, n_best)
    const Combination none = {0};
    TRY(array_new(&best, count * n_best, "translations", error));
    *found = 1;
    for (size_t i = 0; i < count; i++)
        TRY(extend(best + i * n_best, i == 0 ? &none : best + (i - 1) * n_best, found, n_best,
                   &sentences[i], error));
    for (size_t k = 0; k < *found; k++) {
        size_t at = k;
        for (size_t i = count; i-- > 0; at = best[i * n_best + at].before)
            choices[k * count + i] = best[i * n_best + at].choice;
    }
    return STATUS_OK;
}

// The k-th sample of each sentence, for as many as all have.
static size_t choose_samples(size_t *choices, size_t n_best, const Translation *sentences,
                             size_t count)
{
    size_t found = n_best;
    for (size_t i = 0; i < count; i++)
        if (sentences[i].count < found) found = sentences[i].count;
    for (size_t k = 0; k < found; k++)
        for (size_t i = 0; i < count; i++) choices[k * count + i] = k;
    return found;
}

static Status join_renderings(const Paragraphs *paragraphs, const Piece *pieces, size_t n_best,
                              bool sampled, Translation *translation, Error *error)
{
    size_t count = translation->sentence_count, found;
    FREED size_t *choices = NULL; // (n_best, count)
    TRY(array_new(&choices, n_best * count, "translations", error));
    if (sampled)
        found = choose_samples(choices, n_best, translation->sentences, count);
    else
        TRY(combinations_find(choices, &found, n_best, translation->sentences, count, error));
    TRY(array_new(&translation->renderings, found, "translations", error));
    for (size_t k = 0; k < found; k++) {
        translation->count++;
        TRY(join_rendering(paragraphs, pieces, translation, choices + k * count,
                           &translation->renderings[k], error));
    }
    return STATUS_OK;
}

// Joins the translations of the pieces of one text, which it takes over.
static Status join(const Paragraphs *paragraphs, const Piece *pieces, Translation *sentences,
                   size_t count, size_t n_best, bool sampled, Translation *out, Error *error)
{
    const Piece *last = &pieces[count - 1];
    size_t place = pieces->place - pieces->begin;
    size_t length = last->begin + last->length;
    TRY(array_new(&out->sentences, count, "sentences", error));
    out->sentence_count = count;
    for (size_t i = 0; i < count; i++) {
        out->sentences[i] = sentences[i];
        out->sentences[i].begin = pieces[i].begin;
        out->cut |= sentences[i].cut;
        sentences[i] = (Translation){0};
        TRY(append_subwords(&out->source_subwords, &out->sentences[i].source_subwords,
                            pieces[i].begin, error));
    }
    out->invalid = paragraphs->invalid[pieces->text];
    TRY(bytes_append(&out->source, bytes_text(&paragraphs->normal) + place, length, error));
    return join_renderings(paragraphs, pieces, n_best, sampled, out, error);
}

Status paragraphs_join(const Paragraphs *paragraphs, Translation *pieces, size_t n_best,
                       bool sampled, Translation *translations, size_t count, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < count; i++) translations[i] = (Translation){0};
    for (size_t first = 0, next; first < paragraphs->count && !status; first = next) {
        const Piece *piece = &paragraphs->pieces[first];
        Translation *out = &translations[piece->text];
        for (next = first + 1; next < paragraphs->count; next++)
            if (paragraphs->pieces[next].text != piece->text) break;
        assert(piece->whole == (next - first == 1));
        if (!piece->whole) {
            status =
                join(paragraphs, piece, pieces + first, next - first, n_best, sampled, out, error);
            continue;
        }
        *out = pieces[first];
        out->invalid += paragraphs->invalid[piece->text];
        pieces[first] = (Translation){0};
    }
    for (size_t i = 0; i < paragraphs->count; i++) translation_free(&pieces[i]);
    return status;
}
