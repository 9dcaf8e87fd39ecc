/* Batches: a document with a page for each formula; where pages are missing, its halves. */
#include "render/tex/tex.h"

#include <string.h>

#include "core/fail.h"
#include "core/files/private_folder.h"
#include "core/files/subprocess.h"
#include "render/tex/tex_pages.h"
#include "render/tex/tex_source.h"

enum { MAX_BATCH = 256 };

/* CPU time. A formula that is drawn alone has the renderer's limit. */
#define SECONDS_PER_BATCH   2.0
#define SECONDS_PER_FORMULA 0.01
#define SECONDS_TO_START    20.0

/* Ends each batch: if its page is another than in a document of its own, a formula before it
 * changed more than itself. It has letters of all sizes and families, delimiters and spaces. */
#define REFERENCE_FORMULA                                                                          \
    "\\left(\\frac{x^{2^k}+\\alpha\\;\\mathbf{N}}{\\sqrt[3]{\\hat{b}_1}}\\right]\\sum_{i=1}^"      \
    "n\\mathrm{d}y"

struct TgTex {
    TgTexProgram program;
    double seconds;
    char *tex_path, *reader_path;
    char **env;
    TgPrivateFolder *folder;
    GHashTable *references; /* by preamble that works: GBytes, the page of REFERENCE_FORMULA */
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

/* Of the user's environment what finds programs and TeX's trees, and nothing that a formula could
 * read or that lets TeX reach elsewhere. */
static char **make_environment(const char *folder)
{
    const struct {
        const char *name, *value;
    } settings[] = {
        { "openin_any", "p" },        { "openout_any", "p" },   { "shell_escape", "f" },
        { "max_print_line", "1000" }, { "LC_ALL", "C" },        { "SOURCE_DATE_EPOCH", "0" },
        { "TEXMFVAR", folder },       { "TEXMFCACHE", folder }, { "TMPDIR", folder },
        { "MKTEXPK", "0" },           { "MKTEXTFM", "0" },      { "MKTEXMF", "0" },
    };
    static const char *const kept[] = { "PATH",        "HOME",       "TEXMFHOME",  "TEXMFCNF",
                                        "TEXMFCONFIG", "TEXMFLOCAL", "TEXMFSYSVAR" };
    char **env = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(kept); i++)
        if (g_getenv(kept[i]) != NULL)
            env = g_environ_setenv(env, kept[i], g_getenv(kept[i]), TRUE);
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++)
        env = g_environ_setenv(env, settings[i].name, settings[i].value, TRUE);
    return env;
}

TgTex *tg_tex_new(TgTexProgram program, double seconds, GError **error)
{
    g_autoptr(TgTex) tex = g_new0(TgTex, 1);

    tex->program = program;
    tex->seconds = seconds;
    tex->references =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
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
    g_hash_table_unref(tex->references);
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

/* Formulas of a job by their indices, as TeX may have them. */
typedef struct {
    const TgTexJob *job;
    char *const *texts; /* of all formulas of the job */
    const guint *indices;
    guint n;
} Batch;

static gboolean is_shared(const Batch *batch)
{
    return batch->n > 1;
}

/* CPU time that TeX may take. */
static double batch_seconds(const TgTex *tex, const Batch *batch)
{
    const double shared = SECONDS_PER_BATCH + SECONDS_PER_FORMULA * batch->n;

    return is_shared(batch) ? shared : tex->seconds;
}

/* In a shared document each page is followed by a line in a file: the nesting depth of groups and
 * the number of the next page. A formula that leaves a group open or makes no page, or two, is
 * found by it. */
static void append_formula(GString *out, const Batch *batch, const char *text)
{
    if (is_shared(batch))
        g_string_append(out, "\\begingroup\n");
    g_string_append(out, batch->job->before);
    g_string_append(out, text);
    g_string_append(out, batch->job->behind);
    if (is_shared(batch))
        g_string_append(out, "\\endgroup\n\\clearpage\n\\immediate\\write\\texgaugemarks{"
                             "\\number\\currentgrouplevel\\space\\number\\value{page}}\n");
}

static char *make_document(const Batch *batch)
{
    GString *out = g_string_new(batch->job->preamble);

    g_string_append(out, "\\begin{document}\n");
    if (is_shared(batch))
        g_string_append(out, "\\newwrite\\texgaugemarks\n"
                             "\\immediate\\openout\\texgaugemarks=marks.txt\n");
    for (guint i = 0; i < batch->n; i++)
        append_formula(out, batch, batch->texts[batch->indices[i]]);
    if (is_shared(batch))
        append_formula(out, batch, REFERENCE_FORMULA);
    g_string_append(out, "\\end{document}\n");
    return g_string_free(out, FALSE);
}

static char *path_of(const TgTex *tex, const char *name)
{
    return g_build_filename(tg_private_folder_path(tex->folder), name, NULL);
}

/* How many formulas of a shared document were set, each on a page of its own; G_MAXUINT where the
 * marks say anything else. */
static guint count_marks(const TgTex *tex)
{
    g_autofree char *path = path_of(tex, "marks.txt"), *marks = NULL;
    guint n = 0;

    if (!g_file_get_contents(path, &marks, NULL, NULL))
        return G_MAXUINT;
    g_auto(GStrv) lines = g_strsplit(marks, "\n", -1);
    for (; lines[n] != NULL && *lines[n] != '\0'; n++) {
        g_autofree char *wanted = g_strdup_printf("0 %u", n + 2);

        if (strcmp(lines[n], wanted) != 0)
            return G_MAXUINT;
    }
    return n;
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
                             tg_private_folder_path(tex->folder), batch_seconds(tex, batch), end,
                             error);
}

