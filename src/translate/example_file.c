#include "translate/example_file.h"

#include "base/array.h"
#include "io/file_content.h"
#include "text/normalise.h"
#include "translate/model_folders.h"

#include <pthread.h>

static const double LEAST_LINK = 0.5;

struct ExampleFile {
    pthread_mutex_t lock; // of the rest until it is read; then it does not change any more
    bool is_read;
    Bytes path;
    Bytes texts;    // in normal form: the source of pair p, then the target,
    size_t *begins; // from begins[2 p] on, and begins[2 p + 1]; (2 corpus.pairs + 1)
    size_t begins_capacity;
    AlignerCorpus corpus; // their tokens
};

Status example_file_beside(Bytes *path, const char *model, const char *ending, Error *error)
{
    bytes_clear(path);
    TRY(bytes_append(path, model, model_stem(model), error));
    return bytes_append_string(path, ending, error);
}

Status example_file_new(ExampleFile **out, const char *model, Error *error)
{
    FREED_BY(example_file_free_at) ExampleFile *file = NULL;
    TRY(array_new(&file, 1, "examples", error));
    file->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    TRY(example_file_beside(&file->path, model, EXAMPLE_FILE_ENDING, error));
    *out = memory_take(&file);
    return STATUS_OK;
}

static void forget(ExampleFile *file)
{
    aligner_corpus_free(&file->corpus);
    bytes_free(&file->texts);
}

void example_file_free(ExampleFile *file)
{
    if (!file) return;
    forget(file);
    bytes_free(&file->path);
    memory_free(file->begins);
    pthread_mutex_destroy(&file->lock);
    memory_free(file);
}

// Appends a text and sets its tokens.
static Status add_text(ExampleFile *file, AlignerTokens *tokens, TextView text, Error *error)
{
    FREED_BY(bytes_free) Bytes normal = {0};
    TRY(normalise(&normal, text.data, text.length, NULL, error));
    TRY(aligner_tokens_set(tokens, normal.data, normal.length, error));
    return bytes_append(&file->texts, normal.data, normal.length, error);
}

// Adds a pair, unless it is too long.
static Status add_pair(ExampleFile *file, TextView source, TextView target, Error *error)
{
    FREED_BY(aligner_tokens_free) AlignerTokens sources = {0}, targets = {0};
    size_t first = 2 * file->corpus.pairs;
    TRY(array_reserve(&file->begins, &file->begins_capacity, first + 3, "examples", error));
    size_t *begins = file->begins + first;
    begins[0] = file->texts.length;
    TRY(add_text(file, &sources, source, error));
    begins[1] = file->texts.length;
    TRY(add_text(file, &targets, target, error));
    begins[2] = file->texts.length;
    if (begins[2] - begins[0] <= MAX_EXAMPLE_BYTES)
        return aligner_corpus_add(&file->corpus, &sources, &targets, error);
    bytes_cut(&file->texts, begins[0]);
    return STATUS_OK;
}

static Status read_file(ExampleFile *file, Error *error)
{
    FileContent content;
    Status status = file_content_read(&content, bytes_text(&file->path), error);
    if (status) return status == STATUS_IO ? STATUS_OK : status;
    TextView rest = {content.data, content.size};
    while (rest.length > 0 && !status) {
        TextView line = text_view_cut(&rest, '\n'), source = text_view_cut(&line, '\t');
        status = add_pair(file, source, text_view_cut(&line, '\t'), error);
    }
    file_content_free(&content);
    if (status) forget(file);
    return status;
}

static Status read_once(ExampleFile *file, Error *error)
{
    pthread_mutex_lock(&file->lock);
    Status status = file->is_read ? STATUS_OK : read_file(file, error);
    file->is_read = !status;
    pthread_mutex_unlock(&file->lock);
    return status;
}

enum { MAX_WORD_TYPES = MAX_SENSE_BYTES / 3 }; // of a word as the aligner cuts it: Han characters

typedef struct WordTypes {
    uint32_t types[MAX_WORD_TYPES];
    size_t count; // 0: no pair has the word
} WordTypes;

// What is looked for.
typedef struct Search {
    const ExampleFile *file;
    const Aligner *aligner;
    WordTypes word, senses[MAX_SENSES];
    AlignerTokens tokens[2];
    AlignerPosteriors posteriors;
} Search;

static void search_free(Search *search)
{
    for (size_t s = 0; s < 2; s++) aligner_tokens_free(&search->tokens[s]);
    aligner_posteriors_free(&search->posteriors);
}

static Status set_types(WordTypes *out, const AlignerVocabulary *vocabulary, TextView text,
                        Error *error)
{
    FREED_BY(aligner_tokens_free) AlignerTokens tokens = {0};
    const TextView word = senses_trim(text);
    TRY(aligner_tokens_set(&tokens, word.data, word.length, error));
    if (tokens.places.count > MAX_WORD_TYPES) return STATUS_OK;
    for (size_t i = 0; i < tokens.places.count; i++) {
        const TextView spelling = aligner_tokens_spelling(&tokens, i);
        out->types[i] = aligner_vocabulary_find(vocabulary, spelling).type;
        if (out->types[i] == ALIGNER_UNKNOWN) return STATUS_OK;
    }
    out->count = tokens.places.count;
    return STATUS_OK;
}

