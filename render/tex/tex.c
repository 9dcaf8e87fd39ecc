/* Batches: a document with a page for each formula; where pages are missing, its halves. */
#include "render/tex/tex.h"

#include <string.h>

#include "core/files/private_folder.h"
#include "core/files/subprocess.h"
#include "render/tex/tex_pages.h"
#include "render/tex/tex_refuse.h"

enum { MAX_BATCH = 256 };

#define SECONDS_PER_FORMULA 0.05

struct TgTex {
    TgTexProgram program;
    double seconds;
    char *tex_path, *reader_path;
    char **env;
    TgPrivateFolder *folder;
    GHashTable *checked; /* preambles that work */
};

static const struct {
    const char *name, *package;
} programs[] = {
    [TG_TEX_PDFLATEX] = { "pdflatex", "texlive-latex-base" },
    [TG_TEX_LUALATEX] = { "lualatex", "texlive-luatex" },
};

#define NEEDED_PACKAGES "texlive-latex-base, texlive-latex-recommended and texlive-latex-extra"

/* ---- programs ---- */

static char *find_program(const char *name, const char *package, GError **error)
{
    char *path = g_find_program_in_path(name);

    if (path == NULL)
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "%s is not installed; Debian has it in the package %s", name, package);
    return path;
}

/* The user's environment, without what lets TeX read or write files elsewhere. */
static char **make_environment(const char *folder)
{
    const struct {
        const char *name, *value;
    } settings[] = {
        { "openin_any", "p" },        { "openout_any", "p" },   { "shell_escape", "f" },
        { "max_print_line", "1000" }, { "LC_ALL", "C" },        { "SOURCE_DATE_EPOCH", "0" },
        { "TEXMFVAR", folder },       { "TEXMFCACHE", folder }, { "TMPDIR", folder },
    };
    char **env = g_get_environ();

    for (guint i = 0; i < G_N_ELEMENTS(settings); i++)
        env = g_environ_setenv(env, settings[i].name, settings[i].value, TRUE);
    env = g_environ_unsetenv(env, "TEXINPUTS");
    return g_environ_unsetenv(env, "TEXMFOUTPUT");
}

TgTex *tg_tex_new(TgTexProgram program, double seconds, GError **error)
{
    g_autoptr(TgTex) tex = g_new0(TgTex, 1);

    tex->program = program;
    tex->seconds = seconds;
    tex->checked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    tex->tex_path = find_program(programs[program].name, programs[program].package, error);
    if (tex->tex_path == NULL)
        return NULL;
    tex->reader_path = find_program("pdftocairo", "poppler-utils", error);
    if (tex->reader_path == NULL)
        return NULL;
    tex->folder = tg_private_folder_new(error);
    if (tex->folder == NULL)
        return NULL;
    tex->env = make_environment(tg_private_folder_path(tex->folder));
    return g_steal_pointer(&tex);
}

void tg_tex_free(TgTex *tex)
{
    if (tex == NULL)
        return;
    tg_private_folder_free(tex->folder);
    g_hash_table_unref(tex->checked);
    g_strfreev(tex->env);
    g_free(tex->tex_path);
    g_free(tex->reader_path);
    g_free(tex);
}

const char *tg_tex_name(const TgTex *tex)
{
    return programs[tex->program].name;
}

/* ---- one run ---- */

/* Formulas of a job, by their indices. */
typedef struct {
    const TgTexJob *job;
    const guint *indices;
    guint n;
} Batch;

/* With several formulas, each page is followed by a line in a file: the nesting depth of groups and
 * the number of the next page. A formula that leaves a group open or makes no page, or two, is
 * found by it. */
static char *make_document(const Batch *batch)
{
    const TgTexJob *job = batch->job;
    GString *out = g_string_new(job->preamble);

    g_string_append(out, "\\begin{document}\n");
    if (batch->n > 1)
        g_string_append(out, "\\newwrite\\texgaugemarks\n"
                             "\\immediate\\openout\\texgaugemarks=marks.txt\n");
    for (guint i = 0; i < batch->n; i++) {
        if (batch->n > 1)
            g_string_append(out, "\\begingroup\n");
        g_string_append(out, job->before);
        g_string_append(out, job->bodies[batch->indices[i]]);
        g_string_append(out, job->behind);
        if (batch->n > 1)
            g_string_append(out, "\\endgroup\n\\clearpage\n\\immediate\\write\\texgaugemarks{"
                                 "\\number\\currentgrouplevel\\space\\number\\value{page}}\n");
    }
    g_string_append(out, "\\end{document}\n");
    return g_string_free(out, FALSE);
}

static char *path_of(const TgTex *tex, const char *name)
{
    return g_build_filename(tg_private_folder_path(tex->folder), name, NULL);
}

static gboolean has_all_marks(const TgTex *tex, guint n)
{
    g_autofree char *path = path_of(tex, "marks.txt"), *marks = NULL;
    g_autoptr(GString) wanted = g_string_new(NULL);

    for (guint i = 0; i < n; i++)
        g_string_append_printf(wanted, "0 %u\n", i + 2);
    return g_file_get_contents(path, &marks, NULL, NULL) && strcmp(marks, wanted->str) == 0;
}

