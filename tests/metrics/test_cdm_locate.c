/* Two ways to find ink: the typesetter's extents and the pixels of a painted formula. */
#include "tests/support/test_support.h"

#include <string.h>

#include "metrics/cdm/draw/elements.h"
#include "metrics/cdm/draw/renderer.h"
#include "metrics/cdm/normalize/normalize.h"
#include "tests/support/cpu_time.h"

/* The lines of a file. (transfer full) */
static char **read_formulas(const char *path)
{
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return g_strsplit(g_strchomp(text), "\n", -1);
}

static int set_up(void **state)
{
    TgFontSet *fonts = tg_cdm_fonts_new(NULL);

    assert_non_null(fonts);
    *state = tg_cdm_setter_new(fonts);
    tg_cdm_fonts_unref(fonts);
    return 0;
}

static int tear_down(void **state)
{
    tg_cdm_setter_free(*state);
    return 0;
}

/* The ink of every element on the page; empty where nothing can be drawn. */
typedef struct {
    GPtrArray *elements;
    TgPixelRect *inks, all;
    char *trouble;
} Found;

static void found_clear(Found *found)
{
    g_clear_pointer(&found->elements, g_ptr_array_unref);
    g_free(found->inks);
    g_free(found->trouble);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Found, found_clear)

static Found locate(TgCdmSetter *setter, TgCdmLocate how, const char *latex, TgCdmPage page)
{
    g_auto(TgCdmNormalized) normalized = { 0 };
    g_autofree char *coloured = NULL;
    Found found = { 0 };

    if (tg_cdm_normalize(latex, tg_cdm_dialect(TG_CDM_UNIMERNET), &normalized, NULL))
        found.elements =
            tg_cdm_elements(normalized.source, TG_CDM_VOCABULARY_2025, &coloured, NULL);
    if (found.elements == NULL)
        return found;
    found.inks = g_new0(TgPixelRect, found.elements->len);
    TgCdmDrawTask task = { .coloured = coloured,
                           .elements = found.elements,
                           .dialect = tg_cdm_dialect(TG_CDM_UNIMERNET),
                           .is_chinese = normalized.is_chinese,
                           .inks = found.inks };
    assert_true(tg_cdm_native_locate(setter, how, &task, page, NULL));
    found.all = task.all;
    found.trouble = task.trouble;
    return found;
}

static gint distance(TgPixelRect a, TgPixelRect b)
{
    return MAX(MAX(ABS(a.x0 - b.x0), ABS(a.y0 - b.y0)), MAX(ABS(a.x1 - b.x1), ABS(a.y1 - b.y1)));
}

/* Both find the same elements, and no edge differs by more than a pixel. */
static void assert_same_ink(TgCdmSetter *setter, const char *latex, TgCdmPage page)
{
    g_auto(Found) layout = locate(setter, TG_CDM_LOCATE_LAYOUT, latex, page);
    g_auto(Found) raster = locate(setter, TG_CDM_LOCATE_RASTER, latex, page);

    for (guint i = 0; layout.elements != NULL && i < layout.elements->len; i++) {
        const char *token = ((const TgCdmElement *) layout.elements->pdata[i])->token;

        if (layout.inks[i].has_ink != raster.inks[i].has_ink)
            fail_msg("%s: %s has ink in one way only", latex, token);
        if (distance(layout.inks[i], raster.inks[i]) > 1)
            fail_msg("%s: ink of %s differs by %d px", latex, token,
                     distance(layout.inks[i], raster.inks[i]));
    }
    assert_true(distance(layout.all, raster.all) <= 1);
}

static void test_cdm_locate__pixels_agree_on_the_bench_formulas(void **state)
{
    g_auto(GStrv) formulas = read_formulas(TG_SOURCE_ROOT "/tests/bench/formulas.txt");

    assert_true(g_strv_length(formulas) >= 50);
    for (guint i = 0; formulas[i] != NULL; i++) {
        assert_same_ink(*state, formulas[i], TG_CDM_PAGE_OFFICIAL);
        assert_same_ink(*state, formulas[i], TG_CDM_PAGE_UNLIMITED);
    }
}

/* Every third formula of two published test sets. */
static void test_cdm_locate__pixels_agree_on_thousands_of_formulas(void **state)
{
    static const char *const lists[] = { "data/im2latex/test.formulas.norm.txt",
                                         "data/im2latex/val.formulas.norm.txt" };
    guint n = 0;

    for (guint l = 0; l < G_N_ELEMENTS(lists); l++) {
        g_autofree char *path = tg_shared_or_skip(lists[l]);
        g_auto(GStrv) formulas = read_formulas(path);
        const guint n_formulas = g_strv_length(formulas);

        for (guint i = 0; i < n_formulas; i += 3 * TG_SHORTENING, n++)
            assert_same_ink(*state, formulas[i], TG_CDM_PAGE_OFFICIAL);
    }
    assert_true(n > TG_SHORTENED(5000));
}

/* Ink over ink: in one picture the later element would cover the earlier one. */
static void test_cdm_locate__covered_ink_is_not_lost(void **state)
{
    static const struct {
        const char *latex;
        guint n_inked;
    } formulas[] = {
        { "\\not= p", 3 },
        { "\\not\\in Q", 3 },
        { "\\hat{\\bar{p}}", 3 },
        { "\\sqrt{\\sqrt{p}}", 3 },
        { "\\sqrt[3]{p^2}", 4 },
        { "\\overline{p}^2", 3 },
        { "\\underline{\\underline{p}}", 3 },
        { "\\rlap{p}p", 2 }, /* the very same pixels */
        { "\\llap{p}p", 2 },
        { "p\\!\\!\\!\\!\\!q", 2 },
        { "\\frac{\\frac{p}{q}}{r}", 5 },
        { "\\left(\\frac{p}{q}\\right)^2", 6 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_auto(Found) found =
            locate(*state, TG_CDM_LOCATE_RASTER, formulas[i].latex, TG_CDM_PAGE_OFFICIAL);
        guint n_inked = 0;

        for (guint k = 0; k < found.elements->len; k++)
            n_inked += found.inks[k].has_ink;
        if (n_inked != formulas[i].n_inked)
            fail_msg("%s: %u elements have ink", formulas[i].latex, n_inked);
        assert_same_ink(*state, formulas[i].latex, TG_CDM_PAGE_OFFICIAL);
    }
}

/* A wide rule reaches beyond every paper; without paper its picture is too large to be painted. */
static void test_cdm_locate__pictures_are_bounded(void **state)
{
    static const char latex[] = "p\\rule{16000pt}{8000pt}q";
    g_auto(Found) unlimited = locate(*state, TG_CDM_LOCATE_RASTER, latex, TG_CDM_PAGE_UNLIMITED);

    assert_same_ink(*state, latex, TG_CDM_PAGE_OFFICIAL);
    assert_non_null(unlimited.trouble);
    assert_non_null(strstr(unlimited.trouble, "too large"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cdm_locate__pixels_agree_on_the_bench_formulas),
        cmocka_unit_test(test_cdm_locate__pixels_agree_on_thousands_of_formulas),
        cmocka_unit_test(test_cdm_locate__covered_ink_is_not_lost),
        cmocka_unit_test(test_cdm_locate__pictures_are_bounded),
    };
    return cmocka_run_group_tests_name("cdm_locate", tests, set_up, tear_down);
}
