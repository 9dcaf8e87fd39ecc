/* What eval reads unasked: names of fields, layouts, paths, folders and patterns. */
#include "tests/support/cli_support.h"

/* Every file has one right prediction and one wrong one. */
TEST(test_cli_inputs__layouts_are_recognized)
{
    static const struct {
        const char *name, *text;
    } files[] = {
        { "a.jsonl", "{\"label\":\"a\",\"predict\":\"a\"}\n{\"label\":\"a\",\"predict\":\"b\"}\n" },
        { "b.jsonl", "{\"reference_latex\":\"a\",\"predicted_latex\":\"a\"}\n"
                     "{\"reference_latex\":\"a\",\"predicted_latex\":\"b\"}\n" },
        { "c.jsonl", "{\"question\":\"?\",\"answer\":\"a\",\"prediction\":\"a\"}\n"
                     "{\"gt\":\"a\",\"answer\":\"b\"}\n" },
        { "d.json",
          "[{\"id\":1,\"pred\":\"a\",\"conversations\":[{\"from\":\"human\",\"value\":\"<image>\"},"
          "{\"from\":\"gpt\",\"value\":\"a\"}]},{\"id\":2,\"gt\":\"b\",\"messages\":[{\"role\":"
          "\"user\",\"content\":\"?\"},{\"role\":\"assistant\",\"content\":\"a\"}]}]" },
        { "e.csv", "id;gt;pred\n1;\"a;b\";\"a;b\"\n2;\"a,b\";c\n" },
        { "f.json", "{\"info\":{\"year\":2025},\"version\":\"1\",\"annotations\":[{\"gt_id\":1,"
                    "\"gt\":\"a\",\"pred\":\"a\"},{\"gt_id\":2,\"gt\":\"a\",\"pred\":\"b\"}]}" },
        { "g.csv", "gt;answer\na;a\na;b\n" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        cli_write_file(state, files[i].name, files[i].text);
        g_auto(CliRun) run = cli_run(*state, "texgauge eval -q -m exprate %s", files[i].name);

        assert_string_equal(run.err, "");
        assert_string_equal(run.out, "pairs  exprate ↑\n    2     0.5000\nMetrics: exprate v1.\n");
    }
}

TEST(test_cli_inputs__unknown_fields_come_with_a_map)
{
    cli_write_file(state, "u.jsonl", "{\"nr\":1,\"correct\":\"a\",\"read\":\"b\"}\n");
    cli_write_file(state, "u.csv", "correct,read\na,b\n");
    cli_write_file(state, "v.csv", "gt,read\na,b\n");
    CLI_CHECK(
        { "texgauge eval -m edit u.jsonl", 3, "=",
          "(fields: nr, correct, read); name it: --map gt=correct,pred=read" },
        { "texgauge eval -m edit u.csv", 3, "=",
          "(columns: correct, read); name it: --map gt=correct,pred=read" },
        { "texgauge eval -m edit v.csv", 3, "=", "(columns: gt, read); name it: --map pred=read" },
        { "texgauge eval -q -m exprate --map gt=correct,pred=read u.jsonl", 0 });
}

/* A list by number, and by a member whose value has dots and slashes. */
TEST(test_cli_inputs__paths_reach_into_lists)
{
    cli_write_file(
        state, "p.json",
        "[{\"gt\":\"a\",\"pred\":\"a\",\"gt_attribute\":[{\"language\":\"en\"}],\"llm_scores\":[{"
        "\"judge_model\":\"openai/gpt-4.1\",\"score\":3},{\"judge_model\":\"openai/"
        "gpt-5\",\"score\":4}]},{\"gt\":\"a\",\"pred\":\"b\",\"gt_attribute\":[{\"language\":"
        "\"zh\"}],\"llm_scores\":[{\"judge_model\":\"openai/gpt-5\",\"score\":2}]}]");
    CLI_CHECK({ "texgauge eval -q -m exprate p.json -o r.jsonl --map "
                "subset=gt_attribute.0.language,human=llm_scores.0.score --columns "
                "'llm_scores[judge_model=openai/gpt-5].score,llm_scores[judge_model=openai/"
                "gpt-4.1].score'; cat r.jsonl",
                0,
                "en                   1     1.0000\n...zh                   1     "
                "0.0000\n...\"human\":{\"human\":[3]}...\"human\":{\"human\":[2]}...gpt-5].score\":"
                "4,\"llm_scores[judge_model=openai/"
                "gpt-4.1].score\":3...gpt-5].score\":2,\"llm_scores[judge_model=openai/"
                "gpt-4.1].score\":null" });
}

/* Two models on two parts: A reads all of the first part and half of the second, B nothing. */
TEST(test_cli_inputs__folders_and_patterns_in_one_short_command)
{
    static const char wanted[] = "model  subset           pairs  exprate ↑\n"
                                 "A      all                  4     0.7500\n"
                                 "A      2014                 2     1.0000\n"
                                 "A      2016                 2     0.5000\n"
                                 "A      mean of subsets      4     0.7500\n"
                                 "B      all                  4     0.0000\n"
                                 "B      2014                 2     0.0000\n"
                                 "B      2016                 2     0.0000\n"
                                 "B      mean of subsets      4     0.0000\n"
                                 "Metrics: exprate v1.\n";

    for (guint year = 2014; year <= 2016; year += 2) {
        g_autofree char *truth = g_strdup_printf("gt/test_%u.txt", year);
        g_autofree char *a = g_strdup_printf("A/test_%u.txt", year);
        g_autofree char *b = g_strdup_printf("B/test_%u.txt", year);

        cli_write_file(state, truth, "a\nb\n");
        cli_write_file(state, a, year == 2014 ? "a\nb\n" : "a\nx\n");
        cli_write_file(state, b, "x\nx\n");
    }
    g_auto(CliRun) folders =
        cli_run(*state, "texgauge eval -q -m exprate --gt gt --pred A --pred B");
    g_auto(CliRun) patterns = cli_run(*state, "texgauge eval -q -m exprate --gt 'gt/*.txt' --pred "
                                              "A='A/*.txt' --pred B='B/test_201?.txt'");
    CLI_CHECK({ "texgauge eval -q -m exprate --gt 'gt/*.csv' --pred A", 3, NULL,
                "gt/*.csv: matches no file" });

    assert_string_equal(folders.out, wanted);
    assert_string_equal(patterns.out, wanted);
}

/* The same ratings with a row a pair, and with a row a score; the second rater skipped one pair. */
TEST(test_cli_inputs__ratings_of_a_second_file)
{
    cli_write_file(state, "p.jsonl",
                   "{\"id\":\"a\",\"gt\":\"x\",\"pred\":\"x\"}\n{\"id\":\"b\",\"gt\":\"x\","
                   "\"pred\":\"y\"}\n{\"id\":\"c\",\"gt\":\"x\",\"pred\":\"z\"}\n");
    cli_write_file(state, "wide.jsonl",
                   "{\"id\":\"b\",\"ratings\":[1,null]}\n{\"id\":\"a\",\"ratings\":[5,4]}\n");
    cli_write_file(state, "long.csv", "id,rater,score\nb,eve,1\na,eve,5\na,kim,4\n");
    cli_write_file(state, "twice.csv", "id,rater,score\na,eve,1\na,eve,5\n");
    cli_write_file(state, "none.csv", "id,rater,score\n");
    for (guint i = 0; i < 2; i++) {
        g_auto(CliRun) run =
            cli_run(*state,
                    "texgauge eval -q --force -m edit p.jsonl --ratings %s -o rated.jsonl >s && "
                    "grep -o '\"id\":\"[a-c]\"\\|\"human\":{[^}]*}' rated.jsonl",
                    i == 0 ? "wide.jsonl" : "long.csv");

        assert_string_equal(run.out, "\"id\":\"a\"\n\"human\":{\"human\":[5,4]}\n"
                                     "\"id\":\"b\"\n\"human\":{\"human\":[1,null]}\n"
                                     "\"id\":\"c\"\n\"human\":{}\n");
    }
    g_auto(CliRun) footer = cli_run(*state, "tail -n 1 rated.jsonl");
    g_auto(CliRun) sum = cli_run(*state, "sha256sum < long.csv | cut -d' ' -f 1 | tr -d '\\n'");
    assert_int_equal(strlen(sum.out), 64);
    assert_non_null(strstr(footer.out, "long.csv\",\"format\":\"csv\""));
    assert_non_null(strstr(footer.out, sum.out));
    CLI_CHECK(
        { "texgauge eval -m edit p.jsonl --ratings twice.csv", 3, "=", "second score of rater" },
        { "texgauge eval -m edit p.jsonl --ratings none.csv", 3, "=", "has no ratings" });
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
