#include "eval/run/olmocr.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "core/number.h"
#include "core/pipeline.h"
#include "core/random.h"
#include "core/utf8.h"
#include "eval/stats/stats.h"

enum {
    MAX_ERRORS = 100,    /* of a page, in a row */
    MAX_MISSING = 10,    /* pages told, of a candidate */
    MAX_TESTS = 1 << 30, /* bytes of a file of tests */
};

/* ---- Pages ----------------------------------------------------------------------------------- */

struct TgOlmocrPage {
    GArray *formulas; /* of TgOlmocrFormulaAt */
    guint n_outside;  /* of the first ones, which are not in dollars */
    GPtrArray *set;   /* of TgOlmocrFormula, made when they are needed */
};

TgOlmocrPage *tg_olmocr_page_new(const char *text, gsize length)
{
    TgOlmocrPage *page = g_new0(TgOlmocrPage, 1);
    g_autofree char *valid = g_utf8_make_valid(text, (gssize) length);
    char *to = valid;

    /* the ends of lines become newlines */
    for (const char *p = valid; *p != '\0'; p++) {
        if (*p == '\r' && p[1] == '\n')
            continue;
        *to++ = *p == '\r' ? '\n' : *p;
    }
    *to = '\0';
    page->formulas = tg_olmocr_page_formulas(valid, &page->n_outside);
    page->set = g_ptr_array_new_with_free_func((GDestroyNotify) tg_olmocr_formula_unref);
    return page;
}

void tg_olmocr_page_free(TgOlmocrPage *page)
{
    g_array_unref(page->formulas);
    g_ptr_array_unref(page->set);
    g_free(page);
}

void tg_olmocr_result_clear(TgOlmocrResult *result)
{
    g_clear_pointer(&result->why, g_free);
}

static guint count_formulas(const TgOlmocrPage *page, gboolean ignore_dollars)
{
    return ignore_dollars ? page->n_outside : page->formulas->len;
}

static const TgOlmocrFormulaAt *formula_at(const TgOlmocrPage *page, guint i)
{
    return &g_array_index(page->formulas, TgOlmocrFormulaAt, i);
}

/* Formula @i of the page as KaTeX sets it; they are asked for in order. */
static const TgOlmocrFormula *set_formula(TgOlmocrPage *page, guint i)
{
    while (page->set->len <= i)
        g_ptr_array_add(page->set, tg_olmocr_formula_new(formula_at(page, page->set->len)->text));
    return page->set->pdata[i];
}

void tg_olmocr_page_test(TgOlmocrPage *page, const char *math, TgOlmocrFormula *ref,
                         gboolean ignore_dollars, TgOlmocrResult *out)
{
    const guint n = count_formulas(page, ignore_dollars);
    g_autoptr(TgOlmocrFormula) made = ref != NULL ? NULL : tg_olmocr_formula_new(math);
    const TgOlmocrFormula *reference = ref != NULL ? ref : made;
    gboolean is_near = FALSE, gave_up = FALSE;
    double best = -1;

    *out = (TgOlmocrResult){ .outcome.side = -1 };
    for (guint i = 0; i < n; i++) {
        const TgOlmocrFormulaAt *at = formula_at(page, i);
        if (strcmp(at->text, math) == 0) {
            out->outcome.verdict = TG_OLMOCR_STRING;
            out->formula = at->text;
            out->line = at->line;
            return;
        }
    }
    for (guint i = 0; i < n; i++) {
        const TgOlmocrFormulaAt *at = formula_at(page, i);
        const TgOlmocrFormula *formula = set_formula(page, i);
        TgOlmocrOutcome outcome;

        tg_olmocr_compare(reference, formula, &outcome);
        is_near = is_near || outcome.is_near;
        gave_up = gave_up || outcome.gave_up;
        const double likeness = tg_olmocr_likeness(reference, formula);
        if (outcome.verdict != TG_OLMOCR_FAIL || likeness > best) {
            best = likeness;
            out->outcome = outcome;
            out->formula = at->text;
            out->line = at->line;
            g_free(out->why);
            out->why = tg_olmocr_explain(reference, formula, &outcome);
        }
        if (outcome.verdict != TG_OLMOCR_FAIL)
            return;
    }
    /* the test fails: any formula might have passed it */
    out->outcome.is_near = is_near;
    out->outcome.gave_up = gave_up;
    if (out->formula == NULL)
        out->why = g_strdup("the page has no formula");
}

