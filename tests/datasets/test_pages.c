/* Pages by OmniDocBench's protocol: a small example for each rule and each numbered defect. */
#include "datasets/documents/document.h"
#include "tests/support/golden_rows.h"

#include <unistd.h>

#include <glib/gstdio.h>
#include <jansson.h>

/* Pages of a truth in a file; takes the JSON. @faults: gets those; NULL: there are none. */
static GPtrArray *load(json_t *pages, GString *faults)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path =
        g_strdup_printf("%s/texgauge-pages-%d.json", g_get_tmp_dir(), (int) getpid());
    g_autoptr(GError) error = NULL;

    assert_int_equal(json_dump_file(pages, path, 0), 0);
    json_decref(pages);
    GPtrArray *out = tg_pages_load(path, lines, lines, &error);
    assert_int_equal(g_remove(path), 0);
    assert_non_null(out);
    for (guint i = 0; i < lines->len; i++)
        g_string_append_printf(faults, "%s\n", strstr(lines->pdata[i], "page "));
    return out;
}

/* The one page of a truth; takes its elements. */
static GPtrArray *load_page(json_t *elements)
{
    return load(
        json_pack("[{s{ss}so}]", "page_info", "image_path", "a.png", "layout_dets", elements),
        NULL);
}

static char *items_text(const char *markdown)
{
    gboolean cut;
    g_autoptr(GArray) items = tg_page_items(markdown, strlen(markdown), &cut);
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < items->len; i++) {
        const TgPageItem *item = &g_array_index(items, TgPageItem, i);
        g_string_append_printf(out, "%s%s/%s %ld %ld %s", i > 0 ? " ¦ " : "", item->category,
                               item->kind != NULL ? item->kind : "-", item->start, item->end,
                               item->content);
    }
    return g_string_free(out, FALSE);
}

static char *rows_text(const char *formula)
{
    g_auto(GStrv) rows = tg_formula_rows(formula);

    return rows == NULL ? g_strdup("null") : g_strjoinv(" ¦ ", rows);
}

static void append_ref(json_t *elements, const char *text)
{
    const gboolean is_header = g_str_has_prefix(text, "H:");
    const gboolean is_text = g_str_has_prefix(text, "T:");
    const char *category = is_header ? "header" : is_text ? "text_block" : "equation_isolated";

    json_array_append_new(elements, json_pack("{ss si si ss}", "category_type", category, "order",
                                              (int) json_array_size(elements) + 1, "anno_id",
                                              (int) json_array_size(elements),
                                              is_header || is_text ? "text" : "latex",
                                              text + (is_header || is_text ? 2 : 0)));
}

/* "TRUTH ¦ TRUTH => MARKDOWN" to the rows that are scored; a header is H:..., a text T:... */
static char *match_text(const char *input)
{
    g_auto(GStrv) sides = g_strsplit(input, " =>", 2);
    g_auto(GStrv) refs = g_strsplit(sides[0], " ¦ ", -1);
    const char *markdown = sides[1][0] == ' ' ? sides[1] + 1 : sides[1];
    json_t *elements = json_array();
    GString *out = g_string_new(NULL);

    for (guint i = 0; refs[i] != NULL; i++)
        append_ref(elements, refs[i]);
    g_autoptr(GPtrArray) pages = load_page(elements);
    g_autoptr(TgPageMatch) match = tg_page_match(pages->pdata[0], markdown, strlen(markdown));
    g_string_append_printf(out, "%s:", match->choice != NULL ? match->choice : "-");
    for (guint i = 0; i < match->n_rows; i++) {
        const TgPageRow *row = &match->rows[i];
        g_string_append_printf(out, "%s %g %s %s %u/%u", i > 0 ? " ¦" : "", row->order,
                               row->hyp[0] != '\0' ? row->hyp : "-",
                               row->hyp_type[0] != '\0' ? row->hyp_type : "-", row->edits,
                               row->length);
    }
    return g_string_free(out, FALSE);
}

/* The result of a function of the protocol for a text. */
static char *apply(const char *what, const char *input)
{
    static const struct {
        const char *name;
        void (*change)(GString *text);
    } changes[] = {
        { "formula", tg_text_formula_form }, { "text", tg_text_text_form },
        { "plain", tg_latex_to_text },       { "bare", tg_text_bare },
        { "tags", tg_text_untag },           { "sanitize", tg_page_sanitize },
    };
    g_autoptr(GString) text = g_string_new(input);

    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        if (strcmp(what, changes[i].name) != 0)
            continue;
        changes[i].change(text);
        return g_strdup(text->str);
    }
    if (strcmp(what, "items") == 0)
        return items_text(input);
    if (strcmp(what, "rows") == 0)
        return rows_text(input);
    if (strcmp(what, "match") == 0)
        return match_text(input);
    if (strcmp(what, "like") == 0)
        return g_strdup(tg_page_rescue(text) ? "yes" : "no");
    assert_string_equal(what, "logic");
    return g_strdup(tg_formula_logic_form(text) ? text->str : "null");
}

