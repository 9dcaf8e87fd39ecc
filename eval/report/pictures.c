/* Pairs drawn: the worst, those in the middle, and those that two metrics disagree about. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <texgauge/render.h>

#include "eval/report/sections.h"
#include "eval/stats/ranked.h"
#include "metrics/metric.h"

enum { MAX_PICTURES = 1000, DIGITS = 4, PICTURE_DPI = 140 };

/* What to draw pairs with. */
typedef struct {
    TgFonts *fonts;
    TgRenderer *renderer;
    TgEnv *env;
} Pen;

static void pen_clear(Pen *pen)
{
    g_clear_pointer(&pen->env, tg_env_free);
    g_clear_pointer(&pen->renderer, tg_renderer_free);
    g_clear_pointer(&pen->fonts, tg_fonts_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Pen, pen_clear)

/* A pair and its place in an order. */
typedef struct {
    guint row;
    double key; /* lower comes first */
} Candidate;

static int report_compare_candidates(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;

    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->row > y->row) - (x->row < y->row);
}

static double aligned(const TgTableColumn *column, guint row)
{
    return column->lower_is_better ? -column->values[row] : column->values[row];
}

/* The first of the shown columns that @preferred names (NULL last) and that is not @taken; else the
 * first that is not. NULL: there is none. */
static const TgTableColumn *choose_column(const TgReport *report, const char *const *preferred,
                                          const TgTableColumn *taken)
{
    const TgTableColumn *any = NULL;

    for (guint i = report->shown->len; i-- > 0;) {
        if (tg_report_column(report, i) != taken)
            any = tg_report_column(report, i);
    }
    for (; *preferred != NULL; preferred++) {
        for (guint i = 0; i < report->shown->len; i++) {
            const TgTableColumn *column = tg_report_column(report, i);

            if (column != taken && strcmp(column->name, *preferred) == 0)
                return column;
        }
    }
    return any;
}

/* The column that pictures go by: CDM looks at pictures; edit distance sees every token. */
static const TgTableColumn *leading_column(const TgReport *report)
{
    static const char *const preferred[] = { "cdm", "forte", "edit", NULL };

    return choose_column(report, preferred, NULL);
}

/* Another one to dispute with; NULL where there is none. */
static const TgTableColumn *second_column(const TgReport *report, const TgTableColumn *first)
{
    static const char *const preferred[] = { "forte", NULL };

    return choose_column(report, preferred, first);
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
        qsort(list, *n, sizeof *list, report_compare_candidates);
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
        qsort(list, *n, sizeof *list, report_compare_candidates);
    return list;
}

/* ---- drawing ---- */

static void free_image(gpointer data)
{
    TgReportImage *image = data;

    g_bytes_unref(image->bytes);
    g_free(image->alt);
    g_free(image);
}

static void add_image(TgReportPicture *picture, const char *title, const char *type, GBytes *bytes,
                      const char *alt)
{
    TgReportImage *image = g_new(TgReportImage, 1);

    *image = (TgReportImage){ title, type, bytes, g_strdup(alt) };
    g_ptr_array_add(picture->images, image);
}

/* Notes a pair or a side that cannot be drawn; FALSE with @error for any other error. */
static gboolean note_fault(TgReportPicture *picture, const char *name, GError *trouble,
                           GError **error)
{
    if (!g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE) &&
        !g_error_matches(trouble, TG_ERROR, TG_ERROR_DATA)) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    if (picture->fault == NULL)
        picture->fault = g_strdup_printf("%s: %s", name, trouble->message);
    g_error_free(trouble);
    return TRUE;
}

