/* Breaking a paragraph into lines, all of it at once (TeX §§813-890). */
#include "render/typeset/build/paragraph.h"

#include <math.h>

#include "core/deadline.h"

#define LINE_PENALTY    10
#define HYPHEN_PENALTY  50 /* at a hyphen that is written */
#define ADJ_DEMERITS    10000
#define DOUBLE_DEMERITS 10000 /* hyphens at two ends in a row */
#define FINAL_DEMERITS  5000  /* a hyphen before the last line */
#define PRETOLERANCE    100
#define SLOPPY          9999 /* \tolerance of \sloppy */
#define TOO_BAD         10000
#define AWFUL           G_MAXINT64

/* Totals of the items before each one. */
typedef struct {
    TgScaled width, stretch, shrink;
} Totals;

typedef struct {
    GPtrArray *items;
    GArray *totals; /* one more than items */
    TgScaled line;  /* the width asked for */
} Paragraph;

/* A way to end a line; @start is where the next line begins. */
typedef struct {
    gint64 demerits;
    guint end, start;
    gint previous; /* -1: the beginning */
    guint8 fitness;
    gboolean hyphen;
} Break;

/* The best ways found to end a line at one place, by fitness. */
typedef struct {
    gint64 demerits;
    gint previous;
} Best;

enum { VERY_LOOSE, LOOSE, DECENT, TIGHT, N_FITNESS };

static const TgItem *item_at(const Paragraph *self, guint i)
{
    return g_ptr_array_index(self->items, i);
}

static const Totals *totals_at(const Paragraph *self, guint i)
{
    return &g_array_index(self->totals, Totals, i);
}

static gboolean is_space(const TgItem *item)
{
    return item->kind == TG_ITEM_KERN &&
           (item->code == TG_PLACE_SPACE || item->code == TG_PLACE_TIE) && item->font != NULL;
}

/* By how much a space can grow or shrink: more or less behind punctuation. */
static TgScaled stretch_of(const TgItem *space)
{
    return tg_xn_over_d(space->font->metrics->params[TG_PARAM_STRETCH], space->italic, 1000);
}

static TgScaled shrink_of(const TgItem *space)
{
    return tg_xn_over_d(space->font->metrics->params[TG_PARAM_SHRINK], 1000, space->italic);
}

static void add_totals(Paragraph *self, const TgItem *item, Totals *sum)
{
    sum->width += item->width;
    if (is_space(item)) {
        sum->stretch += stretch_of(item);
        sum->shrink += shrink_of(item);
    }
    g_array_append_val(self->totals, *sum);
}

/* How bad it is to stretch or shrink by @t what can by @s (§108). */
static gint badness(TgScaled t, TgScaled s)
{
    TgScaled r;

    if (t == 0)
        return 0;
    if (s <= 0)
        return TOO_BAD;
    r = t <= 7230584 ? t * 297 / s : s >= 1663497 ? t / (s / 297) : t;
    return r > 1290 ? TOO_BAD : (gint) ((r * r * r + 131072) / 262144);
}

/* A line from @start to @end: its badness, more than TOO_BAD when it is too long, and fitness. */
static gint judge_line(const Paragraph *self, guint start, guint end, TgScaled more_stretch,
                       guint8 *fitness)
{
    const Totals *from = totals_at(self, start), *to = totals_at(self, end);
    const TgScaled missing = self->line - (to->width - from->width);
    const TgScaled shrink = to->shrink - from->shrink;

    *fitness = DECENT;
    if (missing < 0) {
        const gint bad = -missing > shrink ? TOO_BAD + 1 : badness(-missing, shrink);
        if (bad > 12)
            *fitness = TIGHT;
        return bad;
    }
    if (end == self->items->len) /* \parfillskip */
        return 0;
    const gint bad = badness(missing, to->stretch - from->stretch + more_stretch);
    if (bad > 12)
        *fitness = bad > 99 ? VERY_LOOSE : LOOSE;
    return bad;
}

