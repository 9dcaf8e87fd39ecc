#include "tests/support/test_support.h"

#include "core/json.h"
#include "eval/grid/grid.h"

/* (transfer full) */
static char *formed(const TgGrid *grid, const TgGridForm *form)
{
    GString *out = g_string_new(NULL);

    tg_grid_append(out, grid, form);
    return g_string_free(out, FALSE);
}

static char *written(const TgGrid *grid, TgGridStyle style)
{
    return formed(grid, &(TgGridForm){ .style = style });
}

/* One name with everything that the styles must mask, one number, one that is missing. */
static TgGrid *sample(void)
{
    TgGrid *grid = tg_grid_new("Title", 1);

    tg_grid_head(grid, "name");
    tg_grid_head(grid, "x");
    tg_grid_put(grid, "a|b_<i>,\"c\"");
    tg_grid_put_number(grid, 1.0 / 3, 2);
    tg_grid_put(grid, "\xe4\xb8\xad\n2"); /* a wide character, and a line break */
    tg_grid_put_number(grid, NAN, 2);
    tg_grid_note(grid, "note");
    return grid;
}

/* A table is aligned by the width of what is shown, Markdown masks what it would read, CSV is
 * quoted, LaTeX is booktabs. */
TEST(test_grid__styles)
{
    static const char *const wanted[] = {
        [TG_GRID_TABLE] = "Title\n"
                          "name            x\n"
                          "a|b_<i>,\"c\"  0.33\n"
                          "\xe4\xb8\xad 2            -\n"
                          "note\n",
        [TG_GRID_MARKDOWN] = "### Title\n\n"
                             "| name           |    x |\n"
                             "|:---|---:|\n"
                             "| a\\|b\\_\\<i>,\"c\" | 0.33 |\n"
                             "| \xe4\xb8\xad 2           |    - |\n"
                             "\nnote\n",
        [TG_GRID_CSV] = "\"name\",\"x\"\n"
                        "\"a|b_<i>,\"\"c\"\"\",0.3333333333\n"
                        "\"\xe4\xb8\xad\n2\",\n",
        [TG_GRID_LATEX] = "% needs \\usepackage{booktabs}\n% Title\n"
                          "\\begin{tabular}{lr}\n\\toprule\nname & x \\\\\n\\midrule\n"
                          "a\\textbar{}b\\_\\textless{}i\\textgreater{},\"c\" & 0.33 \\\\\n"
                          "\xe4\xb8\xad 2 & - \\\\\n"
                          "\\bottomrule\n\\end{tabular}\n% note\n",
    };
    g_autoptr(TgGrid) grid = sample();

    assert_int_equal(tg_grid_n_rows(grid), 2);
    for (guint style = 0; style < G_N_ELEMENTS(wanted); style++)
        if (wanted[style] != NULL)
            tg_assert_text(written(grid, (TgGridStyle) style), wanted[style]);
}

/* Characters that LaTeX takes for an argument of a row's end, or sets as another sign in its
 * default encoding.
 */
TEST(test_grid__latex_shows_every_character)
{
    static const struct {
        const char *text, *latex;
    } cases[] = {
        { "[x]", "{}[x]" },
        { "*", "{}*" },
        { "<{\\|}>", "\\textless{}\\{\\textbackslash{}\\textbar{}\\}\\textgreater{}" },
        { "^~`", "\\textasciicircum{}\\textasciitilde{}\\textasciigrave{}" },
        { "a--b-c", "a-{}-b-c" },
        { "$_%&#", "\\$\\_\\%\\&\\#" },
        { "a\x1b[31m", "a\\textless{}U+001B\\textgreater{}[31m" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgGrid) grid = tg_grid_new("a\n\\input{b}", 1);
        g_autofree char *row = g_strconcat("\\midrule\n", cases[i].latex, " \\\\\n", NULL);

        tg_grid_head(grid, cases[i].text);
        tg_grid_put(grid, cases[i].text);
        tg_grid_note(grid, "c\nd");
        g_autofree char *text = written(grid, TG_GRID_LATEX);

        tg_assert_holds(text, row, "\n% a \\input{b}\n", "\n% c d\n", NULL);
    }
}

