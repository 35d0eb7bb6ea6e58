// How many requests a client may send.

#include "serve/service/rate_limit.h"

#include "support/suite.h"

#include <stdio.h>

TEST(bucket)
{
    static RateLimit limit = {.per_minute = 3};
    for (size_t i = 0; i < 3; i++) ck_assert(rate_limit_allows(&limit, "a", 100));
    ck_assert(!rate_limit_allows(&limit, "a", 100));
    ck_assert(rate_limit_allows(&limit, "b", 100)); // another client
    ck_assert(!rate_limit_allows(&limit, "a", 119));
    ck_assert(rate_limit_allows(&limit, "a", 120)); // a third of a minute: one more
    ck_assert(!rate_limit_allows(&limit, "a", 121));
    for (size_t i = 0; i < 3; i++) ck_assert(rate_limit_allows(&limit, "a", 1000)); // no more
    ck_assert(!rate_limit_allows(&limit, "a", 1000));
}

// However many clients there are, memory stays and those who keep coming are remembered.
TEST(many_clients)
{
    char name[32];
    static RateLimit limit = {.per_minute = 1};
    ck_assert(rate_limit_allows(&limit, "a", 0));
    for (int i = 0; i < 100000; i++) {
        (void)snprintf(name, sizeof name, "client %d", i);
        (void)rate_limit_allows(&limit, name, 1 + 1e-5 * i);
        ck_assert(!rate_limit_allows(&limit, "a", 1 + 1e-5 * i));
    }
}
