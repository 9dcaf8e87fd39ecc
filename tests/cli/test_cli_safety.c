/* What commands write: never over data, never half, never by two at once. */
#include "tests/support/cli_support.h"

#define ROWS                                                                                       \
    "{\"id\":\"1\",\"gt\":\"a\",\"pred\":\"a\"}\n{\"id\":\"2\",\"gt\":\"b\",\"pred\":\"c\"}\n"

static char *read_file(void **state, const char *name)
{
    g_autofree char *path = g_build_filename(*state, name, NULL);
    char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL))
        fail_msg("%s cannot be read", path);
    return text;
}

/* Runs a command that must end well. */
static void must(void **state, const char *command)
{
    g_auto(CliRun) run = cli_run(*state, "%s", command);

    if (run.status != 0)
        fail_msg("%s: %d\n%s", command, run.status, run.err);
}

/* In a folder of its own. */
#define SAFETY_TEST(name) TEST_WITH(name, cli_make_scratch, cli_remove_scratch)

SAFETY_TEST(test_cli_safety__what_is_not_ours_stays)
{
    cli_write_file(state, "p.jsonl", ROWS);
    cli_write_file(state, "d.md", "$$a$$\n");
    cli_write_file(state, "thesis.tex", "\\documentclass{book}\n");
    cli_write_file(state, "picture.png", "GIF89a");
    cli_write_file(state, "thesis.md", "# Thesis\n");
    must(state, "texgauge eval -q -m edit p.jsonl -o r.jsonl");
    CLI_CHECK(
        { "texgauge eval -m edit p.jsonl -o thesis.tex", 4, "=", "not a results file" },
        { "texgauge eval -m edit p.jsonl --resume -o thesis.tex", 4, "=", "not a results file" },
        { "texgauge select r.jsonl --worst 1 -o thesis.tex", 4, "=", "--force" },
        { "texgauge report -q r.jsonl -o thesis.md", 4, "=", "--force" },
        { "texgauge documents d.md -o thesis.tex", 4, "=", "--force" },
        { "texgauge documents --gt p.jsonl --pred p.jsonl -o thesis.tex", 4, "=", "--force" },
        { "texgauge render x -o picture.png", 4, "=", "remove it" },
        { "texgauge render x --boxes thesis.tex", 4, "=", "remove it" },
        { "texgauge eval --add cer r.jsonl -o thesis.tex", 4, "=", "--force" });
    g_autofree char *thesis = read_file(state, "thesis.tex");
    assert_string_equal(thesis, "\\documentclass{book}\n");

    /* Reports and pictures are made again without asking, and anything is where the user says so.
     */
    must(state,
         "for i in 1 2; do texgauge report -q r.jsonl -o a.html -o a.md && texgauge render x -o "
         "x.png --boxes x.json && texgauge render x -o x.svg && texgauge render x -o x.pdf; done");
    must(state, "texgauge select -q --force r.jsonl --worst 1 -o thesis.tex && grep -q '\"row\":2' "
                "thesis.tex");
}

/* A full disk: what was there stays, and nothing half written is left. */
SAFETY_TEST(test_cli_safety__a_failed_write_leaves_what_was_there)
{
    cli_write_file(state, "p.jsonl", ROWS);
    must(state, "texgauge eval -q -m edit p.jsonl -o r.jsonl");
    must(state, "texgauge report -q r.jsonl -o a.md && cp a.md before.md");
    g_auto(CliRun) full = cli_run(
        *state,
        "ulimit -f 1 && texgauge report -q r.jsonl --title $(printf 'title.%%.0s' $(seq 500)) "
        "-o a.md");
    /* SIGXFSZ, or EFBIG */
    assert_int_not_equal(full.status, 0);
    must(state, "cmp a.md before.md");
    CLI_CHECK({ "texgauge eval -q -m edit p.jsonl -o /dev/full", 4, "=", "/dev/full" });
}

