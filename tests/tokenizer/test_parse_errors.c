/* Faulty formulas: what strict reading reports, and what tolerant reading makes of them. */
#include "tests/support/test_support.h"

#include "tests/support/tree_sketch.h"
#include "tokenizer/latex/parse.h"

typedef struct {
    const char *source;
    const char *strict; /* message of the first fault */
    const char *sketch; /* tolerant tree */
    TgParseErrorKind kind;
} Case;

static void check_strict(const Case *c)
{
    static const TgParseOptions strict = { .strict = TRUE };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgTree) tree = tg_tree_parse(c->source, strlen(c->source), &strict, &error);

    if (tree != NULL)
        fail_msg("%s is accepted", c->source);
    assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_PARSE));
    if (strcmp(error->message, c->strict) != 0)
        fail_msg("%s\n gives '%s'\nwanted '%s'", c->source, error->message, c->strict);
}

static void check_tolerant(const Case *c)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgTree) tree = tg_tree_parse(c->source, strlen(c->source), NULL, &error);

    tg_assert_no_error(error);
    g_autofree char *sketch = tree_sketch(tree);
    if (strcmp(sketch, c->sketch) != 0)
        fail_msg("%s\n gives %s\nwanted %s", c->source, sketch, c->sketch);

    const TgParseError *errors = tree->errors;
    const guint n = tree->n_errors;
    if (n == 0 || errors[0].kind != c->kind)
        fail_msg("%s is reported as %s", c->source,
                 n > 0 ? tg_parse_error_names[errors[0].kind] : "nothing");
}

