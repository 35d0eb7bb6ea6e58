// include/regard.h: calls that are cancelled, also from another thread; `make BUILD=tsan` runs this.

#include "regard.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "api/open_model.h" // last: its names are short

enum { TEXTS = 40 };

static RegardText texts[TEXTS];

static void begin_with_texts(void)
{
    begin();
    options.batch = 4;
    options.threads = 2;
    for (size_t i = 0; i < TEXTS; i++)
        texts[i] = (RegardText){"a few words to translate", 5 + i % 20};
}

static RegardStatus call(int kind, RegardResult **result)
{
    return kind == 0   ? regard_translate(model, texts, TEXTS, &options, result, &error)
           : kind == 1 ? regard_score(model, texts, texts, TEXTS, &options, result, &error)
                       : regard_align(model, texts, texts, TEXTS, &options, result, &error);
}

static bool count_down(void *context)
{
    return atomic_fetch_sub((atomic_int *)context, 1) <= 0;
}

// At the first, second … asking; the last call is done before, and gives what one without does.
TEST(at_every_place, .seconds = 60)
{
    begin_with_texts();
    for (int kind = 0; kind < 3; kind++) {
        RegardResult *expected, *result;
        options.cancelled = NULL;
        assert_ok(call(kind, &expected));
        RegardStatus status = REGARD_CANCELLED;
        for (int n = 0; status; n = n + 1 + n / 8) {
            atomic_int left = n;
            options.cancelled = count_down;
            options.context = &left;
            status = call(kind, &result);
            if (!status) break;
            ck_assert_int_eq(status, REGARD_CANCELLED);
            ck_assert_int_eq(error.status, REGARD_CANCELLED);
            ck_assert_str_eq(error.text, "cancelled on request");
            ck_assert_ptr_null(result);
        }
        for (size_t i = 0; i < TEXTS; i++)
            ck_assert_str_eq(regard_result_translation(expected, i, 0)->text.bytes,
                             regard_result_translation(result, i, 0)->text.bytes);
        regard_result_free(expected);
        regard_result_free(result);
    }
    ck_assert_str_eq(regard_status_text(REGARD_CANCELLED), "stopped on request");
    end();
}

// A flag that one thread sets and the call's threads read.
typedef struct Flag {
    atomic_bool set;
    atomic_int asked;
} Flag;

static bool flag_is_set(void *context)
{
    Flag *flag = context;
    atomic_fetch_add(&flag->asked, 1);
    return atomic_load(&flag->set);
}

static void *set_flag(void *argument)
{
    Flag *flag = argument;
    while (atomic_load(&flag->asked) < TEXTS + 20) sched_yield();
    atomic_store(&flag->set, true);
    return NULL;
}

// A call without end, were it not for the flag: the same texts over and over.
TEST(from_another_thread, .seconds = 60)
{
    begin_with_texts();
    Flag flag = {0};
    pthread_t thread;
    RegardResult *result;
    options.cancelled = flag_is_set;
    options.context = &flag;
    ck_assert_int_eq(pthread_create(&thread, NULL, set_flag, &flag), 0);
    RegardStatus status = REGARD_OK;
    while (!status) {
        status = call(0, &result);
        regard_result_free(result);
    }
    ck_assert_int_eq(status, REGARD_CANCELLED);
    ck_assert_ptr_null(result);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    options.cancelled = NULL;
    assert_ok(call(0, &result));
    regard_result_free(result);
    end();
}
