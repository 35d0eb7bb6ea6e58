// How many requests a client may send.

#include "serve/service/rate_limit.h"

#include "support/suite.h"

#include <stdio.h>

TEST(bucket)
{
    RateLimit *limit;
    ck_assert_int_eq(rate_limit_new(&limit, 3, NULL), STATUS_OK);
    for (size_t i = 0; i < 3; i++) ck_assert(rate_limit_allows(limit, "a", 100));
    ck_assert(!rate_limit_allows(limit, "a", 100));
    ck_assert(rate_limit_allows(limit, "b", 100)); // another client
    ck_assert(!rate_limit_allows(limit, "a", 119));
    ck_assert(rate_limit_allows(limit, "a", 120)); // a third of a minute: one more
    ck_assert(!rate_limit_allows(limit, "a", 121));
    for (size_t i = 0; i < 3; i++) ck_assert(rate_limit_allows(limit, "a", 1000)); // no more
    ck_assert(!rate_limit_allows(limit, "a", 1000));
    rate_limit_free(limit);
}

// However many clients there are, memory stays and those who keep coming are remembered.
TEST(many_clients)
{
    RateLimit *limit;
    char name[32];
    ck_assert_int_eq(rate_limit_new(&limit, 1, NULL), STATUS_OK);
    ck_assert(rate_limit_allows(limit, "a", 0));
    for (int i = 0; i < 100000; i++) {
        (void)snprintf(name, sizeof name, "client %d", i);
        (void)rate_limit_allows(limit, name, 1 + 1e-5 * i);
        ck_assert(!rate_limit_allows(limit, "a", 1 + 1e-5 * i));
    }
    rate_limit_free(limit);
}
