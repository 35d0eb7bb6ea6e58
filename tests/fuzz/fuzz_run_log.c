/* Any bytes as the log of a training, and the page that is drawn of it.
 *
 * tests/fuzz/run builds and runs it. */
#define _GNU_SOURCE
#include "fuzz_file.h"

#include "render/run_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RunLog logs[2];
    Error error = {0};
    Bytes page = {0};
    const char *path = file_of(data, size);
    if (run_log_read(&logs[0], path, &error)) {
        require(error.text[0]);
        return 0;
    }
    require(run_log_read(&logs[1], path, &error) == STATUS_OK);
    Writer out = writer_start(&page, &error);
    run_report_write(&out, logs, 2);
    require(writer_end(&out) == STATUS_OK);
    for (size_t i = 0; i < 2; i++) run_log_free(&logs[i]);
    bytes_free(&page);
    return 0;
}
