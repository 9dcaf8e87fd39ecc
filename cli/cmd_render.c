/* texgauge render: formulas as pictures, with the boxes of their tokens. */
#include "cli.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <texgauge/render.h>

#include "file.h"

typedef struct {
    char *output;
    char *boxes;
    char *input;
    gboolean color_tokens, flat;
    TgRenderOptions options;
} Words;

static void words_clear(Words *words)
{
    g_free(words->output);
    g_free(words->boxes);
    g_free(words->input);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Words, words_clear)

static json_t *token_json(const TgDrawnToken *token, guint id)
{
    json_t *object = json_pack("{s:i, s:[i,i], s:s}", "id", (int) id, "span", (int) token->start,
                               (int) token->end, "name", token->name);

    json_object_set_new(object, "box",
                        token->has_ink
                            ? json_pack("[f,f,f,f]", token->x0, token->y0, token->x1, token->y1)
                            : json_null());
    return object;
}

/* Dimensions in sp, and per token its span in the source and its ink in px of the picture. */
static char *boxes_text(const TgDrawing *drawing)
{
    const TgDimensions size = tg_drawing_dimensions(drawing);
    const TgPicture picture = tg_drawing_picture(drawing);
    json_t *list = json_array(), *faults = json_array();
    guint n;

    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);
    for (guint i = 0; i < n; i++)
        json_array_append_new(list, token_json(&tokens[i], i));
    const TgFormulaFault *found = tg_drawing_faults(drawing, &n);
    for (guint i = 0; i < n; i++)
        json_array_append_new(faults,
                              json_pack("{s:s, s:i, s:s}", "kind", found[i].kind, "column",
                                        (int) found[i].column, "message", found[i].message));
    json_t *all = json_pack("{s:{s:I, s:I, s:I}, s:{s:i, s:i, s:[i,i]}, s:o, s:o}", "sp", "width",
                            (json_int_t) size.width, "height", (json_int_t) size.height, "depth",
                            (json_int_t) size.depth, "picture", "width", (int) picture.width,
                            "height", (int) picture.height, "origin", picture.origin_x,
                            picture.origin_y, "tokens", list, "faults", faults);
    char *text = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(10));
    char *line = g_strconcat(text, "\n", NULL);
    free(text);
    json_decref(all);
    return line;
}

/* Draw one formula into the files that are named; @boxes may be NULL. */
static gboolean render(const Words *words, TgRenderer *renderer, const char *formula,
                       const char *output, const char *boxes, GError **error)
{
    TgPictureFormat format = TG_FORMAT_PNG;
    const TgInkColors colors = words->flat           ? TG_INK_FLAT
                               : words->color_tokens ? TG_INK_TOKENS
                                                     : TG_INK_NATURAL;
    guint n_faults;

    if (output != NULL && !cli_picture_format(output, &format, error))
        return FALSE;
    g_autoptr(TgDrawing) drawing =
        tg_renderer_draw(renderer, formula, strlen(formula), &words->options, error);
    if (drawing == NULL)
        return FALSE;
    const TgFormulaFault *faults = tg_drawing_faults(drawing, &n_faults);
    for (guint i = 0; i < n_faults; i++)
        fprintf(stderr, "texgauge: %s, column %u\n", faults[i].message, faults[i].column);
    if (output != NULL) {
        g_autoptr(GBytes) bytes = tg_drawing_encode(drawing, format, colors, error);
        gsize n;
        if (bytes == NULL)
            return FALSE;
        const void *data = g_bytes_get_data(bytes, &n);
        if (!cli_write_file(output, data, n, error))
            return FALSE;
    }
    if (boxes == NULL)
        return TRUE;
    g_autofree char *text = boxes_text(drawing);
    return cli_write_file(boxes, text, strlen(text), error);
}

/* Each line of a file into FOLDER/LINE.png, and its boxes beside it; one bad formula ends nothing.
 */
