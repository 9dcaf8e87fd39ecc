/* OmniDocBench 1.6's normalizer: examples worked out by hand, and its own strings of real pairs. */
#include "tests/support/cdm_support.h"
#include "tests/support/golden.h"

#include "tests/conformity/cdm_reference.h"

static char *element_names(const char *latex)
{
    TgCdmNormalized flags;
    g_auto(TgCdmElements) elements = { 0 };
    g_autoptr(TgCdmText) source = cdm_normalize(latex, TG_CDM_OMNIDOCBENCH_16, &flags);

    if (source != NULL)
        tg_cdm_elements(source->string->str, TG_CDM_VOCABULARY_2025, &elements, NULL, NULL);
    return cdm_names(&elements);
}

/* Worked out by hand from the specification of OmniDocBench 1.6's normalizer. */
/* NULL: it falls back to raw text; "..": it is read, whatever as. */
static const struct {
    const char *latex, *tokens;
} examples[] = {
    /* Scripts: subscript first, single items get braces, the last of two wins. */
    { "y^{k}_m", "y _ { m } ^ { k }" },
    { "u^\\frac13", "u ^ { \\frac 1 3 }" },
    { "q_1_2", "q _ { 2 }" },
    { "p^", "p ^" },
    { "_i", "_ i" },
    { "r^^{2}", "r ^ { 2 }" },
    { "\\prod\\limits_k^m", "\\prod _ { k } ^ { m }" },
    { "\\left(a\\right|^2", "\\left( a \\right| ^ { 2 }" },
    { "w^{}_v", "w _ { v } ^ { }" },
    /* Primes add up; a superscript takes their place; in a script they are characters. */
    { "g'''_0", "g _ { 0 } ^ { \\prime \\prime \\prime }" },
    { "h'^3", "h ^ { 3 }" },
    { "v_{k'}", "v _ { k ' }" },
    { "z^'", "z ^ { ' }" },
    /* Commands take the arguments of a table; a bare command as an argument has none. */
    { "\\frac\\alpha7", "\\frac \\alpha 7" },
    { "\\sqrt\\frac12", "\\sqrt \\frac { } { } 1 2" },
    { "\\sqrt[5]{y}", "\\sqrt [ 5 ] { y }" },
    { "\\dfrac12", "\\frac { } { } 1 2" },
    { "\\tfrac{1}{2}", "\\frac { 1 } { 2 }" },
    { "\\dfrac {a} {b}", "\\frac { a } { b }" },
    { "{u \\over v}", "{ u \\over v }" },
    { "\\binom{p}{q}", "\\binom { p } { q }" },
    { "\\binom p q", "\\binom p q" },
    { "\\binom pq", "\\binom { } { } p q" },
    { "\\binom\\mu\\nu", "\\binom \\mu \\nu" },
    { "\\frac", "\\frac { } { }" },
    { "\\stackrel{a}{b}", "\\stackrel { a } { b }" },
    { "\\quux{a}b", "\\quux { a } b" },
    { "\\hspace*{3mm}t", "\\hspace * { 3 m m } t" },
    { "\\color{blue}s", "\\color { b l u e } s" },
    { "\\xrightarrow[u]{v}", "\\xrightarrow [ u ] { v }" },
    /* Accents, lines, fonts. */
    { "\\hat y", "\\hat { y }" },
    { "\\vec{ab}", "\\vec { a b }" },
    { "\\tilde\\mathbf{k}", "\\tilde { \\mathbf { k } }" },
    { "\\dot\\vec x", "\\dot { \\vec { } } x" },
    { "\\widetilde{x}", "\\widetilde { x }" },
    { "\\widehat x", "\\widehat x" },
    { "\\widehat\\mathsf{x}", "\\widehat { \\mathsf { x } }" },
    { "\\underline{u}", "\\underline { { u } }" },
    { "\\overline u", "\\overline { u }" },
    { "\\mathrm{\\beta}", "\\mathrm { \\beta }" },
    { "\\mathcal L", "\\mathcal L" },
    { "\\mbox{or so}", "\\mathrm { o r s o }" },
    { "\\hbox a b", "\\mathrm { a b }" },
    { "{\\rm m}", "\\mathrm { m }" },
    /* Text keeps its spaces. */
    { "\\text{at t, $u$ \\beta}", "\\mathrm { a t ~ t , ~ u ~ \\beta }" },
    { "\\textrm{if so}", "\\textrm { i f s o }" },
    /* Operators. */
    { "\\cos t", "\\cos t" },
    { "\\tanh t", "\\tanh t" },
    { "\\max_k t", "\\operatorname* { m a x } _ { k } t" },
    { "\\operatorname{sinh}t", "\\sinh t" },
    { "\\operatorname{ sinh}t", "\\operatorname { s i n h } t" },
    { "\\operatorname*{ess\\,sup}", "\\operatorname * { e s s \\, s u p }" },
    /* Spaces, lengths, marks. */
    { "\\phantom{xy}z", "\\phantom { x y } z" },
    { "\\rule{.250em}{3. pt}", "\\rule { 0.25 em } { 3 pt }" },
    { "a---b", "a -- - b" },
    { "a----b", "a -- - - b" },
    { "c~d\\ e", "c ~ d \\ e" },
    { "\\verb|ij|", "\\verb i j" },
    { "s\\\\t", "s \\, t" },
    { "i & j", "i & j" },
    { "k\\label{one}%two", "k" },
    { "\\big\\{ m", "\\big \\{ m" },
    { "m\\", "m \\" },
    /* Environments: all are arrays. */
    { "\\begin{equation}E=mc\\end{equation}", "\\begin{array} { l } { E = m c } \\end{array}" },
    { "\\begin{gather*}s\\\\t\\end{gather*}",
      "\\begin{array} { l } { s } \\\\ { t } \\end{array}" },
    { "\\begin{array}{|l|r|} s & t \\\\ & u \\\\ \\end{array}",
      "\\begin{array} { l r } { s } & { t } \\\\ & { u } \\end{array}" },
    { "\\begin{array}[t]{c} s \\end{array}", "\\begin{array} { c } { s } \\end{array}" },
    { "\\begin{array}{} s & t \\end{array}", "\\begin{array} { } { s } & { t } \\end{array}" },
    { "\\begin{align}s&=t\\\\&=u\\end{align}",
      "\\begin{array} { r l } { s } & { { } = t } \\\\ & { { } = u } \\end{array}" },
    { "\\begin{alignat}{2}s&=t\\end{alignat}",
      "\\begin{array} { r l } { { 2 } s } & { { } = t } \\end{array}" },
    { "\\begin{pmatrix}1\\\\\\\\2\\end{pmatrix}",
      "\\left( \\begin{array} { l } { 1 } \\\\ { 2 } \\end{array} \\right)" },
    { "\\begin{Vmatrix}1\\end{Vmatrix}",
      "\\left\\Vert \\begin{array} { l } { 1 } \\end{array} \\right\\Vert" },
    { "\\begin{cases}1\\{&2\\end{cases}",
      "\\left\\{ \\begin{array} { l l } { 1 \\{ } & { 2 } \\end{array} \\right." },
    { "\\begin{rcases}1\\end{rcases}",
      "\\left. \\begin{array} { l l } { 1 } \\end{array} \\right\\}" },
    /* Formulas that the guard lets through, and formulas that fall back because the guard misreads
     * them. */
    { "\\begin{matrix}1\\\\{2}\\end{matrix}", NULL }, /* the brace seems escaped */
    { "\\begin{matrix}1\\\\[2mm]2\\end{matrix}", NULL },
    { "{a", NULL },
    { "a}", NULL },
    { "}{", NULL },
    { "\\left(a)", NULL },
    { "\\begin{matrix}1", NULL },
    { "\\begin{matrix}1\\end{array}", NULL },
    { "a\\)", NULL },
    { "$a$$", NULL },
    { "", NULL },
    { "%%a", NULL },
    { "\\begin{matrix}1\\\\ {2}\\end{matrix}", ".." },
    { "\\begin{matrix}1\\\\ [2mm]2\\end{matrix}", ".." },
    { "\\leftarrow a", ".." },
    { "\\$5", ".." },
    { "\\{", ".." },
    { "x^{a}_b", ".." },
    { "\\left.a\\right)", ".." },
    /* Tables are listed. */
    { "\\begin{tabular}{lr} \\hline u & $v_1$ \\end{tabular}",
      "\\begin {tabular} { l r } \\hline u & $ v _ 1 $ \\end {tabular}" },
};

