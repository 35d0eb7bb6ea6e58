// examples/threads.c, which `make BUILD=tsan` runs here.

#define main example_main
#include "../../examples/threads.c"
#undef main

#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_model.h"

#include <string.h>

// Runs the example on a text; what it says goes to the files `out` and `error`.
static int run(const char *model, const char *text, const char *threads)
{
    const char *input = scratch_path("input");
    char *words[] = {"threads", (char *)(size_t)model, (char *)(size_t)threads, NULL};
    scratch_write(input, text, strlen(text));
    ck_assert_ptr_nonnull(freopen(input, "r", stdin));
    ck_assert_ptr_nonnull(freopen(scratch_path("out"), "w", stdout));
    ck_assert_ptr_nonnull(freopen(scratch_path("error"), "w", stderr));
    int status = example_main(3, words);
    fflush(stdout);
    fflush(stderr);
    return status;
}

TEST(threads_do_not_matter, .seconds = 60)
{
    static const char text[] = "the cat\n\na much longer one\nx\nno\xff\nthe end\nof all";
    static const char *const threads[] = {"1", "4", "64", "1000"};
    Bytes first = {0};
    char model[256];
    snprintf(model, sizeof model, "%s", scratch_path("tiny.safetensors"));
    tiny_model_write(model, 1);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(run(model, text, threads[i]), EXIT_SUCCESS);
        Bytes out = scratch_read(scratch_path("out"));
        size_t lines = 0;
        for (size_t k = 0; k < out.length; k++) lines += out.data[k] == '\n';
        ck_assert_uint_eq(lines, 7);
        if (i) ck_assert_str_eq(out.data, first.data);
        if (i == 0) first = out;
    }
}

TEST(no_model)
{
    ck_assert_int_eq(run("/nowhere", "x\n", "2"), EXIT_FAILURE);
    Bytes error = scratch_read(scratch_path("error"));
    assert_contains(error.data, "threads: /nowhere: cannot be opened");
}
