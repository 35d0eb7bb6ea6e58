#include "linalg/backend/onednn_descriptors.h"

#include "linalg/backend/onednn_guard.h"

#include <string.h>

dnnl_data_type_t onednn_type(const Product *product)
{
    return product->type == COMPUTE_BF16 ? dnnl_bf16 : dnnl_f32;
}

// A (rows, columns) matrix, or one stored transposed.
static bool describe(dnnl_memory_desc_t *descriptor, dnnl_data_type_t type, uint32_t rows,
                     uint32_t columns, uint32_t stride, bool transposed)
{
    dnnl_dims_t sizes = {rows, columns};
    dnnl_dims_t strides = {transposed ? 1 : stride, transposed ? stride : 1};
    return dnnl_memory_desc_init_by_strides(descriptor, 2, sizes, type, strides) == dnnl_success;
}

bool onednn_describe_right(dnnl_memory_desc_t *descriptor, const Product *product,
                           dnnl_data_type_t type)
{
    return describe(descriptor, type, product->inner, product->columns, product->right_stride,
                    product->right == FACTOR_TRANSPOSED);
}

bool onednn_describe_product(dnnl_primitive_desc_t *described, dnnl_engine_t engine,
                             const Product *product, const dnnl_memory_desc_t *right)
{
    dnnl_memory_desc_t left, result;
    dnnl_matmul_desc_t matmul;
    dnnl_primitive_attr_t attributes = NULL;
    dnnl_post_ops_t after = NULL;
    bool done =
        describe(&left, onednn_type(product), product->rows, product->inner, product->left_stride,
                 product->left_transposed) &&
        describe(&result, dnnl_f32, product->rows, product->columns, product->result_stride,
                 false) &&
        dnnl_matmul_desc_init(&matmul, &left, right, NULL, &result) == dnnl_success &&
        guarded_attr_create(&attributes) == dnnl_success &&
        dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user) ==
            dnnl_success &&
        guarded_post_ops_create(&after) == dnnl_success &&
        (!product->add || guarded_post_ops_append_sum(after, 1) == dnnl_success) &&
        guarded_attr_set_post_ops(attributes, after) == dnnl_success &&
        guarded_primitive_desc_create(described, &matmul, attributes, engine, NULL) == dnnl_success;
    if (after) dnnl_post_ops_destroy(after);
    if (attributes) dnnl_primitive_attr_destroy(attributes);
    return done;
}

bool onednn_is_reference(const_dnnl_primitive_desc_t described)
{
    const char *name = "";
    dnnl_primitive_desc_query(described, dnnl_query_impl_info_str, 0, (void *)&name);
    return strncmp(name, "ref", 3) == 0;
}

bool onednn_describe_blocked(dnnl_memory_desc_t *blocked, dnnl_engine_t engine,
                             const Product *product)
{
    Product typical = {.type = product->type,
                       .rows = 64,
                       .inner = product->inner,
                       .columns = product->columns,
                       .left_stride = product->inner,
                       .result_stride = product->columns};
    dnnl_dims_t sizes = {product->inner, product->columns};
    dnnl_memory_desc_t any;
    dnnl_primitive_desc_t described = NULL;
    if (dnnl_memory_desc_init_by_tag(&any, 2, sizes, onednn_type(product), dnnl_format_tag_any) !=
            dnnl_success ||
        !onednn_describe_product(&described, engine, &typical, &any))
        return false;
    bool fast = !onednn_is_reference(described);
    *blocked = *dnnl_primitive_desc_query_md(described, dnnl_query_weights_md, 0);
    dnnl_primitive_desc_destroy(described);
    return fast;
}

Pairs onednn_pairs_of(const dnnl_memory_desc_t *right)
{
    const dnnl_blocking_desc_t *blocking = &right->format_desc.blocking;
    Pairs none = {0, 0};
    if (right->data_type != dnnl_bf16 || right->format_kind != dnnl_blocked || right->ndims != 2 ||
        blocking->inner_nblks != 3)
        return none;
    // blocks of columns outermost, then of 32 rows: 16 pairs · width columns · 2 rows of a pair
    const dnnl_dim_t *sizes = blocking->inner_blks, *dimensions = blocking->inner_idxs;
    dnnl_dim_t width = sizes[1], inner = right->padded_dims[0];
    bool in_pairs = sizes[0] == 16 && sizes[2] == 2 && dimensions[0] == 0 && dimensions[1] == 1 &&
                    dimensions[2] == 0 && width <= MAX_PAIRS_WIDTH && inner % 32 == 0 &&
                    blocking->strides[0] == 32 * width && blocking->strides[1] == inner * width;
    return in_pairs ? (Pairs){(size_t)width, (size_t)inner} : none;
}

/* oneDNN does not say whether a block of columns of a packed matrix is laid out like the columns
 * packed alone, but its descriptors do. A blocked layout is inner blocks (sizes, and which
 * dimension each divides) and the strides between them. The part is a piece of the whole, at an
 * offset, if
 *
 *   - both have the same inner blocks, the same strides between them and the same padding of rows,
 *   - the stride between blocks of columns is the largest, so that nothing of other columns lies
 * between, and
 *   - the part ends where a block of columns does, or with the whole, whose last block is padded
 * alike.
 */
bool onednn_is_piece(const dnnl_memory_desc_t *whole, const dnnl_memory_desc_t *part,
                     uint32_t columns, uint32_t part_columns)
{
    const dnnl_blocking_desc_t *a = &whole->format_desc.blocking, *b = &part->format_desc.blocking;
    size_t blocks = sizeof a->inner_blks[0] * (size_t)a->inner_nblks;
    bool alike = a->inner_nblks == b->inner_nblks &&
                 !memcmp(a->inner_blks, b->inner_blks, blocks) &&
                 !memcmp(a->inner_idxs, b->inner_idxs, blocks) &&
                 !memcmp(a->strides, b->strides, 2 * sizeof *a->strides) &&
                 whole->padded_dims[0] == part->padded_dims[0];
    bool outermost = a->strides[1] >= a->strides[0];
    uint32_t width = 1; // columns of a block
    for (int i = 0; i < a->inner_nblks; i++)
        if (a->inner_idxs[i] == 1) width *= (uint32_t)a->inner_blks[i];
    bool last = (columns - part_columns) % width == 0;
    return alike && outermost && (part_columns % width == 0 || last);
}