/* A value, its interval and the next value would fit beside the key within 345 pt. */
TEST(test_grid__latex_keeps_intervals_beside_their_values)
{
    g_autoptr(TgGrid) grid = tg_grid_new("wide", 1);

    tg_grid_head(grid, "a name of thirty-one characters");
    for (guint i = 0; i < 7; i++)
        tg_grid_head(grid, i % 2 == 1 ? "±" : "metrics of text");
    tg_grid_put(grid, "x");
    for (guint i = 0; i < 7; i++)
        tg_grid_put(grid, "0.1");
    g_autofree char *text = written(grid, TG_GRID_LATEX);
    assert_null(strstr(text, "characters & ±"));
    assert_non_null(strstr(text, "characters & metrics of text & ±"));
}

/* A mark takes the width of a character: from the same width on, lines end as in small tables. */
TEST(test_grid__latex_makes_room_for_marks)
{
    guint n_small = 0;

    for (guint n = 40; n < 80; n++) {
        g_autofree char *text = tg_repeat("x", n);
        gboolean small[2];

        for (guint marked = 0; marked < 2; marked++) {
            g_autoptr(TgGrid) grid = tg_grid_new("wide", 0);

            tg_grid_head(grid, "x");
            tg_grid_put(grid, text + marked);
            if (marked == 1)
                tg_grid_mark(grid, FALSE, "*");
            g_autofree char *latex = written(grid, TG_GRID_LATEX);
            small[marked] = strstr(latex, "\\tabularnewline") != NULL;
        }
        assert_int_equal(small[0], small[1]);
        n_small += small[0];
    }
    assert_in_range(n_small, 1, 39);
}

/* A spreadsheet runs what begins so; numbers and a lone sign stay. */
TEST(test_grid__csv_is_inert)
{
    static const struct {
        const char *text, *csv;
    } cases[] = {
        { "=1+1", "\"'=1+1\"" }, { "+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\"" },
        { "-2+3", "\"'-2+3\"" }, { "@SUM(A1)", "\"'@SUM(A1)\"" },
        { "\t=1", "\"'\t=1\"" }, { "-0.5", "\"-0.5\"" },
        { "-", "\"-\"" },        { "a=1", "\"a=1\"" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgGrid) grid = tg_grid_new(NULL, 1);
        g_autofree char *wanted = g_strconcat(cases[i].csv, "\n", cases[i].csv, "\n", NULL);

        tg_grid_head(grid, cases[i].text);
        tg_grid_put(grid, cases[i].text);
        tg_assert_text(written(grid, TG_GRID_CSV), wanted);
    }
}

TEST(test_grid__tables_steer_no_terminal)
{
    g_autoptr(TgGrid) grid = tg_grid_new("\x1b[2J", 1);

    tg_grid_head(grid, "\xe2\x80\xae"
                       "a"); /* U+202E */
    tg_grid_put(grid, "\xc2\x9b"
                      "31m"); /* U+009B */
    tg_grid_put(grid, "[a](javascript:b)");
    tg_grid_note(grid, "\x07");
    tg_assert_text(written(grid, TG_GRID_TABLE),
                   "<U+001B>[2J\n<U+202E>a\n<U+009B>31m\n[a](javascript:b)\n<U+0007>\n");
    g_autofree char *markdown = written(grid, TG_GRID_MARKDOWN);
    tg_assert_holds(markdown, "| \\<U+009B>31m ", "| \\[a](javascript:b) |", NULL);
}

static json_t *more(G_GNUC_UNUSED gconstpointer member)
{
    return json_true();
}