TEST(test_pages__rules_and_defects)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("pages.tsv", 4);
    guint n_wrong = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];
        g_autofree char *input = tg_golden_unfold(row[2]), *expected = tg_golden_unfold(row[3]);
        g_autofree char *made = apply(row[1], input);
        if (strcmp(made, expected) != 0)
            print_message("%s %s of %s\n  is  %s\n  not %s\n", row[0], row[1], row[2], made,
                          expected);
        n_wrong += strcmp(made, expected) != 0;
    }
    assert_int_equal(n_wrong, 0);
}

TEST(test_pages__truth_of_a_page)
{
    g_autoptr(GString) faults = g_string_new(NULL);
    g_autoptr(GPtrArray) pages = load(
        json_pack("[{s{sss{sss[ss]}} s[{sssssb}{sssssb}{ssss}]} [] {s{ss}s[]}]", "page_info",
                  "image_path", "images/p.pdf_1.jpg", "page_attribute", "source", "book", "issues",
                  "watermark", "with_table_x", "layout_dets", "category_type", "equation_isolated",
                  "latex", "a", "ignore", 0, "category_type", "equation_isolated", "latex", "b",
                  "ignore", 1, "category_type", "text_block", "text", "c", "page_info",
                  "image_path", "other/p.pdf_1.jpg", "layout_dets"),
        faults);
    const TgPage *page = pages->pdata[0];

    assert_int_equal(pages->len, 1);
    assert_string_equal(page->name, "p.pdf_1.jpg");
    assert_string_equal(page->attributes, "source: book; watermark");
    assert_int_equal(page->n_formulas, 1);
    assert_string_equal(faults->str, "page 2: without image_path or layout_dets, or too large\n"
                                     "page 3: the second of its name\n");
}

/* Truths over which the official program ends, or whose parts it joins in the order of a hash:
 * rows without an order (D12), a table without HTML and a part without text (D20), parts of one
 * order with texts as ids (D22). Endings of names (D19): one that is no picture's is cut all the
 * same. */
TEST(test_pages__truths_that_stop_the_official_program)
{
    static const char markdown[] = "$$a=b$$\n\n$$c=d$$";
    g_autoptr(GPtrArray) pages = load(
        json_pack("[{s{ss} s[{ssssso}{ssss}{sssssiss}{sssssiss}{sssiss}] s{s[{ssssss}{ssssss}]}}]",
                  "page_info", "image_path", "a.tiff", "layout_dets", "category_type",
                  "equation_isolated", "latex", "$$\\begin{gather}a=b\\\\c=d\\end{gather}$$",
                  "order", json_null(), "category_type", "table", "html", "", "category_type",
                  "text_block", "text", "right", "order", 3, "anno_id", "p2", "category_type",
                  "text_block", "text", "left ", "order", 3, "anno_id", "p1", "category_type",
                  "text_block", "order", 4, "anno_id", "q", "extra", "relation", "relation_type",
                  "truncated", "source_anno_id", "p2", "target_anno_id", "p1", "relation_type",
                  "truncated", "source_anno_id", "q", "target_anno_id", "p1"),
        NULL);
    const TgPage *page = pages->pdata[0];
    g_autoptr(TgPageMatch) match = tg_page_match(page, markdown, strlen(markdown));
    const TgPageRow *rows = match->rows;
    const TgPageItem *joined = &g_array_index(page->ref, TgPageItem, page->ref->len - 1);

    assert_string_equal(joined->content, "left right");
    assert_int_equal(match->n_rows, 2);
    tg_assert_near(rows[0].order, 0.001, 1e-15);
    tg_assert_near(rows[1].order, 0.002, 1e-15);
    assert_int_equal(rows[0].edits + rows[1].edits, 0);
}