/* One font of the system in another version. */
SAFETY_TEST(test_cli_safety__other_fonts_are_noticed)
{
    cli_write_file(state, "p.jsonl", ROWS);
    cli_write_file(state, "other",
                   "TEXGAUGE_FONTS=$PWD/fonts:/usr/share/texmf/fonts:/usr/share/fonts\n"
                   "export TEXGAUGE_FONTS\n");
    must(state,
         "mkdir fonts && { cat /usr/share/fonts/truetype/lyx/stmary10.ttf; echo; } "
         ">fonts/stmary10.ttf && texgauge eval -q -m cdm p.jsonl -o r.jsonl && fonts=$(texgauge "
         "--version --build | awk '$1 == \"fonts\" { print $2 }') && head -1 r.jsonl | grep -q "
         "\"\\\"fonts\\\":\\\"$fonts\\\"\" && (. ./other && texgauge eval -q -m cdm p.jsonl -o "
         "o.jsonl) && texgauge eval -q -m edit p.jsonl -o e.jsonl && ! grep -q fonts e.jsonl && "
         "texgauge eval --add cdm -q e.jsonl -o f.jsonl && grep -q \"$fonts\" f.jsonl");
    CLI_CHECK({ ". ./other && head -2 r.jsonl >c.jsonl && texgauge eval -m cdm p.jsonl --resume -o "
                "c.jsonl",
                4, "=", "c.jsonl" },
              { "texgauge compare a=r.jsonl b=o.jsonl", 3, "=", "scored with fonts" },
              { ". ./other && texgauge eval --add imgedit r.jsonl -o d.jsonl", 3, "=",
                "the results were scored with fonts" });
}

SAFETY_TEST(test_cli_safety__pipes_can_be_outputs_and_inputs)
{
    cli_write_file(state, "p.jsonl", ROWS);
    cli_write_file(state, "d.md", "$$a$$\n");
    must(state, "mkfifo f && texgauge eval -q -m edit p.jsonl -o r.jsonl && (timeout 20 $TEXGAUGE "
                "eval -q -m edit p.jsonl -o f >x & timeout 20 cat f >g; wait) && cmp g r.jsonl");
    must(state,
         "timeout 20 $TEXGAUGE eval -q -m edit p.jsonl -o /dev/stderr 2>h >x && cmp h r.jsonl");
    must(state,
         "(cat d.md >f & timeout 20 $TEXGAUGE documents f >x.jsonl) && grep -q '\"a\"' x.jsonl");
    must(
        state,
        "(cat p.jsonl >f & timeout 20 $TEXGAUGE eval -q -f jsonl -m edit f >x) && grep -q ' 2 ' x");
    must(state, "(timeout 20 cat f >x.md & timeout 20 $TEXGAUGE select -q r.jsonl --worst 1 -o f; "
                "wait) && grep -q '\"row\":2' x.md");
}

SAFETY_TEST(test_cli_safety__compressed_results_are_read)
{
    cli_write_file(state, "p.jsonl", ROWS);
    must(state, "texgauge eval -q -m edit p.jsonl -o r.jsonl && gzip -k r.jsonl && texgauge report "
                "-q r.jsonl -o a.md && texgauge report -q r.jsonl.gz -o b.md && cmp a.md b.md && "
                "texgauge eval r.jsonl >m && texgauge eval r.jsonl.gz | cmp m");
    CLI_CHECK({ "texgauge eval -m edit p.jsonl --resume -o r.jsonl.gz", 4, "=", "is compressed" });
}

/* The first run waits for its input while the second comes. */
SAFETY_TEST(test_cli_safety__two_runs_do_not_write_one_file)
{
    cli_write_file(state, "p.jsonl", ROWS);
    must(state, "mkfifo f && (texgauge eval -q -m edit - -o r.jsonl <f >first & exec 3>f; head -1 "
                "p.jsonl >&3; while ! grep -q '\"row\":1' r.jsonl; do sleep .02; done; texgauge "
                "eval -q -m edit p.jsonl --force -o r.jsonl 2>second; echo $? >>second; texgauge "
                "eval -q -m edit p.jsonl --resume -o r.jsonl 2>third; tail -1 p.jsonl >&3; exec "
                "3>&-; wait) && grep -q '\"rows\":2' r.jsonl");
    g_autofree char *second = read_file(state, "second"), *third = read_file(state, "third");
    assert_non_null(strstr(second, "r.jsonl is being written by another run\n4\n"));
    assert_non_null(strstr(third, "is being written by another run"));
}

