// score --json, info --json and align --explain --json, with a model; docs/formats.md has the
// fields.

#include "base/version.h"
#include "cli/one_model.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char pairs[] =
    "the red cat sees the old dog .\tle chat rouge voit le chien vieille .\n"
    "the\t\n"
    "the big tree\tle arbre grand\n";

// The next line of what a run printed, as JSON; to be freed.
static json_t *next_object(const char **text)
{
    json_error_t failure;
    json_t *json = json_loads(*text, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &failure);
    ck_assert_msg(json, "%s in: %s", failure.text, *text);
    *text = strchr(*text, '\n') + 1;
    return json;
}

TESTS_SHARE(train_once, .seconds = 60)

// The tokens spell the target and </s>, and their log-probabilities add up to what is printed
// without.
TEST(score)
{
    static const char *const spelled[] = {"▁le▁chat▁rouge▁voit▁le▁chien▁vieille▁.</s>", "</s>",
                                          "▁le▁arbre▁grand</s>"};
    Run plain = RUN(pairs, "score", "--model", trained.model, "-");
    Run run = run_expect_done(RUN(pairs, "score", "--model", trained.model, "--json", "-"));
    const char *line = run.out.data;
    char *number = plain.out.data;
    for (int i = 0; i < 3; i++) {
        json_t *json = next_object(&line);
        double sum = 0, log_p = json_number_value(json_object_get(json, "log_probability"));
        char spelling[256] = "";
        size_t place;
        json_t *token;
        ck_assert_int_eq(json_integer_value(json_object_get(json, "pair")), i);
        json_array_foreach(json_object_get(json, "tokens"), place, token)
        {
            double one = json_number_value(json_object_get(token, "log_probability"));
            ck_assert_double_le(one, 0);
            sum += one;
            strcat(spelling, json_string_value(json_object_get(token, "token")));
        }
        ck_assert_str_eq(spelling, spelled[i]);
        ck_assert_double_eq_tol(sum, log_p, 1e-5);
        ck_assert_double_eq_tol(strtod(number, &number), log_p, 1e-6);
        json_decref(json);
    }
    ck_assert_str_eq(line, "");
}

// The weights are the softmax of the energies, and those of --format soft, but for its rounding.
TEST(explain)
{
    const char *pair = "the red cat sees the old dog .\tle chat rouge voit le chien vieille .\n";
    Run run = RUN(pair, "align", "--model", trained.model, "--explain", "2", "--json", "-");
    Run soft = RUN(pair, "align", "--model", trained.model, "--format", "soft", "-");
    run_expect_done(run);
    const char *line = run.out.data, *soft_line = soft.out.data;
    json_t *json = next_object(&line), *matrix = next_object(&soft_line);
    const json_t *head = json_array_get(json_object_get(json, "heads"), 0);
    const json_t *row = json_array_get(json_object_get(matrix, "weights"), 2);
    size_t S = json_array_size(json_object_get(json, "source")), place;
    json_t *energy;
    double sum = 0;
    ck_assert_uint_eq(json_array_size(json_object_get(head, "weights")), S);
    ck_assert_uint_eq(json_array_size(row), S);
    json_array_foreach(json_object_get(head, "energies"), place, energy) sum +=
        exp(json_number_value(energy));
    json_array_foreach(json_object_get(head, "energies"), place, energy)
    {
        double weight = json_number_value(json_array_get(json_object_get(head, "weights"), place));
        ck_assert_double_eq_tol(weight, exp(json_number_value(energy)) / sum, 1e-6);
        ck_assert_double_eq_tol(weight, json_number_value(json_array_get(row, place)), 6e-6);
    }
    ck_assert_uint_eq(json_array_size(json_object_get(json, "state")), 16);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "context")), 48);
    json_decref(json);
    json_decref(matrix);
}

TEST(info)
{
    Run run = run_expect_done(RUN("", "info", "--json", trained.model));
    const char *line = run.out.data;
    json_t *json = next_object(&line);
    const json_t *model = json_object_get(json, "model");
    const json_t *config = json_object_get(model, "config");
    ck_assert_str_eq(line, "");
    ck_assert_str_eq(
        json_string_value(json_object_get(json_object_get(json, "program"), "version")),
        REGARD_VERSION);
    ck_assert_str_eq(json_string_value(json_object_get(model, "weights")), "float32");
    ck_assert_int_eq(json_integer_value(json_object_get(config, "hidden")), 16);
    ck_assert_int_eq(
        json_integer_value(json_object_get(json_object_get(model, "training"), "pairs")), 294);
    ck_assert_ptr_null(json_object_get(model, "tensors"));
    json_decref(json);

    run = RUN("", "info", "--json", "--tensors", trained.model);
    line = run.out.data;
    json = next_object(&line);
    size_t place;
    json_t *tensor;
    json_int_t values = 0;
    json_array_foreach(json_object_get(json_object_get(json, "model"), "tensors"), place, tensor)
    {
        const json_t *shape = json_object_get(tensor, "shape");
        json_int_t columns =
            json_array_size(shape) > 1 ? json_integer_value(json_array_get(shape, 1)) : 1;
        values += json_integer_value(json_array_get(shape, 0)) * columns;
    }
    ck_assert_int_eq(
        json_integer_value(json_object_get(json_object_get(json, "model"), "parameters")), values);
    json_decref(json);

    run = RUN("", "info", "--json");
    line = run.out.data;
    json = next_object(&line);
    ck_assert_uint_eq(json_object_size(json), 1);
    json_decref(json);
}
