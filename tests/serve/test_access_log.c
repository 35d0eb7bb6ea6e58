// A log whose output is slow, takes nothing at all, or fails.

#define _GNU_SOURCE
#include "base/clock.h"
#include "serve/http/access_log.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static AccessLog *access_log;
static int ends[2]; // of the pipe that it writes to
static char said[128];
static sem_t warned;

static void warn(const char *message)
{
    (void)snprintf(said, sizeof said, "%s", message);
    sem_post(&warned);
}

static void begin(int flags)
{
    sem_init(&warned, 0, 0);
    ck_assert_int_eq(pipe2(ends, 0), 0);
    ck_assert_int_eq(fcntl(ends[1], F_SETFL, flags), 0);
    assert_ok(access_log_new(&access_log, ends[1], warn, NULL));
}

// Reads the pipe until its end.
static void *read_whole(void *context)
{
    static char part[1 << 16];
    ssize_t length;
    while ((length = read(ends[0], part, sizeof part)) > 0)
        assert_ok(bytes_append(context, part, (size_t)length, NULL));
    return NULL;
}

// Ends the log and expects that it has told of nothing but this.
static void end(double seconds, const char *message)
{
    access_log_end(access_log, seconds);
    ck_assert_str_eq(said, message);
    close(ends[1]);
    sem_destroy(&warned);
}

// Lines come out whole and in order, also where the output takes them in parts.
static void expect_order(int flags)
{
    enum { LINES = 20000 }; // more than a pipe has room for
    Bytes expected = {0}, taken = {0};
    pthread_t reader;
    begin(flags);
    for (int i = 0; i < LINES; i++) {
        char line[16];
        int length = snprintf(line, sizeof line, "%d\n", i);
        ck_assert(access_log_add(access_log, line, (size_t)length));
        assert_ok(bytes_append(&expected, line, (size_t)length, NULL));
    }
    pthread_create(&reader, NULL, read_whole, &taken);
    end(60, "");
    pthread_join(reader, NULL);
    ck_assert_str_eq(bytes_text(&taken), bytes_text(&expected));
    bytes_free(&expected);
    bytes_free(&taken);
    close(ends[0]);
}

TEST(order)
{
    expect_order(0);
    expect_order(O_NONBLOCK);
}

// Whoever adds a line does not wait for an output that waits; what there is no room for is counted.
TEST(dropped)
{
    enum { LINE = 1 << 16 }; // as much as a pipe has room for
    static char line[2 * LINE];
    char message[128];
    size_t kept = 2, refused = 1;
    int written = 0;
    Bytes taken = {0};
    pthread_t reader;
    begin(0);
    memset(line, 'x', sizeof line);
    ck_assert(access_log_add(access_log, line, sizeof line));
    while (written < LINE) ck_assert_int_eq(ioctl(ends[0], FIONREAD, &written), 0);
    // the log's thread is within this line now, and takes no other
    while (access_log_add(access_log, line, LINE)) kept++;
    ck_assert_uint_eq(kept, 2 + ACCESS_LOG_WAITING / LINE);
    for (; refused < 3; refused++) ck_assert(!access_log_add(access_log, line, LINE));
    ck_assert(!access_log_add(access_log, "short\n", 6)); // or the gap would be in another place
    pthread_create(&reader, NULL, read_whole, &taken);
    while (sem_wait(&warned)) continue;
    ck_assert(access_log_add(access_log, "last\n", 5));
    (void)snprintf(message, sizeof message, "the access log lacks %zu lines: it is read too slowly",
                   refused + 1);
    end(60, message);
    pthread_join(reader, NULL);
    ck_assert_uint_eq(taken.length, kept * LINE + 5);
    ck_assert_int_eq(memcmp(taken.data + kept * LINE, "last\n", 5), 0);
    bytes_free(&taken);
    close(ends[0]);
}

// A line for which there is no room or no memory at all is a gap like others.
TEST(too_long)
{
    static char line[ACCESS_LOG_WAITING + 1];
    Bytes taken = {0};
    pthread_t reader;
    begin(0);
    pthread_create(&reader, NULL, read_whole, &taken);
    ck_assert(!access_log_add(access_log, line, sizeof line));
    while (sem_wait(&warned)) continue;
    ck_assert_str_eq(said, "the access log lacks 1 lines: it is read too slowly");
    *said = '\0';
    failing_malloc_at(1);
    ck_assert(!access_log_add(access_log, "lost\n", 5));
    ck_assert(failing_malloc_stop());
    while (sem_wait(&warned)) continue;
    ck_assert(access_log_add(access_log, "last\n", 5));
    end(60, "the access log lacks 1 lines: it is read too slowly");
    pthread_join(reader, NULL);
    ck_assert_str_eq(bytes_text(&taken), "last\n");
    bytes_free(&taken);
    close(ends[0]);
}

static void do_nothing(int number)
{
    (void)number;
}

// Signals do not take anything out of it.
TEST(signals)
{
    enum { LENGTH = 1 << 18, TIMES = 20 };
    static char line[LENGTH];
    const struct sigaction action = {.sa_handler = do_nothing};
    Bytes taken = {0};
    pthread_t reader;
    sigset_t signals;
    memset(line, 'x', sizeof line);
    sigaction(SIGUSR1, &action, NULL);
    begin(0);
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); // so that they are the log's thread's
    ck_assert(access_log_add(access_log, line, sizeof line));
    for (size_t i = 0; i < TIMES; i++) {
        kill(getpid(), SIGUSR1);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    pthread_create(&reader, NULL, read_whole, &taken);
    end(60, "");
    pthread_join(reader, NULL);
    ck_assert_uint_eq(taken.length, LENGTH);
    bytes_free(&taken);
    close(ends[0]);
}

TEST(stuck)
{
    static char line[ACCESS_LOG_WAITING];
    double start = clock_seconds();
    begin(0);
    ck_assert(access_log_add(access_log, line, sizeof line));
    end(0.05, "the access log lacks its last lines: it is read too slowly");
    ck_assert(clock_seconds() - start < 3);
    close(ends[0]);
}

TEST(failing)
{
    (void)signal(SIGPIPE, SIG_IGN);
    begin(0);
    close(ends[0]);
    for (size_t i = 0; i < 10; i++) ck_assert(access_log_add(access_log, "lost\n", 5));
    while (sem_wait(&warned)) continue;
    ck_assert(access_log_add(access_log, "lost\n", 5));
    end(60, "the access log ends: Broken pipe");
}

TEST(nothing)
{
    begin(0);
    end(60, "");
    access_log_end(NULL, 0);
    close(ends[0]);
}
