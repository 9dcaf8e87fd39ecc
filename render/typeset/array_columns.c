/* The templates of an array's columns. */
#include "render/typeset/array_columns.h"

#include <string.h>

#include "render/typeset/build.h"
#include "render/typeset/halign.h"
#include "tokenizer/tree/tree.h"

static void column_free(gpointer data)
{
    TgArrayColumn *column = data;

    g_array_unref(column->before);
    g_array_unref(column->after);
    g_free(column);
}

static TgArrayColumn *column_new(guint8 align)
{
    TgArrayColumn *column = g_new0(TgArrayColumn, 1);

    column->before = g_array_new(FALSE, FALSE, sizeof(TgHalignPiece));
    column->after = g_array_new(FALSE, FALSE, sizeof(TgHalignPiece));
    column->align = align;
    return column;
}

TgScaled tg_array_setting(TgLayout *self, const TgArray *array, TgSetting setting)
{
    return tg_layout_length(self, tg_setting(array->settings, setting));
}

static TgScaled col_sep(TgLayout *self, const TgArray *array)
{
    if (array->environment == TG_ENV_SUBARRAY || array->environment == TG_ENV_SMALLMATRIX)
        return 0;
    return tg_array_setting(self, array,
                            array->text ? TG_SETTING_TABCOLSEP : TG_SETTING_ARRAYCOLSEP);
}

static void add_blank(GArray *pieces, TgScaled width)
{
    const TgHalignPiece piece = { .width = width, .token = TG_NO_TOKEN };

    g_array_append_val(pieces, piece);
}

/* ---- Column specifications ------------------------------------------------------------------- */

/* The item before, as LaTeX's \@mkpream distinguishes it. */
typedef enum { AFTER_START, AFTER_COLUMN, AFTER_LINE, AFTER_MATERIAL } Before;

/* Reads items into columns; pieces before the first column belong to that one. */
typedef struct {
    TgLayout *layout;
    const TgArray *array;
    GPtrArray *columns;
    GArray *pending; /* pieces before the first column */
    Before before;
    const TgNode *pre;
} SpecReader;

static GArray *current_pieces(SpecReader *reader)
{
    if (reader->columns->len == 0)
        return reader->pending;
    return ((TgArrayColumn *) g_ptr_array_index(reader->columns, reader->columns->len - 1))->after;
}

static void read_column(SpecReader *reader, const TgColumnItem *item)
{
    TgArrayColumn *column = column_new(item->align);

    if (reader->before == AFTER_COLUMN)
        add_blank(current_pieces(reader), col_sep(reader->layout, reader->array));
    if (reader->columns->len == 0)
        g_array_append_vals(column->before, reader->pending->data, reader->pending->len);
    if (reader->before != AFTER_MATERIAL)
        add_blank(column->before, col_sep(reader->layout, reader->array));
    if (strchr("pmb", item->align) != NULL) {
        column->align = 'l';
        column->width = tg_layout_length(reader->layout, item->width);
    }
    column->pre = reader->pre;
    reader->pre = NULL;
    g_ptr_array_add(reader->columns, column);
    reader->before = AFTER_COLUMN;
}

static void read_line(SpecReader *reader, const TgColumnItem *item)
{
    const TgHalignPiece line = { .line = 1, .token = item->token };

    if (reader->before == AFTER_COLUMN)
        add_blank(current_pieces(reader), col_sep(reader->layout, reader->array));
    else if (reader->before == AFTER_LINE)
        add_blank(current_pieces(reader),
                  tg_array_setting(reader->layout, reader->array, TG_SETTING_DOUBLERULESEP));
    g_array_append_val(current_pieces(reader), line);
    reader->before = AFTER_LINE;
}

static void read_material(SpecReader *reader, const TgColumnItem *item)
{
    TgLayout *self = reader->layout;
    const TgHalignPiece piece = { .item = tg_layout_formula(self, item->material, TG_TEXT),
                                  .token = TG_NO_TOKEN };

    if (item->kind == TG_COLUMN_BANG && reader->before == AFTER_COLUMN)
        add_blank(current_pieces(reader), col_sep(reader->layout, reader->array));
    if (reader->before == AFTER_LINE)
        add_blank(current_pieces(reader),
                  tg_array_setting(self, reader->array, TG_SETTING_ARRAYRULEWIDTH) / 2);
    g_array_append_val(current_pieces(reader), piece);
    reader->before = item->kind == TG_COLUMN_BANG ? AFTER_LINE : AFTER_MATERIAL;
}

