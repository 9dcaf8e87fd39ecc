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
    g_auto(CliRun) bpe = cli_run(*state, "texgauge train bpe corpus.txt --min-count 5 -o model");
    assert_int_equal(bpe.status, 0);
    g_auto(CliRun) table = cli_run(*state, "texgauge train embeddings corpus.txt --dim 8 -o model");
    assert_int_equal(table.status, 0);
    g_auto(CliRun) manifest = cli_run(*state, "cat model/manifest.json");
    assert_non_null(strstr(manifest.out, "\"lines\": 400"));
    assert_non_null(strstr(manifest.out, "--dim 8 --window 3 --rounds 20 --seed 1"));

    g_auto(CliRun) near = cli_run(
        *state, "texgauge score -m t=texbleu:model=model '\\sin(x)+\\alpha' '\\cos(x)+\\beta'");
    g_auto(CliRun) far =
        cli_run(*state, "texgauge score -m t=texbleu:model=model '\\sin(x)+\\alpha' '=(x)+\\frac'");
    assert_int_equal(near.status, 0);
    const char key[] = "\"scores\":{\"t\":";
    const double a = g_ascii_strtod(strstr(near.out, key) + strlen(key), NULL);
    const double b = g_ascii_strtod(strstr(far.out, key) + strlen(key), NULL);
    assert_true(a > 0.99); /* the two are used exactly alike */
    assert_true(b < a);
    static const CliCase cases[] = {
        { "texgauge train bpe -q corpus.txt --min-count 5 -o second && texgauge train embeddings "
          "-q corpus.txt --dim 8 -o second && cmp model/tokenizer.json second/tokenizer.json && "
          "cmp model/model.safetensors second/model.safetensors && cmp model/manifest.json "
          "second/manifest.json && rm -r second model",
          0 },
        { NULL },
    };

    cli_check(*state, cases);
}

TEST(test_cli_train__wrong_calls)
{
    static const CliCase cases[] = {
        { "texgauge train", 2, NULL, "texgauge train embeddings" },
        { "texgauge train bpe -o m", 2, NULL, "a corpus is required" },
        { "texgauge train bpe corpus.txt", 2, NULL, "-o DIR is required" },
        { "texgauge train bpe corpus.txt -o m --words runes", 2, NULL, "'runes'" },
        { "texgauge train bpe nothing.txt -o m", 3, NULL, "nothing.txt" },
        { "texgauge train embeddings corpus.txt -o m", 3, NULL, "m: " },
        { "texgauge train bpe corpus.txt -o corpus.txt/m", 4, NULL, "corpus.txt/m" },
        { "printf 'a\\377\\n' > bad.txt; texgauge train bpe bad.txt -o m", 3, NULL,
          "bad.txt:1: not UTF-8" },
        { "mkdir o && echo '\\a' >o/tokenizer.json; texgauge train bpe corpus.txt -o o", 4, NULL,
          "remove it" },
        { "echo '{\"added_tokens\":[]}' >o/tokenizer.json; " /* of another program */
          "texgauge train bpe corpus.txt -o o",
          4, NULL, "tokenizer.json was not made by this program: remove it" },
        { "texgauge train bpe o/tokenizer.json -o o", 2, NULL, "is an input" },
        { "rm o/*; echo mine >o/manifest.json; texgauge train bpe corpus.txt -o o", 4, NULL,
          "remove it" },
        { "rm o/*; texgauge train bpe -q corpus.txt -o o && texgauge train bpe -q corpus.txt -o o "
          "&& echo mine >o/model.safetensors; texgauge train embeddings corpus.txt -o o",
          4, NULL, "remove it" },
        { "rm o/model.safetensors; texgauge train embeddings o/manifest.json -o o", 2, NULL,
          "is an input" },
        { NULL },
    };

    write_corpus(*state);
    cli_check(*state, cases);
}

