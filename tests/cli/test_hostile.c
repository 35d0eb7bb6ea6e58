// Models and names that were made to harm: what is printed of them does none.

#include "support/run.h"
#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"

#include <jansson.h>
#include <string.h>

// Writes a model whose parameters are multiplied by `scale`.
static const char *write_model(const char *name, double scale, const char *training)
{
    SmallTranslator translator;
    const char *path = scratch_path(name);
    small_translator_new(&translator, scale, 7);
    small_translator_save(&translator, path, training);
    small_translator_free(&translator);
    return path;
}

TEST(info)
{
    const char *path = write_model("model", 1,
                                   "{\"\\u001b[2J\\nkernels       forged\": \"\\u001b\\u009b1m\","
                                   "\"\\u202eabc\": \"\\u2066\\u200f\\u061c\\u007f\"}");
    Run run = run_expect_done(RUN("", "info", path));
    assert_contains(run.out.data,
                    "\ntraining      ?[2J?kernels       forged: \"\\u001B\\u009B1m\"\n");
    assert_contains(run.out.data, "\ntraining      ???abc: \"\\u2066\\u200F\\u061C\\u007F\"\n");
}

// Finite weights whose products are not.
TEST(huge_weights)
{
    const char *path = write_model("model", 1e38, "{}");
    static const char *const alignments[] = {"--n-best=2", "--alignment"};
    for (size_t i = 0; i < 2; i++) {
        Run run = run_expect_done(
            RUN("das Haus\n", "translate", "--model", path, "--json", alignments[i]));
        json_t *json = json_loads(run.out.data, 0, NULL);
        json_t *one = json_array_get(json_object_get(json, "translations"), 0);
        ck_assert(json_is_null(json_object_get(one, "score")));
        ck_assert(json_is_null(json_object_get(one, "log_probability")));
        json_decref(json);
    }
}

// The page's JSON is UTF-8 though the name is not.
TEST(page_of_a_name_that_is_not_utf_8)
{
    const char *path = write_model("caf\xe9 <\x1b.safetensors", 1, "{}");
    Run run = run_expect_done(RUN("das Haus\n", "translate", "--model", path, "--alignment=html"));
    assert_contains(run.out.data, "\"model\":\"caf\xef\xbf\xbd \\u003c\\u001B.safetensors\"");
}

// Another program writes over the model, or cuts it, while it is in use.
TEST(model_changed_in_place)
{
    const char *path = write_model("model", 1, "{}");
    Running running = run_start((const char *const[]){"translate", "--model", path, NULL});
    run_say(&running, "das Haus\n");
    Bytes before = run_hear(running.out, 1);
    scratch_write(path, "x", 1);
    run_say(&running, "das Haus\n");
    Bytes after = run_hear(running.out, 1);
    ck_assert_str_eq(after.data, before.data);
    run_expect_done(run_finish(&running));
    bytes_free(&before);
    bytes_free(&after);
}
