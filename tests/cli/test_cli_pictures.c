/* texgauge explain -m cdm, and eval --pictures. */
#include "tests/support/cli_support.h"

#include <jansson.h>

/* Six pairs whose scores are known by hand: 1, 0.8, 0, 0.8, none, 0. */
static const char pairs[] = "{\"id\":\"same\",\"gt\":\"p+q=r\",\"pred\":\"p+q=r\"}\n"
                            "{\"id\":\"one wrong/../x\",\"gt\":\"p+q=r\",\"pred\":\"p+q=s\"}\n"
                            "{\"id\":\"other\",\"gt\":\"p\",\"pred\":\"q\"}\n"
                            "{\"id\":\"short\",\"gt\":\"pqr\",\"pred\":\"pq\"}\n"
                            "{\"id\":\"no truth\",\"gt\":\"\\\\frac{p\",\"pred\":\"p\"}\n"
                            "{\"id\":\"<empty>\",\"gt\":\"p\",\"pred\":\"\"}\n";

static int make_scratch(void **state)
{
    char *folder = cli_scratch();
    g_autofree char *path = g_build_filename(folder, "pairs.jsonl", NULL);

    *state = folder;
    return g_file_set_contents(path, pairs, -1, NULL) ? 0 : -1;
}

/* ---- texgauge explain -m cdm ---- */

TEST(test_cli_pictures__cdm_prints_scores_and_draws)
{
    CLI_CHECK({ "texgauge explain -m cdm 'p+q=r' 'p+q=s' -o m.png && texgauge explain -m cdm "
                "'p+q=r' 'p+q=s' -o m.svg >/dev/null && texgauge explain -m cdm p q -o m.pdf "
                ">/dev/null && head -c 4 m.pdf && grep -c '<path' m.svg && texgauge explain -m cdm "
                "p q -o - | head -c 4 | tail -c 3",
                0, "cdm 0.8  precision 0.8  recall 0.8  exact 0\n...%PDF...$PNG", "=" });
}

TEST(test_cli_pictures__cdm_as_json)
{
    g_auto(CliRun) run = cli_run(*state, "texgauge explain -m cdm --json 'p+q=r' 'p+q=s'");
    json_auto_t *row = json_loads(run.out, 0, NULL);
    const json_t *detail = json_object_get(row, "detail");
    const json_t *elements = json_object_get(json_object_get(detail, "pred"), "elements");
    const json_t *last = json_array_get(elements, 4);

    assert_int_equal(run.status, 0);
    assert_int_equal(json_array_size(elements), 5);
    assert_string_equal(json_string_value(json_object_get(last, "token")), "s");
    assert_string_equal(json_string_value(json_object_get(last, "verdict")), "other-token");
    assert_int_equal(json_integer_value(json_object_get(last, "partner")), 4);
    assert_int_equal(json_array_size(json_object_get(last, "box")), 4);
}

/* Options of the metric are spelled as elsewhere, delimiters come off as elsewhere. */
CLI_CASES(test_cli_pictures__cdm_takes_options_of_the_metric) = {
    { "long=$(printf 'a+%.0s' $(seq 80)); texgauge explain -m cdm \"${long}b\" \"${long}c\" | head "
      "-n 1; texgauge explain -m cdm:page=unlimited \"${long}b\" \"${long}c\" | head -n 1; "
      "texgauge explain -m cdm '$p$' '\\[p\\]' | head -n 1",
      0,
      "=cdm 1  precision 1  recall 1  exact 1\n"
      "cdm 0.994  precision 0.994  recall 0.994  exact 0\n"
      "cdm 1  precision 1  recall 1  exact 1\n" },
    { NULL },
};

CLI_CASES(test_cli_pictures__wrong_calls) = {
    { "texgauge explain -m cdm p", 2, "=", "a reference and a prediction" },
    { "texgauge explain -m cdm p q -o m.jpg", 2, "=", "does not end in" },
    { "texgauge explain -m cdm p q -o no/m.png", 4, "=", "No such file" },
    { "texgauge explain -m cer p q -o m.png", 2, "=", "cannot explain" },
    { "texgauge explain -m cdm,cer p q", 2, "=", "unknown metric" },
    { "texgauge eval -q -m cer pairs.jsonl --pictures x", 2, "=", "pictures" },
    { "texgauge eval -q -m cdm pairs.jsonl --pictures x --only best", 2, "=", "worst:N" },
    { "texgauge eval -q -m cdm pairs.jsonl --pictures x --only worst:0", 2, "=", "worst:N" },
    { "texgauge eval -q -m cdm pairs.jsonl --pictures x --only random:1:x", 2, "=", "worst:N" },
    { "texgauge eval -q -m cdm pairs.jsonl --only all", 2, "=", "--pictures" },
    { "texgauge eval -q -m cdm pairs.jsonl -o - --pictures x", 2, "=", "-o" },
    { "mkdir fonts && echo >fonts/lmmi12.pfb && export TEXGAUGE_FONTS=$PWD/fonts:/usr/share/texmf/"
      "fonts:/usr/share/fonts && texgauge eval -q -m forte pairs.jsonl --pictures x >/dev/null",
      4, "=", "is not a font file" },
    { NULL },
};

