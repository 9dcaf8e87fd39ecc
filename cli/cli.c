/* Helpers of all commands: messages and exit codes, output, pictures, formulas, the progress line.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/utf8.h"
#include "datasets/readers/reader.h"

void cli_message(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *visible = tg_visible(text, "\n\t");
    cli_progress_clear();
    fprintf(stderr, "%s\n", visible);
}

int cli_fail(GError *error)
{
    int status = EXIT_INTERNAL;

    if (error->domain == G_OPTION_ERROR)
        status = EXIT_USAGE;
    else if (error->domain == TG_ERROR)
        switch ((TgErrorCode) error->code) {
        case TG_ERROR_USAGE:
        case TG_ERROR_PLUGIN:
            status = EXIT_USAGE;
            break;
        case TG_ERROR_INPUT:
        case TG_ERROR_DATA:
        case TG_ERROR_PARSE:
            status = EXIT_INPUT;
            break;
        case TG_ERROR_FONT:
        case TG_ERROR_OUTPUT:
        case TG_ERROR_INTERNAL:
        case TG_ERROR_CANCELLED:
            break;
        }
    cli_message("texgauge: %s", error->message);
    g_error_free(error);
    return status;
}

void cli_remark(const char *message, G_GNUC_UNUSED gpointer unused)
{
    cli_message("texgauge: %s", message);
}

void cli_remarks(const GPtrArray *remarks)
{
    for (guint i = 0; i < remarks->len; i++)
        cli_remark(remarks->pdata[i], NULL);
}

void cli_hint_files(char **formulas)
{
    guint n = 0;

    while (formulas[n] != NULL && g_file_test(formulas[n], G_FILE_TEST_IS_REGULAR))
        n++;
    if (n > 1 && formulas[n] == NULL)
        cli_message("texgauge: the arguments are files, but their names are read as formulas; "
                    "files are scored by: texgauge eval --gt %s --pred %s",
                    formulas[0], formulas[n - 1]);
}

int cli_usage(const char *message)
{
    cli_message("%s: %s\nTry '%s --help'.", g_get_prgname(), message, g_get_prgname());
    return EXIT_USAGE;
}

static int put_stdout(const char *text)
{
    cli_progress_clear();
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return EXIT_DONE;
    fprintf(stderr, "texgauge: stdout: %s\n", g_strerror(errno));
    return EXIT_INTERNAL;
}

int cli_print(const char *text)
{
    g_autofree char *visible = isatty(STDOUT_FILENO) ? tg_visible(text, "\n\t") : NULL;

    return put_stdout(visible != NULL ? visible : text);
}

int cli_print_colored(const char *text)
{
    g_autoptr(GString) visible = g_string_new(NULL);

    if (!isatty(STDOUT_FILENO))
        return put_stdout(text);
    g_auto(GStrv) parts = g_regex_split_simple("(\033\\[(?:0|1|31|33|36)m)", text, G_REGEX_RAW, 0);
    for (guint i = 0; parts[i] != NULL; i++)
        if (i % 2 == 1) /* a color */
            g_string_append(visible, parts[i]);
        else
            tg_visible_append(visible, parts[i], "\n\t");
    return put_stdout(visible->str);
}

int cli_print_json(json_t *json, gsize flags)
{
    char *text = json_dumps(json, flags);
    g_autofree char *line = g_strconcat(text, "\n", NULL);

    free(text);
    json_decref(json);
    return cli_print(line);
}

guint cli_width(void)
{
    enum { USUAL_WIDTH = 80, MIN_WIDTH = 20, MAX_WIDTH = 10000 };
    const char *columns = g_getenv("COLUMNS");
    struct winsize size;
    guint64 width = 0;

    if (!isatty(STDOUT_FILENO))
        return 0;
    if (columns != NULL &&
        g_ascii_string_to_unsigned(columns, 10, MIN_WIDTH, MAX_WIDTH, &width, NULL))
        return (guint) width;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return MAX(size.ws_col, MIN_WIDTH);
}

void cli_form_complete(const CliCall *call, TgGridForm *form)
{
    form->fixed = cli_given(call, "digits");
    form->width = cli_width();
}

/* ---- pictures and boxes ---- */

static const char *const suffixes[] = { ".png", ".svg", ".pdf" };

gboolean cli_write_file(const char *path, const void *bytes, gsize n, GError **error)
{
    /* A picture takes the place of one of its format, boxes that of boxes. */
    static const char *const marks[] = { "\x89PNG",      "<svg",       "%PDF-",
                                         "\"picture\":", "\"error\":", NULL };
    gsize kind = 0;

    while (kind < 3 && !g_str_has_suffix(path, suffixes[kind]))
        kind++;
    const char *const mine[] = { marks[kind], kind == 3 ? marks[4] : NULL, NULL };
    return tg_output_check(path, mine, "remove it or choose another name", error) &&
           tg_output_write(path, bytes, n, error);
}

gboolean cli_picture_format(const char *path, TgPictureFormat *format, GError **error)
{
    *format = TG_FORMAT_PNG;
    if (strcmp(path, "-") == 0)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(suffixes); i++)
        if (g_str_has_suffix(path, suffixes[i])) {
            *format = (TgPictureFormat) i;
            return TRUE;
        }
    return tg_fail_usage(error, "'%s' does not end in .png, .svg or .pdf", path);
}

/* ---- formulas: arguments, or the lines of a file ---- */

#define MAX_BYTES ((gsize) 256 << 20)

/* All of a file, "-" being stdin; NULL with @error. */
static GString *read_all(const char *path, GError **error)
{
    g_autoptr(TgStream) stream = tg_stream_open(path, MAX_BYTES, error);

    return stream != NULL ? tg_stream_read_rest(stream, MAX_BYTES, error) : NULL;
}

