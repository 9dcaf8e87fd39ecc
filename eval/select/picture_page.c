/* index.html: cards in a grid, with a bar to search, filter and sort them. */
#include "eval/select/picture_page.h"

#include <math.h>

#include "core/number.h"

/* It is read from disk: no request leaves the folder. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Pairs</title>\n<style>\n"
    ":root { color-scheme: light dark; --line: #ccc; --quiet: #666; --bar: #f4f4f4 }\n"
    "@media (prefers-color-scheme: dark) { :root { --line: #444; --quiet: #aaa; --bar: #222 } }\n"
    "body { font: 15px/1.4 system-ui, sans-serif; margin: 0 }\n"
    "header, main { padding: 0 1.2em }\n"
    "h1 { font-size: 1.3em; margin: .8em 0 .2em }\n"
    "header p { color: var(--quiet); margin: 0 0 .8em; overflow-wrap: anywhere }\n"
    "form { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .6em;\n"
    "  align-items: center; padding: .5em 1.2em; background: var(--bar);\n"
    "  border-block: 1px solid var(--line) }\n"
    "input, select { font: inherit; max-width: 100% }\n"
    "input { flex: 1 1 14em; min-width: 8em }\n"
    "main { display: grid; align-items: start; gap: 1.2em; padding-block: 1.2em;\n"
    "  grid-template-columns: repeat(auto-fill, minmax(min(100%, 30em), 1fr)) }\n"
    "figure { margin: 0; border: 1px solid var(--line); border-radius: 6px; padding: .7em;\n"
    "  min-width: 0 }\n"
    "figure:target { outline: 3px solid #2a7ae2 }\n"
    "figure[hidden] { display: none }\n"
    "img { display: block; max-width: 100%; height: auto; margin-top: .6em; border-radius: 4px }\n"
    "figcaption { display: flex; gap: .6em; align-items: baseline; overflow-wrap: anywhere }\n"
    "figcaption b { font-variant-numeric: tabular-nums }\n"
    "figcaption a, dt { color: var(--quiet) }\n"
    "dl { display: grid; grid-template-columns: auto 1fr; gap: 0 .6em; margin: .3em 0 0;\n"
    "  font-size: .85em }\n"
    "dd { margin: 0; min-width: 0 }\n"
    "code { display: block; white-space: pre-wrap; overflow-wrap: anywhere;\n"
    "  max-height: 5.6em; overflow: auto }\n"
    "@media print { form { display: none } figure { break-inside: avoid } }\n"
    "</style>\n</head>\n<body>\n";

static const char bar[] =
    "<form onsubmit=\"return false\">\n"
    "<input type=\"search\" id=\"search\" placeholder=\"id, model or LaTeX\" "
    "aria-label=\"search\">\n"
    "<select id=\"model\" aria-label=\"model\"><option value=\"\">all models</option></select>\n"
    "<select id=\"sort\" aria-label=\"order\"><option value=\"rank\">as chosen</option>"
    "<option value=\"up\">lowest score first</option>"
    "<option value=\"down\">highest score first</option>"
    "<option value=\"row\">rows of the input</option></select>\n"
    "<output id=\"count\" aria-live=\"polite\"></output>\n</form>\n<main>\n";

static const char tail[] =
    "</main>\n<script>\n"
    "'use strict';\n"
    "const main = document.querySelector('main'), by = id => document.getElementById(id);\n"
    "const cards = [...main.children].map((node, rank) => ({ node, rank,\n"
    "  row: +node.dataset.row, model: node.dataset.model,\n"
    "  score: node.dataset.score === '' ? NaN : +node.dataset.score,\n"
    "  text: node.textContent.toLowerCase() }));\n"
    "const orders = { rank: c => c.rank, row: c => c.row,\n"
    "  up: c => isNaN(c.score) ? Infinity : c.score,\n"
    "  down: c => isNaN(c.score) ? Infinity : -c.score };\n"
    "for (const name of [...new Set(cards.map(c => c.model))].sort())\n"
    "  if (name !== '') by('model').add(new Option(name, name));\n"
    "by('model').hidden = by('model').length < 3;\n"
    "function show() {\n"
    "  const words = by('search').value.toLowerCase().split(/\\s+/), model = by('model').value;\n"
    "  let n = 0;\n"
    "  for (const c of cards) {\n"
    "    const shown = (model === '' || c.model === model) && "
    "words.every(w => c.text.includes(w));\n"
    "    c.node.hidden = !shown;\n"
    "    n += shown;\n"
    "  }\n"
    "  by('count').textContent = n + ' of ' + cards.length;\n"
    "}\n"
    "function sort() {\n"
    "  const key = orders[by('sort').value];\n"
    "  main.append(...cards.slice().sort((a, b) => key(a) - key(b) || a.rank - b.rank)\n"
    "    .map(c => c.node));\n"
    "}\n"
    "by('search').addEventListener('input', show);\n"
    "by('model').addEventListener('change', show);\n"
    "by('sort').addEventListener('change', sort);\n"
    "show();\n"
    "</script>\n</body>\n</html>\n";

char *tg_picture_page_head(const TgPictureFolderInfo *info)
{
    g_autofree char *title = g_markup_printf_escaped(
        "<header><h1>Pairs: %s</h1>\n<p>%s</p></header>\n", info->only, info->metric);

    return g_strconcat(head, title, bar, NULL);
}

char *tg_picture_page_card(const TgPictureEntry *entry, const char *name, guint place)
{
    const char *id = entry->id != NULL ? entry->id : "";
    const char *model = entry->model != NULL ? entry->model : "";
    char score[32] = "", rounded[32] = "no score";
    g_autofree char *shown =
        entry->fault != NULL
            ? g_markup_printf_escaped("<p>%s</p>", entry->fault)
            : g_markup_printf_escaped("<a href=\"%s\"><img src=\"%s\" loading=\"lazy\" "
                                      "alt=\"picture of row %" G_GUINT64_FORMAT "\"></a>",
                                      name, name, entry->row);

    if (!isnan(entry->score)) {
        tg_number_format(entry->score, score);
        g_ascii_formatd(rounded, sizeof rounded, "%.4f", entry->score);
    }
    g_autofree char *start = g_markup_printf_escaped("<figure id=\"row-%" G_GUINT64_FORMAT
                                                     "\" data-row=\"%" G_GUINT64_FORMAT
                                                     "\" data-score=\"%s\" data-model=\"%s\">\n",
                                                     entry->row, entry->row, score, model);
    g_autofree char *caption = g_markup_printf_escaped(
        "<figcaption><a href=\"#row-%" G_GUINT64_FORMAT "\">%u</a> <b>%s</b> <span>%s</span> "
        "<span>%s</span></figcaption>\n",
        entry->row, place + 1, rounded, id, model);
    g_autofree char *sources = g_markup_printf_escaped(
        "<dl><dt>truth</dt><dd><code>%s</code></dd>\n<dt>prediction</dt><dd><code>%s</code></dd>"
        "</dl>\n",
        entry->truth, entry->prediction);

    return g_strconcat(start, caption, sources, shown, "\n</figure>\n", NULL);
}

const char *tg_picture_page_tail(void)
{
    return tail;
}