static gboolean run_tex(TgTex *tex, const Batch *batch, TgSubprocessEnd *end, GError **error)
{
    const char *argv[] = { tex->tex_path, "-no-shell-escape", "-interaction=batchmode", "page.tex",
                           NULL };
    g_autofree char *document = make_document(batch), *path = path_of(tex, "page.tex");
    GError *cause = NULL;

    tg_private_folder_empty(tex->folder);
    if (!g_file_set_contents(path, document, -1, &cause)) {
        g_set_error_literal(error, TG_ERROR, TG_ERROR_OUTPUT, cause->message);
        g_error_free(cause);
        return FALSE;
    }
    return tg_subprocess_run(argv, (const char *const *) tex->env,
                             tg_private_folder_path(tex->folder),
                             tex->seconds + SECONDS_PER_FORMULA * batch->n, end, error);
}

/* Set a batch; @failure (out) (nullable) says why there is not one page for each formula. */
static gboolean set_batch(TgTex *tex, const Batch *batch, const char **failure, GError **error)
{
    g_autofree char *pdf = path_of(tex, "page.pdf");
    TgSubprocessEnd end;

    *failure = NULL;
    if (!run_tex(tex, batch, &end, error))
        return FALSE;
    if (end == TG_SUBPROCESS_TIMED_OUT)
        *failure = "TeX does not come to an end";
    else if (!g_file_test(pdf, G_FILE_TEST_EXISTS))
        *failure = "TeX makes no page of it";
    else if (batch->n > 1 && !has_all_marks(tex, batch->n))
        *failure = "one takes others with it";
    return TRUE;
}

/* Hand the pages of a batch to the job; @complete (out): there is one for each formula. */
static gboolean take_pages(TgTex *tex, const Batch *batch, gboolean *complete, GError **error)
{
    const TgTexJob *job = batch->job;
    const TgPageReader reader = {
        .program = tex->reader_path,
        .env = (const char *const *) tex->env,
        .folder = tg_private_folder_path(tex->folder),
        .seconds = tex->seconds + SECONDS_PER_FORMULA * batch->n,
        .width_px = job->width_px,
        .height_px = job->height_px,
        .dpi = job->dpi,
    };
    g_autoptr(GPtrArray) pages = tg_tex_pages_list(&reader, error);

    if (pages == NULL)
        return FALSE;
    *complete = pages->len == batch->n;
    for (guint i = 0; *complete && i < batch->n; i++) {
        g_autoptr(TgRaster) page = tg_tex_pages_read(pages->pdata[i]);

        job->take(batch->indices[i], page, page != NULL ? NULL : "its page cannot be read",
                  job->data);
    }
    return TRUE;
}

/* A batch, or its halves; the recursion is as deep as the logarithm of MAX_BATCH. */
static gboolean draw_batch(TgTex *tex, Batch batch, GError **error)
{
    const char *failure;
    gboolean complete = FALSE;

    if (batch.n == 0)
        return TRUE;
    if (!set_batch(tex, &batch, &failure, error))
        return FALSE;
    if (failure == NULL && !take_pages(tex, &batch, &complete, error))
        return FALSE;
    if (complete)
        return TRUE;
    if (batch.n == 1) {
        batch.job->take(batch.indices[0], NULL,
                        failure != NULL ? failure : "TeX does not make one page of it",
                        batch.job->data);
        return TRUE;
    }
    const Batch first = { batch.job, batch.indices, batch.n / 2 };
    const Batch second = { batch.job, batch.indices + first.n, batch.n - first.n };
    return draw_batch(tex, first, error) && draw_batch(tex, second, error);
}

/* ---- a job ---- */

/* The first error in TeX's log, or nothing. (transfer full) */
static char *first_error(const TgTex *tex)
{
    g_autofree char *path = path_of(tex, "page.log"), *log = NULL;

    if (!g_file_get_contents(path, &log, NULL, NULL))
        return g_strdup("");
    const char *start = g_str_has_prefix(log, "! ") ? log : strstr(log, "\n! ");
    if (start == NULL)
        return g_strdup("");
    start += strspn(start, "\n! ");
    return g_strdup_printf(" (%.*s)", (int) MIN(strcspn(start, "\n"), 200), start);
}

/* Try the preamble on one letter, so that missing packages are one error and not one a formula. */
static gboolean check_preamble(TgTex *tex, const TgTexJob *job, GError **error)
{
    static const char *const bodies[] = { "x" };
    static const guint index = 0;
    TgTexJob probe = *job;
    const Batch batch = { &probe, &index, 1 };
    const char *failure;

    if (g_hash_table_contains(tex->checked, job->preamble))
        return TRUE;
    probe.bodies = bodies;
    if (!set_batch(tex, &batch, &failure, error))
        return FALSE;
    g_autofree char *reason = first_error(tex);
    if (failure != NULL || *reason != '\0') {
        tg_private_folder_empty(tex->folder);
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "%s cannot set even the letter x%s; on Debian install " NEEDED_PACKAGES,
                    tg_tex_name(tex), reason);
        return FALSE;
    }
    g_hash_table_add(tex->checked, g_strdup(job->preamble));
    return TRUE;
}

gboolean tg_tex_draw(TgTex *tex, const TgTexJob *job, GError **error)
{
    g_autofree guint *indices = g_new(guint, job->n);
    guint n = 0;

    if (job->n == 0)
        return TRUE;
    if (!check_preamble(tex, job, error))
        return FALSE;
    for (guint i = 0; i < job->n; i++) {
        g_autofree char *refused = tg_tex_refuse(job->bodies[i]);

        if (refused != NULL)
            job->take(i, NULL, refused, job->data);
        else
            indices[n++] = i;
    }
    for (guint i = 0; i < n; i += MAX_BATCH) {
        const Batch batch = { job, indices + i, MIN(MAX_BATCH, n - i) };

        if (!draw_batch(tex, batch, error))
            return FALSE;
    }
    tg_private_folder_empty(tex->folder);
    return TRUE;
}
