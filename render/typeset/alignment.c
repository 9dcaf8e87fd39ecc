/* \halign: columns as wide as their widest cell, rows piled with interline glue. */
#include "render/typeset/alignment.h"

#include <string.h>

#include "tokenizer/tree/tree.h"

void tg_table_init(TgTable *table, TgArena *arena, guint n_columns)
{
    *table = (TgTable){ .arena = arena, .n_columns = n_columns };
    table->lines = g_array_new(FALSE, TRUE, sizeof(TgTableLine));
    table->tabskips = g_array_new(FALSE, TRUE, sizeof(TgScaled));
    g_array_set_size(table->tabskips, n_columns);
}

void tg_table_clear(TgTable *table)
{
    g_array_unref(table->lines);
    g_array_unref(table->tabskips);
}

TgTableLine *tg_table_add(TgTable *table, TgTableLineKind kind)
{
    const TgTableLine line = { .kind = kind, .token = TG_NO_TOKEN };

    g_array_append_val(table->lines, line);
    return &g_array_index(table->lines, TgTableLine, table->lines->len - 1);
}

TgTableLine *tg_table_add_row(TgTable *table, guint n_cells)
{
    TgTableLine *row = tg_table_add(table, TG_TABLE_ROW);

    row->n_cells = n_cells;
    row->cells = tg_arena_alloc(table->arena, sizeof(TgTableCell) * MAX(n_cells, 1));
    memset(row->cells, 0, sizeof(TgTableCell) * MAX(n_cells, 1));
    return row;
}

/* ---- Widths ---------------------------------------------------------------------------------- */

static TgScaled pieces_width(const GArray *pieces)
{
    TgScaled width = 0;

    for (guint i = 0; pieces != NULL && i < pieces->len; i++) {
        const TgTablePiece *piece = &g_array_index(pieces, TgTablePiece, i);
        width += piece->item != NULL ? piece->item->width : piece->width;
    }
    return width;
}

static TgScaled cell_width(const TgTableCell *cell)
{
    return pieces_width(cell->before) + cell->box->width + pieces_width(cell->after);
}

static TgScaled tabskip(const TgTable *table, guint column)
{
    return g_array_index(table->tabskips, TgScaled, column);
}

/* From column @first on, @span columns with what is between them. */
static TgScaled span_width(const TgTable *table, const TgScaled *widths, guint first, guint span)
{
    TgScaled width = 0;

    for (guint c = first; c < MIN(first + span, table->n_columns); c++)
        width += widths[c] + (c + 1 < first + span ? tabskip(table, c) : 0);
    return width;
}

/* Cells of @span columns make the last of them wider where need be (TeX §803). */
static void widen(const TgTable *table, TgScaled *widths, gboolean *used, guint span)
{
    for (guint i = 0; i < table->lines->len; i++) {
        const TgTableLine *line = &g_array_index(table->lines, TgTableLine, i);

        for (guint c = 0; line->kind == TG_TABLE_ROW && c < line->n_cells; c++) {
            const TgTableCell *cell = &line->cells[c];
            if (cell->box == NULL || cell->span != span)
                continue;
            const guint last = MIN(c + span, table->n_columns) - 1;
            const TgScaled others = span_width(table, widths, c, span) - widths[last];
            const TgScaled wanted = cell_width(cell) - others;
            if (!used[last] || wanted > widths[last])
                widths[last] = wanted;
            used[last] = TRUE;
        }
    }
}

static guint widest_span(const TgTable *table)
{
    guint span = 1;

    for (guint i = 0; i < table->lines->len; i++) {
        const TgTableLine *line = &g_array_index(table->lines, TgTableLine, i);
        for (guint c = 0; line->kind == TG_TABLE_ROW && c < line->n_cells; c++)
            span = MAX(span, line->cells[c].span);
    }
    return span;
}

