#include "tests/support/test_support.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Comparisons --------------------------------------------------------------------------- */

void tg_assert_near_(double actual, double wanted, double tolerance, const char *what,
                     const char *file, int line)
{
    if (fabs(actual - wanted) <= tolerance * MAX(1.0, fabs(wanted)))
        return;
    print_error("%s is %.17g, wanted %.17g within %g\n", what, actual, wanted, tolerance);
    _fail(file, line);
}

/* ---- Texts --------------------------------------------------------------------------------- */

char *tg_repeat(const char *piece, gsize size)
{
    GString *text = g_string_sized_new(size);

    while (*piece != '\0' && text->len + strlen(piece) <= size)
        g_string_append(text, piece);
    return g_string_free(text, FALSE);
}

void tg_assert_text(char *got, const char *wanted)
{
    assert_string_equal(got, wanted);
    g_free(got);
}

void tg_assert_holds(const char *text, ...)
{
    va_list parts;

    va_start(parts, text);
    for (const char *part; (part = va_arg(parts, const char *)) != NULL;)
        if (strstr(text, part) == NULL)
            fail_msg("no '%s' in '%s'", part, text);
    va_end(parts);
}

/* ---- Skipping ------------------------------------------------------------------------------ */

static char skip_reason[512];

void tg_skip(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_vsnprintf(skip_reason, sizeof skip_reason, format, args);
    va_end(args);
    g_strdelimit(g_strstrip(skip_reason), "\r\n#", ' ');
    skip(); /* jumps back into CMocka */
    abort();
}

/*
 * Overrides CMocka's function of this name, through which it writes its results. CMocka before 2.0
 * reports a skipped test as "not ok N # SKIP", which Meson counts as a failure.
 */
void print_message(const char *const format, ...)
{
    va_list args;

    va_start(args, format);
    if (g_str_has_prefix(format, "not ok %u # SKIP %s")) {
        const unsigned number = va_arg(args, unsigned);
        const char *test = va_arg(args, const char *);

        printf("ok %u - %s # SKIP %s\n", number, test, skip_reason);
    } else {
        vprint_message(format, args);
    }
    va_end(args);
    fflush(stdout);
}

/* ---- Shared data --------------------------------------------------------------------------- */

char *tg_shared_path(const char *relative)
{
    const char *folder = g_getenv("TEXGAUGE_SHARED");
    char *path =
        g_build_filename(folder != NULL ? folder : TG_SOURCE_ROOT "/../shared", relative, NULL);

    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return path;
    g_free(path);
    return NULL;
}

char *tg_shared_or_skip(const char *relative)
{
    char *path = tg_shared_path(relative);

    if (path == NULL)
        tg_skip("%s is not in the shared data (set TEXGAUGE_SHARED)", relative);
    return path;
}

void tg_skip_without_shared(const char *relative)
{
    g_free(tg_shared_or_skip(relative));
}

int tg_skip_program_without_shared(void)
{
    printf("skipped: the shared reference data is not there (set TEXGAUGE_SHARED)\n");
    return 77;
}
