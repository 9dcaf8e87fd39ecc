/* Environments with rows and columns: array, matrix, cases, aligned and related ones. */
#include "render/typeset/builders.h"

#include <string.h>

#include "render/typeset/array_columns.h"
#include "render/typeset/halign.h"

#define ALIGN_SEP        TG_PT(10)
#define MULTLINE_GAP     TG_PT(10)
#define POINT_SLOT       0x3A /* of the letters */
#define NORMAL_LINE_SKIP TG_PT(1)

/* An array being set. */
typedef struct {
    TgLayout *layout;
    const TgArray *array;
    TgHalign halign;
    GPtrArray *columns; /* TgArrayColumn by number */
    GPtrArray *extra;   /* Columns of \multicolumn */
    int style;          /* of cells */
} Setting;

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The interline glue of the environment. */
static TgLeading leading_of(Setting *setting)
{
    TgLayout *self = setting->layout;
    const TgScaled baselineskip = self->text.baselineskip;
    const TgScaled jot = tg_array_setting(self, setting->array, TG_SETTING_JOT);
    const TgLeading open = { baselineskip + jot, NORMAL_LINE_SKIP + jot, jot };

    if (tg_array_is_aligned_cases(setting->array))
        return open;
    switch ((TgEnvironment) setting->array->environment) {
    case TG_ENV_ARRAY:
    case TG_ENV_MATRIX:
    case TG_ENV_CASES:
        return (TgLeading){ 0, 0, 0 }; /* rows are kept apart by struts */
    case TG_ENV_SMALLMATRIX: {
        const TgScaled ex = tg_ex_at(self);
        return (TgLeading){ 6 * ex, ex + tg_half(ex), ex + tg_half(ex) };
    }
    case TG_ENV_SUBARRAY: {
        TgMathFonts *math = self->math;
        self->math = tg_layout_math_fonts(self, self->text.size);
        const int style = self->style;
        tg_layout_set_style(self, TG_SCRIPT);
        const TgScaled skip = 3 * tg_rule_thickness(self);
        const TgLeading leading = { tg_math_sy(self, TG_PARAM_NUM3, TG_MATH_SCRIPT) +
                                        tg_math_sy(self, TG_PARAM_DENOM2, TG_MATH_SCRIPT),
                                    skip, skip };
        self->math = math;
        if (math != NULL)
            tg_layout_set_style(self, style);
        return leading;
    }
    case TG_ENV_PLAIN_MATRIX:
    case TG_ENV_PLAIN_CASES:
    case TG_ENV_SHORTSTACK:
        return (TgLeading){ baselineskip, NORMAL_LINE_SKIP, 0 };
    default:
        return open;
    }
}

/* Rows of arrays and alignments contain a strut. */
static void set_strut(Setting *setting, TgHalignLine *row)
{
    TgScaled stretch = 65536;

    switch ((TgEnvironment) setting->array->environment) {
    case TG_ENV_SMALLMATRIX:
    case TG_ENV_SUBARRAY:
    case TG_ENV_PLAIN_MATRIX:
    case TG_ENV_PLAIN_CASES:
    case TG_ENV_EQALIGN:
    case TG_ENV_SHORTSTACK:
        return;
    case TG_ENV_CASES:
        stretch = tg_array_is_aligned_cases(setting->array) ? 65536 : 78643; /* 1.2 */
        break;
    case TG_ENV_ARRAY:
    case TG_ENV_MATRIX:
        stretch = setting->array->stretch;
        break;
    default:
        break;
    }
    const TgItem *strut = tg_strut(setting->layout, stretch);
    row->height = strut->height;
    row->depth = strut->depth;
}

/* Whether TeX puts an empty atom before the cell, so that a relation at its start keeps its space.
 */
static gboolean begins_with_atom(const Setting *setting, guint column)
{
    const guint environment = setting->array->environment;

    return column % 2 == 1 && (environment == TG_ENV_ALIGNED || environment == TG_ENV_ALIGNEDAT ||
                               environment == TG_ENV_EQALIGN);
}

