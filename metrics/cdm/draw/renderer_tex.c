/* TeX as a renderer: the official page and colours, and pixels found by colour. */
#include <math.h>
#include <string.h>

#include "metrics/cdm/draw/elements.h"
#include "metrics/cdm/draw/renderer.h"

/* The official colours: red, green and blue are 15 times the digits of a number in base 18, where
 * 1 is element 0 (0 would be black). */
enum { DIGITS = 18, STEP = 15 };

typedef struct {
    TgCdmRenderer base;
    TgTex *tex;
} Tex;

/* ---- documents ---- */

/* What a formula needs of its document; formulas with equal needs share one. */
typedef struct {
    gboolean is_chinese, is_table;
    TgCdmPaper paper;
    double dpi;
} Needs;

static Needs needs_of(const TgCdmDrawTask *task, TgCdmPage page)
{
    /* what comes nearest to no edge, as pages are painted pixel by pixel */
    static const TgCdmPaper unlimited = { .width_px = 12000, .height_px = 2000 };

    return (Needs){
        task->is_chinese,
        task->is_table,
        page == TG_CDM_PAGE_OFFICIAL ? tg_cdm_paper(task->dialect, task->elements->len, 0)
                                     : unlimited,
        task->dialect->dpi,
    };
}

static gboolean same_needs(const Needs *a, const Needs *b)
{
    return a->is_chinese == b->is_chinese && a->is_table == b->is_table && a->dpi == b->dpi &&
           a->paper.width_px == b->paper.width_px && a->paper.height_px == b->paper.height_px;
}

