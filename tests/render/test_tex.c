/* TeX as a renderer. Most is tested with shell scripts in the programs' places, which break, hang
 * and count as told; what only TeX can show is skipped where TeX is not installed. */
#include "tests/support/test_support.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <leptonica/allheaders.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/files/private_folder.h"
#include "core/files/subprocess.h"
#include "metrics/cdm/draw/formula.h"
#include "render/tex/tex.h"

/* Sets letters: the "PDF" holds one a line, and the reference formula. HANG sleeps, BREAK ends
 * without a page, and where STAIN is the reference formula comes out as another. */
static const char fake_tex[] =
    "echo run >>\"$FAKE/runs\"\n"
    "if grep -q HANG page.tex; then echo $$ >\"$FAKE/pid\"; sleep 60; fi\n"
    "if grep -q BREAK page.tex; then exit 1; fi\n"
    "grep '^body ' page.tex | cut -c6- >page.pdf\n"
    "if grep -q STAIN page.tex; then sed 's/^STAIN$/s/; s/^.....*$/STAINED/' page.pdf >stained; "
    "mv stained page.pdf; fi\n"
    "grep -q texgaugemarks page.tex || exit 0\n"
    "n=1; while read -r letter; do n=$((n + 1)); echo \"0 $n\"; done <page.pdf >marks.txt\n";

/* Puts a letter's picture in the place of each page. */
static const char fake_reader[] =
    "n=1000; while read -r letter; do n=$((n + 1)); "
    "case \"$letter\" in ?) ;; STAINED) letter=z ;; *) letter=a ;; esac; "
    "cp \"$FAKE/$letter.tif\" \"page-$n.tif\"; done <page.pdf\n";

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

typedef struct {
    char *folder, *path; /* PATH as it was */
} Fixture;

static void write_program(const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *script = g_strdup_printf("#!/bin/sh\nFAKE='%s'\n%s", folder, text);

    assert_true(g_file_set_contents(path, script, -1, NULL));
    assert_int_equal(g_chmod(path, 0700), 0);
}

/* One pixel in the colour of its letter's number. */
static void write_picture(const char *folder, char letter)
{
    g_autofree char *path = g_strdup_printf("%s/%c.tif", folder, letter);
    PIX *pix = pixCreate(1, 1, 32);

    pixSetPixel(pix, 0, 0, (l_uint32) letter << 8);
    assert_int_equal(pixWrite(path, pix, IFF_TIFF), 0);
    pixDestroy(&pix);
}

static int set_up(void **state)
{
    Fixture *fixture = g_new0(Fixture, 1);

    fixture->folder = g_dir_make_tmp("texgauge-test-XXXXXX", NULL);
    fixture->path = g_strdup(g_getenv("PATH"));
    write_program(fixture->folder, "pdflatex", fake_tex);
    write_program(fixture->folder, "pdftocairo", fake_reader);
    for (guint i = 0; letters[i] != '\0'; i++)
        write_picture(fixture->folder, letters[i]);
    g_autofree char *path = g_strconcat(fixture->folder, ":", fixture->path, NULL);
    g_setenv("PATH", path, TRUE);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    g_autoptr(GDir) dir = g_dir_open(fixture->folder, 0, NULL);
    const char *name;

    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(fixture->folder, name, NULL);
        g_unlink(path);
    }
    g_rmdir(fixture->folder);
    g_setenv("PATH", fixture->path, TRUE);
    g_free(fixture->folder);
    g_free(fixture->path);
    g_free(fixture);
    return 0;
}

/* ---- jobs of letters ---- */

enum { MAX_FORMULAS = 26 };

typedef struct {
    char letters[MAX_FORMULAS]; /* what came out for each formula; '-' for nothing */
    char *trouble;              /* the last one */
} Outcome;

static void take(guint index, const TgRaster *page, const char *trouble, gpointer data)
{
    Outcome *outcome = data;

    outcome->letters[index] = page != NULL ? (char) page->pixels[0] : '-';
    if (trouble != NULL) {
        g_free(outcome->trouble);
        outcome->trouble = g_strdup(trouble);
    }
}

/* Draw the words of @text; returns a letter for each. */
static char *draw(TgTex *tex, const char *text, char **trouble)
{
    g_auto(GStrv) bodies = g_strsplit(text, " ", -1);
    Outcome outcome = { .letters = "" };
    GError *error = NULL;
    const TgTexJob job = {
        .preamble = "",
        .before = "body ",
        .behind = "\n",
        .bodies = (const char *const *) bodies,
        .n = g_strv_length(bodies),
        .width_px = 1,
        .height_px = 1,
        .dpi = 200,
        .take = take,
        .data = &outcome,
    };

    assert_true(tg_tex_draw(tex, &job, &error));
    tg_assert_no_error(error);
    if (trouble != NULL)
        *trouble = g_steal_pointer(&outcome.trouble);
    g_free(outcome.trouble);
    return g_strndup(outcome.letters, job.n);
}

