/* OpenBLAS, loaded when it is first needed.
 *
 * It isn't linked because of what 0.3.21 does before main: it starts a thread for every processor,
 * and while the address space is too short for its working memory (`ulimit -v`) it asks for it
 * again without end (https://github.com/OpenMathLib/OpenBLAS/issues/5289), here and in each
 * product. So it is loaded with one thread, and its memory is set aside beforehand.
 *
 * On a processor newer than itself it computes in SSE3, at a third of the speed (0.3.21 on Emerald
 * Rapids). So it is loaded again with the name of a core that it knows. */
#define _GNU_SOURCE
#include "base/dynamic_library.h"
#include "base/memory.h"
#include "linalg/backend/backend.h"
#include "math/elementary.h"

#include <cblas.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef struct OpenblasLibrary {
    __typeof__(cblas_sgemm) *sgemm;
    __typeof__(cblas_dgemm) *dgemm;
    __typeof__(openblas_get_config) *config;
    __typeof__(openblas_get_corename) *core;
} OpenblasLibrary;

// The most that a product maps for itself on x86-64 (BUFFER_SIZE in common_x86_64.h).
static const size_t BUFFER_BYTES = (size_t)128 << 20;

static const char LIBRARY[] = "libopenblas.so.0";
static const char THREADS_VARIABLE[] = "OPENBLAS_NUM_THREADS";
static const char CORE_VARIABLE[] = "OPENBLAS_CORETYPE";

typedef void *Allocate(int position);
typedef void Release(void *buffer);

static struct {
    bool loaded;
    char reason[256]; // why it isn't
    OpenblasLibrary library;
    char own_core[32];  // its own choice, where another core was named; else empty
    Allocate *allocate; // NULL in a build of OpenBLAS that hides them
    Release *release;
    pthread_mutex_t mutex; // of what follows
    size_t buffers;        // set aside so far
} state = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// It reads the number of threads when it is loaded, and from the environment alone.
static void *open_with_one_thread(void)
{
    const char *set = getenv(THREADS_VARIABLE);
    char before[32];
    snprintf(before, sizeof before, "%s", set ? set : "");
    setenv(THREADS_VARIABLE, "1", 1);
    void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (set)
        setenv(THREADS_VARIABLE, before, 1);
    else
        unsetenv(THREADS_VARIABLE);
    return handle;
}

const char *openblas_better_core(const char *core, const char *instructions)
{
    static const char *const cores[][2] = {
        {"avx512", "SkylakeX"}, {"avx512", "Cooperlake"}, {"avx512", "SapphireRapids"},
        {"avx2", "Haswell"},    {"avx2", "Zen"},          {"avx2", "Excavator"}};
    const char *has = "plain";
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (!strcmp(core, cores[i][1])) has = cores[i][0];
    if (!strcmp(has, "avx512") || !strcmp(has, instructions)) return NULL;
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (!strcmp(instructions, cores[i][0])) return cores[i][1];
    return NULL;
}

/* Only the library itself knows what it chooses, and only while it is loaded does it choose. Where
 * somebody else keeps it loaded, its core stays. */
static void *open_with_best_core(void)
{
    void *handle = open_with_one_thread();
    __typeof__(openblas_get_corename) *core;
    if (!handle || getenv(CORE_VARIABLE) ||
        !dynamic_library_find(&core, handle, "openblas_get_corename"))
        return handle;
    const char *better = openblas_better_core(core(), kernels()->name);
    if (!better) return handle;
    snprintf(state.own_core, sizeof state.own_core, "%s", core());
    dlclose(handle);
    setenv(CORE_VARIABLE, better, 1);
    handle = open_with_one_thread();
    unsetenv(CORE_VARIABLE);
    return handle;
}

static void load(void)
{
    void *handle = open_with_best_core();
    if (!handle) {
        snprintf(state.reason, sizeof state.reason, "%s", dlerror());
        return;
    }
    OpenblasLibrary *library = &state.library;
    __typeof__(openblas_set_num_threads) *set_threads;
    state.loaded = dynamic_library_find(&library->sgemm, handle, "cblas_sgemm") &&
                   dynamic_library_find(&library->dgemm, handle, "cblas_dgemm") &&
                   dynamic_library_find(&library->config, handle, "openblas_get_config") &&
                   dynamic_library_find(&library->core, handle, "openblas_get_corename") &&
                   dynamic_library_find(&set_threads, handle, "openblas_set_num_threads");
    if (!state.loaded) {
        snprintf(state.reason, sizeof state.reason, "%s: is not OpenBLAS", LIBRARY);
        return;
    }
    set_threads(1); // where the program had loaded it before
    if (!dynamic_library_find(&state.allocate, handle, "blas_memory_alloc") ||
        !dynamic_library_find(&state.release, handle, "blas_memory_free"))
        state.allocate = NULL;
}

/* The functions. Before backends_start, in tests and for descriptions, they are loaded without memory
 * set aside. NULL if the library isn't there. */
static const OpenblasLibrary *openblas_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return state.loaded ? &state.library : NULL;
}

/* OpenBLAS keeps what it has mapped: after as many buffers as there are threads have been in use at
 * once, none is mapped any more. */
