#include "eval/report/html.h"

#include <string.h>

#include "eval/report/page.h"
#include "eval/report/pairs.h"
#include "metrics/metric.h"

static void append_text(GString *out, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);

    g_string_append(out, escaped);
}

/* Between tags: <name>text</name>, escaped. */
static void append_element(GString *out, const char *name, const char *text)
{
    g_string_append_printf(out, "<%s>", name);
    append_text(out, text);
    g_string_append_printf(out, "</%s>\n", name);
}

/* A number of four bytes in a PNG file, the highest first. */
static guint32 png_number(const guint8 *bytes)
{
    return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

/* Pictures in pixels are made for print: on the page they are shown smaller, with their size known
 * before they are decoded. */
static void append_size(GString *out, const guint8 *bytes, gsize n)
{
    enum { WIDTH_AT = 16, HEIGHT_AT = 20, END = 24, PERCENT = 60 };

    if (n >= END && memcmp(bytes, "\x89PNG", 4) == 0)
        g_string_append_printf(out, " width=\"%u\" height=\"%u\"",
                               png_number(bytes + WIDTH_AT) * PERCENT / 100,
                               png_number(bytes + HEIGHT_AT) * PERCENT / 100);
}

/* A picture that is part of the page; as an image it cannot run scripts or load files. */
static void append_image(GString *out, const char *type, const void *bytes, gsize n,
                         const char *alt)
{
    g_autofree char *encoded = g_base64_encode(bytes, n);

    g_string_append(out, "<img loading=\"lazy\"");
    append_size(out, bytes, n);
    g_string_append(out, " alt=\"");
    append_text(out, alt);
    g_string_append_printf(out, "\" src=\"data:%s;base64,%s\">", type, encoded);
}

/* 'sha256-...' of an inline script or style, by which the page allows it. */
static char *hash_of(const char *text)
{
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[32];
    gsize length = sizeof digest;
    g_autofree char *encoded = NULL;

    g_checksum_update(checksum, (const guchar *) text, (gssize) strlen(text));
    g_checksum_get_digest(checksum, digest, &length);
    g_checksum_free(checksum);
    encoded = g_base64_encode(digest, length);
    return g_strdup_printf("'sha256-%s'", encoded);
}

/* The policy allows the page's own script and style and nothing else: no network, no handlers. */
static void append_head(GString *out, const TgReport *report)
{
    g_autofree char *script = hash_of(tg_page_js);
    g_autofree char *style = hash_of(tg_page_css);

    g_string_append(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    g_string_append_printf(out,
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                           "'none'; img-src data:; script-src %s; style-src %s\">\n",
                           script, style);
    g_string_append(out, "<meta name=\"viewport\" content=\"width=device-width\">\n");
    g_string_append(out, "<link rel=\"icon\" href=\"data:,\">\n");
    append_element(out, "title", report->title);
    g_string_append_printf(out, "<style>%s</style>\n</head>\n<body>\n", tg_page_css);
}

static void append_header(GString *out, const TgReport *report)
{
    const TgTable *table = report->table;

    g_string_append(out, "<header>\n");
    append_element(out, "h1", report->title);
    g_string_append_printf(out,
                           "<p class=\"soft\">%u pairs, %u model%s, %u subset%s; made by texgauge "
                           "%s</p>\n</header>\n",
                           table->n_rows, table->models->len, table->models->len == 1 ? "" : "s",
                           table->subsets->len, table->subsets->len == 1 ? "" : "s", tg_version());
    g_string_append(out, "<nav aria-label=\"Sections\"><ul>\n");
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        g_string_append_printf(out, "<li><a href=\"#%s\">%s</a></li>\n", section->id,
                               section->title);
    }
    g_string_append(out, "<li><a href=\"#pairs\">All pairs</a></li>\n</ul></nav>\n");
}

/* The image with this title, if there is one. */
static void append_image_of(GString *out, const TgReportPicture *picture, const char *title)
{
    for (guint i = 0; i < picture->images->len; i++) {
        const TgReportImage *image = picture->images->pdata[i];
        gsize n;

        if (strcmp(image->title, title) == 0) {
            const void *bytes = g_bytes_get_data(image->bytes, &n);
            append_image(out, image->type, bytes, n, image->alt);
        }
    }
}

static void append_side(GString *out, const TgReportPicture *picture, const char *name,
                        const char *source)
{
    append_element(out, "dt", name);
    g_string_append(out, "<dd>");
    append_image_of(out, picture, name);
    g_string_append(out, "<code>");
    append_text(out, source);
    g_string_append(out, "</code></dd>\n");
}

/* FORTE's edits, as its picture numbers them. */
static void append_edits(GString *out, const TgReport *report, guint row)
{
    if (report->edits[row] == NULL)
        return;
    g_string_append(out, "<ol class=\"edits\">\n");
    for (guint i = 0; report->edits[row][i] != NULL; i++)
        append_element(out, "li", report->edits[row][i]);
    g_string_append(out, "</ol>\n");
}

/* How the metrics that have pictures see the pair. */
static void append_matches(GString *out, const TgReport *report, const TgReportPicture *picture)
{
    const TgScoreLayout *layout = report->table->layout;

    for (guint m = 0; m < layout->metrics->len; m++) {
        const char *label = tg_metric_label(tg_score_layout_metric(layout, m));
        const gboolean has_edits = g_strcmp0(label, report->edits_by) == 0;

        if (!tg_metric_has_picture(tg_score_layout_metric(layout, m)) && !has_edits)
            continue;
        append_element(out, "dt", label);
        g_string_append(out, "<dd>");
        append_image_of(out, picture, label);
        if (has_edits)
            append_edits(out, report, picture->row);
        g_string_append(out, "</dd>\n");
    }
}

static void append_scores(GString *out, const TgReport *report, guint row)
{
    append_element(out, "dt", "scores");
    g_string_append(out, "<dd>");
    for (guint c = 0; c < report->shown->len; c++) {
        const TgTableColumn *column = tg_report_column(report, c);
        char text[32] = "undefined";

        if (column->values[row] == column->values[row])
            g_ascii_formatd(text, sizeof text, "%.4f", column->values[row]);
        g_string_append(out, c > 0 ? ", " : "");
        append_text(out, column->name);
        g_string_append_printf(out, " %s", text);
    }
    g_string_append(out, "</dd>\n");
}

static void html_append_picture(GString *out, const TgReport *report,
                                const TgReportPicture *picture)
{
    const TgTableRow *row = &report->table->rows[picture->row];
    g_autoptr(GString) caption = g_string_new(NULL);

    if (row->id != NULL)
        g_string_append(caption, row->id);
    else
        g_string_append_printf(caption, "row %" G_GUINT64_FORMAT, row->row);
    if (report->table->models->len > 1)
        g_string_append_printf(caption, " · %s", tg_report_model_name(report, row->model));
    if (report->table->subsets->len > 1)
        g_string_append_printf(caption, " · %s", tg_report_subset_name(report, row->subset));
    g_string_append_printf(out, "<figure class=\"pair\" data-row=\"%u\">\n", picture->row);
    append_element(out, "figcaption", caption->str);
    g_string_append(out, "<dl>\n");
    append_side(out, picture, "truth", row->refs[0] != NULL ? row->refs[0] : "");
    append_side(out, picture, "prediction", row->hyp != NULL ? row->hyp : "(none)");
    append_matches(out, report, picture);
    append_scores(out, report, picture->row);
    g_string_append(out, "</dl>\n");
    if (picture->fault != NULL) {
        g_string_append(out, "<p class=\"missing\">");
        append_text(out, picture->fault);
        g_string_append(out, "</p>\n");
    }
    g_string_append(out, "</figure>\n");
}

static void append_section(GString *out, const TgReport *report, const TgReportSection *section)
{
    g_string_append_printf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", section->id, section->title);
    if (section->text != NULL)
        append_element(out, "p", section->text);
    if (section->pictures->len > 0) {
        g_string_append(out, "<div class=\"pairs-drawn\">\n");
        for (guint i = 0; i < section->pictures->len; i++)
            html_append_picture(out, report, section->pictures->pdata[i]);
        g_string_append(out, "</div>\n");
    } else {
        for (guint i = 0; i < section->grids->len; i++)
            tg_grid_append_html(out, section->grids->pdata[i], &report->form);
    }
    if (section->plots->len > 0) {
        g_string_append(out, "<div class=\"plots\">\n");
        for (guint i = 0; i < section->plots->len; i++) {
            const TgReportPlot *plot = section->plots->pdata[i];

            g_string_append(out, "<figure class=\"plot\">");
            append_image(out, "image/svg+xml", plot->svg, strlen(plot->svg), plot->alt);
            g_string_append(out, "</figure>\n");
        }
        g_string_append(out, "</div>\n");
    }
    g_string_append(out, "</section>\n");
}

static const char pairs_section[] =
    "<section id=\"pairs\">\n<h2>All pairs</h2>\n"
    "<div class=\"filters\" role=\"search\">\n"
    "<label>Search<input id=\"search\" type=\"search\" placeholder=\"id, source or "
    "edit\"></label>\n"
    "<label>Model<select id=\"model\"><option value=\"\">all</option></select></label>\n"
    "<label>Subset<select id=\"subset\"><option value=\"\">all</option></select></label>\n"
    "<label>Score<select id=\"score\"></select></label>\n"
    "<label>from<input id=\"low\" type=\"number\" step=\"any\"></label>\n"
    "<label>to<input id=\"high\" type=\"number\" step=\"any\"></label>\n"
    "<label class=\"check\"><input id=\"remarks\" type=\"checkbox\">with a remark</label>\n"
    "<span id=\"count\" role=\"status\" class=\"soft\"></span>\n</div>\n"
    "<div id=\"scroll\"><table aria-label=\"All pairs\"><thead><tr id=\"head\"></tr></thead>"
    "<tbody id=\"rows\"></tbody></table></div>\n"
    "<p class=\"note\">A heading sorts, a row opens the pair; with the keyboard: arrow keys, Page "
    "Up and Down, Enter.</p>\n"
    "<noscript><p>The table of all pairs needs JavaScript.</p></noscript>\n"
    "<dialog id=\"pair\" aria-labelledby=\"pair-title\"><header><h3 id=\"pair-title\"></h3>"
    "<button type=\"button\" id=\"previous\">Previous</button>"
    "<button type=\"button\" id=\"next\">Next</button>"
    "<button type=\"button\" id=\"close\">Close</button></header>"
    "<div id=\"pair-body\"></div></dialog>\n</section>\n";

char *tg_report_html(const TgReport *report)
{
    GString *out = g_string_new(NULL);
    g_autofree char *pairs = tg_report_pairs_json(report);

    append_head(out, report);
    append_header(out, report);
    g_string_append(out, "<main>\n");
    for (guint i = 0; i < report->sections->len; i++)
        append_section(out, report, report->sections->pdata[i]);
    g_string_append(out, pairs_section);
    g_string_append(out, "</main>\n<script type=\"application/json\" id=\"pairs-data\">");
    g_string_append(out, pairs);
    g_string_append_printf(out, "</script>\n<script>%s</script>\n</body>\n</html>\n", tg_page_js);
    return g_string_free(out, FALSE);
}