/* \hdotsfor's dots, with a distance of 1.5 mu at each side that is taken back at the ends. */
static TgItem *dots_box(Setting *setting, const TgNode *dots, TgItem **leaders)
{
    TgLayout *self = setting->layout;
    TgMathFonts *math = self->math;
    const int style = self->style;

    self->math = tg_layout_math_fonts(self, self->text.size);
    tg_layout_set_style(self, TG_TEXT);
    const TgScaled side = tg_mu_to_sp(tg_layout_mu(self), tg_xn_over_d(dots->u.symbol.dots, 3, 2));
    TgField field = tg_char_field(self, TG_MATH_LETTERS, POINT_SLOT, dots->token);
    TgItem *dot = tg_clean_box(self, &field, TG_TEXT);
    self->math = math;
    if (math != NULL)
        tg_layout_set_style(self, style);

    TgItemList leader, list;
    tg_item_list_init(&leader);
    tg_item_list_add(&leader, tg_item_kern(&self->arena, side));
    tg_item_list_add(&leader, dot);
    tg_item_list_add(&leader, tg_item_kern(&self->arena, side));
    *leaders = tg_item_fil(&self->arena, 2);
    (*leaders)->list = tg_hpack(&self->arena, leader.first);
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(&self->arena, -side));
    tg_item_list_add(&list, *leaders);
    tg_item_list_add(&list, tg_item_kern(&self->arena, -side));
    return tg_hpack(&self->arena, list.first);
}

static gboolean is_dots(const TgNode *content)
{
    const TgNode *only = content->u.list.first;

    return only != NULL && only->kind == TG_NODE_SYMBOL && only->u.symbol.dots > 0;
}

static TgItem *cell_box(Setting *setting, const TgCell *cell, const TgArrayColumn *column,
                        guint number)
{
    TgLayout *self = setting->layout;
    TgMathFonts *math = self->math;
    const int style = self->style;
    TgNoadList list;

    if (cell->text) {
        TgItem *line = tg_hpack(&self->arena, tg_layout_trimmed_line(self, cell->content));
        line->width = MAX(line->width, column->width);
        return line;
    }
    self->math = tg_layout_math_fonts(self, self->text.size);
    tg_noad_list_init(&list);
    if (begins_with_atom(setting, number))
        tg_append_noad(self, &list, TG_NOAD_ORD, (TgField){ .kind = TG_FIELD_EMPTY });
    if (column->pre != NULL)
        tg_build_items(self, column->pre, &list);
    tg_build_items(self, cell->content, &list);
    if (column->post != NULL)
        tg_build_items(self, column->post, &list);
    TgItem *items = tg_mlist_to_hlist(self, list.first, setting->style);
    self->math = math;
    if (math != NULL)
        tg_layout_set_style(self, style);
    return tg_hpack(&self->arena, items);
}

/* The column of a \multicolumn cell. */
static const TgArrayColumn *own_column(Setting *setting, const TgCell *cell,
                                       const TgArrayColumn *usual)
{
    if (cell->columns == NULL)
        return usual;

    GPtrArray *columns =
        tg_array_columns_read(setting->layout, setting->array, cell->columns, cell->n_columns);
    const TgArrayColumn *column = columns->len > 0 ? g_ptr_array_index(columns, 0) : usual;
    if (setting->extra == NULL)
        setting->extra = g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    g_ptr_array_add(setting->extra, columns);
    return column;
}

/* \vspace in a cell comes below its row; aligned and its kin set cells in groups, which keep it. */
static void add_vertical_space(Setting *setting, const TgNode *content)
{
    const guint environment = setting->array->environment;

    if (environment != TG_ENV_ARRAY && environment != TG_ENV_MATRIX && environment != TG_ENV_CASES)
        return;
    for (const TgNode *item = content->u.list.first; item != NULL; item = item->next) {
        if (item->kind == TG_NODE_SPACE && item->u.space.vertical)
            tg_halign_add(&setting->halign, TG_HALIGN_SKIP)->skip =
                tg_layout_length(setting->layout, item->u.space.amount);
    }
}

