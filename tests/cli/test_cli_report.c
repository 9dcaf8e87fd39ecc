#include "tests/support/cli_support.h"

#define SAMPLE "'" TG_SOURCE_ROOT "/datasets/samples/mathbridge.csv'"

CLI_CASES(test_cli_report__every_form_in_one_call) = {
    { "texgauge eval -q -m edit,cer " SAMPLE
      " -o r.jsonl >s && texgauge report -q r.jsonl --resamples 20 --title 'A title' -o r.html -o "
      "r.md && grep -c '<title>A title</title>' r.html && head -n 1 r.md",
      0, "=1\n# A title\n", "=" },
    { NULL },
};

/* The committed script makes the same bad model again, and a report can tell it from a good one. */
CLI_CASES(test_cli_report__shows_a_corrupted_model) = {
    { "python3 - >good.json <<'END'\n"
      "import json\n"
      "truths = [r'\\frac{x_{%d}}{z} + \\alpha^{2} \\leq 10' % i for i in range(200)]\n"
      "print(json.dumps([{'id': str(i), 'gt': t, 'pred': t} for i, t in enumerate(truths)]))\n"
      "END\n"
      "for name in bad again; do '" TG_SOURCE_ROOT
      "/docs/examples/corrupt_predictions.py' good.json $name.json; done\n"
      "cmp bad.json again.json && "
      "texgauge eval -q -m edit good.json bad.json -o bad.jsonl >s && texgauge report -q "
      "bad.jsonl --resamples 50 -o r.md --force && grep '^bad is worse\\|better than bad' r.md",
      0 },
    { NULL },
};

/* Two models on three years of CROHME and a third one that is a bad copy: 9,996 pairs. */
TEST(test_cli_report__three_models_on_real_data)
{
    g_autofree char *data = tg_shared_or_skip("data/uni-mumer");

    g_auto(CliRun) run = cli_run(
        *state,
        "python3 - '%s' $T <<'END'\n"
        "import json, sys\n"
        "for model in '3b', '7b':\n"
        "    rows = []\n"
        "    for year in 2014, 2016, 2019:\n"
        "        for row in json.load(open(f'{sys.argv[1]}/crohme_{year}.{model}.json')):\n"
        "            rows.append({'id': row['img_id'], 'subset': str(year), 'gt': row['gt'],\n"
        "                         'pred': row['pred']})\n"
        "    json.dump(rows, open(f'{sys.argv[2]}/{model}.json', 'w'))\n"
        "END\n"
        "'" TG_SOURCE_ROOT
        "/docs/examples/corrupt_predictions.py' 7b.json corrupt.json && texgauge eval -q "
        "--allow-duplicates -m cdm,forte,edit 3b.json 7b.json corrupt.json -o all.jsonl >summary "
        "&& texgauge report -q all.jsonl -o all.html && wc -c <all.html && grep -o '9,996 pairs, 3 "
        "models, 3 subsets' all.html",
        data);
    const guint64 size = g_ascii_strtoull(run.out, NULL, 10);

    if (run.status != 0)
        fail_msg("%s", run.err);
    assert_non_null(strstr(run.out, "9,996 pairs, 3 models, 3 subsets"));
    assert_true(size > 400000 && size < 2000000); /* every pair with its drawings */
}

/* The study of the ratings works on the table that was read: a pipe can be read only once. */
CLI_CASES(test_cli_report__of_a_pipe_with_ratings) = {
    { "texgauge eval -q -m edit,cer --human people=expert_1,expert_2,expert_3 " SAMPLE
      " -o rated.jsonl >s && texgauge report -q rated.jsonl --resamples 20 -o file.html && cat "
      "rated.jsonl | texgauge report -q /dev/stdin --resamples 20 -o pipe.html && cmp file.html "
      "pipe.html && grep -c '<summary>Human scores</summary>' pipe.html",
      0, "=1\n", "=" },
    { NULL },
};

