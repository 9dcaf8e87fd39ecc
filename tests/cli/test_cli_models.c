/* The commands about models and documents: train, tokenize, extract, match. */
#include "tests/support/test_support.h"

#include "tests/support/cli_support.h"

#define SOURCE TG_SOURCE_ROOT

/* A corpus of 400 lines in which \alpha and \beta, \sin and \cos are used alike. */
static void write_corpus(const char *folder)
{
    static const char *const greek[] = { "\\alpha", "\\beta" }, *const functions[] = { "\\sin",
                                                                                       "\\cos" };
    g_autofree char *path = g_build_filename(folder, "corpus.txt", NULL);
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    for (guint i = 0; i < 400; i++)
        fprintf(file, "%s ( x_{%u} ) + %s = \\frac{%s}{2}\n", functions[i % 2], i % 7,
                greek[i / 2 % 2], greek[i / 4 % 2]);
    assert_int_equal(fclose(file), 0);
}

TEST(test_cli_train__makes_a_model_that_scores)
{
    write_corpus(*state);
    g_auto(CliRun) bpe =
        cli_run(*state, "texgauge train bpe $T/corpus.txt --min-count 5 -o $T/model");
    assert_int_equal(bpe.status, 0);
    g_auto(CliRun) table =
        cli_run(*state, "texgauge train embeddings $T/corpus.txt --dim 8 -o $T/model");
    assert_int_equal(table.status, 0);
    g_auto(CliRun) manifest = cli_run(*state, "cat $T/model/manifest.json");
    assert_non_null(strstr(manifest.out, "\"lines\": 400"));
    assert_non_null(strstr(manifest.out, "--dim 8 --window 3 --rounds 20 --seed 1"));

    g_auto(CliRun) near = cli_run(
        *state, "texgauge score -m t=texbleu:model=$T/model '\\sin(x)+\\alpha' '\\cos(x)+\\beta'");
    g_auto(CliRun) far = cli_run(
        *state, "texgauge score -m t=texbleu:model=$T/model '\\sin(x)+\\alpha' '=(x)+\\frac'");
    assert_int_equal(near.status, 0);
    const char key[] = "\"scores\":{\"t\":";
    const double a = g_ascii_strtod(strstr(near.out, key) + strlen(key), NULL);
    const double b = g_ascii_strtod(strstr(far.out, key) + strlen(key), NULL);
    assert_true(a > 0.99); /* the two are used exactly alike */
    assert_true(b < a);

    g_auto(CliRun) again = cli_run(
        *state, "texgauge train bpe -q $T/corpus.txt --min-count 5 -o $T/second && "
                "texgauge train embeddings -q $T/corpus.txt --dim 8 -o $T/second && "
                "cmp $T/model/tokenizer.json $T/second/tokenizer.json && "
                "cmp $T/model/model.safetensors $T/second/model.safetensors && "
                "cmp $T/model/manifest.json $T/second/manifest.json && rm -r $T/second $T/model");
    assert_int_equal(again.status, 0);
}

TEST(test_cli_train__wrong_calls)
{
    write_corpus(*state);
    static const struct {
        const char *command, *message;
        int status;
    } cases[] = {
        { "texgauge train", "texgauge train embeddings", 2 },
        { "texgauge train bpe -o $T/m", "a corpus is required", 2 },
        { "texgauge train bpe $T/corpus.txt", "-o DIR is required", 2 },
        { "texgauge train bpe $T/corpus.txt -o $T/m --words runes", "'runes'", 2 },
        { "texgauge train bpe $T/nothing.txt -o $T/m", "nothing.txt", 3 },
        { "texgauge train embeddings $T/corpus.txt -o $T/m", "/m: ", 3 },
        { "texgauge train bpe $T/corpus.txt -o $T/corpus.txt/m", "corpus.txt/m", 4 },
        { "printf 'a\\377\\n' > $T/bad.txt; texgauge train bpe $T/bad.txt -o $T/m",
          "bad.txt:1: not UTF-8", 3 },
        { "mkdir $T/o && echo '\\a' >$T/o/tokenizer.json; "
          "texgauge train bpe $T/corpus.txt -o $T/o",
          "remove it", 4 },
        { "echo '{\"added_tokens\":[]}' >$T/o/tokenizer.json; " /* of another program */
          "texgauge train bpe $T/corpus.txt -o $T/o",
          "tokenizer.json was not made by this program: remove it", 4 },
        { "texgauge train bpe $T/o/tokenizer.json -o $T/o", "is an input", 2 },
        { "rm $T/o/*; echo mine >$T/o/manifest.json; texgauge train bpe $T/corpus.txt -o $T/o",
          "remove it", 4 },
        { "rm $T/o/*; texgauge train bpe -q $T/corpus.txt -o $T/o && "
          "texgauge train bpe -q $T/corpus.txt -o $T/o && echo mine >$T/o/model.safetensors; "
          "texgauge train embeddings $T/corpus.txt -o $T/o",
          "remove it", 4 },
        { "rm $T/o/model.safetensors; "
          "texgauge train embeddings $T/o/manifest.json -o $T/o",
          "is an input", 2 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(CliRun) run = cli_run(*state, "%s", cases[i].command);
        if (run.status != cases[i].status || strstr(run.err, cases[i].message) == NULL)
            fail_msg("%s: %d, %s", cases[i].command, run.status, run.err);
    }
}

/* The figures in the manifest are the source's; needs Python and the reference data. */
TEST(test_cli_train__default_model_comes_out_the_same)
{
    g_autofree char *shared = tg_shared_or_skip("data/im2latex/val.formulas.norm.txt");

    g_autofree char *folder = g_path_get_dirname(shared);
    g_auto(CliRun) run =
        cli_run(*state,
                "D=" SOURCE "/datasets/models/texbleu-default; "
                "PYTHONDONTWRITEBYTECODE=1 $D/train.sh $TEXGAUGE %s/../.. $T/default && "
                "cmp $T/default/tokenizer.json $D/tokenizer.json && "
                "cmp $T/default/model.safetensors $D/model.safetensors && "
                "cmp $T/default/manifest.json $D/manifest.json && rm -r $T/default",
                folder);
    if (run.status != 0)
        fail_msg("%s%s", run.out, run.err);
}

TEST(test_cli_tokenize__side_by_side)
{
    g_auto(CliRun) run =
        cli_run(*state, "texgauge tokenize --mode words --mode latex --mode bpe:" SOURCE
                        "/datasets/models/texbleu-default '\\frac{a}2'");

    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "  1  \\frac{a}2\n"));
    assert_non_null(strstr(run.out, "  5  \\frac { a } 2\n"));
    g_auto(CliRun) wrong = cli_run(*state, "texgauge tokenize --mode bpe:$T/none x");
    assert_int_equal(wrong.status, 3);
}

