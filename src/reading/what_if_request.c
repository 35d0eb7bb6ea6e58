#include "reading/what_if_request.h"

#include "reading/phrase.h"
#include "text/normalise.h"
#include "text/utf8.h"

#include <stdlib.h>

const char *const what_if_names[] = {"forbid-source", "attend", "force", "forbid", NULL};

bool what_if_is_asked(const WhatIfRequest *request)
{
    size_t count = 0;
    for (size_t kind = 0; kind < ASK_KINDS; kind++) count += request->counts[kind];
    return count > 0;
}

bool subwords_find(size_t *first, size_t *end, const Subwords *subwords, TextView text,
                   TextView word)
{
    for (size_t begin = subwords_begin(subwords, *end);
         word.length > 0 && begin + word.length <= text.length; begin++) {
        if (!utf8_has_word_at(text, begin, word)) continue;
        const Span found = subwords_of_span(subwords, (Span){begin, begin + word.length});
        *first = found.begin;
        *end = found.end;
        return *first < *end;
    }
    return false;
}

// What is being read, for one source.
typedef struct WhatIfReader {
    WhatIf *what_if;
    TextView source;
    const Subwords *subwords;
    const Vocabulary *target;
} WhatIfReader;

static Status refuse(Error *error, int kind, const char *text, const char *reason)
{
    return error_set(error, STATUS_ARGUMENT, "%s %.200s: %s", what_if_names[kind], text, reason);
}

// Reads a whole number and the character behind it.
static bool read_number(size_t *number, const char **text, char behind)
{
    char *end;
    if (**text < '0' || **text > '9') return false;
    *number = strtoul(*text, &end, 10);
    *text = *end ? end + 1 : end;
    return *end == behind;
}

static Status refuse_place(Error *error, int kind, const char *text, const char *side, size_t last)
{
    return error_set(error, STATUS_ARGUMENT,
                     "%s %.200s: the %s has the subwords 0 to %zu, the last of them </s>",
                     what_if_names[kind], text, side, last);
}

static Status check_source(const WhatIfReader *reader, int kind, const char *text, size_t source,
                           Error *error)
{
    size_t last = reader->subwords->count;
    return source <= last ? STATUS_OK : refuse_place(error, kind, text, "source", last);
}

Status what_if_check_steps(const WhatIfRequest *request, size_t last, Error *error)
{
    for (size_t i = 0; i < request->counts[ASK_ATTEND]; i++) {
        const char *text = request->items[ASK_ATTEND][i];
        if (strtoul(text, NULL, 10) > last)
            return refuse_place(error, ASK_ATTEND, text, "translation", last);
    }
    return STATUS_OK;
}

static Status forbid_source(WhatIf *what_if, const char *text, size_t source, Error *error)
{
    for (size_t i = 0; i < what_if->forbidden_count; i++)
        if (what_if->forbidden[i] == source) return STATUS_OK;
    if (what_if->forbidden_count == MAX_WHAT_IFS)
        return refuse(error, ASK_FORBID_SOURCE, text, "too many subwords");
    what_if->forbidden[what_if->forbidden_count++] = (uint32_t)source;
    return STATUS_OK;
}

static Status read_forbidden(const WhatIfReader *reader, const char *text, Error *error)
{
    const char *at = text;
    size_t number = 0, end = 0;
    WhatIf *what_if = reader->what_if;
    if (read_number(&number, &at, '\0')) {
        TRY(check_source(reader, ASK_FORBID_SOURCE, text, number, error));
        TRY(forbid_source(what_if, text, number, error));
    } else {
        FREED_BY(bytes_free) Bytes word = {0};
        bool found = false;
        TRY(normalise(&word, text, strlen(text), NULL, error));
        const TextView view = bytes_view(&word);
        for (; subwords_find(&number, &end, reader->subwords, reader->source, view); found = true)
            for (; number < end; number++) TRY(forbid_source(what_if, text, number, error));
        if (!found) return refuse(error, ASK_FORBID_SOURCE, text, "the source has no such word");
    }
    if (what_if->forbidden_count > reader->subwords->count)
        return refuse(error, ASK_FORBID_SOURCE, text, "nothing of the source is left");
    return STATUS_OK;
}

