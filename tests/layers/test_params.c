#include "layers/params.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

typedef struct Pair {
    Weight weight; // (5, 7)
    real *bias;    // (5)
    Weight other;  // (1, 1)
} Pair;

typedef struct PairGrads {
    Gradient weight;
    real *bias;
    Gradient other;
} PairGrads;

static void pair_visit(Pair *pair, PairGrads *grads, ParamVisitor *visitor, const char *prefix)
{
    param_visit_weight(visitor, &pair->weight, &grads->weight, prefix, "weight",
                       (ParamShape){5, 7});
    param_visit_vector(visitor, &pair->bias, &grads->bias, prefix, "bias", 5);
    param_visit_weight(visitor, &pair->other, &grads->other, prefix, "other.weight",
                       (ParamShape){1, 1});
}

/* 35, 5 and 1 values; each begins at a multiple of 16: 0, 48, 64, and the block ends at 80. */
/* 35, 5 and 1 values; each begins at a multiple of 16: 0, 48, 64, and the block ends at 80. */
TEST(listing)
{
    ParamList list = {0};
    Pair pair;
    PairGrads grads;
    ParamVisitor visitor = param_visitor_listing(&list);
    pair_visit(&pair, &grads, &visitor, "encoder.");
    assert_ok(param_list_end(&visitor, NULL));
    ck_assert_uint_eq(list.count, 3);
    ck_assert_str_eq(list.tensors[0].name, "encoder.weight");
    ck_assert_str_eq(list.tensors[2].name, "encoder.other.weight");
    static const size_t ranks[] = {2, 1, 2}, offsets[] = {0, 48, 64}, counts[] = {35, 5, 1};
    static const size_t shapes[][2] = {{5, 7}, {5, 1}, {1, 1}};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(list.tensors[i].rank, ranks[i]);
        ck_assert_uint_eq(list.tensors[i].shape[0], shapes[i][0]);
        ck_assert_uint_eq(list.tensors[i].shape[1], shapes[i][1]);
        ck_assert_uint_eq(list.tensors[i].offset, offsets[i]);
        ck_assert_uint_eq(list.tensors[i].count, counts[i]);
    }
    ck_assert_uint_eq(list.block_size, 80);
    ck_assert_uint_eq(param_list_values(&list), 41);
    ck_assert_ptr_null(pair.bias); // no views yet
    ck_assert_ptr_null(pair.weight.matrix.values);
    param_list_free(&list);
}

// Parameters, their gradients, or both: the side that is not bound has shapes and no values.
TEST(binding)
{
    ParamList list = {0};
    Pair pair;
    PairGrads grads;
    ParamVisitor visitor = param_visitor_listing(&list);
    pair_visit(&pair, &grads, &visitor, "");
    real block[80] = {0}, gradient_block[80] = {0}, *places[3], *gradient_places[3];
    bool unset[3] = {0};
    param_list_places(places, &list, block);
    param_list_places(gradient_places, &list, gradient_block);

    visitor = param_visitor_params(&list, places, NULL);
    pair_visit(&pair, &grads, &visitor, "");
    ck_assert_uint_eq(visitor.next, list.count);
    ck_assert_ptr_eq(pair.weight.matrix.values, block);
    ck_assert_uint_eq(pair.weight.matrix.rows, 5);
    ck_assert_uint_eq(pair.weight.matrix.columns, 7);
    ck_assert_uint_eq(pair.weight.matrix.stride, 7);
    ck_assert_ptr_null(pair.weight.packed);
    ck_assert_ptr_eq(pair.bias, block + 48);
    ck_assert_ptr_eq(pair.other.matrix.values, block + 64);
    ck_assert_ptr_null(grads.weight.matrix.values);
    ck_assert_uint_eq(grads.weight.matrix.rows, 5);

    visitor = param_visitor_grads(&list, gradient_places, NULL, unset);
    pair_visit(&pair, &grads, &visitor, "");
    ck_assert_ptr_eq(grads.bias, gradient_block + 48);
    ck_assert_ptr_eq(grads.other.unset, &unset[2]);
    ck_assert_ptr_null(pair.bias);

    visitor = (ParamVisitor){.list = &list, .params = places, .grads = gradient_places};
    pair_visit(&pair, &grads, &visitor, "");
    ck_assert_ptr_eq(pair.bias, block + 48);
    ck_assert_ptr_eq(grads.weight.matrix.values, gradient_block);
    ck_assert_ptr_null(grads.weight.unset);
    ck_assert_uint_eq(list.count, 3); // binding leaves the list as it was
    ck_assert_uint_eq(list.block_size, 80);
    param_list_free(&list);
}

