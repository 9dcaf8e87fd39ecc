#include "tests/support/test_support.h"

#include "datasets/records/formula.h"

typedef struct {
    const char *rules, *text, *cleaned;
} Case;

static void check_cases(const Case *cases, guint n, gboolean is_prediction)
{
    for (guint i = 0; i < n; i++) {
        guint rules;

        assert_true(tg_clean_parse(cases[i].rules, &rules, NULL));
        g_autofree char *cleaned =
            tg_clean_apply(rules, is_prediction, cases[i].text, strlen(cases[i].text));
        if (strcmp(cleaned, cases[i].cleaned) != 0)
            fail_msg("%s of '%s' is '%s', not '%s'", cases[i].rules, cases[i].text, cleaned,
                     cases[i].cleaned);
    }
}

TEST(test_clean__fences)
{
    static const Case cases[] = {
        { "fences", "```latex\nx^2\n```", "x^2" },
        { "fences", "```latex x^2```", "x^2" },
        { "fences", "```\nx^2\n```", "x^2" },
        { "fences", "```math\nx^2\n```\nwhich is it.", "x^2" },
        { "fences", "\\[ ```math x^2 \\]", "x^2" },
        { "fences", "$$ ```latex\nx^2\n``` $$", "x^2" },
        { "fences", "The formula is\n```tex\nx\n```", "x" },
        { "fences", "```python\n1\n``` and ```latex\nx\n``` end", "x" },
        { "fences", "```xy```", "xy" },
        { "fences", "```latex\nx", "x" },
        { "fences", "x\n```", "x" },
        { "fences", "x `y` z", "x `y` z" },
        { "fences", "```", "" },
    };
    static const Case refs[] = { { "fences", "```x```", "```x```" } };

    check_cases(cases, G_N_ELEMENTS(cases), TRUE);
    check_cases(refs, G_N_ELEMENTS(refs), FALSE);
}

TEST(test_clean__delimiters)
{
    static const Case cases[] = {
        { "dollars", "$x$", "x" },
        { "dollars", "$$ x $$", "x" },
        { "dollars", "$ $ x $ $", "x" },
        { "dollars", "$x", "x" },
        { "dollars", "$a$ and $b$", "$a$ and $b$" },
        { "dollars", "$ a \\text{ if $b$} $", "a \\text{ if $b$}" },
        { "dollars", "$5\\$", "5\\$" },
        { "dollars", "$", "" },
        { "brackets", "\\[ x \\]", "x" },
        { "brackets", "\\[a\\]\\[b\\]", "\\[a\\]\\[b\\]" },
        { "brackets", "\\[ a\\\\[2mm] b \\]", "a\\\\[2mm] b" },
        { "brackets", "a\\\\]", "a\\\\]" },
        { "parens", "\\(x\\)", "x" },
        { "parens", "\\[x\\]", "\\[x\\]" },
        { "dollars,brackets", "$ \\[ x \\] $", "x" },
    };

    check_cases(cases, G_N_ELEMENTS(cases), TRUE);
    check_cases(cases, G_N_ELEMENTS(cases), FALSE);
}

TEST(test_clean__commands_and_punctuation)
{
    static const Case cases[] = {
        { "tags", "a=b \\tag{1}", "a=b" },
        { "tags", "a=b \\tag* {1{2}}, c", "a=b , c" },
        { "tags", "a \\tag{1", "a {1" },
        { "tags", "a \\tagged{1}", "a \\tagged{1}" },
        { "labels", "a\\label{eq:1}b", "ab" },
        { "nonumber", "a\\nonumber\\\\b\\notag", "a\\\\b" },
        { "nonumber", "a\\notagx", "a\\notagx" },
        { "punctuation", "x = 1.", "x = 1" },
        { "punctuation", "x = 1 \\, ,", "x = 1" },
        { "punctuation", "x = 1~。", "x = 1" },
        { "punctuation", "\\left( x \\right.", "\\left( x \\right." },
        { "punctuation", "1, 2, ...", "1, 2, ..." },
        { "punctuation", "n!", "n!" },
        { "punctuation", "x\\,", "x\\," },
        { "all", "```latex\n$$ a = b \\tag{2}\\label{e}. $$\n```", "a = b" },
        { "all", "\\[ x\\nonumber, \\]", "x" },
        { "none", " $x$ ", " $x$ " },
    };

    check_cases(cases, G_N_ELEMENTS(cases), TRUE);
}

