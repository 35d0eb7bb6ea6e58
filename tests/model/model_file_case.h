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
static const char *path; // of the small model, saved

static void set_up(void)
{
    small_model_new(&small, SOURCES, TARGETS, 1, 1);
    path = scratch_path("model.safetensors");
    assert_ok(model_save(path, &small.params, &texts, NULL, NULL));
}

static void tear_down(void)
{
    small_model_free(&small);
}

// Begins the model's file again, so that other tensors can be added, and saves it unchecked.
static inline SafetensorsWriter *begin_file(void)
{
    SafetensorsWriter *writer = NULL;
    assert_ok(safetensors_writer_new(&writer, NULL));
    assert_ok(model_write_metadata(writer, &small.config, &texts, NULL));
    assert_ok(model_write_block(writer, path, &small.params.list, small.params.block, "", NULL));
    return writer;
}

static inline void end_file(SafetensorsWriter *writer)
{
    assert_ok(safetensors_writer_save(writer, path, NULL, NULL));
    safetensors_writer_free(writer);
}

// What is wrong with the file is said, and which file it is.
static void expect_refusal(const char *file, const char *part)
{
    Model model;
    Error error = {0};
    ck_assert_msg(model_open(&model, file, &error) == STATUS_FORMAT, "opened; expected \"%s\"",
                  part);
    assert_contains(error.text, part);
    ck_assert_msg(strncmp(error.text, file, strlen(file)) == 0, "\"%s\" names no file", error.text);
    ck_assert_ptr_null(model.file);
    ck_assert_int_eq(model_open(&model, file, NULL), STATUS_FORMAT);
}
