/* \halign: columns as wide as their widest cell, rows stacked with interline glue. */
#include "render/typeset/halign.h"

#include <string.h>

#include "tokenizer/tree/tree.h"

enum { MAX_LEADERS = 1000 };

void tg_halign_init(TgHalign *halign, TgArena *arena, guint n_columns)
{
    *halign = (TgHalign){ .arena = arena, .n_columns = n_columns };
    halign->lines = g_array_new(FALSE, TRUE, sizeof(TgHalignLine));
    halign->tabskips = g_array_new(FALSE, TRUE, sizeof(TgScaled));
    g_array_set_size(halign->tabskips, n_columns);
}

void tg_halign_clear(TgHalign *halign)
{
    g_array_unref(halign->lines);
    g_array_unref(halign->tabskips);
}

TgHalignLine *tg_halign_add(TgHalign *halign, TgHalignLineKind kind)
{
    const TgHalignLine line = { .kind = kind, .token = TG_NO_TOKEN };

    g_array_append_val(halign->lines, line);
    return &g_array_index(halign->lines, TgHalignLine, halign->lines->len - 1);
}

TgHalignLine *tg_halign_add_row(TgHalign *halign, guint n_cells)
{
    TgHalignLine *row = tg_halign_add(halign, TG_HALIGN_ROW);

    row->n_cells = n_cells;
    row->cells = tg_arena_alloc(halign->arena, sizeof(TgHalignCell) * MAX(n_cells, 1));
    memset(row->cells, 0, sizeof(TgHalignCell) * MAX(n_cells, 1));
    return row;
}

/* ---- Widths ---------------------------------------------------------------------------------- */

static TgScaled pieces_width(const GArray *pieces)
{
    TgScaled width = 0;

    for (guint i = 0; pieces != NULL && i < pieces->len; i++) {
        const TgHalignPiece *piece = &g_array_index(pieces, TgHalignPiece, i);
        width += piece->item != NULL ? piece->item->width : piece->width;
    }
    return width;
}

static TgScaled cell_width(const TgHalignCell *cell)
{
    return pieces_width(cell->before) + cell->box->width + pieces_width(cell->after);
}

static TgScaled tabskip(const TgHalign *halign, guint column)
{
    return g_array_index(halign->tabskips, TgScaled, column);
}

/* From column @first on, @span columns and the space between them. */
static TgScaled span_width(const TgHalign *halign, const TgScaled *widths, guint first, guint span)
{
    TgScaled width = 0;

    for (guint c = first; c < MIN(first + span, halign->n_columns); c++)
        width += widths[c] + (c + 1 < first + span ? tabskip(halign, c) : 0);
    return width;
}

/* A cell, in the list of those that end in one column. */
typedef struct {
    const TgHalignCell *cell;
    guint first; /* column */
    guint next;  /* number of the next one, from 1 on; 0: none */
} EndingCell;

/* @lists: (out) for each column the number of the first cell that ends there. (transfer full) */
static GArray *list_ending_cells(const TgHalign *halign, guint *lists)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(EndingCell));

    for (guint i = 0; i < halign->lines->len; i++) {
        const TgHalignLine *line = &g_array_index(halign->lines, TgHalignLine, i);

        for (guint c = 0; line->kind == TG_HALIGN_ROW && c < line->n_cells; c++) {
            const TgHalignCell *cell = &line->cells[c];
            if (cell->box == NULL)
                continue;
            guint *list = &lists[MIN(c + cell->span, halign->n_columns) - 1];
            const EndingCell ending = { cell, c, *list };
            g_array_append_val(all, ending);
            *list = all->len;
        }
    }
    return all;
}

/* From left to right: each column is as wide as what ends in it needs beside those before (TeX
 * §801-804). One in which nothing ends has no width, nor the space after it. */