static guint n_runs(const Fixture *fixture)
{
    g_autofree char *path = g_build_filename(fixture->folder, "runs", NULL), *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_unlink(path);
    return (guint) strlen(text) / 4;
}

/* One run to see that TeX works, one for all formulas. */
static void test_tex__sets_a_batch_in_one_run(void **state)
{
    g_autoptr(TgTex) tex = tg_tex_new(TG_TEX_PDFLATEX, 20, NULL);
    assert_non_null(tex);
    g_autofree char *pages = draw(tex, "q w e r t z u i o p", NULL);

    assert_string_equal(pages, "qwertzuiop");
    assert_int_equal(n_runs(*state), 2);
    g_autofree char *more = draw(tex, "y", NULL);
    assert_string_equal(more, "y");
    assert_int_equal(n_runs(*state), 1);
}

/* 16 formulas of which one breaks: 1 to see, then halves of 16, 8, 4, 2: 1 + 2 * 4 runs. */
static void test_tex__isolates_what_breaks_a_batch(void **state)
{
    g_autoptr(TgTex) tex = tg_tex_new(TG_TEX_PDFLATEX, 20, NULL);
    g_autofree char *trouble = NULL;
    g_autofree char *pages = draw(tex, "a b c d e BREAK g h i j k l m n o p", &trouble);

    assert_string_equal(pages, "abcde-ghijklmnop");
    assert_string_equal(trouble, "TeX makes no page of it");
    assert_int_equal(n_runs(*state), 1 + 1 + 2 * 4);
}

static void test_tex__kills_what_does_not_end(void **state)
{
    const Fixture *fixture = *state;
    g_autoptr(TgTex) tex = tg_tex_new(TG_TEX_PDFLATEX, 1, NULL);
    g_autofree char *trouble = NULL, *pid = NULL;
    const gint64 start = g_get_monotonic_time();
    g_autofree char *pages = draw(tex, "a HANG", &trouble);
    const double seconds = (double) (g_get_monotonic_time() - start) / G_USEC_PER_SEC;

    assert_string_equal(pages, "a-");
    assert_string_equal(trouble, "TeX does not come to an end");
    assert_true(seconds < 50);
    g_autofree char *path = g_build_filename(fixture->folder, "pid", NULL);
    assert_true(g_file_get_contents(path, &pid, NULL, NULL));
    assert_int_equal(kill((pid_t) g_ascii_strtoll(pid, NULL, 10), 0), -1);
    assert_int_equal(errno, ESRCH);
    n_runs(fixture);
}

