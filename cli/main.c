/* texgauge: scores LaTeX formulas. Each command has a file of its own, cmd_NAME.c. */
#include "cli/cli.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cairo.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <zlib.h>
#include <zstd.h>

#include "core/pipeline.h"
#include "core/utf8.h"
#include "render/fonts/font.h"

static const CliCommand *const commands[] = {
    &cmd_eval,    &cmd_score,   &cmd_compare,  &cmd_report, &cmd_rate,      &cmd_study, &cmd_select,
    &cmd_explain, &cmd_metrics, &cmd_tokenize, &cmd_render, &cmd_documents, &cmd_train, NULL,
};

static void print_help(FILE *to)
{
    fprintf(to,
            "Score LaTeX formulas: predictions against references, with many metrics.\n\n"
            "  texgauge score --metrics bleu,edit '\\frac{a}{b}' 'a/b'\n"
            "  texgauge eval --metrics cdm,forte --gt truth.csv --pred A=a.txt --pred B=b.txt\n\n"
            "Usage: texgauge COMMAND [OPTION...] ...\n\n"
            "Commands:\n");
    for (guint i = 0; commands[i] != NULL; i++)
        fprintf(to, "  %-10s%s\n", commands[i]->name, commands[i]->summary);
    fprintf(to, "\n"
                "Options:\n"
                "  COMMAND --help    describe a command and its options\n"
                "  --version         print the version\n"
                "  --version --build print the libraries, fonts and checksums, too\n"
                "  --options         print all commands and their options as JSON\n");
}

/* Print the libraries and fonts that a score may depend on beside our own code. */
static void print_build(void)
{
    const char *const *fonts = tg_font_families;
    FT_Library freetype;
    FT_Int major = 0, minor = 0, patch = 0;

    if (FT_Init_FreeType(&freetype) == 0) {
        FT_Library_Version(freetype, &major, &minor, &patch);
        FT_Done_FreeType(freetype);
    }
    printf("compiler              %s\n", __VERSION__);
    printf("glib                  %u.%u.%u\n", glib_major_version, glib_minor_version,
           glib_micro_version);
    printf("jansson               %s\n", jansson_version_str());
    printf("cairo                 %s\n", cairo_version_string());
    printf("freetype              %d.%d.%d\n", major, minor, patch);
    printf("zlib                  %s\n", zlibVersion());
    printf("zstd                  %s\n", ZSTD_versionString());
    printf("fontconfig            %s\n", TG_FONTCONFIG_VERSION);
    printf("leptonica             %s\n", TG_LEPTONICA_VERSION);
    printf("fonts                 %s\n", tg_fonts_hash());
    for (guint i = 0; fonts[i] != NULL; i++) {
        g_autofree char *path = tg_font_find_file(fonts[i], NULL), *bytes = NULL;
        gsize n;

        if (path == NULL || !g_file_get_contents(path, &bytes, &n, NULL)) {
            printf("font  %-22s not found\n", fonts[i]);
            continue;
        }
        g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guchar *) bytes, n);
        printf("font  %-22s sha256 %.12s  %s\n", fonts[i], sum, path);
    }
}

static int run_command(int argc, char **argv)
{
    /* A file that is opened where stderr is closed would get its number, and the messages with it.
     * A closed descriptor becomes a device in the other direction, so that its use fails as before.
     */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            exit(EXIT_INTERNAL);
    setlocale(LC_CTYPE, ""); /* numbers stay those of the C locale */
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("texgauge %s\n", tg_version());
        if (argc > 2 && strcmp(argv[2], "--build") == 0)
            print_build();
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--options") == 0) /* for those who write documents */
        return cli_describe(commands);

    const CliCommand *command = cli_find(commands, argv[1]);
    if (command == NULL) {
        g_autoptr(GPtrArray) names = g_ptr_array_new();
        for (guint i = 0; commands[i] != NULL; i++)
            g_ptr_array_add(names, (gpointer) commands[i]->name);
        g_ptr_array_add(names, NULL);
        const char *meant = tg_nearest_name(argv[1], (const char *const *) names->pdata);
        cli_message("texgauge: no command '%s'%s%s%s\nTry 'texgauge --help'.", argv[1],
                    meant != NULL ? "; did you mean '" : "", meant != NULL ? meant : "",
                    meant != NULL ? "'?" : "");
        return EXIT_USAGE;
    }
    g_autofree char *name = g_strconcat("texgauge ", command->name, NULL);
    g_set_prgname(name);
    argv[1] = name;
    return cli_run(command, argc - 1, argv + 1);
}

typedef struct {
    int argc, status;
    char **argv;
} Call;

static void *run_call(void *data)
{
    Call *call = data;

    call->status = run_command(call->argc, call->argv);
    return NULL;
}

int main(int argc, char **argv)
{
    Call call = { .argc = argc, .argv = argv };

    if (!tg_run_where_stack_suffices(run_call,
                                     &call)) { /* "ulimit -s" is low, and no thread starts */
        cli_message("texgauge: the stack is limited to less than 1 MiB (ulimit -s)");
        return EXIT_INTERNAL;
    }
    return call.status;
}
