/* texgauge render: formulas as pictures, with the boxes of their tokens. */
#include "cli/cli.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "core/json.h"
#include "render/paint/drawing.h"
#include <texgauge/render.h>

typedef struct {
    const char *output, *boxes, *input;
    gboolean color_tokens, flat;
    TgRenderOptions options;
} CliRenderArgs;

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* Dimensions in sp, and per token its span in the source and its ink in px of the picture. */
static json_t *drawing_json(const TgDrawing *drawing)
{
    const TgDimensions size = tg_drawing_dimensions(drawing);
    const TgFrame picture = tg_drawing_frame(drawing);
    json_t *list = json_array(), *faults = json_array();
    guint n;

    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);
    for (guint i = 0; i < n; i++) {
        const TgRect box = tokens[i].box;

        json_array_append_new(
            list,
            json_pack("{s:i, s:[i,i], s:o, s:o}", "id", (int) i, "span", (int) tokens[i].start,
                      (int) tokens[i].end, "name", tg_json_text(tokens[i].name), "box",
                      tokens[i].has_ink ? json_pack("[f,f,f,f]", box.x0, box.y0, box.x1, box.y1)
                                        : json_null()));
    }
    const TgFormulaFault *found = tg_drawing_faults(drawing, &n);
    for (guint i = 0; i < n; i++)
        json_array_append_new(faults, json_pack("{s:s, s:i, s:o}", "kind", found[i].kind, "column",
                                                (int) found[i].column, "message",
                                                tg_json_text(found[i].message)));
    return json_pack("{s:{s:I, s:I, s:I}, s:{s:i, s:i, s:[i,i]}, s:o, s:o}", "sp", "width",
                     (json_int_t) size.width, "height", (json_int_t) size.height, "depth",
                     (json_int_t) size.depth, "picture", "width", (int) picture.width, "height",
                     (int) picture.height, "origin", picture.origin_x, picture.origin_y, "tokens",
                     list, "faults", faults);
}

/* One line: the boxes, or the error of a formula that was rejected. */
static void append_boxes(GString *out, const TgDrawing *drawing, const GError *refused)
{
    json_auto_t *json = drawing != NULL
                            ? drawing_json(drawing)
                            : json_pack("{s:o}", "error", tg_json_text(refused->message));

    tg_json_append(out, json);
    g_string_append_c(out, '\n');
}

/* ---- Pictures -------------------------------------------------------------------------------- */

/* Draw a formula and print its faults. */
static TgDrawing *render_draw(const CliRenderArgs *args, TgRenderer *renderer,
                              const CliFormula *formula, GError **error)
{
    TgDrawing *drawing =
        tg_renderer_draw(renderer, formula->text, formula->len, &args->options, error);
    guint n;

    if (drawing == NULL)
        return NULL;
    const TgFormulaFault *faults = tg_drawing_faults(drawing, &n);
    for (guint i = 0; i < n; i++)
        cli_message("texgauge: %s%s, column %u", formula->place, faults[i].message,
                    faults[i].column);
    g_autofree char *missing = args->output != NULL ? tg_drawing_missing(drawing) : NULL;
    if (missing != NULL)
        cli_message("texgauge: %sno installed font has %s: drawn as frames", formula->place,
                    missing);
    return drawing;
}

static gboolean render_write_picture(const CliRenderArgs *args, const TgDrawing *drawing,
                                     const char *path, GError **error)
{
    TgPictureFormat format;

    if (!cli_picture_format(path, &format, error))
        return FALSE;
    const TgInkColors colors = args->flat           ? TG_INK_FLAT
                               : args->color_tokens ? TG_INK_TOKENS
                                                    : TG_INK_NATURAL;
    g_autoptr(GBytes) bytes = tg_drawing_encode(drawing, format, colors, error);
    return bytes != NULL &&
           cli_write_file(path, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), error);
}

static int render_one(const CliRenderArgs *args, TgRenderer *renderer, const CliFormula *formula)
{
    g_autoptr(GString) boxes = g_string_new(NULL);
    GError *error = NULL;
    g_autoptr(TgDrawing) drawing = render_draw(args, renderer, formula, &error);

    if (drawing == NULL ||
        (args->output != NULL && !render_write_picture(args, drawing, args->output, &error)))
        return cli_fail(error);
    append_boxes(boxes, drawing, NULL);
    if (args->boxes != NULL && !cli_write_file(args->boxes, boxes->str, boxes->len, &error))
        return cli_fail(error);
    return EXIT_DONE;
}

/* ---- Several formulas ------------------------------------------------------------------------ */