/* Errors of all formulas of the page; @n: (out) how many. Only the first MAX_ERRORS are listed. */
static json_t *page_errors(TgOlmocrPage *page, gboolean ignore_dollars, guint *n)
{
    json_t *list = json_array();

    *n = 0;
    for (guint i = 0; i < count_formulas(page, ignore_dollars); i++) {
        const TgOlmocrFormula *formula = set_formula(page, i);
        if (formula->error == NULL || ++*n > MAX_ERRORS)
            continue;
        const json_int_t line = formula_at(page, i)->line;
        json_array_append_new(list, json_pack("{s:I, s:I, s:o}", "line", line, "column",
                                              (json_int_t) formula->error_column, "error",
                                              tg_json_text(formula->error)));
    }
    return list;
}

/* ---- The bench ------------------------------------------------------------------------------- */

typedef struct {
    json_t *json; /* the test as it is written */
    const char *pdf, *id, *math;
    guint page, file, line; /* which file of tests, counted from 0, and its line */
    gboolean ignore_dollars;
    TgOlmocrFormula *ref;
    /* of the candidate at work */
    GString *rows;   /* lines of JSON, one a repeat of the page */
    gboolean passes; /* more than half of the repeats */
} Test;

typedef struct {
    const TgDocumentsOptions *options;
    guint64 seed;
    GPtrArray *files; /* names without .jsonl */
    GPtrArray *tests; /* of Test, those of a file after each other */
    guint64 n_others; /* tests of other kinds */
    guint64 n_faults;
} Bench;

static void test_free(gpointer data)
{
    Test *test = data;

    json_decref(test->json);
    g_clear_pointer(&test->ref, tg_olmocr_formula_unref);
    g_string_free(test->rows, TRUE);
    g_free(test);
}

static void G_GNUC_PRINTF(2, 3) tell_fault(Bench *bench, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    g_autofree char *message = g_strdup_vprintf(format, values);
    va_end(values);
    bench->n_faults++;
    bench->options->fault(message, bench->options->data);
}

static gboolean is_blank(const char *text)
{
    while (*text != '\0' && tg_is_space(g_utf8_get_char(text)))
        text = g_utf8_next_char(text);
    return *text == '\0';
}

/* @ids: of the file, with their lines */
static void read_test(Bench *bench, json_t *line, const char *path, guint n_line, GHashTable *ids)
{
    static const char *const fields = " pdf page id type math max_diffs checked url "
                                      "ignore_dollar_delimited ";
    const char *type = json_string_value(json_object_get(line, "type"));
    const char *name;
    json_t *value;

    if (type != NULL && strcmp(type, "math") != 0) {
        bench->n_others++;
        return;
    }
    Test test = { .pdf = json_string_value(json_object_get(line, "pdf")),
                  .id = json_string_value(json_object_get(line, "id")),
                  .math = json_string_value(json_object_get(line, "math")),
                  .page =
                      (guint) CLAMP(json_integer_value(json_object_get(line, "page")), 0, 1000000),
                  .file = bench->files->len - 1,
                  .line = n_line,
                  .ignore_dollars =
                      json_is_true(json_object_get(line, "ignore_dollar_delimited")) };
    const char *missing = type == NULL                               ? "type"
                          : test.pdf == NULL || test.pdf[0] == '\0'  ? "pdf"
                          : test.id == NULL || test.id[0] == '\0'    ? "id"
                          : test.math == NULL || is_blank(test.math) ? "math"
                          : test.page == 0                           ? "page, a number from 1"
                                                                     : NULL;
    if (missing != NULL) {
        tell_fault(bench, "%s:%u: the test has no %s", path, n_line, missing);
        return;
    }
    json_object_foreach(line, name, value)
    {
        g_autofree char *word = g_strconcat(" ", name, " ", NULL);
        if (strstr(fields, word) == NULL)
            tell_fault(bench, "%s:%u: the field %s stops the official program", path, n_line, name);
    }
    const guint same = GPOINTER_TO_UINT(g_hash_table_lookup(ids, test.id));
    if (same != 0) {
        tell_fault(bench, "%s:%u: the id %s is that of line %u", path, n_line, test.id, same);
        return;
    }
    g_hash_table_insert(ids, g_strdup(test.id), GUINT_TO_POINTER(n_line));
    test.json = json_incref(line);
    test.rows = g_string_new(NULL);
    g_ptr_array_add(bench->tests, g_memdup2(&test, sizeof test));
}

