// The texts and errors that callers and the library pass each other.
#include "api/parts.h"

#include "base/array.h"
#include "language/language_evidence.h"
#include "text/normalise.h"

RegardStatus error_tell(RegardError *error, Status status, const Error *inner)
{
    if (status && error) {
        error->status = (RegardStatus)status;
        memcpy(error->text, inner->text, sizeof error->text);
    }
    return (RegardStatus)status;
}

// The normal form, at most three times as long, then has offsets of 32 bits.
static const size_t max_text = (size_t)1 << 30;

// Sentences are numbered in 32 bits.
static const size_t max_count = UINT32_MAX;

Status text_read(TextView *view, const RegardText *text, const char *name, size_t i,
                 const char *member, Error *error)
{
    *view = (TextView){text->bytes ? text->bytes : "", text->length};
    if (!text->bytes && text->length > 0)
        return error_set(error, STATUS_ARGUMENT, "%s[%zu]%s is NULL, but its length is %zu", name,
                         i, member, text->length);
    if (text->length <= max_text) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "%s[%zu]%s has %zu bytes, more than the %zu allowed; split it into sentences",
                     name, i, member, text->length, max_text);
}

Status texts_read(TextView **views, const RegardText *texts, size_t count, const char *name,
                  Error *error)
{
    if (count > max_count)
        return error_set(error, STATUS_ARGUMENT, "count is %zu; it must be at most %zu", count,
                         max_count);
    if (!texts && count > 0)
        return error_set(error, STATUS_ARGUMENT, "%s is NULL; it must point to %zu texts", name,
                         count);
    TRY(array_new(views, count, "texts", error));
    for (size_t i = 0; i < count; i++) TRY(text_read(&(*views)[i], &texts[i], name, i, "", error));
    return STATUS_OK;
}

Status text_give(RegardText *text, Bytes *bytes, Error *error)
{
    TRY(bytes_append(bytes, "", 0, error)); // allocates even an empty text
    *text = (RegardText){bytes->data, bytes->length};
    *bytes = (Bytes){0};
    return STATUS_OK;
}

void regard_text_free(RegardText *text)
{
    if (!text) return;
    memory_free((char *)(uintptr_t)text->bytes);
    *text = (RegardText){NULL, 0};
}

bool regard_flag_is_set(void *flag)
{
    return __atomic_load_n((const int *)flag, __ATOMIC_RELAXED) != 0;
}

Status text_begin(RegardText *out, Error *error)
{
    if (!out) return error_set(error, STATUS_ARGUMENT, "the pointer for the result is NULL");
    *out = (RegardText){NULL, 0};
    return STATUS_OK;
}

Status text_check(TextView *view, const RegardText *text, const char *name, RegardText *out,
                  Error *error)
{
    TRY(text_begin(out, error));
    if (!text) return error_set(error, STATUS_ARGUMENT, "the %s is NULL", name);
    return text_read(view, text, name, 0, "", error);
}

static Status tokenize(const RegardModel *model, RegardSide side, const RegardText *text,
                       RegardText *out, Error *error)
{
    TextView view;
    FREED_BY(bytes_free) Bytes normal = {0}, line = {0};
    FREED_BY(subwords_free) Subwords subwords = {0};
    TRY(text_check(&view, text, "text", out, error));
    if (!model || (side != REGARD_SOURCE && side != REGARD_TARGET))
        return error_set(error, STATUS_ARGUMENT, "%s",
                         model ? "the side is neither REGARD_SOURCE nor REGARD_TARGET"
                               : "the model is NULL; open one with regard_open");
    const Vocabulary *vocabulary = side == REGARD_SOURCE ? model->translator.source_vocabulary
                                                         : model->translator.target_vocabulary;
    TRY(normalise(&normal, view.data, view.length, NULL, error));
    TRY(vocabulary_encode(vocabulary, bytes_text(&normal), normal.length, &subwords, error));
    for (size_t i = 0; i < subwords.count; i++)
        TRY(bytes_append_format(&line, error, "%s%s", i ? " " : "",
                                vocabulary_spelling(vocabulary, subwords.ids[i])));
    return text_give(out, &line, error);
}

RegardStatus regard_tokenize(const RegardModel *model, RegardSide side, const RegardText *text,
                             RegardText *subwords, RegardError *error)
{
    Error inner;
    return error_tell(error, tokenize(model, side, text, subwords, &inner), &inner);
}

static Status detect(const char **code, const RegardText *texts, size_t count, Error *error)
{
    FREED TextView *views = NULL;
    FREED_BY(language_evidence_free) LanguageEvidence evidence = {0};
    if (!code) return error_set(error, STATUS_ARGUMENT, "the pointer for the language is NULL");
    *code = NULL;
    TRY(texts_read(&views, texts, count, "texts", error));
    for (size_t i = 0; i < count; i++)
        TRY(language_evidence_add(&evidence, views[i].data, views[i].length, error));
    const Language *language = language_likeliest(&evidence);
    if (language) *code = language->code;
    return STATUS_OK;
}

RegardStatus regard_detect_language(const char **code, const RegardText *texts, size_t count,
                                    RegardError *error)
{
    Error inner;
    return error_tell(error, detect(code, texts, count, &inner), &inner);
}