/* The figures in the manifest are the source's; needs Python and the reference data. */
TEST(test_cli_train__default_model_comes_out_the_same)
{
    g_autofree char *shared = tg_shared_or_skip("data/im2latex/val.formulas.norm.txt");

    g_autofree char *folder = g_path_get_dirname(shared);
    g_auto(CliRun) run = cli_run(
        *state,
        "D=" SOURCE "/datasets/models/texbleu-default; PYTHONDONTWRITEBYTECODE=1 $D/train.sh "
        "$TEXGAUGE %s/../.. default && cmp default/tokenizer.json $D/tokenizer.json && "
        "cmp default/model.safetensors $D/model.safetensors && cmp "
        "default/manifest.json $D/manifest.json && rm -r default",
        folder);
    if (run.status != 0)
        fail_msg("%s%s", run.out, run.err);
}

CLI_CASES(test_cli_tokenize__side_by_side) = {
    { "texgauge tokenize --mode words --mode latex --mode bpe:" SOURCE
      "/datasets/models/texbleu-default '\\frac{a}2'",
      0, "  1  \\frac{a}2\n...  5  \\frac { a } 2\n" },
    { "texgauge tokenize --mode bpe:none x", 3 },
    { NULL },
};

/* The package's corpus of two sentences, with several references, as lists of ids. */
CLI_CASES(test_cli_eval__token_ids) = {
    { "cat > ids.jsonl <<'END'\n"
      "{\"gt\": [[1, 2, 3], [2, 3, 4]], \"pred\": [1, 2, 3]}\n"
      "{\"gt\": [[1, 2, 6], [781, 21, 9], [7, 3]], \"pred\": \"1 2\"}\n"
      "END\n"
      "texgauge eval -q --tokens ids --summary csv --metrics "
      "b=bleu:compat=sacrebleu-r:tokenize=words:order=3 ids.jsonl",
      0, ",0.79370" },
    { "echo '{\"gt\": [1, 2], \"pred\": \"x y\"}' | texgauge eval -q --tokens ids --metrics "
      "bleu:tokenize=words -",
      3, NULL, "'x y' is no list of token ids" },
    { "texgauge eval --tokens words --metrics bleu ids.jsonl", 2 },
    { NULL },
};

TEST(test_cli_extract__to_scores)
{
    static const CliCase cases[] = {
        { "texgauge documents " SOURCE
          "/tests/documents/truth -o truth.jsonl && texgauge documents " SOURCE
          "/tests/documents/mineru -o parsed.jsonl",
          0, NULL, "13 formulas in 1 file, 0 faults" },
        { "texgauge documents --gt truth.jsonl --pred parsed.jsonl --assign optimal -o pairs.jsonl",
          0, NULL, "greedy   12 pairs, 1 missed, 3 extra...optimal  12 pairs, 1 missed, 3 extra" },
        { "texgauge documents --gt " SOURCE "/tests/documents/truth --pred " SOURCE
          "/tests/documents/mineru --assign optimal | cmp - pairs.jsonl",
          0 },
        { "texgauge eval -q --metrics edit,texbleu,ebleu,bleu pairs.jsonl --summary csv", 0 },
        { NULL },
    };

    cli_check(*state, cases);
    g_auto(CliRun) less = cli_run(
        *state, "texgauge documents --gt truth.jsonl --pred parsed.jsonl --drop-extras | wc -l");
    assert_string_equal(g_strstrip(less.out), "13");
}

CLI_CASES(test_cli_extract__broken_files_and_wrong_calls) = {
    { "texgauge documents " SOURCE "/tests/documents/broken", 3, "\"latex\":\"z = 1\"",
      "5 faults" },
    { "texgauge documents", 2 },
    { "texgauge documents --kind word x", 2 },
    { "texgauge documents --gt x.jsonl", 2 },
    { "texgauge documents --gt a --pred b --assign best", 2 },
    { "texgauge documents --gt a --pred b --first 2", 2 },
    { "texgauge documents --gt a --pred b", 3 },
    { NULL },
};

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
