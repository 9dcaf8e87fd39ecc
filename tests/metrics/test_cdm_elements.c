/* The official normalizer and its element lists: examples computed by hand, and the
 * specification's.
 */
#include "tests/support/test_support.h"

#include "tests/conformity/cdm_examples.h"
#include "tests/conformity/cdm_reference.h"

/* Stage 2 and the element names, two blanks between them; FAIL for a tokeniser failure. */
typedef struct {
    const char *latex, *tokens, *elements;
} Example;

static const Example examples[] = {
    /* Subscripts come first, primes are superscripts, the last of two scripts wins. */
    { "y^{k}_m", "y _ { m } ^ { k }", "y  m  k" },
    { "g'''_0", "g _ { 0 } ^ { \\prime \\prime \\prime }", "g  0  \\prime  \\prime  \\prime" },
    { "q_1_2", "q _ { 2 }", "q  2" },
    { "p^", "p", "p" },
    /* Infix functions split the group around them, but stay after a switch of style. */
    { "{u+1 \\over v}", "{ \\frac { u + 1 } { v } }", "\\frac  u  +  1  v" },
    { "\\textstyle a \\choose b", "\\binom { \\textstyle a } { b }", "\\binom  \\textstyle  a  b" },
    { "\\bf a \\over b", "\\bf \\frac { a } { b }", "\\bf  \\frac  a  b" },
    { "a \\over b \\over c", NULL, "a  \\over  b  \\over  c" },
    /* A function is an argument only of one of lower rank; else the argument before it counts. */
    { "\\sqrt\\mathsf y", "\\sqrt \\mathsf y", "\\sqrt  \\mathsf  y" },
    { "\\binom n\\vec k", "\\binom n n k", "\\binom  n  n  k" },
    { "z^\\sum", NULL, "z^\\sum" },
    /* Operators: commands again, but for the first and last of the list. */
    { "\\cot\\varphi", "\\cot \\varphi", "c  o  t  \\varphi" },
    { "\\tanh r", "\\operatorname { t a n h } r", "t  a  n  h  r" },
    { "\\inf_k\\nolimits", "\\inf _ { k }", "\\inf  k" },
    { "\\ln\\limits_k", "\\operatorname* { l n } _ { k }", "\\operatorname*  l  n  k" },
    { "u\\limits", NULL, "u\\limits" },
    /* Roman type spells unknown names out. */
    { "\\mathrm{\\beta\\Delta\\quux}", "\\mathrm { \\ b e t a \\Delta \\ q u u x }",
      "b  e  t  a  \\Delta  q  u  u  x" },
    { "\\mathrm{\\mathbf{\\beta}}", "\\mathrm { \\mathbf { \\beta } }", "\\beta" },
    { "\\text{at \\gamma}", "\\mathrm { a t ~ \\gamma }", "a  t  \\gamma" },
    { "\\text {n}", "\\mathrm { n }", "n" },
    /* Lengths. */
    { "\\rule{.250em}{3. pt}", "\\rule { 0.25 em } { 3 pt }", "" },
    { "\\rule{-.0em}{00pt}", "\\rule { 0 em } { 0 pt }", "" },
    { "\\begin{array}{r} i \\\\[-1.5ex] j \\end{array}",
      "\\begin{array} { r } { i } \\\\ { j } \\end{array}", "i  j" },
    { "\\begin{array}{r} i \\\\[x] j \\end{array}", NULL, "i  \\\\[x]  j" },
    /* Arrays: empty cells and rows, preambles, wrappers. */
    { "\\begin{pmatrix} & 1 \\\\ \\\\ 2 \\end{pmatrix}",
      "\\left( \\begin{array} { l l } & { 1 } \\\\ { 2 } \\end{array} \\right)",
      "\\left(  1  2  \\right)" },
    { "\\begin{array}{|l|r|} s & t \\end{array}",
      "\\begin{array} { l r } { s } & { t } \\end{array}", "s  t" },
    { "\\begin{align*} s &= t \\end{align*}",
      "\\begin{array} { r l } { s } & { { } = t } \\end{array}", "s  =  t" },
    { "\\begin{array}{cc} \\{ & \\} \\end{array}",
      "\\begin{array} { c c } { \\& { \\} } \\end{array}", "\\&  \\}" },
    /* Comments, labels, dollars, line breaks. */
    { "$m\\label{eq:m}$ % n", "m", "m" },
    { "m\nn % o\np", "m n", "m  n" },
    { "m\rn", "n", "n" },
    { "m\\\\n", "m \\, n", "m  n" },
    { "{\\rm Tr}\\,M", "\\mathrm { T r } \\, M", "T  r  M" },
    { "7\\%", "7 < P E R C E N T A G E T O K E N >", "7  \\%" },
    /* Tokens that are no elements, and tokens that are elements although they should not be. */
    { "\\phantom{u}\\vphantom{w}v", "\\phantom { u } \\vphantom { w } v", "v" },
    { "\\mathrm{~}d", "\\mathrm { ~ } d", "~  d" },
    { "\\underline{h}_0", "\\underline { { h } } _ { 0 }", "\\underline  h  0" },
    { "k]", "k ]", "k" },
    { "k+l]", "k + l ]", "k  +  l  ]" },
    /* The walk does not see that a color's end has moved the list on. */
    { "\\sqrt{\\hat{r}-s}", "\\sqrt { \\hat { r } - s }", "\\sqrt  \\hat  r  -" },
    { "\\mathbf{\\frac{1}{2}\\hat{q}uvw}", "\\mathbf { \\frac { 1 } { 2 } \\hat { q } u v w }",
      "\\frac  1  2  \\hat  q  u  w" },
    /* Brackets and groups that cross: `y z` are in the bracket and in the group after it. */
    { "\\sqrt [ \\mathbf { x ] { y z } } { c }", NULL,
      "\\sqrt  x  ]  y  z  \\mathcolor[RGB]{<color_3>}{y}  \\mathcolor[RGB]{<color_4>}{z}  c" },
    /* Rules on text. */
    { "1\\dots 9", "1 \\dots 9", "1  .  .  .  9" },
    { "\\Bigl[ t \\bigm| u", "\\Bigl [ t \\bigm | u", "\\Bigl[  t  \\bigm|  u" },
    { "\\textcolor{blue}{w}", "\\textcolor { b l u e } { w }", "w" },
    { "\\vec\\hat m", NULL, "\\vec\\hat  m" },
    { "\\vec \\hat m", NULL, "\\vec  \\hat  m" },
};

