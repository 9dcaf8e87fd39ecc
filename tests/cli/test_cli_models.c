/* The commands about models and documents: train, tokenize, extract, match. */
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
    CLI_CHECK({ "texgauge train embeddings corpus.txt --dim 8 -o model", 0 });
    g_auto(CliRun) manifest = cli_run(*state, "cat model/manifest.json");
    tg_assert_holds(manifest.out, "\"lines\": 400", "--dim 8 --window 3 --rounds 20 --seed 1",
                    NULL);

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
    CLI_CHECK({ "texgauge train bpe -q corpus.txt --min-count 5 -o second && texgauge train "
                "embeddings -q corpus.txt --dim 8 -o second && cmp model/tokenizer.json "
                "second/tokenizer.json && cmp model/model.safetensors second/model.safetensors && "
                "cmp model/manifest.json second/manifest.json && rm -r second model",
                0 });
}

TEST(test_cli_train__wrong_calls)
{
    write_corpus(*state);
    CLI_CHECK({ "texgauge train", 2, NULL, "texgauge train embeddings" },
              { "texgauge train bpe -o m", 2, NULL, "a corpus is required" },
              { "texgauge train bpe corpus.txt", 2, NULL, "-o DIR is required" },
              { "texgauge train bpe corpus.txt -o m --words runes", 2, NULL, "'runes'" },
              { "texgauge train bpe nothing.txt -o m", 3, NULL, "nothing.txt" },
              { "texgauge train embeddings corpus.txt -o m", 3, NULL, "m: " },
              { "texgauge train bpe corpus.txt -o corpus.txt/m", 4, NULL, "corpus.txt/m" },
              { "printf 'a\\377\\n' > bad.txt; texgauge train bpe bad.txt -o m", 3, NULL,
                "bad.txt:1: not UTF-8" },
              { "mkdir o && echo '\\a' >o/tokenizer.json; texgauge train bpe corpus.txt -o o", 4,
                NULL, "remove it" },
              { "echo '{\"added_tokens\":[]}' >o/tokenizer.json; " /* of another program */
                "texgauge train bpe corpus.txt -o o",
                4, NULL, "tokenizer.json was not made by this program: remove it" },
              { "texgauge train bpe o/tokenizer.json -o o", 2, NULL, "is an input" },
              { "rm o/*; echo mine >o/manifest.json; texgauge train bpe corpus.txt -o o", 4, NULL,
                "remove it" },
              { "rm o/*; texgauge train bpe -q corpus.txt -o o && texgauge train bpe -q corpus.txt "
                "-o o && echo mine >o/model.safetensors; texgauge train embeddings corpus.txt -o o",
                4, NULL, "remove it" },
              { "rm o/model.safetensors; texgauge train embeddings o/manifest.json -o o", 2, NULL,
                "is an input" });
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
      3, NULL, "'x y' is not a list of token ids" },
    { "texgauge eval --tokens words --metrics bleu ids.jsonl", 2 },
    { NULL },
};

