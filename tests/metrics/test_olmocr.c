/* olmocr: verdicts, symbols and refusals of olmOCR-bench's math tests, rule by rule, with the
 * values of the official program (allenai/olmocr at f7cfe4c, KaTeX 0.16.21). */
#include "tests/support/metric_support.h"

#include "eval/run/olmocr.h"
#include "tests/support/cpu_time.h"
#include "tests/support/golden_rows.h"
#include "tests/support/scratch.h"

/* The characters of a formula in document order. (transfer full) */
static char *shown_of(const TgOlmocrFormula *formula)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < formula->n_symbols; i++)
        g_string_append_unichar(text, formula->symbols[i].character);
    return g_string_free(text, FALSE);
}

/* Fails unless KaTeX refuses @latex for a reason like @why. */
static void check_refused(const char *latex, const char *why)
{
    g_autoptr(TgOlmocrFormula) formula = tg_olmocr_formula_new(latex);

    if (formula->error == NULL || !g_pattern_match_simple(why, formula->error))
        fail_msg("%s: %s", latex, formula->error != NULL ? formula->error : "is accepted");
}

static void check_accepted(const char *latex)
{
    g_autoptr(TgOlmocrFormula) formula = tg_olmocr_formula_new(latex);

    if (formula->error != NULL)
        fail_msg("%s: %s", latex, formula->error);
}

/* ---- The comparison -------------------------------------------------------------------------- */

TEST(test_olmocr__several_references_pass_by_any)
{
    g_auto(TestScorer) scorer = test_scorer_new("olmocr");

    test_scorer_add_refs(&scorer, (const char *const[]){ "y", "x" }, 2, "x");
    assert_true(test_scorer_get(&scorer, "olmocr") == 1);
}

TEST(test_olmocr__an_unknown_column_is_told_with_its_place)
{
    g_autoptr(TgOlmocrFormula) sign =
        tg_olmocr_formula_new("\u00e9\\begin{array}{lq}a\\end{array}");
    g_autoptr(TgOlmocrFormula) group = tg_olmocr_formula_new("xy\\begin{array}{l{}}a\\end{array}");

    assert_int_equal(sign->error_column, 17);
    assert_int_equal(group->error_column, 3);
}

TEST(test_olmocr__verdicts_at_the_edge_are_marked)
{
    g_auto(TestScorer) scorer = test_scorer_new("olmocr");

    test_scorer_add(&scorer, "x_1", "x1");
    assert_true(test_scorer_get(&scorer, "near") == 0);
    /* this script is 5.4 px above its base */
    test_scorer_add(&scorer, "\\mathbf{y}2", "\\sqrt{y^{2}}");
    assert_true(test_scorer_get(&scorer, "near") == 1);
}

TEST(test_olmocr__the_search_is_bounded)
{
    g_autoptr(GString) ref = g_string_new("a"), hyp = g_string_new("b");
    const double start = tg_cpu_seconds();
    TgOlmocrOutcome outcome;

    for (guint i = 0; i < 300; i++) {
        g_string_append(ref, "+a");
        g_string_append(hyp, "+a");
    }
    g_string_append(ref, "+b");
    g_string_append(hyp, "+c");
    g_autoptr(TgOlmocrFormula) a = tg_olmocr_formula_new(ref->str),
                               b = tg_olmocr_formula_new(hyp->str);
    tg_olmocr_compare(a, b, &outcome);
    assert_true(outcome.verdict == TG_OLMOCR_FAIL);
    tg_assert_cpu_below(start, 3, "search");
}

/* ---- Rules ----------------------------------------------------------------------------------- */

enum { RULE, KIND, MATH, PAGE, WANTED, N_FIELDS };

static guint n_wrong;

/* A row that does not hold: all are told before the test fails. */
static void G_GNUC_PRINTF(1, 2) tell_wrong(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vprint_error(format, values);
    va_end(values);
    print_error("\n");
    n_wrong++;
}

