/* Opens arbitrary bytes as a model file and reads what is accepted. For libFuzzer:
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -Isrc -o build/fuzz_safetensors \
 *         tests/fuzz/fuzz_safetensors.c src/base/[a-z]*.c src/tensor/safetensors*.c -ljansson -lm
 *     mkdir -p build/fuzz && build/fuzz_safetensors -max_total_time=120 -max_len=4096 build/fuzz
 *
 * A few small real files in build/fuzz let it go deeper. */
#define _GNU_SOURCE
#include "tensor/safetensors.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    if (ftruncate(descriptor, 0) || pwrite(descriptor, data, size, 0) != (ssize_t)size) abort();
    SafetensorsFile *file = NULL;
    Error error = {0};
    if (safetensors_open(&file, path, &error)) {
        if (!error.text[0]) abort(); // a refusal must say why
        return 0;
    }
    for (size_t i = 0; i < safetensors_count(file); i++) {
        const TensorView *tensor = safetensors_at(file, i);
        if ((uintptr_t)tensor->data % tensor_type_size(tensor->type)) abort();
        if (!safetensors_find(file, tensor->name)) abort();
        const volatile unsigned char *bytes = tensor->data; // read all that is promised
        for (size_t j = 0; j < tensor->bytes; j++) (void)bytes[j];
    }
    safetensors_close(file);
    return 0;
}