static Status read_weight(const WhatIfReader *reader, const char *text, Error *error)
{
    WhatIf *what_if = reader->what_if;
    const char *at = text;
    char *end;
    size_t step, source;
    double sum = 0;
    if (!read_number(&step, &at, ':') || !read_number(&source, &at, '='))
        return refuse(error, ASK_ATTEND, text, "not STEP:SUBWORD=WEIGHT, 2:5=0.8");
    double weight = strtod(at, &end);
    if (!*at || *end || !(weight >= 0 && weight <= 1))
        return refuse(error, ASK_ATTEND, text, "the weight is not a number from 0 to 1");
    TRY(check_source(reader, ASK_ATTEND, text, source, error));
    for (size_t i = 0; i < what_if->forbidden_count; i++)
        if (what_if->forbidden[i] == source)
            return refuse(error, ASK_ATTEND, text, "that subword is forbidden");
    for (size_t i = 0; i < what_if->weight_count; i++) {
        if (what_if->weights[i].step != step) continue;
        sum += what_if->weights[i].weight;
        if (what_if->weights[i].source == source)
            return refuse(error, ASK_ATTEND, text, "that weight is given twice");
    }
    if (sum + weight > 1 + 1e-9)
        return refuse(error, ASK_ATTEND, text, "the weights of the step are more than 1");
    what_if->weights[what_if->weight_count++] = (WhatIfWeight){step, (uint32_t)source, weight};
    return STATUS_OK;
}

// Sets the ways to spell a word, those of a phrase.
static Status spell(WhatIfWord *word, const Vocabulary *vocabulary, TextView text, Error *error)
{
    FREED_BY(constraints_free) Constraints phrase = {0};
    TRY(phrase_add(&phrase, PHRASE_NEW, vocabulary, text, error));
    size_t count = 0;
    for (size_t i = 0; i < phrase.alternative_count && count < WHAT_IF_SPELLINGS; i++) {
        const PhraseTokens *tokens = &phrase.alternatives[i];
        if (tokens->length > MAX_WHAT_IF_TOKENS) continue;
        word->lengths[count] = tokens->length;
        memcpy(word->tokens[count++], phrase.tokens + tokens->begin,
               tokens->length * sizeof *phrase.tokens);
    }
    return STATUS_OK;
}

static Status read_word(const WhatIfReader *reader, int kind, const char *text, Error *error)
{
    WhatIf *what_if = reader->what_if;
    WhatIfWord *word = &what_if->words[what_if->word_count];
    const char *at = text;
    size_t longest = 2 * reader->subwords->count + 10; // about the limit of search
    FREED_BY(bytes_free) Bytes normal = {0};
    *word = (WhatIfWord){.forced = kind == ASK_FORCE};
    if (!read_number(&word->step, &at, ':') || !*at)
        return refuse(error, kind, text, "not STEP:WORD, 2:noire");
    if (what_if->word_count + 1 == MAX_WHAT_IFS) return refuse(error, kind, text, "too many words");
    if (word->step > longest) return refuse(error, kind, text, "no translation is as long");
    for (size_t i = 0; i < what_if->word_count; i++)
        if (what_if->words[i].forced && word->forced && what_if->words[i].step == word->step)
            return refuse(error, kind, text, "another word is forced there");
    TRY(normalise(&normal, at, strlen(at), NULL, error));
    if (normal.length > 0) TRY(spell(word, reader->target, bytes_view(&normal), error));
    if (!word->lengths[0]) return refuse(error, kind, text, "not a word of at most 16 subwords");
    what_if->word_count++;
    return STATUS_OK;
}

Status what_if_read(WhatIf *what_if, const WhatIfRequest *request, TextView source,
                    const Subwords *subwords, const Vocabulary *target, Error *error)
{
    const WhatIfReader reader = {what_if, source, subwords, target};
    *what_if = (WhatIf){0};
    for (int kind = 0; kind < ASK_KINDS; kind++)
        for (size_t i = 0; i < request->counts[kind]; i++) {
            const char *text = request->items[kind][i];
            if (kind == ASK_FORBID_SOURCE)
                TRY(read_forbidden(&reader, text, error));
            else if (kind == ASK_ATTEND)
                TRY(read_weight(&reader, text, error));
            else
                TRY(read_word(&reader, kind, text, error));
        }
    return STATUS_OK;
}
