#include "base/nearest_name.h"
#include "support/suite.h"

#include <string.h>

static const char *const names[] = {"train", NULL, "translate", "align", "score", "tokenize"};

static const char *nearest(const char *word)
{
    const char *name = nearest_name(word, names, sizeof names / sizeof *names);
    return name ? name : "none";
}

TEST(finds_slips)
{
    ck_assert_str_eq(nearest("trian"), "train");        // swapped
    ck_assert_str_eq(nearest("tain"), "train");         // left out
    ck_assert_str_eq(nearest("alignn"), "align");       // put in
    ck_assert_str_eq(nearest("scorf"), "score");        // replaced
    ck_assert_str_eq(nearest("tokenise"), "tokenize");  // another spelling
    ck_assert_str_eq(nearest("trasnlat"), "translate"); // two slips in a long word
    ck_assert_str_eq(nearest("tok"), "tokenize");       // begun
    ck_assert_str_eq(nearest("train"), "train");
}

TEST(suggests_nothing_far_away)
{
    ck_assert_str_eq(nearest("evaluate"), "none");
    ck_assert_str_eq(nearest("x"), "none");
    ck_assert_str_eq(nearest(""), "none");
    char endless[5000] = {0};
    memset(endless, 't', sizeof endless - 1);
    ck_assert_str_eq(nearest(endless), "none");
    const char *const long_names[] = {endless};
    ck_assert_ptr_null(nearest_name("train", long_names, 1));
    ck_assert_ptr_null(nearest_name("train", NULL, 0));
}
