#include "text/vocabulary_build.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/utf8.h"

#include <stdio.h>
#include <string.h>

static const char SPACE_SHOWN[] = "\xE2\x96\x81"; // U+2581, lower one eighth block
enum { SPACE_SHOWN_LENGTH = 3, SPACE_SHOWN_CODE_POINT = 0x2581 };

// Adds a subword with a new spelling; its id is the number of subwords before it.
static Status add_subword(Vocabulary *vocabulary, const char *spelling, size_t spelling_length,
                          const char *text, size_t text_length, Error *error)
{
    size_t count = vocabulary->spellings.count;
    if (count >= VOCABULARY_MAX_SIZE)
        return error_set(error, STATUS_ARGUMENT, "a vocabulary holds at most %d subwords",
                         VOCABULARY_MAX_SIZE);
    TRY(array_reserve(&vocabulary->begins, &vocabulary->begins_capacity, count + 2, "a vocabulary",
                      error));
    vocabulary->begins[count] = vocabulary->text.length;
    TRY(bytes_append(&vocabulary->text, text, text_length, error));
    vocabulary->begins[count + 1] = vocabulary->text.length;
    if (!string_map_put(&vocabulary->spellings, spelling, spelling_length, (int64_t)count, NULL))
        return error_memory(error, spelling_length, "a vocabulary");
    return STATUS_OK;
}

static Status add_specials_and_bytes(Vocabulary *vocabulary, Error *error)
{
    static const char *const specials[TOKEN_BYTES] = {
        [TOKEN_PAD] = "<pad>", [TOKEN_UNK] = "<unk>", [TOKEN_BOS] = "<s>", [TOKEN_EOS] = "</s>"};
    for (int i = 0; i < TOKEN_BYTES; i++) {
        TRY(add_subword(vocabulary, specials[i], strlen(specials[i]), "", 0, error));
    }
    for (int byte = 0; byte < 256; byte++) {
        char spelling[8], text = (char)byte;
        int length = snprintf(spelling, sizeof spelling, "<0x%02X>", (unsigned)byte);
        TRY(add_subword(vocabulary, spelling, (size_t)length, &text, 1, error));
    }
    return STATUS_OK;
}

Status vocabulary_new(Vocabulary **vocabulary, Error *error)
{
    *vocabulary = NULL;
    Vocabulary *made = memory_new(1, sizeof *made);
    if (!made) return error_memory(error, sizeof *made, "a vocabulary");
    Status status = add_specials_and_bytes(made, error);
    if (!status) status = add_subword(made, SPACE_SHOWN, SPACE_SHOWN_LENGTH, " ", 1, error);
    if (status) {
        vocabulary_free(made);
        return status;
    }
    made->alphabet_count = 1;
    *vocabulary = made;
    return STATUS_OK;
}

void vocabulary_free(Vocabulary *vocabulary)
{
    if (!vocabulary) return;
    string_map_free(&vocabulary->spellings);
    bytes_free(&vocabulary->text);
    memory_free(vocabulary->begins);
    merge_rules_free(&vocabulary->rules);
    memory_free(vocabulary);
}

bool vocabulary_admits(uint32_t code_point)
{
    if (code_point == ' ') return true;
    return code_point != SPACE_SHOWN_CODE_POINT && !utf8_is_control(code_point) &&
           !utf8_is_space(code_point);
}

Status vocabulary_add_character(Vocabulary *vocabulary, uint32_t code_point, Error *error)
{
    char text[4];
    size_t length = utf8_encode(code_point, text);
    TRY(add_subword(vocabulary, text, length, text, length, error));
    vocabulary->alphabet_count++;
    return STATUS_OK;
}

int32_t vocabulary_character(const Vocabulary *vocabulary, const char *text, size_t length,
                             size_t *taken)
{
    uint32_t code_point;
    bool valid;
    *taken = utf8_decode(text, length, &code_point, &valid);
    if (code_point == ' ') return TOKEN_SPACE;
    // the only character that is also the spelling of another subword
    if (!valid || code_point == SPACE_SHOWN_CODE_POINT) return -1;
    return vocabulary_find(vocabulary, text, *taken);
}

// The length of the concatenated spelling, which goes into `out`; 0 if it is too long. The spelling
// of a space has two bytes more than a space.
static size_t spell_merge(const Vocabulary *vocabulary, int32_t left, int32_t right,
                          char out[MAX_SUBWORD + 2])
{
    const StringMapEntry *first = &vocabulary->spellings.entries[left];
    const StringMapEntry *second = &vocabulary->spellings.entries[right];
    bool spaced = !strncmp(first->key, SPACE_SHOWN, SPACE_SHOWN_LENGTH);
    size_t length = first->length + second->length;
    if (length > MAX_SUBWORD + (spaced ? 2 : 0)) return 0;
    memcpy(out, first->key, first->length);
    memcpy(out + first->length, second->key, second->length);
    return length;
}

const char *vocabulary_merge_fault(const Vocabulary *vocabulary, int32_t left, int32_t right)
{
    int64_t count = (int64_t)vocabulary->spellings.count;
    if (left < TOKEN_FIRST || right < TOKEN_FIRST) return "uses a special token or a byte";
    if (left >= count || right >= count) return "uses a subword that does not exist yet";
    if (pair_map_find(&vocabulary->rules.ranks, left, right) != PAIR_MAP_NONE)
        return "repeats an earlier merge";
    if (vocabulary->text.data[vocabulary->begins[right]] == ' ')
        return "puts a space inside a subword";
    char spelling[MAX_SUBWORD + 2];
    size_t length = spell_merge(vocabulary, left, right, spelling);
    if (!length) return "makes a subword that is too long";
    int32_t same = vocabulary_find(vocabulary, spelling, length);
    if (same >= 0 && same < TOKEN_FIRST) return "makes the spelling of a special token or a byte";
    return NULL;
}

Status vocabulary_add_merge(Vocabulary *vocabulary, int32_t left, int32_t right, int32_t *result,
                            Error *error)
{
    char spelling[MAX_SUBWORD + 2], text[MAX_SUBWORD];
    size_t length = spell_merge(vocabulary, left, right, spelling);
    *result = vocabulary_find(vocabulary, spelling, length);
    if (*result < 0) {
        size_t left_length, right_length;
        const char *left_text = vocabulary_bytes(vocabulary, left, &left_length);
        const char *right_text = vocabulary_bytes(vocabulary, right, &right_length);
        memcpy(text, left_text, left_length);
        memcpy(text + left_length, right_text, right_length);
        *result = (int32_t)vocabulary->spellings.count;
        TRY(add_subword(vocabulary, spelling, length, text, left_length + right_length, error));
    }
    return merge_rules_add(&vocabulary->rules, (MergeRule){left, right, *result}, error);
}
