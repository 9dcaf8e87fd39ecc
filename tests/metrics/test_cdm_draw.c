/* From elements to boxes: what TeX makes of colored sources, and where ink comes to lie. */
#include "tests/support/cdm_support.h"
#include "tests/support/test_support.h"

#include "render/fonts/font.h"

static void draw_source(const char *latex, TgCdmDrawnSource *drawn, GError **error)
{
    TgCdmNormalized flags;
    g_auto(TgCdmElements) elements = { 0 };
    g_autoptr(TgCdmText) colored = tg_cdm_text_new("", TRUE);

    g_autoptr(TgCdmText) source = cdm_normalize(latex, TG_CDM_UNIMERNET, &flags);
    assert_true(
        tg_cdm_elements(source->string->str, TG_CDM_VOCABULARY_2025, &elements, colored, NULL));
    if (tg_cdm_rewrite_alignments(colored, error))
        tg_cdm_drawn_source(colored, flags.is_chinese, &elements, drawn, error);
}

/* The owner of the first @part of @drawn, @skip bytes into it. */
static guint32 owner_of(const TgCdmDrawnSource *drawn, const char *part, gsize skip)
{
    const char *latex = drawn->latex->string->str;
    const gsize at = (gsize) (strstr(latex, part) - latex) + skip;

    return g_array_index(drawn->latex->origins, TgCdmRange, at).start;
}

/* The drawn source without the kerns that stand for the end of a color. The template lacks some
 * commands: pdflatex's log with it says "Undefined control sequence", for each. */