static bool stands_at(const WordTypes *word, const uint32_t *tokens, size_t count, size_t at)
{
    return word->count > 0 && at + word->count <= count &&
           !memcmp(tokens + at, word->types, word->count * sizeof *tokens);
}

static bool has(const uint32_t *tokens, size_t count, const WordTypes *word)
{
    for (size_t at = 0; at < count; at++)
        if (stands_at(word, tokens, count, at)) return true;
    return false;
}

// Whether the target has the sense, but not as a part of another sense.
static bool has_sense(const Search *search, size_t sense, const AlignerPair *pair)
{
    const WordTypes *word = &search->senses[sense];
    for (size_t i = 0; i < MAX_SENSES; i++) {
        const WordTypes *other = &search->senses[i];
        if (i != sense && has(other->types, other->count, word) &&
            has(pair->tokens[1], pair->counts[1], other))
            return false;
    }
    return has(pair->tokens[1], pair->counts[1], word);
}

static bool are_linked(const Search *search, size_t sense, size_t source, size_t target)
{
    for (size_t i = 0; i < search->word.count; i++)
        for (size_t j = 0; j < search->senses[sense].count; j++)
            if (aligner_posteriors_link(&search->posteriors, source + i, target + j) >= LEAST_LINK)
                return true;
    return false;
}

static size_t word_count(const AlignerTokens *tokens)
{
    size_t count = 0;
    for (size_t i = 0; i < tokens->places.count; i++) count += !aligner_tokens_is_mark(tokens, i);
    return count;
}

static void set_parts(TextView parts[3], TextView text, const Spans *tokens, size_t first,
                      size_t count)
{
    const Span word = {tokens->items[first].begin, tokens->items[first + count - 1].end};
    parts[0] = span_text(text, (Span){0, word.begin});
    parts[1] = span_text(text, word);
    parts[2] = span_text(text, (Span){word.end, text.length});
}

// Sets an example to a pair that has both words, if they are linked.
static Status take(Example *example, Search *search, size_t sense, size_t p, Error *error)
{
    const AlignerPair pair = aligner_corpus_pair(&search->file->corpus, p);
    const WordTypes *words[2] = {&search->word, &search->senses[sense]};
    const size_t *begins = search->file->begins + 2 * p;
    TextView texts[2];
    for (size_t s = 0; s < 2; s++) {
        texts[s] = (TextView){search->file->texts.data + begins[s], begins[s + 1] - begins[s]};
        TRY(aligner_tokens_set(&search->tokens[s], texts[s].data, texts[s].length, error));
    }
    if (word_count(&search->tokens[0]) == words[0]->count) return STATUS_OK;
    TRY(aligner_align(&search->posteriors, search->aligner, &search->tokens[0], &search->tokens[1],
                      NULL, error));
    for (size_t i = 0; i < pair.counts[0]; i++)
        for (size_t j = 0; j < pair.counts[1]; j++) {
            if (!stands_at(words[0], pair.tokens[0], pair.counts[0], i) ||
                !stands_at(words[1], pair.tokens[1], pair.counts[1], j) ||
                !are_linked(search, sense, i, j))
                continue;
            set_parts(example->parts[0], texts[0], &search->tokens[0].places, i, words[0]->count);
            set_parts(example->parts[1], texts[1], &search->tokens[1].places, j, words[1]->count);
            return STATUS_OK;
        }
    return STATUS_OK;
}

// Finds the example of a sense.
static Status find(Example *found, Search *search, size_t sense, Error *error)
{
    const ExampleFile *file = search->file;
    size_t shortest = MAX_EXAMPLE_BYTES + 1;
    for (size_t p = 0; p < file->corpus.pairs; p++) {
        const AlignerPair pair = aligner_corpus_pair(&file->corpus, p);
        size_t length = file->begins[2 * p + 2] - file->begins[2 * p];
        if (length >= shortest || !has(pair.tokens[0], pair.counts[0], &search->word) ||
            !has_sense(search, sense, &pair))
            continue;
        Example example = {0};
        TRY(take(&example, search, sense, p, error));
        if (!example_is_found(&example)) continue;
        shortest = length;
        *found = example;
    }
    return STATUS_OK;
}

Status example_file_find(Example found[MAX_SENSES], ExampleFile *file, const Aligner *aligner,
                         TextView word, const Senses *senses, Error *error)
{
    FREED_BY(search_free) Search search = {.file = file, .aligner = aligner};
    const AlignerVocabulary *vocabularies = file->corpus.vocabularies;
    memset(found, 0, MAX_SENSES * sizeof *found);
    if (!aligner) return STATUS_OK;
    TRY(read_once(file, error));
    TRY(set_types(&search.word, &vocabularies[0], word, error));
    for (size_t i = 0; i < senses->count; i++)
        TRY(set_types(&search.senses[i], &vocabularies[1], text_view_of(senses->items[i].word),
                      error));
    for (size_t i = 0; i < senses->count; i++) TRY(find(&found[i], &search, i, error));
    return STATUS_OK;
}