// How products use a tensor is known when the list is made, and binding does not change it.
TEST(uses_of_weights)
{
    ParamList list = {0};
    Pair pair;
    PairGrads grads;
    ParamVisitor visitor = param_visitor_listing(&list);
    pair_visit(&pair, &grads, &visitor, "");
    param_use(&visitor, "weight")->split = 3;
    param_use(&visitor, "weight")->block = 2;
    *param_use(&visitor, "other.weight") = (WeightUse){0};
    param_use(&visitor, "no such tensor")->split = 1;
    const WeightUse weight = list.tensors[0].use;
    ck_assert(weight.rows == 5 && weight.columns == 7 && weight.split == 3 && weight.block == 2);
    ck_assert_uint_eq(list.tensors[1].use.rows, 0);
    ck_assert_uint_eq(list.tensors[2].use.rows, 0);
    real block[80], *places[3];
    param_list_places(places, &list, block);
    visitor = param_visitor_params(&list, places, NULL);
    pair_visit(&pair, &grads, &visitor, "");
    param_use(&visitor, "weight")->split = 6;
    ck_assert_uint_eq(list.tensors[0].use.split, 3);
    param_list_free(&list);
}

TEST(find)
{
    ParamList list = {0};
    Pair pair;
    PairGrads grads;
    ParamVisitor visitor = param_visitor_listing(&list);
    ck_assert_ptr_null(param_list_find(&list, "bias"));
    ck_assert_uint_eq(param_list_values(&list), 0);
    pair_visit(&pair, &grads, &visitor, "a.");
    pair_visit(&pair, &grads, &visitor, "b.");
    ck_assert_uint_eq(list.count, 6);
    ck_assert_ptr_eq(param_list_find(&list, "b.bias"), &list.tensors[4]);
    ck_assert_ptr_null(param_list_find(&list, "bias"));
    ck_assert_ptr_null(param_list_find(&list, "a.bia"));
    ck_assert_ptr_null(param_list_find(&list, "a.biased"));
    ck_assert_ptr_null(param_list_find(&list, ""));
    param_list_free(&list);
}

// A list grows with the model; without memory it says so at its end.
TEST(growth)
{
    enum { MANY = 300 };
    ParamList list = {0};
    ParamVisitor visitor = param_visitor_listing(&list);
    char name[PARAM_NAME_SIZE];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0'; // the longest name there is
    real *values, *gradient;
    for (int i = 0; i < MANY; i++) param_visit_vector(&visitor, &values, &gradient, "", name, 16);
    assert_ok(param_list_end(&visitor, NULL));
    ck_assert_uint_eq(list.count, MANY);
    ck_assert_str_eq(list.tensors[MANY - 1].name, name);
    ck_assert_uint_eq(list.block_size, 16 * MANY); // no gaps where none are needed
    param_list_free(&list);

    visitor = param_visitor_listing(&list);
    failing_malloc_at(1);
    param_visit_vector(&visitor, &values, &gradient, "", name, 16);
    ck_assert(failing_malloc_stop());
    Error error;
    ck_assert_int_eq(param_list_end(&visitor, &error), STATUS_MEMORY);
    param_list_free(&list);
}