static Status set_aside(size_t threads, Error *error)
{
    if (!state.allocate || threads <= state.buffers) return STATUS_OK;
    size_t bytes = (threads - state.buffers) * BUFFER_BYTES;
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return error_set(error, STATUS_MEMORY,
                         "out of memory: OpenBLAS needs %zu MB of address space for %zu "
                         "thread%s; raise the limit (ulimit -v) or use fewer threads",
                         threads * BUFFER_BYTES >> 20, threads, threads == 1 ? "" : "s");
    munmap(room, bytes);
    void **buffers = memory_new(threads, sizeof *buffers);
    if (!buffers) return error_memory(error, threads * sizeof *buffers, "products");
    for (size_t i = 0; i < threads; i++) buffers[i] = state.allocate(0);
    for (size_t i = 0; i < threads; i++) state.release(buffers[i]);
    memory_free(buffers);
    state.buffers = threads;
    return STATUS_OK;
}

Status backends_start(size_t threads, Error *error)
{
    if (!openblas_library())
        return error_set(error, STATUS_IO,
                         "OpenBLAS cannot be loaded: %s; install it, or raise the limit on memory "
                         "(ulimit -v)",
                         state.reason);
    pthread_mutex_lock(&state.mutex);
    Status status = set_aside(threads, error);
    pthread_mutex_unlock(&state.mutex);
    return status;
}

// model/config.h bounds all sizes, so they fit BLAS's int.
void openblas_multiply(Matrix c, Matrix a, bool a_transposed, Matrix b, bool b_transposed,
                       ProductSum sum)
{
    if (c.rows == 0 || c.columns == 0) return;
    const OpenblasLibrary *library = openblas_library();
    assert(library); // backends_start reports its absence
    int m = (int)c.rows, n = (int)c.columns, k = (int)(a_transposed ? a.rows : a.columns);
    int lda = (int)a.stride, ldb = (int)b.stride, ldc = (int)c.stride;
    enum CBLAS_TRANSPOSE transpose_a = a_transposed ? CblasTrans : CblasNoTrans;
    enum CBLAS_TRANSPOSE transpose_b = b_transposed ? CblasTrans : CblasNoTrans;
    real beta = sum == PRODUCT_ADD ? 1 : 0;
#ifdef REGARD_DOUBLE
    library->dgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, 1, a.values, lda, b.values,
                   ldb, beta, c.values, ldc);
#else
    library->sgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, 1, a.values, lda, b.values,
                   ldb, beta, c.values, ldc);
#endif
}

static bool forward(Matrix y, const Operand *x, Weight w, ProductSum sum)
{
    openblas_multiply(y, x->matrix, false, w.matrix, true, sum);
    return true;
}

/* c = a·b, or added to c, where a_ik = bf16[i · row_apart + k · apart], by loops: of a dy that is known
 * in bf16 alone, which OpenBLAS cannot read. It gets here only when a backend has no memory left. */
static void multiply_by_loops(Matrix c, const uint16_t *bf16, size_t row_apart, size_t apart,
                              Matrix b, ProductSum sum)
{
    if (sum == PRODUCT_SET) matrix_clear(c);
    for (size_t i = 0; i < c.rows; i++)
        for (size_t k = 0; k < b.rows; k++)
            kernels()->add_scaled(matrix_row(c, i), real_of_bf16(bf16[i * row_apart + k * apart]),
                                  matrix_row(b, k), c.columns);
}

static bool backward_input(Matrix dx, const Operand *dy, Weight w, ProductSum sum)
{
    if (dy->matrix.values)
        openblas_multiply(dx, dy->matrix, false, w.matrix, false, sum);
    else
        multiply_by_loops(dx, dy->bf16, dy->matrix.columns, 1, w.matrix, sum);
    return true;
}

static bool backward_weight(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum)
{
    if (dy->matrix.values)
        openblas_multiply(dw, dy->matrix, true, x->matrix, false, sum);
    else
        multiply_by_loops(dw, dy->bf16, 1, dw.rows, x->matrix, sum);
    return true;
}

static bool available(void)
{
    return true;
}

static bool rows_exact(void)
{
    const OpenblasLibrary *library = openblas_library();
    const char *core = library ? library->core() : "";
    return !strcmp(core, "SkylakeX") || !strcmp(core, "Cooperlake") ||
           !strcmp(core, "SapphireRapids");
}

static void describe(char *text, size_t size)
{
    const OpenblasLibrary *library = openblas_library();
    assert(library);
    // of "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH … SkylakeX MAX_THREADS=64" the first two words
    const char *config = library->config();
    const char *space = strchr(config, ' ');
    const char *end = space ? strchr(space + 1, ' ') : NULL;
    size_t length = end ? (size_t)(end - config) : strlen(config);
    bool named = *state.own_core && strcmp(state.own_core, library->core()) != 0;
    snprintf(text, size, "%.*s %s%s%s%s", (int)length, config, library->core(),
             named ? " (instead of " : "", named ? state.own_core : "", named ? ")" : "");
}

const Backend backend_openblas = {
    .name = "openblas_float32",
    .title = "OpenBLAS float32",
    .type = COMPUTE_FLOAT32,
    .available = available,
    .chosen_for = backend_for_any,
    .row_multiple = 24, // measured for its AVX-512 kernels; for others no number is known
    .rows_exact = rows_exact,
    .describe = describe,
    .forward = forward,
    .backward_input = backward_input,
    .backward_weight = backward_weight,
};