static void set_row(Setting *setting, const TgRow *row)
{
    TgHalignLine *line = tg_halign_add_row(&setting->halign, setting->halign.n_columns);
    const guint index = setting->halign.lines->len - 1;
    TgHalignCell *cells = line->cells;
    guint number = 0;

    set_strut(setting, line);
    for (guint i = 0; i < row->n_cells && number < setting->halign.n_columns; i++) {
        const TgCell *cell = &row->cells[i];
        const TgArrayColumn *column =
            own_column(setting, cell, g_ptr_array_index(setting->columns, number));

        TgItem *leaders = NULL;
        TgItem *box = is_dots(cell->content)
                          ? dots_box(setting, cell->content->u.list.first, &leaders)
                          : cell_box(setting, cell, column, number);
        cells[number] = (TgHalignCell){ .box = box,
                                        .leaders = leaders,
                                        .before = column->before,
                                        .after = column->after,
                                        .span = MAX(cell->span, 1),
                                        .align = column->align };
        number += MAX(cell->span, 1);
    }

    for (guint i = 0; i < row->n_cells; i++)
        add_vertical_space(setting, row->cells[i].content);

    const TgScaled gap = tg_layout_length(setting->layout, row->gap);
    const guint environment = setting->array->environment;
    line = &g_array_index(setting->halign.lines, TgHalignLine, index);
    if (gap > 0 && (environment == TG_ENV_ARRAY || environment == TG_ENV_MATRIX ||
                    environment == TG_ENV_CASES)) {
        line->depth = MAX(line->depth, line->depth + gap); /* a strut that much deeper */
    } else if (gap != 0) {
        tg_halign_add(&setting->halign, TG_HALIGN_SKIP)->skip = gap;
    }
}

static void add_skip(Setting *setting, TgScaled skip)
{
    tg_halign_add(&setting->halign, TG_HALIGN_SKIP)->skip = skip;
}

/* How booktabs draws its rules: lengths as its manual gives them. */
typedef struct {
    TgLength above, thickness, below;
} Booktabs;

static const Booktabs booktabs[TG_N_LINES] = {
    [TG_LINE_TOP] = { { .unit = TG_UNIT_PT },
                      { .value = 5243, .unit = TG_UNIT_EM },    /* .08 */
                      { .value = 42598, .unit = TG_UNIT_EX } }, /* .65 */
    [TG_LINE_MID] = { { .value = 26214, .unit = TG_UNIT_EX },   /* .4 */
                      { .value = 3277, .unit = TG_UNIT_EM },    /* .05 */
                      { .value = 42598, .unit = TG_UNIT_EX } },
    [TG_LINE_BOTTOM] = { { .value = 26214, .unit = TG_UNIT_EX },
                         { .value = 5243, .unit = TG_UNIT_EM },
                         { .unit = TG_UNIT_PT } },
    [TG_LINE_CMID] = { { .value = 26214, .unit = TG_UNIT_EX },
                       { .value = 1966, .unit = TG_UNIT_EM }, /* .03 */
                       { .value = 42598, .unit = TG_UNIT_EX } },
};

static gboolean is_booktabs(const TgBetween *between)
{
    return between->kind <= TG_BETWEEN_CLINE && between->line != TG_LINE_PLAIN;
}

static TgScaled thickness_of(Setting *setting, const TgBetween *between)
{
    if (between->thickness.value != 0)
        return tg_layout_length(setting->layout, between->thickness);
    return is_booktabs(between)
               ? tg_layout_length(setting->layout, booktabs[between->line].thickness)
               : 0;
}

/* The space above a rule: that of its kind, or what two lines without a row between them have. */
static void space_above(Setting *setting, const TgBetween *between, const TgBetween *before)
{
    const TgScaled double_sep =
        tg_array_setting(setting->layout, setting->array, TG_SETTING_DOUBLERULESEP);

    if (!is_booktabs(between)) {
        if (before != NULL && before->kind == TG_BETWEEN_HLINE && between->kind != TG_BETWEEN_CLINE)
            add_skip(setting, double_sep - setting->halign.rule);
    } else if (before == NULL || !is_booktabs(before)) {
        add_skip(setting, tg_layout_length(setting->layout, booktabs[between->line].above));
    } else if (between->kind == TG_BETWEEN_HLINE) {
        add_skip(setting, double_sep);
    }
}

/* And below: parts of a line stand side by side. */
static void space_below(Setting *setting, const TgBetween *between, const TgBetween *after)
{
    const gboolean followed = after != NULL && is_booktabs(after);

    if (!is_booktabs(between))
        return;
    if (between->kind != TG_BETWEEN_CLINE && !followed)
        add_skip(setting, tg_layout_length(setting->layout, booktabs[between->line].below));
    else if (between->kind == TG_BETWEEN_CLINE && followed && after->kind == TG_BETWEEN_CLINE)
        add_skip(setting, -thickness_of(setting, between));
    else if (between->kind == TG_BETWEEN_CLINE)
        add_skip(setting, tg_layout_length(setting->layout, booktabs[between->line].below));
}

