// Memories of the server, and corrections that hold at once.

#include "serve/service_case.h"

static char corrections[512];

// Opens a service with these memories; what opening it fails with, or NULL.
static const char *open_with(const char *const *files, size_t count, bool correctable)
{
    static Error error;
    set_options();
    service_options.memories = (MemoryChoice){files, count, correctable ? corrections : NULL};
    return service_new(&service, &service_options, &error) ? error.text : NULL;
}

static void write_files(void)
{
    write_models();
    strcpy(corrections, scratch_path("corrections.tsv"));
}

static void expect_translation(const char *body, const char *text, const char *memory)
{
    json_t *json = respond_json("POST", "/translate", body, 200);
    const char *found = json_string_value(json_object_get(json, "translatedText"));
    const char *from = json_string_value(json_object_get(json, "memory"));
    if (text) ck_assert_str_eq(found, text);
    ck_assert_msg(memory ? from && !strcmp(from, memory) : !from, "%s: %s", body, from);
    json_decref(json);
}

TESTS_SHARE(write_files)

TEST(files_for_a_pair_of_languages)
{
    char named[600];
    const char *path = scratch_path("memory.tsv");
    scratch_write(path, "das Haus\tthe home\n", strlen("das Haus\tthe home\n"));
    assert_contains(open_with(&path, 1, false), "does not say for which pair of languages");
    (void)snprintf(named, sizeof named, "de-en=%s", path);
    const char *file = named;
    ck_assert_ptr_null(open_with(&file, 1, false));
    expect_translation("q=das+Haus&source=de&target=en", "the home", "exact");
    expect_translation("q=das+Haus%0Adas+Haus&source=de&target=en&alignment=1",
                       "the home\nthe home", "exact");
    expect_translation("q=das+Haus%0Adie+Katze&source=de&target=en", NULL, NULL);
    expect_translation("q=das+Haus&source=en&target=de", NULL, NULL); // the other pair has none
    json_t *json = respond_json("POST", "/translate",
                                "{\"q\":[\"die Katze\",\"das Haus\"],\"source\":\"de\",\"target\":"
                                "\"en\"}",
                                200);
    const json_t *list = json_object_get(json, "memory");
    ck_assert(json_is_null(json_array_get(list, 0)));
    ck_assert_str_eq(json_string_value(json_array_get(list, 1)), "exact");
    json_decref(json);
    expect_error("/suggest", "q=a&s=b&source=de&target=en", 403, "disabled");
    close_service();
}

TEST(corrections_hold_at_once_and_stay)
{
    ck_assert_ptr_null(open_with(NULL, 0, true));
    json_t *settings = respond_json("GET", "/frontend/settings", "", 200);
    ck_assert(json_is_true(json_object_get(settings, "suggestions")));
    json_decref(settings);
    expect_translation("q=die+Katze&source=de&target=en", NULL, NULL);
    json_decref(
        respond_json("POST", "/suggest", "q=die+Katze&s=the+%09+kitty&source=de&target=en", 200));
    expect_translation("q=die+Katze&source=de&target=en", "the kitty", "exact");
    expect_error("/suggest", "q=a%0Ab&s=b&source=de&target=en", 400, "one line");
    expect_error("/suggest", "q=a&s=b%0Ac&source=de&target=en", 400, "one line");
    expect_error("/suggest", "q=a&source=de&target=en", 400, "one line");
    expect_error("/suggest", "q=a&s=+%09&source=de&target=en", 400, "one line");
    expect_error("/suggest", "q=+&s=b&source=de&target=en", 400, "one line");
    expect_error("/suggest", "q=a&s=b&source=de&target=fr", 400, "not supported");
    close_service();
    Bytes kept = scratch_read(corrections);
    ck_assert_str_eq(kept.data, "die Katze\tthe kitty\tde-en\n");
    bytes_free(&kept);
    // a pair that is not served, and a line that was cut off
    const char more[] = "die Katze\tthe kitty\tde-en\nla maison\thouse\tfr-en\ndie Ka\tth";
    scratch_write(corrections, more, strlen(more));
    ck_assert_ptr_null(open_with(NULL, 0, true));
    expect_translation("q=die+Katze&source=de&target=en", "the kitty", "exact");
    ck_assert(!service_reload(service, NULL));
    expect_translation("q=die+Katze&source=de&target=en", "the kitty", "exact");
    close_service();
}

