/* The formulas that a command works on: arguments, or the lines of a file. */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <texgauge/types.h>

#include "core/fail.h"

#define MAX_BYTES ((gsize) 256 << 20)

/* All of a file, "-" being stdin; NULL with @error. */
static GString *read_all(const char *path, GError **error)
{
    const gboolean is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    g_autoptr(GString) text = g_string_new(NULL);
    char part[65536];
    size_t n;
    int fault = file == NULL ? errno : 0;

    while (fault == 0 && (n = fread(part, 1, sizeof part, file)) > 0) {
        g_string_append_len(text, part, (gssize) n);
        fault = text->len > MAX_BYTES ? EFBIG : 0;
    }
    if (fault == 0 && ferror(file))
        fault = errno;
    if (file != NULL && !is_stdin)
        fclose(file);
    if (fault == 0)
        return g_steal_pointer(&text);
    return tg_null_input(error, "%s: %s", path, g_strerror(fault));
}

static void formula_free(gpointer data)
{
    CliFormula *formula = data;

    g_free(formula->text);
    g_free(formula->place);
    g_free(formula);
}

/* Takes ownership of @place. */
static void add(GPtrArray *formulas, const char *text, gsize len, char *place)
{
    CliFormula *formula = g_new(CliFormula, 1);

    *formula = (CliFormula){ memcpy(g_malloc0(len + 1), text, len), len, place };
    g_ptr_array_add(formulas, formula);
}

static gboolean add_lines(GPtrArray *formulas, const char *path, GError **error)
{
    g_autoptr(GString) text = read_all(path, error);

    if (text == NULL)
        return FALSE;
    const char *end = text->str + text->len;
    for (const char *line = text->str; line < end;) {
        const char *stop = memchr(line, '\n', (gsize) (end - line));
        gsize len = (gsize) ((stop != NULL ? stop : end) - line);

        if (len > 0 && line[len - 1] == '\r')
            len--;
        char *place = g_strdup_printf("%s:%u: ", path, formulas->len + 1);
        add(formulas, line, len, place);
        line = stop != NULL ? stop + 1 : end;
    }
    return TRUE;
}

static gboolean add_word(GPtrArray *formulas, const char *word, GError **error)
{
    if (strcmp(word, "-") != 0) {
        add(formulas, word, strlen(word), g_strdup(""));
        return TRUE;
    }
    g_autoptr(GString) text = read_all(word, error);
    if (text == NULL)
        return FALSE;
    if (text->len > 0 && text->str[text->len - 1] == '\n')
        g_string_truncate(text, text->len - 1);
    add(formulas, text->str, text->len, g_strdup(""));
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
    for (guint i = 0; good && words[i] != NULL; i++)
        good = add_word(formulas, words[i], error);
    if (good && formulas->len == 0)
        good = tg_fail_input(error, "%s holds no formulas", input);
    return good ? g_steal_pointer(&formulas) : NULL;
}
