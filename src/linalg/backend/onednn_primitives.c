#include "linalg/backend/onednn_primitives.h"

#include "base/memory.h"
#include "linalg/backend/onednn_guard.h"
#include "linalg/backend/scratch.h"

#include <omp.h>
#include <pthread.h>

typedef struct Primitive {
    Product product;
    dnnl_primitive_t code; // NULL: an empty slot of the table, or
    bool impossible;       // a product that oneDNN cannot compute, or only by its reference loops
    dnnl_memory_t left, right, result, scratch;
    size_t working_bytes; // what it needs while it runs
    Bf16Layout layout; // layout of the right factor of the product, or of the result of the reorder
    /* The product goes into memory of its own and is then copied or added to the result: to rows
     * with a stride, or added to a long sum, oneDNN has only its reference loops. */
    bool indirect;
} Primitive;

struct Primitives {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    Primitive *table; // (capacity), open addressing; capacity is a power of two
    size_t count, capacity;
};

// What the factors are rounded to.
static dnnl_data_type_t type_of(const Product *product)
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

// The right factor as it is in our memory, of this type. All of these are false if they fail.
static bool describe_right(dnnl_memory_desc_t *descriptor, const Product *product,
                           dnnl_data_type_t type)
{
    return describe(descriptor, type, product->inner, product->columns, product->right_stride,
                    product->right == FACTOR_TRANSPOSED);
}

// The product with its right factor laid out so; the caller destroys it.
static bool describe_product(dnnl_primitive_desc_t *described, dnnl_engine_t engine,
                             const Product *product, const dnnl_memory_desc_t *right)
{
    dnnl_memory_desc_t left, result;
    dnnl_matmul_desc_t matmul;
    dnnl_primitive_attr_t attributes = NULL;
    dnnl_post_ops_t after = NULL;
    bool done =
        describe(&left, type_of(product), product->rows, product->inner, product->left_stride,
                 product->left_transposed) &&
        describe(&result, dnnl_f32, product->rows, product->columns, product->result_stride,
                 false) &&
        dnnl_matmul_desc_init(&matmul, &left, right, NULL, &result) == dnnl_success &&
        guarded_primitive_attr_create(&attributes) == dnnl_success &&
        dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user) ==
            dnnl_success &&
        guarded_post_ops_create(&after) == dnnl_success &&
        (!product->add || guarded_post_ops_append_sum(after, 1) == dnnl_success) &&
        guarded_primitive_attr_set_post_ops(attributes, after) == dnnl_success &&
        guarded_primitive_desc_create(described, &matmul, attributes, engine, NULL) == dnnl_success;
    if (after) dnnl_post_ops_destroy(after);
    if (attributes) dnnl_primitive_attr_destroy(attributes);
    return done;
}

// Whether oneDNN has only its reference loops for it, which are thousands of times slower.
static bool is_reference(const_dnnl_primitive_desc_t described)
{
    const char *name = "";
    dnnl_primitive_desc_query(described, dnnl_query_impl_info_str, 0, (void *)&name);
    return strncmp(name, "ref", 3) == 0;
}

/* The blocked layout oneDNN chooses for a right factor. Its choice depends on the number of rows,
 * but one packed weight serves all of them: so it is always made for 64. */
static bool describe_blocked(dnnl_memory_desc_t *blocked, dnnl_engine_t engine,
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
    if (dnnl_memory_desc_init_by_tag(&any, 2, sizes, type_of(product), dnnl_format_tag_any) !=
            dnnl_success ||
        !describe_product(&described, engine, &typical, &any))
        return false;
    bool fast = !is_reference(described);
    *blocked = *dnnl_primitive_desc_query_md(described, dnnl_query_weights_md, 0);
    dnnl_primitive_desc_destroy(described);
    return fast;
}

