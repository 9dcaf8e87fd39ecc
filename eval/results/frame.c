#include "eval/results/frame.h"

#include <math.h>

#include "core/arrow/out.h"
#include "core/json.h"
#include "eval/results/results.h"
#include "metrics/metric.h"

#define BATCH_ROWS 8192
/* A row has 64 MiB at most, so that a column stays below 2^31. */
#define BATCH_BYTES ((gsize) 64 << 20)

/* The columns that every row has, in their order. */
static const TgArrowField fixed_fields[] = {
    { "row", "l" },    { "id", "u" },  { "model", "u" },
    { "subset", "u" }, { "gt", "+l" }, { "pred", "u" },
};
enum { FRAME_ROW, FRAME_ID, FRAME_MODEL, FRAME_SUBSET, FRAME_GT, FRAME_PRED, FRAME_N_FIXED };

typedef struct {
    TgResultsReader *reader;
    TgScoreLayout *layout; /* the reader's */
    GPtrArray *stored;     /* char *: names of stored columns */
    gboolean *is_number;   /* [stored] */
    GPtrArray *names;      /* char *, of all fields */
    GArray *fields;        /* TgArrowField */
    GPtrArray *builders;   /* TgArrowBuilder, one a field */
} Frame;

static void frame_free(gpointer data)
{
    Frame *frame = data;

    tg_results_close(frame->reader);
    g_ptr_array_unref(frame->stored);
    g_free(frame->is_number);
    g_ptr_array_unref(frame->names);
    g_array_unref(frame->fields);
    g_ptr_array_unref(frame->builders);
    g_free(frame);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Frame, frame_free)

/* ---- columns ---- */

/* Look at the stored values of a row: which there are, and whether they are numbers. */
static void inspect_stored(Frame *frame, const TgResultsRow *row)
{
    const char *name;
    json_t *value;
    guint place;

    json_object_foreach(json_object_get(row->json, "stored"), name, value)
    {
        if (!g_ptr_array_find_with_equal_func(frame->stored, name, g_str_equal, &place)) {
            place = frame->stored->len;
            g_ptr_array_add(frame->stored, g_strdup(name));
            frame->is_number = g_renew(gboolean, frame->is_number, frame->stored->len);
            frame->is_number[place] = TRUE;
        }
        if (!json_is_number(value) && !json_is_null(value))
            frame->is_number[place] = FALSE;
    }
}

/* Types must be known before the first batch. All rows have the same stored columns. */
static gboolean find_stored(Frame *frame, const char *path, GError **error)
{
    g_autoptr(TgResultsReader) reader = tg_results_open(path, error);
    const TgResultsRow *row;
    GError *trouble = NULL;

    if (reader == NULL)
        return FALSE;
    while (tg_results_next(reader, &row, &trouble)) {
        inspect_stored(frame, row);
        if (frame->stored->len == 0)
            break;
    }
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    return trouble == NULL;
}

/* @name is taken over. */
static void add_field(Frame *frame, char *name, const char *format)
{
    const TgArrowField field = { name, format };

    g_ptr_array_add(frame->names, name);
    g_array_append_val(frame->fields, field);
    g_ptr_array_add(frame->builders, tg_arrow_builder_new(format));
}

static void add_fields(Frame *frame)
{
    const TgScoreLayout *layout = frame->layout;

    for (guint i = 0; i < FRAME_N_FIXED; i++)
        add_field(frame, g_strdup(fixed_fields[i].name), fixed_fields[i].format);
    for (guint i = 0; i < frame->stored->len; i++)
        add_field(frame, g_strdup(frame->stored->pdata[i]), frame->is_number[i] ? "g" : "u");
    for (guint i = 0; i < layout->n_columns; i++)
        add_field(frame, g_strdup(tg_score_layout_column_name(layout, i)), "g");
    for (guint i = 0; i < layout->metrics->len; i++)
        add_field(frame,
                  g_strconcat(tg_metric_label(tg_score_layout_metric(layout, i)), ".status", NULL),
                  "u");
}

/* ---- rows ---- */

