/* What the tests of include/regard.h share: a tiny model in a folder of its own, opened with the default
 * options. */
#pragma once

#include "regard.h"

#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_model.h"

#define TEXT(literal) ((RegardText){literal, sizeof(literal) - 1})

static const char *path;
static RegardModel *model;
static RegardError error;
static RegardOptions options;

static void open_model(void)
{
    assert_ok(regard_open(&model, path, &error));
    regard_options_default(&options, sizeof options);
}

static void begin(void)
{
    path = scratch_path("tiny.safetensors");
    tiny_model_write(path, 1);
    open_model();
}

static void end(void)
{
    regard_close(model);
}
