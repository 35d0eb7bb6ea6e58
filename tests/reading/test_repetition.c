// Words said twice in a row.

#include "reading/repetition.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

static bool repeats(const char *text)
{
    bool found;
    assert_ok(repetition_find(&found, text, strlen(text), NULL));
    return found;
}

TEST(repeated)
{
    static const char *const texts[] = {
        "She picked flowers flowers.", "from here from here", "a été été là été là",
        "什么时候什么时候来", "波士顿波士顿", "在 Boston Boston", "une école  école",
        "peut-être peut-être",
        // clauses, behind a comma
        "睡到晚上，睡到晚上农民来了", "they were tired, they were tired"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(repeats(texts[i]), "%s", texts[i]);
}

TEST(others)
{
    static const char *const texts[] = {
        "",           "nous nous sommes",     "If I had had that",
        "爸爸慢慢走", "thank you, thank you", "flower flowers, really",
        "苹果，苹果", "12345 12345",          "l'école l'école",
        "\xff\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(!repeats(texts[i]), "%s", texts[i]);
}

TEST(allocation_fails)
{
    bool found = true;
    Error error = {0};
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(repetition_find(&found, "flowers flowers", 15, &error)));
    ck_assert(!found);
}