SAFETY_TEST(test_cli_safety__resume_notices_other_predictions)
{
    cli_write_file(state, "old", ROWS);
    cli_write_file(state, "more", "{\"id\":\"3\",\"gt\":\"b\",\"pred\":\"c\"}\n");
    cli_write_file(state, "p.jsonl", ROWS);
    must(state,
         "texgauge eval -q -m edit p.jsonl -o r.jsonl && cp r.jsonl whole && head -2 whole >half");
    must(state, "cp half r.jsonl && texgauge eval -q -m edit p.jsonl --resume -o r.jsonl && cmp "
                "r.jsonl whole");
    cli_write_file(state, "p.jsonl",
                   "{\"id\":\"1\",\"gt\":\"a\",\"pred\":\"b\"}\n"
                   "{\"id\":\"2\",\"gt\":\"b\",\"pred\":\"c\"}\n");
    CLI_CHECK({ "cp half r.jsonl && texgauge eval -m edit p.jsonl --resume -o r.jsonl", 3, "=",
                "row 1 is not the pair that was scored" },
              { "cp whole r.jsonl && texgauge eval -m edit p.jsonl --resume -o r.jsonl", 3, "=",
                "row 1 is not the pair that was scored" },
              { "cp whole r.jsonl && head -1 old >p.jsonl && texgauge eval -m edit p.jsonl "
                "--resume -o r.jsonl",
                3, "=", "row 2 is not the pair that was scored" },
              { "cp whole r.jsonl && cat old more >p.jsonl && texgauge eval -m edit p.jsonl "
                "--resume -o r.jsonl",
                3, "=", "row 3 is not the pair that was scored" });
}

/* Cut anywhere, also within the header, and with zeros for what had not arrived. */
SAFETY_TEST(test_cli_safety__resume_after_any_crash)
{
    cli_write_file(state, "p.jsonl", ROWS);
    must(state, "texgauge eval -q -m edit p.jsonl -o r.jsonl && cp r.jsonl whole");
    must(state,
         "size=$(wc -c <whole); for n in 0 1 100 $((size / 2)) $((size - 1)); do for zeros in 0 "
         "300; do { head -c $n whole; head -c $zeros /dev/zero; } >r.jsonl; [ $n -gt 99 ] || [ "
         "$zeros = 0 ] || truncate -s 200 r.jsonl; texgauge eval -q -m edit p.jsonl --resume -o "
         "r.jsonl >/dev/null && cmp r.jsonl whole || exit 1; done; done");
}

/* Reports of shards are those of the whole run, intervals and all. */
SAFETY_TEST(test_cli_safety__shards_report_as_the_whole)
{
    g_autoptr(GString) rows = g_string_new(NULL);

    for (guint i = 0; i < 40; i++)
        g_string_append_printf(
            rows, "{\"id\":\"%u\",\"subset\":\"%u\",\"gt\":\"abcdef\",\"pred\":\"%.*s\"}\n", i,
            i % 3, (int) (i * 7 % 11 % 7), "abcdef");
    cli_write_file(state, "p.jsonl", rows->str);
    must(state, "texgauge eval -q -m cer,bleu p.jsonl -o r.jsonl && for k in 1 2 3; do texgauge "
                "eval -q -m cer,bleu p.jsonl --shard $k/3 -o s$k.jsonl; done");
    must(state, "texgauge report -q r.jsonl --resamples 50 --title t -o a.md && texgauge report -q "
                "s3.jsonl s1.jsonl s2.jsonl --resamples 50 --title t -o b.md && cmp a.md b.md");
    must(state, "texgauge eval r.jsonl --confidence >a && texgauge eval s2.jsonl s1.jsonl s3.jsonl "
                "--confidence >b && cmp a b");
    CLI_CHECK({ "texgauge report -q s1.jsonl s3.jsonl -o c.md", 3, "=",
                "is one of 3 shards, and shard 2 is missing" });
}

SAFETY_TEST(test_cli_safety__empty_inputs_are_errors)
{
    cli_write_file(state, "empty", "");
    cli_write_file(state, "empty.md", "");
    CLI_CHECK({ "texgauge eval -m edit empty", 3, "=", "no pairs" },
              { "texgauge eval --check empty", 3, "=", "no references" },
              { "texgauge documents empty.md", 3, "=", "no formulas" },
              { "mkdir e && mkfifo e/a.tex && texgauge documents e", 3, "=", "no formulas" },
              { "texgauge documents --gt empty --pred empty", 3, "=", "no formulas" },
              { "texgauge tokenize --input empty", 3, "=", "no formulas" },
              { "texgauge render --input empty -o x.pdf", 3, "=", "no formulas" },
              { "texgauge train bpe -q empty -o m", 3, "=", "the corpus is empty" },
              { "texgauge report empty -o x.md", 3, "=", "not a results file" },
              { "texgauge study empty", 3, "=", "not a results file" });
}

