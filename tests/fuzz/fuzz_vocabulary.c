/* Any bytes as a vocabulary's JSON up to the first NUL, and what follows as a text and as ids under
 * it.
 *
 * tests/fuzz/run builds and runs it. */
#include "fuzz.h"

#include "base/memory.h"
#include "text/utf8.h"
#include "text/vocabulary.h"

#include <stdlib.h>
#include <string.h>

static bool is_utf8(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t code_point;
        bool valid;
        at += utf8_decode(text + at, length - at, &code_point, &valid);
        if (!valid) return false;
    }
    return true;
}

// Every piece has a spelling that leads back to it, and the JSON makes the same vocabulary again.
static void check_pieces(const Vocabulary *vocabulary)
{
    for (size_t id = 0; id < vocabulary_size(vocabulary); id++) {
        const char *spelling = vocabulary_spelling(vocabulary, (int32_t)id);
        require(spelling && is_utf8(spelling, strlen(spelling)));
        require(vocabulary_find(vocabulary, spelling, strlen(spelling)) == (int32_t)id);
    }
    require(!vocabulary_spelling(vocabulary, -1));
    require(!vocabulary_spelling(vocabulary, (int32_t)vocabulary_size(vocabulary)));

    Vocabulary *again;
    Error error;
    json_t *json = vocabulary_to_json(vocabulary);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    require(text && vocabulary_read(&again, text, &error) == STATUS_OK);
    free(text);
    json_t *second = vocabulary_to_json(again);
    require(vocabulary_size(again) == vocabulary_size(vocabulary) && json_equal(json, second));
    json_decref(second);
    json_decref(json);
    vocabulary_free(again);
}

// The subwords cover the text without a gap and say it again, if it was UTF-8.
static void fuzz_text(const Vocabulary *vocabulary, const char *text, size_t length)
{
    Subwords subwords = {0};
    Bytes out = {0};
    Error error;
    require(vocabulary_encode(vocabulary, text, length, &subwords, &error) == STATUS_OK);
    for (size_t i = 0, end = 0; i < subwords.count; end = subwords.ends[i++]) {
        require(subwords.ids[i] >= TOKEN_BYTES);
        require((size_t)subwords.ids[i] < vocabulary_size(vocabulary));
        require(subwords.ends[i] >= end && subwords.ends[i] <= length);
    }
    require(length == 0 || subwords.ends[subwords.count - 1] == length);
    require(vocabulary_decode(vocabulary, subwords.ids, subwords.count, &out, &error) == STATUS_OK);
    if (is_utf8(text, length))
        require(out.length == length && (length == 0 || memcmp(out.data, text, length) == 0));
    else
        require(is_utf8(out.data, out.length));
    bytes_free(&out);
    subwords_free(&subwords);
}

// Ids are pairs of bytes, a few of them outside the vocabulary: text, or a refusal that says why.
static void fuzz_ids(const Vocabulary *vocabulary, const uint8_t *data, size_t size)
{
    size_t count = size / 2;
    int32_t *ids = memory_new(count, sizeof *ids);
    require(count == 0 || ids);
    bool inside = true;
    for (size_t i = 0; i < count; i++) {
        ids[i] = data[2 * i] + 256 * data[2 * i + 1] - 1;
        inside = inside && ids[i] >= 0 && (size_t)ids[i] < vocabulary_size(vocabulary);
    }
    Bytes out = {0};
    Error error = {0};
    Status status = vocabulary_decode(vocabulary, ids, count, &out, &error);
    require(status == (inside ? STATUS_OK : STATUS_ARGUMENT));
    require(status ? *error.text && out.length == 0 : is_utf8(out.data, out.length));
    bytes_free(&out);
    memory_free(ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    size_t length = nul ? (size_t)(nul - data) : size;
    char *json = memory_copy_string((const char *)data, length);
    Vocabulary *vocabulary;
    Error error = {0};
    require(json != NULL);
    if (vocabulary_read(&vocabulary, json, &error)) {
        require(!vocabulary && *error.text);
    } else {
        check_pieces(vocabulary);
        if (nul) fuzz_text(vocabulary, (const char *)nul + 1, size - length - 1);
        if (nul) fuzz_ids(vocabulary, nul + 1, size - length - 1);
        vocabulary_free(vocabulary);
    }
    memory_free(json);
    return 0;
}
