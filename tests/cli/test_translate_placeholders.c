// regard translate with a model that knows placeholders: what stays as it is in all that is printed.
#define _GNU_SOURCE // memmem

#include "support/run.h"
#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"

#include <jansson.h>
#include <string.h>

static const char *model;

static void set_up(void)
{
    SmallTranslator translator;
    model = scratch_path("model.safetensors");
    small_translator_new_with(
        &translator, (const char *const[]){PLACEHOLDER_SENTENCE, PLACEHOLDER_SENTENCE}, 1, 1);
    small_translator_save(&translator, model, "{}");
    small_translator_free(&translator);
}

#define ADDRESS "https://x.org/a"
static const char input[] = "das Haus " ADDRESS ", klein\n\n`ls -la`\n";

static void expect_once(const char *line, size_t length, const char *part)
{
    const char *first = memmem(line, length, part, strlen(part));
    ck_assert_msg(first != NULL, "%.*s", (int)length, line);
    size_t rest = length - (size_t)(first + 1 - line);
    ck_assert_msg(!memmem(first + 1, rest, part, strlen(part)), "%.*s", (int)length, line);
}

TESTS_SHARE(set_up)

TEST(lines)
{
    Run run = run_expect_done(RUN(input, "translate", "--model", model));
    size_t first = strcspn(run.out.data, "\n");
    expect_once(run.out.data, first, ADDRESS);
    ck_assert_str_eq(run.out.data + first, "\n\n`ls -la`\n");
    run =
        run_expect_done(RUN(input, "translate", "--model", model, "--n-best", "3", "--alignment"));
    for (const char *line = run.out.data; *line == '0'; line += strcspn(line, "\n") + 1)
        expect_once(line, strcspn(line, "\n"), ADDRESS);
    assert_contains(run.out.data, "\n2 ||| `ls -la` ||| 0.000000 ||| 0-0 1-1\n");
}

TEST(json)
{
    Run run = run_expect_done(RUN(input, "translate", "--model", model, "--json", "--alignment"));
    json_t *json = json_loads(run.out.data, JSON_DISABLE_EOF_CHECK, NULL);
    const json_t *best = json_array_get(json_object_get(json, "translations"), 0);
    const char *text = json_string_value(json_object_get(best, "text"));
    ck_assert_str_eq(json_string_value(json_object_get(json, "source")),
                     "das Haus " ADDRESS ", klein");
    expect_once(text, strlen(text), ADDRESS);
    ck_assert_ptr_nonnull(json_object_get(best, "alignment"));
    json_decref(json);
}

// The subwords that stand for it are shown as what they stand for.
TEST(matrix)
{
    Run run = run_expect_done(RUN(input, "translate", "--model", model, "--alignment=soft"));
    assert_contains(run.out.data, ADDRESS);
    ck_assert_ptr_null(strstr(run.out.data, "\xee\x80\x80"));
    json_t *json = json_loads(run.out.data, JSON_DISABLE_EOF_CHECK, NULL);
    const json_t *source = json_object_get(json, "source");
    bool found = false;
    for (size_t i = 0; i < json_array_size(source); i++)
        found |= strstr(json_string_value(json_array_get(source, i)), ADDRESS) != NULL;
    ck_assert(found);
    json_decref(json);
}