/* The file of a page named @name in a folder that has only this one. (transfer full) */
static char *find_alone(const char *name, const char *file)
{
    g_autofree char *folder = g_dir_make_tmp("texgauge-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autofree char *inner = g_path_get_dirname(path);
    TgPage page = { .name = (char *) name };

    assert_int_equal(g_mkdir_with_parents(inner, 0700), 0);
    assert_true(g_file_set_contents(path, "a", 1, NULL));
    g_autoptr(GPtrArray) files = tg_page_find(&page, folder);
    char *found = files->len > 0 ? g_strdup(files->pdata[0]) : NULL;
    assert_int_equal(g_remove(path), 0);
    while (strcmp(inner, folder) != 0) {
        char *outer = g_path_get_dirname(inner);
        assert_int_equal(g_rmdir(inner), 0);
        g_free(inner);
        inner = outer;
    }
    assert_int_equal(g_rmdir(folder), 0);
    if (found != NULL)
        assert_string_equal(found, path);
    return found;
}

TEST(test_pages__files_lie_as_parsers_write_them)
{
    static const struct {
        const char *name, *file;
        gboolean is_found;
    } cases[] = {
        { "a.jpg", "a.md", TRUE },          { "a.jpeg", "a.md", TRUE },
        { "a.JPEG", "a.md", TRUE },         { "a.tiff", "a.mmd", TRUE },
        { "a.b.webp", "a.b.md", TRUE },     { "a.pdf_1.jpg", "a_1.md", TRUE },
        { "a.jpg", "a.jpg.md", TRUE },      { "a.png", "a/auto/a.md", TRUE },
        { "a.jpeg", "a/a.md", TRUE },       { "a.jpeg", "a/vlm/a.md", TRUE },
        { "a.jpg", "a.markdown", TRUE },    { "a.jpg", "a.MD", TRUE },
        { "a.jpg", "a/office/a.md", TRUE }, { "a.jpg", "a/hybrid_ocr/a.md", TRUE },
        { "a.jpg", "b/a.md", FALSE },       { "a.jpg", "a/b.md", FALSE },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *found = find_alone(cases[i].name, cases[i].file);
        assert_int_equal(found != NULL, cases[i].is_found);
    }
}

/* One message for a file that is no truth, not one an entry. */
TEST(test_pages__a_file_without_pages_is_one_error)
{
    g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path =
        g_strdup_printf("%s/texgauge-pages-%d.json", g_get_tmp_dir(), (int) getpid());
    g_autoptr(GError) error = NULL;

    assert_true(g_file_set_contents(path, "[{\"gt\":\"a\"},{\"gt\":\"b\"}]", -1, NULL));
    assert_null(tg_pages_load(path, faults, faults, &error));
    assert_int_equal(g_remove(path), 0);
    assert_int_equal(faults->len, 0);
    assert_non_null(strstr(error->message, "holds no pages of OmniDocBench's form"));
}

/* U+0000 stands in texts as TG_TEXT_NUL, on both sides; it is no letter and no white space. */
TEST(test_pages__a_zero_character_stays)
{
    static const char markdown[] = "$$a\0b=1$$\n\nx\0y";
    g_autoptr(GPtrArray) pages = load_page(json_pack(
        "[{sssssi}]", "category_type", "equation_isolated", "latex", "a b=1", "order", 1));
    g_autoptr(TgPageMatch) match = tg_page_match(pages->pdata[0], markdown, sizeof markdown - 1);
    gboolean cut;
    g_autoptr(GArray) items = tg_page_items(markdown, sizeof markdown - 1, &cut);

    assert_string_equal(match->rows[0].hyp, "\\[a" TG_TEXT_NUL "b=1\\]");
    assert_int_equal(match->rows[0].edits, 1);
    assert_int_equal(match->rows[0].length, 5);
    assert_string_equal(g_array_index(items, TgPageItem, 1).content, "x" TG_TEXT_NUL "y");
    assert_int_equal(g_array_index(items, TgPageItem, 1).end, 12);
}

/* Whatever stands in a page, it comes to an end; what is too large is paired in order. */
TEST(test_pages__hostile_pages_end)
{
    static const char *const parts[] = {
        "$",
        "$$",
        "\\[",
        "\\(",
        "|",
        "|a|\n",
        "<table>",
        "<td>",
        "<table",
        "![",
        "![](",
        "```a\n",
        "{",
        "}",
        "\\begin{cases}",
        "\\begin{aligned}",
        "\\tag{",
        "\\textcircled{",
        "\\title{",
        "\\\\",
        "\n",
        " ",
        "\xff",
        "\xE4",
        "&",
        "<div>",
        "$a{a",
        "$$a$$\n\n",
        "\\phantom{",
        "\\text {",
        "\\begin{tabular}",
        "$\\left",
        "a\\quad ",
        "\\xrightarrow{",
        "(",
        "…",
    };
    json_t *elements = json_array();

    append_ref(elements, "$$a+b$$");
    append_ref(elements, "$$\\begin{aligned}a\\\\b\\\\c\\end{aligned}$$");
    append_ref(elements, "T:some text");
    g_autoptr(GPtrArray) pages = load_page(elements);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        while (text->len < 5000)
            g_string_append(text, parts[i]);
        g_autoptr(TgPageMatch) match = tg_page_match(pages->pdata[0], text->str, text->len);
        assert_int_equal(match->n_rows, 4);
    }
}