static int render_lines(const Words *words, TgRenderer *renderer)
{
    g_autofree char *text = NULL;
    GError *error = NULL;
    guint n_bad = 0;

    if (!g_file_get_contents(words->input, &text, NULL, &error)) {
        fprintf(stderr, "texgauge: %s\n", error->message);
        g_error_free(error);
        return EXIT_INPUT;
    }
    if (g_mkdir_with_parents(words->output, 0777) != 0) {
        fprintf(stderr, "texgauge: %s: %s\n", words->output, g_strerror(errno));
        return EXIT_INTERNAL;
    }
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_autofree char *picture = g_strdup_printf("%s/%u.png", words->output, i + 1);
        g_autofree char *boxes = g_strdup_printf("%s/%u.json", words->output, i + 1);

        if (render(words, renderer, lines[i], picture, boxes, &error))
            continue;
        if (!g_error_matches(error, TG_ERROR, TG_ERROR_PARSE))
            return cli_fail(error);
        fprintf(stderr, "texgauge: %s:%u: %s\n", words->input, i + 1, error->message);
        g_clear_error(&error);
        n_bad++;
    }
    return n_bad > 0 ? EXIT_INPUT : EXIT_DONE;
}

/* The formula of the command line; "-" is all of stdin. (transfer full) */
static char *take_formula(const char *word)
{
    g_autoptr(GString) text = g_string_new(NULL);
    char part[4096];
    size_t n;

    if (strcmp(word, "-") != 0)
        return g_strdup(word);
    while ((n = fread(part, 1, sizeof part, stdin)) > 0 && text->len < (1u << 21))
        g_string_append_len(text, part, (gssize) n);
    while (text->len > 0 && text->str[text->len - 1] == '\n')
        g_string_truncate(text, text->len - 1);
    return g_strndup(text->str, text->len);
}

static int run(const Words *words, char **formulas)
{
    GError *error = NULL;

    if (words->output == NULL && words->boxes == NULL)
        return cli_usage("render", "-o names the picture, --boxes the file of boxes");
    if (words->input != NULL ? *formulas != NULL || words->output == NULL
                             : g_strv_length(formulas) != 1)
        return cli_usage("render", "one formula, or --input FILE with a folder behind -o");

    g_autoptr(TgFonts) fonts = tg_fonts_new(&error);
    if (fonts == NULL)
        return cli_fail(error);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    if (words->input != NULL)
        return render_lines(words, renderer);
    g_autofree char *formula = take_formula(*formulas);
    if (!render(words, renderer, formula, words->output, words->boxes, &error))
        return cli_fail(error);
    return EXIT_DONE;
}

int cmd_render(int argc, char **argv)
{
    g_auto(Words) w = { .options = TG_RENDER_OPTIONS_INIT };
    g_auto(GStrv) formulas = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME, &w.output,
          "picture to write: .png, .svg, .pdf, or '-' for PNG on stdout", "FILE" },
        { "boxes", 0, 0, G_OPTION_ARG_FILENAME, &w.boxes,
          "write dimensions in sp and each token's span and ink in px as JSON", "FILE" },
        { "input", 0, 0, G_OPTION_ARG_FILENAME, &w.input,
          "draw each line of a file into the folder behind -o", "FILE" },
        { "dpi", 0, 0, G_OPTION_ARG_DOUBLE, &w.options.dpi, "pixels per inch (default: 200)", "N" },
        { "size", 0, 0, G_OPTION_ARG_DOUBLE, &w.options.size_pt, "text size (default: 12)", "PT" },
        { "inline", 0, 0, G_OPTION_ARG_NONE, &w.options.text_style,
          "as inside a line of text, not as a display", NULL },
        { "strict", 0, 0, G_OPTION_ARG_NONE, &w.options.strict,
          "refuse a formula with a fault instead of drawing what can be read", NULL },
        { "color-tokens", 0, 0, G_OPTION_ARG_NONE, &w.color_tokens, "a colour for each token",
          NULL },
        { "flat", 0, 0, G_OPTION_ARG_NONE, &w.flat,
          "each token in the colour of its id, hard edges: for machines", NULL },
        { NULL },
    };

    if (!cli_parse(
            argc, argv, entries, "[--] FORMULA | --input FILE",
            "Draws LaTeX formulas as TeX does, without TeX. '-' reads the formula from stdin.",
            "Examples:\n"
            "  texgauge render '\\frac{a}{b}' -o fraction.png\n"
            "  texgauge render '\\sum_{i} x_i' -o sum.svg --boxes - --color-tokens\n"
            "  texgauge render --input formulas.txt -o pictures/",
            &formulas, &status))
        return status;
    return run(&w, formulas);
}
