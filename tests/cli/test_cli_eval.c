/* What a person sees of eval: sets of metrics, causes, errors in place of empty tables. */
#include "tests/support/cli_support.h"

TEST(test_cli_eval__without_metrics_has_a_default_set)
{
    cli_write_file(state, "p.jsonl", "{\"gt\":\"a+b\",\"pred\":\"a+b\"}\n");
    CLI_CHECK({ "texgauge eval -q p.jsonl", 0,
                "^pairs   cdm ↑  forte ↑  edit ↑  bleu ↑  exprate ↑\n    1  1.0000   1.0000  "
                "1.0000  0.0000     1.0000\nMetrics: cdm v" });
}

/* The published set has the figures' options; a metric that stands there already comes once. */
TEST(test_cli_eval__sets_of_metrics_have_names)
{
    cli_write_file(state, "p.jsonl", "{\"gt\":\"a b c d e\",\"pred\":\"a b c d e\"}\n");
    g_auto(CliRun) crohme = cli_run(*state, "texgauge eval -q -m crohme,chrf p.jsonl");
    CLI_CHECK(
        { "texgauge eval -q -m edit,text p.jsonl", 0,
          "^pairs  edit ↑  bleu ↑   cer ↓   wer ↓  exprate ↑  rouge ↑  chrf ↑  texbleu ↑  ebleu "
          "↑\n" },
        { "texgauge eval -q -m crohme --summary json p.jsonl", 0, "smooth:nltk4...edits:words" },
        { "texgauge eval -q -m drawn p.jsonl", 0,
          "^pairs   cdm ↑  cdm-strict ↑  imgedit ↓   mse ↓  ssim ↑\n" },
        { "texgauge metrics", 0, "crohme" });

    assert_true(g_str_has_prefix(crohme.out, "pairs  edit ↑  bleu ↑   cer ↓  exprate ↑  chrf ↑\n"));
}

/* Page p has 1 + 3 edits of 8 + 4 characters, q 1 of 2, r no counts: (1/3 + 1/2) / 2; by the
 * attribute: of odd 1/3, of even 1/2. */
TEST(test_cli_eval__pages_have_their_edit_distance_beside_other_metrics)
{
    static const char rows[] =
        "{\"id\":\"p.jpg#0\",\"gt\":\"a\",\"pred\":\"a\",\"norm_distance\":1,\"norm_length\":8,"
        "\"page_attributes\":\"kind: odd; watermark\"}\n"
        "{\"id\":\"p.jpg#1\",\"gt\":\"a\",\"pred\":\"b\",\"norm_distance\":3,\"norm_length\":4,"
        "\"page_attributes\":\"kind: odd; watermark\"}\n"
        "{\"id\":\"q.jpg#0\",\"gt\":\"a\",\"pred\":\"a\",\"norm_distance\":1,\"norm_length\":2,"
        "\"page_attributes\":\"kind: even\"}\n"
        "{\"id\":\"r.jpg#\",\"gt\":\"a\",\"pred\":\"\",\"norm_distance\":0,\"norm_length\":0,"
        "\"page_attributes\":\"kind: even\"}\n";
    cli_write_file(state, "rows.jsonl", rows);
    cli_write_file(state, "plain.jsonl", "{\"id\":\"p.jpg#0\",\"gt\":\"a\",\"pred\":\"a\"}\n");
    g_auto(CliRun) pages = cli_run(*state, "texgauge eval -q -m exprate --mean pages --by "
                                           "page_attributes rows.jsonl");
    g_auto(CliRun) pairs = cli_run(*state, "texgauge eval -q -m exprate rows.jsonl");
    CLI_CHECK({ "texgauge eval -q -m exprate --mean pages plain.jsonl", 0, "!Edit_dist" });

    assert_true(g_str_has_prefix(
        pages.out,
        "subset                      pairs  pages  exprate ↑  Edit_dist ↓  not ok  undefined\n"
        "all                             4      3     0.5000       0.4167       1          1\n"
        "kind: even                      2      2     0.5000       0.5000       1          1\n"
        "kind: odd                       2      1     0.5000       0.3333       0          0\n"
        "page_attributes: watermark      2      1     0.5000       0.3333       0          0\n"));
    assert_null(strstr(pairs.out, "Edit_dist"));
}