/* ---- eval --pictures ---- */

/* Entry @i of an index, after its head; (transfer full) */
static json_t *entry_of(const char *folder, const char *name, guint i)
{
    g_autofree char *path = g_build_filename(folder, name, "index.jsonl", NULL);
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    assert_true(i + 1 < g_strv_length(lines));
    return json_loads(lines[i + 1], 0, NULL);
}

static void assert_entry(const char *folder, const char *name, guint i, guint row, guint rank)
{
    json_auto_t *entry = entry_of(folder, name, i);

    assert_int_equal(json_integer_value(json_object_get(entry, "row")), row);
    assert_int_equal(json_integer_value(json_object_get(entry, "rank")), rank);
}

/* The worst first: rows 3 and 6 have 0, then 2 of the two with 0.8. */
TEST(test_cli_pictures__the_worst_pairs)
{
    CLI_CHECK({ "texgauge eval -q -m cdm,cer pairs.jsonl --pictures worst --only worst:3 "
                ">/dev/null && ls worst",
                0,
                "=000002-one_wrong_.._x.svg\n000003-other.svg\n"
                "000006-_empty_.svg\nindex.html\nindex.jsonl\n",
                "=" });
    assert_entry(*state, "worst", 0, 2, 3); /* entries stand as the pairs came */
    assert_entry(*state, "worst", 1, 3, 1);
    assert_entry(*state, "worst", 2, 6, 2);
}

/* In the page they stand in their order, and what a user wrote is text. */
TEST(test_cli_pictures__the_page)
{
    g_auto(CliRun) run = cli_run(*state, "texgauge eval -q -m cdm pairs.jsonl --pictures page "
                                         "--only worst:3 >/dev/null && cat page/index.html");
    const char *third = strstr(run.out, "000003-other.svg");
    const char *sixth = strstr(run.out, "000006-_empty_.svg");

    assert_true(third != NULL && sixth != NULL && third < sixth);
    assert_non_null(strstr(run.out, "&lt;empty&gt;"));
    assert_null(strstr(run.out, "<empty>"));
}

/* A truth that cannot be drawn has no score, but a picture of what there is. */
TEST(test_cli_pictures__all_pairs)
{
    CLI_CHECK({ "texgauge eval -q -m cdm pairs.jsonl --pictures all --only all >/dev/null && ls "
                "all/*.svg | wc -l && texgauge eval -q -m cdm:max-elements=4 pairs.jsonl "
                "--pictures small --only all >/dev/null && ls small/*.svg | wc -l",
                0, "=6\n4\n" });

    json_auto_t *large = entry_of(*state, "small", 0);
    assert_true(json_is_null(json_object_get(large, "file")));
    assert_non_null(strstr(json_string_value(json_object_get(large, "fault")), "too-large"));
}

TEST(test_cli_pictures__median_and_random)
{
    CLI_CHECK({ "for o in median:1 random:2 random:2:1 random:2:7; do texgauge eval -q -m cdm "
                "pairs.jsonl --pictures $o --only $o >/dev/null; done; ls median:1/*.svg | wc -l; "
                "ls random:2/*.svg | wc -l; ls random:2 >a; ls random:2:1 | diff - a",
                0, "=1\n2\n" });

    assert_entry(*state, "median:1", 0, 2, 1); /* of 0, 0, 0.8, 0.8, 1 the middle one */
}

/* Drawn again after --resume: the same files; what others put there stays untouched. */
TEST(test_cli_pictures__again_but_never_over_other_files)
{
    CLI_CHECK({ "e() { texgauge eval -q -m cdm pairs.jsonl -o r.jsonl --pictures again \"$@\" "
                ">/dev/null; }; e && cat again/* >a && head -n 3 r.jsonl >half && mv half r.jsonl "
                "&& e --resume && cat again/* | cmp - a && e --resume && cat again/* | cmp - a; "
                "echo $?; mkdir other; echo mine >other/000003-other.svg; texgauge eval -q -m cdm "
                "pairs.jsonl --pictures other; echo $?; cat other/000003-other.svg; mkdir third; "
                "echo mine >third/index.html; texgauge eval -q -m cdm pairs.jsonl --pictures "
                "third; echo $?; cat third/index.html",
                0, "=0\n4\nmine\n4\nmine\n", "is another kind of file: choose another folder" });
}

TEST_GROUP(make_scratch, cli_remove_scratch)
