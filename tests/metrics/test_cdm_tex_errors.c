/* LaTeX that TeX sets otherwise than it is written, or not at all: what it does was seen with
 * pdfTeX 1.40.24 on the official program's colored source, and written down here. */
#include "tests/support/cdm_support.h"
#include "tests/support/test_support.h"

#include "render/fonts/font.h"

static TgCdmFormula *draw(TgLayout *setter, const char *latex)
{
    TgCdmFormula *formula = cdm_draw(setter, latex, TG_CDM_PAGE_OFFICIAL, 100);

    assert_non_null(formula);
    return formula;
}

static void assert_same_drawing(TgLayout *setter, const char *a, const char *b)
{
    g_autoptr(TgCdmFormula) first = draw(setter, a), second = draw(setter, b);

    assert_true(first->n_inked > 0);
    assert_int_equal(first->n_inked, second->n_inked);
    for (guint i = 0; i < first->n_inked; i++)
        assert_memory_equal(cdm_box(first, i), cdm_box(second, i), sizeof(TgRect));
}

/* "Extra alignment tab has been changed to \cr." */
TEST(test_cdm_tex_errors__cells_beyond_the_preamble_begin_rows)
{
    assert_same_drawing(*state, "\\begin{array}{c}p&q\\\\r&s\\end{array}",
                        "\\begin{array}{c}p\\\\q\\\\r\\\\s\\end{array}");
    assert_same_drawing(*state, "\\begin{array}{rr}p&q&u\\\\r&s&v\\end{array}",
                        "\\begin{array}{rr}p&q\\\\u\\\\r&s\\\\v\\end{array}");
    assert_same_drawing(*state, "\\begin{array}{c}\\begin{array}{cc}p&q\\end{array}&u\\end{array}",
                        "\\begin{array}{c}\\begin{array}{cc}p&q\\end{array}\\\\u\\end{array}");
}

/* pdfTeX puts p at 23.6 pt, q one row of 14.4 pt and a line of text below it at 23.5 pt, u at
 * 589.3 pt, and v in a line that begins at the left margin. A pixel is 0.36 pt. */
TEST(test_cdm_tex_errors__hline_ends_the_array)
{
    g_autoptr(TgCdmFormula) formula =
        draw(*state, "\\begin{array}{cc}p&x\\\\\\hline q&u\\\\v&w\\end{array}");
    const TgRect *p = cdm_box(formula, 0), *q = cdm_box(formula, 2), *u = cdm_box(formula, 3),
                 *v = cdm_box(formula, 4);

    assert_int_equal(formula->n_inked, 6);
    assert_in_range(q->y0 - p->y0, 40, 80);
    assert_in_range(u->x0 - p->x0, 1560, 1585);
    assert_in_range(p->x0 - v->x0, 20, 60);
    assert_true(v->y0 > q->y1);
}

/* Another \hline ends the paragraph and begins one: pdfTeX and ghostscript put a and c 66 pixels
 * from the left, c 79 below a, and d 47 to the right of c. A third one under them is a rule. */
TEST(test_cdm_tex_errors__every_further_hline_begins_a_paragraph)
{
    g_autoptr(TgCdmFormula) formula =
        draw(*state, "\\begin{array}{c|c}\\hline a&b\\\\\\hline c&d\\\\\\hline\\end{array}");
    const TgRect *a = cdm_box(formula, 0), *b = cdm_box(formula, 1), *c = cdm_box(formula, 2),
                 *d = cdm_box(formula, 3);

    assert_int_equal(formula->n_inked, 4);
    tg_assert_near(c->x0, a->x0, 1);
    tg_assert_near(d->x0, c->x0 + 47, 1);
    tg_assert_near(c->y1, a->y1 + 79, 3);
    assert_in_range(b->x0 - a->x0, 1560, 1585);
}

/* A script makes a formula of the line, which goes on with the next cells. */
TEST(test_cdm_tex_errors__a_script_behind_hline_keeps_the_line)
{
    g_autoptr(TgCdmFormula) formula =
        draw(*state, "\\begin{array}{cc}p&x\\\\\\hline q^2&u\\end{array}");
    const TgRect *two = cdm_box(formula, 3), *u = cdm_box(formula, 4);

    assert_int_equal(formula->n_inked, 5);
    assert_true(u->x0 >= two->x1 - 3 && u->x0 < two->x1 + 30);
}

TEST(test_cdm_tex_errors__nothing_is_drawn_where_tex_ends)
{
    static const char *const fatal[] = {
        "\\root n \\of{y}+1",                                       /* \next@ reads to the end */
        "\\begin{aligned}&\\{\\\\&y\\}+1\\end{aligned}",            /* `\{ }` loses its braces */
        "\\begin{array}{c}p\\\\\\hline q_1\\\\\\hline\\end{array}", /* a dollar sign for ever */
        "\\begin{array}{cc}p&q\\\\\\cline{1-1}r&s\\end{array}",     /* 100 errors */
    };

    for (guint i = 0; i < G_N_ELEMENTS(fatal); i++) {
        g_autoptr(TgCdmFormula) formula = draw(*state, fatal[i]);

        assert_int_equal(formula->n_inked, 0);
    }
}

/* \above finds no number and takes 0 pt, so "1pt" is drawn; \brack draws, but in no element's
 * color. */
TEST(test_cdm_tex_errors__infix_commands_keep_their_effect)
{
    g_autoptr(TgCdmFormula) above = draw(*state, "{p\\above1pt q}"),
                            brack = draw(*state, "{p\\brack q}");

    assert_int_equal(above->n_inked, 5); /* p 1 p t q */
    assert_true(cdm_box(above, 0)->y1 < cdm_box(above, 1)->y0);
    assert_int_equal(brack->n_inked, 2);
    assert_true(cdm_box(brack, 0)->y1 < cdm_box(brack, 1)->y0);
}

/* Boxes of the official program: \cfrac takes the group after its color for its denominator. In
 * front of another color it takes that color's command, so its "1" is no element's. */
TEST(test_cdm_tex_errors__cfrac_takes_what_follows)
{
    static const TgRect one = { 10, 30, 22, 53 }, two = { 24, 7, 39, 30 };
    g_autoptr(TgCdmFormula) groups = draw(*state, "\\cfrac{1}{2}"),
                            bare = draw(*state, "\\cfrac12");

    assert_memory_equal(cdm_box(groups, 0), &one, sizeof one);
    assert_memory_equal(cdm_box(groups, 1), &two, sizeof two);
    assert_int_equal(bare->n_inked, 1);
    assert_string_equal(bare->elements.list[bare->inked[0]].token, "2");
}

/* The parser refuses the environment, so all is one chunk; the number at the right is no element.
 */
TEST(test_cdm_tex_errors__an_equation_is_drawn_with_its_number)
{
    g_autoptr(TgCdmFormula) formula = draw(*state, "\\begin{equation} p=q \\end{equation}");

    assert_int_equal(formula->n_inked, 1);
    assert_true(formula->width_px > 700);
}

/* `\tag*{..}` prints the star and the group where they stand; `\tag{..}` at the right margin. */
TEST(test_cdm_tex_errors__tag_needs_its_group)
{
    g_autoptr(TgCdmFormula) star = draw(*state, "p=q\\tag*{(7)}"),
                            tag = draw(*state, "p=q\\tag{7}");

    assert_int_equal(star->n_inked, 7);
    assert_true(star->width_px < 250);
    assert_true(tag->width_px > 700);
}

TEST_GROUP(cdm_make_typesetter, cdm_remove_setter)
