#include "linalg/backend/onednn_primitives.h"

#include "base/memory.h"
#include "linalg/backend/onednn_descriptors.h"
#include "linalg/backend/onednn_guard.h"
#include "linalg/backend/scratch.h"
#include "math/kernels.h"

#include <omp.h>
#include <pthread.h>
#include <string.h>

typedef struct Primitive {
    Product product;
    dnnl_primitive_t code; // NULL: an empty slot of the table, or
    bool impossible;       // a product that oneDNN cannot compute, or only by its reference loops
    dnnl_memory_t left, right, result, scratch;
    size_t working_bytes; // what it needs while it runs
    Pairs pairs; // layout of the right factor of the product, or of the result of the reorder
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
    bool done = (product.right == FACTOR_BLOCKED
                     ? onednn_describe_blocked(&right, primitives->engine, &product)
                     : onednn_describe_right(&right, &product, onednn_type(&product))) &&
                onednn_describe_product(&described, primitives->engine, &product, &right);
    if (done && onednn_is_reference(described)) {
        dnnl_primitive_desc_destroy(described);
        described = NULL;
        primitive->indirect = true;
        product.add = 0;
        product.result_stride = product.columns;
        done = onednn_describe_product(&described, primitives->engine, &product, &right) &&
               !onednn_is_reference(described);
    }
    done = done && make_memory(&primitive->left, primitives, described, dnnl_query_src_md) &&
           make_memory(&primitive->right, primitives, described, dnnl_query_weights_md) &&
           make_memory(&primitive->result, primitives, described, dnnl_query_dst_md) &&
           make_memory(&primitive->scratch, primitives, described, dnnl_query_scratchpad_md) &&
           guarded_primitive_create(&primitive->code, described) == dnnl_success;
    if (done) {
        primitive->pairs = onednn_pairs_of(&right);
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
    bool done = onednn_describe_right(&plain, product, dnnl_f32) &&
                onednn_describe_blocked(&blocked, primitives->engine, product) &&
                guarded_reorder_desc_create(&described, &plain, primitives->engine, &blocked,
                                            primitives->engine, NULL) == dnnl_success &&
                make_memory(&primitive->right, primitives, described, dnnl_query_src_md) &&
                make_memory(&primitive->result, primitives, described, dnnl_query_dst_md) &&
                guarded_primitive_create(&primitive->code, described) == dnnl_success;
    if (done) primitive->pairs = onednn_pairs_of(&blocked);
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
    return onednn_describe_blocked(&blocked, primitives->engine, &product)
               ? dnnl_memory_desc_get_size(&blocked)
               : 0;
}

bool primitives_is_piece(Primitives *primitives, Product whole, Product part)
{
    dnnl_memory_desc_t all, some;
    return onednn_describe_blocked(&all, primitives->engine, &whole) &&
           onednn_describe_blocked(&some, primitives->engine, &part) &&
           onednn_is_piece(&all, &some, whole.columns, part.columns);
}

Pairs primitives_pairs(Primitives *primitives, Product product)
{
    const Primitive *primitive = primitive_of(primitives, &product);
    return primitive ? primitive->pairs : (Pairs){0, 0};
}

bool primitives_reorder(Primitives *primitives, Product product, Matrix right, void *blocked)
{
    product.reorder = 1;
    Primitive *primitive = primitive_of(primitives, &product);
    if (!primitive) return false;
    if (primitive->pairs.width) {
        if (product.right == FACTOR_TRANSPOSED)
            pairs_from_columns(blocked, right, primitive->pairs);
        else
            pairs_from_rows(blocked, right, primitive->pairs);
        return true;
    }
    point(primitive->right, right.values);
    point(primitive->result, blocked);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, primitive->right},
                                         {DNNL_ARG_TO, primitive->result}};
    return guarded_primitive_execute(primitive->code, primitives->stream, 2, arguments) ==
           dnnl_success;
}
