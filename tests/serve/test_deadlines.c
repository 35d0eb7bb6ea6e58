// Connections whose clients take too long.

#define _GNU_SOURCE
#include "base/clock.h"
#include "serve/http/deadlines.h"

#include "support/suite.h"

#include <sys/socket.h>
#include <unistd.h>

enum { COUNT = 3 };
static int ends[COUNT][2]; // the server's and the client's of each connection
static Deadline items[COUNT];
static Deadlines deadlines;

static void begin(double seconds)
{
    deadlines = (Deadlines){.seconds = seconds};
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends[i]), 0);
        items[i] = (Deadline){.socket = ends[i][0]};
        deadline_start(&deadlines, &items[i]);
    }
}

static void end(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        deadline_stop(&deadlines, &items[i]);
        close(ends[i][0]);
        close(ends[i][1]);
    }
    ck_assert_ptr_null(deadlines.first);
    ck_assert_ptr_null(deadlines.last);
}

// Whether the client sees that the connection was closed.
static bool is_closed(size_t i)
{
    char byte;
    return recv(ends[i][1], &byte, 1, 0) == 0;
}

TEST(over)
{
    begin(0);
    deadline_stop(&deadlines, &items[1]);
    ck_assert_double_eq(deadlines_enforce(&deadlines, clock_seconds()), INFINITY);
    ck_assert(is_closed(0) && !is_closed(1) && is_closed(2));
    end();
}

// Who begins something else has all the time again, and is the last.
TEST(again)
{
    begin(60);
    double wait = deadlines_enforce(&deadlines, clock_seconds());
    ck_assert(wait > 50 && wait <= 60);
    for (size_t i = 0; i < COUNT; i++) items[i].end -= 30 + 30 * (i == 0);
    deadline_start(&deadlines, &items[0]);
    ck_assert_ptr_eq(deadlines.first, &items[1]);
    ck_assert_ptr_eq(deadlines.last, &items[0]);
    wait = deadlines_enforce(&deadlines, clock_seconds());
    ck_assert(wait > 20 && wait <= 30);
    items[1].end = items[2].end = clock_seconds();
    wait = deadlines_enforce(&deadlines, clock_seconds());
    ck_assert(wait > 50 && wait <= 60);
    ck_assert(!is_closed(0) && is_closed(1) && is_closed(2));
    deadline_stop(&deadlines, &items[1]); // once more does no harm
    end();
}
