// CSV and chosen columns in every verb that reads pairs.

#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_corpus.h"

#include <string.h>

static const char table[] = "id;en;fr\r\n1;\"one cat\";un chat\r\n2;\"one\ndog\";un chien\r\n"
                            "3;\"two; cats\";deux chats\r\n4;two dogs;deux chiens\r\n";
static const char plain[] = "one cat\tun chat\none dog\tun chien\ntwo; cats\tdeux chats\n"
                            "two dogs\tdeux chiens\n";
static const char note[] =
    "from column 2 (en) to column 3 (fr), separated by semicolons; the first row is a header";

typedef struct Files {
    const char *table, *plain, *model;
} Files;

static void make_files(Files *files)
{
    files->table = scratch_text("table.csv", table);
    files->plain = scratch_text("plain.tsv", plain);
    files->model = scratch_path("model.safetensors");
}

// Checks that both runs print the same, and the first says what it has taken.
static void expect_same(Run run, Run same)
{
    run_expect_done(run);
    run_expect_done(same);
    ck_assert_str_eq(run.out.data, same.out.data);
    assert_contains(run.error.data, note);
}

TEST(every_verb, .seconds = 30)
{
    Files files;
    make_files(&files);
    const char *table_path = files.table, *model = files.model;
    Run run =
        run_expect_done(RUN("", "train", "--train", table_path, "--valid", table_path, "--columns",
                            "en,fr", "--model", model, "--max-epochs", "1", TINY_TRAINING));
    const char *said = strstr(run.error.data, note);
    ck_assert_msg(said && strstr(said + 1, note), "not said of both files: %s", run.error.data);
    expect_same(RUN("", "score", "--model", model, "--columns", "2,3", table_path),
                RUN("", "score", "--model", model, files.plain));
    expect_same(RUN("", "align", "--columns", "2,3", table_path), RUN("", "align", files.plain));
    expect_same(RUN("", "align", "--model", model, "--columns", "2,3", table_path),
                RUN("", "align", "--model", model, files.plain));
    expect_same(RUN("", "evaluate", "--model", model, "--columns", "en,fr", table_path),
                RUN("", "evaluate", "--model", model, files.plain));
}

TEST(usage)
{
    Files files;
    make_files(&files);
    run_expect_failure(RUN("", "align", "--columns", "2", files.table), 2,
                       "--columns 2: give the source's and the target's column");
    run_expect_failure(RUN("", "align", "--columns", "2,3", "a,b"), 2,
                       "--columns is for CSV and TSV files; a,b is neither");
    run_expect_failure(
        RUN("", "evaluate", "--hypothesis", "a", "--reference", "b", "--columns", "2,3"), 2,
        "--columns is for --model FILE and PAIRS");
}
