// Posterior attention in sessions (model/posterior_attention.h).
#include "translate/session.h"

#include "support/small_session.h"

static const char *const sentences[] = {"das Haus", "x", "", "a b c d e f",
                                        "zwei\xE2\x80\xA6 kleine Hunde!"};
enum { SENTENCES = sizeof sentences / sizeof *sentences };

// Posterior attention is there if it is wanted: rows of sum 1, the same bits for one and two
// threads.
TEST(if_wanted)
{
    Translation kept[2][SENTENCES], plain[SENTENCES];
    TextView texts[SENTENCES];
    const TextView *const sides[2] = {texts, texts};
    for (size_t s = 0; s < SENTENCES; s++) texts[s] = text_view_of(sentences[s]);
    for (size_t threads = 1; threads <= 2; threads++) {
        set_up(2);
        open_session(threads);
        assert_ok(session_force(session, sides, SENTENCES, true, plain, NULL));
        for (size_t s = 0; s < SENTENCES; s++) ck_assert_ptr_null(plain[s].renderings->posterior);
        session_infer_attention(session, true);
        assert_ok(session_force(session, sides, SENTENCES, true, kept[threads - 1], NULL));
        free_all(plain, SENTENCES);
        tear_down();
    }
    for (size_t s = 0; s < SENTENCES; s++) {
        const float *posterior = kept[0][s].renderings->posterior;
        size_t columns = kept[0][s].source_subwords.count + 1;
        size_t rows = kept[0][s].renderings->subwords.count + 1;
        ck_assert_mem_eq(posterior, kept[1][s].renderings->posterior,
                         rows * columns * sizeof *posterior);
        for (size_t t = 0; t < rows; t++) {
            double sum = 0;
            for (size_t j = 0; j < columns; j++) sum += (double)posterior[t * columns + j];
            ck_assert_double_eq_tol(sum, 1, 1e-5);
        }
    }
    free_all(kept[0], SENTENCES);
    free_all(kept[1], SENTENCES);
}
