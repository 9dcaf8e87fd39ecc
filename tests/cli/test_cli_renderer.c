/* --renderer: who draws for cdm, and what is left behind. */
#include "tests/support/test_support.h"

#include "tests/support/cli_support.h"

/* In the place of TeX: says that it has begun, and goes on for a minute. */
static const char sleeper[] = "#!/bin/sh\ntouch begun\nsleep 60\n";

static int make_scratch(void **state)
{
    char *folder = cli_scratch();
    g_auto(CliRun) run =
        cli_run(folder, "mkdir $T/bin $T/tmp; echo '{\"gt\":\"p+q\",\"pred\":\"p\"}' >$T/a.jsonl");
    g_autofree char *path = g_build_filename(folder, "bin", "pdflatex", NULL);

    *state = folder;
    return run.status == 0 && g_file_set_contents(path, sleeper, -1, NULL) ? 0 : -1;
}

static int remove_scratch(void **state)
{
    cli_scratch_free(*state);
    return 0;
}

static void test_cli_renderer__wrong_calls(void **state)
{
    static const CliWrongCall calls[] = {
        { "texgauge score --renderer dvips -m cdm p q", 2, "must be one of native, pdflatex" },
        { "texgauge score --renderer pdflatex -m bleu p q", 2, "--renderer applies to cdm only" },
        { "PATH=$T/none texgauge score --renderer auto -m cdm p q", 2, "texlive-latex-base" },
        { "PATH=$T/none texgauge eval -q --renderer lualatex -m cdm $T/a.jsonl", 2,
          "texlive-luatex" },
    };

    cli_check_wrong_calls(*state, calls, G_N_ELEMENTS(calls));
}

/* Killed while TeX works: neither the folder stays nor what was started in it. */
static void test_cli_renderer__leaves_nothing_behind(void **state)
{
    g_auto(CliRun) run = cli_run(
        *state,
        "chmod +x $T/bin/pdflatex; export T; printf '#!/bin/sh\\n' >$T/bin/pdftocairo; "
        "chmod +x $T/bin/pdftocairo; "
        "TMPDIR=$T/tmp PATH=$T/bin:$PATH \"$TEXGAUGE\" score --renderer pdflatex -m cdm p q & "
        "for i in $(seq 500); do [ -e $T/tmp/*/begun ] && break; sleep 0.02; done; "
        "ls $T/tmp | wc -l; kill -TERM $!; wait $! 2>/dev/null; "
        "for i in $(seq 500); do [ -z \"$(ls $T/tmp)\" ] && break; sleep 0.02; done; "
        "ls $T/tmp | wc -l");

    assert_string_equal(run.out, "1\n0\n");
}

/* Else the next run would find a file that begins and does not end. */
static void test_cli_renderer__no_output_before_it_works(void **state)
{
    CliRun run = cli_run(*state, "PATH=$T/none texgauge eval -q --renderer auto -m cdm $T/a.jsonl "
                                 "-o $T/begun.jsonl; ls $T | grep -c begun");

    assert_string_equal(run.out, "0\n");
    cli_run_clear(&run);
}

/* Skip the test where TeX, or a package that the renderer needs, is not installed. */
static void skip_without_tex(const char *folder)
{
    CliRun run = cli_run(folder, "texgauge score --renderer pdflatex -m cdm p q");
    const gboolean works = run.status == 0;
    char why[256];

    g_strlcpy(why, run.err, sizeof why);
    cli_run_clear(&run);
    if (!works)
        tg_skip("%s", why);
}

/* A brace too many is an error that TeX recovers from: then the results say who drew. */
static void test_cli_renderer__says_who_drew(void **state)
{
    skip_without_tex(*state);
    g_auto(CliRun) native = cli_run(*state, "texgauge score -m cdm 'p+q' '{p+q}}'");
    g_auto(CliRun) sound = cli_run(*state, "texgauge score --renderer auto -m cdm p+q p+q");
    g_auto(CliRun) faulty = cli_run(*state, "texgauge score --renderer auto -m cdm 'p+q' "
                                            "'\\left(p+q'");

    assert_null(strstr(native.out, "drawn by"));
    assert_int_equal(sound.status, 0);
    assert_null(strstr(sound.out, "\"notes\""));
    assert_non_null(strstr(faulty.out, "\"notes\":{\"cdm\":\"both drawn by pdflatex;"));
}

/* The header names the renderer, so runs with different ones are not joined. */
static void test_cli_renderer__results_name_it(void **state)
{
    skip_without_tex(*state);
    g_auto(CliRun) run = cli_run(
        *state, "texgauge eval -q -m cdm -o - "
                "$T/a.jsonl | grep -c '\"renderer\"'; texgauge eval -q -m cdm --renderer pdflatex "
                "-o - $T/a.jsonl | grep -v '\"end\"'");

    assert_true(g_str_has_prefix(run.out, "0\n"));
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\"renderer\":\"pdflatex\""));
    assert_non_null(strstr(run.out, "\"cdm\":0.5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cli_renderer__wrong_calls),
        cmocka_unit_test(test_cli_renderer__no_output_before_it_works),
        cmocka_unit_test(test_cli_renderer__leaves_nothing_behind),
        cmocka_unit_test(test_cli_renderer__says_who_drew),
        cmocka_unit_test(test_cli_renderer__results_name_it),
    };
    return cmocka_run_group_tests_name("cli_renderer", tests, make_scratch, remove_scratch);
}