TEST(test_cdm_draw__commands_lose_their_arguments_or_vanish)
{
    static const char *const cases[][2] = {
        { "\\mathsf{Q}+r", "{Q}+r" },
        { "\\overrightarrow{PQ}", "\\overrightarrow{}{PQ}" },
        { "\\lim_n q", "\\mathop{}{lim}_{n}q" },
        { "\\quux{r}", "{r}" },
        { "\\bm{r}", "{r}" },
        { "{\\cal Q}", "{\\calQ}" },
        { "p~q", "p~{}q" },
        { "γ+r", "+r" },
        /* not in the template */
        { "\\oiint q", "q" },
        { "p\\qand q", "pq" },
        { "p\\Coloneqq q", "pq" },
        { "p\\coloneqq q", "pq" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(TgCdmDrawnSource) drawn = { 0 };

        draw_source(cases[i][0], &drawn, NULL);
        g_autoptr(GString) text = g_string_new(drawn.latex->string->str);
        g_string_replace(text, "\\kern0pt ", "", 0);
        g_string_replace(text, " ", "", 0);
        assert_string_equal(text->str, cases[i][1]);
    }
}

TEST(test_cdm_draw__ink_belongs_to_the_innermost_color)
{
    g_auto(TgCdmDrawnSource) drawn = { 0 };

    draw_source("\\frac{p}{q}", &drawn, NULL);
    assert_int_equal(owner_of(&drawn, "\\frac", 0), 0);
    assert_int_equal(owner_of(&drawn, "p", 0), 1);
    assert_int_equal(owner_of(&drawn, "q", 0), 2);
}

/* A root of which \textcolor takes a part: `q` comes after that part. */
TEST(test_cdm_draw__a_color_of_its_own_is_no_elements)
{
    TgCdmElement root = { .is_composite = TRUE, .token = "\\sqrt" };
    const TgCdmElements elements = { .list = &root, .n = 1 };
    g_autoptr(TgCdmText) colored = tg_cdm_text_new("", TRUE);
    g_auto(TgCdmDrawnSource) drawn = { 0 };

    tg_cdm_text_append(colored, "\xFF\\sqrt{\\textcolor{red}{p}{q}}}", (TgCdmRange){ 0, 1 });
    assert_true(tg_cdm_drawn_source(colored, FALSE, &elements, &drawn, NULL));
    assert_int_equal(owner_of(&drawn, "p", 0), TG_CDM_NO_ELEMENT);
    assert_int_equal(owner_of(&drawn, "q}", 0), 0);
}

/* The parser fails at `\rm` and the raw chunks are colored: `{\mathop{\rm}` pairs with the brace
 * of the color, so the script belongs to the first chunk. */
TEST(test_cdm_draw__braces_pair_as_in_tex)
{
    g_auto(TgCdmDrawnSource) drawn = { 0 };

    draw_source("\\mathop{\\rm sup}_{p} q", &drawn, NULL);
    assert_int_equal(owner_of(&drawn, "sup", 0), 1);
    assert_int_equal(owner_of(&drawn, "{p", 1), 0);
    assert_int_equal(owner_of(&drawn, "q", 0), 2);
}

TEST(test_cdm_draw__tex_makes_no_page_of_an_open_argument)
{
    g_auto(TgCdmDrawnSource) drawn = { 0 };
    GError *error = NULL;

    draw_source("\\sqrt{p", &drawn, &error);
    tg_assert_error(error, TG_ERROR_PARSE, "draws nothing");
}

TEST(test_cdm_draw__tags_stand_apart)
{
    g_auto(TgCdmDrawnSource) drawn = { 0 };

    draw_source("p=q \\tag{7}", &drawn, NULL);
    const char *tag = drawn.latex->string->str + drawn.tag_start;
    assert_true(g_str_has_prefix(tag, "\\mathrm{("));
    assert_int_equal(owner_of(&drawn, tag, 0), 3);
}

TEST(test_cdm_draw__paper_grows_with_the_number_of_elements)
{
    const TgCdmDialect *dialect = tg_cdm_dialect(TG_CDM_UNIMERNET);

    assert_int_equal(tg_cdm_paper(dialect, 600, 0).width_px, 1654);
    assert_int_equal(tg_cdm_paper(dialect, 600, 0).height_px, 1165);
    assert_int_equal(tg_cdm_paper(dialect, 601, 0).width_px, 2339);
    assert_int_equal(tg_cdm_paper(dialect, 1301, 0).width_px, 3307);
    assert_int_equal(tg_cdm_paper(dialect, 1301, 0).height_px, 2339);
    assert_int_equal(tg_cdm_paper(dialect, 1, 4).width_px, 6622); /* A1 */
    assert_true(tg_cdm_paper(dialect, 1, 4).is_largest);
    assert_int_equal(tg_cdm_paper(tg_cdm_dialect(TG_CDM_OMNIDOCBENCH_15), 1, 0).width_px, 2480);
}

/* \tracingpages of pdfTeX: a display of 399 pt fits A5, one of 400 pt does not (413 of 412.7 pt),
 * nor one of 395 pt that begins at the left margin. */
TEST(test_cdm_draw__pages_that_are_full)
{
    const TgCdmPaper paper = tg_cdm_paper(tg_cdm_dialect(TG_CDM_UNIMERNET), 1, 0);
    const double pt = 200 / 72.27;

    assert_false(tg_cdm_page_overflows(&paper, pt, 399 * pt, 0));
    assert_true(tg_cdm_page_overflows(&paper, pt, 400 * pt, 0));
    assert_false(tg_cdm_page_overflows(&paper, pt, 200 * pt, 205 * pt));
    assert_true(tg_cdm_page_overflows(&paper, pt, 200 * pt, 206 * pt));
    assert_false(tg_cdm_page_overflows(&paper, 400 * pt, 395 * pt, 0));
    assert_true(tg_cdm_page_overflows(&paper, 560 * pt, 395 * pt, 0));
}

/* An array of @n_rows letters. (transfer full) */
static char *column_of(guint n_rows)
{
    GString *latex = g_string_new("\\begin{array}{c}a");

    for (guint i = 1; i < n_rows; i++)
        g_string_append(latex, "\\\\a");
    return g_string_free(g_string_append(latex, "\\end{array}"), FALSE);
}

/* pdfTeX makes one page of 27 rows and two of 28; the next paper has room. */
TEST(test_cdm_draw__two_pages_have_no_boxes)
{
    g_autoptr(TgLayout) setter = cdm_setter();
    static const guint inked[TG_CDM_N_DIALECTS] = {
        [TG_CDM_UNIMERNET] = 0,
        [TG_CDM_OMNIDOCBENCH_15] = 0,
        [TG_CDM_OMNIDOCBENCH_16] = 28,
    };
    g_autofree char *fits = column_of(27), *too_high = column_of(28);

    for (guint i = 0; i < TG_CDM_N_DIALECTS; i++) {
        TgCdmHow how = { tg_cdm_dialect((TgCdmDialectId) i), TG_CDM_PAGE_OFFICIAL,
                         TG_CDM_LOCATE_LAYOUT, 100 };
        g_autoptr(TgCdmFormula) one = tg_cdm_draw(setter, fits, &how, NULL, NULL);
        g_autoptr(TgCdmFormula) two = tg_cdm_draw(setter, too_high, &how, NULL, NULL);
        how.page = TG_CDM_PAGE_UNLIMITED;
        g_autoptr(TgCdmFormula) all = tg_cdm_draw(setter, too_high, &how, NULL, NULL);

        assert_int_equal(one->n_inked, 27);
        assert_int_equal(two->n_inked, inked[i]);
        assert_int_equal(all->n_inked, 28);
    }
}

/* Boxes that the official program finds (TeX Live 2022, ghostscript 10, 200 dpi). */
static const struct {
    const char *latex;
    struct {
        const char *token;
        double x0, y0, x1, y1; /* all 0: no ink */
    } boxes[8];
} official[] = {
    { "\\left( \\frac{x}{y} \\right)^2",
      { { "\\left(", 7, 13, 25, 95 },
        { "\\frac", 27, 52, 48, 55 },
        { "x", 29, 24, 46, 41 },
        { "y", 30, 69, 46, 92 },
        { "\\right)", 51, 13, 69, 95 },
        { "2", 75, 7, 86, 23 } } },
    { "\\lim_{x\\to 0}",
      { { "\\operatorname*", 0, 0, 0, 0 },
        { "l", 7, 7, 16, 32 },
        { "i", 17, 8, 27, 32 },
        { "m", 28, 15, 56, 32 },
        { "x", 56, 25, 70, 37 },
        { "\\to", 70, 23, 93, 37 },
        { "0", 93, 20, 104, 37 } } },
    { "\\overbrace{x}^n",
      { { "\\overbrace", 7, 11, 70, 30 }, { "x", 74, 15, 91, 32 }, { "n", 92, 7, 107, 19 } } },
    { "\\overrightarrow{AB}",
      { { "\\overrightarrow", 7, 14, 39, 33 }, { "A", 40, 7, 64, 32 }, { "B", 64, 8, 89, 32 } } },
    { "\\cfrac{1}{2}",
      { { "\\cfrac", 0, 0, 0, 0 }, { "1", 10, 30, 22, 53 }, { "2", 24, 7, 39, 30 } } },
    { "\\sqrt[3]{x}",
      { { "\\sqrt", 7, 7, 53, 42 }, { "3", 14, 10, 23, 23 }, { "x", 34, 19, 51, 36 } } },
    { "\\xrightarrow[b]{a}",
      { { "\\xrightarrow", 7, 19, 39, 38 }, { "b", 17, 41, 27, 59 }, { "a", 16, 7, 28, 19 } } },
    { "\\widehat{xy}",
      { { "\\widehat", 7, 7, 43, 15 }, { "x", 8, 18, 25, 35 }, { "y", 26, 18, 42, 41 } } },
    { "\\overline{x+y}",
      { { "\\overline", 7, 7, 85, 11 },
        { "x", 9, 17, 26, 34 },
        { "+", 35, 12, 59, 36 },
        { "y", 68, 17, 84, 40 } } },
    { "\\binom{n}{k}",
      { { "\\binom", 7, 7, 62, 89 }, { "n", 25, 19, 44, 36 }, { "k", 26, 56, 43, 81 } } },
    { "x_{i}^{2}", { { "x", 7, 20, 24, 37 }, { "i", 24, 29, 32, 46 }, { "2", 25, 7, 36, 23 } } },
    { "p.O:\\pi",
      { { "p", 7, 16, 25, 39 },
        { ".", 27, 27, 32, 32 },
        { "O", 34, 7, 59, 33 },
        { ":", 71, 16, 76, 32 },
        { "\\pi", 87, 16, 106, 33 } } },
    { "p^{\\sum_q \\int r}",
      { { "p", 7, 23, 25, 46 },
        { "\\sum", 26, 8, 50, 32 },
        { "q", 51, 24, 60, 37 },
        { "\\int", 66, 7, 81, 33 },
        { "r", 85, 15, 97, 27 } } },
    { "x \\tag{1}",
      { { "x", 7, 17, 24, 34 }, { "\\tag", 786, 7, 823, 42 }, { "1", 799, 10, 811, 33 } } },
};

TEST_WITH(test_cdm_draw__boxes_are_the_official_ones, cdm_make_typesetter, cdm_remove_setter)
{
    for (guint i = 0; i < G_N_ELEMENTS(official); i++) {
        g_autoptr(TgCdmFormula) formula =
            cdm_draw(*state, official[i].latex, TG_CDM_PAGE_OFFICIAL, 100);

        assert_non_null(formula);
        for (guint e = 0; official[i].boxes[e].token != NULL; e++) {
            const TgCdmElement *element = &formula->elements.list[e];
            const double wanted[] = { official[i].boxes[e].x0, official[i].boxes[e].y0,
                                      official[i].boxes[e].x1, official[i].boxes[e].y1 };

            assert_string_equal(element->token, official[i].boxes[e].token);
            assert_int_equal(element->has_ink, wanted[2] > 0);
            for (guint k = 0; k < 4 && element->has_ink; k++)
                tg_assert_near((&element->box.x0)[k], wanted[k], 1e-9);
        }
    }
}

/* 160 elements on A5: the official program finds 78 of them. */
TEST(test_cdm_draw__the_paper_cuts_long_formulas)
{
    g_autoptr(TgLayout) setter = cdm_setter();
    g_autoptr(GString) latex = g_string_new(NULL);

    for (guint i = 0; i < 80; i++)
        g_string_append(latex, "a+");
    g_string_append(latex, "b");
    g_autoptr(TgCdmFormula) cut = cdm_draw(setter, latex->str, TG_CDM_PAGE_OFFICIAL, 2000);
    g_autoptr(TgCdmFormula) whole = cdm_draw(setter, latex->str, TG_CDM_PAGE_UNLIMITED, 2000);
    assert_int_equal(cut->elements.n, 161);
    assert_int_equal(cut->n_inked, 78);
    assert_int_equal(whole->n_inked, 161);
}

TEST(test_cdm_draw__too_many_elements_are_an_error)
{
    g_autoptr(TgLayout) setter = cdm_setter();
    const TgCdmHow how = { .dialect = tg_cdm_dialect(TG_CDM_UNIMERNET), .max_elements = 4 };

    tg_assert_fails(tg_cdm_draw(setter, "p+q+r", &how, NULL, &error), TG_ERROR_DATA,
                    "more than 4 elements");
}

TEST(test_cdm_draw__what_cannot_be_drawn_has_no_ink)
{
    static const char *const latex[] = { "", "\\phantom{q}", "\\frac{p",
                                         "\\begin{gather}p\\end{gather}", "\\color{red}{q}" };
    g_autoptr(TgLayout) setter = cdm_setter();

    for (guint i = 0; i < G_N_ELEMENTS(latex); i++) {
        g_autoptr(TgCdmFormula) formula = cdm_draw(setter, latex[i], TG_CDM_PAGE_OFFICIAL, 100);

        assert_non_null(formula);
        assert_int_equal(formula->n_inked, 0);
    }
}
