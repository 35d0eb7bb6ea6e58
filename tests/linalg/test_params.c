#include "linalg/params.h"
#include "support/suite.h"

#include <string.h>

typedef struct Pair {
    Matrix weight; // (5, 7)
    real *bias;    // (5)
    Matrix other;  // (1, 1)
} Pair;

static void pair_visit(Pair *pair, ParamVisitor *visitor, const char *prefix)
{
    param_visit_matrix(visitor, &pair->weight, prefix, "weight", 5, 7);
    param_visit_vector(visitor, &pair->bias, prefix, "bias", 5);
    param_visit_matrix(visitor, &pair->other, prefix, "other.weight", 1, 1);
}

/* 35, 5 and 1 values; each begins at a multiple of 16: 0, 48, 64, and the block ends at 80. */
START_TEST(test_listing)
{
    ParamList list;
    memset(&list, 0x55, sizeof list); // what was there before does not matter
    Pair pair;
    ParamVisitor visitor = param_visitor_listing(&list);
    pair_visit(&pair, &visitor, "encoder.");
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
    ck_assert_ptr_null(pair.weight.values);
}
END_TEST

START_TEST(test_binding)
{
    ParamList list;
    Pair pair, gradients;
    ParamVisitor visitor = param_visitor_listing(&list);
    pair_visit(&pair, &visitor, "");
    real block[80] = {0}, gradient_block[80] = {0};
    visitor = param_visitor_binding(&list, block);
    pair_visit(&pair, &visitor, "");
    ck_assert_uint_eq(visitor.next, list.count);
    visitor = param_visitor_binding(&list, gradient_block);
    pair_visit(&gradients, &visitor, "");

    ck_assert_ptr_eq(pair.weight.values, block);
    ck_assert_uint_eq(pair.weight.rows, 5);
    ck_assert_uint_eq(pair.weight.columns, 7);
    ck_assert_uint_eq(pair.weight.stride, 7);
    ck_assert_ptr_eq(pair.bias, block + 48);
    ck_assert_ptr_eq(pair.other.values, block + 64);
    ck_assert_ptr_eq(gradients.bias, gradient_block + 48);
    ck_assert_uint_eq(list.count, 3); // binding leaves the list as it was
    ck_assert_uint_eq(list.block_size, 80);
}
END_TEST

START_TEST(test_find)
{
    ParamList list;
    Pair pair;
    ParamVisitor visitor = param_visitor_listing(&list);
    ck_assert_ptr_null(param_list_find(&list, "bias"));
    ck_assert_uint_eq(param_list_values(&list), 0);
    pair_visit(&pair, &visitor, "a.");
    pair_visit(&pair, &visitor, "b.");
    ck_assert_uint_eq(list.count, 6);
    ck_assert_ptr_eq(param_list_find(&list, "b.bias"), &list.tensors[4]);
    ck_assert_ptr_null(param_list_find(&list, "bias"));
    ck_assert_ptr_null(param_list_find(&list, "a.bia"));
    ck_assert_ptr_null(param_list_find(&list, "a.biased"));
    ck_assert_ptr_null(param_list_find(&list, ""));
}
END_TEST

START_TEST(test_full)
{
    ParamList list;
    ParamVisitor visitor = param_visitor_listing(&list);
    char name[PARAM_NAME_SIZE];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0'; // the longest name there is
    for (int i = 0; i < MAX_PARAM_TENSORS; i++) {
        real *view;
        param_visit_vector(&visitor, &view, "", name, 16);
    }
    ck_assert_uint_eq(list.count, MAX_PARAM_TENSORS);
    ck_assert_str_eq(list.tensors[MAX_PARAM_TENSORS - 1].name, name);
    ck_assert_uint_eq(list.block_size, 16 * MAX_PARAM_TENSORS); // no gaps where none are needed
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("params");
    suite_add(suite, "listing", test_listing);
    suite_add(suite, "binding", test_binding);
    suite_add(suite, "find", test_find);
    suite_add(suite, "full", test_full);
    return suite_run(suite);
}