/* Names and formulas that steer a terminal arrive as text. */
SAFETY_TEST(test_cli_safety__nothing_steers_the_terminal)
{
    cli_write_file(
        state, "p.jsonl",
        "{\"id\":\"\\u001b[31m\",\"model\":\"\\u202e\\u009bm\",\"subset\":\"\\u001b]0;x\\u0007\","
        "\"gt\":\"{a\\u001b[2J\",\"pred\":\"\\u202eb\\u009b\"}\n{\"gt\":7}\n");
    must(state,
         "e=$(printf '\\033'); c=$(printf '\\302\\233'); b=$(printf '\\342\\200\\256'); { texgauge "
         "eval -m edit,forte p.jsonl -o r.jsonl; texgauge eval r.jsonl; texgauge eval --check "
         "p.jsonl; texgauge select r.jsonl --worst 1 --text; texgauge select r.jsonl --worst 1 "
         "--json; cat r.jsonl; texgauge explain --input r.jsonl --row 1; texgauge eval r.jsonl "
         "--summary md; texgauge eval \"${e}[31m$b\"; texgauge \"$e\"; texgauge eval --$e; } >all "
         "2>&1; [ $(wc -l <all) -gt 20 ] && ! grep -q \"$e\\|$c\\|$b\" all");
}

/* What would change nothing is a mistake, and is called one. */
SAFETY_TEST(test_cli_safety__options_without_effect_are_errors)
{
    cli_write_file(state, "p.jsonl", "{\"gt\":\"a\",\"pred\":\"b\",\"x\":1}\n");
    must(state, "texgauge eval -q -m edit --columns x p.jsonl -o r.jsonl");
    CLI_CHECK(
        { "texgauge compare r.jsonl --columns x --lower y", 2, "=", "no stored column 'y'" },
        { "texgauge compare r.jsonl --lower edit", 2, "=", "no stored column 'edit'" },
        { "texgauge report r.jsonl --lower TYPO -o a.md", 2, "=", "no stored column 'TYPO'" },
        { "texgauge study r.jsonl --lower TYPO", 2, "=", "no stored column 'TYPO'" },
        { "texgauge select r.jsonl --worst 1 --by x --lower y", 2, "=", "'y'" },
        { "texgauge select r.jsonl --where 'edit<1' --lower x", 2, "=", "--lower is about" },
        { "texgauge select r.jsonl --where 'edit<1' --by x", 2, "=", "--by is" },
        { "texgauge compare r.jsonl --level nan", 2, "=", "--level must be between 0 and 1" },
        { "texgauge compare r.jsonl --level 0", 2, "=", "--level must be between 0 and 1" },
        { "texgauge study r.jsonl --level nan", 2, "=", "--level must be between 0 and 1" },
        { "texgauge compare r.jsonl --undefined skip", 2, "=", "Unknown option" },
        { "texgauge eval r.jsonl --format abc", 2, "=", "--format acts when" },
        { "texgauge eval r.jsonl --detail", 2, "=", "acts when pairs are scored" },
        { "texgauge eval --add cer r.jsonl --delimiters keep", 2, "=",
          "--delimiters is not for --add" },
        { "texgauge eval --add cer r.jsonl --shard 1/2", 2, "=", "--shard is not for --add" },
        { "texgauge eval --check -m edit p.jsonl", 2, "=", "--metrics is not for --check" },
        { "texgauge eval -m edit p.jsonl --force", 2, "=", "with -o" },
        { "texgauge eval -m edit p.jsonl --pair-timeout nan", 2, "=", "--pair-timeout" },
        { "texgauge compare r.jsonl --fail-under edit=0 --base m", 2, "=", "not thresholds" });
}

/* A results file that is opened where stderr was would get the messages. */
SAFETY_TEST(test_cli_safety__closed_streams_are_filled)
{
    cli_write_file(state, "p.jsonl", ROWS "{\"gt\":1}\n");
    CLI_CHECK({ "texgauge eval -m edit p.jsonl -o r.jsonl", 3 },
              { "texgauge eval -m edit p.jsonl -o s.jsonl <&- >&- 2>&-; cmp r.jsonl s.jsonl", 0 },
              { "texgauge metrics >&-", 4 }, { "texgauge eval -m edit - <&-", 3 });
}

SAFETY_TEST(test_cli_safety__signals_leave_no_temporary_files)
{
    must(state, "mkdir tmp d && mkfifo f && for signal in TERM HUP; do TMPDIR=$PWD/tmp $TEXGAUGE "
                "eval -q -m edit --gt f --pages d 2>/dev/null & p=$!; exec 3>f; while [ -z "
                "\"$(ls tmp)\" ]; do sleep .02; done; kill -$signal $p; wait $p; echo $? >>codes; "
                "exec 3>&-; [ -z \"$(ls tmp)\" ] || exit 1; done");
    g_autofree char *codes = read_file(state, "codes");
    assert_non_null(strstr(codes, "143\n"));
}
