/* A document of XML as lines, so that a test can look what is in it by strstr. */
#pragma once

#include "base/bytes.h"

#include <stdbool.h>

/* An LF; then for each attribute "element@attribute=value", and for each element, where it ends,
 * "element=" and all of the text in it, each with an LF. What is not well-formed fails the test. Freed
 * by bytes_free. */
Bytes xml_lines(const Bytes *document);

// How many elements of this name there are.
size_t xml_lines_count(const Bytes *lines, const char *element);

// Whether an element of this name, or an attribute "element@attribute", has exactly this text.
bool xml_lines_have(const Bytes *lines, const char *name, const char *text);