static void put_stored(TgArrowBuilder *builder, const json_t *value, gboolean is_number)
{
    if (is_number) {
        tg_arrow_builder_add_double(builder,
                                    json_is_number(value) ? json_number_value(value) : NAN);
    } else if (value == NULL || json_is_null(value) || json_is_string(value)) {
        tg_arrow_builder_add_text(builder, json_string_value(value));
    } else {
        g_autoptr(GString) text = g_string_new(NULL);

        tg_json_append(text, value);
        tg_arrow_builder_add_text(builder, text->str);
    }
}

static void put_truths(TgArrowBuilder *builder, const json_t *truths)
{
    json_t *truth;
    gsize i;

    json_array_foreach(truths, i, truth)
        tg_arrow_builder_add_text(builder, json_string_value(truth));
    tg_arrow_builder_end_list(builder);
}

static void put_row(const Frame *frame, const TgResultsRow *row)
{
    TgArrowBuilder **builders = (TgArrowBuilder **) frame->builders->pdata;
    const json_t *stored = json_object_get(row->json, "stored");
    guint at = FRAME_N_FIXED;

    tg_arrow_builder_add_int(builders[FRAME_ROW], (gint64) row->row);
    tg_arrow_builder_add_text(builders[FRAME_ID], row->id);
    tg_arrow_builder_add_text(builders[FRAME_MODEL], row->model);
    tg_arrow_builder_add_text(builders[FRAME_SUBSET], row->subset);
    put_truths(builders[FRAME_GT], json_object_get(row->json, "gt"));
    tg_arrow_builder_add_text(builders[FRAME_PRED],
                              json_string_value(json_object_get(row->json, "pred")));
    for (guint i = 0; i < frame->stored->len; i++)
        put_stored(builders[at++], json_object_get(stored, frame->stored->pdata[i]),
                   frame->is_number[i]);
    for (guint i = 0; i < frame->layout->n_columns; i++)
        tg_arrow_builder_add_double(builders[at++], row->scores.columns[i]);
    for (guint i = 0; i < frame->layout->metrics->len; i++)
        tg_arrow_builder_add_text(builders[at++],
                                  row->scores.status[i] != NULL ? row->scores.status[i] : "ok");
}

static gboolean is_full(const Frame *frame, gsize n_rows)
{
    gsize bytes = 0;

    for (guint i = 0; i < frame->builders->len; i++)
        bytes += tg_arrow_builder_size(frame->builders->pdata[i]);
    return n_rows >= BATCH_ROWS || bytes >= BATCH_BYTES;
}

static gboolean frame_next(gpointer self, struct ArrowArray *out, GError **error)
{
    Frame *frame = self;
    const guint n_columns = frame->builders->len;
    const TgResultsRow *row;
    GError *trouble = NULL;
    gsize n_rows = 0;

    while (!is_full(frame, n_rows) && tg_results_next(frame->reader, &row, &trouble)) {
        put_row(frame, row);
        n_rows++;
    }
    if (trouble != NULL) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    if (n_rows == 0)
        return TRUE;
    g_autofree struct ArrowArray *columns = g_new0(struct ArrowArray, n_columns);
    for (guint i = 0; i < n_columns; i++)
        tg_arrow_builder_finish(frame->builders->pdata[i], &columns[i]);
    tg_arrow_array_of_columns(out, n_rows, columns, n_columns);
    return TRUE;
}

static void frame_schema(gpointer self, struct ArrowSchema *out)
{
    const Frame *frame = self;

    tg_arrow_schema_make(out, (const TgArrowField *) (gpointer) frame->fields->data,
                         frame->fields->len);
}

gboolean tg_results_frame(const char *path, struct ArrowArrayStream *out, GError **error)
{
    static const TgArrowSource source = { frame_schema, frame_next, frame_free };
    g_autoptr(Frame) frame = g_new0(Frame, 1);

    frame->stored = g_ptr_array_new_with_free_func(g_free);
    frame->names = g_ptr_array_new_with_free_func(g_free);
    frame->fields = g_array_new(FALSE, FALSE, sizeof(TgArrowField));
    frame->builders = g_ptr_array_new_with_free_func((GDestroyNotify) tg_arrow_builder_free);
    if (!find_stored(frame, path, error))
        return FALSE;
    frame->reader = tg_results_open(path, error);
    if (frame->reader == NULL)
        return FALSE;
    frame->layout = tg_results_layout(frame->reader);
    add_fields(frame);
    tg_arrow_stream_make(out, &source, g_steal_pointer(&frame));
    return TRUE;
}