static const char endless[] = "TeX does not come to an end";

/* Set a batch; @failure (out) (nullable) says why there is not one page for each formula. */
static gboolean set_batch(TgTex *tex, const Batch *batch, const char **failure, GError **error)
{
    g_autofree char *pdf = path_of(tex, "page.pdf");
    TgSubprocessEnd end;

    *failure = NULL;
    if (!run_tex(tex, batch, &end, error))
        return FALSE;
    if (end == TG_SUBPROCESS_TIMED_OUT)
        *failure = endless;
    else if (!g_file_test(pdf, G_FILE_TEST_EXISTS))
        *failure = "TeX makes no page of it";
    else if (is_shared(batch) && count_marks(tex) != batch->n + 1)
        *failure = "one takes others with it";
    return TRUE;
}

/* The pages of a batch as pictures. (transfer full) */
static GPtrArray *list_pages(TgTex *tex, const Batch *batch, GError **error)
{
    const TgTexJob *job = batch->job;
    const TgPageReader reader = {
        .program = tex->reader_path,
        .env = (const char *const *) tex->env,
        .folder = tg_private_folder_path(tex->folder),
        .seconds = batch_seconds(tex, batch),
        .width_px = job->width_px,
        .height_px = job->height_px,
        .dpi = job->dpi,
    };

    return tg_tex_pages_list(&reader, error);
}

/* The bytes of a picture, none when it cannot be read. (transfer full) */
static GBytes *read_bytes(const char *path)
{
    char *bytes = NULL;
    gsize size = 0;

    g_file_get_contents(path, &bytes, &size, NULL);
    return g_bytes_new_take(bytes, size);
}

/* Whether there is a page for each formula, and the reference's is as it should be. */
static gboolean is_complete(const TgTex *tex, const Batch *batch, const GPtrArray *pages)
{
    if (!is_shared(batch))
        return pages->len == 1;
    if (pages->len != batch->n + 1)
        return FALSE;
    g_autoptr(GBytes) last = read_bytes(pages->pdata[batch->n]);
    return g_bytes_equal(last, g_hash_table_lookup(tex->references, batch->job->preamble));
}

/* Hand the pages of a batch to the job; @complete (out): there is one for each formula. */
static gboolean take_pages(TgTex *tex, const Batch *batch, gboolean *complete, GError **error)
{
    const TgTexJob *job = batch->job;
    g_autoptr(GPtrArray) pages = list_pages(tex, batch, error);

    if (pages == NULL)
        return FALSE;
    *complete = is_complete(tex, batch, pages);
    for (guint i = 0; *complete && i < batch->n; i++) {
        g_autoptr(TgRaster) page = tg_tex_pages_read(pages->pdata[i]);

        job->take(batch->indices[i], page, page != NULL ? NULL : "its page cannot be read",
                  job->data);
    }
    return TRUE;
}

static gboolean draw_batch(TgTex *tex, Batch batch, GError **error);

static gboolean draw_part(TgTex *tex, const Batch *batch, guint from, guint to, GError **error)
{
    Batch part = *batch;

    part.indices += from;
    part.n = to - from;
    return draw_batch(tex, part, error);
}

