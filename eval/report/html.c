#include "eval/report/html.h"

#include <string.h>

#include "eval/report/data.h"
#include "eval/report/page.h"

static void append_text(GString *out, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);

    g_string_append(out, escaped);
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

/* ---- the parts that depend on the report, in the order of the page ---- */

/* The policy allows the page's own script and style and nothing else: no network, no handlers. */
static void html_put_policy(GString *out, const TgReport *report)
{
    g_autofree char *script = hash_of(tg_page_js);
    g_autofree char *style = hash_of(tg_page_css);

    (void) report;
    g_string_append_printf(out,
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                           "'none'; img-src data:; script-src %s; style-src %s\">",
                           script, style);
}

static void html_put_title(GString *out, const TgReport *report)
{
    append_text(out, report->title);
}

static void html_put_style(GString *out, const TgReport *report)
{
    (void) report;
    g_string_append(out, tg_page_css);
}

/* The first sentence large, the others below it. */
static void html_put_headline(GString *out, const TgReport *report)
{
    for (guint i = 0; i < report->headline->len; i++) {
        g_string_append(out, i > 0 ? "<small>" : "");
        append_text(out, report->headline->pdata[i]);
        g_string_append(out, i > 0 ? "</small>" : "");
    }
}

static void html_put_about(GString *out, const TgReport *report)
{
    const TgTable *table = report->table;

    g_autofree char *pairs = tg_count_text(table->n_rows);

    g_string_append_printf(out, "%s pair%s, %u model%s, %u subset%s; made by texgauge %s", pairs,
                           table->n_rows == 1 ? "" : "s", table->models->len,
                           table->models->len == 1 ? "" : "s", table->subsets->len,
                           table->subsets->len == 1 ? "" : "s", tg_version());
}

/* The tables of all sections. */
static void html_put_details(GString *out, const TgReport *report)
{
    for (guint i = 0; i < report->sections->len; i++) {
        const TgReportSection *section = report->sections->pdata[i];

        g_string_append_printf(out, "<details><summary>%s</summary>\n", section->title);
        if (section->text != NULL) {
            g_string_append(out, "<p class=\"soft\">");
            append_text(out, section->text);
            g_string_append(out, "</p>\n");
        }
        for (guint g = 0; g < section->grids->len; g++)
            tg_grid_append_html(out, section->grids->pdata[g], &report->form);
        g_string_append(out, "</details>\n");
    }
}

static void html_put_summary(GString *out, const TgReport *report)
{
    g_autofree char *json = tg_report_summary_json(report);

    g_string_append(out, json);
}

static void html_put_data(GString *out, const TgReport *report)
{
    g_autofree char *json = tg_report_pairs_json(report);
    g_autoptr(GString) packed = g_string_new(NULL);
    const char *type = tg_report_pack(packed, json);

    g_string_append_printf(out, "<script type=\"%s\" id=\"data\">", type);
    g_string_append_len(out, packed->str, (gssize) packed->len);
    g_string_append(out, "</script>");
}

static void html_put_script(GString *out, const TgReport *report)
{
    (void) report;
    g_string_append(out, tg_page_js);
}

static const struct {
    const char *name;
    void (*put)(GString *out, const TgReport *report);
} parts[] = {
    { "@POLICY@", html_put_policy },   { "@TITLE@", html_put_title },
    { "@STYLE@", html_put_style },     { "@HEADLINE@", html_put_headline },
    { "@ABOUT@", html_put_about },     { "@DETAILS@", html_put_details },
    { "@SUMMARY@", html_put_summary }, { "@DATA@", html_put_data },
    { "@SCRIPT@", html_put_script },
};

/* Puts the part that begins at @at; how many bytes its name takes, or 0 where there is none. */
static gsize put_part(GString *out, const TgReport *report, const char *at)
{
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (g_str_has_prefix(at, parts[i].name)) {
            parts[i].put(out, report);
            return strlen(parts[i].name);
        }
    }
    return 0;
}

char *tg_report_html(const TgReport *report)
{
    GString *out = g_string_new(NULL);

    for (const char *at = tg_page_html; *at != '\0';) {
        const gsize taken = *at == '@' ? put_part(out, report, at) : 0;

        if (taken == 0)
            g_string_append_c(out, *at);
        at += taken > 0 ? taken : 1;
    }
    return g_string_free(out, FALSE);
}
