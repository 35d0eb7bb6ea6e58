#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "bench/speed/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MILLISECONDS = 5 };

extern char **environ;

static bool describe(posix_spawn_file_actions_t *actions, const int in[2], const int out[2])
{
    bool done = !posix_spawn_file_actions_adddup2(actions, in[0], STDIN_FILENO) &&
                !posix_spawn_file_actions_adddup2(actions, out[1], STDOUT_FILENO) &&
                !posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    for (int i = 0; i < 2 && done; i++)
        done = !posix_spawn_file_actions_addclose(actions, in[i]) &&
               !posix_spawn_file_actions_addclose(actions, out[i]);
    return done;
}

/* Starts the program and returns its number, or -1. Not by fork: that copies what this process,
 * large by now, knows of its memory, which takes milliseconds that no shell needs. */
static pid_t start(char *const *words, const int in[2], const int out[2])
{
    pid_t child = -1;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return -1;
    if (!describe(&actions, in, out) ||
        posix_spawn(&child, words[0], &actions, NULL, words, environ))
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

/* The most memory a process has held, in bytes; 0 where that cannot be told, as when it has
 * ended. */
static size_t high_water(pid_t child)
{
    char path[64], line[128];
    unsigned long kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)child);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, "VmHWM:", 6)) kilobytes = strtoul(line + 6, NULL, 10);
    fclose(file);
    return (size_t)kilobytes * 1024;
}

/* Reads all that comes until the end, and looks at the child's memory in between. */
static void hear(Launch *launched, int from, pid_t child, double began, bool with_memory)
{
    char text[4096];
    struct pollfd ready = {.fd = from, .events = POLLIN};
    for (;;) {
        int found = poll(&ready, 1, with_memory ? LOOK_MILLISECONDS : -1);
        if (found < 0 && errno != EINTR) return;
        if (with_memory) {
            size_t memory = high_water(child);
            if (memory > launched->memory) launched->memory = memory;
        }
        if (found <= 0) continue;
        ssize_t count = read(from, text, sizeof text);
        if (count == 0 || (count < 0 && errno != EINTR)) return;
        if (count > 0 && launched->first_line == 0 && memchr(text, '\n', (size_t)count))
            launched->first_line = clock_seconds() - began;
    }
}

Status launch(Launch *launched, char *const *words, const char *input, bool with_memory,
              Error *error)
{
    int in[2], out[2], ended = 0;
    if (pipe(in)) return error_set(error, STATUS_IO, "a pipe: %s", strerror(errno));
    if (pipe(out)) {
        close(in[0]);
        close(in[1]);
        return error_set(error, STATUS_IO, "a pipe: %s", strerror(errno));
    }
    *launched = (Launch){0};
    double began = clock_seconds();
    pid_t child = start(words, in, out);
    close(in[0]);
    close(out[1]);
    // a line or two: less than a pipe holds
    bool told = child > 0 && write(in[1], input, strlen(input)) == (ssize_t)strlen(input);
    close(in[1]);
    if (child > 0) hear(launched, out[0], child, began, with_memory);
    close(out[0]);
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR) continue;
    if (told && WIFEXITED(ended) && WEXITSTATUS(ended) == 0) return STATUS_OK;
    return error_set(error, STATUS_IO, "%s %s failed", words[0], words[1]);
}
