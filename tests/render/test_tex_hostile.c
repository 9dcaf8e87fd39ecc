/* Real TeX with formulas that try to reach beyond themselves: into files, into their neighbours,
 * into Lua. Skipped where TeX is not installed. TEXGAUGE_SOAK=N draws N random batches (default 2)
 * with each renderer, and gives the attacks to lualatex as well; TEXGAUGE_SOAK_ONLY='*auto*'
 * chooses among the tests, TEXGAUGE_SOAK_SEED=N begins other random batches. */
#include "tests/support/test_support.h"

#include <glib/gstdio.h>
#include <string.h>

#include <texgauge/scorer.h>

#include "render/tex/tex.h"
#include "tests/support/cpu_time.h"

static const char preamble[] = "\\documentclass[12pt]{article}\n\\pagestyle{empty}\n"
                               "\\usepackage{amsmath,amssymb,xcolor}\n";

/* ---- drawings as checksums ---- */

/* For each formula: the checksum of its page, or why it has none. */
static void take_print(guint index, const TgRaster *page, const char *trouble, gpointer data)
{
    GPtrArray *prints = data;

    assert_null(prints->pdata[index]);
    prints->pdata[index] = page == NULL
                               ? g_strdup(trouble)
                               : g_compute_checksum_for_data(
                                     G_CHECKSUM_SHA256, (const guchar *) page->pixels,
                                     (gsize) page->width * page->height * sizeof page->pixels[0]);
}

static GPtrArray *draw_all(TgTex *tex, const char *const *bodies, guint n)
{
    GPtrArray *prints = g_ptr_array_new_with_free_func(g_free);
    GError *error = NULL;

    g_ptr_array_set_size(prints, (gint) n);
    const TgTexJob job = {
        .preamble = preamble,
        .before = "\\begin{displaymath}\n",
        .behind = "\n\\end{displaymath}\n",
        .bodies = bodies,
        .n = n,
        .width_px = 600,
        .height_px = 400,
        .dpi = 72,
        .take = take_print,
        .data = prints,
    };
    if (!tg_tex_draw(tex, &job, &error)) {
        char why[256];
        g_strlcpy(why, error->message, sizeof why);
        g_error_free(error);
        tg_tex_free(tex);
        g_ptr_array_unref(prints);
        tg_skip("%s", why);
    }
    return prints;
}

static TgTex *open_tex(TgTexProgram program)
{
    GError *error = NULL;
    TgTex *tex = tg_tex_new(program, 5, &error);

    if (tex == NULL) {
        char why[256];
        g_strlcpy(why, error->message, sizeof why);
        g_error_free(error);
        tg_skip("%s", why);
    }
    return tex;
}

static guint soak(void)
{
    const char *text = g_getenv("TEXGAUGE_SOAK");

    return text != NULL ? (guint) g_ascii_strtoull(text, NULL, 10) : 0;
}

static GRand *soak_rand(void)
{
    const char *text = g_getenv("TEXGAUGE_SOAK_SEED");

    return g_rand_new_with_seed(text != NULL ? (guint32) g_ascii_strtoull(text, NULL, 10) : 7);
}

/* ---- neighbours ---- */

static const char *const neighbours[] = {
    "x",
    "\\frac{a}{b}+\\sqrt{c}",
    "\\left(\\sum_{i=1}^n x_i\\right)",
    "\\begin{array}{cc}a&b\\\\c&d\\end{array}",
    "\\mathbf{x}\\cdot\\hat{y}",
    "\\text{if } x>0",
    "{x",
    "x}",
    "}x{",
    "\\frac{a}",
    "\\begin{array}{c}a",
    "a\\end{array}",
    "x$y",
    "$$x",
    "x^",
    "\\left(x",
    "a&b\\\\c",
    "\\hline x",
    "\\def\\frac#1#2{#2}\\frac ab",
    "\\renewcommand\\sqrt{y}\\sqrt{x}",
    "\\begin{equation}x\\end{equation}",
    "\\begin{align}a&=b\\tag{7}\\end{align}",
    "\\label{a}\\nonumber x",
    "\\fontdimen8\\textfont3=20pt x",
    "\\begin{gdef}\\x{}",
    "\\begin{global}\\let\\frac\\sqrt",
    "\\pagecolor{red}x",
    "\\mathcode`x=\"7041 x",
    "\\setlength{\\textwidth}{1pt}x",
    "\\newpage x",
    "\\end{displaymath}x\\begin{displaymath}",
    "\\end{document}",
    "\\endgroup x",
    "\\begingroup x",
    "%",
    "\\",
};
/* TeX takes most of the time and is not what an instrumented build looks at: it draws some. */
enum { N_NEIGHBOURS = TG_SHORTENED(G_N_ELEMENTS(neighbours)), BATCH = 20, SOAK_BATCH = 8 };