TEST(test_pages__a_truth_of_too_many_relations_is_a_fault)
{
    g_autoptr(GString) faults = g_string_new(NULL);
    json_t *elements[2] = { json_array(), json_array() },
           *relations[2] = { json_array(), json_array() };

    for (guint i = 0; i < 10000; i++) {
        json_t *element =
            json_pack("{sssssi}", "category_type", "equation_isolated", "latex", "a", "anno_id", 1);
        json_array_append_new(relations[i % 5 > 0],
                              json_pack("{sssisi}", "relation_type", "truncated", "source_anno_id",
                                        1, "target_anno_id", 2));
        json_array_append_new(elements[i % 5 > 0], element);
    }
    g_autoptr(GPtrArray) pages =
        load(json_pack("[{s{ss}sos{so}} {s{ss}sos{so}}]", "page_info", "image_path", "a.png",
                       "layout_dets", elements[0], "extra", "relation", relations[0], "page_info",
                       "image_path", "b.png", "layout_dets", elements[1], "extra", "relation",
                       relations[1]),
             faults);
    assert_int_equal(pages->len, 1);
    assert_int_equal(((const TgPage *) pages->pdata[0])->ref->len, 1);
    assert_string_equal(faults->str, "page 2: without image_path or layout_dets, or too large\n");
}

/* Accents on accents double what is written; arguments that the text's end cuts off are read twice.
 */
TEST(test_pages__what_doubles_stays_latex)
{
    static const char *const parts[][2] = {
        { "\\bar{", "x" }, { "\\bar{", "x" }, { "\\frac{", "%" }, { "\\sqrt[", "x" }
    };

    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        const guint n_levels = i == 0 ? 28 : 100; /* groups inside each other have a bound, too */
        g_autoptr(GString) text = g_string_new(NULL);
        for (guint k = 0; k < n_levels; k++)
            g_string_append(text, parts[i][0]);
        g_string_append(text, parts[i][1]);
        for (guint k = 0; k < n_levels; k++)
            g_string_append_c(text, i < 3 ? '}' : ' ');
        g_autoptr(GString) plain = g_string_new(text->str);
        tg_latex_to_text(plain);
        tg_text_trim(text);
        assert_string_equal(plain->str, text->str);
    }
}

TEST(test_pages__more_than_a_page_has_is_not_read)
{
    static const char *const parts[] = { "|a|\n", "$a$", "![a](b)" };
    json_t *elements = json_array();

    append_ref(elements, "$$a+b$$");
    g_autoptr(GPtrArray) pages = load_page(elements);
    for (guint i = 0; i < 2 * G_N_ELEMENTS(parts); i++) {
        const gboolean large = i % 2 > 0;
        g_autoptr(GString) text = g_string_new("$$a+b$$");
        for (guint k = 0; k < (large ? TG_PAGE_MAX_ITEMS + 1 : 100); k++)
            g_string_append(text, parts[i / 2]);
        g_autoptr(TgPageMatch) match = tg_page_match(pages->pdata[0], text->str, text->len);
        assert_int_equal(match->is_cut, large);
        assert_int_equal(match->n_rows, 1);
        assert_int_equal(match->rows[0].edits, 0);
    }
}

TEST(test_pages__rows_beyond_those_of_a_page_stay_in_their_formula)
{
    g_autoptr(GString) text = g_string_new("$$a+b$$\n\n");
    json_t *elements = json_array();

    for (guint i = 0; i < 40; i++)
        append_ref(elements, "$$a+b$$");
    for (guint i = 0; i < 2; i++) {
        g_string_append(text, "$$");
        for (guint k = 0; k < 30000; k++)
            g_string_append(text, "a\\\\");
        g_string_append(text, "$$\n\n");
    }
    g_autoptr(GPtrArray) pages = load_page(elements);
    g_autoptr(TgPageMatch) match = tg_page_match(pages->pdata[0], text->str, text->len);
    assert_true(match->is_cut);
    assert_int_equal(match->n_rows, 40);
    assert_int_equal(match->rows[0].edits, 0);
}

TEST(test_pages__many_formulas_are_paired_in_order)
{
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *elements = json_array();

    for (guint i = 0; i < 1100; i++) {
        g_autofree char *formula = g_strdup_printf("$$a_{%u}=1$$", i);
        append_ref(elements, formula);
        g_string_append_printf(text, "%s\n\n", formula);
    }
    g_string_append(text, "$$extra$$");
    g_autoptr(GPtrArray) pages = load_page(elements);
    g_autoptr(TgPageMatch) match = tg_page_match(pages->pdata[0], text->str, text->len);
    assert_true(match->is_cut);
    assert_string_equal(match->choice, "in_order");
    assert_int_equal(match->n_rows, 1100);
    for (guint i = 0; i < match->n_rows; i++)
        assert_int_equal(match->rows[i].edits, 0);
    assert_int_equal(match->extras->len, 1);
    assert_string_equal(match->extras->pdata[0], "\\[extra\\]");
}
