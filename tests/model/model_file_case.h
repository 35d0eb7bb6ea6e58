/* What the tests of model files share: a small model, the texts it is saved with, and files that
 * must be refused. */
#pragma once

#include "model/model_file.h"

#include "support/scratch.h"
#include "support/small_model.h"
#include "support/suite.h"

#include <string.h>

enum { SOURCES = 6, TARGETS = 12 }; // tokens of the vocabularies

static const ModelTexts texts = {"{\"side\": \"source\"}", "{\"side\": \"target\"}",
                                 "{\"bleu\": 1}"};

static SmallModel small;

static void set_up(void)
{
    small_model_new(&small, SOURCES, TARGETS, 1, 1);
}

static void tear_down(void)
{
    small_model_free(&small);
}

// What is wrong with the file is said, and which file it is.
static void expect_refusal(const char *path, const char *part)
{
    Model model;
    Error error = {0};
    ck_assert_msg(model_open(&model, path, &error) == STATUS_FORMAT, "opened; expected \"%s\"",
                  part);
    assert_contains(error.text, part);
    ck_assert_msg(strncmp(error.text, path, strlen(path)) == 0, "\"%s\" names no file", error.text);
    ck_assert_ptr_null(model.file);
    ck_assert_int_eq(model_open(&model, path, NULL), STATUS_FORMAT);
}