TEST(test_cdm_tolerant__examples_by_hand)
{
    for (guint i = 0; i < G_N_ELEMENTS(examples); i++) {
        g_autofree char *tokens = cdm_tokens(examples[i].latex, TG_CDM_OMNIDOCBENCH_16);
        const char *wanted = examples[i].tokens;

        if (g_strcmp0(wanted, "..") == 0 ? tokens == NULL : g_strcmp0(tokens, wanted) != 0)
            fail_msg("%s: tokens '%s', wanted '%s'", examples[i].latex, tokens, wanted);
    }
}

TEST(test_cdm_tolerant__what_falls_back_is_cut_at_spaces)
{
    TgCdmNormalized flags;
    g_autoptr(TgCdmText) source =
        cdm_normalize("a+b \\begin{matrix}1\\\\{2}\\end{matrix}", TG_CDM_OMNIDOCBENCH_16, &flags);

    assert_true(flags.tokenizer_failed);
    assert_string_equal(source->string->str, "a+b \\begin{matrix}1\\\\{2}\\end{matrix}");
}

TEST(test_cdm_tolerant__han_characters_are_elements)
{
    TgCdmNormalized flags;
    g_autoptr(TgCdmText) source =
        cdm_normalize("面积，\\mathrm{m}^2\\alpha面", TG_CDM_OMNIDOCBENCH_16, &flags);

    assert_true(flags.is_chinese);
    assert_string_equal(source->string->str,
                        "\\text { 面 积 } , \\mathrm { m } ^ { 2 } \\alpha \\text { 面 }");
}