static gboolean read_tests(Bench *bench, const char *path, GError **error)
{
    g_autofree char *name = g_path_get_basename(path);
    g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(TgStream) stream = tg_stream_open(path, MAX_TESTS, error);
    g_autoptr(GString) text = stream != NULL ? tg_stream_read_rest(stream, MAX_TESTS, error) : NULL;

    if (text == NULL)
        return FALSE;
    if (g_str_has_suffix(name, ".jsonl"))
        name[strlen(name) - strlen(".jsonl")] = '\0';
    g_ptr_array_add(bench->files, g_steal_pointer(&name));
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        json_error_t fault;
        if (g_strstrip(lines[i])[0] == '\0')
            continue;
        json_auto_t *line = json_loads(lines[i], 0, &fault);
        if (json_is_object(line))
            read_test(bench, line, path, i + 1, ids);
        else
            tell_fault(bench, "%s:%u: %s", path, i + 1,
                       line != NULL ? "no JSON object" : fault.text);
    }
    return TRUE;
}

static gboolean read_bench(Bench *bench, const char *path, GError **error)
{
    const gboolean is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
    g_autoptr(GPtrArray) names = is_folder ? tg_folder_names(path, ".jsonl", NULL) : NULL;

    for (guint i = 0; i < (is_folder ? names->len : 1); i++) {
        g_autofree char *file =
            is_folder ? g_build_filename(path, names->pdata[i], NULL) : g_strdup(path);
        if (!read_tests(bench, file, error))
            return FALSE;
    }
    return bench->tests->len > 0 ||
           tg_fail_input(error, "%s: no test of type math in a .jsonl file", path);
}

/* ---- A candidate ----------------------------------------------------------------------------- */

typedef struct {
    Bench *bench;
    const char *name, *folder;
    GHashTable *folders; /* path -> names of its files, sorted */
} Candidate;

/* The tests of one page, which one thread runs. */
typedef struct {
    char *prefix;      /* of the names of its files */
    GPtrArray *tests;  /* borrowed */
    GPtrArray *paths;  /* of its Markdown, in order of names */
    GPtrArray *faults; /* of these files, as lines */
    json_t *unread;    /* see tg_page_count_unread() */
} PageTests;

static void page_tests_free(gpointer data)
{
    PageTests *work = data;

    g_free(work->prefix);
    g_ptr_array_unref(work->tests);
    g_ptr_array_unref(work->paths);
    g_ptr_array_unref(work->faults);
    json_decref(work->unread);
    g_free(work);
}

/* The files of a page whose paths begin with @prefix, in order of names. (transfer full) */
static GPtrArray *find_repeats(Candidate *candidate, const char *prefix)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *whole = g_build_filename(candidate->folder, prefix, NULL);
    g_autofree char *folder = g_path_get_dirname(whole), *base = g_path_get_basename(whole);
    const GPtrArray *names = g_hash_table_lookup(candidate->folders, folder);

    if (names == NULL) {
        names = tg_folder_names(folder, ".md", NULL);
        g_hash_table_insert(candidate->folders, g_strdup(folder), (gpointer) names);
    }
    guint low = 0, high = names->len;

    while (low < high) {
        const guint middle = (low + high) / 2;
        if (strcmp(names->pdata[middle], base) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < names->len && g_str_has_prefix(names->pdata[low], base); low++)
        g_ptr_array_add(paths, g_build_filename(folder, names->pdata[low], NULL));
    return paths;
}

