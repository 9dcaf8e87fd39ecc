/* Pairs drawn: the worst, those in the middle, and those that two metrics disagree about. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <texgauge/render.h>

#include "eval/report.h"
#include "eval/stats_ranked.h"

enum { MAX_PICTURES = 1000, DIGITS = 4, PICTURE_DPI = 140 };

/* What to draw pairs with. */
typedef struct {
    TgFonts *fonts;
    TgRenderer *renderer;
} Pen;

static void pen_clear(Pen *pen)
{
    g_clear_pointer(&pen->renderer, tg_renderer_free);
    g_clear_pointer(&pen->fonts, tg_fonts_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Pen, pen_clear)

/* A pair and its place in an order. */
typedef struct {
    guint row;
    double key; /* lower comes first */
} Candidate;

static int compare_candidates(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;

    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->row > y->row) - (x->row < y->row);
}

static double aligned(const TgTableColumn *column, guint row)
{
    return column->lower_is_better ? -column->values[row] : column->values[row];
}

/* The column that pictures go by: CDM looks at pictures; edit distance sees every token. */
static const TgTableColumn *leading_column(const TgReport *report)
{
    static const char *const preferred[] = { "cdm", "edit" };

    for (guint p = 0; p < G_N_ELEMENTS(preferred); p++) {
        for (guint i = 0; i < report->shown->len; i++) {
            if (strcmp(tg_report_column(report, i)->name, preferred[p]) == 0)
                return tg_report_column(report, i);
        }
    }
    return tg_report_column(report, 0);
}

/* Another column, of which the first is taken; NULL where there is none. */
static const TgTableColumn *second_column(const TgReport *report, const TgTableColumn *first)
{
    for (guint i = 0; i < report->shown->len; i++) {
        if (tg_report_column(report, i) != first)
            return tg_report_column(report, i);
    }
    return NULL;
}

/* Pairs that a column scores, worst first. (transfer full) */
static Candidate *from_worst(const TgReport *report, const TgTableColumn *column, guint *n)
{
    Candidate *list = g_new(Candidate, report->table->n_rows);

    *n = 0;
    for (guint i = 0; i < report->table->n_rows; i++) {
        if (!isnan(column->values[i]))
            list[(*n)++] = (Candidate){ i, aligned(column, i) };
    }
    if (*n > 1)
        qsort(list, *n, sizeof *list, compare_candidates);
    return list;
}

/* Pairs that two columns score, most different places in their orders first. (transfer full) */
static Candidate *from_disputed(const TgReport *report, const TgTableColumn *a,
                                const TgTableColumn *b, guint *n)
{
    const guint n_rows = report->table->n_rows;
    Candidate *list = g_new(Candidate, n_rows);
    g_autofree double *x = g_new(double, n_rows);
    g_autofree double *y = g_new(double, n_rows);

    *n = 0;
    for (guint i = 0; i < n_rows; i++) {
        if (isnan(a->values[i]) || isnan(b->values[i]))
            continue;
        x[*n] = aligned(a, i);
        y[*n] = aligned(b, i);
        list[(*n)++].row = i;
    }
    g_autoptr(TgRanked) by_x = tg_ranked_new(x, *n);
    g_autoptr(TgRanked) by_y = tg_ranked_new(y, *n);
    tg_ranked_mid_ranks(by_x, NULL, *n, x);
    tg_ranked_mid_ranks(by_y, NULL, *n, y);
    for (guint i = 0; i < *n; i++)
        list[i].key = -fabs(x[i] - y[i]);
    if (*n > 1)
        qsort(list, *n, sizeof *list, compare_candidates);
    return list;
}

/* ---- drawing ---- */

/* One side as SVG; NULL where it cannot be drawn, which is noted in @fault. */
static char *draw(Pen *pen, const char *name, const char *tex, char **fault, GError **error)
{
    TgRenderOptions options = TG_RENDER_OPTIONS_INIT;
    g_autoptr(TgDrawing) drawing = NULL;
    GError *trouble = NULL;
    GBytes *bytes = NULL;
    char *svg;

    options.dpi = PICTURE_DPI;
    drawing = tg_renderer_draw(pen->renderer, tex, strlen(tex), &options, &trouble);
    if (drawing != NULL)
        bytes = tg_drawing_encode(drawing, TG_FORMAT_SVG, TG_INK_NATURAL, &trouble);
    if (bytes != NULL) {
        svg = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
        g_bytes_unref(bytes);
        return svg;
    }
    if (!g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, trouble);
        return NULL;
    }
    if (*fault == NULL)
        *fault = g_strdup_printf("%s: %s", name, trouble->message);
    g_error_free(trouble);
    return NULL;
}

static gboolean add_picture(TgReport *report, TgReportSection *section, Pen *pen, guint row,
                            GError **error)
{
    const TgTableRow *pair = &report->table->rows[row];
    TgReportPicture *picture = g_new0(TgReportPicture, 1);
    GError *trouble = NULL;

    g_ptr_array_add(section->pictures, picture);
    picture->row = row;
    if (pair->refs[0] != NULL)
        picture->truth = draw(pen, "truth", pair->refs[0], &picture->fault, &trouble);
    if (trouble == NULL && pair->pred != NULL)
        picture->pred = draw(pen, "prediction", pair->pred, &picture->fault, &trouble);
    if (trouble == NULL)
        return TRUE;
    g_propagate_error(error, trouble);
    return FALSE;
}