/* A field with its newlines. (transfer full) */
static char *text_of(const char *field)
{
    g_autoptr(GString) text = g_string_new(strcmp(field, "-") == 0 ? "" : field);

    g_string_replace(text, "⏎", "\n", 0);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void check_page(char *const *row, gboolean only, gboolean near)
{
    g_autofree char *math = text_of(row[MATH]), *text = text_of(row[PAGE]);
    g_autoptr(TgOlmocrPage) page = tg_olmocr_page_new(text, strlen(text));
    g_auto(TgOlmocrResult) result = { 0 };

    tg_olmocr_page_test(page, math, NULL, only, &result);
    if (strcmp(tg_olmocr_verdicts[result.outcome.verdict], row[WANTED]) != 0)
        tell_wrong("%s: %s on %s: %s, not %s", row[RULE], math, text,
                   tg_olmocr_verdicts[result.outcome.verdict], row[WANTED]);
    if (near && !result.outcome.is_near)
        tell_wrong("%s: %s on %s is not near", row[RULE], math, text);
}

static void check_formulas(char *const *row, gboolean only)
{
    g_autofree char *text = text_of(row[PAGE]), *wanted = text_of(row[WANTED]);
    guint n_outside;
    g_autoptr(GArray) formulas = tg_olmocr_page_formulas(text, &n_outside);
    g_autoptr(GString) found = g_string_new(NULL);

    for (guint i = 0; i < (only ? n_outside : formulas->len); i++)
        g_string_append_printf(found, "%s%s", i > 0 ? " | " : "",
                               g_array_index(formulas, TgOlmocrFormulaAt, i).text);
    if (strcmp(found->str, wanted) != 0)
        tell_wrong("%s: %s has %s, not %s", row[RULE], text, found->str, wanted);
}

static void check_characters(char *const *row, const char *math, const char *wanted)
{
    g_autoptr(TgOlmocrFormula) formula = tg_olmocr_formula_new(math);
    g_autofree char *shown = shown_of(formula);
    const gboolean refused = strcmp(row[KIND], "refused") == 0;

    if (refused ? formula->error == NULL || !g_pattern_match_simple(wanted, formula->error)
                : formula->error != NULL || strcmp(shown, wanted) != 0)
        tell_wrong("%s: %s: %s, not %s", row[RULE], math,
                   formula->error != NULL ? formula->error : shown, wanted);
}

static void check_distance(char *const *row, gboolean down)
{
    g_autoptr(TgOlmocrFormula) formula = tg_olmocr_formula_new(row[MATH]);
    const TgOlmocrSymbol *from = &formula->symbols[g_ascii_digit_value(row[PAGE][0])],
                         *to = &formula->symbols[g_ascii_digit_value(row[PAGE][2])];
    const double wanted = g_ascii_strtod(row[WANTED], NULL);
    const double found = (double) (down ? to->y - from->y : to->x - from->x);
    /* as precise as the number is written */
    const double tolerance = strchr(row[WANTED], '.') != NULL ? .1 : .6;

    if (fabs(found - wanted) > tolerance)
        tell_wrong("%s: %s: %.2f px, not %s", row[RULE], row[MATH], found, row[WANTED]);
}

static void keep_line(const char *message, gpointer lines)
{
    g_string_append_printf(lines, "%s\n", message);
}

/* Run the bench in the scratch folder and return the first fault, else the figures. */
static char *run_bench(void **state)
{
    const char *const candidates[] = { "p", NULL };
    g_autoptr(GString) notes = g_string_new(NULL);
    g_autofree char *before = g_get_current_dir();
    FILE *rows = tmpfile();
    guint64 n_faults;

    assert_int_equal(g_chdir(*state), 0);
    const TgDocumentsOptions options = {
        .inputs = candidates, .rows = rows, .fault = keep_line, .note = keep_line, .data = notes
    };
    GError *error = NULL;
    const gboolean good = tg_olmocr_run(&options, "bench", 0, &n_faults, &error);
    assert_int_equal(g_chdir(before), 0);
    fclose(rows);
    g_clear_error(&error);
    if (n_faults > 0)
        g_string_prepend(notes, "fault: ");
    else if (!good)
        g_string_assign(notes, "");
    notes->str[strcspn(notes->str, "\n")] = '\0';
    return g_strdup(notes->str);
}

/* Write the tests and pages of a row of kind `bench`. */
static void write_bench(void **state, const char *text)
{
    g_auto(GStrv) files = g_strsplit(text, ";", -1);
    guint page = 0;

    for (guint f = 0; files[f] != NULL; f++) {
        g_auto(GStrv) tests = g_strsplit(files[f], ",", -1);
        g_autoptr(GString) lines = g_string_new(NULL);
        g_autofree char *name = g_strdup_printf("bench/f%u.jsonl", f);
        for (guint t = 0; tests[t] != NULL; t++) {
            g_auto(GStrv) repeats = g_strsplit(tests[t], "/", -1);
            page++;
            g_string_append_printf(lines,
                                   "{\"pdf\":\"sub/a.pdf\",\"page\":%u,\"id\":\"%u\","
                                   "\"type\":\"math\",\"math\":\"x\"}\n",
                                   page, page);
            for (guint r = 0; repeats[r] != NULL && strcmp(repeats[r], "-") != 0; r++) {
                g_autofree char *path = g_strdup_printf("p/sub/a_pg%u_repeat%u.md", page, r + 1);
                g_autofree char *markdown = g_strdup_printf("$%s$", repeats[r]);
                test_write_file(state, path, markdown);
            }
        }
        test_write_file(state, name, lines->str);
    }
}

static void check_bench(char *const *row, gboolean line)
{
    void *folder = test_scratch_new();

    if (line) {
        g_autofree char *lines = g_strconcat(row[MATH],
                                             "\n{\"pdf\":\"a.pdf\",\"page\":1,\"id\":\"2\","
                                             "\"type\":\"math\",\"math\":\"x\"}\n",
                                             NULL);
        test_write_file(&folder, "bench/f.jsonl", lines);
        test_write_file(&folder, "p/a_pg1_repeat1.md", "\\(x\\)");
    } else {
        write_bench(&folder, row[PAGE]);
    }
    g_autofree char *said = run_bench(&folder);
    g_autofree char *wanted = !line ? g_strdup(row[WANTED])
                              : strcmp(row[WANTED], "-") == 0
                                  ? g_strdup("p: 100.0 %*")
                                  : g_strconcat("fault: ", row[WANTED], NULL);
    if (!g_pattern_match_simple(wanted, said))
        tell_wrong("%s: %s, not %s", row[RULE], said, wanted);
    /* nothing is kept: the folder has what the row wrote */
    g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
    guint n = 0;
    while (g_dir_read_name(entries) != NULL)
        n++;
    assert_int_equal(n, 2);
    test_scratch_free(folder);
}

static void check_rule(char *const *row)
{
    const char *kind = row[KIND];

    if (g_str_has_prefix(kind, "page"))
        check_page(row, strcmp(kind, "page-only") == 0, FALSE);
    else if (strcmp(kind, "near") == 0)
        check_page(row, FALSE, TRUE);
    else if (g_str_has_prefix(kind, "formulas"))
        check_formulas(row, strcmp(kind, "formulas-only") == 0);
    else if (strcmp(kind, "shown") == 0 || strcmp(kind, "refused") == 0) {
        g_autofree char *math = text_of(row[MATH]), *wanted = text_of(row[WANTED]);
        check_characters(row, math, wanted);
    } else if (strcmp(kind, "down") == 0 || strcmp(kind, "right") == 0)
        check_distance(row, kind[0] == 'd');
    else if (strcmp(kind, "line") == 0 || strcmp(kind, "bench") == 0)
        check_bench(row, kind[0] == 'l');
    else
        tell_wrong("%s: no kind %s", row[RULE], kind);
}

TEST(test_olmocr__every_rule_of_the_table_holds)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("olmocr_rules.tsv", N_FIELDS);

    for (guint i = 0; i < rows->len; i++)
        check_rule(rows->pdata[i]);
    assert_int_equal(n_wrong, 0);
}