static gint64 line_demerits(const Break *before, gint bad, gboolean hyphen, gboolean last,
                            guint8 fitness)
{
    const gint64 d = LINE_PENALTY + bad;
    gint64 demerits = d >= 10000 ? 100000000 : d * d;

    if (hyphen)
        demerits += HYPHEN_PENALTY * HYPHEN_PENALTY;
    if (before->hyphen && (hyphen || last))
        demerits += last ? FINAL_DEMERITS : DOUBLE_DEMERITS;
    if (ABS(before->fitness - fitness) > 1)
        demerits += ADJ_DEMERITS;
    return demerits + before->demerits;
}

/* One pass over the paragraph. */
typedef struct {
    const Paragraph *text;
    GArray *breaks; /* all Breaks found */
    GArray *active; /* guint: those that a line may still begin at */
    gint tolerance;
    TgScaled more_stretch;
    gboolean is_final; /* there is no later pass: an overfull line is better than none */
} Pass;

/* Where a line begins that follows a break at @end: spaces are lost there. */
static guint next_start(const Paragraph *self, guint end)
{
    while (end < self->items->len && item_at(self, end)->kind == TG_ITEM_KERN)
        end++;
    return end;
}

/* Note the best lines that end at @end, from each place where one may begin. */
static void find_best(Pass *pass, guint end, gboolean hyphen, Best *best)
{
    const gboolean last = end == pass->text->items->len;
    guint kept = 0;
    const guint n = pass->active->len;
    gboolean found = FALSE;

    for (guint i = 0; i < n; i++) {
        const guint index = g_array_index(pass->active, guint, i);
        const Break *before = &g_array_index(pass->breaks, Break, index);
        guint8 fitness;
        const gint bad = judge_line(pass->text, before->start, end, pass->more_stretch, &fitness);
        const gboolean stays = bad <= TOO_BAD && !last;
        const gboolean alone = pass->is_final && !found && kept == 0 && i + 1 == n && !stays;

        if (stays)
            g_array_index(pass->active, guint, kept++) = index;
        if (bad > pass->tolerance && !alone)
            continue;
        const gint64 demerits = bad > pass->tolerance
                                    ? before->demerits
                                    : line_demerits(before, bad, hyphen, last, fitness);
        if (demerits <= best[fitness].demerits)
            best[fitness] = (Best){ demerits, (gint) index };
        found = TRUE;
    }
    g_array_set_size(pass->active, kept);
}

static void try_break(Pass *pass, guint end, gboolean hyphen)
{
    Best best[N_FITNESS];
    gint64 least = AWFUL;

    for (guint f = 0; f < N_FITNESS; f++)
        best[f] = (Best){ AWFUL, -1 };
    find_best(pass, end, hyphen, best);
    for (guint f = 0; f < N_FITNESS; f++)
        least = MIN(least, best[f].demerits);
    for (guint f = 0; f < N_FITNESS && least < AWFUL; f++) {
        if (best[f].previous < 0 || best[f].demerits > least + ADJ_DEMERITS)
            continue;
        const Break found = { .demerits = best[f].demerits,
                              .end = end,
                              .start = next_start(pass->text, end),
                              .previous = best[f].previous,
                              .fitness = (guint8) f,
                              .hyphen = hyphen };
        const guint index = pass->breaks->len;
        g_array_append_val(pass->breaks, found);
        g_array_append_val(pass->active, index);
    }
}

static gboolean is_hyphen(const TgItem *item)
{
    return item->kind == TG_ITEM_CHAR && item->font->metrics->params[TG_PARAM_SPACE] != 0 &&
           (item->code == '-' || item->code == 0x7B || item->code == 0x7C);
}