/* @repeat: what the name of a further file of the page has behind "repeat"; NULL: the first file */
static void write_row(const Candidate *candidate, Test *test, const char *repeat, const char *path,
                      TgOlmocrPage *page, const TgOlmocrResult *result)
{
    const TgOlmocrOutcome *outcome = &result->outcome;
    const gboolean passes = outcome->verdict != TG_OLMOCR_FAIL;
    const char *how = !passes ? NULL
                      : outcome->verdict == TG_OLMOCR_NO_SYMBOLS && test->ref->error != NULL
                          ? "reference in error"
                          : tg_olmocr_verdicts[outcome->verdict];
    g_autofree char *file = path != NULL ? g_path_get_basename(path) : NULL;
    /* a repeat is a pair of its own for eval */
    g_autofree char *id =
        repeat != NULL ? g_strdup_printf("%s repeat %s", test->id, repeat) : g_strdup(test->id);
    guint n_errors = 0;
    json_t *errors = page != NULL ? page_errors(page, test->ignore_dollars, &n_errors) : NULL;
    json_auto_t *row = json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o*, s:o*, s:o*, "
        "s:o*}",
        "id", tg_json_text(id), "model", tg_json_text(candidate->name), "subset",
        tg_json_text(candidate->bench->files->pdata[test->file]), "pdf", tg_json_text(test->pdf),
        "page", (json_int_t) test->page, "test_line", (json_int_t) test->line, "file",
        tg_json_text(file), "gt", tg_json_text(test->math), "pred",
        tg_json_text(result->formula != NULL ? result->formula : ""), "by", tg_json_text(how),
        "why", tg_json_text(result->why), "passed", passes, "near", outcome->is_near, "line",
        result->formula != NULL ? json_integer(result->line) : NULL, "gave_up",
        outcome->gave_up ? json_true() : NULL, "errors", errors, "n_errors",
        page != NULL ? json_integer(n_errors) : NULL);

    tg_json_append(test->rows, row);
    g_string_append_c(test->rows, '\n');
}

static void run_test(const Candidate *candidate, const PageTests *work, TgOlmocrPage *const *pages,
                     Test *test)
{
    guint n_passes = 0;

    if (work->paths->len == 0) {
        const TgOlmocrResult none = { .why = (char *) "the page is missing" };
        write_row(candidate, test, NULL, NULL, NULL, &none);
    }
    for (guint k = 0; k < work->paths->len; k++) {
        g_auto(TgOlmocrResult) result = { 0 };
        g_autofree char *repeat = g_path_get_basename(work->paths->pdata[k]);
        g_autofree char *base = g_path_get_basename(work->prefix);
        repeat[strlen(repeat) - strlen(".md")] = '\0';
        tg_olmocr_page_test(pages[k], test->math, test->ref, test->ignore_dollars, &result);
        n_passes += result.outcome.verdict != TG_OLMOCR_FAIL;
        write_row(candidate, test, k > 0 ? repeat + strlen(base) : NULL, work->paths->pdata[k],
                  pages[k], &result);
    }
    test->passes = 2 * n_passes > work->paths->len;
}

static void run_page(gpointer item, guint worker, gpointer data)
{
    PageTests *work = item;
    g_autofree TgOlmocrPage **pages = g_new0(TgOlmocrPage *, work->paths->len + 1);

    (void) worker;
    for (guint k = 0; k < work->paths->len; k++) {
        char *fault;
        g_autoptr(GString) text = tg_page_read(work->paths->pdata[k], &fault);
        pages[k] = tg_olmocr_page_new(text->str, text->len);
        tg_page_count_unread(text->str, work->unread);
        if (fault != NULL)
            g_ptr_array_add(work->faults, fault);
    }
    for (guint i = 0; i < work->tests->len; i++)
        run_test(data, work, pages, work->tests->pdata[i]);
    for (guint k = 0; k < work->paths->len; k++)
        g_clear_pointer(&pages[k], tg_olmocr_page_free);
}

/* The tests by pages, in order of the first test of each. (transfer full) */
static GPtrArray *group_by_pages(Candidate *candidate)
{
    const GPtrArray *tests = candidate->bench->tests;
    GPtrArray *list = g_ptr_array_new_with_free_func(page_tests_free);
    g_autoptr(GHashTable) by_prefix = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < tests->len; i++) {
        const Test *test = tests->pdata[i];
        const gsize length = strlen(test->pdf);
        g_autofree char *stem = g_strndup(
            test->pdf, g_str_has_suffix(test->pdf, ".pdf") ? length - strlen(".pdf") : length);
        g_autofree char *prefix = g_strdup_printf("%s_pg%u_repeat", stem, test->page);
        PageTests *work = g_hash_table_lookup(by_prefix, prefix);
        if (work == NULL) {
            work = g_new(PageTests, 1);
            *work = (PageTests){ .prefix = g_steal_pointer(&prefix),
                                 .tests = g_ptr_array_new(),
                                 .faults = g_ptr_array_new_with_free_func(g_free),
                                 .unread = json_object() };
            work->paths = find_repeats(candidate, work->prefix);
            g_ptr_array_add(list, work);
            g_hash_table_insert(by_prefix, work->prefix, work);
        }
        g_ptr_array_add(work->tests, tests->pdata[i]);
    }
    return list;
}

