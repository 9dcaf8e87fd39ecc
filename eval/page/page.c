/* Pages of one file: a template with its style, its script, and the data that the script reads. */
#include "eval/page/page.h"

#include <string.h>
#include <zlib.h>

#include "core/json.h"

/* Smaller data stay readable and need nothing of the browser. */
enum { PLAIN_BYTES = 512 * 1024, LEVEL = 5 };

char *tg_page_data(const char *id, const json_t *data)
{
    g_autoptr(GString) json = g_string_new(NULL);
    GString *out = g_string_new(NULL);

    tg_json_append(json, data);
    if (json->len > PLAIN_BYTES) {
        uLongf n_packed = compressBound(json->len);
        g_autofree guint8 *packed = g_malloc(n_packed);
        if (compress2(packed, &n_packed, (const guint8 *) json->str, json->len, LEVEL) == Z_OK) {
            g_autofree char *text = g_base64_encode(packed, n_packed);
            g_string_printf(out, "<script type=\"text/plain\" id=\"%s\">%s</script>", id, text);
            return g_string_free(out, FALSE);
        }
    }
    g_string_printf(out, "<script type=\"application/json\" id=\"%s\">", id);
    /* Nothing that HTML looks for inside a script element; it occurs in strings only. */
    for (const char *c = json->str; *c != '\0'; c++) {
        if (*c == '<' || *c == '>' || *c == '&')
            g_string_append_printf(out, "\\u%04x", (guint) *c);
        else
            g_string_append_c(out, *c);
    }
    return g_string_free(g_string_append(out, "</script>"), FALSE);
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

char *tg_page_fill(const char *html, const char *css, const char *js, const char *pictures,
                   const TgPagePart *parts, guint n_parts)
{
    g_autofree char *style = hash_of(css), *script = hash_of(js);
    /* the page's own script and style and nothing else: no network, no handlers */
    g_autofree char *policy = g_strdup_printf(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "img-src data:%s; script-src %s; style-src %s\">\n"
        "<meta name=\"generator\" content=\"texgauge\">", /* tells later runs that it is ours */
        pictures, script, style);
    const TgPagePart own[] = { { "@POLICY@", policy }, { "@STYLE@", css }, { "@SCRIPT@", js } };
    GString *out = g_string_new(NULL);

    while (*html != '\0') {
        const TgPagePart *part = NULL;

        for (guint i = 0; *html == '@' && part == NULL && i < G_N_ELEMENTS(own) + n_parts; i++) {
            const TgPagePart *each = i < n_parts ? &parts[i] : &own[i - n_parts];

            if (g_str_has_prefix(html, each->name))
                part = each;
        }
        if (part == NULL)
            g_string_append_c(out, *html++);
        else
            g_string_append(out, part->text);
        html += part != NULL ? strlen(part->name) : 0;
    }
    return g_string_free(out, FALSE);
}