/* A line; @before and @after stand next to it between the same rows, or are NULL. */
static void set_line(Setting *setting, const TgBetween *between, const TgBetween *before,
                     const TgBetween *after)
{
    const gboolean whole = between->kind != TG_BETWEEN_CLINE;

    space_above(setting, between, before);
    TgHalignLine *line = tg_halign_add(&setting->halign, whole ? TG_HALIGN_RULE : TG_HALIGN_CLINE);
    line->token = between->token;
    line->rule = thickness_of(setting, between);
    if (!whole) {
        const TgLength cut = { .value = 32768, .unit = TG_UNIT_EM }; /* \cmidrulekern */
        line->first = between->first > 0 ? between->first - 1 : 0;
        line->last = between->last > 0 ? between->last - 1 : 0;
        line->before = (between->trim & 1) != 0 ? tg_layout_length(setting->layout, cut) : 0;
        line->after = (between->trim & 2) != 0 ? tg_layout_length(setting->layout, cut) : 0;
    }
    space_below(setting, between, after);
}

/* Rules, space and text between rows. */
static void set_between(Setting *setting, guint row, guint *next)
{
    const TgArray *array = setting->array;

    for (; *next < array->n_between && array->between[*next].row == row; ++*next) {
        const TgBetween *between = &array->between[*next];

        switch ((TgBetweenKind) between->kind) {
        case TG_BETWEEN_HLINE:
        case TG_BETWEEN_CLINE: {
            const gboolean has_before = *next > 0 && between[-1].row == row;
            const gboolean has_after = *next + 1 < array->n_between && between[1].row == row;
            set_line(setting, between, has_before ? between - 1 : NULL,
                     has_after ? between + 1 : NULL);
            break;
        }
        case TG_BETWEEN_SPACE:
            add_skip(setting, tg_layout_length(setting->layout, between->space));
            break;
        case TG_BETWEEN_TEXT:
            if (between->text != NULL) {
                TgItem *line = tg_layout_line(setting->layout, between->text->u.text.body, TG_TEXT);
                tg_halign_add(&setting->halign, TG_HALIGN_BOX)->box =
                    tg_hpack(&setting->layout->arena, line);
            }
            break;
        }
    }
}

/* amsmath's aligned: 10 pt after each pair of columns, taken back where a row ends with \\. */
static void space_pairs(Setting *setting)
{
    const TgArray *array = setting->array;

    for (guint c = 1; c < setting->halign.n_columns; c += 2)
        g_array_index(setting->halign.tabskips, TgScaled, c) = ALIGN_SEP;
    for (guint r = 0; r < array->n_rows; r++) {
        if (array->rows[r].ended && array->rows[r].n_cells % 2 == 0 &&
            array->rows[r].n_cells == setting->halign.n_columns) {
            g_array_index(setting->halign.tabskips, TgScaled, setting->halign.n_columns - 1) = 0;
            break;
        }
    }
}

static gboolean is_multlined(const TgArray *array)
{
    return strcmp(array->name, "multlined") == 0;
}

/* mathtools' multlined keeps its first line from the right side and its last from the left. */
static void add_multline_gap(Setting *setting, TgHalignCell *cell, gboolean behind)
{
    TgItem *gap = tg_item_kern(&setting->layout->arena, MULTLINE_GAP);
    TgItem *box = tg_hpack(&setting->layout->arena, cell->box->list);

    box->width = cell->box->width;
    gap->next = behind ? NULL : box;
    box->next = behind ? gap : NULL;
    cell->box = tg_hpack(&setting->layout->arena, behind ? box : gap);
}

/* The first row of \multline at the left, the last at the right. */
static void align_multline(Setting *setting)
{
    guint row = 0;

    for (guint i = 0; i < setting->halign.lines->len; i++) {
        TgHalignLine *line = &g_array_index(setting->halign.lines, TgHalignLine, i);
        if (line->kind != TG_HALIGN_ROW || line->n_cells == 0)
            continue;
        row++;
        const gboolean first = row == 1, last = row == setting->array->n_rows;
        line->cells[0].align = first ? 'l' : last ? 'r' : 'c';
        if (is_multlined(setting->array) && (first || last))
            add_multline_gap(setting, &line->cells[0], first);
    }
}

/* ---- Whole arrays ---------------------------------------------------------------------------- */

static guint used_columns(const TgArray *array)
{
    guint most = 1;

    for (guint r = 0; r < array->n_rows; r++) {
        guint n = 0;
        for (guint i = 0; i < array->rows[r].n_cells; i++)
            n += MAX(array->rows[r].cells[i].span, 1);
        most = MAX(most, n);
    }
    return most;
}