/* ---- spellings ---- */

TEST(test_cdm_tolerant__spellings_of_a_pair)
{
    static const struct {
        const char *ref, *hyp, *gt_out, *pred_out, *alternative;
    } pairs[] = {
        /* delimiters, fences and tags go */
        { "$$a=b\\tag{1}$$", "```latex\n\\[ a=b \\]\n```", "a=b", "a=b", NULL },
        { "a\\tag* {1{2}}b\\tagx\\notag", "\\nonumber c$", "ab\\tagx", "c", NULL },
        { "a\\tag{1", "\\( $b$ \\)", "a{1", "$b$", NULL },
        /* where a matrix is about, fonts and superfluous braces go from the alternative */
        { "A", "\\mathbf{A}=\\begin{bmatrix}{{1}}&2\\\\\\end{bmatrix}", "A",
          "\\mathbf{A}=\\begin{bmatrix}{{1}}&2\\\\\\end{bmatrix}",
          "A=\\begin{bmatrix}1&2\\end{bmatrix}" },
        { "\\begin{matrix}x\\end{matrix}", "{y_{_{k}}}\\dfrac{1}{2}",
          "\\begin{matrix}x\\end{matrix}", "{y_{_{k}}}\\dfrac{1}{2}", "{y_{k}}\\frac{1}{2}" },
        { "\\begin{matrix}x\\end{matrix}", "y", "\\begin{matrix}x\\end{matrix}", "y", NULL },
        { "x", "\\begin{array}{l} \\begin{matrix}1\\end{matrix} \\\\[2pt] {b} \\end{array}", "x",
          "\\begin{array}{l} \\begin{matrix}1\\end{matrix} \\\\[2pt] {b} \\end{array}",
          "\\begin{matrix}1\\end{matrix} \\qquad b" },
        { "x", "\\begin{aligned}&\\begin{pmatrix}1\\\\2\\end{pmatrix}\\\\\\end{aligned}", "x",
          "\\begin{aligned}&\\begin{pmatrix}1\\\\2\\end{pmatrix}\\\\\\end{aligned}",
          "\\begin{pmatrix}1\\\\2\\end{pmatrix}" },
        /* an array without columns gets one, in the truth too */
        { "\\begin{array}{ }1&2\\end{array}", "z", "\\begin{array}{l}1&2\\end{array}", "z", NULL },
        { "", " ", "", "", NULL },
    };

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_auto(TgCdmSpellings) spellings = { 0 };

        tg_cdm_spellings_find(tg_cdm_dialect(TG_CDM_OMNIDOCBENCH_16), pairs[i].ref, pairs[i].hyp,
                              &spellings);
        assert_string_equal(spellings.ref->string->str, pairs[i].gt_out);
        assert_string_equal(spellings.hyp->string->str, pairs[i].pred_out);
        assert_int_equal(spellings.alternative != NULL, pairs[i].alternative != NULL);
        if (spellings.alternative != NULL)
            assert_string_equal(spellings.alternative->string->str, pairs[i].alternative);
    }
}

