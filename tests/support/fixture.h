/* The stored numbers that tests compare with: the .safetensors files of tests/fixtures, computed by
 * PyTorch. What each file holds is written at the top of tests/fixtures/make_fixtures.py.
 *
 *     Fixture *fixture = fixture_open("tests/fixtures/linear.safetensors");
 *     size_t count;
 *     const double *x = fixture_reals(fixture, "x", &count);
 *     size_t rows = fixture_dimension(fixture, "x", 0);
 *     ...
 *     fixture_close(fixture);
 *
 * The reader is the tests' own, so that a mistake in the program's safetensors reader cannot hide.
 * Whatever is wrong, a missing file, a tensor that is not there or of another type, fails the test
 * with a message that names the file and the tensor; so nothing here returns NULL. Paths are
 * relative to the repository's root, where `make check` runs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Fixture Fixture;

/* Maps a file and checks it whole: tensors of type F64 or I64, in the order of the header, without
 * holes, up to the end of the file. Closed by fixture_close. */
Fixture *fixture_open(const char *path);

// The numbers of an F64 tensor, row-major; `count` (may be NULL) is how many. Valid until
// fixture_close.
const double *fixture_reals(const Fixture *fixture, const char *name, size_t *count);

// The numbers of an I64 tensor, likewise.
const int64_t *fixture_integers(const Fixture *fixture, const char *name, size_t *count);

// Whether there is a tensor of that name.
bool fixture_has(const Fixture *fixture, const char *name);

// The size of a tensor along an axis, counted from 0.
size_t fixture_dimension(const Fixture *fixture, const char *name, size_t axis);

void fixture_close(Fixture *fixture);