static const char *neighbour(guint i)
{
    return neighbours[i * TG_SHORTENING];
}

/* A few large batches, or many small ones: who stands beside whom is what matters. */
static guint batch_size(GRand *rand)
{
    return soak() == 0 ? BATCH : (guint) g_rand_int_range(rand, 2, SOAK_BATCH + 1);
}

static void check_random_batches(TgTexProgram program, guint n_batches)
{
    g_autoptr(TgTex) tex = open_tex(program);
    g_autoptr(GRand) rand = soak_rand();
    GPtrArray *alone[N_NEIGHBOURS];

    for (guint i = 0; i < N_NEIGHBOURS; i++) {
        const char *body = neighbour(i);
        alone[i] = draw_all(tex, &body, 1);
    }
    for (guint b = 0; b < n_batches; b++) {
        const char *bodies[BATCH];
        guint chosen[BATCH];
        const guint n = batch_size(rand);

        for (guint k = 0; k < n; k++) {
            chosen[k] = (guint) g_rand_int_range(rand, 0, N_NEIGHBOURS);
            bodies[k] = neighbour(chosen[k]);
        }
        g_autoptr(GPtrArray) prints = draw_all(tex, bodies, n);
        for (guint k = 0; k < n; k++)
            if (strcmp(prints->pdata[k], alone[chosen[k]]->pdata[0]) != 0)
                fail_msg("batch %u: %s: alone %s, here %s", b, bodies[k],
                         (char *) alone[chosen[k]]->pdata[0], (char *) prints->pdata[k]);
    }
    for (guint i = 0; i < N_NEIGHBOURS; i++)
        g_ptr_array_unref(alone[i]);
}

static void test_tex_hostile__pdflatex_draws_all_as_alone(void **state)
{
    (void) state;
    check_random_batches(TG_TEX_PDFLATEX, MAX(soak(), 2));
}

static void test_tex_hostile__lualatex_draws_all_as_alone(void **state)
{
    (void) state;
    if (soak() == 0)
        tg_skip("TEXGAUGE_SOAK is not set");
    check_random_batches(TG_TEX_LUALATEX, soak());
}

/* ---- scores of neighbours ---- */

/* Each neighbour as a truth, with another one as its prediction. */
static TgPair make_pair(guint i)
{
    return (TgPair){ NULL, &neighbours[i * TG_SHORTENING], 1,
                     neighbour((7 * i + 3) % N_NEIGHBOURS) };
}

/* By a scorer of its own, which has drawn nothing yet. */
static TgBatch *score_afresh(TgRendererChoice renderer, const TgPair *pairs, guint n)
{
    TgScorerOptions options = TG_SCORER_OPTIONS_INIT;
    g_autoptr(GError) error = NULL;

    options.renderer = renderer;
    options.keep_delimiters = TRUE;
    g_autoptr(TgScorer) scorer = tg_scorer_new("cdm", &options, &error);
    assert_non_null(scorer);
    TgBatch *batch = tg_scorer_score(scorer, pairs, n, NULL, &error);
    assert_non_null(batch);
    return batch;
}

static void check_random_scores(TgRendererChoice renderer, guint n_batches)
{
    g_autoptr(GRand) rand = soak_rand();
    TgBatch *alone[N_NEIGHBOURS];

    for (guint i = 0; i < N_NEIGHBOURS; i++) {
        const TgPair pair = make_pair(i);
        alone[i] = score_afresh(renderer, &pair, 1);
    }
    for (guint b = 0; b < n_batches; b++) {
        TgPair pairs[BATCH];
        guint chosen[BATCH];
        const guint n = batch_size(rand);

        for (guint k = 0; k < n; k++) {
            chosen[k] = (guint) g_rand_int_range(rand, 0, N_NEIGHBOURS);
            pairs[k] = make_pair(chosen[k]);
        }
        g_autoptr(TgBatch) together = score_afresh(renderer, pairs, n);
        for (guint k = 0; k < n; k++) {
            const double *here = tg_batch_column(together, 0) + k;
            const double *wanted = tg_batch_column(alone[chosen[k]], 0);

            if (memcmp(here, wanted, sizeof *here) != 0)
                fail_msg("batch %u: %s: alone %g, here %g", b, pairs[k].hyp, *wanted, *here);
            assert_string_equal(tg_batch_status(together, k, 0),
                                tg_batch_status(alone[chosen[k]], 0, 0));
        }
    }
    for (guint i = 0; i < N_NEIGHBOURS; i++)
        tg_batch_free(alone[i]);
}

