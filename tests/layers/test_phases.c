#include "layers/phases.h"
#include "support/suite.h"

START_TEST(test_all_time_belongs_to_a_phase)
{
    Phases phases = {0};
    phases_enter(&phases, PHASE_ENCODER);
    double began = phases.since;
    phases_enter(&phases, PHASE_DECODER);
    phases_enter(&phases, PHASE_DECODER); // a phase may follow itself
    phases_enter(&phases, PHASE_WAITING);
    double sum = 0;
    for (size_t i = 0; i < PHASE_COUNT; i++) sum += phases.seconds[i];
    ck_assert_double_eq_tol(sum, phases.since - began, 1e-9);
    ck_assert_double_eq_tol(sum, phases.seconds[PHASE_ENCODER] + phases.seconds[PHASE_DECODER],
                            1e-12);
}
END_TEST

START_TEST(test_none_is_off)
{
    phases_enter(NULL, PHASE_ENCODER);
}
END_TEST

START_TEST(test_names)
{
    for (int i = 0; i < PHASE_COUNT; i++)
        for (int j = 0; j < i; j++) ck_assert_str_ne(phase_name((Phase)i), phase_name((Phase)j));
    ck_assert_str_eq(phase_name(PHASE_READOUT), "readout and softmax");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("phases");
    suite_add(suite, "all time belongs to a phase", test_all_time_belongs_to_a_phase);
    suite_add(suite, "none is off", test_none_is_off);
    suite_add(suite, "names", test_names);
    return suite_run(suite);
}