static void formula_free(gpointer data)
{
    CliFormula *formula = data;

    g_free(formula->text);
    g_free(formula->place);
    g_free(formula);
}

/* Takes ownership of @place. */
static void add_formula(GPtrArray *formulas, const char *text, gsize len, char *place)
{
    CliFormula *formula = g_new(CliFormula, 1);

    *formula = (CliFormula){ memcpy(g_malloc0(len + 1), text, len), len, place };
    g_ptr_array_add(formulas, formula);
}

gboolean cli_check_lines(const char *path, const char *text, gsize len, GError **error)
{
    const char *format = tg_reader_format_of_rows(text, len);

    return format == NULL ||
           tg_fail_input(error,
                         "%s: has rows with fields (%s), and each line is read as a formula; write "
                         "a file with the formulas alone",
                         strcmp(path, "-") == 0 ? "stdin" : path, format);
}

static gboolean add_lines(GPtrArray *formulas, const char *path, GError **error)
{
    g_autoptr(GString) text = read_all(path, error);

    if (text == NULL || !cli_check_lines(path, text->str, text->len, error))
        return FALSE;
    const char *end = text->str + text->len;
    for (const char *line = text->str; line < end;) {
        const char *stop = memchr(line, '\n', (gsize) (end - line));
        gsize len = (gsize) ((stop != NULL ? stop : end) - line);

        if (len > 0 && line[len - 1] == '\r')
            len--;
        char *place = g_strdup_printf("%s:%u: ", path, formulas->len + 1);
        add_formula(formulas, line, len, place);
        line = stop != NULL ? stop + 1 : end;
    }
    return TRUE;
}

GPtrArray *cli_formulas_new(char **words, const char *input, GError **error)
{
    g_autoptr(GPtrArray) formulas = g_ptr_array_new_with_free_func(formula_free);
    gboolean good = TRUE;

    if ((input != NULL) == (*words != NULL))
        return tg_null_usage(error,
                             "give either formulas or --input FILE with a formula on each line");
    if (input != NULL)
        good = add_lines(formulas, input, error);
    for (guint i = 0; good && words[i] != NULL; i++) {
        if (strcmp(words[i], "-") != 0) {
            add_formula(formulas, words[i], strlen(words[i]), g_strdup(""));
            continue;
        }
        g_autoptr(GString) text = read_all("-", error);
        good = text != NULL;
        if (good && text->len > 0 && text->str[text->len - 1] == '\n')
            g_string_truncate(text, text->len - 1);
        if (good)
            add_formula(formulas, text->str, text->len, g_strdup(""));
    }
    if (good && formulas->len == 0)
        good = tg_fail_input(error, "%s holds no formulas", input);
    return good ? g_steal_pointer(&formulas) : NULL;
}

/* ---- the progress line of the terminal ---- */

enum { BAR_WIDTH = 24 };

/* Workers that tell something look at these. */
static gint64 start_us;            /* 0: there is no line */
static _Atomic gint64 shown_us;    /* 0: never */
static _Atomic gboolean on_screen; /* the line is there now */

void cli_progress_start(gboolean quiet)
{
    if (!quiet && isatty(STDERR_FILENO))
        start_us = g_get_monotonic_time();
}

static void append_bar(GString *line, double share)
{
    const int full = (int) (share * BAR_WIDTH + 0.5);

    g_string_append_c(line, '[');
    for (int i = 0; i < BAR_WIDTH; i++)
        g_string_append_c(line, i < full ? '#' : '.');
    g_string_append_printf(line, "] %3.0f %%  ", share * 100);
}

/* Whether to show the line now. */
static gboolean progress_is_due(void)
{
    const gint64 now = g_get_monotonic_time();

    if (start_us == 0 || now - start_us < G_USEC_PER_SEC || now - shown_us < G_USEC_PER_SEC / 10)
        return FALSE;
    shown_us = now;
    on_screen = TRUE;
    return TRUE;
}

gboolean cli_progress_update(const TgProgress *state, G_GNUC_UNUSED gpointer unused)
{
    const double seconds = (double) (g_get_monotonic_time() - start_us) / G_USEC_PER_SEC;

    if (!progress_is_due())
        return TRUE;

    g_autoptr(GString) line = g_string_new("\r\033[K");
    const double share = state->bytes_total > 0
                             ? MIN(1.0, (double) state->bytes_read / (double) state->bytes_total)
                             : 0.0;
    if (state->bytes_total > 0)
        append_bar(line, share);
    g_string_append_printf(line, "%" G_GUINT64_FORMAT " rows  %.0f/s", state->rows,
                           (double) state->rows / seconds);
    if (share > 0.01) {
        const int left = (int) (seconds * (1 - share) / share);
        g_string_append_printf(line, "  ETA %d:%02d", left / 60, left % 60);
    }
    if (state->failures > 0)
        g_string_append_printf(line, "  %" G_GUINT64_FORMAT " not ok", state->failures);
    fputs(line->str, stderr);
    fflush(stderr);
    return TRUE;
}

void cli_progress_stage(const char *stage, guint64 done, guint64 total,
                        G_GNUC_UNUSED gpointer unused)
{
    g_autoptr(GString) line = g_string_new("\r\033[K");

    if (!progress_is_due())
        return;
    if (total > 0)
        append_bar(line, (double) MIN(done, total) / (double) total);
    g_string_append(line, stage);
    fputs(line->str, stderr);
    fflush(stderr);
}

void cli_progress_clear(void)
{
    if (atomic_exchange(&on_screen, FALSE))
        fputs("\r\033[K", stderr);
}