/* Text in a colour leaves vertical mode and is a group. */
static char *make_preamble(const Needs *needs)
{
    const double mm_per_px = 25.4 / needs->dpi;
    char width[G_ASCII_DTOSTR_BUF_SIZE], height[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_formatd(width, sizeof width, "%.4f", needs->paper.width_px * mm_per_px);
    g_ascii_formatd(height, sizeof height, "%.4f", needs->paper.height_px * mm_per_px);
    return g_strdup_printf("\\documentclass[12pt]{article}\n"
                           "\\usepackage{geometry}\n"
                           "\\geometry{paperwidth=%smm,paperheight=%smm,scale=0.98}\n"
                           "\\pagestyle{empty}\n"
                           "\\usepackage{booktabs,amsmath,upgreek,amssymb,xcolor%s%s}\n"
                           "\\makeatletter\n"
                           "\\def\\@textcolor#1#2#3{\\protect\\leavevmode"
                           "\\begingroup\\color#1{#2}#3\\endgroup}\n"
                           "\\makeatother\n",
                           width, height, needs->is_table ? ",multirow" : "",
                           needs->is_chinese ? ",CJK" : "");
}

/* The coloured source with numbers for the placeholders of colours. (transfer full) */
static char *fill_in_colors(const char *coloured)
{
    GString *out = g_string_new(NULL);

    for (const char *at = coloured; *at != '\0';) {
        char *end;

        if (!g_str_has_prefix(at, TG_CDM_COLOUR_BEFORE)) {
            g_string_append_c(out, *at++);
            continue;
        }
        const guint64 k = g_ascii_strtoull(at + strlen(TG_CDM_COLOUR_BEFORE), &end, 10) + 1;
        g_string_append_printf(out, "\\mathcolor[RGB]{%u,%u,%u}{",
                               (guint) (k / (DIGITS * DIGITS) % DIGITS * STEP),
                               (guint) (k / DIGITS % DIGITS * STEP), (guint) (k % DIGITS * STEP));
        at = end + strlen(TG_CDM_COLOUR_BEHIND);
    }
    return g_string_free(out, FALSE);
}

/* ---- pixels ---- */

static guint32 element_of(guint32 rgb)
{
    const guint32 red = rgb >> 16, green = (rgb >> 8) & 0xFF, blue = rgb & 0xFF;

    if (red % STEP != 0 || green % STEP != 0 || blue % STEP != 0)
        return TG_CDM_NO_ELEMENT;
    return red / STEP * DIGITS * DIGITS + green / STEP * DIGITS + blue / STEP - 1;
}

/* Each colour on a page: @inks, zeros before, and @all that is not white. */
static void renderer_find_colors(const TgRaster *page, guint n_elements, TgPixelRect *inks,
                                 TgPixelRect *all)
{
    *all = (TgPixelRect){ 0 };
    for (guint y = 0; y < page->height; y++)
        for (guint x = 0; x < page->width; x++) {
            const guint32 rgb = page->pixels[(gsize) y * page->width + x];

            if (rgb == 0xFFFFFF)
                continue;
            const TgPixelRect pixel = { (gint) x, (gint) y, (gint) x, (gint) y, TRUE };
            tg_pixel_rect_join(all, pixel);
            if (element_of(rgb) < n_elements)
                tg_pixel_rect_join(&inks[element_of(rgb)], pixel);
        }
}

/* ---- jobs ---- */

/* The tasks of one document, by their indices. */
typedef struct {
    TgCdmDrawTask *tasks;
    GArray *indices;
    const char *program;
} Taker;

static void take_inks(guint index, const TgRaster *page, const char *trouble, gpointer data)
{
    const Taker *taker = data;
    TgCdmDrawTask *task = &taker->tasks[g_array_index(taker->indices, guint, index)];

    task->drawn_by = taker->program;
    if (page == NULL)
        task->trouble = g_strdup(trouble);
    else
        renderer_find_colors(page, task->elements->len, task->inks, &task->all);
}

/* The fonts for Chinese are seldom installed: that is no reason to set nothing at all. */
static void refuse_all(const Taker *taker, const char *reason)
{
    for (guint i = 0; i < taker->indices->len; i++)
        take_inks(i, NULL, reason, (gpointer) taker);
}

static gboolean draw_alike(Tex *self, Taker *taker, const Needs *needs, GError **error)
{
    g_autofree char *preamble = make_preamble(needs);
    g_autoptr(GPtrArray) bodies = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < taker->indices->len; i++) {
        const guint index = g_array_index(taker->indices, guint, i);
        g_ptr_array_add(bodies, fill_in_colors(taker->tasks[index].coloured));
    }
    const TgTexJob job = {
        .preamble = preamble,
        .before = needs->is_chinese ? "\\begin{CJK}{UTF8}{gkai}\n\\begin{displaymath}\n"
                                    : "\\begin{displaymath}\n",
        .behind =
            needs->is_chinese ? "\n\\end{displaymath}\n\\end{CJK}\n" : "\n\\end{displaymath}\n",
        .bodies = (const char *const *) bodies->pdata,
        .n = bodies->len,
        .width_px = (guint) needs->paper.width_px,
        .height_px = (guint) needs->paper.height_px,
        .dpi = needs->dpi,
        .take = take_inks,
        .data = taker,
    };
    GError *fault = NULL;
    if (tg_tex_draw(self->tex, &job, &fault))
        return TRUE;
    if (needs->is_chinese && g_error_matches(fault, TG_ERROR, TG_ERROR_USAGE)) {
        refuse_all(taker, fault->message);
        g_error_free(fault);
        return TRUE;
    }
    g_propagate_error(error, fault);
    return FALSE;
}

/* Tasks that need the same document as the first one that is left are drawn together. */
static gboolean tex_locate(TgCdmRenderer *self, TgCdmDrawTask *tasks, guint n, TgCdmPage page,
                           GError **error)
{
    g_autofree gboolean *is_done = g_new0(gboolean, n);

    for (guint i = 0; i < n; i++) {
        const Needs needs = needs_of(&tasks[i], page);
        g_autoptr(GArray) indices = g_array_new(FALSE, FALSE, sizeof(guint));
        Taker taker = { tasks, indices, tg_tex_name(((Tex *) self)->tex) };

        for (guint k = i; k < n; k++) {
            const Needs others = needs_of(&tasks[k], page);
            if (is_done[k] || !same_needs(&needs, &others))
                continue;
            g_array_append_val(indices, k);
            is_done[k] = TRUE;
        }
        if (indices->len > 0 && !draw_alike((Tex *) self, &taker, &needs, error))
            return FALSE;
    }
    return TRUE;
}

static void tex_free(TgCdmRenderer *self)
{
    tg_tex_free(((Tex *) self)->tex);
    g_free(self);
}

TgCdmRenderer *tg_cdm_renderer_tex(TgTexProgram program, double seconds, GError **error)
{
    TgTex *tex = tg_tex_new(program, seconds, error);

    if (tex == NULL)
        return NULL;
    Tex *self = g_new(Tex, 1);
    *self = (Tex){ { tex_locate, tex_free }, tex };
    return &self->base;
}