// The layout of a right factor, if it is in pairs; width 0 if it is not.
static Bf16Layout layout_of(const dnnl_memory_desc_t *right)
{
    const dnnl_blocking_desc_t *blocking = &right->format_desc.blocking;
    Bf16Layout none = {0, 0};
    if (right->data_type != dnnl_bf16 || right->format_kind != dnnl_blocked || right->ndims != 2 ||
        blocking->inner_nblks != 3)
        return none;
    // blocks of columns outermost, then of 32 rows: 16 pairs · width columns · 2 rows of a pair
    const dnnl_dim_t *sizes = blocking->inner_blks, *dimensions = blocking->inner_idxs;
    dnnl_dim_t width = sizes[1], inner = right->padded_dims[0];
    bool in_pairs = sizes[0] == 16 && sizes[2] == 2 && dimensions[0] == 0 && dimensions[1] == 1 &&
                    dimensions[2] == 0 && width <= MAX_LAYOUT_WIDTH && inner % 32 == 0 &&
                    blocking->strides[0] == 32 * width && blocking->strides[1] == inner * width;
    return in_pairs ? (Bf16Layout){(size_t)width, (size_t)inner} : none;
}

/* Whether the blocked right factor `part`, of part_columns columns from a multiple of a block's
 * width on, is a piece of the `whole`, of `columns`.
 *
 * oneDNN does not say whether a block of columns of a packed matrix is laid out like the columns
 * packed alone, but its descriptors do. A blocked layout is inner blocks (sizes, and which
 * dimension each divides) and the strides between them. The part is a piece of the whole, at an
 * offset, if
 *
 *   - both have the same inner blocks, the same strides between them and the same padding of rows,
 *   - the stride between blocks of columns is the largest, so that nothing of other columns lies
 *     between, and
 *   - the part ends where a block of columns does, or with the whole, whose last block is padded
 *     alike. */
