/* Fuzz target: elements of two formulas, a NUL between them, and their match where each element has
 * a made-up box. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "metrics/cdm/draw/elements.h"
#include "metrics/cdm/normalize/normalize.h"
#include "metrics/cdm/score.h"

typedef struct {
    GPtrArray *elements;
    const char **tokens;
    TgRect *boxes;
    TgCdmDrawing drawing;
} Side;

/* Boxes in rows of 20, some of them in one place. */
static Side make_side(const char *data, gsize size)
{
    g_autofree char *latex = g_utf8_make_valid(data, (gssize) size);
    g_auto(TgCdmNormalized) normalized = { 0 };
    Side side = { 0 };

    if (tg_cdm_normalize(latex, tg_cdm_dialect(TG_CDM_UNIMERNET), &normalized, NULL))
        side.elements = tg_cdm_elements(normalized.source, TG_CDM_VOCABULARY_2025, NULL, NULL);
    const guint n = side.elements != NULL ? MIN(side.elements->len, 300) : 0;
    side.tokens = g_new(const char *, n);
    side.boxes = g_new(TgRect, n);
    for (guint i = 0; i < n; i++) {
        const TgCdmElement *element = side.elements->pdata[i];
        const double x = 25.0 * (i % 20), y = 40.0 * (i / 20);

        g_assert_cmpuint(element->end, <=, strlen(normalized.source));
        side.tokens[i] = element->token;
        side.boxes[i] = (TgRect){ x, y, x + 1 + i % 7, y + 1 + i % 3 };
    }
    side.drawing = (TgCdmDrawing){ side.tokens, side.boxes, n, 520, 700 };
    return side;
}

static void clear_side(Side *side)
{
    g_clear_pointer(&side->elements, g_ptr_array_unref);
    g_free(side->tokens);
    g_free(side->boxes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size > 0 ? memchr(data, '\0', size) : NULL;
    const gsize first = nul != NULL ? (gsize) (nul - data) : size;
    Side gt = make_side((const char *) data, first);
    Side pred = nul != NULL ? make_side((const char *) nul + 1, size - first - 1)
                            : make_side((const char *) data, first);

    for (guint method = TG_CDM_RANSAC_OFFICIAL; method <= TG_CDM_RANSAC_EXHAUSTIVE; method++) {
        const TgCdmScore score =
            tg_cdm_score(&gt.drawing, &pred.drawing, tg_cdm_dialect(TG_CDM_UNIMERNET),
                         (TgCdmRansac) method, NULL, NULL);

        g_assert_true(score.f1 >= 0 && score.f1 <= 1);
        g_assert_true(score.precision >= 0 && score.precision <= 1);
        g_assert_true(score.recall >= 0 && score.recall <= 1);
        if (nul == NULL && gt.drawing.n > 0)
            g_assert_true(score.f1 == 1);
    }
    clear_side(&gt);
    clear_side(&pred);
    return 0;
}