/* Tell which pages have no Markdown: the first ones, each with the file that it should be in. */
static void tell_missing(const Candidate *candidate, const GPtrArray *pages)
{
    Bench *bench = candidate->bench;
    guint n = 0;

    for (guint i = 0; i < pages->len; i++) {
        const PageTests *work = pages->pdata[i];
        const Test *test = work->tests->pdata[0];
        if (work->paths->len > 0 || n++ >= MAX_MISSING)
            continue;
        tell_fault(bench, "%s: there is no %s/%s1.md for page %u of %s, which %s.jsonl:%u tests",
                   candidate->name, candidate->folder, work->prefix, test->page, test->pdf,
                   (const char *) bench->files->pdata[test->file], test->line);
    }
    if (n > MAX_MISSING)
        tell_fault(bench, "%s: %u more page%s without Markdown", candidate->name, n - MAX_MISSING,
                   tg_plural(n - MAX_MISSING));
    if (n > 0)
        tell_fault(bench, "%s: officially a candidate without a page has 0 everywhere",
                   candidate->name);
}

/* A folder without any page is an error, because the user meant another folder or other names. */
static gboolean check_pages(const Candidate *candidate, const GPtrArray *pages, GError **error)
{
    const PageTests *first = pages->pdata[0];

    for (guint i = 0; i < pages->len; i++)
        if (((const PageTests *) pages->pdata[i])->paths->len > 0)
            return TRUE;
    g_autoptr(GPtrArray) found = tg_pages_markdown(candidate->folder);
    return tg_fail_input(error,
                         "%s: has none of the %u page%s of the tests; the first needs %s/%s1.md, "
                         "and the first Markdown file is %s",
                         candidate->name, pages->len, pages->len == 1 ? "" : "s", candidate->folder,
                         first->prefix,
                         found->len > 0 ? (const char *) found->pdata[0] : "missing");
}

/* Tell of the files of pages that were read otherwise than as they are. */
static void tell_files(const Candidate *candidate, const GPtrArray *pages)
{
    Bench *bench = candidate->bench;
    json_auto_t *unread = json_object();

    for (guint i = 0; i < pages->len; i++) {
        const PageTests *work = pages->pdata[i];
        for (guint k = 0; k < work->faults->len; k++)
            tell_fault(bench, "%s", (const char *) work->faults->pdata[k]);
        tg_page_add_unread(unread, work->unread);
    }
    g_autofree char *displays = tg_page_unread_text(unread);
    g_autofree char *note = g_strconcat(candidate->name, ": ", displays, NULL);
    if (displays != NULL)
        bench->options->note(note, bench->options->data);
}

/* Run all tests on a candidate, then tell faults, and write rows in the order of the tests. */
static gboolean run_tests(Candidate *candidate, GError **error)
{
    Bench *bench = candidate->bench;
    g_autoptr(GPtrArray) pages = group_by_pages(candidate);

    if (!check_pages(candidate, pages, error) ||
        !tg_pipeline_each(pages, bench->options->threads, run_page, NULL, candidate, error))
        return FALSE;
    tell_missing(candidate, pages);
    tell_files(candidate, pages);
    for (guint i = 0; i < bench->tests->len; i++) {
        Test *test = bench->tests->pdata[i];
        fputs(test->rows->str, bench->options->rows);
        g_string_truncate(test->rows, 0);
    }
    return TRUE;
}

/* ---- Figures --------------------------------------------------------------------------------- */

/* The mean of the files' rates over drawn tests; NULL: over all. */
static double mean_of_rates(const Bench *bench, TgRandom *random, double *rates)
{
    const Test *const *tests = (const Test *const *) bench->tests->pdata;
    double sum = 0;
    guint n_rates = 0, first = 0;

    for (guint file = 0; file < bench->files->len; file++) {
        guint n = 0;
        double passes = 0;
        while (first + n < bench->tests->len && tests[first + n]->file == file)
            n++;
        for (guint i = 0; i < n; i++)
            passes += tests[first + (random != NULL ? tg_random_below(random, n) : i)]->passes;
        if (rates != NULL)
            rates[file] = n > 0 ? passes / n : NAN;
        if (n > 0) {
            sum += passes / n;
            n_rates++;
        }
        first += n;
    }
    return sum / n_rates;
}