/* ../shared/specs/cdm-dialects.md, C3: one pass only, dollars first. */
TEST(test_clean__omnidocbench_to_the_letter)
{
    static const Case cases[] = {
        { "omnidocbench", "```latex\n\\[ x \\]\n```", "x" },
        { "omnidocbench", "see ```latex $x$ ``` there", "x" },
        { "omnidocbench", "```\nx\n```", "" }, /* what precedes the first fence */
        { "omnidocbench", "\\[ $x$ \\]", "$x$" },
        { "omnidocbench", "$ $x$ $", "x" },
        { "omnidocbench", "$a$ and $b$", "a$ and $b" },
        { "omnidocbench", "$ \\( x \\) $", "x" },
        { "omnidocbench", "a=b\\tag{1}", "a=b" },
        { "omnidocbench", "a\\notagx", "ax" },
        { "omnidocbench", "a.", "a." },
    };
    static const Case refs[] = { { "omnidocbench", "$x$```", "x$```" } };

    check_cases(cases, G_N_ELEMENTS(cases), TRUE);
    check_cases(refs, G_N_ELEMENTS(refs), FALSE);
}

TEST(test_clean__what_models_write_and_programs_damage)
{
    static const Case cases[] = {
        { "think", "<think>\nA sum.\n</think>\n\n$$x$$", "$$x$$" },
        { "think", "<think>never closed $x$ wait", "" },
        { "think", "<think>a</think>x<think>never closed", "" },
        { "think", "◁think▷a◁/think▷x", "x" },
        { "tokens", "x<|im_end|>", "x" },
        { "tokens", "<s> <latex>x_1</latex></s>[PAD]", "x_1" },
        { "tokens", "x<｜end▁of▁sentence｜><|end▁of▁sentence|><eot>", "x" },
        { "tokens", "a<b, c>|d|", "a<b, c>|d|" },
        { "entities", "a&lt;b &amp; c &#39;", "a<b & c '" },
        { "entities", "a & b", "a & b" },
        { "escapes", "\frac{a}{b}", "\\frac{a}{b}" },
        { "escapes", "2\theta+1", "2\\theta+1" },
        { "escapes",
          "\beta\r"
          "ight)",
          "\\beta\\right)" },
        { "escapes", "a\tx", "a\tx" },
        { "escapes", "\\\\frac{a}{\\\\alpha}", "\\frac{a}{\\alpha}" },
        { "escapes", "a\\\\ b", "a\\\\ b" },
        { "escapes", "\\alpha\\\\beta", "\\alpha\\\\beta" },
        { "answer", "The formula is $x^2$.", "x^2" },
        { "answer", "So \\boxed{y} it is, as I said.", "y" },
        { "answer", "a \\text{ if $b$}", "a \\text{ if $b$}" },
        { "think,answer", "<think>It is $x$, no", "" },
        { "answer", "<think>hm</think><answer>\nx^2\n</answer>", "x^2" },
        { "answer", "As $y$: <answer>$x$</answer>, says $z$", "x" },
        { "answer", "a\\boxed{42} <answer>words</answer>", "words" }, /* the tag is the answer */
        { "answer", "<answer>x^2", "x^2" },
        { "answer", "<|begin_of_box|>x^2<|end_of_box|>", "x^2" },
        { "answer", "x<answer></answer>", "x" },
        { "answer", "x<|im_end|>\n</s>", "x" },
        { "answer", "<s>x<b</s>", "x<b" },
        { "answer", "As $y$: <latex>x^2</latex>.", "x^2" },
        { "answer", "<|channel|>analysis<|message|>$y$<|end|><|channel|>final<|message|>x", "x" },
        { "answer", "It costs $5 and $6, I think", "It costs $5 and $6, I think" },
        { "answer", "It costs $5 and $6, so $x$ is it", "x" },
        { "answer", "It is $ x $ and $y$2", "x" },
        { "answer", "Final Answer: \\boxed{x}", "x" },
        { "answer", "So the answer is \\boxed{x}.", "x" },
        { "answer", "$\\boxed{x}$", "x" },
        { "answer", "\\boxed{x} + \\boxed{y}", "\\boxed{x} + \\boxed{y}" },
        { "answer", "Sure! $x$", "x" },
        { "answer", "**x**", "x" },
        { "answer", "`$x$`", "x" },
        { "answer", "Result:\n$$x^2$$", "x^2" },
        { "answer", "公式为：$x$", "x" },
        { "answer", "公式为：x", "x" },
        { "answer", "速度：v=s/t", "速度：v=s/t" },
        { "answer", "\\[x\\].", "x" },
        { "answer", "$$x$$.", "x" },
        { "answer", "LaTeX: x", "x" },
        { "answer", "The LaTeX code is x^2+y", "x^2+y" },
        { "answer", "The formula is a fraction", "The formula is a fraction" },
        { "answer", "<p>x</p>", "x" },
        { "answer", "\\documentclass{article}\\begin{document}$x$\\end{document}", "x" },
        { "answer", "$x", "x" },
        { "answer", "x\\n", "x" },
        { "answer", "(3) x", "x" },
        { "answer", "f(3) + (4) x", "f(3) + (4) x" },
        { "answer", "f: X \\to Y", "f: X \\to Y" },
        { "answer", "``x''", "``x''" },
        { "all", "The formula is $x$.", "The formula is $x$" },
    };
    static const Case refs[] = {
        { "answer", "The formula is $x$.", "The formula is $x$." },
        { "tokens", "x<|im_end|>", "x" },
    };

    check_cases(cases, G_N_ELEMENTS(cases), TRUE);
    check_cases(refs, G_N_ELEMENTS(refs), FALSE);
}

