// What tools/bottleneck is made of, besides `regard` itself.

#include "bench/bottleneck/commands.h"

#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    Error error = {0};
    Output output = {.descriptor = STDOUT_FILENO};
    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    Status status = commands_run(count, (const char *const *)argv + 1, &output, &error);
    Status closed = output_close(&output, status ? NULL : &error);
    if (!status) status = closed;
    if (!status) return EXIT_SUCCESS;
    report_error("bottleneck", &error);
    return status == STATUS_ARGUMENT ? 2 : EXIT_FAILURE;
}