static bool is_piece(const dnnl_memory_desc_t *whole, const dnnl_memory_desc_t *part,
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

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static int key_status;
// oneDNN's cache of compiled code is shared by all threads: they make primitives one at a time.
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static void primitive_free(Primitive *primitive)
{
    dnnl_memory_t memories[] = {primitive->left, primitive->right, primitive->result,
                                primitive->scratch};
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
        if (memories[i]) dnnl_memory_destroy(memories[i]);
    if (primitive->code) dnnl_primitive_destroy(primitive->code);
    *primitive = (Primitive){0};
}

static void primitives_free(void *memory)
{
    Primitives *primitives = memory;
    for (size_t i = 0; i < primitives->capacity; i++) primitive_free(&primitives->table[i]);
    memory_free(primitives->table);
    if (primitives->stream) dnnl_stream_destroy(primitives->stream);
    if (primitives->engine) dnnl_engine_destroy(primitives->engine);
    memory_free(primitives);
}

static void make_key(void)
{
    // else the first primitive looks for a library of VTune, a profiler, in every folder
    (void)dnnl_set_jit_profiling_flags(DNNL_JIT_PROFILE_NONE);
    key_status = pthread_key_create(&key, primitives_free);
}

Primitives *primitives_of_thread(void)
{
    pthread_once(&key_once, make_key);
    if (key_status) return NULL;
    Primitives *primitives = pthread_getspecific(key);
    if (primitives) return primitives;
    primitives = memory_new(1, sizeof *primitives);
    if (!primitives) {
        guarded_note_failure();
        return NULL;
    }
    omp_set_num_threads(1); // of this thread's parallel regions
    if (guarded_engine_create(&primitives->engine, dnnl_cpu, 0) != dnnl_success ||
        guarded_stream_create(&primitives->stream, primitives->engine, dnnl_stream_default_flags) !=
            dnnl_success ||
        pthread_setspecific(key, primitives)) {
        primitives_free(primitives);
        return NULL;
    }
    return primitives;
}

static size_t hash_of(const Product *product)
{
    uint32_t words[sizeof *product / sizeof(uint32_t)];
    memcpy(words, product, sizeof words);
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    return (size_t)(hash >> 32);
}

// The product's slot in the table, or the empty one where it belongs.
static Primitive *slot_of(const Primitives *primitives, const Product *product)
{
    size_t mask = primitives->capacity - 1, at = hash_of(product) & mask;
    while ((primitives->table[at].code || primitives->table[at].impossible) &&
           memcmp(&primitives->table[at].product, product, sizeof *product) != 0)
        at = (at + 1) & mask;
    return &primitives->table[at];
}

static bool grow_table(Primitives *primitives)
{
    if (primitives->count * 2 < primitives->capacity) return true;
    Primitives larger = *primitives;
    larger.capacity = primitives->capacity ? 2 * primitives->capacity : 256;
    larger.table = memory_new(larger.capacity, sizeof *larger.table);
    if (!larger.table) {
        guarded_note_failure();
        return false;
    }
    for (size_t i = 0; i < primitives->capacity; i++)
        if (primitives->table[i].code || primitives->table[i].impossible)
            *slot_of(&larger, &primitives->table[i].product) = primitives->table[i];
    memory_free(primitives->table);
    *primitives = larger;
    return true;
}

static bool make_memory(dnnl_memory_t *memory, const Primitives *primitives,
                        dnnl_primitive_desc_t described, dnnl_query_t what)
{
    const dnnl_memory_desc_t *descriptor = dnnl_primitive_desc_query_md(described, what, 0);
    return guarded_memory_create(memory, descriptor, primitives->engine, DNNL_MEMORY_NONE) ==
           dnnl_success;
}

static bool make_multiplication(Primitive *primitive, Primitives *primitives)
{
    Product product = primitive->product;
    dnnl_memory_desc_t right;
    dnnl_primitive_desc_t described = NULL;
    bool done =
        (product.right == FACTOR_BLOCKED ? describe_blocked(&right, primitives->engine, &product)
                                         : describe_right(&right, &product, type_of(&product))) &&
        describe_product(&described, primitives->engine, &product, &right);
    if (done && is_reference(described)) {
        dnnl_primitive_desc_destroy(described);
        described = NULL;
        primitive->indirect = true;
        product.add = 0;
        product.result_stride = product.columns;
        done = describe_product(&described, primitives->engine, &product, &right) &&
               !is_reference(described);
    }
    done = done && make_memory(&primitive->left, primitives, described, dnnl_query_src_md) &&
           make_memory(&primitive->right, primitives, described, dnnl_query_weights_md) &&
           make_memory(&primitive->result, primitives, described, dnnl_query_dst_md) &&
           make_memory(&primitive->scratch, primitives, described, dnnl_query_scratchpad_md) &&
           guarded_primitive_create(&primitive->code, described) == dnnl_success;
    if (done) {
        primitive->layout = layout_of(&right);
        primitive->working_bytes = dnnl_memory_desc_get_size(
            dnnl_primitive_desc_query_md(described, dnnl_query_scratchpad_md, 0));
    }
    if (described) dnnl_primitive_desc_destroy(described);
    return done;
}

static bool make_reorder(Primitive *primitive, Primitives *primitives)
{
    const Product *product = &primitive->product;
    dnnl_memory_desc_t plain, blocked;
    dnnl_primitive_desc_t described = NULL;
    bool done =
        describe_right(&plain, product, dnnl_f32) &&
        describe_blocked(&blocked, primitives->engine, product) &&
        guarded_reorder_primitive_desc_create(&described, &plain, primitives->engine, &blocked,
                                              primitives->engine, NULL) == dnnl_success &&
        make_memory(&primitive->right, primitives, described, dnnl_query_src_md) &&
        make_memory(&primitive->result, primitives, described, dnnl_query_dst_md) &&
        guarded_primitive_create(&primitive->code, described) == dnnl_success;
    if (done) primitive->layout = layout_of(&blocked);
    if (described) dnnl_primitive_desc_destroy(described);
    return done;
}

// The primitive of a product, compiled at its first use; NULL if it cannot be.
static Primitive *primitive_of(Primitives *primitives, const Product *product)
{
    if (!grow_table(primitives)) return NULL;
    Primitive *primitive = slot_of(primitives, product);
    if (primitive->impossible) return NULL;
    if (primitive->code) return primitive;
    primitive->product = *product;
    pthread_mutex_lock(&making);
    bool done = product->reorder ? make_reorder(primitive, primitives)
                                 : make_multiplication(primitive, primitives);
    pthread_mutex_unlock(&making);
    if (!done) {
        primitive_free(primitive);
        *primitive = (Primitive){.product = *product, .impossible = true};
    }
    primitives->count++;
    return done ? primitive : NULL;
}

static void point(dnnl_memory_t memory, const void *values)
{
    dnnl_memory_set_data_handle(memory, (void *)(uintptr_t)values);
}

bool primitives_multiply(Primitives *primitives, Product product, const void *left,
                         const void *right, float *result)
{
    Primitive *primitive = primitive_of(primitives, &product);
    if (!primitive) return false;
    void *working = scratch_take(SCRATCH_WORKING, primitive->working_bytes);
    float *own = NULL;
    if (primitive->indirect)
        own = scratch_take(SCRATCH_RESULT, (size_t)product.rows * product.columns * sizeof *own);
    if (!working || (primitive->indirect && !own)) return false;
    point(primitive->left, left);
    point(primitive->right, right);
    point(primitive->result, own ? own : result);
    point(primitive->scratch, working);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, primitive->left},
                                         {DNNL_ARG_WEIGHTS, primitive->right},
                                         {DNNL_ARG_DST, primitive->result},
                                         {DNNL_ARG_SCRATCHPAD, primitive->scratch}};
    if (guarded_primitive_execute(primitive->code, primitives->stream, 4, arguments) !=
        dnnl_success)
        return false;
    for (size_t i = 0; own && i < product.rows; i++) {
        float *row = result + i * product.result_stride;
        if (product.add)
            kernels()->add(row, own + i * product.columns, product.columns);
        else
            memcpy(row, own + i * product.columns, product.columns * sizeof *row);
    }
    return true;
}