static TgScaled *measure_columns(TgHalign *halign)
{
    const guint n = halign->n_columns;
    TgScaled *widths = tg_arena_alloc(halign->arena, sizeof(TgScaled) * (n + 1));
    g_autofree guint *lists = g_new0(guint, n + 1);
    g_autoptr(GArray) all = list_ending_cells(halign, lists);

    for (guint c = 0; c < n; c++) {
        gboolean is_used = FALSE;

        widths[c] = 0;
        for (guint k = lists[c]; k != 0;) {
            const EndingCell *ending = &g_array_index(all, EndingCell, k - 1);
            const TgScaled others = span_width(halign, widths, ending->first, c - ending->first) +
                                    (ending->first < c ? tabskip(halign, c - 1) : 0);
            const TgScaled wanted = cell_width(ending->cell) - others;

            widths[c] = is_used ? MAX(widths[c], wanted) : wanted;
            is_used = TRUE;
            k = ending->next;
        }
        if (!is_used)
            g_array_index(halign->tabskips, TgScaled, c) = 0;
    }
    return widths;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A part of a rule. */
static TgItem *rule_part(const TgHalign *halign, guint32 token, TgScaled width, TgScaled height,
                         TgScaled depth)
{
    TgItem *rule = tg_item_rule(halign->arena, width, height, depth);

    rule->token = token;
    rule->color = halign->color;
    return rule;
}

static void add_pieces(TgHalign *halign, TgItemList *list, const GArray *pieces, TgScaled height,
                       TgScaled depth)
{
    for (guint i = 0; pieces != NULL && i < pieces->len; i++) {
        const TgHalignPiece *piece = &g_array_index(pieces, TgHalignPiece, i);

        if (piece->line) {
            tg_item_list_add(list, tg_item_kern(halign->arena, -halign->rule / 2));
            tg_item_list_add(list, rule_part(halign, piece->token, halign->rule, height, depth));
            tg_item_list_add(list, tg_item_kern(halign->arena, -(halign->rule - halign->rule / 2)));
        } else if (piece->item != NULL) {
            /* every row has the same material, each in a box of its own */
            TgItem *box = tg_hpack(halign->arena, piece->item->list);
            box->width = piece->item->width;
            tg_item_list_add(list, box);
        } else {
            tg_item_list_add(list, tg_item_kern(halign->arena, piece->width));
        }
    }
}

static void row_extent(const TgHalignLine *row, TgScaled *height, TgScaled *depth)
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
                const TgItem *item = g_array_index(pieces, TgHalignPiece, i).item;
                *height = MAX(*height, item != NULL ? item->height : 0);
                *depth = MAX(*depth, item != NULL ? item->depth : 0);
            }
        }
    }
}

/* TeX's \xleaders: as many copies as fit, the rest between them and at both ends. */
static void fill_leaders(TgHalign *halign, TgItem *space)
{
    const TgItem *leader = space->list;
    const TgScaled n = leader->width > 0 ? MIN(space->width / leader->width, MAX_LEADERS) : 0;
    const TgScaled gap = (space->width - n * leader->width) / (n + 1);
    TgItemList list;

    tg_item_list_init(&list);
    for (TgScaled i = 0; i < n; i++) {
        TgItem *copy = tg_item_new(halign->arena, TG_ITEM_HBOX);
        *copy = *leader;
        copy->next = NULL;
        tg_item_list_add(&list, tg_item_kern(halign->arena, gap));
        tg_item_list_add(&list, copy);
    }
    space->kind = TG_ITEM_HBOX;
    space->list = list.first;
    space->height = n > 0 ? leader->height : 0;
    space->depth = n > 0 ? leader->depth : 0;
}