/* Every token is traced to the bytes of the user's string, through all that went before. */
TEST(test_cdm_tolerant__tokens_know_where_they_come_from)
{
    static const char hyp[] = "$$ \\hat{y} \\tag{1} = k^{2}_m $$";
    static const struct {
        const char *token, *source;
    } wanted[] = { { "\\hat", "\\hat" }, { "y", "y" }, { "=", "=" },
                   { "k", "k" },         { "m", "m" }, { "2", "2" } };
    g_auto(TgCdmSpellings) spellings = { 0 };
    g_auto(TgCdmElements) elements = { 0 };

    tg_cdm_spellings_find(tg_cdm_dialect(TG_CDM_OMNIDOCBENCH_16), "x", hyp, &spellings);
    TgCdmNormalized flags;
    TgCdmText *text = spellings.hyp;
    assert_true(tg_cdm_normalize(text, tg_cdm_dialect(TG_CDM_OMNIDOCBENCH_16), &flags, NULL));
    assert_true(tg_cdm_elements(text->string->str, TG_CDM_VOCABULARY_2025, &elements, NULL, NULL));
    assert_int_equal(elements.n, G_N_ELEMENTS(wanted));
    for (guint i = 0; i < elements.n; i++) {
        const TgCdmElement *element = &elements.list[i];
        const TgCdmRange from = tg_cdm_text_origin(text, element->start, element->end);
        g_autofree char *source = g_strndup(hyp + from.start, from.end - from.start);

        assert_string_equal(element->token, wanted[i].token);
        assert_string_equal(source, wanted[i].source);
    }
}

/* ---- bounds ---- */

/* Parts that nest, chain or are read twice cause neither a crash nor endless work, alone or
 * closed. */