size_t primitives_blocked_bytes(Primitives *primitives, Product product)
{
    dnnl_memory_desc_t blocked;
    return describe_blocked(&blocked, primitives->engine, &product)
               ? dnnl_memory_desc_get_size(&blocked)
               : 0;
}

bool primitives_is_piece(Primitives *primitives, Product whole, Product part)
{
    dnnl_memory_desc_t all, some;
    return describe_blocked(&all, primitives->engine, &whole) &&
           describe_blocked(&some, primitives->engine, &part) &&
           is_piece(&all, &some, whole.columns, part.columns);
}

Bf16Layout primitives_right_layout(Primitives *primitives, Product product)
{
    const Primitive *primitive = primitive_of(primitives, &product);
    return primitive ? primitive->layout : (Bf16Layout){0, 0};
}

bool primitives_reorder(Primitives *primitives, Product product, Matrix right, void *blocked)
{
    product.reorder = 1;
    Primitive *primitive = primitive_of(primitives, &product);
    if (!primitive) return false;
    if (primitive->layout.width) {
        if (product.right == FACTOR_TRANSPOSED)
            bf16_layout_put_columns(blocked, right, primitive->layout);
        else
            bf16_layout_put_rows(blocked, right, primitive->layout);
        return true;
    }
    point(primitive->right, right.values);
    point(primitive->result, blocked);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, primitive->right},
                                         {DNNL_ARG_TO, primitive->result}};
    return guarded_primitive_execute(primitive->code, primitives->stream, 2, arguments) ==
           dnnl_success;
}