/* A folder stands for its results files by name. */
CLI_CASES(test_cli_report__of_a_folder_of_runs) = {
    { "mkdir runs && for run in b a; do\n"
      "  texgauge eval -q -m edit " SAMPLE " -o runs/$run.jsonl >summary || exit 1\n"
      "done\n"
      "texgauge report -q runs --resamples 20 -o folder.md && grep -q '| b/aster' "
      "folder.md && texgauge report -q runs/a.jsonl runs/b.jsonl --resamples 20 -o "
      "named.md && cmp folder.md named.md",
      0 },
    { NULL },
};

/* Wide and long tables keep to the margins of an article on A4. */
TEST(test_cli_report__latex_fits_a_page)
{
    g_autofree char *tex = g_find_program_in_path("pdflatex");

    if (tex == NULL)
        skip();
    CLI_CHECK({ "texgauge eval -q -m edit,cer,bleu,chrf,rouge,exprate " SAMPLE
                " -o wide.jsonl >summary && texgauge compare -q --pairs 40 --all --resamples 20 "
                "--trials 20 --summary latex wide.jsonl >wide.tex && grep -q resizebox wide.tex && "
                "cat >page.tex <<'END'\n"
                "\\documentclass[a4paper]{article}\n\\usepackage{booktabs,longtable,graphicx}\n"
                "\\begin{document}\n\\input{wide}\n\\end{document}\n"
                "END\n"
                "pdflatex -interaction=batchmode page.tex >log; status=$?; grep Overfull page.log; "
                "exit $status",
                0, "=" });
}

CLI_CASES(test_cli_report__exit_codes) = {
    { "texgauge report r.jsonl", 2, "=", "-o FILE is required" },
    { "texgauge report r.jsonl -o r.pdf", 2, "=", "r.pdf" },
    { "texgauge report -o r.html", 2, "=", "no input" },
    { "texgauge report -m edit " SAMPLE " -o r.html", 2, "=", "Unknown option" },
    { "texgauge report " SAMPLE " -o r.html", 3, "=", "not a results file" },
    { "texgauge report -q r.jsonl -o r.csv", 2, "=", ".html or .md" },
    { "texgauge report -q r.jsonl -o r.html --resamples -1", 2, "=", "not negative" },
    { "texgauge report -q r.jsonl --resamples 9 -o none/r.html", 4, "=", "none/" },
    { NULL },
};

/* exprate on page p 1/2, on q 1: .75 over pages; in x 1, in y 1/2: .75; in the field k: 1/2 and 1;
 * over pairs 2/3. */
TEST(test_cli_report__means_are_those_of_eval)
{
    static const char *const means[] = { "pages", "subsets", "subsets=k" };

    cli_write_file(state, "means.jsonl",
                   "{\"id\":\"p.jpg#1\",\"gt\":\"a\",\"pred\":\"a\",\"subset\":\"x\",\"k\":1}\n"
                   "{\"id\":\"p.jpg#2\",\"gt\":\"a\",\"pred\":\"b\",\"subset\":\"y\",\"k\":1}\n"
                   "{\"id\":\"q.jpg#1\",\"gt\":\"a\",\"pred\":\"a\",\"subset\":\"y\",\"k\":2}\n");
    for (guint i = 0; i < G_N_ELEMENTS(means); i++) {
        g_auto(CliRun) reported =
            cli_run(*state,
                    "texgauge eval -q -m exprate means.jsonl -o m.jsonl --force >s && texgauge "
                    "report -q --mean %s m.jsonl -o means.md --force && grep '| all' means.md",
                    means[i]);
        g_auto(CliRun) evaluated = cli_run(
            *state, "texgauge eval -q -m exprate --mean %s means.jsonl --summary csv", means[i]);

        assert_int_equal(reported.status, 0);
        assert_true(g_str_has_prefix(reported.out, "| all"));
        tg_assert_holds(evaluated.out, "\"all\",3,", ",0.75,", NULL);
    }
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
