#include "cli/model_alignment.h"

#include "base/array.h"
#include "cli/file_names.h"

#include <stdio.h>

// Whether matrices are posteriors instead of attention.
static bool draws_posteriors(const ModelAlignment *of)
{
    return of->draws_posteriors && of->reading.from != LINKS_FROM_ATTENTION;
}

HtmlPage model_alignment_page(ModelAlignment *of)
{
    const DecoderParams *decoder = &of->translator->model.params.decoder;
    const char *scorer = decoder->scorer->name;
    bool one = of->head || draws_posteriors(of), both = of->reading.from == LINKS_FROM_BOTH;
    HtmlPage page = {.model = file_base_name(of->model),
                     .attention = of->attention,
                     .units = {of->units[0], of->units[1]},
                     .heads = one ? 1 : decoder->attention.widths.heads};
    of->matrices = html_matrices(page.heads);
    if (of->head)
        snprintf(of->attention, sizeof of->attention, "head %zu of %s", of->head, scorer);
    else
        snprintf(of->attention, sizeof of->attention, "%s", scorer);
    if (!draws_posteriors(of)) return page;
    snprintf(of->shows, sizeof of->shows, "%s%s", both ? of->attention : "the aligner alone",
             both ? " attention and the aligner" : "");
    page.shows = of->shows;
    return page;
}

static SoftSide side(const Subwords *subwords, const Spans *units)
{
    return (SoftSide){.ends = subwords->ends, .subwords = subwords->count, .units = units};
}

// Sets of->views: behind the words' first matrix those of the heads, and all among subwords.
static Status set_views(ModelAlignment *of, const Translation *translation,
                        const Rendering *rendering, const float *alpha, Error *error)
{
    const Subwords *source = &translation->source_subwords, *target = &rendering->subwords;
    size_t size = (source->count + 1) * (target->count + 1);
    for (size_t i = 0; i < of->matrices; i++) {
        of->views[of->matrices + i] = alpha + i * size;
        if (i == 0) continue;
        SoftAlignment *head = &of->heads[i - 1];
        TRY(soft_alignment_set(head, alpha + i * size, side(source, &of->alignment.source_units),
                               side(target, &of->alignment.target_units), error));
        of->views[i] = head->weights;
    }
    return STATUS_OK;
}

/* The matrices among the subwords (matrices, target, source): what is drawn, joined of sentences, or
 * zeros for a pair without attention. */
static Status among_subwords(ModelAlignment *of, const float **alpha,
                             const Translation *translation, const Rendering *rendering,
                             Error *error)
{
    bool joined = translation->sentence_count > 0;
    size_t size = (translation->source_subwords.count + 1) * (rendering->subwords.count + 1);
    memory_free(of->joined);
    of->joined = NULL;
    if (draws_posteriors(of)) {
        TRY(joined ? alignment_join_subwords(&of->posteriors, translation, rendering, of->units,
                                             &of->reading, error)
                   : alignment_of_subwords(&of->posteriors, &of->alignment, translation, rendering,
                                           error));
        *alpha = of->posteriors.weights;
        return STATUS_OK;
    }
    if (joined)
        TRY(attention_join(&of->joined, translation, rendering, of->matrices, error));
    else if (!rendering->alpha)
        TRY(array_new(&of->joined, of->matrices * size, "an alignment", error));
    *alpha = of->joined ? of->joined : rendering->alpha;
    return STATUS_OK;
}

// What is shown of subwords, and where attention and aligner differ, if there is an aligner.
static Status add_subwords(ModelAlignment *of, AlignedPair *pair, const Translation *translation,
                           const Rendering *rendering, Error *error)
{
    const float *alpha;
    const Aligner *aligner = of->reading.aligner;
    TRY(among_subwords(of, &alpha, translation, rendering, error));
    TRY(subword_labels_set(&of->labels, of->translator, translation, rendering, error));
    TRY(set_views(of, translation, rendering, alpha, error));
    pair->subwords = (AlignmentView){subword_labels(&of->labels, 0), subword_labels(&of->labels, 1),
                                     of->views + of->matrices};
    if (!aligner) return STATUS_OK;
    pair->differ[0] = &of->differences.only_attention;
    pair->differ[1] = &of->differences.only_aligner;
    return differences_set(&of->differences, translation, rendering, of->units, aligner, error);
}

Status model_alignment_set(ModelAlignment *of, AlignedPair *pair, const Translation *translation,
                           const Rendering *rendering, bool subwords, Error *error)
{
    const Alignment *alignment = &of->alignment;
    if (!of->views) {
        TRY(array_new(&of->heads, of->matrices - 1, "alignments", error));
        TRY(array_new(&of->views, 2 * of->matrices, "alignments", error));
    }
    TRY(alignment_set(&of->alignment, translation, rendering, of->units, &of->reading, error));
    of->views[0] = draws_posteriors(of) ? alignment->posteriors.weights : alignment->soft.weights;
    *pair = (AlignedPair){
        .words = {{bytes_text(&translation->source), &alignment->source_units},
                  {bytes_text(&rendering->text), &alignment->target_units},
                  of->views},
        .links = &alignment->links,
    };
    return subwords ? add_subwords(of, pair, translation, rendering, error) : STATUS_OK;
}

void model_alignment_free(ModelAlignment *of)
{
    subword_labels_free(&of->labels);
    for (size_t i = 1; i < of->matrices && of->heads; i++) soft_alignment_free(&of->heads[i - 1]);
    memory_free(of->heads);
    memory_free(of->views);
    memory_free(of->joined);
    alignment_free(&of->alignment);
    differences_free(&of->differences);
    soft_alignment_free(&of->posteriors);
    *of = (ModelAlignment){0};
}