/* FOLDER/N.png and FOLDER/N.json; a formula that is rejected does not end the others. */
static int render_all(const CliRenderArgs *args, TgRenderer *renderer, const GPtrArray *formulas)
{
    g_autoptr(GString) boxes = g_string_new(NULL); /* a line for each formula */
    GError *error = NULL;
    guint n_bad = 0;

    if (args->output != NULL && !g_file_test(args->output, G_FILE_TEST_IS_DIR)) {
        TgPictureFormat format;

        if (cli_picture_format(args->output, &format, NULL))
            return cli_usage("the pictures of several formulas go to a folder: -o FOLDER");
        if (g_mkdir_with_parents(args->output, 0777) != 0) {
            cli_message("texgauge: %s: %s", args->output, g_strerror(errno));
            return EXIT_INTERNAL;
        }
    }
    for (guint i = 0; i < formulas->len; i++) {
        const CliFormula *formula = formulas->pdata[i];
        g_autoptr(GError) refused = NULL;
        g_autoptr(TgDrawing) drawing = render_draw(args, renderer, formula, &refused);
        const gsize start = boxes->len;

        if (drawing == NULL && !g_error_matches(refused, TG_ERROR, TG_ERROR_PARSE))
            return cli_fail(g_steal_pointer(&refused));
        if (drawing == NULL) {
            cli_message("texgauge: %s%s", formula->place, refused->message);
            n_bad++;
        }
        append_boxes(boxes, drawing, refused);
        if (args->output != NULL && drawing != NULL) {
            g_autofree char *picture = g_strdup_printf("%s/%u.png", args->output, i + 1);
            g_autofree char *json = g_strdup_printf("%s/%u.json", args->output, i + 1);

            if (!render_write_picture(args, drawing, picture, &error) ||
                !cli_write_file(json, boxes->str + start, boxes->len - start, &error))
                return cli_fail(error);
        }
        if (args->boxes == NULL)
            g_string_truncate(boxes, 0);
    }
    if (args->boxes != NULL && !cli_write_file(args->boxes, boxes->str, boxes->len, &error))
        return cli_fail(error);
    return n_bad > 0 ? EXIT_INPUT : EXIT_DONE;
}

/* ---- The command ----------------------------------------------------------------------------- */

#define AT(member) G_STRUCT_OFFSET(CliRenderArgs, member)

static const TgArg args[] = {
    { "output", TG_ARG_FILE, AT(output),
      "picture to write: .png, .svg, .pdf, or '-' for PNG on stdout; of several formulas a folder "
      "with N.png and N.json",
      "FILE", .letter = 'o', .file = TG_ARG_WRITES, .group = "Output" },
    { "boxes", TG_ARG_FILE, AT(boxes),
      "write dimensions (sp) and each token's span and ink box (px), a line of JSON per formula; "
      "'-' is stdout",
      "FILE", .file = TG_ARG_WRITES },
    { "input", TG_ARG_FILE, AT(input), "read a formula from each line of FILE; '-' is stdin",
      "FILE", .file = TG_ARG_READS, .group = "Drawing" },
    { "dpi", TG_ARG_NUMBER, AT(options.dpi), "pixels per inch (default: 200)", "N" },
    { "size", TG_ARG_NUMBER, AT(options.size_pt), "text size in points (default: 12)", "PT" },
    { "inline", TG_ARG_FLAG, AT(options.text_style), "set in text style instead of display style" },
    { "strict", TG_ARG_FLAG, AT(options.strict),
      "reject a formula with a fault; otherwise what can be read is drawn" },
    { "color-tokens", TG_ARG_FLAG, AT(color_tokens), "draw each token in its own color" },
    { "flat", TG_ARG_FLAG, AT(flat), "draw token ids as colors, without antialiasing" },
    { 0 },
};

static int run(CliCall *call)
{
    const CliRenderArgs *w = call->values;
    GError *error = NULL;

    if (w->output == NULL && w->boxes == NULL)
        return cli_usage("-o FILE or --boxes FILE is required");
    g_autoptr(GPtrArray) formulas = cli_formulas_new(call->words, w->input, &error);
    if (formulas == NULL)
        return cli_fail(error);
    g_autoptr(TgFonts) fonts = tg_fonts_new(&error);
    if (fonts == NULL)
        return cli_fail(error);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    if (w->input == NULL && formulas->len == 1)
        return render_one(w, renderer, formulas->pdata[0]);
    return render_all(w, renderer, formulas);
}

static const CliRenderArgs initial = { .options = TG_RENDER_OPTIONS_INIT };

const CliCommand cmd_render = {
    "render",
    "draw formulas as TeX does, without TeX, and locate their tokens",
    "[--] FORMULA... | --input FILE",
    "'-' reads one formula from stdin.",
    "texgauge render '\\frac{a}{b}' -o fraction.png\n"
    "texgauge render '\\sum_{i} x_i' -o sum.svg --boxes - --color-tokens\n"
    "texgauge render --input formulas.txt -o pictures/",
    NULL,
    args,
    sizeof(CliRenderArgs),
    .initial = &initial,
    .run = run,
};
