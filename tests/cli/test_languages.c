// The languages of a model: given, named by files or told from the text; and what is said of others.

#include "support/suite.h"
#include "support/trained_model.h"

#include <string.h>

static const char *const english[] = {
    "I do not know where she is.",
    "We have been here for two days.",
    "This is the house of my father.",
    "They were not at home when you called.",
    "He wants to go with us.",
    "What are you doing in the garden?",
    "It is too cold for the children.",
    "She has never seen the sea.",
    "My brother is older than your sister.",
    "There is a dog in the street.",
};
static const char *const french[] = {
    "Je ne sais pas où elle est.",
    "Nous sommes ici depuis deux jours.",
    "C'est la maison de mon père.",
    "Ils n'étaient pas chez eux quand tu as appelé.",
    "Il veut venir avec nous.",
    "Que fais-tu dans le jardin ?",
    "Il fait trop froid pour les enfants.",
    "Elle n'a jamais vu la mer.",
    "Mon frère est plus âgé que ta sœur.",
    "Il y a un chien dans la rue.",
};
enum { SENTENCES = sizeof english / sizeof *english };

// Writes the pairs, a row before them, and a separator between the sides.
static void write_pairs(const char *name, const char *const *sources, const char *const *targets,
                        const char *header, const char *separator)
{
    Bytes text = {0};
    assert_ok(bytes_append_string(&text, header, NULL));
    for (size_t i = 0; i < SENTENCES; i++)
        assert_ok(bytes_append_format(&text, NULL, "%s%s%s\n", sources[i], separator, targets[i]));
    scratch_write(scratch_path(name), text.data, text.length);
    bytes_free(&text);
}

static const char *folder; // of what all tests share

static const char *path(const char *name)
{
    return scratch_path_in(folder, name);
}

// The corpus, and further options.
#define TRAIN(model, ...)                                                                          \
    RUN("", "train", "--max-epochs", "1", "--overwrite", TRAINED_FLAGS, "--model", model,          \
        "--train", __VA_ARGS__)

// It ended well and said this.
static void expect_said(Run run, const char *text)
{
    run_expect_done(run);
    ck_assert_msg(strstr(run.error.data, text) || strstr(run.out.data, text), "no \"%s\" in %s%s",
                  text, run.error.data, run.out.data);
}

static void expect_silence(Run run)
{
    run_expect_done(run);
    ck_assert_str_eq(run.error.data, "");
}

static void make_all(void)
{
    folder = scratch_folder();
    write_pairs("en-fr.tsv", english, french, "", "\t");
    write_pairs("fr-en.tsv", french, english, "", "\t");
    write_pairs("named.csv", english, french, "English;French\n", ";");
    write_pairs("numbered.csv", english, french, "id;English\n", ";");
    expect_said(TRAIN(path("en-fr.safetensors"), path("en-fr.tsv")), "done");
    expect_said(TRAIN(path("fr-en.safetensors"), path("fr-en.tsv")), "done");
}

TESTS_SHARE(make_all, .seconds = 60)

TEST(told_from_the_text)
{
    expect_said(TRAIN(path("m"), path("en-fr.tsv")), "from English to French, by their words\n");
    expect_said(RUN("", "info", path("m")),
                "languages     English → French (en → fr), told from the text\n");
}

TEST(of_the_files)
{
    expect_said(TRAIN(path("m"), path("named.csv")), "from English to French, as the files say\n");
    expect_said(RUN("", "info", path("m")),
                "languages     English → French (en → fr), named in the corpus\n");
    expect_said(TRAIN(path("m"), path("numbered.csv"), "--check"),
                "from English to French, by their words\n"); // id is not Indonesian
}

TEST(given)
{
    expect_said(TRAIN(path("m"), path("en-fr.tsv"), "--source-language", "en-GB",
                      "--target-language", "eo"),
                "from English to eo, as given\n");
    expect_said(RUN("", "info", path("m")), "languages     English → eo (en-GB → eo), given\n");
    expect_said(TRAIN(path("m"), path("en-fr.tsv"), "--source-language", "fr", "--target-language",
                      "en", "--check"),
                "warning: the source looks English, not French: are the columns right?\n");
}

TEST(text_of_another_language)
{
    Bytes text[2] = {{0}, {0}};
    for (size_t i = 0; i < SENTENCES; i++) {
        assert_ok(bytes_append_format(&text[0], NULL, "%s\n", english[i]));
        assert_ok(bytes_append_format(&text[1], NULL, "%s\n", french[i]));
    }
    Run run = run_expect_done(RUN(text[1].data, "translate", path("en-fr.safetensors")));
    ck_assert_str_eq(run.error.data, "regard translate: warning: the text looks French, but the "
                                     "model translates from English to French\n");
    expect_silence(RUN(text[0].data, "translate", path("en-fr.safetensors")));
    expect_silence(RUN("C'est la vie !\nNon.\n", "translate", path("en-fr.safetensors")));
    bytes_free(&text[0]);
    bytes_free(&text[1]);
}

// Pairs whose sources are in another language than the model's, for each verb that reads pairs.
TEST(pairs_of_another_language)
{
    static const char *const verbs[] = {"align", "evaluate", "score"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const char *model = path("en-fr.safetensors");
        expect_said(RUN("", verbs[i], model, path("fr-en.tsv")),
                    scratch_format("regard %s: warning: the text looks French, but the model "
                                   "translates from English to French\n",
                                   verbs[i]));
        Run run = run_expect_done(RUN("", verbs[i], model, path("en-fr.tsv")));
        ck_assert_ptr_null(strstr(run.error.data, "warning"));
    }
    expect_said(RUN("", "align", "--reverse", path("fr-en.safetensors"), path("en-fr.safetensors"),
                    path("fr-en.tsv")),
                "regard align: warning: the text looks French");
}

// Which way models translate is judged by what they think of pairs, too, and these think little.
TEST(reverse)
{
    static const char warning[] = "en-fr.safetensors translates from English to French; --reverse "
                                  "is for a model from French to English\n";
    Run same = RUN("", "align", path("en-fr.safetensors"), "--reverse", path("en-fr.safetensors"),
                   path("en-fr.tsv"));
    assert_contains(same.error.data, warning);
    Run right = RUN("", "align", path("en-fr.safetensors"), "--reverse", path("fr-en.safetensors"),
                    path("en-fr.tsv"));
    ck_assert_ptr_null(strstr(right.error.data, "warning"));
}