TEST(test_grid__columns_stand_where_they_are_named)
{
    typedef struct {
        const char *name;
        double value, ends[2];
    } Row;
    static const TgGridColumn columns[] = {
        { "name", "name", "name", TG_GRID_NAME, G_STRUCT_OFFSET(Row, name) },
        { "value", NULL, "test.value", TG_GRID_NUMBER, G_STRUCT_OFFSET(Row, value), 2 },
        { "95 %", "bca_*", "test.bca", TG_GRID_INTERVAL, G_STRUCT_OFFSET(Row, ends), 2 },
        { NULL, NULL, "more", TG_GRID_VALUE, .value = more },
    };
    const Row row = { "", 1.0 / 3, { 0.25, NAN } };
    g_autoptr(TgGrid) grid = tg_grid_new_of(NULL, 1, columns, G_N_ELEMENTS(columns), NULL);
    g_autoptr(GString) json = g_string_new(NULL);

    tg_grid_row(grid, &row, FALSE);
    tg_assert_text(written(grid, TG_GRID_TABLE), "name    value  95 %\n(none)   0.33     -\n");
    tg_assert_text(written(grid, TG_GRID_CSV),
                   "\"name\",\"bca_low\",\"bca_high\"\n\"(none)\",0.25,\n");
    json_auto_t *rows = tg_grid_rows_json(grid, &(TgGridForm){ 0 });
    tg_json_append(json, rows);
    assert_string_equal(json->str, "[{\"name\":\"\",\"test\":{\"value\":0.3333333333,"
                                   "\"bca\":[0.25,null]},\"more\":true}]");
}

/* A share of 1/8 and a count of 7, a name that is shown in percent, and an interval. */
static TgGrid *shares(void)
{
    const double ends[] = { 0.1, 0.15 };
    TgGrid *grid = tg_grid_new(NULL, 1);

    tg_grid_column(grid, &(TgGridColumn){ "metric", "metric", "metric" });
    tg_grid_column(grid, &(TgGridColumn){ "a.b", "a.b", "scores", .member = "a.b", .is_share = TRUE,
                                          .arrow = "↑" });
    tg_grid_column(grid, &(TgGridColumn){ "95 %", "i_*", "i" });
    tg_grid_column(grid, &(TgGridColumn){ "n", "n", "n" });
    tg_grid_put(grid, "cdm");
    tg_grid_share(grid);
    tg_grid_put_number(grid, 0.125, 4);
    tg_grid_put_interval(grid, ends, 4);
    tg_grid_share(grid);
    tg_grid_put_count(grid, 7);
    return grid;
}

TEST(test_grid__percent_and_digits_act_on_every_form)
{
    static const struct {
        TgGridForm form;
        const char *wanted;
    } cases[] = {
        { { 0 },
          "metric   a.b ↑              95 %  n\n"
          "cdm     0.1250  [0.1000, 0.1500]  7\n" },
        { { .percent = TRUE },
          "metric  a.b % ↑            95 %  n\n"
          "cdm %     12.50  [10.00, 15.00]  7\n" },
        { { .percent = TRUE, .fixed = TRUE },
          "metric  a.b % ↑      95 %  n\n"
          "cdm %        12  [10, 15]  7\n" }, /* 12.5 to the even digit */
        { { .style = TG_GRID_CSV, .percent = TRUE, .fixed = TRUE, .digits = 1 },
          "\"metric\",\"a.b %\",\"i_low\",\"i_high\",\"n\"\n"
          "\"cdm %\",12.5,10,15,7\n" },
        { { .style = TG_GRID_LATEX, .percent = TRUE },
          "% needs \\usepackage{booktabs}\n"
          "\\begin{tabular}{lrrr}\n\\toprule\nmetric & a.b \\% & 95 \\% & n \\\\\n"
          "\\midrule\ncdm \\% & 12.50 & [10.00, 15.00] & 7 \\\\\n"
          "\\bottomrule\n\\end{tabular}\n" },
    };
    g_autoptr(TgGrid) grid = shares();
    g_autoptr(GString) json = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_text(formed(grid, &cases[i].form), cases[i].wanted);
    json_auto_t *rows = tg_grid_rows_json(grid, &cases[2].form);
    tg_json_append(json, rows);
    assert_string_equal(json->str,
                        "[{\"metric\":\"cdm\",\"scores\":{\"a.b\":12},\"i\":[10,15],\"n\":7}]");
}