/* Add the numbers of the specification's sections, rules and defects to @numbers. */
static void add_numbers_of_specification(GPtrArray *numbers)
{
    const char *shared = g_getenv("TEXGAUGE_SHARED");
    g_autofree char *path = g_build_filename(shared != NULL ? shared : TG_SOURCE_ROOT "/../shared",
                                             "specs", "olmocr-math.md", NULL);
    g_autofree char *text = NULL, *section = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        const char *line = lines[i] + strspn(lines[i], "#");
        const gboolean heading = line > lines[i];
        const char *number = heading ? line + 1 : line;
        const gsize length = strspn(number, "0123456789.");
        if (length == 0 || (number[length] != ' ' && !heading))
            continue;
        g_autofree char *name = g_strndup(number, number[length - 1] == '.' ? length - 1 : length);
        if (heading && strchr(name, '.') == NULL) {
            g_free(section);
            section = g_strdup(name);
        }
        if (heading || strchr(name, '.') != NULL)
            g_ptr_array_add(numbers, g_steal_pointer(&name));
        else if (section != NULL && strcmp(section, "8") == 0)
            g_ptr_array_add(numbers, g_strdup_printf("8.%s", name));
    }
}

/* Section 9 says how the specification was checked; 6 and 8 have numbered parts alone. */
TEST(test_olmocr__every_numbered_rule_has_a_row)
{
    static const char *const known[] = { "1",   "2",   "3.1", "3.2", "3.3", "4",   "4.1", "4.2",
                                         "4.3", "5",   "6.1", "6.2", "6.3", "7",   "8.1", "8.2",
                                         "8.3", "8.4", "8.5", "8.6", "8.7", "8.8", "8.9" };
    g_autoptr(GPtrArray) rows = tg_golden_rows("olmocr_rules.tsv", N_FIELDS);
    g_autoptr(GPtrArray) numbers = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) there = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < rows->len; i++) {
        const char *rule = ((char **) rows->pdata[i])[RULE];
        g_hash_table_add(there, g_strndup(rule, strcspn(rule, " ")));
    }
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        g_ptr_array_add(numbers, g_strdup(known[i]));
    add_numbers_of_specification(numbers);
    for (guint i = 0; i < numbers->len; i++) {
        const char *number = numbers->pdata[i];
        if (strcmp(number, "3") != 0 && strcmp(number, "6") != 0 && strcmp(number, "8") != 0 &&
            strcmp(number, "9") != 0 && !g_hash_table_contains(there, number))
            fail_msg("rule %s has no row in olmocr_rules.tsv", number);
    }
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

