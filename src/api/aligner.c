// The statistical aligner: learned from pairs, kept in files, and its alignments as results.
#include "api/parts.h"

#include "align/aligner_file.h"
#include "base/array.h"
#include "text/normalise.h"

struct RegardAligner {
    Aligner aligner;
};

static Status add_pairs(AlignerCorpus *corpus, const Given *pairs, Error *error)
{
    FREED_BY(aligner_tokens_free) AlignerTokens source = {0}, target = {0};
    FREED_BY(bytes_free) Bytes normal = {0};
    AlignerTokens *const tokens[2] = {&source, &target};
    for (size_t i = 0; i < pairs->count; i++) {
        TRY(cancel_check(&pairs->cancel, error));
        for (int s = 0; s < 2; s++) {
            const TextView view = pairs->views[s][i];
            TRY(normalise(&normal, view.data, view.length, NULL, error));
            TRY(aligner_tokens_set(tokens[s], bytes_text(&normal), normal.length, error));
        }
        TRY(aligner_corpus_add(corpus, &source, &target, error));
    }
    return STATUS_OK;
}

static Status learn(Aligner *aligner, const Given *pairs, Error *error)
{
    FREED_BY(aligner_corpus_free) AlignerCorpus corpus = {0};
    FREED_BY(threads_free_at) Threads *threads = NULL;
    AlignerOptions options = aligner_options_default();
    options.cancel = &pairs->cancel;
    TRY(add_pairs(&corpus, pairs, error));
    TRY(threads_new(&threads, given_threads(pairs), error));
    return aligner_learn(aligner, &corpus, options, threads, error);
}

static Status start(RegardAligner **out, Error *error)
{
    if (!out) return error_set(error, STATUS_ARGUMENT, "the pointer for the aligner is NULL");
    return array_new(out, 1, "an aligner", error);
}

static RegardStatus end(RegardAligner **out, RegardError *error, Status status, const Error *inner)
{
    if (status && out) {
        regard_aligner_free(*out);
        *out = NULL;
    }
    return error_tell(error, status, inner);
}

RegardStatus regard_aligner_learn(RegardAligner **aligner, const RegardText *sources,
                                  const RegardText *targets, size_t count,
                                  const RegardOptions *options, RegardError *error)
{
    Error inner;
    FREED_BY(given_free) Given pairs = {.count = count};
    const RegardText *const texts[2] = {sources, targets};
    Status status = start(aligner, &inner);
    if (!status) status = given_read(&pairs, texts, 2, options, &inner);
    if (!status) status = learn(&(*aligner)->aligner, &pairs, &inner);
    return end(aligner, error, status, &inner);
}

RegardStatus regard_aligner_open(RegardAligner **aligner, const char *path, RegardError *error)
{
    Error inner;
    Status status = start(aligner, &inner);
    if (!status)
        status = path ? aligner_open(&(*aligner)->aligner, path, &inner)
                      : error_set(&inner, STATUS_ARGUMENT, "the path is NULL; give that of a file");
    return end(aligner, error, status, &inner);
}

RegardStatus regard_aligner_save(const RegardAligner *aligner, const char *path, RegardError *error)
{
    Error inner;
    Status status = aligner && path
                        ? aligner_save(path, &aligner->aligner, &inner)
                        : error_set(&inner, STATUS_ARGUMENT, "the aligner or the path is NULL");
    return error_tell(error, status, &inner);
}

// A text in normal form, and all of it as one subword, since the aligner knows no others.
static Status set_text(Bytes *text, Subwords *whole, TextView view, size_t *invalid, Error *error)
{
    size_t wrong;
    TRY(normalise(text, view.data, view.length, &wrong, error));
    *invalid += wrong;
    TRY(array_new(&whole->ends, 1, "a text", error));
    whole->ends[0] = (uint32_t)text->length;
    whole->count = text->length > 0;
    return STATUS_OK;
}

static Status set_pairs(RegardResult *result, const Given *pairs, Error *error)
{
    for (size_t i = 0; i < pairs->count; i++) {
        Translation *translation = &result->translations[i];
        TRY(array_new(&translation->renderings, 1, "a result", error));
        translation->count = 1;
        TRY(set_text(&translation->source, &translation->source_subwords, pairs->views[0][i],
                     &translation->invalid, error));
        TRY(set_text(&translation->renderings->text, &translation->renderings->subwords,
                     pairs->views[1][i], &translation->invalid, error));
    }
    return STATUS_OK;
}

static void judge_units(UnitKind kinds[2], const Given *pairs)
{
    const RegardUnits given[2] = {pairs->options.source_units, pairs->options.target_units};
    for (int s = 0; s < 2; s++) {
        size_t han = 0, letters = 0;
        for (size_t i = 0; i < pairs->count; i++)
            units_count_han(pairs->views[s][i].data, pairs->views[s][i].length, &han, &letters);
        kinds[s] = unit_kind(given[s], units_default(han, letters));
    }
}

static Status align(const RegardAligner *aligner, const Given *pairs, RegardResult **out,
                    Error *error)
{
    FREED_BY(regard_result_free_at) RegardResult *result = NULL;
    ResultForm form = {.alignments = true,
                       .cancel = &pairs->cancel,
                       .reading = {.from = LINKS_FROM_TABLE,
                                   .threshold = MIN_POSTERIOR,
                                   .aligner = &aligner->aligner,
                                   .links_only = !pairs->options.alignment}};
    judge_units(form.units, pairs);
    TRY(result_new(&result, pairs->count, error));
    TRY(set_pairs(result, pairs, error));
    return result_give(out, &result, &form, error);
}

RegardStatus regard_aligner_align(const RegardAligner *aligner, const RegardText *const sides[2],
                                  size_t count, const RegardOptions *options, RegardResult **result,
                                  RegardError *error)
{
    Error inner;
    FREED_BY(given_free) Given pairs = {.count = count};
    Status status = STATUS_OK;
    if (result) *result = NULL;
    if (!result || !aligner || !sides)
        status = error_set(&inner, STATUS_ARGUMENT,
                           "the aligner, its pairs or the pointer for the result is NULL");
    if (!status) status = given_read(&pairs, sides, 2, options, &inner);
    if (!status) status = align(aligner, &pairs, result, &inner);
    return error_tell(error, status, &inner);
}

void regard_aligner_free(RegardAligner *aligner)
{
    if (!aligner) return;
    aligner_free(&aligner->aligner);
    memory_free(aligner);
}