TEST(test_errors__strict_message_and_tolerant_tree)
{
    static const Case cases[] = {
        /* commands and arguments */
        { "a\\endgroup b", "\\endgroup without \\begingroup, column 2", "a b", TG_PARSE_BRACE },
        { "{\\begingroup a}\\endgroup b", "\\begingroup without \\endgroup, column 2", "{a} b",
          TG_PARSE_BRACE },
        { "a\\foo{b}", "unknown command \\foo, column 2", "a (error \\foo) {b}",
          TG_PARSE_UNKNOWN_COMMAND },
        { "1+2\\frac{x}", "\\frac needs two arguments, column 4", "1 + 2 (fraction num[x] den[])",
          TG_PARSE_MISSING_ARGUMENT },
        { "{\\frac}12", "\\frac needs two arguments, column 2", "{(fraction num[] den[])} 1 2",
          TG_PARSE_MISSING_ARGUMENT },
        { "\\hat\\mathcal A", "\\mathcal needs braces as the argument of \\hat, column 5",
          "(accent U+0302 body[{A:cal}])", TG_PARSE_MISSING_ARGUMENT },
        { "x^\\sqrt2", "\\sqrt needs braces as the argument of ^, column 3",
          "(scripts nucleus[x] sup[(radical body[2])])", TG_PARSE_SCRIPT },
        { "x^", "^ needs an argument, column 2", "(scripts nucleus[x] sup[])",
          TG_PARSE_MISSING_ARGUMENT },
        { "\\buildrel a", "\\buildrel needs \\over, column 1", "(stack rel body[] over[a])",
          TG_PARSE_MISSING_ARGUMENT },
        { "\\textcolor{bleu}{x}", "unknown color bleu, column 1", "(color 000000 body[x])",
          TG_PARSE_COLOR },
        { "\\textcolor { red } {x}",
          "unknown color {red }: the space is part of the name, column 1", "(color FF0000 body[x])",
          TG_PARSE_COLOR },
        { "\\color[rgb]{2,0,0}x", "unknown color [rgb]{2,0,0}, column 1", "(color 000000) x",
          TG_PARSE_COLOR },
        { "\\colorbox[wave]{580}{x}", "unknown color [wave]{580}, column 1",
          "(enclose 7 body[(text body[x])])", TG_PARSE_COLOR },
        { "a#b", "misplaced #: write \\# for the character, column 2", "a (error #) b",
          TG_PARSE_CHARACTER },
        { "\\setlength{\\thickmuskip}{3pt}x", "setting \\thickmuskip is not supported, column 1",
          "x", TG_PARSE_LENGTH },
        { "\\scriptspace=1pt x", "setting \\scriptspace is not supported, column 1", "x",
          TG_PARSE_LENGTH },
        { "a\\vskip 1cm b", "\\vskip is not allowed in mathematics, column 2",
          "a (space vertical 1cm) b", TG_PARSE_MODE },
        { "a\001b", "control character U+0001, column 2", "a b", TG_PARSE_CHARACTER },
        { "\316\261\377", "invalid UTF-8, column 2", "alpha (error \377)", TG_PARSE_CHARACTER },
        /* scripts and fractions */
        { "x^a^b", "double superscript, column 4", "(scripts nucleus[x] sup[a]) (scripts sup[b])",
          TG_PARSE_SCRIPT },
        { "x_a_b", "double subscript, column 4", "(scripts nucleus[x] sub[a]) (scripts sub[b])",
          TG_PARSE_SCRIPT },
        { "x^2'", "double superscript, column 4",
          "(scripts nucleus[x] sup[2]) (scripts primes 1 sup[prime])", TG_PARSE_SCRIPT },
        { "x' ^2", "double superscript: space before ^, column 4",
          "(scripts primes 1 nucleus[x] sup[prime 2])", TG_PARSE_SCRIPT },
        { "x^^{2}", "^ cannot be the argument of ^, column 3", "(scripts nucleus[x] sup[^]) {2}",
          TG_PARSE_SCRIPT },
        { "a\\over b\\over c", "ambiguous second \\over in one group: use braces, column 9",
          "(fraction infix num[(fraction infix num[a] den[b])] den[c])", TG_PARSE_FRACTION },
        { "x\\limits_a", "\\limits must follow an operator, column 2",
          "(scripts nucleus[x] sub[a])", TG_PARSE_LIMITS },
        /* what is not closed */
        { "a{b", "unclosed {, column 2", "a {b}", TG_PARSE_BRACE },
        { "a}b", "unmatched }, column 2", "a b", TG_PARSE_BRACE },
        { "\\left(a", "\\left without \\right, column 1", "(delimited left[(] body[a])",
          TG_PARSE_DELIMITER },
        { "{\\left(a}b", "\\left without \\right, column 2", "{(delimited left[(] body[a])} b",
          TG_PARSE_DELIMITER },
        { "a\\right)", "\\right without \\left, column 2", "a )", TG_PARSE_DELIMITER },
        { "\\left x\\right)", "\\left needs a delimiter, column 1", "(delimited body[x] right[)])",
          TG_PARSE_DELIMITER },
        { "\\left{a\\right}", "\\left needs a delimiter, column 1",
          "(delimited left[{] body[a] right[}])", TG_PARSE_DELIMITER },
        { "\\begin{matrix}a&b", "\\begin{matrix} without \\end{matrix}, column 1", "(matrix a & b)",
          TG_PARSE_ENVIRONMENT },
        { "a\\end{matrix}b", "\\end{matrix} without \\begin{matrix}, column 2", "a b",
          TG_PARSE_ENVIRONMENT },
        { "\\begin{matrix}a\\end{array}b", "\\begin{matrix} closed by \\end{array}, column 16",
          "(matrix a) b", TG_PARSE_ENVIRONMENT },
        { "\\begin{matrix}{a\\end{matrix}b", "unclosed {, column 15", "(matrix {a}) b",
          TG_PARSE_BRACE },
        { "\\begin{foo}a&b\\end{foo}", "unknown environment foo, column 1", "(foo a & b)",
          TG_PARSE_UNKNOWN_ENVIRONMENT },
        { "\\sqrt[3{x}", "unclosed [, column 6", "(radical index[3 {x}] body[])",
          TG_PARSE_MISSING_ARGUMENT },
        { "\\text{$x}", "unmatched $, column 7", "(text scales body[(math body[x])])",
          TG_PARSE_MODE },
        { "a$b", "unmatched $, column 2", "a b", TG_PARSE_MODE },
        /* alignment */
        { "a&=b\\\\c&=d", "misplaced & outside an array, column 2", "(aligned a & = b ; c & = d)",
          TG_PARSE_ALIGNMENT },
        { "a&\\multicolumn{1}{c}]", "misplaced & outside an array, column 2",
          "(aligned a & <1 c>])", TG_PARSE_ALIGNMENT },
        { "\\begin{cases}a&b&c\\end{cases}", "more than 2 columns in a row, column 18",
          "(cases a & b & c)", TG_PARSE_ALIGNMENT },
        { "\\begin{matrix}\\left(a&b\\right)\\end{matrix}", "\\left without \\right, column 15",
          "(matrix (delimited left[(] body[a]) & b ))", TG_PARSE_DELIMITER },
        { "\\begin{matrix}{a&b}\\end{matrix}", "misplaced & outside an array, column 17",
          "(matrix {a b})", TG_PARSE_ALIGNMENT },
        { "\\hline a", "misplaced \\hline: allowed between rows only, column 1", "a",
          TG_PARSE_ALIGNMENT },
        { "\\begin{array}{cX}a\\end{array}",
          "unknown column type X; the types are l, c and r, column 16", "(array cc a)",
          TG_PARSE_COLUMNS },
        /* lengths text and macros */
        { "\\hspace{ 1 . 5 c m }a", "\\hspace: space inside a number or unit, column 1",
          "(space 1.5cm) a", TG_PARSE_LENGTH },
        { "\\hspace{x}a", "\\hspace needs a length, column 1", "(space 0pt) a", TG_PARSE_LENGTH },
        { "\\kern 1qx", "\\kern: unknown unit of length, column 1", "(space kern 1pt) q x",
          TG_PARSE_LENGTH },
        { "\\mkern 3pt", "\\mkern needs a length in mu, column 1", "(space kern 3pt)",
          TG_PARSE_LENGTH },
        { "\\mbox{a_1}", "_ is allowed in math mode only, column 8", "(text body[a _ 1])",
          TG_PARSE_MODE },
        { "\\mbox{a\\alpha}", "\\alpha is allowed in math mode only, column 8",
          "(text body[a (math body[alpha])])", TG_PARSE_MODE },
        { "\\'e", "\\' is a text accent, not allowed in math mode, column 1",
          "(accent U+0301 body[e])", TG_PARSE_MODE },
        { "\\newcommand{\\frac}{x}\\frac", "\\frac is defined already, column 13", "x",
          TG_PARSE_MACRO },
        { "\\renewcommand{\\foo}{x}\\foo", "\\foo is not defined, column 15", "x", TG_PARSE_MACRO },
        { "\\def\\a(#1){#1}\\a b", "the use of \\a does not match its definition, column 15", "b",
          TG_PARSE_MACRO },
        { "\\raise1ex{a}", "\\raise needs a box such as \\hbox{..}, column 1",
          "(raise 1ex body[a])", TG_PARSE_MISSING_ARGUMENT },
        { "\\hbox a", "\\hbox needs braces, column 1", "(text body[a])",
          TG_PARSE_MISSING_ARGUMENT },
        { "\\def a", "\\def needs the name of a command, column 1", "a", TG_PARSE_MACRO },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        check_strict(&cases[i]);
        check_tolerant(&cases[i]);
    }
}

