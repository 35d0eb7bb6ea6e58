#include "bench/bottleneck/joining.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/string_map.h"
#include "bench/bottleneck/lengths.h"
#include "text/utf8.h"

#include <string.h>

// After so many passes a class of lengths that is not full will hardly become so.
enum { MAX_PASSES = 200 };

// A corpus in a random order, of which groups are taken from the front.
typedef struct Walk {
    const TextCorpus *pairs;
    Scripts scripts;
    uint32_t *order; // (pairs->count)
    size_t place;    // in `order`
    Random random;
    Bytes source, target; // of the group taken last
} Walk;

Scripts scripts_of(const TextCorpus *corpus)
{
    size_t han[2] = {0, 0}, letters[2] = {0, 0};
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        units_count_han(pair.source, pair.source_length, &han[0], &letters[0]);
        units_count_han(pair.target, pair.target_length, &han[1], &letters[1]);
    }
    return (Scripts){units_default(han[0], letters[0]), units_default(han[1], letters[1])};
}

static Status walk_begin(Walk *walk, const TextCorpus *pairs, Scripts scripts, Error *error)
{
    if (pairs->count == 0 || pairs->count > UINT32_MAX)
        return error_set(error, STATUS_ARGUMENT, "%zu pairs cannot be joined", pairs->count);
    *walk = (Walk){.pairs = pairs, .scripts = scripts};
    walk->order = memory_new(pairs->count, sizeof *walk->order);
    if (!walk->order) return error_memory(error, pairs->count * sizeof *walk->order, "the order");
    return STATUS_OK;
}

// Back to the front, in another order.
static void walk_shuffle(Walk *walk, uint64_t seed, uint64_t pass)
{
    walk->random = random_from(seed, pass);
    walk->place = 0;
    for (size_t i = 0; i < walk->pairs->count; i++) walk->order[i] = (uint32_t)i;
    random_shuffle(&walk->random, walk->order, walk->pairs->count);
}

/* 1 … MAX_JOINED, the number k as likely as 1/k: so each has the same share of the sentences, and short inputs are learned as
 * much as long ones. */
static size_t draw_count(Random *random)
{
    enum { COMMON = 840 }; // a multiple of 1, 2, …, 8
    uint64_t sum = 0;
    for (size_t k = 1; k <= MAX_JOINED; k++) sum += COMMON / k;
    uint64_t drawn = random_below(random, sum);
    size_t count = 1;
    for (; drawn >= COMMON / count; count++) drawn -= COMMON / count;
    return count;
}

static bool ends_open(const Bytes *text)
{
    uint32_t last;
    size_t at = text->length - 1;
    while (at > 0 && ((unsigned char)text->data[at] & 0xC0) == 0x80) at--;
    utf8_decode(text->data + at, text->length - at, &last, NULL);
    return utf8_is_letter(last) || utf8_is_number(last);
}

static Status append_sentence(Bytes *text, const char *sentence, size_t length, UnitKind kind,
                              Error *error)
{
    Status status = STATUS_OK;
    if (text->length > 0 && ends_open(text))
        status = bytes_append_string(text, kind == UNITS_WORDS ? "." : "。", error);
    if (!status && text->length > 0 && kind == UNITS_WORDS)
        status = bytes_append_string(text, " ", error);
    return status ? status : bytes_append(text, sentence, length, error);
}

// Joins the next group; *more = false if the pass is over.
static Status walk_next(Walk *walk, bool *more, Error *error)
{
    Status status = STATUS_OK;
    size_t left = walk->pairs->count - walk->place;
    *more = left > 0;
    if (!*more) return STATUS_OK;
    size_t count = draw_count(&walk->random);
    if (count > left) count = left;
    bytes_clear(&walk->source);
    bytes_clear(&walk->target);
    for (size_t i = 0; i < count && !status; i++) {
        TextPair pair = text_corpus_pair(walk->pairs, walk->order[walk->place++]);
        status = append_sentence(&walk->source, pair.source, pair.source_length,
                                 walk->scripts.source, error);
        if (!status)
            status = append_sentence(&walk->target, pair.target, pair.target_length,
                                     walk->scripts.target, error);
    }
    return status;
}

