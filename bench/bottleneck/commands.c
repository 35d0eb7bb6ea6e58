#include "bench/bottleneck/commands.h"

#include "base/memory.h"
#include "io/file.h"

#include <string.h>

Status commands_write(const char *folder, const char *name, const Bytes *text, Error *error)
{
    Bytes path = {0};
    FileWriter *writer = NULL;
    Status status = bytes_append_format(&path, error, "%s/%s", folder, name);
    if (!status) status = file_writer_open(&writer, path.data, error);
    if (!status) {
        status = file_writer_write(writer, text->data, text->length, error);
        if (status)
            file_writer_abandon(writer);
        else
            status = file_writer_commit(writer, error);
    }
    bytes_free(&path);
    return status;
}

static Status print_help(const Syntax *syntax, Output *output, Error *error)
{
    Bytes help = {0};
    Writer writer = writer_start(&help, error);
    options_help(&writer, syntax);
    Status status = writer_end(&writer);
    if (!status) status = output_write(output, help.data, help.length, error);
    bytes_free(&help);
    return status;
}

Status commands_run(size_t count, const char *const *words, Output *output, Error *error)
{
    Arguments arguments;
    const Verb *command = NULL;
    if (count && strcmp(words[0], "join") == 0) command = &command_join;
    if (count && strcmp(words[0], "draw") == 0) command = &command_draw;
    if (!command) return error_set(error, STATUS_ARGUMENT, "give join or draw, and their options");
    void *values = memory_new(1, command->syntax.values_size);
    if (!values) return error_memory(error, command->syntax.values_size, "options");
    Status status =
        options_parse(&arguments, &command->syntax, count - 1, words + 1, values, error);
    if (!status && arguments.help)
        status = print_help(&command->syntax, output, error);
    else if (!status)
        status = command->run(&arguments, output, error);
    memory_free(values);
    return status;
}