/* One side as it is. */
static gboolean draw_side(Pen *pen, TgReportPicture *picture, const char *name, const char *tex,
                          GError **error)
{
    TgRenderOptions options = TG_RENDER_OPTIONS_INIT;
    g_autoptr(TgDrawing) drawing = NULL;
    GError *trouble = NULL;
    GBytes *bytes = NULL;

    options.dpi = PICTURE_DPI;
    drawing = tg_renderer_draw(pen->renderer, tex, strlen(tex), &options, &trouble);
    if (drawing != NULL)
        bytes = tg_drawing_encode(drawing, TG_FORMAT_SVG, TG_INK_NATURAL, &trouble);
    if (bytes == NULL)
        return note_fault(picture, name, trouble, error);
    add_image(picture, name, "image/svg+xml", bytes, tex);
    return TRUE;
}

/* The pair as a metric sees it; with numbers where a list of edits goes by them. */
static gboolean draw_match(const TgReport *report, Pen *pen, TgReportPicture *picture,
                           const TgMetric *metric, const TgPair *pair, GError **error)
{
    const char *label = tg_metric_label(metric);
    TgPairPictureOptions how = TG_PAIR_PICTURE_OPTIONS_INIT;
    g_autofree char *alt = g_strdup_printf("%s: %s against %s", label, pair->refs[0], pair->hyp);
    GError *trouble = NULL;
    GBytes *bytes = NULL;

    how.labels = g_strcmp0(label, report->edits_by) == 0 ? TG_LABELS_WRONG : TG_LABELS_NONE;
    how.tint = how.labels == TG_LABELS_NONE;
    g_autoptr(TgPairPicture) match =
        tg_metric_picture(metric, pen->env, pen->renderer, pair, &trouble);
    if (match != NULL)
        bytes = tg_pair_picture_encode(match, pen->renderer, TG_FORMAT_PNG, &how, &trouble);
    if (bytes == NULL)
        return note_fault(picture, label, trouble, error);
    add_image(picture, label, "image/png", bytes, alt);
    return TRUE;
}

/* Both sides as the metrics that can show them do; where none can, as they are. */
static gboolean report_add_picture(TgReport *report, TgReportSection *section, Pen *pen, guint row,
                                   GError **error)
{
    const GPtrArray *metrics = report->table->layout->metrics;
    const TgTableRow *source = &report->table->rows[row];
    const TgPair pair = { source->id != NULL ? source->id : "", source->refs,
                          g_strv_length((char **) source->refs),
                          source->hyp != NULL ? source->hyp : "" };
    TgReportPicture *picture = g_new0(TgReportPicture, 1);

    g_ptr_array_add(section->pictures, picture);
    picture->row = row;
    picture->images = g_ptr_array_new_with_free_func(free_image);
    for (guint m = 0; pair.n_refs > 0 && m < metrics->len; m++) {
        const TgMetric *metric = tg_score_layout_metric(report->table->layout, m);

        if (tg_metric_has_picture(metric) &&
            !draw_match(report, pen, picture, metric, &pair, error))
            return FALSE;
    }
    if (picture->images->len > 0)
        return TRUE;
    if (source->refs[0] != NULL && !draw_side(pen, picture, "truth", source->refs[0], error))
        return FALSE;
    return source->hyp == NULL || draw_side(pen, picture, "prediction", source->hyp, error);
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
        tg_grid_put(grid, tg_report_model_name(report, row->model));
        tg_grid_put(grid, tg_report_subset_name(report, row->subset));
        tg_grid_put(grid, row->refs[0] != NULL ? row->refs[0] : "");
        tg_grid_put(grid, row->hyp != NULL ? row->hyp : "-");
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
    section = tg_report_add_section(report, id, title, text);
    g_ptr_array_add(section->grids, pairs_grid(report, title, list, n));
    for (guint i = 0; i < n; i++) {
        if (!report_add_picture(report, section, pen, list[i].row, error))
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
            g_set_error(
                error, TG_ERROR, TG_ERROR_USAGE,
                "pictures must be a list of worst:N, median:N and disputed:N with N up to %d, "
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
            pen.env = tg_env_new();
        }
        if (!kinds[kind].add(report, &pen, limit, error))
            return FALSE;
    }
    return TRUE;
}
