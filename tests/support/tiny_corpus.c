#include "support/tiny_corpus.h"

#include "support/scratch.h"
#include "support/suite.h"

void tiny_corpus_write(const char *path)
{
    static const char *const words[][2] = {
        {"one", "un"}, {"two", "deux"}, {"three", "trois"}, {"four", "quatre"}};
    Bytes text = {0};
    for (unsigned i = 0; i < 60; i++) {
        const char *const *a = words[i % 4], *const *b = words[i / 4 % 4],
                          *const *c = words[i / 16];
        assert_ok(bytes_append_format(&text, NULL, "%s %s %s\t%s %s %s\n", a[0], b[0], c[0], a[1],
                                      b[1], c[1]));
    }
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
}