/* A line may end at a space behind what is none, and at a kern before one. */
static gboolean may_break(const Paragraph *self, guint i)
{
    const TgItem *item = item_at(self, i);

    if (item->kind != TG_ITEM_KERN)
        return FALSE;
    if (item->code == TG_PLACE_NONE)
        return i + 1 < self->items->len && is_space(item_at(self, i + 1));
    return item->code == TG_PLACE_SPACE && item_at(self, i - 1)->kind != TG_ITEM_KERN;
}

/* Returns: the break that ends the paragraph, or -1. */
static gint run_pass(Pass *pass)
{
    const Break beginning = { .start = 0, .previous = -1, .fitness = DECENT };
    const Paragraph *text = pass->text;
    const guint first = 0;
    gint best = -1;

    g_array_set_size(pass->breaks, 0);
    g_array_set_size(pass->active, 0);
    g_array_append_val(pass->breaks, beginning);
    g_array_append_val(pass->active, first);
    for (guint i = 1; i < text->items->len && pass->active->len > 0; i++) {
        if (tg_too_long(pass->active->len))
            break;
        if (is_hyphen(item_at(text, i - 1)))
            try_break(pass, i, TRUE);
        else if (may_break(text, i))
            try_break(pass, i, FALSE);
    }
    try_break(pass, text->items->len, FALSE);
    for (guint i = 0; i < pass->active->len; i++) {
        const gint index = (gint) g_array_index(pass->active, guint, i);
        if (best < 0 || g_array_index(pass->breaks, Break, index).demerits <
                            g_array_index(pass->breaks, Break, best).demerits)
            best = index;
    }
    return best;
}

/* Set the items from @start to @end as a line. */
static TgItem *make_line(TgLayout *self, const Paragraph *text, guint start, guint end)
{
    const Totals *from = totals_at(text, start), *to = totals_at(text, end);
    const TgScaled missing = text->line - (to->width - from->width);
    const TgScaled give = missing < 0 ? to->shrink - from->shrink : to->stretch - from->stretch;
    const gboolean fill = missing > 0 && end == text->items->len;
    const double ratio =
        fill || give <= 0 ? 0 : MAX((double) missing / (double) give, missing < 0 ? -1.0 : 0.0);
    TgItemList list;

    tg_item_list_init(&list);
    for (guint i = start; i < end; i++) {
        TgItem *item = g_ptr_array_index(text->items, i);
        if (is_space(item))
            item->width += (TgScaled) floor(
                ratio * (double) (missing < 0 ? shrink_of(item) : stretch_of(item)) + 0.5);
        item->next = NULL;
        tg_item_list_add(&list, item);
    }
    TgItem *box = tg_hpack_to(&self->arena, list.first, text->line);
    box->width = text->line;
    return box;
}

/* ---- Lines below each other ------------------------------------------------------------------ */

/* Put a line below those before with TeX's glue between, whose \lineskip is 1 pt. */
static void add_line(TgLayout *self, TgItemList *lines, TgItem **last, TgItem *line)
{
    if (*last != NULL) {
        const TgScaled glue = self->text.baselineskip - (*last)->depth - line->height;
        tg_item_list_add(lines, tg_item_kern(&self->arena, glue < 0 ? TG_PT(1) : glue));
    }
    tg_item_list_add(lines, line);
    *last = line;
}

/* Lines from the last break back to the first. */
static void add_lines(TgLayout *self, const Pass *pass, gint last_break, TgItemList *lines,
                      TgItem **last)
{
    g_autoptr(GArray) chain = g_array_new(FALSE, FALSE, sizeof(gint));

    for (gint i = last_break; i > 0; i = g_array_index(pass->breaks, Break, i).previous)
        g_array_append_val(chain, i);
    for (guint k = chain->len; k > 0; k--) {
        const Break *end = &g_array_index(pass->breaks, Break, g_array_index(chain, gint, k - 1));
        const Break *start = &g_array_index(pass->breaks, Break, end->previous);
        add_line(self, lines, last, make_line(self, pass->text, start->start, end->end));
    }
}