/* A batch; or its halves; or, where one formula does not end, what is before it, it, and the rest.
 * The recursion is at most as deep as MAX_BATCH. */
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
    if (!is_shared(&batch)) {
        batch.job->take(batch.indices[0], NULL,
                        failure != NULL ? failure : "TeX does not make one page of it",
                        batch.job->data);
        return TRUE;
    }
    const guint culprit = failure == endless ? count_marks(tex) : G_MAXUINT;
    if (culprit < batch.n)
        return draw_part(tex, &batch, 0, culprit, error) &&
               draw_part(tex, &batch, culprit, culprit + 1, error) &&
               draw_part(tex, &batch, culprit + 1, batch.n, error);
    return draw_part(tex, &batch, 0, batch.n / 2, error) &&
           draw_part(tex, &batch, batch.n / 2, batch.n, error);
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

/* Try the preamble on the reference formula, so that missing packages are one error and not one a
 * formula; the page is kept. */
static gboolean check_preamble(TgTex *tex, const TgTexJob *job, GError **error)
{
    static char *const texts[] = { (char *) REFERENCE_FORMULA };
    static const guint index = 0;
    const Batch batch = { job, texts, &index, 1 };
    const char *failure;

    if (g_hash_table_contains(tex->references, job->preamble))
        return TRUE;
    const double seconds = tex->seconds;
    tex->seconds = MAX(seconds, SECONDS_TO_START); /* caches may have to be made first */
    const gboolean is_run = set_batch(tex, &batch, &failure, error);
    tex->seconds = seconds;
    if (!is_run)
        return FALSE;
    g_autofree char *reason = first_error(tex);
    g_autoptr(GPtrArray) pages = NULL;
    if (failure == NULL && *reason == '\0') {
        pages = list_pages(tex, &batch, error);
        if (pages == NULL)
            return FALSE;
    }
    if (pages == NULL || pages->len != 1) {
        tg_private_folder_empty(tex->folder);
        return tg_fail_usage(
            error, "%s cannot set even a simple formula%s; on Debian install " NEEDED_PACKAGES,
            tg_tex_name(tex), reason);
    }
    g_hash_table_insert(tex->references, g_strdup(job->preamble), read_bytes(pages->pdata[0]));
    return TRUE;
}

/* What TeX may have of a job's formulas: those that may share a document, then the others. */
typedef struct {
    char **texts;
    GArray *shared, *alone; /* of guint: indices */
} Sources;

static void sources_clear(Sources *sources, guint n)
{
    for (guint i = 0; i < n; i++)
        g_free(sources->texts[i]);
    g_free(sources->texts);
    g_array_unref(sources->shared);
    g_array_unref(sources->alone);
}

static Sources sources_new(const TgTexJob *job)
{
    Sources sources = {
        .texts = g_new0(char *, job->n),
        .shared = g_array_new(FALSE, FALSE, sizeof(guint)),
        .alone = g_array_new(FALSE, FALSE, sizeof(guint)),
    };

    for (guint i = 0; i < job->n; i++) {
        g_auto(TgTexSource) source = tg_tex_source_new(job->bodies[i]);

        if (source.refused != NULL)
            job->take(i, NULL, source.refused, job->data);
        else
            g_array_append_val(source.is_self_contained ? sources.shared : sources.alone, i);
        sources.texts[i] = g_steal_pointer(&source.text);
    }
    return sources;
}

static gboolean draw_sources(TgTex *tex, const TgTexJob *job, const Sources *sources,
                             GError **error)
{
    const struct {
        const GArray *indices;
        guint n_batch;
    } kinds[] = { { sources->shared, MAX_BATCH }, { sources->alone, 1 } };

    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
        for (guint i = 0; i < kinds[k].indices->len; i += kinds[k].n_batch) {
            const Batch batch = { job, sources->texts, &g_array_index(kinds[k].indices, guint, i),
                                  MIN(kinds[k].n_batch, kinds[k].indices->len - i) };

            if (!draw_batch(tex, batch, error))
                return FALSE;
        }
    return TRUE;
}

gboolean tg_tex_draw(TgTex *tex, const TgTexJob *job, GError **error)
{
    if (job->n == 0)
        return TRUE;
    if (!check_preamble(tex, job, error))
        return FALSE;
    Sources sources = sources_new(job);
    const gboolean is_drawn = draw_sources(tex, job, &sources, error);
    sources_clear(&sources, job->n);
    tg_private_folder_empty(tex->folder);
    return is_drawn;
}