TEST(test_cli_extract__to_scores)
{
    CLI_CHECK({ "texgauge documents " SOURCE
                "/tests/documents/truth -o truth.jsonl && texgauge documents " SOURCE
                "/tests/documents/mineru -o parsed.jsonl",
                0, NULL, "13 formulas in 1 file, 0 faults" },
              { "texgauge documents --gt truth.jsonl --pred parsed.jsonl -o pairs.jsonl", 0, NULL,
                "12 pairs, 1 missed, 3 extra, mean distance 0." },
              { "texgauge documents --gt " SOURCE "/tests/documents/truth --pred " SOURCE
                "/tests/documents/mineru | cmp - pairs.jsonl",
                0 },
              { "texgauge eval -q --metrics edit,texbleu,ebleu,bleu pairs.jsonl --summary csv", 0 },
              { "texgauge documents --gt truth.jsonl M=parsed.jsonl N=" SOURCE
                "/tests/documents/gpt4o -o both.jsonl",
                0, NULL, "M: 12 pairs, 1 missed, 3 extra...N: 13 pairs, 0 missed" },
              { "texgauge documents --gt truth.jsonl --pred parsed.jsonl > single.jsonl && grep "
                "'\"model\":\"M\"' both.jsonl | sed 's/\"model\":\"M\",//' | cmp - single.jsonl",
                0 },
              { "grep -c '\"model\":\"N\"' both.jsonl", 0, "13" },
              { "texgauge eval -q --metrics exprate both.jsonl --summary csv", 0, "\"M\"...\"N\"" },
              { "texgauge documents --gt truth.jsonl M=parsed.jsonl M=parsed.jsonl", 2, NULL,
                "named twice" },
              { "texgauge documents --gt truth.jsonl --pred parsed.jsonl parsed.jsonl", 2 });
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
    { "texgauge documents --gt a --pred b", 3 },
    { "echo '{\"latex\": 1}' > x.jsonl && texgauge documents --gt x.jsonl --pred x.jsonl", 3, NULL,
      "x.jsonl:1: not a JSON object with \"latex\"...no formulas to match" },
    { "echo '{\"latex\": \"y\"}' >> x.jsonl && texgauge documents --gt x.jsonl --pred x.jsonl", 3,
      "\"gt\":\"y\",\"pred\":\"y\"", "x.jsonl:1: not a JSON object with \"latex\"" },
    { "texgauge documents --gt x.jsonl A=x.jsonl B=nowhere", 3, "=",
      "texgauge: nowhere: No such file or directory" },
    { "head -c 16777217 /dev/zero | tr '\\0' a >big.md && texgauge documents big.md", 3, "=",
      "16777216 bytes" },
    { "mkdir -p deep/a/b && echo '$$deep$$' > deep/a/b/c.md && texgauge documents deep", 0,
      "\"document\":\"a/b/c\"" },
    { NULL },
};

/* Page one: the formulas of the truth, one displayed and one inside a line, and another that
 * nothing stands for; its normal forms are equal but for the last one's, which has no partner. Page
 * two has no file, page three no formula in its truth. */
#define PAGE(name, dets, kind)                                                                     \
    "{\"page_info\":{\"image_path\":\"x/" name "\",\"page_attribute\":{\"kind\":\"" kind           \
    "\"}},\"layout_dets\":[" dets "]}"
#define FORMULA(order, latex)                                                                      \
    "{\"category_type\":\"equation_isolated\",\"ignore\":false,\"order\":" order                   \
    ",\"anno_id\":" order ",\"latex\":\"" latex "\"}"

static void write_pages(void **state)
{
    static const char truth[] =
        "[" PAGE("one.jpg", FORMULA("1", "$$a=b$$") "," FORMULA("2", "$$x^2+y^2=z^2$$"),
                 "odd") "," PAGE("two_2.png", FORMULA("1", "$$u=1$$") "," FORMULA("2", "$$v=2$$"),
                                 "even") "," PAGE("three.jpg", "", "odd") "]";

    cli_write_file(state, "truth.json", truth);
    CLI_CHECK({ "mkdir -p A B none && printf '$$x^{2}+y^{2}=z^2$$\\n\\ntext $a = b$ here\\n' > "
                "A/one.md && printf '\\n' > A/three.md && printf "
                "'$$u=1$$\\n\\n$$v=3$$\\n\\n$$w=5$$\\n' > B/two_2.mmd",
                0 });
}