static TgItem *pack_row(TgHalign *halign, const TgHalignLine *row, const TgScaled *widths,
                        TgScaled total)
{
    TgArena *arena = halign->arena;
    TgScaled height, depth;
    TgItemList list;

    row_extent(row, &height, &depth);
    tg_item_list_init(&list);
    for (guint c = 0; c < row->n_cells; c++) {
        const TgHalignCell *cell = &row->cells[c];
        if (cell->box == NULL)
            continue;
        const TgScaled width = span_width(halign, widths, c, cell->span);
        TgItemList inside;
        tg_item_list_init(&inside);
        add_pieces(halign, &inside, cell->before, height, depth);
        if (cell->align != 'l')
            tg_item_list_add(&inside, tg_item_fil(arena, 1));
        /* unpacked, so that an \hfill in it moves it within its column */
        tg_item_list_add(&inside, cell->box->kind == TG_ITEM_HBOX ? cell->box->list : cell->box);
        if (cell->align != 'r')
            tg_item_list_add(&inside, tg_item_fil(arena, 1));
        add_pieces(halign, &inside, cell->after, height, depth);
        tg_item_list_add(&list, tg_hpack_to(arena, inside.first, width));
        if (cell->leaders != NULL)
            fill_leaders(halign, cell->leaders);
        const guint last = MIN(c + cell->span, halign->n_columns) - 1;
        tg_item_list_add(&list, tg_item_kern(arena, tabskip(halign, last)));
    }
    TgItem *box = tg_hpack(arena, list.first);
    box->width = total;
    box->height = height;
    box->depth = depth;
    return box;
}

/* ---- The vertical list ----------------------------------------------------------------------- */

static TgItem *rule_line(TgHalign *halign, const TgHalignLine *line, const TgScaled *widths,
                         TgScaled total)
{
    TgScaled before = 0, width = total;

    if (line->kind == TG_HALIGN_CLINE) {
        const guint last = MIN(line->last, halign->n_columns - 1);
        for (guint c = 0; c < MIN(line->first, halign->n_columns); c++)
            before += widths[c] + tabskip(halign, c);
        width = line->first <= last
                    ? span_width(halign, widths, line->first, last - line->first + 1)
                    : 0;
        before += line->before;
        width = MAX(width - line->before - line->after, 0);
    }
    TgItem *box = tg_hpack(halign->arena, rule_part(halign, line->token, width,
                                                    line->rule > 0 ? line->rule : halign->rule, 0));
    box->width = width;
    box->shift = before;
    return box;
}

/* Interline glue before a box, unless it is the first or follows a rule (TeX's append_to_vlist). */
static void add_box(TgHalign *halign, TgItemList *pile, TgItem *box, TgScaled *depth_before)
{
    if (*depth_before >= 0) {
        const TgScaled gap = halign->leading.baselineskip - *depth_before - box->height;
        tg_item_list_add(pile, tg_item_kern(halign->arena, gap < halign->leading.lineskiplimit
                                                               ? halign->leading.lineskip
                                                               : gap));
    }
    tg_item_list_add(pile, box);
    *depth_before = box->depth;
}

TgItem *tg_halign_pack(TgHalign *halign)
{
    TgScaled *widths = measure_columns(halign);
    TgScaled total = 0, depth_before = -1;
    TgItemList pile;

    for (guint c = 0; c < halign->n_columns; c++)
        total += widths[c] + tabskip(halign, c);
    tg_item_list_init(&pile);
    for (guint i = 0; i < halign->lines->len; i++) {
        const TgHalignLine *line = &g_array_index(halign->lines, TgHalignLine, i);

        switch (line->kind) {
        case TG_HALIGN_ROW:
            add_box(halign, &pile, pack_row(halign, line, widths, total), &depth_before);
            break;
        case TG_HALIGN_BOX:
            add_box(halign, &pile, line->box, &depth_before);
            break;
        case TG_HALIGN_RULE:
            tg_item_list_add(&pile, rule_line(halign, line, widths, total));
            depth_before = -1;
            break;
        case TG_HALIGN_CLINE:
            tg_item_list_add(&pile, rule_line(halign, line, widths, total));
            if (line->rule == 0)
                tg_item_list_add(&pile, tg_item_kern(halign->arena, -halign->rule));
            break;
        case TG_HALIGN_SKIP:
            tg_item_list_add(&pile, tg_item_kern(halign->arena, line->skip));
            break;
        }
    }
    TgItem *box = tg_vpack(halign->arena, pile.first);
    box->width = MAX(total, box->width);
    return box;
}