static TgScaled *measure_columns(TgTable *table)
{
    TgScaled *widths = tg_arena_alloc(table->arena, sizeof(TgScaled) * (table->n_columns + 1));
    g_autofree gboolean *used = g_new0(gboolean, table->n_columns + 1);
    const guint widest = widest_span(table);

    memset(widths, 0, sizeof(TgScaled) * (table->n_columns + 1));
    for (guint span = 1; span <= widest; span++)
        widen(table, widths, used, span);
    for (guint c = 0; c < table->n_columns; c++) {
        if (!used[c]) /* no cell in the whole column: nor the space after it */
            g_array_index(table->tabskips, TgScaled, c) = 0;
    }
    return widths;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void add_pieces(TgTable *table, TgItemList *list, const GArray *pieces, TgScaled height,
                       TgScaled depth)
{
    for (guint i = 0; pieces != NULL && i < pieces->len; i++) {
        const TgTablePiece *piece = &g_array_index(pieces, TgTablePiece, i);

        if (piece->line) {
            TgItem *rule = tg_item_rule(table->arena, table->rule, height, depth);
            rule->token = piece->token;
            rule->color = table->color;
            tg_item_list_add(list, tg_item_kern(table->arena, -table->rule / 2));
            tg_item_list_add(list, rule);
            tg_item_list_add(list, tg_item_kern(table->arena, -(table->rule - table->rule / 2)));
        } else if (piece->item != NULL) {
            /* the same material stands in every row: each gets a box of its own around it */
            TgItem *box = tg_hpack(table->arena, piece->item->list);
            box->width = piece->item->width;
            tg_item_list_add(list, box);
        } else {
            tg_item_list_add(list, tg_item_kern(table->arena, piece->width));
        }
    }
}

static void row_extent(const TgTableLine *row, TgScaled *height, TgScaled *depth)
{
    *height = row->height;
    *depth = row->depth;
    for (guint c = 0; c < row->n_cells; c++) {
        const TgItem *box = row->cells[c].box;
        if (box == NULL)
            continue;
        *height = MAX(*height, box->height - box->shift);
        *depth = MAX(*depth, box->depth + box->shift);
        for (guint side = 0; side < 2; side++) {
            const GArray *pieces = side ? row->cells[c].after : row->cells[c].before;
            for (guint i = 0; pieces != NULL && i < pieces->len; i++) {
                const TgItem *item = g_array_index(pieces, TgTablePiece, i).item;
                *height = MAX(*height, item != NULL ? item->height : 0);
                *depth = MAX(*depth, item != NULL ? item->depth : 0);
            }
        }
    }
}

static TgItem *pack_row(TgTable *table, const TgTableLine *row, const TgScaled *widths,
                        TgScaled total)
{
    TgArena *arena = table->arena;
    TgScaled height, depth;
    TgItemList list;

    row_extent(row, &height, &depth);
    tg_item_list_init(&list);
    for (guint c = 0; c < row->n_cells; c++) {
        const TgTableCell *cell = &row->cells[c];
        if (cell->box == NULL)
            continue;
        const TgScaled width = span_width(table, widths, c, cell->span);
        TgItemList inside;
        tg_item_list_init(&inside);
        add_pieces(table, &inside, cell->before, height, depth);
        if (cell->align != 'l')
            tg_item_list_add(&inside, tg_item_fil(arena, 1));
        /* unpacked, so that an \hfill in it moves it within its column */
        tg_item_list_add(&inside, cell->box->kind == TG_ITEM_HBOX ? cell->box->list : cell->box);
        if (cell->align != 'r')
            tg_item_list_add(&inside, tg_item_fil(arena, 1));
        add_pieces(table, &inside, cell->after, height, depth);
        tg_item_list_add(&list, tg_hpack_to(arena, inside.first, width));
        const guint last = MIN(c + cell->span, table->n_columns) - 1;
        tg_item_list_add(&list, tg_item_kern(arena, tabskip(table, last)));
    }
    TgItem *box = tg_hpack(arena, list.first);
    box->width = total;
    box->height = height;
    box->depth = depth;
    return box;
}

/* ---- The pile -------------------------------------------------------------------------------- */

static TgItem *rule_line(TgTable *table, const TgTableLine *line, const TgScaled *widths,
                         TgScaled total)
{
    TgScaled before = 0, width = total;

    if (line->kind == TG_TABLE_CLINE) {
        const guint last = MIN(line->last, table->n_columns - 1);
        for (guint c = 0; c < MIN(line->first, table->n_columns); c++)
            before += widths[c] + tabskip(table, c);
        width = line->first <= last ? span_width(table, widths, line->first, last - line->first + 1)
                                    : 0;
    }
    TgItem *rule = tg_item_rule(table->arena, width, table->rule, 0);
    rule->token = line->token;
    rule->color = table->color;
    TgItem *box = tg_hpack(table->arena, rule);
    box->shift = before;
    return box;
}

/* Interline glue before a box, unless it is the first or follows a rule (TeX's append_to_vlist). */
static void add_box(TgTable *table, TgItemList *pile, TgItem *box, TgScaled *depth_before)
{
    if (*depth_before >= 0) {
        const TgScaled gap = table->leading.baselineskip - *depth_before - box->height;
        tg_item_list_add(pile, tg_item_kern(table->arena, gap < table->leading.lineskiplimit
                                                              ? table->leading.lineskip
                                                              : gap));
    }
    tg_item_list_add(pile, box);
    *depth_before = box->depth;
}

TgItem *tg_table_pack(TgTable *table)
{
    TgScaled *widths = measure_columns(table);
    TgScaled total = 0, depth_before = -1;
    TgItemList pile;

    for (guint c = 0; c < table->n_columns; c++)
        total += widths[c] + tabskip(table, c);
    tg_item_list_init(&pile);
    for (guint i = 0; i < table->lines->len; i++) {
        const TgTableLine *line = &g_array_index(table->lines, TgTableLine, i);

        switch (line->kind) {
        case TG_TABLE_ROW:
            add_box(table, &pile, pack_row(table, line, widths, total), &depth_before);
            break;
        case TG_TABLE_BOX:
            add_box(table, &pile, line->box, &depth_before);
            break;
        case TG_TABLE_LINE:
            tg_item_list_add(&pile, rule_line(table, line, widths, total));
            depth_before = -1;
            break;
        case TG_TABLE_CLINE:
            tg_item_list_add(&pile, rule_line(table, line, widths, total));
            tg_item_list_add(&pile, tg_item_kern(table->arena, -table->rule));
            break;
        case TG_TABLE_SKIP:
            tg_item_list_add(&pile, tg_item_kern(table->arena, line->skip));
            break;
        }
    }
    TgItem *box = tg_vpack(table->arena, pile.first);
    box->width = MAX(total, box->width);
    return box;
}
