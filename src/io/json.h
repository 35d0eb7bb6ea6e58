/* JSON values made by Jansson, written as text. */
#ifndef REGARD_IO_JSON_H
#define REGARD_IO_JSON_H

#include "base/writer.h"

#include <jansson.h>

/* Writes a value by json_dumps' flags and releases it. NULL, which Jansson gives where text is not
 * UTF-8 or memory is short, fails with STATUS_ARGUMENT. */
void json_write(Writer *out, json_t *json, size_t flags);

#endif