TEST(test_clean__signs)
{
    static const struct {
        const char *text;
        guint signs;
    } cases[] = {
        { "x^2", 0 },
        { "\\frac { a } { b } \\quad \\text { for all values of x }", 0 },
        { "\\begin{matrix} a & b \\\\ c & d \\end{matrix}", 0 },
        { "The formula is $x$.", TG_SIGN_PROSE },
        { "I cannot read this picture", TG_SIGN_PROSE },
        { "<think>a</think>b", TG_SIGN_THINK },
        { "x<|endoftext|>", TG_SIGN_SPECIAL },
        { "a&lt;b", TG_SIGN_ENTITY },
        { "\frac12", TG_SIGN_ESCAPE },
        { "\\\\frac12", TG_SIGN_DOUBLED },
        { "nan", TG_SIGN_NOTHING },
        { "<math><mi>x</mi></math>", TG_SIGN_MATHML },
        { "['x', 'y']", TG_SIGN_LIST },
        { "[x, y]", 0 },
        { "\\[x\\].", TG_SIGN_PROSE },
        { "$x", TG_SIGN_PROSE },
        { "公式为：$x$", TG_SIGN_PROSE },
        { "**x**", TG_SIGN_PROSE },
        { "x^*", 0 },
        { "a<b", 0 },
        { "\\sin n", 0 },
        { "02-Jan", TG_SIGN_SPREADSHEET },
        { "Jan-02", TG_SIGN_SPREADSHEET },
        { "1.23E+11", TG_SIGN_SPREADSHEET },
        { "#NAME?", TG_SIGN_SPREADSHEET },
        { "2-x", 0 },
        { "1E+x", 0 },
        { "2-Joy", 0 },
        { "x ```y```", TG_SIGN_FENCE },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        if (tg_signs_of(cases[i].text, strlen(cases[i].text), TRUE) != cases[i].signs)
            fail_msg("'%s' has other signs", cases[i].text);
}

TEST(test_clean__names_of_rules)
{
    guint rules;
    GError *error = NULL;

    assert_true(tg_clean_parse("tags,fences,tags", &rules, NULL));
    g_autofree char *name = tg_clean_name(rules);
    assert_string_equal(name, "fences,tags");
    assert_true(tg_clean_has_fences(rules));
    assert_true(tg_clean_parse(NULL, &rules, NULL));
    assert_int_equal(rules, 0);
    assert_null(tg_clean_name(rules));
    assert_false(tg_clean_parse("fence", &rules, &error));
    assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_USAGE));
    g_clear_error(&error);
    assert_true(tg_clean_is_fenced(" \n```latex x"));
    assert_false(tg_clean_is_fenced("x ```"));
}
