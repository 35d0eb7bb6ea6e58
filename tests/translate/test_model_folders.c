#define _GNU_SOURCE
#include "translate/model_folders.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(names)
{
    ck_assert(model_is_name("en-fr") && model_is_name("a.b"));
    ck_assert(!model_is_name("") && !model_is_name("-") && !model_is_name("a/b"));
    ck_assert(!model_is_name("x.safetensors"));
    ck_assert(model_is_name("Makefile") && model_is_name("src")); // though a file, a folder
}

// Two folders that both have a model b: the first one's is found.
TEST(search)
{
    const char *first = scratch_subfolder("first"), *second = scratch_subfolder("second");
    ModelFolders folders = {0};
    char list[160], path[192], data[96], deep[192];
    scratch_text("first/b.safetensors", "");
    scratch_text("second/b.safetensors", "");
    scratch_text("second/a.safetensors", "");
    scratch_text("second/.safetensors", "");
    scratch_text("second/c.txt", "");
    snprintf(list, sizeof list, ":%s::%s:/nowhere", first, second);
    setenv("REGARD_MODELS", list, 1);
    unsetenv("XDG_DATA_HOME");
    snprintf(data, sizeof data, "%s", second);
    setenv("HOME", data, 1);
    assert_ok(model_folders_read(&folders, NULL));
    ck_assert_str_eq(folders.paths[0], first);
    ck_assert_str_eq(folders.paths[1], second);
    snprintf(deep, sizeof deep, "%s/.local/share/regard/models", data);
    ck_assert_str_eq(folders.paths[3], deep);
    ck_assert_uint_eq(folders.count, 6); // with the two of this program
    ck_assert_uint_eq(folders.model_count, 2);
    ck_assert_str_eq(folders.models[0].name, "a");
    snprintf(path, sizeof path, "%s/b.safetensors", first);
    ck_assert_str_eq(model_folders_find(&folders, "b")->path, path);
    ck_assert_ptr_null(model_folders_find(&folders, "c"));
    model_folders_free(&folders);
    // an absolute $XDG_DATA_HOME takes the place of ~/.local/share; any other counts as not set
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_ok(model_folders_read(&folders, NULL));
    ck_assert_str_eq(folders.paths[3], "/data/regard/models");
    model_folders_free(&folders);
    setenv("XDG_DATA_HOME", "data", 1);
    assert_ok(model_folders_read(&folders, NULL));
    ck_assert_str_eq(folders.paths[3], deep);
    model_folders_free(&folders);
}

// Of folders given twice one is named; while there are models, none that does not exist.
TEST(description)
{
    const char *first = scratch_subfolder("first"), *second = scratch_subfolder("second");
    ModelFolders folders = {0};
    Bytes places = {0}, none = {0};
    char list[256], expected[192];
    scratch_text("second/a.safetensors", "");
    snprintf(list, sizeof list, "%s:/nowhere:%s:%s", first, second, first);
    setenv("REGARD_MODELS", list, 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_ok(model_folders_read(&folders, NULL));
    assert_ok(model_folders_describe(&places, &folders, NULL));
    snprintf(expected, sizeof expected, "%s and %s", first, second);
    ck_assert_str_eq(bytes_text(&places), expected);
    model_folders_free(&folders);
    setenv("REGARD_MODELS", "/nowhere:/nowhere", 1);
    assert_ok(model_folders_read(&folders, NULL));
    assert_ok(model_folders_describe(&none, &folders, NULL));
    ck_assert_int_eq(strncmp(bytes_text(&none), "/nowhere, /data/regard/models", 29), 0);
    model_folders_free(&folders);
    bytes_free(&places);
    bytes_free(&none);
}

TEST(out_of_memory)
{
    scratch_text("b.safetensors", "");
    setenv("REGARD_MODELS", scratch_folder(), 1);
    while (failing_malloc_next()) {
        ModelFolders folders = {0};
        failing_malloc_expect(model_folders_read(&folders, NULL));
        model_folders_free(&folders);
    }
}
