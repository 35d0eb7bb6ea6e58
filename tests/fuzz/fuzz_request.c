/* Any bytes as a request: its parameters, and the texts in it cut and put together again.
 *
 * tests/fuzz/run builds and runs it. The first byte picks JSON, a form or one in parts; the target
 * follows up to a NUL, then the body. */
#include "fuzz.h"

#include "base/memory.h"
#include "serve/api/answer.h"
#include "serve/api/request.h"

#include <string.h>

// A text without its pieces' translations is the text again.
static void fuzz_text(const json_t *text)
{
    TextView view = {json_string_value(text), json_string_length(text)};
    Passage passage = {0};
    Bytes again = {0};
    Error error = {0};
    require(passage_set(&passage, view, &error) == STATUS_OK);
    for (size_t i = 0; i < passage.count; i++) require(passage.pieces[i].length > 0);
    Writer out = writer_start(&again, &error);
    for (size_t i = 0; i < passage.count; i++) {
        passage_write_gap(&out, &passage, i);
        writer_bytes(&out, passage.pieces[i].data, passage.pieces[i].length);
    }
    passage_write_gap(&out, &passage, passage.count);
    require(writer_end(&out) == STATUS_OK && again.length == view.length);
    require(!view.length || !memcmp(again.data, view.data, view.length));
    bytes_free(&again);
    passage_free(&passage);
}

static void fuzz_parameters(json_t *parameters)
{
    const char *name;
    json_t *value;
    json_object_foreach(parameters, name, value)
    {
        if (!json_is_string(value)) continue;
        LanguageCode code = language_code_of(json_string_value(value));
        require(strlen(code.text) < LANGUAGE_SIZE);
        fuzz_text(value);
        Job job = {.texts = json_pack("[O]", value)};
        answer_unchanged(&job);
        require(job.response.status == HTTP_OK);
        job_release(&job);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    static const char *const types[] = {NULL, "application/json", NULL,
                                        "multipart/form-data; boundary=x"};
    char *text = memory_copy_string((const char *)data + 1, size - 1);
    require(text != NULL);
    size_t target = strlen(text);
    size_t body = target < size - 1 ? target + 1 : target;
    const Request request = {.method = "POST",
                             .target = text,
                             .content_type = types[data[0] % 4],
                             .client = "127.0.0.1",
                             .body = {text + body, size - 1 - body}};
    json_t *parameters = NULL;
    Error error = {0};
    Status status = request_parameters(&parameters, &request, &error);
    require(!status || (status == STATUS_FORMAT && error.text[0]));
    require(status || json_is_object(parameters));
    (void)request_is_for(&request, "/translate");
    if (!status) fuzz_parameters(parameters);
    json_decref(parameters);
    memory_free(text);
    return 0;
}