static void tell_figures(const Candidate *candidate)
{
    enum { RESAMPLES = 1000 };
    const Bench *bench = candidate->bench;
    g_autofree double *rates = g_new0(double, bench->files->len);
    g_autofree double *drawn = g_new(double, RESAMPLES);
    g_autoptr(GString) line = g_string_new(NULL);
    const double mean = mean_of_rates(bench, NULL, rates);
    double interval[2];

    for (guint i = 0; i < RESAMPLES; i++) {
        TgRandom random;
        tg_random_seed(&random, bench->seed, i);
        drawn[i] = mean_of_rates(bench, &random, NULL);
    }
    tg_bootstrap_percentile(drawn, RESAMPLES, .025, interval);
    g_string_printf(line, "%s: %.1f %% of math tests (95 %%: %.1f to %.1f)", candidate->name,
                    100 * mean, 100 * interval[0], 100 * interval[1]);
    for (guint i = 0; i < bench->files->len; i++)
        if (!isnan(rates[i]))
            g_string_append_printf(line, "%s %s %.1f %%", i == 0 ? ":" : ",",
                                   (const char *) bench->files->pdata[i], 100 * rates[i]);
    bench->options->note(line->str, bench->options->data);
}

static gboolean run_candidate(Bench *bench, const char *word, GHashTable *names, GError **error)
{
    const char *equals = strchr(word, '=');
    g_autofree char *name =
        equals != NULL ? g_strndup(word, (gsize) (equals - word)) : g_path_get_basename(word);
    g_autoptr(GHashTable) folders =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
    Candidate candidate = { .bench = bench,
                            .name = name,
                            .folder = equals != NULL ? equals + 1 : word,
                            .folders = folders };

    if (!g_hash_table_add(names, g_strdup(name)))
        return tg_fail_usage(error, "%s is named twice", name);
    if (!g_file_test(candidate.folder, G_FILE_TEST_IS_DIR))
        return tg_fail_input(error, "%s: no folder", candidate.folder);
    if (!run_tests(&candidate, error))
        return FALSE;
    tell_figures(&candidate);
    return TRUE;
}

static void set_reference(gpointer item, guint worker, gpointer data)
{
    Test *test = item;

    (void) worker;
    (void) data;
    test->ref = tg_olmocr_formula_new(test->math);
}

/* The benchmark counts a test as passed on any page with a formula when KaTeX rejects its
 * reference. */
static void tell_faulty_references(const Bench *bench)
{
    const Test *first = NULL;
    guint n = 0;

    for (guint i = 0; i < bench->tests->len; i++) {
        const Test *test = bench->tests->pdata[i];
        if (test->ref->error != NULL && n++ == 0)
            first = test;
    }
    if (n == 0)
        return;
    g_autofree char *line =
        g_strdup_printf("references that KaTeX rejects, passed by any formula: %u (%s.jsonl:%u)", n,
                        (const char *) bench->files->pdata[first->file], first->line);
    bench->options->note(line, bench->options->data);
}

gboolean tg_olmocr_run(const TgDocumentsOptions *options, const char *path, guint64 seed,
                       guint64 *n_faults, GError **error)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) tests = g_ptr_array_new_with_free_func(test_free);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Bench bench = { .options = options, .seed = seed, .files = files, .tests = tests };
    gboolean good = read_bench(&bench, path, error) &&
                    tg_pipeline_each(tests, options->threads, set_reference, NULL, NULL, error);

    for (guint i = 0; good && options->inputs[i] != NULL; i++)
        good = run_candidate(&bench, options->inputs[i], names, error);
    *n_faults = bench.n_faults;
    if (good) {
        g_autofree char *line =
            g_strdup_printf("tests of type math: %u; of other types, left out: %" G_GUINT64_FORMAT,
                            tests->len, bench.n_others);
        options->note(line, options->data);
        tell_faulty_references(&bench);
    }
    return good;
}
