#define _DEFAULT_SOURCE
#include "base/clock.h"
#include "bench/speed/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's part. Never returns. */
static void become(const int in[2], const int out[2], char *const *words)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0 && dup2(in[0], STDIN_FILENO) >= 0 && dup2(out[1], STDOUT_FILENO) >= 0 &&
        dup2(nowhere, STDERR_FILENO) >= 0) {
        close(in[1]);
        close(out[0]);
        execv(words[0], words);
    }
    _exit(127);
}

/* Reads all that comes; when the first line was whole. */
static double hear(int from, double began)
{
    char text[4096];
    double first_line = 0;
    ssize_t count;
    while ((count = read(from, text, sizeof text)) > 0 || (count < 0 && errno == EINTR))
        if (count > 0 && first_line == 0 && memchr(text, '\n', (size_t)count))
            first_line = clock_seconds() - began;
    return first_line;
}

Status launch(Launch *launched, char *const *words, const char *input, Error *error)
{
    int in[2], out[2], ended = 0;
    struct rusage usage = {0};
    if (pipe(in) || pipe(out)) return error_set(error, STATUS_IO, "a pipe: %s", strerror(errno));
    double began = clock_seconds();
    pid_t child = fork();
    if (child == 0) become(in, out, words);
    close(in[0]);
    close(out[1]);
    // a line or two: less than a pipe holds
    bool told = child > 0 && write(in[1], input, strlen(input)) == (ssize_t)strlen(input);
    close(in[1]);
    *launched = (Launch){.first_line = hear(out[0], began)};
    close(out[0]);
    if (child > 0)
        while (wait4(child, &ended, 0, &usage) < 0 && errno == EINTR) continue;
    launched->seconds = clock_seconds() - began;
    launched->memory = (size_t)usage.ru_maxrss * 1024; // kilobytes, on Linux
    launched->status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    if (told && launched->status == 0) return STATUS_OK;
    return error_set(error, STATUS_IO, "%s %s did not work: status %d", words[0], words[1],
                     launched->status);
}