TEST(test_cli_eval__metrics_may_be_named_one_by_one)
{
    cli_write_file(state, "p.jsonl", "{\"gt\":\"a b\",\"pred\":\"a b\"}\n");
    CLI_CHECK({ "texgauge eval -q -m chrf -m exprate,cer p.jsonl", 0,
                "^pairs  chrf ↑  exprate ↑   cer ↓\n" },
              { "texgauge score -m chrf --metrics exprate a a", 0,
                "\"scores\":{\"chrf\":1,...\"exprate\":1," });
}

TEST(test_cli_eval__nothing_to_score_is_an_error_without_a_table)
{
    cli_write_file(state, "empty.jsonl", "");
    cli_write_file(state, "truths.jsonl", "{\"gt\":\"a\"}\n{\"gt\":\"b\"}\n");
    cli_write_file(state, "bad.jsonl", "{\"pred\":\"a\"}\n");
    cli_write_file(state, "paper.md", "Let $x$ be.\n");
    cli_write_file(state, "paper.tex", "$x$\n");
    cli_write_file(state, "paper", "\\documentclass{article}\n$x$\n");
    cli_write_file(state, "p.jsonl", "{\"gt\":\"a\",\"pred\":\"a\"}\n");
    CLI_CHECK(
        { "texgauge eval -q -m edit p.jsonl -o r.jsonl", 0 },
        { "texgauge eval -m edit empty.jsonl", 3, "=", "the inputs have no pairs" },
        { "texgauge eval -m edit truths.jsonl", 3, "=", "no row has a prediction" },
        { "texgauge eval -m edit bad.jsonl", 3, "=", "no row of the inputs can be used" },
        { "texgauge eval -m edit paper.md", 3, "=", "texgauge documents" },
        { "texgauge eval -m edit paper.tex", 3, "=", "texgauge documents" },
        { "texgauge eval -m edit --gt paper --pred truths.jsonl", 3, "=", "texgauge documents" },
        { "texgauge study r.jsonl", 3, "=", "no human scores" });
}

/* How often @needle stands in @text. */
static guint count(const char *text, const char *needle)
{
    guint n = 0;

    for (; (text = strstr(text, needle)) != NULL; text += strlen(needle))
        n++;
    return n;
}

/* 99 truths with an open brace, 25 rows without a truth, 30 without a prediction. */
TEST(test_cli_eval__a_cause_is_said_once_with_count_and_first_place)
{
    g_autoptr(GString) rows = g_string_new("{\"id\":\"good\",\"gt\":\"a\",\"pred\":\"a\"}\n");

    for (guint i = 0; i < 99; i++)
        g_string_append_printf(
            rows, "{\"id\":\"form_%u\",\"gt\":\"\\\\frac{a\",\"pred\":\"a_%u\"}\n", 274 + i, i);
    for (guint i = 0; i < 25; i++)
        g_string_append_printf(rows, "{\"id\":\"none_%u\",\"pred\":\"a\"}\n", i);
    for (guint i = 0; i < 30; i++)
        g_string_append_printf(rows, "{\"id\":\"open_%u\",\"gt\":\"a\"}\n", i);
    cli_write_file(state, "many.jsonl", rows->str);
    g_auto(CliRun) run = cli_run(*state, "texgauge eval -m cdm,edit many.jsonl");
    g_auto(CliRun) quiet = cli_run(*state, "texgauge eval -q -m cdm,edit many.jsonl");

    assert_int_equal(run.status, 3);
    tg_assert_holds(
        run.err, "99 references cannot be typeset: brace: unclosed { (first: form_274)\n",
        "25 rows cannot be used: no field is known as the reference", "(first: many.jsonl:101)\n",
        "30 pairs have no prediction (first: open_0)\n", NULL);
    assert_int_equal(count(run.err, "\n"), 4); /* and how many faults there were */
    assert_int_equal(count(quiet.err, "references cannot be typeset"), 0);
}