// Several files may be for one pair, and need not say which if there is only one.
TEST(several_files)
{
    const char *files[2] = {scratch_path("one.tsv"), scratch_path("two.tsv")};
    scratch_write(files[0], "das Haus\tthe home\n", strlen("das Haus\tthe home\n"));
    scratch_write(files[1], "die Katze\tthe kitty\n", strlen("die Katze\tthe kitty\n"));
    set_options();
    service_options.models.count = 1;
    service_options.memories = (MemoryChoice){files, 2, NULL};
    open_service();
    expect_translation("q=das+Haus&source=de&target=en", "the home", "exact");
    expect_translation("q=die+Katze&source=de&target=en", "the kitty", "exact");
    json_t *json =
        respond_json("POST", "/translate",
                     "{\"q\":[\"\",\"das Haus\"],\"source\":\"de\",\"target\":\"en\"}", 200);
    const json_t *list = json_object_get(json, "memory");
    ck_assert(json_is_null(json_array_get(list, 0))); // nothing comes from nowhere
    ck_assert_str_eq(json_string_value(json_array_get(list, 1)), "exact");
    json_decref(json);
    close_service();
}

// A correction for which there is no room is not taken.
TEST(full_disk)
{
    ck_assert_ptr_null(open_with(NULL, 0, true));
    service->options.memories.corrections = "/dev/full";
    expect_error("/suggest", "q=das+Haus&s=the+home&source=de&target=en", 500, "No space left");
    expect_translation("q=das+Haus&source=de&target=en", NULL, NULL);
    close_service();
}

// What a full disk has left of a line does not spoil the next one.
TEST(a_line_that_was_cut_off)
{
    ck_assert_ptr_null(open_with(NULL, 0, true));
    scratch_write(corrections, "die Ka\tth", strlen("die Ka\tth"));
    json_decref(respond_json("POST", "/suggest", "q=das+Haus&s=the+home&source=de&target=en", 200));
    ck_assert(!service_reload(service, NULL));
    expect_translation("q=das+Haus&source=de&target=en", "the home", "exact");
    close_service();
    Bytes kept = scratch_read(corrections);
    ck_assert_str_eq(kept.data, "die Ka\tth\ndas Haus\tthe home\tde-en\n");
    bytes_free(&kept);
}

TEST(no_place_to_write)
{
    strcpy(corrections, scratch_path("no/such/folder"));
    assert_contains(open_with(NULL, 0, true), "cannot be written");
}

// Lines of a file of corrections that say nothing are passed over.
TEST(odd_corrections)
{
    static const char lines[] = "no tab\none\ttab\na\tb\txx-yy\na\tb\tde\n"
                                "das Haus\tthe home\tde-en\ncut off";
    scratch_write(corrections, lines, strlen(lines));
    ck_assert_ptr_null(open_with(NULL, 0, true));
    expect_translation("q=das+Haus&source=de&target=en", "the home", "exact");
    json_t *json = respond_json("POST", "/suggest", "q=a&s=b&source=de&target=en", 200);
    json_decref(json);
    expect_translation("q=a&source=de&target=en", "b", "exact"); // which began a line of its own
    close_service();
    ck_assert_ptr_null(open_with(NULL, 0, true));
    expect_translation("q=a&source=de&target=en", "b", "exact");
    close_service();
}

TEST(refusals)
{
    static const char *const names[] = {
        "xx-yy=memory.tsv", "de=memory.tsv", "de-zh=memory.tsv",
        "a-name-that-is-longer-than-the-tags-of-two-languages-can-be-at-most-or-so-it-should-be-"
        "for-"
        "none-of-them-has-as-many-letters-or-digits-as-this=memory.tsv",
        "de-en=absent.tsv"};
    for (size_t i = 0; i < 5; i++)
        assert_contains(open_with(&names[i], 1, false), i < 4 ? "--memory" : "absent.tsv");
    ck_assert_ptr_null(open_with(NULL, 0, true));
    service->options.memories.corrections = scratch_folder(); // nothing can be appended to it
    expect_error("/suggest", "q=a&s=b&source=de&target=en", 500, "cannot be written");
    close_service();
}
