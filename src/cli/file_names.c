#include "cli/file_names.h"

#include "base/utf8_sequence.h"
#include "io/file_writer.h"

const char *file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool file_is_among(const char *path, const char *const *names, size_t count)
{
    bool among = false;
    for (size_t i = 0; i < count && !among; i++) among = file_is_same(path, names[i]);
    return among;
}

json_t *file_name_to_json(const char *files)
{
    FREED_BY(bytes_free) Bytes name = {0};
    Status status = STATUS_OK;
    for (size_t length; *files && !status; files += length) {
        length = strcspn(files, "/,");
        if (files[length] == '/') {
            length++; // a folder
            continue;
        }
        length += files[length] == ',';
        status = bytes_append(&name, files, length, NULL);
    }
    utf8_make_harmless(name.data, name.length, true);
    return status ? NULL : json_stringn(bytes_text(&name), name.length);
}

json_t *file_names_to_json(const char *const *names, size_t count)
{
    json_t *json = json_array();
    for (size_t i = 0; i < count; i++) json_append(&json, file_name_to_json(names[i]));
    return json;
}

json_t *training_origin(const json_t *training)
{
    json_t *origin = json_object_get(training, "origin");
    if (!origin && !json_object_get(training, "init")) origin = json_object_get(training, "run");
    return json_incref(origin);
}
