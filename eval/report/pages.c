/* The pages of a report whose values are means over pages, the worst first. */
#include <math.h>
#include <stdlib.h>

#include "core/json.h"
#include "eval/report/private.h"

enum { DIGITS = 4, MAX_LISTED = 100 }; /* in the table; the HTML page lists all */

/* What a model made of a page. */
typedef struct {
    const guint32 *rows; /* in the order of the data */
    guint n;
    TgPageCounts counts;
    double value; /* of the first column that is shown, turned so that higher is better */
} Page;

/* By model, page and place. */
static gint by_page(gconstpointer a, gconstpointer b, gpointer data)
{
    const TgReport *report = data;
    const guint i = *(const guint32 *) a, k = *(const guint32 *) b;
    const guint models[2] = { report->table->rows[i].model, report->table->rows[k].model };
    const guint pages[2] = { report->mean.group[i], report->mean.group[k] };

    return models[0] != models[1] ? (models[0] > models[1] ? 1 : -1)
           : pages[0] != pages[1] ? (pages[0] > pages[1] ? 1 : -1)
                                  : (i > k) - (i < k);
}

/* Pages without a value come last. */
static gint by_value(gconstpointer a, gconstpointer b)
{
    const Page *x = a, *y = b;

    if (isnan(x->value) || isnan(y->value) || x->value == y->value)
        return isnan(x->value) != isnan(y->value) ? isnan(x->value) - isnan(y->value)
                                                  : (*x->rows > *y->rows) - (*x->rows < *y->rows);
    return x->value > y->value ? 1 : -1;
}

static double value_of(const TgReport *report, const Page *page, guint column)
{
    return tg_table_value(report->table, tg_report_column(report, column), page->rows, page->n);
}

/* All pages, the worst first. @rows: [n_rows] into which they point. (element-type Page) */
static GArray *find_pages(const TgReport *report, guint32 *rows)
{
    const TgTable *table = report->table;
    GArray *pages = g_array_new(FALSE, TRUE, sizeof(Page));

    for (guint i = 0; i < table->n_rows; i++)
        rows[i] = i;
    g_qsort_with_data(rows, (gint) table->n_rows, sizeof *rows, by_page, (gpointer) report);
    for (guint i = 0, end; i < table->n_rows; i = end) {
        Page page = { .rows = rows + i };

        for (end = i;
             end < table->n_rows && report->mean.group[rows[end]] == report->mean.group[rows[i]] &&
             table->rows[rows[end]].model == table->rows[rows[i]].model;
             end++)
            tg_page_counts_add(&page.counts, table->rows[rows[end]].stored);
        page.n = end - i;
        page.value = report->shown->len > 0 ? value_of(report, &page, 0) : NAN;
        if (report->shown->len > 0 && tg_report_column(report, 0)->lower_is_better)
            page.value = -page.value;
        g_array_append_val(pages, page);
    }
    g_array_sort(pages, by_value);
    return pages;
}

static TgGrid *pages_grid(const TgReport *report, const GArray *pages)
{
    const gboolean models = report->table->models->len > 1;
    gboolean known = FALSE;
    TgGrid *grid = tg_grid_new("Pages, the worst first", models ? 2 : 1);

    for (guint i = 0; i < pages->len; i++)
        known |= g_array_index(pages, Page, i).counts.is_known;
    tg_grid_head(grid, "page");
    if (models)
        tg_grid_head(grid, "model");
    tg_grid_head(grid, "pairs");
    if (known)
        tg_grid_heads(grid, (const char *const[]){ "missed", "unused", NULL });
    for (guint c = 0; c < report->shown->len; c++) {
        const TgTableColumn *column = tg_report_column(report, c);

        tg_grid_head(grid, column->name);
        tg_grid_column_scores(grid, column->is_share, column->lower_is_better ? "↓" : "↑");
    }
    for (guint i = 0; i < MIN(pages->len, MAX_LISTED); i++) {
        const Page *page = &g_array_index(pages, Page, i);

        tg_grid_put_name(grid, report->mean.names->pdata[report->mean.group[*page->rows]],
                         "(none)");
        if (models)
            tg_grid_put(grid, tg_report_model_name(report, report->table->rows[*page->rows].model));
        tg_grid_put_count(grid, page->n);
        if (known) {
            tg_grid_put_count(grid, page->counts.n_missed);
            tg_grid_put_count(grid, page->counts.n_unused);
        }
        for (guint c = 0; c < report->shown->len; c++)
            tg_grid_put_number(grid, value_of(report, page, c), DIGITS);
    }
    if (pages->len > MAX_LISTED)
        tg_grid_note(grid, "The first %d of %u.", MAX_LISTED, pages->len);
    if (known)
        tg_grid_note(grid, "missed: truths without a partner; unused: predictions that no truth "
                           "takes, which no score counts.");
    return grid;
}

/* The predictions that no truth takes, where the rows of a page list them. (transfer full) */
static json_t *extras_of(const TgReport *report, const Page *page)
{
    for (guint i = 0; i < page->n; i++) {
        json_t *extras = json_object_get(report->table->rows[page->rows[i]].stored, "page_extras");

        if (json_array_size(extras) > 0)
            return json_incref(extras);
    }
    return json_array();
}

/* [page, model, pairs, missed, unused, extras, value, ...] of every page; unused is null where the
 * rows do not say */
static json_t *pages_json(const TgReport *report, const GArray *pages)
{
    json_t *list = json_array();

    for (guint i = 0; i < pages->len; i++) {
        const Page *page = &g_array_index(pages, Page, i);
        const TgPageCounts *counts = &page->counts;
        json_t *row = json_pack(
            "[i, i, i, i, o, o]", (int) report->mean.group[*page->rows],
            (int) report->table->rows[*page->rows].model, (int) page->n, (int) counts->n_missed,
            counts->is_known ? json_integer((json_int_t) counts->n_unused) : json_null(),
            extras_of(report, page));

        for (guint c = 0; c < report->shown->len; c++)
            json_array_append_new(row, tg_json_number(value_of(report, page, c)));
        json_array_append_new(list, row);
    }
    return list;
}

void tg_report_add_pages(TgReport *report)
{
    g_autofree guint32 *rows = g_new(guint32, MAX(report->table->n_rows, 1));
    g_autoptr(GArray) pages = find_pages(report, rows);
    TgReportSection *section = tg_report_add_section(report, "pages", "Pages", NULL);

    g_ptr_array_add(section->grids, pages_grid(report, pages));
    report->pages = pages_json(report, pages);
}
