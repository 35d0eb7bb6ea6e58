// A log whose output is slow, or takes nothing at all.

#include "base/bytes.h"
#include "base/clock.h"
#include "serve/http/log_buffer.h"

#include "support/suite.h"

#include <semaphore.h>
#include <stdio.h>
#include <string.h>

typedef struct Slow {
    sem_t called, allowed; // in the output, and let out of it
    Bytes taken;
    size_t dropped;
} Slow;

static Slow slow;
static LogBuffer *buffer;

static void take(void *context, const char *lines, size_t length, size_t dropped)
{
    Slow *output = context;
    sem_post(&output->called);
    while (sem_wait(&output->allowed)) continue;
    ck_assert_int_eq(bytes_append(&output->taken, lines, length, NULL), STATUS_OK);
    output->dropped += dropped;
}

static void give_up(void *context)
{
    sem_post(&((Slow *)context)->allowed);
}

static void begin(unsigned allowed)
{
    slow = (Slow){0};
    sem_init(&slow.called, 0, 0);
    sem_init(&slow.allowed, 0, allowed);
    ck_assert_int_eq(log_buffer_new(&buffer, &(LogOutput){take, give_up, &slow}, NULL), STATUS_OK);
}

static void end(void)
{
    bytes_free(&slow.taken);
    sem_destroy(&slow.called);
    sem_destroy(&slow.allowed);
}

// Lines come out whole and in order.
START_TEST(test_order)
{
    Bytes expected = {0};
    begin(1000);
    for (int i = 0; i < 1000; i++) {
        char line[16];
        int length = snprintf(line, sizeof line, "%d\n", i);
        ck_assert(log_buffer_add(buffer, line, (size_t)length));
        ck_assert_int_eq(bytes_append(&expected, line, (size_t)length, NULL), STATUS_OK);
    }
    ck_assert(log_buffer_end(buffer, 60));
    ck_assert_str_eq(bytes_text(&slow.taken), bytes_text(&expected));
    ck_assert_uint_eq(slow.dropped, 0);
    bytes_free(&expected);
    end();
}
END_TEST

// Whoever adds a line does not wait for an output that waits; what there is no room for is counted.
START_TEST(test_dropped)
{
    enum { LINE = 1 << 16 };
    static char line[LINE];
    size_t refused = 0;
    begin(0);
    ck_assert(log_buffer_add(buffer, "first\n", 6));
    while (sem_wait(&slow.called)) continue;
    memset(line, 'x', LINE);
    for (size_t i = 0; i < LOG_BUFFER / LINE + 3; i++)
        if (!log_buffer_add(buffer, line, LINE)) refused++;
    ck_assert(!log_buffer_add(buffer, "short\n", 6)); // or the gap would be in another place
    ck_assert_uint_eq(refused, 3);
    sem_post(&slow.allowed);
    sem_post(&slow.allowed);
    while (sem_wait(&slow.called)) continue;
    while (!log_buffer_add(buffer, "last\n", 5)) continue; // as soon as they are told of
    for (int i = 0; i < 3; i++) sem_post(&slow.allowed);
    ck_assert(log_buffer_end(buffer, 60));
    ck_assert_uint_ge(slow.dropped, 4);
    ck_assert_uint_eq(slow.taken.length, 6 + LOG_BUFFER + 5);
    ck_assert_str_eq(slow.taken.data + 6 + LOG_BUFFER, "last\n");
    end();
}
END_TEST

START_TEST(test_stuck)
{
    double start = clock_seconds();
    begin(0);
    ck_assert(log_buffer_add(buffer, "lost\n", 5));
    while (sem_wait(&slow.called)) continue;
    ck_assert(!log_buffer_end(buffer, 0.05));
    ck_assert(clock_seconds() - start < 3);
    end();
}
END_TEST

START_TEST(test_nothing)
{
    begin(0);
    ck_assert(log_buffer_end(buffer, 60));
    ck_assert(log_buffer_end(NULL, 0));
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("log_buffer");
    suite_add(suite, "order", test_order);
    suite_add(suite, "dropped", test_dropped);
    suite_add(suite, "stuck", test_stuck);
    suite_add(suite, "nothing", test_nothing);
    return suite_run(suite);
}