/* Columns count characters, not bytes, and faults may be reported out of order. */
TEST(test_errors__columns_count_characters)
{
    static const char source[] = "{\316\261\316\262\\foo\\bar";
    g_autoptr(TgTree) tree = tg_tree_parse(source, strlen(source), NULL, NULL);
    const TgParseError *errors = tree->errors;
    const guint n = tree->n_errors;

    assert_int_equal(n, 3);
    assert_int_equal(errors[0].column, 4);
    assert_int_equal(errors[1].column, 8);
    assert_int_equal(errors[2].column, 1);
    assert_int_equal(errors[0].start, 5);
    assert_int_equal(errors[0].end, 9);
}

/* Strict reading refuses the formulas that TeX refuses. */
TEST(test_errors__strict_reading_is_that_of_tex)
{
    static const char *const refused[] = {
        "x_\\hat{1}",
        "x^\\cos y",
        "x_\\lim y",
        "x^\\ldots",
        "x^'y",
        "\\sqrt\\hat a",
        "\\fbox{\\begin{array}{c}a\\end{array}}",
        "{\\bfseries c}",
        "x^\\sum",
        "\\mathrel\\sum",
        "\\mathop\\iint",
        "\\sqrt\\sum",
        "x_\\int",
        "x^\\iint",
        "x^\\vdots",
        "x^\\cong",
        "x^\\notin",
        "x^\\iff",
        "x^\\colon",
        "\\begin{ array}{c}a\\end{ array}",
        "\\begin{array }{c}a\\end{array }",
        "\\(a\\tag{1}\\)",
        "$$a\\tag{1}$$",
        "\\begin{aligned}a\\tag{1}\\end{aligned}",
        "\\[\\begin{split}a\\tag{1}\\end{split}\\]",
        "\\begin{math}a\\tag{1}\\end{math}",
        "\\overline\\hat a",
        "\\hat\\mathcal A",
    };
    static const char *const accepted[] = {
        "\\hat\\vec{x}",
        "\\mathop\\sum",
        "\\mathop\\int\\limits_a",
        "x^\\smallint",
        "x^\\intop",
        "x^\\mapsto",
        "x^\\longleftarrow",
        "x^\\pounds",
        "x^\\surd",
        "x^\\neq",
        "\\begin {array}{c}a\\end {array}",
        "\\[a\\tag{1}\\]",
        "\\begin{equation}a\\tag{1}\\end{equation}",
        "\\begin{align*}a&b\\tag{1}\\\\c&d\\tag*{2}\\end{align*}",
        "\\[\\begin{matrix}a\\tag{1}\\end{matrix}\\]",
        "\\begin{multline}a\\\\b\\tag{1}\\end{multline}",
        "{\\normalfont c}",
        "\\overline\\alpha",
        "x^\\prime y",
        "x^\\mathrm a",
        "\\sqrt\\alpha",
        "\\fbox{$\\begin{array}{c}a\\end{array}$}",
        "\\text{\\bfseries c}",
    };
    static const TgParseOptions strict = { .strict = TRUE };

    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autoptr(TgTree) tree = tg_tree_parse(refused[i], strlen(refused[i]), &strict, NULL);
        if (tree != NULL)
            fail_msg("%s is accepted", refused[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(accepted); i++) {
        g_autoptr(TgTree) tree = tg_tree_parse(accepted[i], strlen(accepted[i]), &strict, NULL);
        if (tree == NULL)
            fail_msg("%s is refused", accepted[i]);
    }
}
