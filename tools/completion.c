#include "tools/completion.h"

#include <string.h>

bool completion_is_file(const char *value)
{
    static const char *const files[] = {"FILE", "FOLDER", "MODEL", "PAIRS", "PATH"};
    if (!value) return false;
    size_t length = strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strlen(files[i]) == length && memcmp(files[i], value, length) == 0) return true;
    return false;
}

Status completion_quote(Bytes *out, const char *text, Error *error)
{
    Status status = bytes_append_string(out, "'", error);
    for (; !status && *text; text++)
        status = *text == '\'' ? bytes_append_string(out, "'\\''", error)
                               : bytes_append(out, text, 1, error);
    return status ? status : bytes_append_string(out, "'", error);
}