TEST(test_olmocr__hostile_input_is_bounded)
{
    g_autoptr(GString) deep = g_string_new(NULL), wide = g_string_new(NULL);
    const double start = tg_cpu_seconds();

    for (guint i = 0; i < 100000; i++)
        g_string_append(deep, "{");
    check_refused(deep->str, "Groups are nested too deep");
    g_string_truncate(deep, 0);
    for (guint i = 0; i < 100000; i++)
        g_string_append(deep, "\\frac");
    check_refused(deep->str, "*");
    g_string_assign(deep, "a");
    for (guint i = 0; i < 100000; i++)
        g_string_append(deep, i % 2 == 0 ? "\u0301" : "\u0302");
    check_refused(deep->str, "Accents are nested too deep");
    check_accepted("a\u0301\u0302\u0301");
    check_refused("\\def\\a{\\a\\a}\\a", "Too many expansions*");
    for (guint i = 0; i < 20000; i++)
        g_string_append(wide, "x_{1}");
    check_accepted(wide->str);
    g_string_truncate(wide, 0);
    for (guint i = 0; i < 100000; i++)
        g_string_append(wide, "1");
    check_accepted(wide->str);
    g_string_truncate(wide, 0);
    for (guint i = 0; i < 20000; i++)
        g_string_append(wide, "\\def\\a{}");
    check_refused(wide->str, "Too many macros");
    tg_assert_cpu_below(start, 5, "hostile input");
}