/* Formulas that fall back to raw text have a score, but not the one that their drawing deserves. */
TEST(test_cli_eval__a_note_is_counted_once_a_run)
{
    cli_write_file(state, "gaps.jsonl",
                   "{\"id\":\"a\",\"gt\":\"x\",\"pred\":\"\\\\begin{matrix}x \\\\\\\\[2mm] "
                   "y\\\\end{matrix}\"}\n"
                   "{\"id\":\"b\",\"gt\":\"x\",\"pred\":\"x\"}\n"
                   "{\"id\":\"c\",\"gt\":\"x\",\"pred\":\"\\\\left( x\"}\n");
    CLI_CHECK({ "texgauge eval -m c=cdm:dialect=omnidocbench-1.6 gaps.jsonl", 0, NULL,
                "2 pairs: c: the prediction split at blanks (first: a)\n" });
}

TEST(test_cli_check__lists_truths_that_cannot_be_read_or_set)
{
    cli_write_file(state, "t.jsonl",
                   "{\"id\":\"a\",\"gt\":\"x^2\"}\n{\"id\":\"b\",\"gt\":\"\\\\frac{x\"}\n"
                   "{\"id\":\"c\"}\n{\"id\":\"d\",\"gt\":\"\\\\nosuch\"}\n");
    cli_write_file(state, "good.txt", "x^2\n\\frac{a}{b}\n");
    CLI_CHECK({ "texgauge eval --check t.jsonl", 3,
                "t.jsonl:2: b: brace: unclosed {\n    \\frac{x\n...t.jsonl:3: no field is known as "
                "the reference...t.jsonl:4: d: unknown-command...!t.jsonl:1" },
              { "texgauge eval --check good.txt", 0, "=2 references can be read and typeset\n" });
}

/* A terminal is 80 columns wide; a pipe gets the whole table. */
TEST(test_cli_eval__keeps_to_the_width_of_a_terminal)
{
    static const char model_names[] = "first-model-of-ours,second-model-of-ours,third,fourth";
    g_autoptr(GString) rows = g_string_new(NULL);
    g_auto(GStrv) models = g_strsplit(model_names, ",", -1);

    cli_need_terminal();
    for (guint m = 0; m < 4; m++)
        for (guint s = 0; s < 5; s++)
            g_string_append_printf(rows,
                                   "{\"id\":\"%u\",\"model\":\"%s\",\"subset\":\"subset-%u\","
                                   "\"gt\":\"a+b\",\"pred\":\"a-b\"}\n",
                                   s, models[m], s);
    cli_write_file(state, "m.jsonl", rows->str);
    g_auto(CliRun) pipe = cli_run(*state, "texgauge eval -q -m text,edit-ops m.jsonl");
    g_auto(CliRun) tty =
        cli_run(*state, "COLUMNS=80 terminal \"$TEXGAUGE eval -q -m text,edit-ops m.jsonl\"");
    g_auto(GStrv) lines = g_strsplit(tty.out, "\n", -1);

    assert_int_equal(count(pipe.out, "\n"), 30); /* head, 4 models of 7 rows, signatures */
    assert_int_equal(tty.status, 0);
    assert_true(g_strv_length(lines) > 2 * 29);
    for (guint i = 0; lines[i] != NULL; i++)
        assert_true(g_utf8_strlen(g_strchomp(lines[i]), -1) <= 80);
    tg_assert_holds(tty.out, "subset-4", "edit-ops", NULL);
}

