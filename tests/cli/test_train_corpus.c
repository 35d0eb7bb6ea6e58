// What `regard train` makes of its corpora: several at once, standard input, and what is wrong with them.

#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>
#include <zlib.h>

// A model that is learned in no time.
#define TINY                                                                                       \
    "--max-epochs", "1", "--hidden", "4", "--embedding", "4", "--vocab-size", "300", "--threads",  \
        "1", "--max-length", "40"

static const char first[] = "one cat\tun chat\none dog\tun chien\ntwo cats\tdeux chats\n";
static const char second[] = "two dogs\tdeux chiens\none bird\tun oiseau\n";
static const char valid[] = "two birds\tdeux oiseaux\n";

typedef struct Files {
    const char *first, *second, *valid, *model;
} Files;

static void make_files(Files *files)
{
    files->first = scratch_text("first.tsv", first);
    files->second = scratch_text("second.tsv", second);
    files->valid = scratch_text("valid.tsv", valid);
    files->model = scratch_path("model.safetensors");
}

// Checks that a run went well, said something and did not say another (NULL: nothing is forbidden).
static void expect_said(Run *run, const char *wanted, const char *unwanted)
{
    ck_assert_msg(run->status == 0, "%s", run->error.data);
    ck_assert_str_eq(run->out.data, "");
    ck_assert_msg(strstr(run->error.data, wanted) != NULL, "not said: %s\n%s", wanted,
                  run->error.data);
    ck_assert_msg(!unwanted || !strstr(run->error.data, unwanted), "should not be said: %s\n%s",
                  unwanted, run->error.data);
}

TEST(several_files)
{
    Files files;
    make_files(&files);
    Run run = RUN("", "train", "--train", files.first, "--train", files.second, "--valid",
                  files.valid, "--model", files.model, "--overwrite", TINY);
    expect_said(&run, "5 pairs for training, 1 for validation", "warning");
}

// The first of several decides; the others are told, logged and drawn beside it, and resumed with.
TEST(several_validations)
{
    Files files;
    make_files(&files);
    const char *news = scratch_text("news.tsv", "one cat\tun chat\n");
    const char *log = scratch_path("log.jsonl"), *page = scratch_path("page.html");
    Run run = RUN("", "train", "--train", files.first, "--valid", files.valid, "--valid", news,
                  "--model", files.model, "--log", log, "--report", page, TINY);
    assert_contains(run.error.data, "news.tsv, whose scores are told too");
    assert_contains(run.error.data, "news.tsv also occur in training");
    expect_said(&run, "news.tsv  loss ", NULL);
    Bytes rows = scratch_read(log), drawn = scratch_read(page);
    assert_contains(rows.data,
                    "\"validation\":[\"valid.tsv\",\"news.tsv\"],\"validation_pairs\":1");
    assert_contains(rows.data, "\"other_validations\":[{\"loss\":");
    assert_contains(drawn.data, "BLEU of news.tsv");
    Run resumed = RUN("", "train", "--model", files.model, "--resume", "--max-epochs", "2");
    expect_said(&resumed, "news.tsv  loss ", NULL);
    run_expect_said(RUN("", "train", "--model", files.model, "--resume", "--valid", files.valid), 2,
                    "is from a different corpus");
    run_expect_failure(RUN("", "train", "--train", files.first, "--valid", files.valid, "--valid",
                           news, "--model", news, "--overwrite"),
                       2, "is both read and written");
    run_expect_failure(RUN("", "train", "--train", news, "--valid=a", "--valid=a", "--valid=a",
                           "--valid=a", "--valid=a", "--valid=a", "--valid=a", "--valid=a",
                           "--valid=a"),
                       2, "--valid is given 9 times");
}

// The order of the files given is the order of the pairs, wherever they come from.
TEST(standard_input_and_gzip)
{
    Files files;
    make_files(&files);
    const char *packed = scratch_path("first.gz");
    gzFile gzip = gzopen(packed, "wb");
    ck_assert_int_gt(gzputs(gzip, first), 0);
    ck_assert_int_eq(gzclose(gzip), Z_OK);
    Run run = RUN(second, "train", "--train", packed, "--train", "-", "--valid", files.valid,
                  "--model", files.model, "--overwrite", TINY);
    expect_said(&run, "5 pairs for training, 1 for validation", NULL);
    Bytes model = scratch_read(files.model);

    Run again = RUN("", "train", "--train", files.first, "--train", files.second, "--valid",
                    files.valid, "--model", files.model, "--overwrite", TINY);
    expect_said(&again, "5 pairs for training", NULL);
    Bytes same = scratch_read(files.model);
    // the file names in the model's description differ, the weights behind the header do not
    size_t weights = model.length / 2;
    ck_assert_mem_eq(model.data + model.length - weights, same.data + same.length - weights,
                     weights);
}