GPtrArray *tg_array_columns_read(TgLayout *self, const TgArray *array, const TgColumnItem *items,
                                 guint n)
{
    SpecReader reader = { .layout = self,
                          .array = array,
                          .columns = g_ptr_array_new_with_free_func(column_free),
                          .pending = g_array_new(FALSE, FALSE, sizeof(TgHalignPiece)) };

    for (guint i = 0; i < n; i++) {
        switch ((TgColumnItemKind) items[i].kind) {
        case TG_COLUMN_CELL:
            read_column(&reader, &items[i]);
            break;
        case TG_COLUMN_LINE:
            read_line(&reader, &items[i]);
            break;
        case TG_COLUMN_AT:
        case TG_COLUMN_BANG:
            read_material(&reader, &items[i]);
            break;
        case TG_COLUMN_PRE:
            reader.pre = items[i].material;
            break;
        case TG_COLUMN_POST:
            if (reader.columns->len > 0)
                ((TgArrayColumn *) g_ptr_array_index(reader.columns, reader.columns->len - 1))
                    ->post = items[i].material;
            break;
        }
    }
    if (reader.before == AFTER_COLUMN)
        add_blank(current_pieces(&reader), col_sep(self, array));
    g_array_unref(reader.pending);
    return reader.columns;
}

/* ---- Columns of the other environments ------------------------------------------------------- */

static TgArrayColumn *array_columns_add(GPtrArray *columns, guint8 align, TgScaled before,
                                        TgScaled after)
{
    TgArrayColumn *column = column_new(align);

    if (before != 0)
        add_blank(column->before, before);
    if (after != 0)
        add_blank(column->after, after);
    g_ptr_array_add(columns, column);
    return column;
}

/* mathtools' cases (dcases, rcases) are alignments; amsmath's are an array. */
gboolean tg_array_is_aligned_cases(const TgArray *array)
{
    return array->environment == TG_ENV_CASES && (array->display || array->left == NULL);
}

/* How the columns of matrix*[r] are aligned: as the first one. */
static guint8 preset_alignment(const GPtrArray *columns)
{
    if (columns->len == 0)
        return 'c';
    return ((const TgArrayColumn *) g_ptr_array_index(columns, 0))->align;
}

void tg_array_columns_add_default(TgLayout *self, const TgArray *array, GPtrArray *columns, guint n)
{
    const TgScaled quad = tg_layout_em(self);
    const TgScaled sep = tg_array_setting(self, array, TG_SETTING_ARRAYCOLSEP);
    const TgScaled thick = tg_xn_over_d(quad, 18199, 65536); /* .2777 em */

    for (guint c = 0; c < n; c++) {
        switch ((TgEnvironment) array->environment) {
        case TG_ENV_SMALLMATRIX:
            array_columns_add(columns, preset_alignment(columns), columns->len > 0 ? thick : 0, 0);
            break;
        case TG_ENV_CASES: /* @{}l@{\quad}l@{} */
            if (tg_array_is_aligned_cases(array))
                array_columns_add(columns, 'l', c > 0 ? quad : 0, 0);
            else
                array_columns_add(columns, 'l', 0, c == 0 ? quad : 0);
            break;
        case TG_ENV_PLAIN_CASES:
            array_columns_add(columns, 'l', c > 0 ? quad : 0, 0);
            break;
        case TG_ENV_ALIGNED:
        case TG_ENV_ALIGNEDAT:
        case TG_ENV_EQALIGN:
            array_columns_add(columns, c % 2 == 0 ? 'r' : 'l', 0, 0);
            break;
        case TG_ENV_EQNARRAY:
            array_columns_add(columns, c == 0 ? 'r' : c == 1 ? 'c' : 'l', c > 0 ? 2 * sep : 0, 0);
            break;
        case TG_ENV_PLAIN_MATRIX:
            array_columns_add(columns, 'c', c > 0 ? quad : 0, 0);
            break;
        case TG_ENV_ARRAY:
            array_columns_add(columns, 'c', sep, sep);
            break;
        case TG_ENV_MATRIX:
            array_columns_add(columns, preset_alignment(columns), sep, sep);
            break;
        default:
            array_columns_add(columns, 'c', 0, 0);
            break;
        }
    }
}