TEST(test_cdm_tolerant__hostile_input_ends)
{
    static const struct {
        const char *open, *close;
    } parts[] = {
        { "{", "}" },
        { "\\hat", "" },
        { "\\hat{", "}" },
        { "\\sqrt[", "]" },
        { "\\sqrt[{", "}]" },
        { "\\frac{", "}" },
        { "\\left(", "\\right)" },
        { "x^{", "}" },
        { "x^", "" },
        { "'", "" },
        { "\\text{ ", "}" },
        { "\\begin{array}{c}", "\\end{array}" },
        { "\\begin{matrix}&", "\\end{matrix}" },
        { "\\begin{array}{l}\\\\", "\\end{array}" },
        { "\\mathbf{", "}" },
        { "_{_{", "}}" },
        { "\\tag{", "}" },
        { "\\(", "\\)" },
        { "$", "$" },
        { "\\[", "\\]" },
        { "\\label{", "}" },
        { "```latex", "```" },
        { "\\xrightarrow[", "" },
        { "\\verb", "" },
        { "\\\\*", "" },
        { "面", "" },
        { "\\binom ", "" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        for (guint k = 0; k < 3; k++) {
            const gsize times = k == 2 ? 250 : 10000 / strlen(parts[i].open);
            g_autofree char *open = tg_repeat(parts[i].open, times * strlen(parts[i].open));
            g_autofree char *close =
                tg_repeat(parts[i].close, k == 0 ? 0 : times * strlen(parts[i].close));
            g_autofree char *latex = g_strconcat(open, "a", close, NULL);
            g_auto(TgCdmSpellings) spellings = { 0 };

            tg_cdm_spellings_find(tg_cdm_dialect(TG_CDM_OMNIDOCBENCH_16),
                                  "\\begin{matrix}\\end{matrix}", latex, &spellings);
            g_free(element_names(spellings.hyp->string->str));
            g_free(element_names(latex));
            if (spellings.alternative != NULL)
                g_free(element_names(spellings.alternative->string->str));
        }
}

/* How many sides have the official strings and elements; elements were not recorded of all. */
typedef struct {
    guint n, n_tokens, n_recorded, n_elements;
} Tally;

/* @row is of the program's own strings, where null is a fall-back to raw text. */
static void compare_side(Tally *tally, const TgCdmText *spelling, const json_t *row,
                         const char *side)
{
    const char *latex = spelling->string->str, *id = tg_golden_string(row, "id");
    g_autofree char *tokens_key = g_strconcat(side, "_norm", NULL);
    g_autofree char *elements_key = g_strconcat(side, "_elements", NULL);
    const char *wanted_tokens = json_string_value(json_object_get(row, tokens_key));
    const json_t *elements = json_object_get(row, elements_key);
    g_autofree char *tokens = cdm_tokens(latex, TG_CDM_OMNIDOCBENCH_16);
    g_autofree char *names = element_names(latex);
    g_autoptr(GString) wanted = g_string_new(NULL);

    tally->n++;
    if (g_strcmp0(tokens, wanted_tokens) == 0)
        tally->n_tokens++;
    else
        print_message("# %s: tokens '%s', wanted '%s'\n", id, tokens, wanted_tokens);
    if (!json_is_array(elements))
        return;
    tg_golden_each(element, elements) g_string_append_printf(
        wanted, "%s%s", element_at > 0 ? "  " : "", json_string_value(element));
    tally->n_recorded++;
    if (strcmp(names, wanted->str) == 0)
        tally->n_elements++;
    else
        print_message("# %s: elements '%s', wanted '%s'\n", id, names, wanted->str);
}

TEST(test_cdm_tolerant__omnidocbench_strings_of_real_pairs)
{
    json_auto_t *rows = tg_golden_shared("cdm-reference/dialect-c-dev-tokens.jsonl");
    g_autoptr(GPtrArray) sources = cdm_reference_load();
    g_autoptr(GHashTable) by_id = g_hash_table_new(g_str_hash, g_str_equal);
    Tally tally = { 0 };
    guint n_alternatives = 0;

    assert_non_null(sources);
    for (guint i = 0; i < sources->len; i++) {
        CdmReferencePair *source = sources->pdata[i];
        g_hash_table_insert(by_id, source->id, source);
    }
    tg_golden_each(row, rows)
    {
        const char *id = tg_golden_string(row, "id");
        const CdmReferencePair *source = g_hash_table_lookup(by_id, id);
        g_auto(TgCdmSpellings) spellings = { 0 };

        if (source == NULL)
            continue;
        tg_cdm_spellings_find(tg_cdm_dialect(TG_CDM_OMNIDOCBENCH_16), source->ref, source->hyp,
                              &spellings);
        const gboolean as_wanted =
            (spellings.alternative != NULL) == json_is_true(json_object_get(row, "alt"));
        /* then the strings of the prediction are what became of the alternative */
        const gboolean won = g_strcmp0(json_string_value(json_object_get(row, "best")), "alt") == 0;
        n_alternatives += as_wanted;
        if (!as_wanted)
            print_message("# %s: alternative where none is wanted, or none\n", id);
        compare_side(&tally, spellings.ref, row, "gt");
        compare_side(&tally, won && as_wanted ? spellings.alternative : spellings.hyp, row, "pred");
    }
    print_message("# %u of %u strings equal, elements of %u of %u; %u of %u alternatives\n",
                  tally.n_tokens, tally.n, tally.n_elements, tally.n_recorded, n_alternatives,
                  tally.n / 2);
    assert_int_equal(tally.n, 1092);
    assert_true(tally.n_recorded > 1070);
    assert_true(tally.n_tokens >= 0.99 * tally.n);
    assert_true(tally.n_elements >= 0.98 * tally.n_recorded);
    assert_int_equal(n_alternatives, tally.n / 2);
}
