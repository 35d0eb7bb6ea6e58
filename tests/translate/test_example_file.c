// Pairs that show what a word stands for.
#include "translate/example_file.h"

#include "support/aligner_pairs.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <stdio.h>

static Aligner aligner;

static void learn(void)
{
    static const char *const lines[][2] = {{"the room", "la chambre"}, {"my room", "ma chambre"},
                                           {"a room", "une salle"},    {"our room", "notre 房"},
                                           {"every room", "各 房间"},  {"a cat", "un chat"},
                                           {"the cat", "le chat"},     {"my cat", "mon chat"},
                                           {"our cat", "notre chat"},  {"no room", "无 房间"}};
    AlignerCorpus corpus = {0};
    Threads *threads;
    for (size_t times = 0; times < 8; times++)
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            aligner_pairs_add_text(&corpus, lines[i][0], lines[i][1]);
    assert_ok(threads_new(&threads, 1, NULL));
    assert_ok(aligner_learn(&aligner, &corpus, aligner_options_default(), threads, NULL));
    threads_free(threads);
}

static void append(char *text, const TextView *parts)
{
    for (size_t i = 0; i < 3; i++)
        (void)sprintf(text + strlen(text), "%s%.*s%s", i == 1 ? "[" : "", (int)parts[i].length,
                      parts[i].length > 0 ? parts[i].data : "", i == 1 ? "]" : "");
}

// The examples that a file has of a word in these senses (3), of which NULL is none.
static void expect(const char *file, const char *word, const char *const senses[3],
                   const char *const expected[3])
{
    const char *model = scratch_path("a.b.safetensors");
    Example found[MAX_SENSES];
    ExampleFile *examples;
    Senses all = {.count = 0};
    if (file) (void)scratch_text("a.b.everyday.tsv", file);
    for (; all.count < 3 && senses[all.count]; all.count++)
        (void)strcpy(all.items[all.count].word, senses[all.count]);
    assert_ok(example_file_new(&examples, model, NULL));
    for (int times = 0; times < 2; times++) {
        assert_ok(example_file_find(found, examples, &aligner, text_view_of(word), &all, NULL));
        for (size_t i = 0; i < all.count; i++) {
            char text[2 * MAX_EXAMPLE_BYTES] = "";
            ck_assert(example_is_found(&found[i]) == !!expected[i]);
            if (!expected[i]) continue;
            append(text, found[i].parts[0]);
            (void)strcat(text, " | ");
            append(text, found[i].parts[1]);
            ck_assert_str_eq(text, expected[i]);
        }
    }
    example_file_free(examples);
}

static void expect_one(const char *file, const char *word, const char *sense, const char *expected)
{
    expect(file, word, (const char *const[3]){sense}, (const char *const[3]){expected});
}

TESTS_SHARE(learn)

TEST(the_shortest_then_the_first)
{
    expect_one("my big room\tma chambre !\nThe Room.\tLa Chambre.\nmy room!\tma chambre !\n",
               "Room!", "chambre", "The [Room]. | La [Chambre].");
}

TEST(words_that_are_linked)
{
    expect("rooms\tchambre\nroom\tchambre\nthe room, my cat\tla chambre, mon chat\n"
           "a room, my room\tune salle, ma chambre\n",
           "room", (const char *const[3]){"chambre", "salle", "chat"},
           (const char *const[3]){"the [room], my cat | la [chambre], mon chat",
                                  "a [room], my room | une [salle], ma chambre", NULL});
}

// A sense is not shown by a word that is another sense.
TEST(han)
{
    expect("every room\t各房间\nour room here\t这是我们的房！\n", "room",
           (const char *const[3]){"房间", "房"},
           (const char *const[3]){"every [room] | 各[房间]", "our [room] here | 这是我们的[房]！"});
}

// A sense of several words stands as such.
TEST(several_words)
{
    expect("my cat here\tici mon chat\na cat, my\tmon, un chat\n", "cat",
           (const char *const[3]){"mon chat", "chat mon"},
           (const char *const[3]){"my [cat] here | ici [mon chat]", NULL});
}

TEST(files_of_any_kind)
{
    char file[800] = "", *end = file;
    expect_one(NULL, "room", "chambre", NULL);
    expect_one("", "room", "chambre", NULL);
    expect_one("the room la chambre\n\n\t\n\nroom\n", "room", "chambre", NULL);
    expect_one("the room\tla\xff chambre\t3\r\n", "room", "chambre",
               "the [room] | la\xef\xbf\xbd [chambre]");
    expect_one("the  room \t la chambre", "room", "chambre", "the [room] | la [chambre]");
    end += sprintf(end, "the room\tla chambre");
    memset(end, '.', MAX_EXAMPLE_BYTES);
    expect_one(file, "room", "chambre", NULL); // too long
}

TEST(no_aligner)
{
    const Senses senses = {.items = {{.word = "chambre"}}, .count = 1};
    Example found[MAX_SENSES];
    ExampleFile *file;
    (void)scratch_text("a.b.everyday.tsv", "my room\tma chambre\n");
    assert_ok(example_file_new(&file, scratch_path("a.b.safetensors"), NULL));
    assert_ok(example_file_find(found, file, NULL, (TextView){"room", 4}, &senses, NULL));
    ck_assert(!example_is_found(&found[0]));
    example_file_free(file);
}

// After a failure it is read again, from its beginning.
TEST(out_of_memory)
{
    const char *model = scratch_path("a.b.safetensors");
    const TextView word = {"room", 4};
    const Senses senses = {.items = {{.word = "chambre"}}, .count = 1};
    (void)scratch_text("a.b.everyday.tsv", "my room\tma chambre\nthe room\tla chambre\n");
    while (failing_malloc_next()) {
        Example found[MAX_SENSES];
        ExampleFile *file = NULL;
        Status status = example_file_new(&file, model, NULL);
        bool made = !status;
        if (made) status = example_file_find(found, file, &aligner, word, &senses, NULL);
        bool failed = failing_malloc_expect(status);
        if (made && failed)
            assert_ok(example_file_find(found, file, &aligner, word, &senses, NULL));
        if (made) ck_assert_uint_eq(found[0].parts[0][0].length, 3); // "my "
        if (made) ck_assert_int_eq(strncmp(found[0].parts[0][0].data, "my ", 3), 0);
        example_file_free(file);
    }
}
