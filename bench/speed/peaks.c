#include "bench/speed/peaks.h"

#include "base/clock.h"
#include "base/memory.h"
#include "linalg/product.h"

typedef struct Shape {
    size_t rows, in, out;
} Shape;

// A square one, a layer of 256 rows as the network has them, and the output layer.
static const Shape SHAPES[] = {{1024, 1024, 1024}, {256, 1024, 1024}, {256, 256, 8000}};

// The same product by every thread, again and again, with its own x and y and a shared w.
typedef struct Products {
    Matrix *x, *y; // (threads)
    Weight w;
    PackedWeights *packed;
    size_t times, threads;
} Products;

static void multiply(void *context, size_t worker)
{
    const Products *products = context;
    for (size_t i = 0; i < products->times; i++)
        product_forward(products->y[worker], products->x[worker], products->w, PRODUCT_SET);
}

static Matrix matrix_new(size_t rows, size_t columns)
{
    Matrix matrix = matrix_of(memory_aligned(rows * columns, sizeof(real)), rows, columns);
    for (size_t i = 0; i < rows * columns && matrix.values; i++)
        matrix.values[i] = (real)(i % 7) / 8 - (real)0.375;
    return matrix;
}

static Status weight_new(Products *products, const Backend *backend, const Shape *shape,
                         Error *error)
{
    const WeightUse use = {.rows = shape->out, .columns = shape->in};
    Matrix w = matrix_new(shape->out, shape->in);
    products->w = weight_of(w);
    if (!w.values) return error_memory(error, shape->out * shape->in * sizeof(real), "a product");
    if (!backend->pack) return STATUS_OK;
    Status status = packed_weights_new(&products->packed, &use, 1, backend, PACKED_DECODING, error);
    if (status) return status;
    packed_weights_fill(products->packed, &w.values, 0, 1);
    products->w = packed_weights_get(products->packed, 0, w);
    return STATUS_OK;
}

static Status products_new(Products *products, const Backend *backend, const Shape *shape,
                           size_t threads, Error *error)
{
    bool enough = true;
    *products = (Products){.threads = threads, .times = 1};
    products->x = memory_new(threads, sizeof *products->x);
    products->y = memory_new(threads, sizeof *products->y);
    if (!products->x || !products->y) return error_memory(error, threads, "products");
    for (size_t i = 0; i < threads; i++) {
        products->x[i] = matrix_new(shape->rows, shape->in);
        products->y[i] = matrix_new(shape->rows, shape->out);
        enough = enough && products->x[i].values && products->y[i].values;
    }
    if (!enough) return error_memory(error, threads * shape->rows * shape->out, "products");
    return weight_new(products, backend, shape, error);
}

static void products_free(Products *products)
{
    for (size_t i = 0; i < products->threads; i++) {
        if (products->x) memory_free(products->x[i].values);
        if (products->y) memory_free(products->y[i].values);
    }
    memory_free(products->x);
    memory_free(products->y);
    packed_weights_free(products->packed);
    memory_free(products->w.matrix.values);
}

static double seconds_of(Products *products, Threads *threads)
{
    double began = clock_seconds();
    threads_run(threads, multiply, products);
    return clock_seconds() - began;
}

/* Operations a second: the best of several times, each long enough for the clock. */
static double best_rate(Products *products, Threads *threads, const Shape *shape, bool quick)
{
    double one = 2 * (double)shape->rows * (double)shape->in * (double)shape->out, best = 0;
    (void)seconds_of(products, threads); // what is compiled at first use
    double seconds = seconds_of(products, threads), wanted = quick ? 0.02 : 0.1;
    products->times = seconds < wanted ? (size_t)(wanted / (seconds + 1e-9)) + 1 : 1;
    for (int i = 0; i < 5; i++) {
        double done = one * (double)products->times * (double)products->threads;
        double rate = done / seconds_of(products, threads);
        if (rate > best) best = rate;
    }
    return best;
}

Status peak_measure(double *peak, const Backend *backend, Threads *threads, bool quick,
                    Error *error)
{
    Status status = STATUS_OK;
    *peak = 0;
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES && !status; i++) {
        Products products;
        status = products_new(&products, backend, &SHAPES[i], threads_count(threads), error);
        if (!status) {
            double rate = best_rate(&products, threads, &SHAPES[i], quick);
            if (rate > *peak) *peak = rate;
        }
        products_free(&products);
    }
    return status;
}

Status bench_need_peaks(Bench *bench, Error *error)
{
    Status status = STATUS_OK;
    if (bench->peaks_measured) return status;
    bar_begin(&bench->bar, "products", bench->backend_count);
    TRY(backends_start(threads_available(), error));
    for (size_t i = 0; i < bench->backend_count && !status; i++) {
        bar_step(&bench->bar, bench->backends[i]->title);
        for (int alone = 0; alone < 2 && !status; alone++) {
            Threads *threads = NULL;
            status = threads_new(&threads, alone ? 1 : bench->settings->threads, error);
            if (!status)
                status = peak_measure(alone ? &bench->peaks_alone[i] : &bench->peaks[i],
                                      bench->backends[i], threads, bench->settings->quick, error);
            threads_free(threads);
        }
    }
    bench->peaks_measured = !status;
    bar_end(&bench->bar);
    return status;
}
