#include "io/json.h"

#include "base/memory.h"
#include "base/utf8_sequence.h"

#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>

static json_malloc_t allocate = malloc;
static json_free_t release = free;

// Of this thread.
static _Thread_local struct {
    bool memory_was_short;  // an allocation has failed since it was last asked
    char *begin, *at, *end; // of the parser's reserve, NULL while nothing is parsed
} state;

// From the reserve; NULL if that is used up.
static void *take_reserve(size_t bytes)
{
    size_t rounded = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t);
    rounded *= alignof(max_align_t);
    if (rounded > (size_t)(state.end - state.at)) return NULL;
    state.at += rounded;
    return state.at - rounded;
}

static void *watched_malloc(size_t bytes)
{
    void *memory = allocate(bytes);
    if (memory) return memory;
    state.memory_was_short = true;
    return state.begin ? take_reserve(bytes) : NULL;
}

static void watched_free(void *memory)
{
    uintptr_t at = (uintptr_t)memory;
    bool reserved = at >= (uintptr_t)state.begin && at < (uintptr_t)state.end;
    if (!reserved) release(memory);
}

static void watch_once(void)
{
    json_get_alloc_funcs(&allocate, &release);
    json_set_alloc_funcs(watched_malloc, watched_free);
}

void json_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_once);
}

bool json_memory_was_short(void)
{
    bool failed = state.memory_was_short;
    state.memory_was_short = false;
    return failed;
}

/* With a byte lost, Jansson's parser may stop at an assertion: so after a failed allocation it goes
 * on with a reserve, and what it has made is thrown away. Names, vocabularies and lists of tensors
 * take up to 12 bytes for each byte of text; only text of little but empty arrays and objects could
 * use up 16. */
static json_t *parse(const char *text, size_t length, json_error_t *where)
{
    size_t bytes = 16 * length + 4096;
    state.begin = allocate(bytes);
    if (!state.begin) {
        state.memory_was_short = true;
        return NULL;
    }
    state.at = state.begin;
    state.end = state.begin + bytes;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, where);
    if (state.memory_was_short) {
        json_decref(json);
        json = NULL;
    }
    release(state.begin);
    state.begin = state.at = state.end = NULL;
    return json;
}

Status json_parse(json_t **out, const char *text, size_t length, const char *file, const char *what,
                  Error *error)
{
    json_watch();
    json_memory_was_short(); // of a value that was given up
    json_error_t where = {0};
    json_t *json = parse(text, length, &where);
    if (json_memory_was_short()) return error_memory(error, length, what);
    enum json_error_code code = json ? json_error_unknown : json_error_code(&where);
    const char *found = where.text;
    if (code == json_error_null_character || code == json_error_null_byte_in_key)
        found = "a text has the character NUL"; // Jansson names its own flags
    if (!json)
        return error_set(error, STATUS_FORMAT, "%s: %s is not JSON: %s, at byte %d", file, what,
                         found, where.position);
    *out = json;
    return STATUS_OK;
}

/* Jansson escapes what JSON demands, U+0000 … 1F; what else would steer a terminal is escaped here.
 * Each call has whole characters. */
static int append(const char *data, size_t length, void *context)
{
    Writer *out = context;
    size_t written = 0;
    for (size_t i = 0, taken; i < length; i += taken) {
        taken = utf8_sequence(data + i);
        uint32_t control = (unsigned char)data[i] < 0x7f ? 0 : utf8_control(data + i, taken);
        if (!control) continue;
        writer_bytes(out, data + written, i - written);
        writer_format(out, "\\u%04X", (unsigned)control);
        written = i + taken;
    }
    writer_bytes(out, data + written, length - written);
    return out->status ? -1 : 0;
}

void json_write(Writer *out, json_t *json, size_t flags)
{
    bool dumped = json && !out->status && json_dump_callback(json, append, out, flags) == 0;
    if (json_memory_was_short() && !out->status)
        out->status = error_memory(out->error, 0, "JSON");
    else if (!dumped)
        writer_fail(out, STATUS_ARGUMENT,
                    "text cannot be written as JSON: it is not UTF-8; normalise the text");
    json_decref(json);
}

Status json_text(char **text, json_t *json, size_t flags, Error *error)
{
    FREED_BY(bytes_free) Bytes bytes = {0};
    Writer out = writer_start(&bytes, error);
    json_write(&out, json, flags);
    TRY(writer_end(&out));
    *text = memory_take(&bytes.data);
    return STATUS_OK;
}

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_field_value(const JsonField *field, const void *values)
{
    const void *at = (const char *)values + field->offset;
    switch (field->kind) {
    case FIELD_SIZE:
        return json_integer((json_int_t) * (const size_t *)at);
    case FIELD_REAL:
    case FIELD_MEASURE:
        return json_number(*(const double *)at);
    case FIELD_FLAG:
        return json_boolean(*(const bool *)at);
    case FIELD_CHOICE:
        break;
    }
    return json_string(field->names[*(const unsigned *)at]);
}

bool json_field_read(const JsonField *field, void *values, const json_t *json)
{
    void *at = (char *)values + field->offset;
    const char *name = json_string_value(json);
    switch (field->kind) {
    case FIELD_SIZE:
        *(size_t *)at = (size_t)json_integer_value(json);
        return json_is_integer(json) && json_integer_value(json) >= 0;
    case FIELD_REAL:
    case FIELD_MEASURE:
        *(double *)at = json_is_null(json) ? (double)NAN : json_number_value(json);
        return json_is_number(json) || (field->kind == FIELD_MEASURE && json_is_null(json));
    case FIELD_FLAG:
        *(bool *)at = json_is_true(json);
        return json_is_boolean(json);
    case FIELD_CHOICE:
        break;
    }
    for (unsigned i = 0; name && field->names[i]; i++) {
        if (strcmp(field->names[i], name) != 0) continue;
        *(unsigned *)at = i;
        return true;
    }
    return false;
}
