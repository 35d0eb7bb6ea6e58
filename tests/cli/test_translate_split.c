// regard translate --split: a line of several sentences is what its sentences give, joined.

#include "cli/one_model.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define FIRST "the red cat sees the old dog ."
#define SECOND "the big house likes the small tree ."

// The words of the program, NULL last, with the model; what it prints.
static Bytes output_of(const char *input, const char *const *more)
{
    const char *words[16] = {"translate", "--model", trained.model};
    for (size_t i = 0; more[i]; i++) words[3 + i] = more[i];
    Run run = run_expect_done(run_program(words, input, strlen(input), RUN_CAPTURED));
    ck_assert_str_eq(run.error.data ? run.error.data : "", "");
    return run.out;
}

#define OUTPUT(input, ...) output_of(input, (const char *const[]){__VA_ARGS__, NULL})

// Cuts the two lines of a text apart.
static char *second_line(char *text)
{
    char *end = strchr(text, '\n');
    *end = 0;
    end[1 + strcspn(end + 1, "\n")] = 0;
    return end + 1;
}

TESTS_SHARE(train_once, .seconds = 30)

TEST(sentences_are_joined)
{
    Bytes lines = OUTPUT(FIRST "\n" SECOND "\n", "--split", "none");
    Bytes line = OUTPUT(FIRST "  " SECOND "\n\n" FIRST "\n", "--batch", "1");
    Bytes chosen = OUTPUT(FIRST "  " SECOND "\n\n" FIRST "\n", "--split", "sentences");
    const char *second = second_line(lines.data);
    const char *expected = scratch_format("%s %s\n\n%s\n", lines.data, second, lines.data);
    ck_assert_str_eq(line.data, expected);
    ck_assert_str_eq(chosen.data, expected);
}

// Links of the second sentence count on from the units of the first.
TEST(links)
{
    Bytes lines = OUTPUT(FIRST "\n" SECOND "\n", "--alignment");
    Bytes line = OUTPUT(FIRST " " SECOND "\n", "--alignment");
    char *parts[2] = {lines.data, second_line(lines.data)};
    Bytes expected = {0};
    unsigned sources = 0, targets = 0;
    for (int i = 0; i < 2; i++) {
        char *links = strstr(parts[i], " ||| ");
        *links = 0;
        for (char *link = strtok(links + 5, " "); link; link = strtok(NULL, " ")) {
            unsigned source, target;
            ck_assert_int_eq(sscanf(link, "%u-%u", &source, &target), 2);
            assert_ok(
                bytes_append_format(&expected, NULL, " %u-%u", source + sources, target + targets));
        }
        sources += 8;
        targets += 1;
        for (const char *at = parts[i]; *at; at++) targets += *at == ' ';
    }
    char *links = strstr(line.data, " ||| ") + 4;
    links[strcspn(links, "\n")] = 0;
    ck_assert_str_eq(links, expected.data);
    bytes_free(&expected);
}

TEST(json)
{
    Bytes line = OUTPUT(FIRST " " SECOND "\n", "--json", "--n-best", "3", "--alignment");
    json_t *json = json_loads(line.data, 0, NULL);
    json_t *translations = json_object_get(json, "translations"), *translation;
    size_t i;
    ck_assert_str_eq(json_string_value(json_object_get(json, "source")), FIRST " " SECOND);
    ck_assert_uint_eq(json_array_size(translations), 3);
    json_array_foreach(translations, i, translation)
    {
        json_t *sentences = json_object_get(translation, "sentences");
        ck_assert_uint_eq(json_array_size(sentences), 2);
        json_t *first = json_array_get(sentences, 0), *second = json_array_get(sentences, 1);
        ck_assert_str_eq(json_string_value(json_object_get(first, "source")), FIRST);
        double scores = json_number_value(json_object_get(first, "score")) +
                        json_number_value(json_object_get(second, "score"));
        ck_assert_double_eq_tol(json_number_value(json_object_get(translation, "score")),
                                scores / 2, 1e-6);
    }
    json_decref(json);
}

// Pictures, matrices and samples of a line that is split.
TEST(every_output)
{
    static const char *const outputs[] = {"--alignment=soft", "--alignment=heatmap",
                                          "--alignment=svg", "--alignment=html", "--sample=2"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        Bytes text = OUTPUT(FIRST " " SECOND "\n", outputs[i]);
        Bytes again = OUTPUT(FIRST " " SECOND "\n", outputs[i], "--threads", "1");
        ck_assert_str_eq(text.data, again.data);
        ck_assert_uint_gt(text.length, 100);
    }
}

// No punctuation: it is parted between words, nothing is cut off and nobody is warned.
TEST(endless_sentence)
{
    Bytes input = {0};
    for (int i = 0; i < 2000; i++)
        assert_ok(bytes_append_string(&input, i % 2 ? "dog " : "the ", NULL));
    assert_ok(bytes_append_string(&input, "\nthe dog .\n", NULL));
    Bytes text = OUTPUT(input.data, "--beam", "1");
    ck_assert_uint_eq(run_lines(&text), 2);
    bytes_free(&input);
}

// A line is answered while the next is not yet written.
TEST(conversation)
{
    Running running = run_start((const char *const[]){"translate", trained.model, NULL});
    run_say(&running, FIRST " " SECOND "\n");
    Bytes first = run_hear(running.out, 1);
    run_say(&running, FIRST "\n");
    Bytes second = run_hear(running.out, 1);
    run_expect_done(run_finish(&running));
    ck_assert_int_eq(strncmp(first.data, second.data, second.length - 1), 0);
    bytes_free(&first);
    bytes_free(&second);
}

TEST(prefix_keeps_a_line_whole)
{
    const char *path = scratch_path("prefixes");
    scratch_write(path, "le chat\n\n", 9);
    Bytes with = OUTPUT(FIRST " " SECOND "\n" FIRST "\n", "--prefix", path, "--json");
    ck_assert_ptr_null(strstr(with.data, "\"sentences\""));
    assert_contains(with.data, "\"text\":\"le chat");
    bytes_free(&with);
}

TEST(unknown_way)
{
    run_expect_failure(RUN("", "translate", "--model", trained.model, "--split", "words"), 2,
                       "--split");
}