static TgItem *set_halign(Setting *setting)
{
    TgLayout *self = setting->layout;
    const TgArray *array = setting->array;
    const guint n = used_columns(array);
    guint between = 0;

    setting->columns = tg_array_columns_read(self, array, array->columns, array->n_column_items);
    if (setting->columns->len < n)
        tg_array_columns_add_default(self, array, setting->columns, n - setting->columns->len);
    tg_halign_init(&setting->halign, &self->arena, n);
    setting->halign.leading = leading_of(setting);
    setting->halign.rule = tg_array_setting(self, array, TG_SETTING_ARRAYRULEWIDTH);
    setting->halign.color = self->color;
    for (guint r = 0; r < array->n_rows; r++) {
        set_between(setting, r, &between);
        set_row(setting, &array->rows[r]);
        if (r == 0 && array->n_rows > 1 && is_multlined(array)) /* it measures with an empty row */
            add_skip(setting, -NORMAL_LINE_SKIP);
    }
    set_between(setting, array->n_rows, &between);
    if (array->environment == TG_ENV_ALIGNED)
        space_pairs(setting);
    if (array->environment == TG_ENV_MULTLINE)
        align_multline(setting);
    TgItem *box = tg_halign_pack(&setting->halign);
    tg_halign_clear(&setting->halign);
    g_ptr_array_unref(setting->columns);
    g_clear_pointer(&setting->extra, g_ptr_array_unref);
    return box;
}

static TgItem *top_aligned(TgItem *box)
{
    const TgScaled total = box->height + box->depth;
    const TgItem *first = box->list;

    box->height = first != NULL && first->kind != TG_ITEM_KERN ? first->height : 0;
    box->depth = total - box->height;
    return box;
}

static TgItem *array_box(TgLayout *self, const TgNode *node)
{
    const TgArray *array = node->u.array;
    const gboolean small =
        array->environment == TG_ENV_SMALLMATRIX || array->environment == TG_ENV_SUBARRAY;
    Setting setting = { .layout = self,
                        .array = array,
                        .style = array->display ? TG_DISPLAY
                                 : small        ? TG_SCRIPT
                                                : TG_TEXT };
    TgItem *box = set_halign(&setting);

    return array->align == 't' ? top_aligned(box) : box;
}

/* The space at the left or right side of an environment. */
static void append_side(TgLayout *self, const TgArray *array, gboolean left, TgNoadList *out)
{
    switch ((TgEnvironment) array->environment) {
    case TG_ENV_MATRIX: /* the outer columns have no space at their outer sides */
        tg_append_kern(self, out, -tg_array_setting(self, array, TG_SETTING_ARRAYCOLSEP));
        break;
    case TG_ENV_SMALLMATRIX:
    case TG_ENV_PLAIN_MATRIX:
        if (left)
            tg_append_noad(self, out, TG_NOAD_ORD, tg_box_field(tg_hpack(&self->arena, NULL)));
        tg_append_mu(self, out, 3 * 65536);
        break;
    case TG_ENV_PLAIN_CASES:
        if (left)
            tg_append_mu(self, out, 3 * 65536);
        break;
    case TG_ENV_ALIGNED:
    case TG_ENV_ALIGNEDAT:
    case TG_ENV_GATHERED:
        if (left) {
            const TgNoad *before = out->last;
            const gboolean negative =
                before != NULL && before->type == TG_NOAD_SPACE && before->u.space.amount < 0;
            tg_append_noad(self, out, TG_NOAD_ORD, tg_box_field(tg_hpack(&self->arena, NULL)));
            if (negative)
                tg_append_mu(self, out, 3 * 65536);
        }
        break;
    default:
        break;
    }
}

static void append_halign(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgArray *array = node->u.array;
    const gboolean centred = array->align != 't' && array->align != 'b';

    append_side(self, array, TRUE, out);
    tg_append_noad(self, out, centred ? TG_NOAD_VCENTER : TG_NOAD_ORD,
                   tg_make_field(self, array_box, node));
    append_side(self, array, FALSE, out);
}

void tg_build_array(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgArray *array = node->u.array;
    TgNoadList inside;

    if (array->left == NULL && array->right == NULL) {
        append_halign(self, node, out);
        return;
    }
    tg_noad_list_init(&inside);
    tg_append_delimiter(self, &inside, TG_NOAD_LEFT, array->left);
    append_halign(self, node, &inside);
    tg_append_delimiter(self, &inside, TG_NOAD_RIGHT, array->right);
    tg_append_noad(self, out, TG_NOAD_INNER, tg_list_field(inside.first));
}