static void test_tex__names_the_package_that_is_missing(void **state)
{
    const Fixture *fixture = *state;
    g_autofree char *path = g_strdup(g_getenv("PATH"));
    g_autofree char *reader = g_build_filename(fixture->folder, "pdftocairo", NULL);
    g_autofree char *nowhere = g_build_filename(fixture->folder, "nowhere", NULL);
    GError *error = NULL;

    g_setenv("PATH", nowhere, TRUE);
    assert_null(tg_tex_new(TG_TEX_PDFLATEX, 20, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "texlive-latex-base");
    assert_null(tg_tex_new(TG_TEX_LUALATEX, 20, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "texlive-luatex");
    g_setenv("PATH", fixture->folder, TRUE);
    g_unlink(reader);
    assert_null(tg_tex_new(TG_TEX_PDFLATEX, 20, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "poppler-utils");
    write_program(fixture->folder, "pdftocairo", fake_reader);
    g_setenv("PATH", path, TRUE);
}

/* A preamble that does not work is one error, not one for each formula. */
static void test_tex__a_preamble_must_work(void **state)
{
    g_autoptr(TgTex) tex = tg_tex_new(TG_TEX_PDFLATEX, 20, NULL);
    const char *bodies[] = { "a", "b" };
    Outcome outcome = { .letters = "" };
    GError *error = NULL;
    const TgTexJob job = { .preamble = "BREAK",
                           .before = "body ",
                           .behind = "\n",
                           .bodies = bodies,
                           .n = 2,
                           .take = take,
                           .data = &outcome };

    assert_false(tg_tex_draw(tex, &job, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "texlive-latex-recommended");
    assert_int_equal(n_runs(*state), 1);
}

/* What a formula before changes of the reference formula sends the batch to its halves. */
static void test_tex__a_changed_reference_splits_a_batch(void **state)
{
    g_autoptr(TgTex) tex = tg_tex_new(TG_TEX_PDFLATEX, 20, NULL);
    g_autofree char *pages = draw(tex, "a STAIN c d", NULL);

    assert_string_equal(pages, "ascd");
    assert_int_equal(n_runs(*state), 1 + 1 + 2 * 2);
}

/* One run to see that TeX works, one for "a c", one for each of the others. */
static void test_tex__draws_alone_what_has_faults_or_defines(void **state)
{
    g_autoptr(TgTex) tex = tg_tex_new(TG_TEX_PDFLATEX, 20, NULL);
    g_autofree char *pages = draw(tex, "a {b c \\def\\x{} \\input{b}", NULL);

    assert_int_equal(pages[0], 'a');
    assert_int_equal(pages[2], 'c');
    assert_int_equal(pages[4], '-');
    assert_int_equal(n_runs(*state), 1 + 1 + 2);
}

/* ---- folders ---- */

static void test_tex__folder_goes_with_its_owner(void **state)
{
    g_autofree char *path = NULL, *inner = NULL;
    TgPrivateFolder *folder = tg_private_folder_new(NULL);

    (void) state;
    path = g_strdup(tg_private_folder_path(folder));
    inner = g_build_filename(path, "cache", "deep", NULL);
    assert_int_equal(g_mkdir_with_parents(inner, 0700), 0);
    tg_private_folder_free(folder);
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

/* Even when the owner has no time to remove it. */
static void test_tex__folder_goes_when_its_owner_is_killed(void **state)
{
    char path[256] = "";
    int ends[2];

    (void) state;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        TgPrivateFolder *folder = tg_private_folder_new(NULL);
        const char *name = tg_private_folder_path(folder);

        if (write(ends[1], name, strlen(name)) > 0)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    assert_true(read(ends[0], path, sizeof path - 1) > 0);
    waitpid(child, NULL, 0);
    for (guint i = 0; i < 500 && g_file_test(path, G_FILE_TEST_EXISTS); i++)
        g_usleep(10000);
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    close(ends[0]);
    close(ends[1]);
}

/* ---- TeX itself ---- */

/* The inked elements of formulas by TeX, without the scripts in the way; skips the test where TeX
 * is not installed. */
static void draw_by_tex(const Fixture *fixture, const char *const *latex, guint n, double seconds,
                        TgCdmFormula **out)
{
    char *path = g_strdup(g_getenv("PATH"));
    GError *error = NULL;
    char why[256] = "";

    g_setenv("PATH", fixture->path, TRUE);
    TgCdmRenderer *renderer = tg_cdm_renderer_tex(TG_TEX_PDFLATEX, seconds, &error);
    if (renderer != NULL)
        tg_cdm_formulas_new(renderer, latex, n, tg_cdm_dialect(TG_CDM_UNIMERNET),
                            TG_CDM_PAGE_OFFICIAL, 2000, out, &error);
    tg_cdm_renderer_free(renderer);
    g_setenv("PATH", path, TRUE);
    g_free(path);
    if (error != NULL)
        g_strlcpy(why, error->message, sizeof why);
    g_clear_error(&error);
    if (why[0] != '\0')
        tg_skip("%s", why);
}

/* Official elements and boxes of these formulas stand in the CDM specification's section 4; edges
 * differ by the 2 pixels that ghostscript's smoothing makes of them. */
static void test_tex__draws_as_the_official_program(void **state)
{
    static const char *const latex[] = { "\\sqrt[3]{x}", "\\foo x", "x_{i}^{2}", "{x",
                                         "\\frac{x}{y" };
    static const TgRect root[] = { { 7, 7, 53, 42 }, { 14, 10, 23, 23 }, { 34, 19, 51, 36 } };
    TgCdmFormula *out[G_N_ELEMENTS(latex)] = { NULL };

    draw_by_tex(*state, latex, G_N_ELEMENTS(latex), 20, out);
    assert_int_equal(out[0]->drawing.n, 3);
    for (guint k = 0; k < 3; k++) {
        const TgRect box = out[0]->boxes[k];

        assert_true(fabs(box.x0 - root[k].x0) <= 2 && fabs(box.y0 - root[k].y0) <= 2);
        assert_true(fabs(box.x1 - root[k].x1) <= 2 && fabs(box.y1 - root[k].y1) <= 2);
    }
    assert_int_equal(out[1]->drawing.n, 1); /* an error that TeX passes over */
    assert_int_equal(out[2]->drawing.n, 3);
    assert_int_equal(out[4]->drawing.n, 0); /* an argument that does not end */
    assert_non_null(out[4]->trouble);
    for (guint i = 0; i < G_N_ELEMENTS(out); i++)
        tg_cdm_formula_unref(out[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tex__sets_a_batch_in_one_run),
        cmocka_unit_test(test_tex__isolates_what_breaks_a_batch),
        cmocka_unit_test(test_tex__kills_what_does_not_end),
        cmocka_unit_test(test_tex__names_the_package_that_is_missing),
        cmocka_unit_test(test_tex__a_preamble_must_work),
        cmocka_unit_test(test_tex__a_changed_reference_splits_a_batch),
        cmocka_unit_test(test_tex__draws_alone_what_has_faults_or_defines),
        cmocka_unit_test(test_tex__folder_goes_with_its_owner),
        cmocka_unit_test(test_tex__folder_goes_when_its_owner_is_killed),
        cmocka_unit_test(test_tex__draws_as_the_official_program),
    };
    return cmocka_run_group_tests_name("tex", tests, set_up, tear_down);
}
