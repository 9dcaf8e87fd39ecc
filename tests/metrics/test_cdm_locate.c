/* Two ways to find ink: the typesetter's extents and the pixels of a painted formula. */
#include "tests/support/cdm_support.h"
#include "tests/support/test_support.h"

#include "tests/support/cpu_time.h"

/* The lines of a file. (transfer full) */
static char **read_formulas(const char *path)
{
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return g_strsplit(g_strchomp(text), "\n", -1);
}

/* A formula, and the page's corner in its picture. */
typedef struct {
    TgCdmFormula *formula;
    double x, y;
} Found;

static void found_clear(Found *found)
{
    tg_cdm_formula_unref(found->formula);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Found, found_clear)

static Found locate(TgLayout *setter, TgCdmLocate how, const char *latex, TgCdmPage page)
{
    const TgCdmHow drawn = { tg_cdm_dialect(TG_CDM_UNIMERNET), page, how, G_MAXUINT };
    TgCdmPicture picture = { 0 };
    TgCdmFormula *formula = tg_cdm_draw(setter, latex, &drawn, &picture, NULL);

    assert_non_null(formula);
    if (picture.drawing != NULL)
        tg_drawing_unref(picture.drawing);
    return (Found){ formula, picture.paper.x0, picture.paper.y0 };
}

/* Whether no edge on the page differs by more than a pixel. */
static gboolean is_near(const Found *one, TgRect a, const Found *other, TgRect b)
{
    return fabs(a.x0 - one->x - b.x0 + other->x) <= 1 &&
           fabs(a.y0 - one->y - b.y0 + other->y) <= 1 &&
           fabs(a.x1 - one->x - b.x1 + other->x) <= 1 && fabs(a.y1 - one->y - b.y1 + other->y) <= 1;
}

/* Both find the same elements in the same place. */
static void assert_same_ink(TgLayout *setter, const char *latex, TgCdmPage page)
{
    g_auto(Found) layout = locate(setter, TG_CDM_LOCATE_LAYOUT, latex, page);
    g_auto(Found) raster = locate(setter, TG_CDM_LOCATE_RASTER, latex, page);
    const TgRect one = { 0, 0, layout.formula->width_px, layout.formula->height_px };
    const TgRect other = { 0, 0, raster.formula->width_px, raster.formula->height_px };

    for (guint i = 0; i < layout.formula->elements.n; i++) {
        const TgCdmElement *a = &layout.formula->elements.list[i];
        const TgCdmElement *b = &raster.formula->elements.list[i];

        if (a->has_ink != b->has_ink)
            fail_msg("%s: %s has ink in one way only", latex, a->token);
        if (a->has_ink && !is_near(&layout, a->box, &raster, b->box))
            fail_msg("%s: ink of %s differs", latex, a->token);
    }
    assert_true(is_near(&layout, one, &raster, other));
}

TEST(test_cdm_locate__pixels_agree_on_the_bench_formulas)
{
    g_auto(GStrv) formulas = read_formulas(TG_SOURCE_ROOT "/tests/bench/formulas.txt");

    assert_true(g_strv_length(formulas) >= 50);
    for (guint i = 0; formulas[i] != NULL; i++) {
        assert_same_ink(*state, formulas[i], TG_CDM_PAGE_OFFICIAL);
        assert_same_ink(*state, formulas[i], TG_CDM_PAGE_UNLIMITED);
    }
}

/* Every third formula of two published test sets. */
TEST(test_cdm_locate__pixels_agree_on_thousands_of_formulas)
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
TEST(test_cdm_locate__covered_ink_is_not_lost)
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
        const guint n_inked = found.formula->n_inked;

        if (n_inked != formulas[i].n_inked)
            fail_msg("%s: %u elements have ink", formulas[i].latex, n_inked);
        assert_same_ink(*state, formulas[i].latex, TG_CDM_PAGE_OFFICIAL);
    }
}

/* A wide rule reaches beyond every paper; without paper its picture is too large to be painted. */
TEST(test_cdm_locate__pictures_are_bounded)
{
    static const char latex[] = "p\\rule{16000pt}{8000pt}q";
    g_auto(Found) unlimited = locate(*state, TG_CDM_LOCATE_RASTER, latex, TG_CDM_PAGE_UNLIMITED);

    assert_same_ink(*state, latex, TG_CDM_PAGE_OFFICIAL);
    assert_non_null(unlimited.formula->trouble);
    assert_non_null(strstr(unlimited.formula->trouble, "too large"));
}

TEST_GROUP(cdm_make_typesetter, cdm_remove_setter)
