#include "linalg/backend/backend.h"

#include "support/suite.h"

#include <string.h>

START_TEST(test_names_are_in_the_order_of_the_enum)
{
    ck_assert_str_eq(precision_names[PRECISION_AUTO], "auto");
    ck_assert_str_eq(precision_names[PRECISION_FLOAT32], "float32");
    ck_assert_str_eq(precision_names[PRECISION_BF16], "bf16");
    ck_assert_str_eq(precision_names[PRECISION_INT8], "int8");
    ck_assert_ptr_null(precision_names[PRECISION_INT8 + 1]);
    for (Precision p = PRECISION_AUTO; p <= PRECISION_BF16; p++)
        ck_assert_str_eq(training_precision_names[p], precision_names[p]);
    ck_assert_ptr_null(training_precision_names[PRECISION_INT8]);
    for (Precision p = PRECISION_FLOAT32; p <= PRECISION_INT8; p++) {
        ck_assert_str_eq(compute_type_name(precision_type(p)), precision_names[p]);
        ck_assert_int_eq(precision_of(precision_type(p)), p);
    }
}
END_TEST

START_TEST(test_auto)
{
    ComputeType resolved;
    const Backend *bf16 = backend_of(COMPUTE_BF16, true);
    ck_assert_int_eq(precision_resolve(&resolved, PRECISION_AUTO, PACKED_TRAINING, true, NULL),
                     STATUS_OK);
    ck_assert_int_eq(resolved,
                     bf16 && bf16->chosen_for(PACKED_TRAINING) ? COMPUTE_BF16 : COMPUTE_FLOAT32);
    ck_assert_int_eq(precision_resolve(&resolved, PRECISION_AUTO, PACKED_TRAINING, false, NULL),
                     STATUS_OK);
    ck_assert_int_eq(resolved, COMPUTE_FLOAT32);
}
END_TEST

START_TEST(test_demanded)
{
    ComputeType resolved;
    Error error = {0};
    ck_assert_int_eq(precision_resolve(&resolved, PRECISION_FLOAT32, PACKED_DECODING, true, NULL),
                     STATUS_OK);
    ck_assert_int_eq(resolved, COMPUTE_FLOAT32);
    Status status = precision_resolve(&resolved, PRECISION_BF16, PACKED_DECODING, false, &error);
    if (backend_of(COMPUTE_BF16, true)) {
        ck_assert_int_eq(status, STATUS_OK);
        ck_assert_int_eq(resolved, COMPUTE_BF16);
    } else {
        ck_assert_int_eq(status, STATUS_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(error.text, "AVX512-BF16"));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("precision");
    suite_add(suite, "names are in the order of the enum", test_names_are_in_the_order_of_the_enum);
    suite_add(suite, "auto", test_auto);
    suite_add(suite, "demanded", test_demanded);
    return suite_run(suite);
}