TEST(test_cli_documents__pages_by_omnidocbench)
{
    write_pages(state);
    CLI_CHECK(
        { "texgauge documents --protocol omnidocbench --gt truth.json A B -o pages.jsonl", 0, NULL,
          "A: 3 pages, 2 with formulas; 4 references, 2 without a prediction; 0 predictions...A: 1 "
          "page is missing: two_2.png...A: 1 page is empty: three.jpg...B: 3 pages...4 references, "
          "2 without a prediction; 1 predictions...B: 2 pages are missing: one.jpg, three.jpg" },
        { "head -1 pages.jsonl", 0,
          "{\"id\":\"one.jpg#0\",\"model\":\"A\",\"page\":\"one.jpg\",\"gt\":\"$$a=b$$\",..."
          "\"match\":\"matched\",\"match_edit\":0,\"norm_distance\":0,\"norm_length\":3,\"gt_idx\":"
          "0" },
        { "grep -c 'kind: even' pages.jsonl", 0, "4" },
        { "grep -c '\"page_unused\":1' pages.jsonl", 0, "2" },
        { "grep -o 'page_extras.*' pages.jsonl | grep w=5", 0, "w=5" },
        { "for n in 1 2 7; do texgauge documents -q -t $n --protocol omnidocbench --gt truth.json "
          "A B | cmp - pages.jsonl; done",
          0, "=", "=" },
        /* Of A page one has 0 and page two 1; of B page one 1, and two 1 edit of 6 characters. */
        { "texgauge eval -q --gt truth.json --pages A --pages B --summary csv", 0,
          "\"A\",\"all\",4,2,2,0,0.5,0.5,0.5,0.5,0.5,...\"B\",\"all\",4,2,2,1,0.41675,...,0."
          "58333" },
        { "texgauge eval -q --gt truth.json --pages A -m exprate -o one.jsonl && texgauge eval -q "
          "--gt truth.json --pages A -m exprate -t 1 -o two.jsonl && cmp one.jsonl two.jsonl && "
          "texgauge report -q --mean pages one.jsonl -o r.md && grep two r.md",
          0 });
}

CLI_CASES(test_cli_documents__pages_that_cannot_be_matched) = {
    { "mkdir A none; printf '$$a$$' > A/p.md; echo '[{\"page_info\":{\"image_path\":\"p.jpg\"},"
      "\"layout_dets\":[]}]' > t.json; echo '[' > broken.json; echo '{}' > object.json",
      0 },
    { "texgauge documents --protocol omnidocbench A", 2, NULL, "--gt FILE" },
    { "texgauge documents --gt t.json A", 2, NULL, "--protocol omnidocbench" },
    { "texgauge documents --threads 2 A", 2, NULL, "--threads" },
    { "texgauge documents --protocol omnidocbench --gt t.json --pred A A", 2, NULL, "--pred" },
    { "texgauge documents --protocol omnidocbench --gt t.json A A", 2, NULL, "given twice" },
    { "texgauge documents --protocol omnidocbench --gt t.json M=A M=none", 2, NULL, "named twice" },
    { "texgauge documents --protocol omnidocbench --gt t.json M=nowhere", 3, NULL,
      "nowhere: No such file" },
    { "texgauge documents --protocol omnidocbench --gt t.json M=t.json", 3, NULL, "not a folder" },
    { "texgauge documents --protocol omnidocbench --gt t.json none", 3, NULL,
      "none of the 1 page" },
    { "texgauge documents --protocol omnidocbench --gt broken.json A", 3, NULL, "broken.json" },
    { "texgauge documents --protocol omnidocbench --gt object.json A", 3, NULL, "object.json" },
    { "texgauge documents --protocol omnidocbench --gt t.json A -o A/p.md --force", 2, NULL,
      "is an input" },
    { "mkdir long && head -c 16777217 /dev/zero >long/p.md && "
      "texgauge documents --protocol omnidocbench --gt t.json long",
      3, NULL, "counts as empty" },
    { "texgauge eval --pages A", 2, NULL, "--gt" },
    { "texgauge eval --gt t.json --pages A --pred A/p.md", 2, NULL, "--pred" },
    { "texgauge eval --gt t.json --pages none", 3, NULL, "none of the 1 page" },
    { NULL },
};

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