TEST(standard_input_twice)
{
    Files files;
    make_files(&files);
    run_expect_failure(RUN(first, "train", "--train", "-", "--train", "-", "--model", files.model),
                       2, "standard input (-) is given twice");
    run_expect_failure(RUN(first, "train", "--train", "-", "--valid", "-", "--model", files.model),
                       2, "standard input (-) is given twice");
    run_expect_failure(RUN("", "train", "--train", "-", "--model", files.model), 1,
                       "standard input: is empty");
}

TEST(summary)
{
    Files files;
    make_files(&files);
    static const char corpus[] = "one cat\tun chat\n"
                                 "\tvide\n"
                                 "one dog\tun chien\n"
                                 "ox\tune tres longue phrase qui dit toute autre chose\n"
                                 "one cat\tun chat\n"
                                 "one  cat \tun chat\n"
                                 "hjdxmpeccamrjzybhqrliyfdigauzizigfjjuxlctkvmqhfhpicrjajswjyq"
                                 "gnntjnofhjizbcbouiqrupwkevgcnguuoiflnxskurgkdbwhiysthdkfjoab"
                                 "lwcjxvkakjkeyuntvcjtgojeimtfksalboflzzljsdogngdbbbxftvetbrps"
                                 "\t"
                                 "hkbdqjynugpghonpbhnohungpgbbiihqgyhniekbksdsmuuzwxbpmcngsfkj"
                                 "vpzuknqguzvzikmpciuvgbmteyivbfwuospxmmgzagfatidmzyzmhrbgfvtk"
                                 "ryzpqoacbwtdprityeblcyqajlccromgzjmhypmdcdtzlqnnwyocugujpndz"
                                 "\n";
    Run kept = RUN(corpus, "train", "--train", files.second, "--train", "-", "--valid", files.valid,
                   "--model", files.model, "--overwrite", TINY);
    assert_contains(kept.error.data, "7 pairs for training");
    assert_contains(kept.error.data, "2 duplicates of an earlier pair kept;");
    assert_contains(kept.error.data, "1 pair kept with one side over 9 times as "
                                     "long as the other, the first in standard "
                                     "input, line 4\n");
    expect_said(&kept,
                "left out: 1 with an empty side, 1 with more than 40 subwords on a side, 0 "
                "duplicates\n",
                "warning");
    Run fewer = RUN(corpus, "train", "--train", files.second, "--train", "-", "--valid",
                    files.valid, "--model", files.model, "--overwrite", TINY, "--deduplicate");
    assert_contains(fewer.error.data, "5 pairs for training");
    expect_said(&fewer,
                "left out: 1 with an empty side, 1 with more than 40 subwords on a side, 2 "
                "duplicates\n",
                "--deduplicate leaves");
}

TEST(validation_that_is_learned_from)
{
    Files files;
    make_files(&files);
    static const char leaking[] =
        "one cat\tun chat\none dog\tun toutou\nsome cat\tun chat\nnew\tneuf\n";
    scratch_text("valid.tsv", leaking);
    Run run = RUN("", "train", "--train", files.first, "--valid", files.valid, "--model",
                  files.model, "--overwrite", TINY);
    expect_said(&run,
                "warning: 1 of 4 validation pairs also occur in training (2 of the sources, 2 of "
                "the targets); BLEU will be too high\n",
                NULL);

    static const char translated_alike[] = "some cat\tun chat\n";
    scratch_text("valid.tsv", translated_alike);
    Run target = RUN("", "train", "--train", files.first, "--valid", files.valid, "--model",
                     files.model, "--overwrite", TINY);
    expect_said(&target, "1 of 1 validation targets also occur in training, with other sources\n",
                "warning");

    Run aside =
        RUN("", "train", "--train", files.first, "--model", files.model, "--overwrite", TINY);
    expect_said(&aside, "1 for validation (set aside from the corpus)", "warning");
}

// A resumed run leaves out what the first one did, and cannot be told otherwise.
TEST(resumes_deduplicated)
{
    Files files;
    make_files(&files);
    Run begun = RUN("", "train", "--train", files.first, "--train", files.first, "--valid",
                    files.valid, "--model", files.model, "--overwrite", TINY, "--deduplicate");
    expect_said(&begun, "3 pairs for training", NULL);
    Run resumed = RUN("", "train", "--train", files.first, "--train", files.first, "--valid",
                      files.valid, "--model", files.model, "--max-epochs", "2", "--resume");
    expect_said(&resumed, "3 pairs for training", NULL);

    Run kept = RUN("", "train", "--train", files.first, "--train", files.first, "--valid",
                   files.valid, "--model", files.model, "--overwrite", TINY);
    expect_said(&kept, "6 pairs for training", NULL);
    run_expect_failure(RUN("", "train", "--train", files.first, "--train", files.first, "--valid",
                           files.valid, "--model", files.model, "--max-epochs", "2", "--resume",
                           "--deduplicate"),
                       2, "--deduplicate is given, and was not given when the run began");
}