static Status walk_add(const Walk *walk, TextCorpus *joined, Error *error)
{
    TextPair pair = {.source = walk->source.data,
                     .target = walk->target.data,
                     .source_length = walk->source.length,
                     .target_length = walk->target.length};
    return text_corpus_add(joined, &pair, error);
}

static void walk_end(Walk *walk)
{
    memory_free(walk->order);
    bytes_free(&walk->source);
    bytes_free(&walk->target);
}

Status join_all(TextCorpus *joined, const TextCorpus *pairs, Scripts scripts, size_t passes,
                uint64_t seed, Error *error)
{
    Walk walk = {0};
    Status status = walk_begin(&walk, pairs, scripts, error);
    for (size_t pass = 0; pass < passes && !status; pass++) {
        walk_shuffle(&walk, seed, pass);
        for (bool more = true; more && !status;) {
            status = walk_next(&walk, &more, error);
            if (!status && more) status = walk_add(&walk, joined, error);
        }
    }
    walk_end(&walk);
    return status;
}

// How full the classes of lengths are, and with what.
typedef struct Quota {
    size_t counts[LENGTH_CLASSES];
    size_t each, missing;
    StringMap sources;
    Units units;
} Quota;

// Adds the group at hand if its class has room and it is not there yet.
static Status quota_offer(Quota *quota, const Walk *walk, TextCorpus *joined, Error *error)
{
    bool added = false;
    Status status = units_split(&quota->units, walk->scripts.source, walk->source.data,
                                walk->source.length, error);
    if (status || quota->units.count == 0) return status;
    size_t class = length_class(quota->units.count);
    if (quota->counts[class] == quota->each) return STATUS_OK;
    if (!string_map_put(&quota->sources, walk->source.data, walk->source.length, 0, &added))
        return error_memory(error, walk->source.length, "the sources");
    if (!added) return STATUS_OK;
    quota->counts[class]++;
    quota->missing--;
    return walk_add(walk, joined, error);
}

Status join_evenly(TextCorpus *joined, const TextCorpus *pairs, Scripts scripts, size_t each,
                   uint64_t seed, Error *error)
{
    Walk walk = {0};
    Quota quota = {.each = each, .missing = each * LENGTH_CLASSES};
    Status status = walk_begin(&walk, pairs, scripts, error);
    for (size_t pass = 0; pass < MAX_PASSES && quota.missing && !status; pass++) {
        walk_shuffle(&walk, seed, pass);
        for (bool more = true; more && !status;) {
            status = walk_next(&walk, &more, error);
            if (!status && more) status = quota_offer(&quota, &walk, joined, error);
        }
    }
    walk_end(&walk);
    string_map_free(&quota.sources);
    units_free(&quota.units);
    return status;
}

static Status collect(StringMap sides[2], const TextCorpus *corpus, Error *error)
{
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        if (!string_map_put(&sides[0], pair.source, pair.source_length, 0, NULL) ||
            !string_map_put(&sides[1], pair.target, pair.target_length, 0, NULL))
            return error_memory(error, pair.source_length + pair.target_length,
                                "the held-out part");
    }
    return STATUS_OK;
}

Status join_hold_out(TextCorpus *corpus, const TextCorpus *held_out, size_t *count, Error *error)
{
    StringMap sides[2] = {{0}, {0}};
    TextCorpus kept = {0};
    size_t taken = 0;
    Status status = collect(sides, held_out, error);
    for (size_t i = 0; i < corpus->count && !status; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        if (string_map_find(&sides[0], pair.source, pair.source_length) ||
            string_map_find(&sides[1], pair.target, pair.target_length))
            taken++;
        else
            status = text_corpus_add(&kept, &pair, error);
    }
    string_map_free(&sides[0]);
    string_map_free(&sides[1]);
    if (status) {
        text_corpus_free(&kept);
        return status;
    }
    text_corpus_free(corpus);
    *corpus = kept;
    *count += taken;
    return STATUS_OK;
}