static void test_tex_hostile__native_scores_all_as_alone(void **state)
{
    (void) state;
    check_random_scores(TG_RENDERER_NATIVE, MAX(soak(), 100));
}

static void test_tex_hostile__auto_scores_all_as_alone(void **state)
{
    (void) state;
    tg_tex_free(open_tex(TG_TEX_PDFLATEX));
    check_random_scores(TG_RENDERER_AUTO, MAX(soak(), 1));
}

/* ---- attacks ---- */

/* SECRET stands for a file's path, whose text is what an attack would draw. */
static const char *const attacks[] = {
    "\\input{SECRET}",
    "\\input SECRET ",
    "\\@@input SECRET ",
    "\\include{SECRET}",
    "\\InputIfFileExists{SECRET}{}{}",
    "\\IfFileExists{SECRET}{a}{b}",
    "\\openin0=SECRET \\read0 to\\x \\text{\\x}",
    "\\newread\\f\\openin\\f=SECRET \\readline\\f to\\x\\x",
    "\\immediate\\openin5=SECRET \\read5 to\\y$\\y$",
    "\\csname input\\endcsname SECRET ",
    "\\csname @@input\\endcsname SECRET ",
    "\\begin{input}{SECRET}\\end{input}",
    "\\begin{@@input}SECRET \\end{@@input}",
    "\\begin{include}{SECRET}",
    "\\end{input}SECRET ",
    "\\let\\x\\input\\x SECRET ",
    "\\let\\x=\\csname\\x input\\endcsname SECRET ",
    "\\expandafter\\input\\expandafter{SECRET}",
    "\\edef\\x{\\noexpand\\input}\\x SECRET ",
    "^^5cinput{SECRET}",
    "\\^^69nput{SECRET}",
    "\\^^^^0069nput{SECRET}",
    "\\catcode`!=0 !input{SECRET}",
    "\\catcode`\\!0!input SECRET ",
    "\\lccode`x=`i\\lowercase{\\csname xnput\\endcsname}SECRET ",
    "\\uppercase{\\input SECRET }",
    "\\scantokens{\\input SECRET }",
    "\\scantokens{\\string\\input\\space SECRET }",
    "\\makeatletter\\@input{SECRET}",
    "\\makeatletter\\@iinput SECRET ",
    "\\verbatiminput{SECRET}",
    "\\lstinputlisting{SECRET}",
    "\\includegraphics{SECRET}",
    "\\usepackage{SECRET}",
    "\\RequirePackage{SECRET}",
    "\\documentclass{SECRET}",
    "\\LoadClass{SECRET}",
    "\\bibliography{SECRET}",
    "\\tableofcontents",
    "\\begin{filecontents*}{page.aux}\\end{filecontents*}",
    "\\begin{filecontents}[overwrite]{SECRET}x\\end{filecontents}",
    "\\newwrite\\f\\immediate\\openout\\f=SECRET \\immediate\\write\\f{x}",
    "\\immediate\\write18{cp SECRET x.tex}\\input x ",
    "\\write18{cat SECRET}",
    "\\input|\"cat SECRET\"",
    "\\input{|cat SECRET}",
    "\\directlua{tex.print(io.open('SECRET'):read('*a'))}",
    "\\begin{directlua}{tex.print(io.open('SECRET'):read('*a'))}\\end{directlua}",
    "\\end{directlua}{os.remove('SECRET')}",
    "\\begin{luacode}tex.print(io.open('SECRET'):read())\\end{luacode}",
    "\\latelua{os.remove('SECRET')}",
    "\\luaexec{tex.print(1)}",
    "\\luadirect{tex.print(1)}",
    "\\csname directlua\\endcsname{os.remove('SECRET')}",
    "\\begin{csname}directlua\\endcsname{tex.print(io.open('SECRET'):read())}",
    "\\def\\x#1{\\begin{#1}}\\x{directlua}{os.remove('SECRET')}",
    "\\let\\x\\begin\\x{directlua}{os.remove('SECRET')}",
    "\\pdffiledump offset 0 length 99 {SECRET}",
    "\\begin{pdffiledump}offset 0 length 99{SECRET}",
    "\\pdfmdfivesum file {SECRET}",
    "\\mdfivesum file {SECRET}",
    "\\filesize{SECRET}",
    "\\pdffilesize{SECRET}",
    "\\pdffilemoddate{SECRET}",
    "\\ximage\\pdfximage{SECRET}\\pdfrefximage1",
    "\\pdfobj stream file {SECRET}",
    "\\pdfmapfile{SECRET}",
    "\\font\\x=SECRET \\x a",
    "\\fontname\\font",
    "\\jobname",
    "\\special{psfile=SECRET}",
    "\\everypar{\\input SECRET }",
    "\\AtEndDocument{\\input SECRET }",
    "\\AddToHook{shipout}{\\input SECRET }",
    "\\ExplSyntaxOn\\file_input:n{SECRET}",
    "\\ExplSyntaxOn\\file_get:nnN{SECRET}{}\\x\\x",
    "\\use:c{input}{SECRET}",
    "\\tex_input:D SECRET ",
    "\\href{run:SECRET}{x}",
    "\\url{SECRET}",
    "\\def\\x{\\x\\x}\\x",
    "\\def\\x{\\x}\\x",
    "\\loop\\iftrue\\repeat",
};