/* The package's corpus of two sentences, with several references, as lists of ids. */
TEST(test_cli_eval__token_ids)
{
    g_auto(CliRun) run =
        cli_run(*state, "cat > $T/ids.jsonl <<'END'\n"
                        "{\"gt\": [[1, 2, 3], [2, 3, 4]], \"pred\": [1, 2, 3]}\n"
                        "{\"gt\": [[1, 2, 6], [781, 21, 9], [7, 3]], \"pred\": \"1 2\"}\n"
                        "END\n"
                        "texgauge eval -q --tokens ids --summary csv --metrics "
                        "b=bleu:compat=sacrebleu-r:tokenize=words:order=3 $T/ids.jsonl");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, ",0.79370"));
    g_auto(CliRun) bad =
        cli_run(*state, "echo '{\"gt\": [1, 2], \"pred\": \"x y\"}' | "
                        "texgauge eval -q --tokens ids --metrics bleu:tokenize=words -");
    assert_int_equal(bad.status, 3);
    assert_non_null(strstr(bad.err, "'x y' is no list of token ids"));
    g_auto(CliRun) wrong =
        cli_run(*state, "texgauge eval --tokens words --metrics bleu $T/ids.jsonl");
    assert_int_equal(wrong.status, 2);
}

TEST(test_cli_extract__to_scores)
{
    g_auto(CliRun) extract =
        cli_run(*state, "texgauge documents " SOURCE "/tests/documents/truth -o $T/truth.jsonl && "
                        "texgauge documents " SOURCE "/tests/documents/mineru -o $T/parsed.jsonl");
    assert_int_equal(extract.status, 0);
    assert_non_null(strstr(extract.err, "13 formulas in 1 file, 0 faults"));
    g_auto(CliRun) match = cli_run(*state, "texgauge documents --gt $T/truth.jsonl --pred "
                                           "$T/parsed.jsonl --assign optimal -o $T/pairs.jsonl");
    assert_int_equal(match.status, 0);
    assert_non_null(strstr(match.err, "greedy   12 pairs, 1 missed, 3 extra"));
    assert_non_null(strstr(match.err, "optimal  12 pairs, 1 missed, 3 extra"));
    g_auto(CliRun) folders =
        cli_run(*state, "texgauge documents --gt " SOURCE "/tests/documents/truth --pred " SOURCE
                        "/tests/documents/mineru --assign optimal | cmp - $T/pairs.jsonl");
    assert_int_equal(folders.status, 0);
    g_auto(CliRun) eval = cli_run(
        *state, "texgauge eval -q --metrics edit,texbleu,ebleu,bleu $T/pairs.jsonl --summary csv");
    assert_int_equal(eval.status, 0);
    g_auto(CliRun) less = cli_run(
        *state,
        "texgauge documents --gt $T/truth.jsonl --pred $T/parsed.jsonl --drop-extras | wc -l");
    assert_string_equal(g_strstrip(less.out), "13");
}

TEST(test_cli_extract__broken_files_and_wrong_calls)
{
    g_auto(CliRun) broken = cli_run(*state, "texgauge documents " SOURCE "/tests/documents/broken");
    assert_int_equal(broken.status, 3);
    assert_non_null(strstr(broken.out, "\"latex\":\"z = 1\""));
    assert_non_null(strstr(broken.err, "5 faults"));
    g_auto(CliRun) none = cli_run(*state, "texgauge documents");
    g_auto(CliRun) kind = cli_run(*state, "texgauge documents --kind word x");
    g_auto(CliRun) one = cli_run(*state, "texgauge documents --gt x.jsonl");
    g_auto(CliRun) way = cli_run(*state, "texgauge documents --gt a --pred b --assign best");
    g_auto(CliRun) limit = cli_run(*state, "texgauge documents --gt a --pred b --first 2");
    g_auto(CliRun) missing = cli_run(*state, "texgauge documents --gt $T/a --pred $T/b");
    assert_int_equal(none.status, 2);
    assert_int_equal(kind.status, 2);
    assert_int_equal(one.status, 2);
    assert_int_equal(way.status, 2);
    assert_int_equal(limit.status, 2);
    assert_int_equal(missing.status, 3);
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
