#include "support/assert_close.h"
#include "support/attention_case.h"

#ifdef REGARD_DOUBLE
static const double EIGHT_DIGITS = 6e-9; // numbers given with eight
#else
static const double EIGHT_DIGITS = 1e-6; // as far as float goes
#endif
static const double FOUR_DIGITS = 5.1e-5;

TEST(by_hand)
{
    /* W_q q = [.5·.6 + .2·.4, .3·.6 + .4·.4] = [.38, .34]; with b [.48, .54].
     * W_k h_1 = [.1·.2 + .6·.3, .5·.2 + .3·.3] = [.20, .19]
     * e_1 = (tanh .68 + tanh .73) / 2 = (.5915 + .6231) / 2 = .6073, the others likewise */
    AttentionCase subject;
    attention_case_begin(&subject, &attention_additive, (AttentionSizes){2, 2, 2, 1},
                         (const uint32_t[]){4}, 1, 1);
    attention_case_set(subject.params.query.weight.matrix.values, (const double[]){.5, .2, .3, .4},
                       4);
    attention_case_set(subject.params.query.bias, (const double[]){.1, .2}, 2);
    attention_case_set(subject.params.key.matrix.values, (const double[]){.1, .6, .5, .3}, 4);
    attention_case_set(subject.params.v, (const double[]){.5, .5}, 2);
    attention_case_set(subject.q.values, (const double[]){.6, .4}, 2);
    const double h[] = {.2, .3, .5, .8, .7, .1, .4, .6};
    attention_case_set(subject.memory.annotations.values, h, 8);
    attention_case_forward(&subject);
    real energies[4];
    attention_energies(energies, subject.step.query.values, &subject.memory, 0, &subject.params);
    assert_close(energies, (const double[]){.6073, .7698, .6350, .7162}, 4, 0, FOUR_DIGITS, "e");
    assert_close(subject.alpha[0], (const double[]){.2315, .2724, .2380, .2581}, 4, 0, FOUR_DIGITS,
                 "alpha");
    assert_close(subject.step.context.values, (const double[]){.4523, .4660}, 2, 0, FOUR_DIGITS,
                 "context");
    attention_case_end(&subject);
}

TEST(softmax_and_weighted_sum_by_hand)
{
    // the dot product with this query is the last of an annotation's three numbers, the energy
    AttentionCase subject;
    attention_case_begin(&subject, &attention_dot, (AttentionSizes){.decoder = 3, .annotation = 3},
                         (const uint32_t[]){4}, 1, 1);
    attention_case_set(subject.q.values, (const double[]){0, 0, 1}, 3);
    const double h[] = {.2, .3, .605, .5, .8, .823, .7, .1, 1.152, .4, .6, .417};
    attention_case_set(subject.memory.annotations.values, h, 12);
    attention_case_forward(&subject);
    assert_close(subject.alpha[0], (const double[]){.2083, .2591, .3600, .1726}, 4, 0, FOUR_DIGITS,
                 "alpha");
    assert_close(subject.step.context.values, (const double[]){.4922, .4093}, 2, 0, FOUR_DIGITS,
                 "context");
    attention_case_end(&subject);
}

TEST(equals_numpy)
{
    // numpy.random.seed(2025); s = randn(4); h = randn(5, 4); W_a, U_a = randn(3, 4); v = randn(3)
    static const double s[] = {-0.09239017734006542, 0.734285571818207, -1.438882025137984,
                               -0.6634220249431935};
    static const double h[] = {
        -0.10072808829300164, 2.146986573285621,    1.393708086434868,    -0.2073711320618591,
        0.76358728607377,     0.2050536502590706,   -1.0414961740454705,  -0.8280760893682219,
        -1.0537956851227857,  -0.08875866470155816, 0.15819335462130032,  -1.7893230472518888,
        1.0634817778402788,   0.037120005088365535, -0.16375793041290654, -0.32820756904280945,
        1.5889765035000567,   -0.18878301639751396, -0.1817229707189814,  0.7179002124106627};
    static const double W_a[] = {-0.0007072508451907222, 0.7821669662745457, 0.0869911211711735,
                                 0.06625556927225097,    1.2005649415573179, -0.06166531132228107,
                                 -0.9009063455442049,    -1.259248044002328, 0.05663286486438104,
                                 -0.966218615905405,     0.748555548637642,  0.2781863888490101};
    static const double U_a[] = {-0.3107561510458716, -0.6539049867266162, -0.07294798302830618,
                                 0.5919375342722815,  0.8576039742639423,  -1.1941784058188503,
                                 1.901540732469318,   -0.6451840497609937, -1.1821966824736394,
                                 1.552205077068221,   1.2163215349729022,  0.9363371804740966};
    static const double v[] = {-0.6755505090190843, 1.0693202966521997, -0.1097420180616874};
    AttentionCase subject;
    attention_case_begin(&subject, &attention_additive,
                         (AttentionSizes){.attention = 3, .decoder = 4, .annotation = 4},
                         (const uint32_t[]){5}, 1, 1);
    attention_case_set(subject.q.values, s, 4);
    attention_case_set(subject.memory.annotations.values, h, 20);
    attention_case_set(subject.params.query.weight.matrix.values, W_a, 12);
    attention_case_set(subject.params.key.matrix.values, U_a, 12);
    attention_case_set(subject.params.v, v, 3);
    attention_case_forward(&subject);
    assert_close(subject.alpha[0],
                 (const double[]){0.25601495, 0.18044334, 0.22252979, 0.20301713, 0.1379948}, 5, 0,
                 EIGHT_DIGITS, "alpha");
    assert_close(subject.step.context.values,
                 (const double[]){0.31267093, 0.54839469, 0.1457593, -0.56825387}, 4, 0,
                 EIGHT_DIGITS, "context");
    attention_case_end(&subject);
}

ATTENTION_TESTS(attention_additive,
                (AttentionSizes){.attention = 5, .decoder = 3, .annotation = 4, .heads = 1})

TEST(unknown_names)
{
    ck_assert_ptr_null(attention_scorer_named("Additive"));
    ck_assert_ptr_null(attention_scorer_named(""));
    for (size_t i = 0; attention_scorer_names[i]; i++)
        ck_assert_str_eq(attention_scorer_named(attention_scorer_names[i])->name,
                         attention_scorer_names[i]);
}