static GPtrArray *attack(TgTex *tex, const char *path, const char *secret)
{
    const guint n = TG_SHORTENED(G_N_ELEMENTS(attacks));
    g_autoptr(GPtrArray) bodies = g_ptr_array_new_with_free_func(g_free);

    assert_true(g_file_set_contents(path, secret, -1, NULL));
    for (guint i = 0; i < n; i++) {
        g_auto(GStrv) parts = g_strsplit(attacks[i * TG_SHORTENING], "SECRET", -1);
        g_ptr_array_add(bodies, g_strjoinv(path, parts));
    }
    GPtrArray *prints = draw_all(tex, (const char *const *) bodies->pdata, n);
    g_autofree char *kept = NULL;
    assert_true(g_file_get_contents(path, &kept, NULL, NULL));
    assert_string_equal(kept, secret);
    return prints;
}

static void check_attacks(TgTexProgram program)
{
    g_autofree char *folder = g_dir_make_tmp("texgauge-secret-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "secret.tex", NULL);
    g_autoptr(TgTex) tex = open_tex(program);
    g_autoptr(GPtrArray) one = attack(tex, path, "aaaaaaaaaa\n");
    g_autoptr(GPtrArray) other = attack(tex, path, "MMMMMMMMMMMMMMMMMMMM\\vrule height 99pt\n");

    for (guint i = 0; i < one->len; i++)
        if (strcmp(one->pdata[i], other->pdata[i]) != 0)
            fail_msg("%s shows the file", attacks[i * TG_SHORTENING]);
    g_unlink(path);
    assert_int_equal(g_rmdir(folder), 0);
}

static void test_tex_hostile__no_formula_shows_a_file(void **state)
{
    (void) state;
    check_attacks(TG_TEX_PDFLATEX);
}

static void test_tex_hostile__no_formula_shows_a_file_by_lua(void **state)
{
    (void) state;
    if (soak() == 0)
        tg_skip("TEXGAUGE_SOAK is not set");
    check_attacks(TG_TEX_LUALATEX);
}

/* A formula without end among others: they are drawn as they are alone, and soon. */
static void test_tex_hostile__an_endless_formula_is_bounded(void **state)
{
    static const char endless[] = "\\loop x\\iftrue\\repeat";
    const char *bodies[BATCH];
    GError *error = NULL;
    g_autoptr(TgTex) tex = tg_tex_new(TG_TEX_PDFLATEX, 2, &error);

    (void) state;
    if (tex == NULL) {
        g_error_free(error);
        tg_skip("no pdflatex");
    }
    for (guint i = 0; i < BATCH; i++)
        bodies[i] = i == 7 || i == 12 ? endless : "x+\\frac{a}{b}";
    const gint64 start = g_get_monotonic_time();
    g_autoptr(GPtrArray) prints = draw_all(tex, bodies, BATCH);
    assert_true(g_get_monotonic_time() - start < 60 * G_USEC_PER_SEC);
    for (guint i = 0; i < BATCH; i++)
        if (i != 7 && i != 12)
            assert_string_equal(prints->pdata[i], prints->pdata[0]);
    assert_string_not_equal(prints->pdata[7], prints->pdata[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tex_hostile__pdflatex_draws_all_as_alone),
        cmocka_unit_test(test_tex_hostile__lualatex_draws_all_as_alone),
        cmocka_unit_test(test_tex_hostile__native_scores_all_as_alone),
        cmocka_unit_test(test_tex_hostile__auto_scores_all_as_alone),
        cmocka_unit_test(test_tex_hostile__an_endless_formula_is_bounded),
        cmocka_unit_test(test_tex_hostile__no_formula_shows_a_file),
        cmocka_unit_test(test_tex_hostile__no_formula_shows_a_file_by_lua),
    };
    cmocka_set_test_filter(g_getenv("TEXGAUGE_SOAK_ONLY"));
    return cmocka_run_group_tests_name("tex_hostile", tests, NULL, NULL);
}