/* The file after --add is the one that scoring all at once makes, to the byte. */
TEST(test_cli_eval__adds_metrics_to_finished_results)
{
    cli_write_file(state, "p.jsonl",
                   "{\"id\":\"1\",\"gt\":\"\\\\frac{a}{b}\",\"pred\":\"\\\\frac{a}{c}\"}\n"
                   "{\"id\":\"2\",\"gt\":\"x\"}\n{\"id\":\"1\",\"gt\":\"x\",\"pred\":\"x\"}\n");
    CLI_CHECK(
        { "e() { texgauge eval -q \"$@\" >>log 2>&1; };e -m edit,forte,bleu p.jsonl -o all.jsonl; "
          "e -m edit p.jsonl -o some.jsonl;e --add forte,bleu some.jsonl -o more.jsonl; e --add "
          "forte some.jsonl;e --add bleu some.jsonl; cmp all.jsonl more.jsonl && cmp all.jsonl "
          "some.jsonl",
          0, "=" },
        { "for i in $(seq 300); do sed \"s/:\\\"1\\\"/:\\\"1.$i\\\"/;s/:\\\"2\\\"/:\\\"2.$i\\\"/\" "
          "p.jsonl; done >many.jsonl;texgauge eval -q --allow-duplicates -m edit,cdm many.jsonl -o "
          "all2.jsonl >a 2>log2;texgauge eval -q --allow-duplicates -m edit many.jsonl -o "
          "few2.jsonl >b 2>log2;for t in 1 5; do texgauge eval -q -t $t --add cdm few2.jsonl -o "
          "t$t.jsonl >b$t 2>&1 && cmp all2.jsonl t$t.jsonl && grep -v results: a | cmp - b$t || "
          "echo failed; done",
          0, "=", "=" },
        { "texgauge eval -q all.jsonl", 0 },
        { "texgauge eval -q --add edit all.jsonl", 2, "=", "have 'edit' already" });
}

/* Two pairs of a results file, scored with another metric. */
TEST(test_cli_eval__scores_its_own_results_again)
{
    cli_write_file(state, "q.jsonl",
                   "{\"id\":\"1\",\"gt\":\"a\",\"pred\":\"a\"}\n"
                   "{\"id\":\"2\",\"gt\":\"a\",\"pred\":\"b\"}\n");
    CLI_CHECK({ "texgauge eval -q -m edit q.jsonl -o q.out.jsonl >first && texgauge eval -q -m "
                "exprate q.out.jsonl",
                0, "=pairs  exprate ↑\n    2     0.5000\nMetrics: exprate v1.\n", "=" });
}

TEST(test_cli_eval__never_overwrites_silently)
{
    cli_write_file(state, "s.jsonl", "{\"gt\":\"a\",\"pred\":\"a\"}\n");
    cli_write_file(state, "notes.txt", "mine\n");
    g_auto(CliRun) done = cli_run(*state, "texgauge eval -q -m edit s.jsonl -o done.jsonl");
    assert_int_equal(done.status, 0);
    CLI_CHECK({ "texgauge eval -m edit s.jsonl -o done.jsonl", 4, "=", "has finished results" },
              { "texgauge eval -m edit s.jsonl -o notes.txt", 4, "=", "is not a results file" },
              { "texgauge eval -m edit s.jsonl -o s.jsonl", 2, "=", "is an input" },
              { "texgauge eval -m edit --force s.jsonl -o ../$(basename $T)/s.jsonl", 2, "=",
                "is an input" },
              { "texgauge eval -q --force -m cer s.jsonl -o done.jsonl >x && grep -c '\"cer\"' "
                "done.jsonl; cat notes.txt s.jsonl",
                0, "=2\nmine\n{\"gt\":\"a\",\"pred\":\"a\"}\n" });
}