TEST(test_grid__a_wide_table_goes_on_in_blocks)
{
    static const char *const heads[] = { "model", "set", "first", "second", "third", NULL };
    static const char *const names[] = { "one.3b", "two.3b" };
    const TgGridForm wide = { 0 }, narrow = { .width = 30 }, tiny = { .width = 16 };
    g_autoptr(TgGrid) grid = tg_grid_new("A title that is longer than thirty columns", 2);

    tg_grid_heads(grid, heads);
    for (guint i = 0; i < 2; i++) {
        tg_grid_put(grid, names[i]);
        tg_grid_put(grid, "2014");
        for (guint k = 0; k < 3; k++)
            tg_grid_put_number(grid, i + k / 10.0, 4);
    }
    tg_assert_text(formed(grid, &wide), "A title that is longer than thirty columns\n"
                                        "model   set    first  second   third\n"
                                        "one.3b  2014  0.0000  0.1000  0.2000\n"
                                        "two.3b  2014  1.0000  1.1000  1.2000\n");
    tg_assert_text(formed(grid, &narrow), "A title that is longer than\nthirty columns\n"
                                          "model   set    first  second\n"
                                          "one.3b  2014  0.0000  0.1000\n"
                                          "two.3b  2014  1.0000  1.1000\n"
                                          "\n"
                                          "model   set    third\n"
                                          "one.3b  2014  0.2000\n"
                                          "two.3b  2014  1.2000\n");
    /* two names take more than half of a line: the second one goes on as the numbers do */
    g_autofree char *text = formed(grid, &tiny);
    tg_assert_holds(
        text, "model   set\none.3b  2014\ntwo.3b  2014\n\nmodel    first\none.3b  0.0000\n", NULL);
}

static json_t *flag_json(gconstpointer member)
{
    return json_boolean(*(const gboolean *) member);
}

/* Each member where its column says, and scores as shares where the row says so. */
TEST(test_grid__rows_are_structs)
{
    typedef struct {
        const char *name;
        double score, interval[2], p;
        guint n;
        gboolean more;
    } Row;
    static const TgGridColumn columns[] = {
        { "name", "name", "name", TG_GRID_NAME, G_STRUCT_OFFSET(Row, name) },
        { "score", "score", "score", TG_GRID_NUMBER, G_STRUCT_OFFSET(Row, score), 2,
          .scores = TRUE },
        { "95 %", "i_*", "i", TG_GRID_INTERVAL, G_STRUCT_OFFSET(Row, interval), 1 },
        { "p", "p", "p", TG_GRID_P, G_STRUCT_OFFSET(Row, p) },
        { "n", "n", "n", TG_GRID_COUNT, G_STRUCT_OFFSET(Row, n) },
        { NULL, NULL, "more", TG_GRID_VALUE, G_STRUCT_OFFSET(Row, more), .value = flag_json },
    };
    const Row rows[] = { { "", 0.25, { 1, 2 }, 0.0123, 7, TRUE },
                         { "b", 0.5, { NAN, 2 }, NAN, 8, FALSE } };
    const TgGridForm percent = { .percent = TRUE };
    g_autoptr(TgGrid) grid = tg_grid_new_of(NULL, 1, columns, G_N_ELEMENTS(columns), NULL);

    tg_grid_row(grid, &rows[0], TRUE);
    tg_grid_row(grid, &rows[1], FALSE);
    tg_assert_text(formed(grid, &percent), "name    score        95 %      p  n\n"
                                           "(none)     25  [1.0, 2.0]  0.012  7\n"
                                           "b        0.50           -      -  8\n");
}

TEST(test_grid__counts_for_eyes_have_separators)
{
    static const struct {
        guint64 count;
        const char *text;
    } cases[] = {
        { 0, "0" }, { 999, "999" }, { 1000, "1,000" }, { 34410, "34,410" }, { 1234567, "1,234,567" }
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_text(tg_count_text(cases[i].count), cases[i].text);
}