/* ---- sections ---- */

/* The same pairs as a table, for the forms that have no pictures. */
static TgGrid *pairs_grid(const TgReport *report, const char *title, const Candidate *list, guint n)
{
    const TgTable *table = report->table;
    TgGrid *grid = tg_grid_new(title, 5);

    tg_grid_heads(grid,
                  (const char *const[]){ "id", "model", "subset", "truth", "prediction", NULL });
    for (guint c = 0; c < report->shown->len; c++)
        tg_grid_head(grid, tg_report_column(report, c)->name);
    for (guint i = 0; i < n; i++) {
        const TgTableRow *row = &table->rows[list[i].row];

        tg_grid_put(grid, row->id != NULL ? row->id : "-");
        tg_grid_put(grid, tg_report_model(report, row->model));
        tg_grid_put(grid, tg_report_subset(report, row->subset));
        tg_grid_put(grid, row->refs[0] != NULL ? row->refs[0] : "");
        tg_grid_put(grid, row->pred != NULL ? row->pred : "-");
        for (guint c = 0; c < report->shown->len; c++)
            tg_grid_put_number(grid, tg_report_column(report, c)->values[list[i].row], DIGITS);
    }
    return grid;
}

static gboolean add_pairs(TgReport *report, Pen *pen, const char *id, const char *title,
                          const char *text, const Candidate *list, guint n, GError **error)
{
    TgReportSection *section;

    if (n == 0)
        return TRUE;
    section = tg_report_section(report, id, title, text);
    g_ptr_array_add(section->grids, pairs_grid(report, title, list, n));
    for (guint i = 0; i < n; i++) {
        if (!add_picture(report, section, pen, list[i].row, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean add_worst(TgReport *report, Pen *pen, guint limit, GError **error)
{
    const TgTableColumn *column = leading_column(report);
    g_autofree char *text = g_strdup_printf("The pairs with the worst %s.", column->name);
    guint n;
    g_autofree Candidate *list = from_worst(report, column, &n);

    return add_pairs(report, pen, "worst", "Worst pairs", text, list, MIN(n, limit), error);
}

static gboolean add_median(TgReport *report, Pen *pen, guint limit, GError **error)
{
    const TgTableColumn *column = leading_column(report);
    g_autofree char *text =
        g_strdup_printf("The pairs in the middle of the order by %s.", column->name);
    guint n;
    g_autofree Candidate *list = from_worst(report, column, &n);
    const guint taken = MIN(n, limit);

    return n == 0 || add_pairs(report, pen, "median", "Median pairs", text, list + (n - taken) / 2,
                               taken, error);
}

static gboolean add_disputed(TgReport *report, Pen *pen, guint limit, GError **error)
{
    const TgTableColumn *a = leading_column(report), *b = second_column(report, a);
    g_autofree char *text = NULL;
    g_autofree Candidate *list = NULL;
    guint n;

    if (b == NULL)
        return TRUE;
    text = g_strdup_printf("The pairs that %s and %s rank most differently.", a->name, b->name);
    list = from_disputed(report, a, b, &n);
    return add_pairs(report, pen, "disputed", "Disputed pairs", text, list, MIN(n, limit), error);
}

static const struct {
    const char *name;
    gboolean (*add)(TgReport *report, Pen *pen, guint limit, GError **error);
} kinds[] = {
    { "worst", add_worst },
    { "median", add_median },
    { "disputed", add_disputed },
};

/* "worst:50" into its kind and number; -1 for anything else. */
static gint parse_kind(const char *text, guint *limit)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    guint64 number;

    if (g_strv_length(parts) != 2 ||
        !g_ascii_string_to_unsigned(parts[1], 10, 0, MAX_PICTURES, &number, NULL))
        return -1;
    *limit = (guint) number;
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
        if (strcmp(parts[0], kinds[k].name) == 0)
            return (gint) k;
    }
    return -1;
}

gboolean tg_report_add_pictures(TgReport *report, const char *wanted, GError **error)
{
    g_auto(GStrv) words = g_strsplit(wanted, ",", -1);
    g_auto(Pen) pen = { 0 };

    for (guint i = 0; words[i] != NULL; i++) {
        guint limit = 0;
        const gint kind = parse_kind(words[i], &limit);

        if (kind < 0) {
            g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                        "pictures are a list of worst:N, median:N and disputed:N with N up to %d, "
                        "not '%s'",
                        MAX_PICTURES, words[i]);
            return FALSE;
        }
        if (limit == 0 || report->shown->len == 0)
            continue;
        if (pen.renderer == NULL) {
            pen.fonts = tg_fonts_new(error);
            if (pen.fonts == NULL)
                return FALSE;
            pen.renderer = tg_renderer_new(pen.fonts);
        }
        if (!kinds[kind].add(report, &pen, limit, error))
            return FALSE;
    }
    return TRUE;
}