/* select has the options, too: in JSON lines and in text. */
TEST(test_cli_eval__select_shows_percent_and_digits)
{
    cli_write_file(state, "h.jsonl", "{\"gt\":\"a b c\",\"pred\":\"a b d\"}\n");
    CLI_CHECK({ "texgauge eval -q -m edit h.jsonl -o h.out.jsonl >h && texgauge select -q "
                "h.out.jsonl --worst 1 --percent --digits 0 | grep -o '\"scores\":{[^}]*}'; "
                "texgauge select -q h.out.jsonl --worst 1 --text --percent --digits 1 | head -n 1",
                0,
                "=\"scores\":{\"edit\":67,\"edit.distance\":1,\"edit.normalized\":33,\"edit."
                "corpus\":67}\nrow 1  edit % 66.7\n" });
}

/* A fence ruins a score: that is said once, and not where a rule takes it off. Results that were
 * cleaned in another way are not compared. */
TEST(test_cli_eval__clean_up_is_a_setting_of_the_results)
{
    cli_write_file(state, "f.jsonl",
                   "{\"id\":\"1\",\"gt\":\"x^2\",\"pred\":\"```latex\\n$x^2$\\n```\"}\n"
                   "{\"id\":\"2\",\"gt\":\"y\",\"pred\":\"```\\ny\\n```\"}\n");
    g_auto(CliRun) raw = cli_run(*state, "texgauge eval -m exprate -o raw.jsonl f.jsonl");
    g_auto(CliRun) clean =
        cli_run(*state, "texgauge eval -m exprate --clean dollars,fences -o clean.jsonl f.jsonl");
    CLI_CHECK({ "head -n 1 clean.jsonl", 0, "\"clean\":\"fences,dollars\"" },
              { "texgauge compare a=raw.jsonl b=clean.jsonl", 3, "=", "clean 'fences,dollars'" },
              { "texgauge score -m exprate --clean all x '```$x$```'", 0, "\"pred\":\"x\"" });

    assert_non_null(strstr(raw.out, "0.0000"));
    assert_non_null(
        strstr(raw.err,
               "2 predictions start with a code fence, which --clean fences removes (first: 1)\n"));
    assert_non_null(strstr(clean.out, "1.0000"));
    assert_null(strstr(clean.err, "fence"));
}

/* What plays no role in a pair, is short, and is no formula; from tables and joined files, too. */
CLI_CASES(test_cli_eval__other_short_fields_are_kept) = {
    { "printf '{\"id\":1,\"gt\":\"a\",\"pred\":\"b\",\"page\":3,\"lang\":\"en\",\"latex\":\"q\","
      "\"human\":2,\"list\":[1],\"none\":null,\"long\":\"%0201d\"}\\n' 1 >kept.jsonl && "
      "texgauge eval -q -m edit kept.jsonl -o kept.out.jsonl >s && sed -n 2p kept.out.jsonl",
      0, "\"stored\":{\"page\":3,\"lang\":\"en\"},\"scores\"" },
    { "texgauge eval -q -m cer kept.out.jsonl -o - | sed -n 2p", 0,
      "\"stored\":{\"page\":3,\"lang\":\"en\"},\"scores\"" },
    { "texgauge eval -q -m edit --columns '' kept.jsonl -o - | grep -c stored", 1, "=0\n" },
    { "texgauge eval -q -m edit --columns list kept.jsonl -o - | sed -n 2p", 0,
      "\"stored\":{\"list\":[1]}," },
    { "printf 'id,gt,pred,page,x\\n1,a,b,4,\\n' >kept.csv && "
      "texgauge eval -q -m edit kept.csv -o - | sed -n 2p",
      0, "\"stored\":{\"page\":4.0}," },
    { "printf '{\"id\":1,\"gt\":\"a\",\"page\":3,\"n\":1}\\n' >kept.gt.jsonl && "
      "printf '{\"id\":1,\"pred\":\"a\",\"n\":2}\\n' >kept.pred.jsonl && "
      "texgauge eval -q -m edit --gt kept.gt.jsonl --pred A=kept.pred.jsonl -o - | sed -n 2p",
      0, "\"stored\":{\"page\":3,\"n\":2}," },
    { NULL },
};

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