/* The passes: without much stretch, with what \sloppy allows, with \emergencystretch. */
static void break_lines(TgLayout *self, const Paragraph *text, TgItemList *lines, TgItem **last)
{
    g_autoptr(GArray) breaks = g_array_new(FALSE, FALSE, sizeof(Break));
    g_autoptr(GArray) active = g_array_new(FALSE, FALSE, sizeof(guint));
    Pass pass = { .text = text, .breaks = breaks, .active = active, .tolerance = PRETOLERANCE };
    gint end = run_pass(&pass);

    pass.tolerance = SLOPPY;
    if (end < 0)
        end = run_pass(&pass);
    pass.more_stretch = 3 * tg_layout_em(self);
    pass.is_final = TRUE;
    if (end < 0)
        end = run_pass(&pass);
    if (end >= 0)
        add_lines(self, &pass, end, lines, last);
}

static gboolean is_forced(const TgItem *item)
{
    return item->kind == TG_ITEM_KERN && item->code == TG_PLACE_BREAK;
}

/* The items up to a forced break or the end, without spaces at the ends. Returns: the break. */
static const TgItem *take_paragraph(Paragraph *text, TgItem *item)
{
    Totals sum = { 0, 0, 0 };

    g_ptr_array_set_size(text->items, 0);
    g_array_set_size(text->totals, 0);
    while (item != NULL && is_space(item))
        item = item->next;
    for (; item != NULL && !is_forced(item); item = item->next)
        g_ptr_array_add(text->items, item);
    while (text->items->len > 0 && is_space(item_at(text, text->items->len - 1)))
        g_ptr_array_set_size(text->items, (gint) text->items->len - 1);
    g_array_append_val(text->totals, sum);
    for (guint i = 0; i < text->items->len; i++)
        add_totals(text, item_at(text, i), &sum);
    return item;
}

/* All lines of @list; returns the last, or NULL. A break without anything before it, or behind it,
   is an empty line. */
static TgItem *paragraph_lines(TgLayout *self, TgItem *list, TgScaled width, TgItemList *lines)
{
    g_autoptr(GPtrArray) items = g_ptr_array_new();
    g_autoptr(GArray) totals = g_array_new(FALSE, FALSE, sizeof(Totals));
    Paragraph text = { .items = items, .totals = totals, .line = width };
    TgItem *last = NULL;

    while (list != NULL) {
        const TgItem *end = take_paragraph(&text, list);

        if (items->len > 0)
            break_lines(self, &text, lines, &last);
        else if (end != NULL || last != NULL)
            add_line(self, lines, &last, tg_hpack_to(&self->arena, NULL, width));
        if (end != NULL && end->height != 0)
            tg_item_list_add(lines, tg_item_kern(&self->arena, end->height));
        list = end != NULL ? end->next : NULL;
        if (end != NULL && list == NULL)
            add_line(self, lines, &last, tg_hpack_to(&self->arena, NULL, width));
    }
    return last;
}

TgItem *tg_paragraph(TgLayout *self, TgItem *list, TgScaled width, char reference, TgScaled depth)
{
    TgItemList lines;

    tg_item_list_init(&lines);
    TgItem *last = paragraph_lines(self, list, width, &lines);
    if (last != NULL)
        last->depth = MAX(last->depth, depth);
    TgItem *box =
        reference == 't' ? tg_vtop(&self->arena, lines.first) : tg_vpack(&self->arena, lines.first);
    box->width = lines.first != NULL || depth > 0 ? width : 0;
    if (reference == 'c') { /* \vcenter */
        const TgScaled total = box->height + box->depth;
        const TgFont *symbols = tg_layout_symbol_font(self, self->text.size);
        const TgScaled axis = symbols != NULL ? symbols->metrics->params[TG_PARAM_AXIS_HEIGHT] : 0;
        TgItem *centred = tg_hpack(&self->arena, box);
        box->shift = box->height - axis - tg_half(total);
        centred->height = axis + tg_half(total);
        centred->depth = total - centred->height;
        return centred;
    }
    return box;
}
