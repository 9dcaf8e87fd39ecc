/* Fuzz target: elements of two formulas, a NUL between them, and their match where each element has
 * a made-up box. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"
#include "tests/support/cdm_support.h"

/* Boxes in rows of 20, some of them in one place. */
static TgCdmFormula *make_side(const char *latex)
{
    TgCdmFormula *side = g_atomic_rc_box_new0(TgCdmFormula);

    side->width_px = 520;
    side->height_px = 700;
    cdm_elements(latex, &side->elements);
    side->n_inked = MIN(side->elements.n, 300);
    side->inked = g_new(guint, side->n_inked);
    for (guint i = 0; i < side->n_inked; i++) {
        const double x = 25.0 * (i % 20), y = 40.0 * (i / 20);

        side->inked[i] = i;
        side->elements.list[i].box = (TgRect){ x, y, x + 1 + i % 7, y + 1 + i % 3 };
    }
    return side;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2);
    g_autofree char *ref_latex = fuzz_side(&parts, size, 0);
    g_autofree char *hyp_latex = fuzz_side(&parts, size, 1);
    g_autoptr(TgCdmFormula) ref = make_side(ref_latex);
    g_autoptr(TgCdmFormula) hyp = make_side(hyp_latex);

    const TgCdmScore score = cdm_score(ref, hyp);

    g_assert_true(score.f1 >= 0 && score.f1 <= 1);
    g_assert_true(score.precision >= 0 && score.precision <= 1);
    g_assert_true(score.recall >= 0 && score.recall <= 1);
    if (parts.len[0] == size && ref->n_inked > 0)
        g_assert_true(score.f1 == 1);
    return 0;
}
