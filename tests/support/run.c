#define _GNU_SOURCE
#include "support/run.h"

#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_RUN_WORDS = 64 };

// In the child: connects the streams and becomes the program.
static void become_program(const char *const *words, int input, int out, int error)
{
    const char *program = getenv("REGARD_PROGRAM");
    const char *argv[MAX_RUN_WORDS + 2] = {"regard"};
    for (size_t i = 0; i < MAX_RUN_WORDS && words[i]; i++) argv[i + 1] = words[i];
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    dup2(input, STDIN_FILENO);
    dup2(error, STDERR_FILENO);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    else
        close(STDOUT_FILENO);
    execv(program ? program : "build/release/regard", (char *const *)argv);
    _exit(127);
}

// What the child writes to: `pipe_end`, or what the test wants instead; -1 for nothing.
static int output_descriptor(RunOutput output, int pipe_end)
{
    if (output == RUN_CLOSED) return -1;
    if (output != RUN_FULL_DISK) return pipe_end;
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(full, 0);
    return full;
}

// Reads what is there; at the end closes the pipe and marks it so.
static void take(struct pollfd *end, Bytes *bytes)
{
    char chunk[1 << 14];
    ssize_t got = read(end->fd, chunk, sizeof chunk);
    if (got > 0) {
        assert_ok(bytes_append(bytes, chunk, (size_t)got, NULL));
    } else if (got == 0 || errno != EINTR) {
        close(end->fd);
        end->fd = -1;
    }
}

// Writes what goes in; at the end, or if nobody reads it any more, closes the pipe.
static void give(struct pollfd *end, const char **input, size_t *length)
{
    ssize_t written = *length ? write(end->fd, *input, *length) : 0;
    if (written > 0) {
        *input += written;
        *length -= (size_t)written;
    }
    if (*length == 0 || (written < 0 && errno == EPIPE)) {
        close(end->fd);
        end->fd = -1;
    }
}

static Running start(const char *const *words, RunOutput output)
{
    int in[2], out[2], error[2], begun[2];
    char nothing;
    signal(SIGPIPE, SIG_IGN);
    ck_assert(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
              pipe2(error, O_CLOEXEC) == 0 && pipe2(begun, O_CLOEXEC) == 0);
    ck_assert_int_eq(fcntl(in[1], F_SETFL, O_NONBLOCK), 0);
    if (output == RUN_CLOSED_BY_READER) close(out[0]);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) become_program(words, in[0], output_descriptor(output, out[1]), error[1]);
    close(in[0]), close(out[1]), close(error[1]), close(begun[1]);
    // until it has become the program, the child would handle signals as Check does: by ending this
    // test
    while (read(begun[0], &nothing, 1) < 0) ck_assert_int_eq(errno, EINTR);
    close(begun[0]);
    return (Running){child, in[1], output == RUN_CLOSED_BY_READER ? -1 : out[0], error[0]};
}

/* Gives what goes in and takes what comes out until the program has ended. */
static Run finish(Running *running, const char *rest, size_t length)
{
    Run run = {0};
    int status;
    struct pollfd ends[] = {
        {running->in, POLLOUT, 0}, {running->out, POLLIN, 0}, {running->error, POLLIN, 0}};
    while (ends[1].fd >= 0 || ends[2].fd >= 0) {
        ck_assert(poll(ends, 3, -1) > 0 || errno == EINTR);
        if (ends[0].fd >= 0 && ends[0].revents) give(&ends[0], &rest, &length);
        if (ends[1].fd >= 0 && ends[1].revents) take(&ends[1], &run.out);
        if (ends[2].fd >= 0 && ends[2].revents) take(&ends[2], &run.error);
    }
    if (ends[0].fd >= 0) close(ends[0].fd);
    ck_assert_int_eq(waitpid(running->child, &status, 0), running->child);
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ck_assert_msg(run.status != 127, "there is no program to run; `make` builds it");
    assert_ok(bytes_append(&run.out, "", 0, NULL));
    assert_ok(bytes_append(&run.error, "", 0, NULL));
    suite_keep(run.out.data);
    suite_keep(run.error.data);
    return run;
}

Run run_program(const char *const *words, const void *input, size_t length, RunOutput output)
{
    Running running = start(words, output);
    return finish(&running, input, length);
}

Running run_start(const char *const *words)
{
    return start(words, RUN_CAPTURED);
}

void run_say(const Running *running, const char *text)
{
    ck_assert_int_eq(write(running->in, text, strlen(text)), (ssize_t)strlen(text));
}

Bytes run_hear(int end, size_t lines)
{
    Bytes heard = {0};
    char byte = 0;
    while (lines > 0) {
        struct pollfd ready = {end, POLLIN, 0};
        ck_assert_msg(poll(&ready, 1, 10000) == 1, "no answer in 10 seconds");
        ck_assert_msg(read(end, &byte, 1) == 1, "it ended before it answered");
        assert_ok(bytes_append(&heard, &byte, 1, NULL));
        lines -= byte == '\n';
    }
    return heard;
}

void run_wait_for(const Running *running, const char *text)
{
    for (bool heard = false; !heard;) {
        Bytes line = run_hear(running->error, 1);
        heard = strstr(line.data, text) != NULL;
        bytes_free(&line);
    }
}

Run run_finish(Running *running)
{
    return finish(running, "", 0);
}

Run run_expect_said(Run run, int status, const char *message)
{
    ck_assert_msg(run.status == status, "status %d: %s", run.status, run.error.data);
    assert_contains(run.error.data, message);
    return run;
}

Run run_expect_done(Run run)
{
    ck_assert_msg(run.status == 0, "status %d: %s", run.status, run.error.data);
    return run;
}

void run_expect_output(Run run, const char *expected)
{
    ck_assert_str_eq(run_expect_done(run).out.data, expected);
}

void run_expect_failure(Run run, int status, const char *message)
{
    const char *said = run.error.data;
    ck_assert_msg(run.status == status, "status %d: %s", run.status, said);
    ck_assert_str_eq(run.out.data, "");
    ck_assert_msg(strncmp(said, "regard", strlen("regard")) == 0 && strstr(said, message) &&
                      strchr(said, '\n') == said + run.error.length - 1,
                  "should be one line with \"%s\": %s", message, said);
}

bool run_promises_bits(void)
{
    Run info = run_expect_done(RUN("", "info"));
    return strstr(info.out.data, "bit for bit") != NULL;
}

size_t run_lines(const Bytes *text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text->length; i++) lines += text->data[i] == '\n';
    return lines;
}