/* The element names of @latex; "no output" where the official program makes none. */
static char *element_names(const char *latex)
{
    g_auto(TgCdmElements) elements = { 0 };

    return cdm_elements(latex, &elements) ? cdm_names(&elements) : g_strdup("no output");
}

TEST(test_cdm_elements__examples_by_hand)
{
    for (guint i = 0; i < G_N_ELEMENTS(examples); i++) {
        g_autofree char *tokens = cdm_tokens(examples[i].latex, TG_CDM_UNIMERNET);
        g_autofree char *names = element_names(examples[i].latex);

        if (g_strcmp0(tokens, examples[i].tokens) != 0)
            fail_msg("%s: tokens '%s', wanted '%s'", examples[i].latex, tokens, examples[i].tokens);
        if (strcmp(names, examples[i].elements) != 0)
            fail_msg("%s: elements '%s', wanted '%s'", examples[i].latex, names,
                     examples[i].elements);
    }
}

TEST(test_cdm_elements__tables_are_only_tokenised)
{
    tg_assert_text(element_names("\\begin{tabular}{l|r} \\hline u & 3\\% \\\\[2pt] \\cline{1-2} "
                                 "$v_1$ & \\hspace{2mm} w % rest"),
                   "u  3  \\%  v  1  w");
}

TEST(test_cdm_elements__han_is_set_as_text)
{
    TgCdmNormalized flags;
    g_autoptr(TgCdmText) source = cdm_normalize("面积，\\mathrm{m}^2", TG_CDM_UNIMERNET, &flags);

    assert_true(flags.is_chinese);
    assert_string_equal(source->string->str, "\\text { 面 积 } , \\text { m } ^ { 2 }");
}

TEST(test_cdm_elements__offsets_point_at_the_tokens)
{
    TgCdmNormalized flags;
    g_auto(TgCdmElements) elements = { 0 };
    g_autoptr(TgCdmText) source = cdm_normalize("\\frac{\\hat x}{[y]}_3", TG_CDM_UNIMERNET, &flags);

    assert_true(
        tg_cdm_elements(source->string->str, TG_CDM_VOCABULARY_2025, &elements, NULL, NULL));
    assert_int_equal(elements.n, 7);
    for (guint i = 0; i < elements.n; i++)
        assert_true(
            g_str_has_prefix(source->string->str + elements.list[i].start, elements.list[i].token));
}

TEST(test_cdm_elements__unmatched_braces_give_an_error)
{
    TgCdmNormalized flags;
    g_autoptr(TgCdmText) text = tg_cdm_text_new("\\frac { a", FALSE);

    tg_assert_fails(tg_cdm_normalize(text, tg_cdm_dialect(TG_CDM_UNIMERNET), &flags, &error),
                    TG_ERROR_PARSE, "brace");
}

/* Ten thousand bytes of what nests or chains, glued and spaced: neither crash nor endless walk. */
TEST(test_cdm_elements__hostile_input_ends)
{
    static const char *const parts[] = {
        "{",
        "{ ",
        "\\hat",
        "\\hat ",
        "\\sqrt[",
        "\\sqrt [ ",
        "\\frac",
        "\\left(",
        "x^",
        "x^{",
        "\\bf ",
        "\\mathrm{\\hat x ",
        "\\text{ ",
        "\\begin{array}{c}",
        "\\begin{align}",
        "\\\\",
        "\\label{",
        "$",
        "\\over ",
        "\\multicolumn ",
        "\\big ( ",
        "\\rule{",
        "'",
        "& ",
    };

    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        for (guint k = 0; k < 2; k++) {
            g_autofree char *end = tg_repeat("}", k == 0 ? 0 : 400);
            g_autofree char *start = tg_repeat(parts[i], k == 0 ? 10000 : 400 * strlen(parts[i]));
            g_autofree char *text = g_strconcat(start, end, NULL);
            g_free(element_names(text));
        }
}

TEST(test_cdm_elements__specification_examples)
{
    g_autoptr(GPtrArray) list = cdm_examples_load();
    guint n_equal = 0;

    tg_skip_without_shared("specs/cdm.md");
    for (guint i = 0; i < list->len; i++) {
        const CdmExample *example = list->pdata[i];
        TgCdmNormalized flags;
        g_autofree char *tokens = cdm_tokens(example->input, TG_CDM_UNIMERNET);
        g_autofree char *names = element_names(example->input);
        g_autofree char *wanted = g_strjoinv("  ", example->elements);

        g_autoptr(TgCdmText) source = cdm_normalize(example->input, TG_CDM_UNIMERNET, &flags);
        if (g_strcmp0(tokens, example->tokens) == 0 && strcmp(names, wanted) == 0 &&
            g_strcmp0(source != NULL ? source->string->str : NULL, example->source) == 0)
            n_equal++;
        else
            print_message("# %s: elements '%s', wanted '%s'\n", example->input, names, wanted);
    }
    print_message("# %u of %u examples equal\n", n_equal, list->len);
    assert_int_equal(n_equal, list->len);
    assert_true(list->len > 400);
}

static gboolean side_agrees(const char *latex, const CdmReferenceSide *side)
{
    g_autofree char *names = element_names(latex);
    g_autofree char *wanted = g_strjoinv("  ", side->tokens);

    return strcmp(names, wanted) == 0;
}

TEST(test_cdm_elements__official_tokens_of_real_pairs)
{
    g_autoptr(GPtrArray) pairs = cdm_reference_load();
    guint n = 0, n_equal = 0;

    tg_skip_without_shared("cdm-reference/dev.jsonl");
    for (guint i = 0; i < pairs->len; i++) {
        const CdmReferencePair *pair = pairs->pdata[i];

        n += (pair->gt_side.n_tokens > 0) + (pair->pred_side.n_tokens > 0);
        n_equal += pair->gt_side.n_tokens > 0 && side_agrees(pair->ref, &pair->gt_side);
        n_equal += pair->pred_side.n_tokens > 0 && side_agrees(pair->hyp, &pair->pred_side);
    }
    print_message("# %u of %u formulas have the official tokens\n", n_equal, n);
    assert_int_equal(n_equal, n);
    assert_true(n > 1000);
}
